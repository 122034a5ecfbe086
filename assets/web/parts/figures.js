/* What an evaluation says in words and large numbers: how much it covers, what was left out, what it changed. */
import { estimate, figure, percentOf, together } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import {
  arrow,
  chosen,
  expertsOf,
  gateWords,
  measure as wordsMeasure,
  of as wordsOf,
  unitWords,
} from "rs/lib/words.js";

/** @import { Declared, Schemas } from "rs/lib/types.d.ts" */

export const NONE = "\u2013";

/** @param {Pick<Schemas["Evaluation"], "data">} evaluation */
export function samplesIn(evaluation) {
  return evaluation.data.reduce((sum, each) => sum + each.count, 0);
}

/** How many samples the figures cover so far. @param {Schemas["Evaluation"]} evaluation */
export function covered(evaluation) {
  if (evaluation.state === "done" || evaluation.phase === "controls") return samplesIn(evaluation);
  if (!evaluation.accuracy) return 0;
  const counted = evaluation.by_domain.reduce((sum, each) => sum + each.count, 0);
  return counted || evaluation.covered || 0;
}

export const WHOLE = "nothing dropped";
const ROUTES = 4; // routes and gates that are named one by one

/**
 * What was done to routes and gates between blocks, in words; "" for nothing.
 *
 * @param {{mute_routes?: string[], copy_routes?: string[], gates?: Record<string, number>}} intervention
 */
export function routeWords({ mute_routes: muted = [], copy_routes: copies = [], gates = {} }) {
  const parts = [
    ...muted.map((route) => arrow(route) + " muted"),
    ...copies.map((route) => arrow(route) + " copied"),
    ...Object.entries(gates).map(gateWords),
  ];
  return parts.length > ROUTES ? parts.length + " routes and gates changed" : parts.join(", ");
}

/**
 * What was done, in words: "f1, f3 dropped; 4 iterations"; many units are counted.
 *
 * @param {Pick<Schemas["Evaluation"], "intervention">} evaluation
 * @param {Declared | null} [model] whose units are named; without one those of the model that is chosen
 */
export function words({ intervention }, model = chosen()) {
  const { units: plural, pass, passes } = wordsOf(model);
  const named = /** @type {Record<string, string[] | undefined>} */ (/** @type {unknown} */ (intervention));
  const parts = unitWords((kind) => named[kind] || [], plural);
  const { keep_edges: edges, iterations, top_k } = intervention;
  if (edges !== null && edges !== undefined) parts.push(percentOf(edges) + " % of links kept");
  const routes = routeWords(intervention);
  if (routes) parts.push(routes);
  if (iterations) parts.push(iterations + " " + (iterations === 1 ? pass : passes));
  if (top_k) parts.push(expertsOf(top_k));
  return parts.join("; ") || WHOLE;
}

/**
 * What was dropped of a graph, in words: "12 modules dropped, 40 % of the links kept".
 *
 * @param {{intervention: Pick<Schemas["InterventionBody"], "drop" | "keep_edges">}} evaluation
 */
export function cutWords({ intervention: { drop, keep_edges: keep } }) {
  const parts = [];
  if (drop.length) parts.push(drop.length === 1 ? drop[0] + " dropped" : drop.length + " modules dropped");
  if (keep !== null && keep !== undefined) parts.push(percentOf(keep) + " % of the links kept");
  return parts.join(", ") || WHOLE;
}

/** The accuracy of guessing, and its name. @param {Pick<Schemas["Evaluation"], "chance">} evaluation */
export const chanceOf = ({ chance }) =>
  chance ? { value: chance.value, words: chance.by === "copying" ? "copying an input" : "chance" } : null;

/* -- what training showed, and what it left out --------------------------------------------------------------- */

/** @type {Record<Schemas["Distribution"]["name"], string>} */
export const DISTRIBUTIONS = {
  in: "in distribution",
  unknown: "distribution unknown",
  out: "out of distribution",
};

/**
 * An evaluation apart for what training showed and for what it left out, so that no figure pools the two: in
 * distribution first. Where there is one of them, the evaluation as it is, of which nothing needs to be said.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @returns {{where: string, count: number | null, evaluation: Schemas["Evaluation"]}[]}
 */
export function apart(evaluation) {
  const parts = evaluation.by_distribution ?? [];
  if (parts.length < 2) return [{ where: "", count: null, evaluation }];
  return parts.map(({ name, count, accuracy, loss, baseline, change, ...groups }) => ({
    where: DISTRIBUTIONS[name],
    count,
    evaluation: {
      ...evaluation,
      ...groups,
      accuracy,
      loss,
      change,
      baseline: evaluation.baseline && { ...evaluation.baseline, ...baseline },
      control: evaluation.control && controlIn(evaluation.control, name),
    },
  }));
}

/** @typedef {Schemas["GroupEffect"] & {distribution?: string}} Group a label, a data set or a kind */

