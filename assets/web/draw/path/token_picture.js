/* The path picture of a model whose tokens go from function to function: what a canvas paints. */
import * as geometry from "rs/draw/path/geometry.js";
import * as pathLines from "rs/draw/path/lines.js";
import * as pathScene from "rs/draw/path/token_scene.js";
import { sortOf } from "rs/lib/trace.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { Layout } from "rs/draw/path/geometry.js" */
/** @import { Target, TokenShown, TokenView } from "rs/draw/path/types.d.ts" */
/** @typedef {ReturnType<typeof partsOf>} TokenParts everything that a picture needs */

const NEAR = 9; // pixels within which a line counts as pointed at

/**
 * @param {TokenShown} state @param {number} width @param {number} height @param {Theme} theme @param {string} caption
 */
export function partsOf(state, width, height, theme, caption) {
  const layout = geometry.layOut(state.view, width, height, state.alike, theme.font);
  const ghosts = state.showBaseline && state.baseline ? pathLines.ghostItems : () => [];
  return {
    view: state.view,
    layout,
    theme,
    picture: state.picture,
    threshold: state.threshold,
    caption,
    ghosts: ghosts(state.view, /** @type {TokenView} */ (state.baseline), layout, theme),
  };
}

/** @param {TokenParts} parts @param {number} token @param {number} time */
function positionAt({ layout }, token, time) {
  const line = layout.lines[token];
  const entry = { x: line.entry.x + layout.strip.width + 2, y: line.entry.y };
  const before = Math.min(Math.floor(time), line.points.length);
  const from = before === 0 ? entry : line.points[before - 1];
  const end = layout.ends.find((candidate) => candidate.token === token);
  const to = line.points[before] || end || from;
  return geometry.curveAt(from, to, time - before);
}

/** @param {TokenParts} parts @param {number} time @param {number[] | null} tokens @returns {Item[]} */
export function travellers(parts, time, tokens) {
  const { view, theme, layout } = parts;
  const shown = tokens ? new Set(tokens) : null;
  return view.tokens.flatMap((token, index) => {
    if (shown && !shown.has(index)) return [];
    const { x, y } = positionAt(parts, index, time);
    const r = token.kind === "cls" ? 4.5 : Math.max(2, Math.min(3.2, layout.fullWidth));
    const fill = token.kind === "cls" ? theme.ink : theme.marker;
    return [{ shape: "circle", cx: x, cy: y, r, fill, stroke: theme.surface, width: 1 }];
  });
}

/**
 * What lies at a place of the picture: a token's entry, a dot, a line, or null.
 *
 * @param {TokenParts} parts @param {number} x @param {number} y @returns {Target | null}
 */
export function targetAt({ layout }, x, y) {
  const entry = layout.entries.findIndex(
    (place) => x > place.x - 8 && x < place.x + layout.strip.width + 4 && Math.abs(y - place.y) <= place.size / 2 + 0.5,
  );
  if (entry >= 0) return { token: entry };
  const dot = layout.dots.find(
    (place) => place.unit >= 0 && Math.hypot(x - place.x, y - place.y) <= Math.max(place.r, 7),
  );
  if (dot) return { step: dot.step, unit: dot.unit };
  return lineAt(layout, x, y);
}

/** @param {Layout} layout @param {number} x @param {number} y @returns {Target | null} */
function lineAt(layout, x, y) {
  const reach = { best: /** @type {number | null} */ (null), distance: NEAR };
  layout.lines.forEach((line) => {
    const end = layout.ends.find((candidate) => candidate.token === line.token);
    const stops = [{ x: line.entry.x + layout.strip.width + 2, y: line.entry.y }, ...line.points];
    if (end) stops.push(end);
    for (let index = 1; index < stops.length; index += 1) {
      if (x < stops[index - 1].x || x > stops[index].x) continue;
      const distance = Math.abs(geometry.heightAt(stops[index - 1], stops[index], x) - y);
      if (distance < reach.distance) Object.assign(reach, { best: line.token, distance });
    }
  });
  return reach.best === null ? null : { token: reach.best };
}

/** @param {TokenView} view */
export const words = ({ steps, tokens, units, text }) =>
  "Columns are " +
  steps.length +
  " " +
  sortOf(steps) +
  "s, dots " +
  units.length +
  (text ? " experts" : " functions") +
  " sized by mean compatibility, lines " +
  tokens.length +
  " tokens; the width of a line is the token's compatibility with it.";

/** @param {TokenParts} parts */
export const lines = (parts) => pathScene.ribbonItems(parts);

/** @param {TokenParts} parts @param {number} step */
export const surroundings = (parts, step) => pathScene.surroundings(parts, step);

/** @param {TokenParts} parts @param {number[]} tokens */
export const highlight = (parts, tokens) => pathLines.highlightItems(parts, tokens);

/** @param {TokenParts} parts @param {number} time */
export const frontAt = (parts, time) => positionAt(parts, 0, time).x;
