/* Speeds beside each other: measured when somebody asks, an intervention and the model as it is in turn, on one batch. Those
   of different moments say more of the machine than of the network, and are not shown. */
import * as api from "rs/lib/api.js";
import { fixed, whole } from "rs/lib/format.js";
import { makeStore } from "rs/lib/store.js";
import { html } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";
import { WHOLE, words } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Timing"]} Timing */

/**
 * @typedef {object} State
 * @property {string | null} of the evaluation that was timed
 * @property {"idle" | "running" | "done" | "failed"} status
 * @property {Timing | null} timing
 * @property {string} problem
 */

/** @type {State} */
const FIRST = { of: null, status: "idle", timing: null, problem: "" };
const { state, update, subscribe } = makeStore({ ...FIRST });

export { subscribe };

/**
 * What was timed of an evaluation, or null.
 *
 * @param {Schemas["Evaluation"]} evaluation
 */
export const timingOf = (evaluation) => (state.of === evaluation.id ? state.timing : null);

/** @param {Schemas["Evaluation"]} evaluation */
async function measure({ id, model, data, intervention }) {
  const names = data.map((each) => each.name);
  const samples = data.reduce((sum, each) => sum + each.count, 0);
  update({ of: id, status: "running", timing: null, problem: "" });
  try {
    /** @type {Timing} */
    const timing = await api.send("POST", "/evaluations/timing", { model, data: names, samples, intervention });
    if (state.of === id) update({ status: "done", timing });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (state.of === id) update({ status: "failed", problem });
  }
}

/**
 * "1.42 times as fast (1.31 to 1.50)", and what that was measured by.
 *
 * @param {Timing} timing
 */
export function timingWords({ ratio, rounds, samples_per_second: own, baseline_samples_per_second: bare }) {
  const span = ratio.low === null || ratio.high === null ? "" : fixed(ratio.low, 2) + " to " + fixed(ratio.high, 2);
  return {
    value: fixed(ratio.value, 2),
    unit: "times as fast",
    detail: span + " in " + rounds + " rounds; " + whole(own) + " and " + whole(bare) + " samples/s",
  };
}

/**
 * What was timed of an evaluation, or a button that times it; nothing while there is nothing to time.
 *
 * @param {{id: string, evaluation: Schemas["Evaluation"] | null}} props
 */
export function Timed({ id, evaluation }) {
  if (!evaluation || evaluation.state !== "done" || words(evaluation) === WHOLE) return null;
  const own = state.of === evaluation.id;
  const { timing } = state;
  if (own && timing) {
    const { value, unit, detail } = timingWords(timing);
    return html`<div class="timed" id=${id}><b>${value}</b> ${unit} <span>${detail}</span></div>`;
  }
  const running = own && state.status === "running";
  return html`<div class="timed" id=${id} role="status">
    <${Tool} wait=${running} act=${() => measure(evaluation)}>
      ${running ? "Timing both in turn" : "Time it beside the model as it is"}
    <//>
    ${own && state.status === "failed" && html`<span>${state.problem}</span>`}
  </div>`;
}
