/* The panels about units: each with its picture, the same numbers as a table, and its files. */
import { bands, bar, chart, dot, text, widest } from "rs/draw/marks.js";
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { fixed } from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { paintOfUnit, readTheme } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as charts from "rs/pages/observe/charts.js";
import * as numbers from "rs/pages/observe/numbers.js";
import * as observe from "rs/pages/observe/state.js";
import { Segmented } from "rs/parts/controls.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { cellLook } from "rs/parts/samples/drawn.js";
import { useEffect } from "rs/vendor/preact.js";

/** @import { Chart, Marks } from "rs/draw/types.d.ts" */
/** @import { Picture as Pixels, Schemas } from "rs/lib/types.d.ts" */
/** @import { Observation, Values } from "rs/pages/observe/types.d.ts" */

/** @typedef {Schemas["Exemplar"]} Exemplar */

const MOST_ROWS = 400; // that a table in the page shows; the files have all
const WIDTH = 560; // pixels of a picture in a file
const FORMATS = ["svg", "png", "csv", "json"];

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/** Names along a dim of a variable. @param {Observation} found @param {string} dim */
const namesOf = (found, dim) =>
  /** @type {Record<string, string[]>} */ ({
    step: found.steps,
    unit: found.units,
    label: found.labels,
    token: found.tokens,
    other: found.units,
  })[dim.replace(/_other$/, "")];

/** @param {Values} values @param {number[]} place */
const valueAt = (values, place) => place.reduce((inner, at) => /** @type {Values[]} */ (inner)[at], values);

/** Every place of an array. @param {number[]} lengths @returns {number[][]} */
const placesOf = (lengths) =>
  lengths.reduce(
    (places, length) => places.flatMap((place) => Array.from({ length }, (_, at) => [...place, at])),
    /** @type {number[][]} */ ([[]]),
  );

/** One row for each place of an array. @param {Observation} found @param {string[]} variables @returns {unknown[][]} */
function rowsOf(found, variables) {
  const shown = variables.filter((name) => found.variables[name]);
  const { dims } = found.variables[shown[0]];
  const along = dims.map((dim) => namesOf(found, dim));
  const rows = placesOf(along.map((names) => names.length)).map((place) => [
    ...place.map((at, axis) => along[axis][at]),
    ...shown.map((name) => valueAt(numbers.valuesOf(found, name), place) ?? ""),
  ]);
  return [[...dims, ...shown], ...rows];
}

/** p(unit, label), share and lift by step. @param {Observation} found @returns {unknown[][]} */
function matrixRows(found) {
  const rows = found.steps.flatMap((step) => {
    const { joint, share, lift } = numbers.labelMatrix(found, [step]);
    return found.units.flatMap((unit, u) =>
      found.labels.map((label, k) => [step, unit, label, joint[u][k] ?? "", share[u][k] ?? "", lift[u][k] ?? ""]),
    );
  });
  return [["step", "unit", "label", "p_unit_label", "share_of_label", "lift"], ...rows];
}

/** @param {Observation} found @returns {unknown[][]} */
const exemplarRows = (found) => [
  ["unit", "rank", "sample", "token", "step", "weight"],
  ...found.exemplars.map(({ unit, rank, sample, token, step, weight }) => [unit, rank, sample, token, step, weight]),
];

/** @param {Observation} found */
function factsOf(found) {
  const { steps } = observe.choice.value;
  return {
    model: found.model,
    revision: found.revision,
    data: found.data.map(({ name, count, stand_in }) => ({ name, count, stand_in })),
    count: found.count,
    seed: found.seed,
    drop: found.intervention.drop,
    mute: found.intervention.mute,
    iterations: found.intervention.iterations,
    steps_shown: steps.length ? steps : found.steps,
    observation: found.id,
    kind: "observed",
  };
}

/* -- panels -------------------------------------------------------------------------------------------------------- */

/**
 * @typedef {object} About a panel
 * @property {string} key
 * @property {string} title
 * @property {string} reads
 * @property {string} [more]
 * @property {number} span twelfths of the page's width
 * @property {number} [unlabelled] the same where samples have no labels
 * @property {string} name of its files
 * @property {string[]} variables that it shows
 * @property {charts.Draw} draw
 * @property {boolean} [ofLabels] whether it shows nothing of samples without labels
 */

