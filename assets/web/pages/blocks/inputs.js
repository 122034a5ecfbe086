/* What a block network is given: which task, which network, and digits that are typed or stepped. What is chosen lies in
   the state of the page (pages/blocks/state.js), and so in the address. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";
import { labelled, select, showOrHide, textTool } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Task } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Task & {routing: string[]}} Entry a task with the networks on it that route blocks */

const page = () => blocksState;
const digitsOf = () => page().get().digits;
/** @param {number} most */
const random = (most) => Math.floor(Math.random() * most);

/* -- which task, which network --------------------------------------------------------------------------------- */

/** @type {Promise<Entry[]> | null} */
let coming = null;

/**
 * The tasks, each with the networks on it that route blocks.
 *
 * @returns {Promise<Entry[]>}
 */
function catalogue() {
  if (!coming) {
    /** @type {Promise<Schemas["Models"]>} */
    const models = api.send("GET", "/models");
    coming = Promise.all([page().tasksOf(), models]).then(([tasks, { items }]) => {
      const routing = new Set(items.filter((each) => each.fields.includes(page().FIELD)).map((each) => each.id));
      return tasks.map((task) => ({ ...task, routing: task.models.filter((id) => routing.has(id)) }));
    });
    coming.catch(() => (coming = null));
  }
  return coming;
}

registerWidget("blocks-task", (host) => {
  const tasks = signal(/** @type {Entry[]} */ ([]));
  const problem = signal("");
  catalogue().then(
    (found) => (tasks.value = found),
    (error) => (problem.value = error.message),
  );
  return show(host, () => {
    const { model } = page().get();
    const now = tasks.value.find((each) => model !== null && each.models.includes(model));
    const open = tasks.value.filter((each) => each.routing.length);
    const networks = now ? now.routing : [];
    const task = select(
      "blocks-task",
      open.map(({ name, title }) => [name, title]),
      now ? now.name : "",
      (name) => selection.choose({ model: open.find((each) => each.name === name)?.routing[0] }),
      { disabled: open.length < 2 },
    );
    const network = select(
      "blocks-model",
      networks.map((id) => [id, id]),
      model ?? "",
      (id) => selection.choose({ model: id }),
      { disabled: networks.length < 2 },
    );
    return [
      labelled("Task", "blocks-task", task),
      labelled("Network", "blocks-model", network),
      html`<span class="hint danger" role="alert">${problem.value}</span>`,
    ];
  });
});

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
  const step = (by) => setDigit(at, (digitsOf()[at] + by + 10) % 10);
  /** @type {Record<string, () => void>} */
  const moves = {
    ArrowUp: () => step(1),
    ArrowDown: () => step(-1),
    ArrowLeft: () => focus(at - 1),
    ArrowRight: () => focus(at + 1),
    Home: () => setDigit(at, 0),
    End: () => setDigit(at, 9),
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
      aria-valuemin="0"
      aria-valuemax="9"
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
  page().set({ digits: digits.map(() => random(10)), program: program.map(() => random(subtasks)) });
}

registerWidget("blocks-digits", (host) =>
  showOrHide(host, () => {
    const { task, digits } = page().get();
    if (!task || task.inputs !== "digits" || !task.values.length) return null;
    const steppers = task.values.map(
      (name, at) => html`<${Stepper} key=${name} name=${name} at=${at} digit=${digits[at] ?? 0} />`,
    );
    return html`<div class="blocks-steppers" role="group" aria-label="Digits">${steppers}</div>
      ${textTool("blocks-random", "Random", draw)}`;
  }),
);
