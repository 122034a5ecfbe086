/* What the page Home knows: the models, samples of what they read, and a path that plays. */
import * as api from "rs/lib/api.js";
import { findModel, firstHere, models as listed, pages, serves } from "rs/lib/models.js";
import { current } from "rs/lib/selection.js";
import { reducedMotion } from "rs/lib/theme.js";
import { TraceView } from "rs/lib/trace.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { TokenView } from "rs/draw/path/types.d.ts" */
/** @import { Schemas, Served } from "rs/lib/types.d.ts" */
/** @import { Around, Living, Model } from "rs/pages/home/types.d.ts" */

const STATEMENTS = 24; // among which two of different kinds are found
const NONE = "No path to play: no model here records which units the tokens of a picture or a text take.";
const TEXT = "text";
const LINES = 3; // of a text, as far as it is quoted

/** Models with paths, chosen first. @param {Model[]} models @param {Served[]} pages @param {string | null} [chosen] */
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

/** Installed data sets of a kind. @param {Model[]} models @param {string} inputs @param {Schemas["DataSet"][]} here */
export function setsOf(models, inputs, here) {
  const asked = new Set(models.filter((each) => each.inputs === inputs).flatMap(({ domains }) => domains));
  return here.filter((set) => set.inputs === inputs && asked.has(set.name)).map(({ name }) => name);
}

/** @param {Model[]} models @returns {Promise<Around>} */
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
  /** @param {string[]} names @param {unknown[]} found */
  const there = (names, found) => Object.fromEntries(names.map((set, at) => [set, found[at]]).filter(([, one]) => one));
  return { tasks, statements, kinds, samples: there(sets, samples), texts: there(written, texts) };
}

/** The path of a text through a model. @param {string} model @param {string} id @returns {Promise<Living>} */
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
 * @param {string} model
 * @param {string} inputs of the model
 * @param {string} id
 * @returns {Promise<Living>}
 */
async function livingOf(model, inputs, id) {
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

const visit = signal(0);
export const playing = signal(false);
/** 0 at the tokens, n at the n-th step; null where it has not begun to play. */
export const time = signal(/** @type {number | null} */ (null));

/** Ids of the models, from the least error on; null until they are there. */
const order = () => listed()?.map(({ id }) => id) ?? null;

/** The models, and what there is of what they read: asked at each visit, as models may come and go. */
export const found = api.resource(
  () => (listed() ? String(visit.value) : null),
  async () => {
    const places = order() ?? [];
    /** @type {Schemas["Models"]} */
    const { items } = await api.send("GET", "/models");
    const place = (/** @type {Model} */ { id }) => (places.includes(id) ? places.indexOf(id) : places.length);
    const models = items.sort((one, other) => place(one) - place(other));
    return { models, around: await lookAround(models) };
  },
);

/** The model whose path plays, its chosen sample, and its first sample; null without one, or before it is known. */
function played() {
  const [here, { model: chosen, sample }] = [found.answer(), current()];
  if (!here || (!chosen && firstHere())) return null;
  const offers = (/** @type {Model} */ { domains }) =>
    domains.map((name) => here.around.samples[name] ?? here.around.texts[name]).find(Boolean)?.id ?? null;
  const models = playable(here.models, pages(), chosen);
  const model = models.find((each) => each.id === chosen || offers(each)) ?? models[0];
  return model ? { model, sample, offered: offers(model) } : null;
}

/** The path that plays, until another one comes. */
export const path = api.resource(
  () => {
    const { model, sample, offered } = played() ?? {};
    return model ? JSON.stringify([visit.value, model.id, model.inputs, sample, offered]) : null;
  },
  async (key) => {
    const [, model, inputs, sample, offered] = JSON.parse(key);
    // Null: nothing that the model reads, or not there any more.
    const chosen = sample ? await livingOf(model, inputs, sample).catch(() => null) : null;
    if (chosen) return chosen;
    if (!offered) throw new api.Problem(404, "No path", "There are no samples for " + model + ".");
    return livingOf(model, inputs, offered);
  },
);

/** Why no path plays; null where one does or is on its way. */
export function noPath() {
  if (path.problem()) return /** @type {api.Problem} */ (path.problem()).message;
  return found.answer() && !played() && (current().model || !firstHere()) ? NONE : null;
}

/** The chosen model, where another one's path plays in place of its own. */
export function instead() {
  const { model } = current();
  return findModel(model) && path.answer() && model !== path.answer()?.view.info.model ? model : null;
}

/** Follows what is chosen and which models there are; returns what ends that. */
export function follow() {
  visit.value += 1;
  let known = order()?.join(" ");
  let shown = path.latest();
  const ends = [
    found.follow(),
    path.follow(),
    effect(() => {
      const now = order()?.join(" ");
      if (known && known !== now) untracked(() => found.again()); // further ones come while folders are opened
      known = now;
    }),
    effect(() => {
      if (path.latest() === shown) return;
      shown = path.latest();
      playing.value = shown !== null && !reducedMotion();
      time.value = null;
    }),
  ];
  return () => ends.forEach((end) => end());
}
