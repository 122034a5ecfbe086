/* Bringing a file of which a sample is made, for kinds of input that nobody would type: the service reads it, and it is
   chosen. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import * as samples from "rs/lib/samples.js";
import { html, show } from "rs/lib/view.js";
import { model as chosenModel, subscribe } from "rs/lib/words.js";
import { kindOf } from "rs/pages/samples/kinds.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * Why a file is not sent, in words; "" where it is.
 *
 * @param {{name: string, size: number}} file
 * @param {Pick<Schemas["Kind"], "suffixes" | "files">} kind
 * @param {number} most bytes
 */
export function wrongWith({ name, size }, { suffixes, files }, most) {
  const small = name.toLowerCase();
  if (!suffixes.some((suffix) => small.endsWith(suffix))) return name + " cannot be read; accepted are " + files + ".";
  return size > most ? "The file has " + whole(size) + " bytes; up to " + whole(most) + " are accepted." : "";
}

registerWidget("bring-file", (host) => {
  const most = Number(host.dataset.maxBytes);
  const [said, sending, right] = [signal(""), signal(false), signal("")];
  const kind = signal(/** @type {Schemas["Kind"] | null} */ (null));

  /** @param {Event} event */
  async function read(event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    const file = input.files?.[0];
    input.value = "";
    if (!file || !kind.value || sending.value) return;
    said.value = wrongWith(file, kind.value, most);
    if (said.value) return;
    sending.value = true;
    said.value = "Reading \u2026";
    const form = new FormData();
    form.append("file", file, file.name);
    form.append("inputs", kind.value.name);
    form.append("name", file.name.slice(0, 80));
    if (kind.value.answers && right.value) form.append("answer", right.value);
    try {
      /** @type {Schemas["SampleTable"]} */
      const sample = await api.post("/samples/files", form);
      samples.added(sample);
      right.value = ""; // the next file has another
      said.value = "Added: " + sample.set_title;
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    } finally {
      sending.value = false;
    }
  }

  const ends = [
    show(host, () => {
      if (!kind.value) return null;
      const { suffixes, files, answers } = kind.value;
      return html`
        <div class="text-tools">
          <label class="button" for="bring-file">${"Choose a " + suffixes.join(", ") + " file"}</label>
          <input
            type="file"
            id="bring-file"
            class="hidden-visually"
            accept=${suffixes.join(",")}
            aria-describedby="bring-file-said"
            onChange=${read}
          />
          <span class="hint">${"of up to " + whole(most) + " bytes"}</span>
          ${
            !!answers &&
            html`<label class="hint">
              right answer${" "}
              <select
                id="bring-answer"
                class="small-input"
                value=${right.value}
                onChange=${(/** @type {Event} */ { currentTarget }) =>
                  (right.value = /** @type {HTMLSelectElement} */ (currentTarget).value)}
              >
                <option value="">as the file says</option>
                ${Array.from({ length: answers }, (_, at) => html`<option key=${at} value=${String(at + 1)}>${at + 1}</option>`)}
              </select>
            </label>`
          }
        </div>
        <p class="hint">${"Accepted are " + files + "."}</p>
        <p class="hint" id="bring-file-said" role="status" aria-live="polite">${said.value}</p>
      `;
    }),
    subscribe(async (model) => {
      const found = await kindOf(model?.inputs);
      if (model !== chosenModel()) return;
      kind.value = found?.files && !found.typed ? found : null;
      host.hidden = !kind.value;
    }),
  ];
  return () => ends.forEach((end) => end());
});
