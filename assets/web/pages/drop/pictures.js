/* The live figures of the Drop page: large numbers, progress, pictures, the same as tables, costs, and files. */
import * as exports from "rs/draw/exports.js";
import { percent, short } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { choose as chooseWords, measuredText, measure as wordsMeasure, of as wordsOf, withUnit } from "rs/lib/words.js";
import { confidence, domainRows, labelRows, tenthRows, tenths } from "rs/pages/drop/groups.js";
import * as drop from "rs/pages/drop/state.js";
import { state } from "rs/pages/drop/state.js";
import { MORE, READS, READS_DOMAINS } from "rs/pages/drop/words.js";
import * as evaluations from "rs/parts/evaluation.js";
import { Timed, timingOf } from "rs/parts/evaluation.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import { NONE, NumberTile, WHOLE, accuracyRows, apart, controlOf, controlWaits, figuresOf, inPlace, words } from "rs/parts/figures.js"; // prettier-ignore
import { AsTable, Panel, Picture } from "rs/parts/panel.js";

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
 * @property {(evaluation: Evaluation, made: Chart) => string} said to those who do not see it
 * @property {(evaluation: Evaluation) => Written["python"]} [python]
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

/** @param {Evaluation} evaluation */
function accuraciesSaid(evaluation) {
  const measure = wordsMeasure(evaluation.measure);
  const parts = apart(evaluation).flatMap(({ where, evaluation: { accuracy, baseline, control } }) => {
    const set = "this set (" + words(evaluation, state.model) + ")";
    /** @type {[string, number | null | undefined][]} */
    const shown = [[set, accuracy?.value], ["full model", baseline?.accuracy.value], ["random sets on average", control?.mean]]; // prettier-ignore
    const there = where && where + " ";
    return shown.flatMap(([name, value]) => typeof value === "number" ? [there + name + " " + withUnit(measure, value)] : []); // prettier-ignore
  });
  return (measure.share ? "Accuracies" : measure.title) + ": " + parts.join("; ");
}

/** @param {Evaluation} evaluation @param {Group[]} rows */
function changesSaid(evaluation, rows) {
  const { name, changeUnit, change } = wordsMeasure(evaluation.measure);
  const said = rows.map((row) => row.name + (row.distribution ? ", " + row.distribution : "") + " " + change(row.change)); // prettier-ignore
  return "Change of " + name + " in " + changeUnit + ": " + said.join("; ");
}

/** @type {Record<string, About>} */
const PICTURES = {
  accuracy: {
    has: (evaluation) => Boolean(evaluation.accuracy),
    scene: (evaluation, model, width) => dropScenes.accuracies(evaluation, width, { model }),
    rows: rowsOf,
    said: accuraciesSaid,
    python: ({ control }) => ({ figure: "accuracy", draws: control?.draws }),
    widest: 900,
  },
  labels: {
    has: (evaluation) => evaluation.by_label.length > 0,
    scene: (evaluation, model, width) => dropScenes.groups(labelRows(evaluation), "label", evaluation, width, model),
    rows: (evaluation) => groupRows(labelRows(evaluation), evaluation),
    said: (evaluation) => changesSaid(evaluation, labelRows(evaluation)),
    python: () => ({ figure: "effects", by: "label" }),
  },
  domains: {
    has: (evaluation) => evaluation.by_domain.length > 0,
    scene: (evaluation, model, width) => dropScenes.groups(domainRows(evaluation), "data set", evaluation, width, model), // prettier-ignore
    rows: (evaluation) => groupRows(domainRows(evaluation), evaluation),
    said: (evaluation) => changesSaid(evaluation, domainRows(evaluation)),
    python: () => ({ figure: "effects", by: "domain" }),
  },
  confidence: {
    has: (evaluation) => tenths(evaluation).length > 0,
    scene: confidence,
    rows: tenthRows,
    said: (_, { title, desc }) => title + ". " + desc,
  },
};

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
    python: PICTURES[key].python?.(evaluation),
    rows: () => rows,
    json: () => (key === "accuracy" ? { result: evaluation } : exports.asJson(rows)),
    picture: { scene: (asked) => PICTURES[key].scene(evaluation, state.model, asked ?? width) },
  };
}

/**
 * A panel with one of the pictures.
 *
 * @param {{name: string, title: string, reads: string, more?: string, words: string, height?: number, look?: string,
 *   hidden?: boolean, children?: ComponentChildren, below?: ComponentChildren}} props
 */
