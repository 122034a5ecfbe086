/* Importance on the Drop page: its job starts in the background once the evaluation is done (ten units or fewer),
   follows the choice, and its result can be exported from every panel. */
import * as exports from "rs/draw/exports.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { user } from "rs/lib/navigation/user.js";
import { layerName } from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { Choice } from "rs/parts/controls.js";
import { DISTRIBUTIONS, figureOfNone, signsOf } from "rs/parts/figures.js";
import * as plots from "rs/parts/plots.js";
import * as tables from "rs/parts/table.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */
/** @import { Opened, State } from "rs/pages/drop/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @typedef {Schemas["Importance"]} Importance */
/** @typedef {"usage" | "shapley" | "interactions" | "retention" | "anytime" | "convergence"} Field of an importance, with rows */
/** @typedef {"use" | "effect" | "interactions" | "retention" | "anytime" | "convergence"} PanelKey */

const JOB = "importance";
const MOST_UNITS_EXACT = 10;
const MOST_UNITS_PAIRS = 20; // beyond it neither pairs nor orders of all units are scored
const MANY_SAMPLES = 24_000; // units times samples, where there are many units
// Sets times texts of mixtures of experts, alone and within a layer: half a minute, a minute of the bundled one.
const [TEXTS_ALONE, TEXTS_WITHIN] = [2640, 8192];
const FEW_ORDERS = 16; // that are drawn within a layer of many experts
const MOST_ROWS = 24; // of the charts of use and effect
const [LOWEST, ROW, ROW_OF_TWO] = [250, 19, 24]; // pixels of those charts, of one of many rows, of one with two marks
/** @type {Record<PanelKey, [Field, string]>} */
const PANELS = {
  use: ["usage", "Observed use"],
  effect: ["shapley", "Caused effect"],
  interactions: ["interactions", "Interactions"],
  retention: ["retention", "Retention"],
  anytime: ["anytime", "Accuracy against iterations"],
  convergence: ["convergence", "Convergence"],
};
/** @type {string | null} */
let wanted = null; // the request of the choice, as text
let stopped = false; // whether a person cancelled: then nothing starts by itself
/**
 * What was found of the choice; null while it is not.
 *
 * @type {Signal<Importance | null>}
 */
export const result = signal(null);

/** The layer whose experts alone are looked at; "" where every expert is, or units are no experts. */
const within = signal("");

/**
 * The experts of the layer that is looked at, how many; of other models all units.
 *
 * @param {Opened} state
 */
const players = ({ model }) =>
  (model.layers ?? []).find(({ name }) => name === within.value)?.experts ?? model.units.length;

/**
 * How many sets of experts are scored.
 *
 * @param {Opened} state
 */
function setsOf(state) {
  const count = players(state);
  if (!within.value) return 1 + count;
  if (count <= MOST_UNITS_EXACT) return 2 ** count;
  const few = count <= MOST_UNITS_PAIRS;
  return count * (few ? count / 2 : 1) + (count - 1) * (few ? 64 : FEW_ORDERS) + 200;
}

/**
 * With many units each sample is scored hundreds of times: fewer of them are taken.
 *
 * @param {Opened} state
 */
function samplesFor(state) {
  const { model, choice } = state;
  if (drop.hasExperts(state)) {
    const many = within.value ? TEXTS_WITHIN : TEXTS_ALONE;
    return Math.min(choice.samples, Math.max(16, Math.min(300, Math.round(many / setsOf(state)))));
  }
  const count = model.units.length;
  if (count <= MOST_UNITS_PAIRS) return choice.samples;
  return Math.min(choice.samples, Math.max(30, Math.min(300, Math.round(MANY_SAMPLES / count))));
}

/**
 * What is asked for of the choice.
 *
 * @param {Opened} state
 */
