/* What the Samples page shows: its filters, a page of the gallery, the order that is measured, the chosen sample. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as jobs from "rs/lib/jobs.js";
import { findModel, models, refusal } from "rs/lib/models.js";
import * as samples from "rs/lib/samples.js";
import * as selection from "rs/lib/selection.js";
import * as units from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Chosen, Filters, Gallery, Item, Order, Value } from "rs/pages/samples/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */
/** @typedef {Schemas["ModelDetail"]} Model */

export const JOB = "behaviour";
export const NOTHING = { mute: [], drop: [], edges: null, iterations: null };
/** @type {Filters} */
const FIRST = address.defaults("samples", "mute", "drop", "edges", "iterations", "source", "set", "label", "wrong", "find", "order", "to", "samples", "page"); // prettier-ignore
export const { offered: SIZES } = address.bounds("samples", "samples");
const [PICTURES, TABLES, ROWS, WORDS] = [96, 24, 8, 60]; // samples of a page, rows of a table, words of a statement
/** Kinds of input with pages of their own, whose samples the gallery shows where their order or their set is chosen. */
export const PICTURED = ["images", "statements", "blocks"];
const STATEMENTS = "statements";

/* -- the choice ---------------------------------------------------------------------------------------------- */

/** @type {Signal<Filters>} */
export const choice = signal({ ...FIRST });

/** @param {Partial<Filters>} filters what is not named is the default */
export const take = (filters) => (choice.value = { ...FIRST, ...filters });

/** Changes filters; all but the page itself begin at the first page again. @param {Partial<Filters>} changes */
export function choose(changes) {
  const now = choice.value;
  const nearest = changes.order === "nearest" && now.order !== "nearest";
  const to = nearest ? (now.to ?? selection.current().sample) : now.to;
  const next = { ...now, page: 1, to, ...changes };
  const moved = Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(/** @type {any} */ (now)[name])); // prettier-ignore
  if (moved.some(([name]) => name !== "page" || changes.page)) choice.value = next;
}

/** The model and the sample of the frame; until they are chosen, those of the address. */
export function frame() {
  const { model, sample } = selection.current();
  const named = address.chosenIn(location.search);
  return model ? { model, sample } : { model: named.model, sample: sample ?? named.sample };
}

export const isOrdered = () => choice.value.order !== "given";

/* -- data sets, kinds of input, the model ------------------------------------------------------------------------ */

export const catalogue = api.resource(
  () => "all",
  async () => {
    /** @type {[Schemas["DataSets"], Schemas["Kinds"]]} */
    const [sets, kinds] = await Promise.all([api.send("GET", "/data"), api.send("GET", "/inputs")]);
    return { sets: sets.items, kinds: kinds.items };
  },
);

/** @type {api.Resource<Model>} */
const described = api.resource(
  () => {
    const { model } = frame();
    return model && (!models() || findModel(model)) ? model : null;
  },
  (id) => api.send("GET", "/models/" + encodeURIComponent(id)),
);

/** The chosen model; null where none is chosen or there, undefined while it is on its way. */
export function model() {
  const { model: id } = frame();
  if (!id || (models() && !findModel(id)) || described.problem()) return null;
  const answer = described.answer();
  return answer?.id === id ? answer : undefined;
}

/** A key that stays what it was while the next one is not known. @param {() => string | null | undefined} keyOf */
function held(keyOf) {
  /** @type {string | null} */
  let last = null;
  return () => {
    const key = keyOf();
    return key === undefined ? last : (last = key);
  };
}

/** @param {string | undefined} name of a kind of input */
export const kindOf = (name) => catalogue.answer()?.kinds.find((kind) => kind.name === name) ?? null;

/** Why the chosen model answers for no picture; null where it does, or where none is chosen. */
export function unread() {
  const { model: id } = frame();
  const info = id ? model() : null;
  return info && !info.samples ? (findModel(info.id)?.refused ?? null) : null;
}

/* -- the order that is measured --------------------------------------------------------------------------------- */

