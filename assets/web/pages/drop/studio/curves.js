/* Retention curves of a pruning by data set, as a scene: the figure, or its change, while fewer and fewer experts are kept. */
import { percent, whole } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { USES, measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { dot, line, text } from "rs/parts/evaluation_scenes.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Pruning"]} Pruning */
/** @typedef {Schemas["PruningPoint"] & {draws?: number | null}} Point with how many random sets it has, where that was counted */
/** @typedef {Schemas["Interval"]} Interval */
/** @typedef {"figure" | "change"} Shown */
/** @typedef {{share: number, experts: number, figures: Map<string, {figure: Interval, change: Interval | null, count: number}>}} Mark where the bars stand, and what the page measured there */
/** @typedef {Scene & {spots: {x: number, y: number, words: string}[]}} Curves */
/** @typedef {{x: (share: number) => number, y: (value: number) => number, left: number, right: number, top: number, bottom: number}} Frame */

const [NARROWEST, HIGH, LEFT, RIGHT, TOP, FOOT] = [236, 196, 52, 14, 30, 36];
const TICKS = 4;

/** What each order is called, and what it rests on. */
export const ORDERS = /** @type {Record<Pruning["order"], string>} */ ({
  tokens: "by " + USES.tokens,
  weight: "by " + USES.weight,
  effect: "by caused effect",
  greedy: "greedy, by caused effect",
  chance: "by chance",
});

/** Domains, all of them together first. @param {Pruning} found */
export const domainsOf = ({ baseline }) =>
  baseline.map((each) => each.domain).sort((one, other) => Number(other === "all") - Number(one === "all"));

/** @param {string} domain */
export const domainName = (domain) => (domain === "all" ? "all data sets" : domain);

/** @param {Point} point @param {Shown} shown */
const ownOf = (point, shown) => (shown === "figure" ? point.figure : point.change);
/** @param {Point} point @param {Shown} shown */
const bandOf = (point, shown) => (shown === "figure" ? point.random : point.random_change);

/**
 * Round numbers that span `low` to `high`.
 *
 * @param {number} low
 * @param {number} high
 */
