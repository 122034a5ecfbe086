/* Marks draw charts. Marks over scales make a scene (draw/scene.js), so that canvas, SVG and PNG show the same picture.

     const x = linear([0, 1], [80, 400], { named: percent });
     const y = stacked(rows, { top: 8, step: 22 });
     chart({ width: 480, height: y.end + 22, title, desc, marks: [
       axisX(x, [8, y.end]),
       text(rows, { x: 72, y, text: (row) => row.name, anchor: "end", room: 64 }),
       whisker(rows, { x: (row) => [x(row.low), x(row.high)], y, stroke: "accent" }),
       dot(rows, { x: (row) => x(row.value), y, fill: "accent", words: (row) => row.title }),
     ] });

   A channel is a value, or a function of a row and its index. `x` and `y` are pixels, or two of them for what has an extent.
   A row without a known place gets no mark. Colours are names of the theme ("ink", "accent") or CSS colours.
   `words` are said under the pointer (spots); a text that is cut to its `room` says all of itself. */
import { fitted, measureIn, wrapped } from "rs/draw/publish/caption.js";
import { moved } from "rs/draw/scene.js";
import { fixed } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { area, line as lineThrough } from "rs/vendor/d3-shape.js";

/** @import { Channels, Chart, Drawn, Look, Marks, Paint, Pixels, Scale, Spot, Values } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

const NEAR = 7; // pixels from the middle of a mark to where its words are said

/* -- scales ----------------------------------------------------------------------------------------------------- */

/**
 * Round numbers along an axis: from below to above the domain where it may grow (`round`), else within it.
 *
 * @param {number} low @param {number} high @param {number} most @param {boolean} round
 */
function roundNumbers(low, high, most, round) {
  const least = Math.floor(Math.log10((high - low) / most)) - 1;
  /** @type {number[]} */
  let ticks = [];
  for (let at = 0; at < 9; at += 1) {
    const step = [1, 2, 5][at % 3] * 10 ** (least + Math.floor(at / 3));
    const [from, to] = [low / step, high / step];
    const first = round ? Math.floor(from + 1e-9) : Math.ceil(from - 1e-9);
    const last = round ? Math.ceil(to - 1e-9) : Math.floor(to + 1e-9);
    if (last <= first) break;
    ticks = Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
    if (ticks.length <= most + (round ? 1 : 0)) break;
  }
  return ticks;
}

/**
 * A scale from numbers to pixels. Without `ticks` these are steps of 1, 2 or 5 times a power of ten, about `most` of them,
 * and the domain grows to the next ones.
 *
 * @param {number[]} domain two numbers
 * @param {[number, number]} range
 * @param {{most?: number, ticks?: number[], named?: (value: number) => string, round?: boolean}} [options]
 *   round: whether the domain may grow
 * @returns {Scale}
 */
export function linear([from, to], range, { most = 5, ticks, named, round = !ticks } = {}) {
  const end = from === to ? to + (Math.abs(to) || 1) : to;
  const own = ticks ?? roundNumbers(from, end, most, round);
  const [low, high] = round ? [own[0], own[own.length - 1]] : [from, end];
  const decimals = ticks ? 2 : Math.max(0, -Math.floor(Math.log10(own[1] - own[0]) + 1e-9));
  const at = (/** @type {number | null | undefined} */ value) =>
    range[0] + (((value ?? NaN) - low) / (high - low)) * (range[1] - range[0]);
  const written = (/** @type {number} */ value) => (value ? fixed(value, decimals) : "0");
  return Object.assign(at, { ticks: own, named: named ?? written, range });
}

/**
 * A scale from places in a list to the middles of equal steps; `extent` of a place is from where to where its step goes,
 * less `gap` pixels.
 *
 * @param {string[]} names @param {[number, number]} range
 */
export function bands(names, range, gap = 0) {
  const step = (range[1] - range[0]) / Math.max(1, names.length);
  const at = (/** @type {number | null | undefined} */ place) =>
    place === null || place === undefined ? NaN : range[0] + (place + 0.5) * step;
  const half = (Math.abs(step) - gap) / 2;
  return Object.assign(at, {
    ticks: names.map((_, place) => place),
    named: (/** @type {number} */ place) => names[place],
    range,
    step: Math.abs(step),
    extent: (/** @type {number} */ place) => /** @type {[number, number]} */ ([at(place) - half, at(place) + half]),
  });
}

