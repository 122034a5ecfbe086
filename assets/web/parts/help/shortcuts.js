/* The sheet of shortcuts. */
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";
import { GROUPS } from "rs/parts/help/keys.js";

/** @import { Group, Shortcut } from "rs/parts/help/keys.js" */

const TITLE = "shortcuts-title";

/** @param {string[]} keys */
const shown = (keys) => keys.map((each, at) => [at ? " " : "", html`<kbd>${each}</kbd>`]);

/** @param {Shortcut} shortcut */
const line = ({ keys, does }) =>
  html`<tr>
    <td class="shortcut-keys">${shown(keys)}</td>
    <td>${does}</td>
  </tr>`;

/** @param {Group} group */
const table = ({ title, note, shortcuts }) =>
  html`<section class="shortcut-group">
    <table>
      <caption>
        ${title}${note && html` <span class="shortcut-note">${note}</span>`}
      </caption>
      <thead class="hidden-visually">
        <tr>
          <th scope="col">Keys</th>
          <th scope="col">What they do</th>
        </tr>
      </thead>
      <tbody>
        ${shortcuts.map(line)}
      </tbody>
    </table>
  </section>`;

const view = () => html`
  <header class="help-head">
    <h2 id=${TITLE}>Shortcuts</h2>
    <form method="dialog"><button class="tool tool-text" autofocus>Close</button></form>
  </header>
  <div class="help-scroll shortcut-groups" tabindex="0" role="region" aria-labelledby=${TITLE}>
    ${GROUPS.map(table)}
  </div>
`;

/** @param {HTMLElement | null} before gets the focus back */
export function open(before) {
  openDialog({ look: "help-dialog shortcut-dialog", label: "#" + TITLE, view, before });
}
