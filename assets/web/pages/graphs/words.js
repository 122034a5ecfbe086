/* The sentences of the Graphs page: how to read its panels, and what the keys do in its pictures. */

/** How to read each panel. */
export const READS = {
  graph:
    "Modules stand near each other where their signatures do; a line is a link, the fuller the more probable. Grey is dropped or cut. Click a module.",
  matrix:
    "A row and a column are modules; the scale below says how probable their link is. Both are in one order, the prior as it was matched.",
  effect:
    "Paired with the model as it is, on the same samples; random sets are as many modules drawn by chance. Data sets not shown in training stand apart.",
  module:
    "Its strongest links, where it reads the sample, what the answer takes from it and what it matters. Rank 1 is the best connected.",
  statistics:
    "What the learned graph is like beside its prior; \u00b1 is the standard deviation over graphs sampled from the probabilities.",
  degrees: "Share of the modules with at least so many expected links: a long tail is hubs, a step is a block.",
  clusters:
    "Into how many groups the whole graph falls when only the most probable links are kept; the diamond is the share that is chosen.",
};

/** What else there is to know of a panel. */
export const MORE = {
  graph: "Modules that would cover each other stand a little apart.",
  effect:
    "Data sets that training showed, and those it left out, each together; random sets keep the same share of links.",
  module: "Connectivity q is the sum of the module's link probabilities, itself included.",
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

/** What the distance to a prior can come to: Equation 2 bounds the probability of a link from below. */
export const REACH =
  "With a bandwidth of 1 no link is less probable than exp(\u22122) = 0.135, and many modules cannot all point away from " +
  "each other (about exp(\u22121) = 0.37): a sparse prior is never reached.";
