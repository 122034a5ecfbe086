/* The difference of two paths of tokens as a scene: columns are steps and rows functions, as in the path; in each cell
   the tokens lie as in the sample, coloured by how much more or less of them goes through the function. */
import { mix, signed } from "rs/draw/colours.js";
import { bands, bar, itemsOf, legend, text, widest } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { fixed, signed as signedNumber } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { sortOf, stepLabel } from "rs/lib/trace.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { TokenDifference } from "rs/pages/paths/compare/difference.js" */

/** @typedef {ReturnType<typeof layOut>} GridLayout */

const SCALES = [0.05, 0.1, 0.2, 0.5, 1]; // changes that are drawn in the full colour
const [SMALLEST, LARGEST] = [2.5, 18]; // pixels of a token
const FRAMED = 6; // pixels of a token from which on it is framed where another function takes it

/** Where every token lies in a cell, counted in tokens: patches as in the sample, the others beside them. @param {TokenDifference} difference */
function placesOf({ b, tokens }) {
  const { rows = 0, columns = 0 } = b.patches.length ? b.info.grid : {};
  const others = tokens.length - b.patches.length;
  const tall = rows || Math.ceil(Math.sqrt(others));
  const beside = columns ? columns + 0.5 : 0;
  let at = -1;
  const places = tokens.map(({ kind, row, column }) => {
    if (kind === "patch" || kind === "panel") return { x: column ?? 0, y: row ?? 0 };
    at += 1;
    return { x: beside + Math.floor(at / tall), y: at % tall };
  });
  return { places, wide: others ? beside + Math.ceil(others / tall) : columns, tall };
}

/** @param {TokenDifference} difference @param {number} width @param {boolean} captioned whether a line below says what is compared */
export function layOut(difference, width, captioned) {
  const { steps, units } = difference;
  const compact = width < 620;
  const { places, wide, tall } = placesOf(difference);
  const [least, beside] = compact ? [30, 12] : [58, 24];
  const left = Math.max(least, Math.min(0.24 * width, widest(units, 13, 650) + beside));
  const pitch = Math.max((width - left - 6) / steps.length, wide * SMALLEST + 4);
  const size = Math.max(SMALLEST, Math.min(LARGEST, (0.86 * pitch) / wide));
  const [across, down] = [size * wide, size * tall];
  const gap = compact ? 9 : 14;
  const top = 34;
  const foot = keysOf(difference, { compact, left, size, width }, 22).bottom + (captioned ? 34 : 12);
  const height = top + units.length * (down + gap) + foot;
  const corner = (/** @type {number} */ step, /** @type {number} */ unit) => ({
    x: left + pitch * (step + 0.5) - across / 2,
    y: top + unit * (down + gap) + gap / 2,
  });
  return { compact, width: left + pitch * steps.length + 6, height, left, top, pitch, size, across, down, gap, foot, places, corner }; // prettier-ignore
}

/** The change that has the full colour. @param {Pick<TokenDifference, "largest">} difference */
export const scaleOf = ({ largest }) => SCALES.find((scale) => Math.abs(largest?.change ?? 0) <= scale) ?? 1;

/** @param {number} change @param {number} scale @param {Theme} theme */
function paintOf(change, scale, theme) {
  const { gained, lost } = signed(theme);
  const share = Math.min(1, Math.abs(change) / scale);
  return mix(theme.surface, change > 0 ? gained : lost, share ** 0.6); // small changes are seen too
}

/** @type {(difference: TokenDifference, layout: GridLayout, theme: Theme, step: number) => Item[]} */
function frameItems({ steps, units, b }, layout, theme, step) {
  const measure = measureIn(theme.font);
  const { compact, left, top, pitch, height, foot, down, gap } = layout;
  /** @type {Item[]} */
  const items = [];
  if (step < steps.length)
    items.push({
      shape: "rect", x: left + step * pitch + 1, y: top - 26, w: pitch - 2, h: height - top - foot + 28, rx: 6, fill: theme.raised,
    }); // prettier-ignore
  const text = /** @type {const} */ ({ shape: "text", y: top - 10, fill: theme.dim });
  if (!compact && sortOf(steps) === "iteration")
    items.push({ ...text, x: left, text: "iteration", size: 11, anchor: "end" });
  steps.forEach((name, at) => {
    const own = at === step ? { weight: 700, fill: theme.ink } : {};
    items.push({ ...text, x: left + pitch * (at + 0.5), text: stepLabel(name), size: 12, anchor: "middle", ...own });
  });
  units.forEach((name, unit) => {
    const y = top + unit * (down + gap) + gap / 2 + down / 2;
    if (!compact) items.push({ shape: "rect", x: 4, y: y - 8, w: 4, h: 16, rx: 2, fill: theme.unit(b.paint(0, unit)) });
    const look = { size: 13, weight: 650, fill: b.state(unit) ? theme.dim : theme.ink };
    const shown = fitted(name, left - (compact ? 8 : 20), 13, measure, 650);
    items.push({ shape: "text", x: compact ? 4 : 14, y: y + 4, text: shown, ...look });
  });
  return items;
}

/**
 * One square for every token: its colour is the change, its frame says that another function takes it.
 *
 * @param {TokenDifference} difference
 * @param {GridLayout} layout
 * @param {Theme} theme
 * @param {Set<number> | null} chosen tokens beside which the others are faint
 */
