/* How clustered the types are, step by step, trained beside initialisation, each with its shuffled null. */
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { stepLabel } from "rs/lib/trace.js";
import * as typesPage from "rs/pages/types/state.js";
import { state } from "rs/pages/types/state.js";
import * as typeWords from "rs/pages/types/words.js";
import { fill } from "rs/parts/table.js";

/** @import { Item, Place, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas, Theme } from "rs/lib/types.d.ts" */
/** @import { TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {Schemas["ClusteringScore"]["by"]} By what points are grouped by */
/** @typedef {{which: Which, points: TypePoints, rows: Schemas["ClusteringScore"][]}} Series the scores of one map */
/**
 * Where a chart lies, and where in it steps and scores do.
 *
 * @typedef {{x: number, w: number, left: number, top: number, bottom: number, range: [number, number],
 *   across: (index: number) => number, up: (value: number) => number}} Axes
 */

/**
 * What is shown now, or null (typeClustering).
 *
 * @type {{scene: () => Scene, series: () => Series[]} | null}
 */
export let typeClustering = null;
/** @type {By[]} */
const GROUPS = ["unit", "label", "domain"];
/**
 * What points are grouped by; samples of a model whose heads choose no label have none.
 *
 * @param {TypePoints} points
 */
const groupsOf = (points) => GROUPS.filter((by) => by !== "label" || points.labelled);
/**
 * @param {TypePoints} points
 * @param {By} by
 */
const named = (points, by) => (by === "unit" ? points.words.group : "by " + by);
const HEIGHT = 190;
const LETTER = 6.2; // pixels of a letter of a step's name; where names do not fit, their codes stand

/**
 * @param {Theme} theme
 * @returns {Record<Which, {paint: string, dash: number[]}>}
 */
const looks = (theme) => ({
  trained: { paint: theme.accent, dash: [] },
  initial: { paint: theme.bad, dash: [6, 3] },
});

/** @param {TypesState} state */
function seriesOf(state) {
  return /** @type {Which[]} */ (["trained", "initial"]).flatMap((which) => {
    const points = state.maps[which];
    return points && (which === "trained" || state.compare) ? [{ which, points, rows: points.info.clustering }] : [];
  });
}

/**
 * @param {number | null} value
 * @returns {value is number}
 */
const known = (value) => value !== null && Number.isFinite(value);

/**
 * @param {Series[]} series
 * @returns {[number, number]}
 */
function rangeOf(series) {
  const values = series
    .flatMap(({ rows }) => rows.flatMap((row) => [row.score, row.null_low, row.null_high]))
    .filter(known);
  const low = Math.min(0, ...values);
  const high = Math.max(0.1, ...values);
  const pad = 0.06 * (high - low);
  return [low < 0 ? low - pad : 0, high + pad];
}

/** @param {[number, number]} range */
function ticksOf([low, high]) {
  const step = [0.05, 0.1, 0.2, 0.25, 0.5].find((size) => (high - low) / size <= 5) || 1;
  const ticks = [];
  for (let value = Math.ceil(low / step) * step; value <= high + 1e-9; value += step)
    ticks.push(Math.round(value * 100) / 100);
  return ticks;
}

/** @param {Place[]} corners */
const pathOf = (corners) => "M" + corners.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join("L");

/**
 * A chart's name, its ticks and its steps.
 *
 * @param {By} by
 * @param {Axes} axes
 * @param {TypePoints} points
 * @param {Theme} theme
 */
function axisItems(by, { x, w, left, top, bottom, range, across, up }, points, theme) {
  const text = /** @type {const} */ ({ shape: "text", size: 10, fill: theme.dim });
  const title = { size: 12, weight: 650, fill: theme.ink };
  /** @type {Item[]} */
  const items = [{ ...text, x, y: top - 12, text: named(points, by), ...title }];
  for (const value of ticksOf(range)) {
    const y = up(value);
    const d = pathOf([left, x + w - 6].map((end) => [end, y]));
    items.push({ shape: "path", d, stroke: value ? theme.hair : theme.line, width: 1 });
    items.push({ ...text, x: left - 5, y: y + 3.5, text: String(value), anchor: "end" });
  }
  const labels = points.steps.map(stepLabel);
  const tight = Math.max(...labels.map((label) => label.length)) * LETTER > (w - (left - x)) / labels.length;
  points.steps.forEach((name, index) =>
    items.push({
      ...text,
      size: 11,
      x: across(index),
      y: bottom + 14,
      text: tight ? name : labels[index],
      anchor: "middle",
    }),
  );
  return items;
}

/**
 * The line of one map's scores, over the band of the shuffled ones.
 *
 * @param {By} by
 * @param {Axes} axes
 * @param {Series} series
 * @param {Theme} theme
 * @returns {Item[]}
 */
