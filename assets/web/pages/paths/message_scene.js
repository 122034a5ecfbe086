/* The path picture of a model whose units read each other, as a scene: columns are steps, dots units, lines messages. */
import { footItems, widest } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import * as graphColours from "rs/draw/colours.js";
import { levelCurve } from "rs/draw/outline.js";
import * as format from "rs/lib/format.js";
import { sortOf, stepLabel } from "rs/lib/trace.js";
import * as unitNames from "rs/lib/units.js";
import { curveAt } from "rs/draw/path/geometry.js";
import { tokenItem } from "rs/draw/path/token_image.js";

/** @import { CircleItem, Item, TextItem } from "rs/draw/types.d.ts" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */
/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { CircuitState, Connection, Layers, Point, RowOrder, Target, View } from "rs/pages/paths/types.d.ts" */
/** @typedef {ReturnType<typeof layOut>} Layout where everything of a picture lies */
/** @typedef {ReturnType<typeof partsOf>} CircuitParts everything that a picture needs */

/** @param {number} value */
const percent = (value) => (value < 0.0995 ? (100 * value).toFixed(1) : Math.round(100 * value)) + " %";
const WIDEST = 5; // pixels of the strongest line
const CLOSE = 11; // pixels between rows from which on every one is named
const FEW = 10; // lines of a unit that is pointed at
const END = 26; // pixels above and below the middle of the answer
const MOST_NAMES = 0.24; // the share of the width that names beside the picture may take

/**
 * A name from `x` on with what is said behind it, as far as the picture goes.
 *
 * @type {(name: string, x: number, parts: {layout: {width: number}, theme: Theme}, look: {size: number, weight: number, said?: string}) => string}
 */
export function nameFrom(name, x, { layout, theme }, { size, weight, said = "" }) {
  const measure = measureIn(theme.font);
  return fitted(name, layout.width - x - 2 - measure(said, size, weight), size, measure, weight) + said;
}

/** Rows of the units, from the top. @param {View} view @param {Schemas["Graph"] | null} graph @param {RowOrder} order */
export function orderOf(view, graph, order) {
  const names = view.units.map((_, unit) => unit);
  if (!graph || graph.units.length !== names.length || order === "name") return names;
  return order === "connectivity" ? unitNames.byConnectivity(graph.connectivity).reverse() : graph.order;
}

/**
 * The colour of every unit: of its community where there is a graph, as on the page of graphs.
 *
 * @type {(view: View, graph: Schemas["Graph"] | null, theme: Theme) => (unit: number) => string}
 */
export function paints(view, graph, theme) {
  if (graph?.units.length !== view.units.length) return theme.unit;
  const { of, paints: colours } = graphColours.BY.community(graph, theme);
  return (unit) => colours[of[unit]];
}

/** @param {CircuitState} state @param {number} width @param {number} height */
function layOut({ view, graph, order }, width, height) {
  const compact = width < 620;
  const [prediction] = view.info.predictions;
  const answer = prediction ? Math.min(MOST_NAMES * width, widest([prediction.labels[prediction.label]], 12, 700)) : 0;
  const margin = { top: 34, bottom: 34, left: compact ? 16 : 30, right: compact ? 50 + Math.max(22, answer) : 116 };
  const strip = { x: margin.left, width: compact ? 12 : 20 };
  const rowOf = new Int32Array(view.units.length);
  orderOf(view, graph, order).forEach((unit, row) => (rowOf[unit] = row));
  const inner = height - margin.top - margin.bottom;
  const gap = inner / view.units.length;
  const named = gap >= CLOSE;
  const names = named ? Math.min(MOST_NAMES * width, widest(view.units, 10) + 20) : 0;
  const first = strip.x + strip.width + Math.max(compact ? 50 : 110, names);
  const across = (width - margin.right - first) / Math.max(1, view.steps.length - 1);
  const columns = view.steps.map((_, step) => first + step * across);
  const y = (/** @type {number} */ unit) => margin.top + gap * (rowOf[unit] + 0.5);
  const size = Math.min(strip.width, inner / Math.max(1, view.tokens.length) - 1);
  const entries = view.tokens.map((_, token) => ({
    x: strip.x,
    y: margin.top + (inner / view.tokens.length) * (token + 0.5),
    size: Math.max(2, size),
  }));
  const end = { x: width - margin.right + (compact ? 36 : 44), y: margin.top + inner / 2 };
  return { compact, width, height, margin, strip, gap, named, columns, across, y, entries, end };
}

