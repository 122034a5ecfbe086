/* What a block network is given: which task, which network, and digits that are typed or stepped. What is chosen lies in
   the state of the page (pages/blocks/state.js), and so in the address. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import { labelled, textTool } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { choices } from "rs/parts/controls.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Task } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Task & {routing: string[]}} Entry a task with the networks on it that route blocks */

const page = () => blocksState;
const digitsOf = () => page().get().digits || [];
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
  const task = build("select", { class: "small-input", id: "blocks-task" });
  const model = build("select", { class: "small-input", id: "blocks-model" });
  const said = build("span", { class: "hint danger", role: "alert" });
  /** @type {Entry[]} */
  let tasks = [];
  host.replaceChildren(labelled("Task", task), labelled("Network", model), said);

  function show() {
    const { model: chosen } = page().get();
    const now = tasks.find((each) => chosen !== null && each.models.includes(chosen));
    const open = tasks.filter((each) => each.routing.length);
    choices(
      task,
      open.map(({ name, title }) => [name, title]),
      now ? now.name : "",
    );
    choices(
      model,
      (now ? now.routing : []).map((id) => [id, id]),
      chosen ?? "",
    );
    for (const select of [task, model]) select.disabled = select.options.length < 2;
  }

  task.addEventListener("change", () => {
    const next = tasks.find((each) => each.name === task.value);
    if (next) selection.choose({ model: next.routing[0] });
  });
  model.addEventListener("change", () => selection.choose({ model: model.value }));
  catalogue().then(
    (found) => {
      tasks = found;
      show();
    },
    (problem) => (said.textContent = problem.message),
  );
  return page().subscribe((_, names) => names.has("info") && show());
});

/* -- digits ---------------------------------------------------------------------------------------------------- */

/**
 * @param {number} at
 * @param {number} digit
 */
function setDigit(at, digit) {
  const digits = [...digitsOf()];
  digits[at] = digit;
  page().set({ digits });
}

/**
 * A digit with its name: typed, or moved with the arrow keys and the two buttons.
 *
 * @param {string} name
 * @param {number} at
 * @param {(at: number) => void} focus
 */
function stepper(name, at, focus) {
  /** @param {number} by */
  const step = (by) => setDigit(at, (digitsOf()[at] + by + 10) % 10);
  const input = build("input", {
    class: "blocks-digit",
    id: "blocks-digit-" + at,
    type: "text",
    inputmode: "numeric",
    autocomplete: "off",
    role: "spinbutton",
    "aria-label": name,
    "aria-valuemin": 0,
    "aria-valuemax": 9,
    "data-digit": at,
  });
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
  input.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("input", (event) => {
    const typed = ((event instanceof InputEvent && event.data) || input.value).replace(/\D/g, ""); // wherever the caret was
    if (typed) {
      setDigit(at, Number(typed[typed.length - 1]));
      focus(at + 1);
    }
    input.value = String(digitsOf()[at]);
  });
  // Several digits at once fill the fields from here on.
  input.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text").replace(/\D/g, "");
    if (!pasted) return;
    event.preventDefault();
    page().set({ digits: digitsOf().map((digit, place) => Number(pasted[place - at] ?? digit)) });
  });
  /**
   * @param {string} words
   * @param {string} sign
   * @param {number} by
   */
  const arrow = (words, sign, by) =>
    build(
      "button",
      {
        type: "button",
        class: "blocks-arrow",
        tabindex: -1,
        "aria-label": name + ": " + words,
        onclick: () => step(by),
      },
      sign,
    );
  const body = build(
    "div",
    { class: "blocks-stepper" },
    build("span", { class: "blocks-digit-name", "aria-hidden": "true" }, name),
    arrow("one up", "\u25b4", 1),
    input,
    arrow("one down", "\u25be", -1),
  );
  return { body, input };
}

/** Draws digits and subtasks anew. */
export function draw() {
  const { task, digits, program } = page().get();
  const subtasks = task ? task.subtasks.length : 0;
  page().set({ digits: digits.map(() => random(10)), program: program.map(() => random(subtasks)) });
}

registerWidget("blocks-digits", (host) => {
  let names = "";
  /** @type {HTMLInputElement[]} */
  let inputs = [];
  /** @param {number} at */
  const focus = (at) => inputs[at] && inputs[at].focus();

  /** @param {string[]} values */
  function fill(values) {
    const made = values.map((name, at) => stepper(name, at, focus));
    inputs = made.map((each) => each.input);
    const anew = textTool("blocks-random", "Random", draw);
    host.replaceChildren(
      build(
        "div",
        { class: "blocks-steppers", role: "group", "aria-label": "Digits" },
        ...made.map((each) => each.body),
      ),
      anew,
    );
  }

  return page().subscribe(({ task, digits }) => {
    const values = task && task.inputs === "digits" ? task.values : [];
    host.hidden = !values.length;
    if (JSON.stringify(values) !== names) {
      names = JSON.stringify(values);
      fill(values);
    }
    inputs.forEach((input, at) => {
      const digit = String((digits || [])[at] ?? 0);
      if (input.value !== digit) input.value = digit;
      if (document.activeElement === input) input.select();
      input.setAttribute("aria-valuenow", digit);
    });
  });
});
