/* A and B side by side on the same axes, and B minus A as a picture of its own, as scenes (draw/scene.js). */
import { whole } from "rs/lib/format.js";
import { findModel } from "rs/lib/models.js";
import { readTheme } from "rs/lib/theme.js";
import { measure as wordsMeasure } from "rs/lib/words.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import { accuracies, dot, groups, line, scaleOf, shortened, text, whisker } from "rs/parts/evaluation_scenes.js";
import { DISTRIBUTIONS, apart, words } from "rs/parts/figures.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Evaluation"]} Evaluation */
/** @typedef {NonNullable<Evaluation["comparison"]>} Comparison */
/** @typedef {Comparison["by_distribution"][number]} Part of one distribution */

const [BESIDE, GAP, HEAD] = [760, 28, 30]; // pixels: from which width on two stand side by side, between, and above them
const STEP = 22;

/**
 * What is A or B: its model and what is done to it.
 *
 * @param {Evaluation} evaluation
 */
export const sideWords = (evaluation) => evaluation.model + ", " + words(evaluation, findModel(evaluation.model));

/**
 * A path (M, L, V, H and v alone) elsewhere.
 *
 * @param {string} d
 * @param {number} dx
 * @param {number} dy
 */
const shifted = (d, dx, dy) =>
  d
    .replace(/([ML])(-?[\d.e-]+),(-?[\d.e-]+)/g, (_, to, x, y) => to + (Number(x) + dx) + "," + (Number(y) + dy))
    .replace(/H(-?[\d.e-]+)/g, (_, x) => "H" + (Number(x) + dx))
    .replace(/V(-?[\d.e-]+)/g, (_, y) => "V" + (Number(y) + dy));

/**
 * @param {Item} item
 * @param {number} dx
 * @param {number} dy
 * @returns {Item}
 */
export function moved(item, dx, dy) {
  if (item.shape === "circle") return { ...item, cx: item.cx + dx, cy: item.cy + dy };
  if (item.shape === "path") return { ...item, d: shifted(item.d, dx, dy) };
  return { ...item, x: item.x + dx, y: item.y + dy };
}

/** @typedef {Schemas["Importance"]} Importance */
/** @typedef {{a: Importance, b: Importance}} Curves of A and of B, on samples of the same distribution */

const [HIGH, TOP, FOOT] = [210, 34, 38]; // pixels of a curve: in all, above its axis, and below

/**
 * Accuracy while fewer and fewer units are kept: the best or the worst longest, and random sets; with a mark where the set
 * of this side lies.
 *
 * @param {Importance} found
 * @param {Evaluation} evaluation of the set
 * @param {number} width
 * @param {string} letter A or B
 * @param {Importance} beside which has the same axis
 */