/** Where a connection into a column begins and ends. @type {(layout: Layout, column: number, connection: Connection) => [Point, Point]} */
export function endsOf(layout, column, { from, to }) {
  const { columns, entries, strip, end, y } = layout;
  const a =
    column === 0 ? { x: strip.x + strip.width + 2, y: entries[from].y } : { x: columns[column - 1], y: y(from) };
  return [a, column === columns.length ? end : { x: columns[column], y: y(to) }];
}

/** @type {(parts: CircuitParts, column: number, connection: Connection, options?: {wider?: number, opacity?: number}) => Item} */
function lineOf(parts, column, connection, { wider = 0, opacity } = {}) {
  const [a, b] = endsOf(parts.layout, column, connection);
  const share = connection.weight / parts.scale[column];
  return {
    shape: "path",
    d: levelCurve(a, b, (value) => Math.round(value * 10) / 10),
    stroke: column === 0 ? parts.paint(connection.to) : parts.paint(connection.from),
    width: Math.max(0.5, WIDEST * share) + wider,
    opacity: opacity ?? 0.2 + 0.6 * share,
    cap: "round",
  };
}

/**
 * Everything that a picture of `state` needs, for a size.
 *
 * @param {CircuitState} state
 * @param {number} width
 * @param {number} height
 * @param {Theme} theme
 * @param {string} caption
 */
export function partsOf(state, width, height, theme, caption) {
  const { view, graph, shown, alike = [view] } = state;
  const layout = layOut(state, width, height);
  const into = [...view.steps.keys(), view.steps.length]; // columns, and the output after them
  // The strongest connection into each, or into the same one of what is alike.
  const scale = into.map((column) => {
    const isOutput = column === view.steps.length;
    const same = alike.filter(({ steps }) => isOutput || column < steps.length);
    const weights = same.map((each) => each.strongest(isOutput ? each.steps.length : column, 1)[0]?.weight ?? 0);
    return Math.max(...weights) || 1;
  });
  const most = Math.max(...alike.flatMap(({ uses }) => uses.map((each) => Math.max(...each))), 1e-9);
  const largest = Math.max(3, Math.min(9, 0.9 * layout.gap, layout.across / 6));
  /** @param {number} step @param {number} unit */
  const radius = (step, unit) => Math.max(1, largest * Math.sqrt(view.use(step, unit) / most));
  const { picture } = state;
  const paint = paints(view, graph, theme);
  return { view, graph, layout, scale, radius, most, largest, theme, caption, shown, picture, into, paint };
}

/** Every line of the picture, the faintest first. @param {CircuitParts} parts */
export function lines(parts) {
  return parts.into.flatMap((column) =>
    [...parts.view.strongest(column, parts.shown)].reverse().map((each) => lineOf(parts, column, each)),
  );
}

/** @param {CircuitParts} parts @param {number} step */
export function frameItems({ view, layout, theme }, step) {
  const { columns, margin, height, across } = layout;
  const half = Math.min(across * 0.3, 34);
  const y = margin.top - 10;
  const text = /** @type {const} */ ({ shape: "text", y, size: 12, anchor: "middle", fill: theme.dim });
  const box = { x: columns[step] - half, y: margin.top - 24, w: 2 * half, h: height - margin.top - margin.bottom + 28 };
  /** @type {Item[]} */
  const items = [{ shape: "rect", ...box, rx: 6, fill: theme.raised }];
  const labels = view.steps.map(stepLabel);
  const fits = widest(labels, 12, 700) < layout.across - 6; // else codes
  view.steps.forEach((name, index) => {
    const own = index === step ? { weight: 700, fill: theme.ink } : {};
    const short = name === "read-in" ? "in" : name;
    items.push({ ...text, x: columns[index], text: fits ? labels[index] : short, ...own });
  });
  const { compact, strip, end } = layout;
  items.push({ ...text, x: strip.x + strip.width / 2, text: compact ? "" : "tokens" });
  items.push({ ...text, x: end.x + (compact ? 6 : 18), text: compact ? "out" : "read-out" });
  return items;
}

/** @param {CircuitParts} parts @returns {Item[]} */
function dotItems(parts) {
  const { view, layout, theme, paint } = parts;
  return view.steps.flatMap((_, step) =>
    view.units.map((_name, unit) => {
      /** @type {CircleItem} */
      const place = { shape: "circle", cx: layout.columns[step], cy: layout.y(unit), r: parts.radius(step, unit) };
      const away = view.state(unit);
      if (away) return { ...place, r: Math.max(1.5, place.r), stroke: theme.dim, width: 1, opacity: 0.6 };
      return { ...place, fill: paint(unit) };
    }),
  );
}

