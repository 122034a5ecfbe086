/* Heat maps of experts: cells with what they stand for, in the colours of the theme, as scenes. */
import { axisX, axisY, bands, bar, chart, text, widest } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { seenText } from "rs/lib/trace.js";
import { layerName } from "rs/lib/units.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {import("rs/pages/observe/experts/state.js").Load} Load */
/** @typedef {Schemas["LayerLoad"]} Layer */

/**
 * @typedef {object} Cell
 * @property {number} shade from -1, much less than even, to 1, much more; below 0 in another colour
 * @property {string} text in the cell, where there is room
 * @property {string} words of it for whoever points at it
 * @property {boolean} [framed]
 */

const DARKEST = 0.55; // so that numbers stay readable
const NARROWEST = 18; // pixels of a token's column
const LONGEST = 72; // pixels of the name of a column
const ROUNDED = 10; // pixels of a cell with round corners
const READABLE = 26; // pixels of a cell with a number in it
const TOP = 20; // pixels above the cells

/**
 * Names as far as each fits into `room` pixels.
 *
 * @param {string[]} names
 * @param {number} room
 * @param {number} size
 * @param {number} weight
 */
function cutTo(names, room, size, weight) {
  const measure = measureIn(readTheme().font);
  return names.map((name) => fitted(name, room, size, measure, weight));
}

/**
 * Rows of cells below the names of columns. The row of a cell is in its spot (`spot.of.row`).
 *
 * @param {{rows: string[], columns: string[], cells: (Cell | null)[][], width: number, title: string, desc: string, marked?: number}} given
 *   null where there is no cell; `marked`: the row that other panels are about
 */
export function heat({ rows, columns, cells, width, title, desc, marked = -1 }) {
  const rowNames = cutTo(rows, Math.max(60, 0.25 * width), 11.5, 700);
  const columnNames = cutTo(columns, LONGEST, 11, 450);
  const left = 16 + widest([...rowNames, "l1"], 11.5, 700);
  const right = Math.max(4, widest(columnNames.slice(-1), 11) / 2 - 4); // the last name is centred on its column
  const w = Math.min(64, Math.max(1.5, (width - left - right) / columns.length));
  const h = w >= READABLE ? 22 : Math.min(22, Math.max(8, w));
  const rx = w < ROUNDED ? 0 : 2;
  const x = bands(columnNames, [left, left + columns.length * w], w < 5 ? 0 : 2);
  const y = bands(rowNames, [TOP - 1, TOP - 1 + rows.length * (h + 2)], 2);
  const all = cells.flatMap((row, r) => row.flatMap((cell, n) => (cell ? [{ ...cell, row: r, column: n }] : [])));
  const [across, down] = [x.ticks.map(x.extent), y.ticks.map(y.extent)];
  const box = {
    x: (/** @type {{column: number}} */ { column }) => across[column],
    y: (/** @type {{row: number}} */ { row }) => down[row],
    rx,
  };
  const fits = w >= READABLE && widest(all.map((cell) => cell.text), 11) + 4 <= w; // prettier-ignore
  const middle = { x: (/** @type {{column: number}} */ { column }) => x(column), y: (/** @type {{row: number}} */ { row }) => y(row) }; // prettier-ignore
  return chart({
    width,
    height: TOP + rows.length * (h + 2) + 4,
    title,
    desc,
    marks: [
      axisX(x, [0, -2], { grid: false }),
      axisY(y, [left - 1, width], { grid: false, size: 11.5, fill: "ink", bold: marked }),
      bar(all, { ...box, fill: "hair", words: ({ words }) => words }),
      bar(all, { ...box, fill: ({ shade }) => (shade < 0 ? "bad" : "accent"), opacity: ({ shade }) => DARKEST * Math.min(1, Math.abs(shade)) }),
      bar(all.filter(({ framed }) => framed), { ...box, stroke: "ink", width: 1.5 }),
      fits ? text(all, { ...middle, text: (cell) => cell.text, size: 11, anchor: "middle" }) : [],
    ],
  }); // prettier-ignore
}

