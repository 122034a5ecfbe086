/* Importance on the Drop page: its job starts in the background once the evaluation is done (ten units or fewer),
   follows the choice, and its result can be exported from every panel. */
import * as exports from "rs/draw/exports.js";
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import * as words from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import * as plots from "rs/parts/plots.js";
import * as tables from "rs/parts/table.js";

const JOB = "importance";
const MOST_UNITS_EXACT = 10;
const MOST_UNITS_PAIRS = 20; // beyond it neither pairs nor orders of all units are scored
const MANY_SAMPLES = 24_000; // units times samples, where there are many units
const MOST_ROWS = 24; // of the charts of use and effect
const [LOWEST, ROW] = [250, 19]; // pixels of those charts, and of one of many rows
const PANELS = {
  use: ["usage", "Observed use"],
  effect: ["shapley", "Caused effect"],
  interactions: ["interactions", "Interactions"],
  retention: ["retention", "Retention"],
  anytime: ["anytime", "Accuracy against iterations"],
  convergence: ["convergence", "Convergence"],
};
let wanted = null; // the request of the choice, as text
let stopped = false; // whether a person cancelled: then nothing starts by itself
let result = null;

/** With many units each sample is scored hundreds of times: fewer of them are taken. */
function samplesFor({ model, choice }) {
  const count = model.units.length;
  if (count <= MOST_UNITS_PAIRS) return choice.samples;
  return Math.min(choice.samples, Math.max(30, Math.min(300, Math.round(MANY_SAMPLES / count))));
}

function requestOf(state) {
  const { model, choice } = state;
  const body = { model: model.id, data: drop.measured(), samples: samplesFor(state), kind: choice.kind };
  const cut = choice.edges === null ? {} : { keep_edges: choice.edges };
  return { ...body, ...cut, iterations: choice.iterations, seed: 0 };
}

/** What the button starts, and about how long that takes. */
function offer(state) {
  const { model, evaluation } = state;
  const count = model ? model.units.length : 0;
  if (count <= MOST_UNITS_EXACT) return ["Score all " + 2 ** count + " subsets of the " + count + " units", ""];
  if (count <= MOST_UNITS_PAIRS) return ["Score sampled subsets of the " + count + " units", ""];
  const { units: plural } = words.of(model);
  const orders = drop.hasLinks(state) ? 4 : 2;
  const sets = count + 20 * (orders + 8); // each alone, and twenty sizes in every order and of eight random sets
  const samples = samplesFor(state);
  const speed = evaluation && evaluation.baseline && evaluation.baseline.samples_per_second;
  const time = speed ? "; about " + jobs.duration((sets * samples) / speed) : "";
  return [
    "Leave out each of the " + whole(count) + " " + plural + " alone, then more and more",
    "About " +
      whole(sets) +
      " sets on " +
      whole(samples) +
      " samples" +
      time +
      ". It can be cancelled and taken up again.",
  ];
}

const begin = () => jobs.start(JOB, "/importances", requestOf(drop.state));

const units = () => (drop.state.model ? drop.state.model.units.length : 0);

/** What is measured changed: the running job is given up (what it scored is kept), its result is not shown. */
async function follow(state) {
  if (!state.model || state.status === "empty") return;
  const now = JSON.stringify(requestOf(state));
  if (now !== wanted) {
    wanted = now;
    result = null;
    await jobs.release(JOB);
    if (now !== wanted) return;
  }
  const { job, starting, problem } = jobs.state(JOB);
  const idle = !job && !starting && !problem;
  if (idle && state.status === "done" && units() <= MOST_UNITS_EXACT && !stopped) begin();
}

async function fetchResult({ job }) {
  if (!job || job.state !== "done") {
    result = null;
    return null;
  }
  if (!result || result.id !== job.id) result = await api.send("GET", "/importances/" + encodeURIComponent(job.id));
  return result;
}

function factsOf() {
  const changed = { drop: [], mute: [], mean: [], resample: [] };
  return {
    model: result.model,
    revision: result.revision,
    seed: result.seed,
    ...changed,
    left_out_as: result.kind,
    iterations: result.iterations,
    data: result.data,
    samples: result.count,
    exact: result.exact,
    keep_edges: result.keep_edges === undefined ? null : result.keep_edges,
    importance: result.id,
    ...(words.measure(result.measure).share ? {} : { measure: result.measure }),
  };
}

const cell = (value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(" ") : value);

