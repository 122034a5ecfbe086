/* The program: which subtask each iteration is told to do. Where more iterations run than it names, it begins again. */
import { registerWidget } from "rs/lib/dom.js";
import { html } from "rs/lib/view.js";
import { select, showOrHide } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";

const { LONGEST } = blocksState;
const page = () => blocksState;
const programOf = () => page().get().program;

/**
 * @param {number} at
 * @param {number} subtask
 */
function put(at, subtask) {
  page().set({ program: programOf().map((each, place) => (place === at ? subtask : each)) });
}

function add() {
  const program = programOf();
  page().set({ program: [...program, program[program.length - 1]] });
}

const remove = () => page().set({ program: programOf().slice(0, -1) });

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
  /**
   * @param {string} id
   * @param {string} sign
   * @param {string} words
   * @param {() => void} act
   * @param {boolean} disabled
   */
  const tool = (id, sign, words, act, disabled) =>
    html`<button
      type="button"
      class="tool"
      id=${id}
      title=${words}
      aria-label=${words}
      disabled=${disabled}
      onClick=${act}
    >
      ${sign}
    </button>`;
  return html`<div class="blocks-iterations" role="group" aria-label="Program">
    <span class="control-name">Program</span>
    ${program.map(iteration)}
    ${tool("blocks-shorter", "\u2212", "One iteration less in the program", remove, program.length < 2)}
    ${tool("blocks-longer", "+", "One iteration more in the program", add, program.length >= LONGEST)}
  </div>`;
}

registerWidget("blocks-program", (host) =>
  showOrHide(host, () => {
    const { task, program } = page().get();
    if (!task || task.inputs !== "digits" || task.subtasks.length < 2 || !program.length) return null;
    if (task.iterations === 1) return choice(task.subtasks, program[0]);
    const iterations = page().iterations();
    const again = iterations > program.length;
    return html`${selects(task.subtasks, program)}
      <p class="hint" id="blocks-program-said">
        ${again && iterations + " iterations run: after the last the program begins again."}
      </p>`;
  }),
);
