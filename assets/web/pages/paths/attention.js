/* What is said about a module or a token of a model whose units read each other: whom it reads, who reads it, where it
   looks; and the same as a table for those who do not see the picture. */
import { build } from "rs/lib/dom.js";
import { readTheme } from "rs/lib/theme.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as pathsPage from "rs/pages/paths/page.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { CircuitState, Target, TokenTarget, UnitTarget, Weighed } from "rs/pages/paths/types.d.ts" */
/** @typedef {{name: string, value: number, paint: string, target: Target}} Bar */

const LISTED = 6; // senders, receivers, tokens
const ROWS = 12; // of the table, a step
/** @param {number} value */
const percent = (value) => (100 * value).toFixed(1) + " %";

/**
 * The colour of a unit as in the picture.
 *
 * @param {CircuitState} state
 */
export function paintOf(state) {
  return circuitScene.paints(state.view, state.graph, readTheme());
}

/**
 * @param {string} title
 * @param {Bar[]} rows
 * @param {number} [most]
 */
function bars(title, rows, most) {
  if (!rows.length) return [];
  const top = most || Math.max(...rows.map((row) => row.value), 1e-9);
  return [
    build("h3", { class: "small-title" }, title),
    ...rows.map(({ name, value, paint, target }) => {
      const fill = build("span", { class: "bar-fill" });
      fill.style.width = Math.min(100, (100 * value) / top) + "%";
      fill.style.background = paint;
      return build(
        "button",
        { type: "button", class: "bar-row bar-row-wide", onclick: () => paths.pin(target) },
        build("span", { class: "bar-name" }, name),
        build("span", { class: "bar-track", "aria-hidden": "true" }, fill),
        build("span", { class: "bar-value" }, percent(value)),
      );
    }),
  ];
}

/**
 * @param {CircuitState} state
 * @param {Weighed[]} found
 * @param {number} step
 * @returns {Bar[]}
 */
function unitRows(state, found, step) {
  const paint = paintOf(state);
  return found.map(([unit, value]) => ({
    name: state.view.units[unit],
    value,
    paint: paint(unit),
    target: { step, unit },
  }));
}

/**
 * @param {CircuitView} view
 * @param {Weighed[]} found
 * @returns {Bar[]}
 */
const tokenRows = (view, found) =>
  found.map(([token, value]) => ({
    name: view.label(token),
    value,
    paint: "var(--rs-unmatched)",
    target: { token },
  }));

/**
 * A button that takes a unit away, or brings it back, as the page's control says.
 *
 * @param {string} name
 */
function actionFor(name) {
  const page = pathsPage;
  const is = page.away().includes(name);
  const words = is ? "Bring " + name + " back" : (page.mode() === "drop" ? "Drop " : "Mute ") + name;
  return build(
    "button",
    { type: "button", class: "tool tool-text", "data-unit-action": name, onclick: () => page.turn([name], !is) },
    words,
  );
}

/**
 * @param {CircuitState} state
 * @param {UnitTarget} target
 */
function unitDetail(state, { step, unit }) {
  const { view, graph } = state;
  const name = view.units[unit];
  const next = view.steps[step + 1] || "the output";
  const away = view.state(unit);
  const facts = [percent(view.use(step, unit)) + " of what " + next + " reads"];
  if (graph) {
    const rank = graph.connectivity.filter((q) => q > graph.connectivity[unit]).length + 1;
    facts.push("connectivity q " + graph.connectivity[unit].toFixed(1) + ", rank " + rank + " of " + view.units.length);
  }
  if (view.readOut) facts.push(percent(view.readOut[unit]) + " of the output");
  return [
    build("h3", { class: "small-title" }, name + " at " + view.steps[step] + (away ? ", " + away : "")),
    build("p", { class: "hint" }, facts.join("; ") + "."),
    actionFor(name),
    ...(step > 0
      ? bars("reads", unitRows(state, view.senders(step, unit, LISTED), step - 1))
      : bars("looks at", tokenRows(view, view.looks(unit, LISTED)))),
    ...bars("is read by, at " + next, unitRows(state, view.receivers(step, unit, LISTED), step + 1)),
  ];
}

/**
 * @param {CircuitState} state
 * @param {TokenTarget} target
 */
function tokenDetail(state, { token }) {
  const { view } = state;
  return [
    build("h3", { class: "small-title" }, view.label(token)),
    build("p", { class: "hint" }, "Each module's read-in adds up to 100 % over the tokens."),
    ...bars("is read most by", unitRows(state, view.readersOf(token, 2 * LISTED), 0)),
  ];
}

/**
 * What belongs beside the picture at a step, for what is pointed at.
 *
 * @param {CircuitState} state
 */
export function detail(state) {
  const { view, step } = state;
  const target = paths.pointed();
  if (target && target.unit !== undefined) return unitDetail(state, target);
  if (target) return tokenDetail(state, target);
  const next = view.steps[step + 1];
  return [
    ...bars(
      next ? next + " reads most, on average" : "the output reads most",
      unitRows(state, view.leading(step, 2 * LISTED), step),
    ),
    build(
      "p",
      { class: "hint" },
      "Point at a dot or a patch; click to keep it, double-click a dot to take its module away.",
    ),
  ];
}

/** @param {CircuitView} view */
export function table(view) {
  const leading = view.steps.map((_, step) => view.leading(step, ROWS));
  const heads = view.steps.map((name, step) =>
    build("th", { scope: "col" }, name + ", read by " + (view.steps[step + 1] || "the output")),
  );
  const rows = Array.from({ length: Math.max(0, ...leading.map((each) => each.length)) }, (_, rank) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, String(rank + 1)),
      ...leading.map((each) =>
        build("td", {}, each[rank] ? view.units[each[rank][0]] + " (" + percent(each[rank][1]) + ")" : ""),
      ),
    ),
  );
  const caption =
    "The modules of every step that the next one reads most, with their share of its attention, averaged over receivers and heads.";
  return build(
    "table",
    { class: "figures" },
    build("caption", {}, caption),
    build("thead", {}, build("tr", {}, build("th", { scope: "col" }, "rank"), ...heads)),
    build("tbody", {}, ...rows),
  );
}

/**
 * Entries of the legend below the image: the modules that read some patch most.
 *
 * @param {CircuitState} state
 */
export function legend(state) {
  const { view, step } = state;
  const counts = /** @type {Map<number, number>} */ (new Map());
  for (const token of view.patches) {
    const unit = view.dominant(step, token);
    if (unit >= 0) counts.set(unit, (counts.get(unit) || 0) + 1);
  }
  const paint = paintOf(state);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([unit, count]) => ({ unit, name: view.units[unit], count, paint: paint(unit) }));
}
