/* Beside the maps: what the lasso holds or which sentences are nearest, and how far the maps keep groups apart. */
import { html } from "rs/lib/view.js";
import * as written from "rs/pages/circuits/exports.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { numberOf } from "rs/pages/circuits/words.js";
import { Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { Figures } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Which } from "rs/pages/circuits/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

const SHOWN = 60;
/** @type {Record<string, string>} */
const MEASURES = { silhouette: "silhouette" };
/** @type {Record<string, string>} */
const SPACES = { full: "before the map", map: "on the map" };

/**
 * A sentence that a click pins.
 *
 * @param {number} at
 * @param {Schemas["SentenceMap"]} info
 * @param {string} [more]
 */
function sentenceItem(at, info, more) {
  const { text } = info.points[at];
  const point = () => circuitsState.set({ hover_point: at });
  const leave = () => circuitsState.set({ hover_point: -1 });
  return html`<li key=${at}>
    <button
      type="button"
      class="sentence-item"
      title="Pin it"
      data-point=${at}
      onClick=${() => circuitsState.pin(text)}
      onPointerEnter=${point}
      onPointerLeave=${leave}
      onFocus=${point}
      onBlur=${leave}
    >
      <span>${text}</span>
      ${more && html`<small>${more}</small>`}
    </button>
  </li>`;
}

/** @param {string} label @param {VNode[]} items */
const list = (label, items) =>
  html`<ul class="sentence-list" aria-label=${label} tabindex="0">
    ${items}
  </ul>`;

/** How many sentences there are of each kind. @param {Schemas["SentenceMap"]} info @param {number[]} points */
function counted(info, points) {
  const counts = info.kinds.map((kind) => ({
    kind,
    count: points.filter((at) => info.points[at].kind === kind).length,
  }));
  return counts
    .filter(({ count }) => count)
    .sort((a, b) => b.count - a.count)
    .map(({ kind, count }) => kind + " " + count)
    .join(", ");
}

/** @param {Schemas["SentenceMap"]} info */
function selection(info) {
  const found = circuitsMaps.chosen();
  const words =
    found.length.toLocaleString("en") + (found.length === 1 ? " sentence: " : " sentences: ") + counted(info, found);
  const more = found.length - SHOWN;
  return html`<div class="module-head">
      <h3 class="small-title">In the lasso</h3>
      <${Tool} act=${() => circuitsState.set({ lasso: null })}>Let go<//>
    </div>
    <p class="selection-count" data-selected=${found.length}>${found.length ? words : "No sentence lies inside."}</p>
    ${list(
      "Sentences in the lasso",
      found.slice(0, SHOWN).map((at) => sentenceItem(at, info)),
    )}
    ${more > 0 && html`<p class="hint">${"and " + more + " more; the files have all"}</p>`}`;
}

/**
 * @param {Schemas["SentenceMap"]} info
 * @param {Schemas["Place"]} place
 * @param {number} at
 */
function near(info, place, at) {
  /** @param {Schemas["NearPoint"][]} found */
  const items = (found) => found.map(({ index, distance }) => sentenceItem(index, info, distance.toFixed(2)));
  return html`<h3 class="small-title">${["Nearest to ", numberOf(at), " by circuit"]}</h3>
    ${list("Nearest by circuit", items(place.nearest))}
    <h3 class="small-title">Nearest by words</h3>
    ${list("Nearest by the text encoder", items(place.text_nearest))}`;
}

/** What the lasso holds, or the nearest sentences to the chosen one. */
function Selection() {
  const { lasso, sentences, focus } = state;
  const info = circuitsMaps.info();
  if (!info) return null;
  if (lasso) return selection(info);
  const place = circuitsMaps.places().get(sentences[focus]);
  if (place) return near(info, place, focus);
  const words = "Draw around points with the lasso (or hold Shift and drag) to list their sentences here.";
  return html`<p class="hint">${words}</p>`;
}