export function curve(found, evaluation, width, letter, beside) {
  const theme = readTheme();
  const measure = wordsMeasure(found.measure);
  const ends = [found, beside].flatMap(({ retention }) =>
    retention.flatMap((each) => [each.accuracy, each.low, each.high]),
  );
  const scale = scaleOf(measure, ends);
  const [left, right, bottom] = [64, 20, HIGH - FOOT];
  const x = (/** @type {number} */ kept) => left + (1 - kept) * (width - left - right);
  const y = (/** @type {number} */ value) => bottom - scale.at(value) * (bottom - TOP);
  /** @type {Item[]} */
  const items = scale.ticks.flatMap((tick) => [
    line("M" + left + "," + y(tick) + "H" + (width - right), theme.hair),
    text(left - 8, y(tick) + 4, scale.named(tick), theme.dim, { size: 11, anchor: "end" }),
  ]);
  for (const kept of [1, 0.75, 0.5, 0.25, 0])
    items.push(text(x(kept), bottom + 15, 100 * kept + (kept ? "" : " %"), theme.dim, { size: 11, anchor: "middle" }));
  items.push(text(x(0.5), bottom + 31, "units kept", theme.dim, { size: 11, anchor: "middle" }));
  /** @param {string} order */
  const of = (order) =>
    found.retention.filter((each) => each.order === order).sort((one, other) => one.dropped - other.dropped);
  const drawn = of("random");
  const edge = [...drawn.map((each) => [each.share_kept, each.high]), ...drawn.toReversed().map((each) => [each.share_kept, each.low])]; // prettier-ignore
  if (drawn.length)
    items.push({ shape: "path", d: through(edge.map(([kept, value]) => [x(kept), y(value)])) + "Z", fill: theme.unmatched, opacity: 0.22 }); // prettier-ignore
  let named = left;
  for (const [order, name, colour, dash] of /** @type {[string, string, string, number[]?][]} */ ([
    ["random", "random sets", theme.dim, [4, 3]], ["worst first", "worst kept", theme.bad], ["best first", "best kept", theme.accent],
  ])) {
    const points = of(order).map((each) => [x(each.share_kept), y(each.accuracy)]);
    if (!points.length) continue;
    items.push(line(through(points), colour, { width: 2, dash }));
    items.push(text(named, 14, name, colour, { size: 11, weight: 650 }));
    named += 84;
  } // prettier-ignore
  const { drop, mute, mean, resample } = evaluation.intervention;
  const gone = new Set([...drop, ...mute, ...(mean ?? []), ...(resample ?? [])]).size;
  const part = apart(evaluation).find(
    ({ where }) => !where || where === DISTRIBUTIONS[found.distribution ?? "unknown"],
  );
  if (part?.evaluation.accuracy) {
    const [cx, cy] = [x(1 - gone / found.units.length), y(part.evaluation.accuracy.value)];
    items.push(dot(cx, cy, 8, { fill: theme.ink }));
    items.push(text(cx, cy + 4, letter, theme.surface, { size: 11, weight: 700, anchor: "middle" }));
  }
  return { width, height: HIGH, items };
}

/** @param {number[][]} points */
const through = (points) => points.map(([x, y], at) => (at ? "L" : "M") + x + "," + y).join("");

/**
 * A at the left and B at the right, or A above B where there is less room: accuracies, labels and data sets, curves. Names
 * stand above them where they are `alone`, and where one is above the other.
 *
 * @param {Evaluation} a
 * @param {Evaluation} b
 * @param {number} width
 * @param {{alone?: boolean, curves?: Curves | null}} [options]
 * @returns {Scene}
 */
export function sideBySide(a, b, width, { alone = true, curves = null } = {}) {
  const theme = readTheme();
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
  /** @type {Item[]} */
  const items = [];
  /** @param {string} name @param {number} x @param {number} y */
  const headed = (name, x, y) =>
    items.push(text(x + 2, y + 14, shortened(name, 0.84 * own), theme.ink, { size: 13, weight: 650 }));
  let y = 0;
  if (wide) {
    if (alone) names.forEach((name, at) => headed(name, at * (own + GAP), 0));
    y = alone ? HEAD : 0;
    for (const row of columns[0].keys()) {
      const pair = columns.map((each) => each[row]);
      pair.forEach((scene, at) => scene && items.push(...scene.items.map((item) => moved(item, at * (own + GAP), y))));
      y += Math.max(...pair.map((scene) => (scene ? scene.height + 10 : 0)));
    }
  } else
    columns.forEach((scenes, at) => {
      headed(names[at], 0, y);
      y += HEAD;
      for (const scene of scenes) {
        if (!scene) continue;
        items.push(...scene.items.map((item) => moved(item, 0, y)));
        y += scene.height + 10;
      }
    });
  const { title } = wordsMeasure(b.measure);
  const desc =
    title +
    " of A, " +
    sideWords(a) +
    ", beside B, " +
    sideWords(b) +
    ", on the same axes: all samples, labels, data sets" +
    (curves ? ", and accuracy while fewer units are kept." : ".");
  return { width, height: y, background: theme.surface, title: names.join("; "), desc, items };
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
    /** @param {string} kind */
    const rowOf = (kind) => (/** @type {Schemas["GroupEffect"]} */ row) => ({
      name: kind + row.name, where, main: false, count: row.count, a: row.baseline, b: row.accuracy,
      value: row.change, low: row.change_low, high: row.change_high,
    }); // prettier-ignore
    const { value, low, high } = difference.accuracy;
    const all = { name: "all samples", where, main: true, count, a: a.accuracy.value, b: b.accuracy.value };
    return [
      { ...all, value, low, high },
      ...(labels.length > 1 ? labels.map(rowOf("label ")) : []),
      ...(sets.length > 1
        ? sets.map(rowOf("")).map(({ name: set, ...row }) => ({
            ...row,
            name: set + (standIns.has(set) ? " (stand-in)" : ""),
          }))
        : []),
    ];
  });
}

