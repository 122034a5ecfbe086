/* Numbers as a scene: a bar each from 0 to 1, in the colour of the function that its token is most compatible with. */
import { fixed } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { numberName, stepName } from "rs/lib/trace.js";
import * as paths from "rs/pages/paths/state.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { ShownSample, TokenState } from "rs/pages/paths/types.d.ts" */

const TALL = 150; // pixels of the picture
const [TOP, BOTTOM] = [22, 34]; // of it above and below the bars
const WIDEST = 64; // pixels of a bar

/**
 * @param {TokenState} state
 * @param {number} width
 * @returns {Scene}
 */
export function sceneOfNumbers(state, width) {
  const theme = readTheme();
  const { view, step, opacity } = state;
  const { name, id, point } = /** @type {ShownSample} */ (state.sample);
  const pointed = state.hover || state.pinned;
  const highlighted = pointed && paths.highlighted(view);
  const chosen = highlighted && new Set(highlighted);
  const slot = width / view.numbers.length;
  const wide = Math.min(WIDEST, slot - 8);
  const foot = TALL - BOTTOM;
  /** @type {Item[]} */
  const items = [];
  view.numbers.forEach((token, at) => {
    const unit = view.dominant(step, token);
    const value = point?.values[at];
    const away = chosen && !chosen.has(token);
    const [x, tall] = [slot * (at + 0.5), (foot - TOP) * (value ?? 1)];
    const track = { x: x - wide / 2, y: TOP, w: wide, h: foot - TOP };
    const [faint, paint] = [away ? 0.25 : 1, theme.unit(view.paint(step, unit))];
    items.push({ shape: "rect", ...track, fill: theme.raised });
    const bar = { ...track, y: foot - tall, h: Math.max(1, tall) };
    items.push({ shape: "rect", ...bar, fill: paint, opacity: faint * Math.max(0.15, opacity) });
    items.push({ shape: "rect", ...bar, stroke: paint, width: 1.5, opacity: faint });
    if (chosen?.has(token)) items.push({ shape: "rect", ...track, stroke: theme.ink, width: 2, rx: 2 });
    const text = /** @type {const} */ ({ shape: "text", x, anchor: "middle", opacity: away ? 0.5 : 1 });
    if (value !== undefined) items.push({ ...text, y: TOP - 7, text: fixed(value, 2), size: 11.5, fill: theme.dim });
    items.push({
      ...text,
      y: foot + 14,
      text: numberName(view.tokens[token].name),
      size: 13,
      weight: 650,
      fill: theme.ink,
    });
    const said = unit < 0 ? "none" : view.nameAt(step, unit);
    items.push({ ...text, y: foot + 29, text: said, size: 10.5, fill: theme.dim });
  });
  const at = stepName(view.steps[step]);
  return {
    width,
    height: TALL,
    background: theme.surface,
    title: "Dominant function of every number at " + at + ": " + (name || id),
    desc: "A bar for each number, in the colour of the function that it is most compatible with at " + at + ".",
    items,
  };
}
