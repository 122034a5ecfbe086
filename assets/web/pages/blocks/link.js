/* What of a link the chosen network and its task do not have: said in words, beside what is shown. */
import { listed } from "rs/lib/units.js";

/** @import { Choice, Interventions, Task } from "rs/pages/blocks/types.d.ts" */

/**
 * Sentences on what is chosen and cannot be shown; `known` are the chosen routes and gates that the network has.
 *
 * @param {Choice} choice
 * @param {{model: string, task: Task, levels: string[][], known: Interventions}} there
 */
export function unshown(choice, { model, task, levels, known }) {
  const lines = /** @type {string[]} */ ([]);
  for (const name of /** @type {const} */ (["mute_routes", "copy_routes"])) {
    const missed = choice[name].filter((route) => !known[name].includes(route));
    if (missed.length)
      lines.push(
        `"${name}" names ${listed(missed)}: ${model} has no such route. ${levelsIn(levels)}, and each reads the one before.`,
      );
  }
  const fixed = Object.keys(choice.gates).filter((block) => !(block in known.gates));
  if (fixed.length) lines.push(`"gates" names ${listed(fixed)}: ${model} has no such gate. ${levelsIn(levels)}.`);
  const runs = Math.min(choice.iterations || task.iterations, task.most_iterations);
  if (choice.iterations && choice.iterations > task.most_iterations)
    lines.push(`"iterations" is ${choice.iterations}: ${model} runs up to ${task.most_iterations}, which are shown.`);
  const steps = Math.max(0, levels.length - 1) * runs;
  if (choice.step !== null && steps && choice.step >= steps)
    lines.push(`"step" is ${choice.step + 1}: ${model} has ${steps} steps here. Shown is step ${steps}.`);
  return lines;
}

/** The same of what a link gives the network. @param {Choice} choice @param {Task} task @param {number} longest of programs */
export function unshownInput({ digits, program, permutation }, task, longest) {
  const lines = /** @type {string[]} */ ([]);
  const subtasks = task.subtasks.length;
  if (task.inputs === "picture") {
    if (digits.length || program.length)
      lines.push(`${task.title} is about a picture: "digits" and "program" are of no use here.`);
    if (permutation >= subtasks)
      lines.push(`"permutation" is ${permutation + 1}: there are ${subtasks}. Shown is ${Math.max(1, subtasks)}.`);
    return lines;
  }
  const values = task.values.filter((name) => name !== "task").length;
  if (digits.length > values)
    lines.push(`"digits" are ${digits.length}: ${task.title} has ${values}, the first of which are shown.`);
  const wrong = program.filter((subtask) => subtask >= subtasks);
  if (wrong.length)
    lines.push(
      `"program" names ${listed(wrong.map((each) => String(each + 1)))}: ${task.title} has ${subtasks} subtasks. Shown is the last of them.`,
    );
  const most = Math.min(longest, task.most_iterations);
  if (program.length > most) lines.push(`"program" has ${program.length} subtasks: up to ${most} are shown.`);
  return lines;
}

/** @param {string[][]} levels */
const levelsIn = (levels) =>
  "Its levels of blocks are " +
  levels.map((names) => (names.length > 1 ? names[0] + " to " + names.at(-1) : names[0])).join("; ");
