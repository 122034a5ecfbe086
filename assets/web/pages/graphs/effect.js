/* The panel of the effect: large numbers, progress, accuracies on one axis, and what the cut saves. */
import * as format from "rs/lib/format.js";
import { percent, short } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { MORE, READS } from "rs/pages/graphs/words.js";
import * as evaluations from "rs/parts/evaluation.js";
import { Timed, timingOf } from "rs/parts/evaluation.js";
import * as dropScenes from "rs/parts/evaluation_scenes.js";
import {
  NONE, NumberTile, WHOLE, accuracyRows, apart, controlOf, controlWaits, cutWords, figuresOf, inPlace,
} from "rs/parts/figures.js"; // prettier-ignore
import { AsTable, Panel, Picture } from "rs/parts/panel.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/graphs/evaluation.js" */

/** A share in percent, with as many digits as it needs. @param {number} share */
export const shareWords = (share) => format.percentOf(share) + " %";

/** FLOPs, beside those of the model as it is. @param {Schemas["Evaluation"] | null} evaluation */
function flopsOf(evaluation) {
  if (!evaluation) return { value: NONE };
  const { flops, saved } = evaluation;
  const unsaved = cutWords(evaluation) === WHOLE ? "" : "nothing saved";
  const share = saved === null ? "" : saved > 0 ? percent(saved) + " % saved" : unsaved;
  return { value: flops === null ? NONE : short(flops), detail: flops === null ? "counting" : share };
}

/** @param {Schemas["Evaluation"] | null} evaluation */
function randomOf(evaluation) {
  const name = "Random modules";
  if (!evaluation) return { name, value: NONE };
  const waiting = controlWaits(evaluation, "module");
  return { name, ...controlOf(evaluation, { waiting, sets: (drawn) => drawn + " sets", unit: ({ unit }) => unit }) };
}

function Numbers() {
  const { evaluation, fresh } = graphEvaluation.state;
  const none = evaluation && cutWords(evaluation) === WHOLE ? "full model" : "";
  const parts = evaluation ? apart(evaluation) : [{ where: "", evaluation }];
  const loss = inPlace(figuresOf(parts[0].evaluation, { none }).loss, parts[0].where);
  return html`
    ${parts.slice(0, 2).map(({ where, evaluation: part }, at) => {
      const { accuracy, change } = figuresOf(part, { none });
      const end = at ? "-out" : "";
      return html`
        <${NumberTile} id=${"graph-accuracy" + end} ...${inPlace(accuracy, where)} />
        <${NumberTile} id=${"graph-change" + end} ...${inPlace(change, where)} />
        <${NumberTile} id=${"graph-control" + end} ...${inPlace(randomOf(part), where)} />
      `;
    })}
    <${NumberTile} id="graph-loss" ...${loss} />
    <${NumberTile} id="graph-flops" name="FLOPs per sample" ...${flopsOf(evaluation)} />
    <${Timed} id="graph-speed" evaluation=${fresh ? evaluation : null} />
  `;
}

/** @param {State} state */
const progressOf = (state) =>
  evaluations.progressOf(state, {
    chosen: graphPage.state.choice.samples,
    waiting: "Waiting for the graph",
    intervention: cutWords,
  });

/** @param {Schemas["Evaluation"]} evaluation */
const rowsOf = (evaluation) =>
  accuracyRows(
    evaluation,
    { named: "this choice", sets: "random sets of as many modules", saved: true },
    timingOf(evaluation),
  );

/** The evaluation, once it has an accuracy. */
function measured() {
  const { evaluation } = graphEvaluation.state;
  return evaluation?.accuracy ? evaluation : null;
}

/** @param {Schemas["Evaluation"]} evaluation */
function labelOf(evaluation) {
  const measure = wordsMeasure(evaluation.measure);
  const said = apart(evaluation).flatMap(({ where, evaluation: { accuracy: own } }) =>
    own ? [(where && where + " ") + withUnit(measure, own.value)] : [],
  );
  return measure.title + " with " + cutWords(evaluation) + ": " + said.join("; ");
}

const ID = "graph-effect-picture";

/** @returns {Written | null} */
function written() {
  const evaluation = measured();
  if (!evaluation) return null;
  const width = Math.max(560, document.getElementById(ID)?.clientWidth ?? 0);
  return {
    name: "graph-effect",
    facts: graphEvaluation.facts(evaluation),
    python: { figure: "accuracy", draws: evaluation.control?.draws },
    rows: () => rowsOf(evaluation),
    json: () => ({ result: evaluation }),
    picture: { scene: (asked) => dropScenes.accuracies(evaluation, asked ?? width) },
  };
}

export function EffectPanel() {
  const { fresh, status } = graphEvaluation.state;
  const evaluation = measured();
  return html`<${Panel}
    id="graph-effect"
    title="Effect of this choice"
    tag="caused"
    reads=${READS.effect}
    more=${MORE.effect}
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <div class="numbers graph-numbers" data-fresh=${String(fresh)}><${Numbers} /></div>
    <${evaluations.ProgressOf} name="graph" look="drop-progress" followed=${graphEvaluation} progressOf=${progressOf} />
    <${Picture}
      id=${ID}
      look="drop-picture"
      height=${228}
      widest=${900}
      data=${{ "data-fresh": String(fresh), "data-state": status }}
      scene=${(/** @type {number} */ width) => {
        const now = measured();
        return now && dropScenes.accuracies(now, width);
      }}
      drawn=${() => measured()?.id ?? ""}
      label=${() => labelOf(/** @type {Schemas["Evaluation"]} */ (measured()))}
    />
    <${AsTable}
      words="The effect as a table"
      data=${{ "data-graph-table": "effect" }}
      caption=${() => (evaluation && dropScenes.accuracies(evaluation, 640).desc) ?? ""}
      rows=${evaluation && (() => rowsOf(evaluation))}
    />
  <//>`;
}
