/* The state of the Paths page in this browser: the trace that is shown, the step, what is pointed at.
   Widgets subscribe to it; the page's callbacks hand it traces. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { inputsOf } from "rs/lib/models.js";
import { makeStore } from "rs/lib/store.js";
import { picturesOf as panelPictures } from "rs/draw/panels.js";
import { TraceView, candidatesOf } from "rs/lib/trace.js";
import { CircuitView } from "rs/pages/paths/message_view.js";

/** @import { Field, Picture, Schemas } from "rs/lib/types.d.ts" */
/** @import { Found, MessageFields, PathState, Target, View } from "rs/pages/paths/types.d.ts" */

/** @type {PathState} */
const first = {
  status: "loading", // empty, loading, ready, failed
  problem: null,
  view: null, // TraceView, or CircuitView where units read each other, under the chosen intervention
  baseline: null, // the same without intervention, or null when the two are the same
  sample: null,
  picture: null,
  pictures: [], // with each answer, where the model reads a sample once with each
  step: 0, // index of the step
  time: null, // while it plays: 0 at the tokens, n at the n-th step; else null
  playing: false,
  hover: null, // {token} or {step, unit}
  pinned: null,
  threshold: 0.25,
  opacity: 0.55,
  showBaseline: false,
  graph: null, // the API's Graph of a model with links
  order: "graph", // of the rows of a CircuitView: graph, connectivity or name
  shown: 150, // strongest messages of each step of a CircuitView
};
export const { state, update, subscribe } = makeStore(first);

export const pointed = () => state.hover || state.pinned;

/**
 * The tokens that are highlighted, or null when nothing is pointed at.
 *
 * @param {View | null} [view]
 */
export function highlighted(view = state.view) {
  const target = pointed();
  if (!target || !view) return null;
  if (target.token !== undefined) return [target.token];
  return view.members(target.step, target.unit);
}

/**
 * @param {Target | null} a
 * @param {Target | null} b
 */
const same = (a, b) => a === b || (a && b && a.token === b.token && a.step === b.step && a.unit === b.unit);

/** @param {Target | null} target */
export function point(target) {
  if (!same(state.hover, target)) update({ hover: target });
}

/** @param {Target | null} target */
export function pin(target) {
  update({ pinned: same(state.pinned, target) ? null : target });
}

/** @param {number} step */
export function goTo(step) {
  if (!state.view) return;
  const last = state.view.steps.length - 1;
  update({ step: Math.max(0, Math.min(last, step)), time: null, playing: false });
}

/**
 * Moves what is pointed at to the next or previous token.
 *
 * @param {number} by
 */
export function pointNext(by) {
  if (!state.view) return;
  const count = state.view.tokens.length;
  const target = pointed();
  const from = target && target.token !== undefined ? target.token : by > 0 ? -1 : 0;
  update({ hover: { token: (from + by + count) % count } });
}

/**
 * The answer that the model chooses, counted from 1; null where it chooses none.
 *
 * @param {Schemas["TraceInfo"]} info
 */
export const chosenIn = ({ predictions }) => (predictions.length ? predictions[0].label + 1 : null);

/**
 * The same view with another answer, where there are several; else as it is.
 *
 * @template {View | null} Shown
 * @param {Shown} view
 * @param {number | null} candidate counted from 1
 * @returns {Shown}
 */
export function withCandidate(view, candidate) {
  const found = view && !view.circuit && candidate ? view.candidates[candidate - 1] : null;
  return /** @type {Shown} */ (found ?? view);
}

/**
 * Shows a sample with another of its answers.
 *
 * @param {number} candidate counted from 1
 */
export function choose(candidate) {
  const { view, baseline, pictures } = state;
  if (!view || view.circuit || !view.candidates[candidate - 1]) return;
  update({
    view: withCandidate(view, candidate),
    baseline: withCandidate(baseline, candidate),
    picture: pictures[candidate - 1] ?? null,
  });
}

/** The answer with which the first sample of a page that was just opened is shown, where its address names one. */
function candidateAsked() {
  const page = state.view ? null : /** @type {HTMLElement | null} */ (document.querySelector(".page-paths"));
  return Number(page?.dataset.candidate) || null;
}

/**
 * A trace as pictures read it; its fields decide: compatibilities of tokens, or messages between units.
 *
 * @param {Schemas["TraceInfo"]} info
 * @returns {Promise<View>}
 */
export async function viewOf(info) {
  const has = (/** @type {string} */ name) => info.fields.some((field) => field.name === name);
  if (has("compatibility")) {
    const names = ["compatibility", ...(info.tokens.some(({ kind }) => kind === "text") ? ["margin", "nats"] : [])];
    const [field, margin, nats] = await Promise.all(names.filter(has).map((name) => api.field(info.id, name)));
    if (info.tokens.some(({ candidate }) => candidate)) return candidatesOf(info, field)[(chosenIn(info) ?? 1) - 1];
    return new TraceView(info, field, { margin, nats });
  }
  if (!has("messages"))
    throw new api.Problem(0, "No path", "A path needs compatibilities or messages; this model has neither.");
  const names = ["messages", "read_in", "read_out", "confidence"].filter(has);
  const fields = await Promise.all(names.map((name) => api.field(info.id, name)));
  const named = /** @type {Record<string, Field>} */ (Object.fromEntries(names.map((name, at) => [name, fields[at]])));
  return new CircuitView(info, /** @type {MessageFields} */ (/** @type {unknown} */ (named)));
}

