/* Retention curves of a pruning by data set, as a scene: the figure, or its change, while fewer and fewer experts are kept. */
import { axisX, axisY, band, chart, dot, glyph, legend, line, linear, rule, text, whisker } from "rs/draw/marks.js";
import { percent, whole } from "rs/lib/format.js";
import { USES, measure as wordsMeasure, withUnit } from "rs/lib/words.js";

/** @import { Marks } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Pruning"]} Pruning */
/** @typedef {Schemas["PruningPoint"] & {draws?: number | null}} Point with how many random sets it has, where that was counted */
/** @typedef {Schemas["Interval"]} Interval */
/** @typedef {"figure" | "change"} Shown */
/** @typedef {{share: number, experts: number, figures: Map<string, {figure: Interval, change: Interval | null, count: number}>}} Mark where the bars stand, and what the page measured there */

const [NARROWEST, HIGH, LEFT, RIGHT, TOP, FOOT] = [236, 196, 52, 14, 30, 36];

/** What each order is called, and what it rests on. */
export const ORDERS = /** @type {Record<Pruning["order"], string>} */ ({
  tokens: "by " + USES.tokens,
  weight: "by " + USES.weight,
  effect: "by caused effect",
  greedy: "greedy, by caused effect",
  chance: "random order",
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

/** @param {Interval | null | undefined} interval */
const ends = (interval) => (interval ? [interval.value, interval.low, interval.high] : []);

/** @param {Interval} interval @param {(value: number) => string} say */
function within(interval, say) {
  const { value, low, high } = interval;
  return say(value) + (low === null || high === null ? "" : " (95 %: " + say(low) + " to " + say(high) + ")");
}

/**
 * From the least to the largest; nothing where these are not known.
 *
 * @param {Interval} interval @param {(value: number) => string} say
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

/** What a point says to whoever points at it. @param {Point} point @param {Pruning} found */
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

/**
 * The axes of a facet and what lies in them.
 *
 * @param {{found: Pruning, domain: string, shown: Shown, mark: Mark, dx: number, dy: number, width: number}} given
 * @returns {Marks}
 */
function facet({ found, domain, shown, mark, dx, dy, width }) {
  const measure = wordsMeasure(found.measure);
  const points = found.curve.filter((each) => each.domain === domain).sort((one, other) => other.share - one.share);
  const bare = found.baseline.find((each) => each.domain === domain)?.figure;
  const first = shown === "figure" ? bare : { value: 0, low: null, high: null };
  const own = mark.figures.get(domain);
  const marked = own && (shown === "figure" ? own.figure : own.change);
  const drawn = [...(first ? [{ share: 1, at: first }] : []), ...points.map((each) => ({ share: each.share, at: ownOf(each, shown) }))]; // prettier-ignore
  const random = points.flatMap((each) =>
    [bandOf(each, shown)].flatMap((at) => (at ? [{ share: each.share, at }] : [])),
  );
  const values = [...drawn, ...random].flatMap(({ at }) => ends(at)).concat(ends(marked));
  const there = /** @type {number[]} */ (values.filter((value) => value !== null));
  const [low, high] = [Math.min(...there), Math.max(...there)];
  const pad = 0.06 * (high - low || Math.abs(high) || 1);
  const [left, right, top, bottom] = [dx + LEFT, dx + width - RIGHT, dy + TOP, dy + HIGH - FOOT];
  const least = Math.min(mark.share, ...points.map((each) => each.share), 0.9);
  const x = linear([1, least], [left, right], {
    round: false,
    ticks: [1, 0.75, 0.5, 0.25, 0].filter((share) => share >= least - 0.02),
    named: (share) => Math.round(100 * share) + (share === 1 ? " %" : ""),
  });
  const factor = measure.share ? 100 : 1;
  const y = linear([factor * (low - pad), factor * (high + pad)], [bottom, top], { round: false, most: 6 });
  const { named } = y;
  if (shown === "change") y.named = (value) => (value > 0 ? "+" : "") + named(value);
  const at = { x: (/** @type {{share: number}} */ { share }) => x(share), y: (/** @type {{at: Interval}} */ { at: here }) => y(factor * here.value) }; // prettier-ignore
  const whiskerOf = (/** @type {{at: Interval}} */ { at: { low: from, high: to } }) =>
    from === null || to === null ? null : [y(factor * from), y(factor * to)];
  const say = (/** @type {number} */ value) => withUnit(measure, value);
  const said = (/** @type {number} */ n) => (first && !n ? domainName(domain) + ", all experts: " + within(bare ?? first, say) + over(countOf(found, domain)) : wordsOf(points[n - (first ? 1 : 0)], found)); // prettier-ignore
  const ink = (/** @type {unknown} */ _, /** @type {number} */ n) => (first && !n ? "ink" : "accent");
  const bars = own && marked ? [{ share: mark.share, at: marked }] : [];
  const bands = random.length && first ? [{ share: 1, at: { ...first, low: first.value, high: first.value } }, ...random] : random; // prettier-ignore
  return [
    text([domainName(domain)], { x: left, y: dy + 14, down: 0, size: 12.5, weight: 650, room: right - left }),
    axisY(y, [left, right], { strong: shown === "change" ? 0 : null }),
    axisX(x, [top, bottom], { grid: false }),
    band(bands, { ...at, y: ({ at: { value, low: from, high: to } }) => [y(factor * (from ?? value)), y(factor * (to ?? value))], fill: "unmatched" }),
    line(bands, { ...at, stroke: "unmatched", width: 1.5, dash: [4, 3] }),
    rule([mark], { x: at.x, y: [top, bottom], stroke: "marker", width: 1.2, dash: [3, 3] }),
    drawn.length > 1 ? line(drawn, { ...at, stroke: "accent" }) : [],
    whisker(drawn, { ...at, y: whiskerOf, r: 0, stroke: ink }),
    dot(drawn, { ...at, r: 3.5, fill: (_, n) => (first && !n ? "surface" : "accent"), stroke: (_, n) => (first && !n ? "ink" : undefined), width: 1.5, words: (_, n) => said(n), reach: 14, rise: 14 }),
    whisker(bars, { ...at, y: whiskerOf, r: 0, stroke: "marker" }),
    glyph(bars, { ...at, text: "diamond", r: 6, stroke: "surface", width: 1.5, fill: "marker", words: own && markedWords(domain, mark, own, measure), reach: 14, rise: 14 }),
  ]; // prettier-ignore
}

/**
 * @param {string} domain @param {Mark} mark @param {{figure: Interval, change: Interval | null, count: number}} own
 * @param {ReturnType<typeof wordsMeasure>} measure
 */
function markedWords(domain, { share }, { figure, change, count }, measure) {
  const say = (/** @type {number} */ value) => withUnit(measure, value);
  const by = (/** @type {number} */ value) => measure.change(value) + " " + measure.changeUnit;
  const measured = domainName(domain) + ", with the experts dropped on this page, " + percent(share) + " % kept: ";
  return measured + within(figure, say) + (change ? "; change " + within(change, by) : "") + over(count); // prettier-ignore
}

/** A facet a data set. @param {Pruning} found @param {Shown} shown @param {Mark} mark @param {number} width */
export function curves(found, shown, mark, width) {
  const domains = domainsOf(found);
  const across = Math.max(1, Math.min(domains.length, Math.floor(width / NARROWEST)));
  const own = width / across;
  const high = Math.ceil(domains.length / across) * HIGH;
  const measure = wordsMeasure(found.measure);
  const unit = measure.unit && !measure.name.startsWith(measure.unit) ? " (" + measure.unit + ")" : "";
  const what = shown === "figure" ? measure.title + unit : "Change of " + measure.name;
  const keys = legend(
    [
      { text: what, key: "none", ink: "ink", weight: 600 },
      { text: ORDERS[found.order] + "; whiskers 95 %" + over(found.count), stroke: "accent" },
      ...(found.draws ? [{ text: drawsWords(found) + ": mean, least to largest", stroke: "unmatched" }] : []),
    ],
    { x: width < 420 ? 8 : LEFT, y: high + 8, width, size: 11.5 },
  );
  return chart({
    width,
    height: high + keys.height + 4,
    title: what + " while fewer experts are kept, " + ORDERS[found.order] + ": " + found.model,
    desc: "A facet a data set: " + what + " against the share of experts that is kept. The line goes " + ORDERS[found.order] + ", whiskers are 95 % intervals, the band spans random sets of the same size; the dashed line marks the bars.", // prettier-ignore
    marks: [
      domains.map((domain, at) =>
        facet({ found, domain, shown, mark, width: own, dx: (at % across) * own, dy: Math.floor(at / across) * HIGH }),
      ),
      keys.marks,
    ],
  }); // prettier-ignore
}

/** The same as a table. @param {Pruning} found @returns {unknown[][]} */
export const curveRows = (found) => [
  ["domain", "share", "experts", "figure", "low", "high", "change", "change_low", "change_high", "random", "random_low", "random_high", "random_change", "random_change_low", "random_change_high"], // prettier-ignore
  ...found.curve.map(({ domain, share, experts, figure, change, random, random_change: by }) => [
    domain, share, experts,
    ...[figure, change, random, by].flatMap((each) => [each?.value ?? "", each?.low ?? "", each?.high ?? ""]),
  ]),
]; // prettier-ignore
