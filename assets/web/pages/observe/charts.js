/* Pictures of an observation as scenes: matrices, lines by step, and the use of units by position. */
import { inkOn, mix } from "rs/draw/colours.js";
import { heat, shadeOf } from "rs/draw/heat.js";
import {
  axisX,
  axisY,
  band,
  bands,
  bar,
  chart,
  dot,
  glyph,
  legend,
  line,
  linear,
  rule,
  text,
  titleX,
} from "rs/draw/marks.js";
import { fixed, percent } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { colourPlaces } from "rs/lib/units.js";
import * as numbers from "rs/pages/observe/numbers.js";

/** @import { Chart, Marks, Scale } from "rs/draw/types.d.ts" */
/** @import { Choice, Observation, Row } from "rs/pages/observe/types.d.ts" */

/** @typedef {Pick<Choice, "steps" | "cell" | "measure"> & {pointed?: string | null}} View others than `pointed` are faint */
/** @typedef {(found: Observation, width: number, view: View) => Chart} Draw */

const MOST_NUMBERS = 16; // columns up to which cells carry their numbers
const LEAST = 1e-5; // the bottom of the log scale of specialisation
const FULL = 0.58; // opacity of the greatest share
const EMPTY = 1 / 64; // the lowest lift that a shade shows
const MOST_ACROSS = 8; // units in a row
const WIDEST_TILE = 40; // pixels of a token's cell

/** Colours of the units in a theme. @param {string[]} units */
function paintsOf(units) {
  const [theme, places] = [readTheme(), colourPlaces(units)];
  return units.map((unit) => theme.unit(places.get(unit) ?? 0));
}

/** How opaque a unit is. @param {string} unit @param {View} view */
const strength = (unit, { pointed }) => (pointed && pointed !== unit ? 0.25 : 1);

/* -- matrices ---------------------------------------------------------------------------------------------------- */

/** @param {number} rows */
const tallOf = (rows) => (rows <= 6 ? 46 : rows <= 10 ? 34 : rows <= 32 ? 22 : 12);

/** Units against labels: share of a label's routing, or lift over independence. @type {Draw} */
export function matrix(found, width, view) {
  const { steps, cell } = view;
  const { joint, share, lift, usage } = numbers.labelMatrix(found, steps);
  const paints = paintsOf(found.units);
  const shares = share.map((row, unit) => [...row, usage[unit]]);
  const most = Math.max(1e-9, ...shares.flat().map((value) => value ?? 0));
  const log = (/** @type {number} */ value) => Math.log2(Math.max(value, EMPTY));
  const mostLog = Math.max(0.25, ...lift.flat().map((value) => Math.abs(log(value ?? 1))));
  const cells = found.units.map((unit, u) =>
    (cell === "share" ? shares : lift)[u].map((value, label) => {
      if (value === null) return null;
      const named = found.labels[label];
      const about = named === undefined ? unit + ": " + percent(value) + " % of all routing" : unit + ", label " + named + ": " + percent(share[u][label] ?? 0) + " % of the label's routing; lift over independence " + fixed(lift[u][label] ?? 0, 3) + "; p(unit, label) " + fixed(joint[u][label] ?? 0, 4); // prettier-ignore
      if (cell === "share")
        return {
          shade: (strength(unit, view) * value) / most,
          text: percent(value) + " %",
          words: about,
          fill: paints[u],
        };
      const shade = (strength(unit, view) * log(value)) / mostLog;
      return { shade, text: fixed(value, 2), words: about, fill: shade < 0 ? "unmatched" : paints[u] };
    }),
  );
  return heat({
    rows: found.units,
    columns: [...found.labels, ...(cell === "share" ? ["all"] : [])],
    cells,
    width,
    paints,
    tall: tallOf(found.units.length),
    above: "label (" + numbers.briefSteps(found, steps) + ")",
    title: "Units and labels: " + found.model,
    desc: cell === "share" ? "Share of a label's routing that each unit takes." : "Share of a label's routing that each unit takes, over its share of all routing.",
  }); // prettier-ignore
}

