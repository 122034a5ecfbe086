/* The state of the Graphs page in this browser: the graph, what is left out of it, how one looks at it, and the module
   that is looked at. Pictures follow a slider at once; the evaluation (pages/graphs/evaluation.js) follows when it rests. */
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";
import { modelWithSets } from "rs/parts/data_sets.js";
import { signal } from "rs/vendor/preact.js";

/** @import { ModelGraph } from "rs/lib/types.d.ts" */
/** @import { Choice, Cut, Looks, Said, State, Which } from "rs/pages/graphs/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
const MOST_SHOWN = 100000; // links that are drawn
export const WHOLE = { x: 0, y: 0, zoom: 1 };
/** @type {Choice} */
export const CHOICE = address.defaults("graphs", "least", "keep", "drop", "data", "samples");
/** @type {Looks} */
const VIEW = address.defaults("graphs", "unit", "order", "colour", "links", "scale", "compare");

export const { offered: SIZES } = address.bounds("graphs", "samples");

/** @type {State} */
const FIRST = {
  status: "loading", // loading, ready, failed
  problem: null,
  model: null, // the API's ModelInfo
  sets: [], // the data sets that it can be scored on
  graph: null, // lib/graph.js
  choice: { ...CHOICE },
  cut: null, // what the choice leaves: {dropped, names, stay, total, live} and, of learned and prior, {states, last}
  view: { ...VIEW },
  map: { ...WHOLE }, // the part of the picture in view
  hover: -1, // a module
  pair: null, // [row, column] of the matrix that is pointed at
};
const store = makeStore(FIRST);
export const { state, subscribe } = store;

/** @param {Partial<State>} changes */
export function update(changes) {
  store.update(changes);
  if (["choice", "view", "map", "graph"].some((name) => name in changes)) writeSoon();
}

/* -- what is left out --------------------------------------------------------------------------------------- */

/**
 * Modules that the choice leaves out: the least connected and those that are named.
 *
 * @param {ModelGraph} graph @param {Choice} choice @returns {Cut}
 */
function cutOf(graph, choice) {
  const dropped = new Uint8Array(graph.count);
  for (const unit of graph.weakest.slice(0, choice.least)) dropped[unit] = 1;
  for (const name of choice.drop) dropped[/** @type {number} */ (graph.place.get(name))] = 1;
  const learned = links.cut(graph.links.learned, dropped, choice.keep);
  const names = graph.units.filter((_, unit) => dropped[unit]);
  const prior = graph.prior
    ? links.cut(graphData.linksFor(graph, "prior"), dropped, choice.keep)
    : { states: null, last: -1 };
  return {
    ...learned,
    dropped,
    names,
    states: { learned: learned.states, prior: prior.states },
    last: { learned: learned.last, prior: prior.last },
  };
}

/**
 * Keeps of a choice what this graph has; at least one module stays.
 *
 * @param {Choice} choice @param {ModelGraph} graph @param {State["sets"]} sets @returns {Choice}
 */
function fitting(choice, graph, sets) {
  const known = sets.map((each) => each.name);
  const data = choice.data.filter((name) => known.includes(name));
  const drop = unitNames.expand(graph.units, choice.drop).slice(0, graph.count - 1);
  const keep = choice.keep === null || choice.keep >= 1 || graph.links.learned.count === 0 ? null : choice.keep;
  return {
    ...choice,
    keep,
    drop,
    least: Math.min(choice.least, graph.count - 1),
    data: data.length === known.length ? [] : data,
  };
}

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Changes what is left out or on what it is measured. @param {Partial<Choice>} changes */
export function choose(changes) {
  const { graph, sets } = state;
  const choice = graph ? fitting({ ...state.choice, ...changes }, graph, sets) : { ...state.choice, ...changes };
  if (same(choice, state.choice)) return;
  if (!graph) {
    update({ choice });
    return;
  }
  const cut = cutOf(graph, choice);
  if (!cut.stay) {
    api.notify("One module stays", "A network without modules computes nothing.", "bad");
    update({}); // controls go back to what holds
    return;
  }
  update({ choice, cut });
}

/* -- how one looks at it ------------------------------------------------------------------------------------ */

/** @param {Partial<Looks>} changes */
export function look(changes) {
  const view = { ...state.view, ...changes };
  if (!same(view, state.view)) update({ view });
}

/** @param {ModelGraph} graph */
export const most = (graph) => Math.min(MOST_SHOWN, graph.links.learned.count);

/**
 * How many links are drawn unless somebody says otherwise: those of even odds, or two a module where there are few.
 *
 * @param {ModelGraph} graph
 */
function usual(graph) {
  const likely = links.prefix(graph.links.learned, 0.5);
  return Math.min(most(graph), likely >= graph.count / 2 ? likely : 2 * graph.count);
}

/** Whether a graph of links belongs to a model. @param {{constants: string[]}} model */
export const hasLinks = ({ constants }) => constants.includes("link_probability");

/** The graph, where one knows that it is there. */
const there = () => /** @type {ModelGraph} */ (state.graph);

/** How many of the most probable links are drawn. */
export const shownLinks = () =>
  state.graph ? Math.min(most(state.graph), state.view.links === null ? usual(state.graph) : state.view.links) : 0;

/**
 * How many links of a graph are drawn: of the prior as many as of the learned graph, where it has as many. Their
 * probabilities are of different sizes, so that at one threshold the graph with more links would be no other one.
 *
 * @param {Which} which
 */
