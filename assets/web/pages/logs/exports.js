/* What the panels of the page Logs write: pictures, numbers, and code for a notebook. */
import * as exports from "rs/draw/exports.js";
import { logFacts } from "rs/draw/publish/words.js";
import { classOf } from "rs/pages/logs/compared.js";
import * as scenes from "rs/pages/logs/scenes.js";
import * as shown from "rs/pages/logs/state.js";
import { sharesOf } from "rs/pages/logs/usage.js";

/** @import { CodeFigure, Panel, Scene } from "rs/draw/types.d.ts" */
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
  const found = ids.map(shown.logOf);
  return found.every((each) => each !== null)
    ? found.map((each) => /** @type {NonNullable<typeof each>} */ (each))
    : null;
}

/**
 * What a panel writes of `value`; null while that, or a log that it is of, is not there.
 *
 * @template Value
 * @param {Value | null} value
 * @param {(string | null)[]} ids of the logs
 * @param {(value: Value, names: string[], found: NonNullable<ReturnType<typeof logs>>) => Pick<Panel, "name" | "title"> & {
 *   figure: CodeFigure, facts: Record<string, unknown>, rows: unknown[][], json?: object, scene: (width?: number) => Scene}} make
 * @returns {Panel | null}
 */
function written(value, ids, make) {
  const found = value && logs(ids);
  if (!found) return null;
  const {
    figure,
    facts,
    rows,
    json = exports.asJson(rows),
    scene,
    ...named
  } = make(
    value,
    found.map(({ name }) => name),
    found,
  );
  return {
    ...named,
    facts: { ...logFacts(found), ...facts },
    rows: () => rows,
    json: () => json,
    python: { figure },
    picture: { scene },
  };
}

const { state } = shown;
const both = () => [state.a, state.b];

/** @type {Record<"usage" | "compared" | "text" | "token", () => Panel | null>} */
export const FILES = {
  usage: () =>
    written(shown.usage.answer(), [state.a], (usage, [name], [{ facts }]) => ({
      name: "log-usage",
      title: "Use of experts in " + name,
      figure: "log-usage",
      facts: { tokens: facts.tokens },
      rows: usageRows(usage),
      scene: (width = WIDTH) => scenes.usage(usage, sharesOf(usage.counts), name, width),
    })),
  compared: () =>
    written(shown.comparison.answer(), both(), (comparison, names) => ({
      name: "logs-compared",
      figure: "logs-compared",
      facts: { tokens: comparison.tokens, sequences: comparison.sequences, interval_over: comparison.interval_over },
      rows: comparedRows(comparison),
      json: { ...comparison },
      scene: (width = WIDTH) => scenes.compared(comparison, names.join(" beside "), width),
    })),
  text: () =>
    written(shown.text()?.items.length ? shown.text() : null, both(), (text) => ({
      name: "logs-text",
      figure: "logs-agreement",
      facts: { sequence: text.sequence, sequence_name: text.name },
      rows: textRows(text),
      scene: (width = WIDTH) => scenes.sequence(text, classOf, width),
    })),
  token: () =>
    written(shown.decision.latest(), both(), (decision) => ({
      name: "logs-token",
      figure: "logs-decision",
      facts: { sequence_name: decision.name, token: decision.token },
      rows: tokenRows(decision),
      json: { ...decision },
      scene: (width = WIDTH) => scenes.token(decision, width, shown.factsOf()),
    })),
};
