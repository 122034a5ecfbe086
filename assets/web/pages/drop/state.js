/* The state of the Drop page in this browser: what is left out, on what it is measured, and the evaluation that streams in.
   Every change closes the running stream, which ends its computing, and opens the next. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { refusal } from "rs/lib/models.js";
import * as selection from "rs/lib/selection.js";
import * as stream from "rs/lib/stream.js";
import * as unitNames from "rs/lib/units.js";
import * as figures from "rs/parts/figures.js";

const OWNER = "drop";
const CONTROLS = 10;
const listeners = new Set();
const PAUSE = 250; // milliseconds after the last move of a slider
// `least` units of least connectivity are left out besides `units`; `edges` is the share of the links that is kept.
export const NOTHING = { kind: "drop", units: [], least: 0, edges: null, iterations: null, data: [], samples: 1000 };
export const state = {
  status: "loading", // loading, empty, running, done, cancelled, failed
  problem: null,
  model: null, // the API's ModelInfo
  graph: null, // the API's Graph, once it is there, of a model with links
  graphProblem: null,
  sets: [], // the data sets that this model reads, as the API describes them
  choice: { ...NOTHING },
  evaluation: null, // the latest event
  fresh: false, // whether the evaluation belongs to the choice
};

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

/** The names of the data sets that are measured: all of the model's where none is named. */
export const measured = () => (state.choice.data.length ? state.choice.data : state.sets.map((each) => each.name));

export const hasLinks = ({ model }) => Boolean(model) && model.constants.includes("link_probability");

/** The units of least connectivity, in the order in which they leave. */
export function weakest(count = state.choice.least) {
  const { model, graph } = state;
  if (!count || !graph) return [];
  return unitNames
    .byConnectivity(graph.connectivity)
    .slice(0, count)
    .map((at) => model.units[at]);
}

/** All units that are left out, in the model's order. */
export function leftOut() {
  const away = new Set([...state.choice.units, ...weakest()]);
  return state.model ? state.model.units.filter((unit) => away.has(unit)) : [];
}

/** Leaves out exactly these units, whatever slider had chosen some of them. */
export const leaveOut = (units) => choose({ units: inOrder(units), least: 0 });

function inOrder(units) {
  const wanted = new Set(units);
  return state.model.units.filter((unit) => wanted.has(unit));
}

function streamPath() {
  const { model, choice } = state;
  const query = {
    model: model.id,
    data: measured().join(","),
    samples: choice.samples,
    [choice.kind]: leftOut().join(","),
    iterations: choice.iterations,
    keep_edges: choice.edges,
    controls: CONTROLS,
  };
  return "/evaluations/stream" + address.queryOf(query);
}

let due = 0;
let turn = 0; // of the choices that are to be measured; what waits for an older one ends

/** Opens the stream for the choice as it is once all changes of this turn have been made. */
function restart(pause = 0) {
  turn += 1;
  stream.close(OWNER);
  update({ status: state.model ? "running" : state.status, problem: null, fresh: false });
  clearTimeout(due);
  due = setTimeout(openStream, pause);
}

async function openStream() {
  const mine = turn;
  if (state.choice.least && !state.graph && !state.graphProblem) await findGraph();
  if (mine !== turn || !state.model || !document.querySelector('[data-widget="drop-page"]')) return;
  writeAddress();
  const refused = await refusal(state.model.id);
  if (mine !== turn) return;
  if (refused) {
    update({ status: "failed", problem: refused });
    return;
  }
  stream.open(
    OWNER,
    streamPath(),
    {
      evaluation(evaluation) {
        const done = evaluation.state === "done";
        update({ evaluation, fresh: true, status: done ? "done" : "running" });
        return done;
      },
    },
    (problem) => update({ status: "failed", problem: { title: problem.title, detail: problem.message } }),
  );
}

export function cancel() {
  turn += 1;
  clearTimeout(due);
  stream.close(OWNER);
  if (state.status === "running") update({ status: "cancelled" });
}

