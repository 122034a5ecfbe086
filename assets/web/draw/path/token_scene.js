/* The path picture as a scene: layout in, drawable items out. Painted by a page's canvas, exported by draw/exports.js. */
import * as format from "rs/lib/format.js";
import { numberName, shortNames, sortOf, stepLabel } from "rs/lib/trace.js";
import { inkOn } from "rs/draw/colours.js";
import { footItems } from "rs/draw/marks.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { classLineItems, lineItems, secondaryItems } from "rs/draw/path/lines.js";
import { tokenItem } from "rs/draw/path/token_image.js";

/** @import { Item } from "rs/draw/types.d.ts" */
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

/** @param {TokenView} view @param {Layout} layout @param {Theme} theme @param {number} step */
function frameItems(view, layout, theme, step) {
  /** @type {Item[]} */
  const items = [];
  const { margin, height, columns, rows, compact } = layout;
  const measure = measureIn(theme.font);
  const half = Math.min(layout.columnGap * 0.46, 46);
  items.push({
    shape: "rect",
    x: columns[step] - half,
    y: margin.top - 26,
    w: 2 * half,
    h: height - margin.top - margin.bottom + 30,
    rx: 6,
    fill: theme.raised,
  });
  for (const y of rows) {
    items.push({
      shape: "path",
      d: "M" + columns[0] + "," + y + "H" + layout.end,
      stroke: theme.line,
      width: 1,
      dash: [1, 4],
    });
  }
  const among = view.steps.length > 1 ? every(layout.columnGap, STEP_NAME) : 1;
  const longest = 2 * LETTER * Math.max(...view.steps.map((name) => stepLabel(name).length));
  const coded = view.steps.length > 1 && longest > layout.columnGap * among; // names have no room: their codes stand
  view.steps.forEach((name, index) => {
    const current = index === step;
    const near = !current && among > 1 && Math.abs(index - step) < among;
    if (near || (!current && index % among)) return;
    items.push({
      shape: "text",
      x: columns[index],
      y: margin.top - 10,
      text: coded ? name : stepLabel(name),
      size: 12,
      weight: current ? 700 : 400,
      anchor: "middle",
      fill: current ? theme.ink : theme.dim,
    });
  });
  const word = "iteration"; // other steps are named one by one
  const first = LETTER * (coded ? view.steps[0] : stepLabel(view.steps[0])).length; // columns may be narrower than their names
  if (sortOf(view.steps) === word && (!compact || 4 + 2 * LETTER * word.length <= columns[0] - first))
    items.push({
      shape: "text",
      x: compact ? 4 : columns[0] - Math.max(half, first) - 6,
      y: margin.top - 10,
      text: word,
      size: 11,
      anchor: compact ? "start" : "end",
      fill: theme.dim,
    });
  const named = layout.rowGap < CROWDED ? every(layout.rowGap, CROWDED) : 1;
  view.units.forEach((name, unit) => {
    const state = view.state(unit);
    if (unit % named === 0)
      items.push({
        shape: "text",
        x: compact ? 4 : 14,
        y: rows[unit] + 4,
        text: fitted(name, margin.left - (compact ? 8 : 20), 13, measure, 650),
        size: 13,
        weight: 650,
        fill: state ? theme.dim : theme.ink,
      });
    const paints = compact ? [] : [...new Set(view.steps.map((_, at) => view.paint(at, unit)))];
    const tall = Math.min(16, layout.rowGap) / paints.length;
    paints.forEach((paint, at) =>
      items.push({
        shape: "rect",
        x: 4,
        y: rows[unit] - Math.min(8, layout.rowGap / 2) + at * tall,
        w: 4,
        h: tall,
        rx: named > 1 || paints.length > 1 ? 0 : 2,
        fill: theme.unit(paint),
        opacity: state ? 0.35 : 1,
      }),
    );
    const said = named > 1 ? null : compact && state ? state.slice(0, 4) : state; // "drop" and "mute" end before the tokens
    if (said) items.push({ shape: "text", x: 4, y: rows[unit] + 20, text: said, size: 10, fill: theme.dim });
  });
  if (rows.length > view.units.length) {
    items.push({
      shape: "text",
      x: 4,
      y: rows[rows.length - 1] + 4,
      text: compact ? "none" : "no match",
      size: 10,
      fill: theme.dim,
    });
  }
  return items;
}

/** @param {TokenView} view @param {Layout} layout @param {Theme} theme */
function dotItems(view, layout, theme) {
  /** @type {Item[]} */
  const items = [];
  for (const dot of layout.dots) {
    if (dot.unit < 0 && !dot.members.length) continue;
    if (layout.rowGap < CROWDED && !dot.members.length && dot.use < 0.001) continue; // of hundreds, those in use
    const colour = theme.unit(view.paint(dot.step, dot.unit));
    const away = dot.unit >= 0 && view.state(dot.unit, dot.step);
    if (!away) items.push({ shape: "circle", cx: dot.x, cy: dot.y, r: dot.r, fill: theme.surface });
    /** @type {Item} */
    const ring = {
      shape: "circle",
      cx: dot.x,
      cy: dot.y,
      r: dot.r,
      stroke: colour,
      width: 1.5,
      opacity: away ? 0.6 : 1,
      dash: away ? [2, 2] : undefined,
    };
    if (!away) items.push({ shape: "circle", cx: dot.x, cy: dot.y, r: dot.r, fill: colour, opacity: 0.2 });
    items.push(ring);
  }
  return items;
}

