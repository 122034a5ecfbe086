/* The circuits of the pinned sentences: asked for when sentences change, compared here when the threshold does. */
import { say } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as graphData from "rs/lib/graph.js";
import * as designLinks from "rs/pages/circuits/designs/links.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { computed, effect, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/circuits/types.d.ts" */
/** @typedef {ReturnType<typeof arranged>} Circuits those of the pinned sentences */

const QUOTED = 60; // characters of a sentence that is not pinned, where that is said
const STEPS = 1000; // of a slider of thresholds

/* -- asking --------------------------------------------------------------------------------------------------- */

/** @param {string} model */
const pathOf = (model) => "/models/" + encodeURIComponent(model) + "/designs";

/** @param {string} model @param {string[]} sentences @param {AbortSignal} signal */
async function read(model, sentences, signal) {
  const body = { sentences };
  const [info, links] = await Promise.all([
    /** @type {Promise<Schemas["Designs"]>} */ (api.send("POST", pathOf(model), body, { signal })),
    api.request(pathOf(model) + "/links", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
      signal,
    }),
  ]);
  return arranged(info, new Float32Array(await links.arrayBuffer()));
}

/** Thresholds of a slider whose steps take away alike many links: 0, quantiles, 1. @param {Float32Array} sorted */
function scaleOf(sorted) {
  const inner = Array.from({ length: STEPS - 1 }, (_, at) => sorted[Math.floor(((at + 1) / STEPS) * sorted.length)]);
  return [0, ...inner.map((p) => Math.round(1e4 * p) / 1e4), 1];
}

/** What pictures and tables need of an answer. @param {Schemas["Designs"]} info @param {Float32Array} lower */
function arranged(info, lower) {
  const units = info.units.length;
  const pairs = designLinks.pairsOf(units);
  if (lower.length !== info.designs.length * pairs.count)
    throw new api.Problem(0, "Incomplete answer", "The circuits arrived incomplete. Load the page again.");
  const p = info.designs.map((_, at) => lower.subarray(at * pairs.count, (at + 1) * pairs.count));
  return {
    ...info,
    count: units,
    median: Math.round(1000 * (p[0].toSorted()[pairs.count >> 1] ?? 0.5)) / 1000, // of the first circuit
    scale: scaleOf(lower.toSorted()),
    place: new Map(info.units.map((unit, at) => [unit, at])),
    pairs,
    p, // of each circuit, the probability of every pair
    edges: p.map((each) => designLinks.edgesOf(pairs, each, p[0])),
    sizes: designLinks.sizesOf(info.designs.map((design) => design.connectivity)),
    ...graphData.placesOf(info.layout),
  };
}

/** Why a model does not read a sentence; null where it reads it. @param {string} model @param {string} sentence @returns {Promise<api.Problem | null>} */
export async function refusal(model, sentence) {
  try {
    await api.send("POST", pathOf(model), { sentences: [sentence] });
    return null;
  } catch (problem) {
    return /** @type {api.Problem} */ (problem);
  }
}

/** @param {unknown} problem */
const refused = (problem) => /** @type {api.Problem | null} */ (problem)?.status === 422;
/** @param {string} text */
const shortened = (text) => (text.length > QUOTED ? text.slice(0, QUOTED) + "..." : text);

/** Takes the sentences away that the model does not read, and says so. @param {string} model @param {string[]} sentences @param {AbortSignal} signal */
async function withoutUnread(model, sentences, signal) {
  const reasons = await Promise.all(sentences.map((each) => refusal(model, each)));
  if (signal.aborted) return;
  const unread = sentences.filter((_, at) => refused(reasons[at]));
  sentences.forEach((each, at) => {
    if (refused(reasons[at])) say(`"${shortened(each)}" is not pinned: ${reasons[at]?.message}`);
  });
  if (unread.length) circuitsState.withoutUnread(unread);
}

const designs = api.resource(
  () => {
    const { stage, model, sentences } = state;
    return stage > 0 && circuitsState.info() && sentences.length ? JSON.stringify([model, sentences]) : null;
  },
  async (key, signal) => {
    const [model, sentences] = /** @type {[string, string[]]} */ (JSON.parse(key));
    try {
      return await read(model, sentences, signal);
    } catch (problem) {
      if (refused(problem)) await withoutUnread(model, sentences, signal); // the others are asked for again
      throw problem;
    }
  },
);

/** The circuits that are drawn: those before, while the next are designed. @returns {Circuits | null} */
export function data() {
  const latest = designs.latest();
  return latest && latest.model === state.model ? latest : null;
}
export const { problem, waits, again } = designs;

/** How connected each module is in the circuit of the sentence that answers; null while that is not known. */
export function connectivity() {
  const design = data()?.designs[state.focus];
  return design && design.sentence === state.sentences[state.focus] ? design.connectivity : null;
}

/** The link probability above which links are drawn: by default half of the first circuit's. @param {Circuits} of */
export const thresholdOf = (of) => state.threshold ?? of.median;

/* -- comparing ------------------------------------------------------------------------------------------------ */

/** What the threshold and the intervention leave of every circuit. @param {Circuits} of @param {Choice["links"]} links */
function comparedOf(of, links) {
  const { drop, keep_edges: keep } = state;
  const dropped = Uint8Array.from(of.units, (unit) => Number(drop.includes(unit)));
  const bounds = of.p.map((p) => ({ p, least: designLinks.cutoff(of.pairs, p, dropped, keep) }));
  const compared = bounds.map((here, at) => {
    const first = links === "own" || at === 0 ? here : bounds[0];
    const options = { threshold: thresholdOf(of), dropped, changes: links === "changes" && at > 0 };
    return designLinks.compare(of.pairs, here, first, options);
  });
  return { data: of, compared, dropped };
}

const shown = computed(() => {
  const of = data();
  return of && comparedOf(of, state.links);
});

/** The circuits with what is drawn of each; null while there are none. */
export const drawn = () => shown.value;

/** Links gained and lost against the first circuit, also while pictures show each circuit alone. */
export const changes = () => (shown.value && state.links === "own" ? comparedOf(shown.value.data, "differences") : shown.value)?.compared ?? []; // prettier-ignore

/** Follows the page; returns a function that ends this. @returns {Disposer} */
export function follow() {
  const ends = [
    designs.follow(),
    effect(() => {
      const answer = designs.answer();
      if (!answer && !designs.problem()) return;
      untracked(() => {
        if (answer && state.threshold === null) circuitsState.set({ threshold: answer.median });
        circuitsState.reach(2);
      });
    }),
  ];
  return () => ends.forEach((end) => end());
}
