/* Pictures of edited scenes pixel by pixel, at the side that the network takes, as core/routescope/data/scenes.py draws them: things are
   placed to a quarter of a pixel, and 8 x 8 points a pixel say how much of it a thing covers. */
import { channels } from "rs/draw/colours.js";
import { colourOf, radiusOf, vocabulary } from "rs/pages/circuits/pair/svg.js";

/** @import { Thing } from "rs/pages/circuits/types.d.ts" */

const [PHASES, POINTS] = [4, 8];
/** @type {Map<string, {share: Float32Array, margin: number, wide: number}>} */
const coverages = new Map(); // of a shape and size at a phase

/** Rounds halves to the even number, as Python does. @param {number} value */
function roundHalf(value) {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + (low % 2) : Math.round(value);
}

/** Where the edges of a polygon cross a row: inside is left of an odd number of them. @param {number[][]} corners @param {number} y */
const crossings = (corners, y) =>
  corners.flatMap(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % corners.length];
    return y0 > y !== y1 > y ? ((x1 - x0) * (y - y0)) / (y1 - y0) + x0 : [];
  });

/**
 * Share of each pixel that a thing covers, in the square of `wide` pixels about its middle.
 *
 * @type {(thing: Thing, side: number, x: number, y: number) => {share: Float32Array, margin: number, wide: number}}
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
  const place = (/** @type {number} */ step) => (step + 0.5) / POINTS - margin;
  for (let row = 0; row < wide * POINTS; row += 1) {
    const edges = crossings(corners, place(row) - y / PHASES);
    if (!edges.length) continue;
    for (let column = 0; column < wide * POINTS; column += 1) {
      const at = place(column) - x / PHASES;
      if (edges.filter((edge) => at < edge).length % 2)
        share[Math.floor(row / POINTS) * wide + Math.floor(column / POINTS)] += 1 / (POINTS * POINTS);
    }
  }
  const covered = { share, margin, wide };
  coverages.set(key, covered);
  if (coverages.size > 400) coverages.delete(/** @type {string} */ (coverages.keys().next().value));
  return covered;
}

/** A picture of things as `side` x `side` pixels of red, green, blue, 0 to 255. @param {Thing[]} things @param {number} side */
export function pixels(things, side) {
  const ground = channels(vocabulary().background);
  const values = Float32Array.from({ length: 3 * side * side }, (_, at) => ground[at % 3] + 0.5);
  const split = (/** @type {number} */ place) => {
    const quarters = roundHalf(place * side * PHASES);
    return [Math.floor(quarters / PHASES), quarters % PHASES];
  };
  for (const thing of things) {
    const [[column, x], [row, y]] = [split(thing.x), split(thing.y)];
    const { share, margin, wide } = coverage(thing, side, x, y);
    const paint = channels(colourOf(thing.colour));
    share.forEach((cover, at) => {
      const [to, down] = [column + (at % wide) - margin, row + Math.floor(at / wide) - margin];
      if (!cover || to < 0 || down < 0 || to >= side || down >= side) return;
      const pixel = 3 * (down * side + to);
      paint.forEach((part, c) => (values[pixel + c] = values[pixel + c] * (1 - cover) + cover * (part + 0.5)));
    });
  }
  return values.map(Math.floor);
}

/** A picture as the address of its pixels. @param {Thing[]} things */
export function href(things) {
  const { side } = vocabulary();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(side, side);
  pixels(things, side).forEach((value, at) => (image.data[at + Math.floor(at / 3)] = value));
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  context.putImageData(image, 0, 0);
  return canvas.toDataURL("image/png");
}
