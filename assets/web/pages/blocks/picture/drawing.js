/* The picture of blocks as a scene: layout in, drawable items out. Painted by pages/blocks/picture/canvas.js, exported by draw/exports.js. */
import { widest } from "rs/draw/marks.js";
import { band, levelCurve } from "rs/draw/outline.js";
import { fitted as fittedIn, measureIn } from "rs/draw/publish/caption.js";
import * as blocksColours from "rs/pages/blocks/picture/colours.js";
import * as blocksLayout from "rs/pages/blocks/picture/layout.js";
import * as blocksWords from "rs/pages/blocks/words.js";

/** @import { Item, Look, RectItem, TextItem } from "rs/draw/types.d.ts" */
/** @import { Parts } from "rs/pages/blocks/picture/canvas.js" */
/** @import { BlocksTheme } from "rs/pages/blocks/picture/colours.js" */
/** @import { Column, Ribbon } from "rs/pages/blocks/picture/layout.js" */
/** @import { Said } from "rs/pages/blocks/picture/view.js" */
/** @import { Block, Placed, Route } from "rs/pages/blocks/types.d.ts" */

/** @typedef {[number, number]} Span top and bottom */
/** @typedef {(parts: Parts, column: Column, block: Placed, opacity: number) => Item[]} Drawing of a part of a block */

export const CELLS = 24; // numbers up to which a block is a row of cells; beyond it a picture
const CLASSES = 10;
const ROW = 28; // numbers in a row of such a picture
const FAINT = 0.02; // weights below are hairs

/** @type {(x: number, y: number, said: string, options: Partial<TextItem> & {fill: string}) => TextItem} */
export const text = (x, y, said, options) => ({ shape: "text", x, y, text: said, size: 10.5, ...options });
/** @type {(x: number, y: number, w: number, h: number, options: Look & {rx?: number}) => RectItem} */
export const rect = (x, y, w, h, options) => ({ shape: "rect", x, y, w, h, ...options });

/** As much of a text as fits into `room` pixels. @param {BlocksTheme} theme @param {string} words @param {number} room */
export const fitted = (theme, words, room, size = 10.5, weight = 400) =>
  fittedIn(words, room, size, measureIn(theme.font), weight);

/** @param {Span} span @param {number} low @param {number} high @returns {Span} */
const between = ([top, bottom], low, high) => [top + (bottom - top) * low, top + (bottom - top) * high];

/* -- ribbons ------------------------------------------------------------------------------------------------------- */

/**
 * The stripes of a ribbon, in the colours of what its source is made of: spans of both its ends.
 *
 * @type {(parts: Parts, route: Route, from: Span, to: Span) => {from: Span, to: Span, paint: string}[]}
 */
function stripesOf({ view, theme }, { t, level, source }, from, to) {
  let low = 0;
  return blocksColours.stripes(view, theme, { t, level: level - 1, index: source }).map(({ share, paint }) => {
    const high = low + share;
    const stripe = { from: between(from, low, high), to: between(to, low, high), paint };
    low = high;
    return stripe;
  });
}

/**
 * How strongly a ribbon is drawn: by its weight, and somewhat less where its block is computed: the network inside
 * reads what was routed, but nothing of it is copied.
 *
 * @param {Parts} parts
 * @param {Ribbon} ribbon
 */
export function strength({ view }, { t, level, index, weight }) {
  const gate = view.gate(view.step(t, level), index);
  if (weight < FAINT) return 0.05;
  return (0.2 + 0.62 * Math.min(1, 1.4 * weight)) * (0.62 + 0.38 * (1 - gate));
}

/** @param {Parts} parts @param {Ribbon} ribbon @param {number} opacity @returns {Item[]} */
export function ribbonItems(parts, ribbon, opacity) {
  if (opacity < 0.012 || ribbon.weight < 0.004) return [];
  return stripesOf(parts, ribbon, ribbon.from, ribbon.to).map(({ from, to, paint }) => {
    return { shape: "path", d: band(ribbon.x0, ribbon.x1, from, to), fill: paint, opacity };
  });
}

