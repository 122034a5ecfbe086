/* The large numbers of the Drop page, its progress, and what dropping costs and saves; fed by the stream. */
import { percent, short } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { Timed } from "rs/parts/evaluation.js";
import {
  NONE,
  NumberTile,
  WHOLE,
  apart,
  controlOf,
  controlWaits,
  figuresOf,
  inPlace,
  words,
} from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/drop/types.d.ts" */

/** @param {Schemas["Evaluation"]} evaluation */
const sentence = (evaluation) => words(evaluation, drop.state.model);

/** How many random sets there are, of how many units. @param {string} drawn @param {Schemas["Control"]} control */
const setsOf = (drawn, { draws, draws_done: done, exact, size }) =>
  (exact && done === draws ? "all " : "") + drawn + (draws === 1 ? " set" : " sets") + " of " + size;

/** @param {{share: boolean, unit: string}} measure */
const unitOf = ({ share, unit }) => (share ? unit + " on average" : "on average");

/** @param {Schemas["Evaluation"] | null} evaluation */
function randomOf(evaluation) {
  const name = "Random sets";
  if (!evaluation) return { name, value: NONE };
  const waiting = controlWaits(evaluation, wordsOf(drop.state.model).unit);
  return { name, ...controlOf(evaluation, { waiting, sets: setsOf, unit: unitOf }) };
}

/** The large numbers, apart for each distribution. */
export function Numbers() {
  const { evaluation, fresh } = drop.state;
  const parts = evaluation ? apart(evaluation) : [{ where: "", evaluation }];
  return html`<div class="numbers" data-fresh=${String(fresh)}>
    ${parts.slice(0, 2).map(({ where, evaluation: part }, at) => {
      const { accuracy, change, loss } = figuresOf(part);
      const end = at ? "-out" : "-number";
      return html`
        <${NumberTile} id=${"drop-accuracy" + end} main=${true} ...${inPlace(accuracy, where)} />
        <${NumberTile} id=${"drop-change" + end} main=${true} ...${inPlace(change, where)} />
        <${NumberTile} ...${inPlace(loss, where)} />
        <${NumberTile} id=${"drop-control" + end} ...${inPlace(randomOf(part), where)} />
      `;
    })}
  </div>`;
}

/* -- progress --------------------------------------------------------------------------------------------- */

/** @param {State} state */
function progressOf(state) {
  const { model, choice } = state;
  return evaluations.progressOf(state, {
    chosen: choice.samples,
    intervention: sentence,
    stale: "Cancelled before the first figure. The figures belong to the previous choice.",
    kept: "from cache",
    several: ", one data set after the other",
    after: (now) => (sentence(now) === WHOLE ? " Click " + wordsOf(model).a_unit + " to drop it." : ""),
  });
}

/** How far the evaluation is. */
export const EvaluationProgress = () =>
  html`<${evaluations.ProgressOf} name="drop" look="drop-progress" followed=${drop} progressOf=${progressOf} />`;

/* -- what it costs ---------------------------------------------------------------------------------------- */

/**
 * A bar as long as a value, and a mark where it was before.
 *
 * @param {{id: string, name: string, title?: string, value: number | null | undefined, before: number | null | undefined, words: string}} props
 */
function Cost({ id, name, title, value, before, words }) {
  const most = Math.max(value || 0, before || 0) || 1;
  /** @param {number | null | undefined} of */
  const share = (of) => (100 * (of || 0)) / most + "%";
  return html`<div class="cost" id=${id} title=${title}>
    <span class="cost-name">${name}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{ width: share(value), background: "var(--rs-accent)" }}></span>
      <span class="bar-mark" hidden=${!before} style=${{ left: share(before) }}></span>
    </span>
    <span class="cost-value">${words}</span>
  </div>`;
}

/** @param {Schemas["Evaluation"]} evaluation */
function flopsWords({ flops, saved }) {
  if (flops === null) return "counting";
  return short(flops) + (saved === null ? "" : saved > 0 ? ", " + percent(saved) + " % saved" : ", nothing saved");
}

/** What it costs, and saves. */
export function Costs() {
  const { evaluation, fresh } = drop.state;
  const before = evaluation && evaluation.baseline;
  return html`<div class="costs" data-fresh=${String(fresh)}>
    <${Cost}
      id="drop-flops"
      name="FLOPs per sample"
      value=${evaluation?.flops}
      before=${before?.flops}
      words=${evaluation ? flopsWords(evaluation) : ""}
    />
    <${Timed} id="drop-speed" evaluation=${fresh ? evaluation : null} />
  </div>`;
}
