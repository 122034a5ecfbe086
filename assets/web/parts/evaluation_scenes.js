/* The pictures of an evaluation as scenes (draw/scene.js): accuracies on one axis, and the effect by group. */
import { percent, whole } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { chosen, measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { apart, chanceOf, covered, words } from "rs/parts/figures.js";

/**
 * @typedef {{x: number, y: number, words: string, reach?: number}} Spot what is said under the pointer, and how far to
 *   either side
 */
/** @import { Item, Look, TextItem } from "rs/draw/types.d.ts" */
/** @import { Declared, Schemas, Theme } from "rs/lib/types.d.ts" */

const ROWS = [46, 112, 178]; // of the accuracies, from the top
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} fill
 * @param {Partial<TextItem>} [more]
 * @returns {TextItem}
 */
export const text = (x, y, words, fill, more) => ({ shape: "text", x, y, text: words, size: 12, fill, ...more });
/**
 * @param {string} d
 * @param {string} stroke
 * @param {Look} [more]
 * @returns {Item}
 */
export const line = (d, stroke, more) => ({ shape: "path", d, stroke, width: 1, ...more });
/**
 * @param {number} cx
 * @param {number} cy
 * @param {number} r
 * @param {Look} more
 * @returns {Item}
 */
export const dot = (cx, cy, r, more) => ({ shape: "circle", cx, cy, r, ...more });

/**
 * @param {(value: number) => number} x
 * @param {number} y
 * @param {{low: number | null, high: number | null}} interval
 * @param {string} colour
 * @param {number} width
 * @returns {Item[]}
 */
export function whisker(x, y, { low, high }, colour, width) {
  if (low === null || high === null) return [];
  const [from, to] = [x(low), x(high)];
  const ends = "M" + from + "," + (y - 4) + "v8M" + to + "," + (y - 4) + "v8";
  return [line("M" + from + "," + y + "H" + to, colour, { width }), line(ends, colour, { width })];
}

/**
 * @param {(value: number) => number} x
 * @param {number} top
 * @param {number} bottom
 * @param {Theme} theme
 * @param {number[]} ticks
 * @param {(value: number) => string} named
 * @returns {Item[]}
 */
function axis(x, top, bottom, theme, ticks, named) {
  return ticks.flatMap((value) => [
    line("M" + x(value) + "," + top + "V" + bottom, value ? theme.hair : theme.line),
    text(x(value), bottom + 15, named(value), theme.dim, { size: 11, anchor: "middle" }),
  ]);
}

const asPercent = (/** @type {number} */ value) => Math.round(100 * value) + (value === 1 ? " %" : "");

/**
 * Where figures lie, as shares of the axis: shares from 0 to 100 %, other measures from 0 or less to beyond the most.
 *
 * @param {ReturnType<typeof wordsMeasure>} measure
 * @param {(number | null)[]} figures
 * @returns {{at: (value: number) => number, ticks: number[], named: (value: number) => string}}
 */
export function scaleOf(measure, figures, ticks = TICKS) {
  if (measure.share) return { at: (value) => value, ticks, named: asPercent };
  const shown = figures.flatMap((value) => (value !== null && Number.isFinite(value) ? [value] : []));
  const [least, most] = [Math.min(0, ...shown), Math.max(0, ...shown)];
  const rough = (most - least || 1) / (ticks.length - 1);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5].find((each) => each * size >= rough * 0.999) ?? 10);
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil(most / step), Math.floor(least / step) + 1)];
  const marks = Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
  /** @param {number} value */
  const named = (value) => {
    const tick = String(Number(value.toPrecision(3))).replace("-", "\u2212");
    return tick + (measure.unit && value === marks.at(-1) ? " " + measure.unit : "");
  };
  return { at: (value) => (value - first * step) / ((last - first) * step), ticks: marks, named };
}

/**
 * @param {string} words
 * @param {number} width
 */
export const shortened = (words, width) => {
  const most = Math.max(4, Math.floor(width / 7));
  return words.length > most ? words.slice(0, most - 1) + "\u2026" : words;
};

/**
 * Baseline, this set (`named` where its words are long), random sets of as many, chance: dots with whiskers on one axis
 * from 0 to 100 %, with room for so many rows; what training left out below what it showed, never both in one dot.
 * Where another evaluation stands `beside` it, both have one axis.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 * @param {{named?: string, room?: number, model?: Declared | null, beside?: Schemas["Evaluation"][]}} [options]
 */
