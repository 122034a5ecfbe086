/* The state of the Drop page in this browser: what is left out, on what it is measured, and the evaluation that streams in.
   Every change closes the running stream, which ends its computing, and opens the next. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as pins from "rs/lib/navigation/pinned.js";
import * as sets from "rs/lib/navigation/sets.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";
import { USES, muteRefusal, of as wordsOf } from "rs/lib/words.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as figures from "rs/parts/figures.js";
import { modelWithSets } from "rs/parts/data_sets.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Pinned } from "rs/lib/navigation/pinned.js" */
/** @import { Resource } from "rs/lib/api.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Kind, Opened, State } from "rs/pages/drop/types.d.ts" */

const OWNER = "drop";
const CONTROLS = 10;
const PAUSE = 250; // milliseconds after the last move of a slider
/**
 * `least` units of least connectivity are left out besides `units`; `edges` is the share of the links that is kept.
 *
 * @type {Choice}
 */
export const NOTHING = { ...address.defaults("drop"), rule: "" };
export const { offered: ITERATIONS } = address.bounds("drop", "iterations");
/** @type {State} */
const FIRST = {
  ...{ status: "loading", problem: null, evaluation: null, fresh: false },
  ...{ model: null, sets: [], graph: null, graphProblem: null, use: null },
  ...{ choice: { ...NOTHING }, ruled: null, pinned: null },
};

const { state, update, subscribe } = makeStore(FIRST);

/** The unit that is pointed at; charts draw others faintly. */
export const pointed = signal(/** @type {string | null} */ (null));

/** The model, where one knows that it is there. */
const opened = () => /** @type {Opened} */ (state).model;

/** The names of the data sets that are measured: all of the model's where none is named. */
export const measured = () => (state.choice.data.length ? state.choice.data : state.sets.map((each) => each.name));

/** @param {Pick<State, "model">} state */
export const hasLinks = ({ model }) => model !== null && model.constants.includes("link_probability");

/** Whether tokens are routed to experts. @param {Pick<State, "model">} state */
export const hasExperts = ({ model }) => model !== null && (model.layers ?? []).length > 0;

/** The units of least connectivity, in the order in which they leave. */
export function weakest(count = state.choice.least) {
  const { graph } = state;
  if (!count || !graph) return [];
  return unitNames
    .byConnectivity(graph.connectivity)
    .slice(0, count)
    .map((at) => opened().units[at]);
}

/** All units that are left out, in the model's order. */
export function leftOut() {
  const away = new Set([...state.choice.units, ...weakest()]);
  return state.model ? state.model.units.filter((unit) => away.has(unit)) : [];
}

/** Leaves out exactly these units, whatever slider had chosen some of them. @param {string[]} units */
export function leaveOut(units) {
  const wanted = new Set(units);
  choose({ units: opened().units.filter((unit) => wanted.has(unit)), least: 0 });
}

/** What the page shows, as it would be pinned; null while there is no model. */
export function shown() {
  const { model, choice } = state;
  if (!model) return null;
  const { kind, edges, iterations, top_k } = choice;
  const { sample } = selection.current();
  return pins.asPinned({ model: model.id, sample, [kind]: leftOut(), edges, iterations, top_k });
}

/** What is pinned, with the units that its model has; null for nothing, and for what is shown on this page anyway. */
async function findPinned() {
  const a = pins.read(pins.pinned.value);
  if (!a) return null;
  const model = opened();
  const own = a.model === model.id;
  /** @type {{id: string, units: string[]} | null} */
  const of = own ? model : await api.send("GET", "/models/" + encodeURIComponent(a.model)).catch(() => null); // why not is said with the figures
  const found = of ? await pins.resolved(a, of) : a;
  const now = /** @type {Pinned} */ (shown());
  return own && pins.same({ ...found, sample: now.sample }, now, model.units) ? null : found;
}

