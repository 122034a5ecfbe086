/* What the page Home knows: the models, samples of what they read, and a path that plays. */
import * as api from "rs/lib/api.js";
import { serves } from "rs/lib/models.js";
import { makeStore } from "rs/lib/store.js";
import { reducedMotion } from "rs/lib/theme.js";
import { TraceView } from "rs/lib/trace.js";

/** @import { TokenView } from "rs/draw/path/types.d.ts" */
/** @import { Schemas, Served } from "rs/lib/types.d.ts" */
/** @import { Around, HomeState, Living, Model } from "rs/pages/home/types.d.ts" */

/** @typedef {{model?: string | null, sample?: string | null}} Choice */

const STATEMENTS = 24; // among which two of different kinds are found
const NONE = "No path plays: none of the models here tells how tokens of a picture or a text match its units.";
const TEXT = "text";
const LINES = 3; // of a text, as far as it is quoted

/** @type {HomeState} */
const first = {
  models: null,
  around: { tasks: [], statements: [], samples: {}, texts: {}, kinds: [] },
  living: null,
  instead: null,
  noPath: null,
  noModels: null,
  playing: false,
  time: null,
};
export const { state, update, subscribe } = makeStore(first);

/**
 * Models whose paths can play here, the one that is chosen first.
 *
 * @param {Model[]} models
 * @param {Served[]} pages
 * @param {string | null} [chosen]
 */
export function playable(models, pages, chosen) {
  const page = pages.find(({ path }) => path === "/paths");
  if (!page) return [];
  const reads = (/** @type {Model} */ each) => each.samples || each.inputs === TEXT;
  const found = models.filter((each) => reads(each) && each.fields.includes("compatibility") && serves(each, page));
  return [...found.filter(({ id }) => id === chosen), ...found.filter(({ id }) => id !== chosen)];
}

/**
 * What a request gives, or `otherwise` where it fails: what it is for is left out then.
 *
 * @template Answer
 * @param {string} path
 * @param {(answer: any) => Answer} read
 * @param {Answer} otherwise
 * @returns {Promise<Answer>}
 */
const given = (path, read, otherwise) => api.send("GET", path).then(read, () => otherwise);

/**
 * The data sets of one kind of input that models answer for and that are here: of a network that was brought they may
 * not be.
 *
 * @param {Model[]} models
 * @param {string} inputs
 * @param {Schemas["DataSet"][]} here
 */
export function setsOf(models, inputs, here) {
  const asked = new Set(models.filter((each) => each.inputs === inputs).flatMap(({ domains }) => domains));
  return here.filter((set) => set.inputs === inputs && asked.has(set.name)).map(({ name }) => name);
}

/**
 * @param {Model[]} models
 * @returns {Promise<Around>}
 */
async function lookAround(models) {
  const of = (/** @type {string} */ inputs) => models.filter((each) => each.inputs === inputs);
  /** @type {Schemas["DataSet"][]} */
  const here = await given("/data", ({ items }) => items, []);
  const sets = setsOf(models, "images", here);
  const one = (/** @type {string} */ set) => "/samples?origin=data&limit=1&set=" + encodeURIComponent(set);
  const written = setsOf(models, TEXT, here);
  const text = (/** @type {string} */ set) => "/tables?limit=1&rows=" + LINES + "&set=" + encodeURIComponent(set);
  const [tasks, statements, kinds, texts, ...samples] = await Promise.all([
    of("blocks").length ? given("/block-tasks", ({ items }) => items, []) : [],
    of("statements").length ? given("/statements?limit=" + STATEMENTS, ({ items }) => items, []) : [],
    given("/inputs", ({ items }) => items, []),
    Promise.all(written.map((set) => given(text(set), ({ items }) => items[0] || null, null))),
    ...sets.map((set) => given(one(set), ({ items }) => items[0] || null, null)),
  ]);
  /**
   * @param {string[]} names
   * @param {unknown[]} found
   */
  const there = (names, found) => Object.fromEntries(names.map((set, at) => [set, found[at]]).filter(([, one]) => one));
  return { tasks, statements, kinds, samples: there(sets, samples), texts: there(written, texts) };
}

