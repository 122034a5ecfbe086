/* Python code for a notebook, of a panel's facts: what each piece of code begins with, and values as Python writes them.
   Names and ids come from addresses and from people: they are only ever written as literals, or as comments of one line. */

/** @typedef {Record<string, unknown>} Facts */

/** What no reader sees, or what turns the order of characters round: control, format and other separators than a space. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** @param {string} character */
const named = (character) => {
  const code = /** @type {number} */ (character.codePointAt(0));
  return code > 0xffff ? "\\U" + code.toString(16).padStart(8, "0") : "\\u" + code.toString(16).padStart(4, "0");
};

/**
 * A value as a Python literal.
 *
 * @param {unknown} value of JSON
 * @returns {string}
 */
export function literal(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : 'float("nan")';
  if (typeof value === "string") return '"' + value.replace(/[\\"]/g, "\\$&").replace(UNSEEN, named) + '"';
  if (Array.isArray(value)) return "[" + value.map(literal).join(", ") + "]";
  const pairs = Object.entries(/** @type {object} */ (value)).map(
    ([name, each]) => literal(name) + ": " + literal(each),
  );
  return "{" + pairs.join(", ") + "}";
}

/** @param {unknown[]} values */
export const tuple = (values) => "(" + values.map((each) => literal(each) + ",").join(" ") + ")";

/**
 * A comment of one line.
 *
 * @param {string} text
 */
export const comment = (text) => "# " + text.replace(UNSEEN, " ").trim();

const NAMES = /** @type {const} */ (["drop", "mute", "mean", "resample", "mute_routes", "copy_routes"]);

/**
 * The intervention of some facts; "rs.Intervention()" where there is none.
 *
 * @param {Facts} facts
 */
export function intervention(facts) {
  const parts = NAMES.flatMap((name) => {
    const given = facts[name];
    return Array.isArray(given) && given.length ? [name + "=" + tuple(given)] : [];
  });
  for (const name of ["iterations", "keep_edges", "top_k"])
    if (typeof facts[name] === "number") parts.push(name + "=" + literal(facts[name]));
  const gates = Object.entries(/** @type {object} */ (facts.gates ?? {}));
  if (gates.length) parts.push("gates=" + literal(facts.gates));
  return "rs.Intervention(" + parts.join(", ") + ")";
}

/** @param {string} line of an import */
const place = (line) =>
  (/^(import|from) routescope/.test(line) ? "1" : "0") + (line.startsWith("from") ? "1" : "0") + line;

/**
 * Imports in their order: others before ours, with a line between.
 *
 * @param {string[]} imports
 */
export function ordered(imports) {
  const all = [...new Set(imports)].sort((one, other) => (place(one) < place(other) ? -1 : 1));
  const split = all.findIndex((line) => place(line).startsWith("1"));
  const [others, own] = [all.slice(0, split), all.slice(split)];
  return [...others, ...(others.length ? [""] : []), ...own];
}

/**
 * A model by a name, and a check that its weights are those of the figure.
 *
 * @param {Facts} facts
 * @param {string} name
 */
export const loaded = ({ model, revision }, name) => [
  name + " = rs.open(" + literal(model) + ")",
  "if " + name + ".revision != " + literal(revision) + ":",
  '    raise ValueError("the figure was made with other weights of this model")',
];

/**
 * Code that begins with its imports.
 *
 * @param {Facts} facts
 * @param {string[]} imports
 * @param {(string | null)[]} body lines; null for none
 */
export const written = (facts, imports, body) =>
  [
    comment("A figure of Routescope; its view: " + String(facts.link ?? "")),
    ...ordered(imports),
    "",
    ...body.filter((line) => line !== null),
  ].join("\n") + "\n";

/**
 * The same with the model of the figure.
 *
 * @param {Facts} facts
 * @param {string[]} imports
 * @param {(string | null)[]} body lines; null for none
 */
export const notebook = (facts, imports, body) =>
  written(facts, [ROUTESCOPE, ...imports], [...loaded(facts, "model"), ...body]);

/** @param {unknown} data facts of data sets, {name, count} */
const sets = (data) =>
  (Array.isArray(data) ? data : []).map(
    ({ name, count }) => "    rs.dataset(" + literal(name) + ").take(slice(" + literal(count) + ")),",
  );

/**
 * The samples that a figure was measured on.
 *
 * @param {Facts} facts
 */
export const samples = ({ data }) => ["data = [", ...sets(data), "]"];

export const ROUTESCOPE = "import routescope as rs";
export const PLOTS = "import matplotlib.pyplot as plt";
export const TABLES = "import pandas as pd";
export const ARRAYS = "import numpy as np";
