/* Heat maps as scenes: cells shaded by value, below the names of columns; the load of experts by layer and by data set. */
import { inkOn, mix } from "rs/draw/colours.js";
import { axisX, axisY, bands, bar, chart, text, widest } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { layerName } from "rs/lib/units.js";

/**
 * @typedef {{model?: string, domains: string[], layers: Layer[]}} Load
 * @typedef {object} Layer
 * @property {string} name
 * @property {string[]} units
 * @property {number[]} load share of the layer's choices that each expert has
 * @property {number[][]} by_domain the same by expert and data set
 * @property {(number | null)[][]} low ends of 95 % of the shuffles of `by_domain`; null before there are any
 * @property {(number | null)[][]} high
 */

/**
 * @typedef {object} Cell
 * @property {number} shade from -1, much less than even, to 1, much more; below 0 in another colour
 * @property {string} text in the cell, where there is room
 * @property {string} words of it for whoever points at it
 * @property {boolean} [framed]
 * @property {string} [fill] in place of the two colours
 */

const DARKEST = 0.55; // opacity of the greatest shade
const LONGEST = 72; // pixels of the name of a column
const ROUNDED = 10; // pixels of a cell with round corners
const READABLE = 26; // pixels of a cell with a number in it
const TOP = 20; // pixels above the cells
const ABOVE = 18; // pixels of a line over the columns
/** Pixels above the first row, where a line stands over the columns: charts beside a heat map begin there, too. */
export const FIRST_ROW = TOP + ABOVE - 1;

/**
 * Names as far as each fits into `room` pixels.
 *
 * @param {string[]} names @param {number} room @param {number} size @param {number} weight
 */
function cutTo(names, room, size, weight) {
  const measure = measureIn(readTheme().font);
  return names.map((name) => fitted(name, room, size, measure, weight));
}

/**
 * Rows of cells below the names of columns. The row of a cell is in its spot (`spot.of.row`).
 *
 * @param {{rows: string[], columns: string[], cells: (Cell | null)[][], width: number, title: string, desc: string, marked?: number, above?: string, paints?: string[], tall?: number, wide?: number}} given
 *   null where there is no cell; `marked`: the row that other panels are about; `above`: a line over the columns; `paints`:
 *   the colours of what rows are; `tall`: pixels of a row; `wide`: most of a column
 */
export function heat({ rows, columns, cells, width, title, desc, marked = -1, above, paints = [], tall, wide = 64 }) {
  const theme = readTheme();
  /** The colour of a cell. @param {Cell} cell */
  const groundOf = ({ shade, fill = shade < 0 ? "bad" : "accent" }) =>
    mix(
      theme.hair,
      fill.startsWith("#") ? fill : theme[/** @type {"bad"} */ (fill)],
      DARKEST * Math.min(1, Math.abs(shade)),
    );
  const rowNames = cutTo(rows, Math.max(60, 0.25 * width), 11.5, 700);
  const columnNames = cutTo(columns, LONGEST, 11, 450);
  const left = 16 + widest([...rowNames, "l1"], 11.5, 700) + (paints.length && 14);
  const top = TOP + (above ? ABOVE : 0);
  const right = Math.max(4, widest(columnNames.slice(-1), 11) / 2 - 4); // the last name is centred on its column
  const w = Math.min(wide, Math.max(0.8, (width - left - right) / columns.length));
  const h = tall ?? (w >= READABLE ? 22 : Math.min(22, Math.max(8, w)));
  const rx = w < ROUNDED ? 0 : 2;
  const x = bands(columnNames, [left, left + columns.length * w], w < 5 ? 0 : 2);
  const y = bands(rowNames, [top - 1, top - 1 + rows.length * (h + 2)], 2);
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
    height: top + rows.length * (h + 2) + 4,
    title,
    desc,
    marks: [
      text(above ? [above] : [], { x: left, y: 8, size: 11, fill: "dim", room: width - left }),
      axisX(x, [0, top - TOP - 2], { grid: false, within: [left - 8, width] }),
      bar(paints, { x: [2, 12], y: (_, row) => [y(row) - 5, y(row) + 5], fill: (paint) => paint, rx: 2 }),
      axisY(y, [left - 1, width], { grid: false, size: 11.5, fill: "ink", bold: marked }),
      bar(all, { ...box, fill: groundOf, words: ({ words }) => words }),
      bar(all.filter(({ framed }) => framed), { ...box, stroke: "ink", width: 1.5 }),
      fits ? text(all, { ...middle, text: (cell) => cell.text, size: 11, anchor: "middle", fill: (cell) => inkOn(groundOf(cell), theme.ink) }) : [],
    ],
  }); // prettier-ignore
}

/** @param {string} unit */
export const short = (unit) => unit.split(".").at(-1) ?? unit;

/** @param {string} words @param {Load} load */
const titled = (words, { model }) => (model ? words + ": " + model : words);

/** @param {number} times */
export const lifted = (times) => (times >= 9.95 ? times.toFixed(0) : times.toFixed(1)) + "\u00d7";

/** -1 for a quarter of what is even or less, 0 for even, 1 for four times as much or more. @param {number} times */
export const shadeOf = (times) => (times > 0 ? Math.max(-1, Math.min(1, Math.log2(times) / 2)) : -1);

/** Load of every expert, as times an even share. @param {Load} found @param {number} width @param {number} marked */
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
    title: titled("Load by layer and expert", found),
    desc: "Share, in percent, of a layer's choices that each expert has; blue above an even share, red below; framed: no token took it.",
  });
}

/**
 * Which data set uses which expert of a layer: how many times as often as all data sets together.
 *
 * @param {Load} found @param {Layer} layer @param {number} width
 */
export function domains(found, layer, width) {
  const cells = layer.units.map((unit, e) =>
    found.domains.map((name, d) => {
      const own = layer.by_domain[e][d];
      const times = layer.load[e] ? own / layer.load[e] : 1;
      const [low, high] = [layer.low[e][d], layer.high[e][d]];
      const shuffled = low !== null && high !== null;
      const span = shuffled ? "; " + percent(low) + " to " + percent(high) + " % with texts shuffled" : "";
      return {
        shade: shadeOf(times),
        text: String(Math.round(100 * own)),
        words: unit + " on " + name + ": " + percent(own) + " % of its choices" + span,
        framed: shuffled && (own < low || own > high),
      };
    }),
  );
  return heat({
    rows: layer.units.map(short),
    columns: found.domains,
    cells,
    width,
    title: titled("Experts by data set, " + layerName(layer.name), found),
    desc: "Share, in percent, of a data set's choices that each expert has; blue: more than over all data sets; framed: outside what 95 % of shuffles of the texts give.",
  });
}