/**
 * Ticks around 0 that reach as far as `most`.
 *
 * @param {number} most
 */
export function ticksTo(most) {
  const rough = (most || 0.01) / 2;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 1.5, 2, 2.5, 3, 4, 5, 7.5].find((each) => each * size >= rough * 0.999) ?? 10);
  return [-2, -1, 0, 1, 2].map((n) => n * step || 0);
}

/**
 * B minus A with paired intervals around a line of no difference: first all samples, then each label and data set; what
 * training left out apart.
 *
 * @param {Evaluation} evaluation B, with its comparison
 * @param {number} width
 * @returns {Scene}
 */
export function difference(evaluation, width) {
  const theme = readTheme();
  const comparison = /** @type {Comparison} */ (evaluation.comparison);
  const measure = wordsMeasure(evaluation.measure);
  const rows = differenceRows(comparison, evaluation.data);
  const left = Math.min(width * 0.36, 14 + Math.max(...rows.map((row) => row.name.length), 2) * 7.2);
  const spans = width - left - 166 > 150; // room for the intervals in numbers
  const right = spans ? 166 : 58;
  const ends = rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value].map(Math.abs));
  const ticks = ticksTo(Math.max(...ends, 0));
  const reach = ticks[ticks.length - 1];
  const x = (/** @type {number} */ value) => left + ((value + reach) / (2 * reach)) * (width - left - right);
  const headings = rows.map((row, n) => row.where && (!n || rows[n - 1].where !== row.where));
  const bottom = 24 + (rows.length + headings.filter(Boolean).length) * STEP;
  /** @type {Item[]} */
  const items = ticks.flatMap((tick) => [
    line("M" + x(tick) + ",20V" + bottom, tick ? theme.hair : theme.dim),
    text(x(tick), bottom + 15, tick ? measure.change(tick) : "0", theme.dim, { size: 11, anchor: "middle" }),
  ]);
  const [less, more] = measure.higher ? ["A is better", "B is better"] : ["B is better", "A is better"];
  items.push(text(x(0) - 8, 12, less, theme.dim, { size: 11, anchor: "end" }));
  items.push(text(x(0) + 8, 12, more, theme.dim, { size: 11 }));
  const [better, worse] = measure.higher ? [theme.good, theme.bad] : [theme.bad, theme.good];
  let at = 0; // rows and headings so far
  rows.forEach(({ name, where, main, value, low, high }, index) => {
    const middle = () => 24 + STEP * (at + 0.5);
    if (headings[index]) {
      items.push(text(2, middle() + 5, where, theme.dim, { size: 11, weight: 650 }));
      at += 1;
    }
    const y = middle();
    at += 1;
    const sure = high !== null && high < 0 ? worse : low !== null && low > 0 ? better : theme.dim;
    items.push(text(left - 8, y + 4, shortened(name, left), theme.ink, { anchor: "end", weight: main ? 650 : 450 }));
    items.push(...whisker(x, y, { low, high }, sure, main ? 2.5 : 1.5));
    items.push(dot(x(value), y, main ? 6 : 4, { fill: sure }));
    items.push(text(width - right + 58, y + 4, measure.change(value), sure, { anchor: "end", weight: 650 }));
    if (spans && low !== null && high !== null) {
      const span = measure.change(low) + " to " + measure.change(high);
      items.push(text(width, y + 4, span, theme.dim, { anchor: "end", size: 10.5 }));
    }
  });
  const a = comparison.a ? sideWords(comparison.a) : "A";
  return {
    width,
    height: bottom + 24,
    background: theme.surface,
    title: "B minus A: " + sideWords(evaluation) + ", minus " + a,
    desc:
      "Paired difference of " + measure.name + " in " + measure.changeUnit + ", B minus A, with 95 % intervals, on " +
      whole(comparison.covered) + " samples that both have scored.",
    items,
  }; // prettier-ignore
}