/**
 * The middle of each row of a list, with a heading above the first row of each group: a channel with `end`, where the last
 * row ends, and `headings` as rows for `text`.
 *
 * @template Row
 * @param {Row[]} rows
 * @param {{top: number, step: number, group?: (row: Row) => string | undefined}} layout
 */
export function stacked(rows, { top, step, group = () => undefined }) {
  /** @type {{name: string, y: number}[]} */
  const headings = [];
  /** @type {Map<Row, number>} */
  const middles = new Map();
  let last = "";
  for (const row of rows) {
    const name = group(row) ?? "";
    if (name && name !== last) headings.push({ name, y: top + step * (middles.size + headings.length + 0.5) });
    last = name;
    middles.set(row, top + step * (middles.size + headings.length + 0.5));
  }
  const at = (/** @type {Row} */ row) => middles.get(row) ?? NaN;
  return Object.assign(at, { headings, end: top + step * (middles.size + headings.length) });
}

/* -- texts ------------------------------------------------------------------------------------------------------ */

const measure = () => measureIn(readTheme().font);

/** The width of the widest of these texts in pixels. @param {string[]} texts */
export function widest(texts, size = 12, weight = 450) {
  const widthOf = measure();
  return texts.reduce((most, each) => Math.max(most, widthOf(each, size, weight)), 0);
}

/* -- marks ------------------------------------------------------------------------------------------------------ */

/** @param {Pixels} place */
const pair = (place) => /** @type {[number, number]} */ (Array.isArray(place) ? place : [place, place]);

/** @param {number} value */
const short = (value) => Math.round(value * 100) / 100;

/** @param {unknown} value */
const isPlace = (value) => typeof value === "number" && Number.isFinite(value);
/** @param {Pixels | undefined} place */
const placed = (place) => (Array.isArray(place) ? isPlace(place[0]) && isPlace(place[1]) : isPlace(place));

const LOOKS = new Set(["fill", "stroke", "width", "dash", "cap", "opacity", "rx"]);

/**
 * A kind of mark. `draw` makes an item of the values of a row's channels and of its look, which is a new object.
 *
 * @param {(values: Values, look: any) => Drawn} draw
 */
function kind(draw) {
  /**
   * @template Row
   * @param {Row[]} rows
   * @param {Channels<Row>} channels
   * @returns {Drawn[]}
   */
  return (rows, channels) => {
    const same = /** @type {Record<string, unknown>[]} */ ([{}, {}]); // values, and looks, of all rows
    const varying = /** @type {{name: string, of: (row: Row, index: number) => unknown, to: number}[]} */ ([]);
    for (const [name, channel] of Object.entries(channels)) {
      const to = LOOKS.has(name) ? 1 : 0;
      if (typeof channel === "function") varying.push({ name, of: channel, to });
      else if (channel !== undefined) same[to][name] = channel;
    }
    /** @type {Drawn[]} */
    const drawn = [];
    rows.forEach((row, index) => {
      /** @type {any} */
      const values = { text: typeof row === "string" ? row : "", ...same[0] };
      const look = { ...same[1] };
      for (const { name, of, to } of varying) {
        const value = of(row, index);
        if (value !== undefined) (to ? look : values)[name] = value;
      }
      if (!placed(values.x) || !placed(values.y)) return;
      const mark = draw(values, look);
      drawn.push(mark);
      const words = values.words || (mark.shape === "text" && mark.text !== values.text ? values.text : "");
      if (words) drawn.push({ shape: "none", spot: { ...boxOf(mark, values), words, of: row } });
    });
    return drawn;
  };
}

/** The middle of a mark, and how far it reaches. @param {Drawn} mark @param {Values} values */
function boxOf(mark, { x, y, reach, rise }) {
  let [[left, right], [top, bottom]] = [pair(x), pair(y)];
  if (mark.shape === "text") {
    const wide = widest([mark.text], mark.size, mark.weight);
    left -= { start: 0, middle: wide / 2, end: wide }[mark.anchor ?? "start"];
    right = left + wide;
  }
  const half = [Math.abs(right - left) / 2 || NEAR, Math.abs(bottom - top) / 2 || NEAR];
  return { x: (left + right) / 2, y: (top + bottom) / 2, reach: reach ?? half[0], rise: rise ?? half[1] };
}

export const dot = kind(({ x, y, r = 4 }, look) =>
  Object.assign(look, { shape: "circle", cx: Number(x), cy: Number(y), r }),
);

