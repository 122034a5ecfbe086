/* Colours of the sentences on the maps: by kind of reasoning, by object or by the colour that they speak of. */

/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/circuits/types.d.ts" */

const LARGEST = 12; // groups with a colour of their own; the smaller ones share one
export const BY = { kind: "kind of reasoning", object: "object", colour: "colour that is said" };
// A sentence about red things is red: colours that are words.
/** @type {Record<string, string>} */
const WORDS = {
  red: "#d62728", green: "#2f9e44", blue: "#1c6fd1", yellow: "#e0b400", purple: "#8e5bb5", orange: "#f08c00",
  black: "#3b4048", white: "#c9d1d9", pink: "#f06595", brown: "#8c5a3c", grey: "#868e96", gray: "#868e96",
  silver: "#adb5bd", gold: "#c99700", beige: "#cbb994", teal: "#0b8a8a",
}; // prettier-ignore

/**
 * What groups there are: the group of each sentence, the colours of groups, and what a legend says of them.
 *
 * @param {Schemas["SentenceMap"]} info
 * @param {Choice["colour_by"]} by
 * @param {Pick<Theme, "unit" | "unmatched">} theme
 */
export function colouring({ points, kinds, objects }, by, theme) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  const countOf = (/** @type {string} */ name) => counts.get(name) || 0;
  for (const { [by]: name } of points) if (name !== null) counts.set(name, countOf(name) + 1);
  const known = { kind: kinds, object: objects, colour: /** @type {string[]} */ ([]) }[by];
  const order = [...counts.keys()].sort(
    (a, b) => known.indexOf(a) - known.indexOf(b) || countOf(b) - countOf(a) || (a < b ? -1 : 1),
  );
  const paintOf = (/** @type {string} */ name, /** @type {number} */ at) =>
    (by === "colour" && WORDS[name]) || (at < LARGEST ? theme.unit(at) : theme.unmatched);
  const place = new Map(order.map((name, at) => [name, at]));
  const entries = order.map((name, at) => ({ name, count: countOf(name), paint: paintOf(name, at) }));
  const without = points.length - entries.reduce((sum, { count }) => sum + count, 0);
  if (without) entries.push({ name: "none", count: without, paint: theme.unmatched });
  const of = Int32Array.from(points, (point) => place.get(/** @type {string} */ (point[by])) ?? order.length);
  return { of, paints: [...entries.map(({ paint }) => paint), theme.unmatched], entries };
}
