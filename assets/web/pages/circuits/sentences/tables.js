/* Beside the maps: what the lasso holds or which sentences are nearest, and how far the maps keep groups apart. */
import { whole } from "rs/lib/format.js";
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
/** @import { VNode } from "rs/vendor/preact.js" */

const SHOWN = 60;

/** A sentence that a click pins. @param {number} at @param {Schemas["SentenceMap"]} info @param {string} [more] */
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
const counted = (info, points) =>
  info.kinds
    .map((kind) => ({ kind, count: points.filter((at) => info.points[at].kind === kind).length }))
    .filter(({ count }) => count)
    .sort((a, b) => b.count - a.count)
    .map(({ kind, count }) => kind + " " + count)
    .join(", ");

/** @param {Schemas["SentenceMap"]} info */
function selection(info) {
  const found = circuitsMaps.chosen();
  const words = whole(found.length) + (found.length === 1 ? " sentence: " : " sentences: ") + counted(info, found);
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

/** @param {Schemas["SentenceMap"]} info @param {Schemas["Place"]} place @param {number} at */
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

/** @type {Record<string, string>} */
const SPACES = { full: "before the map", map: "on the map" };

/** @param {number | null} value */
const number = (value) => (value === null ? "\u2013" : value.toFixed(3));

/** A value and what shuffled groups give; bold beyond these. @param {Schemas["Separation"] | undefined} each */
function cell(each) {
  if (!each) return html`<td>–</td>`;
  const { value, null_mean: mean, null_low: low, null_high: high } = each;
  const beyond = value !== null && high !== null && value > high;
  const range = mean === null ? "" : "shuffled " + number(mean) + ", 95 %: " + number(low) + " to " + number(high);
  return html`<td>
    <span class=${beyond ? "beyond" : undefined}>${number(value)}</span>
    <small>${range}</small>
  </td>`;
}

/** A row a group, measure and space, circuits beside text. @param {Schemas["SentenceMap"]} info */
export function separationTable({ separation }) {
  const keyOf = (/** @type {Schemas["Separation"]} */ { by, measure, space }) => [by, measure, space].join(" ");
  const lines = [...new Set(separation.map(keyOf))].map((key) => {
    const maps = separation.filter((each) => keyOf(each) === key);
    const [{ by, measure, space }] = maps;
    return html`<tr>
      <th scope="row">${"by " + by}</th>
      <td>${measure + ", " + SPACES[space]}</td>
      ${["circuits", "text"].map((name) => cell(maps.findLast(({ map }) => map === name)))}
    </tr>`;
  });
  const heads = ["groups", "measure", "circuits", "text"].map((name) => html`<th scope="col">${name}</th>`);
  return html`<${Figures} heads=${heads} rows=${lines} look="separation" />`;
}

/** @param {Schemas["SentenceMap"]} info */
function factsOf({ count, set_title: title, variance, trustworthiness: trust }) {
  const held = (/** @type {number | null} */ share) => (share === null ? "\u2013" : (100 * share).toFixed(1) + " %");
  const parts = [
    whole(count) + " sentences of " + title,
    "variance held by the PCA before the map: circuits " + held(variance.circuits) + ", text " + held(variance.text),
    "trustworthiness (1 is best): circuits " + number(trust.circuits) + ", text " + number(trust.text),
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
