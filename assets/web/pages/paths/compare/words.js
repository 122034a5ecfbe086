/* What is said of A and B: whether they can be compared, whether what differs is observed or caused, and how much. */
import { fixed, signed } from "rs/lib/format.js";
import { stepWords } from "rs/lib/trace.js";
import { commonSteps } from "rs/pages/paths/compare/difference.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { View } from "rs/pages/paths/types.d.ts" */
/** @import { Change, Difference, EdgeChange, EdgeDifference, TokenDifference } from "rs/pages/paths/compare/difference.js" */

/** @param {unknown} one @param {unknown} other */
const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @param {View} view */
const placesOf = ({ tokens, info: { grid } }) => [
  tokens.map(({ name, kind, row, column }) => [name, kind, row, column]),
  grid,
];

/** @param {Schemas["TraceInfo"]} info */
const doneTo = ({ intervention: { drop, mute, iterations = null, keep_edges = null, top_k = null } }) =>
  [drop.toSorted(), mute.toSorted(), iterations, keep_edges, top_k]; // prettier-ignore

/** What A and B differ in. @param {Schemas["TraceInfo"]} a @param {Schemas["TraceInfo"]} b */
const differIn = (a, b) => ({
  model: a.model !== b.model || a.revision !== b.revision,
  sample: a.sample !== b.sample,
  intervention: !alike(doneTo(a), doneTo(b)),
});

/**
 * What differs between two paths of one sample through one model is caused by the intervention; else it is observed.
 *
 * @type {(a: Schemas["TraceInfo"], b: Schemas["TraceInfo"]) => "same" | "caused" | "observed"}
 */
export function kindOf(a, b) {
  const { model, sample, intervention } = differIn(a, b);
  if (model || sample) return "observed";
  return intervention ? "caused" : "same";
}

/** @param {string[]} names */
const range = (names) => (names.length > 1 ? names[0] + " to " + names.at(-1) : (names[0] ?? "none"));

/** @param {View} view */
const cutAs = ({ tokens, info: { grid } }) =>
  (grid && grid.rows ? grid.rows + " x " + grid.columns + " patches, " : "") + tokens.length + " tokens";

/** Why no difference of two paths can be drawn, in words; "" where one can. @param {View} a @param {View} b */
export function whyNot(a, b) {
  if (Boolean(a.circuit) !== Boolean(b.circuit))
    return "There is no difference to draw: in one of them tokens go through functions, in the other modules read each other.";
  if (!alike(a.units, b.units))
    return `There is no difference to draw: A has ${a.units.length} units, ${range(a.units)}, B ${b.units.length}, ${range(b.units)}.`;
  if (!alike(placesOf(a), placesOf(b)))
    return `There is no difference to draw: A cuts its sample into ${cutAs(a)}, B into ${cutAs(b)}.`;
  const differs = a.info.model !== b.info.model && !alike(a.steps, b.steps);
  if (differs || !commonSteps(a, b).length)
    return `There is no difference to draw: A has ${a.steps.length} steps, ${range(a.steps)}, B ${b.steps.length}, ${range(b.steps)}.`;
  return "";
}

/** What one has to know of how A and B are compared. @param {View} a @param {View} b */
export function caveats(a, b) {
  const { model, sample, intervention } = differIn(a.info, b.info);
  const said = [];
  if (model)
    said.push(
      `Units of two models are compared by their names; what ${b.units[0]} of one does, ${b.units[0]} of the other need not do.`,
    );
  if (sample) said.push("Two samples are compared by place: a token of B with the token of A at the same place.");
  if (intervention && (model || sample))
    said.push("More than the intervention differs, so nothing here is said to be caused by it.");
  const [most, count] = [Math.max(a.steps.length, b.steps.length), commonSteps(a, b).length];
  if (count < most) said.push(`Compared are the ${count} steps that both have.`);
  return said;
}

