/* Links as pixels: many thousand lines a frame on one core. Every link adds its smoothed line to a count of ink for each
   pixel; the counts become opacities. Taking a link away subtracts the same ink, so a slider that moves a little costs
   what it moves, and never more than all links once. */
import * as raster from "rs/draw/raster.js";

/** @import { LinkPaint, Projection } from "rs/draw/types.d.ts" */
/** @import { Links } from "rs/lib/types.d.ts" */

const ONE = 65536; // a pixel, in the fixed point of the lines
const DEEPEST = 4095; // entries of the table of opacities
const FULL = 256;
const HALF = ONE / 2;
const PAD = 2; // rows
const NONE = 0;
const SMOOTH = 4000; // lines; more are plain
const LARGE = 700000; // pixels; the ink of a larger picture has half its resolution, unless lines are smooth
const CROWD = 20000; // lines above which every picture's has
const HEAVIEST = 63; // ink of one smooth line: a thousand lines through one pixel fit into 16 bits

/**
 * Adds `weight` to the ink along a line: smoothed over two pixels a step (Wu 1991), or plain where lines are so many
 * that nobody sees the difference; with gaps of `dash` pixels (a power of two; 0: none). `ink` has `PAD` rows above
 * and below the picture.
 *
 * @param {Uint16Array} ink @param {number} width @param {number} height @param {number} x0 @param {number} y0
 * @param {number} x1 @param {number} y1 @param {number} weight @param {boolean} smooth @param {number} dash
 */
function line(ink, width, height, x0, y0, x1, y1, weight, smooth, dash) {
  // Clip to the picture (Liang and Barsky 1984).
  const dx = x1 - x0;
  const dy = y1 - y0;
  let from = 0;
  let to = 1;
  for (let side = 0; side < 4; side += 1) {
    const p = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
    const q = side === 0 ? x0 : side === 1 ? width - 1 - x0 : side === 2 ? y0 : height - 1 - y0;
    if (p === 0) {
      if (q < 0) return;
    } else if (p < 0) from = Math.max(from, q / p);
    else to = Math.min(to, q / p);
  }
  if (!(from <= to)) return; // NaN is outside, too
  const flat = Math.abs(dx) >= Math.abs(dy);
  const length = flat ? dx : dy;
  if (length === 0) return;
  const start = flat ? x0 : y0;
  const ends = [start + from * length, start + to * length];
  const first = Math.ceil(Math.min(ends[0], ends[1]));
  const last = Math.floor(Math.max(ends[0], ends[1]));
  const slope = (flat ? dy : dx) / length;
  const step = Math.round(slope * ONE) | 0;
  let place = Math.round(((flat ? y0 : x0) + (first - start) * slope) * ONE) | 0;
  const along = flat ? 1 : width;
  const across = flat ? width : 1;
  let base = PAD * width + first * along;
  if (!smooth) {
    for (let at = first; at <= last; at += 1) {
      if (!(at & dash)) ink[base + ((place + HALF) >> 16) * across] += weight;
      base += along;
      place += step;
    }
    return;
  }
  const sign = weight < 0 ? -1 : 1;
  const size = Math.abs(weight);
  for (let at = first; at <= last; at += 1) {
    if (!(at & dash)) {
      const pixel = base + (place >> 16) * across;
      const part = (size * ((place >> 8) & 255)) >> 8;
      ink[pixel] += sign * (size - part);
      ink[pixel + across] += sign * part;
    }
    base += along;
    place += step;
  }
}

export class EdgeRaster {
  constructor() {
    this.key = "";
    this.inks = /** @type {Uint16Array[]} */ ([]);
    this.drawn = new Uint8Array(0);
    this.edges = /** @type {Links | null} */ (null);
    this.places = /** @type {ArrayLike<number> | null} */ (null);
    this.lines = 0; // that the last picture had to add or to take away
  }

