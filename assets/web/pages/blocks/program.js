/* The program: which subtask each iteration that runs is told to do. How many run is chosen at the player of the picture;
   where the address names fewer subtasks, or a program cannot have as many, it begins again. */
import { registerWidget } from "rs/lib/dom.js";
import { html } from "rs/lib/view.js";
import { select, showOrHide } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";

const { LONGEST } = blocksState;
const page = () => blocksState;
const programOf = () => page().get().program;

/**
 * Tells an iteration another subtask; the others keep theirs.
 *
 * @param {number} at
 * @param {number} subtask
 */
function put(at, subtask) {
  const program = programOf();
  const length = Math.max(program.length, at + 1, Math.min(page().iterations(), LONGEST));
  const next = Array.from({ length }, (_, place) => program[place % program.length]);
  next[at] = subtask;
  page().set({ program: next });
}

/**
 * The subtask of the one iteration: buttons.
 *
 * @param {string[]} subtasks
 * @param {number} chosen
 */
const choice = (subtasks, chosen) =>
  html`<div class="blocks-subtasks" role="radiogroup" aria-label="Subtask">
    <span class="control-name">Subtask</span>
    ${subtasks.map(
      (name, at) =>
        html`<label key=${name} class="blocks-subtask"
          ><input
            type="radio"
            name="blocks-subtask"
            value=${String(at)}
            checked=${at === chosen}
            onChange=${() => page().set({ program: [at] })}
          />${name}</label
        >`,
    )}
  </div>`;

/**
 * The subtasks of several iterations: a select for each.
 *
 * @param {string[]} subtasks
 * @param {number[]} program
 */
function selects(subtasks, program) {
  const options = subtasks.map((name, subtask) => [String(subtask), subtask + 1 + " " + name]);
  /**
   * @param {number} subtask
   * @param {number} at
   */
  const iteration = (subtask, at) => {
    const about = { "aria-label": "Subtask of iteration " + (at + 1), "data-iteration": at };
    return html`<div key=${at} class="blocks-iteration">
      <span class="blocks-iteration-name" aria-hidden="true">${at + 1}</span>
      ${select("blocks-iteration-" + at, options, String(subtask), (value) => put(at, Number(value)), about)}
    </div>`;
  };
  return html`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${program.map(iteration)}
  </div>`;
}

registerWidget("blocks-program", (host) =>
  showOrHide(host, () => {
    const { task, program } = page().get();
    if (!task || task.inputs !== "digits" || task.subtasks.length < 2 || !program.length) return null;
    if (task.iterations === 1) return choice(task.subtasks, program[0]);
    const iterations = page().iterations();
    const told = Array.from({ length: Math.min(iterations, LONGEST) }, (_, at) => program[at % program.length]);
    return html`${selects(task.subtasks, told)}
      <p class="hint" id="blocks-program-said">
        ${iterations > told.length && iterations + " iterations run: after the last the program begins again."}
      </p>`;
  }),
);
