/* The model and the sample that are chosen. */
import { chosenIn, follow, linkFrom } from "rs/lib/address.js";
import { setProps } from "rs/lib/dash.js";
import * as visited from "rs/lib/navigation/history.js";
import { bestPage, findModel, firstHere, here, pages, shows } from "rs/lib/models.js";
import * as words from "rs/lib/words.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Served } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @typedef {{model: string | null, sample: string | null}} Choice */

/** @type {Signal<Choice>} */
const selection = signal({ model: null, sample: null });
/** @type {Set<(model: string | null) => void>} */
const hearers = new Set();
/** The address of this page names no model and no sample. */
const HOME = "/";

/** Chooses a model, a sample or both; what is not named stays. @param {{model?: string, sample?: string}} changes */
export function choose(changes) {
  const now = selection.value;
  const next = { ...now, ...changes };
  if (next.model === now.model && next.sample === now.sample) return;
  setProps("selection", { data: next });
}

/** The address of a page with a choice. @param {Pick<Served, "path">} page @param {Partial<Choice>} [changes] */
export function linkOf({ path }, changes = {}) {
  void visited.shown.value; // what draws a link draws it again when the page that is open shows something else
  return path === HOME ? path : linkFrom(path, { ...selection.value, ...changes });
}

/** Opens a page with a model. @param {Pick<Served, "path">} page @param {string} model */
export const openWith = (page, model) => visited.open(linkOf(page, { model }));

/** Choose a model; open its best page where this page shows nothing of it. @param {string} id */
export function pick(id) {
  const [model, page] = [findModel(id), here()];
  const best = model && page && !shows(model, page) ? bestPage(model, pages()) : null;
  if (best) openWith(best, id);
  else choose({ model: id });
}

/** What follows from the choice and the models together: words, and a first model for who has chosen none. */
export function settle() {
  const { model } = selection.value;
  words.follow(findModel(model));
  const first = model ? null : firstHere();
  if (first) choose({ model: first.id });
}

/** Call the listener when another model is chosen, before its data. @param {(model: string | null) => void} listener */
export function onOtherModel(listener) {
  hearers.add(listener);
  return () => {
    hearers.delete(listener);
  };
}

/** @param {Partial<Choice> | null} chosen */
export function remember(chosen) {
  const before = selection.value;
  selection.value = { model: null, sample: null, ...(chosen || {}) };
  const { model, sample } = selection.value;
  if (chosen) follow(selection.value);
  if (before.model && model !== before.model) hearers.forEach((listener) => listener(model));
  settle();
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-pick-sample]")).forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.pickSample === sample));
  });
  return model;
}

export const current = () => selection.value;

/**
 * Opens the model that the address names, and then each that is chosen.
 *
 * @param {(model: string | null) => void} open @returns {Disposer}
 */
export function followModel(open) {
  let named = chosenIn(location.search).model;
  return effect(() => {
    const { model } = selection.value;
    const wanted = named ?? model;
    named = null;
    untracked(() => open(wanted));
  });
}
