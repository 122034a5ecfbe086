/* Controls that pages share: sliders that say what they mean, the options of a choice, zoom. */
import { build } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import { html, icon } from "rs/lib/view.js";
import { useEffect, useRef, useState } from "rs/vendor/preact.js";

/** @import { ScatterMap } from "rs/draw/map.js" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/**
 * @typedef {object} ToolProps
 * @property {() => void} act
 * @property {unknown} children words or an icon
 * @property {string} [look] its classes
 * @property {string} [id]
 * @property {string} [title]
 * @property {string} [label] for those who hear it
 * @property {boolean} [pressed]
 * @property {boolean} [wait] keeps it from being pressed
 * @property {boolean} [hidden]
 */

/** A small button. @param {ToolProps} props */
export const Tool = ({ act, children, look = "tool tool-text", id, title, label, pressed, wait, hidden }) =>
  html`<button
    type="button"
    class=${look}
    id=${id}
    title=${title}
    aria-label=${label}
    aria-pressed=${pressed === undefined ? undefined : String(pressed)}
    disabled=${Boolean(wait)}
    hidden=${Boolean(hidden)}
    onClick=${() => act()}
  >
    ${children}
  </button>`;

/**
 * @typedef {object} SliderProps
 * @property {string} id
 * @property {string} name
 * @property {number} value
 * @property {number} most without which there is nothing to choose
 * @property {string} words what the value means
 * @property {(value: number) => void} onInput
 */

/** A slider with its name and what it says. @param {SliderProps} props */
export function Slider({ id, name, value, most, words, onInput }) {
  const [, again] = useState({}); // a move that was not taken goes back to what holds
  /** @param {InputEvent} event */
  function move(event) {
    onInput(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value));
    again({});
  }
  return html`<div class="control slider-control">
    <label class="control-name" for=${id}>${name}</label>
    <input
      type="range"
      id=${id}
      class="slider"
      min="0"
      max=${most}
      step="1"
      value=${value}
      disabled=${most <= 0}
      aria-valuetext=${words}
      onInput=${move}
    />
    <output class="readout slider-words" for=${id} id=${id + "-words"}>${words}</output>
  </div>`;
}

/**
 * A slider between other controls, with its name and what it says.
 *
 * @param {{id: string, name: string, label?: string, least?: number, most: number, step?: number, value: number, words: string, onInput: (value: number) => void, look?: string, hidden?: boolean, wait?: boolean}} props
 */
export const Range = ({
  id,
  name,
  label,
  least = 0,
  most,
  step = 1,
  value,
  words,
  onInput,
  look = "control",
  hidden,
  wait,
}) =>
  html`<div class=${look} hidden=${hidden} title=${label}>
    <label class="control-name" for=${id}>${name}</label>
    <input
      type="range"
      class="range"
      ...${{ id, min: least, max: most, step, value, disabled: wait }}
      aria-label=${label}
      aria-valuetext=${words}
      onInput=${(/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) => onInput(Number(currentTarget.value))}
    />
    <output class="readout" for=${id}>${words}</output>
  </div>`;

/**
 * A choice of one of `options`, [value, words] each; `wait` keeps it from being changed.
 *
 * @param {{id: string, look: string, label?: string, options: [string, string][], chosen: string, onChoose: (value: string) => void, wait?: boolean, hidden?: boolean}} props
 */
export const Choice = ({ id, look, label, options, chosen, onChoose, wait = false, hidden = false }) =>
  html`<select
    id=${id}
    class=${look}
    aria-label=${label}
    value=${chosen}
    disabled=${wait}
    hidden=${hidden}
    onChange=${(/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.currentTarget).value)}
  >
    ${options.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
  </select>`;

/**
 * A choice of a few that are all in sight, one radio button each: [value, words] or [value, words, why it cannot be chosen].
 *
 * @param {{id: string, label: string, options: [string, string, string?][], chosen: string, onChoose: (value: string) => void}} props
 */