/**
 * Names against the same names.
 *
 * @param {Row[]} rows
 * @param {string[]} names
 * @param {object} about
 * @param {(value: number) => number} about.shade
 * @param {(row: number, column: number, value: number) => string} about.words
 * @param {number} about.width
 * @param {string} about.title
 * @param {string} about.desc
 * @param {string} [about.above]
 * @param {string[]} [about.paints]
 */
function square(rows, names, { shade, words, ...about }) {
  const few = names.length <= MOST_NUMBERS;
  const cells = rows.map((row, r) =>
    row.map((value, c) =>
      value === null
        ? null
        : { shade: shade(value), text: few ? fixed(value, 2) : "", words: names[r] + " and " + names[c] + ": " + words(r, c, value) },
    ),
  ); // prettier-ignore
  return heat({ rows: names, columns: names, cells, ...about });
}

/** Jensen-Shannon distance of the mean routing of two labels. @type {Draw} */
export function labels(found, width, { steps }) {
  const rows = /** @type {Row[]} */ (numbers.overSteps(found, "jsd_labels", steps));
  const most = Math.max(1e-9, ...rows.flat().map((value) => value ?? 0));
  return square(rows, found.labels, {
    shade: (value) => value / most,
    words: (_r, _c, value) => "distance " + fixed(value, 3),
    width,
    above: numbers.briefSteps(found, steps),
    title: "Distance between labels: " + found.model,
    desc: "Jensen-Shannon distance of the mean routing of two labels.",
  });
}

/** Steps against steps. @param {Observation} found @param {string} name @param {number} width @param {{words: string, title: string, desc: string, above?: string}} about */
function stepSquare(found, name, width, { words, ...about }) {
  const rows = /** @type {Row[]} */ (numbers.valuesOf(found, name));
  const most = name === "cka_steps" ? 1 : Math.max(1e-9, ...rows.flat().map((value) => value ?? 0));
  return square(rows, numbers.stepNames(found), {
    shade: (value) => value / most,
    words: (_r, _c, value) => words + " " + fixed(value, 3),
    width,
    ...about,
  });
}

/** @type {Draw} */
export const steps = (found, width) =>
  stepSquare(found, "jsd_steps", width, {
    words: "distance",
    title: "Distance between steps: " + found.model,
    desc: "Jensen-Shannon distance of the routing of the same tokens at two steps.",
  });

/** @type {Draw} */
export const similaritySteps = (found, width) =>
  stepSquare(found, "cka_steps", width, {
    words: "debiased linear CKA",
    above: "n = " + numbers.rowsUsed(found) + " tokens",
    title: "Similarity of steps: " + found.model,
    desc: "Debiased linear CKA between what the units add at two steps.",
  });

/** How often two units are active on the same token, over what independence would give. @type {Draw} */
export function coactivation(found, width, { steps }) {
  const together = /** @type {Row[]} */ (numbers.overSteps(found, "coactivation", steps));
  const alone = /** @type {Row[]} */ (numbers.overSteps(found, "coactivation_expected", steps));
  const rows = together.map((row, i) => row.map((value, j) => (i === j ? null : numbers.ratio(value, alone[i][j]))));
  return square(rows, found.units, {
    shade: shadeOf,
    words: (i, j, value) => fixed(value, 3) + " times what independence gives; together " + fixed(together[i][j] ?? 0, 4) + ", expected " + fixed(alone[i][j] ?? 0, 4),
    width,
    paints: paintsOf(found.units),
    above: numbers.briefSteps(found, steps),
    title: "Co-activation: " + found.model,
    desc: "How often two units are both active on a token, over what independence would give.",
  }); // prettier-ignore
}