  /**
   * Draws links into `raster` (draw/raster.js).
   *
   * `edges` has `from`, `to` and `weights` (4 to 63) of `count` links; `layers[edge]` is 0 for a link that is not
   * drawn and else the number, from 1, of one of `paints`: {colour, alpha, dash}, drawn first to last; `alpha` is the
   * opacity of one line of full weight. `places` and `view` are those of the raster's discs.
   *
   * @param {raster.Raster} raster @param {object} drawn @param {Links} drawn.edges @param {Uint8Array} drawn.layers
   * @param {ArrayLike<number>} drawn.places @param {Projection} drawn.view @param {LinkPaint[]} drawn.paints
   */
  draw(raster, { edges, layers, places, view, paints }) {
    const { width, height } = raster.image;
    const wanted = drawnIn(layers, edges.count);
    const smooth = wanted <= SMOOTH;
    const half = !smooth && (wanted > CROWD || width * height > LARGE) ? 1 : 0;
    const [across, down] = [(width + half) >> half, (height + half) >> half];
    const scale = half ? 0.5 : 1;
    const key = [width, height, view.kx, view.ky, view.dx, view.dy, paints.length, smooth, half].join();
    if (key !== this.key || edges !== this.edges || places !== this.places) {
      Object.assign(this, { key, edges, places });
      this.restart(edges, (down + 2 * PAD) * across, paints.length);
    }
    this.lines = 0;
    const gaps = paints.map((paint) => (paint.dash || 0) >> half);
    const { from, to, weights, count } = edges;
    const { inks, drawn } = this;
    const [kx, ky, dx, dy] = [view.kx * scale, view.ky * scale, view.dx * scale, view.dy * scale];
    for (let edge = 0; edge < count; edge += 1) {
      const now = layers[edge];
      const before = drawn[edge];
      if (now === before) continue;
      const i = 2 * from[edge];
      const j = 2 * to[edge];
      const x0 = places[i] * kx + dx;
      const y0 = places[i + 1] * ky + dy;
      const x1 = places[j] * kx + dx;
      const y1 = places[j + 1] * ky + dy;
      const weight = smooth ? weights[edge] : weights[edge] >> 2;
      if (before !== NONE) line(inks[before - 1], across, down, x0, y0, x1, y1, -weight, smooth, gaps[before - 1]);
      if (now !== NONE) line(inks[now - 1], across, down, x0, y0, x1, y1, weight, smooth, gaps[now - 1]);
      drawn[edge] = now;
      this.lines += 1;
    }
    const full = smooth ? HEAVIEST : HEAVIEST >> 2;
    paints.forEach((paint, layer) => blend(raster, inks[layer], { across, half }, paint, full));
  }

  /** @param {Links} edges @param {number} pixels @param {number} layers */
  restart(edges, pixels, layers) {
    if (this.inks.length !== layers || this.inks[0].length !== pixels)
      this.inks = Array.from({ length: layers }, () => new Uint16Array(pixels));
    else this.inks.forEach((ink) => ink.fill(0));
    this.drawn = new Uint8Array(edges.count);
  }
}

/** @param {Uint8Array} layers @param {number} count */
function drawnIn(layers, count) {
  let drawn = 0;
  for (let edge = 0; edge < count; edge += 1) if (layers[edge] !== NONE) drawn += 1;
  return drawn;
}

/**
 * Opacities (0 to 256) of counts of ink: lines that cross cover each other as sheets of that opacity would.
 *
 * @param {number} alpha @param {number} full
 */
function opacities(alpha, full) {
  const each = Math.log(1 - Math.min(0.98, alpha)) / full;
  return Uint16Array.from({ length: DEEPEST + 1 }, (_, ink) => Math.round(FULL * (1 - Math.exp(each * ink))));
}

/**
 * @param {raster.Raster} raster @param {Uint16Array} ink @param {{across: number, half: number}} sizes
 * @param {LinkPaint} paint @param {number} full
 */
function blend({ pixels, image }, ink, { across, half }, { colour, alpha }, full) {
  const table = opacities(alpha, full);
  const packed = raster.packed(colour);
  const rb = packed & 0xff00ff;
  const g = packed & 0x00ff00;
  const { width, height } = image;
  for (let y = 0, pixel = 0; y < height; y += 1) {
    const row = ((y >> half) + PAD) * across;
    for (let x = 0; x < width; x += 1, pixel += 1) {
      const amount = ink[row + (x >> half)];
      if (amount === 0) continue;
      const a = table[amount > DEEPEST ? DEEPEST : amount];
      const under = pixels[pixel];
      const rest = FULL - a;
      const redBlue = ((Math.imul(rb, a) + Math.imul(under & 0xff00ff, rest)) >>> 8) & 0xff00ff;
      const green = ((Math.imul(g, a) + Math.imul(under & 0x00ff00, rest)) >>> 8) & 0x00ff00;
      pixels[pixel] = 0xff000000 | redBlue | green;
    }
  }
}
