/* Shapley values and drop effects of units: a figure for notebooks, files and other apps. */
import { canvasOf, hosted, select } from "rs/draw/hosts/host.js";
import { axisX, bar, chart, glyph, legend, linear, rule, stacked, text, whisker, widest } from "rs/draw/marks.js";
import { figure, fixed } from "rs/lib/format.js";
import { html, show } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {{unit: string, lost: number, lost_low: number, lost_high: number, value: number | null, low: number | null, high: number | null}} Row */
/**
 * @typedef {object} Data
 * @property {string} title
 * @property {Row[]} rows in model order; above 0 a unit helps
 * @property {number} left_out units of smaller effects, without a row
 * @property {string} kind of ablation
 * @property {{name: string, unit: string, share: boolean}} measure
 * @property {string} uncertainty of the Shapley values
 */
/** @typedef {"model" | "effect"} Order */

const [TOP, ROW] = [30, 26];
/** @type {[Order, string][]} */
const ORDERS = [
  ["model", "model order"],
  ["effect", "largest effect first"],
];

/** @param {Row} row */
const sizeOf = ({ value, lost }) => Math.abs(value ?? lost);

/**
 * A row a unit: a bar for its Shapley value, a diamond for what is lost without it.
 *
 * @param {Data} data
 * @param {Order} order
 * @param {number} width
 */
export function effects({ title, rows: given, measure: { name, unit, share }, uncertainty }, order, width) {
  const rows = order === "effect" ? given.toSorted((a, b) => sizeOf(b) - sizeOf(a)) : given;
  const shapley = rows.filter(({ value }) => value !== null);
  const factor = share ? 100 : 1;
  const units = share ? "points" : unit || name;
  const say = (/** @type {number | null} */ value) => (share ? fixed(factor * (value ?? 0), 1) : figure(value ?? 0));
  const left = 24 + Math.min(0.3 * width, widest(rows.map((row) => row.unit)));
  const ends = rows.flatMap((row) => [row.lost_low, row.lost_high, row.low, row.high]).map((value) => factor * (value ?? 0)); // prettier-ignore
  const x = linear([Math.min(0, ...ends), Math.max(0, ...ends)], [left, width - 16], { most: width < 420 ? 4 : 7 });
  const y = stacked(rows, { top: TOP, step: ROW });
  const at = (/** @type {number | null} */ value) => x(factor * (value ?? 0));
  const lower = (/** @type {Row} */ row) => y(row) + (shapley.length ? 5 : 0);
  const upper = (/** @type {Row} */ row) => y(row) - 5;
  const keys = [
    ...(shapley.length ? [{ text: "Shapley value, " + uncertainty, stroke: "accent", ink: "accent", width: 5 }] : []),
    { text: name + " lost without the unit", stroke: "ink", ink: "ink", width: 1.5 },
  ];
  return chart({
    width,
    height: y.end + 40,
    title,
    desc: rows.map((row) => row.unit + " " + say(row.value ?? row.lost)).join(", ") + " " + units + ". Above 0 the unit helps.", // prettier-ignore
    marks: [
      legend(keys, { x: left, y: 10, width }).marks,
      axisX(x, [TOP, y.end]),
      rule([0], { x: [x(0), x(0)], y: [TOP, y.end], stroke: "ink" }),
      bar(shapley, {
        x: (row) => [x(0), at(row.value)],
        y: (row) => [upper(row) - 4, upper(row) + 4],
        fill: "accent",
        words: (row) => row.unit + ": Shapley value " + say(row.value) + " (" + say(row.low) + " to " + say(row.high) + ") " + units, // prettier-ignore
      }),
      whisker(shapley, { x: (row) => [at(row.low), at(row.high)], y: upper, stroke: "ink", r: 3 }),
      whisker(rows, { x: (row) => [at(row.lost_low), at(row.lost_high)], y: lower, stroke: "dim", r: 3 }),
      glyph(rows, {
        x: (row) => at(row.lost),
        y: lower,
        text: "diamond",
        fill: "surface",
        stroke: "ink",
        width: 1.5,
        words: (row) => row.unit + ": " + say(row.lost) + " (" + say(row.lost_low) + " to " + say(row.lost_high) + ") " + units + " lost without it", // prettier-ignore
      }),
      text(rows, { x: left - 10, y, text: (row) => row.unit, anchor: "end", room: left - 12 }),
      text([units], { x: (x.range[0] + x.range[1]) / 2, y: y.end + 32, down: 0, size: 11, fill: "dim", anchor: "middle" }), // prettier-ignore
    ],
  });
}

/** @type {Mount<Data, {order?: Order}>} */
export function mount(element, { data, choice }, emit) {
  const [controls, words] = [document.createElement("div"), document.createElement("div")];
  element.append(controls);
  const picture = canvasOf(element, (width) => effects(data, choice.order ?? "model", width));
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
