/* Shapley values and drop effects of units: a figure for notebooks, files and other apps. */
import { effects } from "rs/draw/effects.js";
import { canvasOf, hosted, select } from "rs/draw/hosts/host.js";
import { html, show } from "rs/lib/view.js";

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
export function mount(element, { data, choice }, emit) {
  const [controls, words] = [document.createElement("div"), document.createElement("div")];
  element.append(controls);
  const picture = canvasOf(element, (width) => effects(ordered(data, choice.order ?? "model"), width));
  element.append(words);
  function draw() {
    show(controls, () => html`<p>${select("Order", { options: ORDERS, value: choice.order ?? "model" }, (order) => emit({ order: /** @type {Order} */ (order) }))}</p>`); // prettier-ignore
    const others = data.left_out ? " " + data.left_out + " units of smaller effects have no row." : "";
    show(words, () => html`<p>${"Above 0 the unit helps. Ablation: " + data.kind + ". Whiskers: 95 %." + others}</p>`);
    picture.paint();
  }
  draw();
  return {
    update(given) {
      ({ data, choice } = given);
      draw();
    },
    destroy: picture.destroy,
  };
}

export default hosted("importance", mount);
