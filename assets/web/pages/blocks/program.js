/* The program: which subtask each iteration is told to do. Where more iterations run than it names, it begins again. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { choices } from "rs/parts/controls.js";

const LONGEST = 16; // subtasks (core/data/block_sets.py)

const page = () => blocksState;
const programOf = () => page().get().program || [];

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

function choice(subtasks) {
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

function iteration(subtasks, at) {
  const select = build("select", {
    class: "small-input",
    id: "blocks-iteration-" + at,
    "aria-label": "Subtask of iteration " + (at + 1),
    "data-iteration": at,
  });
  choices(
    select,
    subtasks.map((name, subtask) => [subtask, subtask + 1 + " " + name]),
    0,
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
  const tool = (id, sign, words, act) =>
    build("button", { type: "button", class: "tool", id, title: words, "aria-label": words, onclick: act }, sign);
  return [
    tool("blocks-shorter", "\u2212", "One iteration less in the program", remove),
    tool("blocks-longer", "+", "One iteration more in the program", add),
  ];
}

registerWidget("blocks-program", (host) => {
  let shape = "";

  function fill({ task, program }) {
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

  function mark({ task, program }) {
    const iterations = page().iterations();
    if (task.iterations === 1) {
      host.querySelectorAll("input").forEach((input) => (input.checked = Number(input.value) === program[0]));
      return;
    }
    program.forEach((subtask, at) => (host.querySelector('[data-iteration="' + at + '"]').value = String(subtask)));
    host.querySelector("#blocks-shorter").disabled = program.length < 2;
    host.querySelector("#blocks-longer").disabled = program.length >= LONGEST;
    const again = iterations > program.length;
    host.querySelector("#blocks-program-said").textContent = again
      ? iterations + " iterations run: after the last the program begins again."
      : "";
  }

  return page().subscribe((state) => {
    const { task, program } = state;
    const open =
      Boolean(task) && task.inputs === "digits" && task.subtasks.length > 1 && Boolean(program) && program.length > 0;
    host.hidden = !open;
    if (!open) return;
    const next = JSON.stringify([task.name, task.iterations === 1 ? 1 : program.length]);
    if (next !== shape) {
      shape = next;
      const at = host.contains(document.activeElement) ? document.activeElement.id : null;
      fill(state);
      if (at) document.getElementById(at)?.focus();
    }
    mark(state);
  });
});
