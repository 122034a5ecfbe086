/* Circuits in numbers: how each differs from the first, and one module in all of them. */
import { registerWidget } from "rs/lib/dom.js";
import * as links from "rs/lib/links.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import * as circuitsPictures from "rs/pages/circuits/designs/pictures.js";
import { pick, point } from "rs/pages/circuits/designs/pictures.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { numberOf, wordsOf } from "rs/pages/circuits/words.js";
import { Figures } from "rs/parts/table.js";
import { effect, signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Circuits, Counts } from "rs/pages/circuits/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

const WORDS = 3; // that a module attends to most
const MOVED = 6; // modules that changed most
const PAUSE = 60; // milliseconds

/**
 * @param {number | null | undefined} value
 * @param {number} digits
 */
const fixed = (value, digits) => (value === null || value === undefined ? "\u2013" : value.toFixed(digits));
/** @param {number | null | undefined} value */
const whole = (value) => (value === null || value === undefined ? "\u2013" : value.toLocaleString("en"));
/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * A figure of a circuit.
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {string} title
 * @property {(design: Schemas["SentenceDesign"], compared: Counts, at: number) => number | null} of
 * @property {number} [digits]
 */

/**
 * One row a sentence.
 *
 * @type {Column[]}
 */
const COLUMNS = [
  { name: "links", title: "links above the threshold", of: (_, compared) => compared.links },
  { name: "gained", title: "links that it has and circuit 1 has not", of: (_, compared, at) => (at ? compared.gained : null) },
  { name: "lost", title: "links that circuit 1 has and it has not", of: (_, compared, at) => (at ? compared.lost : null) },
  { name: "mean |\u0394P|", title: "mean absolute difference of link probabilities to circuit 1, over all pairs", of: (design) => design.to_first && design.to_first.mean_change, digits: 4 },
  { name: "correlation", title: "of link probabilities with circuit 1, over all pairs", of: (design) => design.to_first && design.to_first.correlation, digits: 4 },
  { name: "code change", title: "1 - cosine of a module's codes in the two circuits, mean over modules", of: (design) => design.to_first && design.to_first.code_change && mean(design.to_first.code_change), digits: 4 },
  { name: "mean degree", title: "expected number of links of a module", of: (design) => design.mean_degree, digits: 2 },
  { name: "modularity", title: "of the best communities found", of: (design) => design.modularity, digits: 3 },
]; // prettier-ignore

function values() {
  const { data, compared } = circuitsDesigns.get();
  if (!data) return [];
  return data.designs.map((design, at) => {
    const counted = circuitsDesigns.changes(at) || compared[at];
    return { sentence: design.sentence, cells: COLUMNS.map((column) => column.of(design, counted, at)) };
  });
}

/**
 * @param {VNode[]} heads
 * @param {VNode[]} rows
 */
const figures = (heads, rows) => html`<${Figures} heads=${heads} rows=${rows} />`;

/** @param {ReturnType<typeof values>} rows */
const table = (rows) =>
  figures(
    [
      html`<th scope="col">sentence</th>`,
      ...COLUMNS.map(({ name, title }) => html`<th scope="col" title=${title}>${name}</th>`),
    ],
    rows.map(
      ({ sentence, cells }, at) =>
        html`<tr>
          <th scope="row">${[numberOf(at), " ", sentence]}</th>
          ${COLUMNS.map(({ digits }, column) => html`<td>${digits === undefined ? whole(cells[column]) : fixed(cells[column], digits)}</td>`)}
        </tr>`,
    ),
  );

/** Counted a moment after a change, once the pictures are drawn: a slider changes it many times a second. */
registerWidget("design-table", (host) => {
  const rows = signal(values());
  let timer = 0;
  const ends = [
    circuitsDesigns.subscribe(() => {
      timer ||= setTimeout(() => {
        timer = 0;
        rows.value = values();
      }, PAUSE);
    }),
    show(host, () => (rows.value.length ? table(rows.value) : null)),
    () => clearTimeout(timer),
  ];
  return () => ends.forEach((end) => end());
});

/* -- one module -------------------------------------------------------------------------------------------------- */

/**
 * @param {number[]} list
 * @param {number} unit
 */
const rankOf = (list, unit) => 1 + list.filter((value) => value > list[unit]).length;

/**
 * @param {Schemas["SentenceDesign"]} design
 * @param {number} unit
 */
