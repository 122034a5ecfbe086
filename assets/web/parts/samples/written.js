/* A sample that is written: as running text, or with its lists in brackets to fold; each piece of it in the colour of the
   unit that reads it most. */
import { roundShare } from "rs/lib/format.js";
import { unitPaint } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

/** @typedef {{unit: number, share: number}} Reader */
/** @typedef {{text: string, from: number, to: number}} Piece a part of the text, and the tokens that it is */
/** @typedef {{open: Piece, inside: Part[], close: Piece | null, depth: number, count: number}} Nested a list in brackets */
/** @typedef {Piece | Nested} Part */
/** @typedef {{weights: ArrayLike<number>, units: string[]}} Readers how much each unit reads each token */
/** @typedef {ReturnType<typeof shadesOf>[number]} Shade */

const OPEN_DEPTH = 3; // of lists within others that are open at first, in a long expression
const DEEPEST = 40; // lists are not folded within more others
const SHORT = 120; // symbols of an expression of which nothing is folded
const LISTED = 6; // units that are named below
const BEGINNING = 160; // characters of a card

/**
 * The unit with most of its attention on some tokens, and how much that is; unit -1 where none reads them.
 *
 * @param {ArrayLike<number>} weights (unit, token) one unit after the other
 * @param {number} units
 * @param {number} from the first token
 * @param {number} to the token behind the last
 */
export function readerOf(weights, units, from, to) {
  const tokens = weights.length / units;
  let most = { unit: -1, share: 0 };
  for (let unit = 0; unit < units; unit += 1) {
    let share = 0;
    for (let token = from; token < Math.min(to, tokens); token += 1) {
      const weight = weights[unit * tokens + token];
      if (Number.isFinite(weight)) share += weight;
    }
    if (share > most.share) most = { unit, share };
  }
  return most;
}

/** Words with the white space behind them; their tokens are bytes. @param {string} text @returns {Piece[]} */
function wordsOf(text) {
  let from = 0;
  return (text.match(/\s*\S+\s*|\s+/g) ?? []).map((word) => {
    const to = from + new TextEncoder().encode(word).length;
    const piece = { text: word, from, to };
    from = to;
    return piece;
  });
}

/**
 * The parts from `at` to the end of their list, and the place of that end.
 *
 * @param {string[]} words
 * @param {number} at
 * @param {readonly string[]} brackets
 * @param {number} depth
 * @returns {[Part[], number]}
 */
function partsOf(words, at, brackets, depth) {
  const [opening, closing] = brackets;
  const parts = /** @type {Part[]} */ ([]);
  let begun = 0; // lists that are too deep to fold
  while (at < words.length && (begun || words[at] !== closing)) {
    const piece = { text: words[at], from: at, to: at + 1 };
    if (!words[at].startsWith(opening) || depth > DEEPEST) {
      begun += words[at] === closing ? -1 : Number(words[at].startsWith(opening));
      parts.push(piece);
      at += 1;
      continue;
    }
    const [inside, end] = partsOf(words, at + 1, brackets, depth + 1);
    const close = end < words.length ? { text: closing, from: end, to: end + 1 } : null;
    parts.push({ open: piece, inside, close, depth, count: end - at - 1 });
    at = end + 1;
  }
  return [parts, at];
}

/** The parts of what is written. @param {Schemas["Writing"]} writing @returns {Part[]} */
export const parsed = ({ text, brackets }) =>
  brackets ? partsOf(text.split(/\s+/).filter(Boolean), 0, brackets, 1)[0] : wordsOf(text);

/** @param {Part[]} parts @returns {Piece[]} */
const piecesOf = (parts) =>
  parts.flatMap((part) =>
    "open" in part ? [part.open, ...piecesOf(part.inside), ...(part.close ? [part.close] : [])] : [part],
  );

/** The reader of each piece, its name and its strength. @param {Piece[]} pieces @param {Readers} readers */
export function shadesOf(pieces, { weights, units }) {
  const found = pieces.map(({ from, to }) => readerOf(weights, units.length, from, to));
  const most = Math.max(...found.map(({ share }) => share), 1e-9);
  return found.map((reader) => ({ reader, name: units[reader.unit] ?? "", strength: reader.share / most }));
}

/** @param {Piece} piece @param {Shade | undefined} shade */
function PieceOf({ text }, shade) {
  if (!shade?.name) return html`<span class="piece">${text}</span>`;
  const { reader, name, strength } = shade;
  const title = name + " reads it most, with " + roundShare(reader.share) + " of its attention";
  const style = { "--reader": unitPaint(reader.unit), "--share": Math.round(100 * strength) + "%" };
  return html`<span class="piece" data-reader=${name} title=${title} style=${style}>${text}</span>`;
}

/** A text, shaded by its readers. @param {{writing: Schemas["Writing"], readers: Readers | null}} props */
export function Written({ writing, readers }) {
  const parts = parsed(writing);
  const pieces = piecesOf(parts);
  const found = readers ? shadesOf(pieces, readers) : [];
  const opened = pieces.length > SHORT ? OPEN_DEPTH : Infinity;
  const shades = new Map(found.map((shade, at) => [pieces[at], shade]));
  const shaded = (/** @type {Piece} */ piece) => PieceOf(piece, shades.get(piece));
  /** @type {(part: Part) => VNode} */
  const draw = (part) =>
    "open" in part
      ? html`<details class="list" open=${part.depth <= opened}>
          <summary>
            ${shaded(part.open)}
            <span class="folded">${part.count.toLocaleString("en") + (part.count === 1 ? " symbol" : " symbols")}</span>
          </summary>
          <div class="list-body">${part.inside.map(draw)}${part.close && shaded(part.close)}</div>
        </details>`
      : shaded(part);
  return html`
    ${
      readers &&
      html`<p class="hint readers">
        ${"Shade: the unit that reads each piece most, stronger with its attention. Most pieces: " + mostOf(found) + "."}
      </p>`
    }
    ${
      writing.brackets
        ? html`<div class="written nested">${parts.map(draw)}</div>`
        : html`<pre class="sample-text written">${parts.map(draw)}</pre>`
    }
  `;
}

/** The units that read most pieces, with how many. @param {Shade[]} shades */
export function mostOf(shades) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const { name } of shades) if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  const listed = [...counts].sort(([, one], [, other]) => other - one).slice(0, LISTED);
  return listed.map(([unit, count]) => unit + " (" + count + ")").join(", ");
}

/** The first characters, for a card. @param {Schemas["Writing"]} writing */
export function beginning({ text }) {
  return text.length <= BEGINNING ? text : text.slice(0, BEGINNING).trimEnd() + "\u2026";
}