export function requestOf(state) {
  const { model, choice } = state;
  const layer = drop.hasExperts(state) && within.value;
  // A layer cannot route with fewer experts than a token takes: what a subset of them lacks is muted.
  const kind = layer && choice.kind === "drop" ? "mute" : choice.kind;
  const body = { model: model.id, data: drop.measured(), samples: samplesFor(state), kind };
  const cut = choice.edges === null ? {} : { keep_edges: choice.edges };
  // Without a name it is of the first distribution that has a sample: in, unknown, out.
  const distribution = choice.distribution === "in" ? null : choice.distribution;
  const experts = drop.hasExperts(state) ? { top_k: choice.top_k, layer: layer || null } : {};
  return { ...body, ...cut, ...experts, iterations: choice.iterations, distribution, seed: 0 };
}

/**
 * The distributions of the samples that are measured; none before the first figures.
 *
 * @param {State} state
 */
const distributionsOf = ({ evaluation }) => (evaluation?.by_distribution ?? []).map((each) => each.name);

/**
 * The same of a mixture of experts.
 *
 * @param {Opened} state
 */
function offerOfExperts(state) {
  const [count, sets, samples] = [players(state), setsOf(state), samplesFor(state)];
  const speed = state.evaluation?.baseline?.samples_per_second;
  const time = speed ? "; about " + jobs.duration((sets * samples) / speed) : "";
  const about = "About " + whole(sets) + " sets on " + whole(samples) + " texts" + time + ". It can be cancelled and taken up again."; // prettier-ignore
  const { kind } = state.choice;
  if (!within.value) return [(kind === "drop" ? "Drop" : "Leave out") + " each of the " + whole(count) + " experts alone", about]; // prettier-ignore
  const where = " of the " + count + " experts of " + layerName(within.value);
  const muted = kind === "drop" ? " Experts that a subset lacks are muted: a layer cannot route with fewer than a token takes." : ""; // prettier-ignore
  const exact = count <= MOST_UNITS_EXACT;
  return [(exact ? "Score all " + 2 ** count + " subsets" : "Score sampled subsets") + where, about + muted];
}

/**
 * What the button starts, and about how long that takes.
 *
 * @param {State} state
 */
function offer(state) {
  const { model, evaluation } = state;
  if (model && drop.hasExperts(state)) return offerOfExperts(/** @type {Opened} */ (state));
  const count = model ? model.units.length : 0;
  if (count <= MOST_UNITS_EXACT) return ["Score all " + 2 ** count + " subsets of the " + count + " units", ""];
  if (count <= MOST_UNITS_PAIRS) return ["Score sampled subsets of the " + count + " units", ""];
  const { units: plural } = words.of(model);
  const orders = drop.hasLinks(state) ? 4 : 2;
  const sets = count + 20 * (orders + 8); // each alone, and twenty sizes in every order and of eight random sets
  const samples = samplesFor(/** @type {Opened} */ (state));
  const speed = evaluation && evaluation.baseline && evaluation.baseline.samples_per_second;
  const time = speed ? "; about " + jobs.duration((sets * samples) / speed) : "";
  return [
    "Drop each of the " + whole(count) + " " + plural + " alone, then more and more",
    "About " +
      whole(sets) +
      " sets on " +
      whole(samples) +
      " samples" +
      time +
      ". It can be cancelled and taken up again.",
  ];
}

const begin = () => jobs.start(JOB, "/importances", requestOf(/** @type {Opened} */ (drop.state)));

const units = () => (drop.state.model ? drop.state.model.units.length : 0);

/**
 * What is measured changed: the running job is given up (what it scored is kept), its result is not shown.
 *
 * @param {State} state
 */
