/* What every head makes of a sample: probability bars, the prediction without intervention behind them as outlines. */
import { axisY, bands, bar, chart, glyph, linear, spaced, text, widest } from "rs/draw/marks.js";
import { labelName, probability } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { NumbersTable, numbersScene, numbersWords } from "rs/parts/answers/numbers.js";
import { TableOf } from "rs/parts/table.js";

/** @import { Marks, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {Schemas["DomainPrediction"] & {shared?: boolean}} Head one for all data sets where they share it
 * @typedef {{current: Schemas["TraceInfo"], baseline: Schemas["TraceInfo"] | null, label: number | null, domain: string | null, name?: string, point?: Schemas["Point"] | null}} Facts
 */

export const CAPTION = "Probability of each label by each head.";
const [HEAD_HEIGHT, NARROWEST, GAP] = [152, 168, 24]; // pixels of a head, the least of its width, and between two

/**
 * @param {{x: number, y: number, w: number}} place
 * @param {Head} head
 * @param {Head | null | undefined} before
 * @param {Facts} facts
 */
function headMarks({ x: left, y: top, w }, head, before, facts) {
  const { labels, probabilities } = head;
  const own = facts.domain === head.domain;
  const foot = top + HEAD_HEIGHT - 26;
  const x = bands(labels, [left + 28, left + w - 2]);
  const y = linear([0, 1], [foot, top + 44], { ticks: [0, 0.5, 1], named: String });
  const roomy = widest(labels, 11.5, 750) + 4 < x.step; // else the places of the names
  const named = (/** @type {number} */ label) => (roomy ? labels[label] : labelName(labels, label));
  const half = Math.min(11, x.step * 0.36);
  const upTo = (/** @type {number[]} */ values, /** @type {number} */ wider) => ({
    x: (/** @type {unknown} */ _, /** @type {number} */ label) => [x(label) - half - wider, x(label) + half + wider],
    y: (/** @type {unknown} */ _, /** @type {number} */ label) => [foot, Math.min(foot - 0.5, y(values[label]))],
  });
  const truth = (/** @type {number} */ label) => facts.label === label;
  const share = probability(probabilities[head.label]);
  const room = w - widest([share], 14, 700) - 12; // of the name: the probability is never cut
  const after = left + Math.min(room, widest([labels[head.label]], 14, 700)) + 12;
  const beside = after + widest([share], 14, 700) + 12;
  const small = w < 190 ? 11 : 12;
  const was = before ? ["was " + chosenOf(before), "was " + probability(before.probabilities[before.label])].filter((words) => widest([words], small) < left + w - beside).slice(0, 1) : []; // prettier-ignore
  const clear = (/** @type {number} */ value) => value > 0.004;
  return [
    text([head.shared ? "one head for every data set" : head.domain + (own ? " head (own)" : " head")], { x: left, y: top + 10, fill: "dim", room: w }),
    text([labels[head.label]], { x: left, y: top + 27, size: 14, weight: 700, room }),
    text([share], { x: after, y: top + 27, size: 14, weight: 700 }),
    text(was, { x: beside, y: top + 28, size: small, fill: "dim" }),
    axisY(y, [left + 28, left + w], { size: 10 }),
    bar(probabilities, { ...upTo(probabilities, 0), fill: (_, label) => (label === head.label ? "accent" : "unmatched"), words: (value, label) => labels[label] + ": " + probability(value) }),
    before ? bar(before.probabilities, { ...upTo(before.probabilities, 2), stroke: (value) => (clear(value) ? "ink" : undefined), width: 1, dash: [2, 2] }) : [],
    text(spaced(x, (label) => widest([named(label)], 11.5, 750) + 3), { x, y: foot + 13, down: 0, text: named, size: 11.5, weight: (label) => (truth(label) ? 750 : 400), fill: (label) => (truth(label) ? "ink" : "dim"), anchor: "middle" }),
    glyph(x.ticks.filter(truth), { x, y: foot + 16, text: "up", r: 4, fill: "ink" }),
  ]; // prettier-ignore
}

/** What a head chose, and how probable it is. @param {Head} head */
const chosenOf = ({ label, labels, probabilities }) => labels[label] + "   " + probability(probabilities[label]);

/** One head where all say exactly the same: the model has one for every data set. @param {Head[]} predictions */
export function headsOf(predictions) {
  const [first, ...others] = predictions;
  const text = first && String(first.probabilities);
  const one = others.length > 0 && others.every((other) => String(other.probabilities) === text);
  return one ? [{ ...first, shared: true }] : predictions;
}

/** @param {Facts} facts @param {number} width */
export function sceneOf(facts, width) {
  if (facts.current.numbers.length) return numbersScene(facts, width);
  const heads = headsOf(facts.current.predictions);
  const columns = Math.max(1, Math.min(heads.length, Math.floor((width + GAP) / NARROWEST)));
  const w = (width - GAP * (columns - 1)) / columns;
  const { baseline } = facts;
  const changed = baseline && baseline.id !== facts.current.id;
  return chart({
    width,
    height: Math.ceil(heads.length / columns) * HEAD_HEIGHT,
    title: "Predictions of every head: " + facts.current.model + ", " + (facts.name || facts.current.sample),
    desc:
      "Bars are probabilities of each label. " +
      (changed ? "Dashed outlines: without intervention. " : "") +
      (facts.label === null ? "" : "The triangle marks the true label."),
    marks: heads.map((head, index) => {
      const before = changed ? baseline.predictions.find((other) => other.domain === head.domain) : null;
      const place = { x: (index % columns) * (w + GAP), y: Math.floor(index / columns) * HEAD_HEIGHT, w };
      return headMarks(place, head, before, facts);
    }),
  });
}

/** Probabilities by head as rows, the first of which names the columns. @param {Facts} facts */
export function rowsOf({ current, baseline, label }) {
  const labels = (current.predictions[0]?.labels ?? []).map((name, at) => name + (at === label ? " (true)" : ""));
  const traces = [{ suffix: "", trace: current }];
  if (baseline && baseline.id !== current.id) traces.push({ suffix: ", without intervention", trace: baseline });
  const rows = traces.flatMap(({ suffix, trace }) =>
    headsOf(trace.predictions).map(({ shared, domain, probabilities }) => [
      (shared ? "one head" : domain) + suffix,
      ...probabilities.map((value) => value.toFixed(3)),
    ]),
  );
  return [["head", ...labels], ...rows];
}

/** @param {Head} head */
const saidOf = (head) =>
  (head.shared ? "one" : head.domain) +
  " head: " +
  head.labels[head.label] +
  ", " +
  probability(head.probabilities[head.label]);

/** What the heads answer, in words. @param {Facts} facts */
export const wordsOf = (facts) =>
  facts.current.numbers.length ? numbersWords(facts) : headsOf(facts.current.predictions).map(saidOf).join("; ");

/** The same as a table. @param {Facts} facts */
export const AnswersTable = (facts) =>
  facts.current.numbers.length
    ? html`<${NumbersTable} ...${facts} />`
    : html`<${TableOf} rows=${rowsOf(facts)} caption=${CAPTION} />`;