/** The request for an order. @param {Filters} filters @param {Pick<Model, "id" | "units">} model */
export function bodyOf({ set, samples: count, order, to, mute, drop, edges, iterations }, { id, units: all }) {
  const intervention = { mute: units.expand(all, mute), drop: units.expand(all, drop), iterations, keep_edges: edges };
  const near = order === "nearest" ? to : null;
  return { model: id, data: set ? [set] : [], samples: count, order, to: near, intervention };
}

/** The same of the samples of the user. @param {Model} info */
function ownBody(info) {
  const { data: _, samples: _count, ...body } = bodyOf(choice.value, info);
  return body;
}

/**
 * What has to be chosen before an order can be measured; null where all is there.
 *
 * @param {Pick<Filters, "order" | "to" | "mute" | "drop" | "edges" | "iterations">} filters
 */
export function lacking({ order, to, mute, drop, edges, iterations }) {
  if (order === "rerouted" && !mute.length && !drop.length && edges === null && iterations === null)
    return {
      title: "No intervention is chosen",
      detail: words.choose({ "": "Mute or drop {units} on Paths or Drop, then come back." }),
    };
  if (order === "nearest" && !to)
    return { title: "Near to which sample?", detail: "Choose one, and press \u201cNear to the chosen sample\u201d." };
  return null;
}

/** @type {api.Resource<Order>} */
const order = api.resource(
  held(() => {
    const info = model();
    if (info === undefined || (info && !fits(info))) return undefined;
    return info && isOrdered() && choice.value.source === "data"
      ? JSON.stringify([bodyOf(choice.value, info), lacking(choice.value)])
      : null;
  }),
  async (key) => {
    const [body, lacks] = JSON.parse(key);
    const refused = (await refusal(body.model)) || lacks;
    return refused ? { body: null, title: refused.title, detail: refused.detail } : { body };
  },
);

/** @param {string[]} parts names and ranges of units, without rules, which the service reads */
const named = (parts) => parts.filter((part) => !units.isRule(part));

/** Whether a model has all the units that are muted or dropped. @param {Model} info */
const fits = ({ units: all }) => !units.unknownOf(all, named([...choice.value.mute, ...choice.value.drop])).length;

/** Leaves out units that the model lacks, and says so. @param {Model} info */
function fit(info) {
  for (const part of /** @type {const} */ (["mute", "drop"])) address.sayUnits(part, info, named(choice.value[part]));
  const known = (/** @type {string[]} */ parts) => [
    ...units.expand(info.units, named(parts)),
    ...parts.filter(units.isRule),
  ];
  choose({ mute: known(choice.value.mute), drop: known(choice.value.drop) });
}

/** The job of the order; null while another one, or none, is asked for. */
function measuring() {
  const body = order.answer()?.body;
  const entry = jobs.state(JOB);
  return body && JSON.stringify(entry.request?.body) === JSON.stringify(body) ? entry : null;
}

/** Id of the job whose result is the order; null until it is done. */
function measured() {
  const job = measuring()?.job;
  return job?.state === "done" ? jobs.idOf(job) : null;
}

const REFUSED = [403, 404, 422]; // the same request would be refused again
/** @type {Instead} */
const WAITING = { title: "Measuring the order", detail: "Samples appear when they are measured.", waits: true };

/** @typedef {{title: string, detail: string, unread?: boolean, refused?: boolean, waits?: boolean}} Instead */

/** Why the samples of data sets are in no order yet; null where they are. */
function pending() {
  const info = model();
  if (info === undefined) return WAITING;
  if (info === null) return { title: "No model chosen", detail: "A model gives samples their order." };
  const lacks = order.answer();
  if (lacks && !lacks.body) return { title: lacks.title ?? "", detail: lacks.detail ?? "", refused: true };
  const entry = measuring();
  const problem = entry?.problem ?? (entry?.job?.state === "failed" ? jobs.problemOf(entry.job) : null);
  if (problem) {
    const { status = 0 } = problem;
    const refused = REFUSED.includes(status);
    const title = refused ? "There is no such order here" : "The order was not measured";
    return { title: (status === 403 && problem.title) || title, detail: problem.message ?? "", refused };
  }
  if (entry?.job?.state === "cancelled") return { title: "Cancelled", detail: "Resume it above." };
  return measured() ? null : WAITING;
}

