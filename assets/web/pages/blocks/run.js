/* What the network makes of the present input: asked of the API whenever the input, the iterations or an intervention
   changes, and shared by all panels of the Blocks page. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import { BlockView } from "rs/pages/blocks/picture/view.js";
import * as blocksState from "rs/pages/blocks/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Run, RunState, State } from "rs/pages/blocks/types.d.ts" */

const PAUSE = 90; // milliseconds after the last change
const ASKS = new Set([
  "model", "info", "task", "digits", "program", "sample", "permutation", "iterations", "mute_routes", "copy_routes", "gates",
]); // prettier-ignore
const { state, update, subscribe } = makeStore(
  /** @type {RunState} */ ({
    status: "loading", // loading, done, failed; "empty" where a picture has to be chosen first
    problem: null, // {title, detail}
    run: null, // the API's BlockRun
    view: null, // the same with its numbers at hand (BlockView)
    fresh: false, // whether it belongs to what is chosen now
    seconds: null,
  }),
);
let due = 0;
/** @type {AbortController | null} */
let asking = null;

/**
 * What is asked for, or null while there is nothing to ask for.
 *
 * @param {State} chosen
 */
function requestOf(chosen) {
  const { task, digits, program, sample, permutation, mute_routes, copy_routes, gates } = chosen; // prettier-ignore
  if (!task) return null;
  const picture = task.inputs === "picture";
  const given = sample || (task.example || {}).sample;
  if (picture && !given) return null;
  return {
    input: picture ? { sample: given, permutation } : { digits, program },
    iterations: blocksState.iterations(),
    intervention: { mute_routes, copy_routes, gates },
  };
}

/** @param {State} chosen */
const keyOf = (chosen) => JSON.stringify([chosen.model, requestOf(chosen)]);

/** Nothing is shown and nothing is on its way. */
function clear() {
  clearTimeout(due);
  if (asking) asking.abort();
  asking = null;
  update({ status: blocksState.get().task ? "empty" : "loading", run: null, view: null, fresh: false });
}

export async function ask() {
  const chosen = blocksState.get();
  const request = requestOf(chosen);
  if (!request) return clear();
  if (asking) asking.abort();
  const mine = (asking = new AbortController());
  const key = keyOf(chosen); // it may be another one by the time the run is there
  update({ status: "loading", problem: null });
  try {
    const path = "/models/" + encodeURIComponent(String(chosen.model)) + "/block-runs";
    /** @type {Run} */
    const run = await api.send("POST", path, request, { signal: mine.signal });
    if (mine !== asking) return;
    const view = new BlockView(run, api.unpacked);
    update({ status: "done", run, view, fresh: keyOf(blocksState.get()) === key, seconds: run.seconds });
  } catch (error) {
    const problem = /** @type {Error & Partial<api.Problem>} */ (error);
    if (mine !== asking || problem.name === "AbortError") return;
    const { title = "The run could not be shown", message: detail } = problem;
    update({ status: "failed", problem: { title, detail }, run: null, view: null, fresh: false });
  }
}

function askSoon() {
  clearTimeout(due);
  due = setTimeout(ask, PAUSE);
}

/** Follows the page while it is there; returns a function that ends this. */
export function start() {
  const end = blocksState.subscribe((chosen, names) => {
    if (![...names].some((name) => ASKS.has(name))) return;
    if (state.fresh) update({ fresh: false });
    if (chosen.task) askSoon();
    else clear(); // another model is on its way
  });
  return () => {
    end();
    clearTimeout(due);
    if (asking) asking.abort();
    asking = null;
    Object.assign(state, { status: "loading", problem: null, run: null, view: null, fresh: false, seconds: null });
  };
}

export const get = () => state;

export { subscribe };
