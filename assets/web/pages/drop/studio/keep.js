/* Which experts stay: numbers by layer, along an order in which experts go. Nothing here draws or asks. */
import { expertsIn } from "rs/parts/experts/grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/drop/types.d.ts" */

/** @typedef {Schemas["RoutedLayer"]} Layer */
/** @typedef {"alike" | "together" | "own"} Way how layers share what goes: all alike, all together, each on its own */

/** As many stay as a token takes. @param {Layer} layer */
export const leastOf = ({ experts, top_k: takes }) => Math.min(takes, experts);

const MOST_SCORES = 500_000; // sets times samples that a greedy order is found from

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.max(low, Math.min(high, value));

/** Where nothing goes. @param {Layer[]} layers */
export const wholeOf = (layers) => layers.map((layer) => layer.experts);

/**
 * Of every layer the same share, rounded up; where tokens need more, more.
 *
 * @param {Layer[]} layers @param {number} share
 */
export const alike = (layers, share) =>
  layers.map((layer) => within(Math.ceil(Number((layer.experts * share).toFixed(9))), leastOf(layer), layer.experts));

/**
 * Of all layers together so many, where experts go in an order: a layer keeps what tokens need.
 *
 * @param {Layer[]} layers @param {string[]} sequence units, the first to go first; others stay @param {number} total
 */
export const together = (layers, sequence, total) => leftOf(layers, sequence, (_, left) => left <= total);

/** The name of an expert's layer. @param {string} unit */
const layerOf = (unit) => unit.slice(0, unit.lastIndexOf("."));

/**
 * Numbers by layer once experts went in an order, as far as layers can spare them, until it is enough.
 *
 * @param {Layer[]} layers @param {string[]} sequence @param {(counts: number[], left: number) => boolean} enough
 */
function leftOf(layers, sequence, enough) {
  const counts = wholeOf(layers);
  const place = new Map(layers.map((layer, at) => [layer.name, at]));
  let left = counts.reduce((sum, each) => sum + each, 0);
  for (const unit of sequence) {
    if (enough(counts, left)) break;
    const at = place.get(layerOf(unit)) ?? -1;
    if (at < 0 || counts[at] <= leastOf(layers[at])) continue;
    counts[at] -= 1;
    left -= 1;
  }
  return counts;
}

/**
 * In which place of its layer each expert goes, from 0; those that an order does not name go last, in their own order.
 *
 * @param {Layer[]} layers @param {string[]} sequence @returns {Int32Array[]} of every layer, by expert
 */
export function placesOf(layers, sequence) {
  const seen = new Map(layers.map((layer) => [layer.name, /** @type {number[]} */ ([])]));
  for (const unit of sequence) {
    const layer = layerOf(unit);
    seen.get(layer)?.push(Number(unit.slice(layer.length + 2)) - 1);
  }
  return layers.map(({ name, experts }) => {
    const named = seen.get(name) ?? [];
    const there = new Set(named);
    const others = Array.from({ length: experts }, (_, e) => e).filter((e) => !there.has(e));
    const places = new Int32Array(experts);
    [...named, ...others].forEach((e, place) => (places[e] = place));
    return places;
  });
}

/**
 * Names of the experts that go, in the order of the model.
 *
 * @param {Layer[]} layers @param {Int32Array[]} places @param {number[]} counts
 */
export const goingOf = (layers, places, counts) =>
  layers.flatMap((layer, at) =>
    expertsIn(layer).filter((_, expert) => places[at][expert] < layer.experts - counts[at]),
  );

/**
 * Numbers by layer once that of one layer was moved.
 *
 * @param {Way} way @param {Layer[]} layers @param {string[]} sequence @param {number[]} counts as they are
 * @param {number} at the layer @param {number} count what it keeps now
 */
export function moved(way, layers, sequence, counts, at, count) {
  const own = within(count, leastOf(layers[at]), layers[at].experts);
  if (way === "alike") return alike(layers, own / layers[at].experts);
  if (way === "own") return counts.map((each, other) => (other === at ? own : each));
  return leftOf(layers, sequence, (now) => now[at] <= own); // as many as leave that layer with so many
}

/** Units from the least used on; of equal ones in their order. @param {Schemas["Use"]} use */
export const leastUsed = ({ units }) =>
  units
    .map(({ unit, share }, at) => ({ unit, share, at }))
    .sort((one, other) => one.share - other.share || one.at - other.at)
    .map(({ unit }) => unit);

/**
 * How many sets of experts are scored before an order is known, as the service counts them.
 *
 * @param {Layer[]} layers @param {string} order @param {number} atOnce
 */
export function setsOfOrder(layers, order, atOnce) {
  const units = layers.reduce((sum, layer) => sum + layer.experts, 0);
  const going = units - layers.reduce((sum, layer) => sum + leastOf(layer), 0);
  if (order === "effect") return units + 1;
  if (order !== "greedy") return 0;
  let sets = 0;
  for (let gone = 0; gone < going; gone += atOnce) sets += units - gone + 1;
  return sets;
}

/**
 * How many experts go between two rounds of a greedy order: one, and more where that would score too many sets.
 *
 * @param {string} order @param {Layer[]} layers @param {number} samples
 */
export function atOnceOf(order, layers, samples) {
  if (order !== "greedy") return 1;
  const units = layers.reduce((sum, layer) => sum + layer.experts, 0);
  let atOnce = 1;
  while (atOnce < units && setsOfOrder(layers, order, atOnce) * samples > MOST_SCORES) atOnce *= 2;
  return atOnce;
}

/**
 * How many shares curves go through, at most.
 *
 * @param {Layer[]} layers @param {"layer" | "all"} scope @param {number} most
 */
export function pointsOf(layers, scope, most) {
  const spare = layers.map((layer) => layer.experts - leastOf(layer));
  const widest = layers.findIndex((layer) => layer.experts === Math.max(...wholeOf(layers)));
  return Math.min(most, scope === "all" ? spare.reduce((sum, each) => sum + each, 0) : spare[widest]);
}

/* -- a layer of the grid -------------------------------------------------------------------------------------- */

/**
 * How many experts of a layer can be left out: where they are dropped, as many stay as a token takes.
 *
 * @param {Pick<Layer, "experts" | "top_k">} layer @param {Pick<Choice, "kind" | "top_k">} choice
 */
export const spare = ({ experts, top_k: trained }, { kind, top_k: chosen }) =>
  kind === "drop" ? Math.max(0, experts - (chosen ?? trained)) : experts;

/**
 * What leaves out all of a layer that can go, the least used first, beside the experts of other layers that are out already;
 * or brings its experts back, where as many are out. Where use is not observed, the last go.
 *
 * @param {Layer} layer @param {string[]} out @param {Pick<Choice, "kind" | "top_k">} choice
 * @param {boolean} [observed] whether use can be @returns {{back: string[]} | {rule: string[]} | {out: string[]}}
 */
export function layerTurned(layer, out, choice, observed = true) {
  const all = expertsIn(layer);
  const own = new Set(all);
  const away = out.filter((unit) => own.has(unit));
  const most = spare(layer, choice);
  if (away.length && away.length >= most) return { back: away };
  const others = out.filter((unit) => !own.has(unit));
  const whole = most === layer.experts || !most;
  if (!whole && !observed) return { out: [...others, ...all.slice(-most)] };
  const part = layer.name + (whole ? ".*" : ".least:" + most);
  return { rule: [...others, part] };
}
