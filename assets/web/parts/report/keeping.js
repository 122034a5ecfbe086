/* The panels chosen for a report, kept in this browser (IndexedDB) until they are taken out: they survive going from page
   to page, and closing the browser. */
import { signal } from "rs/vendor/preact.js";

/** @import { Entry, Placed, Report } from "rs/parts/report/types.d.ts" */

const NAME = "routescope-report";
const STORE = "kept";
const ABOUT = "about"; // the key of the order, the notes and the title
export const MOST_PANELS = 40;
export const MOST_CHARACTERS = 40_000_000; // of all panels together, pictures and numbers

/** What was chosen, in its order, as this browser keeps it. */
export const report = signal(/** @type {Report} */ ({ title: "", panels: [] }));

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const answered = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("This browser keeps nothing for this page."));
  });

/** @type {Promise<IDBDatabase> | null} */
let opening = null;

function opened() {
  opening ??= (async () => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return answered(request);
  })();
  opening.catch(() => (opening = null));
  return opening;
}

/** @param {(store: IDBObjectStore) => void} change @returns {Promise<void>} */
async function changing(change) {
  const transaction = (await opened()).transaction(STORE, "readwrite");
  change(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("The browser did not keep it."));
  });
}

/** @param {Report} next */
const aboutOf = ({ title, panels }) => ({ title, panels: panels.map(({ entry, note }) => ({ id: entry.id, note })) });

/** Reads what is kept, which another tab may have changed. */
export async function load() {
  const store = (await opened()).transaction(STORE).objectStore(STORE);
  const [about, entries] = await Promise.all([
    answered(/** @type {IDBRequest<ReturnType<typeof aboutOf> | undefined>} */ (store.get(ABOUT))),
    answered(/** @type {IDBRequest<(Entry | object)[]>} */ (store.getAll())),
  ]);
  const known = new Map(entries.map((each) => ("id" in each ? [each.id, each] : ["", null])));
  /** @type {Placed[]} */
  const panels = (about?.panels ?? []).flatMap(({ id, note }) => {
    const entry = known.get(id);
    return entry ? [{ entry, note }] : [];
  });
  report.value = { title: about?.title ?? "", panels };
}

/** @param {Entry} entry */
const sizeOf = (entry) => JSON.stringify(entry).length;

/** Why a panel cannot be added, in words; "" where it can. @param {Placed[]} panels @param {Entry} entry */
export function refusal(panels, entry) {
  if (panels.length >= MOST_PANELS) return "A report holds up to " + MOST_PANELS + " panels; take one out first.";
  const size = panels.reduce((sum, placed) => sum + sizeOf(placed.entry), sizeOf(entry));
  if (size <= MOST_CHARACTERS) return "";
  return "The panels would be larger than " + MOST_CHARACTERS / 1e6 + " MB together; take one out first.";
}

/** Add a panel at the end, or at a place. @param {Entry} entry @param {{note?: string, at?: number}} [options] */
export async function add(entry, { note = "", at } = {}) {
  await load();
  const { title, panels } = report.value;
  const refused = refusal(panels, entry);
  if (refused) throw new Error(refused);
  const next = { title, panels: panels.toSpliced(at ?? panels.length, 0, { entry, note }) };
  await changing((store) => {
    store.put(entry, entry.id);
    store.put(aboutOf(next), ABOUT);
  });
  report.value = next;
}

/** @param {Report} next of the same panels or fewer */
export async function keep(next) {
  const stays = new Set(next.panels.map(({ entry }) => entry.id));
  const gone = report.value.panels.filter(({ entry }) => !stays.has(entry.id));
  report.value = next;
  await changing((store) => {
    gone.forEach(({ entry }) => store.delete(entry.id));
    store.put(aboutOf(next), ABOUT);
  });
}
