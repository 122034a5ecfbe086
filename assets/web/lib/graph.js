/* A model's graph as the API sends it: facts as JSON, links and matrices as typed arrays. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as links from "rs/lib/links.js";
import { byFalling } from "rs/lib/links.js";

/** @import { Layout, ModelGraph, Schemas } from "rs/lib/types.d.ts" */

const KEPT = 4; // graphs at hand
const ROUNDS = 40; // of moving modules apart
const MANY = 400; // modules, for which fewer rounds have to do
/** @type {Map<string, Promise<ModelGraph>>} */
const graphs = new Map();

/** @param {string} model */
const pathOf = (model) => "/models/" + encodeURIComponent(model) + "/graph";

/** @param {string} model @param {string} which @param {number} units */
async function matrixOf(model, which, units) {
  const response = await api.request(pathOf(model) + "/matrix?which=" + which);
  const matrix = new Float32Array(await response.arrayBuffer());
  if (matrix.length !== units * units)
    throw new api.Problem(0, "Incomplete answer", "The matrix arrived incomplete. Load the page again.");
  return matrix;
}

/** All i, all j (16 bits each), all p (float32). @param {string} model */
async function linksOf(model) {
  const response = await api.request(pathOf(model) + "/edges");
  const content = await response.arrayBuffer();
  const count = Number(response.headers.get("X-Count"));
  if (content.byteLength !== 8 * count)
    throw new api.Problem(0, "Incomplete answer", "The links arrived incomplete. Load the page again.");
  const [from, to] = [0, 1].map((place) => new Uint16Array(content, 2 * place * count, count));
  return links.withWeights(from, to, new Float32Array(content, 4 * count, count));
}

/** Places for draw/map.js: the longer side from -1 to 1. @param {Schemas["Graph"]["layout"]} layout */
export function placesOf(layout) {
  const [xs, ys] = [0, 1].map((axis) => layout.map((place) => place[axis]));
  const ends = [xs, ys].map((values) => [Math.min(...values), Math.max(...values)]);
  const half = Math.max(...ends.map(([low, high]) => (high - low) / 2)) || 1;
  const middles = ends.map(([low, high]) => (low + high) / 2);
  const places = new Float32Array(2 * layout.length);
  layout.forEach((place, unit) => {
    places[2 * unit] = (place[0] - middles[0]) / half;
    places[2 * unit + 1] = -(place[1] - middles[1]) / half;
  });
  moveApart(places, layout.length);
  return { places, halves: [0, 1].map((axis) => Math.max(0.05, reachOf(places, axis))) };
}

/** @param {Float32Array} places @param {number} axis */
const reachOf = (places, axis) =>
  places.reduce((most, at, n) => (n % 2 === axis ? Math.max(most, Math.abs(at)) : most), 0);

/** Move modules apart until none covers another. @param {Float32Array} places @param {number} count */
function moveApart(places, count) {
  const apart = Math.min(0.065, 0.62 / Math.sqrt(count)); // about two discs of draw/graph.js
  const order = Array.from({ length: count }, (_, unit) => unit);
  for (let round = count > MANY ? ROUNDS / 2 : 0; round < ROUNDS; round += 1) {
    order.sort((a, b) => places[2 * a] - places[2 * b] || a - b);
    let moved = false;
    for (let first = 0; first < count; first += 1)
      for (let second = first + 1; second < count; second += 1) {
        const [i, j] = [order[first], order[second]];
        let dx = places[2 * j] - places[2 * i];
        if (dx >= apart) break;
        let dy = places[2 * j + 1] - places[2 * i + 1];
        let far = Math.hypot(dx, dy);
        if (far >= apart * 0.99) continue;
        const push = (apart - far) / 2;
        if (far < 1e-6) [dx, dy, far] = [Math.cos(2.4 * j), Math.sin(2.4 * j), 1]; // in the same place
        places[2 * i] -= (dx / far) * push;
        places[2 * i + 1] -= (dy / far) * push;
        places[2 * j] += (dx / far) * push;
        places[2 * j + 1] += (dy / far) * push;
        moved = true;
      }
    if (!moved) return;
  }
}

/** @param {string} model @returns {Promise<Schemas["Graph"]>} */
const about = (model) => api.send("GET", pathOf(model));

/** @param {string} model @returns {Promise<ModelGraph>} */
async function read(model) {
  const [info, links] = await Promise.all([about(model), linksOf(model)]);
  const count = info.units.length;
  const [learned, prior] = await Promise.all([
    matrixOf(model, "learned", count),
    info.prior ? matrixOf(model, "prior", count) : null,
  ]);
  const q = info.connectivity;
  const weakest = byFalling(count, (unit) => -q[unit]);
  const orders = {
    matched: info.order,
    communities: byFalling(count, (unit) => -info.communities[unit] * 1e6 + q[unit]),
    connectivity: byFalling(count, (unit) => q[unit]),
  };
  const graph = {
    ...info,
    links_kind: info.links,
    count,
    q,
    weakest,
    orders,
    matrices: { learned, prior },
    links: { learned: links },
    place: new Map(info.units.map((unit, at) => [unit, at])),
  };
  return Object.assign(graph, placesOf(info.layout));
}

/** The graph of a model; problems of the API are thrown. @param {string} model */
export const load = (model) => api.remembered(graphs, model, () => read(model), KEPT);

/** Links of the learned graph or the prior, sorted once. @param {ModelGraph} graph @param {string} which */
export function linksFor(graph, which) {
  const matrix = graph.matrices[which];
  if (!graph.links[which] && matrix) graph.links[which] = links.ofMatrix(matrix, graph.count);
  return graph.links[which];
}

/**
 * @param {string} model
 * @param {string} unit
 * @param {string | null} sample
 * @param {number} samples
 * @returns {Promise<Schemas["GraphModule"]>}
 */
export const module = (model, unit, sample, samples) =>
  api.send("GET", pathOf(model) + "/modules/" + encodeURIComponent(unit) + address.queryOf({ sample, samples }));
