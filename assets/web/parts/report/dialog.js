/* The dialog of the report: its title, the chosen panels in their order with a note each, and the file that they make. */
import { save } from "rs/draw/exports.js";
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";
import { add, keep, load, report } from "rs/parts/report/keeping.js";
import { written } from "rs/parts/report/page.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Placed, Report } from "rs/parts/report/types.d.ts" */

const MOST_TITLE = 200; // characters
const MOST_NOTE = 4000;

const problem = signal("");
const gone = signal(/** @type {{panel: Placed, at: number} | null} */ (null)); // the one taken out last, to bring back

/** @param {Promise<unknown>} work */
async function doing(work) {
  problem.value = "";
  await work.catch((error) => (problem.value = error instanceof Error ? error.message : String(error)));
}

/** @param {Partial<Report>} change */
const change = (change) => doing(keep({ ...report.value, ...change }));

/** Focus on a part of a panel once it is drawn in its place. @param {string} selector */
const focusOn = (selector) =>
  requestAnimationFrame(() =>
    /** @type {HTMLElement | null} */ (document.querySelector(".report-dialog " + selector))?.focus(),
  );

/** @param {number} at @param {number} by @param {string} part the button that was pressed, which keeps the focus */
function move(at, by, part) {
  const { panels } = report.value;
  const [moved] = panels.slice(at, at + 1);
  change({ panels: panels.toSpliced(at, 1).toSpliced(at + by, 0, moved) });
  focusOn('[data-panel-of="' + moved.entry.id + '"] [data-act="' + part + '"]');
}

/** @param {number} at */
function remove(at) {
  const { panels } = report.value;
  gone.value = { panel: panels[at], at };
  change({ panels: panels.toSpliced(at, 1) });
  focusOn("[data-report-undo]");
}

async function bringBack() {
  if (!gone.value) return;
  const { panel, at } = gone.value;
  gone.value = null;
  await doing(add(panel.entry, { note: panel.note, at }));
  focusOn('[data-panel-of="' + panel.entry.id + '"] [data-act="remove"]');
}

/** @param {number} at @param {string} note */
function write(at, note) {
  const { panels } = report.value;
  change({ panels: panels.with(at, { ...panels[at], note }) });
}

function saveFile() {
  const { title } = report.value;
  const name = (title.trim() || "report").replace(/[^\p{L}\p{N}.-]+/gu, "-").slice(0, 80) + ".html";
  save(written(report.value, new Date()), "text/html", name);
}

/** @param {Event} event */
const textOf = (event) => /** @type {HTMLInputElement} */ (event.currentTarget).value;

/** @param {{panel: Placed, at: number, count: number}} props */
function Chosen({ panel: { entry, note }, at, count }) {
  const { id, about, added } = entry;
  /** @param {string} part @param {string} words @param {() => void} act @param {boolean} [off] */
  const button = (part, words, act, off = false) =>
    html`<button
      type="button"
      class="tool tool-text"
      data-act=${part}
      aria-label=${words + ": " + about.title}
      aria-disabled=${String(off)}
      onClick=${() => !off && act()}
    >
      ${words}
    </button>`;
  return html`
    <h3 class="small-title">${at + 1 + ". " + about.title}</h3>
    <p class="hint">${about.source}</p>
    <p class="hint">${"As it was on " + new Date(added).toLocaleString("en-GB")}</p>
    <label class="report-note"
      >Note<textarea
        class="small-input"
        rows="2"
        id=${"report-note-" + id}
        maxlength=${MOST_NOTE}
        value=${note}
        onInput=${(/** @type {Event} */ event) => write(at, textOf(event))}
      ></textarea>
    </label>
    <div class="report-actions">
      ${button("up", "Up", () => move(at, -1, "up"), at === 0)}
      ${button("down", "Down", () => move(at, 1, "down"), at === count - 1)}
      ${button("remove", "Take out", () => remove(at))}
    </div>
  `;
}

function view() {
  const { title, panels } = report.value;
  return html`
    <h2 id="report-dialog-title">Report</h2>
    <p class="reads">
      Panels as they were when you added them, kept in this browser. The file holds their pictures, captions, facts and
      numbers.
    </p>
    <label class="report-title"
      >Title<input
        class="small-input"
        type="text"
        maxlength=${MOST_TITLE}
        value=${title}
        placeholder="Report"
        onInput=${(/** @type {Event} */ event) => change({ title: textOf(event) })}
    /></label>
    <p class="report-problem" role="alert">${problem.value}</p>
    <p class="report-undo" role="status">
      ${
        gone.value &&
        html`${"Taken out: " + gone.value.panel.entry.about.title + ". "}
          <button type="button" class="tool tool-text" data-report-undo onClick=${bringBack}>Undo</button>`
      }
    </p>
    <ol class="report-panels">
      ${panels.map(
        (panel, at) =>
          html`<li key=${panel.entry.id} data-panel-of=${panel.entry.id}>
            <${Chosen} panel=${panel} at=${at} count=${panels.length} />
          </li>`,
      )}
    </ol>
    ${!panels.length && html`<p class="hint">No panels yet. Add them from their Export menus.</p>`}
    <div class="report-foot">
      <button type="button" class="button" disabled=${!panels.length} onClick=${saveFile}>Save report, HTML</button>
      <form method="dialog"><button class="tool tool-text">Close</button></form>
    </div>
  `;
}

/** Opens the dialog. */
export async function open() {
  problem.value = "";
  gone.value = null;
  await load();
  const before = document.activeElement;
  const onClose = () => {
    // The button goes with the last panel.
    if (!before?.isConnected) document.getElementById("content")?.focus({ preventScroll: true });
  };
  openDialog({ look: "report-dialog", label: "#report-dialog-title", view, onClose, stays: true });
}
