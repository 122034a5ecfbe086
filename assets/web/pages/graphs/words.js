/* The sentences of the Graphs page: how to read its panels, and what the keys do in its pictures. */
import { whole } from "rs/lib/format.js";

/** How to read each panel. */
export const READS = {
  graph:
    "Modules with similar signatures lie near each other. Darker lines: more probable links. Grey: dropped or cut. Click a module.",
  matrix: "Probability of the link between the modules of a row and a column. Learned and prior have the same order.",
  effect: "Accuracy beside the full model, on the same samples, 95 % intervals. Grey: random sets of the same size.",
  module: "Strongest links, attention to the sample, share in the answer and drop effect.",
  statistics: "Statistics of the learned graph and its prior. \u00b1: standard deviation over sampled graphs.",
  degrees: "Share of modules with at least this many expected links. Long tail: hubs. Step: equal groups.",
  clusters: "Number of connected groups when only the most probable links are kept. Diamond: the chosen share.",
};

/** What else there is to know of a panel. */
export const MORE = {
  graph: "Modules are shifted a little so that none covers another.",
  effect: "Data in and out of distribution are shown separately. Random sets keep the same share of the links.",
  module:
    "Connectivity q is the sum of the module's link probabilities, its own included. Rank 1: best connected, or largest share.",
};

const KEYS =
  ". Arrow keys walk from module to module, Enter chooses one, Escape lets go, plus and minus zoom, Shift and arrows move the picture, 0 shows all.";

/** What each picture is, and which keys it hears. */
export const LABELS = {
  learned: "The graph of the modules" + KEYS,
  prior: "The prior in the same places" + KEYS,
  matrix:
    "Link probabilities as a matrix. Arrow keys walk from pair to pair, with Shift ten at a time; Enter chooses the module of the row, Escape lets go.",
};

/** What the distance to a prior can come to: without truncation, Equation 2 bounds the probability of a link from below. */
const REACH =
  "With a bandwidth of 1 every link has a probability of at least exp(\u22122) = 0.135, about exp(\u22121) = 0.37 among many " +
  "modules: a sparse prior is never reached.";

/**
 * What keeps a circuit from its prior, or with truncated links does not.
 *
 * @param {number} edges @param {number} units
 */
export function reach(edges, units) {
  const pairs = (units * (units - 1)) / 2;
  if (edges === pairs) return REACH;
  return whole(edges) + " of " + whole(pairs) + " pairs have a link; the others are truncated.";
}
