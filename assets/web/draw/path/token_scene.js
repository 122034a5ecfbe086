/* The path picture as a scene: layout in, drawable items out. Painted by a page's canvas, exported by draw/exports.js. */
import * as format from "rs/lib/format.js";
import { numberName, shortNames, sortOf, stepLabel } from "rs/lib/trace.js";
import { inkOn } from "rs/draw/colours.js";
import { bar, dot, footItems, itemsOf, rule, text } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { classLineItems, lineItems, secondaryItems } from "rs/draw/path/lines.js";
import { tokenItem } from "rs/draw/path/token_image.js";

/** @import { Item, Marks } from "rs/draw/types.d.ts" */
/** @import { Picture, Theme } from "rs/lib/types.d.ts" */
/** @import { Layout } from "rs/draw/path/geometry.js" */
/** @import { TokenParts } from "rs/draw/path/token_picture.js" */
/** @import { Dot, Layers, TokenView } from "rs/draw/path/types.d.ts" */

const CROWDED = 13; // pixels between rows below which not every one is named
const CROWDED_USE = 0.08; // share from which on a dot says how much it is used where rows are crowded
const LEGIBLE = 8; // pixels of a token from which on its name is written in it
const ONE_LINE = 24; // pixels between ends of lines below which there is one line of words for each
const STEP_NAME = 52; // pixels that the name of a step takes
const LETTER = 3.6; // half the width of a letter of a step's name, about

/**
 * Which of many names have room: every so many, from the first on.
 *
 * @param {number} gap pixels between them @param {number} needed
 */
const every = (gap, needed) => Math.max(1, Math.ceil(needed / Math.max(gap, 0.1)));

/** @param {number} value */
const percent = (value) => Math.round(value * 100) + " %";

/**
 * Names of steps and units around the lines.
 *
 * @param {TokenView} view @param {Layout} layout @param {Theme} theme @param {number} step
 */
function frameMarks(view, layout, theme, step) {
  const { margin, height, columns, rows, rowGap, compact } = layout;
  const half = Math.min(layout.columnGap * 0.46, 46);
  const among = view.steps.length > 1 ? every(layout.columnGap, STEP_NAME) : 1;
  const longest = 2 * LETTER * Math.max(...view.steps.map((name) => stepLabel(name).length));
  const coded = view.steps.length > 1 && longest > layout.columnGap * among; // names have no room: their codes stand
  const steps = view.steps
    .map((name, index) => ({ name: coded ? name : stepLabel(name), index, current: index === step }))
    .filter(({ index, current }) => current || (index % among === 0 && (among === 1 || Math.abs(index - step) >= among)));
  const word = "iteration"; // other steps are named one by one
  const first = LETTER * (coded ? view.steps[0] : stepLabel(view.steps[0])).length; // columns may be narrower than their names
  const fits = sortOf(view.steps) === word && (!compact || 4 + 2 * LETTER * word.length <= columns[0] - first);
  const named = rowGap < CROWDED ? every(rowGap, CROWDED) : 1;
  const units = view.units.map((name, unit) => ({ name, unit, state: view.state(unit), y: rows[unit] }));
  const stripes = units.flatMap(({ unit, state, y }) => {
    const paints = compact ? [] : [...new Set(view.steps.map((_, at) => view.paint(at, unit)))];
    const [top, tall] = [y - Math.min(8, rowGap / 2), Math.min(16, rowGap) / paints.length];
    const rx = named > 1 || paints.length > 1 ? 0 : 2;
    return paints.map((paint, at) => ({ paint, state, rx, ends: [top + at * tall, top + (at + 1) * tall] }));
  });
  const changed = named > 1 ? [] : units.flatMap(({ state, y }) => (state ? [{ state, y }] : []));
  const unmatched = rows.length > view.units.length ? [compact ? "none" : "no match"] : [];
  const edge = { x: 4, down: 0, size: 10, fill: "dim" };
  return [
    bar([0], { x: [columns[step] - half, columns[step] + half], y: [margin.top - 26, height - margin.bottom + 4], rx: 6, fill: "raised" }),
    rule(rows, { x: [columns[0], layout.end], y: (y) => y, stroke: "line", dash: [1, 4] }),
    text(steps, { x: ({ index }) => columns[index], y: margin.top - 10, down: 0, text: ({ name }) => name, weight: ({ current }) => (current ? 700 : 400), anchor: "middle", fill: ({ current }) => (current ? "ink" : "dim") }),
    text(fits ? [word] : [], { x: compact ? 4 : columns[0] - Math.max(half, first) - 6, y: margin.top - 10, down: 0, size: 11, anchor: compact ? "start" : "end", fill: "dim" }),
    text(units.filter(({ unit }) => unit % named === 0), { x: compact ? 4 : 14, y: ({ y }) => y + 4, down: 0, text: ({ name }) => name, size: 13, weight: 650, room: margin.left - (compact ? 8 : 20), fill: ({ state }) => (state ? "dim" : "ink") }),
    bar(stripes, { x: [4, 8], y: ({ ends }) => ends, rx: ({ rx }) => rx, fill: ({ paint }) => theme.unit(paint), opacity: ({ state }) => (state ? 0.35 : 1) }),
    text(changed, { ...edge, y: ({ y }) => y + 20, text: ({ state }) => (compact ? state.slice(0, 4) : state) }), // "drop" and "mute" end before the tokens
    text(unmatched, { ...edge, y: rows[rows.length - 1] + 4 }),
  ];
} // prettier-ignore