function PicturePanel({ name, title, reads, more, words: table, height, look, hidden, children, below }) {
  const { fresh, status, model } = state;
  const { scene, rows, said, python, widest } = PICTURES[name];
  const evaluation = shownIn(name);
  const drawnWidth = () => Math.max(560, document.getElementById("drop-picture-" + name)?.clientWidth ?? 0);
  return html`<${Panel}
    id=${"drop-" + name}
    tag="caused"
    formats=${FORMATS}
    written=${() => written(name, drawnWidth())}
    coded=${Boolean(python)}
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
      label=${(/** @type {Chart} */ made) => (state.evaluation ? said(state.evaluation, made) : "")}
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

/* -- numbers ------------------------------------------------------------------------------------------------- */

/** @param {Evaluation} evaluation */
const sentence = (evaluation) => words(evaluation, state.model);

/** How many random sets there are, of how many units. @param {string} drawn @param {Schemas["Control"]} control */
const setsOf = (drawn, { draws, draws_done: done, exact, size }) =>
  (exact && done === draws ? "all " : "") + drawn + (draws === 1 ? " set" : " sets") + " of " + size;

/** @param {{share: boolean, unit: string}} measure */
const unitOf = ({ share, unit }) => (share ? unit + " on average" : "on average");

/** @param {Evaluation | null} evaluation */
function randomOf(evaluation) {
  const name = "Random sets";
  if (!evaluation) return { name, value: NONE };
  const waiting = controlWaits(evaluation, wordsOf(state.model).unit);
  return { name, ...controlOf(evaluation, { waiting, sets: setsOf, unit: unitOf }) };
}

/** The large numbers, apart for each distribution. */
function Numbers() {
  const { evaluation, fresh } = state;
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

/** @param {State} shown */
function progressOf(shown) {
  const { model, choice } = shown;
  return evaluations.progressOf(shown, {
    chosen: choice.samples,
    intervention: sentence,
    stale: "Cancelled before the first figure. The figures belong to the previous choice.",
    kept: "from cache",
    several: ", one data set after the other",
    after: (now) => (sentence(now) === WHOLE ? " Click " + wordsOf(model).a_unit + " to drop it." : ""),
  });
}

/** How far the evaluation is. */
const EvaluationProgress = () =>
  html`<${evaluations.ProgressOf} name="drop" look="drop-progress" followed=${drop} progressOf=${progressOf} />`;

/* -- what it costs ---------------------------------------------------------------------------------------- */

/**
 * A bar as long as a value, and a mark where it was before.
 *
 * @param {{id: string, name: string, value: number | null | undefined, before: number | null | undefined, said: string}} props
 */
function Cost({ id, name, value, before, said }) {
  const most = Math.max(value || 0, before || 0) || 1;
  /** @param {number | null | undefined} of */
  const share = (of) => (100 * (of || 0)) / most + "%";
  return html`<div class="cost" id=${id}>
    <span class="cost-name">${name}</span>
    <span class="bar-track" aria-hidden="true">
      <span class="bar-fill" style=${{ width: share(value), background: "var(--rs-accent)" }}></span>
      <span class="bar-mark" hidden=${!before} style=${{ left: share(before) }}></span>
    </span>
    <span class="cost-value">${said}</span>
  </div>`;
}

/** @param {Evaluation} evaluation */
function flopsWords({ flops, saved }) {
  if (flops === null) return "counting";
  return short(flops) + (saved === null ? "" : saved > 0 ? ", " + percent(saved) + " % saved" : ", nothing saved");
}

/** What it costs, and saves. */
function Costs() {
  const { evaluation, fresh } = state;
  const before = evaluation && evaluation.baseline;
  return html`<div class="costs" data-fresh=${String(fresh)}>
    <${Cost}
      id="drop-flops"
      name="FLOPs per sample"
      value=${evaluation?.flops}
      before=${before?.flops}
      said=${evaluation ? flopsWords(evaluation) : ""}
    />
    <${Timed} id="drop-speed" evaluation=${fresh ? evaluation : null} />
  </div>`;
}

/* -- panels -------------------------------------------------------------------------------------------------- */

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

/** Nothing where answers have no confidence. */
export const ByConfidence = () =>
  html`<${PicturePanel}
    name="confidence"
    title="Accuracy by confidence"
    reads=${READS.confidence}
    more=${MORE.confidence}
    words="Accuracy by confidence as a table"
    hidden=${!shownIn("confidence")}
  />`;