function tableOf(items) {
  const columns = items.length ? Object.keys(items[0]) : [];
  return [columns, ...items.map((item) => columns.map((name) => cell(item[name])))];
}

function contents(key) {
  if (key === "effect") {
    const single = new Map(result.single.map((each) => [each.unit, each]));
    if (!result.shapley.length) return result.single;
    return result.shapley.map(({ unit, value, low, high, standard_error }) => {
      const { unit: _, ...rest } = single.get(unit) || {};
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

function register(key) {
  exports.register(key, () => {
    if (!result) return null;
    const { title: by } = words.measure(result.measure);
    const title = PANELS[key][1].replace("Accuracy", by) + ": " + result.model;
    const facts = { ...factsOf(), kind: key === "use" ? "observed" : "caused" };
    return {
      name: key,
      facts,
      rows: () => tableOf(contents(key)),
      json: () => ({ [PANELS[key][0]]: contents(key) }),
      picture: plots.picture(key, title, title + ", " + result.words),
    };
  });
}

function fillTables(found) {
  document.querySelectorAll("[data-importance-table]").forEach((place) => {
    const key = place.dataset.importanceTable;
    if (found) tables.fill(place, tableOf(contents(key)), PANELS[key][1] + ", " + found.words);
    else place.replaceChildren();
  });
}

function summary(found) {
  const measure = words.measure(found.measure);
  const shown = (value) => words.withUnit(measure, value);
  const about = [
    ["all units", shown(found.baseline)],
    ["none", shown(found.baseline - found.total)],
  ];
  if (!found.shapley.length) {
    const what = "Each of " + whole(found.units.length) + " alone, then more and more";
    return [["sets", what + ", on " + whole(found.count) + " samples"], ...about, ["left out by", found.words]];
  }
  const scored = found.exact ? "All " + whole(2 ** found.units.length) + " subsets" : "Sampled orders";
  const sum = found.shapley.reduce((total, each) => total + each.value, 0);
  return [
    ["subsets", scored + " of " + found.units.length + " units on " + whole(found.count) + " samples"],
    ...about,
    ["sum of Shapley values", measure.change(sum) + " " + measure.changeUnit],
    ["left out by", found.words],
  ];
}

/** Charts as high as their rows need, and none of what was not found out. */
function fit(found) {
  const rows = Math.min(found.units.length, MOST_ROWS);
  for (const key of ["use", "effect"]) {
    const place = document.getElementById("plot-" + key);
    if (place) place.style.height = Math.max(LOWEST, 90 + ROW * rows) + "px";
  }
  const pairs = document.getElementById("panel-interactions");
  if (pairs) pairs.hidden = !found.interactions.length;
}

registerWidget("importance", (host) => {
  const start = build("button", {
    type: "button",
    class: "button",
    id: "importance-start",
    onclick: () => {
      stopped = false;
      begin();
    },
  });
  const hint = build("p", { class: "hint" });
  const facts = build("dl", { class: "fact-list" });
  host.replaceChildren(start, hint, facts);
  Object.keys(PANELS).forEach(register);
  exports.register(JOB, () => {
    if (!result) return null;
    return {
      name: "importance",
      facts: { ...factsOf(), kind: "caused" },
      rows: () => tableOf(contents("effect")),
      json: () => ({ result }),
    };
  });

  async function show(entry) {
    const { job, starting, problem } = entry;
    const idle = !job && !starting && !problem;
    if (job && job.state === "cancelled" && JSON.stringify(requestOf(drop.state)) === wanted) stopped = true;
    const { problem: measuring } = drop.state;
    start.hidden = !idle || Boolean(measuring && measuring.refused);
    const [words, detail] = offer(drop.state);
    start.textContent = words;
    hint.textContent = start.hidden ? "" : detail;
    const found = await fetchResult(entry).catch((error) => {
      api.notify(error.title || "No result", error.message, "bad");
      return null;
    });
    facts.hidden = !found;
    facts.replaceChildren(
      ...(found ? summary(found) : []).map(([name, value]) =>
        build("div", {}, build("dt", {}, name), build("dd", {}, value)),
      ),
    );
    fillTables(found);
    if (found) fit(found);
    host.dataset.result = found ? found.id : "";
  }

  const ends = [
    jobs.subscribe(JOB, show),
    drop.subscribe((state, names) => {
      if (["status", "choice", "model"].some((name) => names.has(name))) {
        follow(state);
        show(jobs.state(JOB));
      }
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    wanted = null;
    stopped = false;
    result = null;
  };
});