/**
 * The picture that a sample is, or one with each of its answers; none where it is a text, numbers, or points.
 *
 * @param {Schemas["TraceInfo"]} info
 * @returns {Promise<Picture[]>}
 */
export async function picturesOf({ tokens, sample, grid }) {
  if (tokens.some(({ kind }) => kind === "panel")) return panelPictures(sample, grid.columns);
  const none = tokens.some(({ kind }) => kind === "text" || kind === "number" || kind === "point");
  return none ? [] : [await api.picture(sample)];
}

/**
 * Of these pictures that of a view.
 *
 * @param {View} view
 * @param {Picture[]} pictures
 */
export const pictureOf = (view, pictures) => pictures[view.circuit ? 0 : (view.candidate ?? 1) - 1] ?? null;

/**
 * The graph of a model orders the rows and colours the units; without it they are in the model's order.
 *
 * @param {string} model
 */
async function findGraph(model) {
  if (state.graph && state.graph.model === model) return;
  try {
    const graph = await api.send("GET", "/models/" + encodeURIComponent(model) + "/graph");
    if (state.view && state.view.info.model === model) update({ graph });
  } catch (error) {
    const problem = /** @type {api.Problem} */ (error);
    api.notify(problem.title || "No graph", problem.message, "bad");
  }
}

/** Nothing was found yet, or nothing was chosen. */
const waiting = () => (new URLSearchParams(window.location.search).get("sample") ? "loading" : "empty");

/** The step that was shown last, and of which model. */
let last = { model: "", step: 0 };

/**
 * The step of a page that was just opened: the one that its address names, else the one that was shown last.
 *
 * @param {string} model
 * @param {number} step that the address names, counted from 1
 * @param {number} count of steps
 */
function firstStep(model, step, count) {
  const named = new URLSearchParams(window.location.search).has("step");
  return address.stepWithin(model, !named && last.model === model ? last.step : step - 1, count);
}

/**
 * The answer with which this sample is shown already: under another intervention it stays.
 *
 * @param {Schemas["TraceInfo"]} info
 */
function kept({ model, sample }) {
  const { view } = state;
  return view && !view.circuit && view.info.model === model && view.info.sample === sample ? view.candidate : null;
}

let wanted = 0;

/**
 * Shows what a callback found: {current, baseline, sample, step} or {problem}, or null for nothing chosen.
 *
 * @param {(Found & {step?: number | null}) | null} found
 */
export async function show(found) {
  const mine = (wanted += 1);
  if (found?.problem?.stale && state.view) {
    update({ status: "stale", problem: found.problem, playing: false });
    return;
  }
  if (!found || found.problem) {
    update({
      status: found ? "failed" : waiting(),
      problem: found ? found.problem : null,
      view: null,
      baseline: null,
      playing: false,
      time: null,
      hover: null,
    });
    return;
  }
  update({ status: "loading", problem: null });
  try {
    const { current, baseline, sample, step } = found;
    const differs = baseline && baseline.id !== current.id;
    const [read, before, pictures] = await Promise.all([
      viewOf(current),
      differs ? viewOf(baseline) : null,
      picturesOf(current),
      inputsOf(current.model), // words about the model have their place before anything stands below them
    ]);
    if (mine !== wanted) return;
    const view = withCandidate(read, kept(current) ?? candidateAsked());
    const links = current.fields.some((field) => field.name === "link_probability");
    if (links) findGraph(current.model);
    const { view: shown, playing } = state;
    const sameTokens = shown && shown.info.model === view.info.model && shown.tokens.length === view.tokens.length;
    const wish = state.view ? state.step : firstStep(current.model, step || 1, view.steps.length);
    update({
      status: "ready",
      view,
      baseline: withCandidate(before, view.circuit ? null : view.candidate),
      graph: links && state.graph && state.graph.model === current.model ? state.graph : null,
      sample,
      picture: pictureOf(view, pictures),
      pictures,
      step: Math.max(0, Math.min(view.steps.length - 1, wish)),
      time: playing ? state.time : null, // it plays on, of what has come
      playing,
      hover: null,
      pinned: sameTokens ? state.pinned : null,
    });
  } catch (error) {
    const { title, message, status } = /** @type {api.Problem} */ (error);
    if (mine !== wanted) return;
    const problem = { title: title || "The path could not be shown", detail: message };
    const stands = state.view !== null && (status === 0 || status >= 500); // the service erred: what it said before stays
    update(stands ? { status: "stale", problem, playing: false } : { status: "failed", problem, view: null });
  }
}

/** Another trace is asked for: one that is on its way is not shown any more. */
export const expect = () => (wanted += 1);

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  if (state.view) last = { model: state.view.info.model, step: state.step };
  update({
    status: waiting(),
    view: null,
    baseline: null,
    sample: null,
    picture: null,
    pictures: [],
    step: 0,
    time: null,
    playing: false,
    hover: null,
    pinned: null,
  });
}
