/* Colours of the picture of blocks: each input has one, what is computed is drawn in ink, numbers are grey. */
import { channels, isDark, mix } from "rs/draw/colours.js";
import { readTheme } from "rs/lib/theme.js";

/** @import { Picture } from "rs/lib/types.d.ts" */
/** @import { Block } from "rs/pages/blocks/types.d.ts" */
/** @typedef {ReturnType<typeof read>} BlocksTheme */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

const NEGATIVE = 10; // the colour of numbers below zero, which no input has
const LEAST = 0.04; // a part below which a ribbon gets no stripe of its own

/** The colour of an input by its place; after the last, of what was computed. @param {BlockView} view @param {BlocksTheme} theme @param {number} part */
export const ofPart = (view, theme, part) => (part < view.levels[0].length ? theme.unit(part) : theme.ink);

/** What a block is made of as stripes, together 1. @param {BlockView} view @param {BlocksTheme} theme @param {Block} block */
export function stripes(view, theme, block) {
  const parts = Array.from(view.origin(block), (share, part) => ({ share, paint: ofPart(view, theme, part) }));
  const shown = parts.filter(({ share }) => share >= LEAST);
  const total = shown.reduce((sum, { share }) => sum + share, 0) || 1;
  return shown.map(({ share, paint }) => ({ share: share / total, paint }));
}

/** The grey of a number: ink at `most`; below zero another colour. @param {BlocksTheme} theme @param {number} value @param {number} most */
export function shade(theme, value, most) {
  if (!Number.isFinite(value)) return theme.surface;
  const low = theme.dark ? theme.hair : "#eef1f4";
  return mix(low, value >= 0 ? theme.ink : theme.unit(NEGATIVE), Math.min(1, Math.abs(value) / most));
}

/** The theme, and whether it is the dark one. */
export function read() {
  const theme = readTheme();
  return { ...theme, dark: isDark(theme) };
}

/**
 * A block as a picture of `columns` numbers a row.
 *
 * @type {(theme: BlocksTheme, values: Float32Array, columns: number, most: number) => Picture}
 */
export function bitmapOf(theme, values, columns, most) {
  const rows = Math.ceil(values.length / columns);
  const bitmap = document.createElement("canvas");
  [bitmap.width, bitmap.height] = [columns, rows];
  const context = /** @type {CanvasRenderingContext2D} */ (bitmap.getContext("2d"));
  const pixels = context.createImageData(columns, rows);
  values.forEach((value, at) => pixels.data.set([...channels(shade(theme, value, most)), 255], 4 * at));
  context.putImageData(pixels, 0, 0);
  return { bitmap, href: bitmap.toDataURL(), width: columns, height: rows };
}