/* -- the gallery -------------------------------------------------------------------------------------------------- */

/**
 * The kind of input whose samples the gallery shows as tables; null where it shows pictures.
 *
 * @param {Filters} filters
 * @param {Pick<Model, "inputs"> | null} info
 * @param {Pick<Schemas["DataSet"], "name" | "inputs">[]} sets
 * @param {Pick<Schemas["Kind"], "name" | "written">[]} kinds
 */
export function kindShown({ source, set, order: by }, info, sets, kinds) {
  if (source === "own") return kinds.find(({ name }) => name === info?.inputs)?.written ? (info?.inputs ?? null) : null;
  const inputs = set ? sets.find(({ name }) => name === set)?.inputs : info?.inputs;
  if (!inputs || inputs === "images") return null;
  if (set) return inputs;
  const apart = by === "given" && PICTURED.includes(inputs);
  return !apart && sets.some((each) => each.inputs === inputs) ? inputs : null;
}

/** The kind of the tables of the gallery, as far as the model is known. */
export const kindNow = () => {
  const { sets, kinds } = catalogue.answer() ?? { sets: [], kinds: [] };
  return kindShown(choice.value, model() ?? null, sets, kinds);
};

/** What the gallery says in place of samples; null where it shows some. */
export function instead() {
  const { source, wrong } = choice.value;
  if (!catalogue.answer()) return null;
  const [kind, data] = [kindNow(), source === "data"];
  const refused = kind === null && (isOrdered() || (wrong && data)) ? unread() : null;
  if (refused) return { ...refused, unread: true };
  if (kind !== null && wrong && data)
    return { title: "Nothing is right or wrong here", detail: "Show all samples, and choose one to see its score." };
  return isOrdered() && (data || model() === null) ? pending() : null;
}

const query = address.queryOf;

/** @type {Omit<Item, "id">} */
const NO_SAMPLE = { sample: null, table: null, value: null };

/** A score of an order in words. @param {Pick<Schemas["Behaviours"], "unit" | "order">} ranked @param {number} value */
export function valueOf({ unit, order: by }, value) {
  if (unit === "bit")
    return { short: value.toFixed(2) + " bit", words: "heads disagree by " + value.toFixed(2) + " bit" };
  const share = (100 * value).toFixed(1) + " %";
  const from = by === "rerouted" ? "with and without the intervention" : "from the named sample";
  return { short: share, words: "distance of routings " + from + ": " + share };
}

