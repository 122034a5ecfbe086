/* Rows of a record of the open experiment, each with the page that shows its model, data and intervention. */
import { linkOfQuery } from "rs/lib/address.js";
import { whole } from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { html } from "rs/lib/view.js";
import { Failed, Waits, heads, withMinus } from "rs/pages/results/claims.js";
import * as results from "rs/pages/results/state.js";
import { Choice, Tool, labelled } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { Figures } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** A link to the page of a number's model. @param {{link: Schemas["ModelLink"] | null, of: string}} props */
export function Measured({ link, of }) {
  if (!link) return null;
  const { label, page, model, address, lacks } = link;
  const href = linkOfQuery(page, { model, ...address });
  return html`<a href=${href} onClick=${follow} aria-label=${label + ", " + of}>${label}</a> ${
      lacks.length > 0 && html`<small>without ${lacks.join("; ")}</small>`
    }`;
}

/** @param {{answer: Schemas["RecordRows"]}} props */
function Table({ answer: { columns, items, total } }) {
  const named = columns.map((name) => name.replace(/_/g, " "));
  return html`<div class="results-rows">
      <${Figures}
        look="results-cards"
        heads=${heads([named[0], "Page", ...named.slice(1)])}
        rows=${items.map(
          ({ cells: [first, ...rest], link }) =>
            html`<tr>
              <th scope="row">${first}</th>
              <td data-label="Page"><${Measured} link=${link} of=${[first, ...rest].join(", ")} /></td>
              ${rest.map((cell, at) => html`<td data-label=${named[at + 1]}>${withMinus(cell)}</td>`)}
            </tr>`,
        )}
      />
    </div>
    <p class="hint">
      ${whole(items.length)} of ${whole(total)} rows.
      ${items.length < total && html` <${Tool} act=${results.more}>Show more<//>`}
    </p>`;
}

/** The panel of the rows of the chosen record; nothing without one. */
export function Rows() {
  const { record, table } = results.choice.value;
  const opened = results.opened();
  if (!record || !opened) return null;
  const answer = results.rows.latest();
  const problem = results.rows.waits() ? null : results.rows.problem();
  const shown = answer && results.nameOf(answer.file) === results.nameOf(record) ? answer : null;
  return html`<${Panel}
    id="results-rows"
    title=${"Rows of " + results.nameOf(record)}
    reads="Each row links to the page that has its model, data and intervention; it names what that page cannot show."
    formats=${["csv", "json"]}
    coded=${false}
    written=${() =>
      shown && {
        name: "rows-" + opened.id,
        rows: () => [shown.columns, ...shown.items.map(({ cells }) => cells)],
        json: () => shown,
        picture: {},
      }}
  >
    <div class="results-filters">
      ${labelled(
        "Table",
        "results-table",
        html`<${Choice}
          id="results-table"
          look="plain-select"
          options=${(shown?.tables ?? [table]).map((name) => [name, name])}
          chosen=${table}
          onChoose=${(/** @type {string} */ name) => results.choose({ table: name })}
        />`,
      )}
      ${labelled(
        "Rows with",
        "results-find",
        html`<input
          id="results-find"
          class="small-input"
          type="search"
          maxlength="80"
          value=${results.find.value}
          onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ event) =>
            (results.find.value = event.currentTarget.value)}
        />`,
      )}
      <${Tool} act=${() => results.openRecord(null)}>Close<//>
    </div>
    ${problem && html`<${Failed} title="The rows could not be read" problem=${problem} />`}
    ${!problem && shown && html`<${Table} answer=${shown} />`}
    ${!problem && !shown && html`<${Waits} words="Reading rows" />`}
  <//>`;
}
