/* The answers of a sample that the model reads once with each, side by side: where the panels go with each of them, and how
   probable it is; a click shows the path with it. */
import { panelLook } from "rs/draw/panels.js";
import { probability } from "rs/lib/format.js";
import { unitPaint } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";

/** @import { TokenView } from "rs/pages/paths/types.d.ts" */

/**
 * How many panels, and whether CLS tokens, go elsewhere with one answer than with another at a step.
 *
 * @param {Pick<TokenView, "patches" | "classTokens" | "dominant">} view
 * @param {Pick<TokenView, "dominant">} other
 * @param {number} step
 */
export function elsewhere(view, other, step) {
  const differ = (/** @type {number} */ token) => view.dominant(step, token) !== other.dominant(step, token);
  return { panels: view.patches.filter(differ).length, cls: view.classTokens.some(differ) };
}

/** @param {TokenView} view @param {TokenView} shown */
function candidate(view, shown) {
  const { step, sample } = state;
  const number = /** @type {number} */ (view.candidate);
  const { columns } = view.info.grid;
  const count = view.candidates.length + view.patches.length - 1;
  const [head] = view.info.predictions;
  const share = head?.probabilities[number - 1];
  const marks = [
    ...(sample?.label === number - 1 ? ["right"] : []),
    ...(head?.label === number - 1 ? ["network"] : []),
  ];
  const paint = (/** @type {number} */ token) => {
    const unit = view.dominant(step, token);
    return unit < 0 ? "var(--rs-unmatched)" : unitPaint(view.paint(step, unit));
  };
  const { panels, cls } = elsewhere(view, shown, step);
  const also = cls ? " and the CLS token" : "";
  const words = [
    "answer " + number,
    ...(share === undefined ? [] : [probability(share)]),
    ...marks.map((mark) => (mark === "network" ? "the network's answer" : mark)),
  ].join(", ") + (view === shown ? "" : "; " + panels + " panels" + also + " go elsewhere than with the answer that is shown"); // prettier-ignore
  return html`
    <button
      key=${number}
      type="button"
      class="candidate"
      data-candidate=${number}
      data-marks=${marks.join(" ")}
      aria-pressed=${String(view === shown)}
      aria-label=${words}
      title=${words}
      onClick=${() => paths.choose(number)}
    >
      <span
        class="candidate-picture"
        style=${panelLook(view.info.sample, view.patches.length - 2 + number, count)}
      ></span>
      <span class="candidate-map" style=${{ gridTemplateColumns: "repeat(" + columns + ", 1fr)" }}>
        ${view.patches.map((token) => html`<span style=${{ background: paint(token) }}></span>`)}
      </span>
      <span class="candidate-caption">
        ${view.classTokens.map((token) => html`<span class="candidate-cls" style=${{ background: paint(token) }}></span>`)}
        <strong>${number}</strong>
        ${share !== undefined && html`<span>${probability(share)}</span>`}
      </span>
      <span class="candidate-marks">${marks.join(", ")}</span>
    </button>
  `;
}

/** The answers side by side; nothing where the sample is read once. */
export function Candidates() {
  const { view, step } = state;
  if (!view || view.circuit || !view.candidates.length) return null;
  return html`<div class="candidates">
    <h3 class="small-title">${"With each answer, at " + stepWords(view.steps[step])}</h3>
    <p class="hint">
      Squares: panels, the last with the answer; diamond: the CLS token that the head scores. Choose an answer to see
      its path.
    </p>
    <div class="candidate-list" role="group" aria-label="Answers side by side">
      ${view.candidates.map((each) => candidate(/** @type {TokenView} */ (each), view))}
    </div>
  </div>`;
}