function attended(design, unit) {
  const shares = design.text_attention && design.text_attention[unit];
  if (!shares) return null;
  return wordsOf(design)
    .map(({ text, pieces }) => ({ text, share: pieces.reduce((sum, at) => sum + (shares[at] || 0), 0) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, WORDS);
}

/**
 * What there is to say of a module in every circuit.
 *
 * @param {number} unit
 */
export function moduleValues(unit) {
  const { data } = circuitsDesigns.get();
  if (!data) return [];
  return data.designs.map((design) => ({
    sentence: design.sentence,
    connectivity: design.connectivity[unit],
    rank: rankOf(design.connectivity, unit),
    link_change: design.to_first ? design.to_first.module_change[unit] : null,
    code_change: design.to_first && design.to_first.code_change ? design.to_first.code_change[unit] : null,
    words: attended(design, unit),
  }));
}

/** @param {number} unit */
const moduleTable = (unit) =>
  figures(
    ["sentence", "q, rank", "mean |\u0394P|", "code change", "reads most from"].map(
      (name) => html`<th scope="col">${name}</th>`,
    ),
    moduleValues(unit).map(
      (each, at) =>
        html`<tr>
          <th scope="row">${numberOf(at)}</th>
          <td>${each.connectivity.toFixed(2) + ", " + each.rank}</td>
          <td>${fixed(each.link_change, 4)}</td>
          <td>${fixed(each.code_change, 4)}</td>
          <td>
            ${each.words?.map(({ text, share }) => text + " " + (100 * share).toFixed(0) + " %").join(", ") ?? "\u2013"}
          </td>
        </tr>`,
    ),
  );

/**
 * @param {Circuits} data
 * @param {number} unit
 * @param {string} words
 */
function unitChip(data, unit, words) {
  const [enter, leave] = [() => point(unit), () => point(-1)];
  return html`<button
    key=${unit}
    type="button"
    class="chip"
    onClick=${() => pick(unit)}
    onPointerEnter=${enter}
    onPointerLeave=${leave}
    onFocus=${enter}
    onBlur=${leave}
  >
    ${data.units[unit]}<small>${" " + words}</small>
  </button>`;
}

/**
 * Modules that differ most from the first circuit, as buttons.
 *
 * @param {Circuits} data
 * @param {"module_change" | "code_change"} field
 * @param {string} words
 */
function moved(data, field, words) {
  const changed = data.designs
    .slice(1)
    .map((design) => design.to_first && design.to_first[field])
    .filter((each) => each !== null);
  if (!changed.length) return null;
  /** @param {number} unit */
  const most = (unit) => Math.max(...changed.map((each) => each[unit]));
  const units = links.byFalling(data.count, most).slice(0, MOVED);
  return html`<div class="moved">
    <span class="control-name">${words}</span>
    ${units.map((unit) => unitChip(data, unit, most(unit).toFixed(3)))}
  </div>`;
}

/** @param {string} name */
function moduleHead(name) {
  const away = circuitsState.get().drop.includes(name);
  return html`<div class="module-head">
    <h3 class="small-title">${"Module " + name}</h3>
    <button
      type="button"
      class="tool tool-text"
      id="design-drop"
      aria-pressed=${away}
      onClick=${() => circuitsState.toggle(name)}
    >
      ${away ? "Bring back" : "Drop"}
    </button>
    <button type="button" class="tool tool-text" onClick=${() => pick(-1)}>Close</button>
  </div>`;
}

registerWidget("design-module", (host) => {
  const ends = [
    effect(() => {
      host.dataset.unit = (circuitsDesigns.get().data && circuitsState.get().unit) || "";
    }),
    show(host, () => {
      const { data } = circuitsDesigns.get();
      if (!data) return null;
      const unit = circuitsPictures.chosen();
      return html`${unit >= 0 && [moduleHead(data.units[unit]), moduleTable(unit)]}
      ${moved(data, "module_change", "Links changed most (mean |\u0394P|)")}
      ${moved(data, "code_change", "Codes changed most (1 \u2212 cosine)")}
      ${unit < 0 && html`<p class="hint">Click a module to see it in all circuits; Delete drops it.</p>`}`;
    }),
  ];
  return () => ends.forEach((end) => end());
});

/** Says what is pointed at with keys. */
registerWidget("design-said", (host) =>
  circuitsState.subscribe(({ hover_unit: unit }, names) => {
    const { data } = circuitsDesigns.get();
    if (!names.has("hover_unit") || !data) return;
    const q = unit < 0 ? "" : data.designs.map((design) => design.connectivity[unit].toFixed(2)).join(", ");
    host.textContent = unit < 0 ? "" : data.units[unit] + ": q " + q;
  }),
);

export { COLUMNS as tableColumns, values as tableValues };