/** @param {Pinned} pinned */
async function againstOf({ model, edges, iterations, top_k, ...units }) {
  const named = await Promise.all(
    pins.WAYS.map(async (way) => [way, (await sets.inRequest(units[way])).split(",").filter(Boolean)]),
  );
  const intervention = { ...Object.fromEntries(named), keep_edges: edges, iterations, top_k };
  return JSON.stringify({ model, intervention });
}

/** What the evaluation of the choice names, and what it is compared with: short enough for an address. */
async function inShort() {
  const { choice, pinned } = state;
  const [units, against, name] = await Promise.all([
    sets.inRequest(leftOut()),
    pinned && againstOf(pinned),
    sets.inAddress(opened().units, choice.units, choice.rule),
  ]);
  return { units, against, name };
}

/** @param {{units: string, against: string | null}} named */
function streamPath({ units, against }) {
  const { choice } = state;
  const { samples, kind, iterations, edges, top_k } = choice;
  const on = { model: opened().id, data: measured().join(","), samples };
  const done = { [kind]: units, iterations, keep_edges: edges, top_k };
  return "/evaluations/stream" + address.queryOf({ ...on, ...done, controls: CONTROLS, against });
}

let there = false; // whether the page is open

/** Opens the stream for the choice as it is once all changes of this turn have been made. */
const runs = evaluations.makeRuns({
  owner: OWNER,
  statusOf: () => state.status,
  update,
  async begin(stands) {
    if (hasLinks(state) && state.choice.least && !state.graph && !state.graphProblem) return; // hearGraph goes on
    const holds = () => stands() && there;
    const pinned = pins.pinned.value && holds() && state.model ? await findPinned() : null;
    if (!holds() || !state.model) return;
    update({ pinned });
    const named = await inShort();
    if (!holds() || !state.model) return;
    if (named.name) update({ choice: { ...state.choice, rule: named.name } });
    writeAddress();
    runs.ask(state.model.id, () => streamPath(named));
  },
});

function writeAddress() {
  const model = opened();
  const pin = pins.pinned.value || null;
  const { rule, ...said } = state.choice;
  const shown = { ...said, units: rule ? rule.split(",") : said.units };
  const all = rule ? undefined : model.units; // a rule is written as it is
  address.write("drop", { ...shown, model: model.id, sample: selection.current().sample, pin }, all);
}

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const OF_RULES = ["units", "kind", "least", "top_k"]; // with another one of them, units are no longer those of a rule

/**
 * Leaves out the units that rules and names stand for, which the service says, or says why that cannot be.
 *
 * @param {string[]} parts such as "l3.*", "least:4", "l1.e2"
 */
export async function leaveOutBy(parts) {
  const { model, choice } = state;
  if (!model) return;
  const found = await sets.unitsOf(model, parts, choice).catch((/** @type {api.Problem} */ problem) => problem);
  if (state.model !== model || state.choice !== choice) return; // something else was chosen meanwhile
  const refused = found instanceof Error;
  update({ ruled: refused ? { text: found.message, refused } : saysOf(model, found) });
  if (!refused) choose({ units: found.units, least: 0, rule: parts.join(",") });
}

/** @param {Schemas["ModelDetail"]} model @param {sets.Named} found @returns {State["ruled"]} */
function saysOf(model, { units, rules, observed }) {
  const by = observed ? ", by " + USES.weight + " on " + observed.count + " samples" : "";
  const words = wordsOf(model);
  const named = units.length + " " + (units.length === 1 ? words.unit : words.units);
  return { text: rules.join(", ") + ": " + named + by, refused: false };
}

/**
 * Changes what is left out or on what it is measured; `sliding` waits for the slider to rest.
 *
 * @param {Partial<Choice>} changes
 */
export function choose(changes, sliding = false) {
  const other = OF_RULES.some((name) => name in changes) && !("rule" in changes);
  const choice = { ...state.choice, ...(other ? { rule: "" } : {}), ...changes };
  if (other) update({ ruled: null });
  if (same(choice, state.choice)) return;
  update({ choice });
  if (state.model) runs.restart(sliding ? PAUSE : 0);
}

