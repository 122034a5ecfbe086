/* The maps of many sentences, by the circuits that they design and by the text encoder: asked for as a job, PCA first and
   then the chosen method; and where the pinned sentences land on them. */
import { PointIndex } from "rs/draw/index.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import * as typePoints from "rs/lib/points.js";
import { makeStore } from "rs/lib/store.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { PageState, Refusal, SentenceLayout, Which } from "rs/pages/circuits/types.d.ts" */

export const KEYS = ["sentence-pca", "sentence-map"];
export const DEFAULT_SET = "scenes";

/**
 * @typedef {object} State
 * @property {"none" | "loading" | "ready" | "failed" | "stopped"} status
 * @property {Refusal | null} problem
 * @property {Schemas["SentenceMap"] | null} info
 * @property {Record<Which, SentenceLayout> | null} layouts
 * @property {Map<string, Schemas["Place"]>} places of pinned sentences
 * @property {boolean} waiting whether a better map is on its way
 */

/** @returns {State} */
const fresh = () => ({
  status: "none",
  problem: null,
  info: null,
  layouts: null,
  places: new Map(),
  waiting: false,
});
const { state, update, subscribe } = makeStore(fresh());
let [turn, placing] = [0, 0];
const stops = /** @type {Disposer[]} */ ([]);

export { subscribe };

/**
 * @param {PageState} page
 * @param {PageState["method"]} [as]
 */
const bodyOf = ({ model, set, method, perplexity, seed }, as) => ({
  model,
  set: set || DEFAULT_SET,
  method: as || method,
  perplexity: (as || method) === "tsne" ? perplexity : 30, // PCA has none: any other would be another request
  seed,
});

/**
 * @param {Schemas["SentenceMap"]["xy"]} xy
 * @returns {SentenceLayout}
 */
function layoutOf(xy) {
  const { places, halves } = typePoints.normaliser(Float64Array.from(xy.flat()), []);
  return { places: places(Float64Array.from(xy.flat())), halves, place: (at) => places(Float64Array.from(at)) };
}

/**
 * @param {string} id
 * @param {number} mine
 * @param {boolean} isBetter
 */
async function bring(id, mine, isBetter) {
  try {
    /** @type {Schemas["SentenceMap"]} */
    const info = await api.send("GET", "/sentence-maps/" + encodeURIComponent(id));
    if (mine !== turn || (!isBetter && !state.waiting)) return;
    const layouts = { circuits: layoutOf(info.xy), text: layoutOf(info.text_xy) };
    update({ info, layouts, places: new Map(), status: "ready", problem: null, waiting: !isBetter });
    place();
  } catch (problem) {
    if (mine === turn) ends("failed", /** @type {api.Problem} */ (problem));
  }
}

/**
 * @param {"failed" | "stopped"} status
 * @param {Refusal | null} problem
 */
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

/**
 * @param {string} key
 * @param {object} body
 * @param {number} mine
 * @param {boolean} isBetter
 * @param {() => void} over
 */
function run(key, body, mine, isBetter, over) {
  /** @param {string} id */
  const done = (id) => {
    over();
    if (mine === turn) bring(id, mine, isBetter);
  };
  /**
   * @param {"failed" | "stopped"} status
   * @returns {(problem?: Refusal | null) => void}
   */
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
    await /** @type {Promise<void>} */ (new Promise((over) => run(KEYS[0], bodyOf(page, "pca"), mine, false, over)));
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
    /** @type {Schemas["Places"]} */
    const found = await api.send("POST", path, { sentences: missing });
    if (state.info !== info) return;
    const next = new Map(state.places);
    found.places.forEach((each, at) => next.set(missing[at], each));
    update({ places: next });
  } catch (error) {
    const problem = /** @type {api.Problem} */ (error);
    if (mine === placing && state.info === info)
      api.notify(problem.title || "No place on the map", problem.message, "bad");
  }
}

/**
 * Whether a sentence of the map is shown: its kind and its object are not filtered away.
 *
 * @param {Schemas["MapPoint"]} point
 */
export function shows(point) {
  const { kinds, objects } = circuitsState.get();
  return (
    (!kinds.length || kinds.includes(point.kind)) &&
    (!objects.length || objects.includes(/** @type {string} */ (point.object)))
  );
}

/** Sentences inside the lasso, by their places in `points`. */
export function chosen() {
  const { info, layouts } = state;
  const { lasso } = circuitsState.get();
  if (!info || !layouts || !lasso) return [];
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
