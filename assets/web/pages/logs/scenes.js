/* Pictures of the page Logs as scenes: use of experts, agreement of two logs, a text by agreement, a token in both. */
import { percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { seenText, textGrid } from "rs/lib/trace.js";
import { colourPlaceInLog } from "rs/lib/units.js";

/** @import { Item, Scene, TextItem } from "rs/draw/types.d.ts" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */

const [LEFT, TOP] = [58, 26];
const CELL = 7.6; // pixels that a character of a text is wide
const LINE = 20;

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} fill
 * @param {Partial<TextItem>} [more]
 * @returns {TextItem}
 */
const word = (x, y, text, fill, more) => ({ shape: "text", x, y, text, size: 11, fill, ...more });

/**
 * Every so many names, so that they do not lie over each other.
 *
 * @param {number} each pixels of one
 * @param {number} needed
 */
const every = (each, needed) => [1, 2, 4, 5, 8, 10, 16, 20, 32, 64].find((step) => step * each >= needed) ?? 128;

/**
 * The largest share, above 0; of however many.
 *
 * @param {number[][]} shares
 */
export const mostOf = (shares) =>
  shares.reduce((most, row) => row.reduce((own, share) => Math.max(own, share), most), Number.EPSILON);

/**
 * Of every so many neighbours the largest share.
 *
 * @param {number[]} row
 * @param {number} many
 */
export const joined = (row, many) =>
  many === 1
    ? row
    : Array.from({ length: Math.ceil(row.length / many) }, (_, at) =>
        Math.max(...row.slice(at * many, (at + 1) * many)),
      );

/**
 * Layers by experts: the share of a layer's use; where experts are narrower than a pixel, several are one cell.
 *
 * @param {Schemas["LogUsage"]} usage
 * @param {number[][]} shares
 * @param {string} name
 * @param {number} width
 * @returns {Scene}
 */
export function usage({ layers }, shares, name, width) {
  const theme = readTheme();
  const most = mostOf(shares);
  const w = (width - LEFT - 8) / shares[0].length;
  const h = Math.max(6, Math.min(22, 420 / layers.length));
  /** @type {Item[]} */
  const items = [];
  const [columns, rows] = [every(w, 28), every(h, 13)];
  const many = Math.ceil(1 / w);
  shares[0].forEach((_, e) => {
    if (e % columns === 0) items.push(word(LEFT + (e + 0.5) * w, 18, "e" + (e + 1), theme.dim, { anchor: "middle" }));
  });
  shares.forEach((row, l) => {
    const y = TOP + l * h;
    if (l % rows === 0) items.push(word(LEFT - 8, y + h / 2 + 4, layers[l], theme.ink, { anchor: "end" }));
    const cells = joined(row, many);
    const apart = w > 6 ? 1 : 0;
    if (!apart) items.push({ shape: "rect", x: LEFT, y, w: w * row.length, h: h - 1, fill: theme.hair });
    cells.forEach((share, e) => {
      const box = { x: LEFT + e * many * w, y, w: many * w - apart, h: h - 1 };
      if (apart) items.push({ shape: "rect", ...box, fill: theme.hair });
      if (share) items.push({ shape: "rect", ...box, fill: theme.accent, opacity: share / most });
    });
  });
  const height = TOP + layers.length * h + 22;
  const even = percent(1 / shares[0].length) + " % is even use, " + percent(most) + " % the most" + (many > 1 ? "; a cell is the most used of " + many + " experts" : ""); // prettier-ignore
  items.push(word(LEFT, height - 6, even, theme.dim));
  const desc = "Share of a layer's use that each expert has: the stronger its colour, the more.";
  return { width, height, background: theme.surface, title: "Use of experts by layer: " + name, desc, items };
}

/**
 * A share with its interval on an axis from `low` to 1.
 *
 * @param {Theme} theme
 * @param {{x: number, y: (value: number) => number, value: number | null, interval: (number | null)[], full: boolean}} given
 * @returns {Item[]}
 */
