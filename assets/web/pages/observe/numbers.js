/* The numbers of an observation: means over steps, shares of labels, the null of chosen steps, and names of tokens. */
import { sortOf, stepLabel, stepWords } from "rs/lib/trace.js";

/** @import { Observation, Row, Values } from "rs/pages/observe/types.d.ts" */

const LEVEL = 0.95; // of the null
const WIDE = 5; // tokens in a row where no patches say how wide one is
const PATCH = /^patch:(\d+),(\d+)$/;

/** Row and column of a patch; null for another token. @param {string} token */
export function patchOf(token) {
  const match = PATCH.exec(token);
  return match && [Number(match[1]), Number(match[2])];
}

/** A token in words; patches are counted from 1. @param {string} token */
export function tokenWords(token) {
  const patch = patchOf(token);
  if (patch) return "patch " + (patch[0] + 1) + ", " + (patch[1] + 1);
  return token.replace("cls:", "CLS ").replace(":", " ");
}

/* -- steps ------------------------------------------------------------------------------------------------------ */

/** Steps in words, such as "mean over iterations 1 to 6". @param {string[]} steps @param {string[]} chosen */
export function wordsOfSteps(steps, chosen) {
  const names = chosen.length ? chosen : steps;
  const words = names.map(stepWords);
  if (words.length === 1) return words[0];
  if (words.length < steps.length) return "mean over " + words.join("; ");
  const sort = sortOf(steps);
  if (sort === "step") return "mean over " + words[0] + " to " + words.at(-1);
  return "mean over " + sort + "s " + names[0].slice(1) + " to " + names.at(-1)?.slice(1);
}

/** Places of the chosen steps; none chosen: all. @param {Observation} found @param {string[]} chosen */
export function placesOf({ steps }, chosen) {
  const places = steps.flatMap((step, at) => (chosen.includes(step) ? [at] : []));
  return places.length ? places : steps.map((_, at) => at);
}

/** Whether steps are named by script and iteration, such as s1.i2. @param {Observation} found */
export const severalScripts = ({ steps }) => steps.some((step) => step.includes("."));

/** Names of steps on axes: "3" for i3; codes where there are several scripts. @param {Observation} found */
export const stepNames = (found) => (severalScripts(found) ? found.steps : found.steps.map(stepLabel));

/** The chosen steps in few words over a picture. @param {Observation} found @param {string[]} chosen */
export function briefSteps(found, chosen) {
  if (!severalScripts(found)) return wordsOfSteps(found.steps, chosen);
  const names = placesOf(found, chosen).map((place) => found.steps[place]);
  if (names.length === 1) return names[0];
  return "mean over " + (names.length === found.steps.length ? names[0] + " to " + names.at(-1) : names.join(", "));
}

/** Mean of lists, element by element; null without a number. @param {Values[]} parts @returns {Values} */
function meanOf(parts) {
  const [first] = parts;
  if (Array.isArray(first))
    return first.map((_, at) => meanOf(parts.map((part) => /** @type {Values[]} */ (part)[at])));
  const counted = /** @type {number[]} */ (parts.filter((value) => value !== null));
  return counted.length ? counted.reduce((sum, value) => sum + value, 0) / counted.length : null;
}

/** The values of a variable. @param {Observation} found @param {string} name @returns {any} */
export function valuesOf(found, name) {
  const variable = found.variables[name];
  if (!variable) throw new Error("An observation has no variable " + name + ".");
  return variable.values;
}

/**
 * The mean of a variable over the chosen steps, its first axis.
 *
 * @param {Observation} found
 * @param {string} name
 * @param {string[]} chosen
 * @returns {any} nested lists, or a number
 */
export const overSteps = (found, name, chosen) =>
  meanOf(placesOf(found, chosen).map((place) => valuesOf(found, name)[place]));

/** Mean and 95th percentile of the mean over shuffles. @param {Observation} found @param {string[]} chosen */
export function nullOverSteps(found, chosen) {
  const places = placesOf(found, chosen);
  const draws = /** @type {Row[]} */ (valuesOf(found, "specialisation_null_draws"));
  const means = draws.flatMap(
    (draw) => /** @type {number | null} */ (meanOf(places.map((place) => draw[place]))) ?? [],
  );
  if (!means.length) return [null, null];
  const sorted = [...means].sort((a, b) => a - b);
  const at = LEVEL * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return [means.reduce((sum, value) => sum + value, 0) / means.length, low + (at % 1) * (high - low)];
}

/* -- units ------------------------------------------------------------------------------------------------------ */

