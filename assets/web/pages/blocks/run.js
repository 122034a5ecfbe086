/* The run of the network on the present input, asked of the API when the input, the iterations or an intervention
   changes, and shared by all panels of the Blocks page. */
import * as api from "rs/lib/api.js";
import { BlockView } from "rs/pages/blocks/picture/view.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { computed } from "rs/vendor/preact.js";

/** @import { Run } from "rs/pages/blocks/types.d.ts" */

const PAUSE = 90; // milliseconds after the last change

/** The model and the request as text, or null while there is nothing to ask for. */
function keyOf() {
  const { model, task, digits, program, sample, permutation, mute_routes, copy_routes, gates } = blocksState.state;
  if (!task) return null;
  const picture = task.inputs === "picture";
  const chosen = sample || (task.example || {}).sample;
  if (picture && !chosen) return null;
  return JSON.stringify([
    model,
    {
      input: picture ? { sample: chosen, permutation } : { digits, program },
      iterations: blocksState.iterations(),
      intervention: { mute_routes, copy_routes, gates },
    },
  ]);
}

const runs = api.resource(keyOf, async (key, signal) => {
  await new Promise((rested) => setTimeout(rested, PAUSE));
  signal.throwIfAborted();
  const [model, body] = JSON.parse(key);
  const path = "/models/" + encodeURIComponent(model) + "/block-runs";
  /** @type {Run} */
  const run = await api.send("POST", path, body, { signal });
  return new BlockView(run, api.unpacked);
});

const shown = computed(() => {
  const error = runs.problem();
  const view = error ? null : runs.latest();
  const waits = blocksState.state.task && keyOf() === null ? "empty" : "loading";
  return {
    status: error ? "failed" : runs.answer() ? "done" : waits,
    problem: error && { title: error.title ?? "The run could not be shown", detail: error.message },
    run: view && view.run,
    view,
    fresh: runs.answer() !== null,
  };
});

/** The run that is shown; `fresh`: whether it belongs to the present choice. */
export const get = () => shown.value;

export const { again, follow } = runs;
