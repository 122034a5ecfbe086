/* The maps of many sentences, by the circuits that they design and by the text encoder: asked for as a job, PCA first and
   then the chosen method; and where the pinned sentences land on them. */
import { PointIndex } from "rs/draw/index.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import * as typePoints from "rs/lib/points.js";
import * as circuitsState from "rs/pages/circuits/state.js";

export const KEYS = ["sentence-pca", "sentence-map"];
export const DEFAULT_SET = "scenes";
const listeners = new Set();
const fresh = () => ({
  status: "none", // none, loading, ready, failed, stopped
  problem: null,
  info: null, // the API's SentenceMap
  layouts: null, // {circuits, text}: {places, halves, place(xy)}
  places: new Map(), // of pinned sentences: {xy, text_xy, nearest, text_nearest}
  waiting: false, // whether a better map is on its way
});
const state = fresh();
let [turn, placing] = [0, 0];
const stops = [];

function update(changes) {
  Object.assign(state, changes);
  const names = new Set(Object.keys(changes));
  listeners.forEach((listener) => listener(state, names));
}

/** Calls `listener(state, changedNames)` now and after every change; returns a function that ends this. */
export function subscribe(listener) {
  listeners.add(listener);
  listener(state, new Set(Object.keys(state)));
  return () => listeners.delete(listener);
}

const bodyOf = ({ model, set, method, perplexity, seed }, as) => ({
  model,
  set: set || DEFAULT_SET,
  method: as || method,
  perplexity: (as || method) === "tsne" ? perplexity : 30, // PCA has none: any other would be another request
  seed,
});

function layoutOf(xy) {
  const { places, halves } = typePoints.normaliser(Float64Array.from(xy.flat()), []);
  return { places: places(Float64Array.from(xy.flat())), halves, place: (at) => places(Float64Array.from(at)) };
}

async function bring(id, mine, isBetter) {
  try {
    const info = await api.send("GET", "/sentence-maps/" + encodeURIComponent(id));
    if (mine !== turn || (!isBetter && !state.waiting)) return;
    info.kindOf = indices(info.points, "kind", info.kinds);
    info.objectOf = indices(info.points, "object", info.objects);
    const layouts = { circuits: layoutOf(info.xy), text: layoutOf(info.text_xy) };
    update({ info, layouts, places: new Map(), status: "ready", problem: null, waiting: !isBetter });
    place();
  } catch (problem) {
    if (mine === turn) ends("failed", problem);
  }
}

function indices(points, column, names) {
  const place = new Map(names.map((name, at) => [name, at]));
  return Int32Array.from(points, (point) => (place.has(point[column]) ? place.get(point[column]) : names.length));
}

function ends(status, problem) {
  if (state.info) {
    update({ waiting: false });
    if (problem) api.notify(problem.title || "No map", problem.message, "bad");
  } else update({ status, problem, waiting: false });
}

const giveUp = () => {
  stops.splice(0).forEach((stop) => stop());
  KEYS.forEach((key) => jobs.release(key));
};

function run(key, body, mine, isBetter, over) {
  const done = (id) => {
    over();
    if (mine === turn) bring(id, mine, isBetter);
  };
  const fails = (status) => (problem) => {
    over();
    if (mine === turn && isBetter) ends(status, problem || null);
  };
  const handlers = {
    done,
    cancelled: fails("stopped"),
    failed: fails("failed"),
    goesOn: () =>
      mine === turn && update({ waiting: true, ...(state.info ? {} : { status: "loading", problem: null }) }),
  };
  stops.push(jobs.run(key, "/sentence-maps", body, handlers).stop);
}

/** Asks for the maps of what is chosen; an earlier request that is still computed is given up. */
async function ask() {
  const page = circuitsState.get();
  const mine = (turn += 1);
  giveUp();
  const keeps = state.info && state.info.model === page.model && state.info.set === (page.set || DEFAULT_SET);
  update(keeps ? { waiting: true, problem: null } : { ...fresh(), status: "loading", waiting: true });
  if (page.method !== "pca") {
    // PCA is quick; if it fails, the second job says what is wrong with the request.
    await new Promise((over) => run(KEYS[0], bodyOf(page, "pca"), mine, false, over));
    if (mine !== turn) return;
  }
  run(KEYS[1], bodyOf(page), mine, true, () => {});
}

/* -- where the pinned sentences land ----------------------------------------------------------------------------- */

/** Places the pinned sentences that the map does not have yet. */
async function place() {
  const { info, places } = state;
  const { sentences } = circuitsState.get();
  const missing = sentences.filter((sentence) => !places.has(sentence));
  if (!info || !missing.length) return;
  const mine = (placing += 1);
  try {
    const path = "/sentence-maps/" + encodeURIComponent(info.id) + "/places";
    const found = await api.send("POST", path, { sentences: missing });
    if (state.info !== info) return;
    const next = new Map(state.places);
    found.places.forEach((each, at) => next.set(missing[at], each));
    update({ places: next });
  } catch (problem) {
    if (mine === placing && state.info === info)
      api.notify(problem.title || "No place on the map", problem.message, "bad");
  }
}

/** Whether a sentence of the map is shown: its kind and its object are not filtered away. */
export function shows(point) {
  const { kinds, objects } = circuitsState.get();
  return (!kinds.length || kinds.includes(point.kind)) && (!objects.length || objects.includes(point.object));
}

/** Sentences inside the lasso, by their places in `points`. */
export function chosen() {
  const { info, layouts } = state;
  const { lasso } = circuitsState.get();
  if (!info || !lasso) return [];
  const drawn = Int32Array.from(info.points.keys()).filter((at) => shows(info.points[at]));
  return Array.from(new PointIndex(layouts[lasso.which].places, drawn).inside(lasso.polygon));
}

/* -- following the page ------------------------------------------------------------------------------------------ */

const ASKS = ["status", "set", "method", "perplexity", "seed"];

export function start() {
  const end = circuitsState.subscribe((page, names) => {
    if (page.status !== "ready") {
      if (names.has("status")) leave();
    } else if (ASKS.some((name) => names.has(name))) ask();
    else if (names.has("sentences")) place();
  });
  return () => {
    end();
    leave();
  };
}

function leave() {
  turn += 1;
  giveUp();
  update(fresh());
}

export const get = () => state;

export { ask as again };
