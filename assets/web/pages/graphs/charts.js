/* Figures of the whole graph beside its prior: statistics as a table, degrees and clusters as charts. */
import { build, registerWidget } from "rs/lib/dom.js";
import { fixed } from "rs/lib/format.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state as now } from "rs/pages/graphs/state.js";
import * as plots from "rs/parts/plots.js";

/** What the distance to a prior can come to: Equation 2 bounds the probability of a link from below. */
const REACH =
  "With a bandwidth of 1 no link is less probable than exp(\u22122) = 0.135, and many modules cannot all point away from " +
  "each other (about exp(\u22121) = 0.37): a sparse prior is never reached.";
const REST = 200; // milliseconds until a chart follows a slider

const nameOf = (graph, which) => (which === "learned" ? "learned" : "prior: " + graph.prior);

export function figureOf(value, deviation) {
  if (value === null) return "\u2013";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  const whole = Number.isInteger(value) && deviation === null;
  return (
    (whole ? fixed(value, 0) : fixed(value, digits)) + (deviation === null ? "" : " \u00b1 " + fixed(deviation, digits))
  );
}

/** Statistics with a row a figure and two columns, learned and prior, for each way to compute it. */
function statisticsTable(graph) {
  const bases = [...new Set(graph.statistics.map((each) => each.on))];
  const names = [...new Set(graph.statistics.map((each) => each.name))];
  const shown = graph.prior ? ["learned", "prior"] : ["learned"];
  const find = (name, on) => graph.statistics.find((each) => each.name === name && each.on === on);
  const cell = (found, which, at) => {
    const each = found && found[which];
    return build("td", { class: at ? null : "first" }, each ? figureOf(each.value, each.deviation) : "");
  };
  const rows = names.map((name) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, graph.statistics.find((each) => each.name === name).title),
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

const LOOKS = {
  learned: { color: "var(--rs-accent)", width: 2 },
  prior: { color: "var(--rs-dim)", width: 1.5, dash: "dash" },
};

/** Share of modules with at least so many expected links, as a curve of steps. */
export function tail(degrees) {
  const sorted = [...degrees].sort((a, b) => a - b);
  return { x: sorted, y: sorted.map((_, at) => (100 * (sorted.length - at)) / sorted.length) };
}

function degreesFigure(graph) {
  const data = ["learned", "prior"]
    .filter((which) => graph.degrees[which])
    .map((which) => ({
      type: "scatter",
      mode: "lines",
      name: nameOf(graph, which),
      ...tail(graph.degrees[which]),
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

const curves = new WeakMap();

export function curveOf(graph, which) {
  if (!curves.has(graph)) curves.set(graph, {});
  const known = curves.get(graph);
  if (!known[which]) known[which] = links.curve(graphData.linksFor(graph, which), graph.count);
  return known[which];
}

/** What the choice leaves: its share of the links and its clusters. */
export function chosenPoint({ graph, choice, cut }) {
  const { learned } = graph.links;
  const found = links.clusters(learned, cut.states.learned, learned.count, cut.dropped);
  return { share: choice.keep === null ? 1 : choice.keep, ...found };
}

function clustersFigure(state) {
  const { graph } = state;
  const pairs = (graph.count * (graph.count - 1)) / 2;
  const least = 50 / pairs; // percent: half a link, which stands for none
  const data = ["learned", "prior"]
    .filter((which) => graph.matrices[which])
    .map((which) => {
      const points = curveOf(graph, which);
      return {
        type: "scatter",
        mode: "lines",
        name: nameOf(graph, which),
        x: [...points.map((each) => Math.max(least, 100 * each.share)), 100],
        y: [...points.map((each) => each.clusters), points[points.length - 1].clusters],
        line: { ...LOOKS[which], shape: "hv" },
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

let due = 0;

/** Draws the charts when the graph is there, and the diamond again when the choice rests. */
export function follow(state, names) {
  if (!state.graph || !state.cut || !document.querySelector(".page-graphs")) return;
  if (names.has("graph")) {
    plots.show("graph-degrees", degreesFigure(state.graph));
    plots.show("graph-clusters", clustersFigure(state));
  } else if (names.has("cut")) {
    clearTimeout(due);
    due = setTimeout(() => {
      if (now.graph && document.querySelector(".page-graphs")) plots.show("graph-clusters", clustersFigure(now));
    }, REST);
  }
}