function seriesItems(by, { left, range, across, up }, { which, points, rows }, theme) {
  const { paint, dash } = looks(theme)[which];
  const mine = points.steps.map((name) => rows.find((row) => row.step === name && row.by === by));
  const found = mine.flatMap((row, index) => (row && known(row.score) ? [{ row, index, score: row.score }] : []));
  if (!found.length) {
    const y = up(range[1]) + (which === "initial" ? 28 : 14);
    return [{ shape: "text", x: left + 6, y, text: "not defined: one group alone", size: 10, fill: theme.dim }];
  }
  /** @type {Item[]} */
  const items = [];
  const shuffled = found.filter(({ row }) => known(row.null_low));
  if (shuffled.length) {
    /** @param {"null_low" | "null_high"} end */
    const edge = (end) =>
      shuffled.map(({ row, index }) => /** @type {Place} */ ([across(index), up(/** @type {number} */ (row[end]))]));
    const band = [...edge("null_high"), ...edge("null_low").reverse()];
    items.push({ shape: "path", d: pathOf(band) + "Z", fill: paint, stroke: paint, width: 1, opacity: 0.28 });
  }
  const line = pathOf(found.map(({ score, index }) => [across(index), up(score)]));
  items.push({ shape: "path", d: line, stroke: paint, width: 2, dash });
  for (const { score, index } of found) {
    const place = { cx: across(index), cy: up(score), r: 3 };
    items.push({ shape: "circle", ...place, fill: theme.surface, stroke: paint, width: 2 });
  }
  return items;
}

/**
 * @param {By} by
 * @param {{x: number, w: number, top: number, bottom: number}} place
 * @param {Series[]} series
 * @param {[number, number]} range
 * @param {Theme} theme
 */
function chartItems(by, place, series, range, theme) {
  const { x, w, top, bottom } = place;
  const [{ points }] = series;
  const left = x + 34;
  /** @type {Axes} */
  const axes = {
    ...place,
    left,
    range,
    across: (index) => left + ((w - 42) * (index + 0.5)) / points.steps.length,
    up: (value) => bottom - ((value - range[0]) / (range[1] - range[0])) * (bottom - top),
  };
  return [...axisItems(by, axes, points, theme), ...series.flatMap((each) => seriesItems(by, axes, each, theme))];
}

/**
 * @param {TypesState} state
 * @param {number} width
 */
function sceneOf(state, width) {
  const theme = readTheme();
  const series = seriesOf(state);
  const columns = width > 560 ? 3 : 1;
  const w = (width - 18 * (columns - 1)) / columns;
  const range = rangeOf(series);
  const groups = series.length ? groupsOf(series[0].points) : GROUPS;
  const items = groups.flatMap((by, index) => {
    const y = Math.floor(index / columns) * HEIGHT;
    const place = { x: (index % columns) * (w + 18), w, top: y + 28, bottom: y + HEIGHT - 26 };
    return chartItems(by, place, series, range, theme);
  });
  const height = Math.ceil(groups.length / columns) * HEIGHT + 20;
  let x = 0;
  for (const { which } of series) {
    const { paint, dash } = looks(theme)[which];
    items.push({
      shape: "path",
      d: pathOf([
        [x, height - 8],
        [x + 22, height - 8],
      ]),
      stroke: paint,
      width: 2,
      dash,
    });
    const words = typeWords.ROUTING[which] + "; band: shuffled";
    items.push({ shape: "text", x: x + 28, y: height - 4, text: words, size: 11, fill: theme.dim });
    x += 56 + words.length * 6;
  }
  const [{ points }] = series;
  return {
    width,
    height,
    background: theme.surface,
    title:
      "Clustering of " +
      points.words.points +
      " by step: " +
      typeWords.captionOf(points, { ...state, layout: "map" }, false),
    desc:
      "Silhouette, cosine distance, of " +
      points.words.points +
      " grouped " +
      points.words.group +
      ", label and domain; bands: the same with shuffled groups, 2.5 to 97.5 %.",
    items,
  };
}

/** @param {Series[]} series */
function tableOf(series) {
  const number = (/** @type {number | null} */ value) => (known(value) ? value.toFixed(3) : "none");
  const heads = ["routing", "groups", "step", "silhouette", "shuffled: mean", "2.5 %", "97.5 %", "points"];
  const rows = series.flatMap(({ which, points, rows }) =>
    rows.map((row) => [
      typeWords.ROUTING[which],
      named(points, row.by),
      stepLabel(row.step),
      ...[row.score, row.null_mean, row.null_low, row.null_high].map(number),
      String(row.n),
    ]),
  );
  return [heads, ...rows];
}

registerWidget("type-clustering", (host) => {
  const canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
  const table = /** @type {HTMLElement} */ (document.querySelector("[data-clustering-table]"));

  function draw() {
    const series = seriesOf(state);
    if (!series.length || host.clientWidth < 40) {
      canvas.style.height = "0";
      delete canvas.dataset.painted;
      return;
    }
    const scene = sceneOf(state, host.clientWidth);
    canvas.style.height = scene.height + "px";
    paintScene(scene, readTheme().font, canvas);
    canvas.dataset.painted = series.map(({ points }) => points.id).join(" ");
    canvas.setAttribute("aria-label", scene.title + ". " + scene.desc + " The same numbers are in the table below.");
    fill(table, tableOf(series), "Silhouette of types at every step beside the same with shuffled groups.");
  }

  typeClustering = {
    scene: () => sceneOf(state, host.clientWidth),
    series: () => seriesOf(state),
  };
  const stops = [
    typesPage.subscribe((_, names) => (names.has("maps") || names.has("compare")) && draw()),
    onThemeChange(draw),
    onResize(host, draw),
  ];
  return () => stops.forEach((stop) => stop());
});
