/* Which models a page is for, which of them is there for who has chosen none, and which in place of one that is not: by what
   both declare, never by a name. */
import { signal } from "rs/vendor/preact.js";

/** @import { Declared, Listed, Served } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @type {Signal<Listed[] | null>} */
const known = signal(null); // what is declared of every model, once it has arrived, from the least error on
/** @type {Signal<Served[]>} */
const offered = signal([]); // the pages, in the order of the navigation
const PATHS = "/paths";
const MOST_NAMED = 3; // data sets of a model that are not there
/** @type {() => void} */
let arrived;
/** @type {Promise<void>} */
const declared = new Promise((resolve) => (arrived = resolve));

/**
 * Whether a page is for models that take what this one takes, and the model has one of what the page needs; a page
 * that needs nothing is for all of them.
 *
 * @param {Declared} model
 * @param {Pick<Served, "needs" | "units" | "inputs" | "pictures">} page
 */
export function serves(model, page) {
  const { pictures } = page;
  if (!taken(model, page) || (pictures && model.pictures !== pictures)) return false;
  return hasNeeded(model, page);
}

/** @param {Pick<Declared, "inputs">} model @param {Pick<Served, "inputs">} page */
const taken = ({ inputs: given }, { inputs }) => inputs.includes("*") || inputs.includes(given || "images");

/**
 * @param {Pick<Declared, "fields" | "constants" | "unit_count">} model
 * @param {Pick<Served, "needs" | "units">} page
 */
const hasNeeded = ({ fields, constants, unit_count: units }, page) =>
  !(page.units && units === 0) &&
  (!page.needs.length || page.needs.some((name) => fields.includes(name) || constants.includes(name)));

/**
 * Whether the page shows samples of the model's kind of input, other than pictures, of which a model may read another sort:
 * it names the kind, or is about what models of every kind may have.
 *
 * @param {Pick<Declared, "inputs">} model
 * @param {Pick<Served, "inputs" | "needs">} page
 */
const showsItsKind = ({ inputs = "images" }, page) =>
  inputs !== "images" && (page.inputs.includes(inputs) || (page.needs.length > 0 && page.inputs.includes("*")));

/** Whether the page serves a model whose samples are installed. @param {Declared} model @param {Served} page */
const reads = (model, page) =>
  serves(model, page) &&
  (!page.samples || Boolean(model.samples) || showsItsKind(model, page)) &&
  !(page.measures && model.without_data);

/** Whether the page has something to show of the model. @param {Declared} model @param {Served} page */
export const shows = (model, page) => (page.needs.length ? reads(model, page) : serves(model, page));

/** How near two models are: family, then task, then input. @param {Listed} one @param {Listed} other */
function nearness(one, other) {
  const task = one.inputs === other.inputs && one.task === other.task;
  return 4 * Number(one.family === other.family) + 2 * Number(task) + Number(one.inputs === other.inputs);
}

/** The nearest model that the page shows. @param {Listed[]} models @param {Served} page @param {Listed} model */
export function nearest(models, page, model) {
  const shown = models.filter((each) => shows(each, page));
  const most = Math.max(...shown.map((each) => nearness(each, model)));
  return shown.find((each) => nearness(each, model) === most) || null;
}

/** The page that shows the model best; null without one. @param {Declared} model @param {Served[]} pages */
export function bestPage(model, pages) {
  const particular = pages.find((page) => page.needs.length && shows(model, page));
  return particular || pages.find((page) => page.units && shows(model, page)) || null;
}

/** What bundled kinds of models read; other models say it themselves. @type {Record<string, string>} */
const TAKEN = {
  images: "pictures",
  statements: "sentences about pictures",
  blocks: "blocks of numbers",
  text: "texts",
};

/** Why a page has nothing to show of a model, in words; "" where it has. @param {Listed} model @param {Served} page */
export function whyNot(model, page) {
  if (shows(model, page)) return "";
  const { id, reads: read } = model;
  if (!taken(model, page)) {
    const wanted = page.inputs.map((each) => TAKEN[each] || "samples of other kinds").join(" or ");
    return `${page.title} is about models that read ${wanted}; ${id} reads ${read}.`;
  }
  if (page.pictures && model.pictures !== page.pictures)
    return `${page.title} is about sentences on ${page.pictures} pictures; those of ${id} are about ${model.pictures}.`;
  if (!hasNeeded(model, page)) return lacks(model, page);
  if (!model.samples && !showsItsKind(model, page))
    return model.refused?.detail || `${id} reads no samples, which ${page.title} shows.`;
  return `${NONE_INSTALLED}. ${whatInstead(model)}`;
}

/** What is said where something is to be measured of a model on data sets of which there is none. */
const NONE_INSTALLED = "No data set that this model reads is installed";

