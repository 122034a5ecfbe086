/* Where everything of the picture of blocks lies: columns are levels, iteration after iteration. Iterations for which
   there is no room are folded: of them only the state that they leave is shown. */

/** @import { Column, Folded, Layout, Placed, Ribbon, Sizes, Target } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

export const FOLDED = 34; // pixels of a folded iteration
const WIDE = { gate: 30, strip: 70, digit: 18, out: 5, ribbon: 64, height: 20, pitch: 45, most: 230 };
const NARROW = { gate: 20, strip: 40, digit: 13, out: 4, ribbon: 46, height: 20, pitch: 45, most: 120 };
const IMAGE = 80; // pixels of a block that is drawn as a picture, 28 by 7 numbers
const EDGE = 8;
const FOOT = 14;

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * Columns of one iteration: {t, level, x}, from `x` on with `gap` pixels of ribbons between them.
 *
 * @param {BlockView} view
 * @param {number} t
 * @param {number} x
 * @param {number} gap
 * @param {Sizes} sizes
 * @param {boolean} first
 */
function columnsOf(view, t, x, gap, sizes, first) {
  /** @type {Column[]} */
  const columns = [];
  let left = x;
  for (let level = first ? 0 : 1; level <= view.depth; level += 1) {
    const gate = level === 0 ? 0 : sizes.gate;
    if (columns.length || !first) left += gap;
    columns.push(/** @type {Column} */ ({ t, level, x: left, strip: left + gate })); // layOut says the rest
    left += gate + sizes.strip + sizes.digit + sizes.out;
  }
  return { columns, end: left };
}

/**
 * Pixels of one iteration without the column that it begins with, at the least.
 *
 * @param {BlockView} view
 * @param {Sizes} sizes
 */
const leastOf = (view, sizes) => view.depth * (sizes.ribbon + sizes.gate + sizes.strip + sizes.digit + sizes.out);

/**
 * The iterations that are drawn in full, and those folded before and after: what fits around `focus`.
 *
 * @param {BlockView} view
 * @param {number} focus
 * @param {number} width
 * @param {Sizes} sizes
 */
function unfolded(view, focus, width, sizes) {
  const start = sizes.strip + sizes.digit + sizes.out;
  const one = leastOf(view, sizes);
  let [first, last] = [focus, focus];
  /** @param {number} from @param {number} to */
  const fits = (from, to) => {
    const folded = FOLDED * (view.iterations - (to - from + 1));
    return start + one * (to - from + 1) + Math.min(folded, FOLDED * 8) <= width - 2 * EDGE;
  };
  for (let grown = true; grown;) {
    grown = false;
    if (last + 1 < view.iterations && fits(first, last + 1)) [last, grown] = [last + 1, true];
    if (first > 0 && fits(first - 1, last)) [first, grown] = [first - 1, true];
  }
  const room = Math.max(0, Math.floor((width - 2 * EDGE - start - one * (last - first + 1)) / FOLDED));
  const after = Math.min(view.iterations - 1 - last, Math.max(Math.ceil(room / 2), room - first));
  const before = Math.min(first, Math.max(0, room - after));
  return { first, last, before, after };
}

/**
 * Vertical places of the blocks of a level: middle of each. Outputs that are the values again stay at their height.
 *
 * @param {BlockView} view
 * @param {number} level
 * @param {number} top
 * @param {number} height
 */
function rows(view, level, top, height) {
  const names = level === 0 ? view.levels[0] : view.levels[level];
  /** @param {number} count */
  const spread = (count) => Array.from({ length: count }, (_, at) => top + (height * (at + 0.5)) / count);
  if (level !== view.depth) return spread(names.length);
  const inputs = view.levels[0];
  const again = names.length > 1 && names.every((name) => inputs.includes(name));
  if (!again) return spread(names.length);
  const places = spread(inputs.length);
  return names.map((name) => places[inputs.indexOf(name)]);
}