/** @param {CircuitParts} parts @returns {Item[]} */
export function nameItems({ view, layout, theme }) {
  if (!layout.named) return [];
  const x = layout.columns[0] - 12;
  const room = x - layout.strip.x - layout.strip.width - 4;
  return view.units.map((name, unit) => ({
    shape: "text",
    x,
    y: layout.y(unit) + 3.5,
    text: fitted(name, room, 10, measureIn(theme.font), 400),
    size: 10,
    anchor: "end",
    fill: view.state(unit) ? theme.dim : theme.ink,
    halo: theme.surface,
  }));
}

/** The strongest few of every step, by name. @param {CircuitParts} parts @param {number} step @returns {Item[]} */
function leaderItems({ view, layout, theme }, step) {
  if (layout.named) return [];
  let last = -Infinity;
  const places = view
    .leading(step, 5)
    .map(([unit, share]) => ({ unit, share, y: layout.y(unit) }))
    .sort((a, b) => a.y - b.y);
  return places.flatMap(({ unit, share, y }) => {
    if (y - last < 12) return [];
    last = y;
    const at = { x: layout.columns[step] + 11, y: y + 3.5 };
    const look = { size: 10.5, weight: 600 };
    const width = Math.abs(y - layout.end.y) < END ? layout.end.x : layout.width; // the answer stands there
    const parts = { layout: { width }, theme };
    const text = nameFrom(view.units[unit], at.x, parts, { ...look, said: "  " + percent(share) });
    return [{ shape: "text", ...at, text, ...look, fill: theme.ink, halo: theme.raised }];
  });
}

/** @param {CircuitParts} parts @returns {Item[]} */
export function stripItems({ view, layout, theme, picture }) {
  const { grid } = view.info;
  return view.tokens.map((token, index) => {
    const { x, y, size } = layout.entries[index];
    const place = { x: x + layout.strip.width - size, y: y - size / 2, w: size, h: size };
    return tokenItem(token, { picture, grid, theme }, place);
  });
}

/** @param {CircuitParts} parts */
function endItems({ view, layout, theme }) {
  const [prediction] = view.info.predictions;
  const { x, y } = layout.end;
  /** @type {Item[]} */
  const items = [{ shape: "circle", cx: x, cy: y, r: 4, fill: theme.ink }];
  if (!prediction) return items;
  const share = format.probability(prediction.probabilities[prediction.label]);
  const label = prediction.labels[prediction.label];
  const look = { size: label.length > 3 ? 11.5 : 15, weight: 700 };
  const text = nameFrom(label, x + 9, { layout, theme }, look);
  items.push({ shape: "text", x: x + 9, y: y + 1, text, ...look, fill: theme.ink });
  if (!layout.compact) items.push({ shape: "text", x: x + 9, y: y + 16, text: share, size: 11.5, fill: theme.dim });
  return items;
}

/** @param {CircuitParts} parts */
function footOf({ view, layout, theme, scale, most, largest, shown, caption }) {
  const drawn = Math.min(shown, view.units.length ** 2);
  const said = { text: "the " + drawn + " strongest of each step", key: /** @type {const} */ ("none") };
  const attention = percent(Math.max(...scale.slice(1, -1), 0)) + " of a receiver's attention, at most";
  const next = { text: percent(most) + " of the next step's, on average", key: /** @type {const} */ ("dot"), r: largest, fill: "dim" }; // prettier-ignore
  const more = [{ text: attention, stroke: "dim", width: WIDEST }, ...(layout.width > 820 ? [next] : [])];
  const x = layout.compact ? 4 : layout.strip.x;
  const place = { x, y: layout.height - 11, right: layout.width - 8 };
  return footItems([said, ...(layout.compact ? [] : more)], layout.width > 1040 ? caption : "", place, theme);
}

/** Items under and over the lines, for a step. @param {CircuitParts} parts @param {number} step @returns {Layers} */
export function surroundings(parts, step) {
  return {
    frame: frameItems(parts, step),
    overlay: [
      ...dotItems(parts),
      ...nameItems(parts),
      ...stripItems(parts),
      ...endItems(parts),
      ...leaderItems(parts, step),
      ...footOf(parts),
    ],
  };
}

