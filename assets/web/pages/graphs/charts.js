/* Figures of the whole graph beside its prior: statistics as a table, degrees and clusters as charts. */
import { build, registerWidget } from "rs/lib/dom.js";
import { fixed } from "rs/lib/format.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state as now } from "rs/pages/graphs/state.js";
import * as plots from "rs/parts/plots.js";

/** @import { ModelGraph } from "rs/lib/types.d.ts" */
/** @import { Figure } from "rs/parts/plots.js" */
/** @import { Ready, State, Which } from "rs/pages/graphs/types.d.ts" */

/** What the distance to a prior can come to: Equation 2 bounds the probability of a link from below. */
const REACH =
  "With a bandwidth of 1 no link is less probable than exp(\u22122) = 0.135, and many modules cannot all point away from " +
  "each other (about exp(\u22121) = 0.37): a sparse prior is never reached.";
const REST = 200; // milliseconds until a chart follows a slider

/**
 * @param {ModelGraph} graph
 * @param {Which} which
 */
const nameOf = (graph, which) => (which === "learned" ? "learned" : "prior: " + graph.prior);

/** The learned graph, and the prior where it `has` one. */
const shownOf = (/** @type {(which: Which) => unknown} */ has) =>
  /** @type {Which[]} */ (["learned", "prior"]).filter(has);

/**
 * @param {number | null} value
 * @param {number | null} deviation
 */
export function figureOf(value, deviation) {
  if (value === null) return "\u2013";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  const whole = Number.isInteger(value) && deviation === null;
  return (
    (whole ? fixed(value, 0) : fixed(value, digits)) + (deviation === null ? "" : " \u00b1 " + fixed(deviation, digits))
  );
}

/** @typedef {ModelGraph["statistics"][number]} Statistic */

/**
 * Statistics with a row a figure and two columns, learned and prior, for each way to compute it.
 *
 * @param {ModelGraph} graph
 */
function statisticsTable(graph) {
  const bases = [...new Set(graph.statistics.map((each) => each.on))];
  const names = [...new Set(graph.statistics.map((each) => each.name))];
  const shown = shownOf((which) => which === "learned" || graph.prior);
  /**
   * @param {string} name
   * @param {string} on
   */
  const find = (name, on) => graph.statistics.find((each) => each.name === name && each.on === on);
  /**
   * @param {Statistic | undefined} found
   * @param {Which} which
   * @param {number} at
   */
  const cell = (found, which, at) => {
    const each = found && found[which];
    return build("td", { class: at ? null : "first" }, each ? figureOf(each.value, each.deviation ?? null) : "");
  };
  const rows = names.map((name) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, graph.statistics.find((each) => each.name === name)?.title),
      ...bases.flatMap((on) => shown.map((which, at) => cell(find(name, on), which, at))),
    ),
  );
  const over = bases.map((on) => build("th", { scope: "colgroup", colspan: shown.length, class: "first" }, on));
  const under = bases.flatMap(() =>
    shown.map((which, at) => build("th", { scope: "col", class: at ? null : "first" }, which)),
  );
  const distance =
    graph.distance === null
      ? "No prior to compare with"
      : "Prior: " + graph.prior + ", distance to it as it was matched: " + graph.distance.toFixed(3);
  return build(
    "table",
    { class: "figures graph-figures" },
    build("caption", {}, distance + (graph.distance === null ? "" : ". " + REACH)),
    build("thead", {}, build("tr", {}, build("td", {}), ...over), build("tr", {}, build("td", {}), ...under)),
    build("tbody", {}, ...rows),
  );
}

registerWidget("graph-statistics", (host) =>
  graphPage.subscribe(({ graph }, names) => {
    if (names.has("graph")) host.replaceChildren(...(graph ? [statisticsTable(graph)] : []));
  }),
);

/* -- degrees --------------------------------------------------------------------------------------------------- */

/** @type {Record<Which, {color: string, width: number, dash?: string}>} */
const LOOKS = {
  learned: { color: "var(--rs-accent)", width: 2 },
  prior: { color: "var(--rs-dim)", width: 1.5, dash: "dash" },
};

/**
 * Share of modules with at least so many expected links, as a curve of steps, from all of them at none on.
 *
 * @param {number[]} degrees
 */
export function tail(degrees) {
  const sorted = [...degrees].sort((a, b) => a - b);
  const shares = sorted.map((_, at) => (100 * (sorted.length - at)) / sorted.length);
  return { x: [0, ...sorted, ...sorted.slice(-1)], y: [100, ...shares, 0] };
}

