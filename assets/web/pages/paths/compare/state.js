/* A beside B: the path that is pinned, fetched as the one that is shown is, and what differs between the two. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as pins from "rs/lib/navigation/pinned.js";
import { ofEdges, ofTokens } from "rs/pages/paths/compare/difference.js";
import { kindOf, whyNot } from "rs/pages/paths/compare/words.js";
import * as paths from "rs/pages/paths/state.js";
import { computed } from "rs/vendor/preact.js";

/** @import { Pinned } from "rs/lib/navigation/pinned.js" */
/** @import { PathState } from "rs/pages/paths/state.js" */
/** @import { View } from "rs/pages/paths/types.d.ts" */

/** Why Paths cannot show what is pinned, in words; "" where it can. @param {Pinned} a */
export const refused = ({ mean, resample }) =>
  mean.length || resample.length
    ? "Units at their mean, or resampled, are measured on Drop; no path is recorded under it."
    : "";

/** A as pictures read it. @param {string} text of the pin @param {AbortSignal} signal */
async function fetchPinned(text, signal) {
  const pinned = /** @type {Pinned} */ (pins.read(text));
  const why = refused(pinned);
  if (why) throw new api.Problem(422, "No path", why);
  if (!pinned.sample) throw new api.Problem(422, "No sample", "A was pinned without a sample, and a path is of one.");
  const model = await paths.modelOf(pinned.model);
  const { edges, ...changes } = await pins.resolved(pinned, model);
  if (edges !== null && !model.has_links)
    address.say(`Units of ${model.id} are not linked: "edges" of "pin" is ignored.`);
  const kept = model.has_links ? edges : null;
  const info = await paths.traceOf(model, pinned.sample, { ...changes, edges: kept }, signal);
  const [view, sample, pictures] = await Promise.all([
    paths.viewOf(info),
    paths.sampleOf(info),
    paths.picturesOf(info),
  ]);
  return { view, sample, pictures };
}

const resource = api.resource(() => pins.pinned.value || null, fetchPinned);

/** A, as far as it is there. */
export const other = {
  get view() {
    return resource.answer()?.view ?? null;
  },
  get sample() {
    return resource.answer()?.sample ?? null;
  },
  get pictures() {
    return resource.answer()?.pictures ?? [];
  },
  get problem() {
    return resource.problem();
  },
  get status() {
    if (!pins.pinned.value) return "none";
    return resource.answer() ? "ready" : resource.problem() ? "failed" : "loading";
  },
};

export const { follow, again } = resource;

/* -- both ---------------------------------------------------------------------------------------------------------- */

/** The view of A: with the answer with which B is shown, where both are read with each of several. */
function viewOfA() {
  const { view } = paths.state;
  return paths.withCandidate(other.view, view && !view.circuit ? view.candidate : null);
}

/** Why the two cannot be compared, in words; "" where they can, null while one of them is not there. */
export const apart = computed(() => {
  const [a, b] = [viewOfA(), paths.state.view];
  return a && b ? whyNot(a, b) : null;
});

const found = computed(() => {
  const [a, b] = [viewOfA(), paths.state.view];
  if (!a || !b || apart.value !== "" || kindOf(a.info, b.info) === "same") return null;
  if (a.circuit && b.circuit) return ofEdges(a, b);
  return a.circuit || b.circuit ? null : ofTokens(a, b);
});

/** What differs between A and B, or null where there is nothing to compare. */
export const difference = () => found.value;

/** What is drawn on the scale of `view`: A and B where both are of the same sort. @param {View} view */
function alikeTo(view) {
  const both = [viewOfA(), paths.state.view].filter((each) => each !== null && each.circuit === view.circuit);
  return both.length === 2 ? both : [view];
}

/** What is shown of B, which is the page's own; on one scale with A where there is one. @returns {PathState} */
export const seenOfB = () => {
  const { state } = paths;
  return other.view && state.view ? Object.assign({ ...state }, { alike: alikeTo(state.view) }) : state;
};

/**
 * The same of A, at the step that is shown of B as far as A has it; what is pointed at in one is pointed at in the other
 * where both have the same units and tokens.
 *
 * @returns {PathState}
 */
export function seenOfA() {
  const { sample, pictures, status } = other;
  const { state } = paths;
  const view = viewOfA();
  const picture = view && paths.pictureOf(view, pictures);
  const own = { ...state, view, sample, picture, pictures, baseline: null, showBaseline: false };
  if (!view) return { ...own, status: status === "failed" ? "failed" : "loading" };
  const last = view.steps.length - 1;
  const { time, step, graph } = state;
  return Object.assign(own, {
    status: "ready",
    step: Math.min(step, last),
    time: time === null ? null : Math.min(time, last + 2),
    graph: graph && String(graph.units) === String(view.units) ? graph : null,
    ...(apart.value === "" ? {} : { hover: null, pinned: null }),
    alike: alikeTo(view),
  });
}
