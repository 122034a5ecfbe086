/* What an evaluation says in words and large numbers: how much it covers, what was left out, what it changed. */
import { build } from "rs/lib/dom.js";
import { fixed, percentOf, range, signed, whole } from "rs/lib/format.js";
import { chosen, measure as wordsMeasure, of as wordsOf } from "rs/lib/words.js";

/** @import { Declared, Schemas } from "rs/lib/types.d.ts" */

export const NONE = "\u2013";

/** @param {Pick<Schemas["Evaluation"], "data">} evaluation */
export function samplesIn(evaluation) {
  return evaluation.data.reduce((sum, each) => sum + each.count, 0);
}

/**
 * How many samples the figures cover so far.
 *
 * @param {Schemas["Evaluation"]} evaluation
 */
export function covered(evaluation) {
  if (evaluation.state === "done" || evaluation.phase === "controls") return samplesIn(evaluation);
  if (!evaluation.accuracy) return 0;
  const counted = evaluation.by_domain.reduce((sum, each) => sum + each.count, 0);
  return counted || Math.min(evaluation.done, samplesIn(evaluation));
}

export const WHOLE = "nothing left out";
const NAMED = 6; // units that are named one by one
/** @type {Record<string, string>} */
const KINDS = { drop: "removed", mute: "muted", mean: "set to their mean", resample: "resampled" };

const ROUTES = 4; // routes and gates that are named one by one

/**
 * What was done to routes and gates between blocks, in words; "" for nothing.
 *
 * @param {{mute_routes?: string[], copy_routes?: string[], gates?: Record<string, number>}} intervention
 */
export function routeWords({ mute_routes: muted = [], copy_routes: copies = [], gates = {} }) {
  /** @param {string} route */
  const arrow = (route) => route.replace(">", " \u2192 ");
  const parts = [
    ...muted.map((route) => arrow(route) + " muted"),
    ...copies.map((route) => arrow(route) + " copied"),
    ...Object.entries(gates).map(([block, value]) => "gate of " + block + " at " + value),
  ];
  return parts.length > ROUTES ? parts.length + " routes and gates changed" : parts.join(", ");
}

/**
 * What was done, in words: "f1, f3 removed; 4 iterations"; many units are counted.
 *
 * @param {Pick<Schemas["Evaluation"], "intervention">} evaluation
 * @param {Declared | null} [model] whose units are named; without one those of the model that is chosen
 */
export function words({ intervention }, model = chosen()) {
  const { units: plural, pass, passes } = wordsOf(model);
  const named = /** @type {Record<string, string[] | undefined>} */ (/** @type {unknown} */ (intervention));
  const parts = Object.keys(KINDS)
    .map((kind) => ({ kind, units: named[kind] || [] }))
    .filter(({ units }) => units.length)
    .map(
      ({ kind, units }) =>
        (units.length > NAMED ? whole(units.length) + " " + plural : units.join(", ")) + " " + KINDS[kind],
    );
  const { keep_edges: edges, iterations } = intervention;
  if (edges !== null && edges !== undefined) parts.push(percentOf(edges) + " % of edges kept");
  const routes = routeWords(intervention);
  if (routes) parts.push(routes);
  if (iterations) parts.push(iterations + " " + (iterations === 1 ? pass : passes));
  return parts.join("; ") || WHOLE;
}

/**
 * What an answer by chance is right at, of a model with labels.
 *
 * @param {Pick<Schemas["ModelDetail"], "labels"> | null} model
 */
export const chanceOf = (model) => (model && model.labels.length ? 1 / model.labels.length : null);

/**
 * What files say about where the numbers of an evaluation come from.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {(keyof Schemas["Evaluation"]["intervention"])[]} parts of the intervention that its page knows
 * @param {Record<string, unknown>} [more]
 */
