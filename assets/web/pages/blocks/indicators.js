/* What was measured again and again while the network was trained: accuracies, and how it came to route its blocks. */
import * as exports from "rs/draw/exports.js";
import { onResize } from "rs/draw/scene.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { makeStore } from "rs/lib/store.js";
import { html, show } from "rs/lib/view.js";
import { together } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import * as plots from "rs/parts/plots.js";
import * as tables from "rs/parts/table.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/blocks/types.d.ts" */

/**
 * @typedef {object} Shown
 * @property {"loading" | "ready" | "none" | "failed"} status
 * @property {{message: string} | null} problem
 * @property {Schemas["Indicators"] | null} indicators
 * @typedef {{title: string, unit?: string, log?: boolean, takes: RegExp, named: (name: string) => string}} Chart
 */

const KEY = "blocks-indicators";
const ROW = 200; // pixels of a row of charts
const COLUMN = 300; // the least of a column
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash"];
const GATE = /^gates\.(?:l?(\d+))(?:\.mean)?$/;

/** @param {string | number} level */
const mfnnr = (level) => "MFNNR " + level;
/** @param {string} name */
const after = (name) => name.slice(name.indexOf(".") + 1);
/**
 * The charts: which series each takes, and what they are called in it.
 *
 * @type {Chart[]}
 */
const CHARTS = [
  { title: "Accuracy", unit: "%", takes: /^accuracy\./, named: after },
  {
    title: "Training loss",
    log: true,
    takes: /^loss(\.|$)/,
    named: (name) => (name === "loss" ? "train" : after(name)),
  },
  {
    title: "Sharpness",
    unit: "1",
    takes: /^sharpness(\.|$)/,
    named: (name) => (name === "sharpness" ? "all" : mfnnr(after(name).replace(/^l/, ""))),
  },
  {
    title: "Fairness; difference of permutations",
    unit: "1",
    takes: /^(fairness|difference)$/,
    named: (name) => name,
  },
  { title: "Share of each input", unit: "1", takes: /^shares\./, named: after },
  {
    title: "Mean gate: 0 copied, 1 computed",
    unit: "1",
    takes: GATE,
    named: (name) => mfnnr(GATE.exec(name)?.[1] ?? ""),
  },
  {
    title: "Gates below 0.1: copied",
    unit: "1",
    takes: /^gates\..*\.copied$/,
    named: (name) => mfnnr(after(name).replace(/^l|\.copied$/g, "")),
  },
];
const { state, update, subscribe } = makeStore(
  /** @type {Shown} */ ({ status: "loading", problem: null, indicators: null }),
);
let wanted = 0;

const page = () => blocksState;

/**
 * Whether the card of a model says that something was recorded.
 *
 * @param {Schemas["ModelDetail"]} model
 */
const recorded = ({ card }) => Boolean(card && card.history && Object.keys(card.history).length);

/** @param {State} state */
async function load({ status, model, info }) {
  const mine = (wanted += 1);
  if (status !== "ready" || !info) return update({ status: "loading", problem: null, indicators: null });
  if (!recorded(info)) return update({ status: "none", problem: null, indicators: null });
  try {
    /** @type {Schemas["Indicators"]} */
    const indicators = await api.send("GET", "/models/" + encodeURIComponent(String(model)) + "/indicators");
    if (mine === wanted) update({ status: "ready", problem: null, indicators });
  } catch (error) {
    const problem = /** @type {Error} */ (error);
    if (mine === wanted) update({ status: "failed", problem, indicators: null });
  }
  return undefined;
}

/**
 * The charts that there is something for: {title, unit, series: [{name, values}]}.
 *
 * @param {Pick<Schemas["Indicators"], "series">} indicators
 */
function chartsOf({ series }) {
  const measured = series.filter((each) => each.values.some((value) => value !== null));
  return CHARTS.map(({ takes, named, ...chart }) => ({
    ...chart,
    series: measured.filter(({ name }) => takes.test(name)).map(({ name, values }) => ({ name: named(name), values })),
  })).filter((chart) => chart.series.length);
}

/* -- the figure ------------------------------------------------------------------------------------------------- */

/**
 * @param {string} name
 * @param {number} at
 */
const nth = (name, at) => name + (at ? at + 1 : "");

/**
 * How many powers of ten the values of some series span.
 *
 * @param {{values: (number | null)[]}[]} series
 */
function decades(series) {
  const logs = series.flatMap(({ values }) =>
    values.flatMap((value) => (value !== null && value > 0 ? [Math.log10(value)] : [])),
  );
  return logs.length ? Math.max(...logs) - Math.min(...logs) : 0;
}

/**
 * @param {Schemas["Indicators"]} indicators
 * @param {number} width
 */
