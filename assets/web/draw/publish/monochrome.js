/* A picture in greys: units that only their colours told apart get dashes, hatches and shapes of their own. */

/** @import { Item, Paint, PathItem, RectItem } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

const STEP = 5; // pixels between lines of a hatch
const LEAST = 7; // pixels of the side of a bar that shows a hatch
const LEAST_DOT = 3; // radius of a dot whose shape can be seen
/** Dashes of lines, one after the other; the first line is whole. */
const DASHES = [[], [6, 3], [2, 2], [8, 2, 2, 2], [12, 4], [4, 6]];
/** Directions of hatches: right is up (1), down (-1), along (0) or upright (2). */
const HATCHES = [[], [1], [-1], [0], [2], [1, -1], [0, 2]];
/** Corners of the shapes of dots; a circle has none. */
const CORNERS = [0, 4, 3, 5, 6];

/** @param {string} colour */
function grey(colour) {
  const wide = colour.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  const found = /^#[\da-f]{6}/i.test(wide)
    ? [1, 3, 5].map((at) => Number.parseInt(wide.slice(at, at + 2), 16))
    : (/^rgba?\(/.test(colour) && colour.match(/[\d.]+/g)?.map(Number)) || null;
  if (!found) return colour;
  const [red, green, blue, alpha] = found;
  const level = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  return "rgb" + (alpha === undefined ? "(" : "a(") + [level, level, level, ...(alpha === undefined ? [] : [alpha])].join(",") + ")"; // prettier-ignore
}

/** @param {Paint | undefined} paint */
const greyPaint = (paint) =>
  paint && typeof paint === "object"
    ? { ...paint, stops: paint.stops.map(([at, colour]) => /** @type {[number, string]} */ ([at, grey(colour)])) }
    : paint && grey(paint);

/**
 * Lines over a bar, cut to it.
 *
 * @param {RectItem} bar @param {number[]} directions @param {string} stroke @returns {PathItem[]}
 */
function hatched({ x, y, w, h, opacity }, directions, stroke) {
  const d = directions.map((direction) => {
    if (direction === 0 || direction === 2) {
      const [count, side] = direction ? [w, h] : [h, w];
      return Array.from({ length: Math.floor((count - 1) / STEP) }, (_, n) =>
        direction ? `M${x + (n + 1) * STEP},${y}v${side}` : `M${x},${y + (n + 1) * STEP}h${side}`,
      ).join("");
    }
    return Array.from({ length: Math.floor((w + h - 1) / STEP) }, (_, n) => {
      const way = (n + 1) * STEP; // x plus y, from the corner
      const [from, to] = [Math.max(0, way - h), Math.min(w, way)];
      const at = (/** @type {number} */ u) => (direction > 0 ? y + way - u : y + h - way + u);
      return `M${x + from},${at(from)}L${x + to},${at(to)}`;
    }).join("");
  });
  return [{ shape: "path", d: d.join(""), stroke, width: 0.8, opacity }];
}

/** An item as several in grey. @param {Item} item @param {Theme} theme @returns {Item[]} */
function toldApart(item, theme) {
  if (item.shape === "text")
    return [{ ...item, fill: grey(item.fill), ...(item.halo ? { halo: grey(item.halo) } : {}) }];
  if (item.shape === "image") return [item];
  const look = { fill: greyPaint(item.fill), stroke: greyPaint(item.stroke) };
  const [fill, stroke] = [item.fill, item.stroke].map((paint) =>
    typeof paint === "string" ? theme.units.indexOf(paint) : -1,
  );
  const unit = Math.max(fill, stroke);
  if (item.shape === "circle" && unit >= 0 && item.r >= LEAST_DOT) {
    const corners = CORNERS[unit % CORNERS.length];
    const turns = Array.from(
      { length: corners },
      (_, n) => ((n - 0.5 * (corners === 4 ? 1 : 0)) * 2 * Math.PI) / corners,
    );
    const places = turns.map((turn) => [
      item.cx + 1.2 * item.r * Math.sin(turn),
      item.cy - 1.2 * item.r * Math.cos(turn),
    ]);
    const { shape: _, cx: _x, cy: _y, r: _r, ...rest } = item;
    return [corners ? { ...rest, ...look, shape: "path", d: "M" + places.join("L") + "Z" } : { ...item, ...look }];
  }
  if (item.shape === "path" && stroke >= 0 && !item.fill && !item.dash)
    return [{ ...item, ...look, dash: DASHES[stroke % DASHES.length] }];
  const lines = item.shape === "rect" && fill >= 0 && Math.min(item.w, item.h) >= LEAST ? HATCHES[fill % HATCHES.length] : []; // prettier-ignore
  const bar = /** @type {RectItem} */ (item);
  return [{ ...item, ...look }, ...(lines.length ? hatched(bar, lines, grey(theme.surface)) : [])];
}

/** @param {Item[]} items @param {Theme} theme that they were drawn in */
export const monochrome = (items, theme) => items.flatMap((item) => toldApart(item, theme));

/** SVG elements that were drawn elsewhere, in greys. @param {string} text */
export const greyed = (text) => text.replace(/#[\da-f]{6}\b|rgba?\([^)]*\)/gi, grey);