async function follow(state) {
  if (!state.model && wanted) {
    wanted = null; // another model was chosen
    within.value = "";
    result.value = null;
    jobs.release(JOB);
  }
  if (!state.model) return;
  const there = distributionsOf(state);
  const { distribution } = state.choice;
  if (state.status === "done" && distribution !== "in" && there.length && !there.includes(distribution)) {
    drop.showDistribution("in"); // which calls this again
    return;
  }
  const now = JSON.stringify(requestOf(/** @type {Opened} */ (state)));
  if (now !== wanted) {
    wanted = now;
    result.value = null;
    await jobs.release(JOB);
    if (now !== wanted) return;
  }
  const { job, starting, problem } = jobs.state(JOB);
  const idle = !job && !starting && !problem;
  const quick = units() <= MOST_UNITS_EXACT && !drop.hasExperts(state);
  if (idle && state.status === "done" && !stopped && (quick || user.value.read_only)) begin(); // read-only: if it is there
}

/**
 * @param {JobEntry} entry
 * @returns {Promise<Importance | null>}
 */
async function fetchResult({ job }) {
  if (!job || job.state !== "done") return null;
  const known = result.value;
  return known && known.id === job.id ? known : api.send("GET", "/importances/" + encodeURIComponent(job.id));
}

/**
 * @param {Importance} result
 * @returns {Record<string, unknown>}
 */
function factsOf(result) {
  const changed = { drop: [], mute: [], mean: [], resample: [] };
  return {
    model: result.model,
    revision: result.revision,
    seed: result.seed,
    ...changed,
    left_out_as: result.kind,
    iterations: result.iterations,
    data: result.data,
    distribution: result.distribution ?? null,
    samples: result.count,
    exact: result.exact,
    keep_edges: result.keep_edges === undefined ? null : result.keep_edges,
    importance: result.id,
    ...(result.layer ? { layer: result.layer } : {}),
    ...(typeof result.top_k === "number" ? { top_k: result.top_k } : {}),
    ...(words.measure(result.measure).share ? {} : { measure: result.measure }),
  };
}

/**
 * Of which distribution it is, where that is not all there is, or what training left out; of which layer, and how many
 * experts a token took, where that is not as trained; else nothing needs to be said.
 *
 * @param {Importance} found
 */
function where({ distribution, layer, top_k }) {
  const said = distribution && (distribution !== "in" || distributionsOf(drop.state).length > 1);
  const experts = (layer ? ", " + layerName(layer) : "") + (top_k ? ", top " + top_k : "");
  return (said ? ", " + DISTRIBUTIONS[distribution] : "") + experts;
}

/** @param {unknown} value */
const cell = (value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : value);

/** @typedef {Record<string, unknown>} Row */

/**
 * @param {Row[]} items
 * @returns {unknown[][]}
 */
function tableOf(items) {
  const columns = items.length ? Object.keys(items[0]) : [];
  return [columns, ...items.map((item) => columns.map((name) => cell(item[name])))];
}

/**
 * @param {Importance} result
 * @param {PanelKey} key
 * @returns {Row[]}
 */
function contents(result, key) {
  if (key === "effect") {
    const single = new Map(result.single.map((each) => [each.unit, each]));
    if (!result.shapley.length) return result.single;
    return result.shapley.map(({ unit, value, low, high, standard_error }) => {
      const { unit: _, ...rest } = /** @type {Partial<Schemas["SingleEffect"]>} */ (single.get(unit) || {});
      const shapley = { shapley: value, shapley_low: low, shapley_high: high, standard_error };
      return {
        unit,
        ...shapley,
        ...Object.fromEntries(Object.entries(rest).map(([name, each]) => ["single_" + name, each])),
      };
    });
  }
  return result[PANELS[key][0]];
}

/**
 * @param {Importance} found
 * @param {PanelKey} key
 */
const headerOf = (found, key) =>
  Object.entries(signsOf(found, key))
    .map(([name, sign]) => "; " + name.replace("_", " ") + " " + sign)
    .join("");