/**
 * Shows the importance of what training showed, or of what it left out; what is measured live has both.
 *
 * @param {Choice["distribution"]} distribution
 */
export function showDistribution(distribution) {
  if (distribution === state.choice.distribution) return;
  update({ choice: { ...state.choice, distribution } });
  if (state.model) writeAddress();
}

/**
 * What the service has of a model that `has` it.
 *
 * @param {string} part @param {() => boolean} has @returns {Resource<any>}
 */
const ofModel = (part, has) =>
  api.resource(
    () => (has() ? "/models/" + encodeURIComponent(opened().id) + "/" + part : null),
    (path, signal) => api.send("GET", path, undefined, { signal }),
  );
/** @type {Resource<Schemas["Graph"]>} */
const graphs = ofModel("graph", () => hasLinks(state));
/** @type {Resource<Schemas["Use"]>} */
const uses = ofModel("use", () => hasExperts(state) && state.sets.length > 0);

/** Follows what the page asks for besides its evaluation; returns what ends that. */
export function follow() {
  there = true;
  const ends = [
    graphs.follow(),
    uses.follow(),
    effect(() => {
      const [graph, problem] = [graphs.answer(), graphs.waits() ? null : graphs.problem()];
      untracked(() => hearGraph(graph, problem));
    }),
    effect(() => {
      const use = uses.answer(); // without it cells are not shaded
      untracked(() => use !== state.use && update({ use }));
    }),
  ];
  return () => {
    there = false;
    ends.forEach((end) => end());
  };
}

/**
 * What waits for the order of the units goes on with it, or without.
 *
 * @param {Schemas["Graph"] | null} graph @param {api.Problem | null} problem
 */
function hearGraph(graph, problem) {
  if (graph === state.graph && problem === state.graphProblem) return;
  const waits = state.choice.least > 0;
  update({ graph, graphProblem: problem, ...(problem ? { choice: { ...state.choice, least: 0 } } : {}) });
  if (waits && (graph || problem)) runs.restart();
}

/**
 * The kinds of ablation that a model takes: two replace what units contribute, which not every model records.
 *
 * @param {Schemas["ModelDetail"]} model @returns {Kind[]}
 */
export const kindsOf = (model) => [
  "drop",
  ...(muteRefusal(model) ? [] : /** @type {Kind[]} */ (["mute"])),
  ...(model.fields.includes("contributions") ? /** @type {Kind[]} */ (["mean", "resample"]) : []),
];

/**
 * Keeps of a choice what this model has.
 *
 * @param {Choice} choice @param {Schemas["ModelDetail"]} model @param {State["sets"]} sets @returns {Choice}
 */
function fitting(choice, model, sets) {
  const names = sets.map((each) => each.name);
  const data = choice.data.filter((name) => names.includes(name));
  const [linked, experts, kinds] = [hasLinks({ model }), hasExperts({ model }), kindsOf(model)];
  const most = model.most_iterations ?? Infinity;
  const long = choice.iterations !== null && choice.iterations > most;
  address.sayUnits("units", model, choice.units);
  address.saySets(model.id, names, choice.data);
  if (!kinds.includes(choice.kind))
    address.say(`"kind" is ${choice.kind}, which ${model.id} does not support: ${NOTHING.kind} is used.`);
  if (!linked && (choice.least || choice.edges !== null))
    address.say(`${model.id} has no links between units: "least" and "edges" are ignored.`);
  if (!experts && choice.top_k !== null) address.say(`${model.id} has no experts: "top_k" is ignored.`);
  if (linked && choice.least >= model.units.length)
    address.say(`"least" is ${choice.least}: at least one of the ${model.units.length} units of ${model.id} stays.`);
  if (long)
    address.say(`"iterations" is ${choice.iterations}; ${model.id} has up to ${most}: the model runs as trained.`);
  return {
    ...choice,
    kind: kinds.includes(choice.kind) ? choice.kind : NOTHING.kind,
    units: unitNames.expand(model.units, choice.units),
    least: linked ? Math.min(choice.least, model.units.length - 1) : 0,
    edges: linked ? choice.edges : null,
    top_k: experts ? choice.top_k : null,
    iterations: long ? null : choice.iterations,
    data: data.length === names.length ? [] : data,
  };
}

