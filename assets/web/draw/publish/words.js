/* What is said of a figure in a file: its title, a caption, and a line of where it comes from, in words. */

import { stepWords } from "rs/lib/trace.js";
import { arrow, expertsOf, gateWords, named, unitWords } from "rs/lib/words.js";

/** @import { About, Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas, Words } from "rs/lib/types.d.ts" */

const SHORT = 7; // characters of a revision

/** What a hand does on the page and no reader of a file can do. */
const BY_HAND =
  /^(?:a click|click|double-click|drag|draw|point at|pick|press|type|numbers are pinned|the same by a click)\b/i;

/** A line that says how to read a panel, without what a hand does there. @param {string} text */
export function readable(text) {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((sentence) => {
      const clauses = sentence.split("; ").filter((clause) => !BY_HAND.test(clause));
      const kept = clauses.join("; ");
      return kept && !/[.!?]$/.test(kept) ? kept + "." : kept;
    })
    .filter(Boolean)
    .join(" ");
}

/** @param {unknown} value */
const listed = (value) => (Array.isArray(value) ? value.map(String) : []);

/** @param {number} count */
const samples = (count) => count.toLocaleString("en") + (count === 1 ? " sample" : " samples");

/** @param {unknown} value */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/**
 * What was done to the network, in words: "f1 dropped; f2 muted; 40 % of the links kept"; "" for nothing.
 *
 * @param {Record<string, unknown>} facts @param {string} [units] what several units are called
 */
export function interventionOf(facts, units = "units") {
  const parts = unitWords((kind) => listed(facts[kind]), units);
  if (isNumber(facts.keep_edges))
    parts.push(Number((100 * Number(facts.keep_edges)).toPrecision(3)) + " % of the links kept");
  if (isNumber(facts.top_k)) parts.push(expertsOf(Number(facts.top_k)));
  const routes = { mute_routes: "muted", copy_routes: "copied" };
  for (const [kind, word] of Object.entries(routes)) {
    const found = listed(facts[kind]).map(arrow);
    if (found.length) parts.push(named(found, "routes") + " " + word);
  }
  const gates = Object.entries(/** @type {Record<string, number>} */ (facts.gates ?? {}));
  if (gates.length) parts.push(named(gates.map(gateWords), "gates") + " fixed");
  return parts.join("; ");
}

/** @param {Record<string, unknown>} facts */
function dataOf({ data, sample, statement, sentences, sentence, set, task, digits }) {
  const parts = [];
  if (Array.isArray(data) && data.length)
    parts.push(
      data
        .map((each) =>
          each && typeof each === "object"
            ? (each.name ?? each) + (each.stand_in ? " (stand-in)" : "") + (isNumber(each.count) ? ", " + samples(each.count) : "")
            : String(each),
        )
        .join("; "),
    ); // prettier-ignore
  if (typeof sample === "string" && sample) parts.push("sample " + sample);
  if (typeof statement === "string" && statement) parts.push("statement " + statement);
  if (Array.isArray(sentences) && sentences.length)
    parts.push(sentences.map((each, at) => at + 1 + ": \u201c" + each + "\u201d").join(" "));
  if (typeof sentence === "string" && sentence) parts.push("\u201c" + sentence + "\u201d");
  if (typeof set === "string" && set) parts.push("set " + set);
  if (typeof task === "string" && task) parts.push("task " + task);
  if (Array.isArray(digits) && digits.length) parts.push("digits " + digits.join(" "));
  return parts.join(", ");
}

/** @param {Record<string, unknown>} facts */
function countOf({ data, count, samples: asked, samples_scored: scored }) {
  const total = isNumber(asked) ? asked : isNumber(count) ? count : null;
  if (isNumber(scored) && total !== null && scored !== total)
    return samples(Number(scored)) + " of " + total + " so far";
  const alone = Array.isArray(data) && data.length === 1 && isNumber(data[0] && data[0].count);
  return total === null || alone ? "" : samples(Number(total)) + " in all";
}

