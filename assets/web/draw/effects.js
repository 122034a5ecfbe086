/* Effects of units as a scene, of the page and of notebooks: a bar for a Shapley value, a diamond for what the measure loses
   without that unit alone. Above 0 a unit helps. */
import { FIRST_ROW } from "rs/draw/heat.js";
import {
  axisX,
  bar,
  chart,
  glyph,
  legend,
  linear,
  rule,
  stacked,
  text,
  titleX,
  whisker,
  widest,
} from "rs/draw/marks.js";
import { figure, fixed } from "rs/lib/format.js";

/**
 * @typedef {object} Row
 * @property {string} unit
 * @property {number} lost
 * @property {number} lost_low
 * @property {number} lost_high
 * @property {number | null} value a Shapley value; null where it was not asked for
 * @property {number | null} low
 * @property {number | null} high
 * @property {string} [paint] the colour of the unit
 */
/**
 * @typedef {object} Effects
 * @property {string} title
 * @property {Row[]} rows
 * @property {{name: string, unit: string, share: boolean}} measure
 * @property {string} uncertainty of the Shapley values
 * @property {string} [lost] what a diamond shows
 */

const FAINT = 0.25; // opacity of other units than the one that is pointed at

/**
 * A row a unit.
 *
 * @param {Effects} effects @param {number} width
 * @param {{step?: number, pointed?: string | null}} [look] `step`: pixels of a row
 */
export function effects({ title, rows, measure: { name, unit, share }, uncertainty, lost = name + " lost without the unit" }, width, { step = 26, pointed = null } = {}) {
  const shapley = rows.filter(({ value }) => value !== null);
  const factor = share ? 100 : 1;
  const units = share ? "points" : unit || name;
  const say = (/** @type {number | null} */ value) => (share ? fixed(factor * (value ?? 0), 1) : figure(value ?? 0));
  const within = (/** @type {number | null} */ value, /** @type {number | null} */ low, /** @type {number | null} */ high) =>
    say(value) + (low === null || high === null ? "" : " (" + say(low) + " to " + say(high) + ")");
  const left = 24 + Math.min(0.3 * width, widest(rows.map((row) => row.unit)));
  const ends = rows.flatMap((row) => [row.lost, row.lost_low, row.lost_high, row.value, row.low, row.high]).map((value) => factor * (value ?? 0));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const pad = 0.03 * (high - low || 1);
  const x = linear([low - pad, high + pad], [left, width - 16], { most: width < 420 ? 4 : 7, round: false });
  const y = stacked(rows, { top: FIRST_ROW, step });
  const at = (/** @type {number | null} */ value) => (value === null ? NaN : x(factor * value));
  const apart = shapley.length ? Math.round(step / 5) : 0;
  const lower = (/** @type {Row} */ row) => y(row) + apart;
  const upper = (/** @type {Row} */ row) => y(row) - apart;
  const opacity = (/** @type {Row} */ row) => (pointed && pointed !== row.unit ? FAINT : 1);
  const paint = shapley.length && shapley.every((row) => row.paint) ? "dim" : "accent";
  const keys = [
    ...(shapley.length ? [{ text: "Shapley value, " + uncertainty, key: /** @type {const} */ ("bar"), fill: paint }] : []),
    { text: lost, key: /** @type {const} */ ("diamond"), fill: "surface", stroke: "ink", width: 1.5 },
  ];
  const said = share ? "points of " + name : name + (unit && !name.startsWith(unit) ? ", " + unit : "");
  const across = titleX(said + " (above 0: the unit helps)", { y: y.end + 32, ends: x.range, within: [0, width] });
  return chart({
    width,
    height: y.end + 40 + across.more,
    title,
    desc: rows.map((row) => row.unit + " " + say(row.value ?? row.lost)).join(", ") + " " + units + ". Above 0 the unit helps.",
    marks: [
      legend(keys, { x: Math.min(left, 24), y: 10, width }).marks,
      axisX(x, [FIRST_ROW, y.end]),
      rule([0], { x: [x(0), x(0)], y: [FIRST_ROW, y.end], stroke: "ink" }),
      bar(shapley, {
        x: (row) => [x(0), at(row.value)],
        y: (row) => [upper(row) - 4, upper(row) + 4],
        fill: (row) => row.paint ?? "accent",
        opacity,
        words: (row) => row.unit + ": Shapley value " + within(row.value, row.low, row.high) + " " + units,
      }),
      whisker(shapley, { x: (row) => [at(row.low), at(row.high)], y: upper, stroke: "ink", r: 3, opacity }),
      whisker(rows, { x: (row) => [at(row.lost_low), at(row.lost_high)], y: lower, stroke: "dim", r: 3, opacity }),
      glyph(rows, {
        x: (row) => at(row.lost),
        y: lower,
        text: "diamond",
        fill: "surface",
        stroke: (row) => row.paint ?? "ink",
        width: 2,
        opacity,
        words: (row) => row.unit + ": " + within(row.lost, row.lost_low, row.lost_high) + " " + units + ", " + lost,
      }),
      text(rows, { x: left - 10, y, text: (row) => row.unit, anchor: "end", room: left - 12, opacity }),
      across.marks,
    ],
  });
} // prettier-ignore
