/* What was observed of a mixture of experts, and which of its layers the panels are about. */
import { makeStore } from "rs/lib/store.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {"seed" | "shuffles" | "revision" | "intervention" | "data"} OfModels what is known of a model and not of a log */
/** @typedef {Omit<Schemas["ExpertLoad"], OfModels>} Load */

const { state, update, subscribe } = makeStore({
  found: /** @type {Load | null} */ (null),
  model: /** @type {Schemas["ExpertLoad"] | null} */ (null), // the same with what is known of a model
  log: /** @type {Schemas["RoutingLog"] | null} */ (null), // that it was observed of, in place of a model
  counting: false, // whether more is to come: baselines and similarities, perhaps texts
  layer: "", // its name; "" for the first one
});

/** The layer that is shown, and its place; null before anything was observed. */
export function shown() {
  const { found, layer } = state;
  if (!found) return null;
  const at = Math.max(0, found.layers.findIndex(({ name }) => name === layer)); // prettier-ignore
  return { found, at, layer: found.layers[at] };
}

/** @param {Schemas["ExpertLoad"] | null} found */
export const learn = (found, counting = false) => update({ found, model: found, log: null, counting });

/**
 * @param {Load} found
 * @param {Schemas["RoutingLog"]} log that it was observed of
 */
export const learnOfLog = (found, log) => update({ found, model: null, log, counting: false });

/** @param {string} layer */
export const show = (layer) => update({ layer });

export { state, subscribe };
