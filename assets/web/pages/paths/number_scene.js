/* Numbers as a scene: a bar each from 0 to 1, in the colour of the function that its token is most compatible with. */
import { bands, bar, chart, text } from "rs/draw/marks.js";
import { fixed } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { numberName, stepWords } from "rs/lib/trace.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { ShownSample, TokenState } from "rs/pages/paths/types.d.ts" */

const TALL = 150; // pixels of the picture
const [TOP, BOTTOM] = [22, 34]; // of it above and below the bars
const WIDEST = 64; // pixels of a bar

/** @param {TokenState} state @param {number} width */
export function sceneOfNumbers(state, width) {
  const theme = readTheme();
  const { view, step, opacity } = state;
  const { name, id, point } = /** @type {ShownSample} */ (state.sample);
  const pointed = state.hover || state.pinned;
  const highlighted = pointed && paths.highlighted(view);
  const chosen = highlighted && new Set(highlighted);
  const tokens = view.numbers.map((token, at) => {
    const unit = view.dominant(step, token);
    const away = chosen && !chosen.has(token);
    const said = unit < 0 ? "none" : view.nameAt(step, unit);
    return { token, said, value: point?.values[at], faint: away ? 0.25 : 1, dim: away ? 0.5 : 1, paint: theme.unit(view.paint(step, unit)) }; // prettier-ignore
  });
  const slots = bands(tokens.map(({ said }) => said), [0, width]); // prettier-ignore
  const half = Math.min(WIDEST, slots.step - 8) / 2;
  const foot = TALL - BOTTOM;
  const middle = (/** @type {unknown} */ _, /** @type {number} */ at) => slots(at);
  const across = (/** @type {unknown} */ _, /** @type {number} */ at) => [slots(at) - half, slots(at) + half];
  const filled = { x: across, y: (/** @type {typeof tokens[number]} */ { value = 1 }) => [foot - Math.max(1, (foot - TOP) * value), foot] }; // prettier-ignore
  const words = { x: middle, down: 0, anchor: /** @type {const} */ ("middle"), opacity: (/** @type {typeof tokens[number]} */ { dim }) => dim }; // prettier-ignore
  const at = stepWords(view.steps[step]);
  return chart({
    width,
    height: TALL,
    title: "Dominant function of every number at " + at + ": " + (name || id),
    desc: "A bar for each number, in the colour of the function that it is most compatible with at " + at + ".",
    marks: [
      bar(tokens, { x: across, y: [TOP, foot], fill: "raised" }),
      bar(tokens, { ...filled, fill: ({ paint }) => paint, opacity: ({ faint }) => faint * Math.max(0.15, opacity) }),
      bar(tokens, { ...filled, stroke: ({ paint }) => paint, width: 1.5, opacity: ({ faint }) => faint }),
      bar(tokens, { x: across, y: ({ token }) => (chosen?.has(token) ? [TOP, foot] : null), stroke: "ink", width: 2, rx: 2 }),
      text(tokens, { ...words, y: TOP - 7, text: ({ value }) => (value === undefined ? "" : fixed(value, 2)), size: 11.5, fill: "dim" }),
      text(tokens, { ...words, y: foot + 14, text: ({ token }) => numberName(view.tokens[token].name), size: 13, weight: 650 }),
      text(tokens, { ...words, y: foot + 29, text: ({ said }) => said, size: 10.5, fill: "dim", room: slots.step - 4 }),
    ],
  }); // prettier-ignore
}