/** A rectangle: a bar, a cell of a heat map, a part of a stack. */
export const bar = kind(({ x, y }, look) => {
  const [x0, x1] = pair(x);
  const [y0, y1] = pair(y);
  look.shape = "rect";
  look.x = Math.min(x0, x1);
  look.y = Math.min(y0, y1);
  look.w = Math.abs(x1 - x0);
  look.h = Math.abs(y1 - y0);
  return look;
});

/** A straight line. */
export const rule = kind(({ x, y }, look) => {
  const [[x0, x1], [y0, y1]] = [pair(x), pair(y)].map((ends) => ends.map(short));
  return { shape: "path", d: "M" + x0 + "," + y0 + "L" + x1 + "," + y1, stroke: "hair", width: 1, ...look };
});

/** An interval, with caps at both ends, across or upright. */
export const whisker = kind(({ x, y, r = 4 }, look) => {
  const [[x0, x1], [y0, y1]] = [pair(x), pair(y)].map((ends) => ends.map(short));
  const cap = Array.isArray(x) ? "m0," + -r + "v" + 2 * r : "m" + -r + ",0h" + 2 * r;
  const d = "M" + x0 + "," + y0 + "L" + x1 + "," + y1 + (r ? cap + "M" + x0 + "," + y0 + cap : "");
  return { shape: "path", d, stroke: "accent", width: 1.5, ...look };
});

/** @type {Record<string, (r: number) => string>} */
const GLYPHS = {
  square: (r) => "m" + -r + "," + -r + "h" + 2 * r + "v" + 2 * r + "h" + -2 * r + "Z",
  diamond: (r) => "m0," + -r + "l" + r + "," + r + "l" + -r + "," + r + "l" + -r + "," + -r + "Z",
  up: (r) => "l" + -r + "," + 1.5 * r + "h" + 2 * r + "Z",
  down: (r) => "l" + -r + "," + -1.5 * r + "h" + 2 * r + "Z",
};

/** A small figure at a place: `text` is "square", "diamond", "up" or "down"; the last two have their tip at the place. */
export const glyph = kind(({ x, y, r = 5, text: name }, look) => {
  const d = "M" + short(Number(x)) + "," + short(Number(y)) + GLYPHS[name](r);
  return Object.assign(look, { shape: "path", d });
});

/** A text whose letters stand on `y + down`, by default about their middle; cut to `room` pixels. */
export const text = kind(
  ({ x, y, text: whole, size = 12, weight, anchor, halo, down = 0.35 * size, room }, { fill = "ink", opacity }) => {
    const shown = room === undefined ? whole : fitted(whole, room, size, measure(), weight);
    return { shape: "text", x: Number(x), y: Number(y) + down, text: shown, size, weight, fill, anchor, halo, opacity };
  },
);

/**
 * One line through all rows, with gaps where a row has no place.
 *
 * @template Row
 * @param {Row[]} rows
 * @param {{x: (row: Row, index: number) => number, y: (row: Row, index: number) => number} & Look} channels
 * @returns {Drawn[]}
 */
export function line(rows, { x, y, width = 2, ...look }) {
  const path = lineThrough()
    .defined((place) => place.every(Number.isFinite))
    .digits(2);
  const d = path(rows.map((row, index) => [x(row, index), y(row, index)]));
  return d ? [{ shape: "path", d, width, ...look }] : [];
}

/**
 * A band over all rows, from the first to the second of `y`.
 *
 * @template Row
 * @param {Row[]} rows
 * @param {{x: (row: Row, index: number) => number, y: (row: Row, index: number) => [number, number]} & Look} channels
 * @returns {Drawn[]}
 */
export function band(rows, { x, y, opacity = 0.22, ...look }) {
  const path = area()
    .x(([at]) => at)
    .y0((place) => place[1])
    .y1((place) => place[2])
    .defined((place) => place.every(Number.isFinite))
    .digits(2);
  const d = path(rows.map((row, index) => [x(row, index), ...y(row, index)]));
  return d ? [{ shape: "path", d, opacity, ...look }] : [];
}

/* -- axes and legends ------------------------------------------------------------------------------------------- */

/**
 * The middle of what is `wide`, moved as far as it takes to lie within two ends.
 *
 * @param {number} middle @param {number} wide @param {[number, number]} ends
 */
const inside = (middle, wide, [from, to]) => Math.max(from + wide / 2, Math.min(to - wide / 2, middle));

/**
 * Of the ticks of a scale every so many that their names do not touch. Of numbers the first and the last are kept.
 *
 * @param {Scale} scale @param {(value: number) => number} room that a name takes along the axis
 * @param {(value: number) => number} [at] where its middle is
 */