/** How alike what two units add is. @type {Draw} */
export function similarity(found, width, { steps, measure }) {
  const words = measure === "cka" ? "debiased linear CKA" : "cosine";
  return square(/** @type {Row[]} */ (numbers.overSteps(found, measure + "_by_step", steps)), found.units, {
    shade: (value) => value,
    words: (_i, _j, value) => words + " " + fixed(value, 3),
    width,
    paints: paintsOf(found.units),
    above: numbers.briefSteps(found, steps) + ", n = " + numbers.rowsUsed(found, steps) + " tokens",
    title: "Similarity of units: " + found.model,
    desc: "How alike what two units add to the same tokens is, by " + words + ".",
  });
}

/* -- positions --------------------------------------------------------------------------------------------------- */

/** The share of each token's routing that a unit takes: patches as they lie, others in rows below. @type {Draw} */
export function positions(found, width, view) {
  const { steps } = view;
  const gone = numbers.droppedIn(found, steps);
  const shares = numbers.byPosition(found, steps);
  const { rows, patches } = numbers.tokenRows(found.tokens);
  const names = numbers.shortTokens(found.tokens);
  const columns = rows[0].length;
  const most = Math.max(1e-9, ...shares.flatMap((row, unit) => (gone[unit] ? [0] : row.map((value) => value ?? 0))));
  const units = found.units.length;
  const least = patches ? 20 : 32; // names need room where no patches lie
  const across = Math.min(units, Math.max(1, Math.floor(width / (columns * least + 10))), MOST_ACROSS);
  const side = Math.min(WIDEST_TILE, (width - 10 * (across - 1)) / across / columns);
  const [head, gap] = [24, patches && patches < rows.length ? 5 : 0];
  const tall = head + rows.length * side + gap + 10;
  const [paints, theme] = [paintsOf(found.units), readTheme()];
  const tiles = found.units.flatMap((unit, u) => {
    const [left, top] = [(u % across) * (columns * side + 10), Math.floor(u / across) * tall + head];
    return rows.flatMap((row, r) =>
      row.flatMap((token, c) => {
        const share = token === null || gone[u] ? null : shares[u][token];
        if (token === null || share === null) return [];
        const y = top + r * side + (r >= patches ? gap : 0);
        const ground = mix(theme.hair, paints[u], FULL * (share / most) * strength(unit, view));
        return [{ unit, token, share, ground, ink: inkOn(ground, theme.ink), x: left + c * side, y }];
      }),
    );
  });
  const box = {
    x: (/** @type {{x: number}} */ { x }) => [x, x + side - 1],
    y: (/** @type {{y: number}} */ { y }) => [y, y + side - 1],
  };
  const middle = (/** @type {{x: number}} */ { x }) => x + side / 2;
  const lettered = patches ? 0 : 7; // where no patches lie, tokens have names
  const at = (/** @type {number} */ u) => ({
    x: (u % across) * (columns * side + 10),
    y: Math.floor(u / across) * tall + 11,
  });
  return chart({
    width,
    height: Math.ceil(units / across) * tall,
    title: "Where units are used: " + found.model,
    desc: "Share of the routing of every token that each unit takes, in percent.",
    marks: [
      bar(found.units, { x: (_, u) => [at(u).x, at(u).x + 10], y: (_, u) => [at(u).y - 5, at(u).y + 5], fill: (_, u) => paints[u], rx: 2 }),
      text(found.units, { x: (_, u) => at(u).x + 15, y: (_, u) => at(u).y, weight: 650, room: columns * side - 12 }),
      bar(tiles, { ...box, fill: ({ ground }) => ground, words: ({ unit, token, share }) => unit + ", " + numbers.tokenWords(found.tokens[token]) + ": " + percent(share) + " % of the token's routing" }),
      side < 18 ? [] : [
        patches ? [] : text(tiles, { x: middle, y: ({ y }) => y + side / 2 - lettered, text: ({ token }) => names[token], size: 10, anchor: "middle", room: side - 2, fill: ({ ink }) => ink }),
        text(tiles, { x: middle, y: ({ y }) => y + side / 2 + lettered, text: ({ share }) => (100 * share).toFixed(0), size: 10, anchor: "middle", fill: ({ ink }) => ink }),
      ],
    ],
  }); // prettier-ignore
}

