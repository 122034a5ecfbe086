/* What the choice of the Graphs page costs: the evaluation that streams in for it, and the effect of one module alone.
   Every change of the choice closes the running stream, which ends its computing; the next opens when the sliders rest. */
import * as address from "rs/lib/address.js";
import { makeStore } from "rs/lib/store.js";
import * as stream from "rs/lib/stream.js";
import * as graphPage from "rs/pages/graphs/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as figures from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Effect, Ready, State as PageState } from "rs/pages/graphs/types.d.ts" */
/** @import { Shown } from "rs/parts/evaluation.js" */

/**
 * @typedef {object} Alone
 * @property {Map<string, Effect>} effects module -> {status, evaluation, problem}: without that module alone
 * @property {string | null} of the model, the data and the samples that these are measured on, as text
 * @typedef {Omit<Shown, "status"> & {status: Shown["status"] | "loading"} & Alone} State
 */

const [OWNER, ALONE] = ["graph", "graph-module"];
const CONTROLS = 10;
const REST = 220; // milliseconds without a change
/** @type {State} */
const FIRST = {
  status: "loading", // loading, running, done, cancelled, failed
  problem: null,
  evaluation: null, // the latest event
  fresh: false, // whether it belongs to the choice
  effects: new Map(), // module -> {status, evaluation, problem}: without that module alone
  of: null,
};
const { state, update, subscribe } = makeStore(FIRST);
let asked = "";

/** The names of the data sets that are measured: all of the model's where none is named. */
export function measured() {
  const { choice, sets } = graphPage.state;
  return choice.data.length ? choice.data : sets.map((each) => each.name);
}

/**
 * @param {string[]} drop
 * @param {number | null} keep
 * @param {number} controls
 */
function pathOf(drop, keep, controls) {
  const { model, choice } = /** @type {Ready} */ (graphPage.state);
  return (
    "/evaluations/stream" +
    address.queryOf({
      model: model.id,
      data: measured().join(","),
      samples: choice.samples,
      drop: drop.join(","),
      keep_edges: keep,
      controls,
    })
  );
}

const onPage = () => document.querySelector('[data-widget="graph-page"]');

const runs = evaluations.makeRuns({
  owner: OWNER,
  statusOf: () => state.status,
  update,
  begin() {
    const { model, choice, cut } = graphPage.state;
    if (model && cut && onPage()) runs.ask(model.id, () => pathOf(cut.names, choice.keep, CONTROLS));
  },
});

/**
 * Follows the choice of the page.
 *
 * @param {PageState} graph
 */
export function follow(graph) {
  if (!graph.model || !graph.cut || graph.status !== "ready") {
    if (asked) stop();
    return;
  }
  const data = [graph.model.id, measured(), graph.choice.samples];
  const key = JSON.stringify([...data, graph.cut.names, graph.choice.keep]);
  if (key === asked) return;
  const first = !asked;
  const set = JSON.stringify(data);
  if (set !== state.of) {
    stream.close(ALONE);
    update({ of: set, effects: new Map(), ...(first ? { evaluation: null } : {}) });
  }
  asked = key;
  runs.restart(first ? 0 : REST);
}

/* -- one module alone ---------------------------------------------------------------------------------------- */

/**
 * @param {string} unit
 * @param {Effect | null} effect
 */
function remember(unit, effect) {
  const effects = new Map(state.effects);
  if (effect) effects.set(unit, effect);
  else effects.delete(unit);
  update({ effects });
}

/**
 * Measures what leaving out this module alone changes.
 *
 * @param {string} unit
 */
export function measure(unit) {
  for (const [other, effect] of state.effects) if (effect.status === "running") remember(other, null);
  if (state.problem && state.problem.refused) {
    remember(unit, { status: "failed", problem: state.problem });
    return;
  }
  remember(unit, { status: "running", evaluation: null });
  evaluations.listen(ALONE, pathOf([unit], null, 0), (news) => remember(unit, news));
}

export function stop() {
  runs.close();
  stream.close(ALONE);
  asked = "";
  update({ status: "loading", problem: null, evaluation: null, fresh: false, effects: new Map(), of: null });
}

/**
 * What files say about where the numbers of an evaluation come from.
 *
 * @param {Schemas["Evaluation"]} evaluation
 */
export function facts(evaluation) {
  const { least } = graphPage.state.choice;
  return figures.factsOf(evaluation, ["drop", "mute", "keep_edges", "iterations"], {
    least_connected: state.fresh && least ? least : null,
  });
}

const { cancel } = runs;
const restart = () => runs.restart();

export { cancel, restart, state, subscribe };