export const Segmented = ({ id, label, options, chosen, onChoose }) =>
  html`<div class="segmented" id=${id} role="radiogroup" aria-label=${label}>
    ${options.map(
      ([value, words, refused = ""]) =>
        html`<label key=${value} title=${refused || undefined}>
          <input
            type="radio"
            name=${id}
            value=${value}
            checked=${value === chosen}
            disabled=${Boolean(refused)}
            onChange=${() => onChoose(value)}
          />
          <span>${words}</span>
        </label>`,
    )}
  </div>`;

const REST = 250; // milliseconds after the last key

/**
 * A field for a number from `least` to `most`, or nothing: null. It is heard when typing rests. `step` "any" takes fractions.
 *
 * @param {{id: string, label: string, chosen: number | null, least?: number, most: number, step?: number | "any", none: string, onChoose: (value: number | null) => void}} props
 */
export function NumberField({ id, label, chosen, least = 1, most, step = 1, none, onChoose }) {
  const typed = useRef(/** @type {{timer: any, text: string | null}} */ ({ timer: null, text: null }));
  useEffect(() => () => clearTimeout(typed.current.timer), []);
  /** @param {InputEvent} event */
  function hear(event) {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    clearTimeout(typed.current.timer);
    typed.current.text = field.value;
    typed.current.timer = setTimeout(() => {
      const value = Number(field.value);
      typed.current.text = null;
      const fits = field.value !== "" && (step === "any" || Number.isInteger(value)) && value >= least;
      if (fits && value > most) field.value = String(most);
      onChoose(fits ? Math.min(value, most) : null);
    }, REST);
  }
  return html`<input
    type="number"
    class="small-input number-field"
    id=${id}
    aria-label=${label}
    min=${least}
    max=${most}
    step=${step}
    placeholder=${none}
    value=${typed.current.text ?? chosen ?? ""}
    onInput=${hear}
  />`;
}

/** A control with its name. @param {string} words @param {string} id @param {...ComponentChildren} control */
export const labelled = (words, id, ...control) =>
  html`<div class="control"><label class="control-name" for=${id}>${words}</label>${control}</div>`;

/**
 * Options of how many samples are taken, with the number that is chosen among them.
 *
 * @param {number[]} usual
 * @param {number} chosen
 * @returns {[string, string][]}
 */
export const sizeOptions = (usual, chosen) =>
  [...new Set([...usual, chosen])].sort((a, b) => a - b).map((size) => [String(size), whole(size)]);

/**
 * Puts options [[value, words], ...] into a select that is no part of a template.
 *
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options
 * @param {string} chosen
 */
export function choices(select, options, chosen) {
  select.replaceChildren(
    ...options.map(([value, words]) => build("option", { value, selected: value === chosen }, words)),
  );
}

/**
 * Which part of a list is shown, page by page, and the way to the parts before and behind.
 *
 * @param {{id: string, words: string, start: number, step: number, total: number, before: string, after: string, go: (start: number) => void}} props
 */
export function Pager({ id, words, start, step, total, before, after, go }) {
  /** @param {string} name @param {string} label @param {number} to */
  const turn = (name, label, to) => {
    const wait = to < 0 || to >= total;
    return html`<${Tool} ...${{ id: id + "-" + name, look: "tool", title: label, label, wait, act: () => go(to) }}
      >${icon(name)}<//
    >`;
  };
  return html`<div class="pager">
    <div id=${id + "-count"} class="caption" role="status">${words}</div>
    ${turn("previous", before, start - step)}${turn("next", after, start + step)}
  </div>`;
}

/** Buttons that zoom the maps (draw/map.js) that `mapsOf()` gives. @param {{mapsOf: () => ScatterMap[]}} props */
export function ZoomButtons({ mapsOf }) {
  /** @param {unknown} words @param {string} label @param {(map: ScatterMap) => void} act */
  const button = (words, label, act) => {
    const zoom = () => mapsOf().forEach((map) => map.items && act(map));
    return html`<${Tool} look="tool" title=${label} label=${label} act=${zoom}>${words}<//>`;
  };
  return [
    button("+", "Zoom in", (map) => map.zoomBy(1.3)),
    button("\u2212", "Zoom out", (map) => map.zoomBy(1 / 1.3)),
    button(icon("fit"), "Show all", (map) => map.fit()),
  ];
}
