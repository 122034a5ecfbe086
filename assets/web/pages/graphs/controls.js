/* The controls of the Graphs page: sliders over modules and links, data and samples, and how one looks at the graph. */
import { registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import { clusters, drawn } from "rs/lib/links.js";
import { html, show } from "rs/lib/view.js";
import { linksWords } from "rs/lib/words.js";
import { colouring } from "rs/pages/graphs/colouring.js";
import * as graphEffect from "rs/pages/graphs/effect.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphMaps from "rs/pages/graphs/map.js";
import { maps } from "rs/pages/graphs/map.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { Choice, Slider, ZoomButtons, sizeOptions } from "rs/parts/controls.js";
import { SetChips } from "rs/parts/data_sets.js";
import { moveWithArrows } from "rs/parts/unit_grid.js";

/** @import { ModelGraph, Schemas } from "rs/lib/types.d.ts" */
/** @import { Looks, Ready } from "rs/pages/graphs/types.d.ts" */

const STEPS = 1000; // of the sliders whose scale is finer towards few links
const { SIZES } = graphPage;

/* -- sliders --------------------------------------------------------------------------------------------------- */

const IDLE = { value: 0, most: 0, words: "" }; // a slider while there is no graph
/** @param {number} place */
const shareOf = (place) => Number(((place / STEPS) ** 2).toPrecision(3));
/** @param {number} share */
const placeOf = (share) => Math.round(STEPS * Math.sqrt(share));

/** What the sliders over modules and links take away. */
function Sliders() {
  const { graph: known, choice, cut } = state;
  const least = { id: "graph-least", name: "Least connected dropped", onInput: setLeast };
  const keep = { id: "graph-keep", name: "Links kept", onInput: setKeep };
  if (!known || !cut) return html`<${Slider} ...${least} ...${IDLE} /><${Slider} ...${keep} ...${IDLE} />`;
  const share = graphEffect.shareWords;
  const more = choice.drop.length ? ", " + cut.names.length + " with those named" : "";
  const away = choice.least + " of " + known.count + " (" + share(choice.least / known.count) + ")" + more;
  const linked = known.links_kind !== "complete" && known.edges > 0;
  const kept = choice.keep === null ? 1 : choice.keep;
  const words = share(kept) + ": " + whole(cut.live) + " of " + whole(cut.pairs) + " links";
  return html`
    <${Slider} ...${least} value=${choice.least} most=${known.count - 1} words=${away} />
    <${Slider}
      ...${keep}
      value=${placeOf(kept)}
      most=${linked ? STEPS : 0}
      words=${linked ? words : "a complete graph has none to choose from"}
    />
  `;
}

/** @param {number} least */
const setLeast = (least) => graphPage.choose({ least });
/** @param {number} place */
const setKeep = (place) => graphPage.choose({ keep: place >= STEPS ? null : shareOf(place) });

registerWidget("graph-sliders", (host) => show(host, Sliders));

/** How many of the most probable links are drawn. */
function Links() {
  const { graph, cut } = state;
  const links = { id: "graph-threshold", name: "Links drawn" };
  if (!graph || !cut) return html`<${Slider} ...${links} ...${IDLE} />`;
  const most = graphPage.most(graph);
  const shown = graphPage.shownLinks();
  const { learned } = graph.links;
  const found = clusters(learned, cut.states.learned, shown, cut.dropped);
  const bound = shown ? "p \u2265 " + graphPage.threshold().toFixed(3) + ": " : "";
  const kept = bound + linksWords(drawn(cut.states.learned, shown), cut.live, learned.count) + "; ";
  const apart = found.count + (found.count === 1 ? " cluster" : " clusters") + ", the largest of " + found.largest;
  return html`<${Slider}
    ...${links}
    value=${placeOf(shown / Math.max(1, most))}
    most=${STEPS}
    words=${kept + apart}
    onInput=${(/** @type {number} */ place) => graphPage.look({ links: Math.round(shareOf(place) * most) })}
  />`;
}

registerWidget("graph-links", (host) => show(host, Links));

/* -- data and samples ------------------------------------------------------------------------------------------ */

/**
 * @param {Schemas["DataSet"]} each
 * @param {boolean} heldOut
 */
function aboutSet(each, heldOut) {
  const note = [each.stand_in ? "stand-in" : "", heldOut ? "held out" : ""].filter(Boolean).join(", ");
  return {
    title: each.title + (heldOut ? "; never trained on" : ""),
    label: each.name + (note ? ", " + note : "") + ": " + each.title,
    notes: note ? [note] : [],
  };
}

function Sets() {
  const { model, sets } = state;
  return html`<${SetChips}
    sets=${sets}
    used=${graphEvaluation.measured()}
    attribute="data-graph-set"
    about=${(/** @type {Schemas["DataSet"]} */ each) => aboutSet(each, Boolean(model?.held_out.includes(each.name)))}
    onChoose=${(/** @type {string[]} */ data) => graphPage.choose({ data })}
  />`;
}

registerWidget("graph-sets", (host) => {
  host.addEventListener("keydown", moveWithArrows);
  return show(host, Sets);
});

function Samples() {
  const { samples } = state.choice;
  return html`<${Choice}
    id="graph-samples"
    look="plain-select"
    label="Number of samples"
    options=${sizeOptions(SIZES, samples)}
    chosen=${String(samples)}
    onChoose=${(/** @type {string} */ size) => graphPage.choose({ samples: Number(size) })}
  />`;
}

registerWidget("graph-samples", (host) => show(host, Samples));

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element) || !event.target.closest("#graph-reset")) return;
  graphPage.choose({ ...graphPage.CHOICE });
});