export function spaced(scale, room, at = scale) {
  const places = scale.ticks.map((value) => ({ value, at: at(value), half: room(value) / 2 }));
  const free = (/** @type {number} */ every) =>
    places.every((one, at) => {
      const next = at % every ? undefined : places[at + every];
      return !next || Math.abs(next.at - one.at) >= one.half + next.half;
    });
  const last = places.length - 1;
  const steps = "extent" in scale ? [1, 2, 4, 5, 8, 10, 16, 20, 32, 64] : places.map((_, at) => at).filter((at) => at && last % at === 0); // prettier-ignore
  const every = steps.find(free) ?? Math.max(1, places.length);
  return scale.ticks.filter((_, at) => at % every === 0);
}

/**
 * @typedef {object} AxisLook
 * @property {boolean} [grid] whether lines are drawn
 * @property {number | null} [strong] the value with the stronger line
 * @property {number} [size] of the names
 * @property {Paint} [fill] of the names
 * @property {number} [bold] the value with a bold name
 * @property {[number, number]} [within] where names lie, along the axis
 * @property {number} [room] pixels that a name may take
 */

/**
 * Upright lines from `top` to `bottom`, and the names of ticks below.
 *
 * @param {Scale} scale @param {[number, number]} ends @param {AxisLook} [look] @returns {Marks}
 */
export function axisX(scale, [top, bottom], { grid = true, strong = 0, size = 11, fill = "dim", bold, within = [-Infinity, Infinity], room = Infinity } = {}) {
  const wide = (/** @type {number} */ value) => Math.min(room, widest([scale.named(value)], size));
  const at = (/** @type {number} */ value) => inside(scale(value), wide(value), within);
  const weight = (/** @type {number} */ value) => (value === bold ? 700 : 450);
  const named = { text: scale.named, size, fill, weight, room, anchor: /** @type {const} */ ("middle"), down: 0 };
  return [
    grid
      ? rule(scale.ticks, { x: scale, y: [top, bottom], stroke: (value) => (value === strong ? "line" : "hair") })
      : [],
    text(spaced(scale, (value) => wide(value) + 5, at), { x: at, y: bottom + 15, ...named }),
  ];
} // prettier-ignore

/**
 * What runs along an axis, about its middle, in as many lines as `within` asks for, the first of them on `y`.
 *
 * @param {string} words
 * @param {{y: number, ends: [number, number], within: [number, number], size?: number}} place `ends`: of the axis
 * @returns {{marks: Marks, more: number}} more: pixels of all lines but the first
 */
export function titleX(words, { y, ends, within, size = 11 }) {
  const lines = wrapped(words, within[1] - within[0], (each) => widest([each], size));
  const x = (/** @type {string} */ each) => inside((ends[0] + ends[1]) / 2, widest([each], size), within);
  const step = size + 3;
  const marks = text(lines, { x, y: (_, line) => y + line * step, down: 0, size, fill: "dim", anchor: "middle" });
  return { marks, more: step * Math.max(0, lines.length - 1) };
}

/**
 * Level lines from `left` to `right`, and the names of ticks at the left.
 *
 * @param {Scale} scale @param {[number, number]} ends @param {AxisLook} [look] @returns {Marks}
 */
export function axisY(scale, [left, right], { grid = true, strong = 0, size = 11, fill = "dim", bold, room } = {}) {
  const weight = (/** @type {number} */ value) => (value === bold ? 700 : 450);
  return [
    grid
      ? rule(scale.ticks, { x: [left, right], y: scale, stroke: (value) => (value === strong ? "line" : "hair") })
      : [],
    text(
      spaced(scale, () => size + 2),
      { x: left - 7, y: scale, text: scale.named, size, weight, fill, room, anchor: "end" },
    ),
  ];
}

/**
 * @typedef {Look & {text: string, key?: "line" | "dot" | "bar" | "diamond" | "none", r?: number, ink?: string, weight?: number}} Entry
 *   of a legend; `r`: of a dot
 */

/**
 * Keys with their words beside each other, in as many lines as `width` asks for.
 *
 * @param {Entry[]} entries
 * @param {{x: number, y: number, width: number, size?: number}} place of the middle of the first key
 * @returns {{marks: Marks, height: number, end: number}} end: where the last line ends
 */