/**
 * The layout of a view in so many pixels; the picture is wider where the levels need it.
 *
 * @param {BlockView} view
 * @param {{width: number, focus?: number, image?: boolean}} room
 * @returns {Layout}
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
  /** @type {Folded[]} */
  const folded = [];
  let x = EDGE;
  for (let state = first - before; state < first; state += 1, x += FOLDED) folded.push({ state, x });
  /** @type {Column[]} */
  let columns = [];
  for (let t = first; t <= last; t += 1) {
    const part = columnsOf(view, t, x, gap, sizes, t === first);
    columns = [...columns, ...part.columns];
    x = part.end;
  }
  const end = x;
  x += after ? words : 0;
  for (let t = last + 1; t <= last + after; t += 1, x += FOLDED) folded.push({ state: t + 1, x });
  for (const column of columns) {
    const places = rows(view, column.level, header, height);
    column.blocks = places.map((y, index) => ({ t: column.t, level: column.level, index, y }));
    column.out = column.strip + sizes.strip + sizes.digit;
    column.right = column.out + sizes.out;
    // The task block of the next iteration stands where the task block of the input stands.
    if (column.level === view.depth && column.t < last) {
      const task = view.levels[0].length - 1;
      const place = rows(view, 0, header, height)[task];
      column.task = { t: column.t + 1, level: 0, index: task, y: place };
    }
  }
  return {
    view,
    beside: words || EDGE,
    sizes,
    narrow,
    image,
    gap,
    header,
    first,
    last,
    hidden: { before: first - before, after: view.iterations - 1 - last - after },
    folded,
    columns,
    end,
    width: Math.max(width, x + (after ? 0 : words) + EDGE),
    height: header + height + FOOT,
    top: header,
    bottom: header + height,
    column: (t, level) => columns.find((each) => each.t === t && each.level === level),
  };
}

/**
 * The column and the place in it of what an MFNNR reads: of later iterations the output of the one before.
 *
 * @param {Layout} layout
 * @param {number} t
 * @param {number} level
 * @param {number} index
 * @returns {{column: Column, block: Placed | undefined} | null}
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

/**
 * Ribbons into a block, stacked at its port from the top: {source, weight, from, to}, each [top, bottom].
 *
 * @param {Layout} layout
 * @param {number} t
 * @param {number} level
 */
export function portsOf(layout, t, level) {
  const { view, sizes } = layout;
  const step = view.step(t, level);
  const { height } = sizes;
  const column = layout.column(t, level);
  const sent = step.sources.map((_, source) => sum(step.blocks.map((__, index) => view.weight(step, source, index))));
  const used = step.sources.map(() => 0);
  /** @type {Ribbon[]} */
  const ribbons = [];
  if (!column) return ribbons;
  step.blocks.forEach((_, index) => {
    let at = column.blocks[index].y - height / 2;
    step.sources.forEach((__, source) => {
      const weight = view.weight(step, source, index);
      const place = sourceOf(layout, t, level, source);
      if (!place || !place.block || weight <= 0) return;
      const scale = height / Math.max(1, sent[source]);
      const top = place.block.y - (Math.min(1, sent[source]) * height) / 2 + used[source];
      ribbons.push({
        t,
        level,
        index,
        source,
        weight,
        x0: place.column.right,
        x1: column.x,
        from: [top, top + weight * scale],
        to: [at, at + weight * height],
      });
      used[source] += weight * scale;
      at += weight * height;
    });
  });
  return ribbons;
}

/**
 * What lies at a place: {kind: "block" | "gate" | "ribbon" | "folded", ...}, or null.
 *
 * @param {Layout} layout
 * @param {Ribbon[]} ribbons
 * @param {number} x
 * @param {number} y
 * @returns {Target | null}
 */
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

/**
 * The cubic curve of the ribbons' edges: height at x between (x0, y0) and (x1, y1), whose handles are midway.
 *
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 * @param {number} x
 */
function curve(x0, y0, x1, y1, x) {
  const wanted = (x - x0) / (x1 - x0);
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 20; turn += 1) {
    const u = (low + high) / 2;
    if (1.5 * u * (1 - u) * (1 - u) + 1.5 * u * u * (1 - u) + u * u * u < wanted) low = u;
    else high = u;
  }
  const u = (low + high) / 2;
  return y0 + (y1 - y0) * (3 * u * u - 2 * u * u * u);
}

/** @param {Ribbon} ribbon @param {number} x @param {number} edge */
const edgeAt = ({ x0, x1, from, to }, x, edge) => curve(x0, from[edge], x1, to[edge], x);
/** @param {Ribbon} ribbon @param {number} x */
export const heightAt = (ribbon, x) => (edgeAt(ribbon, x, 0) + edgeAt(ribbon, x, 1)) / 2;
