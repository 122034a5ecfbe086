/* What the panels of the Paths page write: pictures, and their numbers as rows and as JSON. */
import { asJson } from "rs/draw/exports.js";
import { whole } from "rs/lib/format.js";
import { logFacts } from "rs/draw/publish/words.js";
import { pathCanvas } from "rs/pages/paths/canvas.js";
import { cloudPicture, isCloud } from "rs/pages/paths/cloud.js";
import { patchScene } from "rs/pages/paths/patches.js";
import * as logs from "rs/pages/paths/log/state.js";
import * as paths from "rs/pages/paths/state.js";
import { sceneOf } from "rs/parts/predictions.js";
import { answersOf } from "rs/parts/answers/numbers.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { SavedPicture, TokenView, View } from "rs/pages/paths/types.d.ts" */
/** @import { Facts } from "rs/parts/predictions.js" */

/**
 * A row of a table for every step, token and unit of a view.
 *
 * @param {TokenView} view
 * @param {(step: number, token: number, unit: number) => unknown[]} row
 */
const everyRow = ({ steps, tokens, units }, row) =>
  steps.flatMap((_, step) => tokens.flatMap((__, token) => units.map((___, unit) => row(step, token, unit))));

/** The unit of a step, its compatibility, and whether it is dominant. @param {TokenView} view @param {number} s @param {number} t @param {number} u */
const cells = (view, s, t, u) => [view.text ? view.nameAt(s, u) : view.units[u], view.compatibility(s, u, t), view.dominant(s, t) === u]; // prettier-ignore

/** @param {TokenView} view */
const compatibilityRows = (view) => [
  ["step", "token", "unit", "compatibility", "dominant"],
  ...everyRow(view, (s, t, u) => [view.steps[s], view.tokens[t].name, ...cells(view, s, t, u)]),
];

/** What a log says was taken. @param {TokenView} view */
const takenRows = (view) => [
  ["layer", "token", "expert", "share", "dominant"],
  ...everyRow(view, (s, t, u) => [view.steps[s], t + (view.log?.start ?? 0), ...cells(view, s, t, u)]).filter((row) => Number(row[3]) > 0), // prettier-ignore
];

/** @param {TokenView} view */
function compatibilityJson(view) {
  const values = view.steps.map((_, s) =>
    view.units.map((_, u) => view.tokens.map((_, t) => view.compatibility(s, u, t))),
  );
  return {
    dims: ["step", "unit", "token"],
    step: view.steps,
    unit: view.units,
    token: view.tokens.map((token) => token.name),
    compatibility: values,
  };
}

/** The connections that are drawn, the strongest of each step. @param {CircuitView} view */
function messageRows(view) {
  const { steps, units, tokens } = view;
  const rows = [...steps, "read-out"].flatMap((next, at) =>
    view.strongest(at, paths.state.shown).map(({ from, to, weight }) => {
      const sender = at ? ["", steps[at - 1], next, units[from]] : [tokens[from].name, "", next, ""];
      return [...sender, units[to] ?? "", weight];
    }),
  );
  return [["token", "step", "next_step", "from_unit", "to_unit", "weight"], ...rows];
}

/** @param {CircuitView} view */
function messageJson(view) {
  const [columns, ...rows] = messageRows(view);
  const next = view.steps.map((_, step) => view.units.map((_name, unit) => view.use(step, unit)));
  return { columns, rows, step: view.steps, unit: view.units, share_of_the_next_step: next };
}

/** @param {CircuitView} view */
function readerRows(view) {
  const { points, text, tokens, patches } = view;
  const place = (/** @type {number} */ token) => {
    const { name, text: words, row, column } = tokens[token];
    return points.length ? [view.label(token)] : text ? [name, words] : [row, column];
  };
  const rows = (points.length ? points : patches).map((token) => {
    const unit = view.dominant(0, token);
    return [...place(token), view.units[unit] ?? "", unit < 0 ? 0 : view.reads(unit, token)];
  });
  const head = points.length ? ["point"] : text ? ["token", "text"] : ["row", "column"];
  return [[...head, "read_most_by", "weight"], ...rows];
}

/** @param {View} view @param {number} step */
function patchRows(view, step) {
  if (view.circuit) return readerRows(view);
  const names = view.text ? view.units.map((_, unit) => view.nameAt(step, unit)) : view.units;
  const head = view.text ? ["token", "text", "bits", "margin"] : ["row", "column"];
  const rows = (view.text ? [...view.tokens.keys()] : view.patches).map((token) => {
    const { name, text, row, column } = view.tokens[token];
    const place = view.text ? [name, text, view.bits(token) ?? "", view.margin(step, token) ?? ""] : [row, column];
    const shares = names.map((_, unit) => view.compatibility(step, unit, token));
    return [...place, names[view.dominant(step, token)] ?? "", ...shares];
  });
  return [[...head, "dominant", ...names], ...rows];
}

/** @param {Facts} facts */
function numberRows(facts) {
  const rows = answersOf(facts).map(({ domain, value, right, before }) => [domain, ...[value, right, before].map((each) => each ?? "")]); // prettier-ignore
  return [["domain", "network", "expression", "without_intervention"], ...rows];
}

