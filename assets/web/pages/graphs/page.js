/* The Graphs page: its controls, what they say, and the states of the whole page. */
import * as address from "rs/lib/address.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import * as graphCharts from "rs/pages/graphs/charts.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphExports from "rs/pages/graphs/exports.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { Revision, StandIns } from "rs/parts/data_sets.js";
import * as problem from "rs/parts/problem.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/graphs/types.d.ts" */
/** @typedef {Parameters<typeof graphPage.restore>[0]} Asked */

const PAUSE = 100; // milliseconds
/** @type {Asked | null} */
let given = null;

export const callbacks = {
  /**
   * The page was opened, or another model or sample was chosen.
   *
   * @param {Asked} address
   * @param {{model?: string | null, sample?: string | null} | null} selection
   */
  open(address, selection) {
    if (address !== given) {
      given = address;
      graphPage.restore(address);
    }
    const { model, sample } = selection || {};
    if ((sample || null) !== graphPage.state.sample) graphPage.update({ sample: sample || null });
    if (model && model !== wanted) {
      wanted = model;
      graphPage.open(model);
    }
    return noUpdate();
  },
};

/** @type {string | null} */
let wanted = null;

registerWidget("graph-page", (host) => {
  graphExports.offer();
  const ends = [
    show(/** @type {HTMLElement} */ (document.getElementById("graph-caption")), Caption),
    graphPage.subscribe(graphCharts.follow),
    graphPage.subscribe((state, names) => {
      host.dataset.status = state.status;
      host.dataset.compare = String(state.view.compare);
      host.dataset.prior = String(Boolean(state.graph && state.graph.prior));
      if (["graph", "choice", "status", "sets"].some((name) => names.has(name))) graphEvaluation.follow(state);
      if (["graph", "choice", "sample"].some((name) => names.has(name))) dropLink();
      if (names.has("problem")) problem.say("graph", saidOf(state.problem), hasLinks);
    }),
    graphEvaluation.subscribe((state) => {
      host.dataset.evaluation = state.status;
      host.dataset.fresh = String(state.fresh);
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    clearTimeout(linking);
    given = wanted = null;
    graphEvaluation.stop();
    graphPage.leave();
  };
});

/** @param {Schemas["ModelInfo"]} model */
const hasLinks = ({ constants }) => constants.includes("link_probability");

/** @param {State["problem"]} problem */
const saidOf = (problem) => problem && { ...problem, ...(problem.status === 404 ? { title: "No graph" } : {}) };

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#graph-retry") && wanted) graphPage.open(wanted);
});

/** @type {Record<string, string>} */
const LINKS = { learned: "learned links", frozen: "frozen links", complete: "every module linked to every other" };

/** The model, its graph, and what is particular about the data that it is measured on. */
function Caption() {
  const { graph, model, sets } = graphPage.state;
  if (!graph || !model) return null;
  return html`
    <${Revision} id=${graph.model} revision=${graph.revision} />
    <span>${graph.count + " modules, " + graph.readouts + " read-out modules"}</span>
    <span>${LINKS[graph.links_kind] + (graph.prior ? ", prior " + graph.prior : ", no prior")}</span>
    <${StandIns} sets=${sets} used=${graphEvaluation.measured()} />
  `;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let linking;

/** The same choice on the Drop page, when the sliders rest. */
function dropLink() {
  clearTimeout(linking);
  linking = setTimeout(() => {
    const { graph, model, choice, sample } = graphPage.state;
    if (!graph || !model || !document.getElementById("graph-to-drop")) return;
    const { least, keep: edges, drop: units, data, samples } = choice;
    const chosen = { model: model.id, sample, units, least, edges, data, samples };
    setProps("graph-to-drop", { href: address.linkTo("drop", chosen, graph.units) });
  }, PAUSE);
}