export function accuracies(evaluation, width, { named = "this set", room = 3, model = chosen(), beside = [] } = {}) {
  const theme = readTheme();
  const measure = wordsMeasure(evaluation.measure);
  const narrow = width < 520;
  const [left, right] = [narrow ? 92 : 150, (narrow ? 66 : 74) + (measure.share ? 0 : 26)];
  const parts = apart(evaluation);
  const ends = [...parts, ...beside.flatMap(apart)].flatMap(({ evaluation: { accuracy, baseline, control } }) => [
    ...[accuracy, baseline && baseline.accuracy].flatMap((each) => (each ? [each.value, each.low, each.high] : [])),
    ...(control ? control.sets.map((each) => each.accuracy) : []),
  ]);
  const scale = scaleOf(measure, ends);
  const x = (/** @type {number} */ value) => left + scale.at(value) * (width - left - right);
  const set = words(evaluation, model);
  const frame = { x, left, right, width, narrow, theme, measure, named: narrow || set.length > 19 ? named : set };
  const tall = ROWS[room - 1] + 26;
  const bottom = parts.length * tall;
  const items = axis(x, 12, bottom, theme, scale.ticks, scale.named);
  const chance = measure.share ? chanceOf(evaluation) : null;
  if (chance) {
    items.push(line("M" + x(chance.value) + ",12V" + bottom, theme.dim, { dash: [3, 3] }));
    const late = chance.value > 0.6; // its words would leave the picture
    /** @type {"start" | "end"} */
    const anchor = late ? "end" : "start";
    const at = x(chance.value) + (late ? -4 : 4);
    items.push(text(at, 10, chance.words + " " + percent(chance.value) + " %", theme.dim, { size: 11, anchor }));
  }
  /** @type {Spot[]} */
  const spots = [];
  parts.forEach(({ where, count, evaluation: part }, at) => {
    const y = at * tall;
    if (where)
      items.push(text(2, y + 22, headed(where, count), theme.dim, { size: 11, weight: 650, halo: theme.surface }));
    items.push(...block(part, frame, y, spots));
  });
  const apiece = parts.length > 1 ? ", apart for what training showed and what it left out" : "";
  return {
    width,
    height: bottom + 24,
    background: theme.surface,
    title: measure.title + " with " + set + ": " + evaluation.model,
    desc:
      measure.title +
      " of the model as it is, with " +
      set +
      ", and over random sets of as many units, on " +
      whole(covered(evaluation)) +
      " samples" +
      apiece +
      ". Whiskers are 95 % intervals.",
    spots,
    items,
  };
}

/**
 * @param {string} where
 * @param {number | null} count
 */
const headed = (where, count) => where + (count === null ? "" : ", " + whole(count) + " samples");

/**
 * The rows of one distribution, from `y` down.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {{x: (value: number) => number, left: number, right: number, width: number, narrow: boolean, theme: Theme,
 *   measure: ReturnType<typeof wordsMeasure>, named: string}} frame
 * @param {number} y
 * @param {Spot[]} spots where random sets are, to be named under the pointer
 */
function block({ accuracy, baseline, control }, { x, left, right, width, narrow, theme, measure, named }, y, spots) {
  /** @type {Item[]} */
  const items = [];
  const [first, second, third] = ROWS.map((row) => y + row);
  /** @type {{name: string, y: number, weight?: number}[]} */
  const rows = [
    { name: narrow ? "as it is" : "the model as it is", y: first },
    { name: named, y: second, weight: 650 },
  ];
  if (control) rows.push({ name: (narrow ? "random " : "random sets of ") + control.size, y: third });
  for (const row of rows) {
    const fill = row.weight ? theme.ink : theme.dim;
    items.push(text(left - 10, row.y + 4, row.name, fill, { anchor: "end", weight: row.weight }));
  }
  const value = (/** @type {number} */ at, /** @type {number} */ y, weight = 450) =>
    text(width - right + 12, y + 5, withUnit(measure, at), theme.ink, { size: 13, weight });
  if (baseline) {
    items.push(...whisker(x, first, baseline.accuracy, theme.ink, 1.5));
    items.push(dot(x(baseline.accuracy.value), first, 5.5, { fill: theme.surface, stroke: theme.ink, width: 2 }));
    items.push(value(baseline.accuracy.value, first));
  }
  if (accuracy) {
    if (baseline) {
      const [from, to] = [x(baseline.accuracy.value), x(accuracy.value)];
      items.push(line("M" + from + "," + (first + 6) + "V" + second + "H" + to, theme.line, { dash: [2, 2] }));
    }
    items.push(...whisker(x, second, accuracy, theme.accent, 2.5));
    items.push(dot(x(accuracy.value), second, 7, { fill: theme.accent }));
    items.push(value(accuracy.value, second, 700));
  }
  if (control && control.mean !== null) {
    const [from, to] = [x(control.least ?? control.mean), x(control.most ?? control.mean)];
    const band = { x: from - 5, y: third - 7, w: to - from + 10, h: 14, rx: 7 };
    items.push({ shape: "rect", ...band, fill: theme.unmatched, opacity: 0.28 });
    for (const each of control.sets) {
      items.push(dot(x(each.accuracy), third, 3, { fill: theme.dim, opacity: 0.75 }));
      const words = unitNames.listed(each.units, 12) + ": " + withUnit(measure, each.accuracy);
      spots.push({ x: x(each.accuracy), y: third, words });
    }
    items.push(line("M" + x(control.mean) + "," + (third - 10) + "v20", theme.ink, { width: 2.5 }));
    items.push(value(control.mean, third));
  }
  return items;
}

