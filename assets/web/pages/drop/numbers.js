/* The large numbers of the Drop page, its progress, and what dropping costs and saves; fed by the stream. */
import { registerWidget } from "rs/lib/dom.js";
import { percent, short, whole } from "rs/lib/format.js";
import { html, show } from "rs/lib/view.js";
import { followMeasure, of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { NONE, NumberTile, WHOLE, controlOf, figuresOf, words } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/drop/types.d.ts" */

/** @param {Schemas["Evaluation"]} evaluation */
const sentence = (evaluation) => words(evaluation, drop.state.model);

/**
 * How many random sets there are, of how many units.
 *
 * @param {string} drawn
 * @param {Schemas["Control"]} control
 */
const setsOf = (drawn, { draws, draws_done: done, exact, size }) =>
  (exact && done === draws ? "all " : "") + drawn + (draws === 1 ? " set" : " sets") + " of " + size;

function Numbers() {
  const { evaluation } = drop.state;
  const { accuracy, change, loss } = figuresOf(evaluation);
  const control = evaluation
    ? controlOf(evaluation, {
        waiting: sentence(evaluation) === WHOLE ? WHOLE : "scored next",
        sets: setsOf,
        unit: ({ share, unit }) => (share ? unit + " on average" : "on average"),
      })
    : { value: NONE };
  return html`
    <${NumberTile} id="drop-accuracy-number" main=${true} ...${accuracy} />
    <${NumberTile} id="drop-change-number" main=${true} ...${change} />
    <${NumberTile} ...${loss} />
    <${NumberTile} id="drop-control-number" name="Random sets" ...${control} />
  `;
}

registerWidget("drop-numbers", (host) => {
  const ends = [
    show(host, Numbers),
    drop.subscribe(({ fresh, evaluation }, names) => {
      host.dataset.fresh = String(fresh);
      if (names.has("evaluation")) followMeasure(evaluation && evaluation.measure);
    }),
  ];
  return () => ends.forEach((end) => end());
});

/* -- progress --------------------------------------------------------------------------------------------- */

/** @param {State} state */
function progressOf(state) {
  const { model } = state;
  return evaluations.progressOf(state, {
    intervention: sentence,
    stale: "Cancelled before the first figure; what is shown belongs to the set before.",
    kept: "measured before, nothing had to be computed",
    several: ", one data set after the other",
    after: (now) => (sentence(now) === WHOLE ? " Click a " + wordsOf(model).unit + " to leave it out." : ""),
  });
}

/** @param {State} state */
const hasModel = ({ model }) => model !== null;

registerWidget("drop-progress", (host) => evaluations.progress(host, "drop", drop, progressOf, hasModel));

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

/** @param {Schemas["Evaluation"]} evaluation */
function speedWords({ baseline, samples_per_second: speed }) {
  const before = baseline && baseline.samples_per_second;
  return speed ? whole(speed) + (before ? ", " + whole(before) + " as it is" : "") : NONE;
}

function Costs() {
  const { evaluation } = drop.state;
  const before = evaluation && evaluation.baseline;
  return html`
    <${Cost}
      id="drop-flops"
      name="FLOPs per sample"
      value=${evaluation?.flops}
      before=${before?.flops}
      words=${evaluation ? flopsWords(evaluation) : ""}
    />
    <${Cost}
      id="drop-speed"
      name="Samples per second"
      title="Each was timed when it was scored; what else the machine did then is in it."
      value=${evaluation?.samples_per_second}
      before=${before?.samples_per_second}
      words=${evaluation ? speedWords(evaluation) : ""}
    />
  `;
}

registerWidget("drop-costs", (host) => {
  const ends = [show(host, Costs), drop.subscribe(({ fresh }) => (host.dataset.fresh = String(fresh)))];
  return () => ends.forEach((end) => end());
});
