/* Making a point: a slider and a field for each of its numbers, and the function that it is put to. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as samples from "rs/lib/samples.js";
import { html, show } from "rs/lib/view.js";
import { subscribe } from "rs/lib/words.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

const NUMBERS = "numbers"; // the kind of input
const STEP = 0.01;

/**
 * What a point is made of: the names of its variables, and the functions that it can be put to.
 *
 * @typedef {{names: string[], functions: {name: string, title: string}[]}} Made
 */

/**
 * Why numbers are no point, in words; "" where they are one.
 *
 * @param {string[]} names of the variables
 * @param {string[]} written what is written for each
 */
export function wrongWith(names, written) {
  const at = written.findIndex((each) => !(each.trim() && Number(each) >= 0 && Number(each) <= 1));
  if (at < 0) return "";
  const said = written[at].trim() ? "\u201c" + written[at].trim() + "\u201d" : "empty";
  return names[at] + " is " + said + "; a number from 0 to 1 is accepted, such as 0.25.";
}

/**
 * Numbers that were pasted as one line, by commas, semicolons or spaces; null where there are not so many.
 *
 * @param {string} text
 * @param {number} count
 */
export function pasted(text, count) {
  const parts = text.trim().split(/[\s,;]+/);
  return count > 1 && parts.length === count ? parts : null;
}

/**
 * @param {string} id of a model
 * @returns {Promise<Made>}
 */
async function madeOf(id) {
  /** @type {[Schemas["ModelDetail"], Schemas["DataSets"]]} */
  const [model, sets] = await Promise.all([
    api.send("GET", "/models/" + encodeURIComponent(id)),
    api.send("GET", "/data?inputs=" + NUMBERS),
  ]);
  const prefix = "number:";
  const names = model.tokens.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return { names, functions: sets.items.filter(({ name }) => model.domains.includes(name)) };
}

/**
 * One variable: its name, a slider, and a field for exact values, which takes a whole point that is pasted.
 *
 * @param {{name: string, at: number, written: Signal<string[]>}} props
 */
function Variable({ name, at, written }) {
  const set = (/** @type {string} */ value) =>
    (written.value = written.value.map((each, place) => (place === at ? value : each)));
  const onInput = (/** @type {InputEvent} */ event) => set(/** @type {HTMLInputElement} */ (event.currentTarget).value);
  const onPaste = (/** @type {ClipboardEvent} */ event) => {
    const all = pasted(event.clipboardData?.getData("text") ?? "", written.value.length);
    if (!all) return;
    event.preventDefault();
    written.value = all;
  };
  const value = written.value[at];
  const place = Number.isFinite(Number(value)) ? Number(value) : 0;
  return html`<div class="number-row">
    <label for=${"number-" + name}>${name}</label>
    <input
      type="range"
      min="0"
      max="1"
      step=${STEP}
      value=${place}
      aria-label=${name + " from 0 to 1"}
      onInput=${onInput}
    />
    <input
      type="text"
      inputmode="decimal"
      class="small-input"
      id=${"number-" + name}
      value=${value}
      onInput=${onInput}
      onPaste=${onPaste}
    />
  </div>`;
}

registerWidget("bring-numbers", (host) => {
  const [written, said, sending] = [signal(/** @type {string[]} */ ([])), signal(""), signal(false)];
  const made = signal(/** @type {Made | null} */ (null));
  const chosen = signal("");
  let asked = "";

  /** @param {string} id */
  async function learn(id) {
    if (asked === id) return;
    asked = id;
    try {
      const found = await madeOf(id);
      if (asked !== id) return;
      made.value = found;
      if (written.value.length !== found.names.length) written.value = found.names.map(() => "0.5");
      if (!found.functions.some(({ name }) => name === chosen.value)) chosen.value = found.functions[0]?.name ?? "";
    } catch (error) {
      if (asked !== id) return;
      asked = "";
      said.value = error instanceof Error ? error.message : String(error);
    }
  }

  /** @param {string[]} names */
  async function send(names) {
    said.value = wrongWith(names, written.value);
    if (said.value || sending.value) return;
    sending.value = true;
    try {
      const content = written.value.map((each) => each.trim()).join(", ");
      /** @type {Schemas["SampleTable"]} */
      const sample = await api.send("POST", "/samples/written", { inputs: NUMBERS, content, set: chosen.value });
      samples.added(sample);
      said.value = "Added: " + sample.set_title;
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    } finally {
      sending.value = false;
    }
  }

  const ends = [
    show(host, () => {
      if (!made.value) return html`<p class="hint" role="status">${said.value}</p>`;
      const { names, functions } = made.value;
      return html`
        <div class="number-rows" role="group" aria-label="Numbers of the point">
          ${names.map((name, at) => html`<${Variable} key=${name} name=${name} at=${at} written=${written} />`)}
        </div>
        <div class="number-tools">
          <label class="control-name" for="number-function">function</label>
          <select
            id="number-function"
            class="small-input"
            value=${chosen.value}
            onChange=${(/** @type {Event} */ event) =>
              (chosen.value = /** @type {HTMLSelectElement} */ (event.currentTarget).value)}
          >
            ${functions.map(({ name, title }) => html`<option value=${name}>${title}</option>`)}
          </select>
          <button
            type="button"
            class="tool tool-text"
            id="number-random"
            onClick=${() => (written.value = names.map(() => Math.random().toFixed(2)))}
          >
            At random
          </button>
          <button type="button" class="button" id="number-send" disabled=${sending.value} onClick=${() => send(names)}>
            Use point
          </button>
        </div>
        <p class="hint" id="number-said" role="status" aria-live="polite">${said.value}</p>
      `;
    }),
    subscribe((model) => {
      host.hidden = model?.inputs !== NUMBERS;
      if (model && !host.hidden) learn(model.id);
    }),
  ];
  return () => ends.forEach((end) => end());
});
