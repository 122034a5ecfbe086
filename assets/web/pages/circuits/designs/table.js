/* Circuits in numbers: how each differs from the first, and one module in all of them. */
import { figure, whole } from "rs/lib/format.js";
import * as links from "rs/lib/links.js";
import { html } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { chosen, pick, point } from "rs/pages/circuits/designs/pictures.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { numberOf, wordsOf } from "rs/pages/circuits/words.js";
import { Tool } from "rs/parts/controls.js";
import { Figures } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Circuits } from "rs/pages/circuits/designs/data.js" */
/** @import { Counts } from "rs/pages/circuits/designs/links.js" */

const WORDS = 3; // that a module attends to most
const MOVED = 6; // modules that changed most
const NONE = "\u2013";

/** Counts as they are, other numbers by the rule for figures. @param {number | null | undefined} value */
const said = (value) => (value === null || value === undefined ? NONE : Number.isInteger(value) ? whole(value) : figure(value)); // prettier-ignore
/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @typedef {{name: string, title: string, of: (design: Schemas["SentenceDesign"], compared: Counts, at: number) => number | null}} Column a figure of a circuit */

/** One row a sentence. @type {Column[]} */
export const COLUMNS = [
  { name: "links", title: "links above the threshold", of: (_, compared) => compared.links },
  { name: "gained", title: "links that this circuit has and circuit 1 has not", of: (_, compared, at) => (at ? compared.gained : null) },
  { name: "lost", title: "links that circuit 1 has and this circuit has not", of: (_, compared, at) => (at ? compared.lost : null) },
  { name: "mean |\u0394P|", title: "mean absolute difference of link probabilities to circuit 1, over all pairs", of: (design) => design.to_first?.mean_change ?? null },
  { name: "correlation", title: "of link probabilities with circuit 1, over all pairs", of: (design) => design.to_first?.correlation ?? null },
  { name: "code change", title: "1 - cosine of a module's codes in the two circuits, mean over modules", of: ({ to_first: change }) => change?.code_change ? mean(change.code_change) : null },
  { name: "mean degree", title: "expected number of links of a module", of: (design) => design.mean_degree },
  { name: "modularity", title: "of the best communities found", of: (design) => design.modularity },
]; // prettier-ignore

/** The figures of each circuit, by the columns. */
export function values() {
  const changes = circuitsDesigns.changes();
  return (circuitsDesigns.data()?.designs ?? []).map((design, at) => ({
    sentence: design.sentence,
    cells: COLUMNS.map((column) => column.of(design, changes[at], at)),
  }));
}

/** How each circuit differs from the first. */
export function Distances() {
  const heads = COLUMNS.map(
    ({ name, title }) => html`<th scope="col" title=${title}>${name.replace("|", "|\u2060")}</th>`,
  );
  const rows = values().map(
    ({ sentence, cells }, at) =>
      html`<tr>
        <th scope="row">${[numberOf(at), " ", sentence]}</th>
        ${cells.map((cell) => html`<td>${said(cell)}</td>`)}
      </tr>`,
  );
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Distances of the circuits">
    ${rows.length > 0 && html`<${Figures} heads=${[html`<th scope="col">sentence</th>`, ...heads]} rows=${rows} />`}
  </div>`;
}

/* -- one module -------------------------------------------------------------------------------------------------- */

/** The words that a module attends to most. @param {Schemas["SentenceDesign"]} design @param {number} unit */
function attended(design, unit) {
  const shares = design.text_attention?.[unit];
  if (!shares) return null;
  return wordsOf(design)
    .map(({ text, pieces }) => ({ text, share: pieces.reduce((sum, at) => sum + (shares[at] || 0), 0) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, WORDS);
}

/** The figures of a module in every circuit. @param {number} unit */
export const moduleValues = (unit) =>
  (circuitsDesigns.data()?.designs ?? []).map((design) => ({
    sentence: design.sentence,
    connectivity: design.connectivity[unit],
    rank: 1 + design.connectivity.filter((value) => value > design.connectivity[unit]).length,
    link_change: design.to_first?.module_change[unit] ?? null,
    code_change: design.to_first?.code_change?.[unit] ?? null,
    words: attended(design, unit),
  }));

/** @param {{unit: number}} props */
const ModuleTable = ({ unit }) =>
  html`<${Figures}
    heads=${["sentence", "q, rank", "mean |\u0394P|", "code change", "reads most from"].map(
      (name) => html`<th scope="col">${name}</th>`,
    )}
    rows=${moduleValues(unit).map(
      (each, at) =>
        html`<tr>
          <th scope="row">${numberOf(at)}</th>
          <td>${each.connectivity.toFixed(2) + ", " + each.rank}</td>
          <td>${said(each.link_change)}</td>
          <td>${said(each.code_change)}</td>
          <td>
            ${each.words?.map(({ text, share }) => text + " " + (100 * share).toFixed(0) + " %").join(", ") ?? NONE}
          </td>
        </tr>`,
    )}
  />`;

/** Modules that differ most from the first circuit, as buttons. @param {{data: Circuits, field: "module_change" | "code_change", words: string}} props */
function Moved({ data, field, words }) {
  const changed = data.designs.flatMap(({ to_first: change }) => (change?.[field] ? [change[field]] : []));
  if (!changed.length) return null;
  const most = (/** @type {number} */ unit) => Math.max(...changed.map((each) => each[unit]));
  function chip(/** @type {number} */ unit) {
    const [enter, leave] = [() => point(unit), () => point(-1)];
    const pointed = { onPointerEnter: enter, onPointerLeave: leave, onFocus: enter, onBlur: leave };
    return html`<button key=${unit} type="button" class="chip" onClick=${() => pick(unit)} ...${pointed}>
      ${data.units[unit]}<small>${" " + most(unit).toFixed(3)}</small>
    </button>`;
  }
  return html`<div class="moved">
    <span class="control-name">${words}</span>${links.byFalling(data.count, most).slice(0, MOVED).map(chip)}
  </div>`;
}

/** The chosen module in all circuits, and modules that changed most. */
export function Module() {
  const data = circuitsDesigns.data();
  if (!data) return null;
  const unit = chosen();
  const name = data.units[unit];
  const away = state.drop.includes(name);
  return html`<div class="design-module" data-unit=${name ?? ""}>
    ${
      unit >= 0 &&
      html`<div class="module-head">
          <h3 class="small-title">${"Module " + name}</h3>
          <${Tool} id="design-drop" pressed=${away} act=${() => circuitsState.toggle(name)}>
            ${away ? "Bring back" : "Drop"}
          <//>
          <${Tool} act=${() => pick(-1)}>Close<//>
        </div>
        <${ModuleTable} unit=${unit} />`
    }
    <${Moved} data=${data} field="module_change" words="Links changed most (mean |ΔP|)" />
    <${Moved} data=${data} field="code_change" words="Codes changed most (1 − cosine)" />
    ${unit < 0 && html`<p class="hint">Click a module to see it in all circuits; Delete drops it.</p>`}
  </div>`;
}
