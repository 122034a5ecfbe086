/* The accuracy by kind of statement as it streams in: numbers, progress with cancel, a picture with intervals, a table. */
import * as exports from "rs/draw/exports.js";
import { axisX, bar, chart, dot, linear, rule, stacked, text, whisker, widest } from "rs/draw/marks.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { percent, points, range, whole } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { show } from "rs/lib/view.js";
import * as pairEvaluation from "rs/pages/circuits/pair/evaluation.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { controlWaits, covered, moodOf, tile } from "rs/parts/figures.js";
import * as tables from "rs/parts/table.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/parts/evaluation.js" */

const NONE = "\u2013";

/**
 * @typedef {Schemas["Evaluation"]} Evaluation
 * @typedef {Omit<Schemas["GroupEffect"], Ends> & Record<Ends, number | null>} Row
 * @typedef {"low" | "high" | "change_low" | "change_high"} Ends
 */

/** @type {(keyof Row)[]} */
const COLUMNS = ["name", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"];

/**
 * What was done, in words: "12 modules left out, 40 % of the links kept".
 *
 * @param {{intervention: Pick<Schemas["InterventionBody"], "drop" | "keep_edges">}} evaluation
 */
export function words({ intervention }) {
  const { drop, keep_edges: keep } = intervention;
  const parts = [];
  if (drop.length) parts.push(drop.length === 1 ? drop[0] + " dropped" : drop.length + " modules dropped");
  if (keep !== null && keep !== undefined) parts.push(format.percentOf(keep) + " % of the links kept");
  return parts.join(", ") || "nothing dropped";
}

/** @param {Evaluation} evaluation */
const nothing = (evaluation) => words(evaluation) === "nothing dropped";

/**
 * All kinds together first, then each of them.
 *
 * @param {Evaluation} evaluation
 * @returns {Row[]}
 */
function rowsOf(evaluation) {
  const { accuracy, baseline, change } = evaluation;
  const kinds = evaluation.by_kind || [];
  if (!accuracy || !baseline || !change) return kinds;
  const all = {
    name: "all kinds", count: kinds.reduce((sum, each) => sum + each.count, 0), baseline: baseline.accuracy.value,
    accuracy: accuracy.value, low: accuracy.low, high: accuracy.high,
    change: change.accuracy.value, change_low: change.accuracy.low, change_high: change.accuracy.high,
  }; // prettier-ignore
  return [all, ...kinds];
}

/** @param {Evaluation} evaluation */
const tableOf = (evaluation) => [COLUMNS, ...rowsOf(evaluation).map((row) => COLUMNS.map((name) => row[name]))];

/* -- numbers ---------------------------------------------------------------------------------------------------- */

registerWidget("pair-numbers", (host) => {
  const tiles = {
    accuracy: tile("Accuracy", { id: "pair-accuracy" }),
    change: tile("Paired change", { id: "pair-change" }),
    control: tile("Random modules", { id: "pair-control" }),
  };
  host.replaceChildren(...Object.values(tiles).map((each) => each.body));

  /** @param {Evaluation} evaluation */
  function show(evaluation) {
    const { accuracy, change, control } = evaluation;
    if (accuracy) tiles.accuracy.show(percent(accuracy.value), "%", range(accuracy, percent, " %"));
    else tiles.accuracy.show(NONE, "%");
    if (change && !nothing(evaluation))
      tiles.change.show(
        points(change.accuracy.value),
        "points",
        range(change.accuracy, points, ""),
        moodOf(change.accuracy),
      );
    else tiles.change.show(NONE, "points", nothing(evaluation) ? "nothing is dropped" : "");
    if (!control) tiles.control.show(NONE, "", controlWaits(evaluation, "module"));
    else {
      const count =
        control.draws_done +
        (control.draws_done < control.draws ? " of " + control.draws : "") +
        " sets of " +
        control.size;
      const span =
        control.draws_done > 1 ? percent(control.least ?? 0) + " to " + percent(control.most ?? 0) + ", " : "";
      tiles.control.show(
        control.mean === null ? NONE : percent(control.mean),
        control.mean === null ? "" : "%",
        (control.mean === null ? "" : span) + count,
      );
    }
  }

  return pairEvaluation.subscribe((state) => {
    host.dataset.fresh = String(state.fresh);
    if (state.evaluation) show(state.evaluation);
    else for (const each of Object.values(tiles)) each.show(NONE);
  });
});

/* -- progress --------------------------------------------------------------------------------------------------- */

/** @param {State} state */
const progressOf = (state) =>
  evaluations.progressOf(state, {
    chosen: circuitsState.get().measured,
    counted: "statements",
    waiting: "Measured on " + whole(circuitsState.get().measured) + " statements once this is in view.",
    intervention: words,
    after: (now) => (nothing(now) ? " Click a module to drop it." : ""),
  });

registerWidget("pair-progress", (host) => evaluations.progress(host, "pair", pairEvaluation, progressOf));

/* -- the picture ------------------------------------------------------------------------------------------------ */

/**
 * A row a kind: a bar as far as the accuracy with its interval, a ring for the whole network, n, the paired change.
 *
 * @param {Evaluation} evaluation
 * @param {number} width
 */
function sceneOf(evaluation, width) {
  const rows = rowsOf(evaluation);
  const { control } = evaluation;
  const narrow = width < 480;
  const left = narrow ? 8 : Math.ceil(widest(rows.map(({ name }) => name), 12, 650)) + 16; // prettier-ignore
  const right = narrow ? 60 : 150;
  const x = linear([0, 1], [left, width - right], {
    ticks: [0, 0.25, 0.5, 0.75, 1],
    named: (value) => (value === 0.5 ? "50 %, chance" : Math.round(100 * value) + (value === 1 ? " %" : "")),
  });
  const middles = stacked(rows, { top: 12, step: narrow ? 42 : 30 });
  const y = (/** @type {Row} */ row) => middles(row) + (narrow ? 8 : 0);
  const weight = (/** @type {Row} */ row) => (row === rows[0] ? 650 : undefined);
  const sure = (/** @type {Row} */ row) => ((row.change_high ?? 0) < 0 ? "bad" : (row.change_low ?? 0) > 0 ? "good" : "dim"); // prettier-ignore
  const names = narrow
    ? text(rows, { x: left, y: (row) => y(row) - 13, down: 0, text: (row) => row.name + ", n " + whole(row.count), weight, room: width - left })
    : [
        text(rows, { x: left - 8, y, down: 0, text: (row) => row.name, anchor: "end", weight }),
        text(rows, { x: left - 8, y: (row) => y(row) + 12, down: 0, text: (row) => "n " + whole(row.count), size: 10.5, fill: "dim", anchor: "end" }),
      ]; // prettier-ignore
  return chart({
    width,
    height: middles.end + 24,
    title: "Accuracy by kind of statement with " + words(evaluation) + ": " + evaluation.model,
    desc: "Accuracy by kind of statement on " + whole(covered(evaluation)) + " statements. Bar and dot: with modules dropped or links cut. Ring: full model. Short line: random drops of the same size. Whiskers are 95 % intervals; the last column is the paired change in points.",
    marks: [
      axisX(x, [8, middles.end], { strong: null }),
      rule([0.5], { x, y: [8, middles.end], stroke: "dim", dash: [3, 3] }),
      names,
      bar(rows, { x: (row) => [left, x(row.accuracy)], y: (row) => [y(row) - 5, y(row) + 5], rx: 2, fill: "accent", opacity: 0.3 }),
      whisker(rows, { x: (row) => [x(row.low), x(row.high)], y, width: 1.6 }),
      dot(rows, { x: (row) => x(row.baseline), y, r: 4.8, fill: "surface", stroke: "ink", width: 1.6 }),
      dot(rows, { x: (row) => x(row.accuracy), y, fill: "accent" }),
      rule(rows.slice(0, 1), { x: x(control ? control.mean : null), y: (row) => [y(row) - 9, y(row) + 9], stroke: "ink", width: 2.5 }),
      text(rows, { x: width - right + 14, y, text: (row) => percent(row.accuracy) + " %", weight: 650 }),
      narrow || nothing(evaluation) ? [] : text(rows, { x: width, y, text: (row) => points(row.change), fill: sure, anchor: "end", weight: 650 }),
    ],
  }); // prettier-ignore
}

class KindPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.table = document.querySelector('[data-pair-table="kinds"]');
    const draw = () => this.draw();
    this.stops = [
      pairEvaluation.subscribe((state, names) => {
        host.dataset.fresh = String(state.fresh);
        host.dataset.state = state.status;
        if (names.has("evaluation")) this.draw(true);
      }),
      onThemeChange(draw),
      onResize(host, draw),
      pairEvaluation.watch(host.closest(".panel") || host),
    ];
    exports.register("pair-drop", () => this.exported());
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  /** @param {boolean} [changed] */
  draw(changed) {
    const { evaluation } = pairEvaluation.state;
    const shown = evaluation !== null && rowsOf(evaluation).length > 0;
    this.host.dataset.shown = String(shown);
    if (!shown) {
      delete this.canvas.dataset.painted;
      if (this.table) show(this.table, () => null);
      return;
    }
    const width = Math.min(this.host.clientWidth, 760);
    if (width < 60) return;
    const scene = sceneOf(evaluation, width);
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    this.canvas.style.width = scene.width + "px";
    this.canvas.style.height = scene.height + "px";
    this.canvas.dataset.painted = evaluation.id;
    if (!changed) return;
    const said = rowsOf(evaluation).map((row) => row.name + " " + percent(row.accuracy) + " % of " + row.count);
    this.canvas.setAttribute(
      "aria-label",
      "Accuracy by kind of statement, " + words(evaluation) + ": " + said.join("; "),
    );
    if (this.table) tables.fill(this.table, tableOf(evaluation), scene.desc);
  }

  /** @returns {Panel | null} */
  exported() {
    const { evaluation } = pairEvaluation.state;
    if (!evaluation || !rowsOf(evaluation).length) return null;
    return {
      name: "accuracy-by-kind",
      facts: pairEvaluation.facts(),
      python: { figure: "effects", by: "kind" },
      rows: () => tableOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: {
        scene: (/** @type {number | undefined} */ width) =>
          sceneOf(evaluation, width ?? Math.max(600, this.host.clientWidth)),
      },
    };
  }
}

registerWidget("pair-kinds", (host) => {
  const picture = new KindPicture(host);
  return () => picture.dispose();
});