function figureOf(indicators, width) {
  const charts = chartsOf(indicators);
  const columns = Math.max(1, Math.min(charts.length, Math.floor(width / COLUMN)));
  const rows = Math.ceil(charts.length / columns);
  const height = rows * ROW;
  const margin = { l: 42, r: 14, t: 52, b: 40 };
  const gapX = 52 / (width - margin.l - margin.r);
  const gapY = 82 / (height - margin.t - margin.b);
  /** @type {object[]} */
  const annotations = [];
  /** @type {Record<string, unknown>} */
  const layout = { margin, annotations, showlegend: true };
  const data = charts.flatMap(({ title, unit, log, series }, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const wide = (1 - gapX * (columns - 1)) / columns;
    const high = (1 - gapY * (rows - 1)) / rows;
    const left = column * (wide + gapX);
    const top = 1 - row * (high + gapY);
    const last = at + columns >= charts.length;
    layout[nth("xaxis", at)] = {
      domain: [left, left + wide],
      anchor: nth("y", at),
      rangemode: "tozero",
      tickformat: "~s",
      nticks: 5,
      title: { text: last ? "training step" : "" },
    };
    layout[nth("yaxis", at)] = {
      domain: [Math.max(0, top - high), top],
      anchor: nth("x", at),
      ...(log
        ? { type: "log", exponentformat: "power", dtick: decades(series) > 1 ? 1 : undefined }
        : { range: unit === "%" ? [-2, 103] : [-0.02, 1.03], nticks: 5 }),
    };
    layout[nth("legend", at)] = {
      x: left,
      xanchor: "left",
      y: top,
      yanchor: "bottom",
      orientation: "h",
      font: { size: 11, color: "var(--rs-ink)" },
      bgcolor: "rgba(0,0,0,0)",
    };
    annotations.push({
      text: "<b>" + title + "</b>",
      xref: "paper",
      yref: "paper",
      x: left,
      y: top,
      yshift: 20,
      xanchor: "left",
      yanchor: "bottom",
      showarrow: false,
      font: { size: 12, color: "var(--rs-ink)" },
    });
    const scale = unit === "%" ? 100 : 1;
    return series.map(({ name, values }, place) => ({
      type: "scatter",
      mode: indicators.steps.length > 1 ? "lines" : "markers",
      name,
      x: indicators.steps,
      y: values.map((value) => (value === null ? null : scale * value)),
      xaxis: nth("x", at),
      yaxis: nth("y", at),
      legend: nth("legend", at),
      line: { color: "var(--unit-" + (place + 1) + ")", width: 2, dash: DASHES[place % DASHES.length] },
      marker: { color: "var(--unit-" + (place + 1) + ")" },
      hovertemplate:
        title + ", " + name + ": %{y:.3" + (unit === "%" ? "g} %" : "g}") + " after %{x:,} steps<extra></extra>",
    }));
  });
  return { figure: { data, layout }, height, columns };
}

/* -- the panel -------------------------------------------------------------------------------------------------- */

/** @param {Pick<Schemas["Indicators"], "steps" | "series">} indicators */
function rowsOf({ steps, series }) {
  return [
    ["step", ...series.map((each) => each.name)],
    ...steps.map((step, at) => [step, ...series.map((each) => each.values[at] ?? "")]),
  ];
}

registerWidget(KEY, (host) => {
  const plot = document.getElementById("plot-" + KEY);
  const table = document.querySelector('[data-blocks-table="indicators"]');
  let drawn = "";

  function draw() {
    const { indicators } = state;
    if (!plot || !indicators || plot.hidden) return;
    const width = plot.clientWidth;
    if (width < 60) return;
    const { figure, height, columns } = figureOf(indicators, width);
    const key = indicators.model + " " + indicators.revision + " " + columns;
    if (key === drawn) return;
    drawn = key;
    plot.style.height = height + "px";
    plots.show(KEY, figure);
  }

  function words() {
    const { status, problem, indicators } = state;
    if (problem) return problem.message;
    if (status === "none") return "Nothing was recorded while this network was trained.";
    if (!indicators) return "Loading what was recorded";
    const { steps } = indicators;
    return steps.length + " measurements over " + format.whole(steps[steps.length - 1] || 0) + " training steps.";
  }

  exports.register(KEY, exported);
  return together(
    page().subscribe((now, names) => (names.has("info") || names.has("status")) && load(now)),
    subscribe((now) => {
      const shown = now.status === "ready";
      host.dataset.status = now.status;
      if (plot) plot.hidden = !shown;
      const details = table && table.closest("details");
      if (details) details.hidden = !shown;
      if (!now.indicators) return;
      if (table) tables.fill(table, rowsOf(now.indicators), "Indicators over training");
      draw();
    }),
    show(host, () => html`<div class="blocks-none" role="status">${words()}</div>`),
    onResize(host, draw),
    () => {
      wanted += 1;
      Object.assign(state, { status: "loading", problem: null, indicators: null });
    },
  );
});

export { state };

/** @returns {Panel | null} */
function exported() {
  const { indicators } = state;
  if (!indicators) return null;
  const { model, revision, steps, series } = indicators;
  const { info } = page().get();
  const settings = /** @type {{seed?: number} | null | undefined} */ (info && info.card && info.card.settings);
  return {
    name: KEY,
    facts: { model, revision, seed: (settings && settings.seed) ?? null, drop: [], kind: "observed" },
    python: { figure: "indicators" },
    rows: () => rowsOf(indicators),
    json: () => ({ steps, series }),
    picture: plots.picture(KEY, "Indicators of " + model + " over training"),
  };
}