/** @param {string} unit */
const short = (unit) => unit.split(".").at(-1) ?? unit;

/** A token, of which spaces alone are to be seen too. @param {string} text */
export const token = (text) => (text.trim() ? seenText(text) : seenText(text).replace(/ /g, "\u2423"));

/** @param {number} times */
const lifted = (times) => (times >= 9.95 ? times.toFixed(0) : times.toFixed(1)) + "\u00d7";

/**
 * -1 for a quarter of what is even or less, 0 for even, 1 for four times as much or more.
 *
 * @param {number} times
 */
export const shadeOf = (times) => (times > 0 ? Math.max(-1, Math.min(1, Math.log2(times) / 2)) : -1);

/**
 * Load of every expert, as times an even share.
 *
 * @param {Load} found
 * @param {number} width
 * @param {number} marked
 */
export function loads(found, width, marked) {
  const most = Math.max(...found.layers.map((layer) => layer.units.length));
  const cells = found.layers.map((layer) =>
    Array.from({ length: most }, (_, e) => {
      if (e >= layer.units.length) return null;
      const load = layer.load[e];
      const even = load * layer.units.length;
      const dead = load === 0;
      const words =
        layer.units[e] +
        (dead
          ? ": no token took it"
          : ": " + percent(load) + " % of the layer's choices, " + lifted(even) + " an even share");
      return { shade: shadeOf(even), text: dead ? "0" : String(Math.round(100 * load)), words, framed: dead };
    }),
  );
  return heat({
    rows: found.layers.map((layer) => layerName(layer.name)),
    columns: Array.from({ length: most }, (_, e) => String(e + 1)),
    cells,
    width,
    marked,
    title: "Load by layer and expert: " + found.model,
    desc: "Share, in percent, of a layer's choices that each expert has; blue above an even share, red below; framed: no token took it.",
  });
}

/**
 * Which data set uses which expert of a layer: how many times as often as all data sets together.
 *
 * @param {Load} found
 * @param {Layer} layer
 * @param {number} width
 */
export function domains(found, layer, width) {
  const cells = layer.units.map((unit, e) =>
    found.domains.map((name, d) => {
      const own = layer.by_domain[e][d];
      const times = layer.load[e] ? own / layer.load[e] : 1;
      const beyond = own < layer.low[e][d] || own > layer.high[e][d];
      const span = percent(layer.low[e][d]) + " to " + percent(layer.high[e][d]) + " % with texts shuffled";
      return {
        shade: shadeOf(times),
        text: String(Math.round(100 * own)),
        words: unit + " on " + name + ": " + percent(own) + " % of its choices; " + span,
        framed: beyond,
      };
    }),
  );
  return heat({
    rows: layer.units.map(short),
    columns: found.domains,
    cells,
    width,
    title: "Experts by data set, " + layerName(layer.name) + ": " + found.model,
    desc: "Share, in percent, of a data set's choices that each expert has; blue: more than over all data sets; framed: outside what 95 % of shuffles of the texts give.",
  });
}

/**
 * How often tokens take two experts of a layer together, over what independence would give.
 *
 * @param {Load} found
 * @param {Layer} layer
 * @param {number} width
 */
export function together(found, layer, width) {
  const names = layer.units.map(short);
  const cells = layer.units.map((unit, e) =>
    layer.units.map((other, f) => {
      const times = layer.together?.[e][f] ?? null;
      if (e === f || times === null) return null;
      const words = unit + " and " + other + ": " + lifted(times) + " as often as if they were taken independently";
      return { shade: shadeOf(times), text: times.toFixed(1), words };
    }),
  );
  return heat({
    rows: names,
    columns: names,
    cells,
    width,
    title: "Experts taken together, " + layerName(layer.name) + ": " + found.model,
    desc: "How often a token takes both of two experts, over what independence would give; blue above 1, red below.",
  });
}