export const SelectionPanel = () =>
  html`<${Panel}
    id="sentenceselection"
    title="Neighbours"
    reads="Sentences inside the lasso. Without a lasso: the nearest sentences to the chosen one, with distances."
    formats=${["csv", "json"]}
    written=${written.selection}
  >
    <div class="sentence-selection"><${Selection} /></div>
  <//>`;

/* -- separation --------------------------------------------------------------------------------------------------- */

/** @param {number | null | undefined} value */
const number = (value) => (value === null || value === undefined ? "\u2013" : value.toFixed(3));
/** @param {Pick<Schemas["Separation"], "null_mean" | "null_low" | "null_high">} separation */
const range = ({ null_mean: mean, null_low: low, null_high: high }) =>
  mean === null ? "" : "shuffled " + number(mean) + ", 95 %: " + number(low) + " to " + number(high);

/** @typedef {{by: string, measure: string, space: string} & Record<Which, Schemas["Separation"] | null>} Row */

/**
 * Rows of the table: one for each measure, group and space, circuits beside text.
 *
 * @param {Schemas["SentenceMap"]} info
 */
function rowsOf(info) {
  const rows = /** @type {Map<string, Row>} */ (new Map());
  for (const each of info.separation) {
    const key = [each.by, each.measure, each.space].join(" ");
    const row = rows.get(key) || { by: each.by, measure: each.measure, space: each.space, circuits: null, text: null };
    row[each.map] = each;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/**
 * Beyond what shuffled groups give.
 *
 * @param {Schemas["Separation"] | null} each
 */
const beyond = (each) => each && each.value !== null && each.null_high !== null && each.value > each.null_high;

/** @param {Schemas["SentenceMap"]} info */
function separationTable(info) {
  /** @param {Schemas["Separation"] | null} each */
  const cell = (each) =>
    html`<td>
      <span class=${beyond(each) ? "beyond" : undefined}>${each ? number(each.value) : "\u2013"}</span>
      ${each && html`<small>${range(each)}</small>`}
    </td>`;
  const rows = rowsOf(info).map(
    (row) =>
      html`<tr>
        <th scope="row">${"by " + row.by}</th>
        <td>${(MEASURES[row.measure] || row.measure) + ", " + (SPACES[row.space] || row.space)}</td>
        ${[cell(row.circuits), cell(row.text)]}
      </tr>`,
  );
  const heads = ["groups", "measure", "circuits", "text"].map((name) => html`<th scope="col">${name}</th>`);
  return html`<${Figures} heads=${heads} rows=${rows} look="separation" />`;
}

/** @param {number | null | undefined} value */
const percent = (value) => (value === null || value === undefined ? "\u2013" : (100 * value).toFixed(1) + " %");

/** @param {Schemas["SentenceMap"]} info */
function factsOf(info) {
  const parts = [
    info.count.toLocaleString("en") + " sentences of " + info.set_title,
    "variance held by the PCA before the map: circuits " +
      percent(info.variance.circuits) +
      ", text " +
      percent(info.variance.text),
    "trustworthiness (1 is best): circuits " +
      number(info.trustworthiness.circuits) +
      ", text " +
      number(info.trustworthiness.text),
  ];
  return html`<p class="hint" id="sentence-facts">${parts.join("; ") + "."}</p>`;
}

/** How far the maps keep groups apart. */
export function SeparationPanel() {
  const info = circuitsMaps.info();
  const waits = circuitsMaps.status() === "loading";
  return html`<${Panel}
    id="separation"
    title="Separation"
    tag="observed"
    reads="How well the maps separate sentences by kind and by object. Bold: better than shuffled groups."
    formats=${["csv", "json"]}
    written=${written.separation}
  >
    <div class="table-scroll" tabindex="0" role="region" aria-label="How far the maps keep groups apart">
      ${
        info
          ? [separationTable(info), factsOf(info)]
          : html`<p class="hint">${waits ? "The table comes with the map." : "There is no map yet."}</p>`
      }
    </div>
  <//>`;
}
