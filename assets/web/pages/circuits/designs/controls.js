/* The panels of circuits: side by side with their threshold and legend, and how far each is from the first. */
import { fixed, whole } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { RINGS } from "rs/pages/circuits/designs/drawing.js";
import { Designs, colouringOf, pictures } from "rs/pages/circuits/designs/pictures.js";
import { Distances, Module } from "rs/pages/circuits/designs/table.js";
import * as written from "rs/pages/circuits/exports.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import * as controls from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { scheme } from "rs/parts/scheme.js";

/** @import { Circuits } from "rs/pages/circuits/designs/data.js" */
/** @import { Choice } from "rs/pages/circuits/types.d.ts" */

/** @type {[string, string][]} */
const SHOWS = [
  ["differences", "with differences to 1"],
  ["changes", "differences to 1 alone"],
  ["own", "each by itself"],
];

/** How many links are drawn. */
function Threshold() {
  const shown = circuitsDesigns.drawn();
  const props = { id: "design-threshold", name: "Links above", onInput: () => {} };
  if (!shown) return html`<${controls.Slider} ...${props} value=${0} most=${0} words="" />`;
  const { data, compared } = shown;
  const threshold = circuitsDesigns.thresholdOf(data);
  const place = data.scale.findIndex((each) => each >= threshold); // its first step that is no lower
  const most = data.scale.length - 1;
  const counts = compared.map((each) => whole(each.links)).join(", ");
  return html`<${controls.Slider}
    ...${props}
    value=${place < 0 ? most : place}
    most=${most}
    words=${"P > " + Number(threshold.toFixed(4)) + ": " + counts + " of " + whole(data.pairs.count) + " links"}
    onInput=${(/** @type {number} */ at) => circuitsState.set({ threshold: data.scale[at] })}
  />`;
}

const Links = () =>
  controls.labelled(
    "links",
    "design-links",
    controls.Choice({
      id: "design-links",
      look: "plain-select",
      label: "Links that are drawn",
      options: SHOWS,
      chosen: state.links,
      onChoose: (value) => circuitsState.set({ links: /** @type {Choice["links"]} */ (value) }),
    }),
  );

/** @param {string} look @param {string} words @param {string} [title] */
const key = (look, words, title) =>
  html`<span key=${look} class="legend-entry" title=${title}><span class=${look} aria-hidden="true" />${words}</span>`;

const RING = "1 - cosine of the codes: a step thicker from " + RINGS.join(", ") + " on";
const SIZES = "The area of a disc is as its module's connectivity, from zero, on one scale for all circuits";

/** From the least to the largest connectivity there is, which the largest disc has. @param {Circuits} data */
function rangeOf(data) {
  const all = data.designs.flatMap((design) => design.connectivity);
  return fixed(Math.min(...all), 1) + " to " + fixed(Math.max(...all), 1);
}

function Legend() {
  const data = circuitsDesigns.data();
  if (!data || scheme.value < 0) return null;
  const compares = data.designs.length > 1 && state.links !== "own";
  const { entries, what } = colouringOf(data);
  return html`<div class="graph-legend">
    ${compares && state.links === "differences" && key("line line-kept", "in both")}
    ${compares && key("line line-gained", "gained against 1")} ${compares && key("line line-lost", "lost against 1")}
    ${compares && key("ring-key", "ring: another code", RING)}
    <span class="legend-entry" title=${SIZES}>area: connectivity q, ${rangeOf(data)}</span>
    <span class="control-name">${what + " in 1"}</span>
    ${entries.map(
      ({ name, count, paint }) =>
        html`<span key=${name} class="legend-entry">
          <span class="swatch" aria-hidden="true" style=${{ background: paint }} />${name}<small>${count}</small>
        </span>`,
    )}
  </div>`;
}

/** The module that keys point at, in words. */
function Pointed() {
  const [data, { hover_unit: unit }] = [circuitsDesigns.data(), state];
  const q = data && unit >= 0 ? data.designs.map((design) => design.connectivity[unit].toFixed(2)).join(", ") : "";
  return html`<p class="hidden-visually" aria-live="polite">${q && data?.units[unit] + ": q " + q}</p>`;
}

/** Why there are no circuits. */
function Problem() {
  const problem = circuitsDesigns.data() ? null : circuitsDesigns.problem();
  return html`<div class="message design-problem" role="alert" hidden=${!problem}>
    ${problem && message(problem.title || "No circuits", problem.message, { words: "Try again", act: circuitsDesigns.again })}
  </div>`;
}

export const DesignsPanel = () =>
  html`<${Panel}
    id="designs"
    title="Circuits side by side"
    tag="observed"
    reads="Discs are modules, at the same places in every circuit. Lines are links. Against circuit 1, blue links are gained and dashed orange links are lost. Click a module."
    formats=${["svg", "png", "csv", "json"]}
    written=${written.designs}
  >
    <div class="graph-bar">
      <div class="design-threshold"><${Threshold} /></div>
      <div class="graph-tools">
        <${Links} />
        <div class="zoom"><${controls.ZoomButtons} mapsOf=${() => pictures.slice(0, 1).map(({ map }) => map)} /></div>
      </div>
    </div>
    <${Designs} /><${Problem} /><${Legend} /><${Pointed} /><${Module} />
  <//>`;

export const DistancesPanel = () =>
  html`<${Panel}
    id="distances"
    title="Distances"
    tag="observed"
    reads="Distance of each circuit from the first. Links above the slider's threshold count."
    formats=${["csv", "json"]}
    written=${written.distances}
  >
    <${Distances} />
  <//>`;
