/* Panels that samples are made of: the API gives them one beside the other in one picture, of which each shows its part. */

import * as api from "rs/lib/api.js";

/** @import { Picture } from "rs/lib/types.d.ts" */

const SHEET_COLUMNS = 4;

/** Where the panels of a sample are as one picture. @param {string} sample */
const pathOf = (sample) => "/tables/" + encodeURIComponent(sample) + "/panels";

/** Where they are as a sheet: so many in a row that a matrix can be brought again. @param {string} sample */
export const sheetOf = (sample) => api.BASE + pathOf(sample) + "?columns=" + SHEET_COLUMNS;

/**
 * The part of that picture that is one panel, as a background.
 *
 * @param {string} sample @param {number} place of the panel, counted from 0 @param {number} count of panels
 */
export const panelLook = (sample, place, count) => ({
  backgroundImage: "url(" + api.BASE + pathOf(sample) + ")",
  backgroundSize: 100 * count + "% 100%",
  backgroundPosition: (count > 1 ? (100 * place) / (count - 1) : 0) + "% 0",
});

/**
 * The grid of a sample's panels as one picture, once with each answer in the gap.
 *
 * @param {string} sample @param {number} columns of the grid @returns {Promise<Picture[]>}
 */
export async function picturesOf(sample, columns) {
  const { bitmap, width, height: side } = await api.readPicture(pathOf(sample));
  const [count, context] = [Math.round(width / side), columns * columns - 1];
  return Array.from({ length: count - context }, (_, answer) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = columns * side;
    const context2d = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    for (let place = 0; place <= context; place += 1) {
      const from = place < context ? place : context + answer;
      const [x, y] = [(place % columns) * side, Math.floor(place / columns) * side];
      context2d.drawImage(bitmap, from * side, 0, side, side, x, y, side, side);
    }
    return { bitmap: canvas, href: canvas.toDataURL("image/png"), width: canvas.width, height: canvas.height };
  });
}