/** What can be done where no data set of a model is installed. @param {Listed} model */
function whatInstead(model) {
  const { id, domains } = model;
  const named = domains.slice(0, MOST_NAMED).join(", ") + (domains.length > MOST_NAMED ? " and others" : "");
  const paths = offered.value.find((page) => page.path === PATHS && shows(model, page));
  const own = paths ? ` You can follow your own samples on ${paths.title}.` : "";
  return `${id} reads ${named}, which ${domains.length > 1 ? "are" : "is"} not installed.${own}`;
}

/** Models that match every word, in groups of family and task. @param {Listed[]} models @param {string} search */
export function grouped(models, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Map<string, Map<string, Listed[]>>} */
  const families = new Map();
  for (const model of models) {
    const { id, family, task, domains, reads: read } = model;
    const text = [id, family, task, ...domains, read].join(" ").toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const tasks = families.get(family) || families.set(family, new Map()).get(family);
    tasks?.set(task, [...(tasks.get(task) || []), model]);
  }
  return [...families].flatMap(([family, tasks]) => [...tasks].map(([task, models]) => ({ family, task, models })));
}

/** Whether a page that needs something of models shows this model. @param {Declared} model */
const isRouted = (model) => offered.value.some((page) => page.needs.length && shows(model, page));

/** The default model of a page, models with routing first. @param {Declared[]} models @param {Served | null} page */
export function firstModel(models, page) {
  const first = [...models.filter(isRouted), ...models.filter((model) => !isRouted(model))];
  if (!page) return first[0] || null;
  const served = first.filter((model) => serves(model, page));
  const samples = page.samples || !page.needs.length;
  return served.find((model) => model.samples || !samples) || served[0] || first[0] || null;
}

/** @param {Served[]} pages */
export function learnPages(pages) {
  offered.value = pages || [];
}

/** @param {Listed[]} models */
export function learnModels(models) {
  known.value = models;
  if (models) arrived();
}

/** What is declared of every model; null until it has arrived. */
export const models = () => known.value;
/** The pages, in the order of the navigation. */
export const pages = () => offered.value;
/** @param {string | null} id */
export const findModel = (id) => (known.value || []).find((model) => model.id === id) || null;
/** The kind of input that a model reads, once the models are known. @param {string} id */
export async function inputsOf(id) {
  await declared;
  return findModel(id)?.inputs ?? "images";
}
/** Whether a data set that the model reads is installed, once models are known. @param {string} id */
export async function hasData(id) {
  await declared;
  return !findModel(id)?.without_data;
}

export const here = () => offered.value.find(({ path }) => path === location.pathname) || null;

/** Why this page shows nothing of a model, or null; waits for the models. @param {string | null} id */
export async function refusal(id) {
  await declared;
  const [model, page] = [findModel(id), here()];
  if (!model || !page) return null;
  /** @param {{ title: string, detail: string }} words */
  const said = ({ title, detail }) => ({ title, detail, message: detail, refused: true });
  if (!measures(model, page)) return said(/** @type {{ title: string, detail: string }} */ (model.refused));
  if (!hasNeeded(model, page)) return said({ title: "This page is not for this model", detail: lacks(model, page) });
  return model.without_data ? said({ title: NONE_INSTALLED, detail: whatInstead(model) }) : null;
}

/** Whether the page measures on samples that the model reads. @param {Declared} model @param {Served} page */
function measures(model, page) {
  const ofSamples = page.samples || (model.inputs || "images") === "images"; // sets of other kinds are their own samples
  return !(ofSamples && model.refused) || showsItsKind(model, page);
}

/** What fields of models hold, in words. @type {Record<string, string>} */
const HELD = {
  compatibility: "routing of tokens",
  link_probability: "links between units",
  messages: "messages between units",
  multiplexer_weights: "routes between blocks",
  text_attention: "attention to words",
};

/** @param {Pick<Declared, "id" | "unit_count">} model @param {Pick<Served, "needs" | "units">} page */
const lacks = ({ id, unit_count: count }, { needs, units }) =>
  units && count === 0
    ? id + " has no units to drop or mute. Choose a model with units."
    : id + " has no " + needs.map((name) => HELD[name] ?? name).join(" and no ") + ".";

/**
 * A model that is offered where the page refuses one: the nearest of those that take the same, where the refused one lacks
 * its data sets alone; else the first that reads samples. Null where there is none.
 *
 * @param {string | null} id of the model that is refused
 * @param {string | undefined} inputs that the other one is to take, where the page shows samples that are no pictures
 * @returns {Listed | null}
 */
export function another(id, inputs) {
  const [page, model, all] = [here(), findModel(id), known.value || []];
  const there = all.filter((each) => !each.without_data);
  if (inputs) return [...there, ...all].find((each) => each.inputs === inputs) || null;
  if (!page) return null;
  const fit = there.filter((each) => reads(each, page) && measures(each, page));
  const alike = fit.filter((each) => model?.without_data && each.inputs === model.inputs);
  return (model && nearest(alike, page, model)) || fit.find((each) => each.samples) || null;
}

export const firstHere = () => firstModel(known.value || [], here());