/* -- gates --------------------------------------------------------------------------------------------------------- */

/**
 * From the port to the block: what is routed shrinks to its share, what is computed grows from below.
 *
 * @type {Drawing}
 */
const gateItems = (parts, column, block, opacity) => {
  const { view, theme, layout, ribbons } = parts;
  const { height } = layout.sizes;
  const gate = view.gate(view.step(block.t, block.level), block.index);
  const [top, bottom] = [block.y - height / 2, block.y + height / 2];
  const [x0, x1] = [column.x + 3, column.strip - 3];
  /** @type {Item[]} */
  const items = [rect(column.x, top, 3, height, { fill: theme.dim, opacity: 0.35 * opacity })];
  const shrink = (/** @type {number} */ y) => top + (y - top) * (1 - gate);
  for (const ribbon of ribbons) {
    if (ribbon.t !== block.t || ribbon.level !== block.level || ribbon.index !== block.index) continue;
    const strong = opacity * (ribbon.weight < FAINT ? 0.3 : 0.92);
    for (const { to, paint } of stripesOf(parts, ribbon, ribbon.from, ribbon.to))
      items.push({ shape: "path", d: band(x0, x1, to, [shrink(to[0]), shrink(to[1])]), fill: paint, opacity: strong });
  }
  const wedge = band(x0, x1, [bottom, bottom], [bottom - gate * height, bottom]);
  if (gate > 0.004) items.push({ shape: "path", d: wedge, fill: theme.ink, opacity });
  return [...items, ...fixedItems(parts, column, block, opacity)];
};

/** Marks of a gate that is fixed, a copy that is forced. @type {Drawing} */
const fixedItems = ({ view, theme, layout }, column, block, opacity) => {
  const { gates, copy_routes: copies } = view.changes;
  const name = view.name(block);
  const copied = copies.some((route) => route.endsWith(">" + name));
  if (!(name in gates) && !copied) return [];
  const { height, gate } = layout.sizes;
  const look = { stroke: theme.accent, width: 2, opacity };
  return [
    rect(column.x - 1, block.y - height / 2 - 2, gate, height + 4, { rx: 3, ...look }),
    text(column.x + gate / 2, block.y + height / 2 + 13, copied ? "forced" : "fixed", {
      size: 9.5,
      weight: 600,
      anchor: "middle",
      fill: theme.accent,
      halo: theme.surface,
      opacity,
    }),
  ];
};

/** Muted routes: dashed lines where their ribbons would be, with a bar across. @param {Parts} parts @returns {Item[]} */
export function mutedItems({ view, theme, layout }) {
  const muted = new Set(view.changes.mute_routes);
  if (!muted.size) return [];
  return layout.columns.flatMap((column) => {
    if (column.level === 0) return [];
    const step = view.step(column.t, column.level);
    return step.blocks.flatMap((name, index) =>
      step.sources.flatMap((source, at) => {
        if (!muted.has(source + ">" + name)) return [];
        const place = blocksLayout.sourceOf(layout, column.t, column.level, at);
        if (!place || !place.block) return [];
        const [from, to] = [
          { x: place.column.right, y: place.block.y },
          { x: column.x, y: column.blocks[index].y },
        ];
        const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
        return [
          { shape: "path", d: levelCurve(from, to), stroke: theme.bad, width: 1.4, dash: [4, 4] },
          { shape: "circle", cx: x, cy: y, r: 6, fill: theme.surface, stroke: theme.bad, width: 1.4 },
          { shape: "path", d: `M${x - 3},${y + 3}L${x + 3},${y - 3}`, stroke: theme.bad, width: 1.6 },
        ];
      }),
    );
  });
}

/* -- blocks -------------------------------------------------------------------------------------------------------- */

