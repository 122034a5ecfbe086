/* Where everything of the picture of blocks lies: columns are levels, iteration after iteration. Iterations for which
   there is no room are folded: of them only the state that they leave is shown. */

/** @import { Placed, Target } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */
/** @typedef {typeof WIDE} Sizes pixels of the parts of a column */
/** @typedef {ReturnType<typeof layOut>} Layout */
/** @typedef {Layout["columns"][number]} Column a level of an iteration: where its gates, strips and bars begin, and where it ends */
/** @typedef {ReturnType<typeof portsOf>[number]} Ribbon what is routed from a source to a block: both ends [top, bottom] */

export const FOLDED = 34; // pixels of a folded iteration
const WIDE = { gate: 30, strip: 70, digit: 18, out: 5, ribbon: 64, height: 20, pitch: 45, most: 230 };
const NARROW = { gate: 20, strip: 40, digit: 13, out: 4, ribbon: 46, height: 20, pitch: 45, most: 120 };
const IMAGE = 80; // pixels of a block that is drawn as a picture, 28 by 7 numbers
const EDGE = 8;
const FOOT = 14;

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Pixels of one iteration without the column that it begins with, at the least. @param {BlockView} view @param {Sizes} sizes */
const leastOf = (view, sizes) => view.depth * (sizes.ribbon + sizes.gate + sizes.strip + sizes.digit + sizes.out);

/**
 * The iterations that are drawn in full, and those folded before and after: what fits around `focus`.
 *
 * @type {(view: BlockView, focus: number, width: number, sizes: Sizes) => Record<"first" | "last" | "before" | "after", number>}
 */
function unfolded(view, focus, width, sizes) {
  const start = sizes.strip + sizes.digit + sizes.out;
  const one = leastOf(view, sizes);
  let [first, last] = [focus, focus];
  const fits = (/** @type {number} */ shown) =>
    start + one * shown + FOLDED * Math.min(view.iterations - shown, 8) <= width - 2 * EDGE;
  while (last - first + 1 < view.iterations && fits(last - first + 2)) {
    if (last + 1 < view.iterations) last += 1;
    if (first > 0 && fits(last - first + 2)) first -= 1;
  }
  const room = Math.max(0, Math.floor((width - 2 * EDGE - start - one * (last - first + 1)) / FOLDED));
  const after = Math.min(view.iterations - 1 - last, Math.max(Math.ceil(room / 2), room - first));
  const before = Math.min(first, Math.max(0, room - after));
  return { first, last, before, after };
}

/**
 * Vertical places of the blocks of a level: middle of each. Outputs that are the values again stay at their height.
 *
 * @type {(view: BlockView, level: number, top: number, height: number) => number[]}
 */
function rows({ levels, depth }, level, top, height) {
  const [names, inputs] = [levels[level], levels[0]];
  const again = level === depth && names.length > 1 && names.every((name) => inputs.includes(name));
  const among = again ? inputs : names;
  return names.map((name) => top + (height * (among.indexOf(name) + 0.5)) / among.length);
}

/**
 * The layout of a view in so many pixels; the picture is wider where the levels need it.
 *
 * @param {BlockView} view
 * @param {{width: number, focus?: number, image?: boolean}} room
 */
export function layOut(view, { width, focus = 0, image = false }) {
  const narrow = width < 620;
  const sizes = { ...(narrow ? NARROW : WIDE) };
  if (image && !narrow) sizes.strip = IMAGE;
  const { first, last, before, after } = unfolded(view, focus, width, sizes);
  const shown = last - first + 1;
  const start = sizes.strip + sizes.digit + sizes.out;
  const spare = width - 2 * EDGE - FOLDED * (before + after) - start - shown * leastOf(view, sizes);
  const words = narrow ? 0 : 60; // beside the last column, for what it is
  const room = Math.max(0, spare - words) / (shown * view.depth);
  const gap = Math.min(sizes.most, sizes.ribbon + room);
  const header = view.iterations > 1 ? 62 : 30;
  const tallest = Math.max(...view.levels.map((names) => names.length));
  const height = tallest * sizes.pitch;
  const folded = []; // iterations, by the state that they leave
  let x = EDGE;
  for (let state = first - before; state < first; state += 1, x += FOLDED) folded.push({ state, x });
  /** @type {{t: number, level: number, x: number, strip: number, out: number, right: number, blocks: Placed[], task?: Placed}[]} */
  const columns = [];
  for (let t = first; t <= last; t += 1)
    for (let level = t === first ? 0 : 1; level <= view.depth; level += 1) {
      if (columns.length) x += gap;
      const strip = x + (level ? sizes.gate : 0);
      const out = strip + sizes.strip + sizes.digit;
      const blocks = rows(view, level, header, height).map((y, index) => ({ t, level, index, y }));
      // The task block of the next iteration stands where the task block of the input stands.
      const index = view.levels[0].length - 1;
      const next = { t: t + 1, level: 0, index, y: rows(view, 0, header, height)[index] };
      const task = level === view.depth && t < last ? next : undefined;
      columns.push({ t, level, x, strip, out, right: out + sizes.out, blocks, task });
      x = out + sizes.out;
    }
  x += after ? words : 0;
  for (let t = last + 1; t <= last + after; t += 1, x += FOLDED) folded.push({ state: t + 1, x });
  return {
    view,
    beside: words || EDGE,
    sizes,
    narrow,
    image,
    gap,
    first,
    last,
    hidden: { before: first - before, after: view.iterations - 1 - last - after },
    folded,
    columns,
    width: Math.max(width, x + (after ? 0 : words) + EDGE),
    height: header + height + FOOT,
    top: header,
    bottom: header + height,
    column: (/** @type {number} */ t, /** @type {number} */ level) =>
      columns.find((each) => each.t === t && each.level === level),
  };
}