/* -- lines by step ------------------------------------------------------------------------------------------------ */

/**
 * @typedef {object} Series one quantity by step
 * @property {string} name
 * @property {Row} values
 * @property {"accent" | "dim"} [stroke]
 * @property {number[]} [dash]
 * @property {(value: number) => string} [said]
 */
/**
 * @typedef {object} Small a small chart
 * @property {string} title
 * @property {Series[]} series
 * @property {[number, number]} domain
 * @property {(value: number) => string} [named]
 * @property {number[]} [ticks]
 * @property {number} [reference] a level that means something
 * @property {string} [none] why there may be no value at any step
 */

const three = (/** @type {number} */ value) => fixed(value, 3);
const hundredths = (/** @type {number} */ value) => percent(value) + " %";
const rounded = (/** @type {number} */ value) => Math.round(100 * value) + " %";

/**
 * One series: its line, its dots, and what they say.
 *
 * @param {Series} series
 * @param {string[]} names of steps
 * @param {Scale} x
 * @param {(value: number) => number} y
 */
function curve({ name, values, stroke = "accent", dash, said = three }, names, x, y) {
  const place = (/** @type {number | null} */ value) => (value === null ? NaN : y(value));
  const look = { x: (/** @type {unknown} */ _, /** @type {number} */ at) => x(at), y: place };
  const words = (/** @type {number | null} */ value, /** @type {number} */ at) => name + ", " + names[at] + ": " + said(value ?? 0); // prettier-ignore
  return [
    line(values, { ...look, stroke, dash }),
    dash ? glyph(values, { ...look, text: "diamond", r: 4, fill: stroke, words }) : dot(values, { ...look, r: 3, fill: stroke, words }),
  ]; // prettier-ignore
}

/**
 * Small charts beside each other.
 *
 * @param {Observation} found
 * @param {Small[][]} rows
 * @param {{width: number, height: number, title: string, desc: string}} about
 */
function smalls(found, rows, { width, height, title, desc }) {
  const [names, tall] = [found.steps.map(stepWords), height / rows.length];
  const marks = rows.flatMap((row, r) => {
    const wide = (width - 18 * (row.length - 1)) / row.length;
    return row.map(({ title, series, domain, named, ticks, reference, none = "no value at any step" }, c) => {
      const [left, top] = [c * (wide + 18), r * tall];
      const head = text([title], { x: left, y: top + 8, size: 11.5, room: wide });
      if (!series.some(({ values }) => values.some((value) => value !== null))) {
        const within = /** @type {[number, number]} */ ([left, left + wide]);
        return [head, titleX(none, { y: top + 36, ends: [left, left], within }).marks];
      }
      const [right, bottom] = [left + wide - 2, top + tall - 22];
      const y = linear(domain, [bottom, top + 24], { most: 4, named, ticks, round: false });
      const x = bands(numbers.stepNames(found), [left + 36, right]);
      return [
        head,
        axisY(y, [left + 36, right], { strong: null }),
        axisX(x, [bottom, bottom], { grid: false }),
        reference === undefined ? [] : rule([0], { x: [left + 36, right], y: y(reference), stroke: "dim", dash: [2, 3] }),
        series.map((one) => curve(one, names, x, y)),
      ];
    });
  }); // prettier-ignore
  return chart({ width, height, title: title + ": " + found.model, desc, marks });
}

