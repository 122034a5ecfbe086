/* The panel of the effect: large numbers, progress, accuracies on one axis, and what the cut saves. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { percent, short } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphPage from "rs/pages/graphs/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import {
  NONE, NumberTile, WHOLE, accuracyRows, apart, controlOf, controlWaits, cutWords, figuresOf, inPlace,
} from "rs/parts/figures.js"; // prettier-ignore
import * as tables from "rs/parts/table.js";
import { Timed, timingOf } from "rs/parts/evaluation.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/graphs/evaluation.js" */

/**
 * A share in percent, with as many digits as it needs.
 *
 * @param {number} share
 */
export const shareWords = (share) => format.percentOf(share) + " %";

/**
 * FLOPs, beside those of the model as it is.
 *
 * @param {Schemas["Evaluation"] | null} evaluation
 */
function flopsOf(evaluation) {
  if (!evaluation) return { value: NONE };
  const { flops, saved } = evaluation;
  const unsaved = cutWords(evaluation) === WHOLE ? "" : "nothing saved";
  const share = saved === null ? "" : saved > 0 ? percent(saved) + " % saved" : unsaved;
  return { value: flops === null ? NONE : short(flops), detail: flops === null ? "counting" : share };
}

/**
 * @param {Schemas["Evaluation"]} evaluation
 */
const randomOf = (evaluation) => ({
  name: "Random modules",
  ...controlOf(evaluation, {
    waiting: controlWaits(evaluation, "module"),
    sets: (drawn) => drawn + " sets",
    unit: ({ unit }) => unit,
  }),
});

function Numbers() {
  const { evaluation, fresh } = graphEvaluation.state;
  const none = evaluation && cutWords(evaluation) === WHOLE ? "the model as it is" : "";
  const [first, beyond] = evaluation ? apart(evaluation) : [];
  const { accuracy, change, loss } = figuresOf(first ? first.evaluation : null, { none });
  const control = first ? randomOf(first.evaluation) : { name: "Random modules", value: NONE };
  const out = beyond && figuresOf(beyond.evaluation, { none });
  const where = first ? first.where : "";
  return html`
    <${NumberTile} id="graph-accuracy" ...${inPlace(accuracy, where)} />
    <${NumberTile} id="graph-change" ...${inPlace(change, where)} />
    <${NumberTile} id="graph-control" ...${inPlace(control, where)} />
    ${
      out &&
      html`
        <${NumberTile} id="graph-accuracy-out" ...${inPlace(out.accuracy, beyond.where)} />
        <${NumberTile} id="graph-change-out" ...${inPlace(out.change, beyond.where)} />
        <${NumberTile} ...${inPlace(randomOf(beyond.evaluation), beyond.where)} />
      `
    }
    <${NumberTile} id="graph-loss" ...${inPlace(loss, where)} />
    <${NumberTile} id="graph-flops" name="FLOPs per sample" ...${flopsOf(evaluation)} />
    <${Timed} id="graph-speed" evaluation=${fresh ? evaluation : null} />
  `;
}

registerWidget("graph-numbers", (host) => {
  const ends = [show(host, Numbers), graphEvaluation.subscribe(({ fresh }) => (host.dataset.fresh = String(fresh)))];
  return () => ends.forEach((end) => end());
});

/* -- progress ------------------------------------------------------------------------------------------------ */

/** @param {State} state */
const progressOf = (state) =>
  evaluations.progressOf(state, {
    chosen: graphPage.state.choice.samples,
    waiting: "Waiting for the graph",
    sets: " modules",
    intervention: cutWords,
  });

registerWidget("graph-progress", (host) => evaluations.progress(host, "graph", graphEvaluation, progressOf));

/* -- accuracies on one axis ---------------------------------------------------------------------------------- */

/**
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 */
function sceneOf(evaluation, width) {
  return dropScenes.accuracies(evaluation, width);
}

/** @param {Schemas["Evaluation"]} evaluation */
const rowsOf = (evaluation) =>
  accuracyRows(
    evaluation,
    { named: "this choice", sets: "random sets of as many modules", saved: true },
    timingOf(evaluation),
  );

registerWidget("graph-effect", (host) => {
  const canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
  const table = document.querySelector('[data-graph-table="effect"]');

  function draw() {
    const { evaluation, fresh, status } = graphEvaluation.state;
    host.dataset.fresh = String(fresh);
    host.dataset.state = status;
    const accuracy = evaluation && evaluation.accuracy;
    host.dataset.shown = String(Boolean(accuracy));
    const width = Math.min(host.clientWidth, 900);
    if (!accuracy || width < 60) {
      delete canvas.dataset.painted;
      return;
    }
    const scene = sceneOf(evaluation, width);
    paintScene({ ...scene, background: null }, readTheme().font, canvas);
    canvas.style.width = scene.width + "px";
    canvas.style.height = scene.height + "px";
    canvas.dataset.painted = evaluation.id;
    const measure = wordsMeasure(evaluation.measure);
    const said = apart(evaluation)
      .flatMap(({ where, evaluation: { accuracy: own } }) =>
        own ? [(where && where + " ") + withUnit(measure, own.value)] : [],
      )
      .join("; ");
    canvas.setAttribute("aria-label", measure.title + " with " + cutWords(evaluation) + ": " + said);
    if (table) tables.fill(table, rowsOf(evaluation), scene.desc);
  }

  const stops = [
    graphEvaluation.subscribe((_, names) => {
      if (["evaluation", "fresh", "status"].some((name) => names.has(name))) draw();
    }),
    onThemeChange(draw),
    onResize(host, draw),
  ];
  exports.register("graph-effect", () => {
    const { evaluation } = graphEvaluation.state;
    if (!evaluation || !evaluation.accuracy) return null;
    return {
      name: "graph-effect",
      facts: graphEvaluation.facts(evaluation),
      python: { figure: "accuracy", draws: evaluation.control?.draws },
      rows: () => rowsOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: { scene: (width) => sceneOf(evaluation, width ?? Math.max(560, host.clientWidth)) },
    };
  });
  return () => stops.forEach((stop) => stop());
});
