/* What the panels of the Graphs page write into files: pictures, and numbers with model, revision and intervention. */
import { chart, legend, part } from "rs/draw/marks.js";
import * as address from "rs/lib/address.js";
import * as links from "rs/lib/links.js";
import * as graphCharts from "rs/pages/graphs/charts.js";
import { colouringOf, maps } from "rs/pages/graphs/map.js";
import { graphMatrix } from "rs/pages/graphs/matrix.js";
import * as graphPage from "rs/pages/graphs/state.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { ModelGraph } from "rs/lib/types.d.ts" */
/** @import { Cut, Ready, Which } from "rs/pages/graphs/types.d.ts" */

const MOST_ROWS = 100000;
const WIDTH = 640; // pixels of charts

/** Where the numbers come from, and what was left out of the picture. */
function facts() {
  const { graph, choice, cut, view } = /** @type {Ready} */ (graphPage.state);
  return {
    model: graph.model,
    revision: graph.revision,
    seed: null, // nothing here is drawn by chance but what the statistics say
    prior: graph.prior,
    drop: cut.names,
    least_connected: choice.least,
    keep_edges: choice.keep,
    unit: view.unit,
    kind: "observed",
  };
}

/** @param {ModelGraph} graph @returns {Which[]} */
const shownOf = (graph) => /** @type {const} */ (["learned", "prior"]).filter((which) => graph.matrices[which]);

/** @param {ModelGraph} graph @param {Cut} cut */
function moduleRows(graph, cut) {
  /** @type {unknown[][]} */
  const rows = [["module", "x", "y", "connectivity", "community", "expected_links", "left_out"]];
  graph.units.forEach((unit, at) =>
    rows.push([
      unit,
      ...graph.layout[at],
      graph.q[at],
      graph.communities[at],
      graph.degrees.learned[at],
      Boolean(cut.dropped[at]),
    ]),
  );
  return rows;
}

/** @param {ModelGraph} graph @param {Cut} cut @param {number} shown */
function linkRows(graph, cut, shown) {
  const { from, to, p } = graph.links.learned;
  const { learned } = cut.states;
  /** @type {unknown[][]} */
  const rows = [["module", "other", "probability", "kept"]];
  for (let link = 0; link < Math.min(shown, MOST_ROWS); link += 1)
    rows.push([graph.units[from[link]], graph.units[to[link]], p[link], learned[link] === links.LIVE]);
  return rows;
}

/**
 * One graph, or the learned one beside the prior, above what their colours mean.
 *
 * @param {number} [asked] its width, by default as on the page
 */
function graphScene(asked) {
  const { graph, view } = /** @type {Ready} */ (graphPage.state);
  const title = "Graph of the modules of " + graph.model;
  const desc =
    "Discs are modules, lines the " + graphPage.shownLinks() + " most probable links; grey is what is dropped.";
  const each = asked && asked / (view.compare && maps.prior?.map.items ? 2 : 1);
  const first = /** @type {NonNullable<typeof maps.learned>} */ (maps.learned).map.scene(title, desc, each);
  const second = view.compare && maps.prior?.map.items ? maps.prior.map.scene(title, desc, each) : null;
  const { entries, what } = colouringOf(/** @type {Ready} */ (graphPage.state));
  const width = first.width + (second?.width ?? 0);
  const keys = legend(
    [
      { text: what, key: "none" },
      ...entries.map(({ name, paint }) => ({ text: name, key: /** @type {const} */ ("dot"), fill: paint, ink: "ink" })),
    ],
    { x: 10, y: first.height + 16, width },
  );
  const height = first.height + keys.height + 16;
  return chart({
    width, height, title, desc,
    marks: [part(first, 0, 0), second ? part(second, first.width, 0) : [], keys.marks],
  }); // prettier-ignore
}

