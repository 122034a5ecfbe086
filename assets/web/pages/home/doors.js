/* Doors from Home straight to something worth seeing: which model stands behind each follows from what models and pages
   declare. */
import * as address from "rs/lib/address.js";
import { follow } from "rs/lib/navigation/go.js";
import { pages, serves } from "rs/lib/models.js";
import { html, icon } from "rs/lib/view.js";
import { found, path, playable } from "rs/pages/home/state.js";

/** @import { Served } from "rs/lib/types.d.ts" */
/** @import { Around, Door, Model } from "rs/pages/home/types.d.ts" */

const QUICK = 200; // samples on which a drop is measured at first

/** A sentence, and the first one of another kind of reasoning. @param {Around["statements"]} statements */
function twoOf(statements) {
  const [one] = statements;
  const other = statements.find(({ kind, sentence }) => kind !== one.kind && sentence !== one.sentence);
  return one && { s1: one.sentence, s2: other?.sentence ?? null, statement: one.id };
}

/**
 * @param {Model[]} models from the least error on
 * @param {Around} around
 * @param {Served[]} pages
 * @param {string | null} chosen the sample whose path plays
 */
export function doorsOf(models, around, pages, chosen) {
  const served = (/** @type {string} */ path) => {
    const page = pages.find((each) => each.path === path);
    return page ? models.filter((model) => serves({ ...model, unit_count: model.units.length }, page)) : [];
  };
  const path = playable(models, pages).find(({ samples }) => samples);
  const sample = chosen ?? (path && path.domains.map((name) => around.samples[name]?.id).find(Boolean));
  const [circuit] = served("/circuits");
  const taskOf = (/** @type {Model} */ { id }) => around.tasks.find((each) => each.models.includes(id));
  const digitsOf = (/** @type {Model} */ model) => {
    const example = taskOf(model)?.example;
    return example && "digits" in example ? example.digits : null;
  };
  const routing = served("/blocks");
  const blocks = routing.find(digitsOf) ?? routing[0];
  const routers = served("/drop").filter(({ fields }) => fields.includes("router_logits"));
  const experts = routers.find(({ accuracies }) => accuracies.length) ?? routers[0]; // one that is known to have learnt
  const two = circuit && around.statements.length ? twoOf(around.statements) : {};
  return [
    {
      key: "follow",
      icon: "path",
      title: "Follow a digit",
      words: "through the functions of " + path?.id + ", step by step",
      to: path && { page: "paths", values: { model: path.id, sample, step: 0 } },
    },
    {
      key: "drop",
      icon: "drop",
      title: "Drop functions",
      words: "of " + path?.id + " and watch the accuracy, beside random sets",
      to: path && { page: "drop", values: { model: path.id, units: [path.units[0]], samples: QUICK } },
    },
    {
      key: "compare",
      icon: "circuits",
      title: "Compare two sentences",
      words: "and the circuits that they design in " + circuit?.id,
      to: circuit && { page: "circuits", values: { model: circuit.id, ...two } },
    },
    {
      key: "steer",
      icon: "blocks",
      title: "Steer blocks",
      words: "that copy or compute, in " + blocks?.id + ": click a ribbon to change it",
      to: blocks && { page: "blocks", values: { model: blocks.id, digits: digitsOf(blocks) ?? [] } },
    },
    {
      key: "experts",
      icon: "graph",
      title: "Drop experts",
      words: "of " + experts?.id + ", layer by layer, and watch the bits a byte",
      to: experts && { page: "drop", values: { model: experts.id, units: [experts.units[0]], samples: QUICK } },
    },
  ].map((door) => ({ ...door, to: door.to || null }));
}

/** The door to a model that somebody brings: the document that says how. */
const ownDoor = () =>
  html`<button type="button" class="home-door" data-door="own" data-help="own">
    ${icon("upload")}
    <span
      ><strong>Open your own</strong>
      <span class="hint">mixture of experts, of transformers or your own code</span></span
    >
  </button>`;

/** @param {Door} door */
function doorView({ key, icon: name, title, words, to }) {
  const inside = html`${icon(name)}
    <span><strong>${title}</strong> <span class="hint">${to ? words : "No model here fits."}</span></span>`;
  if (!to) return html`<div class="home-door" data-door=${key} data-state="none">${inside}</div>`;
  const href = address.linkTo(to.page, to.values);
  return html`<a class="home-door" data-door=${key} href=${href} onClick=${follow}>${inside}</a>`;
}

export function Doors() {
  const [here, living] = [found.answer(), path.latest()];
  if (!here) return null;
  const digit = living?.picture ? living.sample.id : null;
  return [...doorsOf(here.models, here.around, pages(), digit).map(doorView), ownDoor()];
}