/**
 * What is known of figures of routing logs: their names, what wrote them, and where the service has their files.
 *
 * @param {Pick<Schemas["RoutingLog"], "id" | "name" | "facts">[]} logs
 */
export const logFacts = (logs) => ({
  logs: logs.map(({ name }) => name),
  formats: logs.map(({ facts }) => facts.format + ", " + facts.version),
  ids: logs.map(({ id }) => id),
  kind: "observed",
});

/** @param {Record<string, unknown>} facts */
function logsOf({ logs, formats, sequence_name: sequence }) {
  const [names, written] = [listed(logs), listed(formats)];
  if (!names.length) return "";
  const said = names.map((name, at) => name + " (" + written[at] + ")");
  const own = sequence ? ", sequence " + sequence : "";
  return (names.length > 1 ? "Routing logs " : "Routing log ") + said.join(" beside ") + own;
}

/** @param {unknown} count @param {Partial<Words>} words */
const passesOf = (count, { pass = "iteration", passes = "iterations" }) =>
  isNumber(count) ? count + " " + (count === 1 ? pass : passes) : "";

/**
 * What the figures lie between: those of evaluations and of importance have intervals.
 *
 * @param {Record<string, unknown>} facts
 */
const intervalOf = ({ evaluation, importance, kind }) =>
  evaluation ? "95 % intervals, changes paired" : importance && kind === "caused" ? "95 % intervals" : "";

/** @param {unknown} facts @returns {facts is Record<string, unknown>} */
const areFacts = (facts) => typeof facts === "object" && facts !== null && "model" in facts;

/**
 * Where A and B come from, one after the other, and what their difference is.
 *
 * @param {Record<string, unknown>} facts @param {Record<string, unknown>} a @param {Record<string, unknown>} b
 * @param {Partial<Words>} words @returns {string}
 */
function sourcesOf({ kind }, a, b, words) {
  const [first, second] = [a, b].map((each) => sourceOf({ ...each, kind: "under" }, words).replace("under: ", ""));
  const told = kind === "caused" || kind === "observed" ? "the difference is " + kind : "";
  return ["A: " + first, "B: " + second, told].filter(Boolean).join(" \u00b7 ");
}

/**
 * Where a figure comes from, in one line: model, revision, data or sample, intervention, samples, and interval.
 *
 * @param {Record<string, unknown>} facts @param {Partial<Words>} [words] what units and passes of the model are called
 */
export function sourceOf(facts, words = {}) {
  if (areFacts(facts.a) && areFacts(facts.b)) return sourcesOf(facts, facts.a, facts.b, words);
  const revision = typeof facts.revision === "string" ? facts.revision.slice(0, SHORT) : "";
  const done = interventionOf(facts, words.units);
  const kind = typeof facts.kind === "string" ? facts.kind : "";
  const parts = [
    facts.model ? "Model " + facts.model + (revision ? ", revision " + revision : "") : "",
    logsOf(facts),
    dataOf(facts),
    facts.logs ? "" : countOf(facts),
    [kind, done || (kind && !facts.logs && "no intervention")].filter(Boolean).join(": "),
    passesOf(facts.iterations, words),
    typeof facts.step === "string" && facts.step ? (facts.step === "all" ? "all steps" : stepWords(facts.step)) : "",
    typeof facts.layout === "string" ? "layout " + facts.layout : "",
    typeof facts.colour === "string" ? "coloured by " + facts.colour : "",
    isNumber(facts.seed) ? "seed " + facts.seed : "",
    intervalOf(facts),
  ];
  return parts.filter(Boolean).join(" \u00b7 ");
}

/**
 * Title, caption and source of a panel: its own where it says so, else the heading and the line on the page.
 *
 * @param {Panel} panel @param {Record<string, unknown>} facts
 * @param {{heading: string, reads: string, words?: Partial<Words>}} onPage @returns {About}
 */
export const aboutOf = (panel, facts, { heading, reads, words }) => ({
  title: panel.title || heading || panel.name,
  caption: panel.caption || readable(reads),
  source: sourceOf(facts, words),
});
