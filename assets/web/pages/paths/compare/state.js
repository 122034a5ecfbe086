/* A beside B: the path that is pinned, fetched as the one that is shown is, and what differs between the two. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as pins from "rs/lib/navigation/pinned.js";
import * as sets from "rs/lib/navigation/sets.js";
import { makeStore } from "rs/lib/store.js";
import { ofEdges, ofTokens } from "rs/pages/paths/compare/difference.js";
import { kindOf, whyNot } from "rs/pages/paths/compare/words.js";
import * as paths from "rs/pages/paths/state.js";
import { sampleOf } from "rs/parts/pinned/words.js";
import { computed, effect, untracked } from "rs/vendor/preact.js";

/** @import { Pinned } from "rs/lib/navigation/pinned.js" */
/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { Difference, OtherState, PathState, ShownSample, View } from "rs/pages/paths/types.d.ts" */

/** @type {OtherState} */
const NONE = { status: "none", problem: null, view: null, sample: null, picture: null, pictures: [] };

export const { state: other, update, subscribe } = makeStore({ ...NONE });

/** Why Paths cannot show what is pinned, in words; "" where it can. @param {Pinned} a */
export const refused = ({ mean, resample }) =>
  mean.length || resample.length
    ? "Units at their mean, or resampled, are measured on Drop; no path is recorded under it."
    : "";

/**
 * The trace of what is pinned, as the API has it.
 *
 * @param {Pinned} pinned
 * @returns {Promise<Schemas["TraceInfo"]>}
 */
async function traceOf(pinned) {
  const why = refused(pinned);
  if (why) throw new api.Problem(0, "No path", why);
  if (!pinned.sample) throw new api.Problem(0, "No sample", "A was pinned without a sample, and a path is of one.");
  /** @type {Schemas["ModelDetail"]} */
  const model = await api.send("GET", "/models/" + encodeURIComponent(pinned.model));
  const { mute, drop, edges, iterations, top_k } = await pins.resolved(pinned, model);
  const linked = model.constants.includes("link_probability");
  if (edges !== null && !linked) address.say(`Units of ${model.id} are not linked: "edges" of "pin" is ignored.`);
  const named = await Promise.all([mute, drop].map(sets.inRequest));
  const [muted, dropped] = named.map((text) => text.split(",").filter(Boolean));
  return api.send("POST", "/traces", {
    model: model.id,
    sample: pinned.sample,
    intervention: { mute: muted, drop: dropped, iterations, keep_edges: linked ? edges : null, top_k },
    fields: fields.filter((name) => model.fields.includes(name)),
  });
}

/**
 * @param {Awaited<ReturnType<typeof sampleOf>>} sample
 * @param {Schemas["TraceInfo"]} info
 * @returns {ShownSample}
 */
const shownOf = (sample, { domains }) => ({
  ...sample,
  name: sample.id.includes(".") ? sample.id : sample.name,
  domain: sample.set && domains.includes(sample.set) ? sample.set : null,
});

/** @type {string[]} */
let fields = []; // of a trace, those of them that the model has
let wanted = 0;

/** Fetches what is pinned, and shows it; also after it failed. */
export async function find() {
  const mine = (wanted += 1);
  const pinned = pins.read(pins.pinned.peek());
  if (!pinned) {
    update({ ...NONE });
    return;
  }
  update({ ...NONE, status: "loading" });
  try {
    const info = await traceOf(pinned);
    const [view, sample, pictures] = await Promise.all([
      paths.viewOf(info),
      sampleOf(info.sample, info.model),
      paths.picturesOf(info),
    ]);
    const picture = paths.pictureOf(view, pictures);
    if (mine === wanted) update({ status: "ready", view, sample: shownOf(sample, info), picture, pictures });
  } catch (error) {
    const { title, message } = /** @type {api.Problem} */ (error);
    const problem = { title: title || "The path of A could not be shown", detail: message };
    if (mine === wanted) update({ status: "failed", problem });
  }
}

/**
 * Follows what is pinned from now on, until what it returns is called.
 *
 * @param {string[]} asked the fields that the page asks of traces, so that that of A is one of those that it asks for
 * @returns {Disposer}
 */
export function follow(asked) {
  fields = asked;
  const stop = effect(() => {
    void pins.pinned.value;
    untracked(() => {
      find();
    });
  });
  return () => {
    stop();
    wanted += 1;
    update({ ...NONE });
  };
}

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

/**
 * What differs between A and B, or null where there is nothing to compare.
 *
 * @returns {Difference | null}
 */
function differenceNow() {
  const [a, b] = [viewOfA(), paths.state.view];
  if (!a || !b || apart.value !== "" || kindOf(a.info, b.info) === "same") return null;
  if (a.circuit && b.circuit) return ofEdges(a, b);
  return a.circuit || b.circuit ? null : ofTokens(a, b);
}

const found = computed(differenceNow);

/** What differs between A and B, or null where there is nothing to compare. */
export const difference = () => found.value;

/** @param {View} view */
const isCircuit = (view) => Boolean(view.circuit);

/**
 * What is drawn on the scale of `view`: A and B where both are of the same sort.
 *
 * @param {View} view
 */
function alikeTo(view) {
  const both = [viewOfA(), paths.state.view].filter((each) => each !== null);
  return both.length === 2 && both.every((each) => isCircuit(each) === isCircuit(view)) ? both : [view];
}

/**
 * What is shown of B, which is the page's own; on one scale with A where there is one.
 *
 * @returns {PathState}
 */
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
