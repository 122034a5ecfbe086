/* The legend of a map of types: what the colours mean, how many points each has, which are hidden or shown alone. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as unitNames from "rs/lib/units.js";
import * as typeColours from "rs/pages/types/colours.js";
import * as typesPage from "rs/pages/types/state.js";
import { isolate, toggleCategory } from "rs/pages/types/state.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { ColourName, Entry, TypesState } from "rs/pages/types/types.d.ts" */

const MOST_ENTRIES = 128; // of a legend; the colours of more repeat too often to tell anything

/**
 * @param {Entry} entry
 * @param {Entry[]} entries
 * @param {TypesState} state
 */
function entryOf(entry, entries, state) {
  const hidden = state.hidden.has(entry.index);
  const dot = build("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = entry.paint;
  const shown = entries.filter((other) => !state.hidden.has(other.index));
  const alone = shown.length === 1 && shown[0] === entry;
  const toggle = build(
    "button",
    {
      type: "button",
      class: "legend-toggle",
      "aria-pressed": String(!hidden),
      "data-category": entry.index,
      title: (hidden ? "Show " : "Hide ") + entry.name,
      onclick: (/** @type {MouseEvent} */ event) =>
        event.altKey || event.shiftKey ? isolate(entry.index, indices(entries)) : toggleCategory(entry.index),
    },
    dot,
    build("span", {}, entry.name),
    build("small", {}, entry.count.toLocaleString("en")),
  );
  const only = build(
    "button",
    {
      type: "button",
      class: "legend-only",
      "data-only": entry.index,
      "aria-label": alone ? "Show all again" : "Show only " + entry.name,
      onclick: () => isolate(entry.index, indices(entries)),
    },
    alone ? "all" : "only",
  );
  return build("span", { class: "legend-pair", "data-hidden": String(hidden) }, toggle, only);
}

/** @param {Entry[]} entries */
const indices = (entries) => entries.map((entry) => entry.index);

/**
 * Patches as a small grid in their places: rows and columns are those of the image.
 *
 * @param {TypePoints} points
 * @param {Entry[]} entries
 * @param {TypesState} state
 */
function gridOf(points, entries, state) {
  const cells = entries.filter((entry) => points.tokens[entry.index] && points.tokens[entry.index].kind === "patch");
  const grid = build("div", {
    class: "legend-grid",
    role: "group",
    "aria-label": "Patches by their place in the image",
  });
  grid.style.gridTemplateColumns = "repeat(" + points.grid.columns + ", 22px)";
  for (const entry of cells) {
    const { row, column } = points.tokens[entry.index];
    const hidden = state.hidden.has(entry.index);
    const cell = build("button", {
      type: "button",
      class: "legend-cell",
      "aria-pressed": String(!hidden),
      "aria-label": entry.name,
      title: entry.name + ": " + entry.count.toLocaleString("en") + " points (Alt and click: only this one)",
      "data-category": entry.index,
      onclick: (/** @type {MouseEvent} */ event) =>
        event.altKey || event.shiftKey ? isolate(entry.index, indices(entries)) : toggleCategory(entry.index),
    });
    cell.style.background = entry.paint;
    cell.style.gridRow = String((row ?? 0) + 1);
    cell.style.gridColumn = String((column ?? 0) + 1);
    grid.append(cell);
  }
  const others = entries.filter((entry) => !cells.includes(entry));
  return [...(cells.length ? [grid] : []), ...others.map((entry) => entryOf(entry, entries, state))];
}

registerWidget("type-legend", (host) =>
  typesPage.subscribe((state, names) => {
    if (!["maps", "colour", "hidden", "step", "allSteps", "graph"].some((name) => names.has(name))) return;
    const points = state.maps.trained;
    host.dataset.many = String(Boolean(points && points.units.length > unitNames.MOST_CHIPS));
    if (!points) {
      host.replaceChildren();
      return;
    }
    const { activeElement } = document;
    const focused = host.contains(activeElement) ? /** @type {HTMLElement} */ (activeElement).dataset : null;
    const { entries } = typesPage.colouringOf(points);
    const there = entries.filter((entry) => entry.there);
    /** @type {HTMLElement[]} */
    const parts =
      state.colour === "token"
        ? gridOf(points, there, state)
        : there.slice(0, MOST_ENTRIES).map((entry) => entryOf(entry, there, state));
    if (state.colour !== "token" && there.length > MOST_ENTRIES)
      parts.push(build("small", {}, "and " + (there.length - MOST_ENTRIES) + " more"));
    if (state.hidden.size) {
      const all = {
        type: "button",
        class: "tool tool-text legend-all",
        onclick: () => typesPage.update({ hidden: new Set() }),
      };
      parts.push(build("button", all, "Show all"));
    }
    host.replaceChildren(...parts);
    if (!focused) return;
    const kind = focused.only === undefined ? "category" : "only";
    /** @type {HTMLElement | null} */
    const again = host.querySelector("[data-" + kind + '="' + focused[kind] + '"]');
    if (again) again.focus();
  }),
);

registerWidget("type-colours", (host) => {
  const select = build("select", { class: "plain-select", "aria-label": "Colour of the points" });
  let shown = "";
  const fill = (/** @type {TypesState} */ { maps, graph }) => {
    const choices = typeColours.choices(maps.trained, graph);
    if (JSON.stringify(choices) === shown) return;
    shown = JSON.stringify(choices);
    select.replaceChildren(...Object.entries(choices).map(([value, name]) => build("option", { value }, name)));
  };
  select.addEventListener("change", () => typesPage.colourBy(/** @type {ColourName} */ (select.value)));
  host.append(build("span", { class: "control-name", "aria-hidden": "true" }, "colour"), select);
  return typesPage.subscribe((state, names) => {
    if (names.has("maps") || names.has("graph")) {
      fill(state);
      typesPage.colourByDefault();
    }
    select.value = select.querySelector('[value="' + state.colour + '"]') ? state.colour : "unit";
  });
});
