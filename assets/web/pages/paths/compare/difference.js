/* What differs between the paths of A and B, number by number: B minus A. Steps are those that both have, one after the
   other from the first; units and tokens are the same, which who asks has seen to (whyNot in words.js). */
import { largest as largestOf } from "rs/pages/paths/message_view.js";

/** @import { TokenView } from "rs/draw/path/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { Target, View } from "rs/pages/paths/types.d.ts" */

/** The steps that both have, from the first on. @param {Pick<View, "steps">} a @param {Pick<View, "steps">} b */
export function commonSteps(a, b) {
  const end = a.steps.findIndex((name, at) => name !== b.steps[at]);
  return end < 0 ? a.steps : a.steps.slice(0, end);
}

/* -- tokens that go through functions ----------------------------------------------------------------------------- */

/** @param {TokenView} a @param {TokenView} b */
export function ofTokens(a, b) {
  const steps = commonSteps(a, b);
  const { units, tokens } = b;
  const [U, T] = [units.length, tokens.length];
  const change = new Float32Array(steps.length * U * T);
  const rerouted = new Uint8Array(steps.length * T);
  for (let step = 0; step < steps.length; step += 1) {
    for (let token = 0; token < T; token += 1) {
      rerouted[step * T + token] = Number(a.dominant(step, token) !== b.dominant(step, token));
      for (let unit = 0; unit < U; unit += 1)
        change[(step * U + unit) * T + token] = b.compatibility(step, unit, token) - a.compatibility(step, unit, token);
    }
  }
  const found = { a, b, steps, units, tokens, change, rerouted };
  const perStep = steps.map((_, step) => stepOf(found, step));
  const elsewhere = tokens.filter((_, token) => steps.some((__, step) => rerouted[step * T + token])).length;
  const stay = staying(a, b);
  const stays = topOf(change, (at) => stay(Math.floor(at / T) % U, Math.floor(at / (U * T))));
  const edges = /** @type {const} */ (false);
  const largest = changeAt(found, topOf(change));
  // `elsewhere`: tokens that take another dominant path; `staying`: the largest change of a function that is not away
  return { edges, ...found, perStep, elsewhere, largest, staying: changeAt(found, stays) };
}

/**
 * Whether a unit is neither dropped nor muted, in A or in B: that what is away does nothing is no finding.
 *
 * @param {View} a
 * @param {View} b
 * @returns {(unit: number, step?: number) => boolean}
 */
const staying = (a, b) => (unit, step) => !a.state(unit, step) && !b.state(unit, step);

/** Place of the largest change that counts; -1: none. @param {Float32Array} change @param {(at: number) => boolean} [counts] */
function topOf(change, counts = () => true) {
  let [top, found] = [0, -1];
  for (let at = 0; at < change.length; at += 1)
    if (Math.abs(change[at]) > top && counts(at)) [top, found] = [Math.abs(change[at]), at];
  return found;
}

/** @typedef {{a: TokenView, b: TokenView, units: string[], tokens: Schemas["Token"][], change: Float32Array}} TokenNumbers change: (step, unit, token) */
/** @typedef {NonNullable<ReturnType<typeof changeAt>>} Change one number that differs */
/** @typedef {ReturnType<typeof ofTokens>} TokenDifference of tokens through functions */
/** @typedef {ReturnType<typeof columnOf>} EdgeColumn connections into a column of the picture (receiver, sender) */
/** @typedef {ReturnType<typeof edgesAt>[number]} EdgeChange a connection whose weight differs */
/** @typedef {ReturnType<typeof ofEdges>} EdgeDifference of units that read each other */
/** @typedef {TokenDifference | EdgeDifference} Difference */

/** @param {TokenNumbers} numbers @param {number} at -1: none */
function changeAt({ a, b, units, tokens, change }, at) {
  if (at < 0) return null;
  const [U, T] = [units.length, tokens.length];
  const [step, unit, token] = [Math.floor(at / (U * T)), Math.floor(at / T) % U, at % T];
  const [from, to] = [a, b].map((view) => view.compatibility(step, unit, token));
  return { step, unit, token, a: from, b: to, change: change[at] };
}

/** What differs at a step: tokens with another dominant function, also by their kind, and changes. @param {TokenNumbers & {rerouted: Uint8Array}} found @param {number} step */
function stepOf(found, step) {
  const { units, tokens, change, rerouted } = found;
  const [size, T] = [units.length * tokens.length, tokens.length];
  const of = { patch: 0, panel: 0, number: 0, point: 0, cls: 0, token: 0, text: 0 };
  tokens.forEach(({ kind }, token) => (of[kind] += rerouted[step * T + token]));
  const values = change.subarray(step * size, (step + 1) * size);
  const sum = values.reduce((total, value) => total + Math.abs(value), 0);
  const at = topOf(values);
  const largest = changeAt(found, at < 0 ? at : step * size + at);
  return { step, rerouted: Object.values(of).reduce((total, each) => total + each, 0), of, mean: sum / size, largest };
}

