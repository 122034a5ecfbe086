/* The dialog of snapshots: views that people keep on the server, each with a name and a note. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as visited from "rs/lib/navigation/history.js";
import { READ_ONLY, user } from "rs/lib/navigation/user.js";
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @typedef {Schemas["Snapshot"]} Snapshot */

const PAGE = 100;
const MOST_BYTES = 20_000_000; // of a file that is read
const FORMAT = "routescope-snapshots";

const items = signal(/** @type {Snapshot[]} */ ([]));
const problem = signal("");
const gone = signal(/** @type {Snapshot | null} */ (null)); // the one that was deleted last, to bring back
const edited = signal(/** @type {string | null} */ (null)); // the id of the one that is renamed

/** @param {string} id */
const placeOf = (id) => "/snapshots/" + encodeURIComponent(id);

/** @returns {Promise<Snapshot[]>} all there are, page by page */
async function all() {
  const found = [];
  for (;;) {
    /** @type {Schemas["Snapshots"]} */
    const part = await api.send("GET", "/snapshots" + address.queryOf({ limit: PAGE, offset: found.length || null }));
    found.push(...part.items);
    if (!part.items.length || found.length >= part.total) return found;
  }
}

/** Change the snapshots, and list them again. @param {() => Promise<unknown>} work @returns {Promise<boolean>} */
async function doing(work) {
  problem.value = "";
  let done = true;
  try {
    await work();
  } catch (error) {
    done = false;
    problem.value = error instanceof Error ? error.message : String(error);
  }
  try {
    items.value = await all();
  } catch (error) {
    problem.value = problem.value || /** @type {Error} */ (error).message;
  }
  return done;
}

/** Keeps a view. @param {Pick<Snapshot, "name" | "note" | "address">} snapshot */
const keep = ({ name, note, address }) => api.send("POST", "/snapshots", { name, note, address }, { once: true });

/** @param {SubmitEvent} event */
const fieldsOf = (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  const given = new FormData(form);
  const text = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
  return { form, name: text("name"), note: text("note") };
};

