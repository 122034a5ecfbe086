/* A and B side by side on the same axes, and B minus A as a picture of its own, as scenes (draw/scene.js). */
import {
  axisX,
  axisY,
  band,
  chart,
  dot,
  legend,
  line,
  linear,
  part,
  rule,
  text,
  whisker,
  widest,
} from "rs/draw/marks.js";
import { wrapped } from "rs/draw/publish/caption.js";
import { whole } from "rs/lib/format.js";
import { findModel } from "rs/lib/models.js";
import { measure as wordsMeasure } from "rs/lib/words.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import { accuracies, effectRows, groups, scaleOf } from "rs/parts/evaluation_scenes.js";
import { DISTRIBUTIONS, apart, words } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Evaluation"]} Evaluation */
/** @typedef {NonNullable<Evaluation["comparison"]>} Comparison */
/** @typedef {Comparison["by_distribution"][number]} Part of one distribution */

const [BESIDE, GAP, HEAD, LINE] = [760, 28, 30, 17]; // pixels: from which width on two stand side by side, between, above them, and of a line there

/** What is A or B: its model and what is done to it. @param {Evaluation} evaluation */
export const sideWords = (evaluation) => evaluation.model + ", " + words(evaluation, findModel(evaluation.model));

/** @typedef {Schemas["Importance"]} Importance */
/** @typedef {{a: Importance, b: Importance}} Curves of A and of B, on samples of the same distribution */

const [HIGH, TOP, FOOT] = [210, 34, 38]; // pixels of a curve: in all, above its axis, and below

/** Orders in which units leave, what their line is called, and how it looks. */
const ORDERS = [
  { order: "best first", text: "best kept", stroke: "accent" },
  { order: "worst first", text: "worst kept", stroke: "bad" },
  { order: "random", text: "random sets", stroke: "dim", dash: [4, 3] },
];

/**
 * Accuracy while fewer units are kept: the best or the worst longest, and random sets; a letter marks the set of this side.
 *
 * @param {Importance} found @param {Evaluation} evaluation of the set @param {number} width
 * @param {string} letter A or B @param {Importance} beside which has the same axis
 */
export function curve(found, evaluation, width, letter, beside) {
  const measure = wordsMeasure(found.measure);
  const ends = [found, beside].flatMap(({ retention }) =>
    retention.flatMap((each) => [each.accuracy, each.low, each.high]),
  );
  const [left, right] = [64, width - 20];
  const x = linear([1, 0], [left, right], { ticks: [1, 0.75, 0.5, 0.25, 0], named: (kept) => 100 * kept + (kept ? "" : " %") }); // prettier-ignore
  const lines = ORDERS.map((each) => ({
    ...each,
    points: found.retention.filter(({ order }) => order === each.order).sort((one, other) => one.dropped - other.dropped),
  })).filter(({ points }) => points.length); // prettier-ignore
  const keys = legend(lines.map((each) => ({ ...each, ink: each.stroke, weight: 650, width: 2 })), { x: width < 420 ? 8 : left, y: 10, width }); // prettier-ignore
  const top = TOP - 18 + keys.height;
  const bottom = top + HIGH - FOOT - TOP;
  const y = scaleOf(measure, ends, [bottom, top]);
  const { drop, mute, mean, resample } = evaluation.intervention;
  const gone = new Set([...drop, ...mute, ...(mean ?? []), ...(resample ?? [])]).size;
  const part = apart(evaluation).find(
    ({ where }) => !where || where === DISTRIBUTIONS[found.distribution ?? "unknown"],
  );
  const set = [part?.evaluation.accuracy].flatMap((each) => each ?? []);
  const at = { x: x(1 - gone / found.units.length), y: (/** @type {Schemas["Interval"]} */ { value }) => y(value) };
  return chart({
    width,
    height: bottom + FOOT,
    title: "",
    desc: "",
    marks: [
      axisY(y, [left, right]),
      axisX(x, [top, bottom], { grid: false }),
      text(["units kept"], { x: (left + right) / 2, y: bottom + 31, down: 0, size: 11, fill: "dim", anchor: "middle" }),
      band(lines.find(({ order }) => order === "random")?.points ?? [], { x: (each) => x(each.share_kept), y: ({ low, high }) => [y(low), y(high)], fill: "unmatched" }),
      lines.toReversed().map(({ points, stroke, dash }) =>
        line(points, { x: (each) => x(each.share_kept), y: (each) => y(each.accuracy), stroke, dash })),
      keys.marks,
      dot(set, { ...at, r: 8, fill: "ink" }),
      text(set, { ...at, text: letter, size: 11, weight: 700, fill: "surface", anchor: "middle" }),
    ],
  }); // prettier-ignore
}

/**
 * A at the left and B at the right, or A above B where there is less room: accuracies, labels and data sets, curves. Names
 * stand above them where they are `alone`, and where one is above the other.
 *
 * @param {Evaluation} a @param {Evaluation} b @param {number} width
 * @param {{alone?: boolean, curves?: Curves | null}} [options]
 */
