/* The sentences of the Drop page: how to read its panels, and what each kind of ablation does. */

/** @import { Kind } from "rs/pages/drop/types.d.ts" */

/** A field of models whose units add to their tokens one after the other and route nothing. */
const LAYERS = "token_states";

/**
 * Every kind of ablation, as its control names it.
 *
 * @type {Record<Kind, string>}
 */
export const KINDS = { drop: "drop", mute: "mute", mean: "mean", resample: "resample" };

/**
 * What each kind does, by a field that the model has; "" for every other model.
 *
 * @type {Record<Kind, Record<string, string>>}
 */
export const SENTENCES = {
  drop: {
    router_logits:
      "Dropped: never chosen. A token takes the best of the remaining experts, with weights that add up to 1.",
    compatibility: "Dropped: removed. Compatibilities are renormalised over the remaining {units}.",
    multiplexer_weights: "Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",
    messages: "Dropped: removed with their codes, signatures and states. Their compute is saved.",
    [LAYERS]: "Dropped: removed. The remaining {units} work on what the {units} before them computed.",
    "": "Dropped: removed. Their compute is saved.",
  },
  mute: {
    router_logits: "Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",
    compatibility:
      "Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",
    multiplexer_weights: "Muted: their numbers are set to 0. They keep their share of the weights.",
    messages: "Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",
    [LAYERS]: "Muted: they add nothing, which equals dropping them.",
    "": "Muted: their output is 0.",
  },
  mean: {
    compatibility:
      "Mean: what they add is replaced by its mean over the first 200 samples of the same data set, step by step and token by token.",
    messages:
      "Mean: the state that others read is replaced by its mean over the first 200 samples of the same data set.",
    "": "Mean: what they add is replaced by its mean over the first 200 samples of the same data set, token by token.",
  },
  resample: {
    messages: "Resampled: the state that others read is replaced by the state for another sample of the same data set.",
    "": "Resampled: what they add is replaced by what they add for another sample of the same data set.",
  },
};

/** How to read each panel. `{accuracy}` and its like are what the model is measured by. */
export const READS = {
  accuracy:
    "Dots: {accuracies} with 95 % whiskers; the bar spans random sets of as many units; changes are paired, on the same samples.",
  labels:
    "Ring: the model as it is; dot and whisker: without the units; at the right the paired change, in {points}. Over all chosen data sets, what training showed apart from what it left out.",
  compared:
    "The same figures of what is pinned (A) and of what is shown (B), on the same samples and axes: rings are each model as it is, dots what is left of it.",
  difference:
    "Paired: sample by sample, only what both have scored. Dots are B minus A, whiskers 95 % intervals; right of the line the figure of B is larger. What training of either left out stands apart.",
  studio:
    "Drag a bar, or move it with the arrow keys: so many experts a layer keeps. Each row of cells is a layer, each cell an expert.",
  curves:
    "Line and whiskers: what is left while fewer experts are kept, 95 %; band: random sets of the same size, least to largest; the dashed upright: where the bars stand.",
};

const BY_HEAD = "The same by data set, each read by the head of its domain.";
/** How to read the effect by data set, by a field that the model has. */
export const READS_DOMAINS = {
  router_logits: "The same by data set: what an expert does for one kind of text, another kind may not need.",
  compatibility: BY_HEAD,
  [LAYERS]: BY_HEAD,
  "": "The same by data set; out of distribution are those that the model was never trained on.",
};

/** What else there is to know of a panel. */
export const MORE = {
  accuracy:
    "Each random set is a small dot, this one perhaps among them. Data sets that training showed stand together, and apart from those it left out.",
  studio:
    "The order is chosen on the last samples of every data set, its curves are measured on the first ones. A layer keeps at least as many experts as a token takes. Files hold what the bars say: the keep-list, and a model that the other experts are cut out of.",
  curves:
    "A diamond is what the page measured, once exactly these experts are left out of it. Changes are paired, on the same samples. Point at a dot for its figures.",
};