/** Usage at every step: stacked shares in the colours of the units. @type {Draw} */
export function usage(found, width, view) {
  const shares = /** @type {Row[]} */ (numbers.valuesOf(found, "usage"));
  const paints = paintsOf(found.units);
  const keys = legend(
    found.units.map((unit, u) => ({ text: unit, key: /** @type {const} */ ("bar"), fill: paints[u] })),
    { x: 0, y: 8, width },
  );
  const [top, height] = [keys.height + 8, keys.height + 210];
  const x = bands(numbers.stepNames(found), [46, width - 2], 6);
  const y = linear([0, 1], [height - 22, top], { ticks: [0, 0.25, 0.5, 0.75, 1], named: rounded });
  const parts = shares.flatMap((row, step) => {
    let below = 0;
    return row.map((share, u) => {
      const from = below;
      below += share ?? 0;
      return { step, unit: found.units[u], paint: paints[u], share: share ?? 0, from, to: below };
    });
  });
  const said = parts.filter(({ share }) => y(0) - y(share) >= 13 && x.step > 34);
  return chart({
    width,
    height,
    title: "Usage: " + found.model,
    desc: "Share of all routing that each unit takes, at each step.",
    marks: [
      keys.marks,
      axisY(y, [46, width - 2]),
      axisX(x, [height - 22, height - 22], { grid: false }),
      bar(parts, { x: ({ step }) => x.extent(step), y: ({ from, to }) => [y(from), y(to)], fill: ({ paint }) => paint, opacity: ({ unit }) => strength(unit, view), words: ({ unit, step, share }) => unit + ", " + stepWords(found.steps[step]) + ": " + hundredths(share) }),
      text(said, { x: ({ step }) => x(step), y: ({ from, to }) => y((from + to) / 2), text: ({ share }) => rounded(share), size: 10.5, anchor: "middle", fill: ({ paint }) => inkOn(paint) }),
    ],
  }); // prettier-ignore
}

/** Routing entropy and the effective number of units, by step. @type {Draw} */
export function entropy(found, width) {
  const count = numbers.takingPart(found);
  const most = count > 1 ? Math.log(count) : 1;
  const shares = /** @type {Row} */ (numbers.valuesOf(found, "entropy_share"));
  const nats = /** @type {Row} */ (numbers.valuesOf(found, "entropy"));
  const saying = (/** @type {number} */ value) => fixed(value, 3) + " nats, " + hundredths(shares[nats.indexOf(value)] ?? 0) + " of ln " + count; // prettier-ignore
  return smalls(
    found,
    [[
      { title: "nats, at most ln " + count + " = " + fixed(most, 2), series: [{ name: "entropy", values: nats, said: saying }], domain: [0, 1.12 * most], reference: most },
      { title: "effective units, of " + count, series: [{ name: "effective units", values: numbers.valuesOf(found, "effective_units"), said: (value) => fixed(value, 2) }], domain: [0, 1.12 * count], reference: count },
    ]],
    { width, height: 232, title: "Routing entropy", desc: "Mean entropy of a token's routing, and exp(entropy), by step." },
  ); // prettier-ignore
}

/** A domain from `least` to above the maximum. @param {Row} values @param {number} least @returns {[number, number]} */
function room(values, least) {
  const top = Math.max(least, ...values.map((value) => value ?? least));
  return [least, least + Math.max(1.15 * (top - least), 0.1)];
}

/** How unevenly units are used, by step. @type {Draw} */
export function balance(found, width) {
  const small = (/** @type {string} */ name, /** @type {string} */ title, least = 0) => {
    const values = /** @type {Row} */ (numbers.valuesOf(found, name));
    return { title, series: [{ name: title, values }], domain: room(values, least) };
  };
  /** @type {Small} */
  const collapse = {
    title: "collapse: worst, average",
    series: [
      { name: "worst", values: numbers.valuesOf(found, "collapse_worst") },
      { name: "average", values: numbers.valuesOf(found, "collapse_average"), stroke: "dim", dash: [5, 4] },
    ],
    domain: [0, 1.05],
    ticks: [0, 0.5, 1],
  };
  return smalls(
    found,
    [
      [small("balance_cv", "coefficient of variation"), small("balance_max_over_mean", "max / mean", 1)],
      [small("balance_gini", "Gini coefficient"), collapse],
    ],
    { width, height: 248, title: "Balance and collapse", desc: "How unevenly units are used, by step." },
  );
}

