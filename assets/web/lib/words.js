/* Words that follow the model: what its units and its steps are called, by the fields that it declares and never by its
   name. */
import { figure, percent, points, whole } from "rs/lib/format.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Declared, Words } from "rs/lib/types.d.ts" */

const model = signal(/** @type {Declared | null} */ (null));

/** What is declared of the model that is chosen, or null; who draws it draws it again for another one. */
export const chosen = () => model.value;

/** What a unit is called, by a field of models that have such. @type {Record<string, string>} */
const NAMED = { router_logits: "expert", compatibility: "function", messages: "module", multiplexer_weights: "block" };

/** @param {string} name @param {Declared | null} of */
export const has = (name, of) => of !== null && (of.fields.includes(name) || of.constants.includes(name));

/**
 * What a unit, a pass and a step are called: {unit, a_unit, units, pass, passes, step, steps}. Where a model has several
 * scripts, a step is a script's iteration.
 *
 * @param {Declared | null} described
 * @returns {Words}
 */
export function of(described) {
  const unit = NAMED[Object.keys(NAMED).find((name) => has(name, described)) ?? ""] || "unit";
  // Where only so many can run, each has weights of its own: a layer. Networks of blocks run once, or any number.
  const limited = described && described.most_iterations !== null && described.most_iterations !== undefined;
  const layered = limited && described.inputs !== "blocks";
  const pass = layered ? "layer" : "iteration";
  const one = (/^[aeio]/.test(unit) ? "an " : "a ") + unit;
  const step = described?.steps?.some((name) => /^s\d+\./.test(name)) ? "step" : pass;
  return { unit, a_unit: one, units: unit + "s", pass, passes: pass + "s", step, steps: step + "s" };
}

/** @param {string} text @param {Words | Record<string, string>} words */
const filled = (text, words) =>
  text.replace(/\{(\w)(\w*)\}/g, (_, first, rest) => {
    const word = words[first.toLowerCase() + rest];
    return first === first.toUpperCase() ? word[0].toUpperCase() + word.slice(1) : word;
  });

/** A field of models whose units share tokens, as most do. */
const FUNCTIONS = "compatibility";

/**
 * Of `texts` (by field or kind of input, or "" for every model) the first that a model has, with its words in. A model that
 * has none of them gets no text: a text about another family is wrong.
 *
 * @param {Record<string, string>} texts
 * @param {Declared | null} [described]
 */
export function choose(texts, described = chosen()) {
  const names = Object.keys(texts);
  const before = names.find((key) => key === FUNCTIONS) ?? names[0]; // until a model is chosen, as the service does
  const name = names.find((key) => !key || key === described?.inputs || has(key, described));
  return filled(texts[name ?? (described ? "" : before)] ?? "", of(described));
}

/** @param {Declared | null} next */
export function follow(next) {
  const now = model.peek();
  if (next === now || (next && now && JSON.stringify(next) === JSON.stringify(now))) return;
  model.value = next;
}

/* -- what the heads of the model are measured by ------------------------------------------------------------ */

/** @import { Measure } from "rs/lib/types.d.ts" */

/** @type {Measure} */
const ACCURACY = { name: "accuracy", unit: "", higher_is_better: true };
const measured = signal(ACCURACY); // what the page's last evaluation said

/**
 * How figures by a measure are written: its `name`, as a heading, several of them; `show` and `change` with their units
 * for a value and a difference, `by` behind a difference in words, `column` in tables; the unit of the loss.
 *
 * @param {Measure | null} [given]
 */
