/* The sentences of the page Logs: how to read its panels. */

/** @type {Record<"bring" | "usage" | "compared" | "text" | "token", {title: string, reads: string, more?: string}>} */
export const PANELS = {
  bring: {
    title: "Routing logs",
    reads:
      "Which experts each token took, as recorded by servers and trainers. The panels below show log A, and compare it with log B.",
    more: "vLLM, SGLang, Megatron-core, CSV of tokens or of counts, arrays in npy, npz or safetensors, and files of `routescope import`. The format is detected by the content. Assumptions made in reading a log stand above its use of experts.",
  },
  usage: {
    title: "Use of experts in A",
    reads: "A row is a layer, a column an expert: the stronger its colour, the more tokens took it.",
    more: "Experts are numbered from 1; the log's own numbers, from 0, stand beside. Evenness is the entropy of the use of experts over that of equal use. How often an expert is used does not say what it causes; Drop measures that.",
  },
  compared: {
    title: "A and B compared",
    reads: "Share of tokens with the same experts in A and B, by layer, and where they first differ.",
    more: "Tokens are paired by sequence and place, up to the first that differs. Intervals are of 95 %. All is observed: experts may differ at a layer because of a difference before.",
  },
  text: {
    title: "A and B in the text",
    reads:
      "One sequence, at first the one that agrees least. Marks: share of layers with the same experts. Click a marked token for its experts.",
  },
  token: {
    title: "A token in A and B",
    reads: "Experts of the token in A and B by layer, as wide as their shares. Framed: layers that differ.",
    more: "As recorded in both: a layer may differ because a layer before it does, or a token before.",
  },
};
