/* The program: which subtask each iteration is told to do. Where more iterations run than it names, it begins again. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { choices } from "rs/parts/controls.js";

/** @import { Task } from "rs/pages/blocks/types.d.ts" */

const { LONGEST } = blocksState;
const page = () => blocksState;
const programOf = () => page().get().program || [];

/**
 * @param {number} at
 * @param {number} subtask
 */
function put(at, subtask) {
  page().set({ program: programOf().map((each, place) => (place === at ? subtask : each)) });
}

function add() {
  const program = programOf();
  if (program.length < LONGEST) page().set({ program: [...program, program[program.length - 1] || 0] });
}

function remove() {
  const program = programOf();
  if (program.length > 1) page().set({ program: program.slice(0, -1) });
}

/* -- one iteration: buttons ------------------------------------------------------------------------------------- */

/** @param {string[]} subtasks */
function choice(subtasks) {
  /** @param {number} at */
  const chosen = (at) =>
    build(
      "label",
      { class: "blocks-subtask" },
      build("input", {
        type: "radio",
        name: "blocks-subtask",
        value: at,
        onchange: () => page().set({ program: [at] }),
      }),
      subtasks[at],
    );
  return build(
    "div",
    { class: "blocks-subtasks", role: "radiogroup", "aria-label": "Subtask" },
    build("span", { class: "control-name" }, "Subtask"),
    ...subtasks.map((_, at) => chosen(at)),
  );
}

/* -- several: a select for each --------------------------------------------------------------------------------- */

/**
 * @param {string[]} subtasks
 * @param {number} at
 */
function iteration(subtasks, at) {
  const select = build("select", {
    class: "small-input",
    id: "blocks-iteration-" + at,
    "aria-label": "Subtask of iteration " + (at + 1),
    "data-iteration": at,
  });
  choices(
    select,
    subtasks.map((name, subtask) => [String(subtask), subtask + 1 + " " + name]),
    "0",
  );
  select.addEventListener("change", () => put(at, Number(select.value)));
  return build(
    "div",
    { class: "blocks-iteration" },
    build("span", { class: "blocks-iteration-name", "aria-hidden": "true" }, String(at + 1)),
    select,
  );
}

function tools() {
  /**
   * @param {string} id
   * @param {string} sign
   * @param {string} words
   * @param {() => void} act
   */
  const tool = (id, sign, words, act) =>
    build("button", { type: "button", class: "tool", id, title: words, "aria-label": words, onclick: act }, sign);
  return [
    tool("blocks-shorter", "\u2212", "One iteration less in the program", remove),
    tool("blocks-longer", "+", "One iteration more in the program", add),
  ];
}

registerWidget("blocks-program", (host) => {
  let shape = "";

  /**
   * @param {Task} task
   * @param {number[]} program
   */
  function fill(task, program) {
    if (task.iterations === 1) return host.replaceChildren(choice(task.subtasks));
    const said = build("p", { class: "hint", id: "blocks-program-said" });
    const row = build(
      "div",
      { class: "blocks-iterations", role: "group", "aria-label": "Program" },
      build("span", { class: "control-name" }, "Program"),
      ...program.map((_, at) => iteration(task.subtasks, at)),
      ...tools(),
    );
    return host.replaceChildren(row, said);
  }

  /**
   * @param {Task} task
   * @param {number[]} program
   */
  function mark(task, program) {
    const iterations = page().iterations();
    if (task.iterations === 1) {
      host.querySelectorAll("input").forEach((input) => (input.checked = Number(input.value) === program[0]));
      return;
    }
    /** @type {NodeListOf<HTMLSelectElement>} */
    const selects = host.querySelectorAll("[data-iteration]");
    program.forEach((subtask, at) => (selects[at].value = String(subtask)));
    const tool = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (host.querySelector("#" + id));
    tool("blocks-shorter").disabled = program.length < 2;
    tool("blocks-longer").disabled = program.length >= LONGEST;
    const again = iterations > program.length;
    const said = /** @type {HTMLElement} */ (host.querySelector("#blocks-program-said"));
    said.textContent = again ? iterations + " iterations run: after the last the program begins again." : "";
  }

  return page().subscribe(({ task, program }) => {
    const open = task && task.inputs === "digits" && task.subtasks.length > 1 && program && program.length > 0;
    host.hidden = !open;
    if (!open) return;
    const next = JSON.stringify([task.name, task.iterations === 1 ? 1 : program.length]);
    if (next !== shape) {
      shape = next;
      const active = document.activeElement;
      const at = active && host.contains(active) ? active.id : null;
      fill(task, program);
      if (at) document.getElementById(at)?.focus();
    }
    mark(task, program);
  });
});
