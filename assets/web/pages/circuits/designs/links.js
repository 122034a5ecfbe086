/* Links of circuits side by side: which each has above a threshold, and which it gained or lost against the first one.
   Link probabilities are lower triangles row by row, (1, 0), (2, 0), (2, 1), (3, 0)... */
import * as links from "rs/lib/links.js";

/** @import { Links } from "rs/lib/types.d.ts" */
/** @import { Bounded, Counts, Pairs } from "rs/pages/circuits/types.d.ts" */

const [KEPT, LOST, GAINED] = [1, 2, 3]; // layers, drawn in this order; 0 is a link that is not drawn
const [LIGHTEST, HEAVIEST] = [8, 63]; // ink of a link of probability 0 and of 1 (draw/edges.js)

/**
 * The modules of every pair: {from, to, count}.
 *
 * @param {number} units
 * @returns {Pairs}
 */
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

/**
 * @param {number} a
 * @param {number} b
 */
export const pairOf = (a, b) => (a > b ? (a * (a - 1)) / 2 + b : (b * (b - 1)) / 2 + a);

/**
 * Links of one circuit as they are drawn: the ink of a pair goes by the larger of its probabilities here and there.
 *
 * @param {Pairs} pairs
 * @param {Float32Array} p
 * @param {Float32Array} first
 * @returns {Links}
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
 * @param {Pairs} pairs
 * @param {Float32Array} p
 * @param {Uint8Array} dropped
 * @param {number | null} keep
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
 * Writes into `layers` how each pair is drawn, and counts: {kept, gained, lost, links, drawn}.
 *
 * `here` and `first` are {p, least}: probabilities, and the least that an intervention leaves. A link is there where
 * its probability is above the threshold. `changes`: those that both have are not drawn.
 *
 * @param {Uint8Array} layers
 * @param {Pairs} pairs
 * @param {Bounded} here
 * @param {Bounded} first
 * @param {{threshold: number, dropped: Uint8Array, changes: boolean}} options
 * @returns {Counts}
 */
export function compare(layers, pairs, here, first, { threshold, dropped, changes }) {
  const { from, to, count } = pairs;
  const [p, q] = [here.p, first.p];
  const away = dropped.includes(1);
  const both = changes ? 0 : KEPT;
  let [kept, gained, lost] = [0, 0, 0];
  for (let pair = 0; pair < count; pair += 1) {
    if (away && (dropped[from[pair]] || dropped[to[pair]])) {
      layers[pair] = 0;
      continue;
    }
    const is = p[pair] > threshold && p[pair] >= here.least;
    const was = q[pair] > threshold && q[pair] >= first.least;
    if (is && was) {
      layers[pair] = both;
      kept += 1;
    } else if (is) {
      layers[pair] = GAINED;
      gained += 1;
    } else if (was) {
      layers[pair] = LOST;
      lost += 1;
    } else layers[pair] = 0;
  }
  return { kept, gained, lost, links: kept + gained, drawn: (changes ? 0 : kept) + gained + lost };
}

/**
 * A module's links that are drawn, the most probable first: [{other, p, layer}].
 *
 * @param {Uint8Array} layers
 * @param {Float32Array} p
 * @param {number} units
 * @param {number} unit
 * @param {number} most
 */
export function linksAt(layers, p, units, unit, most) {
  const found = /** @type {{other: number, p: number, layer: number}[]} */ ([]);
  for (let other = 0; other < units; other += 1) {
    if (other === unit) continue;
    const pair = pairOf(unit, other);
    if (layers[pair]) found.push({ other, p: p[pair], layer: layers[pair] });
  }
  return found.sort((a, b) => b.p - a.p || a.other - b.other).slice(0, most);
}

export { KEPT, LOST, GAINED };

const LARGEST = 1.5; // radii of the disc of the best connected module

/**
 * How large the discs of modules are in each circuit, in radii: their areas are as their connectivities, on one scale from
 * zero for all circuits, so that modules which differ little look alike.
 *
 * @param {number[][]} connectivities of the modules of each circuit
 */
export function sizesOf(connectivities) {
  const most = Math.max(...connectivities.flat());
  return connectivities.map((q) =>
    Float32Array.from(q, (each) => (most > 0 ? LARGEST * Math.sqrt(Math.max(0, each) / most) : LARGEST)),
  );
}
