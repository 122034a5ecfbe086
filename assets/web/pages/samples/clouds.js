/* Bringing a cloud of points: a file, or lines that are typed or pasted; the service reads it, and it is chosen. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import * as samples from "rs/lib/samples.js";
import { html, show } from "rs/lib/view.js";
import { subscribe } from "rs/lib/words.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const POINTS = "points"; // the kind of input
const EXAMPLE = "0.1 0.9 0.5\n0.2 0.8 0.4\n…";

/**
 * Why a file is not sent, in words; "" where it is.
 *
 * @param {{name: string, size: number}} file
 * @param {number} most bytes
 */
export function wrongWith({ name, size }, most) {
  if (!/\.(npy|xyz|ply)$/i.test(name)) return name + " is no .npy, .xyz or .ply file; these are accepted.";
  return size > most ? "The file has " + whole(size) + " bytes; up to " + whole(most) + " are accepted." : "";
}

registerWidget("bring-cloud", (host) => {
  const most = Number(host.dataset.maxBytes);
  const [typed, said, sending] = [signal(""), signal(""), signal(false)];

  /**
   * @param {() => Promise<Schemas["SampleTable"]>} bring
   * @param {string | null} written what of the field is brought
   */
  async function send(bring, written = null) {
    if (sending.value) return;
    sending.value = true;
    said.value = "Reading …";
    try {
      const sample = await bring();
      samples.added(sample);
      if (typed.value === written) typed.value = ""; // not what was typed while this was on its way
      said.value = "Added: " + sample.set_title + ", " + whole(sample.total_rows) + " points";
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error); // what was typed stays
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
    const wrong = wrongWith(file, most);
    if (wrong) {
      said.value = wrong;
      return;
    }
    const form = new FormData();
    form.append("file", file, file.name);
    form.append("inputs", POINTS);
    form.append("name", file.name.slice(0, 80));
    await send(() => api.post("/samples/files", form));
  }

  function write() {
    const content = typed.value;
    return send(() => api.send("POST", "/samples/written", { inputs: POINTS, content, name: null }), content);
  }

  const ends = [
    show(
      host,
      () => html`
        <div class="text-tools">
          <label class="button" for="cloud-file">Choose a .npy, .xyz or .ply file</label>
          <input type="file" id="cloud-file" class="hidden-visually" accept=".npy,.xyz,.ply" onChange=${read} />
          <span class="hint">${"of up to " + whole(most) + " bytes"}</span>
        </div>
        <label class="control-name" for="cloud-typed">Or paste points, a line with x y z each</label>
        <textarea
          id="cloud-typed"
          class="text-typed"
          rows="5"
          spellcheck=${false}
          placeholder=${EXAMPLE}
          value=${typed.value}
          onInput=${(/** @type {InputEvent} */ event) =>
            (typed.value = /** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}
        ></textarea>
        <div class="text-tools">
          <button
            type="button"
            class="button"
            id="cloud-send"
            disabled=${sending.value || !typed.value.trim()}
            onClick=${write}
          >
            Use points
          </button>
        </div>
        <p class="hint" id="cloud-said" role="status" aria-live="polite">${said.value}</p>
      `,
    ),
    subscribe((model) => (host.hidden = model?.inputs !== POINTS)),
  ];
  return () => ends.forEach((end) => end());
});
