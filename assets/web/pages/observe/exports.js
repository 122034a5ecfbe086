/* What the panels of the Observe page can be saved as, and the same numbers as tables. */
import * as exports from "rs/draw/exports.js";
import { bands, bar, chart, dot, text, widest } from "rs/draw/marks.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import * as observe from "rs/pages/observe/page.js";
import * as plots from "rs/parts/plots.js";
import { Figures } from "rs/parts/table.js";

/** @import { Marks, Scene } from "rs/draw/types.d.ts" */
/** @import { Picture, Schemas } from "rs/lib/types.d.ts" */
/** @import { Found } from "rs/pages/observe/types.d.ts" */

/** @typedef {number | null | Values[]} Values nested lists along the dims of a variable; null where not a finite number */

const MOST_ROWS = 400; // that a table in the page shows; the files have all

/**
 * Panel (and plot): what it is called, and the variables behind it, which share their dims.
 *
 * @type {Record<string, [string, string[]]>}
 */
const PANELS = {
  "observe-matrix": ["units-and-labels", ["joint"]],
  "observe-specialisation": [
    "specialisation",
    [
      "specialisation",
      "specialisation_null",
      "specialisation_null_high",
      "specialisation_position",
      "specialisation_feature",
      "mutual_information",
    ],
  ],
  "observe-positions": ["usage-by-position", ["by_position"]],
  "observe-usage": ["usage", ["usage"]],
  "observe-entropy": ["entropy", ["entropy", "entropy_share", "effective_units", "units_taking_part", "unmatched"]],
  "observe-balance": [
    "balance",
    ["balance_cv", "balance_max_over_mean", "balance_gini", "collapse_worst", "collapse_average"],
  ],
  "observe-consistency": ["consistency", ["jsd_samples", "repeat_rate", "repeat_chance"]],
  "observe-labels": ["distance-between-labels", ["jsd_labels"]],
  "observe-steps": ["distance-between-steps", ["jsd_steps"]],
  "observe-coactivation": ["coactivation", ["coactivation", "coactivation_expected"]],
  "observe-similarity": ["similarity-of-units", ["cka_by_step", "cosine_by_step"]],
  "observe-similarity-steps": ["similarity-of-steps", ["cka_steps"]],
};

/**
 * @param {Found} found
 * @param {string} dim
 */
const namesOf = (found, dim) =>
  /** @type {Record<string, string[]>} */ ({
    step: found.steps,
    unit: found.units,
    label: found.labels,
    token: found.tokens,
    other: found.units,
  })[dim.replace(/_other$/, "")];

/**
 * @param {unknown} values
 * @param {number[]} place
 */
const cell = (values, place) =>
  place.reduce((inner, index) => /** @type {Values[]} */ (inner)[index], /** @type {Values} */ (values));

/** @param {number[]} lengths */
function everyPlace(lengths) {
  return lengths.reduce(
    (places, length) => places.flatMap((place) => Array.from({ length }, (_, index) => [...place, index])),
    /** @type {number[][]} */ ([[]]),
  );
}

/**
 * Every number of `names`, one row for each place along their dims.
 *
 * @param {Found} found
 * @param {string[]} names
 * @returns {unknown[][]}
 */
function rowsOf(found, names) {
  const there = names.filter((name) => found.variables[name]);
  const { dims } = found.variables[there[0]];
  const along = dims.map((dim) => namesOf(found, dim));
  const rows = everyPlace(along.map((list) => list.length)).map((place) => [
    ...place.map((index, axis) => along[axis][index]),
    ...there.map((name) => {
      const value = cell(found.variables[name].values, place);
      return value === null ? "" : value;
    }),
  ]);
  return [[...dims, ...there], ...rows];
}

/**
 * Rows of the matrix with what its cells say: p(unit | label) and the lift, step by step.
 *
 * @param {Found} found
 * @returns {unknown[][]}
 */
function matrixRows(found) {
  const joint = /** @type {number[][][]} */ (found.variables.joint.values); // (step, unit, label)
  /** @type {unknown[][]} */
  const rows = [["step", "unit", "label", "p_unit_label", "share_of_label", "lift"]];
  found.steps.forEach((step, s) => {
    const byUnit = joint[s].map((line) => line.reduce((sum, value) => sum + value, 0));
    const byLabel = found.labels.map((_, k) => joint[s].reduce((sum, line) => sum + line[k], 0));
    const total = byUnit.reduce((sum, value) => sum + value, 0);
    found.units.forEach((unit, m) =>
      found.labels.forEach((label, k) => {
        const p = joint[s][m][k];
        const share = byLabel[k] ? p / byLabel[k] : "";
        rows.push([step, unit, label, p, share, byLabel[k] && byUnit[m] ? (p * total) / (byUnit[m] * byLabel[k]) : ""]);
      }),
    );
  });
  return rows;
}