function writeAddress() {
  const { model, choice } = state;
  address.write("/drop", {
    model: model.id,
    sample: selection.current().sample,
    kind: choice.kind === NOTHING.kind ? null : choice.kind,
    units: unitNames.compact(model.units, choice.units),
    least: choice.least || null,
    edges: choice.edges,
    iterations: choice.iterations,
    data: choice.data.join(","),
    samples: choice.samples === NOTHING.samples ? null : choice.samples,
  });
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Changes what is left out or on what it is measured; `sliding` waits for the slider to rest. */
export function choose(changes, sliding = false) {
  const choice = { ...state.choice, ...changes };
  if (same(choice, state.choice)) return;
  update({ choice });
  if (state.model) restart(sliding ? PAUSE : 0);
}

let asked = null; // the model whose graph is on its way, and the promise of it

/** Fetches the graph of the model, once. */
function findGraph() {
  const { model } = state;
  if (asked && asked.id === model.id) return asked.coming;
  const coming = api
    .send("GET", "/models/" + encodeURIComponent(model.id) + "/graph")
    .then((graph) => state.model === model && update({ graph }))
    .catch(
      (problem) => state.model === model && update({ graphProblem: problem, choice: { ...state.choice, least: 0 } }),
    );
  asked = { id: model.id, coming };
  return coming;
}

/** The kinds of ablation that a model takes: two replace what units contribute, which not every model records. */
export const kindsOf = (model) => [
  "drop",
  "mute",
  ...(model.fields.includes("contributions") ? ["mean", "resample"] : []),
];

/** Keeps of a choice what this model has. */
function fitting(choice, model, sets) {
  const names = sets.map((each) => each.name);
  const data = choice.data.filter((name) => names.includes(name));
  const linked = model.constants.includes("link_probability");
  const most = model.most_iterations;
  return {
    ...choice,
    kind: kindsOf(model).includes(choice.kind) ? choice.kind : NOTHING.kind,
    units: unitNames.expand(model.units, choice.units),
    least: linked ? Math.min(choice.least, model.units.length - 1) : 0,
    edges: linked ? choice.edges : null,
    iterations: most !== null && choice.iterations > most ? null : choice.iterations,
    data: data.length === names.length ? [] : data,
  };
}

let wanted = 0;

/** Opens the page for `model` with `choice`; null keeps the choice there is. */
export async function open(modelId, choice) {
  const mine = (wanted += 1);
  if (choice) update({ choice: { ...NOTHING, ...choice } });
  if (!modelId) {
    update({ status: "loading" });
    return;
  }
  try {
    const [model, data] = await Promise.all([
      api.send("GET", "/models/" + encodeURIComponent(modelId)),
      api.send("GET", "/data"),
    ]);
    if (mine !== wanted) return;
    const sets = model.domains
      .map((domain) => data.items.find((each) => each.name === domain))
      .filter((each) => each !== undefined);
    asked = null;
    update({ model, sets, graph: null, graphProblem: null, evaluation: null });
    update({ choice: fitting(state.choice, model, sets) });
    if (hasLinks(state)) findGraph();
    if (!sets.length) {
      update({ status: "empty" });
      return;
    }
    restart();
  } catch (problem) {
    if (mine === wanted) update({ status: "failed", problem: { title: problem.title, detail: problem.message } });
  }
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  turn += 1;
  clearTimeout(due);
  stream.close(OWNER);
  asked = null;
  Object.assign(state, { status: "loading", model: null, sets: [], graph: null, graphProblem: null });
  Object.assign(state, { evaluation: null, fresh: false, problem: null });
}

/** What files say about where their numbers come from. */
export function facts() {
  const { evaluation } = state;
  const { drop, mute, mean, resample, iterations, keep_edges } = evaluation.intervention;
  return {
    model: evaluation.model,
    revision: evaluation.revision,
    seed: evaluation.seed === undefined ? null : evaluation.seed,
    drop,
    mute,
    mean,
    resample,
    iterations,
    keep_edges,
    least_connected: state.fresh && state.choice.least ? state.choice.least : null,
    held_out: evaluation.data.filter((each) => each.held_out).map((each) => each.name),
    data: evaluation.data,
    samples: evaluation.data.reduce((sum, each) => sum + each.count, 0),
    samples_scored: figures.covered(evaluation),
    state: evaluation.state,
    evaluation: evaluation.id,
    kind: "caused",
  };
}

const restartNow = () => restart();

export { restartNow as restart };
