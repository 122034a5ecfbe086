/* What the panels of the Paths page write: pictures, and their numbers as rows and as JSON. */
import { asJson } from "rs/draw/exports.js";
import { whole } from "rs/lib/format.js";
import { logFacts } from "rs/draw/publish/words.js";
import { pathCanvas } from "rs/pages/paths/canvas.js";
import { cloudPicture, isCloud } from "rs/pages/paths/cloud.js";
import { patchCanvas } from "rs/pages/paths/patches.js";
import * as logs from "rs/pages/paths/log/state.js";
import * as paths from "rs/pages/paths/state.js";
import { sceneOf } from "rs/parts/predictions.js";
import { answersOf } from "rs/parts/answers/numbers.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { SavedPicture, TokenView, View } from "rs/pages/paths/types.d.ts" */
/** @import { Facts } from "rs/parts/predictions.js" */

/** @param {TokenView} view */
function compatibilityRows(view) {
  /** @type {unknown[][]} */
  const rows = [["step", "token", "unit", "compatibility", "dominant"]];
  view.steps.forEach((step, s) =>
    view.tokens.forEach((token, t) =>
      view.units.forEach((unit, u) =>
        rows.push([
          step,
          token.name,
          view.text ? view.nameAt(s, u) : unit,
          view.compatibility(s, u, t),
          view.dominant(s, t) === u,
        ]),
      ),
    ),
  );
  return rows;
}

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

/**
 * The connections that are drawn, the strongest of each step.
 *
 * @param {CircuitView} view
 */
function messageRows(view) {
  const { shown } = paths.state;
  /** @type {unknown[][]} */
  const rows = [["token", "step", "next_step", "from_unit", "to_unit", "weight"]];
  const name = (/** @type {number} */ unit) => (unit < 0 ? "" : view.units[unit]);
  for (let column = 0; column <= view.steps.length; column += 1) {
    for (const { from, to, weight } of view.strongest(column, shown))
      rows.push([
        column ? "" : view.tokens[from].name,
        column ? view.steps[column - 1] : "",
        view.steps[column] || "read-out",
        column ? name(from) : "",
        name(to),
        weight,
      ]);
  }
  return rows;
}

/** @param {CircuitView} view */
function messageJson(view) {
  const [columns, ...rows] = messageRows(view);
  const next = view.steps.map((_, step) => view.units.map((_name, unit) => view.use(step, unit)));
  return { columns, rows, step: view.steps, unit: view.units, share_of_the_next_step: next };
}

/** @param {CircuitView} view */
function readerRows(view) {
  if (view.points.length) {
    const reader = (/** @type {number} */ token) => view.dominant(0, token);
    const read = view.points.map((token) => [
      view.label(token),
      view.units[reader(token)] ?? "",
      reader(token) < 0 ? 0 : view.reads(reader(token), token),
    ]);
    return [["point", "read_most_by", "weight"], ...read];
  }
  /** @type {unknown[][]} */
  const rows = [[...(view.text ? ["token", "text"] : ["row", "column"]), "read_most_by", "weight"]];
  for (const token of view.patches) {
    const { name, text, row, column } = view.tokens[token];
    const unit = view.dominant(0, token);
    const place = view.text ? [name, text] : [row, column];
    rows.push([...place, unit < 0 ? "" : view.units[unit], unit < 0 ? 0 : view.reads(unit, token)]);
  }
  return rows;
}

/**
 * @param {TokenView} view
 * @param {number} step
 */
function textRows(view, step) {
  const names = view.units.map((_, unit) => view.nameAt(step, unit));
  /** @type {unknown[][]} */
  const rows = [["token", "text", "bits", "margin", "dominant", ...names]];
  view.tokens.forEach(({ name, text }, token) => {
    const shares = names.map((_, unit) => view.compatibility(step, unit, token));
    const most = names[view.dominant(step, token)] ?? "";
    rows.push([name, text, view.bits(token) ?? "", view.margin(step, token) ?? "", most, ...shares]);
  });
  return rows;
}

/**
 * @param {View} view
 * @param {number} step
 */
