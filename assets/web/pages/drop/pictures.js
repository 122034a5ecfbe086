/* The live pictures of the Drop page on their canvases, the same numbers as tables, and what can be exported. */
import * as exports from "rs/draw/exports.js";
import { sayUnder } from "rs/draw/marks.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import * as drop from "rs/pages/drop/state.js";
import { state } from "rs/pages/drop/state.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import { accuracyRows, apart, words } from "rs/parts/figures.js";
import * as tables from "rs/parts/table.js";
import { timingOf } from "rs/parts/evaluation.js";

/** @import { Chart, Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/drop/types.d.ts" */

/** @typedef {Schemas["Evaluation"]} Evaluation */
/** @typedef {ReturnType<typeof labelRows>[number]} Group a label or a data set */

/**
 * @typedef {object} About one of the pictures
 * @property {(evaluation: Evaluation) => boolean} has whether there is something to show
 * @property {(evaluation: Evaluation, model: State["model"], width: number) => Chart} scene
 * @property {(evaluation: Evaluation) => unknown[][]} rows
 * @property {number} [widest]
 */

/** @type {(keyof Group)[]} */
const GROUP_COLUMNS = ["name", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"];

/** @param {Evaluation} evaluation */
const rowsOf = (evaluation) =>
  accuracyRows(evaluation, { named: "this set", sets: "random sets of as many", each: true }, timingOf(evaluation));

/**
 * @param {Group[]} groups
 * @param {Evaluation} evaluation
 * @returns {unknown[][]}
 */
function groupRows(groups, { measure: by }) {
  /** @type {(keyof Group)[]} */
  const columns = groups.some((row) => row.distribution) ? [...GROUP_COLUMNS, "distribution"] : GROUP_COLUMNS;
  const heads = columns.map((name) => (name === "accuracy" ? wordsMeasure(by).name : name));
  return [heads, ...groups.map((row) => columns.map((name) => row[name]))];
}

/** @type {Record<string, About>} */
const PICTURES = {
  accuracy: {
    has: (evaluation) => Boolean(evaluation.accuracy),
    scene: (evaluation, model, width) => dropScenes.accuracies(evaluation, width, { model }),
    rows: rowsOf,
    widest: 900,
  },
  labels: {
    has: (evaluation) => evaluation.by_label.length > 0,
    scene: (evaluation, model, width) => dropScenes.groups(labelRows(evaluation), "label", evaluation, width, model),
    rows: (evaluation) => groupRows(labelRows(evaluation), evaluation),
  },
  domains: {
    has: (evaluation) => evaluation.by_domain.length > 0,
    scene: (evaluation, model, width) =>
      dropScenes.groups(domainRows(evaluation), "data set", evaluation, width, model),
    rows: (evaluation) => groupRows(domainRows(evaluation), evaluation),
  },
};

/**
 * @param {string} key
 * @param {Evaluation} evaluation
 */
function said(key, evaluation) {
  const measure = wordsMeasure(evaluation.measure);
  /** @param {number} value */
  const shown = (value) => withUnit(measure, value);
  if (key === "accuracy") {
    const parts = apart(evaluation).flatMap(({ where, evaluation: { accuracy, baseline, control } }) => {
      const there = where && where + " ";
      const said = accuracy
        ? [there + "this set (" + words(evaluation, state.model) + ") " + shown(accuracy.value)]
        : [];
      if (baseline) said.push(there + "as it is " + shown(baseline.accuracy.value));
      if (control && control.mean !== null) said.push(there + "random sets on average " + shown(control.mean));
      return said;
    });
    return (measure.share ? "Accuracies" : measure.title) + ": " + parts.join("; ");
  }
  /** @type {Group[]} */
  const rows = key === "labels" ? labelRows(evaluation) : domainRows(evaluation);
  return (
    "Change of " +
    measure.name +
    " in " +
    measure.changeUnit +
    ": " +
    rows
      .map((row) => row.name + (row.distribution ? ", " + row.distribution : "") + " " + measure.change(row.change))
      .join("; ")
  );
}

class DropPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.key = host.dataset.key ?? "";
    this.about = PICTURES[this.key];
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.spots = /** @type {Chart["spots"]} */ ([]);
    this.table = document.querySelector('[data-drop-table="' + this.key + '"]');
    const draw = () => this.draw();
    this.stops = [
      drop.subscribe((state, names) => {
        host.dataset.fresh = String(state.fresh);
        host.dataset.state = state.status;
        if (names.has("evaluation") || names.has("model")) this.draw(true);
      }),
      onThemeChange(draw),
      onResize(host, draw),
    ];
    sayUnder(this.canvas, () => this.spots); // the units of a random set, the content of a data set
    exports.register("drop-" + this.key, () => this.exported());
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  /** @param {boolean} [changed] */
  draw(changed) {
    const { evaluation, model } = state;
    const shown = evaluation && this.about.has(evaluation);
    this.host.dataset.shown = String(Boolean(shown));
    const unread = model !== null && !model.labels.length; // heads that answer with no labels
    const unlabelled = this.key === "labels" && (unread || (evaluation && evaluation.state === "done" && !shown));
    /** @type {HTMLElement} */ (this.host.closest(".panel")).style.display = unlabelled ? "none" : "";
    if (!shown) {
      delete this.canvas.dataset.painted;
      if (this.table) tables.clear(this.table);
      return;
    }
    const width = Math.min(this.host.clientWidth, this.about.widest || Infinity);
    if (width < 60) return;
    const scene = this.about.scene(evaluation, model, width);
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    this.canvas.style.width = scene.width + "px";
    this.canvas.style.height = scene.height + "px";
    this.canvas.dataset.painted = evaluation.id;
    this.spots = scene.spots;
    if (!changed) return;
    this.canvas.setAttribute("aria-label", said(this.key, evaluation));
    if (!this.table) return;
    if (this.key === "accuracy") {
      const { share, title } = wordsMeasure(evaluation.measure);
      this.table.setAttribute("aria-label", (share ? "Accuracies" : title) + " as a table");
    }
    tables.fill(this.table, this.about.rows(evaluation), scene.desc);
  }

  /** @returns {Panel | null} */
  exported() {
    const { evaluation, model } = state;
    if (!evaluation || !this.about.has(evaluation)) return null;
    const rows = this.about.rows(evaluation);
    return {
      name: "drop-" + this.key,
      facts: drop.facts(),
      python:
        this.key === "accuracy"
          ? { figure: "accuracy", draws: evaluation.control?.draws }
          : { figure: "effects", by: this.key === "labels" ? "label" : "domain" },
      rows: () => rows,
      json: () => (this.key === "accuracy" ? { result: evaluation } : exports.asJson(rows)),
      picture: { scene: () => this.about.scene(evaluation, model, Math.max(560, this.host.clientWidth)) },
    };
  }
}

registerWidget("drop-picture", (host) => {
  const picture = new DropPicture(host);
  return () => picture.dispose();
});
