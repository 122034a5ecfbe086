/* Who stays and who goes: a cell an expert, a row a layer, all of them on one canvas; and the same as a scene for files. */
import { bands, bar, chart, text, widest } from "rs/draw/marks.js";
import { fitCanvas } from "rs/draw/scene.js";
import { readTheme } from "rs/lib/theme.js";
import { layerName } from "rs/lib/units.js";

/** @import { Layer } from "rs/pages/drop/studio/keep.js" */

/** @typedef {{layers: Layer[], counts: number[], places: Int32Array[] | null}} Kept */

export const ROW = 26; // pixels of a row, as the bars beside it
const [NARROWEST, WIDEST, HIGH] = [5, 40, 18]; // pixels of a cell
const [FAINTEST, DARKEST] = [0.25, 0.85]; // opacity of the expert that goes next, and of the last one

/** @param {Layer[]} layers */
export const mostOf = (layers) => Math.max(1, ...layers.map((layer) => layer.experts));

/** @param {Layer[]} layers @param {number} width pixels that there are @param {number} [least] of a cell */
export function sizeOf(layers, width, least = NARROWEST) {
  const room = width / mostOf(layers);
  const cell = Math.max(least, Math.min(WIDEST, room < NARROWEST ? room : Math.floor(room)));
  return { cell, width: cell * mostOf(layers), height: ROW * layers.length };
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

/** Paints all of it. @param {HTMLCanvasElement} canvas @param {Kept} kept @param {number} width */
export function paint(canvas, kept, width) {
  const theme = readTheme();
  const size = sizeOf(kept.layers, width);
  const context = fitCanvas(canvas, size.width, size.height);
  context.clearRect(0, 0, size.width, size.height);
  const gap = size.cell > 8 ? 2 : 1;
  const top = (ROW - HIGH) / 2;
  kept.layers.forEach((layer, at) => {
    const y = at * ROW + top;
    for (let e = 0; e < layer.experts; e += 1) {
      const { goes, opacity } = cellOf(kept, at, e);
      const [x, w] = [e * size.cell, size.cell - gap];
      if (goes) {
        context.globalAlpha = 1;
        context.strokeStyle = theme.bad;
        context.lineWidth = 1;
        if (w > 7) {
          context.strokeRect(x + 0.5, y + 0.5, w - 1, HIGH - 1);
          context.beginPath();
          context.moveTo(x + 3, y + HIGH - 3);
          context.lineTo(x + w - 3, y + 3);
          context.stroke();
        } else {
          context.fillStyle = theme.bad;
          context.fillRect(x, y + HIGH / 2 - 1, w, 2);
        }
        continue;
      }
      context.globalAlpha = opacity;
      context.fillStyle = theme.accent;
      context.fillRect(x, y, w, HIGH);
    }
  });
  context.globalAlpha = 1;
  Object.assign(canvas.style, { width: size.width + "px", height: size.height + "px" });
}

/**
 * What lies at a place of the canvas: a layer and an expert, from 0; null beside them.
 *
 * @param {Layer[]} layers @param {number} cell @param {number} x @param {number} y
 */
export function at(layers, cell, x, y) {
  const [row, expert] = [Math.floor(y / ROW), Math.floor(x / cell)];
  return row >= 0 && row < layers.length && expert >= 0 && expert < layers[row].experts ? { row, expert } : null;
}

/**
 * The same for files, with the names of layers and how many each keeps.
 *
 * @param {Kept} kept @param {number} width @param {string} title
 */
export function scene(kept, width, title) {
  const { layers, counts } = kept;
  const names = layers.map(({ name }) => layerName(name));
  const counted = layers.map((layer, row) => counts[row] + " of " + layer.experts);
  const left = Math.min(0.3 * width, Math.ceil(widest(names, 11.5)) + 12);
  const size = sizeOf(layers, width - left - widest(counted, 11.5) - 10, 0.5);
  const y = bands(names, [0, size.height], ROW - HIGH);
  const cells = layers.flatMap((layer, row) =>
    Array.from({ length: layer.experts }, (_, e) => ({ row, x: left + e * size.cell, ...cellOf(kept, row, e) })),
  );
  const wide = size.cell - (size.cell > 8 ? 2 : size.cell > 3 ? 1 : 0);
  const box = { y: (/** @type {{row: number}} */ { row }) => y.extent(row), x: (/** @type {{x: number}} */ { x }) => [x, x + wide], rx: 2 }; // prettier-ignore
  return chart({
    width,
    height: size.height + 6,
    title,
    desc: "A row a layer, a cell an expert: filled ones stay, the stronger the later they would go; hollow ones go.",
    marks: [
      text(names, { x: left - 8, y: (_, row) => y(row), size: 11.5, anchor: "end", room: left - 10 }),
      bar(cells.filter(({ goes }) => goes), { ...box, stroke: "bad", width: 1 }),
      bar(cells.filter(({ goes }) => !goes), { ...box, fill: "accent", opacity: ({ opacity }) => opacity }),
      text(counted, { x: left + size.width + 8, y: (_, row) => y(row), size: 11.5, fill: "dim" }),
    ],
  }); // prettier-ignore
}