/** @param {TokenView} view @param {Layout} layout @param {Theme} theme */
function dotMarks(view, layout, theme) {
  const inUse = (/** @type {Dot} */ { unit, members, use }) =>
    members.length || (unit >= 0 && (layout.rowGap >= CROWDED || use >= 0.001)); // of hundreds, those in use
  const dots = layout.dots.filter(inUse).map(({ step, unit, x, y, r }) => {
    const away = unit >= 0 && Boolean(view.state(unit, step));
    return { x, y, r, away, colour: theme.unit(view.paint(step, unit)) };
  });
  /** @typedef {typeof dots[number]} Disc */
  const at = {
    x: (/** @type {Disc} */ { x }) => x,
    y: (/** @type {Disc} */ { y }) => y,
    r: (/** @type {Disc} */ { r }) => r,
  };
  const colour = (/** @type {Disc} */ disc) => disc.colour;
  const there = dots.filter(({ away }) => !away);
  return [
    dot(there, { ...at, fill: "surface" }),
    dot(there, { ...at, fill: colour, opacity: 0.2 }),
    dot(dots, { ...at, stroke: colour, width: 1.5, opacity: ({ away }) => (away ? 0.6 : 1), dash: ({ away }) => (away ? [2, 2] : undefined) }), // prettier-ignore
  ];
}

/** How much each unit is used at a step, where there is room for it. @param {Layout} layout @param {number} step */
function useMarks(layout, step) {
  const crowded = layout.rowGap < CROWDED;
  const below = (/** @type {Dot} */ { y, r }) => Math.min(y + r + 12, y + layout.rowGap / 2 - 1);
  const most = layout.dotOf
    .column(step)
    .filter(({ unit, use }) => unit >= 0 && use >= (crowded ? CROWDED_USE : 0.005))
    .sort((one, other) => other.use - one.use);
  /** @type {number[]} */
  const taken = []; // by those that are used more
  const free = most.filter((dot) => {
    const is = !crowded || taken.every((y) => Math.abs(y - below(dot)) >= CROWDED);
    if (is) taken.push(below(dot));
    return is;
  });
  return text(free, { x: ({ x }) => x, y: below, down: 0, text: ({ use }) => percent(use), size: 10.5, weight: 600, anchor: "middle", halo: "raised" }); // prettier-ignore
}

/**
 * @param {TokenView} view @param {Layout} layout @param {Theme} theme @param {Picture | null} picture @returns {Item[]}
 */
function stripItems(view, layout, theme, picture) {
  const grid = view.info.grid;
  return view.tokens.flatMap((token, index) => {
    const { x, y, size } = layout.entries[index];
    const left = x + layout.strip.width - size;
    const side = { x: left, y: y - size / 2, w: size, h: size };
    if (token.kind === "text") return { shape: "rect", ...side, h: Math.max(0.8, size * 0.7), fill: theme.dim };
    if (token.kind === "cls") {
      const r = Math.max(2, size / 2);
      const cx = x + layout.strip.width - r;
      return {
        shape: "path",
        d: `M${cx - r},${y}L${cx},${y - r}L${cx + r},${y}L${cx},${y + r}Z`,
        fill: theme.ink,
      };
    }
    const item = tokenItem(token, { picture, grid, theme }, side);
    if (token.kind !== "number" || size < LEGIBLE) return item;
    const text = { x: left + size / 2, y: y + 0.32 * size, text: numberName(token.name), size: 0.9 * size };
    return [
      item,
      { shape: "text", ...text, weight: 700, anchor: "middle", fill: inkOn(theme.unmatched, theme.surface) },
    ];
  });
}

