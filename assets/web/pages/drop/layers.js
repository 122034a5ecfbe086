/* Layers of a mixture of experts: their experts by name, how many can be left out, and what a click on one does. */

import { expertsIn } from "rs/parts/experts/grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/drop/types.d.ts" */

/** @typedef {Schemas["RoutedLayer"]} Layer */

/**
 * How many experts of a layer can be left out: where they are dropped, as many stay as a token takes.
 *
 * @param {Pick<Layer, "experts" | "top_k">} layer @param {Pick<Choice, "kind" | "top_k">} choice
 */
export const spare = ({ experts, top_k: trained }, { kind, top_k: chosen }) =>
  kind === "drop" ? Math.max(0, experts - (chosen ?? trained)) : experts;

/**
 * What leaves out all of a layer that can go, the least used first, beside the experts of other layers that are out already;
 * or brings its experts back, where as many are out. Where use is not observed, the last go.
 *
 * @param {Layer} layer @param {string[]} out @param {Pick<Choice, "kind" | "top_k">} choice
 * @param {boolean} [observed] whether use can be @returns {{back: string[]} | {rule: string[]} | {out: string[]}}
 */
export function layerTurned(layer, out, choice, observed = true) {
  const all = expertsIn(layer);
  const own = new Set(all);
  const away = out.filter((unit) => own.has(unit));
  const most = spare(layer, choice);
  if (away.length && away.length >= most) return { back: away };
  const others = out.filter((unit) => !own.has(unit));
  const whole = most === layer.experts || !most;
  if (!whole && !observed) return { out: [...others, ...all.slice(-most)] };
  const part = layer.name + (whole ? ".*" : ".least:" + most);
  return { rule: [...others, part] };
}
