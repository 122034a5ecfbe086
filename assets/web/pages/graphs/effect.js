/* The panel of the effect: large numbers, progress, accuracies on one axis, and what the cut saves. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { percent, short, whole } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphPage from "rs/pages/graphs/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import { chanceOf, showFigures, tile } from "rs/parts/figures.js";
import * as tables from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/graphs/evaluation.js" */

const NONE = "\u2013";

/**
 * What was done, in words: "12 modules left out, 40 % of the links kept".
 *
 * @param {Pick<Schemas["Evaluation"], "intervention">} evaluation
 */
export function words({ intervention }) {
  const { drop, keep_edges: keep } = intervention;
  const parts = [];
  if (drop.length) parts.push(drop.length === 1 ? drop[0] + " left out" : drop.length + " modules left out");
  if (keep !== null && keep !== undefined) parts.push(shareWords(keep) + " of the links kept");
  return parts.join(", ") || "nothing left out";
}

/**
 * A share in percent, with as many digits as it needs.
 *
 * @param {number} share
 */
export const shareWords = (share) => format.percentOf(share) + " %";

registerWidget("graph-numbers", (host) => {
  const tiles = {
    accuracy: tile("Accuracy", { id: "graph-accuracy" }),
    change: tile("Paired change", { id: "graph-change" }),
    control: tile("Random modules", { id: "graph-control" }),
    loss: tile("Loss", { id: "graph-loss" }),
    speed: tile("Samples per second", { id: "graph-speed" }),
    flops: tile("FLOPs per sample", { id: "graph-flops" }),
  };
  host.replaceChildren(...Object.values(tiles).map((each) => each.body));

  /** @param {Schemas["Evaluation"]} evaluation */
  function showControl({ control, intervention, measure }) {
    if (!control) return tiles.control.show(NONE, "", intervention.drop.length ? "scored next" : "none is left out");
    const count = control.draws_done + (control.draws_done < control.draws ? " of " + control.draws : "") + " sets";
    if (control.mean === null) return tiles.control.show(NONE, "", count);
    const { show: said, unit } = wordsMeasure(measure);
    const { least, most } = control;
    const between = control.draws_done > 1 && least !== null && most !== null;
    const span = between ? said(least) + " to " + said(most) + ", " : "";
    return tiles.control.show(said(control.mean), unit, span + count);
  }

  /** @param {Schemas["Evaluation"]} evaluation */
  function show(evaluation) {
    const { baseline, flops, saved, samples_per_second: speed } = evaluation;
    const nothing = words(evaluation) === "nothing left out";
    showFigures(tiles, evaluation, { none: nothing ? "the model as it is" : "" });
    showControl(evaluation);
    const before = baseline && baseline.samples_per_second;
    tiles.speed.show(speed ? whole(speed) : NONE, "", before ? whole(before) + " as it is" : "");
    const share = saved === null ? "" : saved > 0 ? percent(saved) + " % saved" : nothing ? "" : "nothing saved";
    tiles.flops.show(flops === null ? NONE : short(flops), "", flops === null ? "counting" : share);
  }

  return graphEvaluation.subscribe((state, names) => {
    host.dataset.fresh = String(state.fresh);
    if (!names.has("evaluation")) return;
    if (state.evaluation) show(state.evaluation);
    else for (const each of Object.values(tiles)) each.show(NONE);
  });
});

/* -- progress ------------------------------------------------------------------------------------------------ */

/** @param {State} state */
const progressOf = (state) =>
  evaluations.progressOf(state, { waiting: "Waiting for the graph", sets: " modules", intervention: words });

registerWidget("graph-progress", (host) => evaluations.progress(host, "graph", graphEvaluation, progressOf));

/* -- accuracies on one axis ---------------------------------------------------------------------------------- */

/**
 * @param {Schemas["Evaluation"]} evaluation
 * @param {number} width
 */
function sceneOf(evaluation, width) {
  return dropScenes.accuracies(evaluation, chanceOf(graphPage.state.model), width);
}

/** @param {Schemas["Evaluation"]} evaluation */
function rowsOf({ accuracy, baseline, change, control, flops, saved, samples_per_second: speed, measure: by }) {
  const { name, column, lossUnit } = wordsMeasure(by);
  /** @type {unknown[][]} */
  const rows = [["what", "value", "low", "high", "unit"]];
  /**
   * @param {string} what
   * @param {Schemas["Interval"] | null} each
   * @param {string} unit
   */
  const add = (what, each, unit) => each && rows.push([what, each.value, each.low ?? "", each.high ?? "", unit]);
  add(name + ", as it is", baseline && baseline.accuracy, column);
  add(name + ", this choice", accuracy, column);
  add("change of " + name + ", paired", change && change.accuracy, column);
  add("change of loss, paired", change && change.loss, lossUnit);
  if (control && control.mean !== null) {
    rows.push(["random sets of as many modules: mean, least, most", control.mean, control.least, control.most, column]);
  }
  if (baseline && baseline.flops) rows.push(["FLOPs, as it is", baseline.flops, "", "", "per sample"]);
  if (flops) rows.push(["FLOPs, this choice", flops, "", "", "per sample"]);
  if (saved !== null) rows.push(["FLOPs saved", saved, "", "", "share"]);
  if (baseline && baseline.samples_per_second)
    rows.push(["throughput, as it is", baseline.samples_per_second, "", "", "samples per second"]);
  if (speed) rows.push(["throughput, this choice", speed, "", "", "samples per second"]);
  return rows;
}

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
    const said = withUnit(measure, accuracy.value);
    canvas.setAttribute("aria-label", measure.title + " with " + words(evaluation) + ": " + said);
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
      rows: () => rowsOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: { scene: () => sceneOf(evaluation, Math.max(560, host.clientWidth)) },
    };
  });
  return () => stops.forEach((stop) => stop());
});
