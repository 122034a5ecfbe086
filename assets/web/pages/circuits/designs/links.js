/* Links of circuits side by side: which each has above a threshold, and which it gained or lost against the first one.
   Link probabilities are lower triangles row by row, (1, 0), (2, 0), (2, 1), (3, 0)... */
import * as links from "rs/lib/links.js";

/** @import { Links } from "rs/lib/types.d.ts" */

/** @typedef {ReturnType<typeof pairsOf>} Pairs */
/** @typedef {Omit<ReturnType<typeof compare>, "layers" | "least">} Counts how many links a circuit has, gained and lost, and how many are drawn */
/** @typedef {{p: Float32Array, least: number}} Bounded link probabilities of a circuit, and the least that an intervention leaves */

export const [KEPT, LOST, GAINED] = [1, 2, 3]; // layers, drawn in this order; 0 is a link that is not drawn
const [LIGHTEST, HEAVIEST] = [8, 63]; // ink of a link of probability 0 and of 1 (draw/edges.js)

/** The modules of every pair. @param {number} units */
export function pairsOf(units) {
  const count = (units * (units - 1)) / 2;
  const [from, to] = [new Uint16Array(count), new Uint16Array(count)];
  for (let row = 1, pair = 0; row < units; row += 1)
    for (let column = 0; column < row; column += 1, pair += 1) {
      from[pair] = row;
      to[pair] = column;
    }
  return { from, to, count };
}

/** @param {number} a @param {number} b */
const pairOf = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

/**
 * Links of one circuit as they are drawn: the ink of a pair goes by the larger of its probabilities here and there.
 *
 * @type {(pairs: Pairs, p: Float32Array, first: Float32Array) => Links}
 */
export function edgesOf(pairs, p, first) {
  const weights = new Uint8Array(pairs.count);
  for (let pair = 0; pair < pairs.count; pair += 1)
    weights[pair] = LIGHTEST + (HEAVIEST - LIGHTEST) * Math.max(p[pair], first[pair]);
  return { ...pairs, weights, p };
}

/**
 * The least probability among the links that a share of all links leaves, of the modules that stay.
 *
 * @type {(pairs: Pairs, p: Float32Array, dropped: Uint8Array, keep: number | null) => number}
 */
export function cutoff(pairs, p, dropped, keep) {
  if (keep === null || keep >= 1) return 0;
  const linked = new Uint32Array(pairs.count).map((_, pair) => pair).filter((pair) => p[pair] > 0);
  const order = linked.sort((a, b) => p[b] - p[a] || a - b);
  const sorted = {
    from: Uint16Array.from(order, (pair) => pairs.from[pair]),
    to: Uint16Array.from(order, (pair) => pairs.to[pair]),
    count: order.length,
  };
  const { last } = links.cut(sorted, dropped, keep);
  return last < 0 ? Infinity : p[order[last]];
}

/**
 * A circuit against the first one: how each pair is drawn, and counts. A link is there where its probability is above the
 * threshold. `changes`: links that both have are not drawn.
 *
 * @param {Pairs} pairs
 * @param {Bounded} here
 * @param {Bounded} first
 * @param {{threshold: number, dropped: Uint8Array, changes: boolean}} options
 */
export function compare({ from, to, count }, here, first, { threshold, dropped, changes }) {
  const layers = new Uint8Array(count);
  const counts = [0, 0, 0, 0]; // by layer
  for (let pair = 0; pair < count; pair += 1) {
    if (dropped[from[pair]] || dropped[to[pair]]) continue;
    const [p, q] = [here.p[pair], first.p[pair]];
    const is = p > threshold && p >= here.least;
    const was = q > threshold && q >= first.least;
    const layer = is ? (was ? KEPT : GAINED) : was ? LOST : 0;
    counts[layer] += 1;
    if (!changes || layer !== KEPT) layers[pair] = layer;
  }
  const [, kept, lost, gained] = counts;
  const drawn = (changes ? 0 : kept) + gained + lost;
  return { layers, least: here.least, kept, gained, lost, links: kept + gained, drawn };
}

/**
 * A module's links that are drawn, the most probable first.
 *
 * @type {(layers: Uint8Array, p: Float32Array, units: number, unit: number, most: number) => {other: number, p: number, layer: number}[]}
 */
export const linksAt = (layers, p, units, unit, most) =>
  Array.from({ length: units }, (_, other) => ({ other, pair: pairOf(unit, other) }))
    .filter(({ other, pair }) => other !== unit && layers[pair])
    .map(({ other, pair }) => ({ other, p: p[pair], layer: layers[pair] }))
    .sort((a, b) => b.p - a.p || a.other - b.other)
    .slice(0, most);

const LARGEST = 1.5; // radii of the disc of the best connected module

/**
 * How large the discs of modules are in each circuit, in radii: their areas are as their connectivities, on one scale from
 * zero for all circuits, so that modules which differ little look alike.
 *
 * @param {number[][]} connectivities of the modules of each circuit
 */
export function sizesOf(connectivities) {
  const most = Math.max(...connectivities.flat());
  const sizeOf = (/** @type {number} */ q) => (most > 0 ? LARGEST * Math.sqrt(Math.max(0, q) / most) : LARGEST);
  return connectivities.map((each) => Float32Array.from(each, sizeOf));
}
