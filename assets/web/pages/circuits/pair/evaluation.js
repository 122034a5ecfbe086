/* What leaving modules and links out does to the accuracy by kind of statement: the evaluation that streams in for it. It
   starts when its panel comes into view, so that it does not take the processor from the answers; every change closes the
   running stream, which ends its computing. */
import * as address from "rs/lib/address.js";
import * as pairUnits from "rs/pages/circuits/pair/units.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as figures from "rs/parts/figures.js";

const CONTROLS = 5;

/** The address of the evaluation of what is left out now, or "" while the model is not there. */
function path() {
  const { status, model, keep_edges: keep, measured } = circuitsState.get();
  if (status !== "ready") return "";
  const query = {
    model,
    data: "scenes",
    samples: measured,
    drop: pairUnits.leftOut().join(","),
    keep_edges: keep,
    controls: CONTROLS,
  };
  return "/evaluations/stream" + address.queryOf(query);
}

const evaluation = evaluations.make({
  owner: "pair",
  pathOf: path,
  subscribePage: (listener) => circuitsState.subscribe(listener),
});

/**
 * What files say about where the numbers come from.
 *
 * @returns {Record<string, unknown>}
 */
export function facts() {
  const { evaluation: latest } = evaluation.state;
  return latest ? figures.factsOf(latest, ["drop", "keep_edges"]) : {};
}

const { state, subscribe, restart, cancel, leave, watch } = evaluation;

export { state, subscribe, restart, cancel, leave, watch };
