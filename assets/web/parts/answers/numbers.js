/* What heads that answer with one number say of a sample, beside what is right where that is known: a row a data set. */
import { fixed } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { shortNames } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { Figures } from "rs/parts/table.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Facts } from "rs/parts/predictions.js" */

/** @typedef {{domain: string, value: number | null, right: number | null, before: number | null, own: boolean}} Answer */

const [HEAD, ROW, FOOT] = [64, 17, 30]; // pixels
const NARROW = 420; // pixels below which there is no room for an error behind each row
const DIGITS = 2;

/**
 * Every head's answer, what its data set has as right, and what it answered without intervention; that of the sample's own
 * data set first.
 *
 * @param {Pick<Facts, "current" | "baseline" | "domain" | "point">} facts
 * @returns {Answer[]}
 */
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

/**
 * By how much an answer is off, to two digits: an error is never shown as none.
 *
 * @param {Pick<Answer, "value" | "right">} answer
 */
export function off({ value, right }) {
  if (value === null || right === null) return "";
  const by = Math.abs(value - right);
  return by >= 0.005 || by === 0 ? fixed(by, DIGITS) : String(Number(by.toPrecision(1)));
}

/**
 * An answer in words: "network 0.43, expression 0.41, off by 0.02".
 *
 * @param {Pick<Answer, "value" | "right">} answer
 */
export const answerWords = (answer) =>
  "network " +
  said(answer.value) +
  (answer.right === null ? "" : ", expression " + said(answer.right) + ", off by " + off(answer));

/**
 * @param {Facts} facts
 * @param {number} width
 * @returns {Scene}
 */
export function numbersScene(facts, width) {
  const theme = readTheme();
  const answers = answersOf(facts);
  const [first] = answers;
  const own = first?.own ? first : null;
  const names = shortNames(answers.map(({ domain }) => domain));
  const roomy = width >= NARROW;
  const [left, right] = [Math.max(...names.map((name) => 6.4 * name.length)) + 12, width - (roomy ? 74 : 12)];
  const at = (/** @type {number} */ value) => left + Math.max(-0.02, Math.min(1.02, value)) * (right - left);
  const bottom = HEAD + ROW * answers.length;
  /** @type {Item[]} */
  const items = [];
  const text = /** @type {const} */ ({ shape: "text", size: 12, fill: theme.dim });
  const title = own ? own.domain + " head (own)" : "no head for the function of this sample";
  items.push({ ...text, x: 0, y: 13, text: title });
  if (own)
    items.push({ ...text, x: 0, y: 32, text: answerWords(own), size: roomy ? 15 : 13, weight: 700, fill: theme.ink });
  if (own && own.before !== null)
    items.push({ ...text, x: 0, y: 48, text: "without intervention: network " + said(own.before) });
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    const d = "M" + at(value) + "," + HEAD + "V" + bottom;
    items.push({ shape: "path", d, stroke: value % 1 ? theme.hair : theme.line, width: 1 });
    items.push({ ...text, x: at(value), y: bottom + 14, text: String(value), size: 10, anchor: "middle" });
  }
  answers.forEach((answer, row) => {
    const y = HEAD + ROW * (row + 0.5);
    const look = { weight: answer.own ? 700 : 400, fill: answer.own ? theme.ink : theme.dim };
    if (answer.own) items.push({ shape: "rect", x: 0, y: y - ROW / 2, w: width, h: ROW, fill: theme.raised });
    items.push({ ...text, ...look, x: 0, y: y + 4, text: names[row], size: 11 });
    const { value, right: expected, before } = answer;
    if (value !== null && expected !== null)
      items.push({ shape: "path", d: "M" + at(expected) + "," + y + "H" + at(value), stroke: theme.accent, width: 2 });
    if (expected !== null) {
      const d = "M" + at(expected) + "," + (y - 6) + "V" + (y + 6);
      items.push({ shape: "path", d, stroke: theme.ink, width: 2.5 });
    }
    if (before !== null)
      items.push({ shape: "circle", cx: at(before), cy: y, r: 4, stroke: theme.ink, width: 1, dash: [2, 2] });
    if (value !== null) items.push({ shape: "circle", cx: at(value), cy: y, r: 4, fill: theme.accent });
    if (roomy && off(answer))
      items.push({ ...text, ...look, x: width, y: y + 4, text: "off by " + off(answer), size: 11, anchor: "end" });
  });
  const legend = "dot: network; tick: expression" + (first?.before !== null ? "; dashed: without intervention" : "");
  items.push({ ...text, x: left, y: bottom + 27, text: legend, size: 10 });
  return {
    width,
    height: bottom + FOOT,
    background: theme.surface,
    title: "Answers of every head: " + facts.current.model + ", " + (facts.name || facts.current.sample),
    desc: "Dots are what each head answers, ticks what its function is at this point.",
    items,
  };
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