/**
 * The rows of a picture or table by group: where there are both distributions each group of each of them, none pooled.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {"by_label" | "by_domain" | "by_kind"} by
 * @returns {Group[]}
 */
export const groupsApart = (evaluation, by) =>
  apart(evaluation).flatMap(({ where, evaluation: part }) =>
    (part[by] ?? []).map((row) => (where ? { ...row, distribution: where } : row)),
  );

/** @param {Schemas["Control"]} control @param {Schemas["Distribution"]["name"]} name @returns {Schemas["Control"]} */
function controlIn(control, name) {
  const { mean = null, least = null, most = null } = control.by_distribution?.find((each) => each.name === name) ?? {};
  const sets = control.sets.map((each) => ({ ...each, accuracy: each.by_distribution?.[name] ?? each.accuracy }));
  return { ...control, mean, least, most, sets };
}

/** The name of a tile, and of what it is. @param {Said} said @param {string} where */
export const inPlace = (said, where) => (where ? { ...said, name: said.name + ", " + where } : said);

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

/** @typedef {{name: string, value: string, unit?: string, detail?: string, mood?: string}} Said what a tile says */

/** @param {Said} said */
const inTile = ({ name, value, unit = "", detail = "" }) => html`
  <span class="number-name">${name}</span>
  <span class="number-line">
    <span class="number-value">${value}</span>${" "}<span class="number-unit">${unit}</span>
  </span>
  <span class="number-range">${detail}</span>
`;

/** @param {boolean} main */
const lookOf = (main) => "number" + (main ? " number-main" : "");

/** A large number with its name, unit and range. @param {Said & {id?: string, main?: boolean}} props */
export const NumberTile = ({ id, main = false, ...said }) =>
  html`<div class=${lookOf(main)} id=${id} data-mood=${said.mood ?? ""}>${inTile(said)}</div>`;

/** Whether a change is beyond its interval's 0. @param {{low: number | null, high: number | null}} interval */
export function moodOf({ low, high }, higher = true) {
  if (high !== null && high < 0) return higher ? "bad" : "good";
  return low !== null && low > 0 ? (higher ? "good" : "bad") : "";
}

const UNCHANGED = "unchanged";

/** Whether a paired change is exactly 0. @param {{value: number, low: number | null, high: number | null}} change */
export const isStill = ({ value, low, high }) => !value && low === 0 && high === 0;

/**
 * What the tiles of a figure, its paired change and the loss say, by the measure of an evaluation.
 *
 * @param {Pick<Schemas["Evaluation"], "measure" | "accuracy" | "change" | "loss"> | null} evaluation
 * @param {{none?: string}} [options] said where there is no change
 */
export function figuresOf(evaluation, { none = "" } = {}) {
  const [change, loss] = [
    { name: "Paired change", value: NONE },
    { name: "Loss", value: NONE },
  ];
  if (!evaluation) return { accuracy: { name: "Accuracy", value: NONE }, change, loss };
  const measure = wordsMeasure(evaluation.measure);
  const { unit, changeUnit, lossUnit } = measure;
  const { accuracy: a, change: c, loss: l } = evaluation;
  const accuracy = { name: measure.title, unit };
  /** @param {number} value @param {number} [like] */
  const more = (value, like) => (value > 0 ? "+" : "") + figure(value, like);
  const still = c && [c.accuracy, c.loss].map(isStill);
  const lost = c && estimate(c.loss, more, "");
  return {
    accuracy: { ...accuracy, ...(a ? estimate(a, measure.show, unit ? " " + unit : "") : { value: NONE, detail: "" }) },
    change: c
      ? {
          ...change,
          ...estimate(c.accuracy, measure.change, ""),
          ...(still?.[0] ? { detail: UNCHANGED } : {}),
          unit: changeUnit,
          mood: moodOf(c.accuracy, measure.higher),
        }
      : { ...change, unit: changeUnit, detail: none },
    loss: {
      ...loss,
      value: l ? figure(l.value) : NONE,
      unit: lossUnit,
      detail: still?.[1] ? UNCHANGED : lost ? "change " + lost.value + (lost.detail && ", ") + lost.detail : "",
    },
  };
}

/** Kinds of ablation whose units random sets stand for. */
const ABLATIONS = /** @type {const} */ (["drop", "mute", "mean", "resample"]);

/**
 * Why an evaluation has no random sets, in words: none will come, or they come next.
 *
 * @param {Pick<Schemas["Evaluation"], "intervention" | "state">} evaluation
 * @param {string} [unit] what a unit is called
 */
export function controlWaits({ intervention, state }, unit = "unit") {
  if (!ABLATIONS.some((kind) => intervention[kind]?.length)) return "none: no " + unit + " is dropped";
  const { mute_routes: muted, copy_routes: copied, gates } = intervention;
  if (muted?.length || copied?.length || Object.keys(gates ?? {}).length) return "none: routes or gates are changed";
  return state === "done" ? "none: no other set is possible" : "scored next";
}

