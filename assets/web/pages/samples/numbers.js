/* Making a point: a slider and a field for each of its numbers, and the function that it is put to. */
import { html } from "rs/lib/view.js";
import * as samples from "rs/pages/samples/state.js";
import { Choice, Tool } from "rs/parts/controls.js";
import { useSignal, useState } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */
/** @typedef {(wrong: string, body: Schemas["WrittenSample"]) => void} Send */

const NUMBERS = "numbers"; // the kind of input
const STEP = 0.01;

const TOKEN = "number:"; // what the name of a variable's token begins with

/** The variables of a model, by its tokens. @param {string[]} tokens */
const namesOf = (tokens) => tokens.filter((name) => name.startsWith(TOKEN)).map((name) => name.slice(TOKEN.length));

/**
 * Why numbers are no point, in words; "" where they are one.
 *
 * @param {string[]} names of the variables
 * @param {string[]} written what is written for each
 */
export function wrongWith(names, written) {
  const at = written.findIndex((number) => !(number.trim() && Number(number) >= 0 && Number(number) <= 1));
  if (at < 0) return "";
  const shown = written[at].trim() ? "\u201c" + written[at].trim() + "\u201d" : "empty";
  return names[at] + " is " + shown + "; a number from 0 to 1 is accepted, such as 0.25.";
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

/** What makes a point: its numbers, and the function that it is put to. @param {{send: Send}} props */
export function Numbers({ send }) {
  const info = samples.model();
  const names = namesOf(info?.tokens ?? []);
  const functions = (samples.catalogue.answer()?.sets ?? []).filter(({ name }) => info?.domains.includes(name));
  const written = useSignal(names.map(() => "0.5"));
  const [chosen, setChosen] = useState(functions[0]?.name ?? "");
  const use = () => {
    const content = written.value.map((number) => number.trim()).join(", ");
    send(wrongWith(names, written.value), { inputs: NUMBERS, content, set: chosen });
  };
  return html`
    <div class="number-rows" role="group" aria-label="Numbers of the point">
      ${names.map((name, at) => html`<${Variable} key=${name} name=${name} at=${at} written=${written} />`)}
    </div>
    <div class="number-tools">
      <label class="control-name" for="number-function">function</label>
      <${Choice}
        id="number-function"
        look="small-input"
        options=${functions.map(({ name, title }) => [name, title])}
        chosen=${chosen}
        onChoose=${setChosen}
      />
      <${Tool} id="number-random" act=${() => (written.value = names.map(() => Math.random().toFixed(2)))}>At random<//>
      <${Tool} id="number-send" look="button" act=${use}>Use point<//>
    </div>
  `;
}