/** @param {number | null} above @param {number | null} below */
export const ratio = (above, below) => (above !== null && below ? above / below : null);
/** @param {Row} row */
const sumOf = (row) => row.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0);
/** @param {Row[]} rows @param {number} column */
const columnSum = (rows, column) => sumOf(rows.map((row) => row[column]));

/** `share` p(unit | label), `lift`, `joint`, `usage` p(unit). @param {Observation} found @param {string[]} chosen */
export function labelMatrix(found, chosen) {
  const joint = /** @type {Row[]} */ (overSteps(found, "joint", chosen));
  const byUnit = joint.map(sumOf);
  const byLabel = found.labels.map((_, label) => columnSum(joint, label));
  const total = sumOf(byUnit);
  return {
    joint,
    share: joint.map((row) => row.map((value, label) => ratio(value, byLabel[label]))),
    lift: joint.map((row, unit) =>
      row.map((value, label) => ratio((value ?? 0) * total, byUnit[unit] * byLabel[label])),
    ),
    usage: byUnit.map((value) => ratio(value, total)),
  };
}

/** Share of each token's routing, by unit and token. @param {Observation} found @param {string[]} chosen */
export function byPosition(found, chosen) {
  const joint = /** @type {Row[]} */ (overSteps(found, "by_position", chosen));
  const sums = found.tokens.map((_, token) => columnSum(joint, token));
  return joint.map((row) => row.map((value, token) => ratio(value, sums[token])));
}

/** Whether each unit is dropped at all chosen steps. @param {Observation} found @param {string[]} [chosen] */
export function droppedIn(found, chosen = []) {
  const prefixes = placesOf(found, chosen).map((place) => /^(.*\.)?/.exec(found.steps[place])?.[0] ?? "");
  return found.units.map((unit) => prefixes.every((prefix) => found.intervention.drop.includes(prefix + unit)));
}

/** How many units take part in a step at most. @param {Observation} found */
export const takingPart = (found) => Math.max(...valuesOf(found, "units_taking_part"));

/** Number of tokens whose similarity was measured. @param {Observation} found @param {string[]} [chosen] */
export function rowsUsed(found, chosen = []) {
  const rows = placesOf(found, chosen).map((place) => /** @type {number} */ (valuesOf(found, "cka_rows")[place]));
  const [least, most] = [Math.min(...rows), Math.max(...rows)].map((count) => count.toLocaleString("en"));
  return least === most ? least : least + " to " + most;
}

/* -- tokens ----------------------------------------------------------------------------------------------------- */

/**
 * Places of tokens in rows of one width, null where a row has fewer: patches as they lie, below them tokens of other kinds,
 * each kind from a new row on, CLS tokens last.
 *
 * @param {string[]} tokens
 * @returns {{rows: (number | null)[][], patches: number}} `patches`: rows of patches
 */
export function tokenRows(tokens) {
  const lie = tokens.map(patchOf);
  const height = Math.max(0, ...lie.map((place) => (place ? place[0] + 1 : 0)));
  const width = Math.max(0, ...lie.map((place) => (place ? place[1] + 1 : 0))) || WIDE;
  const rows = Array.from({ length: height }, () =>
    Array.from({ length: width }, () => /** @type {number | null} */ (null)),
  );
  /** @type {Map<string, number[]>} */
  const kinds = new Map();
  lie.forEach((place, at) => {
    if (place) rows[place[0]][place[1]] = at;
    else {
      const kind = tokens[at].split(":")[0];
      kinds.set(kind, [...(kinds.get(kind) ?? []), at]);
    }
  });
  const others = [...kinds].sort(([a], [b]) => Number(a === "cls") - Number(b === "cls"));
  for (const [, places] of others)
    for (let first = 0; first < places.length; first += width)
      rows.push(Array.from({ length: width }, (_, at) => places[first + at] ?? null));
  return { rows, patches: height };
}

/** Names of tokens in cells, without their kind and what all names of a kind begin with. @param {string[]} tokens */
export function shortTokens(tokens) {
  const parts = tokens.map((token) => ({
    kind: token.slice(0, token.lastIndexOf(":")),
    name: token.slice(token.lastIndexOf(":") + 1),
  }));
  return parts.map(({ kind, name }) => {
    const names = parts.filter((part) => part.kind === kind).map((part) => part.name);
    if (names.length === 1) return name;
    let common = 0;
    while (common < name.length && names.every((other) => other[common] === name[common])) common += 1;
    return name.slice(common);
  });
}
