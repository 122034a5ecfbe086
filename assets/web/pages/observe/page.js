/* The Observe page: what is chosen, the observation that this asks for, how it stands, and the address. Figures come from the
   service as functions of the observation. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as jobs from "rs/lib/jobs.js";
import * as sets from "rs/lib/navigation/sets.js";
import { findModel, offer, refusal } from "rs/lib/models.js";
import * as selection from "rs/lib/selection.js";
import { isRule } from "rs/lib/units.js";
import { makeStore } from "rs/lib/store.js";
import { show } from "rs/lib/view.js";
import { has } from "rs/lib/words.js";
import { Caption } from "rs/pages/observe/experts/panels.js";
import * as experts from "rs/pages/observe/experts/state.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Found, Shown, View } from "rs/pages/observe/types.d.ts" */

export const JOB = "observe";
const LOADS = "/expert-loads";
/** @type {Choice} */
const NOTHING = address.defaults("observe", "data", "samples", "drop");
/** @type {View} */
const ALL_STEPS = address.defaults("observe", "steps", "cell", "measure");
/** A field of models whose tokens are routed to experts, which have panels of their own. */
const ROUTED = "top_experts";
const BETWEEN_COUNTS = 700; // milliseconds between two questions for what a running job has counted
/** @type {{asked: string, refused: {title: string, message: string, refused: boolean} | null, shown: Shown | null, found: Found | null, counted: string, askedAt: number}} */
const NONE = { asked: "", refused: null, shown: null, found: null, counted: "", askedAt: 0 };
const { state: own } = makeStore({
  host: /** @type {HTMLElement | null} */ (null),
  model: /** @type {string | null} */ (null),
  choice: NOTHING,
  view: ALL_STEPS,
  ...NONE,
});
/** @type {{info: Schemas["ModelDetail"] | null, sets: Schemas["DataSet"][]}} */
const NO_MODEL = { info: null, sets: [] };
/** The model, and its data sets. */
export const offered = signal(NO_MODEL);
/** The units that are dropped, and how the address says them where it names rules, ranges or kept sets. */
let said = { units: /** @type {string[]} */ ([]), parts: /** @type {string[]} */ ([]) };

/** What is chosen, as an address says it. */
const inAddress = () => (own.choice.drop === said.units ? { ...own.choice, drop: said.parts } : own.choice);

/** Puts the units that rules, ranges and kept sets stand for in their place. */
async function findUnits() {
  const { model, choice } = own;
  if (!model || !choice.drop.some((part) => isRule(part) || part.includes(".."))) return;
  try {
    /** @type {Schemas["ModelDetail"]} */
    const info = await api.send("GET", "/models/" + encodeURIComponent(model));
    const { units, parts } = await sets.unitsOfAddress("drop", info, choice.drop);
    if (own.choice !== choice) return;
    said = { units, parts };
    own.choice = { ...choice, drop: units };
  } catch (problem) {
    const { title, message } = /** @type {api.Problem} */ (problem);
    api.notify(title, message, "bad"); // what is asked of the service next says so too
  }
}

/**
 * Offers a model with its data sets; what is asked of the service next says what is wrong with it.
 *
 * @param {string} model
 */
async function findSets(model) {
  /** @type {[Schemas["ModelDetail"], Schemas["DataSets"]] | null} */
  const found = await Promise.all([
    api.send("GET", "/models/" + encodeURIComponent(model)),
    api.send("GET", "/data"),
  ]).catch(() => null);
  if (!found || own.model !== model) return;
  const [info, { items }] = found;
  const labelled = info.labels.length > 0;
  if (own.host) own.host.dataset.labelled = String(labelled || info.fields.includes(ROUTED));
  const sets = items.filter(({ name }) => info.domains.includes(name));
  offered.value = { info, sets };
}

/**
 * Known here at once, so that of two quick changes neither is lost.
 *
 * @param {Partial<Choice>} changes
 */
export function choose(changes) {
  own.choice = { ...own.choice, ...changes };
  setProps("observe-choice", { data: inAddress() });
}

/** @param {Partial<View>} changes */
function look(changes) {
  own.view = { ...own.view, ...changes };
  setProps("observe-view", { data: own.view });
}

function writeAddress() {
  const { model, view } = own;
  if (model) address.write("observe", { ...inAddress(), ...view, model, sample: selection.current().sample });
}

async function request() {
  const { model, choice } = own;
  const drop = (await sets.inRequest(choice.drop)).split(",").filter(Boolean);
  return { model, data: choice.data, samples: choice.samples, intervention: { drop } };
}

/**
 * Asks for the observation that is chosen, unless it was asked for already or the model is not for this page.
 *
 * @param {boolean} again
 */
