/* Which models a page is for, and which of them is there for who has chosen none: by what both declare, never by a
   name. An element with data-widget="reader" offers a model that reads the samples that the page shows. */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Declared, Served } from "rs/lib/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @type {Signal<Declared[] | null>} */
const known = signal(null); // what is declared of every model, once it has arrived, from the least error on
/** @type {Served[]} */
let offered = []; // the pages: {path, needs, inputs, pictures, samples}
/** @type {() => void} */
let arrived;
/** @type {Promise<void>} */
const declared = new Promise((resolve) => (arrived = resolve));

/**
 * Whether a page is for models that take what this one takes, and the model has one of what the page needs; a page
 * that needs nothing is for all of them.
 *
 * @param {Declared} model
 * @param {Pick<Served, "needs" | "inputs" | "pictures">} page
 */
export function serves(model, page) {
  const { inputs, pictures } = page;
  const taken = inputs.includes("*") || inputs.includes(model.inputs || "images");
  if (!taken || (pictures && model.pictures !== pictures)) return false;
  return hasNeeded(model, page);
}

/**
 * @param {Pick<Declared, "fields" | "constants">} model
 * @param {Pick<Served, "needs">} page
 */
const hasNeeded = ({ fields, constants }, { needs }) =>
  !needs.length || needs.some((name) => fields.includes(name) || constants.includes(name));

/**
 * Whether the page serves a model that reads what the page shows.
 *
 * @param {Declared} model
 * @param {Served} page
 */
const reads = (model, page) => serves(model, page) && (!page.samples || Boolean(model.samples));

/**
 * @param {Declared[]} models
 * @param {Served} page
 */
const firstReader = (models, page) => models.find((model) => reads(model, page)) || null;

/**
 * The model for who has chosen none: the first that reads what the page shows, else the first that it serves.
 *
 * @param {Declared[]} models
 * @param {Served | null} page
 */
export function firstModel(models, page) {
  if (!page) return models[0] || null;
  return firstReader(models, page) || models.find((model) => serves(model, page)) || models[0] || null;
}

/**
 * @param {Declared[]} models
 * @param {Served[]} pages
 */
export function learnModels(models, pages) {
  offered = pages || [];
  known.value = models;
  if (models) arrived();
}

/** Whether it is known which models there are. */
export const areKnown = () => known.value !== null;

/** @param {string | null} id */
export const findModel = (id) => (known.value || []).find((model) => model.id === id) || null;
const here = () => offered.find(({ path }) => path === location.pathname) || null;

/**
 * Why this page can show nothing of a model, or not what it measures on samples, as far as that follows from what both
 * declare: what to say in place of the API's refusal, or null. Waits until the models are known.
 *
 * @param {string | null} id
 */
export async function refusal(id) {
  await declared;
  const [model, page] = [findModel(id), here()];
  if (!model || !page) return null;
  /** @param {{ title: string, detail: string }} words */
  const said = ({ title, detail }) => ({ title, detail, message: detail, refused: true });
  const ofSamples = page.samples || (model.inputs || "images") === "images"; // sets of other kinds are their own samples
  if (ofSamples && model.refused) return said(model.refused);
  if (hasNeeded(model, page)) return null;
  const detail = id + " records no " + page.needs.join(" and no ") + ", which this page is about.";
  return said({ title: "This page is not for this model", detail });
}

/**
 * Offers another model in `place` where this one is refused, and else to try again.
 *
 * @param {HTMLElement} place
 * @param {{ refused?: boolean } | null} problem
 */
export function offer(place, problem) {
  const refused = Boolean(problem && problem.refused);
  /** @type {HTMLElement} */ (place.querySelector('[data-widget="reader"]')).hidden = !refused;
  /** @type {HTMLElement} */ (place.querySelector("button.button:not([data-pick-model])")).hidden = refused;
}

/** @param {string | undefined} inputs of models for samples that are no pictures */
function reader(inputs) {
  if (!known.value) return null;
  const page = here();
  /** @param {Declared} each */
  const reading = (each) => (inputs ? each.inputs === inputs : page && each.samples && serves(each, page));
  const model = known.value.find(reading);
  if (!model) return html`None of the models here does.`;
  return html`<button type="button" class="button" data-pick-model=${model.id}>${"Read with " + model.id}</button>`;
}

registerWidget("reader", (host) => show(host, () => reader(host.dataset.inputs)));

export const firstHere = () => firstModel(known.value || [], here());
