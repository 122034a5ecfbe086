/* Bringing what is written: typed, pasted, or read from a file; it is sent to the API and chosen. Models of pictures get
   pictures; points of numbers have sliders of their own. */
import * as api from "rs/lib/api.js";
import { setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import * as samples from "rs/lib/samples.js";
import { html, show } from "rs/lib/view.js";
import { model as chosenModel, subscribe } from "rs/lib/words.js";
import { kindOf } from "rs/pages/samples/kinds.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** What a button calls a sample of a kind: "text" of "a text". @param {Schemas["Kind"]} kind */
const nameOf = (kind) => kind.words.replace(/^an? /, "");

/**
 * Why a text cannot be sent, in words; "" where it can.
 *
 * @param {string} text
 * @param {number} most bytes
 */
export function wrongWith(text, most) {
  if (!text.trim()) return "Type or paste a text first.";
  const bytes = new TextEncoder().encode(text).length;
  return bytes > most ? "The text has " + whole(bytes) + " bytes; up to " + whole(most) + " are accepted." : "";
}

/**
 * The text of a file, which is UTF-8.
 *
 * @param {ArrayBuffer} content
 */
export function decoded(content) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new Error("The file is no UTF-8 text; save it as UTF-8 and bring it again.");
  }
}

registerWidget("bring-text", (host) => {
  const most = Number(host.dataset.maxBytes);
  const [typed, said, sending] = [signal(""), signal(""), signal(false)];
  const kind = signal(/** @type {Schemas["Kind"] | null} */ (null));

  /**
   * @param {string} text
   * @param {string | null} name
   */
  async function send(text, name) {
    said.value = wrongWith(text, most);
    if (said.value || sending.value || !kind.value) return;
    sending.value = true;
    try {
      /** @type {Schemas["SampleTable"]} */
      const sample = await api.send("POST", "/samples/written", { inputs: kind.value.name, content: text, name });
      samples.added(sample);
      if (typed.value === text) typed.value = ""; // not what was typed while this was on its way
      said.value = "Added: " + sample.set_title;
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    } finally {
      sending.value = false;
    }
  }

  /** @param {Event} event */
  async function read(event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    if (file.size > most) {
      said.value = "The file has " + whole(file.size) + " bytes; up to " + whole(most) + " are accepted.";
      return;
    }
    try {
      await send(decoded(await file.arrayBuffer()), file.name.slice(0, 80));
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
  }

  const ends = [
    show(host, () => {
      if (!kind.value) return null;
      const bytes = new TextEncoder().encode(typed.value).length;
      const { words, written, example } = kind.value;
      return html`
        <label class="control-name" for="text-typed">${"Type or paste " + words}</label>
        <textarea
          id="text-typed"
          class="text-typed"
          rows="6"
          spellcheck=${false}
          placeholder=${example}
          title=${written}
          value=${typed.value}
          onInput=${(/** @type {InputEvent} */ event) =>
            (typed.value = /** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="text-send"
            disabled=${sending.value || !typed.value.trim()}
            onClick=${() => send(typed.value, null)}
          >
            ${"Use " + nameOf(kind.value)}
          </button>
          <label class="tool tool-text" for="text-file">Choose a .txt file</label>
          <input type="file" id="text-file" class="hidden-visually" accept=".txt,text/plain" onChange=${read} />
          <span class="hint">${whole(bytes) + " of up to " + whole(most) + " bytes"}</span>
        </div>
        <p class="hint" id="text-said" role="status" aria-live="polite">${said.value}</p>
      `;
    }),
    subscribe(async (model) => {
      const found = await kindOf(model?.inputs);
      if (model !== chosenModel()) return;
      kind.value = found?.written && !found.of_set && !found.files ? found : null; // files have a widget of their own
      host.hidden = !kind.value;
    }),
  ];
  return () => ends.forEach((end) => end());
});

/**
 * By kind of input, what a search looks like among its samples; "": pictures, which have labels.
 *
 * @type {Record<string, string>}
 */
const SEARCHES = {
  "": "find: mnist seven",
  text: "find: sums 12",
  numbers: "find: boolean-03 12",
  points: "find: torus",
  matrices: "find: small 12",
  listops: "find: short 12",
  bytes: "find: reviews positive",
};

// Samples of a model whose heads choose no label have none that could be chosen by, or be wrong.
registerWidget("of-labels", (host) =>
  subscribe((model) => {
    host.hidden = model?.labels?.length === 0;
    setProps("gallery-find", { placeholder: SEARCHES[model?.inputs ?? ""] ?? SEARCHES[""] });
  }),
);

// What is drawn or uploaded is for models that read no samples which are written.
registerWidget("bring-pictures", (host) => {
  return subscribe(async (model) => {
    const found = await kindOf(model?.inputs);
    if (model === chosenModel()) host.hidden = Boolean(found?.written);
  });
});
