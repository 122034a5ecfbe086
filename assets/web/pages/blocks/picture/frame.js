/* What stands around the blocks of the picture: titles of levels and iterations, what iterations amount to, folded states. */
import { fitted, rect, text } from "rs/pages/blocks/picture/drawing.js";
import * as blocksLayout from "rs/pages/blocks/picture/layout.js";
import { FOLDED } from "rs/pages/blocks/picture/layout.js";
import * as blocksWords from "rs/pages/blocks/words.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Parts } from "rs/pages/blocks/picture/canvas.js" */
/** @import { Column, Layout } from "rs/pages/blocks/picture/layout.js" */

/** @param {Parts} parts @param {Column} column */
function levelTitle({ view, task }, { t, level }) {
  if (level === 0) return t === 0 ? "input" : "state " + t;
  if (level < view.depth) return "level " + level;
  return view.iterations > 1 ? "state " + (t + 1) : task.outputs.length > 1 ? "outputs" : "output";
}

/** Titles of levels and iterations, and folded iterations. @param {Parts} parts */
export function frameItems(parts) {
  const { view, theme, layout, step } = parts;
  /** @type {Item[]} */
  const items = [];
  for (const column of layout.columns) {
    const focused = step !== null && column.level > 0 && view.place(column.t, column.level) === step;
    const title = levelTitle(parts, column);
    if (focused) {
      const from = blocksLayout.sourceOf(layout, column.t, column.level, 0);
      const left = from ? from.column.right + 2 : column.x - 30;
      items.push(rect(left, layout.top - 8, column.right + 8 - left, layout.bottom - layout.top + 16, { rx: 6, fill: theme.raised })); // prettier-ignore
    }
    items.push(text(column.strip, layout.top - 14, title, { size: 11, weight: focused ? 700 : 400, fill: focused ? theme.ink : theme.dim })); // prettier-ignore
  }
  if (view.iterations > 1) {
    for (let t = layout.first; t <= layout.last; t += 1) items.push(...iterationItems(parts, t));
    for (const folded of layout.folded) items.push(...foldedItems(parts, folded));
  }
  return items;
}

const MARKS = { right: "\u2713", wrong: "\u2717", follows: "\u2713", unknown: "" };

/** Above the columns of an iteration: its number, and what it amounts to. @param {Parts} parts @param {number} t @returns {Item[]} */
function iterationItems({ view, theme, layout, task }, t) {
  const from = layout.column(t, 0) || layout.column(t - 1, view.depth);
  const to = layout.column(t, view.depth);
  if (!from || !to) return [];
  const [left, right] = [from.right + 6, to.right];
  const { text: says, state } = blocksWords.sentence(view, t);
  const beyond = t >= task.iterations ? ", beyond training" : "";
  const title = "iteration " + (t + 1) + ": " + view.run.answers[t].subtask + beyond;
  const paint = state === "wrong" ? theme.bad : theme.ink;
  return [
    { shape: "path", d: "M" + left + ",39V34H" + right + "V39", stroke: theme.line, width: 1.2 },
    text(left, 12, fitted(theme, title, right - left, 11, 650), { size: 11, weight: 650, fill: theme.ink }),
    text(left, 27, fitted(theme, (MARKS[state] ? MARKS[state] + " " : "") + says, right - left, 11), { size: 11, fill: paint }), // prettier-ignore
  ];
}

/** A folded state: the digits before the first iteration or after another. @param {Parts} parts @param {Layout["folded"][number]} folded */
function foldedItems({ view, theme, layout }, { state, x }) {
  const middle = x + FOLDED / 2;
  const column = layout.columns.find(({ level }) => level === view.depth);
  const wrong = state > 0 && view.run.answers[state - 1].right.includes(false);
  const first = view.run.first_wrong && view.run.first_wrong.iteration === state;
  const paint = wrong ? theme.bad : theme.dim;
  const mark = state ? MARKS[wrong ? "wrong" : "right"] : "";
  const box = { rx: 5, fill: theme.raised, stroke: first ? theme.bad : undefined, width: first ? 2 : 0 };
  const centred = { anchor: /** @type {const} */ ("middle"), size: 11 };
  /** @type {Item[]} */
  const items = [
    text(middle, 12, state ? String(state) : "in", { ...centred, weight: 650, fill: theme.dim }),
    text(middle, 27, mark, { ...centred, weight: first ? 700 : 400, fill: paint }),
    rect(x + 3, layout.top - 8, FOLDED - 6, layout.bottom - layout.top + 8, box),
  ];
  column?.blocks.forEach(({ index, y }) => {
    const { digit, right = null } = view.stateAnswer(state, index) ?? {};
    const bad = right === false;
    const fill = bad ? theme.bad : theme.ink;
    items.push(text(middle, y + 5, String(digit), { anchor: "middle", size: 13, weight: bad ? 700 : 500, fill }));
  });
  return items;
}