/** @param {Parts} parts @param {{level: number, index: number}} block */
const isTask = ({ view }, block) => block.level === 0 && block.index === view.levels[0].length - 1;

/** The numbers of a block: cells, or a picture. @type {Drawing} */
const numberItems = (parts, column, block, opacity) => {
  const { view, theme, layout, most } = parts;
  const { strip, height } = layout.sizes;
  const [x, y] = [column.strip, block.y - height / 2];
  if (!view.there(block)) {
    const dashed = { stroke: theme.dim, dash: [3, 3], opacity: 0.7 * opacity };
    return [rect(x, y, strip, height, { rx: 2, ...dashed }), text(x + strip / 2, block.y + 4, "dropped", { anchor: "middle", fill: theme.dim })]; // prettier-ignore
  }
  let values = view.values(block);
  const answers = block.level === view.depth && values.length > CELLS;
  if (isTask(parts, block)) values = values.subarray(0, Math.min(values.length, parts.task.subtasks.length));
  else if (answers) values = view.probabilities(block.t, block.index).subarray(0, CLASSES);
  const frame = rect(x - 0.5, y - 0.5, strip + 1, height + 1, { rx: 2, stroke: theme.line, width: 1, opacity });
  if (values.length > CELLS) {
    const source = parts.bitmap(block, values, ROW, most[block.level]);
    const whole = { sx: 0, sy: 0, sw: source.width, sh: source.height };
    return [{ shape: "image", source, ...whole, x, y, w: strip, h: height, opacity }, frame];
  }
  const cell = strip / values.length;
  const largest = answers || isTask(parts, block) ? 1 : most[block.level];
  const wide = cell - (cell > 5 ? 1 : 0.5);
  const cells = Array.from(values, (value, at) =>
    rect(x + at * cell, y, wide, height, { fill: blocksColours.shade(theme, value, largest), opacity }),
  );
  return [...cells, frame];
};

/** The digit that a block stands for, with what is wrong about it. @type {Drawing} */
const digitItems = (parts, column, block, opacity) => {
  const { view, theme, layout } = parts;
  const { sizes } = layout;
  const x = column.strip + sizes.strip + sizes.digit / 2 + 1;
  const answer = answerOf(parts, block);
  if (answer) {
    const bad = answer.right === false;
    const size = view.levels[view.depth].length === 1 ? 17 : 14;
    const said = String(answer.digit);
    const items = [text(x, block.y + size * 0.36, said, { size, weight: 700, anchor: "middle", fill: bad ? theme.bad : theme.ink, opacity })]; // prettier-ignore
    return bad ? [...items, ...wrongItems(parts, column, block, opacity)] : items;
  }
  if (isTask(parts, block) || (parts.layout.image && block.level === 0)) return [];
  const digits = view.digits(block);
  if (!digits.length) return [];
  const [size, strong] = digits.length > 1 ? [9.5, 0.8] : [13, 1];
  const look = {
    size,
    weight: 650,
    anchor: /** @type {const} */ ("middle"),
    fill: theme.ink,
    opacity: opacity * strong,
  };
  return [text(x, block.y + size * 0.36, digits.join("\u00b7"), look)];
};

/** The answer that a block shows: an output, or the state that an iteration begins with. @param {Parts} parts @param {Block} block */
function answerOf(parts, { t, level, index }) {
  const { view } = parts;
  if (level === view.depth) return view.answer(t, index);
  return level === 0 && t > 0 && !isTask(parts, { level, index }) ? view.stateAnswer(t, index) : null;
}

/** A frame around a wrong output, stronger where the model first errs. @type {Drawing} */
const wrongItems = ({ view, theme, layout }, column, block, opacity) => {
  const { strip, height, digit } = layout.sizes;
  const first = view.isFirstWrong(block);
  const box = { x: column.strip - 2.5, y: block.y - height / 2 - 2.5, w: strip + digit + 4, h: height + 5, rx: 4 };
  return [{ shape: "rect", ...box, stroke: theme.bad, width: first ? 2.2 : 1, opacity: first ? 1 : 0.7 * opacity }];
};