/** @type {api.Resource<Gallery>} */
export const gallery = api.resource(
  held(() => {
    const [info, message] = [model(), instead()];
    if (!catalogue.answer() || info === undefined || message?.waits) return undefined;
    if (message) return null;
    const kind = kindNow();
    const ranked = isOrdered() && choice.value.source === "data" ? measured() : null;
    const own = isOrdered() && choice.value.source === "own" && info ? ownBody(info) : null;
    return JSON.stringify([choice.value, kind, info?.id, info?.samples, ranked, own, samples.changes.value]);
  }),
  async (key, stop) => {
    /** @type {[Filters, string | null, string | undefined, boolean, string | null, unknown]} */
    const [filters, kind, id, reads, ranked, body] = JSON.parse(key);
    const { source, set, find, page, order: by } = filters;
    const own = source === "own";
    const limit = kind === null ? PICTURES : TABLES;
    const offset = (page - 1) * limit;
    const rows = kind === null ? null : kind === STATEMENTS ? WORDS : ROWS;
    const label = own ? null : filters.label;
    const wrong = filters.wrong && !own && reads;
    const model = reads ? id : null;
    const shown = { kind, start: offset, size: limit, ranked: null };
    const get = (/** @type {string} */ path, /** @type {Record<string, unknown>} */ asked) =>
      api.send("GET", path + query(asked), undefined, { signal: stop });
    if (by !== "given") {
      const asked = { label, wrong, find, limit, offset, rows };
      /** @type {Schemas["Behaviours"]} */
      const answer = body
        ? await api.send("POST", "/behaviours/own" + query(asked), body)
        : await get("/behaviours/" + ranked, asked);
      const items = answer.items.map(({ table = null, value, ...item }) => ({ ...item, table, value: valueOf(answer, value) })); // prettier-ignore
      return { ...shown, items, total: answer.total, ranked: answer };
    }
    if (kind !== null) {
      const { items, total } = own
        ? await get("/samples/written", { inputs: kind, limit, offset, rows })
        : await get("/tables", { inputs: kind, set, label, find, limit, offset, rows });
      return { ...shown, items: items.map((/** @type {Schemas["SampleTable"]} */ table) => ({ ...NO_SAMPLE, id: table.id, table })), total }; // prettier-ignore
    }
    const [pictures, ...counted] = await Promise.all([
      get("/samples", { origin: own ? null : "data", set: own ? null : set, model, label, wrong, find, limit, offset }),
      ...(own ? ["upload", "drawing"] : []).map((origin) => get("/samples", { origin, find, limit: 0 })),
    ]);
    // Without an origin the service lists uploads and drawings before data sets.
    const items = pictures.items.filter((/** @type {Schemas["Sample"]} */ { origin }) => !own || origin !== "data");
    return {
      ...shown,
      items: items.map((/** @type {Schemas["Sample"]} */ sample) => ({ ...NO_SAMPLE, id: sample.id, sample })),
      total: own ? counted.reduce((sum, { total }) => sum + total, 0) : pictures.total,
    };
  },
);

/** Whether the gallery shows what was chosen before. */
export const isStale = () =>
  gallery.latest() !== null && (gallery.answer() === null || model() === undefined || Boolean(instead()?.waits));

/* -- the chosen sample ------------------------------------------------------------------------------------------ */

/** Samples that were deleted here: nothing more is asked about them. @type {Set<string>} */
const deleted = new Set();

/** @param {unknown} error */
const isMissing = (error) => error instanceof api.Problem && error.status === 404;

/** @type {api.Resource<Chosen>} */
export const chosen = api.resource(
  held(() => {
    const [{ sample }, info] = [frame(), model()];
    if (!sample || deleted.has(sample)) return null;
    if (info === undefined || !catalogue.answer()) return undefined;
    return JSON.stringify([sample, info?.id, samples.changes.value]);
  }),
  async (key) => {
    const [id] = JSON.parse(key);
    const [info, sets] = [model() ?? null, catalogue.answer()?.sets ?? []];
    const data = sets.find(({ name }) => name === id.split(".")[0]);
    /** @type {Chosen} */
    const found = { id, picture: null, table: null, data, model: info };
    const path = encodeURIComponent(id);
    const picture = async () => ({ ...found, picture: await api.send("GET", "/samples/" + path) });
    async function table() {
      const table = await api.send("GET", "/tables/" + path);
      const reads = info?.inputs === table.inputs;
      return { ...found, table: reads ? await api.send("GET", "/tables/" + path + query({ model: info?.id })) : table };
    }
    const first = data ? data.inputs !== "images" : Boolean(kindOf(info?.inputs)?.written);
    const [one, other] = first ? [table, picture] : [picture, table];
    const otherwise = (/** @type {unknown} */ error) => {
      if (!isMissing(error)) throw error;
      return id.includes(".") ? found : other();
    };
    return one()
      .catch(otherwise)
      .catch((error) => (isMissing(error) ? found : Promise.reject(error)));
  },
);

/** What the heads of the model answer for the chosen picture. @type {api.Resource<Schemas["TraceInfo"]>} */
export const answers = api.resource(
  () => {
    const [now, info] = [chosen.answer(), model()];
    return now?.picture && info?.samples && now.model?.id === info.id ? JSON.stringify([info.id, now.id]) : null;
  },
  (key) => {
    const [model, sample] = JSON.parse(key);
    return api.send("POST", "/traces", { model, sample, fields: [] });
  },
);

