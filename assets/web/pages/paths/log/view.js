/* A part of a routing log as pictures of paths read it: who was chosen, as a trace without a model. */
import { TraceView } from "rs/lib/trace.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["LogPath"]} LogPath */

const MOST_VALUES = 2 ** 24; // shares of layers by experts by tokens that are held at once: 64 MiB
const MOST_UNITS = 2 ** 18; // experts of all layers that have names

/** As many of the tokens as can be held; raises what to say where experts are too many. @param {LogPath} found @returns {LogPath} */
export function fitting(found) {
  const units = found.steps.length * found.units;
  if (units > MOST_UNITS) {
    const said = [units, MOST_UNITS].map((each) => each.toLocaleString("en"));
    throw new Error("The log has " + said[0] + " experts in all its layers; up to " + said[1] + " are drawn.");
  }
  const most = Math.floor(MOST_VALUES / units);
  if (found.tokens.length <= most) return found;
  const [experts, shares] = [found.experts, found.shares].map((each) => each.map((layer) => layer.slice(0, most)));
  const margin = found.margin && found.margin.map((layer) => layer.slice(0, most));
  return { ...found, tokens: found.tokens.slice(0, most), experts, shares, margin };
}

/**
 * How a token reads: its text, else its number, else its place, with a space behind so that they stay apart.
 *
 * @param {Schemas["LogPathToken"]} token
 */
export const textOf = ({ text, number, place }) => text ?? String(number ?? place + 1) + " ";

/** What the API would say of a trace of it. @param {LogPath} found @returns {Schemas["TraceInfo"]} */
function infoOf({ log, sequence, sequence_name: name, start, steps, units, tokens }) {
  const experts = Array.from({ length: units }, (_, at) => "e" + (at + 1));
  const byStep = steps.map((step) => experts.map((unit) => step + "." + unit));
  return {
    id: [log.id, sequence, start].join("."),
    model: log.name,
    revision: "",
    sample: name,
    intervention: { drop: [], mute: [], mute_routes: [], copy_routes: [], gates: {} },
    seed: null,
    units: experts,
    units_by_step: byStep,
    kept: byStep.flat(),
    steps,
    tokens: tokens.map((token) => {
      return { name: "token:" + token.place, kind: "text", row: null, column: null, text: textOf(token) };
    }),
    grid: { rows: 0, columns: 0 },
    domains: [],
    predictions: [],
    numbers: [],
    fields: [],
    seconds: 0,
    cached: true,
  };
}

/**
 * Shares by layer, expert and token; and of each layer and token the expert of the largest share, the first that the log
 * names of equal ones, -1 where there is none.
 *
 * @param {LogPath} found
 */
export function sharesOf({ steps, units, tokens, experts, shares }) {
  const data = new Float32Array(steps.length * units * tokens.length);
  const first = new Int16Array(steps.length * tokens.length).fill(-1);
  experts.forEach((layer, step) =>
    layer.forEach((slots, token) => {
      let most = -1;
      slots.forEach((expert, slot) => {
        if (expert < 0) return;
        const share = shares[step][token][slot];
        data[(step * units + expert) * tokens.length + token] = share;
        if (share <= most) return;
        most = share;
        first[step * tokens.length + token] = expert;
      });
    }),
  );
  return { data, first };
}

/** @param {LogPath} found */
export function viewOf(found) {
  const { steps, units, tokens, margin, log, weighted, start, margin_of: of } = found;
  const { data, first } = sharesOf(found);
  const margins = margin && Float32Array.from(margin.flat(), (value) => value ?? NaN);
  return new TraceView(
    infoOf(found),
    { data, shape: [steps.length, units, tokens.length], dims: ["step", "unit", "token"] },
    {
      margin: margins ? { data: margins, shape: [steps.length, tokens.length], dims: ["step", "token"] } : undefined,
      dominants: first,
      log: { id: log.id, weighted, start, margin_of: of ?? "logits" },
    },
  );
}

/** What a log does not say, in sentences. @param {Schemas["LogHas"]} has */
export function lacking({ weights, margin, token_ids: ids, token_texts: texts }) {
  /** @type {[boolean, string][]} */
  const lines = [
    [weights, "No weights: a token's experts have equal shares, and its colour is that of the first the log names."],
    [margin, "No margin: how far an expert was ahead is not known."],
    [texts, ids ? "No texts: tokens are shown by their numbers." : "No token text; positions are shown."],
  ];
  return lines.filter(([there]) => !there).map(([, words]) => words);
}
