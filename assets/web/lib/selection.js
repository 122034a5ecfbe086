/* The model and the sample that are chosen. */
import * as address from "rs/lib/address.js";
import { setProps } from "rs/lib/dash.js";
import { areKnown, findModel, firstHere } from "rs/lib/models.js";
import * as words from "rs/lib/words.js";

/** @type {{model: string | null, sample: string | null}} */
let selection = { model: null, sample: null };

/**
 * Chooses a model, a sample or both; what is not named stays.
 *
 * @param {{model?: string, sample?: string}} changes
 */
export function choose(changes) {
  const next = { ...selection, ...changes };
  if (next.model === selection.model && next.sample === selection.sample) return;
  setProps("selection", { data: next });
}

/** Says of a model that is chosen and not there, once it is known which are. */
export function sayUnknown() {
  if (selection.model && areKnown() && !findModel(selection.model))
    address.say(`"model" is ${selection.model}: there is no such model here. Choose another one above.`);
}

/** What follows from the choice and the models together: words, and a first model for who has chosen none. */
export function settle() {
  words.follow(findModel(selection.model));
  sayUnknown();
  const first = selection.model ? null : firstHere();
  if (first) choose({ model: first.id });
}

/** @param {{model?: string | null, sample?: string | null} | null} chosen */
export function remember(chosen) {
  selection = { model: null, sample: null, ...(chosen || {}) };
  if (chosen) address.follow(selection);
  settle();
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-pick-sample]")).forEach((button) => {
    button.setAttribute("aria-pressed", String(button.dataset.pickSample === selection.sample));
  });
  return selection.model;
}

export const current = () => selection;