/**
 * @param {Found} found
 * @returns {unknown[][]}
 */
const exemplarRows = (found) => [
  ["unit", "rank", "sample", "token", "step", "weight"],
  ...found.exemplars.map((each) => [each.unit, each.rank, each.sample, each.token, each.step, each.weight]),
];

/**
 * @param {string} key
 * @param {Found} found
 */
const rowsFor = (key, found) =>
  key === "observe-matrix"
    ? matrixRows(found)
    : key === "observe-exemplars-panel"
      ? exemplarRows(found)
      : rowsOf(found, PANELS[key][1]);

/** @param {Found} found */
function factsOf(found) {
  const view = observe.view();
  return {
    model: found.model,
    revision: found.revision,
    data: found.data.map((each) => ({ name: each.name, count: each.count, stand_in: each.stand_in })),
    count: found.count,
    seed: found.seed,
    drop: found.intervention.drop,
    mute: found.intervention.mute,
    iterations: found.intervention.iterations,
    steps_shown: view.steps.length ? view.steps : found.steps,
    observation: found.id,
    kind: "observed",
  };
}

/** @param {Found} found */
const asked = ({ intervention }) => ({ iterations: intervention.iterations ?? null });

/** @param {string} selector */
const textOf = (selector) => /** @type {Element} */ (document.querySelector(selector)).textContent;

for (const [key, [name, variables]] of Object.entries(PANELS)) {
  exports.register(key, () => {
    const found = observe.found();
    if (!found) return null;
    const title = textOf("#" + key + "-title");
    const reads = textOf("#panel-" + key + " .reads");
    return {
      name,
      facts: factsOf(found),
      picture: plots.picture(key, title, reads),
      python: { figure: "observation", ...asked(found), variables },
      rows: () => rowsFor(key, found),
      json: () => ({
        coordinates: { step: found.steps, unit: found.units, label: found.labels, token: found.tokens },
        variables: Object.fromEntries(
          variables.filter((each) => found.variables[each]).map((each) => [each, found.variables[each]]),
        ),
      }),
    };
  });
}

// -- exemplars: a picture of pictures --------------------------------------------------------------------------

const SIDE = 56;
const GAP = 6;

/** @typedef {Map<string, Picture>} Pictures by the ids of samples */
/** @typedef {Map<string, Schemas["Point"]>} Points by the ids of samples */

/**
 * A picture with the frame of its patch.
 *
 * @param {Found} found
 * @param {Schemas["Exemplar"]} each
 * @param {Picture | undefined} source
 * @param {{x: number, y: number, colour: string}} place
 * @returns {Marks}
 */
function pictureMarks({ grid: [rows, columns] }, each, source, { x, y, colour }) {
  if (!source) return [];
  const { width, height } = source;
  const patch = /^patch:(\d+),(\d+)$/.exec(each.token);
  const across = bands(Array.from({ length: columns }, String), [x, x + SIDE]);
  const down = bands(Array.from({ length: rows }, String), [y, y + SIDE]);
  const frames = patch ? [["#000000", 4], [colour, 2]] : []; // prettier-ignore
  return [
    { shape: "image", source, sx: 0, sy: 0, sw: width, sh: height, x, y, w: SIDE, h: SIDE },
    bar(frames, { x: across.extent(Number(patch?.[2])), y: down.extent(Number(patch?.[1])), stroke: ([paint]) => String(paint), width: ([, wide]) => Number(wide) }),
  ]; // prettier-ignore
}

/**
 * The numbers of a point as bars, that of its token in the colour of the unit.
 *
 * @param {Schemas["Exemplar"]} each
 * @param {Schemas["Point"]} point
 * @param {{x: number, y: number, colour: string}} place
 * @returns {Marks}
 */
function pointMarks(each, { names, values }, { x: left, y, colour }) {
  const x = bands(names, [left, left + SIDE], 2);
  const across = (/** @type {number} */ _, /** @type {number} */ at) => x.extent(at);
  const own = (/** @type {number} */ _, /** @type {number} */ at) => each.token.endsWith(":" + names[at]);
  return [
    bar(values, { x: across, y: [y, y + SIDE], fill: "hair" }),
    bar(values, { x: across, y: (value) => [y + SIDE * (1 - value), y + SIDE], fill: (value, at) => (own(value, at) ? colour : "dim") }),
  ]; // prettier-ignore
}