/** @type {About[]} */
const PANELS = [
  {
    key: "matrix",
    title: "{Units} and labels",
    reads:
      "Share of a label's routing (column) that each {unit} takes (row). Lift divides it by the {unit}'s share of all routing; grey: below 1.",
    more: "All columns alike: the label does not matter.",
    span: 8,
    name: "units-and-labels",
    variables: ["joint"],
    draw: charts.matrix,
    ofLabels: true,
  },
  {
    key: "specialisation",
    title: "Specialisation",
    reads: "How far a label or a position determines the {unit} (0 to 1, log scale). Grey: shuffled labels.",
    more: "Mutual information of {unit} and label, or of {unit} and position, over the smaller entropy. Features are groups of patches by their pixels.",
    span: 4,
    unlabelled: 5,
    name: "specialisation",
    variables: ["specialisation", "specialisation_null", "specialisation_null_high", "specialisation_position", "specialisation_feature", "mutual_information"],
    draw: charts.specialisation,
  },
  {
    key: "positions",
    title: "Where {units} are used",
    reads: "Share, in percent, of each token's routing that {a_unit} takes. Patches lie as in the image; CLS tokens stand below.",
    span: 5,
    name: "usage-by-position",
    variables: ["by_position"],
    draw: charts.positions,
  },
  {
    key: "usage",
    title: "Usage",
    reads: "Share of all routing that each {unit} takes, by {step}.",
    span: 4,
    unlabelled: 7,
    name: "usage",
    variables: ["usage"],
    draw: charts.usage,
  },
  {
    key: "entropy",
    title: "Routing entropy",
    reads: "Mean entropy of a token's routing by {step}. Dotted: all {units} share alike.",
    more: "The entropy is 0 where one {unit} takes a token alone. exp(entropy) is the effective number of {units} of a token. M is the number of {units} that take part.",
    span: 4,
    name: "entropy",
    variables: ["entropy", "entropy_share", "effective_units", "units_taking_part", "unmatched"],
    draw: charts.entropy,
  },
  {
    key: "balance",
    title: "Balance",
    reads: "How unevenly {units} are used, by {step}: 0 (max / mean: 1) when all {units} are used alike.",
    more: "Collapse, worst: of the least used {unit}. Collapse, average: the share of routing that would have to move.",
    span: 4,
    name: "balance",
    variables: ["balance_cv", "balance_max_over_mean", "balance_gini", "collapse_worst", "collapse_average"],
    draw: charts.balance,
  },
  {
    key: "consistency",
    title: "Consistency",
    reads: "Left: Jensen-Shannon distance of two samples (0 to 1). Right: share of tokens that keep their {unit}.",
    span: 4,
    name: "consistency",
    variables: ["jsd_samples", "repeat_rate", "repeat_chance"],
    draw: charts.consistency,
  },
  {
    key: "labels",
    title: "Between labels",
    reads: "Jensen-Shannon distance of the mean routing of two labels; 0: both are routed alike.",
    span: 4,
    name: "distance-between-labels",
    variables: ["jsd_labels"],
    draw: charts.labels,
    ofLabels: true,
  },
  {
    key: "steps",
    title: "Between {steps}",
    reads: "Jensen-Shannon distance of the routing of the same tokens at two {steps}.",
    span: 4,
    name: "distance-between-steps",
    variables: ["jsd_steps"],
    draw: charts.steps,
  },
  {
    key: "coactivation",
    title: "Co-activation",
    reads: "How often two {units} are both active on a token, against chance (1 = chance). Blue: above 1; red: below.",
    more: "{A_unit} is active where its compatibility is above 0.",
    span: 4,
    name: "coactivation",
    variables: ["coactivation", "coactivation_expected"],
    draw: charts.coactivation,
  },
  {
    key: "similarity",
    title: "Similarity of {units}",
    reads: "How alike what two {units} add to the same tokens is. CKA 1: equal up to rotation and scale.",
    more: "What {a_unit} adds is weighted by compatibility, so routing enters.",
    span: 4,
    name: "similarity-of-units",
    variables: ["cka_by_step", "cosine_by_step"],
    draw: charts.similarity,
  },
  {
    key: "similarity-steps",
    title: "Similarity of {steps}",
    reads: "Debiased linear CKA between what the {units} add at two {steps}.",
    span: 4,
    name: "similarity-of-steps",
    variables: ["cka_steps"],
    draw: charts.similaritySteps,
  },
]; // prettier-ignore

