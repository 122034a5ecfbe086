/* Undo and redo, in the header; and the way to the snapshots. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { place, redo, undo } from "rs/lib/navigation/history.js";
import { html, icon, show } from "rs/lib/view.js";

/** @param {{name: string, label: string, keys: string, act: () => void, off: boolean}} props */
const Tool = ({ name, label, keys, act, off }) =>
  html`<button
    type="button"
    class="tool"
    title=${label + " (" + keys + ")"}
    aria-label=${label}
    aria-disabled=${String(off)}
    data-history=${name}
    onClick=${() => !off && act()}
  >
    ${icon(name)}
  </button>`;

/** @param {Error} error */
const notOpened = (error) => api.notify("The snapshots did not open", error.message, "bad");

const openSnapshots = () =>
  import("rs/parts/history/snapshots.js").then((snapshots) => snapshots.open()).catch(notOpened);

registerWidget("history-tools", (host) =>
  show(host, () => {
    const { depth, last } = place.value;
    return html`
      <${Tool} name="undo" label="Undo" keys="Ctrl Z" act=${undo} off=${depth < 1} />
      <${Tool} name="redo" label="Redo" keys="Ctrl Shift Z" act=${redo} off=${depth >= last} />
      <button
        type="button"
        class="tool"
        title="Snapshots"
        aria-label="Snapshots"
        aria-haspopup="dialog"
        data-history="snapshots"
        onClick=${openSnapshots}
      >
        ${icon("snapshots")}
      </button>
    `;
  }),
);
