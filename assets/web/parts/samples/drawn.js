/* Samples as they are drawn in the gallery and where one is chosen: pictures, text, bars, tables. */
import * as api from "rs/lib/api.js";
import { probability, whole } from "rs/lib/format.js";
import { current } from "rs/lib/selection.js";
import { html } from "rs/lib/view.js";
import { Written, beginning } from "rs/parts/samples/written.js";
import { TableOf } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Item, Value } from "rs/pages/samples/types.d.ts" */
/** @typedef {Schemas["SampleTable"]} Table */

const SHEET_COLUMNS = 16; // pictures in a row of the one that shows them all
const MOST_COLUMNS = 6; // of a table in a card

/** A value of a table with four digits, or a dash. @param {string | number | null} value */
export function cell(value) {
  if (value === null) return "\u2013";
  return typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(4))) : String(value);
}

/** The name of a sample: its id in a data set, or the name that its author gave. @param {Table} table */
export const called = ({ id, set, set_title: title }) => (set === null ? title : id);

/** The label in words; of a text its length, of a point the value of its function. @param {Table} table */
export function labelled({ inputs, label, label_name: name, label_word: word, point }) {
  if (inputs === "text") return whole(label) + " bytes";
  if (point) return "function " + point.value.toFixed(2);
  return label < 0 ? "no " + word : word + " " + (name ?? label);
}

/** @param {Schemas["Point"]} point */
export function Bars({ names, values }) {
  const words = names.map((name, at) => name + " " + values[at].toFixed(2)).join(", ");
  return html`<div class="point-bars" role="img" aria-label=${words}>
    ${names.map(
      (name, at) =>
        html`<div key=${name} class="point-variable" aria-hidden="true">
          <span class="point-value">${values[at].toFixed(2)}</span>
          <span class="point-bar"><span style=${{ height: 100 * values[at] + "%" }}></span></span>
          <span class="point-name">${name}</span>
        </div>`,
    )}
  </div>`;
}

/** @param {string} path below /api/v1, with {} for the id @param {string} id */
const addressOf = (path, id) => api.BASE + path.replace("{}", encodeURIComponent(id));

/**
 * A sample that is no single picture, as its kind shows it.
 *
 * @param {{table: Table, whole?: boolean, readers?: {weights: ArrayLike<number>, units: string[]} | null}} props
 */
export function Drawn({ table, whole: isWhole = false, readers = null }) {
  const { id, inputs, rows, point, pictured, writing, blocks } = table;
  if (inputs === "text") return html`<pre class="sample-text">${rows.map(([, line]) => line).join("\n")}</pre>`;
  if (inputs === "statements")
    return html`<div class="sample-sentence">
      <div class="sample-pictures">
        ${[0, 1].map((at) => html`<img key=${at} src=${addressOf("/statements/{}/pictures/" + at, id)} alt="" class="pixels" />`)}
      </div>
      <p>${rows.map(([, word]) => word).join(" ")}</p>
    </div>`;
  if (point) return html`<${Bars} ...${point} />`;
  if (pictured)
    return html`<img
      src=${addressOf("/tables/{}/picture", id)}
      alt=""
      class="sample-picture"
      width="128"
      height="128"
    />`;
  if (writing)
    return isWhole
      ? html`<${Written} writing=${writing} readers=${readers} />`
      : html`<pre class="sample-text">${beginning(writing)}</pre>`;
  if (blocks) return html`<p class="sample-digits">${blocks.digits.join(" ")}</p>`;
  const columns = table.columns.slice(0, isWhole ? undefined : MOST_COLUMNS);
  const beyond = table.columns.length - columns.length;
  const head = beyond ? [...columns, "+ " + beyond] : columns;
  return html`<${TableOf} rows=${[head, ...rows.map((row) => row.slice(0, columns.length).map(cell))]} caption="" />`;
}