/** Whether a panel has something to show. @param {About} about @param {Observation} found */
const hasAny = ({ variables, ofLabels }, found) =>
  Boolean(found.variables[variables[0]]) && (!ofLabels || found.labels.length > 0);

/** Rows as a table, as many as a page shows. @param {{title: string, rows: () => unknown[][]}} props */
function Table({ title, rows }) {
  const counted = () => rows().length - 1;
  const words = () => (counted() > MOST_ROWS ? "The first " + MOST_ROWS + " of " + counted() + " rows; the CSV file has all." : ""); // prettier-ignore
  const some = () => rows().slice(0, MOST_ROWS + 1);
  return html`<${AsTable} words=${title + " as a table"} caption=${words} rows=${some} />`;
}

/** What files say and code needs. @param {Observation} found */
const shared = (found) => ({ facts: factsOf(found), iterations: found.intervention.iterations ?? null });

/** A panel with a picture. @param {{about: About, children?: import("rs/vendor/preact.js").ComponentChildren}} props */
function ChartPanel({ about, children }) {
  const { key, title, variables, draw } = about;
  const id = "observe-" + key;
  const found = observe.observation();
  const any = found && hasAny(about, found);
  const span = (found && !found.labels.length && about.unlabelled) || about.span;
  const written = () => {
    const now = observe.status() === "ready" ? observe.observation() : null;
    if (!now || !hasAny(about, now)) return null;
    const { facts, iterations } = shared(now);
    return {
      name: about.name,
      facts,
      python: { figure: /** @type {const} */ ("observation"), iterations, variables },
      picture: { scene: (/** @type {number | undefined} */ width) => draw(now, width ?? WIDTH, observe.choice.value) },
      rows: () => (key === "matrix" ? matrixRows(now) : rowsOf(now, variables)),
      json: () => ({
        coordinates: { step: now.steps, unit: now.units, label: now.labels, token: now.tokens },
        variables: Object.fromEntries(variables.flatMap((name) => (now.variables[name] ? [[name, now.variables[name]]] : []))),
      }),
    };
  }; // prettier-ignore
  const scene = (/** @type {number} */ width) => {
    const now = observe.observation();
    const view = { ...observe.choice.value, pointed: observe.pointed.value };
    return now && hasAny(about, now) ? draw(now, width, view) : null;
  };
  /** @param {{unit?: string, row?: number} | null} of a unit, or a row of units */
  const point = (of) => {
    const row = ["matrix", "coactivation", "similarity"].includes(key) ? of?.row : undefined;
    observe.pointed.value = of?.unit ?? found?.units[row ?? -1] ?? null;
  };
  const drawn = () => {
    const { steps, cell, measure } = observe.choice.peek();
    return [observe.observation()?.id, ...steps, { matrix: cell, similarity: measure }[key]].filter(Boolean).join(" ");
  };
  return html`<${Panel}
    id=${id}
    title=${words.choose({ "": title })}
    reads=${words.choose({ "": about.reads })}
    more=${about.more && words.choose({ "": about.more })}
    tag="observed"
    formats=${FORMATS}
    look=${"span-" + span + " panel-" + id}
    hidden=${found ? !any && key !== "specialisation" : about.ofLabels && !observe.model()?.labels.length}
    written=${written}
  >
    ${children} ${!found && html`<${Coming} />`}
    <${Picture}
      id=${"plot-" + id}
      look="observe-picture"
      scene=${scene}
      drawn=${drawn}
      onPoint=${point}
      label=${(/** @type {Chart} */ { title: name, desc }) => name + ". " + desc}
    />
    ${any && html`<${Table} title=${title} rows=${() => (key === "matrix" ? matrixRows(found) : rowsOf(found, variables))} />`}
  <//>`;
}

/** The place of what comes, before the first counts. */
const Coming = () => html`<div class="skeleton observe-coming" aria-hidden="true"></div>`;

