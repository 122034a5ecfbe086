/* Colours of the picture of blocks: each input has one, what is computed is drawn in ink, numbers are grey. */
import { mix } from "rs/draw/colours.js";
import { readTheme } from "rs/lib/theme.js";

/** @import { Picture } from "rs/lib/types.d.ts" */
/** @import { Block, BlocksTheme } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

const NEGATIVE = 10; // the colour of numbers below zero, which no input has
const LEAST = 0.04; // a part below which a ribbon gets no stripe of its own

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/**
 * The colour of an input of the network by its place, or of what was computed: the place after the last.
 *
 * @param {BlockView} view
 * @param {BlocksTheme} theme
 * @param {number} part
 */
export const ofPart = (view, theme, part) => (part < view.levels[0].length ? theme.unit(part) : theme.ink);

/**
 * What a block is made of as stripes: [{part, share, paint}], together 1.
 *
 * @param {BlockView} view
 * @param {BlocksTheme} theme
 * @param {Block} block
 */
export function stripes(view, theme, block) {
  const parts = Array.from(view.origin(block), (share, part) => ({ part, share })).filter(
    ({ share }) => share >= LEAST,
  );
  const total = parts.reduce((sum, { share }) => sum + share, 0) || 1;
  return parts.map(({ part, share }) => ({ part, share: share / total, paint: ofPart(view, theme, part) }));
}

/**
 * The grey of a number: the surface at zero, ink at `most`; below zero in another colour.
 *
 * @param {BlocksTheme} theme
 * @param {number} value
 * @param {number} most
 */
export function shade(theme, value, most) {
  if (!Number.isFinite(value)) return theme.surface;
  const low = theme.dark ? theme.hair : "#eef1f4";
  return mix(low, value >= 0 ? theme.ink : theme.unit(NEGATIVE), Math.min(1, Math.abs(value) / most));
}

/** The theme, and whether it is the dark one. @returns {BlocksTheme} */
export function read() {
  const theme = readTheme();
  const [r, g, b] = channels(theme.surface);
  return { ...theme, dark: r + g + b < 380 };
}

/**
 * A block as a picture of `columns` numbers a row: {bitmap, href, width, height}.
 *
 * @param {BlocksTheme} theme
 * @param {Float32Array} values
 * @param {number} columns
 * @param {number} most
 * @returns {Picture}
 */
export function bitmapOf(theme, values, columns, most) {
  const rows = Math.ceil(values.length / columns);
  const bitmap = document.createElement("canvas");
  [bitmap.width, bitmap.height] = [columns, rows];
  const context = /** @type {CanvasRenderingContext2D} */ (bitmap.getContext("2d"));
  const pixels = context.createImageData(columns, rows);
  values.forEach((value, at) => {
    pixels.data.set([...channels(shade(theme, value, most)), 255], 4 * at);
  });
  context.putImageData(pixels, 0, 0);
  return { bitmap, href: bitmap.toDataURL(), width: columns, height: rows };
}