/** @param {number} value @param {boolean} shares whether it is a share that may be small */
const weight = (value, shares) => (shares ? fixed(100 * value, 1) + " %" : fixed(value, 2));

/** "0.12 in A, 0.81 in B (+0.69)". @param {Pick<Change, "a" | "b" | "change">} change @param {boolean} [shares] */
export function changeWords({ a, b, change }, shares = false) {
  const by = shares ? signed(100 * change, 1) + " points" : signed(change, 2);
  return weight(a, shares) + " in A, " + weight(b, shares) + " in B (" + by + ")";
}

/** @param {TokenDifference} difference @param {Change} change */
export const routeWords = ({ b, units, steps }, { step, unit, token }) =>
  b.label(token) + " through " + units[unit] + " in " + stepWords(steps[step]);

/** @param {EdgeDifference} difference @param {EdgeChange} change */
export function edgeWords({ b, units, columns }, { column, from, to }) {
  const { name, output } = columns[column];
  if (output) return "the output of " + units[from];
  return column ? `${units[to]} of ${units[from]} in ${stepWords(name)}` : `${units[to]} of ${b.label(from)}`;
}

/** What tokens with a place are called, one of them. @param {TokenDifference["b"]} view */
const placedAs = (view) => (view.candidate ? "panel" : view.numbers.length ? "number" : "patch");

/** @param {number} count @param {number} of @param {string} what */
const part = (count, of, what) => count + " of " + of + " " + what + (of === 1 ? "" : what === "patch" ? "es" : "s");

/** The difference at a step and over all, in one sentence or two. @param {Difference} difference @param {number} step */
export const summary = (difference, step) =>
  difference.edges ? edgeSummary(difference, step) : tokenSummary(difference, step);

/** @param {TokenDifference} difference @param {number} step */
function tokenSummary(difference, step) {
  const { b, steps, tokens, perStep, elsewhere, largest, staying } = difference;
  if (!largest) return "Every token goes through every function with the same compatibility in A and in B.";
  const at = Math.min(step, steps.length - 1);
  const { of, rerouted } = perStep[at];
  const [patches, cls] = [b.patches.length, b.classTokens.length];
  const others = tokens.length - patches - cls;
  const parts = [
    patches ? part(of.patch + of.panel + of.number, patches, placedAs(b)) : "",
    others ? part(of.token + of.text, others, "token") : "",
    cls ? part(of.cls, cls, "CLS token") : "",
  ].filter(Boolean);
  const go = rerouted === 1 && parts.length === 1 ? " goes" : " go";
  return [
    parts.join(" and ") + go + " through another function in " + stepWords(steps[at]) + "; ",
    part(elsewhere, tokens.length, "token") + " take another path over the " + steps.length + " steps. ",
    ofWhich(largest, staying, "function") + routeWords(difference, staying ?? largest) + ", ",
    changeWords(staying ?? largest) + ".",
  ].join("");
}

/** What a largest change is of: where units are away, of those that stay. @param {{change: number}} largest @param {{change: number} | null} staying @param {string} unit */
const ofWhich = (largest, staying, unit) =>
  !staying || staying.change === largest.change ? "Largest change: " : "Largest change of a " + unit + " that stays: ";

/** @param {EdgeDifference} difference @param {number} step */
function edgeSummary(difference, step) {
  const { b, steps, columns, patches, largest, staying } = difference;
  if (!largest) return "Every module reads the same in A and in B.";
  const { name, moved } = columns[Math.min(step, steps.length - 1)];
  const read = b.patches.length ? part(patches, b.patches.length, "patch") + " are read most by another module. " : "";
  const shown = staying ?? largest;
  return [
    fixed(100 * moved, 1) + " % of the attention in " + stepWords(name) + " goes elsewhere" + (read ? "; " : ". "),
    read,
    ofWhich(largest, staying, "module") + "what " + edgeWords(difference, shown).replace(" of ", " reads of ") + ", ",
    changeWords(shown, true) + ".",
  ].join("");
}