/** Specialisation at the chosen steps, beside its null and its controls. @param {{found: Observation | null}} props */
function Specialisation({ found }) {
  const { steps } = observe.choice.value;
  if (!found) return null;
  if (!found.variables.specialisation)
    return html`<p class="hint">Specialisation comes with its shuffled baseline when all samples are counted.</p>`;
  const written = (/** @type {number | null} */ value) => (value === null ? "no number" : fixed(value, 4));
  const number = (/** @type {string} */ name) => written(numbers.overSteps(found, name, steps));
  const [mean, high] = numbers.nullOverSteps(found, steps);
  /** @type {[string, string][]} */
  const entries = found.labels.length
    ? [
        ["by label", number("specialisation") + " (" + number("mutual_information") + " nats)"],
        ["labels shuffled", written(mean) + ", 95 % below " + written(high)],
        ["by position (control)", number("specialisation_position")],
        ["by input features (control)", number("specialisation_feature")],
      ]
    : [["by position", number("specialisation_position")]];
  return html`<div id="observe-specialisation-numbers" class="observe-numbers">
    <p class="number-step">${numbers.wordsOfSteps(found.steps, steps)}</p>
    <dl>
      ${entries.map(
        ([words, value], at) =>
          html`<div key=${words} class=${at ? "number" : "number number-main"}>
            <dt>${words}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </div>`;
}

const Cell = () =>
  html`<${Segmented}
    id="observe-cell"
    label="Cells show the share of the label's routing, or the lift over independence"
    options=${[
      ["share", "share of the label"],
      ["lift", "lift"],
    ]}
    chosen=${observe.choice.value.cell}
    onChoose=${(/** @type {"share" | "lift"} */ cell) => observe.choose({ cell })}
  />`;

const Measure = () =>
  html`<${Segmented}
    id="observe-measure"
    label="Measure of similarity"
    options=${[
      ["cka", "CKA"],
      ["cosine", "cosine"],
    ]}
    chosen=${observe.choice.value.measure}
    onChoose=${(/** @type {"cka" | "cosine"} */ measure) => observe.choose({ measure })}
  />`;

/** All panels about units; null before the first counts. @param {{found: Observation | null}} props */
export function RoutingPanels({ found }) {
  const [matrix, specialisation, ...others] = PANELS;
  /** @type {Record<string, unknown>} */
  const tools = { similarity: html`<div class="observe-switch"><${Measure} /></div>` };
  return html`
    <${ChartPanel} about=${matrix}
      ><div class="observe-switch"><${Cell} /></div
    ><//>
    <${ChartPanel} about=${specialisation}><${Specialisation} found=${found} /><//>
    <${ExemplarPanel} found=${found} />
    ${others.map((about) => html`<${ChartPanel} key=${about.key} about=${about}>${tools[about.key]}<//>`)}
  `;
}

/* -- exemplars ----------------------------------------------------------------------------------------------------- */

const MOST_TOGETHER = 200; // samples in one picture of the service
const [SIDE, GAP] = [56, 6]; // pixels in a file

/** @param {string} sample */
const tablePath = (sample) => "/tables/" + encodeURIComponent(sample);
/** @param {Observation} found */
const samplesOf = ({ exemplars }) => [...new Set(exemplars.map(({ sample }) => sample))];

/** Samples of models that read no pictures. @type {api.Resource<Record<string, Schemas["SampleTable"]>>} */
const tables = api.resource(
  () => {
    const found = observe.observation();
    return found && !observe.model()?.samples ? JSON.stringify(samplesOf(found)) : null;
  },
  async (key) => {
    const names = /** @type {string[]} */ (JSON.parse(key));
    const found = await Promise.all(names.map(async (name) => [name, await api.send("GET", tablePath(name))]));
    return Object.fromEntries(found);
  },
);

/** Where a sample lies in the picture that shows many. @param {string[]} samples @param {string} sample */
function lookOf(samples, sample) {
  const place = samples.indexOf(sample);
  const first = place - (place % MOST_TOGETHER);
  const together = samples.slice(first, first + MOST_TOGETHER);
  return cellLook(together, place - first);
}

/** A picture with a frame around its patch. @param {{each: Exemplar, samples: string[], grid: number[]}} props */
function Pictured({ each, samples, grid: [rows, columns] }) {
  const patch = numbers.patchOf(each.token);
  const share = (/** @type {number} */ value) => 100 * value + "%";
  return html`<span class="exemplar-image">
    <span class="exemplar-picture pixels" style=${lookOf(samples, each.sample)}></span>
    ${
      patch
        ? html`<span
            class="exemplar-patch"
            style=${{ left: share(patch[1] / columns), top: share(patch[0] / rows), width: share(1 / columns), height: share(1 / rows) }}
          ></span>`
        : html`<span class="exemplar-cls">CLS</span>`
    }
  </span>`;
}

/** The number of a point that its token is. @param {Exemplar} each */
const numberOf = ({ token }) => token.slice(token.indexOf(":") + 1);

/** A point as bars, or the name of a sample. @param {{each: Exemplar, table: Schemas["SampleTable"]}} props */
function Tabled({ each, table }) {
  if (!table.point) {
    const name = table.set === null ? table.set_title : table.set + " \u00b7 " + each.sample.split(".").at(-1);
    return html`<span class="exemplar-name">${name}</span>`;
  }
  const { names, values } = table.point;
  return html`<span class="exemplar-bars" aria-hidden="true">
    ${names.map((name, at) => html`<span data-marked=${String(name === numberOf(each))}><span style=${{ height: 100 * values[at] + "%" }}></span></span>`)}
  </span>`;
}

/** The samples and tokens that route to each unit most. @param {{found: Observation}} props */
function Exemplars({ found }) {
  const [info, tabled] = [observe.model(), tables.answer()];
  if (!info || (!info.samples && !tabled)) return null;
  const [samples, gone, { drop, mute }] = [samplesOf(found), numbers.droppedIn(found), found.intervention];
  /** @param {Exemplar} each */
  const exemplar = (each) => {
    const words = each.sample + ", " + numbers.tokenWords(each.token) + ", " + stepWords(each.step) + ": compatibility " + fixed(each.weight, 3) + ". See its path"; // prettier-ignore
    const href = address.linkTo("paths", { model: found.model, sample: each.sample, drop, mute, step: Math.max(0, found.steps.indexOf(each.step)) }); // prettier-ignore
    return html`<a key=${each.rank} class="exemplar" href=${href} title=${words} onClick=${follow}>
      ${tabled ? html`<${Tabled} each=${each} table=${tabled[each.sample]} />` : html`<${Pictured} each=${each} samples=${samples} grid=${info.grid} />`}
      <span class="exemplar-weight" aria-hidden="true"
        >${tabled && html`<strong>${numberOf(each)} </strong>`}${fixed(each.weight, 2)}</span
      >
      <span class="hidden-visually">${words}</span>
    </a>`;
  };
  return found.units.map((unit, u) => {
    const paint = paintOfUnit(found.units, unit);
    const own = found.exemplars.filter((each) => each.unit === unit).sort((a, b) => a.rank - b.rank);
    const faint = observe.pointed.value !== null && observe.pointed.value !== unit;
    return html`<div
      key=${unit}
      class=${faint ? "exemplar-unit is-dimmed" : "exemplar-unit"}
      data-of-unit=${unit}
      style=${{ "--unit": paint }}
      onPointerEnter=${() => (observe.pointed.value = unit)}
      onPointerLeave=${() => (observe.pointed.value = null)}
    >
      <h3 class="exemplar-head">
        <span class="swatch" aria-hidden="true" style=${{ background: paint }}></span>${unit}
      </h3>
      ${own.length ? html`<div class="exemplar-links">${own.map(exemplar)}</div>` : html`<p class="hint">${gone[u] ? "dropped" : "no token routes to it"}</p>`}
    </div>`;
  });
}

const READS = "Samples and tokens that route to each {unit} most, with their compatibility. Click one for its path.";

/** @param {{found: Observation | null}} props */
function ExemplarPanel({ found }) {
  useEffect(() => tables.follow(), []);
  const written = () => {
    if (!found || observe.status() !== "ready") return null;
    const { facts, iterations } = shared(found);
    const looks = observe.model()?.samples ? "pictures" : Object.values(tables.answer() ?? {}).every(({ point }) => point) ? "points" : "names"; // prettier-ignore
    return {
      name: "exemplars",
      facts,
      python: { figure: /** @type {const} */ ("exemplars"), iterations, looks },
      picture: { scene: (/** @type {number | undefined} */ width) => exemplarScene(found, width) },
      rows: () => exemplarRows(found),
      json: () => ({ exemplars: found.exemplars }),
    };
  };
  return html`<${Panel}
    id="observe-exemplars-panel"
    title="Exemplars"
    reads=${words.choose({ "": READS })}
    tag="observed"
    formats=${FORMATS}
    look="span-7 panel-observe-exemplars"
    written=${written}
  >
    ${
      found
        ? html`
            <div class="observe-picture">
              <div id="observe-exemplars" class="exemplars"><${Exemplars} found=${found} /></div>
            </div>
            <${Table} title="Exemplars" rows=${() => exemplarRows(found)} />
          `
        : html`<${Coming} />`
    }
  <//>`;
}

