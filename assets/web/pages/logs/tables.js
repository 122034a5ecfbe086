/* The page's tables: as wide as they are, within what can be scrolled, also by the keyboard. */
import { html } from "rs/lib/view.js";
import { Figures } from "rs/parts/table.js";

/** @import { VNode } from "rs/vendor/preact.js" */

/**
 * @param {{label: string, columns: string[], rows: VNode[]}} props a column without a name is one of buttons or bars
 */
export function Table({ label, columns, rows }) {
  const heads = columns.map((name) => (name ? html`<th scope="col">${name}</th>` : html`<td></td>`));
  return html`<div class="table-scroll" tabindex="0" role="group" aria-label=${label}>
    <${Figures} heads=${heads} rows=${rows} />
  </div>`;
}
