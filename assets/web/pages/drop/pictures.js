/* The live pictures of the Drop page on their canvases, the same numbers as tables, and what can be exported. */
import * as exports from "rs/draw/exports.js";
import { html } from "rs/lib/view.js";
import { choose as chooseWords, measuredText, measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import { Costs, EvaluationProgress, Numbers } from "rs/pages/drop/numbers.js";
import * as drop from "rs/pages/drop/state.js";
import { state } from "rs/pages/drop/state.js";
import { MORE, READS, READS_DOMAINS } from "rs/pages/drop/words.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import { accuracyRows, apart, words } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { timingOf } from "rs/parts/evaluation.js";

/** @import { Chart, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */
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

/** @param {Group[]} groups @param {Evaluation} evaluation @returns {unknown[][]} */
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

/** @param {string} key @param {Evaluation} evaluation */
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
      if (baseline) said.push(there + "full model " + shown(baseline.accuracy.value));
      if (control && control.mean !== null) said.push(there + "random sets on average " + shown(control.mean));
      return said;
    });
    return (measure.share ? "Accuracies" : measure.title) + ": " + parts.join("; ");
  }
  /** @type {Group[]} */
  const rows = key === "labels" ? labelRows(evaluation) : domainRows(evaluation);
  const said = rows.map(({ name, distribution, change }) => name + (distribution ? ", " + distribution : "") + " " + measure.change(change)); // prettier-ignore
  return "Change of " + measure.name + " in " + measure.changeUnit + ": " + said.join("; ");
}

/** @type {("svg" | "png" | "csv" | "json")[]} */
export const FORMATS = ["svg", "png", "csv", "json"];

/** The evaluation, once it has what a picture shows. @param {string} key */
function shownIn(key) {
  const { evaluation } = state;
  return evaluation && PICTURES[key].has(evaluation) ? evaluation : null;
}

/** What files of a picture hold. @param {string} key @param {number} width @returns {Written | null} */
function written(key, width) {
  const evaluation = shownIn(key);
  if (!evaluation) return null;
  const rows = PICTURES[key].rows(evaluation);
  return {
    name: "drop-" + key,
    facts: drop.facts(),
    python:
      key === "accuracy"
        ? { figure: "accuracy", draws: evaluation.control?.draws }
        : { figure: "effects", by: key === "labels" ? "label" : "domain" },
    rows: () => rows,
    json: () => (key === "accuracy" ? { result: evaluation } : exports.asJson(rows)),
    picture: { scene: (asked) => PICTURES[key].scene(evaluation, state.model, asked ?? width) },
  };
}

/**
 * A panel with one of the pictures.
 *
 * @param {{name: string, title: string, reads: string, more?: string, words: string, height: number, look?: string,
 *   hidden?: boolean, children?: ComponentChildren, below?: ComponentChildren}} props
 */
function PicturePanel({ name, title, reads, more, words: table, height, look, hidden, children, below }) {
  const { fresh, status, model } = state;
  const { scene, rows, widest } = PICTURES[name];
  const evaluation = shownIn(name);
  const drawnWidth = () => Math.max(560, document.getElementById("drop-picture-" + name)?.clientWidth ?? 0);
  return html`<${Panel}
    id=${"drop-" + name}
    tag="caused"
    formats=${FORMATS}
    written=${() => written(name, drawnWidth())}
    ...${{ title, reads, more, look, hidden }}
  >
    ${children}
    <${Picture}
      id=${"drop-picture-" + name}
      look="drop-picture"
      height=${height}
      widest=${widest}
      data=${{ "data-key": name, "data-fresh": String(fresh), "data-state": status }}
      scene=${(/** @type {number} */ width) => {
        const now = shownIn(name);
        return now && scene(now, state.model, width);
      }}
      drawn=${() => state.evaluation?.id ?? ""}
      label=${() => (state.evaluation ? said(name, state.evaluation) : "")}
    />
    ${below}
    <${AsTable}
      words=${table}
      data=${{ "data-drop-table": name }}
      caption=${() => (evaluation && scene(evaluation, model, 640).desc) ?? ""}
      rows=${evaluation && (() => rows(evaluation))}
    />
  <//>`;
}

/** Whether no effect by label is shown: heads answer with no labels, or none was found. */
export function isUnlabelled() {
  const { model, evaluation } = state;
  return (model !== null && !model.labels.length) || (evaluation?.state === "done" && !shownIn("labels"));
}

/** The large numbers, accuracies on one axis, and costs. */
export function Accuracies() {
  const { share, title } = wordsMeasure();
  return html`<${PicturePanel}
    name="accuracy"
    look="panel-drop-accuracy"
    title=${title}
    reads=${measuredText(READS.accuracy)}
    more=${MORE.accuracy}
    words=${(share ? "Accuracies" : title) + " as a table"}
    height=${228}
    below=${html`<${Costs} />`}
  >
    <${Numbers} /><${EvaluationProgress} />
  <//>`;
}

export const ByLabel = () =>
  html`<${PicturePanel}
    name="labels"
    title="Effect by label"
    reads=${measuredText(READS.labels)}
    more=${MORE.labels}
    words="Effect by label as a table"
    height=${262}
    hidden=${isUnlabelled()}
  />`;

export const ByDataSet = () =>
  html`<${PicturePanel}
    name="domains"
    title="Effect by data set"
    reads=${chooseWords(READS_DOMAINS)}
    words="Effect by data set as a table"
    height=${102}
  />`;