/** @param {Facts} facts */
function predictionRows({ current, baseline }) {
  /** @type {[string, Schemas["TraceInfo"]][]} */
  const traces = [["shown", current]];
  if (baseline && baseline.id !== current.id) traces.push(["without intervention", baseline]);
  const rows = traces.flatMap(([name, { predictions }]) =>
    predictions.flatMap(({ domain, probabilities }) =>
      probabilities.map((value, label) => [name, domain, label, value]),
    ),
  );
  return [["trace", "domain", "label", "probability"], ...rows];
}

/** What was asked for, where the facts say how many iterations there are. @param {Schemas["TraceInfo"]} info */
const asked = ({ intervention }) => ({ iterations: intervention.iterations ?? null });

/** Facts of a part of a routing log. @param {TokenView} view @param {Record<string, unknown>} [more] */
function ofLog({ log, tokens }, more) {
  const { found } = logs.state;
  if (!log || !found) return null;
  const { sequence, sequence_name: name, start } = found;
  return { ...logFacts([found.log]), sequence, sequence_name: name, start, tokens: tokens.length, ...more };
}

/** The path of a part of a routing log. @param {TokenView} view @returns {Panel} */
function pathOfLog(view) {
  const rows = () => takenRows(view);
  return {
    name: "path",
    picture: /** @type {SavedPicture} */ (pathCanvas),
    facts: ofLog(view) ?? {},
    rows,
    json: () => asJson(rows()),
    python: { figure: "log-path" },
  };
}

/** Whether the sample was read once with each of several answers. @param {View} view */
const isRead = (view) => !view.circuit && view.candidate !== null;

/** With which answer it is shown, where it was. @param {TokenView} view */
const answerOf = ({ candidate }) => (candidate === null ? undefined : { answer: candidate });

/** What the heads answer; null where they answer with neither labels nor numbers. @returns {Facts | null} */
export function factsOf() {
  const { view, baseline, sample } = paths.state;
  if (!view || !sample || !(view.info.predictions.length || view.info.numbers.length)) return null;
  const { label, domain, name, point } = sample;
  return { current: view.info, baseline: baseline?.info ?? view.info, label, domain, name, point };
}

/** What files of a panel hold; null while there is nothing. @type {Record<"path" | "patches" | "predictions", () => Panel | null>} */
export const written = {
  path: () => {
    const { view } = paths.state;
    if (view && !view.circuit && view.log) return pathOfLog(view);
    return (
      view && {
        name: "path",
        picture: /** @type {SavedPicture} */ (pathCanvas),
        info: view.info,
        rows: () => (view.circuit ? messageRows(view) : compatibilityRows(view)),
        json: () => (view.circuit ? messageJson(view) : compatibilityJson(view)),
        extra: view.circuit ? { shown_of_each_step: paths.state.shown } : answerOf(view),
        python: { figure: "path", ...asked(view.info) },
      }
    );
  },
  patches: () => {
    const { view, step } = paths.state;
    if (!view) return null;
    const rows = () => patchRows(view, step);
    const json = () => ({ step: view.steps[step], ...asJson(rows()) });
    const facts = view.circuit ? null : ofLog(view, { layer: view.steps[step] });
    /** @type {SavedPicture} */
    const picture = { scene: (size) => patchScene(paths.state, size) };
    if (facts) return { name: "text", picture, facts, python: { figure: "log-text" }, rows, json };
    if (isCloud()) return { name: "points", picture: cloudPicture(), info: view.info, rows, json };
    return {
      name: "patches",
      picture,
      info: view.info,
      extra: { step: view.steps[step], ...(view.circuit ? {} : answerOf(view)) },
      python: { figure: isRead(view) ? "path" : "patches", ...asked(view.info) },
      rows,
      json,
    };
  },
  predictions: () => {
    const facts = factsOf();
    if (!facts) return null;
    const { current, baseline, label, point } = facts;
    const numeric = current.numbers.length > 0;
    const rows = () => (numeric ? numberRows(facts) : predictionRows(facts));
    const answers = () => ({ true_label: label, shown: current.predictions, without_intervention: baseline?.predictions ?? null }); // prettier-ignore
    return {
      name: numeric ? "answers" : "predictions",
      picture: { scene: (width = 640) => sceneOf(facts, width) },
      info: current,
      extra: numeric ? { function: point?.set ?? null, expression: point?.expression ?? null } : { true_label: label },
      python: { figure: "predictions", ...asked(current) },
      rows,
      json: () => (numeric ? asJson(rows()) : answers()),
    };
  },
};

/** How much of a text the trace leaves out, in words; "" if it leaves out nothing. @param {Schemas["TraceInfo"]} info */
export function cutOf({ tokens, tokens_left_out: left, bytes_left_out: size }) {
  const [count, bytes] = [left, size].map((each) => (Array.isArray(each) ? each[0] : each) ?? 0);
  const read = tokens.filter(({ text }) => text !== "").length;
  return count
    ? `Text was cut to ${whole(read)} tokens; ${whole(count)} tokens (${whole(bytes)} bytes) are left out.`
    : "";
}
