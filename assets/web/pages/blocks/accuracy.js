/* The accuracy on the task under the interventions: the evaluation that streams in for them, in numbers, as pictures with
   intervals, and by subtask. */
import { moved } from "rs/draw/scene.js";
import * as address from "rs/lib/address.js";
import { html } from "rs/lib/view.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import * as page from "rs/pages/blocks/state.js";
import { Choice, labelled, sizeOptions } from "rs/parts/controls.js";
import * as evaluations from "rs/parts/evaluation.js";
import { accuracies, groups } from "rs/parts/evaluation_scenes.js";
import { NONE, NumberTile, apart, covered, factsOf, figuresOf, groupsApart, inPlace, words } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/parts/evaluation.js" */

/** @typedef {Schemas["Evaluation"]} Evaluation */

const { offered: SIZES } = address.bounds("blocks", "measured");
const WIDEST = 760; // pixels of a picture

/** The address of the evaluation of the present choice, or "" while the model is not there. The baseline runs as many
    iterations as in training, so other iterations are measured only where no route or gate is changed. */
function path() {
  const { status, model, task, measured, mute_routes, copy_routes, gates } = page.state;
  if (status !== "ready" || !task) return "";
  const query = {
    model,
    data: task.name,
    samples: measured,
    iterations: page.changed() ? null : page.state.iterations,
    mute_routes: mute_routes.join(","),
    copy_routes: copy_routes.join(","),
    gates: address.sharesText(gates),
    controls: "0",
  };
  return "/evaluations/stream" + address.queryOf(query);
}

const followed = evaluations.make({
  owner: "blocks",
  pathOf: path,
  subscribePage: (listener) => page.subscribe(listener),
});
export const { state } = followed;

/** The evaluation, once it has an accuracy. */
const measured = () => (state.evaluation?.accuracy ? state.evaluation : null);

/* -- how many samples, numbers, progress ------------------------------------------------------------------------- */

function Samples() {
  const { measured: chosen } = page.state;
  const sets = state.evaluation ? state.evaluation.data : [];
  const choice = html`<${Choice}
    id="blocks-measured"
    look="small-input"
    options=${sizeOptions(SIZES, chosen)}
    chosen=${String(chosen)}
    onChoose=${(/** @type {string} */ size) => page.set({ measured: Number(size) })}
  />`;
  return html`<div class="blocks-bar">
    ${labelled("Samples", "blocks-measured", choice)}
    <span class="caption"
      >${sets.map(({ title, stand_in }) => title + (stand_in ? ", a stand-in" : "")).join("; ")}</span
    >
  </div>`;
}

/** @param {Pick<Evaluation, "intervention">} evaluation */
const unchanged = ({ intervention: { mute_routes, copy_routes, gates, drop, iterations } }) =>
  ![mute_routes, copy_routes, drop, Object.keys(gates ?? {})].some((names) => names?.length) && !iterations;

/** The figures of one distribution. @param {{part: ReturnType<typeof apart>[number] | null, mark: string}} props */
function Tiles({ part, mark }) {
  const evaluation = part && part.evaluation;
  const still = evaluation !== null && unchanged(evaluation);
  const { accuracy, change, loss } = figuresOf(evaluation);
  const before = figuresOf(evaluation?.baseline ? { ...evaluation, ...evaluation.baseline, change: null } : null);
  const moved = still ? { ...change, value: NONE, detail: "nothing is changed", mood: "" } : change;
  const where = part ? part.where : "";
  /** @param {string} name */
  const id = (name) => "blocks-number-" + name + mark;
  return html`
    <${NumberTile} id=${id("baseline")} ...${inPlace({ ...before.accuracy, name: "Full model" }, where)} />
    <${NumberTile} id=${id("accuracy")} main=${true} ...${inPlace({ ...accuracy, name: "As steered" }, where)} />
    <${NumberTile} id=${id("change")} main=${true} ...${inPlace(moved, where)} />
    <${NumberTile} ...${inPlace(loss, where)} />
  `;
}

function Numbers() {
  const { evaluation, fresh } = state;
  const [first = null, beyond] = evaluation ? apart(evaluation) : [];
  return html`<div class="numbers blocks-numbers" data-fresh=${String(fresh)}>
    <${Tiles} part=${first} mark="" />${beyond && html`<${Tiles} part=${beyond} mark="-out" />`}
  </div>`;
}

/** @param {Evaluation} evaluation */
function after(evaluation) {
  const { task, iterations } = page.state;
  const hint = unchanged(evaluation) ? " Mute a route or fix a gate to see its effect." : "";
  const others = task && iterations && !evaluation.intervention.iterations;
  return hint + (others ? " Scored after " + task.iterations + " iterations, as in training." : "");
}

/** @param {State} shown */
const progressOf = (shown) =>
  evaluations.progressOf(shown, { chosen: page.state.measured, waiting: "Measured once this is in view.", after });

/* -- pictures ---------------------------------------------------------------------------------------------------- */

/**
 * Accuracies of parts of the task: by the output asked for, by subtask, or else by the right answer.
 *
 * @param {Evaluation} evaluation
 * @returns {[string, ReturnType<typeof groupsApart>]}
 */
function parts(evaluation) {
  if ((evaluation.by_kind ?? []).length < 2) return ["right answer", groupsApart(evaluation, "by_label")];
  const { task } = page.state;
  return [task && task.outputs.length > 1 ? "output asked for" : "subtask", groupsApart(evaluation, "by_kind")];
}