/**
 * @param {ModelGraph} graph
 * @returns {Figure}
 */
function degreesFigure(graph) {
  const data = shownOf((which) => graph.degrees[which]).map((which) => ({
    type: "scatter",
    mode: "lines",
    name: nameOf(graph, which),
    ...tail(graph.degrees[which] ?? []),
    line: { ...LOOKS[which], shape: "vh" },
    hovertemplate: "%{y:.1f} % of the modules have %{x:.2f} or more<extra></extra>",
  }));
  return {
    data,
    layout: {
      margin: { l: 46, r: 12, t: 28, b: 38 },
      xaxis: { title: { text: "expected links of a module" }, rangemode: "tozero" },
      yaxis: { title: { text: "modules, %" }, range: [0, 102] },
    },
  };
}

/* -- clusters -------------------------------------------------------------------------------------------------- */

/** @typedef {ReturnType<typeof links.curve>} Curve */

/** @type {WeakMap<ModelGraph, Partial<Record<Which, Curve>>>} */
const curves = new WeakMap();

/**
 * @param {ModelGraph} graph
 * @param {Which} which
 */
export function curveOf(graph, which) {
  const known = curves.get(graph) || {};
  curves.set(graph, known);
  return (known[which] = known[which] || links.curve(graphData.linksFor(graph, which), graph.count));
}

/**
 * What the choice leaves: its share of the links and its clusters.
 *
 * @param {Pick<Ready, "graph" | "choice" | "cut">} state
 */
export function chosenPoint({ graph, choice, cut }) {
  const { learned } = graph.links;
  const found = links.clusters(learned, cut.states.learned, learned.count, cut.dropped);
  return { share: choice.keep === null ? 1 : choice.keep, ...found };
}

/**
 * @param {Ready} state
 * @returns {Figure}
 */
function clustersFigure(state) {
  const { graph } = state;
  const pairs = (graph.count * (graph.count - 1)) / 2;
  const least = 50 / pairs; // percent: half a link, which stands for none
  /** @type {object[]} */
  const data = shownOf((which) => graph.matrices[which]).map((which) => {
    const points = curveOf(graph, which);
    return {
      type: "scatter",
      mode: "lines",
      name: nameOf(graph, which),
      x: [...points.map((each) => Math.max(least, 100 * each.share)), 100],
      y: [...points.map((each) => each.clusters), points[points.length - 1].clusters],
      line: LOOKS[which],
      hovertemplate: "%{x:.2f} % of the links: %{y} clusters<extra>" + nameOf(graph, which) + "</extra>",
    };
  });
  const now = chosenPoint(state);
  data.push({
    type: "scatter",
    mode: "markers",
    name: "this choice",
    x: [Math.max(least, 100 * now.share)],
    y: [now.count],
    marker: {
      symbol: "diamond",
      size: 11,
      color: "var(--rs-marker)",
      line: { width: 2, color: "var(--rs-surface)" },
    },
    hovertemplate:
      "%{y} clusters of the modules that stay, the largest of " + now.largest + "<extra>this choice</extra>",
  });
  return {
    data,
    layout: {
      margin: { l: 46, r: 12, t: 28, b: 38 },
      xaxis: {
        title: { text: "links kept, % (log scale)" },
        type: "log",
        range: [2.02, Math.log10(least * 0.8)],
        dtick: 1,
        exponentformat: "none",
      },
      yaxis: {
        title: { text: "clusters (log scale)" },
        type: "log",
        dtick: 1,
        range: [-0.06, Math.log10(graph.count * 1.2)],
      },
    },
  };
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let due;

/** @param {State} state */
const isReady = (state) => state.graph && state.cut && /** @type {Ready} */ (state);

/**
 * Draws the charts when the graph is there, and the diamond again when the choice rests.
 *
 * @param {State} state
 * @param {Set<string>} names
 */
export function follow(state, names) {
  const ready = isReady(state);
  if (names.has("graph") && !state.graph) {
    clearTimeout(due);
    for (const key of ["graph-degrees", "graph-clusters"]) plots.show(key, null);
  }
  if (!ready || !document.querySelector(".page-graphs")) return;
  if (names.has("graph")) {
    plots.show("graph-degrees", degreesFigure(ready.graph));
    plots.show("graph-clusters", clustersFigure(ready));
  } else if (names.has("cut")) {
    clearTimeout(due);
    due = setTimeout(() => {
      const later = isReady(now);
      if (later && document.querySelector(".page-graphs")) plots.show("graph-clusters", clustersFigure(later));
    }, REST);
  }
}
