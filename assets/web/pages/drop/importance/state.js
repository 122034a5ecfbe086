/* Importance on the Drop page: what is asked for of the choice, its job, which starts by itself for few units, and its result. */
import * as api from "rs/lib/api.js";
import { whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { user } from "rs/lib/navigation/user.js";
import { layerName } from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { DISTRIBUTIONS, figureOfNone, signsOf } from "rs/parts/figures.js";
import { computed, effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Resource } from "rs/lib/api.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Opened, State } from "rs/pages/drop/types.d.ts" */

/** @typedef {Schemas["Importance"]} Importance */

export const JOB = "importance";
const MOST_UNITS_EXACT = 10;
const MOST_UNITS_PAIRS = 20; // beyond it neither pairs nor orders of all units are scored
const MANY_SAMPLES = 24_000; // units times samples, where there are many units
// Sets times texts of mixtures of experts, alone and within a layer: half a minute, a minute of the bundled one.
const [TEXTS_ALONE, TEXTS_WITHIN] = [2640, 8192];
const FEW_ORDERS = 16; // that are drawn within a layer of many experts

/** The layer whose experts alone are looked at; "" where every expert is, or units are no experts. */
export const within = signal("");

/** The experts of the layer that is looked at, how many; of other models all units. @param {Opened} state */
const players = ({ model }) =>
  (model.layers ?? []).find(({ name }) => name === within.value)?.experts ?? model.units.length;

/** How many sets of experts are scored. @param {Opened} state */
function setsOf(state) {
  const count = players(state);
  if (!within.value) return 1 + count;
  if (count <= MOST_UNITS_EXACT) return 2 ** count;
  const few = count <= MOST_UNITS_PAIRS;
  return count * (few ? count / 2 : 1) + (count - 1) * (few ? 64 : FEW_ORDERS) + 200;
}

/** With many units each sample is scored hundreds of times: fewer of them are taken. @param {Opened} state */
function samplesFor(state) {
  const { model, choice } = state;
  if (drop.hasExperts(state)) {
    const many = within.value ? TEXTS_WITHIN : TEXTS_ALONE;
    return Math.min(choice.samples, Math.max(16, Math.min(300, Math.round(many / setsOf(state)))));
  }
  const count = model.units.length;
  if (count <= MOST_UNITS_PAIRS) return choice.samples;
  return Math.min(choice.samples, Math.max(30, Math.min(300, Math.round(MANY_SAMPLES / count))));
}

/** What is asked for of the choice. @param {Opened} state */
export function requestOf(state) {
  const { model, choice } = state;
  const layer = drop.hasExperts(state) && within.value;
  // A layer cannot route with fewer experts than a token takes: what a subset of them lacks is muted.
  const kind = layer && choice.kind === "drop" ? "mute" : choice.kind;
  const body = { model: model.id, data: drop.measured(), samples: samplesFor(state), kind };
  const cut = choice.edges === null ? {} : { keep_edges: choice.edges };
  // Without a name it is of the first distribution that has a sample: in, unknown, out.
  const distribution = choice.distribution === "in" ? null : choice.distribution;
  const experts = drop.hasExperts(state) ? { top_k: choice.top_k, layer: layer || null } : {};
  return { ...body, ...cut, ...experts, iterations: choice.iterations, distribution, seed: 0 };
}

/** The distributions of the samples that are measured; none before the first figures. @param {State} state */
export const distributionsOf = ({ evaluation }) => (evaluation?.by_distribution ?? []).map((each) => each.name);

/**
 * About how much is scored, and how long that takes.
 *
 * @param {number} sets @param {string} what samples are called @param {Opened} state
 */
function amountWords(sets, what, state) {
  const samples = samplesFor(state);
  const speed = state.evaluation?.baseline?.samples_per_second;
  const time = speed ? "; about " + jobs.duration((sets * samples) / speed) : "";
  return "About " + whole(sets) + " sets on " + whole(samples) + " " + what + time + ". You can cancel and resume."; // prettier-ignore
}

/** What the button starts, and about how long that takes. @param {Opened} state @returns {[string, string]} */
export function offer(state) {
  const { model, choice } = state;
  const count = players(state);
  if (drop.hasExperts(state)) {
    const amount = amountWords(setsOf(state), "texts", state);
    const verb = choice.kind === "drop" ? "Drop" : "Leave out";
    if (!within.value) return [verb + " each of the " + whole(count) + " experts alone", amount];
    const muted = choice.kind === "drop" ? " Experts outside a subset are muted, because every token needs its top-k experts." : ""; // prettier-ignore
    const scored = count <= MOST_UNITS_EXACT ? "all " + 2 ** count : "sampled";
    return ["Score " + scored + " subsets of the " + count + " experts of " + layerName(within.value), amount + muted];
  }
  if (count <= MOST_UNITS_EXACT) return ["Score all " + 2 ** count + " subsets of the " + count + " units", ""];
  if (count <= MOST_UNITS_PAIRS) return ["Score sampled subsets of the " + count + " units", ""];
  const orders = drop.hasLinks(state) ? 4 : 2;
  const sets = count + 20 * (orders + 8); // each alone, and twenty sizes in every order and of eight random sets
  const each = "Drop each of the " + whole(count) + " " + words.of(model).units + " alone, then growing sets";
  return [each, amountWords(sets, "samples", state)];
}

/* -- the job ------------------------------------------------------------------------------------------------------ */

const asked = computed(() => (drop.state.model ? JSON.stringify(requestOf(/** @type {Opened} */ (drop.state))) : null));
/** What may be asked for: the job before was given up. */
const free = signal(/** @type {string | null} */ (null));
let stopped = false; // whether a person cancelled: then nothing starts by itself

/** @type {Resource<Importance>} */
const found = api.resource(
  () => {
    const { job } = jobs.state(JOB);
    return job?.state === "done" ? "/importances/" + encodeURIComponent(job.id) : null;
  },
  (path, signal) => api.send("GET", path, undefined, { signal }),
);

/** The importance of the choice; null while there is none. */
export const result = found.answer;
/** Why a job that is done has no result. */
export const { problem } = found;

function begin() {
  stopped = false;
  jobs.start(JOB, "/importances", requestOf(/** @type {Opened} */ (drop.state)));
}

/** Another choice gives up the job; what it scored is kept. @param {string | null} now */
async function giveUp(now) {
  free.value = null;
  await jobs.release(JOB);
  if (now === asked.peek()) free.value = now;
}

/** Starts what is quick, and what a read-only service may have computed before. */
function startIfQuick() {
  const { model, status, choice } = drop.state;
  const { job, starting, problem: refused } = jobs.state(JOB);
  if (job?.state === "cancelled") stopped = true;
  if (!model || status !== "done" || free.value !== asked.value) return;
  const offered = distributionsOf(drop.state);
  if (choice.distribution !== "in" && offered.length && !offered.includes(choice.distribution)) {
    untracked(() => drop.showDistribution("in"));
    return;
  }
  const quick = model.units.length <= MOST_UNITS_EXACT && !drop.hasExperts(drop.state);
  if (!job && !starting && !refused && !stopped && (quick || user.value.read_only)) untracked(begin);
}

/** Follows the choice of the page; returns what ends this. */
export function follow() {
  const ends = [
    found.follow(),
    effect(() => {
      const now = asked.value;
      untracked(() => void giveUp(now));
    }),
    effect(() => {
      if (!drop.state.model) within.value = "";
    }),
    effect(startIfQuick),
  ];
  return () => {
    ends.forEach((end) => end());
    jobs.forget(JOB);
    within.value = "";
    stopped = false;
  };
}

/* -- what was found ----------------------------------------------------------------------------------------------- */

/** @param {Importance} result @returns {Record<string, unknown>} */
export function factsOf(result) {
  const changed = { drop: [], mute: [], mean: [], resample: [] };
  return {
    model: result.model,
    revision: result.revision,
    seed: result.seed,
    ...changed,
    left_out_as: result.kind,
    iterations: result.iterations,
    data: result.data,
    distribution: result.distribution ?? null,
    samples: result.count,
    exact: result.exact,
    keep_edges: result.keep_edges === undefined ? null : result.keep_edges,
    importance: result.id,
    ...(result.layer ? { layer: result.layer } : {}),
    ...(typeof result.top_k === "number" ? { top_k: result.top_k } : {}),
    ...(words.measure(result.measure).share ? {} : { measure: result.measure }),
  };
}

/**
 * Of which distribution it is, where that is not all there is, or what training left out; of which layer, and how many
 * experts a token took, where that is not as trained; else nothing needs to be said.
 *
 * @param {Importance} found
 */
export function where({ distribution, layer, top_k }) {
  const said = distribution && (distribution !== "in" || distributionsOf(drop.state).length > 1);
  const experts = (layer ? ", " + layerName(layer) : "") + (top_k ? ", top " + top_k : "");
  return (said ? ", " + DISTRIBUTIONS[distribution] : "") + experts;
}

/** @param {unknown} value */
const cell = (value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : value);

/** @typedef {Record<string, unknown>} Row */
/** @typedef {"use" | "effect" | "interactions" | "retention" | "anytime" | "convergence"} PanelKey */

/** The rows of each panel, by their name in the result. */
export const FIELDS = /** @type {const} */ ({
  use: "usage",
  effect: "shapley",
  interactions: "interactions",
  retention: "retention",
  anytime: "anytime",
  convergence: "convergence",
});

/** @param {Row[]} items @returns {unknown[][]} */
export function tableOf(items) {
  const columns = items.length ? Object.keys(items[0]) : [];
  return [columns, ...items.map((item) => columns.map((name) => cell(item[name])))];
}

/** @param {Importance} result @param {PanelKey} key @returns {Row[]} */
export function contents(result, key) {
  if (key === "effect") {
    const single = new Map(result.single.map((each) => [each.unit, each]));
    if (!result.shapley.length) return result.single;
    return result.shapley.map(({ unit, value, low, high, standard_error }) => {
      const { unit: _, ...rest } = /** @type {Partial<Schemas["SingleEffect"]>} */ (single.get(unit) || {});
      const shapley = { shapley: value, shapley_low: low, shapley_high: high, standard_error };
      return {
        unit,
        ...shapley,
        ...Object.fromEntries(Object.entries(rest).map(([name, each]) => ["single_" + name, each])),
      };
    });
  }
  return result[FIELDS[key]];
}

/** @param {Importance} found @param {PanelKey} key */
export const headerOf = (found, key) =>
  Object.entries(signsOf(found, key))
    .map(([name, sign]) => "; " + name.replace("_", " ") + " " + sign)
    .join("");

/** @param {Importance} found @returns {[string, string][]} */
export function summary(found) {
  const measure = words.measure(found.measure);
  /** @param {number} value */
  const shown = (value) => words.withUnit(measure, value);
  /** @type {[string, string][]} */
  const about = [
    ["full model", shown(found.baseline)],
    ...(found.total === null
      ? []
      : [/** @type {[string, string]} */ (["without any unit", shown(figureOfNone(found))])]),
  ];
  const samples = whole(found.count) + " samples" + where(found);
  if (!found.shapley.length) {
    const more = found.retention.length ? ", then growing sets" : "";
    const what = "Each of " + whole(found.units.length) + " alone" + more;
    return [["sets", what + ", on " + samples], ...about, ["ablation", found.words]];
  }
  const scored = found.exact ? "All " + whole(2 ** found.units.length) + " subsets" : "Sampled orders";
  const sum = found.shapley.reduce((total, each) => total + each.value, 0);
  return [
    ["subsets", scored + " of " + found.units.length + " units on " + samples],
    ...about,
    ["sum of Shapley values (above 0: the units help)", measure.change(sum) + " " + measure.changeUnit],
    ["ablation", found.words],
  ];
}

export { begin };
