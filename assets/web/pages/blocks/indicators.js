/* Measurements that were recorded while the network was trained: accuracies, and how it came to route its blocks. */
import { axisX, axisY, chart, dot, legend, line, linear, part, text } from "rs/draw/marks.js";
import * as api from "rs/lib/api.js";
import { figure, fixed, short, whole } from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";

/** @import { Chart as Scene, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {boolean} [percent]
 * @property {boolean} [log]
 * @property {RegExp} takes the series by their names
 * @property {(name: string) => string} named
 * @typedef {{name: string, values: (number | null)[]}} Series
 */

const [ROW, LEAST] = [196, 300]; // pixels of a row of charts, and of a column at least
const KEYS = 54; // pixels of keys within a row, which is higher where they need more
const DASHES = [[], [6, 4], [2, 3], [8, 3, 2, 3], [10, 4]];
const GATE = /^gates\.(?:l?(\d+))(?:\.mean)?$/;

/** @param {string | number} level */
const mfnnr = (level) => "MFNNR " + level;
/** @param {string} name */
const after = (name) => name.slice(name.indexOf(".") + 1);
/** @type {Chart[]} */
const CHARTS = [
  { title: "Accuracy, %", percent: true, takes: /^accuracy\./, named: after },
  {
    title: "Training loss",
    log: true,
    takes: /^loss(\.|$)/,
    named: (name) => (name === "loss" ? "train" : after(name)),
  },
  {
    title: "Sharpness",
    takes: /^sharpness(\.|$)/,
    named: (name) => (name === "sharpness" ? "all" : mfnnr(after(name).replace(/^l/, ""))),
  },
  { title: "Fairness; difference of permutations", takes: /^(fairness|difference)$/, named: (name) => name },
  { title: "Share of each input", takes: /^shares\./, named: after },
  { title: "Mean gate: 0 copied, 1 computed", takes: GATE, named: (name) => mfnnr(GATE.exec(name)?.[1] ?? "") },
  {
    title: "Gates below 0.1: copied",
    takes: /^gates\..*\.copied$/,
    named: (name) => mfnnr(after(name).replace(/^l|\.copied$/g, "")),
  },
];

/** The model and its revision, where its card has a history; null for nothing. */
function keyOf() {
  const { status, info } = blocksState.state;
  const recorded = status === "ready" && info?.card?.history && Object.keys(info.card.history).length;
  return recorded ? info.id + " " + info.revision : null;
}

const asked = api.resource(
  keyOf,
  (key, signal) =>
    /** @type {Promise<Schemas["Indicators"]>} */ (
      api.send("GET", "/models/" + encodeURIComponent(key.split(" ")[0]) + "/indicators", undefined, { signal })
    ),
);
export const { follow } = asked;

/* -- the charts ------------------------------------------------------------------------------------------------- */

/** A power of ten as text. @param {number} power */
const tenTo = (power) => (power > -3 ? figure(10 ** power) : "1e\u2212" + fixed(-power, 0));

/**
 * Powers of ten for an axis of logarithms, with the ends where fewer than two are within.
 *
 * @param {number[]} logs
 * @param {[number, number]} range
 */
function decades(logs, range) {
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const [from, to] = [Math.ceil(low), Math.floor(high)];
  const whole = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  const ticks = whole.length > 1 ? whole : [...new Set([low, high])];
  const room = 0.05 * (high - low || 1);
  return linear([low - room, high + room], range, { ticks, named: tenTo });
}

/**
 * One chart: its series over the training steps, their names above.
 *
 * @param {Chart} about
 * @param {Series[]} series
 * @param {number[]} steps
 * @param {number} width
 */
function chartOf({ title, percent, log }, series, steps, width) {
  const { units } = readTheme();
  const looks = series.map((_, at) => ({ stroke: units[at % units.length], dash: DASHES[at % DASHES.length] }));
  const keys = legend(
    [
      { text: title, key: "none", ink: "ink", weight: 600 },
      ...series.map(({ name }, at) => ({ text: name, ink: "ink", ...looks[at] })),
    ],
    { x: 4, y: 12, width },
  );
  const [left, right, top, bottom] = [42, width - 16, keys.height + 10, ROW - 38 + Math.max(0, keys.height - KEYS)];
  const x = linear([0, Math.max(1, ...steps)], [left, right], { most: 4, round: false, named: (step) => step ? short(step) : "0" }); // prettier-ignore
  const place = (/** @type {number} */ value) => (log ? Math.log10(value) : percent ? 100 * value : value);
  const shown = series.map(({ name, values }) =>
    values.flatMap((value, at) =>
      value === null || (log && value <= 0) ? [] : [{ name, step: steps[at], value, y: place(value) }],
    ),
  );
  const y = log
    ? decades(
        shown.flat().map((point) => point.y),
        [bottom, top],
      )
    : linear([0, percent ? 102 : 1.02], [bottom, top], {
        ticks: percent ? [0, 25, 50, 75, 100] : [0, 0.25, 0.5, 0.75, 1],
        named: percent ? String : (value) => fixed(value, value % 0.5 ? 2 : 1),
      });
  const words = (/** @type {{name: string, step: number, value: number}} */ { name, step, value }) =>
    name + ": " + (percent ? fixed(100 * value, 1) + " %" : figure(value)) + " after " + whole(step) + " steps";
  return chart({
    width,
    height: bottom + 38,
    title,
    desc: title,
    marks: [
      axisY(y, [left, right], { strong: null }),
      axisX(x, [top, bottom], { strong: null }),
      text(["training step"], { x: (left + right) / 2, y: bottom + 29, fill: "dim", anchor: "middle", size: 11 }),
      shown.map((points, at) => [
        line(points, { x: ({ step }) => x(step), y: (point) => y(point.y), ...looks[at] }),
        dot(points, {
          x: ({ step }) => x(step),
          y: (point) => y(point.y),
          r: points.length > 1 ? 1.5 : 3.5,
          fill: looks[at].stroke,
          words,
        }),
      ]),
      keys.marks,
    ],
  });
}

