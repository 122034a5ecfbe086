/* Shapley values and drop effects of units: a figure for notebooks, files and other apps. */
import { effects } from "rs/draw/effects.js";
import { hosted, pictured, select } from "rs/draw/hosts/host.js";
import { html } from "rs/lib/view.js";

/** @import { Effects, Row } from "rs/draw/effects.js" */
/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {Effects & {left_out: number, kind: string}} Data rows in model order; how many units have none; of ablation */
/** @typedef {"model" | "effect"} Order */

/** @type {[Order, string][]} */
const ORDERS = [
  ["model", "model order"],
  ["effect", "largest effect first"],
];

/** @param {Row} row */
const sizeOf = ({ value, lost }) => Math.abs(value ?? lost);

/** The rows in their order. @param {Data} data @param {Order} order */
export const ordered = (data, order) =>
  order === "effect" ? { ...data, rows: data.rows.toSorted((a, b) => sizeOf(b) - sizeOf(a)) } : data;

/** @type {Mount<Data, {order?: Order}>} */
export const mount = pictured((now, emit) => {
  const order = () => now.choice.order ?? "model";
  return {
    controls: () => html`<p>${select("Order", { options: ORDERS, value: order() }, (value) => emit({ order: /** @type {Order} */ (value) }))}</p>`, // prettier-ignore
    scene: (width) => effects(ordered(now.data, order()), width),
    words() {
      const { left_out: others, kind } = now.data;
      const more = others ? " " + others + " units of smaller effects have no row." : "";
      return html`<p>${"Above 0 the unit helps. Ablation: " + kind + ". Whiskers: 95 %." + more}</p>`;
    },
  };
});

export default hosted("importance", mount);
