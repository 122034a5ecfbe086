/* Where everything in the path picture lies. Columns are steps, dots functions, lines tokens. */
import { measureIn } from "rs/draw/publish/caption.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Dot, DotOf, End, Entry, Line, Point, TokenView, WidePoint } from "rs/draw/path/types.d.ts" */
/** @typedef {ReturnType<typeof frame>} Frame sizes, and where columns and rows lie */
/** @typedef {ReturnType<typeof layOut>} Layout where everything of a picture lies */

/** @param {number} value @param {number} low @param {number} high */
export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** The share of the width that names beside the picture may take. */
const MOST_NAMES = 0.24;

/**
 * Room for the names of functions at the left and of heads at the right, as far as they leave the picture its own.
 *
 * @param {TokenView} view @param {number} width @param {boolean} compact @param {string} font
 */
function sidesOf({ units, tokens, classTokens }, width, compact, font) {
  const measure = measureIn(font);
  const longest = (/** @type {string[]} */ names, /** @type {number} */ size, /** @type {number} */ weight) =>
    names.reduce((most, name) => Math.max(most, measure(name, size, weight)), 0);
  const heads = classTokens.map((token) => tokens[token].name.replace(/^cls:/, ""));
  const [least, most] = [compact ? [30, 64] : [58, 150], MOST_NAMES * width];
  const left = (compact ? 4 : 14) + longest(units, 13, 650) + 10;
  const right = (compact ? 0 : 74) + longest(heads, 11, 450);
  return { left: clamp(left, least[0], Math.max(least[0], most)), right: clamp(right, least[1], compact ? least[1] : Math.max(least[1], most)) }; // prettier-ignore
}

/**
 * @param {TokenView} view @param {number} width @param {number} height @param {TokenView[]} alike @param {string} font
 */
function frame(view, width, height, alike, font) {
  const compact = width < 620;
  const margin = { top: 40, bottom: 40, ...sidesOf(view, width, compact, font) };
  const rows = view.units.length + (alike.some((each) => each.hasUnmatched()) ? 1 : 0);
  const inner = height - margin.top - margin.bottom;
  const rowGap = inner / rows;
  const stripWidth = compact ? 12 : 18;
  const first = margin.left + stripWidth + (compact ? 34 : 76);
  const columnGap = (width - margin.right - first) / Math.max(1, view.steps.length - 1);
  const last = view.steps.length > 1 ? width - margin.right : first;
  return {
    compact,
    width,
    height,
    margin,
    rowGap,
    columnGap: view.steps.length > 1 ? columnGap : width - margin.right - first,
    columns: view.steps.map((_, step) => first + step * (view.steps.length > 1 ? columnGap : 0)),
    rows: Array.from({ length: rows }, (_, row) => margin.top + rowGap * (row + 0.5)),
    strip: { x: margin.left, width: stripWidth, top: margin.top, height: inner },
    end: last,
  };
}

/** @param {TokenView} view */
function mostUsed(view) {
  let most = 0;
  for (let step = 0; step < view.steps.length; step += 1) {
    for (let unit = 0; unit < view.units.length; unit += 1) most = Math.max(most, view.use(step, unit));
  }
  return most;
}

/**
 * Dots have areas in proportion to use; the scale is such that the largest fits, and never exaggerates by more than 2.
 *
 * @param {TokenView} view @param {Frame} place @param {TokenView[]} alike
 */
function placeDots(view, place, alike) {
  const largest = clamp(Math.min(0.42 * place.rowGap, 0.36 * place.columnGap), 5, 40);
  const most = Math.max(...alike.map(mostUsed));
  const radius = largest / Math.sqrt(clamp(most, 0.25, 1));
  /** @type {Dot[]} */
  const dots = [];
  for (let step = 0; step < view.steps.length; step += 1) {
    for (let row = 0; row < place.rows.length; row += 1) {
      const unit = row < view.units.length ? row : -1;
      const use = unit < 0 ? 0 : view.use(step, unit);
      const members = view.members(step, unit);
      const share = unit < 0 ? members.length / view.tokens.length : use;
      const r = Math.max(2.5, radius * Math.sqrt(clamp(share, 0, 1)));
      dots.push({ step, unit, row, use, members, r, x: place.columns[step], y: place.rows[row] });
    }
  }
  return { dots, radius, largest };
}

/** @param {TokenView} view @param {Frame["strip"]} strip @returns {Entry[]} */
function placeEntries(view, strip) {
  const gap = Math.min(strip.width + 2, strip.height / view.tokens.length);
  const top = strip.top + (strip.height - gap * view.tokens.length) / 2;
  const size = clamp(gap - 1, 2, strip.width);
  return view.tokens.map((_, token) => ({ x: strip.x, y: top + gap * (token + 0.5), size }));
}

/**
 * Orders the lines inside each dot by where they come from and where they go, so that they cross less.
 *
 * @param {TokenView} view @param {DotOf} dotOf @param {Entry[]} entries
 */
function orderMembers(view, dotOf, entries) {
  const last = view.steps.length - 1;
  const heights = Array.from({ length: view.steps.length }, () => new Float64Array(view.tokens.length));
  /** @param {number} step @param {(token: number) => number} height */
  const arrange = (step, height) => {
    for (const dot of dotOf.column(step)) {
      dot.members.sort((a, b) => height(a) - height(b) || a - b);
      dot.members.forEach((token, rank) => {
        const spread = dot.members.length > 1 ? rank / (dot.members.length - 1) - 0.5 : 0;
        heights[step][token] = dot.y + spread * dot.r;
      });
    }
  };
  for (let step = 0; step <= last; step += 1) {
    arrange(step, (token) => (step ? heights[step - 1][token] : entries[token].y));
  }
  for (let step = last - 1; step >= 0; step -= 1) {
    arrange(step, (token) => (step ? heights[step - 1][token] : entries[token].y) + heights[step + 1][token]);
  }
}

