/* What a map was made of: method, seed, parameters, trustworthiness, samples, data sets. */
import { registerWidget } from "rs/lib/dom.js";
import { roundShare } from "rs/lib/format.js";
import { parameter } from "rs/lib/fits.js";
import * as typePoints from "rs/lib/points.js";
import * as unitNames from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import { state } from "rs/pages/types/state.js";
import * as typeWords from "rs/pages/types/words.js";
import { METHODS } from "rs/pages/types/words.js";
import { effect } from "rs/vendor/preact.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Which } from "rs/pages/types/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */
/** @typedef {[name: string, value: string | VNode[], detail?: string]} Fact */

/** @param {number} value */
const count = (value) => value.toLocaleString("en");

/**
 * Shares of the variance that the two axes of PCA hold, or null.
 *
 * @param {Pick<Schemas["Embedding"], "parameters">} info
 * @returns {number[] | null}
 */
export function variance(info) {
  const shares = parameter(info, "variance");
  return Array.isArray(shares) ? shares.slice(0, 2) : null;
}

/**
 * Rows of facts; `beside` leaves out what two maps side by side have in common.
 *
 * @param {TypePoints} points
 * @param {boolean} beside
 * @returns {Fact[]}
 */
function rowsOf(points, beside) {
  const { info } = points;
  /** @type {Fact[]} */
  const rows = [["method", METHODS[info.method]]];
  if (info.method === "tsne") rows.push(["perplexity", String(parameter(info, "perplexity"))]);
  if (info.method === "umap") rows.push(["neighbours", String(parameter(info, "neighbours"))]);
  const shares = variance(info);
  if (info.method === "pca" && shares) rows.push(["variance shown", shares.map(roundShare).join(" + ")]);
  if (!beside) rows.push(["seed", String(info.seed)]);
  const { value, pca, neighbours, points: on } = info.trustworthiness;
  rows.push([
    "trustworthiness",
    value.toFixed(3),
    "k = " + neighbours + ", on " + (on === info.count ? "all " : "") + count(on) + " points",
  ]);
  if (info.method !== "pca") rows.push(["of the PCA twin", pca.toFixed(3)]);
  return beside ? rows : [...rows, ...sharedRows(points)];
}

/** @param {TypePoints} points */
function sharedRows(points) {
  const { info } = points;
  /** @type {Fact[]} */
  const rows = [];
  rows.push([
    "points",
    count(info.count),
    count(points.samples.length) +
      " samples × " +
      points.usedTokens.length +
      " " +
      points.words.elements +
      " × " +
      points.steps.length +
      " steps",
  ]);
  const sets = info.data.map(({ count: samples, title, stand_in: standsIn }) => {
    const tag = standsIn && !/stand-in/i.test(title) && html`<span class="tag tag-warn">stand-in</span>`;
    return html`<span class="facts-set">${count(samples) + " of " + title}${tag}</span>`;
  });
  rows.push(["data", sets]);
  if (info.intervention.drop.length) rows.push(["dropped", unitNames.listed(info.intervention.drop, 12)]);
  return rows;
}

/** @param {Fact} fact */
const lineOf = ([name, value, detail]) => html`
  <div>
    <dt>${name}</dt>
    <dd>${value}${detail && html`<small>${detail}</small>`}</dd>
  </div>
`;

registerWidget("type-facts", (host) =>
  show(host, () => {
    const { maps, compare } = state;
    return /** @type {Which[]} */ (["trained", "initial"]).flatMap((which) => {
      const points = maps[which];
      if (!points || (which === "initial" && !compare)) return [];
      const title = compare ? [html`<h3 class="small-title">${typeWords.ROUTING[which]}</h3>`] : [];
      const rows = rowsOf(points, which === "initial").map(lineOf);
      return [...title, html`<dl key=${which} class="facts-list" data-facts=${which}>${rows}</dl>`];
    });
  }),
);

/**
 * How to read the map, by its method.
 *
 * @param {Schemas["Embedding"]["method"]} method
 * @param {TypePoints["words"]} words
 */
function readsOf(method, words) {
  const each = "Each point is " + words.point + " at one step";
  if (method === "pca") return each + ", seen along the two directions " + words.directions + "." + words.marks;
  return each + "; near points " + words.near + ". Distances between far groups mean little." + words.marks;
}

registerWidget("type-reads", (host) =>
  effect(() => {
    const points = state.maps.trained;
    const words = points ? points.words : typePoints.wordsFor(state.model);
    const method = points && (state.layout === "pca" ? "pca" : points.info.method);
    host.textContent = readsOf(method || "tsne", words);
  }),
);

/** That a better map is on its way. */
registerWidget("type-waiting", (host) =>
  effect(() => {
    const { maps, waiting, request, stale } = state;
    const says = maps.trained && waiting.trained && request;
    const what = maps.trained && (stale ? "the map before" : METHODS[maps.trained.info.method]);
    host.hidden = !says;
    host.textContent = says ? "showing " + what + " while " + METHODS[request.method] + " is computed" : "";
  }),
);