/**
 * All charts that have measurements, in rows.
 *
 * @param {Schemas["Indicators"]} indicators
 * @param {number} width
 * @returns {Scene}
 */
export function sceneOf({ model, steps, series }, width) {
  const measured = series.filter(({ values }) => values.some((value) => value !== null));
  const charts = CHARTS.map((about) => ({
    about,
    series: measured
      .filter(({ name }) => about.takes.test(name))
      .map(({ name, values }) => ({ name: about.named(name), values })),
  })).filter((each) => each.series.length);
  const columns = Math.max(1, Math.min(charts.length, Math.floor(width / LEAST)));
  const wide = Math.floor((width - 24 * (columns - 1)) / columns);
  const drawn = charts.map(({ about, series: of }) => chartOf(about, of, steps, wide));
  const rows = Array.from({ length: Math.ceil(charts.length / columns) }, (_, row) =>
    Math.max(...drawn.slice(row * columns, (row + 1) * columns).map(({ height }) => height)),
  );
  const top = (/** @type {number} */ row) => rows.slice(0, row).reduce((sum, height) => sum + height, 0);
  return chart({
    width,
    height: top(rows.length),
    title: "Indicators of " + model + " over training",
    desc: charts.map(({ about, series: of }) => about.title + ": " + of.map(({ name }) => name).join(", ")).join("; "),
    marks: drawn.map((each, at) => part(each, (at % columns) * (wide + 24), top(Math.floor(at / columns)))),
  });
}

/* -- the panel -------------------------------------------------------------------------------------------------- */

/** @param {Pick<Schemas["Indicators"], "steps" | "series">} indicators */
const rowsOf = ({ steps, series }) => [
  ["step", ...series.map(({ name }) => name)],
  ...steps.map((step, at) => [step, ...series.map(({ values }) => values[at] ?? "")]),
];

function words() {
  const indicators = asked.answer();
  const { status } = blocksState.state;
  if (asked.problem()) return asked.problem()?.message;
  if (status === "ready" && keyOf() === null) return "This model has no training history.";
  if (!indicators) return "Loading the training history";
  const { steps } = indicators;
  return steps.length + " measurements over " + whole(steps[steps.length - 1] || 0) + " training steps.";
}

/** @returns {Written | null} */
function written() {
  const indicators = asked.answer();
  if (!indicators) return null;
  const { model, revision, steps, series } = indicators;
  const settings = /** @type {{seed?: number} | null | undefined} */ (blocksState.state.info?.card?.settings);
  return {
    name: "blocks-indicators",
    facts: { model, revision, seed: settings?.seed ?? null, drop: [], kind: "observed" },
    python: { figure: "indicators" },
    rows: () => rowsOf(indicators),
    json: () => ({ steps, series }),
    picture: { scene: (width) => sceneOf(indicators, width ?? 1080) },
  };
}

/** The panel of the indicators. */
export function IndicatorsPanel() {
  const indicators = asked.answer();
  return html`<${Panel}
    id="blocks-indicators"
    title="Over training"
    tag="observed"
    reads="Indicators against training steps: sharpness of the weights, fairness over the inputs, and the difference between permutations (0: none)."
    more="Sharpness: mean of the largest weight of each block. Fairness: evenness of the weight over the inputs. Difference: between permutations after undoing them."
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <p class="hint" role="status">${words()}</p>
    ${
      keyOf() !== null &&
      html`<${Picture}
          id="plot-blocks-indicators"
          height=${2 * ROW}
          scene=${(/** @type {number} */ width) => {
            const now = asked.answer();
            return now && sceneOf(now, width);
          }}
          drawn=${() => asked.answer()?.model ?? ""}
          label=${(/** @type {Scene} */ { title, desc }) => title + ". " + desc}
        />
        <${AsTable}
          words="The indicators as a table"
          data=${{ "data-blocks-table": "indicators" }}
          caption=${() => "Indicators over training"}
          rows=${indicators && (() => rowsOf(indicators))}
        />`
    }
  <//>`;
}
