/* By what the points of a map are coloured: categories with names and colours that tell apart, in light and dark. */
import * as graphColours from "rs/draw/colours.js";
import { mix } from "rs/draw/colours.js";
import { wordsFor } from "rs/lib/points.js";
import { sortOf, stepWords } from "rs/lib/trace.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */
/** @import { ColourName, Colouring } from "rs/pages/types/types.d.ts" */
/** @typedef {{of: Int32Array, names: string[], paints: string[], none: string}} Scheme categories of points, of which some may have none */

// Paul Tol's muted scheme and a grey; in the dark its darkest colours are lighter.
const LABELS = {
  light: ["#332288", "#88ccee", "#117733", "#ddaa33", "#cc6677", "#44aa99", "#882255", "#999933", "#aa4499", "#6b7280"],
  dark: ["#8f86f0", "#88ccee", "#3fae68", "#ddcc77", "#ee8899", "#44aa99", "#c8568f", "#b5b54a", "#d277c3", "#a8b0ba"],
};
const DOMAINS = {
  light: ["#004488", "#ddaa33", "#bb5566", "#228833", "#66ccee", "#aa3377"],
  dark: ["#6699cc", "#eecc66", "#ee99aa", "#55bb66", "#99ddff", "#dd77aa"],
};
// Through all hues, for more categories than either has.
const HUES = {
  light: ["#7a1f2b", "#c0392b", "#d98b00", "#a3a300", "#3c8d2f", "#1b8a7a", "#1f78b4", "#3b3fa5", "#8e44ad", "#c2388f"],
  dark: ["#e07a86", "#ff8a75", "#f2b544", "#d4d44a", "#7fcf70", "#4fd0bd", "#6fb7ee", "#9aa0ff", "#c690e6", "#f07cc4"],
};
// Dark to light, as time goes.
const STEPS = {
  light: ["#3b1f6b", "#31508c", "#25778c", "#219d82", "#63c15c", "#d9c52b"],
  dark: ["#7d63d6", "#5b83d0", "#38a3b5", "#35b98a", "#86d152", "#f4e04d"],
};
/** @type {Record<ColourName, string>} */
export const BY = {
  unit: "nearest function",
  community: "community",
  label: "label",
  kind: "kind of sample",
  domain: "domain",
  token: "token position",
  correct: "correct or wrong",
  step: "step",
};

const dark = () => document.documentElement.dataset.mantineColorScheme === "dark";
/**
 * A colour of a scheme; of more categories than it has, one along all hues, so that none is another's.
 *
 * @param {{light: string[], dark: string[]}} scheme @param {number} index @param {number} [count] of categories
 */
const pick = (scheme, index, count = 0) => {
  const colours = scheme[dark() ? "dark" : "light"];
  if (count > colours.length) return along(HUES[dark() ? "dark" : "light"], index / (count - 1));
  return colours[index % colours.length];
};

/** A colour for a place between 0 and 1 along a ramp. @param {string[]} ramp @param {number} share */
function along(ramp, share) {
  const at = Math.max(0, Math.min(ramp.length - 1.0001, share * (ramp.length - 1)));
  return mix(ramp[Math.floor(at)], ramp[Math.floor(at) + 1], at - Math.floor(at));
}

/**
 * Patches by their place: rows from blue to orange, columns from light to deep; CLS tokens apart. Numbers, and the CLS tokens
 * beside them, have a colour each.
 *
 * @param {TypePoints} points @param {number} index @param {Theme} theme
 */
function tokenColour(points, index, theme) {
  const { kind, row, column } = points.tokens[index];
  if (kind === "number") return pick(LABELS, column ?? 0);
  if (kind !== "patch" && kind !== "panel")
    return points.ofNumbers ? pick(DOMAINS, index, points.info.domains.length) : theme.ink;
  const { rows, columns } = points.grid;
  const hue = along(["#2166ac", "#2a9d8f", "#e0a100", "#c0392b"], rows > 1 ? (row ?? 0) / (rows - 1) : 0);
  const deep = columns > 1 ? (column ?? 0) / (columns - 1) : 0;
  return deep < 0.5
    ? mix(hue, "#ffffff", 0.55 * (1 - 2 * deep))
    : mix(hue, dark() ? "#8a8f98" : "#000000", 0.4 * (2 * deep - 1));
}

/**
 * A colour for each of `names`; where there are too many, colours lie along all hues, unless they `repeat`.
 *
 * @param {Int32Array} of @param {string[]} names @param {{light: string[], dark: string[]}} scheme @param {string} none
 * @param {boolean} [repeat] @returns {Scheme}
 */
