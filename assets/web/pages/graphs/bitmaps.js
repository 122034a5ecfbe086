/* Matrices of link probabilities as pictures, the colours of their modules, and what shades mean. */
import { bar, text } from "rs/draw/marks.js";
import { packed } from "rs/draw/raster.js";
import * as graphData from "rs/lib/graph.js";
import { colouringOf } from "rs/pages/graphs/map.js";

/** @import { ModelGraph, Theme } from "rs/lib/types.d.ts" */
/** @import { Cut, Ready, Which } from "rs/pages/graphs/types.d.ts" */
/** @typedef {ReturnType<typeof import("rs/draw/colours.js").scale>} Scale of probabilities as colours */
/** @typedef {[number, number]} Span the least and the greatest probability that have a shade */

const NO_LINK = 2 ** 31 - 1;
/** @type {WeakMap<Float32Array, Int32Array>} */
const ranked = new WeakMap();

/** @param {ModelGraph} graph @param {Which} which */
const matrixOf = (graph, which) => /** @type {Float32Array} */ (graph.matrices[which]);

/**
 * The place of every pair in the list of links, the most probable first.
 *
 * @param {ModelGraph} graph @param {Which} which
 */
function ranksOf(graph, which) {
  const matrix = matrixOf(graph, which);
  const known = ranked.get(matrix);
  if (known) return known;
  const links = graphData.linksFor(graph, which);
  const ranks = new Int32Array(graph.count * graph.count).fill(NO_LINK);
  for (let link = 0; link < links.count; link += 1) {
    const [i, j] = [links.from[link], links.to[link]];
    ranks[i * graph.count + j] = ranks[j * graph.count + i] = link;
  }
  for (let unit = 0; unit < graph.count; unit += 1) ranks[unit * (graph.count + 1)] = -1; // never cut
  ranked.set(matrix, ranks);
  return ranks;
}

/**
 * The least and the greatest probability of two different modules, over all matrices that are shown.
 *
 * @param {ModelGraph} graph @returns {Span}
 */
export function spanOf(graph) {
  let [low, high] = [Infinity, -Infinity];
  for (const which of ["learned", "prior"]) {
    const matrix = graph.matrices[which];
    if (!matrix) continue;
    for (let i = 0; i < graph.count; i += 1)
      for (let j = i + 1; j < graph.count; j += 1) {
        const p = matrix[i * graph.count + j];
        low = Math.min(low, p);
        high = Math.max(high, p);
      }
  }
  return high > low ? [low, high] : [0, 1];
}

/**
 * A matrix as a picture, rows and columns in `order`, of one pixel for `block` times `block` pairs: their mean shade,
 * in grey where most of their links are cut.
 *
 * @param {ModelGraph} graph @param {Which} which
 * @param {{order: number[], cut: Cut, span: Span, colours: Scale, block: number}} options
 */
export function of(graph, which, { order, cut, span, colours, block }) {
  const { count } = graph;
  const side = Math.ceil(count / block);
  const shades = shadesOf(graph, which, span);
  const ranks = ranksOf(graph, which);
  const last = cut.last[which];
  const pixels = new Uint32Array(side * side);
  const gone = packed(colours.gone);
  for (let down = 0, pixel = 0; down < side; down += 1) {
    const lastRow = Math.min(count, (down + 1) * block);
    for (let across = 0; across < side; across += 1, pixel += 1) {
      const lastColumn = Math.min(count, (across + 1) * block);
      let [sum, live, linked, stay, all] = [0, 0, 0, 0, 0];
      for (let row = down * block; row < lastRow; row += 1) {
        const base = order[row] * count;
        const away = cut.dropped[order[row]];
        for (let column = across * block; column < lastColumn; column += 1) {
          const other = order[column];
          all += 1;
          if (away || cut.dropped[other]) continue;
          stay += 1;
          sum += shades[base + other];
          const rank = ranks[base + other];
          if (rank === NO_LINK) continue; // nothing is there to be cut
          linked += 1;
          if (rank <= last) live += 1;
        }
      }
      if (2 * stay < all) pixels[pixel] = gone;
      else {
        const shade = Math.round(sum / stay);
        pixels[pixel] = 2 * live >= linked ? colours.live[shade] : colours.cut[shade];
      }
    }
  }
  return painted(side, side, pixels);
}

