/* Files of the answers: the table as a picture, all numbers, and where they come from. */
import * as exports from "rs/draw/exports.js";
import { readTheme } from "rs/lib/theme.js";
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

/** @import { Item, Panel, Scene, TextItem } from "rs/draw/types.d.ts" */
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
 * @returns {Scene}
 */
function sceneOf(run) {
  const theme = readTheme();
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
  /**
   * @param {number} x
   * @param {number} y
   * @param {string} words
   * @param {Partial<TextItem>} more
   * @returns {Item}
   */
  const text = (x, y, words, more) => ({ shape: "text", x, y, text: words, size: 12, fill: theme.ink, ...more });
  /** @param {string} words */
  const cut = (words) =>
    words.length * 6.4 > wide - 8 ? words.slice(0, Math.floor((wide - 8) / 6.4) - 1) + "\u2026" : words;
  const items = systems.flatMap(({ name, about }, at) => [
    text(left + at * wide, 20, cut(name), { weight: 650 }),
    text(left + at * wide, 36, cut(about), { size: 11, fill: theme.dim }),
    ...(names.length > 1
      ? names.map((output, place) => text(left + at * wide + place * cell, 54, output, { size: 11, fill: theme.dim }))
      : []),
  ]);
  run.answers.forEach((answer, line) => {
    const y = top + row * line + 14;
    items.push({ shape: "path", d: "M0," + (y - 18) + "H" + width, stroke: theme.hair, width: 1 });
    items.push(text(4, y, answer.iteration + "  " + answer.subtask, { fill: theme.dim }));
    systems.forEach(({ answers }, at) =>
      answers[line].digits.forEach((digit, place) => {
        const wrong = answers[line].right[place] === false;
        items.push(
          text(left + at * wide + place * cell, y, digitOf(digit) + (wrong ? CROSS : ""), {
            size: 14,
            weight: wrong ? 700 : 450,
            fill: wrong ? theme.bad : theme.ink,
          }),
        );
      }),
    );
  });
  const { words } = verdict(run);
  const height = top + row * run.answers.length + 34;
  items.push(text(4, height - 12, words, { fill: theme.dim }));
  return {
    width,
    height,
    background: theme.surface,
    title: "Answers of " + run.model + " by iteration",
    desc: words + " " + steered(run) + ".",
    items,
  };
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