/**
 * @param {TokenView} view @param {Dot[]} dots @param {DotOf} dotOf @param {Entry[]} entries @param {number} fullWidth
 */
function placeLines(view, dots, dotOf, entries, fullWidth) {
  /** @type {Line[]} */
  const lines = view.tokens.map((_, token) => ({ token, entry: entries[token], points: [] }));
  const room = view.tokens.map((token) => (token.kind === "cls" ? 2.4 : 1)); // outlined lines need more of it
  for (const dot of dots) {
    const total = dot.members.reduce((sum, token) => sum + room[token], 0);
    const gap = Math.min(fullWidth * 1.1, (1.6 * dot.r) / Math.max(1, total));
    let at = dot.y - (gap * total) / 2;
    for (const token of dot.members) {
      const value = dot.unit < 0 ? 0 : view.compatibility(dot.step, dot.unit, token);
      const y = at + (gap * room[token]) / 2;
      const paint = view.paint(dot.step, dot.unit);
      lines[token].points[dot.step] = { x: dot.x, y, unit: dot.unit, paint, width: Math.max(0.6, value * fullWidth) };
      at += gap * room[token];
    }
  }
  const ends = /** @type {End[]} */ (
    view.classTokens.map((token) => ({ token, y: lines[token].points[view.steps.length - 1].y }))
  );
  ends.sort((a, b) => a.y - b.y || a.token - b.token);
  return { lines, ends };
}

/** @param {End[]} ends @param {Frame} place @param {number} gap */
function placeEnds(ends, place, gap) {
  const top = place.margin.top + gap / 2;
  const bottom = place.height - place.margin.bottom - gap / 2;
  ends.forEach((end, rank) => {
    end.x = place.end + (place.compact ? 22 : 64);
    end.y = clamp(end.y, rank ? ends[rank - 1].y + gap : top, Infinity);
  });
  for (let rank = ends.length - 1; rank >= 0; rank -= 1) {
    ends[rank].y = Math.min(ends[rank].y, bottom - (ends.length - 1 - rank) * gap);
  }
}

/**
 * The layout of `view` in a picture of `width` x `height`: dots, and for every token its line. Pictures of all that are
 * `alike` have one scale.
 *
 * @param {TokenView} view @param {number} width @param {number} height @param {TokenView[]} [alike]
 * @param {string} [font] that names are written in
 */
export function layOut(view, width, height, alike = [view], font = "sans-serif") {
  const place = frame(view, width, height, alike, font);
  const { dots, radius, largest } = placeDots(view, place, alike);
  const rows = place.rows.length;
  /** @type {DotOf} */
  const dotOf = (step, unit) => dots[step * rows + (unit < 0 ? rows - 1 : unit)];
  dotOf.column = (step) => dots.slice(step * rows, (step + 1) * rows);
  const entries = placeEntries(view, place.strip);
  orderMembers(view, dotOf, entries);
  const fullWidth = clamp((3 * largest) / view.tokens.length, 1.2, 7);
  const { lines, ends } = placeLines(view, dots, dotOf, entries, fullWidth);
  const endGap = Math.min(place.compact ? 30 : 40, place.strip.height / Math.max(1, ends.length));
  placeEnds(ends, place, endGap);
  const drawn = /** @type {Map<string, Item[]>} */ (new Map());
  return { ...place, endGap, dots, dotOf, entries, lines, ends, fullWidth, radius, drawn };
}

/**
 * A point of the smooth curve between two points, horizontal at both ends; t runs from 0 to 1.
 *
 * @param {Point} from @param {Point} to @param {number} t
 */
export function curveAt(from, to, t) {
  const x = from.x + (to.x - from.x) * (1.5 * t - 1.5 * t * t + t * t * t);
  return { x, y: from.y + (to.y - from.y) * (3 * t * t - 2 * t * t * t) };
}

/** The height of that curve at `x`. @param {Point} from @param {Point} to @param {number} x */
export function heightAt(from, to, x) {
  let [low, high] = [0, 1];
  for (let round = 0; round < 18; round += 1) {
    const middle = (low + high) / 2;
    if (curveAt(from, to, middle).x < x) low = middle;
    else high = middle;
  }
  return curveAt(from, to, (low + high) / 2).y;
}

/**
 * The outline of a band along that curve, as an SVG path; its width runs from from.width to to.width.
 *
 * @param {WidePoint} from @param {WidePoint} to @param {number} [wider]
 */
export function ribbon(from, to, wider) {
  const count = Math.abs(to.y - from.y) < 0.5 ? 1 : 12;
  const [left, right] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  for (let n = 0; n <= count; n += 1) {
    const t = n / count;
    const { x, y } = curveAt(from, to, t);
    const dx = (to.x - from.x) * (1.5 - 3 * t + 3 * t * t);
    const dy = (to.y - from.y) * (6 * t - 6 * t * t);
    const half = (from.width + (to.width - from.width) * t + (wider || 0)) / 2 / Math.hypot(dx, dy);
    left.push(round(x + dy * half) + "," + round(y - dx * half));
    right.push(round(x - dy * half) + "," + round(y + dx * half));
  }
  return "M" + left.join("L") + "L" + right.reverse().join("L") + "Z";
}
