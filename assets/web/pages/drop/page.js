/* The controls of the Drop page: chips for units and data sets, the kind of ablation, iterations, samples. */
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as words from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { NOTHING } from "rs/pages/drop/state.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Kind, Opened, State } from "rs/pages/drop/types.d.ts" */

const MOST_ITERATIONS = drop.ITERATIONS.at(-1); // where the model has no limit
const heard = () => noUpdate();
/**
 * @param {string[]} all
 * @param {string[]} chosen
 */
const inOrder = (all, chosen) => all.filter((name) => chosen.includes(name));
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
    if (value) drop.choose({ kind: value });
    return heard();
  },

  /** @param {unknown} value */
  setIterations(value) {
    const given = /** @type {number} */ (value);
    drop.choose({ iterations: Number.isInteger(given) && given > 0 ? given : null });
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
    setProps("drop-samples", { value: String(NOTHING.samples) });
    drop.choose({ ...NOTHING });
    return heard();
  },
};

registerWidget("drop-page", (host) => {
  const end = drop.subscribe((state, names) => {
    host.dataset.state = state.status;
    host.dataset.fresh = String(state.fresh);
    if (names.has("model") && state.model) {
      limitIterations(state.model);
      limitKinds(state.model);
    }
    if (names.has("model") || names.has("sets") || names.has("choice")) showCaption(state);
  });
  return () => {
    end();
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
  setProps("drop-kind", { data, ...(taken.includes(kind) ? {} : { value: NOTHING.kind }) });
}

/**
 * @param {HTMLElement} place
 * @returns {Record<string, string>}
 */
const namesOf = (place) => JSON.parse(/** @type {string} */ (place.dataset.names));

/** @param {State} state */
function showCaption({ model, sets }) {
  const place = document.getElementById("drop-caption");
  if (!place) return;
  const standIns = sets.filter((each) => each.stand_in && drop.measured().includes(each.name));
  const away = sets.filter((each) => model?.held_out.includes(each.name) && drop.measured().includes(each.name));
  const apart = away.length
    ? build(
        "span",
        { class: "tag", title: "The model was never trained on it." },
        "out of distribution: " + away.map((each) => each.name).join(", "),
      )
    : null;
  const tag = standIns.length
    ? build(
        "span",
        { class: "tag tag-warn", title: standIns.map((each) => each.title).join("; ") },
        "stand-in data: " + standIns.map((each) => each.name).join(", "),
      )
    : null;
  const named = model && build("span", {}, model.id + " ", build("code", {}, model.revision.slice(0, 8)));
  place.replaceChildren(...[named, tag, apart].filter((part) => part !== null));
}

/* -- data sets -------------------------------------------------------------------------------------------- */

/** @param {string} name */
function toggleSet(name) {
  const names = drop.state.sets.map((each) => each.name);
  const now = drop.measured();
  const next = now.includes(name) ? now.filter((each) => each !== name) : inOrder(names, [...now, name]);
  if (!next.length) {
    api.notify("One data set stays", "Something has to be measured: choose another one first.", "good");
    return;
  }
  drop.choose({ data: next.length === names.length ? [] : next });
}

/** @param {Schemas["DataSet"]} each */
function setChip(each) {
  const away = /** @type {Opened} */ (drop.state).model.held_out.includes(each.name);
  const held = away ? "; out of distribution: the model was never trained on it" : "";
  const label = each.name + (each.stand_in ? ", stand-in" : "") + ": " + each.title + held;
  return build(
    "button",
    {
      type: "button",
      class: "chip chip-set",
      title: each.title + held,
      "aria-label": label,
      "data-drop-set": each.name,
      onclick: () => toggleSet(each.name),
    },
    each.name,
    each.stand_in ? build("span", { class: "chip-note" }, "stand-in") : null,
    away ? build("span", { class: "chip-note" }, "OOD") : null,
  );
}

registerWidget("drop-sets", (host) => {
  host.addEventListener("keydown", units.moveWithArrows);
  return drop.subscribe((state, names) => {
    if (names.has("sets")) host.replaceChildren(...state.sets.map(setChip));
    if (!names.has("sets") && !names.has("choice")) return;
    const used = drop.measured();
    /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-drop-set]")).forEach((chip) => {
      chip.setAttribute("aria-pressed", String(used.includes(chip.dataset.dropSet ?? "")));
    });
  });
});

/** @param {Record<string, string>} texts */
const sentence = (texts) => words.choose(texts, drop.state.model);

registerWidget("drop-sentence", (host) =>
  drop.subscribe((state, names) => {
    if (names.has("choice") || names.has("model"))
      host.textContent = sentence(JSON.parse(/** @type {string} */ (host.dataset.kinds))[state.choice.kind]);
  }),
);