/**
 * The column and the place in it of what an MFNNR reads: of later iterations the output of the one before.
 *
 * @type {(layout: Layout, t: number, level: number, index: number) => {column: Column, block: Placed | undefined} | null}
 */
export function sourceOf(layout, t, level, index) {
  const { view } = layout;
  const own = layout.column(t, level - 1);
  if (own) return { column: own, block: own.blocks[index] };
  const column = layout.column(t - 1, view.depth);
  if (!column) return null;
  const name = view.levels[0][index];
  const at = view.levels[view.depth].indexOf(name);
  return { column, block: at >= 0 ? column.blocks[at] : column.task };
}

/** Ribbons into a block, stacked at its port from the top. @param {Layout} layout @param {number} t @param {number} level */
export function portsOf(layout, t, level) {
  const { view, sizes } = layout;
  const step = view.step(t, level);
  const { height } = sizes;
  const column = layout.column(t, level);
  const sent = step.sources.map((_, source) => sum(step.blocks.map((__, index) => view.weight(step, source, index))));
  const used = step.sources.map(() => 0);
  return (column?.blocks ?? []).flatMap(({ index, y }) => {
    let at = y - height / 2;
    return step.sources.flatMap((_, source) => {
      const weight = view.weight(step, source, index);
      const place = sourceOf(layout, t, level, source);
      if (!column || !place?.block || weight <= 0) return [];
      const scale = height / Math.max(1, sent[source]);
      const top = place.block.y - (Math.min(1, sent[source]) * height) / 2 + used[source];
      const from = /** @type {[number, number]} */ ([top, top + weight * scale]);
      const to = /** @type {[number, number]} */ ([at, at + weight * height]);
      used[source] += weight * scale;
      at += weight * height;
      return [{ t, level, index, source, weight, x0: place.column.right, x1: column.x, from, to }];
    });
  });
}

/** What lies at a place. @type {(layout: Layout, ribbons: Ribbon[], x: number, y: number) => Target | null} */
export function targetAt(layout, ribbons, x, y) {
  const { sizes, view } = layout;
  for (const { state, x: left } of layout.folded)
    if (x >= left && x < left + FOLDED) return { kind: "folded", t: Math.max(0, state - 1) };
  for (const column of layout.columns) {
    const blocks = column.task ? [...column.blocks, column.task] : column.blocks;
    if (x < column.x - 3 || x > column.right + 3) continue;
    const block = blocks.find((each) => Math.abs(each.y - y) <= sizes.height / 2 + 13);
    if (!block) continue;
    const gate = block.level > 0 && x < column.strip && Math.abs(block.y - y) <= sizes.height / 2 + 4;
    return { kind: gate ? "gate" : "block", t: block.t, level: block.level, index: block.index };
  }
  const hit = { best: /** @type {Ribbon | null} */ (null), distance: 6 };
  for (const ribbon of ribbons) {
    if (x <= ribbon.x0 || x >= ribbon.x1 || ribbon.weight < 0.03) continue;
    const middle = heightAt(ribbon, x);
    const half = (edgeAt(ribbon, x, 1) - edgeAt(ribbon, x, 0)) / 2;
    const distance = Math.max(0, Math.abs(y - middle) - half);
    if (distance < hit.distance || (distance === 0 && hit.best && ribbon.weight < hit.best.weight))
      Object.assign(hit, { best: ribbon, distance });
  }
  if (!hit.best) return null;
  const { t, level, index, source } = hit.best;
  return { kind: "ribbon", t, level, index, source, name: view.step(t, level).sources[source] };
}

/** The height of a ribbon's edge at x: a cubic curve whose handles are midway. @param {Ribbon} ribbon @param {number} x @param {0 | 1} edge */
function edgeAt({ x0, x1, from, to }, x, edge) {
  const wanted = (x - x0) / (x1 - x0);
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 20; turn += 1) {
    const u = (low + high) / 2;
    if (1.5 * u * (1 - u) * (1 - u) + 1.5 * u * u * (1 - u) + u * u * u < wanted) low = u;
    else high = u;
  }
  const u = (low + high) / 2;
  return from[edge] + (to[edge] - from[edge]) * (3 * u * u - 2 * u * u * u);
}

/** @param {Ribbon} ribbon @param {number} x */
export const heightAt = (ribbon, x) => (edgeAt(ribbon, x, 0) + edgeAt(ribbon, x, 1)) / 2;
