/* The answers of every iteration as a table: the rule of the task, the network as it is steered, the same without
   interventions, and the networks that route nothing; what is not as the rule says is marked. */
import { unpacked } from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { message } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import * as blocksSteer from "rs/pages/blocks/steer.js";
import { NONE } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Run, Trouble } from "rs/pages/blocks/types.d.ts" */

/**
 * @typedef {object} System that answers
 * @property {string} key
 * @property {string} name
 * @property {string} about
 * @property {Schemas["BlockAnswer"][]} answers
 */

export const CROSS = "\u2717";

const page = () => blocksState;
export const latest = () => blocksRun.get();

/**
 * The interventions of a run in words.
 *
 * @param {Run} run
 */
export const steered = ({ intervention }) => blocksSteer.words(intervention);

/**
 * Everybody who answers: {key, name, about, answers}.
 *
 * @param {Run} run
 * @returns {System[]}
 */
export function systemsOf(run) {
  const own = { key: "network", name: run.model, about: run.baseline ? steered(run) : "", answers: run.answers };
  const bare = run.baseline
    ? [{ key: "baseline", name: run.model, about: "without intervention", answers: run.baseline }]
    : [];
  const others = run.others.map(({ model, family, answers }) => ({
    key: model,
    name: model,
    about: family,
    answers,
  }));
  return [own, ...bare, ...others];
}

/** @param {Run} run */
export const outputsOf = (run) => run.levels[run.levels.length - 1];
/** @type {WeakMap<Schemas["BlockAnswer"], Float32Array>} */
const spreads = new WeakMap();
/**
 * @param {Schemas["BlockAnswer"]} answer
 * @param {number} at
 */
export const probability = (answer, at) => {
  const classes = answer.probabilities.shape[1];
  const values = spreads.get(answer) || unpacked(answer.probabilities);
  spreads.set(answer, values);
  return values.subarray(at * classes, (at + 1) * classes);
};

/**
 * A probability in percent; none is shown as certain.
 *
 * @param {number} share
 */
const sure = (share) => (share > 0.9995 ? "> 99.9" : format.percent(share)) + " %";

/**
 * What went wrong first, in words, or that nothing did.
 *
 * @param {Run} run
 */
