/* How clustered the types are, step by step, trained beside initialisation, each with its shuffled null. */
import { axisX, axisY, band, bands, chart, dot, legend, line, linear, text, widest } from "rs/draw/marks.js";
import { sortOf, stepLabel, stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as typesPage from "rs/pages/types/state.js";
import { state } from "rs/pages/types/state.js";
import * as typeWords from "rs/pages/types/words.js";
import { AsTable, Picture } from "rs/parts/panel.js";

/** @import { Marks, Scale, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Which } from "rs/pages/types/types.d.ts" */
/** @typedef {Schemas["ClusteringScore"]["by"]} By what points are grouped by */
/** @typedef {{which: Which, points: TypePoints, rows: Schemas["ClusteringScore"][]}} Series the scores of one map */
/** @type {By[]} */
const GROUPS = ["unit", "label", "domain"];
/** What points are grouped by; samples of a model whose heads choose no label have none. @param {TypePoints} points */
const groupsOf = (points) => GROUPS.filter((by) => by !== "label" || points.labelled);
/** @param {TypePoints} points @param {By} by */
const named = (points, by) => (by === "unit" ? points.words.group : "by " + by);
const HEIGHT = 190;

/** @type {Record<Which, {stroke: string, dash?: number[]}>} */
const LOOKS = { trained: { stroke: "accent" }, initial: { stroke: "bad", dash: [6, 3] } };

/** @param {number | null} value */
const figureOf = (value) => (known(value) ? value.toFixed(3) : "none");

/** The scores of each map that is shown. @returns {Series[]} */
export const scores = () =>
  typesPage.shownMaps().map(({ which, points }) => ({ which, points, rows: points.info.clustering }));

/** @param {number | null} value @returns {value is number} */
const known = (value) => value !== null && Number.isFinite(value);

/** @param {Series[]} series @returns {[number, number]} */
function rangeOf(series) {
  const values = series
    .flatMap(({ rows }) => rows.flatMap((row) => [row.score, row.null_low, row.null_high]))
    .filter(known);
  const low = Math.min(0, ...values);
  const high = Math.max(0.1, ...values);
  const pad = 0.06 * (high - low);
  return [low < 0 ? low - pad : 0, high + pad];
}

/**
 * The line of one map's scores over the band of the shuffled ones.
 *
 * @param {By} by @param {Series} series @param {(index: number) => number} x @param {Scale} y @returns {Marks}
 */
function seriesMarks(by, { which, points, rows }, x, y) {
  const { stroke, dash } = LOOKS[which];
  const found = points.steps.flatMap((name, index) => {
    const row = rows.find((each) => each.step === name && each.by === by);
    return row && known(row.score) ? [{ ...row, index }] : [];
  });
  const across = (/** @type {{index: number}} */ { index }) => x(index);
  if (!found.length) {
    const at = y.range[1] + (which === "initial" ? 28 : 14);
    return text(["not defined: one group alone"], { x: x(0), y: at, size: 10, fill: "dim" });
  }
  const shuffled = found.filter((row) => known(row.null_low));
  const score = (/** @type {typeof found[number]} */ row) => y(row.score);
  return [
    band(shuffled, { x: across, y: (row) => [y(row.null_low), y(row.null_high)], fill: stroke, stroke, width: 1, opacity: 0.28 }),
    line(found, { x: across, y: score, stroke, dash }),
    dot(found, { x: across, y: score, r: 3, fill: "surface", stroke, width: 2, words: (row) => stepWords(row.step) + ": " + figureOf(row.score) }),
  ]; // prettier-ignore
}

/** @param {number} width */
export function clusteringScene(width) {
  const series = scores();
  if (!series.length) return null;
  const [{ points }] = series;
  const columns = width > 560 ? 3 : 1;
  const w = (width - 18 * (columns - 1)) / columns;
  const range = rangeOf(series);
  const groups = groupsOf(points);
  const labels = points.steps.map(stepLabel);
  const height = Math.ceil(groups.length / columns) * HEIGHT;
  const keys = series.map(({ which }) => ({ text: typeWords.ROUTING[which] + "; band: shuffled", ...LOOKS[which], width: 2 })); // prettier-ignore
  const legends = legend(keys, { x: 0, y: height + 12, width });
  return chart({
    width,
    height: height + 2 + legends.height,
    title: "Clustering of " + points.words.points + " by " + sortOf(points.steps) + ": " + typeWords.captionOf(points, { ...state, layout: "map" }, false),
    desc: "Silhouette, cosine distance, of " + points.words.points + " grouped " + points.words.group + ", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",
    marks: [
      groups.map((by, index) => {
        const [left, top] = [(index % columns) * (w + 18), Math.floor(index / columns) * HEIGHT + 28];
        const y = linear(range, [top + HEIGHT - 54, top], { round: false, most: 6 });
        const fits = widest(labels, 11) < (w - 42) / labels.length; // else their codes stand
        const x = bands(fits ? labels : points.steps, [left + 34, left + w - 8]);
        return [
          text([named(points, by)], { x: left, y: top - 12, down: 0, weight: 650, room: w }),
          axisY(y, [left + 34, left + w - 6], { size: 10 }),
          axisX(x, [top, y.range[0] - 1], { grid: false }),
          series.map((each) => seriesMarks(by, each, x, y)),
        ];
      }),
      legends.marks,
    ],
  }); // prettier-ignore
}

/** @param {Series[]} series */
function tableOf(series) {
  const heads = ["routing", "groups", "step", "silhouette", "shuffled: mean", "2.5 %", "97.5 %", "points"];
  const rows = series.flatMap(({ which, points, rows }) =>
    rows.map((row) => [
      typeWords.ROUTING[which],
      named(points, row.by),
      stepLabel(row.step),
      ...[row.score, row.null_mean, row.null_low, row.null_high].map(figureOf),
      String(row.n),
    ]),
  );
  return [heads, ...rows];
}

/** The scores by step, and the same as a table. */
export const Clustering = () => html`
  <${Picture}
    look="type-clustering"
    scene=${clusteringScene}
    height=${200}
    drawn=${() =>
      scores()
        .map(({ points }) => points.id)
        .join(" ")}
    label=${(/** @type {Scene} */ { title, desc }) => title + ". " + desc + " The same numbers are in the table below."}
  />
  <${AsTable}
    words="Clustering scores as a table"
    caption=${() => "Silhouette of types beside the same with shuffled groups."}
    rows=${() => tableOf(scores())}
    data=${{ "data-clustering-table": "true" }}
  />
`;