/** @param {PanelKey} key */
function register(key) {
  exports.register(key, () => {
    const { value: found } = result;
    if (!found) return null;
    const rows = contents(found, key);
    const { title: by } = words.measure(found.measure);
    const title = PANELS[key][1].replace("Accuracy", by) + where(found) + ": " + found.model;
    const signs = signsOf(found, key);
    const said = Object.keys(signs).length ? { signs } : {};
    const facts = { ...factsOf(found), kind: key === "use" ? "observed" : "caused", ...said };
    return {
      name: key,
      facts,
      python: key === "convergence" && found.exact ? undefined : { figure: "importance", panel: key },
      rows: () => tableOf(rows),
      json: () => ({ [PANELS[key][0]]: rows }),
      picture: plots.picture(key, title, title + ", " + found.words),
    };
  });
}

/** @param {Importance | null} found */
function fillTables(found) {
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-importance-table]")).forEach((place) => {
    const key = /** @type {PanelKey} */ (place.dataset.importanceTable);
    const title = PANELS[key][1].replace("Accuracy", words.measure(found?.measure).title);
    if (found)
      tables.fill(
        place,
        tableOf(contents(found, key)),
        title + where(found) + ", " + found.words + headerOf(found, key),
      );
    else tables.clear(place);
  });
}

/**
 * @param {Importance} found
 * @returns {[string, string][]}
 */
function summary(found) {
  const measure = words.measure(found.measure);
  /** @param {number} value */
  const shown = (value) => words.withUnit(measure, value);
  /** @type {[string, string][]} */
  const about = [
    ["all units", shown(found.baseline)],
    ...(found.total === null ? [] : [/** @type {[string, string]} */ (["none", shown(figureOfNone(found))])]),
  ];
  const samples = whole(found.count) + " samples" + where(found);
  if (!found.shapley.length) {
    const more = found.retention.length ? ", then more and more" : "";
    const what = "Each of " + whole(found.units.length) + " alone" + more;
    return [["sets", what + ", on " + samples], ...about, ["how", found.words]];
  }
  const scored = found.exact ? "All " + whole(2 ** found.units.length) + " subsets" : "Sampled orders";
  const sum = found.shapley.reduce((total, each) => total + each.value, 0);
  return [
    ["subsets", scored + " of " + found.units.length + " units on " + samples],
    ...about,
    ["sum of Shapley values (above 0: the units help)", measure.change(sum) + " " + measure.changeUnit],
    ["how", found.words],
  ];
}

/**
 * How many rows the charts of use and effect have: `rows_of` of app/routescope_app/dashboard/figures/importance.py chooses them.
 *
 * @param {Pick<Importance, "units" | "shapley" | "single">} found
 */
export function rowCount({ units, shapley, single }) {
  if (units.length <= MOST_ROWS) return units.length;
  const effects = shapley.length ? shapley.map(({ value }) => value) : single.map(({ change }) => change);
  return Math.min(MOST_ROWS, effects.filter(Boolean).length || units.length);
}

/**
 * Charts as high as their rows need, and none of what was not found out.
 *
 * @param {Importance} found
 */
function fit(found) {
  const rows = rowCount(found);
  for (const key of ["use", "effect"]) {
    const place = document.getElementById("plot-" + key);
    const row = drop.hasExperts(drop.state) && found.shapley.length ? ROW_OF_TWO : ROW;
    if (place) place.style.height = Math.max(LOWEST, 90 + row * rows) + "px";
  }
  const pairs = document.getElementById("panel-interactions");
  if (pairs) pairs.hidden = !found.interactions.length;
  const curves = document.getElementById("panel-retention");
  if (curves) curves.hidden = !found.retention.length;
  const passes = document.getElementById("panel-anytime");
  if (passes) passes.hidden = found.anytime.length < 2;
}

