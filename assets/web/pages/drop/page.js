/* The controls of the Drop page: chips for units and data sets, the kind of ablation, iterations, samples. */
import * as address from "rs/lib/address.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { pinned } from "rs/lib/navigation/pinned.js";
import * as selection from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { NOTHING } from "rs/pages/drop/state.js";
import { Revision, SetChips, StandIns, aboutSet } from "rs/parts/data_sets.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Kind } from "rs/pages/drop/types.d.ts" */

const MOST_ITERATIONS = drop.ITERATIONS.at(-1); // where the model has no limit
const heard = () => noUpdate();
/** @type {Partial<Choice> | null} */
let given = null;
/** @type {Record<string, string> | null} */
let kinds = null; // what each kind of ablation is called on its control

export const callbacks = {
  /**
   * The page was opened, or another model was chosen.
   *
   * @param {Partial<Choice>} choice
   * @param {{model?: string | null} | null} selection
   */
  open(choice, selection) {
    const fresh = choice !== given;
    given = choice;
    const model = (selection || {}).model || null;
    const known = drop.state.model;
    if (fresh || !known || known.id !== model) drop.open(model, fresh ? choice : null);
    return heard();
  },

  /** @param {Kind | null} value */
  setKind(value) {
    if (value && value !== drop.state.choice.kind) drop.choose({ kind: value });
    return heard();
  },

  /** @param {unknown} value */
  setIterations(value) {
    const given = /** @type {number} */ (value);
    drop.choose({ iterations: Number.isInteger(given) && given > 0 ? given : null });
    return heard();
  },

  /** @param {unknown} value */
  setTopK(value) {
    const given = /** @type {number} */ (value);
    const top_k = Number.isInteger(given) && given > 0 ? given : null;
    if (top_k !== drop.state.choice.top_k) drop.choose({ top_k });
    return heard();
  },

  /** @param {unknown} value */
  setSamples(value) {
    const samples = Number(value);
    if (Number.isInteger(samples) && samples > 0) drop.choose({ samples });
    return heard();
  },

  /** @param {number | null} clicks */
  reset(clicks) {
    if (!clicks) return heard();
    setProps("drop-kind", { value: NOTHING.kind });
    setProps("drop-iterations", { value: "" });
    setProps("drop-top-k", { value: "" });
    setProps("drop-samples", { value: String(NOTHING.samples) });
    drop.choose({ ...NOTHING });
    return heard();
  },
};

address.takesOver("drop", ({ model, sample, pin, ...choice }) => {
  if (drop.state.model?.id !== model) return null;
  if (sample !== selection.current().sample) setProps("selection", { data: { model, sample } });
  pinned.value = pin ?? "";
  const shown = drop.take(/** @type {Choice} */ ({ ...choice, rule: "" }));
  return shown.then(() => {
    const { kind, iterations, top_k, samples } = drop.state.choice;
    setProps("drop-kind", { value: kind });
    setProps("drop-iterations", { value: iterations ?? "" });
    setProps("drop-top-k", { value: top_k ?? "" });
    setProps("drop-samples", { value: String(samples) });
  });
});

registerWidget("drop-page", (host) => {
  const ends = [
    show(/** @type {HTMLElement} */ (document.getElementById("drop-caption")), Caption),
    drop.subscribe((state, names) => {
      host.dataset.state = state.status;
      host.dataset.fresh = String(state.fresh);
      if (!names.has("model") || !state.model) return;
      limitIterations(state.model);
      limitExperts(state.model);
      limitKinds(state.model);
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    given = null;
    drop.leave();
  };
});

/**
 * A model whose layers have weights of their own cannot run more of them.
 *
 * @param {Schemas["ModelDetail"]} model
 */
function limitIterations({ most_iterations: most }) {
  setProps("drop-iterations", { max: most === null ? MOST_ITERATIONS : most });
}

/**
 * How many experts a token takes is asked of models with experts; all their layers always run.
 *
 * @param {Schemas["ModelDetail"]} model
 */
function limitExperts({ layers = [] }) {
  setProps("drop-top-k-control", { hidden: !layers.length });
  setProps("drop-iterations-control", { hidden: layers.length > 0 });
  if (!layers.length) return;
  const trained = [...new Set(layers.map((layer) => layer.top_k))].join(" or ");
  const max = Math.min(...layers.map((layer) => layer.experts));
  setProps("drop-top-k", { max, placeholder: trained + ", as trained", value: drop.state.choice.top_k ?? "" });
}

/**
 * Kinds that the model does not take stay in sight and cannot be chosen.
 *
 * @param {Schemas["ModelDetail"]} model
 */
function limitKinds(model) {
  /** @type {string[]} */
  const taken = drop.kindsOf(model);
  kinds = kinds || namesOf(/** @type {HTMLElement} */ (document.querySelector('[data-widget="drop-sentence"]')));
  const data = Object.entries(kinds).map(([value, label]) => ({ value, label, disabled: !taken.includes(value) }));
  const { kind } = drop.state.choice;
  setProps("drop-kind-control", { hidden: !model.units.length });
  setProps("drop-kind", { data, ...(taken.includes(kind) ? {} : { value: NOTHING.kind }) });
}

/**
 * @param {HTMLElement} place
 * @returns {Record<string, string>}
 */
const namesOf = (place) => JSON.parse(/** @type {string} */ (place.dataset.names));

/** The model, and what is particular about the data that it is measured on. */
function Caption() {
  const { model, sets } = drop.state;
  const used = drop.measured();
  const away = sets.filter((each) => model?.held_out.includes(each.name) && used.includes(each.name));
  return html`
    ${model && html`<${Revision} ...${model} />`}
    <${StandIns} sets=${sets} used=${used} />
    ${
      away.length > 0 &&
      html`<span class="tag" title="The model was never trained on it.">
        ${"out of distribution: " + away.map((each) => each.name).join(", ")}
      </span>`
    }
  `;
}

/* -- data sets -------------------------------------------------------------------------------------------- */

function Sets() {
  const { model, sets } = drop.state;
  return html`<${SetChips}
    sets=${sets}
    used=${drop.measured()}
    attribute="data-drop-set"
    about=${(/** @type {Schemas["DataSet"]} */ each) => aboutSet(each, Boolean(model?.held_out.includes(each.name)))}
    onChoose=${(/** @type {string[]} */ data) => drop.choose({ data })}
  />`;
}

registerWidget("drop-sets", (host) => {
  host.addEventListener("keydown", units.moveWithArrows);
  return show(host, Sets);
});

registerWidget("drop-sentence", (host) => {
  const kinds = JSON.parse(/** @type {string} */ (host.dataset.kinds));
  const sentence = () =>
    drop.state.model?.units.length === 0
      ? ""
      : [words.choose(kinds[drop.state.choice.kind], drop.state.model), words.muteRefusal(drop.state.model)]
          .filter(Boolean)
          .join(" ");
  return show(host, () => html`${sentence()}`);
});
