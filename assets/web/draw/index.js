/* A grid over the points of a map: which one lies nearest to the pointer, which lie inside a lasso. */
import { polygonContains } from "rs/vendor/d3-polygon.js";

/** @import { Place } from "rs/draw/types.d.ts" */

const A_CELL = 4; // points on average

export class PointIndex {
  /**
   * Over `order`, items whose x and y are `places[2 * item]` and `places[2 * item + 1]`.
   *
   * @param {ArrayLike<number>} places @param {ArrayLike<number> & Iterable<number>} order
   */
  constructor(places, order) {
    this.places = places;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const item of order) {
      left = Math.min(left, places[2 * item]);
      right = Math.max(right, places[2 * item]);
      top = Math.min(top, places[2 * item + 1]);
      bottom = Math.max(bottom, places[2 * item + 1]);
    }
    this.side = Math.max(1, Math.min(512, Math.round(Math.sqrt(order.length / A_CELL))));
    this.left = left;
    this.top = top;
    this.cellWidth = Math.max(right - left, 1e-9) / this.side;
    this.cellHeight = Math.max(bottom - top, 1e-9) / this.side;
    this.starts = new Int32Array(this.side * this.side + 1);
    for (const item of order) this.starts[this.cellOf(item) + 1] += 1;
    for (let cell = 0; cell < this.side * this.side; cell += 1) this.starts[cell + 1] += this.starts[cell];
    this.items = new Int32Array(order.length);
    const next = this.starts.slice(0, -1);
    for (const item of order) {
      const cell = this.cellOf(item);
      this.items[next[cell]] = item;
      next[cell] += 1;
    }
  }

  /** @param {number} x @returns {number} */
  column(x) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((x - this.left) / this.cellWidth)));
  }

  /** @param {number} y @returns {number} */
  row(y) {
    return Math.max(0, Math.min(this.side - 1, Math.floor((y - this.top) / this.cellHeight)));
  }

  /** @param {number} item @returns {number} */
  cellOf(item) {
    return this.row(this.places[2 * item + 1]) * this.side + this.column(this.places[2 * item]);
  }

  /**
   * Calls `visit(item)` for every item of the cells that a box touches.
   *
   * @param {number} left @param {number} top @param {number} right @param {number} bottom
   * @param {(item: number) => void} visit
   */
  within(left, top, right, bottom, visit) {
    if (!this.items.length) return;
    for (let row = this.row(top); row <= this.row(bottom); row += 1) {
      const from = this.starts[row * this.side + this.column(left)];
      const to = this.starts[row * this.side + this.column(right) + 1];
      for (let at = from; at < to; at += 1) visit(this.items[at]);
    }
  }

  /**
   * The item nearest to a place, at most `reach` away; -1 when there is none.
   *
   * @param {number} x @param {number} y @param {number} reach
   */
  nearest(x, y, reach) {
    let [best, least] = [-1, reach * reach];
    this.within(x - reach, y - reach, x + reach, y + reach, (item) => {
      const distance = (this.places[2 * item] - x) ** 2 + (this.places[2 * item + 1] - y) ** 2;
      if (distance <= least) [best, least] = [item, distance];
    });
    return best;
  }

  /** The items inside a polygon [[x, y], ...], by the even-odd rule, in their order. @param {Place[]} polygon */
  inside(polygon) {
    const [xs, ys] = [polygon.map((corner) => corner[0]), polygon.map((corner) => corner[1])];
    const found = /** @type {number[]} */ ([]);
    this.within(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (item) => {
      if (polygonContains(polygon, [this.places[2 * item], this.places[2 * item + 1]])) found.push(item);
    });
    return Int32Array.from(found).sort();
  }
}

/** @param {Place} place @param {Place} from @param {Place} to @returns {number} */
const away = ([x, y], [ax, ay], [bx, by]) => {
  const length = Math.hypot(bx - ax, by - ay);
  return length ? Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length : Math.hypot(x - ax, y - ay);
};

/**
 * Corners of a line that lie further than `tolerance` from it without them (Douglas and Peucker 1973).
 *
 * @param {Place[]} line @param {number} tolerance @returns {Place[]}
 */
function thinned(line, tolerance) {
  if (line.length < 3) return line;
  let [far, most] = [0, 0];
  for (let at = 1; at < line.length - 1; at += 1) {
    const distance = away(line[at], line[0], line[line.length - 1]);
    if (distance > most) [far, most] = [at, distance];
  }
  if (most <= tolerance) return [line[0], line[line.length - 1]];
  return [...thinned(line.slice(0, far + 1), tolerance).slice(0, -1), ...thinned(line.slice(far), tolerance)];
}

/**
 * A polygon of at most `most` corners, rounded to thousandths, so that an address can hold it exactly.
 *
 * @param {Place[]} polygon @param {number} most @returns {Place[]}
 */
export function simplified(polygon, most) {
  let line = polygon;
  for (let tolerance = 0.001; line.length > most; tolerance *= 1.5) line = thinned(polygon, tolerance);
  return line.map(([x, y]) => [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000]);
}
