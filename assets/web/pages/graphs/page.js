/* The Graphs page: its controls, what they say, and the states of the whole page. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import * as graphCharts from "rs/pages/graphs/charts.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphExports from "rs/pages/graphs/exports.js";
import * as graphPage from "rs/pages/graphs/state.js";

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
    graphPage.subscribe(graphCharts.follow),
    graphPage.subscribe((state, names) => {
      host.dataset.status = state.status;
      host.dataset.compare = String(state.view.compare);
      host.dataset.prior = String(Boolean(state.graph && state.graph.prior));
      if (["graph", "choice", "status", "sets"].some((name) => names.has(name))) {
        caption(state);
        graphEvaluation.follow(state);
      }
      if (["graph", "choice", "sample"].some((name) => names.has(name))) dropLink();
      if (names.has("problem")) say(state.problem);
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

/**
 * Says why there is no graph; where the model has none, which models have one.
 *
 * @param {State["problem"]} problem
 */
async function say(problem) {
  /** @param {string} name */
  const find = (name) => /** @type {HTMLElement} */ (document.getElementById("graph-" + name));
  const others = find("others");
  if (!others || !problem) return;
  find("problem-title").textContent = problem.status === 404 ? "No graph" : problem.title;
  find("problem-detail").textContent = problem.detail;
  find("retry").hidden = problem.status === 404;
  others.replaceChildren();
  if (problem.status !== 404) return;
  /** @type {Schemas["Models"]} */
  const { items } = await api.send("GET", "/models");
  const linked = items.filter((each) => each.constants.includes("link_probability"));
  /** @param {Schemas["ModelInfo"]} model */
  const button = ({ id }) =>
    build("button", { type: "button", class: "button", onclick: () => selection.choose({ model: id }) }, id);
  others.replaceChildren(...linked.map(button));
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#graph-retry") && wanted) graphPage.open(wanted);
});

/** @type {Record<string, string>} */
const LINKS = { learned: "learned links", frozen: "frozen links", complete: "every module linked to every other" };

/** @param {State} state */
function caption({ graph, model, sets }) {
  const place = document.getElementById("graph-caption");
  if (!place) return;
  if (!graph || !model) {
    place.replaceChildren();
    return;
  }
  const measured = graphEvaluation.measured();
  const standIns = sets.filter((each) => each.stand_in && measured.includes(each.name));
  const parts = [
    build("span", {}, graph.model + " ", build("code", {}, graph.revision.slice(0, 8))),
    build("span", {}, graph.count + " modules, " + graph.readouts + " read-out modules"),
    build("span", {}, LINKS[graph.links_kind] + (graph.prior ? ", prior " + graph.prior : ", no prior")),
  ];
  if (standIns.length)
    parts.push(
      build(
        "span",
        { class: "tag tag-warn", title: standIns.map((each) => each.title).join("; ") },
        "stand-in data: " + standIns.map((each) => each.name).join(", "),
      ),
    );
  place.replaceChildren(...parts);
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