/** @typedef {{each: Exemplar, x: number, y: number, colour: string}} Placed */

/** A picture with the frame of its patch. @param {Placed} placed @param {Pixels} source @returns {Marks} */
function pictureMarks({ each, x, y, colour }, source) {
  const [rows, columns] = observe.model()?.grid ?? [1, 1];
  const patch = numbers.patchOf(each.token);
  const across = bands(Array.from({ length: columns }, String), [x, x + SIDE]);
  const down = bands(Array.from({ length: rows }, String), [y, y + SIDE]);
  const { width, height } = source;
  return [
    { shape: "image", source, sx: 0, sy: 0, sw: width, sh: height, x, y, w: SIDE, h: SIDE },
    patch ? bar([{ stroke: "#000000", width: 4 }, { stroke: colour, width: 2 }], { x: across.extent(patch[1]), y: down.extent(patch[0]), stroke: (frame) => frame.stroke, width: (frame) => frame.width }) : [],
  ]; // prettier-ignore
}

/** The numbers of a point as bars. @param {Placed} placed @param {Schemas["Point"]} point @returns {Marks} */
function pointMarks({ each, x: left, y, colour }, { names, values }) {
  const x = bands(names, [left, left + SIDE], 2);
  const across = (/** @type {number} */ _, /** @type {number} */ at) => x.extent(at);
  return [
    bar(values, { x: across, y: [y, y + SIDE], fill: "hair" }),
    bar(values, { x: across, y: (value) => [y + SIDE * (1 - value), y + SIDE], fill: (_, at) => (names[at] === numberOf(each) ? colour : "dim") }),
  ]; // prettier-ignore
}

