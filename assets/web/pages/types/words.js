/* What a map is called, what it was made of, and how to read it. */
import { roundShare } from "rs/lib/format.js";
import * as typePoints from "rs/lib/points.js";
import { placeName, sortOf } from "rs/lib/trace.js";
import * as unitNames from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import * as typesPage from "rs/pages/types/state.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { TypesState } from "rs/pages/types/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */
/** @typedef {[name: string, value: string | VNode[], detail?: string]} Fact */

export const METHODS = { pca: "PCA", tsne: "t-SNE", umap: "UMAP" };
export const ROUTING = { trained: "as trained", initial: "routing at initialisation" };

/** @param {TypePoints} points @param {Pick<TypesState, "layout">} state */
export const namedLayout = (points, state) => (state.layout === "pca" ? "pca" : points.info.method);

/**
 * One line that a copy of the picture carries.
 *
 * @param {TypePoints} points @param {Pick<TypesState, "layout" | "allSteps" | "step">} state @param {boolean} withStep
 */
export function captionOf(points, state, withStep) {
  const { info } = points;
  const method = namedLayout(points, state);
  const parts = [info.model, METHODS[method]];
  if (method === info.method && method === "tsne") parts.push("perplexity " + parameter(info, "perplexity"));
  if (method === info.method && method === "umap") parts.push(parameter(info, "neighbours") + " neighbours");
  parts.push("seed " + info.seed);
  if (info.intervention.drop.length) parts.push("drop " + unitNames.listed(info.intervention.drop));
  if (withStep) parts.push(state.allSteps ? "all " + sortOf(points.steps) + "s" : placeName(points.steps, state.step));
  return parts.join(" · ");
}

/* -- what a map was made of ---------------------------------------------------------------------------------- */

/**
 * What is declared of how a map was fitted.
 *
 * @param {{parameters: Record<string, unknown>}} info @param {string} name
 */
const parameter = ({ parameters }, name) => parameters[name] ?? null;

/** @param {number} value */
const count = (value) => value.toLocaleString("en");

/**
 * Rows of facts; `beside` leaves out what two maps side by side have in common.
 *
 * @param {TypePoints} points @param {boolean} beside @returns {Fact[]}
 */
function rowsOf(points, beside) {
  const { info } = points;
  /** @type {Fact[]} */
  const rows = [["method", METHODS[info.method]]];
  if (info.method === "tsne") rows.push(["perplexity", String(parameter(info, "perplexity"))]);
  if (info.method === "umap") rows.push(["neighbours", String(parameter(info, "neighbours"))]);
  const shares = parameter(info, "variance");
  if (info.method === "pca" && Array.isArray(shares))
    rows.push(["variance shown", shares.slice(0, 2).map(roundShare).join(" + ")]);
  if (!beside) rows.push(["seed", String(info.seed)]);
  const { value, pca, neighbours, points: on } = info.trustworthiness;
  rows.push([
    "trustworthiness",
    value.toFixed(3),
    "k = " + neighbours + ", on " + (on === info.count ? "all " : "") + count(on) + " points",
  ]);
  if (info.method !== "pca") rows.push(["of the PCA view", pca.toFixed(3)]);
  return beside ? rows : [...rows, ...sharedRows(points)];
}

/** @param {TypePoints} points @returns {Fact[]} */
function sharedRows({ info, samples, usedTokens, steps, words }) {
  const factors = [
    count(samples.length) + " samples",
    usedTokens.length + " " + words.elements,
    steps.length + " " + sortOf(steps) + "s",
  ];
  const sets = info.data.map(({ count: size, title, stand_in: standsIn }) => {
    const tag = standsIn && !/stand-in/i.test(title) && html`<span class="tag tag-warn">stand-in</span>`;
    return html`<span class="facts-set">${count(size) + " of " + title}${tag}</span>`;
  });
  const { drop } = info.intervention;
  /** @type {Fact[]} */
  const rows = [
    ["points", count(info.count), factors.join(" × ")],
    ["data", sets],
  ];
  return drop.length ? [...rows, ["dropped", unitNames.listed(drop, 12)]] : rows;
}

/** @param {Fact} fact */
const lineOf = ([name, value, detail]) => html`
  <div>
    <dt>${name}</dt>
    <dd>${value}${detail && html`<small>${detail}</small>`}</dd>
  </div>
`;

/** Method, seed, parameters, trustworthiness, samples and data sets of the maps; before the first, what it is asked for. */
export function Facts() {
  const [maps, both] = [typesPage.shownMaps(), typesPage.compares()];
  const { method, samples, seed } = typesPage.request() ?? typesPage.state.choice;
  /** @type {Fact[]} */
  const asked = [["method", METHODS[method]], ["seed", String(seed)], ["samples", count(samples)]]; // prettier-ignore
  return html`<div class="type-facts">
    ${!maps.length && html`<dl class="facts-list">${asked.map(lineOf)}</dl>`}
    ${maps.map(
      ({ which, points }) => html`
        ${both && html`<h3 class="small-title">${ROUTING[which]}</h3>`}
        <dl key=${which} class="facts-list" data-facts=${which}>${rowsOf(points, which === "initial").map(lineOf)}</dl>
      `,
    )}
  </div>`;
}

/** How to read the map, by its method. */
export function mapReads() {
  const points = typesPage.state.maps.trained;
  const words = points ? points.words : typePoints.wordsFor(typesPage.model());
  const method = points ? namedLayout(points, typesPage.state) : typesPage.state.choice.method;
  const each = "Each point is " + words.point + " at one " + (points ? sortOf(points.steps) : "step");
  if (method === "pca") return each + ", seen along the two directions " + words.directions + "." + words.marks;
  return each + "; near points " + words.near + ". Distances between far groups mean little." + words.marks;
}

/** What is shown while a better map is on its way; "" where none is. */
export function waitingWords() {
  const { maps, choice } = typesPage.state;
  if (!maps.trained || !typesPage.waits("trained")) return "";
  const { method } = maps.trained.info;
  const shown = typesPage.stale() ? "the previous map" : METHODS[method];
  return "Showing " + shown + " until " + METHODS[choice.method] + " is computed";
}