function mark(theme, { x, y, value, interval: [low, high], full }) {
  if (value === null) return [];
  const stroke = full ? theme.accent : theme.dim;
  /** @type {Item[]} */
  const items = [];
  if (low !== null && high !== null)
    items.push({
      shape: "path",
      d: `M${x},${y(low)}V${y(high)}M${x - 3},${y(low)}h6M${x - 3},${y(high)}h6`,
      stroke,
      width: 1.4,
    });
  items.push({ shape: "circle", cx: x, cy: y(value), r: 3.4, fill: full ? stroke : theme.surface, stroke, width: 1.4 });
  return items;
}

/**
 * An axis of percents.
 *
 * @param {Theme} theme
 * @param {{from: number, to: number, y: (value: number) => number, ticks: number[]}} given
 * @returns {Item[]}
 */
const axis = (theme, { from, to, y, ticks }) =>
  ticks.flatMap((value) => [
    { shape: "path", d: `M${from},${y(value)}H${to}`, stroke: theme.hair, width: 1 },
    word(from - 6, y(value) + 4, percent(value), theme.dim, { anchor: "end" }),
  ]);

/** @param {number} least @param {number} most */
const ticksOf = (least, most) => [0, 0.25, 0.5, 0.75, 1].map((at) => least + at * (most - least));

/**
 * Agreement by layer, and the share that differs by the margin, with intervals.
 *
 * @param {Schemas["RoutingComparison"]} found
 * @param {string} title
 * @param {number} width
 * @returns {Scene}
 */
export function compared({ layers, margins, margin_of: of }, title, width) {
  const theme = readTheme();
  const [high, gap] = [150, 64];
  const lows = layers.flatMap(({ same, same_interval: [low] }) => [low ?? same ?? 1, same ?? 1]);
  const least = Math.max(0, Math.floor(Math.min(...lows) * 20 - 0.5) / 20);
  const y = (/** @type {number} */ value) => TOP + 8 + high * (1 - (Math.max(value, least) - least) / (1 - least || 1));
  const [from, to] = [LEFT, width - 12];
  const across = (to - from) / layers.length;
  /** @type {Item[]} */
  const items = [word(12, 16, "tokens with the same experts, % (dot), experts in common, % (ring)", theme.ink)];
  items.push(...axis(theme, { from, to, y, ticks: ticksOf(least, 1) }));
  const names = every(across, 30);
  layers.forEach((each, l) => {
    const x = from + (l + 0.5) * across;
    const shift = Math.min(6, across / 4);
    items.push(...mark(theme, { x: x + shift, y, value: each.overlap, interval: each.overlap_interval, full: false }));
    items.push(...mark(theme, { x: x - shift, y, value: each.same, interval: each.same_interval, full: true }));
    if (l % names === 0) items.push(word(x, TOP + high + 26, each.layer, theme.dim, { anchor: "middle" }));
  });
  let height = TOP + high + 36;
  if (margins.length) {
    const top = height + gap / 2;
    const most = Math.max(...margins.map(({ differ, interval: [, end] }) => end ?? differ ?? 0), 0.001);
    const up = (/** @type {number} */ value) => top + high * (1 - value / most);
    items.push(word(12, top - 12, "that differ, %, by the router's margin in A (" + of + ")", theme.ink));
    items.push(...axis(theme, { from, to, y: up, ticks: ticksOf(0, most) }));
    const wide = (to - from) / margins.length;
    margins.forEach(({ low, high: end, differ, interval }, at) => {
      const x = from + (at + 0.5) * wide;
      const name = (low ?? 0).toPrecision(2) + " to " + (end ?? 0).toPrecision(2);
      items.push(...mark(theme, { x, y: up, value: differ, interval, full: true }));
      if (at % every(wide, 84) === 0) items.push(word(x, top + high + 18, name, theme.dim, { anchor: "middle" }));
    });
    height = top + high + 30;
  }
  const desc =
    "Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.";
  return { width, height, background: theme.surface, title, desc, items };
}

