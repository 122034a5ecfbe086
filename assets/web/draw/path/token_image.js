/* A patch, or a panel, in a picture of a path: the part of the image that it is. */

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Picture, Schemas, Theme } from "rs/lib/types.d.ts" */

/**
 * A token in a place of the picture; one that is neither patch nor panel, or of which there is no image, is a plain square.
 *
 * @param {Schemas["Token"]} token @param {{picture: Picture | null, grid: Schemas["Grid"], theme: Theme}} image
 * @param {{x: number, y: number, w: number, h: number}} place @returns {Item}
 */
export function tokenItem({ kind, row, column }, { picture, grid, theme }, place) {
  if (!picture || !grid.rows || (kind !== "patch" && kind !== "panel"))
    return { shape: "rect", ...place, fill: theme.unmatched };
  const [sw, sh] = [picture.width / grid.columns, picture.height / grid.rows];
  return { shape: "image", source: picture, sx: (column ?? 0) * sw, sy: (row ?? 0) * sh, sw, sh, ...place };
}
