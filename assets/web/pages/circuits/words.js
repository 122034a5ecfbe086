/* Small things that the parts of the Circuits page share: the number of a pinned sentence, words of a sentence. */
import { html } from "rs/lib/view.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** The number of a pinned sentence, as it stands at its circuit, on the maps and in tables. @param {number} at */
export const numberOf = (at) =>
  html`<span class="badge"><span class="hidden-visually">${"sentence "}</span>${at + 1}</span>`;

/**
 * The words of a design's sentence: [{text, known, pieces}], `pieces` the places of those that spell it (a piece
 * that goes on begins with ##).
 *
 * @param {Pick<Schemas["SentenceDesign"], "pieces">} design
 */
export function wordsOf(design) {
  const words = /** @type {{text: string, known: boolean, pieces: number[]}[]} */ ([]);
  design.pieces.forEach(({ text, known }, at) => {
    const last = words[words.length - 1];
    if (last && text.startsWith("##")) {
      last.text += text.slice(2);
      last.known = last.known && known;
      last.pieces.push(at);
    } else words.push({ text, known, pieces: [at] });
  });
  return words;
}

/**
 * Where in a sentence are words that the model was not trained with: [[start, end], ...].
 *
 * @param {Schemas["SentenceDesign"]} design
 */
function unknown(design) {
  const text = design.sentence.toLowerCase();
  const found = /** @type {[number, number][]} */ ([]);
  let at = 0;
  for (const word of wordsOf(design)) {
    const start = text.indexOf(word.text.toLowerCase(), at);
    if (start < 0) continue;
    at = start + word.text.length;
    if (!word.known) found.push([start, at]);
  }
  return found;
}

/** A sentence, with the words that the model was not trained with marked. @param {Schemas["SentenceDesign"]} design */
export function pieces(design) {
  const { sentence } = design;
  let at = 0;
  const parts = unknown(design).map(([start, end]) => {
    const before = sentence.slice(at, start);
    at = end;
    const why = "the model was not trained with this word: it spells it";
    return html`${before}<mark class="unknown" title=${why}>${sentence.slice(start, end)}</mark>`;
  });
  return [...parts, sentence.slice(at)];
}