/**
 * @param {Found} found
 * @returns {Promise<Scene>}
 */
async function exemplarScene(found) {
  const names = [...new Set(found.exemplars.map((each) => each.sample))];
  /** @type {Pictures} */
  const pictures = new Map();
  /** @type {Points} */
  const points = new Map();
  await Promise.all(
    names.map(async (name) => {
      if (found.looks === "pictures") pictures.set(name, await api.picture(name));
      if (found.looks === "points")
        points.set(name, (await api.send("GET", "/tables/" + encodeURIComponent(name))).point);
    }),
  );
  const theme = readTheme();
  const rows = found.units.map((unit) => found.exemplars.filter((each) => each.unit === unit));
  const top = (/** @type {number} */ u) => 10 + u * (SIDE + 26);
  const left = Math.ceil(widest(found.units, 14, 600)) + 42;
  const cells = rows.flatMap((row, u) => row.map((each, place) => ({ each, x: left + place * (SIDE + GAP), y: top(u), colour: theme.unit(u) }))); // prettier-ignore
  const middle = { x: (/** @type {{x: number}} */ { x }) => x + SIDE / 2, size: 10.5, anchor: /** @type {const} */ ("middle") }; // prettier-ignore
  const before = (/** @type {string} */ token) =>
    found.looks !== "pictures" ? token.split(":").at(-1) + " " : token.startsWith("patch:") ? "" : "CLS ";
  const looks = cells.map(({ each, ...place }) => {
    const point = points.get(each.sample);
    if (point) return pointMarks(each, point, place);
    if (found.looks === "pictures") return pictureMarks(found, each, pictures.get(each.sample), place);
    return text([each.sample.split(".").at(-1) ?? ""], { ...middle, x: place.x + SIDE / 2, y: place.y + SIDE / 2, room: SIDE + GAP });
  }); // prettier-ignore
  return chart({
    width: left + 4 + Math.max(1, ...rows.map((row) => row.length)) * (SIDE + GAP),
    height: 14 + found.units.length * (SIDE + 26),
    title: "Exemplars of the units of " + found.model,
    desc: textOf("#panel-observe-exemplars-panel .reads"),
    marks: [
      dot(found.units, { x: 16, y: (_, u) => top(u) + SIDE / 2, r: 6, fill: (_, u) => theme.unit(u) }),
      text(found.units, { x: 28, y: (_, u) => top(u) + SIDE / 2, size: 14, weight: 600 }),
      looks,
      text(cells, { ...middle, y: ({ y }) => y + SIDE + 13, down: 0, text: ({ each }) => before(each.token) + each.weight.toFixed(2), fill: "dim" }),
    ],
  }); // prettier-ignore
}

exports.register("observe-exemplars-panel", () => {
  const found = observe.found();
  if (!found) return null;
  return {
    name: "exemplars",
    facts: factsOf(found),
    python: { figure: "exemplars", ...asked(found), looks: found.looks },
    picture: { scene: () => exemplarScene(found) },
    rows: () => exemplarRows(found),
    json: () => ({ exemplars: found.exemplars }),
  };
});

// -- tables ------------------------------------------------------------------------------------------------------

/** @param {unknown} value */
const shown = (value) => (typeof value === "number" ? String(Number(value.toPrecision(4))) : value);

/** @param {string} key */
function table(key) {
  const found = observe.found();
  if (!found) return null;
  const [head, ...rows] = rowsFor(key, found);
  const words =
    rows.length > MOST_ROWS ? "The first " + MOST_ROWS + " of " + rows.length + " rows; the CSV file has all." : "";
  const lines = rows.slice(0, MOST_ROWS).map(
    (row) =>
      html`<tr>
        ${row.map((value) => html`<td>${String(shown(value))}</td>`)}
      </tr>`,
  );
  const heads = head.map((name) => html`<th>${name}</th>`);
  return html`<${Figures} heads=${heads} rows=${lines} caption=${words} />`;
}

registerWidget("observe-table", (details) => {
  const host = /** @type {HTMLElement} */ (details.querySelector("[data-observe-table]"));
  const fill = () => {
    if (/** @type {HTMLDetailsElement} */ (details).open) show(host, () => table(host.dataset.observeTable ?? ""));
  };
  details.addEventListener("toggle", fill);
  document.addEventListener("observed", fill);
  return () => document.removeEventListener("observed", fill);
});