export function ticksOf(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / TICKS;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((each) => each * size >= rough) ?? 10);
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * span; at += 1) ticks.push(at * step);
  return { ticks, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

/** @param {Interval | null | undefined} interval */
const ends = (interval) => (interval ? [interval.value, interval.low, interval.high] : []);

/**
 * @param {Interval} interval
 * @param {(value: number) => string} say
 */
function within(interval, say) {
  const { value, low, high } = interval;
  return say(value) + (low === null || high === null ? "" : " (95 %: " + say(low) + " to " + say(high) + ")");
}

/**
 * From the least to the largest; nothing where these are not known.
 *
 * @param {Interval} interval
 * @param {(value: number) => string} say
 */
const spread = ({ low, high }, say) => (low === null || high === null ? "" : ", from " + say(low) + " to " + say(high));

/** How many samples a domain's figures are over. @param {Pruning} found @param {string} domain */
const countOf = (found, domain) =>
  domain === "all" || found.data.length === 1 ? found.count : found.data.find(({ name }) => name === domain)?.count;

/** @param {number | undefined} count */
const over = (count) => (count === undefined ? "" : ", over " + whole(count) + " samples");

/** How many random sets a point has. @param {Point} point @param {Pruning} found */
const drawsOf = (point, found) => point.draws ?? found.draws;

/** Of all points, where a model with groups of experts may refuse some. @param {Pruning} found */
function drawsWords(found) {
  const all = found.curve.filter((point) => point.random).map((point) => drawsOf(point, found));
  const [least, most] = all.length ? [Math.min(...all), Math.max(...all)] : [found.draws, found.draws];
  return (least < most ? least + " to " + most : most) + " random sets";
}

/**
 * What a point says to whoever points at it.
 *
 * @param {Point} point
 * @param {Pruning} found
 */
export function wordsOf(point, found) {
  const measure = wordsMeasure(found.measure);
  const say = (/** @type {number} */ value) => withUnit(measure, value);
  const by = (/** @type {number} */ value) => measure.change(value) + " " + measure.changeUnit;
  const kept = domainName(point.domain) + ", " + percent(point.share) + " % kept (" + whole(point.experts) + " experts), " + ORDERS[found.order] + ": "; // prettier-ignore
  const random =
    point.random && point.random_change
      ? "; " + drawsOf(point, found) + " random sets " + say(point.random.value) + spread(point.random, say)
      : "";
  return kept + within(point.figure, say) + "; change " + within(point.change, by) + over(countOf(found, point.domain)) + random; // prettier-ignore
}

/** @param {number[][]} points */
const through = (points) => points.map(([x, y], at) => (at ? "L" : "M") + x.toFixed(1) + "," + y.toFixed(1)).join("");

/**
 * @param {Frame} frame
 * @param {number} at
 * @param {Interval} interval
 * @param {string} colour
 * @returns {Item[]}
 */
function upright({ y }, at, { low, high }, colour) {
  if (low === null || high === null) return [];
  return [line("M" + at + "," + y(low) + "V" + y(high), colour, { width: 1.5 })];
}

/**
 * The axes of a facet and what lies in them.
 *
 * @param {{found: Pruning, domain: string, shown: Shown, mark: Mark, dx: number, dy: number, width: number, theme: Theme}} given
 */
function facet({ found, domain, shown, mark, dx, dy, width, theme }) {
  const measure = wordsMeasure(found.measure);
  const points = found.curve.filter((each) => each.domain === domain).sort((one, other) => other.share - one.share);
  const bare = found.baseline.find((each) => each.domain === domain)?.figure;
  const first = shown === "figure" ? bare : { value: 0, low: null, high: null };
  const own = mark.figures.get(domain);
  const marked = own && (shown === "figure" ? own.figure : own.change);
  const values = [...ends(first), ...ends(marked), ...points.flatMap((each) => [...ends(ownOf(each, shown)), ...ends(bandOf(each, shown))])]; // prettier-ignore
  const there = /** @type {number[]} */ (values.filter((value) => value !== null));
  const [low, high] = [Math.min(...there), Math.max(...there)];
  const pad = 0.06 * (high - low || Math.abs(high) || 1);
  const [bottom, top] = [dy + HIGH - FOOT, dy + TOP];
  const [left, right] = [dx + LEFT, dx + width - RIGHT];
  const least = Math.min(mark.share, ...points.map((each) => each.share), 0.9);
  /** @type {Frame} */
  const frame = {
    x: (share) => left + ((1 - share) / (1 - least)) * (right - left),
    y: (value) => bottom - ((value - low + pad) / (high - low + 2 * pad || 1)) * (bottom - top),
    left, right, top, bottom,
  }; // prettier-ignore
  const { ticks, digits } = ticksOf(low - pad, high + pad);
  const scale = measure.share ? 100 : 1;
  const sign = (/** @type {number} */ value) => (shown === "change" && value > 0 ? "+" : "");
  const named = (/** @type {number} */ value) => sign(value) + (scale * value).toFixed(Math.max(0, digits - (measure.share ? 2 : 0))).replace("-", "\u2212"); // prettier-ignore
  const items = [
    text(left, dy + 14, domainName(domain), theme.ink, { size: 12.5, weight: 650 }),
    ...ticks.flatMap((tick) => [
      line("M" + left + "," + frame.y(tick) + "H" + right, tick === 0 && shown === "change" ? theme.line : theme.hair),
      text(left - 6, frame.y(tick) + 4, named(tick), theme.dim, { size: 11, anchor: "end" }),
    ]),
    ...sharesOf(least).map(
      (share) =>
      text(frame.x(share), bottom + 15, Math.round(100 * share) + (share === 1 ? " %" : ""), theme.dim, { size: 11, anchor: "middle" }), // prettier-ignore
    ),
    ...bandItems(frame, points, shown, first, theme),
    line("M" + frame.x(mark.share) + "," + top + "V" + bottom, theme.marker, { width: 1.2, dash: [3, 3] }),
  ];
  const path = [...(first ? [[frame.x(1), frame.y(first.value)]] : []), ...points.map((each) => [frame.x(each.share), frame.y(ownOf(each, shown).value)])]; // prettier-ignore
  if (path.length > 1) items.push(line(through(path), theme.accent, { width: 2 }));
  /** @type {Curves["spots"]} */
  const spots = [];
  for (const each of points) {
    const at = ownOf(each, shown);
    const [cx, cy] = [frame.x(each.share), frame.y(at.value)];
    items.push(...upright(frame, cx, at, theme.accent), dot(cx, cy, 3.5, { fill: theme.accent }));
    spots.push({ x: cx, y: cy, words: wordsOf(each, found) });
  }
  if (first && bare) {
    const [cx, cy] = [frame.x(1), frame.y(first.value)];
    items.push(...upright(frame, cx, first, theme.ink), dot(cx, cy, 3.5, { fill: theme.surface, stroke: theme.ink, width: 1.5 })); // prettier-ignore
    const say = (/** @type {number} */ value) => withUnit(measure, value);
    spots.push({
      x: cx,
      y: cy,
      words: domainName(domain) + ", all experts: " + within(bare, say) + over(countOf(found, domain)),
    });
  }
  if (own && marked) {
    const [cx, cy] = [frame.x(mark.share), frame.y(marked.value)];
    items.push(...upright(frame, cx, marked, theme.marker), line(diamond(cx, cy, 6), theme.surface, { width: 1.5, fill: theme.marker })); // prettier-ignore
    spots.push({ x: cx, y: cy, words: markedWords(domain, mark, own, measure) });
  }
  return { items, spots };
}

/**
 * @param {string} domain
 * @param {Mark} mark
 * @param {{figure: Interval, change: Interval | null, count: number}} own
 * @param {ReturnType<typeof wordsMeasure>} measure
 */
function markedWords(domain, { share }, { figure, change, count }, measure) {
  const say = (/** @type {number} */ value) => withUnit(measure, value);
  const by = (/** @type {number} */ value) => measure.change(value) + " " + measure.changeUnit;
  const measured = domainName(domain) + ", what the page left out, " + percent(share) + " % kept: ";
  return measured + within(figure, say) + (change ? "; change " + within(change, by) : "") + over(count); // prettier-ignore
}

/** @param {number} cx @param {number} cy @param {number} r */
const diamond = (cx, cy, r) =>
  "M" + cx + "," + (cy - r) + "L" + (cx + r) + "," + cy + "L" + cx + "," + (cy + r) + "L" + (cx - r) + "," + cy + "Z";

/** @param {number} least */
const sharesOf = (least) => [1, 0.75, 0.5, 0.25, 0].filter((share) => share >= least - 0.02);

/**
 * @param {Frame} frame
 * @param {Point[]} points
 * @param {Shown} shown
 * @param {Interval | undefined} first
 * @param {Theme} theme
 * @returns {Item[]}
 */
function bandItems({ x, y }, points, shown, first, theme) {
  const bands = points.flatMap((each) => {
    const band = bandOf(each, shown);
    return band ? [{ at: x(each.share), low: band.low ?? band.value, high: band.high ?? band.value, value: band.value }] : []; // prettier-ignore
  });
  if (!bands.length) return [];
  const begin = first ? [{ at: x(1), low: first.value, high: first.value, value: first.value }] : [];
  const all = [...begin, ...bands];
  const edge = [...all.map((each) => [each.at, each.high]), ...all.toReversed().map((each) => [each.at, each.low])];
  return [
    {
      shape: "path",
      d: through(edge.map(([at, value]) => [at, y(value)])) + "Z",
      fill: theme.unmatched,
      opacity: 0.22,
    },
    line(through(all.map((each) => [each.at, y(each.value)])), theme.unmatched, { width: 1.5, dash: [4, 3] }),
  ];
}

/**
 * A facet a data set.
 *
 * @param {Pruning} found
 * @param {Shown} shown
 * @param {Mark} mark
 * @param {number} width
 * @returns {Curves}
 */
export function curves(found, shown, mark, width) {
  const theme = readTheme();
  const domains = domainsOf(found);
  const across = Math.max(1, Math.min(domains.length, Math.floor(width / NARROWEST)));
  const own = width / across;
  const made = domains.map((domain, at) =>
    facet({
      found,
      domain,
      shown,
      mark,
      width: own,
      theme,
      dx: (at % across) * own,
      dy: Math.floor(at / across) * HIGH,
    }),
  );
  const high = Math.ceil(domains.length / across) * HIGH;
  const measure = wordsMeasure(found.measure);
  const what = shown === "figure" ? measure.title + (measure.unit && !measure.name.startsWith(measure.unit) ? " (" + measure.unit + ")" : "") : "Change of " + measure.name; // prettier-ignore
  const legend = [
    { words: ORDERS[found.order] + "; whiskers 95 %" + over(found.count), colour: theme.accent },
    ...(found.draws ? [{ words: drawsWords(found) + ": mean, least to largest", colour: theme.unmatched }] : []),
  ];
  let [at, row] = [LEFT + 14 + 6.4 * what.length, 0];
  /** @type {Item[]} */
  const items = [text(LEFT, high + 12, what, theme.ink, { size: 11.5, weight: 600 })];
  for (const { words, colour } of legend) {
    const long = 42 + 6.2 * words.length;
    if (at > LEFT && at + long > width) [at, row] = [LEFT, row + 1];
    const y = high + 8 + 18 * row;
    items.push(line("M" + at + "," + y + "h16", colour, { width: 3 }));
    items.push(text(at + 22, y + 4, words, theme.dim, { size: 11.5 }));
    at += long;
  }
  return {
    width,
    height: high + 22 + 18 * row,
    background: theme.surface,
    title: what + " while fewer experts are kept, " + ORDERS[found.order] + ": " + found.model,
    desc: "A facet a data set: " + what + " against the share of experts that is kept. The line goes " + ORDERS[found.order] + ", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed upright is where the bars stand.", // prettier-ignore
    items: [...made.flatMap((each) => each.items), ...items],
    spots: made.flatMap((each) => each.spots),
  };
}

/**
 * The same as a table.
 *
 * @param {Pruning} found
 * @returns {unknown[][]}
 */
export const curveRows = (found) => [
  ["domain", "share", "experts", "figure", "low", "high", "change", "change_low", "change_high", "random", "random_low", "random_high", "random_change", "random_change_low", "random_change_high"], // prettier-ignore
  ...found.curve.map(({ domain, share, experts, figure, change, random, random_change: by }) => [
    domain, share, experts,
    ...[figure, change, random, by].flatMap((each) => [each?.value ?? "", each?.low ?? "", each?.high ?? ""]),
  ]),
]; // prettier-ignore
