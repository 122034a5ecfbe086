/* What heads that answer with one number say of a sample, beside what is right where that is known: a row a data set. */
import { axisX, bar, chart, dot, linear, rule, text, titleX, widest } from "rs/draw/marks.js";
import { fixed } from "rs/lib/format.js";
import { shortNames } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { Figures } from "rs/parts/table.js";

/** @import { Facts } from "rs/parts/predictions.js" */

/** @typedef {{domain: string, value: number | null, right: number | null, before: number | null, own: boolean}} Answer */

const [HEAD, ROW, FOOT] = [64, 17, 30]; // pixels
const NARROW = 420; // pixels below which there is no room for an error behind each row
const DIGITS = 2;

/** Every head's answer, own data set first. @param {Pick<Facts, "current" | "baseline" | "domain" | "point">} facts */
export function answersOf({ current, baseline, domain, point }) {
  const right = new Map((point?.functions ?? []).map(({ set, value }) => [set, value]));
  const was = new Map(
    (baseline && baseline.id !== current.id ? baseline.numbers : []).map((one) => [one.domain, one.value]),
  );
  const all = current.numbers.map((one) => ({
    ...one,
    right: right.get(one.domain) ?? null,
    before: was.get(one.domain) ?? null,
    own: one.domain === domain,
  }));
  return [...all.filter(({ own }) => own), ...all.filter(({ own }) => !own)];
}

/** @param {number | null} value */
const said = (value) => (value === null ? "\u2013" : fixed(value, DIGITS));

/** The error of an answer, to two digits but never 0. @param {Pick<Answer, "value" | "right">} answer */
export function off({ value, right }) {
  if (value === null || right === null) return "";
  const by = Math.abs(value - right);
  return by >= 0.005 || by === 0 ? fixed(by, DIGITS) : String(Number(by.toPrecision(1)));
}

/** An answer in words: "network 0.43, expression 0.41, off by 0.02". @param {Pick<Answer, "value" | "right">} answer */
export const answerWords = (answer) =>
  "network " +
  said(answer.value) +
  (answer.right === null ? "" : ", expression " + said(answer.right) + ", off by " + off(answer));

/** A row a head: answer, expression, answer without intervention. @param {Facts} facts @param {number} width */
export function numbersScene(facts, width) {
  const answers = answersOf(facts);
  const [first] = answers;
  const own = first?.own ? first : null;
  const names = shortNames(answers.map(({ domain }) => domain));
  const roomy = width >= NARROW;
  const left = Math.min(0.4 * width, Math.ceil(widest(names, 11, 700)) + 12);
  const bottom = HEAD + ROW * answers.length;
  const scale = linear([0, 1], [left, width - (roomy ? 74 : 12)], { ticks: [0, 0.25, 0.5, 0.75, 1], named: String });
  const x = (/** @type {number | null} */ value) => scale(value === null ? null : Math.max(-0.02, Math.min(1.02, value))); // prettier-ignore
  const y = (/** @type {unknown} */ _, /** @type {number} */ row) => HEAD + ROW * (row + 0.5);
  const look = {
    weight: (/** @type {Answer} */ answer) => (answer.own ? 700 : 400),
    fill: (/** @type {Answer} */ answer) => (answer.own ? "ink" : "dim"),
    size: 11,
  };
  const before = own && own.before !== null ? ["without intervention: network " + said(own.before)] : [];
  const keys = "dot: network; tick: expression" + (first?.before !== null ? "; dashed: without intervention" : "");
  const foot = titleX(keys, { y: bottom + 27, ends: scale.range, within: [0, width], size: 10 });
  return chart({
    width,
    height: bottom + FOOT + foot.more,
    title: "Answers of every head: " + facts.current.model + ", " + (facts.name || facts.current.sample),
    desc: "Dots are what each head answers, ticks what its function is at this point.",
    marks: [
      text([own ? own.domain + " head (own)" : "no head for the function of this sample"], { x: 0, y: 9, fill: "dim", room: width }),
      own ? text([answerWords(own)], { x: 0, y: 27, size: roomy ? 15 : 13, weight: 700, room: width }) : [],
      text(before, { x: 0, y: 44, fill: "dim", room: width }),
      bar(answers, { x: [0, width], y: (answer, row) => (answer.own ? [y(answer, row) - ROW / 2, y(answer, row) + ROW / 2] : null), fill: "raised" }),
      axisX(scale, [HEAD, bottom], { size: 10 }),
      text(answers, { ...look, x: 0, y, text: (_, row) => names[row], room: left - 10 }),
      rule(answers, { x: (each) => [x(each.right), x(each.value)], y, stroke: "accent", width: 2 }),
      rule(answers, { x: (each) => x(each.right), y: (each, row) => [y(each, row) - 6, y(each, row) + 6], stroke: "ink", width: 2.5 }),
      dot(answers, { x: (each) => x(each.before), y, stroke: "ink", width: 1, dash: [2, 2] }),
      dot(answers, { x: (each) => x(each.value), y, fill: "accent" }),
      roomy ? text(answers, { ...look, x: width, y, text: (each) => (off(each) ? "off by " + off(each) : ""), anchor: "end" }) : [],
      foot.marks,
    ],
  }); // prettier-ignore
}

/** @param {Facts} facts */
export const numbersWords = (facts) =>
  answersOf(facts)
    .map((answer) => answer.domain + " head: " + answerWords(answer))
    .join("; ");

/** @param {Facts} facts */
export function NumbersTable(facts) {
  const answers = answersOf(facts);
  const changed = answers.some(({ before }) => before !== null);
  const titles = ["head", "network", "expression", "off by", ...(changed ? ["without intervention"] : [])];
  const rows = answers.map(
    (answer) =>
      html`<tr key=${answer.domain}>
        <th scope="row">${answer.domain + (answer.own ? " (own)" : "")}</th>
        ${[answer.value, answer.right].map((value) => html`<td>${value === null ? "" : value.toFixed(4)}</td>`)}
        <td>${off(answer)}</td>
        ${changed && html`<td>${answer.before === null ? "" : answer.before.toFixed(4)}</td>`}
      </tr>`,
  );
  return html`<${Figures}
    heads=${titles.map((title) => html`<th scope="col">${title}</th>`)}
    rows=${rows}
    caption="What each head answers, and what its function is at this point."
  />`;
}
