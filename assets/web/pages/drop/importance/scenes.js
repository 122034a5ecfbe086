/* Pictures of an importance as scenes: observed use beside caused effects, pairs, and curves. */
import { effects } from "rs/draw/effects.js";
import { heat } from "rs/draw/heat.js";
import { axisX, axisY, band, chart, dot, glyph, legend, line, linear, titleX, whisker, widest } from "rs/draw/marks.js";
import { estimate, percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { stepLabel, stepWords } from "rs/lib/trace.js";
import { colourPlaces } from "rs/lib/units.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { scaleOf } from "rs/parts/evaluation_scenes.js";

/** @import { Chart, Marks, Scale } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Importance"]} Importance */
/**
 * @typedef {object} View what else a picture shows
 * @property {string} title
 * @property {string | null} [pointed] the unit beside which others are faint
 * @property {boolean} [flops] whether retention has an axis of compute
 * @property {string} [passes] what iterations are called
 */
/** @typedef {(found: Importance, width: number, view: View) => Chart} Draw */

const MOST_ROWS = 24; // units with a row or a line
const NORMAL_95 = 1.96; // standard errors of a normal 95 % interval to each side
const FAINT = 0.25; // of a unit that is not pointed at
const MOST_NAMED = 12; // units that a dot lists
const [HIGH, LEFT, RIGHT, FOOT] = [250, 46, 14, 38]; // pixels of a chart of lines, and around it

/** @param {string[]} units */
function paintsOf(units) {
  const [theme, places] = [readTheme(), colourPlaces(units)];
  return (/** @type {string} */ unit) => theme.unit(places.get(unit) ?? 0);
}

/** What is lost without a unit, in words: the sign is that of Shapley values. @param {Importance} found */
export function lostWords({ measure }) {
  const { name, higher } = wordsMeasure(measure);
  return name + (higher ? " lost" : " added") + " without the unit alone";
}

/* -- rows -------------------------------------------------------------------------------------------------------- */

/**
 * The size of the effect of every unit: of its Shapley value, else of its single drop.
 *
 * @param {Pick<Importance, "shapley" | "single">} found @returns {Map<string, number>}
 */
const sizesOf = ({ shapley, single }) =>
  new Map(
    shapley.length
      ? shapley.map(({ unit, value }) => [unit, Math.abs(value)])
      : single.map(({ unit, change }) => [unit, Math.abs(change)]),
  );

/**
 * Units with a row: all of up to 24, in the model's order; of more, those with the largest effects and none of exactly 0.
 * Where every effect is 0, those with the largest changes of loss.
 *
 * @param {Pick<Importance, "units" | "shapley" | "single">} found
 */
export function unitsShown({ units, shapley, single }) {
  if (units.length <= MOST_ROWS) return units;
  const sizes = sizesOf({ shapley, single });
  const losses = new Map(single.map(({ unit, loss_change: change }) => [unit, Math.abs(change)]));
  const of = (/** @type {Map<string, number>} */ values, /** @type {string} */ unit) => values.get(unit) ?? 0;
  const ranked = units.toSorted((a, b) => of(sizes, b) - of(sizes, a) || of(losses, b) - of(losses, a));
  const changed = ranked.filter((unit) => of(sizes, unit));
  return (changed.length ? changed : ranked).slice(0, MOST_ROWS);
}

/**
 * Which units have a row, in words; "" where all have one.
 *
 * @param {Pick<Importance, "units" | "shapley" | "single" | "measure">} found
 */
export function shownWords(found) {
  const [count, shown] = [found.units.length, unitsShown(found).length];
  const changed = [...sizesOf(found).values()].filter(Boolean).length;
  if (!changed) return "Dropping one unit never changes the " + found.measure.name + ". Shown: " + shown + " of " + count + " units."; // prettier-ignore
  if (shown === count) return "";
  if (shown < changed) return "Shown: the " + shown + " largest of " + count + ".";
  return "Shown: " + shown + " of " + count + "; the others have effect 0.";
}

/** Pixels of a row of use and of effect, which stand side by side. @param {Importance} found @param {string[]} units */
const stepOf = ({ shapley }, units) => (units.length <= 10 ? 30 : shapley.length ? 26 : 20);

/* -- use and effect ------------------------------------------------------------------------------------------------ */

/** Mean share of routing: a row a unit, a column a step. @type {Draw} */
export function use(found, width, { title, pointed }) {
  const units = unitsShown(found);
  const steps = [...new Set(found.usage.map(({ step }) => step))];
  const shares = new Map(found.usage.map(({ unit, step, share }) => [unit + " " + step, share]));
  const most = Math.max(1e-9, ...shares.values());
  const paint = paintsOf(found.units);
  const several = steps.some((step) => step.includes("."));
  const cells = units.map((unit) =>
    steps.map((step) => {
      const share = shares.get(unit + " " + step);
      if (share === undefined) return null;
      const shade = (share / most) * (pointed && pointed !== unit ? FAINT : 1);
      const said = most >= 0.2 ? Math.round(100 * share) + " %" : percent(share) + " %";
      return { shade, text: said, words: unit + ", " + stepWords(step) + ": " + percent(share) + " % of the routing weight" };
    }),
  ); // prettier-ignore
  return heat({
    rows: units,
    columns: several ? steps : steps.map(stepLabel),
    cells,
    width,
    paints: units.map(paint),
    tall: stepOf(found, units) - 2,
    wide: 110,
    above: steps.every((step) => /^i\d+$/.test(step)) ? "iteration" : "step",
    title,
    desc: "Mean share of routing weight of each unit at each step, nothing dropped.",
  });
}

/** The 95 % interval of a Shapley value: over samples where exact, of the sampling of orders else. @param {Schemas["UnitValue"]} of */
export function intervalOf({ value, low, high, standard_error: error }) {
  if (low !== null && high !== null) return { low, high };
  return error === null ? { low: null, high: null } : { low: value - NORMAL_95 * error, high: value + NORMAL_95 * error };
} // prettier-ignore

/** Rows of effects, all above 0 where the unit helps. @param {Importance} found */
export function effectRows(found) {
  const turn = wordsMeasure(found.measure).higher ? -1 : 1;
  const [paint, shapley] = [paintsOf(found.units), new Map(found.shapley.map((each) => [each.unit, each]))];
  const single = new Map(found.single.map((each) => [each.unit, each]));
  return unitsShown(found).flatMap((unit) => {
    const [own, alone] = [shapley.get(unit), single.get(unit)];
    if (!alone) return [];
    const [low, high] = [turn * alone.low, turn * alone.high].sort((a, b) => a - b);
    const value = own ? { value: own.value, ...intervalOf(own) } : { value: null, low: null, high: null };
    return [{ unit, paint: paint(unit), lost: turn * alone.change, lost_low: low, lost_high: high, ...value }];
  });
}

/** @type {Draw} */
export const effect = (found, width, { title, pointed }) =>
  effects(
    {
      title,
      rows: effectRows(found),
      measure: { ...found.measure, share: wordsMeasure(found.measure).share },
      uncertainty: found.exact ? "95 % over samples" : "95 % over orders",
      lost: lostWords(found),
    },
    width,
    { step: stepOf(found, unitsShown(found)), pointed },
  );

/* -- pairs --------------------------------------------------------------------------------------------------------- */

/** Whether an interval leaves 0 out. @param {{low: number | null, high: number | null}} of */
const isSure = ({ low, high }) => low !== null && high !== null && (low > 0 || high < 0);

/** Effects of pairs minus the two single effects; framed where the interval leaves 0 out. @type {Draw} */
export function interactions(found, width, { title }) {
  const { units } = found;
  const { change, changeUnit } = wordsMeasure(found.measure);
  const pairs = new Map(found.interactions.flatMap((each) => [[each.unit + " " + each.other, each], [each.other + " " + each.unit, each]])); // prettier-ignore
  const most = Math.max(1e-9, ...found.interactions.map(({ value }) => Math.abs(value)));
  const cells = units.map((unit) =>
    units.map((other) => {
      const pair = unit === other ? undefined : pairs.get(unit + " " + other);
      if (!pair) return null;
      const { value, detail } = estimate(pair, change, "");
      const words = unit + " and " + other + ": " + value + " " + changeUnit + (detail && ", " + detail);
      return { shade: pair.value / most, text: change(pair.value), words, framed: isSure(pair) };
    }),
  ); // prettier-ignore
  return heat({
    rows: units,
    columns: units,
    cells,
    width,
    paints: units.map(paintsOf(units)),
    tall: units.length <= 10 ? 38 : undefined,
    above: "red: below 0, blue: above 0; strongest colour: " + change(most).replace("+", "") + " " + changeUnit,
    title,
    desc: "Effect of dropping a pair minus the two single effects, in " + changeUnit + ". Framed: the interval excludes 0.",
  }); // prettier-ignore
}

/* -- curves -------------------------------------------------------------------------------------------------------- */

/**
 * The axes of a chart of lines: what is upright stands above it, what runs across below.
 *
 * @param {object} given @param {number} given.width @param {View} given.view @param {string} given.up
 * @param {string} given.across @param {import("rs/draw/marks.js").Entry[]} [given.keys]
 * @param {number} [given.room] at the right @param {(range: [number, number]) => Scale} given.xOf
 * @param {(range: [number, number]) => Scale} given.yOf
 * @param {number | null} [given.strong] the value of a stronger line
 * @param {(x: Scale, y: Scale) => Marks} given.inside @param {string} given.desc
 */
function lines({ width, view, up, across, keys = [], room = 0, xOf, yOf, strong = null, inside, desc }) {
  const names = legend([{ text: up, key: "none", ink: "ink", weight: 600 }, ...keys], { x: 8, y: 10, width });
  const [top, bottom, right] = [names.height + 10, names.height + HIGH - FOOT, width - RIGHT - room];
  const [x, y] = [xOf([LEFT, right]), yOf([bottom, top])];
  const title = titleX(across, { y: bottom + 32, ends: [LEFT, right], within: [0, width] });
  return chart({
    width,
    height: bottom + FOOT + title.more,
    title: view.title,
    desc,
    marks: [
      axisY(y, [LEFT, right], { strong }),
      axisX(x, [bottom, bottom], { grid: false }),
      title.marks,
      inside(x, y),
      names.marks,
    ],
  });
}

/** Every whole number of a few, and round ones of many. @param {number} count */
const wholes = (count) =>
  count <= 20
    ? Array.from({ length: count + 1 }, (_, at) => at)
    : linear([0, count], [0, 1], { most: 8, round: false }).ticks;

/** A scale of the measure: of other ones than shares as far as they go. @param {Importance} found @param {number[]} values */
const upTo = ({ measure }, values) => {
  const by = wordsMeasure(measure);
  return (/** @type {[number, number]} */ ends) =>
    by.share ? scaleOf(by, [], ends) : linear([Math.min(...values), Math.max(...values)], ends, { most: 6 });
};

/** What the axis of the measure is called. @param {Importance} found */
function named({ measure }) {
  const { title, unit } = wordsMeasure(measure);
  return title + (unit && unit !== "%" && !measure.name.startsWith(unit) ? ", " + unit : "");
}

/** How the orders of a retention curve are called and drawn. @type {{order: string, text: string, stroke: string | number, dash?: number[], shape: "dot" | "square" | "diamond", hollow?: boolean}[]} */
const ORDERS = [
  { order: "best first", text: "best kept", stroke: "accent", shape: "dot" },
  { order: "greedy best", text: "best, greedy", stroke: "accent", dash: [2, 3], shape: "dot", hollow: true },
  { order: "worst first", text: "worst kept", stroke: "bad", shape: "square" },
  { order: "greedy worst", text: "worst, greedy", stroke: "bad", dash: [2, 3], shape: "square", hollow: true },
  { order: "least connected first", text: "best connected kept", stroke: "good", dash: [9, 3], shape: "diamond" },
  { order: "most connected first", text: "least connected kept", stroke: 4, dash: [9, 3, 2, 3], shape: "diamond" },
  { order: "random", text: "random sets", stroke: "dim", dash: [5, 4], shape: "diamond", hollow: true },
]; // prettier-ignore

/** What a point of a retention curve says. @param {Schemas["RetentionPoint"]} point @param {Importance} found @param {string} name of the order */
function keptWords({ order, draws, low, high, units, accuracy }, { measure }, name) {
  const by = wordsMeasure(measure);
  const own = withUnit(by, accuracy);
  if (order === "random") return draws + " random sets: " + own + " on average, " + by.show(low) + " to " + withUnit(by, high); // prettier-ignore
  return (
    name + ": " + own + ", kept: " + (units.length > MOST_NAMED ? units.length + " units" : units.join(", ") || "none")
  );
}

/** Mean MFLOP per sample by how many units are dropped. @param {Importance} found */
function costsOf({ retention }) {
  const sizes = [...new Set(retention.map(({ dropped }) => dropped))].sort((a, b) => a - b);
  return sizes.flatMap((dropped) => {
    const values = retention.flatMap((point) => (point.dropped === dropped && point.flops !== null ? [point.flops] : []));
    return values.length ? [{ dropped, cost: values.reduce((sum, value) => sum + value, 0) / values.length / 1e6 }] : [];
  });
} // prettier-ignore

/**
 * The measure against how many units are kept, with a band over random sets. Curves of orders have no whiskers, as their sets
 * were chosen on the samples that they are shown on.
 *
 * @type {Draw}
 */
export function retention(found, width, view) {
  const count = found.units.length;
  const shown = ORDERS.map(({ stroke, ...look }) => ({
    ...look,
    stroke: typeof stroke === "number" ? readTheme().unit(stroke) : stroke,
    points: found.retention.filter(({ order }) => order === look.order).sort((a, b) => a.dropped - b.dropped),
  })).filter(({ points }) => points.length);
  const costs = view.flops ? costsOf(found) : [];
  const most = Math.max(...costs.map(({ cost }) => cost));
  const beside = (/** @type {[number, number]} */ ends) => linear([0, most], ends, { most: 5 });
  const room = costs.length ? 14 + widest(beside([0, 1]).ticks.map(beside([0, 1]).named), 11) : 0;
  const cost = { text: "MFLOP per sample, right axis", stroke: "ink", width: 1, dash: [7, 3, 1, 3] };
  return lines({
    width,
    view,
    up: named(found),
    across: "units kept, of " + count,
    keys: [...shown.map(({ text: words, stroke, dash }) => ({ text: words, stroke, dash, width: 2 })), ...(costs.length ? [cost] : [])],
    room,
    xOf: (ends) => linear([count, 0], ends, { ticks: wholes(count).toReversed(), named: String }),
    yOf: upTo(found, found.retention.flatMap(({ accuracy, low, high, order }) => (order === "random" ? [accuracy, low, high] : [accuracy]))),
    desc: named(found) + " against how many units are kept, by order: " + shown.map(({ text: words }) => words).join(", ") + ". The band spans random sets.",
    inside(x, y) {
      const at = { x: (/** @type {{dropped: number}} */ { dropped }) => x(count - dropped), y: (/** @type {{accuracy: number}} */ { accuracy }) => y(accuracy) };
      const [bottom, top] = y.range;
      const right = beside([bottom, top]);
      return [
        band(shown.find(({ order }) => order === "random")?.points ?? [], { ...at, y: ({ low, high }) => [y(low), y(high)], fill: "unmatched" }),
        shown.toReversed().map(({ points, stroke, dash, shape, hollow, text: name }) => {
          const look = { ...at, r: 3.5, fill: hollow ? "surface" : stroke, stroke, width: 1.2, words: (/** @type {Schemas["RetentionPoint"]} */ point) => keptWords(point, found, name) };
          return [line(points, { ...at, stroke, dash }), shape === "dot" ? dot(points, look) : glyph(points, { ...look, text: shape })];
        }),
        line(costs, { x: at.x, y: (each) => right(each.cost), stroke: cost.stroke, width: 1, dash: cost.dash }),
        costs.length ? axisY(right, [width - 2, width - 2], { grid: false }) : [],
      ];
    },
  });
} // prettier-ignore

/** The measure against iterations run, with 95 % intervals. @type {Draw} */
export function anytime(found, width, view) {
  const points = found.anytime.toSorted((a, b) => a.iterations - b.iterations);
  const { passes = "iterations" } = view;
  const by = wordsMeasure(found.measure);
  return lines({
    width,
    view,
    up: named(found),
    across: passes + " run",
    xOf: (ends) => linear([points[0].iterations, points[points.length - 1].iterations], ends, { ticks: points.map(({ iterations }) => iterations), named: String }),
    yOf: upTo(found, points.flatMap(({ low, high }) => [low, high])),
    desc: named(found) + " after each number of " + passes + ": " + points.map(({ iterations, accuracy }) => iterations + ": " + withUnit(by, accuracy)).join(", "),
    inside(x, y) {
      const at = { x: (/** @type {{iterations: number}} */ { iterations }) => x(iterations), y: (/** @type {{accuracy: number}} */ { accuracy }) => y(accuracy) };
      const cost = (/** @type {number | null} */ flops) => (flops ? "; " + Number((flops / 1e6).toPrecision(3)) + " MFLOP per sample" : "");
      return [
        line(points, { ...at, stroke: "accent" }),
        whisker(points, { ...at, y: ({ low, high }) => [y(low), y(high)], r: 3 }),
        dot(points, { ...at, fill: "accent", words: ({ iterations, accuracy, low, high, flops }) => iterations + " " + (iterations === 1 ? passes.slice(0, -1) : passes) + ": " + withUnit(by, accuracy) + ", " + estimate({ value: accuracy, low, high }, by.show, "").detail + cost(flops) }),
      ];
    },
  });
} // prettier-ignore

/** Estimates of Shapley values against the number of sampled orders, with 95 % intervals. @type {Draw} */
export function convergence(found, width, view) {
  const [{ share, change, changeUnit }, paint] = [wordsMeasure(found.measure), paintsOf(found.units)];
  const factor = share ? 100 : 1;
  const units = unitsShown(found);
  const ends = (/** @type {Schemas["ConvergencePoint"]} */ { value, standard_error: error }) =>
    [-1, 0, 1].map((side) => factor * (value + side * NORMAL_95 * (error ?? 0)));
  const of = units.map((unit) => ({
    unit,
    points: found.convergence.filter((point) => point.unit === unit).sort((a, b) => a.permutations - b.permutations),
  }));
  const values = of.flatMap(({ points }) => points.flatMap(ends));
  const most = Math.max(1, ...found.convergence.map(({ permutations }) => permutations));
  return lines({
    width,
    view,
    up: "Shapley value, " + changeUnit,
    across: "sampled orders of the units",
    strong: 0,
    keys: units.map((unit) => ({ text: unit, stroke: paint(unit), width: 3 })),
    xOf: (range_) => linear([0, most], range_, { most: 6, round: false }),
    yOf: (range_) => linear([Math.min(0, ...values), Math.max(0, ...values)], range_, { most: 6 }),
    desc: "Shapley values against the number of sampled orders, with 95 % intervals.",
    inside: (x, y) =>
      of.map(({ unit, points }) => {
        const at = { x: (/** @type {{permutations: number}} */ { permutations }) => x(permutations), y: (/** @type {{value: number}} */ { value }) => y(factor * value) };
        const faint = { stroke: paint(unit), opacity: view.pointed && view.pointed !== unit ? FAINT : 1 };
        return [
          whisker(points.filter((point) => point.standard_error !== null), { ...at, ...faint, r: 0, width: 1, y: (point) => [y(ends(point)[0]), y(ends(point)[2])] }),
          line(points, { ...at, ...faint }),
          dot(points, { ...at, r: 2, fill: paint(unit), opacity: faint.opacity, words: ({ permutations, value }) => unit + ": " + change(value) + " " + changeUnit + " after " + permutations + " orders" }),
        ];
      }),
  });
} // prettier-ignore
