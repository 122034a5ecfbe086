/* Bringing pictures: a file button and a place to drop files; each is sent to the API, with progress. */
import * as api from "rs/lib/api.js";
import { build, icon, registerWidget } from "rs/lib/dom.js";
import * as samples from "rs/lib/samples.js";
import { user } from "rs/lib/navigation/user.js";
import { html, show } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

const ACCEPTED = "image/png,image/jpeg,image/webp,image/bmp,image/gif,.png,.jpg,.jpeg,.webp,.bmp,.gif";

/**
 * A button to choose pictures with and, on all of `host`, a place to drop them, which give them to `bring`: the input
 * and its label, to be put into the host.
 *
 * @param {HTMLElement} host
 * @param {{id: string, look: string, words: Node[]}} button the id of the input, the class of the label and its words
 * @param {(files: File[]) => void} bring
 */
export function chooser(host, { id, look, words }, bring) {
  const input = build("input", { type: "file", accept: ACCEPTED, multiple: true, id, class: "hidden-visually" });
  const label = build("label", { for: id, class: look }, icon("upload"), ...words);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    bring(files);
  });
  /** @param {boolean} over */
  const hover = (over) => label.classList.toggle("is-over", over);
  host.addEventListener("dragover", (event) => {
    event.preventDefault();
    hover(true);
  });
  host.addEventListener("dragleave", () => hover(false));
  host.addEventListener("drop", (event) => {
    event.preventDefault();
    hover(false);
    if (!user.value.read_only) bring([...(event.dataTransfer?.files ?? [])]);
  });
  return [input, label];
}

/**
 * Makes a picture a sample.
 *
 * @param {File} file
 * @param {(share: number) => void} [onProgress]
 * @returns {Promise<Schemas["Sample"]>}
 */
export function sendPicture(file, onProgress) {
  const form = new FormData();
  form.append("file", file, file.name);
  form.append("name", file.name.slice(0, 80));
  return api.post("/samples", form, onProgress);
}

/** @param {number} bytes */
const size = (bytes) => (bytes / 1024 / 1024).toFixed(1) + " MiB";

/**
 * A picture that was brought, the last one first: sent so far as `share` says, or what became of it.
 *
 * @typedef {object} Brought
 * @property {number} id
 * @property {string} name
 * @property {number} share
 * @property {"done" | "refused"} [state]
 * @property {string} words
 */

const LISTED = 6;
const UNDER_WAY = "routescope-uploads"; // in the storage of this tab: names of pictures that are being sent
const CUT_OFF = "cut off as the page was left; look among yours, or bring it again";

/** @returns {string[]} */
function underWay() {
  try {
    return JSON.parse(sessionStorage.getItem(UNDER_WAY) ?? "[]");
  } catch {
    return []; // no storage
  }
}

/** @param {string[]} names */
function keepUnderWay(names) {
  try {
    sessionStorage.setItem(UNDER_WAY, JSON.stringify(names));
  } catch {
    // Without a storage a reload forgets what it cut off.
  }
}

/** Says which pictures a reload of the page cut off. */
function tellCutOff() {
  const names = count ? [] : underWay().filter((name) => typeof name === "string");
  if (names.length) keepUnderWay([]);
  const rows = names.map((name) => ({ id: (count += 1), name, share: 0, state: REFUSED, words: CUT_OFF }));
  brought.value = [...rows, ...brought.value].slice(0, LISTED);
}

/** @type {Signal<Brought[]>} */
const brought = signal([]);
let count = 0;
const REFUSED = /** @type {const} */ ("refused");

/** @param {Brought} props */
const Row = ({ name, share, state, words }) =>
  html`<div class="upload-row" data-state=${state}>
    <span class="upload-name" title=${name}>${name}</span>
    ${!state && html`<progress max="1" value=${share} aria-label=${"Sending " + name}></progress>`}
    <span class="upload-message" role=${state === "refused" ? "alert" : undefined}>${words}</span>
  </div>`;

/**
 * @param {File} file
 * @param {number} most bytes
 * @returns {Promise<Schemas["Sample"] | null>}
 */
async function send(file, most) {
  const id = (count += 1);
  brought.value = [{ id, name: file.name, share: 0, words: "sending" }, ...brought.value].slice(0, LISTED);
  /** @param {Partial<Brought>} changes */
  const tell = (changes) =>
    (brought.value = brought.value.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  /** @param {string} words */
  function refuse(words) {
    tell({ state: "refused", words });
    return null;
  }
  if (file.size > most)
    return refuse("The picture has " + size(file.size) + "; up to " + size(most) + " are accepted.");
  keepUnderWay([...underWay(), file.name]);
  try {
    const sample = await sendPicture(file, (share) => tell({ share }));
    tell({ state: "done", words: "added" });
    return sample;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  } finally {
    const names = underWay();
    keepUnderWay(names.filter((_, at) => at !== names.indexOf(file.name)));
  }
}

/** Mount the upload of pictures; return what ends it. @param {HTMLElement} host @param {number} most */
export function uploads(host, most) {
  const list = build("div", { class: "upload-list", "aria-live": "polite" });
  const words = [
    build("span", {}, "Choose pictures, or drop them here"),
    build("small", {}, "PNG, JPEG or WebP, up to " + size(most) + " each"),
  ];

  /** @param {File[]} files */
  async function sendAll(files) {
    let last = null;
    for (const file of files) last = (await send(file, most)) || last;
    if (last) samples.added(last);
  }

  tellCutOff();
  host.append(...chooser(host, { id: "upload-input", look: "drop-zone", words }, sendAll), list);
  const end = show(list, () => html`${brought.value.map((each) => html`<${Row} key=${each.id} ...${each} />`)}`);
  return () => {
    end();
    brought.value = [];
  };
}

registerWidget("upload", (host) => uploads(host, Number(host.dataset.maxBytes)));