/** The link of the page, percent-encoded as the service accepts it. */
const here = () => (location.pathname + location.search).replace(/[^!$%&'()*+,./:;=?@\w~-]/g, encodeURIComponent);

/** @param {SubmitEvent} event */
async function save(event) {
  const { form, name, note } = fieldsOf(event);
  if (await doing(() => keep({ name, note, address: here() }))) form.reset();
}

/** @param {Snapshot} snapshot */
async function remove(snapshot) {
  if (!(await doing(() => api.send("DELETE", placeOf(snapshot.id))))) return;
  gone.value = snapshot;
  document.querySelector(".snapshots-dialog [data-snapshot-undo]")?.closest("p")?.scrollIntoView({ block: "nearest" });
}

async function bringBack() {
  const snapshot = gone.value;
  if (snapshot && (await doing(() => keep(snapshot)))) gone.value = null;
}

/** @param {Snapshot} snapshot @param {SubmitEvent} event */
async function rename({ id }, event) {
  const { name, note } = fieldsOf(event);
  if (await doing(() => api.send("PATCH", placeOf(id), { name, note }))) edited.value = null;
}

/* -- files -------------------------------------------------------------------------------------------------------- */

function exportAll() {
  const snapshots = items.value.map(({ name, note, address, created }) => ({ name, note, address, created }));
  const text = JSON.stringify({ format: FORMAT, snapshots }, null, 2) + "\n";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "snapshots.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The snapshots of a file that `exportAll` wrote; raises an Error, in words, of any other. @param {string} text */
export function readFile(text) {
  /** @type {{format?: unknown, snapshots?: unknown} | null} */
  let file = null;
  try {
    file = JSON.parse(text);
  } catch {
    // What is no JSON is no such file either.
  }
  const wrong = "This is no snapshot file. Choose a JSON file that Export wrote.";
  if (!file || file.format !== FORMAT || !Array.isArray(file.snapshots)) throw new Error(wrong);
  return file.snapshots.map((/** @type {Record<string, unknown> | null} */ each) => {
    const { name, note = "", address } = each || {};
    if (typeof name !== "string" || typeof note !== "string" || typeof address !== "string") throw new Error(wrong);
    return { name, note, address };
  });
}

/** @param {{currentTarget: HTMLInputElement}} event */
async function importAll({ currentTarget: input }) {
  const [file] = input.files ?? [];
  if (!file) return;
  await doing(async () => {
    if (file.size > MOST_BYTES) throw new Error("This file is too large: up to " + MOST_BYTES / 1e6 + " MB are read.");
    const there = new Set(items.value.map(({ name, address }) => name + "\n" + address));
    // The first of the file was the newest, and is to be so again.
    for (const each of readFile(await file.text()).reverse())
      if (!there.has(each.name + "\n" + each.address)) await keep(each);
  });
  input.value = "";
}

/* -- what one sees ------------------------------------------------------------------------------------------------- */

/** @param {Pick<Snapshot, "name" | "note">} snapshot */
const fields = ({ name, note }) => html`
  <label>Name <input name="name" class="small-input" required maxlength="80" value=${name} autocomplete="off" /></label>
  <label>Note <textarea name="note" class="small-input" rows="2" maxlength="2000" value=${note}></textarea></label>
`;

/** @param {{snapshot: Snapshot}} props */
function Entry({ snapshot }) {
  if (edited.value === snapshot.id)
    return html`<form class="snapshot-form" onSubmit=${(/** @type {SubmitEvent} */ event) => rename(snapshot, event)}>
      ${fields(snapshot)}
      <div class="snapshot-actions">
        <button class="tool tool-text">Save</button>
        <button type="button" class="tool tool-text" onClick=${() => (edited.value = null)}>Cancel</button>
      </div>
    </form>`;
  const { name, note, address: link, created, owner } = snapshot;
  const page = address.paths().find(([, path]) => path === link.split("?")[0]);
  const open = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in a tab of its own
    event.preventDefault();
    /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
    visited.open(link);
  };
  return html`
    <div class="snapshot-facts">
      ${page ? html`<a href=${link} onClick=${open}>${name}</a>` : html`<strong>${name}</strong>`}
      <span class="hint"
        >${(page ? page[0] : "its page is not available") + ", " + new Date(created).toLocaleString("en-GB") + (owner === "everybody" ? ", everybody's" : "")}</span
      >
      ${note && html`<p class="snapshot-note">${note}</p>`}
    </div>
    <div class="snapshot-actions writes">
      <button
        type="button"
        class="tool tool-text"
        aria-label=${"Rename " + name}
        onClick=${() => (edited.value = snapshot.id)}
      >
        Rename
      </button>
      <button type="button" class="tool tool-text" aria-label=${"Delete " + name} onClick=${() => remove(snapshot)}>
        Delete
      </button>
    </div>
  `;
}

const view = () => html`
  <h2 id="snapshots-title">Snapshots</h2>
  <p class="reads">
    A snapshot saves the link of this view. It is listed
    ${user.value.name === null ? " in this browser only" : " only for " + user.value.name + ", in any browser"}; share
    it by its link or as a file.
  </p>
  <p class="hint read-only">${READ_ONLY}</p>
  <form class="snapshot-form writes" onSubmit=${save}>
    ${fields({ name: "", note: "" })}
    <div class="snapshot-actions"><button class="button">Keep this view</button></div>
  </form>
  <p class="snapshot-problem" role="alert">${problem.value}</p>
  <p class="snapshot-undo" role="status">
    ${
      gone.value &&
      html`${"Deleted " + gone.value.name + ". "}
        <button type="button" class="tool tool-text" data-snapshot-undo onClick=${bringBack}>Undo</button>`
    }
  </p>
  <ul class="snapshot-list">
    ${items.value.map((each) => html`<li key=${each.id} data-snapshot=${each.id}><${Entry} snapshot=${each} /></li>`)}
  </ul>
  ${!items.value.length && html`<p class="hint">No snapshots yet.</p>`}
  <div class="snapshot-foot">
    <button type="button" class="tool tool-text" onClick=${exportAll} disabled=${!items.value.length}>Export</button>
    <label class="tool tool-text writes"
      >Import <input type="file" class="hidden-visually" accept="application/json,.json" onChange=${importAll}
    /></label>
    <form method="dialog"><button class="tool tool-text">Close</button></form>
  </div>
`;

/** Opens the dialog. */
export async function open() {
  gone.value = null;
  edited.value = null;
  await doing(async () => {});
  openDialog({ look: "snapshots-dialog", label: "#snapshots-title", view, stays: true });
}
