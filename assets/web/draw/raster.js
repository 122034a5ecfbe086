/* Points as pixels: many thousand discs a frame on one core, without a library or a graphics processor.
   A disc is a stamp of coverages, made once for each radius and sub-pixel place, blended into an opaque ground. */

/** @import { Projection } from "rs/draw/types.d.ts" */

const PLACES = 4; // sub-pixel places a side, so that moving points glide
const SAMPLES = 4; // a side of a pixel, for its coverage
const FULL = 256;

/** @type {Map<number, ReturnType<typeof makeStamps>>} */
const stamps = new Map();

/**
 * Coverages (0 to 256) of discs of a radius, one for each sub-pixel place, with the side of their square.
 *
 * @param {number} radius
 */
function stampsOf(radius) {
  const key = Math.round(radius * 8) / 8;
  const kept = stamps.get(key);
  if (kept) return kept;
  if (stamps.size > 64) stamps.clear();
  const made = makeStamps(key);
  stamps.set(key, made);
  return made;
}

/** @param {number} radius */
function makeStamps(radius) {
  const reach = Math.ceil(radius) + 1;
  const side = 2 * reach + 1;
  const masks = [];
  for (let v = 0; v < PLACES; v += 1) {
    for (let u = 0; u < PLACES; u += 1) {
      const centre = [reach + (u + 0.5) / PLACES, reach + (v + 0.5) / PLACES];
      const mask = new Uint16Array(side * side);
      for (let y = 0; y < side; y += 1)
        for (let x = 0; x < side; x += 1) mask[y * side + x] = coverage(x - centre[0], y - centre[1], radius);
      masks.push(mask);
    }
  }
  return { reach, side, masks };
}

/** @param {number} x @param {number} y @param {number} radius */
function coverage(x, y, radius) {
  let inside = 0;
  for (let j = 0; j < SAMPLES; j += 1)
    for (let i = 0; i < SAMPLES; i += 1)
      if (Math.hypot(x + (i + 0.5) / SAMPLES, y + (j + 0.5) / SAMPLES) <= radius) inside += 1;
  return Math.round((inside / (SAMPLES * SAMPLES)) * FULL);
}

/** A CSS colour (#rrggbb or rgb()) as the number a little-endian canvas keeps, opaque. @param {string} colour */
export function packed(colour) {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour);
  const [r, g, b] = hex
    ? [0, 2, 4].map((at) => parseInt(hex[1].slice(at, at + 2), 16))
    : (colour.match(/[\d.]+/g) || [128, 128, 128]).map(Number);
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

export class Raster {
  constructor() {
    this.image = /** @type {ImageData} */ (/** @type {unknown} */ (null)); // until it begins
    this.pixels = new Uint32Array(0);
  }

  /**
   * Starts a picture of `width` times `height` device pixels on a ground.
   *
   * @param {number} width @param {number} height @param {string} ground
   */
  begin(width, height, ground) {
    if (!this.image || this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(packed(ground));
  }

  /**
   * Blends discs in.
   *
   * `places` holds x and y of every item; `view` {kx, ky, dx, dy} takes them to device pixels; `order` the items to
   * draw, first to last; `colours[category[item]]` is packed; `alpha` runs from 0 to 1.
   *
   * @param {object} drawn @param {ArrayLike<number>} drawn.places @param {Projection} drawn.view
   * @param {ArrayLike<number>} drawn.order @param {ArrayLike<number>} drawn.category @param {Uint32Array} drawn.colours
   * @param {number} drawn.radius in device pixels @param {number} drawn.alpha
   */
  discs({ places, view, order, category, colours, radius, alpha }) {
    const { width, height } = this.image;
    const { pixels } = this;
    const { reach, side, masks } = stampsOf(radius);
    const strength = Math.round(alpha * FULL);
    const { kx, ky, dx, dy } = view;
    for (let at = 0; at < order.length; at += 1) {
      const item = order[at];
      const x = places[2 * item] * kx + dx;
      const y = places[2 * item + 1] * ky + dy;
      const left = Math.floor(x);
      const top = Math.floor(y);
      const x0 = left - reach;
      const y0 = top - reach;
      if (!(x0 < width && y0 < height && x0 + side > 0 && y0 + side > 0)) continue; // NaN is outside, too
      const mask = masks[Math.floor((y - top) * PLACES) * PLACES + Math.floor((x - left) * PLACES)];
      const colour = colours[category[item]];
      const rb = colour & 0xff00ff;
      const g = colour & 0x00ff00;
      const firstX = Math.max(0, -x0);
      const lastX = Math.min(side, width - x0);
      const lastY = Math.min(side, height - y0);
      for (let j = Math.max(0, -y0); j < lastY; j += 1) {
        let cell = j * side + firstX;
        let pixel = (y0 + j) * width + x0 + firstX;
        for (let i = firstX; i < lastX; i += 1, cell += 1, pixel += 1) {
          const covered = mask[cell];
          if (covered === 0) continue;
          const a = (covered * strength) >> 8;
          const under = pixels[pixel];
          const rest = FULL - a;
          const redBlue = ((Math.imul(rb, a) + Math.imul(under & 0xff00ff, rest)) >>> 8) & 0xff00ff;
          const green = ((Math.imul(g, a) + Math.imul(under & 0x00ff00, rest)) >>> 8) & 0x00ff00;
          pixels[pixel] = 0xff000000 | redBlue | green;
        }
      }
    }
  }
}
