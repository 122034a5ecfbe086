/* Pictures of the page Logs as scenes: use of experts, agreement of two logs, a text by agreement, a token in both. */
import { axisX, axisY, bands, bar, chart, dot, legend, linear, text, titleX, whisker, widest } from "rs/draw/marks.js";
import { percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { seenText, textGrid } from "rs/lib/trace.js";
import { colourPlaceInLog } from "rs/lib/units.js";

/** @import { Marks } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

const [LEFT, TOP] = [58, 26];
const CELL = 7.6; // pixels that a character of a text is wide
const LINE = 20;

/** The largest share, above 0; of however many. @param {number[][]} shares */
export const mostOf = (shares) =>
  shares.reduce((most, row) => row.reduce((own, share) => Math.max(own, share), most), Number.EPSILON);

/** Of every so many neighbours the largest share. @param {number[]} row @param {number} many */
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
 */
export function usage({ layers }, shares, name, width) {
  const most = mostOf(shares);
  const left = Math.min(0.3 * width, Math.ceil(widest(layers, 11)) + 16);
  const w = (width - left - 8) / shares[0].length;
  const h = Math.max(6, Math.min(22, 420 / layers.length));
  const many = Math.ceil(1 / w);
  const apart = w > 6 ? 1 : 0;
  const x = bands(shares[0].map((_, e) => "e" + (e + 1)), [left, width - 8]); // prettier-ignore
  const y = bands(layers, [TOP, TOP + layers.length * h], 1);
  const cells = shares.flatMap((row, l) =>
    joined(row, many).map((share, e) => ({ share, y: y.extent(l), x: [left + e * many * w, left + (e + 1) * many * w - apart] })),
  ); // prettier-ignore
  const box = { x: (/** @type {typeof cells[number]} */ cell) => cell.x, y: (/** @type {typeof cells[number]} */ cell) => cell.y }; // prettier-ignore
  const even = percent(1 / shares[0].length) + " % is even use, " + percent(most) + " % the most" + (many > 1 ? "; a cell is the most used of " + many + " experts" : ""); // prettier-ignore
  const said = titleX(even, { y: y.range[1] + 16, ends: [left, left], within: [4, width] });
  return chart({
    width,
    height: y.range[1] + 22 + said.more,
    title: "Use of experts by layer: " + name,
    desc: "Share of a layer's use that each expert has: the stronger its colour, the more.",
    marks: [
      axisX(x, [0, 3], { grid: false, within: [left - 8, width] }),
      axisY(y, [left, width], { grid: false, fill: "ink", room: left - 9 }),
      apart ? bar(cells, { ...box, fill: "hair" }) : bar(y.ticks, { x: [left, width - 8], y: y.extent, fill: "hair" }),
      bar(cells.filter(({ share }) => share), { ...box, fill: "accent", opacity: ({ share }) => share / most }),
      said.marks,
    ],
  }); // prettier-ignore
}

/** @typedef {{value: number | null, interval: (number | null)[]}} Share with its interval */

/**
 * Shares with their intervals over an axis.
 *
 * @template Row
 * @param {Row[]} rows
 * @param {{x: (row: Row, index: number) => number, y: (value: number | null) => number, of: (row: Row) => Share, stroke: string, fill: string}} given
 */
const shares = (rows, { x, y, of, stroke, fill }) => [
  whisker(rows, { x, y: (row) => of(row).interval.map(y), r: 3, stroke, width: 1.4 }),
  dot(rows, { x, y: (row) => y(of(row).value), r: 3.4, fill, stroke, width: 1.4 }),
];

/**
 * Agreement by layer, and the share that differs by the margin, with intervals.
 *
 * @param {Schemas["RoutingComparison"]} found
 * @param {string} title
 * @param {number} width
 */
export function compared({ layers, margins, margin_of: of }, title, width) {
  const [high, gap] = [150, 64];
  const keys = legend(
    [{ text: "tokens with the same experts, %", key: "dot", fill: "accent" }, { text: "experts in common, %", key: "dot", fill: "surface", stroke: "dim" }],
    { x: 12, y: 12, width },
  ); // prettier-ignore
  const head = TOP - 18 + keys.height;
  const lows = layers.flatMap(({ same, same_interval: [low] }) => [low ?? same ?? 1, same ?? 1]);
  const least = Math.max(0, Math.floor(Math.min(...lows) * 20 - 0.5) / 20);
  const ends = /** @type {[number, number]} */ ([LEFT, width - 12]);
  const quarters = (/** @type {number} */ from, /** @type {number} */ to) =>
    [0, 0.25, 0.5, 0.75, 1].map((at) => from + at * (to - from));
  const x = bands(layers.map(({ layer }) => layer), ends); // prettier-ignore
  const y = linear([least, 1], [head + 8 + high, head + 8], { ticks: quarters(least, 1), named: percent });
  const shift = Math.min(6, x.step / 4);
  const named = { grid: false, within: /** @type {[number, number]} */ ([4, width]), room: width / 3 };
  const marks = [
    keys.marks,
    axisY(y, ends),
    axisX(x, [head, head + high + 11], named),
    shares(layers, { x: (_, l) => x(l) + shift, y, of: ({ overlap, overlap_interval }) => ({ value: overlap, interval: overlap_interval }), stroke: "dim", fill: "surface" }),
    shares(layers, { x: (_, l) => x(l) - shift, y, of: ({ same, same_interval }) => ({ value: same, interval: same_interval }), stroke: "accent", fill: "accent" }),
  ]; // prettier-ignore
  let height = head + high + 36;
  if (margins.length) {
    const words = "that differ, %, by the router's margin in A (" + of + ")";
    const said = titleX(words, { y: height + gap / 2 - 12, ends: [12, 12], within: [12, width] });
    const top = height + gap / 2 + said.more;
    const most = Math.max(...margins.map(({ differ, interval: [, end] }) => end ?? differ ?? 0), 0.001);
    const names = margins.map(({ low, high: end }) => (low ?? 0).toPrecision(2) + " to " + (end ?? 0).toPrecision(2));
    const across = bands(names, ends);
    const up = linear([0, most], [top + high, top], { ticks: quarters(0, most), named: percent });
    marks.push(
      said.marks,
      axisY(up, ends),
      axisX(across, [top, top + high + 3], named),
      shares(margins, { x: (_, at) => across(at), y: up, of: ({ differ, interval }) => ({ value: differ, interval }), stroke: "accent", fill: "accent" }),
    ); // prettier-ignore
    height = top + high + 30;
  }
  const desc =
    "Where two routings of the same tokens take the same experts, layer by layer and by the router's margin.";
  return chart({ width, height, title, desc, marks });
}

/** The colour of a class of tokens, as the page's sheet has it. @type {Record<string, string>} */
const CLASSES = { nearly: "accent", most: "marker", few: "bad" };

/**
 * A text, its tokens marked by how few layers agree.
 *
 * @param {Schemas["ComparedTokens"]} text
 * @param {(agreement: number | null) => string} classOf
 * @param {number} width
 */
export function sequence({ items: tokens, name, start }, classOf, width) {
  const columns = Math.max(10, Math.floor((width - 24) / CELL));
  const reads = tokens.map(({ text: own, place }) => own ?? place - start + " ");
  const { rows, places } = textGrid(reads, columns);
  const boxes = places.map(({ row, column, span }, at) => {
    const [x, y] = [12 + column * CELL, 12 + row * LINE];
    const paint = CLASSES[classOf(tokens[at].agreement)];
    const letters = [...seenText(reads[at])].slice(0, span);
    return { x, y, wide: [x, x + span * CELL], paint, letters };
  });
  const marked = boxes.filter(({ paint }) => paint);
  const letters = boxes.flatMap(({ x, y, letters: own }) =>
    own.flatMap((letter, n) => (letter.trim() ? [{ letter, x: x + (n + 0.5) * CELL, y }] : [])),
  );
  return chart({
    width,
    height: 24 + rows * LINE,
    title: "A and B in " + name,
    desc: "Tokens of a sequence, marked by the share of layers whose experts are the same in A and B.",
    marks: [
      bar(marked, { x: ({ wide }) => wide, y: ({ y }) => [y, y + LINE - 2], fill: ({ paint }) => paint, opacity: ({ paint }) => (paint === "accent" ? 0.12 : 0.3) }),
      bar(marked, { x: ({ wide }) => wide, y: ({ y }) => [y + LINE - 4, y + LINE - 2], fill: ({ paint }) => paint }),
      text(letters, { x: ({ x }) => x, y: ({ y }) => y + 14, down: 0, text: ({ letter }) => letter, size: 12.5, anchor: "middle" }),
    ],
  }); // prettier-ignore
}

/**
 * The experts of a token in A and in B, layer by layer, each as wide as its share.
 *
 * @param {Schemas["ComparedDecision"]} found
 * @param {number} width
 * @param {(Schemas["LogFacts"] | undefined)[]} [facts] of the logs A and B, for the colours of their experts
 */
export function token({ layers, text: own, place, name }, width, facts = []) {
  const theme = readTheme();
  const left = Math.max(LEFT, Math.min(0.3 * width, Math.ceil(widest(layers.map(({ a }) => a.layer), 11, 700)) + 16)); // prettier-ignore
  const half = (width - left - 28) / 2;
  const y = bands(layers.map(({ a }) => a.layer), [TOP - 3, TOP - 3 + 24 * layers.length], 6); // prettier-ignore
  const sides = ["A", "B"].map((letter, side) => ({ letter, x: left + side * (half + 16) }));
  const cells = layers.flatMap(({ a, b }, l) =>
    [a, b].flatMap(({ layer, taken }, side) => {
      let { x } = sides[side];
      return taken.map(({ unit, index, share }) => {
        const called = unit.split(".").at(-1) ?? unit;
        const fill = theme.unit(colourPlaceInLog(facts[side], layer, index));
        const cell = { x: [x, Math.max(x, x + share * half - 1)], l, fill, words: [called + " " + percent(share) + " %", called] }; // prettier-ignore
        x += share * half;
        return cell;
      });
    }),
  );
  const none = layers.flatMap(({ a, b }, l) =>
    [a, b].flatMap(({ taken }, side) => (taken.length ? [] : [{ l, side }])),
  );
  const differ = layers.flatMap(({ same }, l) => (same === false ? [l] : []));
  const named = cells.flatMap((cell) => {
    const shown = cell.words.find((words) => widest([words], 11) + 8 < cell.x[1] - cell.x[0]);
    return shown ? [{ ...cell, words: shown }] : [];
  });
  const said = own === null ? "" : " \u201c" + seenText(own) + "\u201d";
  return chart({
    width,
    height: TOP + layers.length * 24 + 8,
    title: "Token " + place + said + " of " + name + " in A and B",
    desc: "The experts that the token took in A and in B, as wide as their shares; framed: layers that differ.",
    marks: [
      text(sides, { x: ({ x }) => x, y: 16, down: 0, text: ({ letter }) => letter, size: 11, weight: 700 }),
      text(layers, { x: left - 8, y: (_, l) => y(l), text: ({ a }) => a.layer, size: 11, anchor: "end", room: left - 10, weight: ({ same }) => (same === false ? 700 : 450) }),
      bar(cells, { x: ({ x }) => x, y: ({ l }) => y.extent(l), fill: ({ fill }) => fill, opacity: 0.55, words: ({ words }) => words[0] }),
      text(named, { x: ({ x }) => x[0] + 4, y: ({ l }) => y(l), text: ({ words }) => words, size: 11, halo: "surface" }),
      text(none, { x: ({ side }) => sides[side].x, y: ({ l }) => y(l), text: "none", size: 11, fill: "dim" }),
      bar(differ, { x: [left - 3, width - 9], y: (l) => [y(l) - 12, y(l) + 12], rx: 3, stroke: "bad", width: 1.4 }),
    ],
  }); // prettier-ignore
}
