/* The answers of every iteration as a table: the rule of the task, the network as it is steered, the same without
   interventions, and the networks that route nothing; what is not as the rule says is marked. */
import { chart, rule, text, widest } from "rs/draw/marks.js";
import { unpacked } from "rs/lib/api.js";
import * as format from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import * as blocksSteer from "rs/pages/blocks/steer.js";
import { factsOf } from "rs/pages/blocks/table.js";
import { NONE } from "rs/parts/figures.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { useComputed } from "rs/vendor/preact.js";

/** @import { Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Run } from "rs/pages/blocks/types.d.ts" */

/** @typedef {{key: string, name: string, about: string, answers: Schemas["BlockAnswer"][]}} System that answers */

const CROSS = "\u2717";
const MOST_NAME = 56; // pixels of an output's name in a picture

const latest = () => blocksRun.get();

/** The interventions of a run in words. @param {Run} run */
const steered = ({ intervention }) => blocksSteer.words(intervention);

/** Everybody who answers: {key, name, about, answers}. @param {Run} run @returns {System[]} */
function systemsOf(run) {
  const own = { key: "network", name: run.model, about: run.baseline ? steered(run) : "", answers: run.answers };
  const bare = run.baseline
    ? [{ key: "baseline", name: run.model, about: "without intervention", answers: run.baseline }]
    : [];
  const others = run.others.map(({ model, family, answers }) => ({ key: model, name: model, about: family, answers }));
  return [own, ...bare, ...others];
}

/** @param {Run} run */
const outputsOf = (run) => run.levels[run.levels.length - 1];
/** @type {WeakMap<Schemas["BlockAnswer"], Float32Array>} */
const spreads = new WeakMap();
/** @param {Schemas["BlockAnswer"]} answer @param {number} at */
const probability = (answer, at) => {
  const classes = answer.probabilities.shape[1];
  const values = spreads.get(answer) || unpacked(answer.probabilities);
  spreads.set(answer, values);
  return values.subarray(at * classes, (at + 1) * classes);
};

/** A probability in percent; none is shown as certain. @param {number} share */
const sure = format.probability;

/** What went wrong first, in words, or that nothing did. @param {Run} run */
function verdict(run) {
  const { first_wrong: wrong, answers, iterations } = run;
  const known = answers.some((each) => each.right.some((one) => one !== null));
  if (!known) return { words: "The right answer is not known: the picture has no label.", right: null };
  if (!wrong) {
    const all = iterations === 1 ? "Right." : "Right after each of the " + iterations + " iterations.";
    return { words: all, right: true };
  }
  const at = outputsOf(run).indexOf(wrong.output);
  const answer = answers[wrong.iteration - 1];
  const where = iterations === 1 ? "Wrong: " : "First wrong after iteration " + wrong.iteration + ": ";
  return {
    words: where + wrong.output + " is " + answer.digits[at] + " instead of " + answer.true[at] + ".",
    right: false,
  };
}

function Verdict() {
  const { run, fresh } = latest();
  const { words, right } = run ? verdict(run) : { words: "", right: null };
  return html`<p class="blocks-verdict" role="status" data-right=${String(right)} data-fresh=${String(fresh)}>
    ${(right === false ? CROSS + " " : right ? "\u2713 " : "") + words}
  </p>`;
}

/* -- the table -------------------------------------------------------------------------------------------------- */

/** @param {number | string | null | undefined} digit */
const digitOf = (digit) => (digit === null || digit === undefined ? NONE : String(digit));

/** Small bars of the probabilities of all digits. @param {Float32Array} values @param {number | null} right */
function spread(values, right) {
  const bars = Array.from(values, (share, digit) => {
    const height = Math.max(4, 100 * share) + "%";
    return html`<span class="blocks-spread-bar" data-true=${digit === right || null} style=${{ height }}></span>`;
  });
  return html`<span class="blocks-spread" aria-hidden="true">${bars}</span>`;
}

/** Digits or names of outputs in a row. @param {(number | string | null)[]} each */
const plainly = (each) => each.map((one) => html`<span class="blocks-said">${digitOf(one)}</span>`);

/** @param {{answer: Schemas["BlockAnswer"], outputs: string[], before: Schemas["BlockAnswer"] | null}} props */
function Digits({ answer, outputs, before }) {
  const items = outputs.map((output, at) => {
    const digit = answer.digits[at];
    const right = answer.right[at];
    const moved = Boolean(before && before.digits[at] !== digit);
    const said =
      output +
      ": " +
      digit +
      ", " +
      sure(probability(answer, at)[digit]) +
      (right === false ? "; the rule says " + answer.true[at] : "") +
      (before && moved ? "; " + before.digits[at] + " without intervention" : "");
    const mark = html`<span class="blocks-cross">${CROSS}<span class="hidden-visually">${" wrong"}</span></span>`;
    return html`<span
      class="blocks-said"
      title=${said}
      data-right=${String(right)}
      data-moved=${String(moved)}
      data-output=${output}
      >${digit}${right === false && mark}</span
    >`;
  });
  const row = html`<span class="blocks-answer">${items}</span>`;
  if (outputs.length === 1) {
    const values = probability(answer, 0);
    const share = sure(values[answer.digits[0]]);
    return [row, html`<span class="caption">${share}</span>`, spread(values, answer.true[0])];
  }
  const own = answer.follows && answer.right.includes(false);
  return [row, own && html`<span class="hint">as the rule goes from its own digits</span>`];
}

