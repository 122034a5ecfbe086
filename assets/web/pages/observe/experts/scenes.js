/* Heat maps of experts of a layer: tokens, and pairs of experts, as scenes. */
import { heat, lifted, shadeOf, short } from "rs/draw/heat.js";
import { percent } from "rs/lib/format.js";
import { seenText } from "rs/lib/trace.js";
import { layerName } from "rs/lib/units.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {import("rs/pages/observe/types.d.ts").AnyLoad} Load */
/** @typedef {Schemas["LayerLoad"]} Layer */

const NARROWEST = 18; // pixels of a token's column

/** A token, of which spaces alone are to be seen too. @param {string} text */
export const token = (text) => (text.trim() ? seenText(text) : seenText(text).replace(/ /g, "\u2423"));

/** How often tokens take both experts, over chance. @param {Load} found @param {Layer} layer @param {number} width */
export function together(found, layer, width) {
  const names = layer.units.map(short);
  const cells = layer.units.map((unit, e) =>
    layer.units.map((other, f) => {
      const times = layer.together?.[e][f] ?? null;
      if (e === f || times === null) return null;
      const words = unit + " and " + other + ": " + lifted(times) + " as often as if they were taken independently";
      return { shade: shadeOf(times), text: times.toFixed(1), words };
    }),
  );
  return heat({
    rows: names,
    columns: names,
    cells,
    width,
    title: "Experts taken together, " + layerName(layer.name) + ": " + found.model,
    desc: "How often a token takes both of two experts, against chance; blue above 1, red below.",
  });
}

/** How often each kind of token takes each expert. @param {Load} found @param {Layer} layer @param {number} width */
export function tokens(found, layer, width) {
  const by = layer.by_token;
  const kinds = (found.kinds ?? []).slice(0, Math.max(8, Math.floor((width - 40) / NARROWEST)));
  const cells = layer.units.map((unit, e) =>
    kinds.map(({ text, count }, v) => {
      if (!by) return null;
      const [own, low, high] = [by.share[e][v], by.low[e][v], by.high[e][v]];
      const times = layer.load[e] ? own / layer.load[e] : 1;
      const span = percent(low) + " to " + percent(high) + " % with each text's tokens shuffled";
      return {
        shade: shadeOf(times),
        text: String(Math.round(100 * own)),
        words: unit + " on " + token(text) + ": " + percent(own) + " % of its choices, " + count + " tokens; " + span,
        framed: own < low || own > high,
      };
    }),
  );
  return heat({
    rows: layer.units.map(short),
    columns: kinds.map(({ text }) => token(text)),
    cells,
    width,
    title: "Experts by token, " + layerName(layer.name) + ": " + found.model,
    desc: "Share, in percent, of a token's choices that each expert has, of the most frequent tokens; blue: more than over all tokens; framed: outside what 95 % of shuffles of each text's own tokens give.",
  });
}

/**
 * Every two experts of a layer, from 0 to 1, or from -1.
 *
 * @param {Layer} layer
 * @param {(e: number, f: number) => {value: number, words: string} | null} of
 * @param {{width: number, title: string, desc: string}} about
 */
function pairs(layer, of, about) {
  const names = layer.units.map(short);
  const cells = layer.units.map((unit, e) =>
    layer.units.map((other, f) => {
      const found = e === f ? null : of(e, f);
      if (!found) return null;
      return { shade: found.value, text: found.value.toFixed(2), words: unit + " and " + other + ": " + found.words };
    }),
  );
  return heat({ rows: names, columns: names, cells, ...about });
}

/** How alike two experts are in what they take. @param {Load} found @param {Layer} layer @param {number} width */
export const alike = (found, layer, width) =>
  pairs(
    layer,
    (e, f) => {
      const value = layer.alike?.[e][f] ?? null;
      return value === null
        ? null
        : { value, words: value.toFixed(3) + ", 1 where they take the same kinds of tokens" };
    },
    {
      width,
      title: "Experts alike in what they take, " + layerName(layer.name) + ": " + found.model,
      desc: "1 minus the Jensen-Shannon distance of the kinds of tokens that two experts take: 1 where they take the same kinds as often, 0 where they share none.",
    },
  );

/** How alike two experts are in what they write. @param {Load} found @param {Layer} layer @param {number} width */
export const written = (found, layer, width) =>
  pairs(
    layer,
    (e, f) => {
      const { cosine, low, high, tokens: both } = layer.written ?? {};
      const value = cosine?.[e][f] ?? null;
      if (value === null) return null;
      const [from, to] = [low?.[e][f] ?? null, high?.[e][f] ?? null];
      const span = from === null || to === null ? "" : ", 95 % " + from.toFixed(2) + " to " + to.toFixed(2);
      const count = both?.[e][f] ?? 0;
      const of = count === 1 ? "the one token that takes both" : count + " tokens that take both";
      return { value, words: "cosine " + value.toFixed(2) + span + ", of " + of };
    },
    {
      width,
      title: "Experts alike in what they write, " + layerName(layer.name) + ": " + found.model,
      desc: "Mean cosine of what two experts write of the tokens that take both; blue above 0, red below; no cell: no token takes both.",
    },
  );