/**
 * @param {TokenView} view @param {Layout} layout @param {Theme} theme @param {number} step @returns {Item[]}
 */
function useItems(view, layout, theme, step) {
  const crowded = layout.rowGap < CROWDED;
  const below = (/** @type {Dot} */ dot) => Math.min(dot.y + dot.r + 12, dot.y + layout.rowGap / 2 - 1);
  const most = layout.dotOf
    .column(step)
    .filter((dot) => dot.unit >= 0 && dot.use >= (crowded ? CROWDED_USE : 0.005))
    .sort((one, other) => other.use - one.use);
  /** @type {number[]} */
  const taken = []; // by those that are used more
  return most
    .filter((dot) => {
      const free = !crowded || taken.every((y) => Math.abs(y - below(dot)) >= CROWDED);
      if (free) taken.push(below(dot));
      return free;
    })
    .map((dot) => ({
      shape: "text",
      x: dot.x,
      y: below(dot),
      text: percent(dot.use),
      size: 10.5,
      weight: 600,
      anchor: "middle",
      fill: theme.ink,
      halo: theme.raised,
    }));
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

/** @param {TokenView} view @param {Layout} layout @param {Theme} theme */
function endItems(view, layout, theme) {
  const names = layout.ends.map((end) => view.tokens[end.token].name.replace(/^cls:/, ""));
  const short = shortNames(names);
  return layout.ends.flatMap((end, at) => {
    const domain = names[at];
    const number = view.info.numbers.find((candidate) => candidate.domain === domain)?.value;
    const prediction = view.info.predictions.find((candidate) => candidate.domain === domain);
    if (layout.endGap < ONE_LINE || number !== undefined) {
      const answer =
        typeof number === "number" ? format.fixed(number, 2) : (prediction?.labels[prediction.label] ?? "");
      return lowEndItems(end, short[at], answer, layout, theme);
    }
    const x = end.x + 6;
    /** @type {Item[]} */
    const items = [{ shape: "circle", cx: end.x, cy: end.y, r: 3, fill: theme.ink }];
    if (layout.compact) {
      if (prediction)
        items.push({
          shape: "text",
          x,
          y: end.y + 4,
          text: format.labelName(prediction.labels, view.candidate === null ? prediction.label : view.candidate - 1),
          size: 12,
          weight: 700,
          fill: theme.ink,
        });
      return items;
    }
    const name = fitted(domain, layout.width - x, 11, measureIn(theme.font));
    items.push({ shape: "text", x, y: end.y - 2, text: name, size: 11, fill: theme.dim });
    if (prediction) {
      const label = view.candidate === null ? prediction.label : view.candidate - 1;
      const share = prediction.probabilities[label];
      items.push({
        shape: "text",
        x,
        y: end.y + 12,
        text: format.labelName(prediction.labels, label) + "  " + format.probability(share),
        size: 12,
        weight: 700,
        fill: theme.ink,
      });
    }
    return items;
  });
}

/**
 * The end of a line where there is one line of words for it, or where the head answers with a number: name and answer.
 *
 * @param {Layout["ends"][number]} end @param {string} name @param {string} said @param {Layout} layout
 * @param {Theme} theme @returns {Item[]}
 */
function lowEndItems({ x, y }, name, said, layout, theme) {
  const size = Math.max(7.5, Math.min(layout.compact ? 8.5 : 11.5, layout.endGap - 2));
  const text = /** @type {const} */ ({ shape: "text", y: y + 0.35 * size, size });
  /** @type {Item[]} */
  const items = [{ shape: "circle", cx: x, cy: y, r: Math.min(3, layout.endGap / 3), fill: theme.ink }];
  const measure = measureIn(theme.font);
  const all = layout.width - 2 - (x + 6);
  const answer = fitted(said, 0.6 * all, size, measure, 700);
  const room = all - (answer ? measure(answer, size, 700) + 6 : 0);
  items.push({ ...text, x: x + 6, text: fitted(name, room, size, measure), fill: theme.dim });
  if (answer) items.push({ ...text, x: layout.width - 2, anchor: "end", text: answer, weight: 700, fill: theme.ink });
  return items;
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
  return {
    frame: [...frameItems(view, layout, theme, step), ...dotItems(view, layout, theme)],
    overlay: [
      ...stripItems(view, layout, theme, picture),
      ...endItems(view, layout, theme),
      ...useItems(view, layout, theme, step),
      ...footOf(layout, theme, caption),
    ],
  };
}