async function observe(again) {
  if (!own.model) return;
  const { choice } = own;
  const body = await request();
  if (own.choice !== choice || !own.model) return;
  const key = JSON.stringify(body);
  if (key === own.asked && !again) return;
  own.asked = key;
  const refused = await refusal(own.model);
  if (key !== own.asked || !own.host) return;
  const routed = has(ROUTED, findModel(own.model));
  own.host.dataset.experts = String(routed);
  own.refused = routed && !findModel(own.model)?.without_data ? null : refused;
  if (own.refused) {
    jobs.release(JOB);
    return;
  }
  const { job } = jobs.state(JOB);
  jobs.start(JOB, routed ? LOADS : "/observations", body);
  jobs.drop(job);
}

/**
 * Fetches what a job observed of experts; what the service draws of other models it hears of by itself.
 *
 * @param {JobEntry} entry
 */
async function readLoad({ job }) {
  if (!own.host || !job || job.state !== "done" || !job.result?.startsWith(api.BASE + LOADS + "/")) return;
  if (own.shown?.id === job.id) return;
  try {
    const found = await api.send("GET", LOADS + "/" + encodeURIComponent(job.id));
    if (jobs.state(JOB).job?.id !== job.id || !own.host) return;
    own.shown = { id: job.id, grid: [0, 0] };
    own.host.dataset.observation = job.id;
    experts.learn(found);
  } catch (problem) {
    const { title, message: detail } = /** @type {api.Problem} */ (problem);
    own.shown = { problem: { title, detail } };
  }
  update(jobs.state(JOB));
}

/**
 * Shows what a running job has counted so far of experts; baselines and similarities come when it is done.
 *
 * @param {JobEntry} entry
 */
async function readCounts({ job, request }) {
  if (!own.host || job?.state !== "running" || request?.path !== LOADS) return;
  const now = performance.now();
  if (now - own.askedAt < BETWEEN_COUNTS) return;
  own.askedAt = now;
  const path = LOADS + "/" + encodeURIComponent(job.id) + "?running=true";
  /** @type {Schemas["ExpertLoad"] | null} */
  const found = await api.send("GET", path).catch(() => null); // the result is asked for all the same
  const entry = jobs.state(JOB);
  if (!found || !own.host || entry.job?.id !== job.id || entry.job.state !== "running") return;
  if (own.counted === job.id && experts.state.found?.count === found.count) return;
  own.counted = job.id;
  experts.learn(found, true);
  update(entry);
}

/** The steps of the model that are chosen; none: all of them, or the first layer. */
export const shownSteps = () => (offered.value.info?.steps ?? []).filter((step) => own.view.steps.includes(step));

/**
 * @param {string[]} list
 * @param {string} name
 */
const toggled = (list, name) => (list.includes(name) ? list.filter((other) => other !== name) : [...list, name]);

/** @param {string} unit */
export function toggleUnit(unit) {
  const units = offered.value.info?.units ?? [];
  const drop = toggled(own.choice.drop, unit);
  if (drop.length === units.length) {
    api.notify("One function has to stay", "Bring another one back first.", "bad");
    return;
  }
  choose({ drop: units.filter((name) => drop.includes(name)) });
}

/**
 * @param {string} name "" for all
 * @param {boolean} add
 */
export function chooseStep(name, add) {
  const { steps = [], layers = [] } = offered.value.info ?? {};
  if (layers.length) {
    look({ steps: [name] }); // panels are about one layer
    return;
  }
  const next = !name ? [] : add ? toggled(own.view.steps, name) : [name];
  look({ steps: next.length === steps.length ? [] : steps.filter((step) => next.includes(step)) });
}

/** Goes back to what an address without a choice shows. */
export function reset() {
  choose(NOTHING);
  look(ALL_STEPS);
  setProps("observe-cell", { value: ALL_STEPS.cell });
  setProps("observe-measure", { value: ALL_STEPS.measure });
}

document.addEventListener("click", ({ target }) => {
  if (own.host && target instanceof Element && target.closest("#observe-again")) observe(true);
});

address.takesOver("observe", ({ model, sample, data, samples, drop, steps, cell, measure, log }) => {
  if (!own.host || log || own.model !== model) return null;
  own.choice = { data, samples, drop };
  own.view = { steps, cell, measure };
  if (sample !== selection.current().sample) setProps("selection", { data: { model, sample } });
  setProps("observe-cell", { value: cell });
  setProps("observe-measure", { value: measure });
  setProps("observe-choice", { data: own.choice });
  setProps("observe-view", { data: own.view });
  return Promise.resolve();
});

