/* What follows from the links of a graph: which are cut, which modules still hang together, in which order modules stand.
   Links are {from, to, p, weights, count}, the most probable first: a threshold is a prefix. */

/** @import { Links } from "rs/lib/types.d.ts" */

const [CUT, LIVE] = [1, 2]; // 0 is a link that is not drawn; what is cut lies under what is not
const [LIGHTEST, HEAVIEST] = [8, 63]; // ink of the least and of the most probable link (draw/edges.js)

/** Links with their ink. @param {Uint16Array} from @param {Uint16Array} to @param {Float32Array} p */
export function withWeights(from, to, p) {
  const count = p.length;
  const [most, least] = count ? [p[0], p[count - 1]] : [1, 0];
  /** @param {number} each */
  const share = (each) => (most > least ? (each - least) / (most - least) : 1);
  const weights = Uint8Array.from(p, (each) => LIGHTEST + (HEAVIEST - LIGHTEST) * share(each));
  return { from, to, p, weights, count };
}

/** The links of a symmetric matrix, most probable first. @param {Float32Array} matrix @param {number} units */
export function ofMatrix(matrix, units) {
  const pairs = [];
  for (let i = 0; i < units; i += 1)
    for (let j = i + 1; j < units; j += 1) if (matrix[i * units + j] > 0) pairs.push(i * units + j);
  const order = Uint32Array.from(pairs).sort((a, b) => matrix[b] - matrix[a] || a - b);
  const from = Uint16Array.from(order, (pair) => Math.floor(pair / units));
  const to = Uint16Array.from(order, (pair) => pair % units);
  return withWeights(
    from,
    to,
    Float32Array.from(order, (pair) => matrix[pair]),
  );
}

/** How many links are at least as probable as `least`. @param {Links} links @param {number} least */
export function prefix({ p, count }, least) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (p[middle] >= least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Round half to even, as core/routescope/nn/circuit/links.py does. @param {number} value */
function halfToEven(value) {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 ? up - 1 : up;
}

/**
 * Which links an intervention leaves: `states[link]` is LIVE or CUT; of those between modules that stay the ones up to
 * `last` are live.
 *
 * `keep` is the share of the links between the modules that stay, as in Intervention.keep_edges.
 *
 * @param {Pick<Links, "from" | "to" | "count">} links
 * @param {ArrayLike<number>} dropped 1 where a unit is left out
 * @param {number | null} keep
 */
export function cut(links, dropped, keep) {
  const { from, to, count } = links;
  const states = new Uint8Array(count).fill(CUT);
  let stay = 0;
  for (let unit = 0; unit < dropped.length; unit += 1) if (!dropped[unit]) stay += 1;
  let total = 0;
  for (let link = 0; link < count; link += 1) if (!dropped[from[link]] && !dropped[to[link]]) total += 1;
  const kept = keep === null ? total : total - halfToEven((1 - keep) * total);
  let [live, last] = [0, -1];
  for (let link = 0; link < count && live < kept; link += 1) {
    if (dropped[from[link]] || dropped[to[link]]) continue;
    states[link] = LIVE;
    live += 1;
    last = link;
  }
  return { states, live, last, total, stay };
}

/** Count the live and the cut among the first `shown` links. @param {Uint8Array} states @param {number} shown */
export function drawn(states, shown) {
  let live = 0;
  for (let link = 0; link < shown; link += 1) if (states[link] === LIVE) live += 1;
  return { live, cut: shown - live };
}

/**
 * Groups of modules that the live links among the first `shown` connect, without the dropped modules.
 *
 * @param {Links} links
 * @param {Uint8Array} states
 * @param {number} shown
 * @param {ArrayLike<number>} dropped
 */
export function clusters(links, states, shown, dropped) {
  const forest = new Forest(dropped.length);
  for (let link = 0; link < shown; link += 1) if (states[link] === LIVE) forest.join(links.from[link], links.to[link]);
  let [count, largest] = [0, 0];
  for (let unit = 0; unit < dropped.length; unit += 1) {
    if (dropped[unit] || forest.find(unit) !== unit) continue;
    count += 1;
    largest = Math.max(largest, forest.sizes[unit]);
  }
  return { count, largest };
}

class Forest {
  /** @param {number} units */
  constructor(units) {
    this.parents = Int32Array.from({ length: units }, (_, unit) => unit);
    this.sizes = new Int32Array(units).fill(1);
    this.trees = units;
  }

  /** @param {number} unit */
  find(unit) {
    const { parents } = this;
    let at = unit;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]];
      at = parents[at];
    }
    return at;
  }

  /** @param {number} a @param {number} b */
  join(a, b) {
    let [large, small] = [this.find(a), this.find(b)];
    if (large === small) return;
    if (this.sizes[large] < this.sizes[small]) [large, small] = [small, large];
    this.parents[small] = large;
    this.sizes[large] += this.sizes[small];
    this.trees -= 1;
  }
}

/** Clusters at each share of links at which they change. @param {Links} links @param {number} units */
export function curve(links, units) {
  const forest = new Forest(units);
  const points = [{ kept: 0, clusters: units, largest: 1 }];
  let largest = 1;
  for (let link = 0; link < links.count && forest.trees > 1; link += 1) {
    const before = forest.trees;
    forest.join(links.from[link], links.to[link]);
    if (forest.trees === before) continue;
    largest = Math.max(largest, forest.sizes[forest.find(links.from[link])]);
    points.push({ kept: link + 1, clusters: forest.trees, largest });
  }
  return points.map((each) => ({ ...each, share: each.kept / Math.max(1, links.count) }));
}

/**
 * The modules that stand in `links` with `unit` most probably: [{unit, p, link}].
 *
 * @param {ArrayLike<number>} matrix
 * @param {number} units
 * @param {number} unit
 * @param {number} most
 */
export function neighbours(matrix, units, unit, most) {
  const others = [];
  for (let other = 0; other < units; other += 1)
    if (other !== unit && matrix[unit * units + other] > 0)
      others.push({ unit: other, p: matrix[unit * units + other] });
  return others.sort((a, b) => b.p - a.p || a.unit - b.unit).slice(0, most);
}

/** Units by falling `key`, ties in order. @param {number} count @param {(unit: number) => number} key */
export const byFalling = (count, key) =>
  Array.from({ length: count }, (_, unit) => unit).sort((a, b) => key(b) - key(a) || a - b);

export { LIVE, CUT };