function tokenItems({ a, b, steps, units, tokens, change, rerouted, largest }, layout, theme, chosen) {
  const { size, places, corner } = layout;
  const scale = scaleOf({ largest });
  const [U, T] = [units.length, tokens.length];
  const marked = (/** @type {number} */ token) => chosen?.size === 1 && chosen.has(token);
  /** @type {Item[]} */
  const frames = [];
  const items = steps.flatMap((_, step) =>
    units.flatMap((__, unit) => {
      const { x, y } = corner(step, unit);
      return tokens.map((___, token) => {
        const place = { x: x + size * places[token].x, y: y + size * places[token].y, w: size - 0.6, h: size - 0.6 };
        const opacity = !chosen || chosen.has(token) ? 1 : 0.35;
        const taken = [a, b].map((view) => view.dominant(step, token) === unit);
        if (size >= FRAMED && rerouted[step * T + token] && (taken[0] || taken[1])) {
          const inner = { x: place.x + 0.8, y: place.y + 0.8, w: place.w - 1.6, h: place.h - 1.6 };
          const dash = taken[1] ? undefined : [2, 2];
          frames.push({ shape: "rect", ...inner, stroke: theme.ink, width: 1.4, dash, opacity });
        }
        if (marked(token)) frames.push({ shape: "rect", ...place, stroke: theme.ink, width: 2 });
        const fill = paintOf(change[(step * U + unit) * T + token], scale, theme);
        return /** @type {Item} */ ({ shape: "rect", ...place, fill, stroke: theme.hair, width: 0.6, opacity });
      });
    }),
  );
  return [...items, ...frames];
}

/**
 * What colours and frames mean, in as many lines as there is need for.
 *
 * @param {TokenDifference} difference
 * @param {{compact: boolean, left: number, size: number, width: number}} layout
 * @param {number} y of the first line
 */
function keysOf(difference, { compact, left, size, width }, y) {
  const scale = scaleOf(difference);
  const digits = scale < 0.1 ? 2 : 1;
  const none = /** @type {const} */ ("none");
  const place = { x: compact ? 4 : left, y, size: 10.5 };
  const least = legend([{ text: fixed(-scale, digits), key: none }], { ...place, width: Infinity });
  const shares = [-1, -0.5, -0.1, 0, 0.1, 0.5, 1];
  const x = bands(shares.map(String), [least.end + 6, least.end + 6 + 17 * shares.length], 1);
  const most = legend([{ text: signedNumber(scale, digits), key: none }], { ...place, x: x.range[1] + 6, width: Infinity });
  const frame = { key: /** @type {const} */ ("bar"), stroke: "ink", width: 1.4 };
  const frames = [{ ...frame, text: "went through it in A", dash: [2, 2] }, { ...frame, text: "goes through it in B instead" }];
  const words = [{ text: "compatibility in B against A", key: none }, ...(size < FRAMED ? [] : frames)];
  const alone = legend(words, { ...place, x: most.end + 8, width: Infinity });
  const said = alone.end <= width ? alone : legend(words, { ...place, y: y + 18, width });
  const colours = bar(shares, { x: (_, at) => x.extent(at), y: [y - 5, y + 5], fill: (share) => paintOf(share * scale, scale, readTheme()), stroke: "line", width: 0.6 });
  return { marks: [least.marks, colours, most.marks, said.marks], bottom: (said === alone ? y : y + 18) + said.height - 18 };
} // prettier-ignore

/** @param {TokenDifference} difference @param {GridLayout} layout @param {Theme} theme @param {string} caption */
function footOf(difference, layout, theme, caption) {
  const { compact, left, height, foot, width } = layout;
  const x = compact ? 4 : left;
  const said = text(caption ? [caption] : [], { x, y: height - 10, down: 0, size: 10.5, fill: "dim", room: width - x });
  return itemsOf([keysOf(difference, layout, height - foot + 22).marks, said], theme).items;
}

/** @type {(difference: TokenDifference, layout: GridLayout, theme: Theme, shown: {step: number, tokens: number[] | null, caption: string}) => Scene} */
export function sceneOf(difference, layout, theme, { step, tokens, caption }) {
  const chosen = tokens && new Set(tokens);
  return {
    width: layout.width,
    height: layout.height,
    background: theme.surface,
    title: "Difference of two paths: " + caption,
    desc:
      "Columns are steps, rows functions; in each cell the tokens lie as in the sample. Colours: the compatibility of a " +
      "token with the function in B minus that in A. Frames: another function takes the token most.",
    items: [
      ...frameItems(difference, layout, theme, step),
      ...tokenItems(difference, layout, theme, chosen),
      ...footOf(difference, layout, theme, caption),
    ],
  };
}

/** The token, function and step at a place. @param {TokenDifference} difference @param {GridLayout} layout @param {number} x @param {number} y */
export function targetAt({ steps, units }, layout, x, y) {
  const { left, top, pitch, down, gap, size, places, corner } = layout;
  const [step, unit] = [Math.floor((x - left) / pitch), Math.floor((y - top) / (down + gap))];
  if (step < 0 || step >= steps.length || unit < 0 || unit >= units.length) return null;
  const at = corner(step, unit);
  const token = places.findIndex((place) => {
    const [dx, dy] = [x - at.x - size * place.x, y - at.y - size * place.y];
    return dx >= 0 && dx < size && dy >= 0 && dy < size;
  });
  return token < 0 ? null : { step, unit, token };
}