/**
 * The path of a text through a model.
 *
 * @param {string} model
 * @param {string} id
 * @returns {Promise<Living>}
 */
async function livingText(model, id) {
  /** @type {[Schemas["TraceInfo"], Schemas["ScoredTable"]]} */
  const [info, { set, set_title, stand_in, rows }] = await Promise.all([
    api.send("POST", "/traces", { model, sample: id, fields: ["compatibility"] }),
    api.send("GET", "/tables/" + encodeURIComponent(id)),
  ]);
  const view = new TraceView(info, await api.field(info.id, "compatibility"));
  const begins = rows.slice(0, LINES).map(([, line]) => String(line));
  const sample = { id, name: set === null ? set_title : id, label: null, set, stand_in, begins: begins.join(" ") };
  return { view: /** @type {TokenView} */ (view), picture: null, sample };
}

/**
 * The path of a sample through a model, as the page Paths asks for it.
 *
 * @param {Model} of
 * @param {string} id
 * @returns {Promise<Living>}
 */
async function livingOf({ id: model, inputs }, id) {
  if (inputs === TEXT) return livingText(model, id);
  /** @type {[Schemas["TraceInfo"], Schemas["Sample"], Living["picture"]]} */
  const [info, sample, picture] = await Promise.all([
    api.send("POST", "/traces", { model, sample: id }),
    api.send("GET", "/samples/" + encodeURIComponent(id)),
    api.picture(id),
  ]);
  const view = new TraceView(info, await api.field(info.id, "compatibility"));
  return { view: /** @type {TokenView} */ (view), picture, sample };
}

/**
 * @param {Model[]} models that paths can play of
 * @param {Around} around
 * @param {Choice} choice
 */
async function findLiving(models, around, choice) {
  const offers = (/** @type {Model} */ { domains }) =>
    domains.map((name) => around.samples[name] ?? around.texts[name]).filter(Boolean);
  const model = models.find((each) => each.id === choice.model || offers(each).length) ?? models[0];
  if (!model) throw new api.Problem(0, "No path", NONE);
  const offered = offers(model);
  if (choice.sample) {
    const found = await livingOf(model, choice.sample).catch(() => null); // nothing that it reads, or not there any more
    if (found) return found;
  }
  if (!offered.length) throw new api.Problem(0, "No path", "There are no samples of what " + model.id + " reads.");
  return livingOf(model, offered[0].id);
}

/** @type {Promise<{models: Model[], around: Around}> | null} */
let found = null;
let listed = ""; // ids of the models that were found: further ones come while folders are opened

/** @param {string[]} order ids of models, from the least error on */
async function find(order) {
  /** @type {Schemas["Models"]} */
  const { items } = await api.send("GET", "/models");
  const place = (/** @type {Model} */ { id }) => (order.includes(id) ? order.indexOf(id) : order.length);
  const models = items.sort((one, other) => place(one) - place(other));
  return { models, around: await lookAround(models) };
}

let wanted = 0;

/**
 * Finds what the page shows, and again where something else is chosen.
 *
 * @param {Choice} choice
 * @param {string[]} order ids of models, from the least error on
 * @param {Served[]} pages
 */
export async function open(choice, order, pages) {
  const mine = (wanted += 1);
  try {
    if (order.join(" ") !== listed) found = null;
    listed = order.join(" ");
    found = found || find(order);
    const { models, around } = await found;
    if (mine !== wanted) return;
    update({ models, around, noModels: null });
    const living = await findLiving(playable(models, pages, choice.model), around, choice);
    const chosen = models.some(({ id }) => id === choice.model) ? (choice.model ?? null) : null;
    const instead = chosen === living.view.info.model ? null : chosen;
    if (mine === wanted) update({ living, instead, noPath: null, time: null, playing: !reducedMotion() });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    if (!state.models) found = null;
    if (mine === wanted) update(state.models ? { living: null, noPath: message } : { noModels: message });
  }
}

/** Forgets what was found, as models may come and go: called when the page goes. */
export function close() {
  wanted += 1;
  found = null;
  update({ models: null, living: null, playing: false, time: null });
}