const READ_IN = "read_in"; // a field of models whose units read the tokens

/** How much each unit reads each token. @type {api.Resource<{weights: ArrayLike<number>, units: string[]}>} */
export const readers = api.resource(
  () => {
    const [now, info] = [chosen.answer(), model()];
    const reads = now?.table?.writing && info && now.model === info && info.inputs === now.table.inputs;
    return reads && info.fields.includes(READ_IN) ? JSON.stringify([info.id, now.id]) : null;
  },
  async (key) => {
    const [model, sample] = JSON.parse(key);
    /** @type {Schemas["TraceInfo"]} */
    const trace = await api.send("POST", "/traces", { model, sample, fields: [READ_IN] });
    return { weights: (await api.field(trace.id, READ_IN)).data, units: trace.units };
  },
);

/** Whether `removeAll` may delete a sample. Lists begin with uploads; written samples have no owner there. */
export const owned = api.resource(
  () => String(samples.changes.value),
  async () => {
    /** @type {[Schemas["Samples"], Schemas["SampleTables"]]} */
    const [{ items }, { total }] = await Promise.all([
      api.send("GET", "/samples" + query({ limit: PICTURES })),
      api.send("GET", "/samples/written" + query({ limit: 1, rows: 1 })),
    ]);
    return total > 0 || items.some(({ owner }) => owner === "you") || items.every(({ owner }) => owner !== null);
  },
);

/** Runs a change of samples, and says why it failed. @param {() => Promise<void>} change */
async function act(change) {
  try {
    await change();
  } catch (error) {
    const { title = "It was not changed", message } = /** @type {api.Problem} */ (error);
    api.notify(title, message, "bad");
  }
}

const letGo = () => selection.choose(/** @type {any} */ ({ sample: null }));

/** @param {string} id @param {{name: string, label: number | null}} edit */
export const save = (id, edit) =>
  act(async () => {
    await api.send("PATCH", "/samples/" + encodeURIComponent(id), edit);
    api.notify("Saved", edit.name + ": " + (edit.label === null ? "no label" : "label " + edit.label), "good");
    samples.changed();
  });

/** @param {string} id */
export const remove = (id) =>
  act(async () => {
    await api.send("DELETE", "/samples/" + encodeURIComponent(id));
    api.notify("Deleted", "The sample and its pictures are gone.", "good");
    deleted.add(id);
    letGo();
    samples.changed();
  });

export const removeAll = () =>
  act(async () => {
    const { count } = await api.send("DELETE", "/samples?owner=you");
    api.notify("Deleted", count === 1 ? "1 sample is gone." : count + " samples are gone.", "good");
    const { sample } = selection.current();
    if (sample && !sample.includes(".")) {
      deleted.add(sample);
      letGo();
    }
    samples.changed();
  });

/* -- opening and leaving ------------------------------------------------------------------------------------------ */

/** Measures the order that is asked for, and gives up the one before. */
function measure() {
  const [body, waits] = [order.answer()?.body ?? null, order.waits()];
  untracked(() => {
    if (!body) {
      if (!waits && jobs.state(JOB).request) void jobs.release(JOB);
      return;
    }
    const { job, request } = jobs.state(JOB);
    if (JSON.stringify(request?.body) === JSON.stringify(body)) return;
    void jobs.start(JOB, "/behaviours", body).then(async () => {
      if (jobs.state(JOB).job?.id !== job?.id) await jobs.drop(job);
    });
  });
}

/** Follows what is chosen; returns what ends that. */
export function follow() {
  samples.followTabs();
  const ends = [
    ...[catalogue, described, order, gallery, chosen, answers, readers, owned].map((resource) => resource.follow()),
    effect(measure),
    effect(() => {
      const info = model();
      if (info && !fits(info)) untracked(() => fit(info));
    }),
    effect(() => {
      const shown = { ...choice.value, ...frame() };
      untracked(() => address.write("samples", shown));
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    void jobs.release(JOB);
  };
}
