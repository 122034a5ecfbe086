/* How one looks at the circuits: the threshold of links, what is compared, and what colours and rings mean. */
import { registerWidget } from "rs/lib/dom.js";
import { fixed } from "rs/lib/format.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { RINGS } from "rs/pages/circuits/designs/drawing.js";
import * as circuitsPictures from "rs/pages/circuits/designs/pictures.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as controls from "rs/parts/controls.js";
import { message } from "rs/parts/problem.js";
import { showInColours } from "rs/parts/scheme.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Choice, Circuits } from "rs/pages/circuits/types.d.ts" */

/** @type {[string, string][]} */
const SHOWS = [
  ["differences", "with differences to 1"],
  ["changes", "differences to 1 alone"],
  ["own", "each by itself"],
];

/**
 * Where on the slider a threshold is: at its first step that is no lower.
 *
 * @param {number[]} scale
 * @param {number} threshold
 */
function placeOf(scale, threshold) {
  const place = scale.findIndex((each) => each >= threshold);
  return place < 0 ? scale.length - 1 : place;
}

registerWidget("design-threshold", (host) => {
  const links = controls.slider("design-threshold", "Links above", (place) => {
    const { data } = circuitsDesigns.get();
    if (data) circuitsState.set({ threshold: data.scale[place] });
  });
  host.replaceChildren(links.body);
  return circuitsDesigns.subscribe(({ data, compared }) => {
    const { threshold } = circuitsState.get();
    if (!data || threshold === null) {
      links.show(0, 0, "");
      return;
    }
    /** @param {number} count */
    const whole = (count) => count.toLocaleString("en");
    const found = compared.map((each) => whole(each.links)).join(", ");
    const words = "P > " + Number(threshold.toFixed(4)) + ": " + found + " of " + whole(data.pairs.count) + " links";
    links.show(placeOf(data.scale, threshold), data.scale.length - 1, words);
  });
});

registerWidget("design-links", (host) => {
  const [id, label] = ["design-links", "Links that are drawn"];
  /** @param {string} value */
  const act = (value) => circuitsState.set({ links: /** @type {Choice["links"]} */ (value) });
  return show(host, () => [
    html`<label class="control-name" for=${id}>links</label>`,
    controls.Choice({
      id,
      look: "plain-select",
      label,
      options: SHOWS,
      chosen: circuitsState.get().links,
      onChoose: act,
    }),
  ]);
});

registerWidget("design-zoom", (host) => {
  const maps = () => circuitsPictures.all.slice(0, 1).map((picture) => picture.map);
  host.replaceChildren(...controls.zoomButtons(maps));
  return () => {};
});

/**
 * @param {string} look
 * @param {string} words
 * @param {string} [title]
 */
const key = (look, words, title) =>
  html`<span key=${look} class="legend-entry" title=${title}><span class=${look} aria-hidden="true" />${words}</span>`;

const RING = "1 - cosine of the codes: a step thicker from " + RINGS.join(", ") + " on";

const SIZES = "The area of a disc is as its module's connectivity, from zero, on one scale for all circuits";

/**
 * From the least to the largest connectivity there is, which the largest disc has.
 *
 * @param {Circuits} data
 */
function rangeOf(data) {
  const all = data.designs.flatMap((design) => design.connectivity);
  return fixed(Math.min(...all), 1) + " to " + fixed(Math.max(...all), 1);
}

registerWidget("design-legend", (host) =>
  showInColours(host, () => {
    const { data } = circuitsDesigns.get();
    const { links } = circuitsState.get();
    if (!data) return null;
    const compares = data.designs.length > 1 && links !== "own";
    const { entries, what } = circuitsPictures.colouringOf(data);
    return [
      compares && links === "differences" && key("line line-kept", "in both"),
      compares && key("line line-gained", "gained against 1"),
      compares && key("line line-lost", "lost against 1"),
      compares && key("ring-key", "ring: another code", RING),
      html`<span key="size" class="legend-entry" title=${SIZES}>area: connectivity q, ${rangeOf(data)}</span>`,
      html`<span key="what" class="control-name">${what + " in 1"}</span>`,
      ...entries.map(
        ({ name, count, paint }) =>
          html`<span key=${name} class="legend-entry">
            <span class="swatch" aria-hidden="true" style=${{ background: paint }} />${name}<small>${count}</small>
          </span>`,
      ),
    ].filter((each) => each !== false);
  }),
);

/** What is said in place of the circuits while there are none. */
registerWidget("design-problem", (host) => {
  const again = { words: "Try again", act: circuitsDesigns.again };
  const ends = [
    effect(() => {
      host.hidden = circuitsDesigns.get().status !== "failed";
    }),
    show(host, () => {
      const { problem } = circuitsDesigns.get();
      return problem && message(problem.title, problem.detail, again);
    }),
  ];
  return () => ends.forEach((end) => end());
});
