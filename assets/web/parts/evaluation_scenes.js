/* Pictures of an evaluation: accuracies on one axis, and the effect by group. */
import { axisX, bar, chart, dot, linear, rule, stacked, text, whisker, widest } from "rs/draw/marks.js";
import { percent, together, whole } from "rs/lib/format.js";
import * as unitNames from "rs/lib/units.js";
import { chosen, measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { apart, chanceOf, covered, isStill, words } from "rs/parts/figures.js";

/** @import { Marks } from "rs/draw/types.d.ts" */
/** @import { Declared, Schemas } from "rs/lib/types.d.ts" */

/** @typedef {ReturnType<typeof wordsMeasure>} Measure */
/** @typedef {Schemas["GroupEffect"] & {distribution?: string, title?: string}} Group */
/**
 * @typedef {{name: string, group?: string, title?: string, main?: boolean, value: number, low: number | null,
 *   high: number | null, change?: number, change_low?: number | null, change_high?: number | null}} Row of an effect
 */

const [BLOCK, ROW] = [204, 66]; // pixels: the three rows of an evaluation, and one of them
const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** @param {number} value */
const asPercent = (value) => Math.round(100 * value) + (value === 1 ? " %" : "");

/**
 * A scale for figures: shares from 0 to 100 %, other measures from 0 or less to beyond the largest, in `most` ticks.
 *
 * @param {Measure} measure
 * @param {(number | null)[]} figures
 * @param {[number, number]} range
 */
export function scaleOf({ share, unit }, figures, range, most = 5) {
  if (share) return linear([0, 1], range, { ticks: most < 4 ? [0, 0.5, 1] : SHARES, named: asPercent });
  const shown = figures.flatMap((value) => (value !== null && Number.isFinite(value) ? [value] : []));
  const scale = linear([Math.min(0, ...shown), Math.max(0, ...shown)], range, { most });
  const { named, ticks } = scale;
  const behind = (/** @type {number} */ value) => (unit && value === ticks.at(-1) ? " " + unit : "");
  return Object.assign(scale, { named: (/** @type {number} */ value) => named(value) + behind(value) });
}

/**
 * The full model, this set (`named` where its words are long), random sets of the same size, and chance: dots with whiskers
 * on one axis. Data that training left out stands below data that it showed, never in one dot. Evaluations `beside` this
 * one extend its axis.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 * @param {{named?: string, room?: number, model?: Declared | null, beside?: Schemas["Evaluation"][]}} [options]
 */
export function accuracies(evaluation, width, { named = "this set", room = 3, model = chosen(), beside = [] } = {}) {
  const measure = wordsMeasure(evaluation.measure);
  const narrow = width < 520;
  const parts = apart(evaluation);
  const set = words(evaluation, model);
  const nameOf = (/** @type {string} */ whole) => (narrow || whole.length > 19 ? named : whole);
  const own = nameOf(set);
  const [bare, random] = narrow ? ["full model", "random "] : ["full model", "random sets of "];
  const everywhere = [...parts, ...beside.flatMap(apart)].map(({ evaluation: each }) => each);
  const names = everywhere.flatMap((each) => [
    nameOf(words(each, model)),
    each.control ? random + each.control.size : "",
  ]);
  const left = Math.ceil(widest([bare, ...names], 12, 650)) + 14;
  const figures = everywhere.flatMap(({ accuracy, baseline, control }) => [
    ...[accuracy, baseline && baseline.accuracy].flatMap((each) => (each ? [each.value, each.low, each.high] : [])),
    ...(control ? control.sets.map((each) => each.accuracy) : []),
  ]);
  const say = (/** @type {number} */ value) => withUnit(measure, value);
  const longest = figures.flatMap((value) => (value === null ? [] : [say(value)]));
  const right = Math.ceil(widest(longest, 13, 700)) + 24;
  const x = scaleOf(measure, figures, [left, width - right], narrow ? 4 : 5);
  const tall = BLOCK - (evaluation.control ? 0 : 3 - room) * ROW;
  const bottom = parts.length * tall;
  const chance = measure.share ? chanceOf(evaluation) : null;
  /** @type {Marks} */
  const marks = [axisX(x, [12, bottom], { grid: false })];
  if (chance) {
    const late = chance.value > 0.6; // its words would leave the picture
    const at = x(chance.value);
    marks.push(text([chance.words + " " + percent(chance.value) + " %"], { x: at + (late ? -4 : 4), y: 10, down: 0, size: 11, fill: "dim", anchor: late ? "end" : "start" })); // prettier-ignore
  }
  parts.forEach(({ where, count, evaluation: { accuracy, baseline, control } }, at) => {
    const [first, second, third] = [46, 112, 178].map((y) => at * tall + y);
    const heading = where && where + (count === null ? "" : ", " + whole(count) + " samples");
    const y = [at * tall + (heading ? 28 : 12), at * tall + tall]; // lines begin below the words
    marks.push(rule(x.ticks, { x, y, stroke: (tick) => (tick ? "hair" : "line") }));
    if (chance) marks.push(rule([0], { x: x(chance.value), y, stroke: "dim", dash: [3, 3] }));
    const rows = [
      { name: bare, y: first, value: baseline?.accuracy.value, strong: false },
      { name: own, y: second, value: accuracy?.value, strong: true },
      ...(control ? [{ name: random + control.size, y: third, value: control.mean ?? undefined, strong: false }] : []),
    ];
    const weight = (/** @type {typeof rows[number]} */ { strong }) => (strong ? 650 : 450);
    marks.push(
      text(heading ? [heading] : [], { x: 2, y: at * tall + 22, down: 0, size: 11, weight: 650, fill: "dim", halo: "surface", room: width - 4 }),
      text(rows, { x: left - 10, y: (row) => row.y, text: (row) => row.name, anchor: "end", weight, fill: ({ strong }) => (strong ? "ink" : "dim"), room: left - 10 }),
      text(rows.filter(({ value }) => value !== undefined), { x: width - right + 12, y: (row) => row.y, text: ({ value = 0 }) => say(value), size: 13, weight }),
    ); // prettier-ignore
    if (baseline) {
      const { value, low, high } = baseline.accuracy;
      if (accuracy) {
        const bend = "M" + x(value) + "," + (first + 6) + "V" + second + "H" + x(accuracy.value);
        marks.push({ shape: "path", d: bend, stroke: "line", width: 1, dash: [2, 2] });
      }
      marks.push(
        whisker([0], { x: [x(low), x(high)], y: first, stroke: "ink" }),
        dot([0], { x: x(value), y: first, r: 5.5, fill: "surface", stroke: "ink", width: 2 }),
      );
    }
    if (accuracy)
      marks.push(
        whisker([0], { x: [x(accuracy.low), x(accuracy.high)], y: second, width: 2.5 }),
        dot([0], { x: x(accuracy.value), y: second, r: 7, fill: "accent" }),
      );
    if (control && control.mean !== null) {
      const [from, to] = [x(control.least ?? control.mean) - 5, x(control.most ?? control.mean) + 5];
      const said = (/** @type {typeof control.sets[number]} */ { units, accuracy: figure }) =>
        unitNames.listed(units, 12) + ": " + say(figure);
      marks.push(
        bar([0], { x: [from, to], y: [third - 7, third + 7], rx: 7, fill: "unmatched", opacity: 0.28 }),
        dot(control.sets, { x: (each) => x(each.accuracy), y: third, r: 3, fill: "dim", opacity: 0.75, words: said }),
        rule([0], { x: x(control.mean), y: [third - 10, third + 10], stroke: "ink", width: 2.5 }),
      );
    }
  });
  const apiece = parts.length > 1 ? ", apart for what training showed and what it left out" : "";
  return chart({
    width,
    height: bottom + 24,
    title: measure.title + " with " + set + ": " + evaluation.model,
    desc: measure.title + " of the full model, with " + set + ", and over random sets of the same size, on " + whole(covered(evaluation)) + " samples" + apiece + ". Whiskers are 95 % intervals.", // prettier-ignore
    marks,
  }); // prettier-ignore
}

/**
 * Where the parts of rows of effects lie: names at the left, figures in the middle, changes with their intervals at the
 * right where there is `room` for these.
 *
 * @template {Row} Each
 * @param {Each[]} rows
 * @param {{width: number, top: number, measure: Measure, room: number, beside?: Schemas["GroupEffect"][]}} given
 */
export function effectRows(rows, { width, top, measure, room, beside = [] }) {
  const names = widest([...rows, ...beside].map(({ name }) => name), 12, rows.some(({ main }) => main) ? 650 : 450); // prettier-ignore
  const headed = widest(rows.flatMap(({ group }) => group ?? []), 11, 650); // prettier-ignore
  const left = Math.min(0.4 * width, Math.ceil(Math.max(names, headed)) + 14);
  const all = [...rows, ...beside].map(({ change = 0, change_low: low = null, change_high: high = null }) => {
    const [value, ...ends] = together(measure.change, [change, low, high]);
    return { value, span: ends.includes("") || isStill({ value: change, low, high }) ? "" : ends.join(" to ") };
  });
  const said = all.slice(0, rows.length);
  const values = Math.ceil(widest(all.map(({ value }) => value), 12, 650)); // prettier-ignore
  const long = Math.ceil(widest(all.map(({ span }) => span), 10.5)); // prettier-ignore
  const spans = width - left - values - long - 36 > room;
  const right = 14 + values + (spans ? long + 16 : 2);
  const y = stacked(rows, { top, step: 22, group: ({ group }) => group });
  const [better, worse] = measure.higher ? ["good", "bad"] : ["bad", "good"];
  const sure = (/** @type {Row} */ { change_low: low = null, change_high: high = null }) =>
    high !== null && high < 0 ? worse : low !== null && low > 0 ? better : "dim";
  const weight = (/** @type {Row} */ { main }) => (main ? 650 : 450);
  /** @type {Marks} */
  const marks = [
    text(y.headings, { x: 2, y: (each) => each.y, text: (each) => each.name, size: 11, weight: 650, fill: "dim" }),
    text(rows, { x: left - 8, y, text: ({ name }) => name, anchor: "end", weight, room: left - 10, words: ({ title }) => title }),
    text(said, { x: width - right + 14 + values, y: (_, at) => y(rows[at]), text: ({ value }) => value, anchor: "end", weight: 650, fill: (_, at) => sure(rows[at]) }),
    text(spans ? said : [], { x: width, y: (_, at) => y(rows[at]), text: ({ span }) => span, anchor: "end", size: 10.5, fill: "dim" }),
  ]; // prettier-ignore
  return { left, range: /** @type {[number, number]} */ ([left, width - right]), y, sure, marks };
}

/**
 * A row a group: a ring for the full model, a dot with whisker for this set, the paired change in words. The title of a
 * group is said under the pointer. Rows `beside` these extend the axis.
 *
 * @param {Group[]} groupRows
 * @param {string} what
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 * @param {Declared | null} [model]
 * @param {Schemas["GroupEffect"][]} [beside]
 */
export function groups(groupRows, what, evaluation, width, model = chosen(), beside = []) {
  const measure = wordsMeasure(evaluation.measure);
  const rows = groupRows.map((row) => ({ ...row, group: row.distribution, value: row.accuracy }));
  const { range, y, sure, marks } = effectRows(rows, { width, top: 8, measure, room: 110, beside });
  const figures = [...rows, ...beside].flatMap((row) => [row.baseline, row.accuracy, row.low, row.high]);
  const x = scaleOf(measure, figures, range, width < 420 ? 3 : 5);
  return chart({
    width,
    height: y.end + 22,
    title: "Effect by " + what + " with " + words(evaluation, model) + ": " + evaluation.model,
    desc: measure.title + " by " + what + (y.headings.length ? ", out of distribution last" : "") + ": rings: full model; dots: without the units, with 95 % intervals.", // prettier-ignore
    marks: [
      axisX(x, [6, y.end]),
      rule(rows, { x: (row) => [x(row.baseline), x(row.accuracy)], y, stroke: sure, width: 3, opacity: 0.35 }),
      whisker(rows, { x: (row) => [x(row.low), x(row.high)], y }),
      dot(rows, { x: (row) => x(row.baseline), y, r: 4.5, fill: "surface", stroke: "ink", width: 1.5 }),
      dot(rows, { x: (row) => x(row.accuracy), y, r: 4, fill: "accent" }),
      marks,
    ],
  }); // prettier-ignore
}