/** All exemplars as a picture for files. @param {Observation} found @param {number} [width] @returns {Promise<Chart>} */
export async function exemplarScene(found, width = Infinity) {
  const [theme, tabled, pictured] = [readTheme(), tables.answer(), Boolean(observe.model()?.samples)];
  const names = pictured ? samplesOf(found) : [];
  const pictures = new Map(await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await api.picture(name)]))));
  const rows = found.units.map((unit) => found.exemplars.filter((each) => each.unit === unit));
  const left = Math.min(width < 420 ? 0.4 * width : 220, Math.ceil(widest(found.units, 14, 600)) + 42);
  const most = Math.max(1, ...rows.map((row) => row.length));
  const columns = Math.max(1, Math.min(most, Math.floor((width - left - 4) / (SIDE + GAP))));
  const [lines, line] = [Math.ceil(most / columns), SIDE + 26];
  const top = (/** @type {number} */ u) => 10 + u * lines * line;
  /** @type {Placed[]} */
  const cells = rows.flatMap((row, u) => row.map((each, place) => ({ each, x: left + (place % columns) * (SIDE + GAP), y: top(u) + Math.floor(place / columns) * line, colour: theme.unit(u) })));
  const middle = { x: (/** @type {Placed} */ { x }) => x + SIDE / 2, size: 10.5, anchor: /** @type {const} */ ("middle") };
  const before = (/** @type {string} */ token) => (!pictured ? token.split(":").at(-1) + " " : numbers.patchOf(token) ? "" : "CLS ");
  const looks = cells.map((cell) => {
    const { sample } = cell.each;
    const [picture, point] = [pictures.get(sample), tabled?.[sample]?.point];
    if (picture) return pictureMarks(cell, picture);
    if (point) return pointMarks(cell, point);
    return text([sample.split(".").at(-1) ?? ""], { ...middle, x: cell.x + SIDE / 2, y: cell.y + SIDE / 2, room: SIDE + GAP });
  });
  return chart({
    width: Number.isFinite(width) ? width : left + 4 + most * (SIDE + GAP),
    height: 14 + found.units.length * lines * line,
    title: "Exemplars of the units of " + found.model,
    desc: words.choose({ "": READS }),
    marks: [
      dot(found.units, { x: 16, y: (_, u) => top(u) + SIDE / 2, r: 6, fill: (_, u) => theme.unit(u) }),
      text(found.units, { x: 28, y: (_, u) => top(u) + SIDE / 2, size: 14, weight: 600, room: left - 34 }),
      looks,
      text(cells, { ...middle, y: ({ y }) => y + SIDE + 13, down: 0, text: ({ each }) => before(each.token) + fixed(each.weight, 2), fill: "dim", room: SIDE + GAP - 2 }),
    ],
  });
} // prettier-ignore
