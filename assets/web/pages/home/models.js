/* The models by family: what each is for, how well it does on what, how large it is, and its card. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as format from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { pages, serves } from "rs/lib/models.js";
import { html } from "rs/lib/view.js";
import { openCard } from "rs/pages/home/card.js";
import { found } from "rs/pages/home/state.js";

/** @import { Schemas, Served } from "rs/lib/types.d.ts" */
/** @import { Around, Model } from "rs/pages/home/types.d.ts" */

/** Pages from what few models have to what all have: the first that serves a model is the one to begin with. */
const PAGES = [
  ["circuits", "See circuits"],
  ["blocks", "See blocks"],
  ["graphs", "See the graph"],
  ["paths", "See a path"],
  ["types", "See types"],
  ["drop", "Drop units"],
];

/** The page to begin with, and what its link says. @param {Model} model @param {Served[]} pages */
export function bestPage(model, pages) {
  const found = PAGES.find(([key]) => {
    const page = pages.find(({ path }) => path === "/" + key);
    return page && serves({ ...model, unit_count: model.units.length }, page);
  });
  return found ? { page: found[0], words: found[1] } : null;
}

/** What a model is asked to do, in a few words. @param {Model} model @param {Around} around */
export function taskOf(model, { tasks, kinds }) {
  const { id, inputs, labels, pictures } = model;
  if (inputs === "images") return "Which of " + labels.length + " labels a picture has";
  if (inputs === "statements") return "Whether a sentence is true of " + (pictures ?? "some") + " pictures";
  const kind = kinds.find(({ name }) => name === inputs);
  return tasks.find(({ models }) => models.includes(id))?.title ?? (kind ? "Reads " + kind.words : "Reads " + inputs);
}

/** The first figure of each data set, trained-on and held-out apart. @param {Model["accuracies"]} accuracies */
export function firstOfEach(accuracies) {
  /** @type {Map<string, Schemas["Accuracy"]>} */
  const found = new Map();
  for (const each of accuracies) {
    const key = each.domain + " " + isHeldOut(each);
    if (!found.has(key)) found.set(key, each);
  }
  return [...found.values()];
}

/** @param {Schemas["Accuracy"]} accuracy */
const isHeldOut = (accuracy) => Boolean(/** @type {{held_out?: boolean}} */ (accuracy).held_out);

/** Models by family, in the order of the families' first models. @param {Model[]} models */
export function byFamily(models) {
  /** @type {Map<string, Model[]>} */
  const found = new Map();
  for (const model of models) found.set(model.family, [...(found.get(model.family) || []), model]);
  return [...found];
}

const MOST_FIGURES = 6; // data sets of a model that are shown one by one

/** @param {Schemas["Accuracy"]} accuracy */
function accuracyView(accuracy) {
  const { accuracy: figure, low, high, count, data, stand_in: standIn, measure } = accuracy;
  const share = measure === "accuracy";
  const [said, least, most] = format.together(share ? format.percent : format.figure, [figure, low, high]);
  const [, name, aside, split] = /^([^(]*?)( \([^)]*\))?(, .*)?$/.exec(data) ?? [null, data];
  return html`<li title=${format.whole(count) + " samples; 95 % " + (share ? "Wilson" : "bootstrap") + " interval"}>
    <span class="home-share"><strong>${said} ${share ? "%" : measure}</strong> <span>(${least} to ${most})</span></span>
    <span class="home-data">
      ${name}<span class="home-aside">${aside}</span>${split}
      ${standIn && html`<span class="tag tag-warn">stand-in</span>`}
      ${isHeldOut(accuracy) && html`<span class="tag tag-warn" title="never trained on">OOD</span>`}
    </span>
  </li>`;
}

/** The mean and range over many data sets, which unfold to each. @param {Model["accuracies"]} accuracies */
function figuresView(accuracies) {
  const share = accuracies[0].measure === "accuracy";
  const figures = accuracies.map(({ accuracy }) => accuracy);
  const mean = figures.reduce((sum, each) => sum + each, 0) / figures.length;
  const shown = [mean, Math.min(...figures), Math.max(...figures)];
  const [said, least, most] = format.together(share ? format.percent : format.figure, shown);
  return html`<li>
    <details>
      <summary>
        <strong>${said} ${share ? "%" : accuracies[0].measure}</strong>
        ${" on average over " + figures.length + " data sets (" + least + " to " + most + ")"}
      </summary>
      <ul class="home-accuracies">
        ${accuracies.map(accuracyView)}
      </ul>
    </details>
  </li>`;
}

/** @param {string} source */
const picture = (source) => html`<img class="pixels" src=${source} alt="" width="32" height="32" loading="lazy" />`;

/** A sample of what a model reads; nothing where there is none at hand. @param {Model} model @param {Around} around */
function sampleView({ id, inputs, domains, pictures }, { tasks, statements, samples }) {
  if (inputs === "images") return domains.filter((name) => samples[name]).map((name) => picture(samples[name].image));
  const [statement] = statements;
  if (inputs === "statements" && statement && statement.pictures.length === pictures)
    return statement.pictures.map(picture);
  const example = tasks.find(({ models }) => models.includes(id))?.example;
  if (!example) return null;
  if ("digits" in example) return example.digits.map((digit) => html`<span class="home-digit">${digit}</span>`);
  return picture(api.BASE + "/samples/" + encodeURIComponent(example.sample) + "/image");
}

/** @param {Model} model @param {Around} around @param {Served[]} pages */
function modelView(model, around, pages) {
  const best = bestPage(model, pages);
  const shown = firstOfEach(model.accuracies);
  const more = model.accuracies.length - shown.length;
  const link = best && address.linkTo(best.page, { model: model.id });
  return html`<li class="home-model" key=${model.id} data-model=${model.id}>
    <span class="home-reads" aria-hidden="true">${sampleView(model, around)}</span>
    <div class="home-name">
      <h4>${model.id}</h4>
      <p class="hint">${taskOf(model, around)}</p>
      <p class="hint">${format.short(model.parameters)} parameters</p>
      ${model.objectives?.map((words) => html`<p class="hint" key=${words}>In training ${words}.</p>`)}
    </div>
    <ul class="home-accuracies">
      ${shown.length > MOST_FIGURES ? figuresView(shown) : shown.map(accuracyView)}
      ${!shown.length && html`<li class="hint">Its card has no accuracy.</li>`}
      ${more > 0 && html`<li class="hint">${more} more on its card</li>`}
    </ul>
    <div class="home-ways">
      ${best && html`<a class="tool tool-text" href=${link} onClick=${follow}>${best.words}</a>`}
      <button
        type="button"
        class="tool tool-text"
        aria-haspopup="dialog"
        aria-label=${"Card of " + model.id}
        onClick=${() => openCard(model.id)}
      >
        Card
      </button>
    </div>
  </li>`;
}

export function Models() {
  const [here, problem] = [found.answer(), found.problem()];
  if (!here && problem) return html`<p class="message-detail" role="alert">${problem.message}</p>`;
  if (!here) return html`<div class="skeleton skeleton-models" aria-hidden="true"></div>`;
  return byFamily(here.models).map(
    ([family, members]) =>
      html`<section class="home-family" key=${family}>
        <h3 class="small-title">${family} <span class="hint">${members.length}</span></h3>
        <ul class="home-members">
          ${members.map((model) => modelView(model, here.around, pages()))}
        </ul>
      </section>`,
  );
}