export function verdict(run) {
  const { first_wrong: wrong, answers, iterations } = run;
  const known = answers.some((each) => each.right.some((one) => one !== null));
  if (!known) return { words: "What is right is not known: the picture has no label.", right: null };
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

registerWidget("blocks-verdict", (host) =>
  blocksRun.subscribe(({ run, fresh }) => {
    const found = run ? verdict(run) : { words: "", right: null };
    host.textContent = (found.right === false ? CROSS + " " : found.right ? "\u2713 " : "") + found.words;
    host.dataset.right = String(found.right);
    host.dataset.fresh = String(fresh);
  }),
);

/* -- the table -------------------------------------------------------------------------------------------------- */

/** @param {number | null | undefined} digit */
export const digitOf = (digit) => (digit === null || digit === undefined ? NONE : String(digit));

/**
 * Small bars of the probabilities of all digits.
 *
 * @param {Float32Array} values
 * @param {number | null} right
 */
function spread(values, right) {
  const bars = [...values].map((share, digit) => {
    const bar = build("span", { class: "blocks-spread-bar", "data-true": digit === right ? "true" : null });
    bar.style.height = Math.max(4, 100 * share) + "%";
    return bar;
  });
  return build("span", { class: "blocks-spread", "aria-hidden": "true" }, ...bars);
}

/**
 * @param {Schemas["BlockAnswer"]} answer
 * @param {string[]} outputs
 * @param {Schemas["BlockAnswer"] | null} before
 */
function digits(answer, outputs, before) {
  const items = outputs.map((output, at) => {
    const right = answer.right[at];
    const moved = before && before.digits[at] !== answer.digits[at];
    const share = probability(answer, at)[answer.digits[at]];
    const said =
      output +
      ": " +
      answer.digits[at] +
      ", " +
      sure(share) +
      (right === false ? "; the rule says " + answer.true[at] : "") +
      (moved ? "; " + before.digits[at] + " without intervention" : "");
    const mark =
      right === false
        ? build("span", { class: "blocks-cross" }, CROSS, build("span", { class: "hidden-visually" }, " wrong"))
        : null;
    return build(
      "span",
      {
        class: "blocks-said",
        title: said,
        "data-right": String(right),
        "data-moved": String(Boolean(moved)),
        "data-output": output,
      },
      String(answer.digits[at]),
      mark,
    );
  });
  const row = build("span", { class: "blocks-answer" }, ...items);
  if (outputs.length > 1)
    return [
      row,
      answer.follows && answer.right.includes(false)
        ? build("span", { class: "hint" }, "as the rule goes from its own digits")
        : null,
    ];
  const values = probability(answer, 0);
  return [row, build("span", { class: "caption" }, sure(values[answer.digits[0]])), spread(values, answer.true[0])];
}

/**
 * @param {Run} run
 * @param {System[]} systems
 * @param {string[]} names
 */
function head(run, systems, names) {
  const letters =
    names.length > 1
      ? build(
          "span",
          { class: "blocks-answer blocks-letters", "aria-hidden": "true" },
          ...names.map((name) => build("span", { class: "blocks-said" }, name)),
        )
      : null;
  /**
   * @param {string} name
   * @param {string} [about]
   * @param {boolean} [heads]
   */
  const column = (name, about, heads) =>
    build(
      "th",
      { scope: "col" },
      build("span", { class: "blocks-system" }, name),
      about ? build("span", { class: "blocks-about", title: about }, about) : null,
      heads && letters ? letters.cloneNode(true) : null,
    );
  const drawn = run.input.sample !== undefined;
  const rule = drawn ? column("label", "of the picture", true) : column("rule", "of the task", true);
  const why = drawn ? [] : [column("what the rule does here")];
  return build(
    "tr",
    {},
    column("iteration"),
    rule,
    ...systems.map(({ name, about }) => column(name, about, true)),
    ...why,
  );
}

/**
 * @param {Run} run
 * @param {System[]} systems
 * @param {string[]} names
 * @param {number} at
 */
function line(run, systems, names, at) {
  const { levels, iterations } = run;
  const depth = levels.length - 1;
  const answer = run.answers[at];
  const look = build(
    "button",
    {
      type: "button",
      class: "tool tool-text",
      title: "Look at this iteration in the picture",
      "data-look": at,
      onclick: () => page().set({ step: at * depth }),
    },
    String(at + 1),
  );
  const subtask = run.input.sample === undefined ? answer.subtask : "strips " + answer.subtask;
  const rule = build(
    "span",
    { class: "blocks-answer" },
    ...answer.true.map((digit) => build("span", { class: "blocks-said" }, digitOf(digit))),
  );
  const cells = systems.map(({ key, answers }) =>
    build(
      "td",
      { "data-system": key },
      ...digits(answers[at], names, key === "network" && run.baseline ? run.baseline[at] : null).filter(Boolean),
    ),
  );
  const { iterations: trained } = page().get().task || { iterations };
  const beyond =
    at >= trained ? build("span", { class: "tag", title: "It was trained on " + trained }, "beyond training") : null;
  const why =
    run.input.sample === undefined
      ? [
          build(
            "td",
            { class: "blocks-why" },
            answer.explanation || (answer.follows === false ? "not followed here" : ""),
          ),
        ]
      : [];
  return build(
    "tr",
    { "data-iteration-row": at },
    build("th", { scope: "row" }, look, build("span", { class: "blocks-row-task" }, subtask), beyond),
    build("td", { "data-system": "rule" }, rule),
    ...cells,
    ...why,
  );
}

/**
 * @param {Run} run
 * @param {System[]} systems
 * @param {string[]} names
 */
function start(run, systems, names) {
  const { digits: given } = run.input;
  if (!given || given.length !== names.length) return [];
  const cell = () =>
    build(
      "td",
      {},
      build(
        "span",
        { class: "blocks-answer" },
        ...given.map((digit) => build("span", { class: "blocks-said" }, String(digit))),
      ),
    );
  return [
    build(
      "tr",
      { class: "blocks-given" },
      build("th", { scope: "row" }, "given"),
      cell(),
      ...systems.map(cell),
      build("td", {}),
    ),
  ];
}

registerWidget("blocks-answers", (host) => {
  /** @type {Run | null} */
  let shown = null;

  /** @param {Run} run */
  function fill(run) {
    const names = outputsOf(run);
    const systems = systemsOf(run);
    const table = build(
      "table",
      { class: "figures blocks-table" },
      build(
        "caption",
        { class: "hidden-visually" },
        "Answers of " + run.model + ", " + steered(run) + ". " + verdict(run).words,
      ),
      build("thead", {}, head(run, systems, names)),
      build("tbody", {}, ...start(run, systems, names), ...run.answers.map((_, at) => line(run, systems, names, at))),
    );
    const active = document.activeElement;
    const at = active instanceof HTMLElement && host.contains(active) ? active.dataset.look : null;
    host.replaceChildren(table);
    if (at) /** @type {HTMLElement | null} */ (host.querySelector('[data-look="' + at + '"]'))?.focus();
  }

  /** The iteration that one looks at in the picture. */
  function mark() {
    const { step, levels } = page().get();
    const at = step === null || levels.length < 2 ? -1 : Math.floor(step / (levels.length - 1));
    /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-iteration-row]")).forEach((row) => {
      if (Number(row.dataset.iterationRow) === at) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
  }

  /** @param {Trouble} problem */
  const failed = ({ title, detail }) => build("div", { class: "message", role: "alert" }, ...message(title, detail));
  const ends = [
    blocksRun.subscribe(({ run, status, problem, fresh }) => {
      host.dataset.status = status;
      host.dataset.fresh = String(fresh);
      if (status === "failed" && problem) {
        host.replaceChildren(failed(problem));
        shown = null;
      } else if (run && run !== shown) {
        fill(run);
        shown = run;
        mark();
      }
    }),
    page().subscribe((_, names) => names.has("step") && mark()),
  ];
  return () => ends.forEach((end) => end());
});