export function factsOf(evaluation, parts, more = {}) {
  return {
    model: evaluation.model,
    revision: evaluation.revision,
    seed: null, // no evaluation says what its random sets were drawn with
    ...Object.fromEntries(parts.map((part) => [part, evaluation.intervention[part] ?? null])),
    ...more,
    data: evaluation.data,
    samples: samplesIn(evaluation),
    samples_scored: covered(evaluation),
    state: evaluation.state,
    evaluation: evaluation.id,
    kind: "caused",
  };
}

/* -- numbers ---------------------------------------------------------------------------------------------- */

/**
 * A large number with its name, unit and range: {body, show(value, unit, detail, mood), name(text)}; a main one is larger.
 *
 * @param {string} name
 * @param {{id?: string | null, main?: boolean}} [options]
 */
export function tile(name, { id = null, main = false } = {}) {
  const part = (/** @type {string} */ which) => build("span", { class: "number-" + which });
  const parts = { value: part("value"), unit: part("unit"), range: part("range") };
  const label = build("span", { class: "number-name" }, name);
  const body = build("div", { class: "number" + (main ? " number-main" : ""), id }, label);
  body.append(build("span", { class: "number-line" }, parts.value, " ", parts.unit), parts.range);
  /**
   * @param {string} value
   * @param {string} [unit]
   * @param {string} [detail]
   * @param {string} [mood]
   */
  const show = (value, unit, detail, mood) => {
    parts.value.textContent = value;
    parts.unit.textContent = unit || "";
    parts.range.textContent = detail || "";
    body.dataset.mood = mood || "";
  };
  const rename = (/** @type {string} */ text) => (label.textContent = text);
  return { body, show, name: rename };
}

/**
 * Whether a change is for better or worse where its interval leaves nothing out; `higher`: whether more is better.
 *
 * @param {{low: number | null, high: number | null}} interval
 */
export function moodOf({ low, high }, higher = true) {
  if (high !== null && high < 0) return higher ? "bad" : "good";
  return low !== null && low > 0 ? (higher ? "good" : "bad") : "";
}

/**
 * Behind the ends of an interval, or of a difference.
 *
 * @param {string} unit
 */
const behind = (unit) => (unit ? " " + unit : "");

/** @typedef {ReturnType<typeof tile>} Tile */

/**
 * @param {Pick<Schemas["Evaluation"], "loss">} evaluation
 * @param {{lossUnit: string}} measure
 * @returns {[string, string]}
 */
const loneLoss = ({ loss }, { lossUnit }) => [loss ? fixed(loss.value, 3) : NONE, lossUnit];

/**
 * Fills the tiles of a figure, its paired change and the loss, by the measure of an evaluation.
 *
 * @param {{accuracy: Tile, change: Tile, loss: Tile}} tiles
 * @param {Pick<Schemas["Evaluation"], "measure" | "accuracy" | "change" | "loss">} evaluation
 * @param {{none?: string}} [options]
 */
export function showFigures(tiles, evaluation, { none = "" } = {}) {
  const measure = wordsMeasure(evaluation.measure);
  const { accuracy: a, change: c, loss: l } = evaluation;
  tiles.accuracy.name(measure.title);
  if (a) tiles.accuracy.show(measure.show(a.value), measure.unit, range(a, measure.show, behind(measure.unit)));
  else tiles.accuracy.show(NONE, measure.unit, "");
  if (!c) {
    tiles.change.show(NONE, measure.changeUnit, none);
    return tiles.loss.show(...loneLoss(evaluation, measure));
  }
  const more = (/** @type {number} */ value) => signed(value, 2);
  const mood = moodOf(c.accuracy, measure.higher);
  tiles.change.show(measure.change(c.accuracy.value), measure.changeUnit, range(c.accuracy, measure.change, ""), mood);
  const unit = (measure.lossUnit ? measure.lossUnit + ", " : "") + more(c.loss.value);
  return tiles.loss.show(l ? fixed(l.value, 3) : NONE, unit, range(c.loss, more, ""));
}
