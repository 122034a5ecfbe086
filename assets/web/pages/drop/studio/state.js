/* The state of the pruning studio: in which order experts go, how many each layer keeps, and what a job found of it. */
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { makeStore } from "rs/lib/store.js";
import * as drop from "rs/pages/drop/state.js";
import * as keep from "rs/pages/drop/studio/keep.js";

/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */
/** @import { Layer, Way } from "rs/pages/drop/studio/keep.js" */

/** @typedef {Schemas["Pruning"]} Pruning */
/** @typedef {Schemas["PruningRequest"]["order"]} Order */

export const JOB = "pruning";
export const POINTS = 8; // of a curve
const HELD = 64 * 1024 * 1024; // bytes of a file that goes through the page
const OFTEN = 700; // milliseconds between two looks at what is known of a job that runs
const RECENT = 20; // jobs among which one of this page is looked for

const { state, update, subscribe } = makeStore({
  model: /** @type {string | null} */ (null),
  layers: /** @type {Layer[]} */ ([]),
  order: /** @type {Order} */ ("weight"),
  way: /** @type {Way} */ ("alike"),
  samples: 128,
  draws: 8,
  counts: /** @type {number[]} */ ([]),
  /** The order, as far as it is known: of which request, its units, and where each goes in its layer. */
  known: /** @type {{of: string, sequence: string[], places: Int32Array[]} | null} */ (null),
  found: /** @type {Pruning | null} */ (null),
  said: "", // why the last keep-list or model could not be had
  writes: false, // whether a model is being written
});

/** What is asked for with the controls as they are. */
export function request() {
  const { model, order, way, samples, draws, layers } = state;
  const scope = way === "together" ? "all" : "layer";
  const at_once = keep.atOnceOf(order, layers, samples);
  return { model, data: drop.measured(), samples, order, scope, at_once, points: POINTS, draws, seed: 0 };
}

/** What an order depends on: not what its curves are. */
function orderText() {
  const { model, data, samples, order, at_once: atOnce, seed } = request();
  return JSON.stringify({ model, data, samples, order, atOnce, seed });
}

/** The order of what is chosen; by weight, until it was computed, as the grid of the page observed it. */
export function sequence() {
  const { known, order } = state;
  const own = known && known.of === orderText() ? known : null;
  if (own) return { ...own, preliminary: false };
  const { use } = drop.state;
  if (order !== "weight" || !use) return null;
  return { ...byWeight(use), of: "", preliminary: true };
}

/** @type {{use: Schemas["Use"], layers: Layer[], sequence: string[], places: Int32Array[]} | null} */
let last = null; // as dragging asks again and again

/** The order by weight as the page observed it. @param {Schemas["Use"]} use */
function byWeight(use) {
  const { layers } = state;
  if (last?.use === use && last.layers === layers) return last;
  const sequence = keep.leastUsed(use);
  return (last = { use, layers, sequence, places: keep.placesOf(layers, sequence) });
}

/** Names of the experts that go; none where the order is not known yet. */
export function going() {
  const order = sequence();
  return order ? keep.goingOf(state.layers, order.places, state.counts) : [];
}

/** How many experts stay, of how many. */
export function total() {
  const stay = state.counts.reduce((sum, each) => sum + each, 0);
  return { stay, whole: state.layers.reduce((sum, layer) => sum + layer.experts, 0) };
}

/**
 * A layer keeps another number; others follow, by how layers share what goes.
 *
 * @param {number} at @param {number} count
 */
export function move(at, count) {
  const { way, layers, counts } = state;
  update({ counts: keep.moved(way, layers, sequence()?.sequence ?? [], counts, at, count), said: "" });
}

/**
 * So many stay of all layers, shared as it is chosen; where each has its own, all get the same share.
 *
 * @param {number} stay
 */
export function moveAll(stay) {
  const { way, layers } = state;
  const order = sequence()?.sequence ?? [];
  const counts = way === "together" ? keep.together(layers, order, stay) : keep.alike(layers, stay / total().whole);
  update({ counts, said: "" });
}

/** Nothing goes. */
export const restore = () => update({ counts: keep.wholeOf(state.layers), said: "" });

/**
 * Another order, other layers, samples or random sets: what was measured of others is shown no longer.
 *
 * @param {Partial<Pick<typeof state, "order" | "way" | "samples" | "draws">>} changes
 */
export function choose(changes) {
  const before = JSON.stringify(request());
  update({ ...changes, said: "" });
  if (state.way !== "own") regroup();
  if (JSON.stringify(request()) === before) return;
  if (state.found) update({ found: null });
  jobs.release(JOB);
}

/** As many experts stay, shared by layers as it is chosen. */
function regroup() {
  const { way, layers } = state;
  const { stay, whole } = total();
  if (!whole) return;
  const order = sequence()?.sequence ?? [];
  update({ counts: way === "alike" ? keep.alike(layers, stay / whole) : keep.together(layers, order, stay) });
}

export const begin = () => jobs.start(JOB, "/prunings", request());

/** Puts what goes into the interventions of the page, which measures it. */
export function apply() {
  drop.choose({ kind: "drop", units: going(), least: 0, top_k: null });
}

/** Whether the page has left out exactly what goes here. */
export function applied() {
  const gone = going();
  const { choice } = drop.state;
  const out = choice.kind === "drop" && choice.top_k === null ? drop.leftOut() : [];
  return gone.length > 0 && gone.length === out.length && gone.every((unit, at) => unit === out[at]);
}

/** @param {string} what */
const fileOf = (what) =>
  "/prunings/" + encodeURIComponent(state.found?.id ?? "") + "/" + what + "?keep=" + state.counts.join(",");

