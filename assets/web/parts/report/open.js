/* The way to the report: a panel is added from its menu; a button in the header, while there are any, opens what was chosen. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, icon, show } from "rs/lib/view.js";
import { load, report } from "rs/parts/report/keeping.js";

/**
 * @param {string} title
 * @returns {(error: Error) => void}
 */
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

document.addEventListener("click", (event) => {
  const item = event.target instanceof Element && event.target.closest("[data-report]");
  if (!(item instanceof HTMLElement)) return;
  import("rs/parts/report/taking.js")
    .then((taking) => taking.take(item.dataset.report ?? ""))
    .catch(told("The panel was not added"));
  item.closest("details")?.querySelector("summary")?.focus(); // the menu closes, and what was chosen goes with it
});
