/* The sentences of the page Logs: how to read its panels. */

/** @type {Record<"bring" | "usage" | "compared" | "text" | "token", {title: string, reads: string, more?: string}>} */
export const PANELS = {
  bring: {
    title: "Routing logs",
    reads:
      "Which experts each token took, as recorded by servers and trainers. The panels below show log A, and compare it with log B.",
    more: "vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz or safetensors, and files of `routescope import`. The format is detected by the content. What was assumed in reading a log stands above the use of its experts.",
  },
  usage: {
    title: "Use of experts in A",
    reads: "A row is a layer, a column an expert: the stronger its colour, the more tokens took it.",
    more: "Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that.",
  },
  compared: {
    title: "A and B compared",
    reads: "How many tokens take the same experts in A and B, layer by layer, and where they first do not.",
    more: "Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: experts may differ at a layer because of a difference before.",
  },
  text: {
    title: "A and B in the text",
    reads:
      "A sequence, at first the one that agrees least, its tokens marked by the share of layers whose experts are the same. Click a marked token to see what it took in both.",
  },
  token: {
    title: "A token in A and B",
    reads:
      "The experts that it took in A and in B, layer by layer, as wide as their shares; framed: layers that differ.",
    more: "As recorded in both: a layer may differ because a layer before it does, or a token before.",
  },
};
