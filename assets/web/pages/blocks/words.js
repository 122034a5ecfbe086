/* What a block is made of, in words: a copy, an interpolation, computed, or part of both. */

/** @import { Block } from "rs/pages/blocks/types.d.ts" */
/** @typedef {{name: string, share: number}} Part */
/** @typedef {{kind: "copied" | "interpolated" | "computed" | "mixed", parts: Part[], computed: number}} Judged what a block amounts to */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

export const MOST = 0.9; // a share above which a block counts as a copy, or as computed
export const LEAST = 0.1; // a share below which a part is not named
const NAMED = 3; // parts that are named one by one

/** @param {number} share */
export const percent = (share) => {
  const value = 100 * share;
  return (value > 99.5 && share < 0.99995 ? ">99" : value < 0.5 && share > 0 ? "<1" : Math.round(value)) + " %";
};

/** What a block amounts to; `parts` are the named sources, the largest share first. @param {Part[]} sources @param {number} computed @returns {Judged} */
function judge(sources, computed) {
  const parts = sources.filter(({ share }) => share >= LEAST).sort((a, b) => b.share - a.share);
  const [first] = parts;
  if (computed >= MOST) return { kind: "computed", parts: [], computed };
  if (first && first.share >= MOST) return { kind: "copied", parts: [first], computed };
  if (computed <= LEAST) return { kind: "interpolated", parts, computed };
  return { kind: "mixed", parts, computed };
}

/** @param {Part[]} parts */
const listed = (parts) =>
  parts
    .slice(0, NAMED)
    .map(({ name, share }) => name + " " + percent(share))
    .join(" + ");

/** @param {Judged} judged @param {number} count of the sources */
function long({ kind, parts, computed }, count) {
  const rest = parts.length > NAMED ? " and others" : "";
  if (kind === "computed") return "computed, " + percent(computed);
  if (kind === "copied") return "copied from " + listed(parts);
  const mixed = parts.length ? listed(parts) + rest : "all " + count + " sources, each less than " + percent(LEAST);
  if (kind === "interpolated") return "interpolated from " + mixed;
  return percent(computed) + " computed, the rest from " + (parts.length ? mixed : "many sources");
}

/** For the picture, where there is little room. @param {Judged} judged */
function short({ kind, parts, computed }) {
  if (kind === "computed") return "computed " + percent(computed);
  if (kind === "copied") return "copy of " + parts[0].name;
  const some = parts.slice(0, 2).map(({ name, share }) => name + " " + Math.round(100 * share));
  if (kind === "interpolated") return some.length ? some.join(" + ") + " %" : "mean of many";
  return [...some.slice(0, 1), "computed " + Math.round(100 * computed)].join(" + ") + " %";
}

/** For the picture on a narrow screen. @param {Judged} judged */
function brief({ kind, parts, computed }) {
  if (kind === "computed") return "computed";
  if (kind === "copied") return "= " + parts[0].name;
  return kind === "interpolated" ? "mixed" : percent(computed) + " new";
}

/** How an MFNNR made a block; of a computed one also what was routed to it. @param {BlockView} view @param {Block} block */
export function made(view, block) {
  const { sources, gate } = view.shares(block);
  const judged = judge(sources, gate);
  const routed = judge(sources.map(({ name, weight }) => ({ name, share: weight })), 0); // prettier-ignore
  const given = judged.kind === "computed" && routed.parts.length ? "; routed to it: " + listed(routed.parts) : "";
  return { kind: judged.kind, long: long(judged, sources.length) + given };
}

/** What a block is, in terms of the input of its iteration. @param {BlockView} view @param {Block} block */
export function origin(view, block) {
  const parts = view.origin(block);
  const names = view.levels[0];
  const sources = names.map((name, at) => ({ name, share: parts[at] }));
  const judged = judge(sources, parts[names.length]);
  return { long: long(judged, names.length), short: short(judged), brief: brief(judged) };
}

/** What is wrong at an output, or null. @param {BlockView} view @param {{t: number, index: number}} place */
export function wrong(view, { t, index }) {
  const { digit, truth, right } = view.answer(t, index) || {};
  return right === false ? view.levels[view.depth][index] + " is " + digit + ", by the rule it is " + truth : null;
}

/**
 * What an iteration amounts to.
 *
 * @type {(view: BlockView, t: number) => {text: string, state: "right" | "wrong" | "follows" | "unknown"}}
 */
export function sentence(view, t) {
  const answer = view.run.answers[t];
  if (!answer) return { text: "", state: "unknown" };
  const all = answer.digits.map((_, index) => wrong(view, { t, index })).filter(Boolean);
  const errors = all.length > 3 ? [...all.slice(0, 2), "and " + (all.length - 2) + " more"] : all;
  const first = view.run.first_wrong && view.run.first_wrong.iteration === t + 1;
  const says = answer.explanation || "";
  if (first) return { text: "Wrong here: " + errors.join("; ") + ".", state: "wrong" };
  if (errors.length && answer.follows)
    return { text: says + " The rule is followed; what is wrong was so before.", state: "follows" };
  if (errors.length) return { text: "Wrong: " + errors.join("; ") + ".", state: "wrong" };
  const order = view.run.input.digits ? "" : "strips in the order " + answer.subtask;
  return { text: says || order, state: answer.right.includes(null) ? "unknown" : "right" };
}
