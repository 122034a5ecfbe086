/* From the path of a sample to others: those nearest to it in routing, those that the same intervention reroutes most. */
import * as address from "rs/lib/address.js";
import { follow } from "rs/lib/navigation/go.js";
import { html } from "rs/lib/view.js";
import { state } from "rs/pages/paths/state.js";

/** @import { View } from "rs/pages/paths/types.d.ts" */

/**
 * Where each of the two leads: [words, address]; the second is there where something is changed.
 *
 * @param {Pick<View, "info" | "names" | "text">} view
 * @returns {[string, string][]}
 */
export function linksOf({ info, names, text }) {
  if (text) return []; // texts have no order by their routing
  const { mute, drop, iterations, keep_edges: edges } = info.intervention;
  const under = { mute, drop, iterations, edges };
  const changed = mute.length || drop.length || iterations !== null || edges !== null;
  const { model, sample } = info;
  /** @param {Record<string, unknown>} values */
  const to = (values) => address.linkTo("samples", { model, sample, ...under, ...values }, names);
  /** @type {[string, string][]} */
  const nearest = [["Samples nearest in routing to this one", to({ order: "nearest", to: sample })]];
  return changed ? [...nearest, ["Samples rerouted most by what is changed here", to({ order: "rerouted" })]] : nearest;
}

/** Links to other samples; nothing of texts. */
export function Others() {
  const links = state.view ? linksOf(state.view) : [];
  if (state.view?.text) return null;
  const anchor = ([words, href] = ["", ""]) => html`<a key=${words} href=${href} onClick=${follow}>${words}</a>`;
  return html`<p class="path-samples">${links.map((link) => anchor(link))}</p>`;
}