export const shownOf = (which) =>
  which === "learned" ? shownLinks() : Math.min(shownLinks(), graphData.linksFor(there(), which).count);

/** The least probability among the links of a graph that are drawn; above 1 when none is. @param {Which} [which] */
export function threshold(which = "learned") {
  const shown = shownOf(which);
  return shown ? graphData.linksFor(there(), which).p[shown - 1] : Infinity;
}

/**
 * How many links of a graph are as probable as the least that is drawn: more than are drawn where some are equal.
 *
 * @param {Which} which
 */
export const likelyOf = (which) => links.prefix(graphData.linksFor(there(), which), threshold(which));

/** Points at a module, -1 for none. @param {number} unit */
export function point(unit) {
  if (unit !== state.hover) update({ hover: unit });
}

/** Chooses a module by its place, or none. @param {number} unit */
export function pick(unit) {
  look({ unit: unit >= 0 ? there().units[unit] : null });
}

/** The place of the chosen module, or -1. */
export const chosen = () => {
  const place = state.graph && state.view.unit !== null ? state.graph.place.get(state.view.unit) : undefined;
  return place === undefined ? -1 : place;
};

/* -- the address --------------------------------------------------------------------------------------------- */

/** What the address says that the page shows, without the model and the sample. @type {Signal<Said>} */
export const said = signal({ ...CHOICE, ...VIEW, map: null });

/** @type {ReturnType<typeof setTimeout> | 0} */
let writing = 0;

function writeSoon() {
  if (!writing) writing = setTimeout(writeAddress, PAUSE);
}

function writeAddress() {
  writing = 0;
  const { model, choice, view, map, graph } = state;
  if (!model || !graph) return;
  const { sample } = selection.current();
  address.write("graphs", { ...choice, ...view, map, sample, model: model.id }, graph.units);
  said.value = { ...choice, ...view, map: same(map, WHOLE) ? null : [map.x, map.y, map.zoom].join(",") };
}

/** What an address says, as the state has it. @param {Said} said */
function readFrom({ least, keep, drop, data, samples, map, ...view }) {
  const part = address.viewOf(map);
  return { choice: { least, keep, drop, data, samples }, view, map: part ? ScatterMap.clamped(part) : { ...WHOLE } };
}

/* -- opening and leaving ------------------------------------------------------------------------------------- */

/**
 * What of a choice and a view a graph has, and what that leaves of it.
 *
 * @param {Pick<State, "choice" | "view">} asked @param {ModelGraph} graph @param {State["sets"]} sets
 */
function shownOn({ choice: wished, view }, graph, sets) {
  const choice = fitting(wished, graph, sets);
  const unit = view.unit !== null && graph.place.has(view.unit) ? view.unit : null;
  return { choice, view: { ...view, unit, compare: view.compare && Boolean(graph.prior) }, cut: cutOf(graph, choice) };
}

/** Begins with what an address says. @param {Said} given */
export function begin(given) {
  said.value = given;
  update(readFrom(given));
}

/** Shows something else of the same graph. @param {Said} next */
export function take(next) {
  const { graph, sets } = state;
  const asked = readFrom(next);
  update(graph ? { ...asked, ...shownOn(asked, graph, sets) } : asked);
}

const NONE = /** @type {const} */ ({ status: "loading", graph: null, cut: null, hover: -1, pair: null });
let wanted = 0;
/** The model that was asked for last, whether or not it came; undefined: none yet. @type {string | null | undefined} */
let asked;

/** Asks again for the model that did not come. */
export function again() {
  const id = asked ?? null;
  asked = undefined;
  void open(id);
}

/** Opens the page for another model than was asked for last. @param {string | null} modelId */
export async function open(modelId) {
  if (modelId === asked) return;
  const mine = (wanted += 1);
  asked = modelId;
  const former = state.model !== null && state.model.id !== modelId;
  update({ ...NONE, problem: null, ...(former ? { model: null, sets: [] } : {}) });
  if (!modelId) return;
  try {
    const { model, sets } = await modelWithSets(modelId);
    if (mine !== wanted) return;
    if (!hasLinks(model)) {
      // Asked for a graph that is not there, browsers log an error.
      update({ status: "failed", problem: { title: "No graph", detail: "", status: 404 } });
      return;
    }
    const graph = await graphData.load(modelId);
    if (mine !== wanted) return;
    const { choice, view } = state;
    const shown = shownOn(state, graph, sets);
    const units = { id: modelId, units: graph.units };
    address.sayUnits("drop", units, choice.drop);
    address.saySets(modelId, model.domains, choice.data);
    if (choice.least >= graph.count)
      address.say(`"least" is ${choice.least}; ${modelId} has ${graph.count} modules: shown is ${shown.choice.least}.`);
    if (view.unit !== shown.view.unit) address.sayUnits("unit", units, [/** @type {string} */ (view.unit)]);
    update({ model, sets, graph, ...shown, status: "ready" });
  } catch (problem) {
    if (mine !== wanted) return;
    const { title = "The page failed", message: detail, status } = /** @type {api.Problem} */ (problem);
    update({ status: "failed", problem: { title, detail, status } });
  }
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  asked = undefined;
  clearTimeout(writing);
  writing = 0;
  Object.assign(state, NONE, { model: null, sets: [] });
}
