/* The state of the Observe page: the choice of its address, the model or routing log, and the job that observes the model. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { refusal } from "rs/lib/models.js";
import * as sets from "rs/lib/navigation/sets.js";
import * as selection from "rs/lib/selection.js";
import { isRule } from "rs/lib/units.js";
import { batch, computed, effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */
/** @import { AnyLoad, Choice, Observation, Shown } from "rs/pages/observe/types.d.ts" */

export const JOB = "observe";
const ROUTED = "top_experts"; // a field of models whose tokens are routed to experts, which have panels of their own
const [FIRST_LOOK, LONGEST_LOOK] = [200, 2000]; // milliseconds between two questions for the counts of a running job
/** @type {Choice} */
const FRESH = address.defaults("observe", "data", "samples", "drop", "steps", "cell", "measure", "log");

export const choice = signal(FRESH);
/** The unit under the pointer. @type {Signal<string | null>} */
export const pointed = signal(null);
/** Samples that the service observes at most. */
export const accepted = signal(Infinity);
/** @type {Signal<string | null>} */
const modelId = signal(null);

/** @param {Partial<Choice>} changes */
export const choose = (changes) => (choice.value = { ...choice.value, ...changes });
/** Shows what an address without a choice shows. */
export const reset = () => choose({ ...FRESH, log: choice.value.log });

/* -- the model ---------------------------------------------------------------------------------------------------- */

/** @typedef {{model: Schemas["ModelDetail"], sets: Schemas["DataSet"][], refused: Refusal}} Described */
/** @typedef {{title: string, message: string} | null} Refusal */

/** @type {api.Resource<Described>} */
const described = api.resource(
  () => (choice.value.log ? null : modelId.value),
  async (id) => {
    /** @type {[Refusal, Schemas["ModelDetail"], Schemas["DataSets"]]} */
    const [refused, model, { items }] = await Promise.all([
      refusal(id),
      api.send("GET", "/models/" + encodeURIComponent(id)),
      api.send("GET", "/data"),
    ]);
    const own = items.filter(({ name }) => model.domains.includes(name));
    return { model, sets: own, refused: model.fields.includes(ROUTED) && own.length ? null : refused };
  },
);

/** What the service says of the chosen model; null until it is there. */
export const model = () => described.answer()?.model ?? null;
/** The data sets that the model reads. */
export const dataSets = () => described.answer()?.sets ?? [];
/** Whether the panels are those of experts. */
export const ofExperts = () => choice.value.log !== null || Boolean(model()?.fields.includes(ROUTED));

/** @param {string} part of what is dropped */
const standsForUnits = (part) => isRule(part) || part.includes("..");

/** The units for which rules, ranges and kept sets stand. */
const named = api.resource(
  () => {
    const [of, { drop }] = [model(), choice.value];
    return of && drop.some(standsForUnits) ? of.id + " " + drop.join(",") : null;
  },
  () => sets.unitsOfAddress("drop", /** @type {Schemas["ModelDetail"]} */ (model()), choice.value.drop),
);

/** The dropped units; null until the service has said what rules stand for. */
export const dropped = () =>
  choice.value.drop.some(standsForUnits) ? (named.answer()?.units ?? null) : choice.value.drop;

/** @param {string[]} list @param {string} name */
const toggled = (list, name) => (list.includes(name) ? list.filter((other) => other !== name) : [...list, name]);

/** @param {string} unit */
export function toggleUnit(unit) {
  const units = model()?.units ?? [];
  const drop = toggled(dropped() ?? [], unit);
  if (drop.length < units.length) choose({ drop: units.filter((name) => drop.includes(name)) });
  else api.notify("One function has to stay", "Bring another one back first.", "bad");
}

/** The chosen steps that the model has. */
export const shownSteps = () => (model()?.steps ?? []).filter((step) => choice.value.steps.includes(step));