/** The keep-list of what is kept now. Says why where there is none. @returns {Promise<Blob | null>} */
export async function keepList() {
  if (!state.found) return null;
  update({ said: "" });
  try {
    return await (await api.request(fileOf("keep-list"))).blob();
  } catch (problem) {
    update({ said: /** @type {api.Problem} */ (problem).message });
    return null;
  }
}

/**
 * The model with what is kept now: all of it, or where it is large its address, from which the browser saves it. Says why
 * where there is none.
 *
 * @returns {Promise<Blob | string | null>}
 */
export async function model() {
  if (!state.found || state.writes) return null;
  const path = fileOf("model");
  update({ said: "", writes: true });
  try {
    const response = await api.request(path);
    const bytes = Number(response.headers.get("Content-Length") ?? Infinity);
    if (bytes <= HELD) return await response.blob();
    await response.body?.cancel();
    return api.BASE + path;
  } catch (problem) {
    update({ said: /** @type {api.Problem} */ (problem).message });
    return null;
  } finally {
    update({ writes: false });
  }
}

/* -- following ------------------------------------------------------------------------------------------------ */

let looked = 0;

/**
 * Reads what is known of a job: all of it once it is done, and what there is so far while it runs.
 *
 * @param {JobEntry} entry
 */
async function hear({ job }) {
  if (!job || !["running", "done"].includes(job.state) || !state.model) return;
  const running = job.state === "running";
  if (running && (!job.total || performance.now() - looked < OFTEN)) return; // nothing is known before the first step
  if (!running && state.found?.id === job.id && state.found.complete) return;
  looked = performance.now();
  /** @type {Pruning | null} */
  const found = await api.send("GET", "/prunings/" + encodeURIComponent(job.id)).catch(() => null); // not known yet
  if (!found || jobs.state(JOB).job?.id !== job.id || found.model !== state.model) return;
  if (state.found?.id === found.id && isBehind(found, state.found)) return;
  if (found.sequence.length) {
    const of = orderText();
    const known = state.known?.of === of ? state.known : { of, sequence: found.sequence, places: keep.placesOf(state.layers, found.sequence) }; // prettier-ignore
    update({ known, found });
    if (state.way === "together") regroup();
  }
}

/**
 * Whether an answer was overtaken by another one, which knows more of the same job.
 *
 * @param {Pruning} found @param {Pruning} before
 */
export const isBehind = (found, before) =>
  before.complete || (!found.complete && found.curve.length < before.curve.length);

/** The numbers by layer that the page has, where it drops experts. @param {Layer[]} layers */
function countsOf(layers) {
  const { choice } = drop.state;
  const out = new Set(choice.kind === "drop" ? drop.leftOut() : []);
  return layers.map((layer) => {
    let stay = 0;
    for (let e = 1; e <= layer.experts; e += 1) if (!out.has(layer.name + ".e" + e)) stay += 1;
    return Math.max(stay, keep.leastOf(layer));
  });
}

/** Whether layers keep different shares. @param {Layer[]} layers @param {number[]} counts */
function isUneven(layers, counts) {
  const even = keep.alike(layers, counts[0] / layers[0].experts);
  return counts.some((count, at) => count !== even[at]);
}

/** Looks for a job of this model that this browser asked for before: after a reload it goes on here. */
async function findAgain() {
  const { model } = state;
  /** @type {Schemas["Jobs"] | null} */
  const listed = await api.send("GET", "/jobs?kind=" + JOB + "&limit=" + RECENT).catch(() => null);
  if (!listed || state.model !== model || jobs.state(JOB).job || jobs.state(JOB).starting) return;
  const data = JSON.stringify(drop.measured());
  const own = listed.items.find(
    ({ state: stage, owner, request: asked }) =>
      ["running", "queued", "done"].includes(stage) && owner !== "another" && asked.model === model && JSON.stringify(asked.data) === data && !asked.keep && asked.points === POINTS, // prettier-ignore
  );
  if (!own) return;
  const asked = /** @type {Schemas["PruningRequest"]} */ (/** @type {unknown} */ (own.request));
  const { order, scope, samples, draws } = asked;
  const way = scope === "all" ? "together" : isUneven(state.layers, state.counts) ? "own" : "alike";
  update({ order, way, samples, draws });
  const now = /** @type {Record<string, unknown>} */ (request());
  const same = Object.keys(now).every((name) => JSON.stringify(now[name]) === JSON.stringify(own.request[name]));
  if (same) begin();
}

let measured = ""; // the data sets that were measured last
let opening = false; // whether the page's choice of a new model is still to come

/** Follows the page's model and data sets, and the job; returns what ends it. */
export function follow() {
  const ends = [
    jobs.subscribe(JOB, (entry) => void hear(entry)),
    drop.subscribe(({ model }, names) => {
      if (!names.has("model") && !names.has("choice")) return;
      const layers = model?.layers ?? [];
      const id = model && layers.length ? model.id : null;
      if (id !== state.model) {
        if (state.model) jobs.release(JOB);
        measured = JSON.stringify(drop.measured());
        opening = true;
        update({ model: id, layers, counts: countsOf(layers), known: null, found: null, said: "" });
      }
      if (!id || !names.has("choice")) return;
      if (opening) {
        opening = false; // what the address says is known from here on
        const counts = countsOf(layers);
        update({ counts, way: isUneven(layers, counts) ? "own" : "alike" });
        void findAgain();
        return;
      }
      const now = JSON.stringify(drop.measured());
      if (now === measured) return;
      measured = now;
      if (state.found || jobs.state(JOB).job) jobs.release(JOB);
      update({ found: null });
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    jobs.forget(JOB);
    update({ model: null, layers: [], counts: [], known: null, found: null, said: "" });
  };
}

export { state, subscribe, update };
