/* The controls of the Observe page: data sets, samples, units that are dropped, and the steps that are shown. */
import { whole } from "rs/lib/format.js";
import { paintOfUnit } from "rs/lib/theme.js";
import { stepLabel, stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { wordsOfSteps } from "rs/pages/observe/numbers.js";
import * as observe from "rs/pages/observe/state.js";
import { Choice } from "rs/parts/controls.js";
import { SetChips, aboutSet, withSameInputs } from "rs/parts/data_sets.js";
import { Folded } from "rs/parts/panel.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/** @typedef {{info: Schemas["ModelDetail"]}} OfModel */

const SAMPLES = [300, 1_000]; // that are offered, besides all
const SPLIT = "validation";
/** @type {Partial<Record<Schemas["ModelDetail"]["unit_kind"], string>>} what dropping a unit does to the others */
const DROPPING = {
  expert: "; tokens take the best of the remaining experts",
  function: "; compatibilities are renormalised over the rest",
};

/** The numbers of samples to offer, ascending. @param {number} chosen @param {number} there @param {number} accepted */
export function sizesOf(chosen, there, accepted) {
  const most = Math.min(there, accepted);
  const fewer = [...new Set([...SAMPLES, chosen])].filter((size) => size < most).sort((a, b) => a - b);
  return [...fewer.map(sizeOf), [String(most), most === there ? "all" : whole(most)]];
}

/** @param {number} size */
const sizeOf = (size) => [String(size), whole(size)];

/**
 * How many samples there are to observe: of data sets with the same ones those of the first, where nothing has a label.
 *
 * @param {Schemas["DataSet"][]} sets
 * @param {boolean} labelled
 */
export function samplesOf(sets, labelled) {
  const counted = labelled ? sets : withSameInputs(sets).map(([first]) => first);
  return counted.reduce((sum, { splits }) => sum + (splits[SPLIT] ?? 0), 0);
}

/** @param {{name: string, children: ComponentChildren}} props */
const Control = ({ name, children }) =>
  html`<div class="control"><span class="control-name">${name}</span>${children}</div>`;

/** Chips of the data sets; without labels, one chip for equal samples. @param {OfModel} props */
function Data({ info }) {
  const sets = observe.dataSets();
  const { data } = observe.choice.value;
  return html`<${Control} name="Data">
    <div class="chips" role="group" aria-label="Data sets">
      <${SetChips}
        sets=${sets}
        used=${data.length ? data : sets.map(({ name }) => name)}
        attribute="data-observe-set"
        alike=${!info.labels.length}
        about=${(/** @type {Schemas["DataSet"]} */ set) => aboutSet(set, info.held_out.includes(set.name))}
        onChoose=${(/** @type {string[]} */ next) => observe.choose({ data: next })}
      />
    </div>
  <//>`;
}

/** @param {OfModel} props */
function Samples({ info }) {
  const [{ samples }, accepted] = [observe.choice.value, observe.accepted.value];
  const there = samplesOf(observe.dataSets(), info.labels.length > 0) || accepted;
  return html`<${Control} name="Samples">
    <${Choice}
      id="observe-samples"
      look="small-input"
      label="Number of samples"
      options=${sizesOf(samples, there, accepted)}
      chosen=${String(Math.min(samples, there, accepted))}
      onChoose=${(/** @type {string} */ size) => observe.choose({ samples: Number(size) })}
    />
  <//>`;
}

/** @param {OfModel} props */
function Units({ info: { units, unit_kind: kind } }) {
  const drop = observe.dropped() ?? [];
  const unanswered = ["failed", "cancelled"].includes(observe.status());
  const chips = units.map((unit) => {
    const dropped = drop.includes(unit);
    return html`<button
      key=${unit}
      type="button"
      class="chip"
      title=${unit + ": drop it" + (DROPPING[kind] ?? "")}
      data-observe-unit=${unit}
      data-state=${dropped ? "dropped" : "on"}
      aria-pressed=${String(dropped)}
      onClick=${() => observe.toggleUnit(unit)}
    >
      <span class="swatch" aria-hidden="true" style=${{ background: paintOfUnit(units, unit) }}></span>
      ${unit}
      <span class="chip-state">${!dropped ? "" : unanswered ? "not dropped yet" : "dropped"}</span>
    </button>`;
  });
  return html`<${Control} name="Drop">
    <div class="chips" role="group" aria-label="Functions that are dropped">${chips}</div>
  <//>`;
}

/**
 * A button a step; arrow keys go from one to the next.
 *
 * @param {{name: string, names: string[], pressed: (name: string) => boolean, about?: string, children?: ComponentChildren}} props
 *   "" among names: all steps
 */
export function StepButtons({ name: control, names, pressed, about = "", children }) {
  /** @param {KeyboardEvent} event */
  function move(event) {
    const button = /** @type {HTMLElement} */ (event.target);
    const next = { ArrowLeft: button.previousElementSibling, ArrowRight: button.nextElementSibling }[event.key];
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
    observe.chooseStep(next.dataset.observeStep ?? "", false);
  }
  const buttons = names.map(
    (name) =>
      html`<button
        key=${name}
        type="button"
        class="step-button"
        title=${name ? stepWords(name) + about : words.choose({ "": "mean over all {steps}" })}
        data-observe-step=${name}
        aria-pressed=${String(pressed(name))}
        onClick=${(/** @type {MouseEvent} */ event) => observe.chooseStep(name, event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        ${name ? stepLabel(name) : "all"}
      </button>`,
  );
  return html`<${Control} name=${control}>
    <div class="step-buttons" role="group" aria-label=${control + " that is shown"} onKeyDown=${move}>${buttons}</div>
    ${children}
  <//>`;
}

/** The steps whose mean is shown, or the layer that panels about experts are about. @param {OfModel} props */
function Steps({ info: { steps, layers } }) {
  const chosen = observe.shownSteps();
  const names = layers.length ? steps : ["", ...steps];
  return html`<${StepButtons}
    name=${words.choose({ "": layers.length ? "Layer" : "{Step}" })}
    names=${names}
    pressed=${(/** @type {string} */ name) => (chosen.length ? chosen.includes(name) : name === names[0])}
    about=${layers.length ? "" : "; with Shift or Ctrl: add it or take it out"}
    ><output id="observe-step-words" class="readout" hidden=${layers.length > 0}>
      ${wordsOfSteps(steps, chosen)}
    </output><//
  >`;
}

/** What is observed, and the steps that are shown. */
export function Controls() {
  const info = observe.model();
  return html`<${Folded}>
    <div id="observe-controls" class="observe-controls">
      ${
        info && [
          html`<${Data} info=${info} />`,
          html`<${Samples} info=${info} />`,
          !info.layers.length && html`<${Units} info=${info} />`,
          html`<${Steps} info=${info} />`,
          html`<button type="button" class="tool tool-text" data-observe-reset onClick=${observe.reset}>Reset</button>`,
        ]
      }
    </div>
  <//>`;
}