/** @param {{run: Run, systems: System[], names: string[]}} props */
function Head({ run, systems, names }) {
  const letters =
    names.length > 1 && html`<span class="blocks-answer blocks-letters" aria-hidden="true">${plainly(names)}</span>`;
  /** @param {string} name @param {string} about */
  const column = (name, about) =>
    html`<th scope="col">
      <span class="blocks-system">${name}</span>
      ${[about && html`<span class="blocks-about" title=${about}>${about}</span>`, letters]}
    </th>`;
  const drawn = run.input.sample !== undefined;
  return html`<tr>
    <th scope="col"><span class="blocks-system">iteration</span></th>
    ${drawn ? column("label", "of the picture") : column("rule", "of the task")}
    ${systems.map(({ name, about }) => column(name, about))}
    ${!drawn && html`<th scope="col"><span class="blocks-system">what the rule does here</span></th>`}
  </tr>`;
}

/** The iteration that one looks at in the picture, or -1. */
function looked() {
  const { step, levels } = page.state;
  return step === null || levels.length < 2 ? -1 : Math.floor(step / (levels.length - 1));
}

/** @param {{run: Run, systems: System[], names: string[], at: number}} props */
function Line({ run, systems, names, at }) {
  const current = useComputed(() => looked() === at);
  const drawn = run.input.sample !== undefined;
  const answer = run.answers[at];
  const { iterations: trained } = page.state.task || run;
  const cells = systems.map(({ key, answers }) => {
    const before = key === "network" && run.baseline ? run.baseline[at] : null;
    return html`<td key=${key} data-system=${key}>
      <${Digits} answer=${answers[at]} outputs=${names} before=${before} />
    </td>`;
  });
  return html`<tr data-iteration-row=${at} aria-current=${current.value ? "step" : null}>
    <th scope="row">
      <button
        type="button"
        class="tool tool-text"
        title="Look at this iteration in the picture"
        data-look=${at}
        onClick=${() => page.set({ step: at * (run.levels.length - 1) })}
      >
        ${at + 1}
      </button>
      <span class="blocks-row-task">${drawn ? "strips " + answer.subtask : answer.subtask}</span>
      ${at >= trained && html`<span class="tag" title=${"It was trained on " + trained}>beyond training</span>`}
    </th>
    <td data-system="rule"><span class="blocks-answer">${plainly(answer.true)}</span></td>
    ${cells}
    ${
      !drawn &&
      html`<td class="blocks-why">${answer.explanation || (answer.follows === false && "not followed here")}</td>`
    }
  </tr>`;
}

/** @param {{run: Run, systems: System[], names: string[]}} props */
function Start({ run, systems, names }) {
  const { digits } = run.input;
  if (!digits || digits.length !== names.length) return null;
  const cell = () => html`<td><span class="blocks-answer">${plainly(digits)}</span></td>`;
  return html`<tr class="blocks-given">
    <th scope="row">given</th>
    ${["rule", ...systems].map(cell)}
    <td></td>
  </tr>`;
}

/** @param {Run} run */
function table(run) {
  const names = outputsOf(run);
  const about = { run, names, systems: systemsOf(run) };
  return html`<table class="figures blocks-table">
    <caption class="hidden-visually">
      ${"Answers of " + run.model + ", " + steered(run) + ". " + verdict(run).words}
    </caption>
    <thead>
      <${Head} ...${about} />
    </thead>
    <tbody>
      <${Start} ...${about} />
      ${run.answers.map((_, at) => html`<${Line} key=${at} ...${about} at=${at} />`)}
    </tbody>
  </table>`;
}

/** The panel of the answers; the last run stays until the next has come, or has failed. */
export function AnswersPanel() {
  const { run, problem, status, fresh } = latest();
  return html`<${Panel}
    id="blocks-answers"
    title="Answers"
    reads="The model's answer after each iteration, beside the rule of the task and models without routes. A red cross marks an error."
    more="An error is a digit that differs from the rule. Small bars are the probabilities of the ten digits, 0 to 9."
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <${Verdict} />
    <div
      class="table-scroll blocks-answers"
      tabindex="0"
      role="region"
      aria-label="Answers by iteration"
      data-status=${status}
      data-fresh=${String(fresh)}
    >
      ${
        run
          ? table(run)
          : problem
            ? html`<div class="message" role="alert">${message(problem.title, problem.detail)}</div>`
            : html`<div class="skeleton blocks-skeleton" aria-hidden="true"></div>`
      }
    </div>
  <//>`;
}

/* -- files ------------------------------------------------------------------------------------------------------- */

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

/** The table as a picture: a column for everybody who answers, wrong digits in red with a cross. @param {Run} run @param {number} [asked] the width */
export function sceneOf(run, asked = 0) {
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
  const [cell, row, top] = [Math.max(24, Math.min(MOST_NAME, widest(names, 11) + 8)), 26, 66];
  const steps = run.answers.map(({ iteration, subtask }) => iteration + "  " + subtask);
  const left = asked ? Math.min(170, widest(steps) + 16) : 170;
  const wide = Math.max(asked ? (asked - left) / systems.length : 140, names.length * cell + (asked ? 8 : 26));
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
      text(outputs, { x: (each) => each.x, y: 54, down: 0, text: ({ name }) => name, size: 11, fill: "dim", room: cell - 6 }),
      rule(run.answers, { x: [0, width], y: (_, line) => y(line) - 18 }),
      text(steps, { x: 4, y: (_, line) => y(line), down: 0, fill: "dim", room: left - 12 }),
      text(digits, { x: (each) => each.x, y: (each) => each.y, down: 0, text: ({ said }) => said, size: 14, weight: ({ wrong }) => (wrong ? 700 : 450), fill: ({ wrong }) => (wrong ? "bad" : "ink") }),
      text([words], { x: 4, y: height - 12, down: 0, fill: "dim", room: width - 8 }),
    ],
  }); // prettier-ignore
}

/** @returns {Written | null} */
function written() {
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
    facts: factsOf(run),
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
    picture: { scene: (width) => sceneOf(run, width) },
  };
}
