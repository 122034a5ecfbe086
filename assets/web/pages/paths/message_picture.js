/* The path picture of a model whose units read each other: what the canvas (pages/paths/canvas.js) paints and points at. */
import * as geometry from "rs/draw/path/geometry.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { CircuitParts } from "rs/pages/paths/message_scene.js" */
/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { Target } from "rs/pages/paths/types.d.ts" */

const NEAR = 7; // pixels around a dot that count as pointing at it
const TRAVELLING = 60; // strongest messages that are seen to travel while it plays

/**
 * Where the front is while it plays: 0 at the tokens, n at the n-th step.
 *
 * @param {CircuitParts} parts
 * @param {number} time
 */
export function frontAt({ layout }, time) {
  const stops = [layout.strip.x + layout.strip.width, ...layout.columns, layout.end.x];
  const before = Math.min(Math.floor(time), stops.length - 2);
  return stops[before] + (stops[before + 1] - stops[before]) * Math.min(1, time - before);
}

/**
 * @param {CircuitParts} parts
 * @param {number} time
 * @returns {Item[]}
 */
export function travellers(parts, time) {
  const { view, layout, theme, shown } = parts;
  const column = Math.min(Math.floor(time), view.steps.length);
  return view.strongest(column, Math.min(shown, TRAVELLING)).map((each) => {
    const [from, to] = circuitScene.endsOf(layout, column, each);
    const { x, y } = geometry.curveAt(from, to, Math.min(1, time - column));
    const r = 1.6 + 1.8 * (each.weight / parts.scale[column]);
    return { shape: "circle", cx: x, cy: y, r, fill: theme.marker, stroke: theme.surface, width: 0.8 };
  });
}

/**
 * A token's entry, or the dot nearest to a place of the picture; null where there is none.
 *
 * @param {CircuitParts} parts
 * @param {number} x
 * @param {number} y
 * @returns {Target | null}
 */
export function targetAt({ view, layout }, x, y) {
  const { strip, entries, columns } = layout;
  if (x > strip.x - 8 && x < strip.x + strip.width + 6) {
    const half = Math.max(4, (entries[1] ? entries[1].y - entries[0].y : 20) / 2);
    const token = entries.findIndex((place) => Math.abs(place.y - y) <= half);
    return token < 0 ? null : { token };
  }
  const step = columns.findIndex((column) => Math.abs(column - x) <= Math.min(14, layout.across / 3));
  if (step < 0) return null;
  let [best, distance] = [-1, Math.max(NEAR, layout.gap / 2)];
  for (let unit = 0; unit < view.units.length; unit += 1) {
    const away = Math.abs(layout.y(unit) - y);
    if (away < distance) [best, distance] = [unit, away];
  }
  return best < 0 ? null : { step, unit: best };
}

/** @param {CircuitView} view */
export const words = ({ steps, units, tokens }) =>
  "Columns are " +
  steps.length +
  " steps, dots " +
  units.length +
  " modules sized by the attention that the next step pays to them, lines messages from sender to receiver, as wide as " +
  "the receiver's attention, averaged over heads; at the left what modules read of " +
  tokens.length +
  " tokens, at the right what the output reads of modules.";

export const linesOver = true;

/** @param {Parameters<typeof circuitScene.partsOf>} given */
export const partsOf = (...given) => circuitScene.partsOf(...given);

/** @param {CircuitParts} parts */
export const lines = (parts) => circuitScene.lines(parts);

/**
 * @param {CircuitParts} parts
 * @param {number} step
 */
export const surroundings = (parts, step) => circuitScene.surroundings(parts, step);

export const pointed = () => paths.pointed();

/**
 * @param {CircuitParts} parts
 * @param {Target} target
 */
export const highlight = (parts, target) => circuitScene.highlight(parts, target);