function patchRows(view, step) {
  if (view.circuit) return readerRows(view);
  if (view.text) return textRows(view, step);
  /** @type {unknown[][]} */
  const rows = [["row", "column", "dominant", ...view.units]];
  for (const token of view.patches) {
    const { row, column } = view.tokens[token];
    const unit = view.dominant(step, token);
    rows.push([
      row,
      column,
      unit < 0 ? "" : view.units[unit],
      ...view.units.map((_, index) => view.compatibility(step, index, token)),
    ]);
  }
  return rows;
}

/** @param {Facts} facts */
function numberRows(facts) {
  const rows = answersOf(facts).map(({ domain, value, right, before }) => [
    domain,
    value ?? "",
    right ?? "",
    before ?? "",
  ]);
  return [["domain", "network", "expression", "without_intervention"], ...rows];
}

/** @param {Facts} facts */
function predictionRows(facts) {
  if (facts.current.numbers.length) return numberRows(facts);
  /** @type {unknown[][]} */
  const rows = [["trace", "domain", "label", "probability"]];
  const { baseline } = facts;
  const changed = baseline && baseline.id !== facts.current.id;
  /** @type {[string, Schemas["TraceInfo"]][]} */
  const traces = [["shown", facts.current]];
  if (changed) traces.push(["without intervention", baseline]);
  for (const [name, trace] of traces) {
    for (const head of trace.predictions)
      head.probabilities.forEach((value, label) => rows.push([name, head.domain, label, value]));
  }
  return rows;
}

/**
 * What was asked for, where the facts say how many iterations there are.
 *
 * @param {Schemas["TraceInfo"]} info
 */
const asked = ({ intervention }) => ({ iterations: intervention.iterations ?? null });

/**
 * Facts of a part of a routing log, in place of those of a trace.
 *
 * @param {TokenView} view
 * @param {Record<string, unknown>} [more]
 */
function ofLog({ log, tokens }, more) {
  const { found } = logs.state;
  if (!log || !found) return null;
  const { sequence, sequence_name: name, start } = found;
  return { ...logFacts([found.log]), sequence, sequence_name: name, start, tokens: tokens.length, ...more };
}

/** @param {TokenView} view */
function takenRows(view) {
  /** @type {unknown[][]} */
  const rows = [["layer", "token", "expert", "share", "dominant"]];
  view.steps.forEach((step, s) =>
    view.tokens.forEach((_, t) =>
      view.units.forEach((_, u) => {
        const share = view.compatibility(s, u, t);
        const place = t + (view.log?.start ?? 0);
        if (share > 0) rows.push([step, place, view.nameAt(s, u), share, view.dominant(s, t) === u]);
      }),
    ),
  );
  return rows;
}

/**
 * The path of a part of a routing log.
 *
 * @param {TokenView} view
 * @returns {Panel}
 */
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

/**
 * What heads answer that answer with numbers.
 *
 * @param {Facts} facts
 * @param {() => unknown[][]} rows
 * @returns {Panel}
 */
const answersPanel = (facts, rows) => ({
  name: "answers",
  picture: answersPicture(facts),
  info: facts.current,
  extra: { function: facts.point?.set ?? null, expression: facts.point?.expression ?? null },
  python: { figure: "predictions", ...asked(facts.current) },
  rows,
  json: () => asJson(rows()),
});

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

/** @param {Facts} facts @returns {SavedPicture} */
const answersPicture = (facts) => ({ scene: (width = 640) => sceneOf(facts, width) });

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
    const drawn = /** @type {SavedPicture} */ (patchCanvas);
    if (facts) return { name: "text", picture: drawn, facts, python: { figure: "log-text" }, rows, json };
    if (isCloud()) return { name: "points", picture: cloudPicture(), info: view.info, rows, json };
    return {
      name: "patches",
      picture: /** @type {SavedPicture} */ (patchCanvas),
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
    const rows = () => predictionRows(facts);
    if (facts.current.numbers.length) return answersPanel(facts, rows);
    const json = () => ({
      true_label: facts.label,
      shown: facts.current.predictions,
      without_intervention: facts.baseline ? facts.baseline.predictions : null,
    });
    return {
      name: "predictions",
      picture: answersPicture(facts),
      info: facts.current,
      extra: { true_label: facts.label },
      python: { figure: "predictions", ...asked(facts.current) },
      rows,
      json,
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