/** @param {Evaluation} evaluation @param {number} width */
const wholeScene = (evaluation, width) => accuracies(evaluation, width, { named: "as steered", room: 2 });

/** @param {Evaluation} evaluation @param {number} width */
function groupScene(evaluation, width) {
  const [what, rows] = parts(evaluation);
  return rows.length > 1 ? groups(rows, what, evaluation, width) : null;
}

/** Both pictures below each other, for files. @param {Evaluation} evaluation @param {number} width */
export function bothScenes(evaluation, width) {
  const [first, second] = [wholeScene(evaluation, width), groupScene(evaluation, width)];
  if (!second) return first;
  return {
    ...first,
    height: first.height + second.height,
    desc: first.desc + " " + second.desc,
    items: [...first.items, ...second.items.map((item) => moved(item, 0, first.height))],
  };
}

/** @param {Evaluation} evaluation */
function rowsOf(evaluation) {
  const { name, lossUnit } = wordsMeasure(evaluation.measure);
  /** @type {unknown[][]} */
  const rows = [["what", "samples", "value", "low", "high", "as_it_is", "change", "change_low", "change_high"]];
  /** @param {Schemas["Interval"] | null | undefined} of */
  const ends = (of) => (of ? [of.value, of.low ?? "", of.high ?? ""] : ["", "", ""]);
  for (const { where, count, evaluation: part } of apart(evaluation)) {
    const samples = count ?? covered(evaluation);
    for (const of of /** @type {const} */ (["accuracy", "loss"])) {
      const what = of === "loss" ? "loss" + (lossUnit ? " in " + lossUnit : "") : name;
      const before = part.baseline ? part.baseline[of].value : "";
      if (part[of])
        rows.push([what + (where && ", " + where), samples, ...ends(part[of]), before, ...ends(part.change?.[of])]);
    }
  }
  const [what, groups] = parts(evaluation);
  for (const { name: of, distribution, count, accuracy, low, high, baseline, change, change_low, change_high } of groups)
    rows.push([what + " " + of + (distribution ? ", " + distribution : ""), count, accuracy, low, high, baseline, change, change_low, change_high]); // prettier-ignore
  return rows;
}

/** @returns {Written | null} */
function written() {
  const evaluation = measured();
  if (!evaluation) return null;
  return {
    name: "blocks-accuracy",
    facts: factsOf(evaluation, ["drop", "mute_routes", "copy_routes", "gates", "iterations"]),
    python: { figure: "accuracy" },
    rows: () => rowsOf(evaluation),
    json: () => ({ result: evaluation }),
    picture: { scene: (width) => bothScenes(evaluation, width ?? WIDEST) },
  };
}

/** @param {Evaluation} evaluation */
function wholeLabel(evaluation) {
  const measure = wordsMeasure(evaluation.measure);
  return "Task " + measure.name + ", " + words(evaluation) + ": " + withUnit(measure, evaluation.accuracy?.value ?? 0);
}

/** @param {Evaluation} evaluation */
function groupLabel(evaluation) {
  const measure = wordsMeasure(evaluation.measure);
  const [what, rows] = parts(evaluation);
  const figures = rows.map(({ name, accuracy }) => name + " " + withUnit(measure, accuracy)).join("; ");
  return measure.title + " by " + what + ": " + figures;
}

/** @param {{scene: typeof groupScene, label: typeof groupLabel}} props */
const Effect = ({ scene, label }) =>
  html`<${Picture}
    look="drop-picture"
    widest=${WIDEST}
    height=${150}
    data=${{ "data-fresh": String(state.fresh), "data-state": state.status }}
    scene=${(/** @type {number} */ width) => {
      const evaluation = measured();
      return evaluation && scene(evaluation, width);
    }}
    drawn=${() => state.evaluation?.id ?? ""}
    label=${() => (state.evaluation ? label(state.evaluation) : "")}
  />`;

/** The panel of the accuracy, which is measured once the panel is in view. */
export function AccuracyPanel() {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  const evaluation = measured();
  useEffect(() => {
    const ends = [
      page.subscribe(
        ({ model }, names) =>
          names.has("info") && state.evaluation && state.evaluation.model !== model && followed.forget(),
      ),
      followed.watch(/** @type {HTMLElement} */ (host.current)),
      followed.leave,
    ];
    return () => ends.forEach((end) => end());
  }, []);
  return html`<div ref=${host}>
    <${Panel}
      id="blocks-accuracy"
      title="Task accuracy"
      tag="caused"
      reads="Accuracy on the validation split. Dot: under these interventions, with 95 % interval. Ring: full model, on the same samples. Changes are paired."
      more="A sample of ALGO asks for one output. Samples of sums come from the distribution of training; the card has the accuracy on the rest."
      formats=${["svg", "png", "csv", "json"]}
      written=${written}
    >
      <${Samples} /><${Numbers} />
      <${evaluations.ProgressOf} name="blocks" look="drop-progress" followed=${followed} progressOf=${progressOf} />
      <div class="blocks-effect" data-fresh=${String(state.fresh)}>
        <${Effect} scene=${wholeScene} label=${wholeLabel} />
        ${(!evaluation || parts(evaluation)[1].length > 1) && html`<${Effect} scene=${groupScene} label=${groupLabel} />`}
      </div>
      <${AsTable}
        words="The task accuracy as a table"
        data=${{ "data-blocks-table": "accuracy" }}
        caption=${() => (evaluation && wholeScene(evaluation, 640).desc) ?? ""}
        rows=${evaluation && (() => rowsOf(evaluation))}
      />
    <//>
  </div>`;
}