export function measure(given = measured.value) {
  const { name, unit, higher_is_better: higher } = given || ACCURACY;
  if (name === ACCURACY.name) {
    const said = { name, title: "Accuracy", plural: "accuracies", unit: "%", changeUnit: "points", column: "share" };
    return { ...said, share: true, higher, show: percent, change: points, by: "points of accuracy", lossUnit: "nats" };
  }
  /** @param {number} value @param {number} [like] */
  const change = (value, like) => (value > 0 ? "+" : "") + figure(value, like);
  const said = { name, title: name[0].toUpperCase() + name.slice(1), plural: "values of " + name, unit };
  const lossUnit = unit === "bits" ? "nats" : ""; // what costs bits is learned by its cross-entropy
  const by = (unit ? unit + " of " : "in ") + name;
  return {
    ...said,
    changeUnit: unit || name,
    column: unit || name,
    share: false,
    higher,
    show: figure,
    change,
    by,
    lossUnit,
  };
}

/** A value with its unit. @param {{ show: (value: number) => string, unit: string }} measure @param {number} value */
export const withUnit = ({ show, unit }, value) => show(value) + (unit ? " " + unit : "");

/** Follow the measure of the page's evaluation; null: accuracy. @param {Measure | null} next */
export function followMeasure(next) {
  const now = next || ACCURACY;
  const before = measured.peek();
  if (now.name !== before.name || now.unit !== before.unit) measured.value = now;
}

/** A text with the measure's words for {accuracy}, {accuracies} and {points}. @param {string} text */
export function measuredText(text) {
  const said = measure();
  return filled(text, { accuracy: said.name, accuracies: said.plural, points: said.changeUnit });
}

/** Why muting is not offered; "" where it is. @param {{id: string, mute_refusal?: string | null} | null} described */
export const muteRefusal = (described) =>
  described?.mute_refusal ? "Muting is not offered: " + sentence(described.mute_refusal) : "";

/** @param {string} text with a full stop at its end */
const sentence = (text) => (/[.!?]$/.test(text) ? text : text + ".");

/** Which recorded routing is not verified, in words; "" where all is. @param {Declared | null} described */
export const unverified = (described) =>
  described?.unverified_routing ? "unverified routing: " + described.unverified_routing : "";

/** Measures of expert use, as all pages say them. @type {Record<"tokens" | "weight" | "probability", string>} */
export const USES = { tokens: "token count", weight: "routing weight", probability: "probability" };

export { chosen as model };

/**
 * The links that are drawn, in words: "1 of 1,770 kept links, 79 cut in grey".
 *
 * @param {{live: number, cut: number}} drawn as lib/links.js counts them
 * @param {number} kept links of the whole graph
 * @param {number} every link of the graph; where all are kept, the words leave it out
 */
export const linksWords = ({ live, cut }, kept, every) =>
  whole(live) +
  " of " +
  whole(kept) +
  (kept === every ? " link" : " kept link") +
  (kept === 1 ? "" : "s") +
  (cut ? ", " + whole(cut) + " cut in grey" : "");

/* -- interventions ---------------------------------------------------------------------------------------------- */

/** What is done to units, by the name that the service has for it. @type {Record<string, string>} */
const KINDS = { drop: "dropped", mute: "muted", mean: "set to their mean", resample: "resampled" };

const ONE_BY_ONE = 6; // units, routes and gates that are named one by one

/** Names, or how many of `what` they are. @param {string[]} names @param {string} what */
export const named = (names, what) =>
  names.length > ONE_BY_ONE ? names.length.toLocaleString("en") + " " + what : names.join(", ");

/** Units by intervention: "f1, f3 dropped". @param {(kind: string) => string[]} unitsOf @param {string} plural */
export const unitWords = (unitsOf, plural) =>
  Object.entries(KINDS)
    .map(([kind, word]) => ({ units: unitsOf(kind), word }))
    .filter(({ units }) => units.length)
    .map(({ units, word }) => named(units, plural) + " " + word);

/** A route as it is read: "A \u2192 1.3". @param {string} route */
export const arrow = (route) => route.replace(">", " \u2192 ");

/** @param {[string, number]} gate a block and what its gate is fixed at */
export const gateWords = ([block, value]) => "gate of " + block + " at " + value;

/** @param {number} count of experts that a token takes */
export const expertsOf = (count) => count + (count === 1 ? " expert" : " experts") + " a token";
