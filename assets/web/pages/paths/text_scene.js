/* A text as a scene: its tokens in lines as they are read, each on the colour of the expert that has most of it. */
import { readTheme } from "rs/lib/theme.js";
import { seenText, stepWords } from "rs/lib/trace.js";
import { paintOf } from "rs/pages/paths/attention.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { CircuitState, Shown, ShownSample } from "rs/pages/paths/types.d.ts" */

const TALL = 2.1; // height of a character's cell in its widths
const LARGEST = 13.5; // pixels that a cell is wide at most

/** Width and height of a character's cell in a picture. @param {number} columns @param {number} width */
export function cellOf(columns, width) {
  const wide = Math.min(LARGEST, width / columns);
  return { wide, tall: wide * TALL };
}

/** @param {Shown} state @param {number} width @returns {Scene} */
export function sceneOfText(state, width) {
  const theme = readTheme();
  const { view, step, opacity } = state;
  const { rows, columns, places } = /** @type {NonNullable<typeof view.text>} */ (view.text);
  const { wide, tall } = cellOf(columns, width);
  const pointed = state.hover || state.pinned;
  const highlighted = pointed && paths.highlighted(view);
  const chosen = highlighted && new Set(highlighted);
  const paint = view.circuit
    ? paintOf(/** @type {CircuitState} */ (state))
    : (/** @type {number} */ unit) => theme.unit(view.paint(step, unit));
  const looking = view.circuit && pointed && pointed.unit !== undefined ? pointed.unit : null;
  const most =
    looking === null ? 1 : Math.max(...places.map((_, token) => view.compatibility(step, looking, token)), 1e-9);
  /** @type {Item[]} */
  const items = [];
  places.forEach(({ row, column, span }, token) => {
    const unit = looking ?? view.dominant(step, token);
    const away = looking === null && chosen && !chosen.has(token);
    const place = { x: column * wide, y: row * tall, w: span * wide, h: tall };
    const part = looking === null ? 1 : view.compatibility(step, looking, token) / most;
    const share = (away ? 0.25 : 1) * opacity * part;
    if (unit >= 0) items.push({ shape: "rect", ...place, fill: paint(unit), opacity: share });
    // Under the letter, so that colours are told apart where they are faint too.
    const line = { x: place.x, y: place.y + tall - 2.5, w: place.w - 0.5, h: 2.5 };
    if (unit >= 0) items.push({ shape: "rect", ...line, fill: paint(unit), opacity: away ? 0.25 : part });
    const letters = [...seenText(view.tokens[token].text ?? "")].slice(0, span);
    letters.forEach((text, at) => {
      const x = place.x + (at + 0.5) * wide;
      const look = { size: wide * 1.45, fill: theme.ink, halo: theme.surface, opacity: away ? 0.4 : 1 };
      items.push({ shape: "text", x, y: place.y + 0.68 * tall, text, anchor: "middle", ...look });
    });
  });
  for (const token of chosen && chosen.size === 1 ? chosen : []) {
    const { row, column, span } = places[token];
    const rim = { x: column * wide, y: row * tall + 0.5, w: span * wide, h: tall - 1, rx: 2 };
    items.push({ shape: "rect", ...rim, stroke: theme.ink, width: 2 });
  }
  const { name, id } = /** @type {ShownSample} */ (state.sample);
  const at = stepWords(view.steps[step]);
  const [title, desc] = view.circuit
    ? ["The module that reads every token most", "The text, each token on the colour of the module whose read-in is most on it; or, with a module chosen, what that one reads."]
    : ["The expert with most weight for every token at " + at, "The text, each token on the colour of the expert whose weight for it is the largest at " + at + "."]; // prettier-ignore
  const size = { width: Math.max(1, columns * wide), height: rows * tall };
  return { ...size, background: theme.surface, title: title + ": " + (name || id), desc, items };
}
