/* What is said about a module or a token of a model whose units read each other: whom it reads, who reads it, where it
   looks; and the same as a table for those who do not see the picture. */
import { readTheme } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { CircuitState, Target, TokenTarget, UnitTarget, Weighed } from "rs/pages/paths/types.d.ts" */
/** @typedef {{name: string, value: number, paint: string, target: Target}} Bar */

const LISTED = 6; // senders, receivers, tokens
const ROWS = 12; // of the table, a step
/** @param {number} value */
const percent = (value) => (100 * value).toFixed(1) + " %";

/** The colour of a unit as in the picture. @param {CircuitState} state */
export function paintOf(state) {
  return circuitScene.paints(state.view, state.graph, readTheme());
}

/** @param {string} title @param {Bar[]} rows */
function bars(title, rows) {
  if (!rows.length) return null;
  const top = Math.max(...rows.map((row) => row.value), 1e-9);
  return html`
    <h3 class="small-title">${title}</h3>
    ${rows.map(
      ({ name, value, paint, target }) => html`
        <button type="button" class="bar-row bar-row-wide" onClick=${() => paths.pin(target)}>
          <span class="bar-name">${name}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style=${{ width: (100 * value) / top + "%", background: paint }}></span>
          </span>
          <span class="bar-value">${percent(value)}</span>
        </button>
      `,
    )}
  `;
}

/** @param {CircuitState} state @param {Weighed[]} found @param {number} step @returns {Bar[]} */
function unitRows(state, found, step) {
  const paint = paintOf(state);
  return found.map(([unit, value]) => ({
    name: state.view.units[unit],
    value,
    paint: paint(unit),
    target: { step, unit },
  }));
}

/** @param {CircuitView} view @param {Weighed[]} found @returns {Bar[]} */
const tokenRows = (view, found) =>
  found.map(([token, value]) => ({
    name: view.label(token),
    value,
    paint: "var(--rs-unmatched)",
    target: { token },
  }));

/** A button that takes a unit away, or brings it back, as the page's control says. @param {string} name */
const actionFor = (name) =>
  html`<button type="button" class="tool tool-text" data-unit-action=${name} onClick=${() => paths.toggle(name)}>
    ${paths.stateOf(name) ? "Bring " + name + " back" : (paths.mode.value === "drop" ? "Drop " : "Mute ") + name}
  </button>`;

/** @param {CircuitState} state @param {UnitTarget} target */
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
  return html`
    <h3 class="small-title">${name + " at " + stepWords(view.steps[step]) + (away ? ", " + away : "")}</h3>
    <p class="hint">${facts.join("; ") + "."}</p>
    ${actionFor(name)}
    ${
      step > 0
        ? bars("reads", unitRows(state, view.senders(step, unit, LISTED), step - 1))
        : bars("looks at", tokenRows(view, view.looks(unit, LISTED)))
    }
    ${bars("is read by, at " + next, unitRows(state, view.receivers(step, unit, LISTED), step + 1))}
  `;
}

/** @param {CircuitState} state @param {TokenTarget} target */
function tokenDetail(state, { token }) {
  const { view } = state;
  return html`
    <h3 class="small-title">${view.label(token)}</h3>
    <p class="hint">Each module's read-in adds up to 100 % over the tokens.</p>
    ${bars("is read most by", unitRows(state, view.readersOf(token, 2 * LISTED), 0))}
  `;
}

/** What belongs beside the picture at a step, for what is pointed at. @param {CircuitState} state */
export function detail(state) {
  const { view, step } = state;
  const target = paths.pointed();
  if (target && target.unit !== undefined) return unitDetail(state, target);
  if (target) return tokenDetail(state, target);
  const next = view.steps[step + 1];
  const title = next ? next + " reads most, on average" : "the output reads most";
  return html`
    ${bars(title, unitRows(state, view.leading(step, 2 * LISTED), step))}
    <p class="hint">
      Point at a dot or a ${view.points.length ? "point" : "patch"}; click to keep it, double-click a dot to drop its
      module.
    </p>
  `;
}

/**
 * The modules of every step that the next one reads most, as rows of a table, and what they are.
 *
 * @param {CircuitView} view
 * @returns {[string[][], string]}
 */
export function table(view) {
  const leading = view.steps.map((_, step) => view.leading(step, ROWS));
  const heads = view.steps.map(
    (name, step) =>
      stepWords(name) + ", read by " + (view.steps[step + 1] ? stepWords(view.steps[step + 1]) : "the output"),
  );
  const rows = Array.from({ length: Math.max(0, ...leading.map((each) => each.length)) }, (_, rank) => [
    String(rank + 1),
    ...leading.map((each) => (each[rank] ? view.units[each[rank][0]] + " (" + percent(each[rank][1]) + ")" : "")),
  ]);
  const caption =
    "The modules of every step that the next one reads most, with their share of its attention, averaged over receivers and heads.";
  return [[["rank", ...heads], ...rows], caption];
}

/** Entries of the legend: modules that read some patch, or point, most. @param {CircuitState} state */
export function legend(state) {
  const { view, step } = state;
  const counts = /** @type {Map<number, number>} */ (new Map());
  for (const token of [...view.patches, ...view.points]) {
    const unit = view.dominant(step, token);
    if (unit >= 0) counts.set(unit, (counts.get(unit) || 0) + 1);
  }
  const paint = paintOf(state);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([unit, count]) => ({ unit, name: view.units[unit], count, paint: paint(unit) }));
}