/** @param {{entry: Signal<JobEntry>}} props */
function Offer({ entry }) {
  const { job, starting, problem } = entry.value;
  const measuring = drop.state.problem;
  if (user.value.read_only)
    return jobs.isRefused(problem) && html`<p class="hint" id="importance-refused">${problem?.message}</p>`;
  const hidden = Boolean(!drop.state.model || job || starting || problem || (measuring && measuring.refused));
  const [words, detail] = offer(drop.state);
  const start = () => {
    stopped = false;
    begin();
  };
  return html`
    <button type="button" class="button" id="importance-start" hidden=${hidden} onClick=${start}>${words}</button>
    <p class="hint">${hidden ? "" : detail}</p>
  `;
}

/** The distribution that importance is of, where what is measured holds several. */
function Of() {
  const there = distributionsOf(drop.state);
  if (there.length < 2) return null;
  const names = /** @type {[string, string][]} */ (there.map((name) => [name, DISTRIBUTIONS[name]]));
  return html`<div class="control importance-of">
    <label class="control-name" for="importance-distribution">All below is of samples</label>
    <${Choice}
      id="importance-distribution"
      look="small-input"
      options=${names}
      chosen=${there.includes(drop.state.choice.distribution) ? drop.state.choice.distribution : there[0]}
      onChoose=${(/** @type {string} */ name) =>
        drop.showDistribution(/** @type {Schemas["Distribution"]["name"]} */ (name === there[0] ? "in" : name))}
    />
    <span class="hint">Trained-on and held-out data are never mixed.</span>
  </div>`;
}

/** Which experts are looked at: every one alone, or those of one layer and all their subsets. */
function Within() {
  const { model } = drop.state;
  if (!model || !drop.hasExperts(drop.state)) return null;
  const layers = (model.layers ?? []).map(({ name }) => [name, layerName(name) + ": Shapley values"]);
  const names = /** @type {[string, string][]} */ ([["", "every expert, alone"], ...layers]);
  return html`<div class="control importance-of">
    <label class="control-name" for="importance-layer">All below is of</label>
    <${Choice}
      id="importance-layer"
      look="small-input"
      options=${names}
      chosen=${within.value}
      onChoose=${(/** @type {string} */ name) => {
        within.value = name;
        follow(drop.state);
      }}
    />
    <span class="hint">Within a layer its experts are the players; the others stay as they are.</span>
  </div>`;
}

/** What was found, in numbers. */
const Found = () =>
  html`<dl class="fact-list" hidden=${!result.value}>
    ${(result.value ? summary(result.value) : []).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

registerWidget("importance", (host) => {
  const entry = signal(jobs.state(JOB));
  /** @type {PanelKey[]} */ (Object.keys(PANELS)).forEach(register);
  exports.register(JOB, () => {
    const { value: found } = result;
    if (!found) return null;
    const rows = contents(found, "effect");
    return {
      name: "importance",
      facts: { ...factsOf(found), kind: "caused", signs: signsOf(found, JOB) },
      python: { figure: "importance", panel: JOB },
      rows: () => tableOf(rows),
      json: () => ({ result: found }),
      picture: {},
    };
  });

  /** @param {JobEntry} next */
  async function hear(next) {
    const { job } = (entry.value = next);
    if (job && job.state === "cancelled" && JSON.stringify(requestOf(/** @type {Opened} */ (drop.state))) === wanted)
      stopped = true;
    const found = await fetchResult(next).catch((error) => {
      api.notify(error.title || "No result", error.message, "bad");
      return null;
    });
    if (entry.value !== next) return; // something else is asked for by now
    result.value = found;
    fillTables(found);
    if (found) fit(found);
    host.dataset.result = found ? found.id : "";
  }

  const ends = [
    effect(() => void (user.value.read_only && untracked(() => follow(drop.state)))),
    show(host, () => html`<${Of} /><${Within} /><${Offer} entry=${entry} /><${Found} />`),
    jobs.subscribe(JOB, hear),
    drop.subscribe((state, names) => {
      if (!["status", "choice", "model"].some((name) => names.has(name))) return;
      follow(state);
      hear(jobs.state(JOB));
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    wanted = null;
    stopped = false;
    result.value = null;
    within.value = "";
  };
});