/**
 * Which kinds of tokens take which experts of a layer: how many times as often as all tokens.
 *
 * @param {Load} found
 * @param {Layer} layer
 * @param {number} width
 */
export function tokens(found, layer, width) {
  const by = layer.by_token;
  const kinds = (found.kinds ?? []).slice(0, Math.max(8, Math.floor((width - 40) / NARROWEST)));
  const cells = layer.units.map((unit, e) =>
    kinds.map(({ text, count }, v) => {
      if (!by) return null;
      const [own, low, high] = [by.share[e][v], by.low[e][v], by.high[e][v]];
      const times = layer.load[e] ? own / layer.load[e] : 1;
      const span = percent(low) + " to " + percent(high) + " % with each text's tokens shuffled";
      return {
        shade: shadeOf(times),
        text: String(Math.round(100 * own)),
        words: unit + " on " + token(text) + ": " + percent(own) + " % of its choices, " + count + " tokens; " + span,
        framed: own < low || own > high,
      };
    }),
  );
  return heat({
    rows: layer.units.map(short),
    columns: kinds.map(({ text }) => token(text)),
    cells,
    width,
    title: "Experts by token, " + layerName(layer.name) + ": " + found.model,
    desc: "Share, in percent, of a token's choices that each expert has, of the most frequent tokens; blue: more than over all tokens; framed: outside what 95 % of shuffles of each text's own tokens give.",
  });
}

/**
 * Every two experts of a layer, from 0 to 1, or from -1.
 *
 * @param {Layer} layer
 * @param {(e: number, f: number) => {value: number, words: string} | null} of
 * @param {{width: number, title: string, desc: string}} about
 */
function pairs(layer, of, about) {
  const names = layer.units.map(short);
  const cells = layer.units.map((unit, e) =>
    layer.units.map((other, f) => {
      const found = e === f ? null : of(e, f);
      if (!found) return null;
      return { shade: found.value, text: found.value.toFixed(2), words: unit + " and " + other + ": " + found.words };
    }),
  );
  return heat({ rows: names, columns: names, cells, ...about });
}

/**
 * How alike two experts are in what they take.
 *
 * @param {Load} found
 * @param {Layer} layer
 * @param {number} width
 */
export const alike = (found, layer, width) =>
  pairs(
    layer,
    (e, f) => {
      const value = layer.alike?.[e][f] ?? null;
      return value === null
        ? null
        : { value, words: value.toFixed(3) + ", 1 where they take the same kinds of tokens" };
    },
    {
      width,
      title: "Experts alike in what they take, " + layerName(layer.name) + ": " + found.model,
      desc: "1 minus the Jensen-Shannon distance of the kinds of tokens that two experts take: 1 where they take the same kinds as often, 0 where they share none.",
    },
  );

/**
 * How alike two experts are in what they write.
 *
 * @param {Load} found
 * @param {Layer} layer
 * @param {number} width
 */
export const written = (found, layer, width) =>
  pairs(
    layer,
    (e, f) => {
      const { cosine, low, high, tokens: both } = layer.written ?? {};
      const value = cosine?.[e][f] ?? null;
      if (value === null) return null;
      const [from, to] = [low?.[e][f] ?? null, high?.[e][f] ?? null];
      const span = from === null || to === null ? "" : ", 95 % " + from.toFixed(2) + " to " + to.toFixed(2);
      const count = both?.[e][f] ?? 0;
      const of = count === 1 ? "the one token that takes both" : count + " tokens that take both";
      return { value, words: "cosine " + value.toFixed(2) + span + ", of " + of };
    },
    {
      width,
      title: "Experts alike in what they write, " + layerName(layer.name) + ": " + found.model,
      desc: "Mean cosine of what two experts write of the tokens that take both; blue above 0, red below; no cell: no token takes both.",
    },
  );
