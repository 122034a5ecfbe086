/* The state of the Types page in this browser: the maps that are shown, the step, colours, what is pointed at and chosen.
   Widgets subscribe to it; pages/types/jobs.js hands it maps. */
import { PointIndex, simplified } from "rs/draw/index.js";
import { makeStore } from "rs/lib/store.js";
import { readTheme } from "rs/lib/theme.js";
import * as typeColours from "rs/pages/types/colours.js";

/** @import { Place } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { ColourName, Colouring, TypesState, Which } from "rs/pages/types/types.d.ts" */

const MOST_COLOURS = 12; // of units, that can be told apart
const MOST_CORNERS = 64; // of a lasso
export const WHOLE = { x: 0, y: 0, zoom: 1 };
/** @returns {TypesState} */
const fresh = () => ({
  status: "loading", // loading, ready, failed, stopped (cancelled before there was anything)
  problem: null,
  model: null, // what the API says of the model
  sets: [], // the data sets there are
  graph: null, // the API's Graph of a model with links
  request: null, // what the maps are asked for
  maps: { trained: null, initial: null }, // TypePoints
  stale: false, // whether the map is that of an earlier request
  waiting: { trained: false, initial: false }, // whether a better map is on its way
  compare: false,
  layout: "map", // "map", or "pca": the twin
  share: null, // while one layout turns into the other: 0 at pca, 1 at map
  step: 0,
  allSteps: false,
  time: null, // while it plays: steps, with fractions
  playing: false,
  colour: "unit",
  coloured: false, // whether somebody chose this colour; else it follows the model
  hidden: new Set(), // categories of the colour, by index
  hover: null, // {which, point}
  chosen: null, // {which, map, layout, step, polygon, tracks: Set, points}; step null: drawn over all steps
  tool: "move", // or "lasso"
  sample: null, // id of the sample that the frame's picker holds
  view: { ...WHOLE },
});
export const { state, update, subscribe } = makeStore(fresh());

export const reset = () => update(fresh());

/**
 * Whether a point is drawn: at the step, and not of a hidden category.
 *
 * @param {TypePoints} points
 * @param {Colouring} colouring
 * @param {number} point
 */
export function shows(points, colouring, point) {
  return (state.allSteps || points.step[point] === state.step) && !state.hidden.has(colouring.of[point]);
}

/** @type {WeakMap<TypePoints, Colouring & {key: string}>} */
const colourings = new WeakMap(); // TypePoints -> the last colouring of them

/**
 * The colouring of a map as it is chosen; counts are of the points at the step.
 *
 * @param {TypePoints} points
 * @returns {Colouring}
 */
export function colouringOf(points) {
  const theme = readTheme();
  const key = [state.colour, state.allSteps ? "all" : state.step, theme.surface, Boolean(state.graph)].join(" ");
  const last = colourings.get(points);
  if (last && last.key === key) return last;
  const shown = (/** @type {number} */ point) => state.allSteps || points.step[point] === state.step;
  const found = { ...typeColours.colouring(points, state.colour, theme, shown, state.graph), key };
  colourings.set(points, found);
  return found;
}

/** @param {number} step */
export function goTo(step) {
  const points = state.maps.trained;
  if (!points) return;
  const last = points.steps.length - 1;
  update({ step: Math.max(0, Math.min(last, step)), time: null, playing: false, allSteps: false, hover: null });
}

/**
 * Colours by something else; everything is shown again.
 *
 * @param {ColourName} colour
 */
export function colourBy(colour) {
  if (!typeColours.BY[colour]) return;
  if (colour !== state.colour) update({ colour, coloured: true, hidden: new Set() });
}

/** Until somebody chooses a colour: communities, where there are more units than colours that tell apart. */
export function colourByDefault() {
  const points = state.maps.trained;
  if (state.coloured || !points) return;
  const many = points.units.length > MOST_COLOURS && typeColours.choices(points, state.graph, state.model).community;
  const colour = many ? "community" : "unit";
  if (colour !== state.colour) update({ colour, hidden: new Set() });
}

/** @param {number} index */
export function toggleCategory(index) {
  const hidden = new Set(state.hidden);
  if (!hidden.delete(index)) hidden.add(index);
  update({ hidden });
}

/**
 * Shows one category alone, or all again when it is alone already.
 *
 * @param {number} index
 * @param {number[]} all
 */
export function isolate(index, all) {
  const others = all.filter((other) => other !== index);
  const alone = !state.hidden.has(index) && others.every((other) => state.hidden.has(other));
  update({ hidden: new Set(alone ? [] : others) });
}

/**
 * @param {Which} which
 * @param {number} at
 */
export function point(which, at) {
  const next = at >= 0 ? { which, point: at } : null;
  const { hover } = state;
  if (hover === next || (hover && next && hover.which === which && hover.point === at)) return;
  update({ hover: next });
}

/**
 * The same track in another of the maps, or -1.
 *
 * @param {Which} which
 * @param {Which} from
 * @param {number} track
 */
export function trackIn(which, from, track) {
  if (which === from) return track;
  const [points, other] = [state.maps[from], state.maps[which]];
  if (!points || !other) return -1;
  const tokens = points.tokens.length;
  return other.trackNamed(points.samples[Math.floor(track / tokens)], points.tokens[track % tokens].name);
}

/**
 * Chooses what lies inside a polygon (map units) of map `which`, of the points that are drawn; null for nothing.
 *
 * @param {Which | null} which
 * @param {Place[] | null} polygon
 */
export function choose(which, polygon) {
  const points = which && state.maps[which];
  if (!which || !polygon || !points) {
    update({ chosen: null });
    return;
  }
  const corners = simplified(polygon, MOST_CORNERS);
  const layout = points.layouts[points.info.method === "pca" ? "map" : state.layout];
  const colouring = colouringOf(points);
  const drawn = points.order.filter((point) => shows(points, colouring, point));
  const found = new PointIndex(layout.places, drawn).inside(corners);
  const tracks = new Set(found.map((point) => points.track[point]));
  const step = state.allSteps ? null : state.step;
  update({
    chosen: { which, step, layout: state.layout, map: points.id, polygon: corners, tracks, points: found },
    hover: null,
  });
}

/** Points that are chosen at the step that is shown, or all that were when all steps are. */
export function chosenPoints() {
  const { chosen } = state;
  const points = chosen && state.maps[chosen.which];
  if (!points) return [];
  if (state.allSteps && chosen.step === null) return Array.from(chosen.points);
  const steps = state.allSteps ? points.steps.map((_, index) => index) : [state.step];
  return steps
    .flatMap((step) => [...chosen.tracks].map((track) => points.pointOf[step][track]))
    .filter((at) => at >= 0);
}
