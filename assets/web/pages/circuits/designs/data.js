/* The circuits of the pinned sentences: asked for when sentences change, compared here when the threshold does. */
import { say } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as graphData from "rs/lib/graph.js";
import { makeStore } from "rs/lib/store.js";
import * as designLinks from "rs/pages/circuits/designs/links.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Circuits, Compared, PageState } from "rs/pages/circuits/types.d.ts" */

const KEPT = 12; // answers at hand
const PAUSE = 30; // milliseconds
const QUOTED = 60; // characters of a sentence that is not pinned, where that is said
const STEPS = 1000; // of a slider of thresholds
/** @type {Map<string, Promise<Circuits>>} */
const answers = new Map(); // of (model, sentences)
/**
 * @typedef {object} State
 * @property {"none" | "loading" | "ready" | "failed"} status
 * @property {{title: string, detail: string} | null} problem
 * @property {Circuits | null} data what is drawn
 * @property {Compared[]} compared
 * @property {Uint8Array} dropped
 */
const { state, update, subscribe } = makeStore(
  /** @type {State} */ ({ status: "none", problem: null, data: null, compared: [], dropped: new Uint8Array(0) }),
);
let [wanted, timer] = ["", 0];

export { subscribe };

/* -- asking --------------------------------------------------------------------------------------------------- */

/**
 * @param {string} model
 * @param {string[]} sentences
 */
async function read(model, sentences) {
  const path = "/models/" + encodeURIComponent(model) + "/designs";
  const body = { sentences };
  const [info, links] = await Promise.all([
    /** @type {Promise<Schemas["Designs"]>} */ (api.send("POST", path, body)),
    api.request(path + "/links", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    }),
  ]);
  return arranged(info, new Float32Array(await links.arrayBuffer()));
}

/**
 * Thresholds that a slider goes through, so that its steps take away alike many links: 0, quantiles, 1.
 *
 * @param {Float32Array} lower
 */
function scaleOf(lower) {
  const sorted = Float32Array.from(lower).sort();
  const inner = Array.from({ length: STEPS - 1 }, (_, at) => sorted[Math.floor(((at + 1) / STEPS) * sorted.length)]);
  return [0, ...inner.map((p) => Math.round(1e4 * p) / 1e4), 1];
}

/**
 * What pictures and tables need of an answer.
 *
 * @param {Schemas["Designs"]} info
 * @param {Float32Array} lower
 * @returns {Circuits}
 */
function arranged(info, lower) {
  const units = info.units.length;
  const pairs = designLinks.pairsOf(units);
  if (lower.length !== info.designs.length * pairs.count)
    throw new api.Problem(0, "Incomplete answer", "The circuits arrived incomplete. Load the page again.");
  const p = info.designs.map((_, at) => lower.subarray(at * pairs.count, (at + 1) * pairs.count));
  return {
    ...info,
    count: units,
    scale: scaleOf(lower),
    place: new Map(info.units.map((unit, at) => [unit, at])),
    pairs,
    p,
    edges: p.map((each) => designLinks.edgesOf(pairs, each, p[0])),
    sizes: designLinks.sizesOf(info.designs.map((design) => design.connectivity)),
    ...graphData.placesOf(info.layout),
  };
}

/**
 * The median of a circuit's link probabilities: half of its links are above it, however dense it is.
 *
 * @param {Float32Array} p
 */
function median(p) {
  const sorted = Float32Array.from(p).sort();
  return sorted.length ? Math.round(1000 * sorted[sorted.length >> 1]) / 1000 : 0.5;
}

/**
 * @param {string} model
 * @param {string[]} sentences
 */
function load(model, sentences) {
  const key = JSON.stringify([model, sentences]);
  const kept = answers.get(key);
  if (kept) return kept;
  const promise = read(model, sentences);
  promise.catch(() => answers.delete(key));
  answers.set(key, promise);
  if (answers.size > KEPT) answers.delete(/** @type {string} */ (answers.keys().next().value));
  return promise;
}

/**
 * Why a model does not read a sentence; null where it does.
 *
 * @param {string} model
 * @param {string} sentence
 * @returns {Promise<api.Problem | null>}
 */
export async function refusal(model, sentence) {
  try {
    await api.send("POST", "/models/" + encodeURIComponent(model) + "/designs", { sentences: [sentence] });
    return null;
  } catch (problem) {
    return /** @type {api.Problem} */ (problem);
  }
}

