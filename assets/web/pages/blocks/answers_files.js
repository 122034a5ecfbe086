/* Files of the answers: the table as a picture, all numbers, and where they come from. */
import * as exports from "rs/draw/exports.js";
import { chart, rule, text } from "rs/draw/marks.js";
import {
  CROSS,
  digitOf,
  latest,
  outputsOf,
  probability,
  steered,
  systemsOf,
  verdict,
} from "rs/pages/blocks/answers.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Run } from "rs/pages/blocks/types.d.ts" */

/**
 * What files say about where the answers come from.
 *
 * @param {Run} run
 */
function facts(run) {
  const { model, revision, task, input, iterations, intervention } = run;
  const { mute_routes, copy_routes, gates, drop } = intervention;
  const { digits: given, program, sample, permutation = 0 } = input;
  const read = sample === undefined ? { digits: given, program } : { sample, permutation: permutation + 1 };
  return {
    model,
    revision,
    seed: null,
    task,
    ...read,
    iterations,
    drop: drop || [],
    mute_routes: mute_routes || [],
    copy_routes: copy_routes || [],
    gates: gates || {},
    kind: run.baseline ? "under intervention" : "observed",
  };
}

/** @param {Run} run */
function rowsOf(run) {
  /** @type {unknown[][]} */
  const rows = [["iteration", "subtask", "network", "about", "output", "digit", "rule", "right", "probability"]];
  const names = outputsOf(run);
  for (const { name, about, answers } of systemsOf(run))
    for (const answer of answers)
      names.forEach((output, at) =>
        rows.push([
          answer.iteration,
          answer.subtask,
          name,
          about,
          output,
          answer.digits[at],
          answer.true[at] ?? "",
          answer.right[at] ?? "",
          probability(answer, at)[answer.digits[at]],
        ]),
      );
  return rows;
}

/**
 * The table as a picture: a column for everybody who answers, wrong digits in red with a cross.
 *
 * @param {Run} run
 */
function sceneOf(run) {
  const names = outputsOf(run);
  /** @type {{name: string, about: string, answers: {digits: (number | null)[], right: (boolean | null)[]}[]}[]} */
  const systems = [
    {
      name: run.input.sample === undefined ? "rule" : "label",
      about: "",
      answers: run.answers.map((each) => ({ digits: each.true, right: [] })),
    },
    ...systemsOf(run),
  ];
  const [left, cell, row, top] = [170, 24, 26, 66];
  const wide = Math.max(140, names.length * cell + 26);
  const width = left + systems.length * wide;
  const x = (/** @type {unknown} */ _, /** @type {number} */ at) => left + at * wide;
  const { words } = verdict(run);
  const height = top + row * run.answers.length + 34;
  const y = (/** @type {number} */ line) => top + row * line + 14;
  const outputs = names.length > 1 ? systems.flatMap((_, at) => names.map((name, place) => ({ name, x: x(_, at) + place * cell }))) : []; // prettier-ignore
  const digits = systems.flatMap(({ answers }, at) =>
    answers.flatMap((answer, line) =>
      answer.digits.map((digit, place) => {
        const wrong = answer.right[place] === false;
        return { x: x(answer, at) + place * cell, y: y(line), said: digitOf(digit) + (wrong ? CROSS : ""), wrong };
      }),
    ),
  );
  return chart({
    width,
    height,
    title: "Answers of " + run.model + " by iteration",
    desc: words + " " + steered(run) + ".",
    marks: [
      text(systems, { x, y: 20, down: 0, text: ({ name }) => name, weight: 650, room: wide - 8 }),
      text(systems, { x, y: 36, down: 0, text: ({ about }) => about, size: 11, fill: "dim", room: wide - 8 }),
      text(outputs, { x: (each) => each.x, y: 54, down: 0, text: ({ name }) => name, size: 11, fill: "dim" }),
      rule(run.answers, { x: [0, width], y: (_, line) => y(line) - 18 }),
      text(run.answers, { x: 4, y: (_, line) => y(line), down: 0, text: ({ iteration, subtask }) => iteration + "  " + subtask, fill: "dim", room: left - 12 }),
      text(digits, { x: (each) => each.x, y: (each) => each.y, down: 0, text: ({ said }) => said, size: 14, weight: ({ wrong }) => (wrong ? 700 : 450), fill: ({ wrong }) => (wrong ? "bad" : "ink") }),
      text([words], { x: 4, y: height - 12, down: 0, fill: "dim", room: width - 8 }),
    ],
  }); // prettier-ignore
}

/** @returns {Panel | null} */
function exported() {
  const { run } = latest();
  if (!run) return null;
  /** @param {Schemas["BlockAnswer"]} answer */
  const plain = ({ iteration, subtask, digits: said, true: truth, right, follows, explanation }) => ({
    iteration,
    subtask,
    digits: said,
    rule: truth,
    right,
    follows,
    explanation,
  });
  return {
    name: "blocks-answers",
    facts: facts(run),
    python: { figure: "block-answers", input: run.input },
    rows: () => rowsOf(run),
    json: () => ({
      outputs: outputsOf(run),
      answers: systemsOf(run).map(({ name, about, answers }) => ({
        network: name,
        about,
        answers: answers.map(plain),
      })),
    }),
    picture: { scene: () => sceneOf(run) },
  };
}

exports.register("blocks-answers", exported);
