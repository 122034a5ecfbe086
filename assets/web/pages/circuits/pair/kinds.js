/* What dropping modules and cutting links does to the accuracy by kind of statement: the evaluation that streams in for it,
   its numbers, a picture with intervals, a table. */
import { axisX, bar, chart, dot, linear, rule, stacked, text, whisker, widest } from "rs/draw/marks.js";
import * as address from "rs/lib/address.js";
import { percent, points, whole } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { Cuts, Units } from "rs/pages/circuits/pair/units.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state as page } from "rs/pages/circuits/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { NumberTile, WHOLE, controlOf, controlWaits, covered, cutWords, factsOf, figuresOf } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { effect, untracked, useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/parts/evaluation.js" */

const CONTROLS = 5; // random sets of as many modules
const WIDEST = 760;

/**
 * @typedef {Schemas["Evaluation"]} Evaluation
 * @typedef {Omit<Schemas["GroupEffect"], Ends> & Record<Ends, number | null>} Row
 * @typedef {"low" | "high" | "change_low" | "change_high"} Ends
 */

/** @type {(keyof Row)[]} */
const COLUMNS = ["name", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"];

/** The address of the evaluation of what is dropped now, or "" while the model is not there. */
function pathOf() {
  const { model, keep_edges: keep, measured } = page;
  if (!circuitsState.info()) return "";
  const drop = circuitsState.dropped().join(",");
  return "/evaluations/stream" + address.queryOf({ model, data: "scenes", samples: measured, drop, keep_edges: keep, controls: CONTROLS }); // prettier-ignore
}

const followed = evaluations.make({
  owner: "pair",
  pathOf,
  subscribePage: (listener) =>
    effect(() => {
      void pathOf();
      untracked(listener);
    }),
});
const { state } = followed;

/** The evaluation, where it has figures of the chosen model. */
const measured = () => (state.evaluation?.model === page.model && rowsOf(state.evaluation).length ? state.evaluation : null); // prettier-ignore

/** @param {Evaluation} evaluation */
const nothing = (evaluation) => cutWords(evaluation) === WHOLE;

/** All kinds together first, then each of them. @param {Evaluation} evaluation @returns {Row[]} */
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

/** A row a kind: a bar as far as the accuracy with its interval, a ring for the full model, n, the paired change. @param {Evaluation} evaluation @param {number} width */
export function sceneOf(evaluation, width) {
  const rows = rowsOf(evaluation);
  const { control } = evaluation;
  const narrow = width < 480;
  const left = narrow ? 8 : Math.ceil(widest(rows.map(({ name }) => name), 12, 650)) + 16; // prettier-ignore
  const right = narrow ? Math.ceil(widest(["100.0 %"], 12, 650)) + 16 : 150;
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
    title: "Accuracy by kind of statement with " + cutWords(evaluation) + ": " + evaluation.model,
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

/** The accuracy, its paired change, and that of random modules. */
function Numbers() {
  const evaluation = state.evaluation?.model === page.model ? state.evaluation : null;
  const idle = !evaluation || nothing(evaluation);
  const { accuracy, change } = figuresOf(evaluation && (idle ? { ...evaluation, change: null } : evaluation), { none: evaluation ? "nothing is dropped" : "" }); // prettier-ignore
  const control = evaluation
    ? controlOf(evaluation, {
        waiting: controlWaits(evaluation, "module"),
        sets: (drawn, { size }) => drawn + " sets of " + size,
        unit: (measure) => measure.unit,
      })
    : { value: accuracy.value };
  return html`<div class="numbers pair-numbers" data-fresh=${String(state.fresh)}>
    <${NumberTile} ...${accuracy} id="pair-accuracy" />
    <${NumberTile} ...${change} id="pair-change" />
    <${NumberTile} ...${control} name="Random modules" id="pair-control" />
  </div>`;
}

/** @param {State} now */
const progressOf = (now) =>
  evaluations.progressOf(now, {
    chosen: page.measured,
    counted: "statements",
    waiting: "Measured on " + whole(page.measured) + " statements once this is in view.",
    intervention: cutWords,
    after: (evaluation) => (nothing(evaluation) ? " Click a module to drop it." : ""),
  });

/** @returns {Written | null} */
function written() {
  const evaluation = measured();
  return (
    evaluation && {
      name: "accuracy-by-kind",
      facts: factsOf(evaluation, ["drop", "keep_edges"]),
      python: { figure: "effects", by: "kind" },
      rows: () => tableOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: { scene: (width = WIDEST) => sceneOf(evaluation, width) },
    }
  );
}

/** @param {Evaluation} evaluation */
const labelOf = (evaluation) =>
  "Accuracy by kind of statement, " + cutWords(evaluation) + ": " +
  rowsOf(evaluation).map((row) => row.name + " " + percent(row.accuracy) + " % of " + row.count).join("; "); // prettier-ignore

/** Modules to drop, and the accuracy by kind, which is measured once the panel is in view. */
export function DropPanel() {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const end = followed.watch(/** @type {HTMLElement} */ (host.current));
    return () => {
      end();
      followed.leave();
    };
  }, []);
  const evaluation = measured();
  return html`<div ref=${host}>
    <${Panel}
      id="pair-drop"
      title="Drop modules"
      tag="caused"
      reads="Accuracy by kind of statement. Ring: full model. Dot: with modules dropped or links cut. Whiskers: 95 % intervals."
      more="Both models are measured on the same statements. Statements come in fours that share pictures and words, so they are not independent. The intervals assume independent statements."
      formats=${["svg", "png", "csv", "json"]}
      written=${written}
    >
      <${Units} /><${Cuts} /><${Numbers} />
      <${evaluations.ProgressOf} name="pair" look="drop-progress" followed=${followed} progressOf=${progressOf} />
      <${Picture}
        look="drop-picture"
        widest=${WIDEST}
        height=${150}
        data=${{ "data-fresh": String(state.fresh), "data-state": state.status }}
        scene=${(/** @type {number} */ width) => {
          const now = measured();
          return now && sceneOf(now, width);
        }}
        drawn=${() => measured()?.id ?? ""}
        label=${() => {
          const now = measured();
          return now ? labelOf(now) : "";
        }}
      />
      <${AsTable}
        words="Accuracy by kind as a table"
        data=${{ "data-pair-table": "kinds" }}
        caption=${() => (evaluation ? sceneOf(evaluation, WIDEST).desc : "")}
        rows=${evaluation && (() => tableOf(evaluation))}
      />
    <//>
  </div>`;
}