/** Connections of what is pointed at, with their columns. @type {(parts: CircuitParts, target: Target) => [number, Connection][]} */
function connectionsOf({ view, into }, target) {
  if (target.token !== undefined)
    return view.readersOf(target.token, FEW).map(([to, weight]) => [0, { from: target.token, to, weight }]);
  const { step, unit } = target;
  /** @type {[number, Connection][]} */
  const found =
    step > 0 ? view.senders(step, unit, FEW).map(([from, weight]) => [step, { from, to: unit, weight }]) : [];
  for (const [to, weight] of view.receivers(step, unit, FEW)) found.push([step + 1, { from: unit, to, weight }]);
  if (step === view.steps.length - 1 && view.readOut)
    found.push([into.length - 1, { from: unit, to: -1, weight: view.readOut[unit] }]);
  if (step === 0) for (const [from, weight] of view.looks(unit, FEW)) found.push([0, { from, to: unit, weight }]);
  return found;
}

/** @param {CircuitParts} parts @param {Target} target */
export function highlight(parts, target) {
  const { view, layout, theme } = parts;
  const found = connectionsOf(parts, target).reverse();
  const items = found.map(([column, each]) => lineOf(parts, column, each, { wider: 0.8, opacity: 0.95 }));
  /** @param {number} step @param {number} unit @param {number} [weight] @returns {TextItem} */
  const label = (step, unit, weight) => {
    const at = { x: layout.columns[step] + 10, y: layout.y(unit) + 3.5 };
    const look = { size: 10.5, weight: weight === undefined ? 700 : 500 };
    const said = weight === undefined ? "" : "  " + percent(weight);
    const text = nameFrom(view.units[unit], at.x, parts, { ...look, said });
    return { shape: "text", ...at, text, ...look, fill: theme.ink, halo: theme.surface };
  };
  if (target.unit !== undefined) {
    const { step, unit } = target;
    const place = { cx: layout.columns[step], cy: layout.y(unit) };
    items.push({ shape: "circle", ...place, r: parts.radius(step, unit) + 3, stroke: theme.ink, width: 1.5 });
    items.push(label(step, unit));
    const ends = found.filter(([column, each]) => column > 0 && each.to >= 0).slice(-2 * FEW);
    for (const [column, each] of spaced(ends, layout, step))
      items.push(label(column === step ? column - 1 : column, column === step ? each.from : each.to, each.weight));
  } else for (const [, each] of spaced(found, layout, null)) items.push(label(0, each.to, each.weight));
  return items;
}

/** Of connections with ends close together only the stronger is named. @type {(found: [number, Connection][], layout: Layout, step: number | null) => [number, Connection][]} */
function spaced(found, layout, step) {
  /** @type {{side: "from" | "to", y: number}[]} */
  const taken = [];
  return [...found]
    .sort((a, b) => b[1].weight - a[1].weight)
    .filter(([column, each]) => {
      const side = column === step ? "from" : "to";
      const y = layout.y(each[side]);
      if (taken.some((other) => other.side === side && Math.abs(other.y - y) < 11)) return false;
      taken.push({ side, y });
      return true;
    });
}

/* -- playing and pointing -------------------------------------------------------------------------------------------- */

const NEAR = 7; // pixels around a dot that count as pointing at it
const TRAVELLING = 60; // strongest messages that are seen to travel while it plays

/** The front while it plays: 0 at the tokens, n at the n-th step. @param {CircuitParts} parts @param {number} time */
export function frontAt({ layout }, time) {
  const stops = [layout.strip.x + layout.strip.width, ...layout.columns, layout.end.x];
  const before = Math.min(Math.floor(time), stops.length - 2);
  return stops[before] + (stops[before + 1] - stops[before]) * Math.min(1, time - before);
}

/** @param {CircuitParts} parts @param {number} time @returns {Item[]} */
export function travellers(parts, time) {
  const { view, layout, theme, shown } = parts;
  const column = Math.min(Math.floor(time), view.steps.length);
  return view.strongest(column, Math.min(shown, TRAVELLING)).map((each) => {
    const [from, to] = endsOf(layout, column, each);
    const { x, y } = curveAt(from, to, Math.min(1, time - column));
    const r = 1.6 + 1.8 * (each.weight / parts.scale[column]);
    return { shape: "circle", cx: x, cy: y, r, fill: theme.marker, stroke: theme.surface, width: 0.8 };
  });
}

/** A token's entry, or the dot nearest to a place of the picture. @type {(parts: CircuitParts, x: number, y: number) => Target | null} */
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
  `Columns are ${steps.length} ${sortOf(steps)}s, dots ${units.length} modules sized by the attention that the next column ` +
  "pays to them, lines messages from sender to receiver, as wide as the receiver's attention, averaged over heads; at the " +
  `left what modules read of ${tokens.length} tokens, at the right what the output reads of modules.`;

export const linesOver = true;

export { pointed } from "rs/pages/paths/state.js";