export function sideBySide(a, b, width, { alone = true, curves = null } = {}) {
  const wide = width >= BESIDE;
  const own = wide ? Math.floor((width - GAP) / 2) : width;
  /** @param {Evaluation} of @param {Evaluation} other */
  function column(of, other) {
    const model = findModel(of.model);
    const [labels, sets] = [labelRows(of), domainRows(of)];
    return [
      of.accuracy && accuracies(of, own, { model, beside: [other] }),
      labels.length > 0 && groups(labels, "label", of, own, model, labelRows(other)),
      sets.length > 0 && groups(sets, "data set", of, own, model, domainRows(other)),
      curves && (of === a ? curve(curves.a, a, own, "A", curves.b) : curve(curves.b, b, own, "B", curves.a)),
    ];
  }
  const columns = [column(a, b), column(b, a)];
  const names = ["A: " + sideWords(a), "B: " + sideWords(b)];
  const tall = columns[0].map((_, row) =>
    Math.max(...columns.map((scenes) => { const scene = scenes[row]; return scene ? scene.height + 10 : 0; })),
  ); // prettier-ignore
  const headings = names.map((name) => alone || !wide ? wrapped(name, own - 4, (words) => widest([words], 13, 650)) : []); // prettier-ignore
  const most = Math.max(...headings.map((lines) => lines.length));
  let height = 0;
  const marks = columns.map((scenes, side) => {
    const x = wide ? side * (own + GAP) : 0;
    let y = wide ? 0 : height;
    const top = y + 10;
    const heading = text(headings[side], { x: x + 2, y: (_, line) => top + LINE * line, size: 13, weight: 650 });
    y += most && HEAD + LINE * ((wide ? most : headings[side].length) - 1);
    const parts = scenes.map((scene, row) => {
      const drawn = scene ? part(scene, x, y) : [];
      y += wide ? tall[row] : scene ? scene.height + 10 : 0;
      return drawn;
    });
    height = Math.max(height, y);
    return [heading, parts];
  });
  const { title } = wordsMeasure(b.measure);
  const desc = title + " of A, " + sideWords(a) + ", beside B, " + sideWords(b) + ", on the same axes: all samples, labels, data sets" + (curves ? ", and accuracy as units are dropped." : "."); // prettier-ignore
  return chart({ width, height, title: names.join("; "), desc, marks });
}

/**
 * The lines of the picture of the difference: all samples, labels and data sets, of each distribution.
 *
 * @param {Comparison} comparison
 * @param {Evaluation["data"]} data what is known of the data sets
 * @returns {{name: string, where: string, main: boolean, count: number, a: number, b: number, value: number, low: number | null, high: number | null}[]}
 */
export function differenceRows({ by_distribution: parts }, data) {
  const standIns = new Set(data.filter((each) => each.stand_in).map((each) => each.name));
  return parts.flatMap(({ name, count, a, b, difference, by_label: labels, by_domain: sets }) => {
    const where = parts.length > 1 || name === "out" ? DISTRIBUTIONS[name] : "";
    const { value, low, high } = difference.accuracy;
    /** @param {Schemas["GroupEffect"]} row @param {string} called */
    const rowOf = (row, called) => ({
      name: called, where, main: false, count: row.count, a: row.baseline, b: row.accuracy,
      value: row.change, low: row.change_low, high: row.change_high,
    }); // prettier-ignore
    return [
      { name: "all samples", where, main: true, count, a: a.accuracy.value, b: b.accuracy.value, value, low, high },
      ...(labels.length > 1 ? labels.map((row) => rowOf(row, "label " + row.name)) : []),
      ...(sets.length > 1 ? sets.map((row) => rowOf(row, row.name + (standIns.has(row.name) ? " (stand-in)" : ""))) : []),
    ]; // prettier-ignore
  });
}

/**
 * B minus A with paired intervals around a line of no difference: first all samples, then each label and data set; what
 * training left out apart.
 *
 * @param {Evaluation} evaluation B, with its comparison @param {number} width
 */
export function difference(evaluation, width) {
  const comparison = /** @type {Comparison} */ (evaluation.comparison);
  const measure = wordsMeasure(evaluation.measure);
  const rows = differenceRows(comparison, evaluation.data).map((row) => ({
    ...row, group: row.where, change: row.value, change_low: row.low, change_high: row.high,
  })); // prettier-ignore
  const { range, y, sure, marks } = effectRows(rows, { width, top: 24, measure, room: 150 });
  const most = Math.max(...rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value].map(Math.abs)), 0.001); // prettier-ignore
  const x = linear([-most, most], range, { named: (tick) => (tick ? measure.change(tick) : "0") });
  const [less, more] = measure.higher ? ["A is better", "B is better"] : ["B is better", "A is better"];
  const head = { y: 12, down: 0, size: 11, fill: "dim" };
  const a = comparison.a ? sideWords(comparison.a) : "A";
  return chart({
    width,
    height: y.end + 24,
    title: "B minus A: " + sideWords(evaluation) + ", minus " + a,
    desc: "Paired difference of " + measure.name + " in " + measure.changeUnit + ", B minus A, with 95 % intervals, on " + whole(comparison.covered) + " samples scored for both.", // prettier-ignore
    marks: [
      axisX(x, [20, y.end]),
      rule([0], { x: x(0), y: [20, y.end], stroke: "dim" }),
      text([less], { ...head, x: x(0) - 8, anchor: "end" }),
      text([more], { ...head, x: x(0) + 8 }),
      whisker(rows, { x: (row) => [x(row.low), x(row.high)], y, stroke: sure, width: ({ main }) => (main ? 2.5 : 1.5) }),
      dot(rows, { x: (row) => x(row.value), y, r: ({ main }) => (main ? 6 : 4), fill: sure }),
      marks,
    ],
  }); // prettier-ignore
}
