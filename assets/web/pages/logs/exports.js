/* What the panels of the page Logs write: pictures, numbers, and code for a notebook. */
import * as exports from "rs/draw/exports.js";
import { logFacts } from "rs/draw/publish/words.js";
import { classOf } from "rs/pages/logs/compared.js";
import * as scenes from "rs/pages/logs/scenes.js";
import { factsOf, logOf, state } from "rs/pages/logs/state.js";
import { sharesOf } from "rs/pages/logs/usage.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

const WIDTH = 860;

/** @param {Schemas["LogUsage"]} usage */
export function usageRows({ layers, indices, counts }) {
  const shares = sharesOf(counts);
  return [
    ["layer", "expert", "index_of_layer", "index_of_expert", "tokens", "share"],
    ...counts.flatMap((row, l) =>
      row.map((count, e) => [layers[l], layers[l] + ".e" + (e + 1), indices[l], e, count, shares[l][e]]),
    ),
  ];
}

/** @param {Schemas["RoutingComparison"]} found */
export const comparedRows = ({ layers, margins }) => [
  ["part", "of", "share", "low", "high", "in_common", "low", "high", "differ_first", "count"],
  ...layers.map((each) => [
    "layer",
    each.layer,
    ...[each.same, ...each.same_interval, each.overlap, ...each.overlap_interval].map((value) => value ?? ""),
    each.first_differs,
    each.count,
  ]),
  ...margins.map(({ low, high, differ, interval, count }) => [
    "margin",
    low + " to " + high,
    ...[differ, ...interval].map((value) => value ?? ""),
    ...["", "", "", ""],
    count,
  ]),
];

/** @param {Schemas["ComparedTokens"]} text */
export const textRows = ({ items }) => [
  ["token", "text", "layers_that_agree", "first_that_differs"],
  ...items.map(({ place, text, agreement, first }) => [place, text ?? "", agreement ?? "", first ?? ""]),
];

/** @param {Schemas["ComparedDecision"]} found */
export const tokenRows = ({ layers }) => [
  ["layer", "routing", "expert", "share", "margin", "same"],
  ...layers.flatMap(({ same, ...sides }) =>
    /** @type {const} */ (["a", "b"]).flatMap((side) =>
      sides[side].taken.map(({ unit, share }) => [
        sides[side].layer,
        side.toUpperCase(),
        unit,
        share,
        sides[side].margin ?? "",
        same ?? "",
      ]),
    ),
  ),
];

/** @param {(string | null)[]} ids */
function logs(ids) {
  const found = ids.map(logOf);
  return found.every((each) => each !== null)
    ? found.map((each) => /** @type {NonNullable<typeof each>} */ (each))
    : null;
}

/** @type {Record<string, () => Panel | null>} */
const OFFERED = {
  "logs-usage": () => {
    const { usage } = state;
    const own = logs([state.a]);
    if (!usage || !own) return null;
    const rows = usageRows(usage);
    return {
      name: "log-usage",
      title: "Use of experts in " + own[0].name,
      facts: { ...logFacts(own), tokens: own[0].facts.tokens },
      rows: () => rows,
      json: () => exports.asJson(rows),
      python: { figure: "log-usage" },
      picture: { scene: (width = WIDTH) => scenes.usage(usage, sharesOf(usage.counts), own[0].name, width) },
    };
  },
  "logs-compared": () => {
    const { comparison } = state;
    const both = logs([state.a, state.b]);
    if (!comparison || !both) return null;
    const rows = comparedRows(comparison);
    const { tokens, sequences } = comparison;
    return {
      name: "logs-compared",
      facts: { ...logFacts(both), tokens, sequences, interval_over: comparison.interval_over },
      rows: () => rows,
      json: () => ({ ...comparison }),
      python: { figure: "logs-compared" },
      picture: {
        scene: (width = WIDTH) => scenes.compared(comparison, both.map(({ name }) => name).join(" beside "), width),
      },
    };
  },
  "logs-text": () => {
    const { text } = state;
    const both = logs([state.a, state.b]);
    if (!text || !text.items.length || !both) return null;
    const rows = textRows(text);
    return {
      name: "logs-text",
      facts: { ...logFacts(both), sequence: text.sequence, sequence_name: text.name },
      rows: () => rows,
      json: () => exports.asJson(rows),
      python: { figure: "logs-agreement" },
      picture: { scene: (width = WIDTH) => scenes.sequence(text, classOf, width) },
    };
  },
  "logs-token": () => {
    const { decision } = state;
    const both = logs([state.a, state.b]);
    if (!decision || !both) return null;
    const rows = tokenRows(decision);
    return {
      name: "logs-token",
      facts: { ...logFacts(both), sequence_name: decision.name, token: decision.token },
      rows: () => rows,
      json: () => ({ ...decision }),
      python: { figure: "logs-decision" },
      picture: { scene: () => scenes.token(decision, WIDTH, factsOf()) },
    };
  },
};

for (const [key, provider] of Object.entries(OFFERED)) exports.register(key, provider);