/** The answers of the heads. @param {TokenView} view @param {Layout} layout @param {Theme} theme @returns {Marks} */
function endMarks(view, layout, theme) {
  const names = layout.ends.map((end) => view.tokens[end.token].name.replace(/^cls:/, ""));
  const short = shortNames(names);
  return layout.ends.map((end, at) => {
    const domain = names[at];
    const number = view.info.numbers.find((candidate) => candidate.domain === domain)?.value;
    const prediction = view.info.predictions.find((candidate) => candidate.domain === domain);
    if (layout.endGap < ONE_LINE || number !== undefined) {
      const answer =
        typeof number === "number" ? format.fixed(number, 2) : (prediction?.labels[prediction.label] ?? "");
      return lowEndMarks(end, short[at], answer, layout, theme);
    }
    const x = end.x + 6;
    const label = prediction && (view.candidate === null ? prediction.label : view.candidate - 1);
    const said = prediction && label !== undefined ? [format.labelName(prediction.labels, label)] : [];
    const share = prediction && label !== undefined ? format.probability(prediction.probabilities[label]) : "";
    const disc = dot([end], { x: end.x, y: end.y, r: 3, fill: "ink" });
    if (layout.compact) return [disc, text(said, { x, y: end.y + 4, down: 0, weight: 700 })];
    return [
      disc,
      text([domain], { x, y: end.y - 2, down: 0, size: 11, fill: "dim", room: layout.width - x }),
      text(said, { x, y: end.y + 12, down: 0, text: (words) => words + "  " + share, weight: 700 }),
    ];
  });
}

/**
 * The end of a line where there is one line of words for it, or where the head answers with a number: name and answer.
 *
 * @param {Layout["ends"][number]} end @param {string} name @param {string} said @param {Layout} layout @param {Theme} theme
 * @returns {Marks}
 */
function lowEndMarks({ x, y }, name, said, layout, theme) {
  const size = Math.max(7.5, Math.min(layout.compact ? 8.5 : 11.5, layout.endGap - 2));
  const measure = measureIn(theme.font);
  const all = layout.width - 2 - (x + 6);
  const answer = fitted(said, 0.6 * all, size, measure, 700);
  const room = all - (answer ? measure(answer, size, 700) + 6 : 0);
  return [
    dot([0], { x, y, r: Math.min(3, layout.endGap / 3), fill: "ink" }),
    text([name], { x: x + 6, y, size, fill: "dim", room }),
    text(answer ? [answer] : [], { x: layout.width - 2, y, size, anchor: "end", weight: 700 }),
  ];
}

/**
 * Below the picture: the scale of widths, and what the picture shows, so that a copy of it says so too.
 *
 * @param {Layout} layout @param {Theme} theme @param {string} caption
 */
function footOf(layout, theme, caption) {
  const widths = (layout.compact ? [0.5, 1] : [0.25, 0.5, 1]).map((value) => ({
    text: String(value),
    stroke: "dim",
    width: Math.max(0.6, value * layout.fullWidth),
  }));
  const radius = (/** @type {number} */ value) => layout.radius * Math.sqrt(value);
  const areas = layout.width > 780 ? [0.25, 0.1, 0.05, 0.02].filter((value) => radius(value) <= 11).slice(0, 1) : [];
  const discs = areas.map((value) => ({ text: percent(value), key: /** @type {const} */ ("dot"), r: radius(value), stroke: "dim", width: 1.2 })); // prettier-ignore
  const named = (/** @type {string} */ words) => ({ text: words, key: /** @type {const} */ ("none") });
  const keys = [named("width: compatibility"), ...widths, ...(discs.length ? [named("area: mean compatibility")] : []), ...discs]; // prettier-ignore
  const x = layout.compact ? 4 : 14;
  return footItems(keys, layout.compact ? "" : caption, { x, y: layout.height - 12, right: layout.width - 8 }, theme);
}

/** Every line of the picture: what costs most to draw, and does not change with the step. @param {TokenParts} parts */
export function ribbonItems({ view, layout, theme, threshold, ghosts }) {
  return [
    ...ghosts,
    ...secondaryItems(view, layout, theme, threshold),
    ...view.tokens.flatMap(({ kind }, token) =>
      kind === "cls" ? [] : lineItems(layout, theme, token, { opacity: 0.86 }),
    ),
    ...view.classTokens.flatMap((token) => classLineItems(layout, theme, token)),
  ];
}

/**
 * What lies under the lines and what lies over them, for a step.
 *
 * @param {TokenParts} parts @param {number} step @returns {Layers}
 */
export function surroundings({ view, layout, theme, picture, caption }, step) {
  const over = itemsOf([endMarks(view, layout, theme), useMarks(layout, step)], theme).items;
  return {
    frame: itemsOf([frameMarks(view, layout, theme, step), dotMarks(view, layout, theme)], theme).items,
    overlay: [...stripItems(view, layout, theme, picture), ...over, ...footOf(layout, theme, caption)],
  };
}
