/* The circuits of the pinned sentences: asked for when sentences change, compared here when the threshold does. */
import * as api from "rs/lib/api.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import * as designLinks from "rs/pages/circuits/designs/links.js";
import * as circuitsState from "rs/pages/circuits/state.js";

const KEPT = 12; // answers at hand
const PAUSE = 30; // milliseconds
const STEPS = 1000; // of a slider of thresholds
const answers = new Map(); // of (model, sentences)
const listeners = new Set();
/** status: none, loading, ready, failed; data: what is drawn; compared: [{layers, kept, gained, lost, links}]. */
const state = { status: "none", problem: null, data: null, compared: [], dropped: new Uint8Array(0) };
let [wanted, timer] = ["", 0];

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

/* -- asking --------------------------------------------------------------------------------------------------- */

async function read(model, sentences) {
  const path = "/models/" + encodeURIComponent(model) + "/designs";
  const body = { sentences };
  const [info, links] = await Promise.all([
    api.send("POST", path, body),
    api.request(path + "/links", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    }),
  ]);
  return arranged(info, new Float32Array(await links.arrayBuffer()));
}

/** In which quarter by connectivity each module is; all alike where they hardly differ. */
function quarters(q) {
  const order = links.byFalling(q.length, (unit) => q[unit]);
  const found = new Uint8Array(q.length);
  order.forEach((unit, rank) => (found[unit] = 3 - Math.floor((4 * rank) / q.length)));
  return Math.min(...q) > 0.98 * Math.max(...q) ? found.fill(1) : found;
}

/** Thresholds that a slider goes through, so that its steps take away alike many links: 0, quantiles, 1. */
function scaleOf(lower) {
  const sorted = Float32Array.from(lower).sort();
  const inner = Array.from({ length: STEPS - 1 }, (_, at) => sorted[Math.floor(((at + 1) / STEPS) * sorted.length)]);
  return [0, ...inner.map((p) => Math.round(1e4 * p) / 1e4), 1];
}

/** What pictures and tables need of an answer. */
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
    quarters: info.designs.map((design) => quarters(design.connectivity)),
    ...graphData.placesOf(info.layout),
  };
}

/** The median of a circuit's link probabilities: half of its links are above it, however dense it is. */
function median(p) {
  const sorted = Float32Array.from(p).sort();
  return sorted.length ? Math.round(1000 * sorted[sorted.length >> 1]) / 1000 : 0.5;
}

function load(model, sentences) {
  const key = JSON.stringify([model, sentences]);
  if (!answers.has(key)) {
    const promise = read(model, sentences);
    promise.catch(() => answers.delete(key));
    answers.set(key, promise);
    if (answers.size > KEPT) answers.delete(answers.keys().next().value);
  }
  return answers.get(key);
}

async function ask(page) {
  const { model, sentences } = page;
  const mine = (wanted = JSON.stringify([model, sentences]));
  update({ status: "loading", problem: null });
  try {
    const data = await load(model, sentences);
    if (mine !== wanted) return;
    const choice = circuitsState;
    if (choice.get().threshold === null) choice.set({ threshold: median(data.p[0]) });
    update({ data, status: "ready", ...comparedOf(data, choice.get()) });
  } catch (problem) {
    if (mine !== wanted) return;
    const { title = "No circuits", message: detail } = problem;
    update({ status: "failed", problem: { title, detail } });
  }
}

/* -- comparing ------------------------------------------------------------------------------------------------ */

/** What the threshold and the intervention leave of every circuit. */
function comparedOf(data, { threshold, drop, keep_edges: keep, links }) {
  const dropped = new Uint8Array(data.count);
  drop.forEach((name) => data.place.has(name) && (dropped[data.place.get(name)] = 1));
  const bounds = data.p.map((p) => ({ p, least: designLinks.cutoff(data.pairs, p, dropped, keep) }));
  const compared = bounds.map((here, at) => {
    const layers = new Uint8Array(data.pairs.count);
    const first = links === "own" || at === 0 ? here : bounds[0];
    const options = { threshold, dropped, changes: links === "changes" && at > 0 };
    return { layers, least: here.least, ...designLinks.compare(layers, data.pairs, here, first, options) };
  });
  return { compared, dropped };
}

/** Links gained and lost against the first circuit, also while pictures show each circuit alone. */
export function changes(at) {
  const { data, compared } = state;
  const page = circuitsState.get();
  if (page.links !== "own" || at === 0) return compared[at];
  return comparedOf(data, { ...page, links: "differences" }).compared[at];
}

function recompare(page) {
  const { data } = state;
  if (data) update(comparedOf(data, page));
}

/* -- following the page ---------------------------------------------------------------------------------------- */

const COMPARES = ["threshold", "drop", "keep_edges", "links"];

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
