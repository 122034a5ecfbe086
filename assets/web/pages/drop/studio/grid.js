/* Who stays and who goes, a cell an expert and a row a layer: on the page, and with names in files. */
import { bar, chart, rule, text, widest } from "rs/draw/marks.js";
import { layerName } from "rs/lib/units.js";

/** @import { Layer } from "rs/pages/drop/studio/keep.js" */

/** @typedef {{layers: Layer[], counts: number[], places: Int32Array[] | null}} Kept */
/** @typedef {{row: number, expert: number}} Cell */

const ROW = 26; // pixels of a row, as the bars beside it
const [NARROWEST, WIDEST, HIGH] = [5, 40, 18]; // pixels of a cell
const [FAINTEST, DARKEST] = [0.25, 0.85]; // opacity of the expert that goes next, and of the last one
export const CAPTION = "Filled cells stay (darker: dropped later). Struck cells are dropped.";

/** @param {Layer[]} layers @param {number} width pixels that there are @param {number} [least] of a cell */
export function sizeOf(layers, width, least = NARROWEST) {
  const most = Math.max(1, ...layers.map((layer) => layer.experts));
  const room = width / most;
  const cell = Math.max(least, Math.min(WIDEST, room < NARROWEST ? room : Math.floor(room)));
  return { cell, width: cell * most, height: ROW * layers.length };
}

/**
 * Whether an expert goes, and how dark its cell is where it stays.
 *
 * @param {Kept} kept @param {number} at the layer @param {number} expert
 */
export function cellOf({ layers, counts, places }, at, expert) {
  if (!places) return { goes: false, opacity: FAINTEST };
  const gone = layers[at].experts - counts[at];
  const place = places[at][expert];
  const rest = Math.max(1, layers[at].experts - 1);
  return { goes: place < gone, opacity: FAINTEST + ((DARKEST - FAINTEST) * place) / rest };
}

/**
 * The cells from `left` on.
 *
 * @param {Kept} kept @param {number} left @param {number} cell pixels @param {(cell: Cell) => string} [words]
 */
function cellMarks(kept, left, cell, words) {
  const wide = cell - (cell > 8 ? 2 : cell > 3 ? 1 : 0);
  const cells = kept.layers.flatMap((layer, row) =>
    Array.from({ length: layer.experts }, (_, expert) => {
      const [x, y] = [left + expert * cell, row * ROW + (ROW - HIGH) / 2];
      return { row, expert, x, y, ...cellOf(kept, row, expert) };
    }),
  );
  /** @param {number} inset @param {number} [high] */
  const box = (inset, high = HIGH) => ({
    x: (/** @type {{x: number}} */ { x }) => [x + inset, x + wide - inset],
    y: (/** @type {{y: number}} */ { y }) => [y + (HIGH - high) / 2 + inset, y + (HIGH + high) / 2 - inset],
  });
  const [stay, go] = [false, true].map((gone) => cells.filter(({ goes }) => goes === gone));
  const strike = { x: box(3).x, y: (/** @type {{y: number}} */ { y }) => [y + HIGH - 3, y + 3] };
  return [
    bar(stay, { ...box(0), fill: "accent", opacity: ({ opacity }) => opacity, words }),
    wide > 7
      ? [bar(go, { ...box(0.5), stroke: "bad", width: 1, words }), rule(go, { ...strike, stroke: "bad" })]
      : bar(go, { ...box(0, 2), fill: "bad", words }),
  ];
}

/**
 * The cells alone.
 *
 * @param {Kept} kept @param {number} room @param {string} title @param {(cell: Cell) => string} words
 */
export function cells(kept, room, title, words) {
  const { cell, width, height } = sizeOf(kept.layers, room);
  return chart({ width, height, title, desc: CAPTION, marks: cellMarks(kept, 0, cell, words) });
}

/**
 * The cells with the names of layers, and how many each keeps.
 *
 * @param {Kept} kept @param {number} width @param {string} title
 */
export function scene(kept, width, title) {
  const { layers, counts } = kept;
  const names = layers.map(({ name }) => layerName(name));
  const counted = layers.map((layer, row) => counts[row] + " of " + layer.experts);
  const left = Math.min(0.3 * width, Math.ceil(widest(names, 11.5)) + 12);
  const size = sizeOf(layers, width - left - widest(counted, 11.5) - 10, 0.5);
  const y = (/** @type {unknown} */ _, /** @type {number} */ row) => (row + 0.5) * ROW;
  return chart({
    width,
    height: size.height + 6,
    title,
    desc: "A row a layer, a cell an expert. " + CAPTION,
    marks: [
      text(names, { x: left - 8, y, size: 11.5, anchor: "end", room: left - 10 }),
      cellMarks(kept, left, size.cell),
      text(counted, { x: left + size.width + 8, y, size: 11.5, fill: "dim" }),
    ],
  });
}