/** How many rows are not shown, in words; "" where all are. @param {Table} table */
export function moreRows({ pictured, writing, point, rows, total_rows: total }) {
  const more = pictured || writing || point ? 0 : total - rows.length;
  return more > 0 ? "and " + whole(more) + " more row" + (more === 1 ? "" : "s") : "";
}

/* -- the gallery --------------------------------------------------------------------------------------------------- */

/** One sample's part of the picture with all of `ids`. @param {string[]} ids @param {number} at */
export function cellLook(ids, at) {
  const sheet = api.BASE + "/samples/images?" + ids.map((id) => "id=" + encodeURIComponent(id)).join("&");
  const rows = Math.ceil(ids.length / SHEET_COLUMNS);
  const [row, column] = [Math.floor(at / SHEET_COLUMNS), at % SHEET_COLUMNS];
  return {
    backgroundImage: 'url("' + sheet + '")',
    backgroundSize: 100 * SHEET_COLUMNS + "% " + 100 * rows + "%",
    backgroundPosition: (100 * column) / (SHEET_COLUMNS - 1) + "% " + (100 * row) / Math.max(1, rows - 1) + "%",
  };
}

/** What picks a sample. @param {string} id @param {boolean} first @param {string} words */
const picks = (id, first, words) => ({
  type: "button",
  tabIndex: first ? 0 : -1,
  "data-pick-sample": id,
  "aria-pressed": String(id === current().sample),
  "aria-label": words,
});

/** @param {{sample: Schemas["Sample"], value: Value | null, look: Record<string, string>, first: boolean}} props */
function Thumb({ sample: { id, name, label, prediction }, value, look, first }) {
  const wrong = prediction && label !== null && prediction.label !== label;
  const words = [name, label === null ? "no label" : "label " + label];
  if (prediction)
    words.push(
      `predicted ${prediction.label} (${probability(prediction.probability)}) by the ${prediction.domain} head`,
    );
  if (value) words.push(value.words);
  const all = words.join(", ");
  return html`<button class="thumb" title=${all} ...${picks(id, first, all)}>
    <span class="thumb-picture pixels" style=${look}></span>
    <span class="thumb-caption">
      <span class="thumb-label">${label ?? "?"}</span>
      ${wrong && html`<span class="thumb-wrong">${"\u2192 " + prediction.label}</span>`}
    </span>
    ${value && html`<span class="thumb-value">${value.short}</span>`}
  </button>`;
}

/** @param {{table: Table, value: Value | null, first: boolean}} props */
function Card({ table, value, first }) {
  const [name, label] = [called(table), labelled(table)];
  const place = table.set === null ? name : table.set + " \u00b7 " + table.id.slice(table.id.lastIndexOf(".") + 1);
  const more = moreRows(table);
  return html`<div class="table-card">
    <button class="table-pick" ...${picks(table.id, first, [name, label, ...(value ? [value.words] : [])].join(", "))}>
      <strong title=${name}>${place}</strong><span>${label}</span>
      ${value && html`<span class="thumb-value">${value.short}</span>`}
    </button>
    <${Drawn} table=${table} />
    ${more && html`<p class="hint">${more}</p>`}
  </div>`;
}

/** Samples that can be chosen: one stop for the tab key, arrow keys within. @param {{items: Item[]}} props */
export function Cards({ items }) {
  const ids = items.map(({ id }) => id);
  const start = Math.max(0, ids.indexOf(current().sample ?? ""));
  return html`<div
    class=${items[0].sample ? "thumbs" : "table-cards"}
    role="group"
    aria-label="Samples"
    data-gallery="true"
  >
    ${items.map(({ id, sample, table, value }, at) =>
      sample
        ? html`<${Thumb} key=${id} ...${{ sample, value, first: at === start }} look=${cellLook(ids, at)} />`
        : html`<${Card} key=${id} ...${{ table, value, first: at === start }} />`,
    )}
  </div>`;
}