/**
 * Takes sentences that the model does not read away from those that it reads, and says so; gives whether there were any.
 *
 * @param {string} model
 * @param {string[]} sentences
 */
async function withoutUnread(model, sentences) {
  const found = await Promise.all(sentences.map((each) => refusal(model, each)));
  const unread = sentences.filter((_, at) => refused(found[at]));
  if (!unread.length || wanted !== JSON.stringify([model, sentences])) return unread.length > 0;
  sentences.forEach((each, at) => {
    if (refused(found[at])) say(`"${shortened(each)}" is not pinned: ${found[at]?.message}`);
  });
  circuitsState.withoutUnread(unread);
  return JSON.stringify(circuitsState.get().sentences) !== JSON.stringify(sentences);
}

/** @param {api.Problem | null} problem */
const refused = (problem) => problem?.status === 422;
/** @param {string} text */
const shortened = (text) => (text.length > QUOTED ? text.slice(0, QUOTED) + "..." : text);

/** @param {PageState} page */
async function ask(page) {
  const { model, sentences } = page;
  const mine = (wanted = JSON.stringify([model, sentences]));
  update({ status: "loading", problem: null });
  try {
    const data = await load(/** @type {string} */ (model), sentences);
    if (mine !== wanted) return;
    const choice = circuitsState;
    if (choice.get().threshold === null) choice.set({ threshold: median(data.p[0]) });
    update({ data, status: "ready", ...comparedOf(data, choice.get()) });
  } catch (problem) {
    if (mine !== wanted) return;
    const found = /** @type {api.Problem} */ (problem);
    if (refused(found) && (await withoutUnread(/** @type {string} */ (model), sentences))) return;
    if (mine !== wanted) return;
    const { title = "No circuits", message: detail } = found;
    update({ status: "failed", problem: { title, detail } });
  }
}

/* -- comparing ------------------------------------------------------------------------------------------------ */

/**
 * What the threshold and the intervention leave of every circuit.
 *
 * @param {Circuits} data
 * @param {Pick<Choice, "threshold" | "drop" | "keep_edges" | "links">} choice
 */
function comparedOf(data, { threshold, drop, keep_edges: keep, links }) {
  const dropped = new Uint8Array(data.count);
  for (const name of drop) {
    const place = data.place.get(name);
    if (place !== undefined) dropped[place] = 1;
  }
  const bounds = data.p.map((p) => ({ p, least: designLinks.cutoff(data.pairs, p, dropped, keep) }));
  const compared = bounds.map((here, at) => {
    const layers = new Uint8Array(data.pairs.count);
    const first = links === "own" || at === 0 ? here : bounds[0];
    const options = { threshold: threshold ?? 0, dropped, changes: links === "changes" && at > 0 };
    return { layers, least: here.least, ...designLinks.compare(layers, data.pairs, here, first, options) };
  });
  return { compared, dropped };
}

/**
 * Links gained and lost against the first circuit, also while pictures show each circuit alone.
 *
 * @param {number} at
 * @returns {Compared | undefined}
 */
export function changes(at) {
  const { data, compared } = state;
  const page = circuitsState.get();
  if (!data || page.links !== "own" || at === 0) return compared[at];
  return comparedOf(data, { ...page, links: "differences" }).compared[at];
}

/** @param {PageState} page */
function recompare(page) {
  const { data } = state;
  if (data) update(comparedOf(data, page));
}

/* -- following the page ---------------------------------------------------------------------------------------- */

const COMPARES = ["threshold", "drop", "keep_edges", "links"];

/**
 * @param {PageState} page
 * @param {Set<string>} names
 */
function follow(page, names) {
  if (page.status !== "ready") {
    if (names.has("status")) {
      wanted = "";
      update({ status: page.status === "loading" ? "loading" : "none", data: null, compared: [] });
    }
    return;
  }
  if (names.has("status") || names.has("sentences")) {
    clearTimeout(timer);
    timer = setTimeout(() => ask(circuitsState.get()), PAUSE);
  } else if (COMPARES.some((name) => names.has(name))) recompare(page);
}

/** Starts following the page; returns a function that ends this. */
export function start() {
  const end = circuitsState.subscribe(follow);
  return () => {
    end();
    clearTimeout(timer);
    wanted = "";
    update({ status: "none", data: null, compared: [], problem: null });
  };
}

export const again = () => ask(circuitsState.get());

export const get = () => state;
