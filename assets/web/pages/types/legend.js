/* The legend of a map of types: what the colours mean, how many points each has, which are hidden or shown alone. */
import * as unitNames from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import * as typeColours from "rs/pages/types/colours.js";
import * as typesPage from "rs/pages/types/state.js";
import { isolate, state, toggleCategory } from "rs/pages/types/state.js";
import { Choice, Tool } from "rs/parts/controls.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { ColourName, Entry } from "rs/pages/types/types.d.ts" */

const MOST_ENTRIES = 128; // of a legend; the colours of more repeat too often to tell anything

/** @param {Entry[]} entries */
const indices = (entries) => entries.map((entry) => entry.index);

/**
 * What a click on an entry does: hides or shows it, or with Alt or Shift shows it alone.
 *
 * @param {Entry} entry @param {Entry[]} entries @returns {(event: MouseEvent) => void}
 */
const press = (entry, entries) => (event) =>
  event.altKey || event.shiftKey ? isolate(entry.index, indices(entries)) : toggleCategory(entry.index);

/** @param {Entry} entry @param {Entry[]} entries */
function entryOf(entry, entries) {
  const { index, name, paint, count } = entry;
  const hidden = state.hidden.has(index);
  const shown = entries.filter((other) => !state.hidden.has(other.index));
  const alone = shown.length === 1 && shown[0] === entry;
  return html`
    <span key=${index} class="legend-pair" data-hidden=${String(hidden)}>
      <button
        type="button"
        class="legend-toggle"
        aria-pressed=${String(!hidden)}
        data-category=${index}
        title=${(hidden ? "Show " : "Hide ") + name}
        onClick=${press(entry, entries)}
      >
        <span class="swatch" aria-hidden="true" style=${{ background: paint }}></span>
        <span>${name}</span>
        <small>${count.toLocaleString("en")}</small>
      </button>
      <button
        type="button"
        class="legend-only"
        data-only=${index}
        aria-label=${alone ? "Show all again" : "Show only " + name}
        onClick=${() => isolate(index, indices(entries))}
      >
        ${alone ? "all" : "only"}
      </button>
    </span>
  `;
}

/**
 * Patches as a small grid in their places: rows and columns are those of the image.
 *
 * @param {TypePoints} points @param {Entry[]} entries
 */
function gridOf(points, entries) {
  const isCell = (/** @type {Entry} */ { index }) => ["patch", "panel"].includes(points.tokens[index]?.kind);
  const cells = entries.filter(isCell).map((entry) => {
    const { index, name, paint, count } = entry;
    const { row, column } = points.tokens[index];
    const style = { background: paint, gridRow: String((row ?? 0) + 1), gridColumn: String((column ?? 0) + 1) };
    return html`
      <button
        key=${index}
        type="button"
        class="legend-cell"
        aria-pressed=${String(!state.hidden.has(index))}
        aria-label=${name}
        title=${name + ": " + count.toLocaleString("en") + " points (Alt and click: only this one)"}
        data-category=${index}
        style=${style}
        onClick=${press(entry, entries)}
      ></button>
    `;
  });
  const columns = { gridTemplateColumns: "repeat(" + points.grid.columns + ", 22px)" };
  const others = entries.filter((entry) => !isCell(entry)).map((entry) => entryOf(entry, entries));
  if (!cells.length) return others;
  return html`
    <div class="legend-grid" role="group" aria-label="By their place in the image" style=${columns}>${cells}</div>
    ${others}
  `;
}

export function Legend() {
  const points = state.maps.trained;
  const there = points ? typesPage.colouringOf(points).entries.filter((entry) => entry.there) : [];
  const grid = typesPage.colour() === "token";
  const more = grid ? 0 : there.length - MOST_ENTRIES;
  const entries = there.slice(0, MOST_ENTRIES).map((entry) => entryOf(entry, there));
  return html`<div
    class="legend type-legend"
    role="group"
    aria-label="Categories: press to hide or show"
    data-many=${String(Boolean(points && points.units.length > unitNames.MOST_CHIPS))}
  >
    ${points && grid ? gridOf(points, there) : entries} ${more > 0 && html`<small>${"and " + more + " more"}</small>`}
    ${
      state.hidden.size > 0 &&
      html`<${Tool} look="tool tool-text legend-all" act=${() => typesPage.hide([])}>Show all categories<//>`
    }
  </div>`;
}

/** By what the points are coloured. */
export function Colours() {
  const choices = typeColours.choices(state.maps.trained, typesPage.graph(), typesPage.model());
  const colour = typesPage.colour();
  return html`<div class="type-colours">
    <span class="control-name" aria-hidden="true">Colour</span>
    <${Choice}
      id="types-colour"
      look="plain-select"
      label="Colour of the points"
      options=${Object.entries(choices)}
      chosen=${choices[colour] ? colour : "unit"}
      onChoose=${(/** @type {ColourName} */ by) => typesPage.colourBy(by)}
    />
  </div>`;
}