/* -- how one looks at it --------------------------------------------------------------------------------------- */

/**
 * A choice of how one looks at the graph: `name` of the view, and its options.
 *
 * @param {string} widget
 * @param {"colour" | "order" | "scale"} name
 * @param {string} words
 * @param {(graph: ModelGraph | null) => [Looks[typeof name], string][]} options
 */
function viewSelect(widget, name, words, options) {
  /** @param {string} value */
  const look = (value) => graphPage.look({ [name]: value });
  const view = () => html`
    <label class="control-name" for=${widget}>${words}</label>
    <${Choice}
      id=${widget}
      look="plain-select"
      label=${words}
      options=${options(state.graph)}
      chosen=${state.view[name]}
      onChoose=${look}
    />
  `;
  registerWidget(widget, (host) => show(host, view));
}

viewSelect("graph-colour", "colour", "Colour", () => [
  ["community", "community"],
  ["degree", "expected links"],
]);
viewSelect("graph-order", "order", "Order", (graph) => [
  ["matched", !graph || graph.ordered_by === "prior" ? "matched prior" : "communities, best first"],
  ["communities", "communities"],
  ["connectivity", "connectivity"],
]);
viewSelect("graph-scale", "scale", "Shades", () => [
  ["fixed", "0 to 1"],
  ["range", "as they vary"],
]);

registerWidget("graph-compare", (place) => {
  const host = /** @type {HTMLButtonElement} */ (place);
  host.addEventListener("click", () => graphPage.look({ compare: !state.view.compare }));
  return graphPage.subscribe((state, names) => {
    if (!names.has("view") && !names.has("graph")) return;
    host.setAttribute("aria-pressed", String(state.view.compare));
    host.disabled = !state.graph || !state.graph.prior;
    host.title = host.disabled
      ? "This model was made without a prior"
      : "Draw the matched prior beside it: as many of its links, in the same places";
  });
});

const mapsOf = () => (maps.learned ? [maps.learned.map] : []);

registerWidget("graph-zoom", (host) => show(host, () => html`<${ZoomButtons} mapsOf=${mapsOf} />`));

function Legend() {
  const { value: found } = colouring;
  if (!found) return null;
  return html`
    <span class="control-name">${found.what}</span>
    ${found.entries.map(
      ({ name, count, paint }) =>
        html`<span class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{ background: paint }}></span>
          ${name}<small>${count}</small>
        </span>`,
    )}
  `;
}

registerWidget("graph-legend", (host) => show(host, Legend));

/** What the keys point at, for those who do not see it. */
registerWidget("graph-said", (host) =>
  graphPage.subscribe((state, names) => {
    if (!names.has("hover") || !state.graph) return;
    host.textContent = state.hover >= 0 ? graphMaps.wordsOf(/** @type {Ready} */ (state), state.hover) : "";
  }),
);