/** Distance between samples, and how often a token keeps its unit, by step. @type {Draw} */
export function consistency(found, width) {
  const distance = /** @type {Row} */ (numbers.valuesOf(found, "jsd_samples"));
  const [rate, chance] = ["repeat_rate", "repeat_chance"].map((name) => numbers.valuesOf(found, name));
  return smalls(
    found,
    [[
      { title: "distance between samples", series: [{ name: "Jensen-Shannon distance", values: distance }], domain: room(distance, 0) },
      { title: "repeats; dashed: chance", series: [{ name: "repeat rate", values: rate, said: hundredths }, { name: "by chance", values: chance, stroke: "dim", dash: [5, 4], said: hundredths }], domain: [0, 1.03], ticks: [0, 0.25, 0.5, 0.75, 1], named: rounded, none: "No step follows another with the same units." },
    ]],
    { width, height: 232, title: "Consistency", desc: "Distance of two samples' routing, and share of tokens that keep the unit of the step before." },
  ); // prettier-ignore
}

/** Specialisation on a log scale, beside its shuffled null and its controls; chosen steps are shaded. @type {Draw} */
export function specialisation(found, width, { steps }) {
  const labelled = found.labels.length > 0;
  const five = (/** @type {number} */ value) => fixed(value, 5);
  /** @type {Series[]} */
  const controls = labelled
    ? [
        { name: "label", values: numbers.valuesOf(found, "specialisation") },
        { name: "position", values: numbers.valuesOf(found, "specialisation_position"), stroke: "dim", dash: [5, 4] },
        { name: "features", values: numbers.valuesOf(found, "specialisation_feature"), stroke: "dim", dash: [2, 3] },
      ]
    : [{ name: "position", values: numbers.valuesOf(found, "specialisation_position") }];
  const null_ = labelled ? /** @type {Row} */ (numbers.valuesOf(found, "specialisation_null_high")) : [];
  const keys = legend(
    [
      ...controls.map(({ name, stroke = "accent", dash }) => ({ text: name, stroke, dash })),
      ...(labelled ? [{ text: "shuffled", key: /** @type {const} */ ("bar"), fill: "unmatched", opacity: 0.4 }] : []),
    ],
    { x: 0, y: 8, width },
  );
  const [top, height] = [keys.height + 10, keys.height + 186];
  const ticks = [0, -1, -2, -3, -4, -5];
  const powers = ["1", "0.1", "0.01", "10\u207b\u00b3", "10\u207b\u2074", "10\u207b\u2075"];
  const scale = linear([-5, 0.05], [height - 22, top], { ticks, named: (power) => powers[-power] });
  const y = (/** @type {number} */ value) => scale(Math.log10(Math.max(value, LEAST)));
  const x = bands(numbers.stepNames(found), [46, width - 2]);
  const chosen = numbers.placesOf(found, steps);
  const names = found.steps.map(stepWords);
  return chart({
    width,
    height,
    title: "Specialisation: " + found.model,
    desc: "Mutual information of unit and label over the smaller entropy, by step, beside shuffled labels and controls.",
    marks: [
      bar(chosen.length < found.steps.length ? chosen : [], { x: x.extent, y: [top, height - 22], fill: "hair" }),
      axisY(scale, [46, width - 2], { strong: null }),
      axisX(x, [height - 22, height - 22], { grid: false }),
      band(null_, { x: (_, at) => x(at), y: (value) => [y(value ?? NaN), height - 22], fill: "unmatched", opacity: 0.35 }),
      controls.map((one) => curve({ ...one, said: five }, names, x, y)).reverse(),
      keys.marks,
    ],
  }); // prettier-ignore
}
