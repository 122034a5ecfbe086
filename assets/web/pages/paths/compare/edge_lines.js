/* The difference of two paths of messages as a scene: columns and rows as in the path, lines where the attention of a
   module changed most, dots by the change of what the next step pays to a module. */
import { signed } from "rs/draw/colours.js";
import { footItems, itemsOf, text } from "rs/draw/marks.js";
import { levelCurve } from "rs/draw/outline.js";
import { signed as withSign } from "rs/lib/format.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import { changesOf, strongestOfColumn } from "rs/pages/paths/compare/difference.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { CircuitState, Target } from "rs/pages/paths/types.d.ts" */
/** @import { EdgeChange, EdgeDifference } from "rs/pages/paths/compare/difference.js" */

const WIDEST = 5; // pixels of the largest change of a column
const FEW = 24; // lines of a unit or a token that is pointed at
const NAMED = 4; // changes whose ends are named

/**
 * What the picture is drawn from: where everything lies is as in the picture of B.
 *
 * @param {EdgeDifference} difference
 * @param {CircuitState} state of B
 * @param {[number, number, Theme, string]} place width, height, theme and caption
 */
export function partsOf(difference, state, ...place) {
  const path = circuitScene.partsOf(state, ...place);
  const lines = difference.columns.map((column) => strongestOfColumn(column, state.shown));
  const { a, b, steps } = difference;
  const uses = steps.map((_, step) => b.units.map((__, unit) => b.use(step, unit) - a.use(step, unit)));
  const output = difference.columns.length > steps.length; // else the last step that both have is read by other things
  if (!output) uses[steps.length - 1] = b.units.map(() => 0);
  const most = Math.max(...uses.flat().map(Math.abs), 1e-9);
  return { path, difference, lines, uses, most, theme: path.theme };
}

/** @typedef {ReturnType<typeof partsOf>} EdgeParts */

/** @param {EdgeParts} parts @param {EdgeChange} change @param {number} top of the column @returns {Item} */
function lineOf({ path, theme }, change, top) {
  const { gained, lost } = signed(theme);
  const [from, to] = circuitScene.endsOf(path.layout, change.column, { ...change, weight: 0 });
  const share = Math.abs(change.change) / top;
  return {
    shape: "path",
    d: levelCurve(from, to, (value) => Math.round(value * 10) / 10),
    stroke: change.change > 0 ? gained : lost,
    width: Math.max(0.6, WIDEST * share),
    opacity: 0.25 + 0.65 * share,
    dash: change.change > 0 ? undefined : [5, 3],
  };
}

/** @param {EdgeParts} parts */
const topsOf = ({ lines }) => lines.map(([first]) => Math.abs(first?.change ?? 1));

/** @param {EdgeParts} parts @returns {Item[]} */
function dotItems({ path, difference, uses, most, theme }) {
  const { gained, lost } = signed(theme);
  return difference.steps.flatMap((_, step) =>
    uses[step].map((change, unit) => {
      const place = /** @type {const} */ ({ shape: "circle", cx: path.layout.columns[step], cy: path.layout.y(unit) });
      const r = Math.max(1.2, path.largest * Math.sqrt(Math.abs(change) / most));
      return { ...place, r, fill: change ? (change > 0 ? gained : lost) : theme.unmatched };
    }),
  );
}

/** The names of the modules at both ends of changes. @param {EdgeParts} parts @param {EdgeChange[]} changes @returns {Item[]} */
function namesOf({ path: { layout, view }, theme }, changes) {
  const ends = changes.flatMap(({ column, from, to }) => [
    ...(to < 0 ? [] : [{ step: column, unit: to }]),
    ...(column ? [{ step: column - 1, unit: from }] : []),
  ]);
  /** @type {{x: number, y: number}[]} */
  const taken = [];
  return ends.flatMap(({ step, unit }) => {
    const at = { x: layout.columns[step] + 10, y: layout.y(unit) + 3.5 };
    if (taken.some(({ x, y }) => x === at.x && Math.abs(y - at.y) < 11)) return [];
    taken.push(at);
    const look = { size: 10.5, weight: 600 };
    const text = circuitScene.nameFrom(view.units[unit], at.x, { layout, theme }, look);
    return [{ shape: "text", ...at, text, ...look, fill: theme.ink, halo: theme.surface }];
  });
}

/** @param {EdgeParts} parts */
function footOf({ path, theme, lines }) {
  const { layout } = path;
  const { gained, lost } = signed(theme);
  const [x, y, right] = [layout.compact ? 4 : layout.strip.x, layout.height - 11, layout.width - 8];
  const top = Math.max(...lines.flat().map(({ change }) => Math.abs(change)), 0);
  const widest = "the widest: " + withSign(100 * top, 1).replace("+", "") + " points of a receiver's attention";
  const dots = "; dots: what the next step pays to a module, in the same colours";
  const keys = [
    { text: "more in B", stroke: gained },
    { text: "less in B", stroke: lost, dash: [5, 3] },
    ...(layout.compact ? [] : [{ text: widest + dots, key: /** @type {const} */ ("none") }]),
  ];
  const above = itemsOf(text([path.caption], { x, y: y - 14, size: 10.5, fill: "dim", room: right - x }), theme).items;
  return [...footItems(keys, "", { x, y, right }, theme), ...above];
}

/** @param {EdgeParts} parts @param {number} step @param {Target | null} pointed @returns {Scene} */
export function sceneOf(parts, step, pointed) {
  const { path, difference, lines, theme } = parts;
  const { layout } = path;
  const tops = topsOf(parts);
  const drawn = lines.map((each) => [...each].reverse().map((change) => lineOf(parts, change, tops[change.column])));
  const faint = drawn.flat().map((item) => (pointed ? { ...item, opacity: 0.08 } : item));
  const own = pointed ? changesOf(difference, pointed, FEW).map((each) => lineOf(parts, each, tops[each.column])) : [];
  const at = Math.min(step, difference.steps.length - 1);
  return {
    width: layout.width,
    height: layout.height,
    background: theme.surface,
    title: "Difference of two paths: " + path.caption,
    desc:
      "Columns are steps, dots modules, lines messages whose attention differs most: solid where B has more of it than " +
      "A, dashed where it has less, as wide as the change.",
    items: [
      ...circuitScene.frameItems(path, at),
      ...faint,
      ...own,
      ...dotItems(parts),
      ...circuitScene.nameItems(path),
      ...circuitScene.stripItems(path),
      ...namesOf(parts, pointed ? changesOf(difference, pointed, NAMED) : lines[at].slice(0, NAMED)),
      ...footOf(parts),
    ],
  };
}
