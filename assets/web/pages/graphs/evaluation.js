/* What the choice of the Graphs page costs: the evaluation that streams in for it, and the effect of one module alone.
   Every change of the choice closes the running stream, which ends its computing; the next opens when the sliders rest. */
import * as address from "rs/lib/address.js";
import { makeStore } from "rs/lib/store.js";
import * as stream from "rs/lib/stream.js";
import * as graphPage from "rs/pages/graphs/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as figures from "rs/parts/figures.js";
import { computed, effect, untracked } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Effect, Ready } from "rs/pages/graphs/types.d.ts" */
/** @import { Shown } from "rs/parts/evaluation.js" */

/**
 * @typedef {object} Alone
 * @property {Map<string, Effect>} effects without one module alone, by what `keyOf` names it
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
  effects: new Map(),
};
const { state, update } = makeStore(FIRST);
let asked = "";

/** The names of the data sets that are measured: all of the model's where none is named. */
export function measured() {
  const { choice, sets } = graphPage.state;
  return choice.data.length ? choice.data : sets.map((each) => each.name);
}

/** @param {string[]} drop @param {number | null} keep @param {number} controls */
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

const runs = evaluations.makeRuns({
  owner: OWNER,
  statusOf: () => state.status,
  update,
  begin() {
    const { model, choice, cut } = graphPage.state;
    if (model && cut && asked) runs.ask(model.id, () => pathOf(cut.names, choice.keep, CONTROLS));
  },
});

/** What is measured: the model, the data and the samples, as text. */
const dataNow = () => JSON.stringify([graphPage.state.model?.id, measured(), graphPage.state.choice.samples]);

/** All that an evaluation of the choice depends on, as text; "" while there is nothing to measure. */
const wanted = computed(() => {
  const { model, cut, status, choice } = graphPage.state;
  return model && cut && status === "ready" ? JSON.stringify([dataNow(), cut.names, choice.keep]) : "";
});

/** @param {string} next */
function hear(next) {
  const before = asked;
  if (!next) {
    if (before) stop();
    return;
  }
  if (before && JSON.parse(before)[0] !== dataNow()) stopAlone();
  asked = next;
  runs.restart(before ? REST : 0);
}

/** Follows what is chosen on the page; returns what ends that. */
export function follow() {
  const end = effect(() => {
    const next = wanted.value;
    untracked(() => hear(next));
  });
  return () => {
    end();
    stop();
  };
}

/* -- one module alone ---------------------------------------------------------------------------------------- */

/** @param {string} unit */
const keyOf = (unit) => unit + " " + dataNow();

/** What is known of leaving out this module alone, on the data that is chosen. @param {string} unit */
export const aloneOf = (unit) => state.effects.get(keyOf(unit));

/** @param {string} key @param {Effect} effect */
const remember = (key, effect) => update({ effects: new Map(state.effects).set(key, effect) });

/** Ends what is measured of a module, and forgets it. */
function stopAlone() {
  stream.close(ALONE);
  update({ effects: new Map([...state.effects].filter(([, { status }]) => status !== "running")) });
}

/** Measures what leaving out this module alone changes. @param {string} unit */
export function measure(unit) {
  stopAlone();
  const key = keyOf(unit);
  if (state.problem && state.problem.refused) {
    remember(key, { status: "failed", problem: state.problem });
    return;
  }
  remember(key, { status: "running", evaluation: null });
  evaluations.listen(ALONE, pathOf([unit], null, 0), (news) => remember(key, news));
}

function stop() {
  runs.close();
  stream.close(ALONE);
  asked = "";
  update({ status: "loading", problem: null, evaluation: null, fresh: false, effects: new Map() });
}

/** What files say about where the numbers of an evaluation come from. @param {Schemas["Evaluation"]} evaluation */
export function facts(evaluation) {
  const { least } = graphPage.state.choice;
  return figures.factsOf(evaluation, ["drop", "mute", "keep_edges", "iterations"], {
    least_connected: state.fresh && least ? least : null,
  });
}

const { cancel } = runs;
const restart = () => runs.restart();

export { cancel, restart, state };
