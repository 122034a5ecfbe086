/* What is pinned, in words. */
import * as api from "rs/lib/api.js";
import { percentOf } from "rs/lib/format.js";
import { findModel, inputsOf } from "rs/lib/models.js";
import { listed } from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Pinned } from "rs/lib/navigation/pinned.js" */

/** @typedef {Pick<Schemas["Sample"], "id" | "name" | "label" | "set" | "set_title" | "stand_in" | "origin"> & {label_name?: string | null}} Known */

/** What is known of samples by their ids, once it has come. */
const samples = signal(/** @type {Record<string, Known>} */ ({}));
/** @type {Map<string, Promise<Known>>} */
const asked = new Map();

/**
 * A sample as the API has it: a picture, or for a model of another kind of input one of these, which has no label but where
 * it is one of the answers that the sample shows.
 *
 * @param {string} id
 * @param {string} model
 * @returns {Promise<Known>}
 */
async function asksFor(id, model) {
  if ((await inputsOf(model)) === "images") return api.send("GET", "/samples/" + encodeURIComponent(id));
  /** @type {Schemas["ScoredTable"]} */
  const {
    set,
    set_title,
    stand_in,
    panels,
    label: right,
    label_name,
  } = await api.send("GET", "/tables/" + encodeURIComponent(id));
  const own = set === null; // somebody wrote it: its title is its name
  const label = panels && right >= 0 ? right : null;
  const origin = own ? "upload" : "data";
  return { id, name: own ? set_title : id, label, label_name, set, set_title, stand_in, origin };
}

/** What is known of a sample; asked for once. @param {string} id @param {string} model @returns {Promise<Known>} */
export function sampleOf(id, model) {
  const there = asked.get(id);
  if (there) return there;
  const coming = asksFor(id, model);
  asked.set(id, coming);
  coming.then(
    (sample) => (samples.value = { ...samples.peek(), [id]: sample }),
    () => asked.delete(id),
  );
  return coming;
}

/** A sample: its name or place, and its label once it is known. @param {string} id @param {string} model */
function sampleWords(id, model) {
  const sample = samples.value[id];
  if (!sample) sampleOf(id, model).catch(() => {}); // its id says which one it is
  const name = id.includes(".") ? id : sample?.name || "a sample of yours";
  return name + (sample && sample.label !== null ? ", label " + (sample.label_name ?? sample.label) : "");
}

/** What is done to a model: "without f1, f3; f2 muted; 2 iterations"; "" for nothing. @param {Pinned} view */
export function interventionWords(view) {
  const { drop, mute, mean, resample, edges, iterations, top_k } = view;
  const { pass, passes } = words.of(findModel(view.model));
  return [
    drop.length ? "without " + listed(drop) : "",
    mute.length ? listed(mute) + " muted" : "",
    mean.length ? listed(mean) + " at the mean" : "",
    resample.length ? listed(resample) + " resampled" : "",
    edges !== null ? percentOf(edges) + " % of the edges" : "",
    iterations !== null ? iterations + " " + (iterations === 1 ? pass : passes) : "",
    top_k !== null ? words.expertsOf(top_k) : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** All of it: "ni-digits, mnist.validation.3, label 7, without f1, f3". @param {Pinned} view */
export const pinnedWords = (view) =>
  [view.model, view.sample && sampleWords(view.sample, view.model), interventionWords(view) || "no intervention"]
    .filter(Boolean)
    .join(", ");