let wanted = 0;
/** The model that was asked for last, whether or not it came; undefined: none yet. @type {string | null | undefined} */
let asked;

/** Nothing that is shown is of the model that was chosen before. */
function forget() {
  runs.close();
  const none = { model: null, sets: [], pinned: null, evaluation: null, ruled: null };
  update({ ...none, fresh: false, problem: null, status: "loading" });
}

/** Begins with what the address says. @param {Partial<Choice>} choice */
export const begin = (choice) => update({ choice: { ...NOTHING, ...choice } });

/** Opens the page for another model than was asked for last. @param {string | null} modelId */
export async function open(modelId) {
  if (modelId === asked) return;
  const mine = (wanted += 1);
  asked = modelId;
  if (state.model && state.model.id !== modelId) forget();
  if (!modelId) {
    update({ status: "loading" });
    return;
  }
  try {
    const { model, sets } = await modelWithSets(modelId);
    if (mine !== wanted) return;
    const named = await unitsOf(model, state.choice);
    if (mine !== wanted) return;
    update({ model, sets, ruled: named.ruled, evaluation: null });
    update({ choice: { ...fitting({ ...state.choice, ...named.choice }, model, sets), rule: named.rule } });
    runs.restart();
  } catch (problem) {
    const { title, message: detail } = /** @type {api.Problem} */ (problem);
    if (mine === wanted) update({ status: "failed", problem: { title, detail } });
  }
}

/**
 * The units of a choice with those that its rules stand for in their place; what is refused of them is said once.
 *
 * @param {Schemas["ModelDetail"]} model @param {Choice} choice
 * @returns {Promise<{choice: Partial<Choice>, rule: string, ruled: State["ruled"]}>}
 */
async function unitsOf(model, choice) {
  const said = choice.rule ? choice.rule.split(",") : choice.units;
  if (!said.some(unitNames.isRule)) return { choice: {}, rule: "", ruled: null };
  const found = await sets.unitsOfAddress("units", model, said, choice);
  const ruled = found.rules.length > 0;
  const [rule, says] = ruled ? [found.parts.join(","), saysOf(model, found)] : ["", null];
  return { choice: { units: found.units }, rule, ruled: says };
}

/** Shows another choice of the same model. @param {Choice} choice */
export async function take(choice) {
  const { model, sets: known } = state;
  if (!model) return;
  const mine = (wanted += 1);
  const before = state.choice;
  const named = await unitsOf(model, choice);
  if (mine !== wanted || state.choice !== before) return; // something else was chosen meanwhile
  update({
    ruled: named.ruled,
    choice: { ...fitting({ ...choice, ...named.choice }, model, known), rule: named.rule },
  });
  runs.restart();
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  asked = undefined;
  forget();
}

/** @type {(keyof Schemas["Evaluation"]["intervention"])[]} */
export const PARTS = ["drop", "mute", "mean", "resample", "iterations", "keep_edges", "top_k"];

/** What files say about where their numbers come from. */
export function facts() {
  const evaluation = /** @type {Schemas["Evaluation"]} */ (state.evaluation);
  return figures.factsOf(evaluation, PARTS, {
    least_connected: state.fresh && state.choice.least ? state.choice.least : null,
    held_out: evaluation.data.filter((each) => each.held_out).map((each) => each.name),
  });
}

/** Goes on with the choice as it is; where the model did not come, asks for it again. */
function restart() {
  if (state.model) {
    runs.restart();
    return;
  }
  update({ status: "loading", problem: null });
  const again = asked ?? null;
  asked = undefined;
  void open(again);
}

const { cancel } = runs;

export { cancel, restart, state, subscribe };