export function legend(entries, { x: from, y: top, width, size = 11 }) {
  let [x, y] = [from, top];
  const marks = entries.map(({ text: words, key = "line", r = 5, ink = "dim", weight, ...look }) => {
    const keyed = { line: 18, dot: 2 * r, bar: 12, diamond: 2 * r, none: 0 }[key];
    const long = keyed + (keyed && 6) + widest([words], size, weight);
    if (x > from && x + long > width) [x, y] = [from, y + 18];
    const drawn = {
      line: () => rule([0], { x: [x, x + keyed], y, width: 3, ...look }),
      dot: () => dot([0], { x: x + r, y, r, ...look }),
      bar: () => bar([0], { x: [x, x + keyed], y: [y - 5, y + 5], ...look }),
      diamond: () => glyph([0], { x: x + r, y, r, text: "diamond", ...look }),
      none: () => [],
    }[key]();
    const said = text([words], {
      x: x + keyed + (keyed && 6),
      y,
      size,
      weight,
      fill: ink,
      room: width - x - keyed - (keyed && 6),
    });
    x += long + 16;
    return [drawn, said];
  });
  return { marks, height: y - top + 18, end: x - 16 };
}

/* -- charts ----------------------------------------------------------------------------------------------------- */

/**
 * Marks as items of a scene, in the colours of a theme, and their spots.
 *
 * @param {Marks} marks @param {Theme} [theme]
 */
export function itemsOf(marks, theme = readTheme()) {
  const named = new Map(Object.entries(theme).filter(([, value]) => typeof value === "string"));
  /** @param {Paint} paint */
  const colour = (paint) => (typeof paint === "string" ? (named.get(paint) ?? paint) : paint);
  /** @type {Chart["items"]} */
  const items = [];
  /** @type {Spot[]} */
  const spots = [];
  for (const mark of /** @type {any[]} */ (marks.flat(8))) {
    if (mark.spot) spots.push(mark.spot);
    else {
      if (mark.fill) mark.fill = colour(mark.fill);
      if (mark.stroke) mark.stroke = colour(mark.stroke);
      if (mark.halo) mark.halo = colour(mark.halo);
      items.push(mark);
    }
  }
  return { items, spots };
}

/** A scene of marks, with its spots. @param {Omit<Chart, "items" | "spots"> & {marks: Marks}} given @returns {Chart} */
export function chart({ marks, ...given }) {
  const theme = readTheme();
  return { background: theme.surface, ...given, ...itemsOf(marks, theme) };
}

/**
 * One line of keys below a picture, as many as there is room for, and its caption at the right.
 *
 * @param {Entry[]} entries @param {string} caption @param {{x: number, y: number, right: number}} place
 * @param {Theme} theme
 */
export function footItems(entries, caption, { x, y, right }, theme) {
  const some = entries.map((_, at) =>
    legend(entries.slice(0, entries.length - at), { x, y, width: Infinity, size: 10.5 }),
  );
  const keys = some.find(({ end }) => end <= right) ?? legend([], { x, y, width: right });
  const shown = fitted(caption, right - keys.end - 16, 10.5, measureIn(theme.font));
  const said = text(shown ? [shown] : [], { x: right, y, size: 10.5, fill: "dim", anchor: "end" });
  return itemsOf([keys.marks, said], theme).items;
}

/**
 * The marks of a chart elsewhere, as part of another.
 *
 * @param {{items: Chart["items"], spots?: Spot[]}} drawn @param {number} dx @param {number} dy @returns {Drawn[]}
 */
export function part({ items, spots = [] }, dx, dy) {
  const kept = spots.map((spot) => ({
    shape: /** @type {const} */ ("none"),
    spot: { ...spot, x: spot.x + dx, y: spot.y + dy },
  }));
  return [...items.map((item) => moved(item, dx, dy)), ...kept];
}

/** The nearest spot under a place of the picture. @param {Spot[]} spots @param {number} x @param {number} y */
export function spotAt(spots, x, y) {
  const near = spots.filter((spot) => Math.abs(spot.x - x) <= spot.reach && Math.abs(spot.y - y) <= spot.rise);
  const away = (/** @type {Spot} */ spot) => Math.hypot(spot.x - x, spot.y - y);
  return near.reduce(
    (/** @type {Spot | undefined} */ best, spot) => (best && away(best) <= away(spot) ? best : spot),
    undefined,
  );
}

/**
 * Says the words of spots under the pointer as the title of a canvas.
 *
 * @param {HTMLCanvasElement} canvas @param {() => Spot[]} spots of what is painted on it
 * @returns {(event: MouseEvent) => Spot | undefined} the spot under an event
 */
export function sayUnder(canvas, spots) {
  const under = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return spotAt(spots(), event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointermove", (event) => (canvas.title = under(event)?.words ?? ""));
  return under;
}
