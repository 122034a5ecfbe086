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
    "Dots: {accuracies} with 95 % intervals. Grey: random sets of the same size. Changes are paired, on the same samples.",
  labels: "Ring: full model. Dot: without the units, 95 % interval. Right: paired change in {points}.",
  confidence:
    "Share of right answers against their confidence, 95 % intervals. Below the dashed line the model is too sure.",
  compared: "A is pinned, B is shown, on the same samples and axes. Ring: full model. Dot: without the units.",
  difference:
    "B minus A, paired over the samples that both have scored, with 95 % intervals. Right of the line: B is larger.",
  studio:
    "A bar says how many experts a layer keeps: drag it, or press arrow keys. Rows of cells are layers, cells are experts.",
  curves:
    "Score as fewer experts are kept, 95 % intervals. Band: random sets of the same size, least to largest. Dashed line: your bars.",
};

const BY_HEAD = "The same by data set. Each is read by the head of its domain.";
/** How to read the effect by data set, by a field that the model has. */
export const READS_DOMAINS = {
  router_logits: "The same by data set. An expert that one kind of text needs may do nothing for another.",
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
  importance: "A job scores the subsets in the background. What it scored is kept when it is cancelled.",
  use: "Nothing is dropped here. A unit that is used a lot may cost little to lose, where others replace it. Colours are those of the units.",
  effect:
    "Above 0 the unit helps. A Shapley value is the mean change that a unit makes, over all orders in which units join. The values of all units add up to the change from none to all.",
  retention:
    "Units are ranked once by their single effects, or again after each removal (greedy). Orders are chosen on the samples that score them, so the best are a little too good and the worst too bad. Orders by connectivity use no samples.",
  interactions:
    "The effect of dropping both units, minus the effects of dropping each alone. Below 0 each unit makes up for the loss of the other. Intervals are 95 %.",
  anytime: "Nothing is dropped here. Point at a dot for its compute per sample.",
  convergence:
    "Each order adds one estimate of the value of every unit. Lines are flat once more orders change nothing.",
  accuracy: "Each small dot is a random set. Data in and out of distribution are shown separately.",
  confidence:
    "Confidence is the softmax probability of the answer. Each dot is one tenth of the scale, at the mean confidence of its answers.",
  labels: "The effect covers all chosen data sets. Data in and out of distribution are shown separately.",
  studio:
    "The order is chosen on the last samples of every data set; curves are measured on the first ones. A layer keeps at least top-k experts. Files: the keep-list, and a model without the other experts.",
  curves:
    "Diamond: the score on this page without exactly these experts. Changes are paired, on the same samples. Point at a dot for its figures.",
};
