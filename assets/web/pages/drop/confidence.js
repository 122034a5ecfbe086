/* Accuracy by confidence on the Drop page: whether answers are right as often as the model is sure of them. */
import { asJson } from "rs/draw/exports.js";
import { axisX, axisY, chart, dot, legend, line, linear, text, titleX, whisker } from "rs/draw/marks.js";
import { percent, whole } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { FORMATS } from "rs/pages/drop/pictures.js";
import * as drop from "rs/pages/drop/state.js";
import { apart, words } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";

const SHARES = [0, 0.25, 0.5, 0.75, 1];
const [NARROW, HIGH] = [420, 258]; // pixels of a picture with one chart a row, and from a chart to the one below
const named = (/** @type {number} */ share) => 100 * share + (share === 1 ? " %" : "");
const LOOKS = /** @type {const} */ ([["baseline", "full model", "ink", "surface"], ["changed", "this set", "accent", "accent"]]); // prettier-ignore

/** The tenths of each distribution, those of the model as it is first. */
const tenths = () =>
  (drop.state.evaluation ? apart(drop.state.evaluation) : []).flatMap(({ where, evaluation: { by_confidence: by } }) =>
    LOOKS.flatMap(([key]) => (by ? by[key] : []).map((tenth) => ({ ...tenth, where, key })))); // prettier-ignore

/** @param {number} width */
export function scene(width) {
  const { evaluation } = drop.state;
  const parts = [...new Set(tenths().map(({ where }) => where))];
  if (!evaluation || !parts.length) return null;
  const across = width < NARROW ? 1 : parts.length;
  const wide = Math.min(760, (width - 24 * (across - 1)) / across);
  const drawn = parts.map((part, at) => {
    const [left, top] = [(at % across) * (wide + 24), 52 + Math.floor(at / across) * HIGH];
    const bottom = top + 200;
    const [x, y] = [linear([0, 1], [left + 46, left + wide - 26], { ticks: SHARES, named }), linear([0, 1], [bottom, top], { ticks: SHARES, named })]; // prettier-ignore
    const dots = LOOKS.map(([key, , stroke, fill]) => {
      const rows = tenths().filter((each) => each.where === part && each.key === key);
      /** @param {typeof rows[number]} row */
      const words = ({ count, confidence, accuracy }) => percent(accuracy.value) + " % right of " + whole(count) + " answers, " + percent(confidence) + " % sure"; // prettier-ignore
      return [whisker(rows, { x: (row) => x(row.confidence), y: ({ accuracy }) => [y(accuracy.low), y(accuracy.high)], stroke }), dot(rows, { x: (row) => x(row.confidence), y: (row) => y(row.accuracy.value), fill, stroke, words })]; // prettier-ignore
    });
    const names = titleX("confidence" + (part && ", " + part), { y: bottom + 31, ends: x.range, within: [left, left + wide] });
    const title = text(["accuracy"], { x: left, y: top - 14, down: 0, size: 11, fill: "dim" });
    return { marks: [axisY(y, x.range), axisX(x, [top, bottom]), line([0, 1], { x, y, stroke: "unmatched", dash: [3, 3] }), dots.flat(), names.marks, title], bottom: bottom + names.more };
  }); // prettier-ignore
  const keys = legend(LOOKS.map(([, name, stroke]) => ({ text: name, stroke, ink: stroke, width: 2 })), { x: 46, y: 12, width }); // prettier-ignore
  return chart({ width, height: Math.max(...drawn.map(({ bottom }) => bottom)) + 40, title: "Accuracy by confidence with " + words(evaluation, drop.state.model) + ": " + evaluation.model, desc: "Accuracy of the answers in each tenth of confidence, with 95 % intervals.", marks: [keys.marks, ...drawn.map(({ marks }) => marks)] }); // prettier-ignore
}

/** @returns {unknown[][]} */
const rows = () => [
  ["answers", "distribution", "least_confidence", "count", "mean_confidence", "accuracy", "low", "high"],
  ...tenths().map(({ key, where, least, count, confidence, accuracy: { value, low, high } }) => [key, where, least, count, confidence, value, low, high]), // prettier-ignore
];

/** The panel; nothing where answers have no confidence. */
export const Confidence = () =>
  html`<${Panel} id="drop-confidence" title="Accuracy by confidence" tag="caused" formats=${FORMATS} coded=${false} hidden=${!tenths().length}
    reads="Share of right answers against their confidence, 95 % intervals. Below the dashed line the model is too sure."
    more="Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers."
    written=${() => tenths().length ? { name: "drop-confidence", facts: drop.facts(), rows, json: () => asJson(rows()), picture: { scene: (/** @type {number | undefined} */ asked) => scene(asked ?? 860) } } : null}>
    <${Picture} look="drop-picture" data=${{ "data-key": "confidence", "data-fresh": String(drop.state.fresh) }} scene=${scene}
      drawn=${() => drop.state.evaluation?.id ?? ""} label=${(/** @type {{title: string, desc: string}} */ made) => made.title + ". " + made.desc} />
    <${AsTable} words="Accuracy by confidence as a table" caption=${() => "Accuracy by tenths of confidence"} rows=${rows} />
  <//>`; // prettier-ignore
