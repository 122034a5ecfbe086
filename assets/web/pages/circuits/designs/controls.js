/* How one looks at the circuits: the threshold of links, what is compared, and what colours and rings mean. */
import { build, registerWidget } from "rs/lib/dom.js";
import { onThemeChange } from "rs/lib/theme.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { RINGS } from "rs/pages/circuits/designs/drawing.js";
import * as circuitsPictures from "rs/pages/circuits/designs/pictures.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { choices, slider, zoomButtons } from "rs/parts/controls.js";

/** @import { Choice } from "rs/pages/circuits/types.d.ts" */

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
  const links = slider("design-threshold", "Links above", (place) => {
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
  const select = build("select", { class: "plain-select", id: "design-links", "aria-label": "Links that are drawn" });
  select.addEventListener("change", () => circuitsState.set({ links: /** @type {Choice["links"]} */ (select.value) }));
  choices(select, SHOWS, circuitsState.get().links);
  host.replaceChildren(build("label", { class: "control-name", for: "design-links" }, "links"), select);
  return circuitsState.subscribe(({ links }, names) => names.has("links") && (select.value = links));
});

registerWidget("design-zoom", (host) => {
  const maps = () => circuitsPictures.all.slice(0, 1).map((picture) => picture.map);
  host.replaceChildren(...zoomButtons(maps));
  return () => {};
});

/**
 * @param {string} name
 * @param {...string} words
 */
const key = (name, ...words) =>
  build("span", { class: "legend-entry" }, build("span", { class: name, "aria-hidden": "true" }), ...words);

function ringKey() {
  const entry = key("ring-key", "ring: another code");
  entry.title = "1 - cosine of the codes: a step thicker from " + RINGS.join(", ") + " on";
  return entry;
}

registerWidget("design-legend", (host) => {
  function draw() {
    const { data } = circuitsDesigns.get();
    if (!data) {
      host.replaceChildren();
      return;
    }
    const compares = data.designs.length > 1 && circuitsState.get().links !== "own";
    const { entries, what } = circuitsPictures.colouringOf(data);
    host.replaceChildren(
      ...(compares
        ? [
            ...(circuitsState.get().links === "differences" ? [key("line line-kept", "in both")] : []),
            key("line line-gained", "gained against 1"),
            key("line line-lost", "lost against 1"),
            ringKey(),
          ]
        : []),
      build("span", { class: "control-name" }, what + " in 1"),
      ...entries.map(({ name, count, paint }) => {
        const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.background = paint;
        return build("span", { class: "legend-entry" }, swatch, name, build("small", {}, String(count)));
      }),
    );
  }

  const ends = [
    circuitsDesigns.subscribe((_, names) => names.has("data") && draw()),
    circuitsState.subscribe((_, names) => names.has("links") && draw()),
    onThemeChange(draw),
  ];
  return () => ends.forEach((end) => end());
});

/** What is said in place of the circuits while there are none. */
registerWidget("design-problem", (host) => {
  return circuitsDesigns.subscribe(({ status, problem }) => {
    host.hidden = status !== "failed";
    if (!problem) return;
    const retry = { type: "button", class: "button", onclick: circuitsDesigns.again };
    host.replaceChildren(
      build("p", { class: "message-title" }, problem.title),
      build("p", { class: "message-detail" }, problem.detail),
      build("button", retry, "Try again"),
    );
  });
});
