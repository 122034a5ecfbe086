/* Interventions in words, as pages and files say them. */

/**
 * What is done to units, by the name that the service has for it.
 *
 * @type {Record<string, string>}
 */
const KINDS = { drop: "dropped", mute: "muted", mean: "set to their mean", resample: "resampled" };

const NAMED = 6; // units, routes and gates that are named one by one

/**
 * Names, or how many of `what` they are.
 *
 * @param {string[]} names
 * @param {string} what
 */
export const named = (names, what) =>
  names.length > NAMED ? names.length.toLocaleString("en") + " " + what : names.join(", ");

/**
 * What was done to units, a part a kind: "f1, f3 dropped".
 *
 * @param {(kind: string) => string[]} unitsOf
 * @param {string} plural what several units are called
 */
export const unitWords = (unitsOf, plural) =>
  Object.entries(KINDS)
    .map(([kind, word]) => ({ units: unitsOf(kind), word }))
    .filter(({ units }) => units.length)
    .map(({ units, word }) => named(units, plural) + " " + word);

/**
 * A route as it is read: "A \u2192 1.3".
 *
 * @param {string} route
 */
export const arrow = (route) => route.replace(">", " \u2192 ");

/** @param {[string, number]} gate a block and what its gate is fixed at */
export const gateWords = ([block, value]) => "gate of " + block + " at " + value;

/** @param {number} count of experts that a token takes */
export const expertsOf = (count) => count + (count === 1 ? " expert" : " experts") + " a token";
