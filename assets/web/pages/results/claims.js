/* What tables of the page Results share: a verdict, our number with its intervals, heads of columns, rows that fold. */
import { html, icon } from "rs/lib/view.js";
import { message } from "rs/parts/problem.js";
import { useSignal } from "rs/vendor/preact.js";

/** @import { Claim, Result } from "rs/pages/results/state.js" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/** A verdict or an outcome: a word with its colour. @param {{of: Result["verdict"] | Claim["outcome"]}} props */
export const Verdict = ({ of }) => html`<span class="tag results-verdict" data-verdict=${of}>${of}</span>`;

/** @param {string} words */
export const withMinus = (words) => words.replace(/(^|[\s(])-/g, "$1\u2212");

/** Our number with its intervals; `none` without a number. @param {{claim: Claim, none?: string}} props */
export function Ours({ claim, none = "no run" }) {
  if (claim.value === null) return html`<span class="results-dim">${none}</span>`;
  const { words, trainings_words: trainings, samples_words: samples, count, samples_of: of } = claim;
  return html`${withMinus(words)} ${trainings && html`<small>${withMinus(trainings)} over ${count} repeats</small>`}
  ${samples && html`<small>${withMinus(samples)} over ${of}</small>`}`;
}

/** A place for what comes. @param {{words: string}} props */
export const Waits = ({ words }) => html`<div class="skeleton results-waits" role="status" aria-label=${words}></div>`;

/** Why something is not shown. @param {{title: string, problem: {message: string}}} props */
export const Failed = ({ title, problem }) =>
  html`<div class="message" role="alert">${message(title, problem.message)}</div>`;

/** The mark of numbers and records of the user's own runs. */
export const Own = () => html`<span class="tag results-own">own</span>`;

/** @param {string[]} names */
export const heads = (names) => names.map((name) => html`<th scope="col">${name}</th>`);

/** A row, which folds to three lines on a phone. @param {{of: string, children: ComponentChildren}} props */
export function Row({ of, children }) {
  const unfolded = useSignal(false);
  const label = (unfolded.value ? "Less" : "More") + " about " + of;
  return html`<tr data-of=${of} data-unfolded=${String(unfolded.value)}>
    ${children}
    <td class="results-fold">
      <button
        type="button"
        class="tool"
        aria-label=${label}
        aria-expanded=${String(unfolded.value)}
        onClick=${() => (unfolded.value = !unfolded.value)}
      >
        ${icon("chevron")}
      </button>
    </td>
  </tr>`;
}