/** Choose a step, or all by ""; or toggle it. @param {string} name @param {boolean} add */
export function chooseStep(name, add) {
  const { steps = [] } = model() ?? {};
  const next = !name ? [] : add && !ofExperts() ? toggled(choice.value.steps, name) : [name];
  const all = next.length === steps.length && !ofExperts();
  choose({ steps: all ? [] : ofExperts() ? next : steps.filter((step) => next.includes(step)) });
}

/* -- the observation ---------------------------------------------------------------------------------------------- */

/** @typedef {Observation | Schemas["ExpertLoad"]} Result */

/** The body of the job as text; null: nothing is asked. */
const requested = computed(() => {
  const [known, { data, samples }, drop] = [described.answer(), choice.value, dropped()];
  if (!known || known.refused || !drop) return null;
  return JSON.stringify({ model: known.model.id, data, samples, intervention: { drop } });
});

/** Counts of the running job. @type {Signal<{key: string, result: Result} | null>} */
const counts = signal(null);

/** Read the counts of a running job until it ends. @param {string} key @param {string} path @param {AbortSignal} end */
async function readCounts(key, path, end) {
  for (let pause = FIRST_LOOK; !end.aborted; pause = Math.min(1.5 * pause, LONGEST_LOOK)) {
    await new Promise((over) => setTimeout(over, pause));
    const { job } = jobs.state(JOB);
    if (end.aborted || (job && !["queued", "running"].includes(job.state))) return;
    if (job?.state !== "running") continue;
    /** @type {Result | null} */
    const result = await api.send("GET", path + "/" + encodeURIComponent(job.id) + "?running=true").catch(() => null);
    if (result && !end.aborted) counts.value = { key, result };
  }
}

/**
 * Runs the job of a body. While it is cancelled the promise waits, as a person can take it up again.
 *
 * @param {string} key
 * @param {AbortSignal} end
 * @returns {Promise<Result>}
 */
async function fetchResult(key, end) {
  const { intervention, ...body } = JSON.parse(key);
  const drop = (await sets.inRequest(intervention.drop)).split(",").filter(Boolean);
  end.throwIfAborted();
  const path = ofExperts() ? "/expert-loads" : "/observations";
  const before = jobs.state(JOB).job;
  return new Promise((resolve, reject) => {
    let failed = false;
    const { sent, stop } = jobs.run(JOB, path, { ...body, intervention: { drop } }, {
      done: (id) => void api.send("GET", path + "/" + encodeURIComponent(id)).then(resolve, reject),
      cancelled() {},
      failed(problem) {
        failed = true;
        reject(problem);
      },
      goesOn: () => failed && observed.again(),
    }); // prettier-ignore
    end.addEventListener("abort", stop);
    void sent.then(() => (before?.id === jobs.state(JOB).job?.id ? undefined : jobs.drop(before)));
    void readCounts(key, path, end);
  });
}

/** @type {api.Resource<Result>} */
const observed = api.resource(() => requested.value, fetchResult);
export const again = () => (described.problem() ? described : named.problem() ? named : observed).again();

/** @param {Result | null} result */
const ofModel = (result) => (result?.model === modelId.value ? result : null);

/** What is observed, what is counted so far, or what was observed of the choice before. */
function result() {
  const held = counts.value?.key === requested.value ? (counts.value?.result ?? null) : null;
  return observed.answer() ?? held ?? ofModel(observed.latest());
}

/** What is shown of a model without experts. */
export function observation() {
  const found = ofExperts() ? null : result();
  return found && "variables" in found ? found : null;
}

/** Samples of an observation that exist, whether counted or not. @param {{data: {count: number}[]}} found */
export const samplesIn = ({ data }) => data.reduce((sum, { count }) => sum + count, 0);

/* -- a routing log ------------------------------------------------------------------------------------------------ */

/** Loads of logs with details of all their layers. @type {Map<string, Schemas["LogLoad"]>} */
const whole = new Map();