export const callbacks = {
  /**
   * @param {Partial<Choice> | null} choice
   * @param {{model?: string | null} | null} selection
   */
  open(choice, selection) {
    const model = (selection || {}).model || null;
    const another = own.model && model && model !== own.model;
    const first = model !== own.model;
    own.model = model;
    if (model && first) {
      offered.value = NO_MODEL;
      findSets(model);
    }
    if (another) {
      // Its units, data sets and steps are others; nothing of the former model stays.
      const gone = [...own.choice.drop, ...own.choice.data, ...own.view.steps];
      if (gone.length) address.say("Not dropped in " + model + ": " + gone.join(", ") + ", chosen for another model.");
      Object.assign(own, { ...NONE, asked: own.asked });
      experts.learn(null);
      setProps("observe-caption", { children: [] });
      update(jobs.state(JOB));
      look({ steps: [] });
      choose({ ...NOTHING, samples: own.choice.samples });
      return noUpdate();
    }
    own.choice = { ...NOTHING, ...(choice || {}) };
    findUnits().then(() => {
      observe(false);
      writeAddress();
    });
    return noUpdate();
  },

  /** @param {Partial<View> | null} view */
  view(view) {
    own.view = { ...ALL_STEPS, ...(view || {}) };
    writeAddress();
    return noUpdate();
  },

  /** @param {string} cell */
  setCell(cell) {
    if (cell !== own.view.cell) look({ cell });
    return noUpdate();
  },

  /** @param {string} measure */
  setMeasure(measure) {
    if (measure !== own.view.measure) look({ measure });
    return noUpdate();
  },

  /** @param {Shown | null} shown */
  async show(shown) {
    if (!shown) return noUpdate();
    own.shown = shown;
    update(jobs.state(JOB));
    if (shown.problem) return noUpdate();
    const path = "/observations/" + encodeURIComponent(shown.id);
    const file = document.getElementById("observe-netcdf");
    if (file instanceof HTMLAnchorElement) {
      file.href = api.BASE + path + "?format=netcdf";
      file.download = "observation-" + own.model + ".nc";
      file.hidden = false;
    }
    if (!own.found || own.found.id !== shown.id) {
      /** @type {Schemas["Observation"]} */
      const found = await api.send("GET", path);
      if (own.shown !== shown) return noUpdate();
      own.found = { ...found, grid: shown.grid, looks: shown.looks ?? "pictures" };
      if (own.host) own.host.dataset.observation = found.id;
      document.dispatchEvent(new CustomEvent("observed"));
    }
    return noUpdate();
  },
};

/** @type {Record<string, {again: string, title?: string, detail?: string}>} */
const STATES = {
  failed: { again: "Try again" },
  cancelled: { title: "Cancelled", detail: "Nothing is shown for this choice.", again: "Observe" },
};

/**
 * @param {JobEntry} entry
 * @returns {{status: string, title?: string, detail?: string}}
 */
function stateOf({ job, problem, starting }) {
  const { refused, shown } = own;
  if (refused) return { status: "failed", title: refused.title, detail: refused.message };
  if (problem) return { status: "failed", title: problem.title, detail: problem.message };
  if (job && job.state === "failed")
    return { status: "failed", title: job.problem?.title, detail: job.problem?.detail };
  if (job && job.state === "cancelled") return { status: "cancelled" };
  if (!starting && job && job.state === "done" && shown) {
    if (shown.problem) return { status: "failed", ...shown.problem };
    if (shown.id === job.id) return { status: "ready" };
  }
  if (!starting && job && own.counted === job.id) return { status: "counting" };
  return { status: shown && shown.id ? "renewing" : "loading" };
}

/** @param {JobEntry} entry */
function update(entry) {
  if (!own.host) return;
  const state = stateOf(entry);
  own.host.dataset.status = state.status;
  const busy = String(["loading", "renewing", "counting"].includes(state.status));
  own.host.querySelectorAll(".observe-grid").forEach((panels) => panels.setAttribute("aria-busy", busy));
  const words = STATES[state.status];
  if (!words) return;
  const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const write = (/** @type {string} */ id, /** @type {string} */ text) => (find(id).textContent = text);
  write("observe-message-title", state.title || words.title || "The routing could not be observed");
  write("observe-message-detail", state.detail || words.detail || "");
  write("observe-again", words.again);
  offer(find("observe-message"), own.refused ?? entry.problem);
}

registerWidget("observe-page", (host) => {
  Object.assign(own, { host, ...NONE });
  const caption = /** @type {HTMLElement} */ (document.getElementById("observe-experts-caption"));
  const ends = [
    jobs.subscribe(JOB, update),
    jobs.subscribe(JOB, readLoad),
    jobs.subscribe(JOB, (entry) => void readCounts(entry)),
    show(caption, Caption),
    effect(() => {
      const [layer = ""] = shownSteps();
      untracked(() => experts.show(layer));
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    experts.learn(null);
    if (own.host === host) Object.assign(own, { host: null, model: null, choice: NOTHING, view: ALL_STEPS });
  };
});

export const found = () => own.found;

export const view = () => own.view;

export { own as state };
