/* The lines of a path on a canvas: painted once, then laid over and over, also while tokens travel along them. */
import { paintScene } from "rs/draw/scene.js";

/** @import { Item } from "rs/draw/types.d.ts" */

const AHEAD = 0.16; // opacity of the way ahead of the tokens
const BEHIND = 0.9;

/** @typedef {{width: number, height: number}} Size */

/** @param {Item[]} lines @param {Size} size @param {string} font */
export const ribbonsOf = (lines, { width, height }, font) =>
  paintScene({ width, height, title: "", desc: "", items: lines }, font);

/**
 * @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} ribbons @param {Size} size
 * @param {number} opacity
 */
export function drawRibbons(context, ribbons, { width, height }, opacity) {
  context.globalAlpha = opacity;
  context.drawImage(ribbons, 0, 0, width, height);
  context.globalAlpha = 1;
}

/**
 * While it plays: the way behind the tokens in full, the way ahead faint.
 *
 * @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} ribbons @param {Size} size
 * @param {number} front how far the tokens have come, along x
 */
export function drawTravelled(context, ribbons, size, front) {
  drawRibbons(context, ribbons, size, AHEAD);
  context.save();
  context.beginPath();
  context.rect(0, 0, front, size.height);
  context.clip();
  drawRibbons(context, ribbons, size, BEHIND);
  context.restore();
}