/** @type {WeakMap<Float32Array, {key: string, shades: Uint8ClampedArray}>} */
const shaded = new WeakMap();

/** The shade, 0 to 255, of every pair. @param {ModelGraph} graph @param {Which} which @param {Span} span */
function shadesOf(graph, which, [low, high]) {
  const matrix = matrixOf(graph, which);
  const key = low + " " + high;
  const known = shaded.get(matrix);
  if (known && known.key === key) return known.shades;
  const factor = 255 / (high - low);
  const shades = new Uint8ClampedArray(matrix.length);
  for (let pair = 0; pair < shades.length; pair += 1) shades[pair] = (matrix[pair] - low) * factor; // "from" takes 15 times as long
  shaded.set(matrix, { key, shades });
  return shades;
}

/** @param {number} width @param {number} height @param {Uint32Array<ArrayBuffer>} pixels */
function painted(width, height, pixels) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
  return canvas;
}

/**
 * A canvas as the source of an image in a scene; its address is made when a file asks for it.
 *
 * @param {HTMLCanvasElement} canvas
 */
export const source = (canvas) => ({
  bitmap: canvas,
  width: canvas.width,
  height: canvas.height,
  get href() {
    return canvas.toDataURL("image/png");
  },
});

/**
 * The colours of the modules in their order, along both sides of a matrix.
 *
 * @param {Ready} state @param {number[]} order @param {Theme} theme
 */
export function strips(state, order, theme) {
  const { of: category, paints } = colouringOf(state);
  const colours = paints.map(packed);
  const gone = packed(theme.line);
  const pixels = Uint32Array.from(order, (unit) => (state.cut.dropped[unit] ? gone : colours[category[unit]]));
  return { across: source(painted(order.length, 1, pixels)), down: source(painted(1, order.length, pixels)) };
}

export const NARROW = 270; // pixels of a picture with two lines of keys

/**
 * What the shades mean, `x` pixels from the left.
 *
 * @param {{span: Span, colours: Scale}} made @param {{height: number, width: number}} frame @param {number} x
 */
export function scaleMarks({ span, colours }, { height, width }, x) {
  const beside = width >= NARROW; // else greys stand below the colours
  const [y, wide] = [height - (beside ? 20 : 40), Math.max(30, Math.min(180, width / 3, width - x - 190))];
  /** @param {string} words @param {number} at @param {"start" | "end"} anchor */
  const said = (words, at, anchor, top = y) =>
    text([words], { x: at, y: top + 9, down: 0, size: 11, fill: "dim", anchor });
  /** @param {number} left @param {number} long @param {string[] | string} fill */
  const box = (left, long, fill, top = y) => {
    const stops = (/** @type {string[]} */ all) => all.map((colour, at) => /** @type {[number, string]} */ ([at / (all.length - 1), colour])); // prettier-ignore
    const paint = typeof fill === "string" ? fill : { x0: left, x1: left + long, stops: stops(fill) };
    return bar([0], { x: [left, left + long], y: [top, top + 10], fill: paint, stroke: "line" });
  };
  const [grey, below] = beside ? [x + wide + 50, y] : [x, y + 20];
  return [
    [
      said(span[0].toFixed(2), x - 6, "end"),
      box(x, wide, colours.stops),
      said(span[1].toFixed(2), x + wide + 6, "start"),
    ],
    [box(grey, 22, colours.greys, below), said("cut", grey + 28, "start", below)],
    [box(grey + 58, 22, colours.gone, below), said("dropped", grey + 86, "start", below)],
  ];
}
