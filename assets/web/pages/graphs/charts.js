/* Figures of the whole graph beside its prior: statistics as a table, degrees and clusters as charts. */
import { axisX, axisY, chart, glyph, legend, line, linear, titleX } from "rs/draw/marks.js";
import { fixed } from "rs/lib/format.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import { html } from "rs/lib/view.js";
import { reach } from "rs/pages/graphs/words.js";

/** @import { Entry } from "rs/draw/marks.js" */
/** @import { Marks, Scale } from "rs/draw/types.d.ts" */
/** @import { ModelGraph } from "rs/lib/types.d.ts" */
/** @import { Ready, Which } from "rs/pages/graphs/types.d.ts" */

/** @param {ModelGraph} graph @param {Which} which */
const nameOf = (graph, which) => (which === "learned" ? "learned" : "prior: " + graph.prior);

/** The learned graph, and the prior where it `has` one. */
const shownOf = (/** @type {(which: Which) => unknown} */ has) =>
  /** @type {Which[]} */ (["learned", "prior"]).filter(has);

/** @param {number | null} value @param {number | null} deviation */
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
 * @param {{graph: ModelGraph}} props
 */
export function Statistics({ graph }) {
  const bases = [...new Set(graph.statistics.map((each) => each.on))];
  const names = [...new Set(graph.statistics.map((each) => each.name))];
  const shown = shownOf((which) => which === "learned" || graph.prior);
  /** @param {number} at */
  const look = (at) => (at ? undefined : "first");
  /** @param {string} name */
  function rowOf(name) {
    const own = graph.statistics.filter((each) => each.name === name);
    const cells = bases.flatMap((on) => {
      const found = own.find((each) => each.on === on);
      return shown.map((which, at) => {
        const figure = found?.[which];
        return html`<td class=${look(at)}>${figure && figureOf(figure.value, figure.deviation ?? null)}</td>`;
      });
    });
    return html`<tr>
      <th scope="row">${own[0].title}</th>
      ${cells}
    </tr>`;
  }
  return html`<table class="figures graph-figures">
    <caption>
      ${
        graph.distance === null
          ? "Trained without a prior."
          : "Prior: " +
            graph.prior +
            ", distance to the matched prior: " +
            graph.distance.toFixed(3) +
            ". " +
            reach(graph.edges, graph.count)
      }
    </caption>
    <thead>
      <tr>
        <td></td>
        ${bases.map((on) => html`<th scope="colgroup" colspan=${shown.length} class="first">${on}</th>`)}
      </tr>
      <tr>
        <td></td>
        ${bases.flatMap(() => shown.map((which, at) => html`<th scope="col" class=${look(at)}>${which}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${names.map(rowOf)}
    </tbody>
  </table>`;
}

/* -- charts ---------------------------------------------------------------------------------------------------- */

export const HEIGHT = 228;
const [LEFT, RIGHT, FOOT] = [42, 14, 38];
/** @type {Record<Which, {stroke: string, width: number, dash?: number[]}>} */
const LOOKS = { learned: { stroke: "accent", width: 2 }, prior: { stroke: "dim", width: 1.5, dash: [5, 4] } };

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{which: Which, name: string, path: Point[], spots: (Point & {words: string})[]}} Curve what is drawn, and said where */

/**
 * Curves on two axes, their names above.
 *
 * @param {object} given @param {Curve[]} given.curves @param {(range: [number, number]) => Scale} given.across
 * @param {(range: [number, number]) => Scale} given.up
 * @param {[string, string]} given.axes what they are called, that across first @param {number} given.width
 * @param {string} given.title @param {Entry[]} [given.keys] of what is drawn besides
 * @param {(x: Scale, y: Scale) => Marks} [given.besides]
 */
function curvesChart({ curves, across, up, axes, width, title, keys = [], besides = () => [] }) {
  const names = legend(
    [
      { text: axes[1], key: "none", ink: "ink", weight: 600 },
      ...curves.map(({ which, name }) => ({ text: name, ...LOOKS[which] })),
      ...keys,
    ],
    { x: 8, y: 12, width, size: 11.5 },
  );
  const [left, right, top, bottom] = [LEFT, width - RIGHT, names.height + 12, HEIGHT - FOOT];
  const [x, y] = [across([left, right]), up([bottom, top])];
  const named = titleX(axes[0], { y: HEIGHT - 6, ends: [left, right], within: [0, width], size: 11.5 });
  return chart({
    width,
    height: HEIGHT + named.more,
    title,
    desc: axes[1] + " against " + axes[0] + ": " + curves.map(({ name }) => name).join(", ") + ".",
    marks: [
      axisY(y, [left, right], { strong: null }),
      axisX(x, [top, bottom], { strong: null }),
      named.marks,
      curves.map(({ which, path }) => line(path, { x: (at) => x(at.x), y: (at) => y(at.y), ...LOOKS[which] })),
      curves.flatMap(({ spots }) =>
        spots.map((at) => ({
          shape: /** @type {const} */ ("none"),
          spot: { x: x(at.x), y: y(at.y), reach: 7, rise: 10, words: at.words, of: at },
        })),
      ),
      besides(x, y),
      names.marks,
    ],
  });
}

/** Powers of ten between two logarithms. @param {number} low @param {number} high */
const decades = (low, high) =>
  Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, at) => Math.ceil(low) + at);
/** @param {number} power */
const tenTo = (power) => (power < 0 ? fixed(10 ** power, -power) : String(10 ** power));

/* -- degrees --------------------------------------------------------------------------------------------------- */

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

/** @param {ModelGraph} graph @param {number} width */
export function degreesScene(graph, width) {
  const curves = shownOf((which) => graph.degrees[which]).map((which) => {
    const { x, y } = tail(graph.degrees[which] ?? []);
    const points = x.map((value, at) => ({ x: value, y: y[at] }));
    const path = points.flatMap((point, at) => (at ? [{ x: points[at - 1].x, y: point.y }, point] : [point]));
    const spots = points.map((point) => ({
      ...point,
      words: fixed(point.y, 1) + " % of the modules have " + fixed(point.x, 2) + " or more",
    }));
    return { which, name: nameOf(graph, which), path, spots };
  });
  const most = Math.max(...curves.flatMap(({ path }) => path.map((point) => point.x)));
  return curvesChart({
    curves,
    width,
    title: "Distribution of the expected links of " + graph.model,
    axes: ["expected links of a module", "Modules, %"],
    across: (range) => linear([0, most], range, { round: false, most: 7 }),
    up: (range) => linear([0, 102], range, { ticks: [0, 25, 50, 75, 100], named: String }),
  });
}

/* -- clusters -------------------------------------------------------------------------------------------------- */

/** @type {WeakMap<ModelGraph, Partial<Record<Which, ReturnType<typeof links.curve>>>>} */
const curves = new WeakMap();

/** @param {ModelGraph} graph @param {Which} which */
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

/** @param {Pick<Ready, "graph" | "choice" | "cut">} state @param {number} width */
export function clustersScene(state, width) {
  const { graph } = state;
  const least = 100 / (graph.count * (graph.count - 1)); // percent: half a link, which stands for none
  /** @param {number} share */
  const placeOf = (share) => Math.log10(Math.max(least, 100 * share));
  const curves = shownOf((which) => graph.matrices[which]).map((which) => {
    const spots = curveOf(graph, which).map(({ share, clusters }) => ({
      x: placeOf(share),
      y: Math.log10(clusters),
      words:
        fixed(Math.max(least, 100 * share), 2) + " % of the links: " + clusters + " clusters, " + nameOf(graph, which),
    }));
    return { which, name: nameOf(graph, which), path: [...spots, { x: 2, y: spots[spots.length - 1].y }], spots };
  });
  const now = chosenPoint(state);
  const words = now.count + " clusters of the remaining modules, the largest of " + now.largest;
  const [low, high] = [Math.log10(0.8 * least), Math.log10(1.2 * graph.count)];
  return curvesChart({
    curves,
    width,
    title: "Clusters of " + graph.model + " as links are cut",
    axes: ["links kept, % (log scale)", "Clusters (log scale)"],
    across: (range) => linear([2.02, low], range, { ticks: decades(low, 2), named: tenTo }),
    up: (range) => linear([-0.06, high], range, { ticks: decades(0, high), named: tenTo }),
    keys: [{ text: "\u25c6 this choice", key: "none", ink: "ink" }],
    besides: (x, y) =>
      glyph([now], {
        x: ({ share }) => x(placeOf(share)),
        y: ({ count }) => y(Math.log10(count)),
        text: "diamond",
        r: 6.5,
        fill: "marker",
        stroke: "surface",
        width: 2,
        words,
        reach: 14,
        rise: 14,
      }),
  });
}
