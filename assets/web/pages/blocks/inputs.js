/* What a block network is given: digits that are typed or stepped. What is chosen lies in the state of the page
   (pages/blocks/state.js), and so in the address. */
import * as address from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { follow } from "rs/lib/navigation/go.js";
import { html } from "rs/lib/view.js";
import { showOrHide, textTool } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

const page = () => blocksState;
const { least, most } = blocksState.DIGIT;
const DIGITS = most - least + 1;
const digitsOf = () => page().get().digits;
/** @param {number} most */
const random = (most) => Math.floor(Math.random() * most);

/* -- digits ---------------------------------------------------------------------------------------------------- */

/**
 * @param {number} at
 * @param {number} digit
 */
const setDigit = (at, digit) => page().set({ digits: digitsOf().map((each, place) => (place === at ? digit : each)) });

const idOf = (/** @type {number} */ at) => "blocks-digit-" + at;
const focus = (/** @type {number} */ at) => document.getElementById(idOf(at))?.focus();

/**
 * A digit with its name: typed, or moved with the arrow keys and the two buttons.
 *
 * @param {{name: string, at: number, digit: number}} props
 */
function Stepper({ name, at, digit }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => {
    if (input.current === document.activeElement) input.current?.select();
  }, [digit]);
  /** @param {number} by */
  const step = (by) => setDigit(at, least + ((digitsOf()[at] - least + by + DIGITS) % DIGITS));
  /** @type {Record<string, () => void>} */
  const moves = {
    ArrowUp: () => step(1),
    ArrowDown: () => step(-1),
    ArrowLeft: () => focus(at - 1),
    ArrowRight: () => focus(at + 1),
    Home: () => setDigit(at, least),
    End: () => setDigit(at, most),
    Backspace: () => focus(at - 1),
  };
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  };
  /** @param {InputEvent & {currentTarget: HTMLInputElement}} event */
  const onInput = ({ data, currentTarget }) => {
    const typed = (data || currentTarget.value).replace(/\D/g, ""); // wherever the caret was
    if (typed) {
      setDigit(at, Number(typed[typed.length - 1]));
      focus(at + 1);
    }
    currentTarget.value = String(digitsOf()[at]);
  };
  /**
   * Several digits at once fill the fields from here on.
   *
   * @param {ClipboardEvent} event
   */
  const onPaste = (event) => {
    const pasted = event.clipboardData?.getData("text").replace(/\D/g, "");
    if (!pasted) return;
    event.preventDefault();
    page().set({ digits: digitsOf().map((each, place) => Number(pasted[place - at] ?? each)) });
  };
  /**
   * @param {string} words
   * @param {string} sign
   * @param {number} by
   */
  const arrow = (words, sign, by) =>
    html`<button
      type="button"
      class="blocks-arrow"
      tabindex="-1"
      aria-label=${name + ": " + words}
      onClick=${() => step(by)}
    >
      ${sign}
    </button>`;
  return html`<div class="blocks-stepper">
    <span class="blocks-digit-name" aria-hidden="true">${name}</span>
    ${arrow("one up", "\u25b4", 1)}
    <input
      ref=${input}
      class="blocks-digit"
      id=${idOf(at)}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      role="spinbutton"
      aria-label=${name}
      aria-valuemin=${least}
      aria-valuemax=${most}
      aria-valuenow=${digit}
      data-digit=${at}
      value=${String(digit)}
      onKeyDown=${onKey}
      onFocus=${() => input.current?.select()}
      onInput=${onInput}
      onPaste=${onPaste}
    />
    ${arrow("one down", "\u25be", -1)}
  </div>`;
}

/** Draws digits and subtasks anew. */
function draw() {
  const { task, digits, program } = page().get();
  const subtasks = task ? task.subtasks.length : 0;
  page().set({ digits: digits.map(() => least + random(DIGITS)), program: program.map(() => random(subtasks)) });
}

registerWidget("blocks-digits", (host) =>
  showOrHide(host, () => {
    const { task, digits, model } = page().get();
    if (!task || task.inputs !== "digits" || !task.values.length) return null;
    const steppers = task.values.map(
      (name, at) => html`<${Stepper} key=${name} name=${name} at=${at} digit=${digits[at] ?? 0} />`,
    );
    return html`<div class="blocks-steppers" role="group" aria-label="Digits">${steppers}</div>
      ${textTool("blocks-random", "Random", draw)}
      <a class="tool tool-text" href=${address.linkTo("samples", { model, set: task.name })} onClick=${follow}
        >From the data set</a
      >`;
  }),
);