/** The largest changes of a step, the largest first. @param {TokenNumbers} found @param {number} step @param {number} count */
export function strongestOfStep(found, step, count) {
  const size = found.units.length * found.tokens.length;
  const values = found.change.subarray(step * size, (step + 1) * size);
  const places = largestOf(values.map(Math.abs), count);
  return places.map((at) => /** @type {Change} */ (changeAt(found, step * size + at)));
}

/* -- units that read each other ------------------------------------------------------------------------------------ */

/**
 * Attention into every column of the picture: of the tokens into the first, of units into the next, and last of the
 * output, where both have as many steps.
 *
 * @param {CircuitView} a
 * @param {CircuitView} b
 */
export function ofEdges(a, b) {
  const steps = commonSteps(a, b);
  const [U, T] = [b.units.length, b.tokens.length];
  const columns = steps.map((name, column) =>
    column
      ? columnOf({ column, name, senders: U, output: false }, messagesOf(a, column), messagesOf(b, column))
      : columnOf({ column, name, senders: T, output: false }, a.readIn, b.readIn),
  );
  if (steps.length === a.steps.length && steps.length === b.steps.length)
    columns.push(columnOf({ column: steps.length, name: "read-out", senders: U, output: true }, a.readOut, b.readOut));
  const patches = b.patches.filter((token) => a.dominant(0, token) !== b.dominant(0, token)).length;
  const stay = staying(a, b);
  const tops = columns.flatMap((each) => edgesAt(each, topOf(each.change)));
  const kept = columns.flatMap((each) => edgesAt(each, topOf(each.change, countsIn(each, stay))));
  const [largest, left] = [tops, kept].map((each) => each.sort(byChange)[0] ?? null);
  const edges = /** @type {const} */ (true);
  return { edges, a, b, steps, units: b.units, tokens: b.tokens, columns, patches, largest, staying: left };
}

/** Whether both ends of a connection stay. @param {EdgeColumn} column @param {(unit: number) => boolean} stay */
const countsIn = (column, stay) => (/** @type {number} */ at) => {
  const [{ from, to }] = edgesAt(column, at);
  return (to < 0 || stay(to)) && (!column.column || stay(from));
};

/** @param {{change: number}} one @param {{change: number}} other */
const byChange = (one, other) => Math.abs(other.change) - Math.abs(one.change);

/** What every unit reads of every other one at a step. @param {CircuitView} view @param {number} step 1 or later */
const messagesOf = ({ messages, units: { length } }, step) =>
  messages.subarray((step - 1) * length * length, step * length * length);

/**
 * `moved` is the share of the attention that is elsewhere.
 *
 * @param {{column: number, name: string, senders: number, output: boolean}} named senders: of each receiver
 * @param {ArrayLike<number> | null} a
 * @param {ArrayLike<number> | null} b
 */
function columnOf(named, a, b) {
  const [from, to] = a && b ? [a, b] : [[], []];
  const change = Float32Array.from(from, (weight, at) => to[at] - weight);
  let [moved, sum] = [0, 0];
  for (let at = 0; at < change.length; at += 1) {
    moved += Math.abs(change[at]) / 2;
    sum += (from[at] + to[at]) / 2;
  }
  return { ...named, a: from, b: to, change, moved: sum ? moved / sum : 0 };
}

/** Connections at some places of a column; into that of the output all go to -1. @param {EdgeColumn} column @param {...number} places -1 is none */
const edgesAt = ({ column, senders, output, a, b, change }, ...places) =>
  places
    .filter((at) => at >= 0)
    .map((at) => ({
      column,
      from: at % senders,
      to: output ? -1 : Math.floor(at / senders),
      a: a[at],
      b: b[at],
      change: change[at],
    }));

/** The largest changes into a column, the largest first. @param {EdgeColumn} column @param {number} count */
export const strongestOfColumn = (column, count) => edgesAt(column, ...largestOf(column.change.map(Math.abs), count));

/**
 * The changes of what is pointed at, the largest first: who reads a token; what a unit reads at a step, and who reads it
 * at the next one.
 *
 * @param {EdgeDifference} difference
 * @param {Target} target
 * @param {number} count
 */
export function changesOf({ columns }, target, count) {
  const found = columns.flatMap((each) => edgesAt(each, ...placesOf(each, target)));
  return found.filter(({ change }) => change).sort(byChange).slice(0, count); // prettier-ignore
}

/** @param {EdgeColumn} column @param {Target} target */
function placesOf({ column, senders, change }, target) {
  const receivers = change.length / senders;
  /** @param {number} from */
  const readersOf = (from) => Array.from({ length: receivers }, (_, to) => to * senders + from);
  if (target.token !== undefined) return column === 0 ? readersOf(target.token) : [];
  if (column === target.step + 1) return readersOf(target.unit);
  if (column !== target.step || target.unit >= receivers) return [];
  return Array.from({ length: senders }, (_, from) => target.unit * senders + from);
}