/**
 * What the tile of random sets says: their mean, between what they lie, and how many of them there are.
 *
 * @param {Pick<Schemas["Evaluation"], "control" | "measure">} evaluation
 * @param {object} its words of the page
 * @param {string} its.waiting while there is none
 * @param {(drawn: string, control: Schemas["Control"]) => string} its.sets
 * @param {(measure: ReturnType<typeof wordsMeasure>) => string} its.unit
 */
export function controlOf({ control, measure }, { waiting, sets, unit }) {
  if (!control) return { value: NONE, detail: waiting };
  const { draws, draws_done: done, mean, least, most } = control;
  const counted = sets(done + (done < draws ? " of " + draws : ""), control);
  if (mean === null) return { value: NONE, detail: counted };
  const by = wordsMeasure(measure);
  const between = done > 1 && least !== null && most !== null;
  const [value, ...ends] = together(by.show, [mean, least, most]);
  return { value, unit: unit(by), detail: (between ? ends.join(" to ") + ", " : "") + counted };
}

/* -- the same in lines ------------------------------------------------------------------------------------ */

/**
 * The lines of a table of accuracies, as it is and without what is left out.
 *
 * @param {Schemas["Evaluation"]} evaluation
 * @param {object} its words of the page, and what it tells besides
 * @param {string} its.named what is left out
 * @param {string} its.sets random ones
 * @param {boolean} [its.each] each of the random sets, and the loss
 * @param {boolean} [its.saved] the share of FLOPs that is saved
 * @param {Schemas["Timing"] | null} [timing] of both in turn: speeds of different moments are not set beside each other
 */
export function accuracyRows(evaluation, { named, sets, each = false, saved = false }, timing = null) {
  const { baseline, flops } = evaluation;
  const { name, column, lossUnit } = wordsMeasure(evaluation.measure);
  /** @type {unknown[][]} */
  const rows = [["what", "value", "low", "high", "unit"]];
  /** @param {string} what @param {Schemas["Interval"] | null} of @param {string} unit */
  const add = (what, of, unit) => of && rows.push([what, of.value, of.low ?? "", of.high ?? "", unit]);
  /** @param {string} what @param {number | null | undefined} value @param {string} unit */
  const lone = (what, value, unit) => value && rows.push([what, value, "", "", unit]);
  for (const { where, evaluation: part } of apart(evaluation)) {
    const { accuracy, baseline: before, change, control, loss } = part;
    const there = where && ", " + where;
    add(name + ", full model" + there, before && before.accuracy, column);
    add(name + ", " + named + there, accuracy, column);
    add("change of " + name + ", paired" + there, change && change.accuracy, column);
    if (each) add("loss, full model" + there, before && before.loss, lossUnit);
    if (each) add("loss, " + named + there, loss, lossUnit);
    add("change of loss, paired" + there, change && change.loss, lossUnit);
    if (control && control.mean !== null) {
      rows.push([sets + ": mean, least, most" + there, control.mean, control.least, control.most, column]);
      for (const { units, accuracy: of } of each ? control.sets : [])
        rows.push(["random set " + units.join(" ") + there, of, "", "", column]);
    }
  }
  lone("FLOPs, full model", baseline && baseline.flops, "per sample");
  lone("FLOPs, " + named, flops, "per sample");
  if (saved && evaluation.saved !== null) rows.push(["FLOPs saved", evaluation.saved, "", "", "share"]);
  if (timing) {
    add("throughput, times that of the full model", timing.ratio, "timed in turn, " + timing.rounds + " rounds");
    lone("throughput, full model", timing.baseline_samples_per_second, "samples per second");
    lone("throughput, " + named, timing.samples_per_second, "samples per second");
  }
  return rows;
}

/* -- importance ------------------------------------------------------------------------------------------------- */

/**
 * What the signs of a panel's values mean, for headers; empty where all values are figures.
 *
 * @param {Pick<Schemas["Importance"], "measure" | "shapley">} found
 * @param {string} key of a panel, or "importance" for all of them
 */
export function signsOf(found, key) {
  const helps = { shapley: "above 0: the unit helps" };
  const change = wordsMeasure(found.measure).higher ? "below 0: the unit helps" : "above 0: the unit helps";
  const pairs = { interactions: "below 0: each unit makes up for the loss of the other" };
  const single = { drop_effect: change, loss_change: "above 0: the unit helps" };
  if (key === "importance") return { ...helps, ...single, ...pairs };
  if (key === "effect") return { ...(found.shapley.length ? helps : {}), ...single };
  return key === "interactions" ? pairs : key === "convergence" ? helps : {};
}

/** The figure without any unit. @param {Pick<Schemas["Importance"], "measure" | "baseline" | "total">} found */
export const figureOfNone = ({ measure, baseline, total }) =>
  baseline + (wordsMeasure(measure).higher ? -1 : 1) * (total ?? 0);