/** The colour of a class of tokens, as the page's sheet has it. @type {Record<string, "accent" | "warn" | "bad">} */
const CLASSES = { nearly: "accent", most: "warn", few: "bad" };

/**
 * A text, its tokens marked by how few layers agree.
 *
 * @param {Schemas["ComparedTokens"]} text
 * @param {(agreement: number | null) => string} classOf
 * @param {number} width
 * @returns {Scene}
 */
export function text({ items: tokens, name, start }, classOf, width) {
  const theme = readTheme();
  const columns = Math.max(10, Math.floor((width - 24) / CELL));
  const reads = tokens.map(({ text: own, place }) => own ?? place - start + " ");
  const { rows, places } = textGrid(reads, columns);
  /** @type {Item[]} */
  const items = [];
  places.forEach(({ row, column, span }, at) => {
    const paint = CLASSES[classOf(tokens[at].agreement)];
    const [x, y] = [12 + column * CELL, 12 + row * LINE];
    const fill = paint && { accent: theme.accent, warn: theme.marker, bad: theme.bad }[paint];
    if (fill) {
      items.push({ shape: "rect", x, y, w: span * CELL, h: LINE - 2, fill, opacity: paint === "accent" ? 0.12 : 0.3 });
      items.push({ shape: "rect", x, y: y + LINE - 4, w: span * CELL, h: 2, fill });
    }
    [...seenText(reads[at])].slice(0, span).forEach((letter, n) => {
      if (letter.trim())
        items.push(word(x + (n + 0.5) * CELL, y + 14, letter, theme.ink, { anchor: "middle", size: 12.5 }));
    });
  });
  const desc = "Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.";
  return { width, height: 24 + rows * LINE, background: theme.surface, title: "A and B in " + name, desc, items };
}

/**
 * The experts of a token in A and in B, layer by layer, each as wide as its share.
 *
 * @param {Schemas["ComparedDecision"]} found
 * @param {number} width
 * @param {(Schemas["LogFacts"] | undefined)[]} [facts] of the logs A and B, for the colours of their experts
 * @returns {Scene}
 */
export function token({ layers, text: own, place, name }, width, facts = []) {
  const theme = readTheme();
  const bar = (width - LEFT - 28) / 2;
  const [high, step] = [18, 24];
  /** @type {Item[]} */
  const items = [
    word(LEFT, 16, "A", theme.ink, { weight: 700 }),
    word(LEFT + bar + 16, 16, "B", theme.ink, { weight: 700 }),
  ];
  layers.forEach(({ a, b, same }, l) => {
    const y = TOP + l * step;
    const weight = same === false ? 700 : 450;
    items.push(word(LEFT - 8, y + 13, a.layer, theme.ink, { anchor: "end", weight }));
    [a, b].forEach(({ layer, taken }, side) => {
      let x = LEFT + side * (bar + 16);
      if (!taken.length) items.push(word(x, y + 13, "none", theme.dim));
      for (const { unit, index, share } of taken) {
        const w = share * bar;
        const fill = theme.unit(colourPlaceInLog(facts[side], layer, index));
        const name = unit.split(".").at(-1) ?? unit;
        items.push({ shape: "rect", x, y, w: Math.max(0, w - 1), h: high, fill, opacity: 0.55 });
        const words = w > 64 ? name + " " + percent(share) + " %" : name;
        if (w > 7 * name.length + 4) items.push(word(x + 4, y + 13, words, theme.ink, { halo: theme.surface }));
        x += w;
      }
    });
    if (same === false)
      items.push({
        shape: "rect",
        x: LEFT - 3,
        y: y - 3,
        w: width - LEFT - 6,
        h: step,
        rx: 3,
        stroke: theme.bad,
        width: 1.4,
      });
  });
  const said = own === null ? "" : " \u201c" + seenText(own) + "\u201d";
  const title = "Token " + place + said + " of " + name + " in A and B";
  const desc = "The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.";
  return { width, height: TOP + layers.length * step + 8, background: theme.surface, title, desc, items };
}