/**
 * A ring for the baseline, a dot with whisker for now, the paired change in words; a row a group, whose title is said
 * under the pointer. Where other rows stand `beside` these, both have one axis.
 *
 * @param {(Schemas["GroupEffect"] & {distribution?: string, title?: string})[]} rows
 * @param {string} what
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 * @param {Declared | null} [model]
 * @param {Schemas["GroupEffect"][]} [beside]
 */
export function groups(rows, what, evaluation, width, model = chosen(), beside = []) {
  const theme = readTheme();
  const measure = wordsMeasure(evaluation.measure);
  const points = measure.change;
  const longest = Math.max(...[...rows, ...beside].map((row) => row.name.length), 2);
  const left = Math.min(width * 0.42, 14 + longest * 7.2);
  const spans = width - left - 166 > 110; // room for the intervals in numbers
  const right = spans ? 166 : 58;
  const figures = [...rows, ...beside].flatMap((row) => [row.baseline, row.accuracy, row.low, row.high]);
  const scale = scaleOf(measure, figures, width < 420 ? [0, 0.5, 1] : TICKS);
  const x = (/** @type {number} */ value) => left + scale.at(value) * (width - left - right);
  const step = 22;
  const headed = rows.map((row, n) => row.distribution && (!n || rows[n - 1].distribution !== row.distribution));
  const bottom = 8 + (rows.length + headed.filter(Boolean).length) * step;
  const items = axis(x, 6, bottom, theme, scale.ticks, scale.named);
  /** @type {Spot[]} */
  const spots = [];
  let at = 0; // rows and headings so far
  rows.forEach((row, index) => {
    if (headed[index]) {
      const said = { size: 11, weight: 650, anchor: /** @type {const} */ ("start") };
      items.push(text(2, 8 + step * (at + 0.5) + 5, row.distribution ?? "", theme.dim, said));
      at += 1;
    }
    const y = 8 + step * (at + 0.5);
    at += 1;
    const [better, worse] = measure.higher ? [theme.good, theme.bad] : [theme.bad, theme.good];
    const sure = row.change_high < 0 ? worse : row.change_low > 0 ? better : theme.dim;
    items.push(text(left - 8, y + 4, shortened(row.name, left), theme.ink, { anchor: "end" }));
    if (row.title) spots.push({ x: left / 2, y, reach: left / 2, words: row.title });
    items.push(line("M" + x(row.baseline) + "," + y + "H" + x(row.accuracy), sure, { width: 3, opacity: 0.35 }));
    items.push(...whisker(x, y, row, theme.accent, 1.5));
    items.push(dot(x(row.baseline), y, 4.5, { fill: theme.surface, stroke: theme.ink, width: 1.5 }));
    items.push(dot(x(row.accuracy), y, 4, { fill: theme.accent }));
    items.push(text(width - right + 58, y + 4, points(row.change), sure, { anchor: "end", weight: 650 }));
    if (spans) {
      const span = points(row.change_low) + " to " + points(row.change_high);
      items.push(text(width, y + 4, span, theme.dim, { anchor: "end", size: 10.5 }));
    }
  });
  return {
    width,
    height: bottom + 22,
    background: theme.surface,
    title: "Effect by " + what + " with " + words(evaluation, model) + ": " + evaluation.model,
    desc:
      measure.title +
      " by " +
      what +
      (rows.some((row) => row.distribution) ? ", what training left out last and apart" : "") +
      ": rings as the model is, dots without the units, with 95 % intervals.",
    items,
    spots,
  };
}