/** @type {api.Resource<Schemas["LogLoad"]>} */
const logged = api.resource(
  () => choice.value.log && JSON.stringify([choice.value.log, choice.value.steps[0] ?? ""]),
  async (key) => {
    const [log, layer] = JSON.parse(key);
    const known = whole.get(log);
    if (known) return known;
    /** @type {Schemas["LogLoad"]} */
    const load = await api.send("GET", "/logs/" + encodeURIComponent(log) + "/load" + address.queryOf({ layer }));
    if (load.detailed === null) whole.set(log, load);
    return load;
  },
);
/** The load of the log that is shown. */
export const logLoad = () => (choice.value.log ? logged.latest() : null);

/** The load of a log as panels read it. @param {Schemas["LogLoad"]} found */
export function asLoad({ log, exemplars, notes: _, ...load }) {
  return {
    ...load,
    id: log.id,
    model: log.name,
    tokens_left_out: 0, // a log holds every token that was recorded
    bytes_left_out: 0,
    exemplars: exemplars.map((each) => ({ ...each, sample: each.name, domain: log.name })),
  };
}

const loadOfLog = computed(() => {
  const found = logLoad();
  return found && asLoad(found);
});

/** The load of experts and the layer that panels show; null before the first counts. @returns {Shown | null} */
export function shown() {
  const log = logLoad();
  const model = ofExperts() ? result() : null;
  const found = loadOfLog.value ?? (model && "layers" in model ? model : null);
  if (!found) return null;
  const name = choice.value.steps[0] ?? log?.detailed;
  const at = Math.max(0, found.layers.findIndex((layer) => layer.name === name)); // prettier-ignore
  return { found, at, layer: found.layers[at], counting: status() === "counting", log: log?.log ?? null };
}

/* -- how it stands -------------------------------------------------------------------------------------------------- */

/** Why nothing is shown. @returns {{title: string, message: string, status?: number, refused?: boolean} | null} */
export function problem() {
  const failed = [described, named, observed, logged].find((one) => one.problem() && !one.waits());
  return described.answer()?.refused ?? failed?.problem() ?? null;
}

/** @returns {"failed" | "ready" | "cancelled" | "counting" | "renewing" | "loading"} */
export function status() {
  if (problem()) return "failed";
  if (choice.value.log ? logged.latest() : observed.answer()) return "ready";
  if (jobs.state(JOB).job?.state === "cancelled") return "cancelled";
  if (!result()) return "loading";
  return counts.value?.key === requested.value ? "counting" : "renewing";
}

/* -- opening and leaving -------------------------------------------------------------------------------------------- */

/** Opens a model; a new one resets units, data sets and steps. @param {string | null} wanted */
function open(wanted) {
  const [before, { samples, log, ...own }] = [modelId.value, choice.value];
  if (wanted === before) return;
  const gone = before && !log ? [...own.drop, ...own.data, ...own.steps] : [];
  if (gone.length) address.say("Not dropped in " + wanted + ": " + gone.join(", ") + ", chosen for another model.");
  batch(() => {
    modelId.value = wanted;
    if (before && !log) choose({ ...FRESH, samples });
  });
}

function writeAddress() {
  const [id, { model, sample }, said] = [modelId.value, selection.current(), choice.value];
  if (said.log ? !logLoad() : !id) return;
  const values = said.log ? { log: said.log, steps: said.steps } : said;
  untracked(() => address.write("observe", { ...values, model: said.log ? model : id, sample }));
}

/** Show a choice, and return what ends the page and its computing. @param {Choice} said */
export function begin(said) {
  choice.value = said;
  whole.clear();
  const ends = [
    selection.followModel(open),
    ...[described, named, observed, logged].map((one) => one.follow()),
    effect(writeAddress),
    effect(() => {
      const parts = named.answer()?.parts; // what of the address the service refuses goes
      if (parts && parts.length < choice.peek().drop.length) choose({ drop: parts });
    }),
    effect(() => {
      const { job } = jobs.state(JOB);
      const wanted = requested.value && !observed.answer();
      if (!wanted && job && ["queued", "running"].includes(job.state)) untracked(() => void jobs.release(JOB));
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    jobs.forget(JOB);
    batch(() => {
      modelId.value = counts.value = pointed.value = null;
      choice.value = FRESH;
    });
  };
}
