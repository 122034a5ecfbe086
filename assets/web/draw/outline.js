/* Lines and curves as the text of SVG paths. d3-shape writes the same numbers in 1.4 to 2 times the time. */

/** @import { Place } from "rs/draw/types.d.ts" */

/** A line through corners, in tenths of a pixel. @param {Place[]} corners */
export const through = (corners) => "M" + corners.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join("L");

/**
 * A curve that is level at both ends; `told` may round its numbers.
 *
 * @param {{x: number, y: number}} from @param {{x: number, y: number}} to @param {(value: number) => number} [told]
 */
export function levelCurve(from, to, told = (value) => value) {
  const [x0, y0, middle, y1, x1] = [from.x, from.y, (from.x + to.x) / 2, to.y, to.x].map(told);
  return `M${x0},${y0}C${middle},${y0} ${middle},${y1} ${x1},${y1}`;
}

/**
 * The outline of a band from x0 to x1, each end [top, bottom].
 *
 * @param {number} x0 @param {number} x1 @param {[number, number]} from top and bottom @param {[number, number]} to
 */
export function band(x0, x1, from, to) {
  const middle = (x0 + x1) / 2;
  /** @param {number} x @param {number} y */
  const point = (x, y) => x.toFixed(1) + "," + y.toFixed(2);
  /** @param {number} xa @param {number} ya @param {number} xb @param {number} yb */
  const curve = (xa, ya, xb, yb) => "C" + point(middle, ya) + " " + point(middle, yb) + " " + point(xb, yb);
  return (
    "M" + point(x0, from[0]) + curve(x0, from[0], x1, to[0]) +
    "L" + point(x1, to[1]) + curve(x1, to[1], x0, from[1]) + "Z"
  ); // prettier-ignore
}
