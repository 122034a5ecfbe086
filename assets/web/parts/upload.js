/* Bringing pictures: a file button and a place to drop files; each is sent to the API, with progress. */
import * as api from "rs/lib/api.js";
import { build, icon, registerWidget } from "rs/lib/dom.js";
import * as samples from "rs/lib/samples.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const ACCEPTED = "image/png,image/jpeg,image/webp,image/bmp,image/gif,.png,.jpg,.jpeg,.webp,.bmp,.gif";

/**
 * A button to choose pictures with and, on all of `host`, a place to drop them, which give them to `bring`: the input
 * and its label, to be put into the host.
 *
 * @param {HTMLElement} host
 * @param {{id: string, look: string, words: Node[]}} button the id of the input, the class of the label and its words
 * @param {(files: File[]) => void} bring
 * @returns {[HTMLInputElement, HTMLLabelElement]}
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
    bring([...(event.dataTransfer?.files ?? [])]);
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
 * @param {HTMLElement} list
 * @param {string} name
 */
function report(list, name) {
  const bar = build("progress", { max: 1, value: 0, "aria-label": "Sending " + name });
  const message = build("span", { class: "upload-message" }, "sending");
  const row = build(
    "div",
    { class: "upload-row" },
    build("span", { class: "upload-name", title: name }, name),
    bar,
    message,
  );
  list.prepend(row);
  while (list.children.length > 6) list.lastElementChild?.remove();
  return {
    /** @param {number} share */
    progress: (share) => (bar.value = share),
    done: () => {
      row.dataset.state = "done";
      message.textContent = "added";
      bar.remove();
    },
    /** @param {string} text */
    refused: (text) => {
      row.dataset.state = "refused";
      message.textContent = text;
      message.setAttribute("role", "alert");
      bar.remove();
    },
  };
}

/**
 * @param {File} file
 * @param {HTMLElement} list
 * @param {number} most bytes
 * @returns {Promise<Schemas["Sample"] | null>}
 */
async function send(file, list, most) {
  const row = report(list, file.name);
  if (file.size > most) {
    row.refused("The picture has " + size(file.size) + "; up to " + size(most) + " are accepted.");
    return null;
  }
  try {
    const sample = await sendPicture(file, row.progress);
    row.done();
    return sample;
  } catch (error) {
    row.refused(error instanceof Error ? error.message : String(error));
    return null;
  }
}

registerWidget("upload", (host) => {
  const most = Number(host.dataset.maxBytes);
  const list = build("div", { class: "upload-list", "aria-live": "polite" });
  const words = [
    build("span", {}, "Choose pictures, or drop them here"),
    build("small", {}, "PNG, JPEG or WebP, up to " + size(most) + " each"),
  ];

  /** @param {File[]} files */
  async function sendAll(files) {
    let last = null;
    for (const file of files) last = (await send(file, list, most)) || last;
    if (last) samples.added(last);
  }

  host.append(...chooser(host, { id: "upload-input", look: "drop-zone", words }, sendAll), list);
});
