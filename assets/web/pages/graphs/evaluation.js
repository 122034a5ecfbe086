/* What the choice of the Graphs page costs: the evaluation that streams in for it, and the effect of one module alone.
   Every change of the choice closes the running stream, which ends its computing; the next opens when the sliders rest. */
import * as address from "rs/lib/address.js";
import { refusal } from "rs/lib/models.js";
import * as stream from "rs/lib/stream.js";
import * as graphPage from "rs/pages/graphs/state.js";
import * as figures from "rs/parts/figures.js";

const [OWNER, ALONE] = ["graph", "graph-module"];
const CONTROLS = 10;
const REST = 220; // milliseconds without a change
const listeners = new Set();
export const state = {
  status: "loading", // loading, running, done, cancelled, failed, empty
  problem: null,
  evaluation: null, // the latest event
  fresh: false, // whether it belongs to the choice
  effects: new Map(), // module -> {status, evaluation, problem}: without that module alone
};
let asked = "";
let due = 0;
let turn = 0; // of the choices that are measured; what waits for an older one ends

function update(changes) {
  Object.assign(state, changes);
  const names = new Set(Object.keys(changes));
  listeners.forEach((listener) => listener(state, names));
}

export function subscribe(listener) {
  listeners.add(listener);
  listener(state, new Set(Object.keys(state)));
  return () => listeners.delete(listener);
}

/** The names of the data sets that are measured: all of the model's where none is named. */
export function measured() {
  const { choice, sets } = graphPage.state;
  return choice.data.length ? choice.data : sets.map((each) => each.name);
}

function pathOf(drop, keep, controls) {
  const { model, choice } = graphPage.state;
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

async function openStream() {
  const mine = turn;
  const { model, choice, cut } = graphPage.state;
  if (!model || !cut || !onPage()) return;
  const refused = await refusal(model.id);
  if (mine !== turn) return;
  if (refused) {
    update({ status: "failed", problem: refused });
    return;
  }
  stream.open(
    OWNER,
    pathOf(cut.names, choice.keep, CONTROLS),
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

function restart(pause) {
  turn += 1;
  stream.close(OWNER);
  update({ status: "running", problem: null, fresh: false });
  clearTimeout(due);
  due = setTimeout(openStream, pause || 0);
}

export function cancel() {
  turn += 1;
  clearTimeout(due);
  stream.close(OWNER);
  if (state.status === "running") update({ status: "cancelled" });
}

/** Follows the choice of the page. */
export function follow(graph) {
  if (!graph.model || !graph.cut || graph.status !== "ready") {
    if (asked) stop();
    return;
  }
  if (!graph.sets.length) {
    update({ status: "empty" });
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
  restart(first ? 0 : REST);
}

/* -- one module alone ---------------------------------------------------------------------------------------- */

function remember(unit, effect) {
  const effects = new Map(state.effects);
  if (effect) effects.set(unit, effect);
  else effects.delete(unit);
  update({ effects });
}

/** Measures what leaving out this module alone changes. */
export function measure(unit) {
  for (const [other, effect] of state.effects) if (effect.status === "running") remember(other, null);
  if (state.problem && state.problem.refused) {
    remember(unit, { status: "failed", problem: state.problem });
    return;
  }
  remember(unit, { status: "running", evaluation: null });
  stream.open(
    ALONE,
    pathOf([unit], null, 0),
    {
      evaluation(evaluation) {
        const done = evaluation.state === "done";
        remember(unit, { status: done ? "done" : "running", evaluation });
        return done;
      },
    },
    (problem) => remember(unit, { status: "failed", problem: { title: problem.title, detail: problem.message } }),
  );
}

export function stop() {
  turn += 1;
  clearTimeout(due);
  stream.close(OWNER);
  stream.close(ALONE);
  asked = "";
  update({ status: "loading", problem: null, evaluation: null, fresh: false, effects: new Map(), of: null });
}

/** What files say about where the numbers of an evaluation come from. */
export function facts(evaluation) {
  const { drop, mute, keep_edges: keep, iterations } = evaluation.intervention;
  const { least } = graphPage.state.choice;
  return {
    model: evaluation.model,
    revision: evaluation.revision,
    seed: evaluation.seed === undefined ? null : evaluation.seed,
    drop,
    mute,
    keep_edges: keep === undefined ? null : keep,
    iterations,
    least_connected: state.fresh && least ? least : null,
    data: evaluation.data,
    samples: figures.samplesIn(evaluation),
    samples_scored: figures.covered(evaluation),
    state: evaluation.state,
    evaluation: evaluation.id,
    kind: "caused",
  };
}

const restartNow = () => restart(0);

export { restartNow as restart };
