/* The controls of the Graphs page: sliders over modules and links, data and samples, and how one looks at the graph. */
import { whole } from "rs/lib/format.js";
import { clusters, drawn } from "rs/lib/links.js";
import { html } from "rs/lib/view.js";
import { linksWords } from "rs/lib/words.js";
import * as graphEffect from "rs/pages/graphs/effect.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import { colouring, maps, wordsOf } from "rs/pages/graphs/map.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { Choice, Slider, Tool, ZoomButtons, labelled } from "rs/parts/controls.js";
import { Measured } from "rs/parts/data_sets.js";

/** @import { Ready } from "rs/pages/graphs/types.d.ts" */

const STEPS = 1000; // of the sliders whose scale is finer towards few links

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
  const words = share(kept) + ": " + whole(cut.live) + " of " + whole(cut.total) + " links";
  return html`
    <${Slider} ...${least} value=${choice.least} most=${known.count - 1} words=${away} />
    <${Slider}
      ...${keep}
      value=${placeOf(kept)}
      most=${linked ? STEPS : 0}
      words=${linked ? words : "all: the graph is complete"}
    />
  `;
}

/** @param {number} least */
const setLeast = (least) => graphPage.choose({ least });
/** @param {number} place */
const setKeep = (place) => graphPage.choose({ keep: place >= STEPS ? null : shareOf(place) });

/** How many of the most probable links are drawn. */
export function Links() {
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

/** What is left out, and on what that is measured. */
export function Controls() {
  const { model, sets, choice } = state;
  return html`<div class="graph-controls">
    <div class="graph-sliders"><${Sliders} /></div>
    <div class="graph-data">
      <${Measured}
        page="graph"
        ...${{ model, sets, sizes: graphPage.SIZES, samples: choice.samples, choose: graphPage.choose }}
        used=${graphEvaluation.measured()}
        reset=${() => graphPage.choose({ ...graphPage.CHOICE })}
      />
    </div>
  </div>`;
}

/* -- how one looks at it --------------------------------------------------------------------------------------- */

/**
 * A choice of how one looks at the graph.
 *
 * @param {{name: "colour" | "order" | "scale", words: string, options: [string, string][]}} props
 */
const ViewChoice = ({ name, words, options }) =>
  labelled(
    words,
    "graph-" + name,
    html`<${Choice}
      id=${"graph-" + name}
      look="plain-select"
      label=${words}
      options=${options}
      chosen=${state.view[name]}
      onChoose=${(/** @type {string} */ value) => graphPage.look({ [name]: value })}
    />`,
  );

const COLOURS = [
  ["community", "community"],
  ["degree", "expected links"],
];
const SCALES = [
  ["fixed", "0 to 1"],
  ["range", "as they vary"],
];

/** Whether the prior stands beside the graph. */
function Compare() {
  const { graph, view } = state;
  const none = !graph || !graph.prior;
  return html`<${Tool}
    id="graph-compare"
    pressed=${view.compare}
    wait=${none}
    title=${none ? "This model was trained without a prior" : "Show as many links of the matched prior, in the same places"}
    act=${() => graphPage.look({ compare: !view.compare })}
  >
    Compare with prior
  <//>`;
}

const mapsOf = () => (maps.learned ? [maps.learned.map] : []);

/** How one looks at the graph. */
export const GraphTools = () =>
  html`<div class="graph-tools">
    <${ViewChoice} name="colour" words="Colour" options=${COLOURS} />
    <${Compare} />
    <div class="zoom"><${ZoomButtons} mapsOf=${mapsOf} /></div>
  </div>`;

/** In which order the matrices are, and what their shades mean. */
export function MatrixTools() {
  const { graph } = state;
  const orders = [
    ["matched", !graph || graph.ordered_by === "prior" ? "matched prior" : "communities, best first"],
    ["communities", "communities"],
    ["connectivity", "connectivity"],
  ];
  return html`<div class="graph-bar">
    <${ViewChoice} name="order" words="Order" options=${orders} />
    <${ViewChoice} name="scale" words="Shades" options=${SCALES} />
  </div>`;
}

export function Legend() {
  const { value: found } = colouring;
  return html`<div class="graph-legend">
    <span class="control-name">${found?.what}</span>
    ${found?.entries.map(
      ({ name, count, paint }) =>
        html`<span class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{ background: paint }}></span>
          ${name}<small>${count}</small>
        </span>`,
    )}
  </div>`;
}

/** What the keys point at, for those who do not see it. */
export const Pointed = () =>
  html`<p class="hidden-visually" aria-live="polite">
    ${state.graph && state.hover >= 0 ? wordsOf(/** @type {Ready} */ (state), state.hover) : ""}
  </p>`;