const listed = (of, names, scheme, none, repeat = false) => ({
  ...{ of, names, none },
  paints: names.map((_, index) => pick(scheme, index, repeat ? 0 : names.length)),
});

/** @type {Record<ColourName, (points: TypePoints, theme: Theme, graph: Schemas["Graph"] | null) => Scheme>} */
const SCHEMES = {
  unit: (points, theme) => ({
    of: points.unit,
    names: points.units,
    paints: points.units.map((_, index) => theme.unit(index)),
    none: points.words.none,
  }),
  community: (points, theme, graph) => {
    const { of, entries } = graphColours.BY.community(/** @type {Schemas["Graph"]} */ (graph), theme);
    return {
      of: points.unit.map((unit) => (unit < 0 ? -1 : of[unit])),
      names: entries.map((entry) => entry.name + " (" + entry.count + " modules)"),
      paints: entries.map((entry) => entry.paint),
      none: points.words.none,
    };
  },
  label: ({ label, info }) => listed(label, info.labels, LABELS, "no label", true),
  kind: ({ kind, info }) => listed(kind, info.kinds, LABELS, "no kind"),
  domain: ({ domain, info }) => listed(domain, info.domains, DOMAINS, "no domain"),
  token: (points, theme) => ({
    of: points.place,
    names: points.tokens.map((_, index) => points.placeLabel(index)),
    paints: points.tokens.map((_, index) => tokenColour(points, index, theme)),
    none: "",
  }),
  correct: (points) => ({
    of: points.correct,
    names: ["wrong", "correct"],
    paints: dark() ? ["#ff8a5c", "#4f9fd6"] : ["#d55e00", "#3a86b8"],
    none: "not known",
  }),
  step: (points) => ({
    of: points.step,
    names: points.steps.map(stepWords),
    paints: points.steps.map((_, index) =>
      along(STEPS[dark() ? "dark" : "light"], points.steps.length > 1 ? index / (points.steps.length - 1) : 0),
    ),
    none: "",
  }),
};

/**
 * Categories of the points: {by, of, entries: [{index, name, paint, count}]}; the last entry may be "none of them".
 * `of[point]` is a position in `entries`, counts are of the points that `shown(point)` accepts.
 *
 * @param {TypePoints} points @param {ColourName} by @param {Theme} theme
 * @param {((point: number) => boolean) | null} shown @param {Schemas["Graph"] | null} graph @returns {Colouring}
 */
export function colouring(points, by, theme, shown, graph) {
  const known = by === "community" && !fits(points, graph) ? "unit" : by;
  const { of, names, paints, none } = SCHEMES[known](points, theme, graph);
  const counts = new Int32Array(names.length + 1);
  const category = new Int16Array(points.count);
  const there = new Uint8Array(names.length + 1);
  for (let point = 0; point < points.count; point += 1) {
    const index = of[point] >= 0 && of[point] < names.length ? of[point] : names.length;
    category[point] = index;
    there[index] = 1;
    if (!shown || shown(point)) counts[index] += 1;
  }
  const entries = [...names, none].map((name, index) => ({
    index,
    name,
    paint: index < names.length ? paints[index] : theme.unmatched,
    count: counts[index],
    there: index < names.length ? !["token", "kind"].includes(by) || there[index] === 1 : there[index] === 1,
  }));
  return { by, of: category, entries, paints: entries.map((entry) => entry.paint) };
}

/** @param {TypePoints} points @param {Schemas["Graph"] | null} graph */
const fits = (points, graph) => Boolean(graph && graph.units.length === points.units.length);

/**
 * What points can be coloured by, with its name: modules are no tokens, and communities need a graph. Before there are
 * points, all that those of the model may have.
 *
 * @param {TypePoints | null} points @param {Schemas["Graph"] | null} graph @param {{fields: string[]} | null} model
 * @returns {Partial<Record<ColourName, string>>}
 */
export function choices(points, graph, model) {
  /** @type {Partial<Record<ColourName, string>>} */
  const names = {
    ...BY,
    ...(points && { step: sortOf(points.steps) }),
    unit: (points ? points.words : wordsFor(model)).unit,
  };
  if (!points) return names;
  if (points.ofUnits) delete names.token;
  if (!points.labelled) {
    delete names.label;
    delete names.correct;
  }
  if (!points.info.kinds?.length) delete names.kind;
  if (!fits(points, graph)) delete names.community;
  return names;
}
