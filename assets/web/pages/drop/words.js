/* The sentences of the Drop page: how to read its panels, and what each kind of ablation does. */

/** @import { Kind } from "rs/pages/drop/types.d.ts" */

/** A field of models whose units add to their tokens one after the other and route nothing. */
const LAYERS = "token_states";

/** Every kind of ablation, as its control names it. @type {Record<Kind, string>} */
export const KINDS = { drop: "drop", mute: "mute", mean: "mean", resample: "resample" };

/**
 * What each kind does, by a field that the model has; "" for every other model.
 *
 * @type {Record<Kind, Record<string, string>>}
 */
export const SENTENCES = {
  drop: {
    router_logits: "Dropped: never chosen. Each token takes the best remaining experts, with weights that add up to 1.",
    compatibility: "Dropped: removed. Compatibilities are renormalised over the remaining {units}.",
    multiplexer_weights: "Dropped: neither made nor read. Weights are renormalised over the remaining {units}.",
    messages: "Dropped: removed with their codes, signatures and states. Their compute is saved.",
    [LAYERS]: "Dropped: skipped. The next {unit} reads the output of the {unit} before.",
    "": "Dropped: removed. Their compute is saved.",
  },
  mute: {
    router_logits: "Muted: chosen as before, but their output is 0. No other {unit} takes over their share.",
    compatibility:
      "Muted: their compatibility is set to 0 after normalisation. No other {unit} takes over their share.",
    multiplexer_weights: "Muted: their output is set to 0. They keep their share of the weights.",
    messages: "Muted: their messages are set to 0 after the softmax. No other {unit} takes over their share.",
    [LAYERS]: "Muted: their output is 0, which equals dropping them.",
    "": "Muted: their output is 0.",
  },
  mean: {
    compatibility:
      "Mean: their output is replaced by its mean over the first 200 samples of the data set, for each step and token.",
    messages: "Mean: the state that others read is replaced by its mean over the first 200 samples of the data set.",
    "": "Mean: their output is replaced by its mean over the first 200 samples of the data set, for each token.",
  },
  resample: {
    messages: "Resampled: the state that others read is replaced by their state for another sample of the data set.",
    "": "Resampled: their output is replaced by their output for another sample of the data set.",
  },
};

/** How to read each panel. `{accuracy}` and its like are what the model is measured by. */
export const READS = {
  accuracy:
    "Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",
  labels: "Ring: full model. Dot: with the units dropped, 95 % interval. Right: paired change in {points}.",
  confidence:
    "Share of correct answers against confidence, 95 % intervals. Below the dashed line the model is overconfident.",
  compared: "A is pinned, B is on the page: same samples, same axes. Ring: full model. Dot: with the units dropped.",
  difference: "B minus A, paired on the same samples, with 95 % intervals. Right of the line: B is larger.",
  studio: "Bars: how many experts each layer keeps (drag, or press arrow keys). Cells: the experts of each layer.",
  curves:
    "Score against the share of experts kept, 95 % intervals. Band: random sets of the same size. Dashed line: your bars.",
};

const BY_HEAD = "The same by data set. Each is read by the head of its domain.";
/** How to read the effect by data set, by a field that the model has. */
export const READS_DOMAINS = {
  router_logits: "The same by data set. An expert may matter for one kind of text only.",
  compatibility: BY_HEAD,
  [LAYERS]: BY_HEAD,
  "": "The same by data set. Out of distribution: the model was never trained on it.",
};

/** How to read observed use, by a field that the model has. */
export const READS_USE = {
  router_logits: "Mean share of each layer's routing that an expert takes, all experts on.",
  messages: "Mean share of the attention paid to each module at every layer, all modules on.",
  multiplexer_weights: "Mean share of the weight with which the next level reads each block, all blocks on.",
  "": "Mean share of routing weight at every step, all {units} on.",
};

/** What else there is to know of a panel. */
export const MORE = {
  importance: "A job scores the subsets in the background. Cancelling keeps its scores.",
  use: "Measured on the full model. Dropping a unit that is used a lot may cost little if other units replace it.",
  effect:
    "Above 0 the unit helps. A Shapley value is the mean gain when the unit is added, over all orders of adding units. The values of all units sum to the gain from no unit to all.",
  retention:
    "Units are ranked once by their single effects, or again after each removal (greedy). The same samples choose and score the orders, so the best look a little too good and the worst too bad. Orders by connectivity use no samples.",
  interactions:
    "The effect of dropping both units, minus the effects of dropping each alone. Below 0, each unit replaces the other.",
  anytime: "No unit is dropped. Point at a dot for its compute per sample.",
  convergence: "Each order gives one estimate for every unit. Flat lines: more orders change nothing.",
  accuracy: "Each small dot is a random set. Data in and out of distribution are shown separately.",
  confidence:
    "Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers.",
  labels: "The effect covers all chosen data sets. Data in and out of distribution are shown separately.",
  studio:
    "The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Downloads: the keep-list, and a model without the dropped experts.",
  curves:
    "Band: from the least to the largest random set. Diamond: the score on this page with the same experts dropped. Changes are paired, on the same samples. Point at a dot for its numbers.",
};
