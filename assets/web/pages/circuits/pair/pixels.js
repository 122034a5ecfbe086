/* Pictures of edited scenes pixel by pixel, at the side that the network takes, as core/routescope/data/scenes.py draws them: things are
   placed to a quarter of a pixel, and 8 x 8 points a pixel say how much of it a thing covers. */
import { colourOf, radiusOf, vocabulary } from "rs/pages/circuits/pair/svg.js";

/** @import { Thing } from "rs/pages/circuits/types.d.ts" */

const [PHASES, POINTS] = [4, 8];
/** @type {Map<string, {share: Float32Array, margin: number, wide: number}>} */
const coverages = new Map(); // of a shape and size at a phase

/** @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/**
 * Rounds halves to the even number, as Python does.
 *
 * @param {number} value
 */
function roundHalf(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}

/**
 * Where the edges of a polygon cross a row, from left to right: between odd and even crossings is inside.
 *
 * @param {number[][]} corners
 * @param {number} y
 */
function crossings(corners, y) {
  const found = /** @type {number[]} */ ([]);
  corners.forEach(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % corners.length];
    if (y0 > y !== y1 > y) found.push(((x1 - x0) * (y - y0)) / (y1 - y0) + x0);
  });
  return found.sort((a, b) => a - b);
}

/**
 * Share of each pixel that a thing covers, in the square of `wide` pixels about its middle.
 *
 * @param {Thing} thing
 * @param {number} side
 * @param {number} x
 * @param {number} y
 */
function coverage(thing, side, x, y) {
  const key = [thing.shape, thing.size, side, x, y].join(" ");
  const kept = coverages.get(key);
  if (kept) return kept;
  const { outlines, sizes } = vocabulary();
  const margin = Math.ceil(Math.max(...sizes.values()) * side) + 1;
  const radius = radiusOf(thing.size) * side;
  const corners = (outlines.get(thing.shape) ?? []).map(([u, v]) => [u * radius, v * radius]);
  const wide = 2 * margin;
  const share = new Float32Array(wide * wide);
  /** @param {number} step */
  const place = (step) => (step + 0.5) / POINTS - margin;
  for (let row = 0; row < wide * POINTS; row += 1) {
    const edges = crossings(corners, place(row) - y / PHASES);
    if (!edges.length) continue;
    for (let column = 0; column < wide * POINTS; column += 1) {
      const at = place(column) - x / PHASES;
      const right = edges.reduce((count, edge) => count + (at < edge ? 1 : 0), 0);
      if (right % 2) share[Math.floor(row / POINTS) * wide + Math.floor(column / POINTS)] += 1 / (POINTS * POINTS);
    }
  }
  const covered = { share, margin, wide };
  coverages.set(key, covered);
  if (coverages.size > 400) coverages.delete(/** @type {string} */ (coverages.keys().next().value));
  return covered;
}

/**
 * A picture of things as `side` x `side` pixels of red, green, blue, 0 to 255.
 *
 * @param {Thing[]} things
 * @param {number} side
 */
export function pixels(things, side) {
  const ground = rgb(vocabulary().background);
  const values = Float32Array.from({ length: 3 * side * side }, (_, at) => ground[at % 3] + 0.5);
  /** @param {number} place */
  const split = (place) => {
    const quarters = roundHalf(place * side * PHASES);
    return [Math.floor(quarters / PHASES), quarters % PHASES];
  };
  for (const thing of things) {
    const [[column, x], [row, y]] = [split(thing.x), split(thing.y)];
    const { share, margin, wide } = coverage(thing, side, x, y);
    const paint = rgb(colourOf(thing.colour));
    for (let v = 0; v < wide; v += 1)
      for (let u = 0; u < wide; u += 1) {
        const [to, down] = [column + u - margin, row + v - margin];
        const cover = share[v * wide + u];
        if (!cover || to < 0 || down < 0 || to >= side || down >= side) continue;
        for (let c = 0; c < 3; c += 1) {
          const at = 3 * (down * side + to) + c;
          values[at] = values[at] * (1 - cover) + cover * (paint[c] + 0.5);
        }
      }
  }
  return values.map(Math.floor);
}

/** @param {Thing[]} things */
function canvasOf(things) {
  const { side } = vocabulary();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(side, side);
  const values = pixels(things, side);
  for (let at = 0; at < side * side; at += 1) {
    for (let c = 0; c < 3; c += 1) image.data[4 * at + c] = values[3 * at + c];
    image.data[4 * at + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * A picture as the address of its pixels.
 *
 * @param {Thing[]} things
 */
export const href = (things) => canvasOf(things).toDataURL("image/png");