/** @type {Record<string, (shown: Pick<Ready, "graph" | "cut" | "view">) => Panel>} */
const PANELS = {
  graph: ({ graph, cut, view }) => ({
    name: "graph",
    facts: {
      ...facts(),
      links_drawn: graphPage.shownLinks(),
      least_probability_drawn: graphPage.threshold(),
      ...(view.compare
        ? {
            prior_links_drawn: graphPage.shownOf("prior"),
            prior_least_probability_drawn: graphPage.threshold("prior"),
          }
        : {}),
    },
    python: { figure: "graph" },
    rows: () => linkRows(graph, cut, graphPage.shownLinks()),
    json: () => {
      const [modules, links] = [moduleRows(graph, cut), linkRows(graph, cut, graphPage.shownLinks())];
      return {
        module_columns: modules[0],
        modules: modules.slice(1),
        link_columns: links[0],
        links: links.slice(1),
      };
    },
    file: (format) =>
      "/models/" +
      encodeURIComponent(graph.model) +
      "/graph/file" +
      address.queryOf({
        format,
        most: graphPage.shownLinks(),
        drop: cut.names.join(","),
        keep_edges: graphPage.state.choice.keep,
      }),
    picture: { scene: graphScene },
  }),

  "graph-matrix": ({ graph, view }) => {
    const order = graph.orders[view.order];
    const names = order.map((unit) => graph.units[unit]);
    const shown = shownOf(graph);
    /** @param {Which} which @param {number} unit */
    const row = (which, unit) => order.map((other) => graph.matrices[which]?.[unit * graph.count + other]);
    return {
      name: "graph-matrix",
      facts: { ...facts(), order: view.order },
      python: { figure: "matrix" },
      rows: () => [
        ["graph", "module", ...names],
        ...shown.flatMap((which) => order.map((unit) => [which, graph.units[unit], ...row(which, unit)])),
      ],
      json: () => ({
        order: names,
        ...Object.fromEntries(shown.map((which) => [which, order.map((unit) => row(which, unit))])),
      }),
      picture: graphMatrix ?? {},
    };
  },

  "graph-statistics": ({ graph }) => ({
    name: "graph-statistics",
    python: { figure: "statistics" },
    facts: { ...facts(), drop: [], keep_edges: null, least_connected: 0 },
    rows: () => [
      ["name", "on", "learned", "learned_deviation", "prior", "prior_deviation"],
      ...graph.statistics.map(({ name, on, learned, prior }) => [
        name, on, learned.value ?? "", learned.deviation ?? "",
        prior ? (prior.value ?? "") : "", prior ? (prior.deviation ?? "") : "",
      ]), // prettier-ignore
    ],
    json: () => ({ statistics: graph.statistics, distance_to_prior: graph.distance }),
    picture: {},
  }),

  "graph-degrees": ({ graph }) => ({
    name: "graph-degrees",
    python: { figure: "degrees" },
    facts: { ...facts(), drop: [], keep_edges: null, least_connected: 0 },
    rows: () => [
      ["module", "learned", "prior"],
      ...graph.units.map((unit, at) => [
        unit,
        graph.degrees.learned[at],
        graph.degrees.prior ? graph.degrees.prior[at] : "",
      ]),
    ],
    json: () => ({ units: graph.units, degrees: graph.degrees }),
    picture: { scene: (width = WIDTH) => graphCharts.degreesScene(graph, width) },
  }),

  "graph-clusters": ({ graph }) => {
    const shown = shownOf(graph);
    return {
      name: "graph-clusters",
      python: { figure: "clusters", shares: graphCharts.curveOf(graph, "learned").map(({ share }) => share) },
      facts: facts(),
      rows: () => [
        ["graph", "links_kept", "share", "clusters", "largest"],
        ...shown.flatMap((which) =>
          graphCharts.curveOf(graph, which).map((each) => [which, each.kept, each.share, each.clusters, each.largest]),
        ),
      ],
      json: () => ({
        choice: graphCharts.chosenPoint(/** @type {Ready} */ (graphPage.state)),
        ...Object.fromEntries(shown.map((which) => [which, graphCharts.curveOf(graph, which)])),
      }),
      picture: { scene: (width = WIDTH) => graphCharts.clustersScene(/** @type {Ready} */ (graphPage.state), width) },
    };
  },
};

/** What files of a panel hold; null while there is no graph. @param {string} key @returns {Panel | null} */
export function written(key) {
  const { graph, cut, view } = graphPage.state;
  return graph && cut && PANELS[key]({ graph, cut, view });
}
