/* What an evaluation says by label, by data set and by confidence, each of one distribution. */
import { axisX, axisY, chart, dot, legend, line, linear, text, titleX, whisker } from "rs/draw/marks.js";
import { percent, whole } from "rs/lib/format.js";
import { DISTRIBUTIONS, apart, groupsApart, words } from "rs/parts/figures.js";

/** @import { Declared, Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Evaluation"]} Evaluation */
/** @typedef {ReturnType<typeof groupsApart>[number]} Group a label or a data set */

/**
 * A data set that stands in for another is called so wherever its name is shown; what the model was never trained on
 * comes last, and is called so also where there is nothing else. Its title says what is in it.
 *
 * @param {Evaluation} evaluation @returns {(Group & {title?: string})[]}
 */
export function domainRows(evaluation) {
  const about = new Map(evaluation.data.map((each) => [each.name, each]));
  return groupsApart(evaluation, "by_domain").map((row) => {
    const set = about.get(row.name);
    const away = set?.held_out ? { distribution: DISTRIBUTIONS.out } : {};
    return { ...away, ...row, name: row.name + (set?.stand_in ? " (stand-in)" : ""), title: set?.title };
  });
}

/** @param {Evaluation} evaluation */
export const labelRows = (evaluation) => groupsApart(evaluation, "by_label");

/* -- accuracy by confidence ----------------------------------------------------------------------------------- */

const SHARES = [0, 0.25, 0.5, 0.75, 1];
const [NARROW, HIGH, GAP, TALL] = [420, 208, 24, 150]; // pixels of a picture with one chart a row, from a chart to the one below, between two, of an axis
const named = (/** @type {number} */ share) => 100 * share + (share === 1 ? " %" : "");
const LOOKS = /** @type {const} */ ([["baseline", "full model", "ink", "surface"], ["changed", "this set", "accent", "accent"]]); // prettier-ignore

/** The tenths of confidence of each distribution, those of the full model first. @param {Evaluation} evaluation */
export const tenths = (evaluation) =>
  apart(evaluation).flatMap(({ where, evaluation: { by_confidence: by } }) =>
    LOOKS.flatMap(([key]) => (by?.[key] ?? []).map((tenth) => ({ ...tenth, where, key }))),
  );
/** @typedef {ReturnType<typeof tenths>[number]} Tenth */

/**
 * Whether answers are right as often as the model is sure of them.
 *
 * @param {Evaluation} evaluation @param {Declared | null} model @param {number} width
 */
export function confidence(evaluation, model, width) {
  const all = tenths(evaluation);
  const parts = [...new Set(all.map(({ where }) => where))];
  const across = width < NARROW ? 1 : parts.length;
  const wide = Math.min(760, (width - GAP * (across - 1)) / across);
  const said = (/** @type {Tenth} */ { count, confidence: sure, accuracy }) =>
    percent(accuracy.value) + " % right of " + whole(count) + " answers, " + percent(sure) + " % sure";
  const drawn = parts.map((part, at) => {
    const [left, top] = [(at % across) * (wide + GAP), 52 + Math.floor(at / across) * HIGH];
    const bottom = top + TALL;
    const x = linear([0, 1], [left + 46, left + wide - 26], { ticks: SHARES, named });
    const y = linear([0, 1], [bottom, top], { ticks: SHARES, named });
    const names = titleX("confidence" + (part && ", " + part), {
      y: bottom + 31,
      ends: x.range,
      within: [left, left + wide],
    });
    const dots = LOOKS.map(([key, , stroke, fill]) => {
      const rows = all.filter((tenth) => tenth.where === part && tenth.key === key);
      const middle = (/** @type {Tenth} */ tenth) => x(tenth.confidence);
      return [
        whisker(rows, { x: middle, y: ({ accuracy }) => [y(accuracy.low), y(accuracy.high)], stroke }),
        dot(rows, { x: middle, y: ({ accuracy }) => y(accuracy.value), fill, stroke, words: said }),
      ];
    });
    const title = text(["accuracy"], { x: left, y: top - 14, down: 0, size: 11, fill: "dim" });
    const even = line([0, 1], { x, y, stroke: "unmatched", dash: [3, 3] });
    return {
      marks: [axisY(y, x.range), axisX(x, [top, bottom]), even, dots, names.marks, title],
      bottom: bottom + names.more,
    };
  });
  const keys = legend(LOOKS.map(([, name, stroke]) => ({ text: name, stroke, ink: stroke, width: 2 })), { x: 46, y: 12, width }); // prettier-ignore
  return chart({
    width,
    height: Math.max(...drawn.map(({ bottom }) => bottom)) + 40,
    title: "Accuracy by confidence with " + words(evaluation, model) + ": " + evaluation.model,
    desc: "Accuracy of the answers in each tenth of confidence, with 95 % intervals.",
    marks: [keys.marks, drawn.map(({ marks }) => marks)],
  });
}

/** @param {Evaluation} evaluation @returns {unknown[][]} */
export const tenthRows = (evaluation) => [
  ["answers", "distribution", "least_confidence", "count", "mean_confidence", "accuracy", "low", "high"],
  ...tenths(evaluation).map(({ key, where, least, count, confidence: sure, accuracy: { value, low, high } }) => [key, where, least, count, sure, value, low, high]), // prettier-ignore
];
