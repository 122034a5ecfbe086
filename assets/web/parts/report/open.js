/* The way to files and to the report: the dialog of an export; a panel is added from its menu; a button in the header, while there are any, opens what was chosen. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, icon, show } from "rs/lib/view.js";
import { load, report } from "rs/parts/report/keeping.js";

/** @param {string} title @returns {(error: Error) => void} */
const told = (title) => (error) => api.notify(title, error.message, "bad");

const openReport = () =>
  import("rs/parts/report/dialog.js").then((dialog) => dialog.open()).catch(told("The report did not open"));

registerWidget("report-opener", (host) => {
  load().catch(() => {}); // where the browser keeps nothing, adding a panel says so
  return show(host, () => {
    const { length } = report.value.panels;
    const words = "Report: " + length + (length === 1 ? " panel" : " panels");
    return length
      ? html`<button
          type="button"
          class="tool report-button"
          title=${words}
          aria-label=${words}
          aria-haspopup="dialog"
          onClick=${openReport}
        >
          ${icon("report")}<span class="tray-count" aria-hidden="true">${length}</span>
        </button>`
      : null;
  });
});

const exporting = () => import("rs/parts/report/exporting.js");

document.addEventListener("click", (event) => {
  const item = event.target instanceof Element && event.target.closest("[data-export=choose], [data-export=again]");
  if (!(item instanceof HTMLElement)) return;
  const { panel = "", title = "", formats = "", export: act } = item.dataset;
  const opener = item.closest("details")?.querySelector("summary") ?? null;
  opener?.focus(); // the menu closes, and what was chosen goes with it
  exporting()
    .then((dialog) => (act === "again" ? dialog.again(panel) : dialog.open(panel, title, formats.split(" "), opener)))
    .catch(told("The export did not open"));
});

// An open menu offers what was exported last, where the panel can be saved so.
document.addEventListener(
  "toggle",
  async ({ target }) => {
    const again = target instanceof HTMLDetailsElement && target.open && target.querySelector("[data-export=again]");
    if (!(again instanceof HTMLElement)) return;
    const { kept, wordsOf } = await exporting();
    const last = kept();
    again.hidden = !again.dataset.formats?.split(" ").includes(last.format);
    again.textContent = "Export again as " + wordsOf(last);
  },
  true,
);

document.addEventListener("click", (event) => {
  const item = event.target instanceof Element && event.target.closest("[data-report]");
  if (!(item instanceof HTMLElement)) return;
  import("rs/parts/report/taking.js")
    .then((taking) => taking.take(item.dataset.report ?? ""))
    .catch(told("The panel was not added"));
  item.closest("details")?.querySelector("summary")?.focus(); // the menu closes, and what was chosen goes with it
});
