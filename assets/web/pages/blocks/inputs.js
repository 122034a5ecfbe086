/* The input of a block network: digits that are typed or stepped, and the subtask of each iteration. */
import * as address from "rs/lib/address.js";
import { follow } from "rs/lib/navigation/go.js";
import { html } from "rs/lib/view.js";
import { DigitPicture } from "rs/pages/blocks/digit_image.js";
import * as page from "rs/pages/blocks/state.js";
import { Choice, Segmented, Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

const { LONGEST, DIGIT } = page;
const { least, most } = DIGIT;
const DIGITS = most - least + 1;
const digitsOf = () => page.state.digits;
/** @param {number} most */
const random = (most) => Math.floor(Math.random() * most);

/* -- digits ---------------------------------------------------------------------------------------------------- */

/** @param {number} at @param {number} digit */
const setDigit = (at, digit) => page.set({ digits: digitsOf().map((each, place) => (place === at ? digit : each)) });

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
  /** Several digits at once fill the fields from here on. @param {ClipboardEvent} event */
  const onPaste = (event) => {
    const pasted = event.clipboardData?.getData("text").replace(/\D/g, "");
    if (!pasted) return;
    event.preventDefault();
    page.set({ digits: digitsOf().map((each, place) => Number(pasted[place - at] ?? each)) });
  };
  /** @param {string} words @param {string} sign @param {number} by */
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
    <span class="control-name" aria-hidden="true">${name}</span>
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
  const { task, digits, program } = page.state;
  const subtasks = task ? task.subtasks.length : 0;
  page.set({ digits: digits.map(() => least + random(DIGITS)), program: program.map(() => random(subtasks)) });
}

function Digits() {
  const { task, digits, model } = page.state;
  if (!task || task.inputs !== "digits" || !task.values.length) return null;
  return html`<div class="blocks-digits">
    <div class="blocks-steppers" role="group" aria-label="Digits">
      ${task.values.map((name, at) => html`<${Stepper} key=${name} name=${name} at=${at} digit=${digits[at] ?? 0} />`)}
    </div>
    <${Tool} id="blocks-random" act=${draw}>Random<//>
    <a class="tool tool-text" href=${address.linkTo("samples", { model, set: task.name })} onClick=${follow}
      >From the data set</a
    >
  </div>`;
}

/* -- the program -------------------------------------------------------------------------------------------------- */

/** Tells an iteration another subtask; the others keep theirs. @param {number} at @param {number} subtask */
function put(at, subtask) {
  const program = page.state.program;
  const length = Math.max(program.length, at + 1, Math.min(page.iterations(), LONGEST));
  const next = Array.from({ length }, (_, place) => program[place % program.length]);
  next[at] = subtask;
  page.set({ program: next });
}

/** The subtasks of several iterations: a select for each. @param {{subtasks: string[], program: number[]}} props */
const Program = ({ subtasks, program }) =>
  html`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${program.map(
      (subtask, at) =>
        html`<div key=${at} class="blocks-iteration">
          <span class="control-name" aria-hidden="true">${at + 1}</span>
          <${Choice}
            id=${"blocks-iteration-" + at}
            look="small-input"
            label=${"Subtask of iteration " + (at + 1)}
            options=${subtasks.map((name, place) => [String(place), place + 1 + " " + name])}
            chosen=${String(subtask)}
            onChoose=${(/** @type {string} */ value) => put(at, Number(value))}
          />
        </div>`,
    )}
  </div>`;

/** The subtask of each iteration that runs. A program that is shorter than the run repeats. */
function Subtasks() {
  const { task, program } = page.state;
  if (!task || task.inputs !== "digits" || task.subtasks.length < 2 || !program.length) return null;
  if (task.iterations === 1)
    return html`<div class="blocks-program">
      <${Segmented}
        id="blocks-subtask"
        label="Subtask"
        options=${task.subtasks.map((name, at) => [String(at), name])}
        chosen=${String(program[0])}
        onChoose=${(/** @type {string} */ at) => page.set({ program: [Number(at)] })}
      />
    </div>`;
  const iterations = page.iterations();
  const shown = Array.from({ length: Math.min(iterations, LONGEST) }, (_, at) => program[at % program.length]);
  return html`<div class="blocks-program">
    <${Program} subtasks=${task.subtasks} program=${shown} />
    <p class="hint" id="blocks-program-said">
      ${iterations > shown.length && "The program repeats: " + iterations + " iterations run."}
    </p>
  </div>`;
}

/** The panel of the input. */
export const InputPanel = () =>
  html`<${Panel}
    id="blocks-inputs"
    title="Input"
    reads="Digits and a program, or the picture of a digit."
    more="Type the digits or change them with the arrow keys. Each iteration has its own subtask. A picture of a digit is cut into four strips, which lie in one of eight orders."
  >
    <${Digits} /><${Subtasks} /><${DigitPicture} />
  <//>`;
