/* The Drop page: what is left out, on what it is measured, and what that changes. */
import * as address from "rs/lib/address.js";
import * as pins from "rs/lib/navigation/pinned.js";
import * as selection from "rs/lib/selection.js";
import { pageTree } from "rs/lib/pages.js";
import { html, icon } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Compare, compared as comparedNow, pinning } from "rs/pages/drop/compare/panels.js";
import { Experts } from "rs/pages/drop/experts.js";
import { Importances } from "rs/pages/drop/importance/panels.js";
import * as importance from "rs/pages/drop/importance/state.js";
import { Accuracies, ByConfidence, ByDataSet, ByLabel, isUnlabelled } from "rs/pages/drop/pictures.js";
import * as drop from "rs/pages/drop/state.js";
import { NOTHING } from "rs/pages/drop/state.js";
import { Studio } from "rs/pages/drop/studio/panel.js";
import { Chips, Links, Many } from "rs/pages/drop/units.js";
import { KINDS, SENTENCES } from "rs/pages/drop/words.js";
import * as controls from "rs/parts/controls.js";
import { Measured, Revision, StandIns } from "rs/parts/data_sets.js";
import { Folded } from "rs/parts/panel.js";
import { PinBar, PinTool } from "rs/parts/pinned/control.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Choice, Kind } from "rs/pages/drop/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

const MOST_ITERATIONS = drop.ITERATIONS.at(-1); // where the model has no limit
const SIZES = address.bounds("drop", "samples").offered;

/** The model, and what is particular about the data that it is measured on. */
function Caption() {
  const { model, sets } = drop.state;
  const used = drop.measured();
  const away = sets.filter((each) => model?.held_out.includes(each.name) && used.includes(each.name));
  return html`<div id="drop-caption" class="caption">
    ${model && html`<${Revision} ...${model} />`}
    <${StandIns} sets=${sets} used=${used} />
    ${
      away.length > 0 &&
      html`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: " + away.map((each) => each.name).join(", ")}
      </span>`
    }
  </div>`;
}

/* -- controls --------------------------------------------------------------------------------------------- */

/** @param {{id?: string, name: string, hidden?: boolean, children: ComponentChildren}} props */
const Control = ({ id, name, hidden = false, children }) =>
  html`<div class="control" id=${id} hidden=${hidden}><span class="control-name">${name}</span>${children}</div>`;

/** What a click on a unit does; kinds that the model does not take stay in sight. */
function KindOf() {
  const { model, choice } = drop.state;
  const taken = model ? drop.kindsOf(model) : [NOTHING.kind];
  const options = /** @type {Kind[]} */ (Object.keys(KINDS)).map((kind) => [
    kind,
    KINDS[kind],
    taken.includes(kind) ? "" : "Not supported by this model.",
  ]);
  return html`<${Control}
    id="drop-kind-control"
    name=${"Click " + words.of(words.chosen()).a_unit + " to"}
    hidden=${model?.units.length === 0}
  >
    <${controls.Segmented}
      id="drop-kind"
      label="What is done to the units that are clicked"
      options=${options}
      chosen=${choice.kind}
      onChoose=${(/** @type {Kind} */ kind) => drop.choose({ kind })}
    />
  <//>`;
}

/** How many iterations run, or how many experts a token takes: all layers of a model with experts run. */
function Amounts() {
  const { model, choice } = drop.state;
  const layers = model?.layers ?? [];
  const { passes } = words.of(words.chosen());
  if (!layers.length)
    return html`<${Control} id="drop-iterations-control" name=${passes[0].toUpperCase() + passes.slice(1)}>
      <${controls.NumberField}
        id="drop-iterations"
        label="Number of iterations"
        chosen=${choice.iterations}
        most=${model?.most_iterations ?? MOST_ITERATIONS}
        none="as trained"
        onChoose=${(/** @type {number | null} */ iterations) => drop.choose({ iterations })}
      />
    <//>`;
  return html`<${Control} id="drop-top-k-control" name="Experts per token">
    <${controls.NumberField}
      id="drop-top-k"
      label="Number of experts per token"
      chosen=${choice.top_k}
      most=${Math.min(...layers.map((layer) => layer.experts))}
      none=${[...new Set(layers.map((layer) => layer.top_k))].join(" or ") + ", as trained"}
      onChoose=${(/** @type {number | null} */ top_k) => drop.choose({ top_k })}
    />
  <//>`;
}

/** What the kind of ablation does to the units of this model. */
function Sentence() {
  const { model, choice } = drop.state;
  const said = model?.units.length === 0 ? [] : [words.choose(SENTENCES[choice.kind], model), words.muteRefusal(model)];
  return html`<p id="drop-sentence" class="drop-sentence">${said.filter(Boolean).join(" ")}</p>`;
}

function Tree() {
  const { model, sets, choice } = drop.state;
  return html`
    <div class="page-head">
      <h1>Drop</h1>
      <${Caption} />
      <span class="pin-tool"><${PinTool} ...${pinning} /></span>
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
    <${PinBar} ...${pinning} />
    <${Folded}>
      <div class="drop-controls">
        <div class="interventions drop-row"><${KindOf} /><${Chips} /><${Amounts} /></div>
        <${Many} />
        <${Experts} />
        <${Links} />
        <div class="interventions drop-row">
          <${Measured}
            page="drop"
            ...${{ model, sets, sizes: SIZES, samples: choice.samples, choose: drop.choose }}
            used=${drop.measured()}
            reset=${() => drop.choose({ ...NOTHING })}
          />
        </div>
        <${Sentence} />
      </div>
    <//>
    <${Compare} />
    <div class="drop-grid">
      <div class="column"><${Accuracies} />${!isUnlabelled() && html`<${ByDataSet} />`}</div>
      <div class="column"><${ByLabel} /><${ByConfidence} />${isUnlabelled() && html`<${ByDataSet} />`}</div>
    </div>
    <${Studio} />
    <${Importances} />
  `;
}

/* -- the page ----------------------------------------------------------------------------------------------- */

/** @typedef {Omit<Choice, "rule"> & {pin: string | null}} Said what the page shows, as its address has it */

/** @param {Said} said */
function take({ pin, ...choice }) {
  pins.pinned.value = pin ?? "";
  return drop.take({ ...choice, rule: "" });
}

address.takesOver("drop", ({ model, sample, ...said }) => {
  if (drop.state.model?.id !== model) return null;
  selection.choose({ model, sample });
  return take(/** @type {Said} */ (said));
});

export const mount = pageTree({
  Tree,
  choice: () => {
    const { rule, ...choice } = drop.state.choice;
    return /** @type {Said} */ ({ ...choice, pin: pins.pinned.value || null });
  },
  take: (said) => void take(said),
  open({ pin, ...choice }, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    pins.pinned.value = pin ?? "";
    drop.begin(choice);
    const ends = [
      drop.follow(),
      importance.follow(),
      selection.followModel(drop.open),
      effect(() => void Object.assign(page.dataset, { state: drop.state.status, fresh: String(drop.state.fresh) })),
      effect(() => void (page.dataset.compares = String(comparedNow() !== null))),
      effect(() => words.followMeasure(drop.state.evaluation?.measure ?? null)),
    ];
    return () => {
      ends.forEach((end) => end());
      drop.leave();
      pins.unpin();
    };
  },
});