/**
 * What is said beside the name of a wrong output: the longest that there is room for.
 *
 * @type {(parts: Parts, block: Block, truth: Said["truth"], room: number) => string}
 */
function wrongWords({ view }, block, truth, room) {
  const rule = "rule: " + truth;
  const said = view.isFirstWrong(block)
    ? ["wrong here, rule: " + truth, "wrong here: " + truth, rule]
    : ["wrong, " + rule, rule];
  return said.find((each) => widest([each], 10.5, 700) <= room) || "\u2260 " + truth;
}

/** Name and words above a block, and its bar where others read it. @type {Drawing} */
const labelItems = (parts, column, block, opacity) => {
  const { view, theme, layout } = parts;
  const { sizes, narrow } = layout;
  const name = view.name(block);
  const y = block.y - sizes.height / 2 - 6;
  /** @type {Item[]} */
  const items = [text(column.strip, y, name, { size: 11.5, weight: 650, fill: theme.ink, halo: theme.surface, opacity })]; // prettier-ignore
  const from = column.strip + widest([name], 11.5, 650) + 5;
  const last = column.level === view.depth && !layout.column(column.t + 1, 1);
  const beside = last ? layout.beside : Math.min(narrow ? 14 : 70, layout.gap * 0.55);
  const room = column.right + beside - from;
  const answer = answerOf(parts, block);
  if (answer && answer.right === false)
    items.push(text(from, y, wrongWords(parts, block, answer.truth, room), { weight: 700, fill: theme.bad, halo: theme.surface, opacity: view.isFirstWrong(block) ? 1 : opacity })); // prettier-ignore
  else {
    const [long, brief] = aboutBlock(parts, block);
    const said = widest([long], 10.5, 400) > room && brief ? fitted(theme, brief, room) : fitted(theme, long, room);
    if (said) items.push(text(from, y, said, { fill: theme.dim, halo: theme.surface, opacity }));
  }
  if (last && block.level > 0) return items;
  let low = block.y - sizes.height / 2;
  const level = block.level === view.depth ? 0 : block.level;
  const feeds = level === 0 ? inputOf(view, block) : block;
  for (const { share, paint } of feeds ? blocksColours.stripes(view, theme, feeds) : []) {
    items.push(rect(column.out, low, sizes.out, share * sizes.height, { fill: paint, opacity }));
    low += share * sizes.height;
  }
  return items;
};

/** The input block of the next iteration that an output becomes; an input is one already. @param {Parts["view"]} view @param {Block} block @returns {Block | null} */
function inputOf(view, block) {
  if (block.level === 0) return block;
  const index = view.levels[0].indexOf(view.name(block));
  return index < 0 ? null : { t: block.t + 1, level: 0, index };
}

/** What a block is, in words, and in fewer words. @param {Parts} parts @param {Block} block @returns {[string, string?]} */
function aboutBlock(parts, block) {
  const { view, task } = parts;
  if (block.level > 0) {
    const { short, brief } = blocksWords.origin(view, block);
    const before = block.level === view.depth ? view.before(block.t, block.index) : null;
    if (before !== null) return ["was " + before + "; " + short, "was " + before];
    return view.there(block) ? [short, brief] : [""];
  }
  if (!isTask(parts, block)) return [""];
  const { program, permutation } = view.run.input;
  const at = program ? program[block.t % program.length] : permutation;
  return [(at === undefined ? "" : task.subtasks[at]) || ""];
}

/** @type {Drawing} */
export const blockItems = (parts, column, block, opacity) =>
  [...(block.level > 0 ? [gateItems] : []), numberItems, labelItems, digitItems].flatMap((items) =>
    items(parts, column, block, opacity),
  );
