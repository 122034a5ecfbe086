/* The controls of the Graphs page: sliders over modules and links, data and samples, and how one looks at the graph. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { whole } from "rs/lib/format.js";
import { clusters } from "rs/lib/links.js";
import { onThemeChange } from "rs/lib/theme.js";
import * as graphEffect from "rs/pages/graphs/effect.js";
import * as graphEvaluation from "rs/pages/graphs/evaluation.js";
import * as graphMaps from "rs/pages/graphs/map.js";
import { maps } from "rs/pages/graphs/map.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { choices, slider, zoomButtons } from "rs/parts/controls.js";

/** @import { ModelGraph, Schemas } from "rs/lib/types.d.ts" */
/** @import { Looks, Ready } from "rs/pages/graphs/types.d.ts" */

const STEPS = 1000; // of the sliders whose scale is finer towards few links
const { SIZES } = graphPage;

/* -- sliders --------------------------------------------------------------------------------------------------- */

/** @param {number} place */
const shareOf = (place) => Number(((place / STEPS) ** 2).toPrecision(3));
/** @param {number} share */
const placeOf = (share) => Math.round(STEPS * Math.sqrt(share));

registerWidget("graph-sliders", (host) => {
  const least = slider("graph-least", "Least connected dropped", (value) => graphPage.choose({ least: value }));
  const keep = slider("graph-keep", "Links kept", (place) =>
    graphPage.choose({ keep: place >= STEPS ? null : shareOf(place) }),
  );
  host.replaceChildren(least.body, keep.body);
  return graphPage.subscribe(({ graph: known, choice, cut }, names) => {
    if (!["graph", "choice", "cut"].some((name) => names.has(name)) && names.size) return;
    if (!known || !cut) {
      least.show(0, 0, "");
      keep.show(0, 0, "");
      return;
    }
    const share = graphEffect.shareWords;
    const more = choice.drop.length ? ", " + cut.names.length + " with those named" : "";
    const away = choice.least + " of " + known.count + " (" + share(choice.least / known.count) + ")" + more;
    least.show(choice.least, known.count - 1, away);
    const linked = known.links_kind !== "complete" && known.edges > 0;
    const kept = choice.keep === null ? 1 : choice.keep;
    const words = share(kept) + ": " + whole(cut.live) + " of " + whole(cut.pairs) + " links";
    keep.show(placeOf(kept), linked ? STEPS : 0, linked ? words : "a complete graph has none to choose from");
  });
});

registerWidget("graph-links", (host) => {
  const links = slider("graph-threshold", "Links drawn", (place) =>
    graphPage.look({ links: Math.round(shareOf(place) * graphPage.most(/** @type {Ready} */ (state).graph)) }),
  );
  host.replaceChildren(links.body);
  return graphPage.subscribe((state, names) => {
    if (!["graph", "view", "cut"].some((name) => names.has(name))) return;
    if (!state.graph || !state.cut) {
      links.show(0, 0, "");
      return;
    }
    const shown = graphPage.shownLinks();
    const { learned } = state.graph.links;
    const found = clusters(learned, state.cut.states.learned, shown, state.cut.dropped);
    const bound = shown ? "p \u2265 " + graphPage.threshold().toFixed(3) + ": " : "";
    const words =
      bound + whole(shown) + " of " + whole(learned.count) + " links, " +
      found.count + (found.count === 1 ? " cluster" : " clusters") + ", the largest of " + found.largest; // prettier-ignore
    links.show(placeOf(shown / Math.max(1, graphPage.most(state.graph))), STEPS, words);
  });
});

/* -- data and samples ------------------------------------------------------------------------------------------ */

/** @param {string} name */
function toggleSet(name) {
  const names = state.sets.map((each) => each.name);
  const now = graphEvaluation.measured();
  const next = names.filter((each) => (each === name ? !now.includes(name) : now.includes(each)));
  if (!next.length) api.notify("One data set stays", "Something has to be measured: choose another one first.", "good");
  else graphPage.choose({ data: next.length === names.length ? [] : next });
}

/**
 * @param {Schemas["DataSet"]} each
 * @param {boolean} heldOut
 */
function setChip(each, heldOut) {
  const note = [each.stand_in ? "stand-in" : "", heldOut ? "held out" : ""].filter(Boolean).join(", ");
  return build(
    "button",
    {
      type: "button",
      class: "chip chip-set",
      title: each.title + (heldOut ? "; never trained on" : ""),
      "aria-label": each.name + (note ? ", " + note : "") + ": " + each.title,
      "data-graph-set": each.name,
      onclick: () => toggleSet(each.name),
    },
    each.name,
    note ? build("span", { class: "chip-note" }, note) : null,
  );
}

registerWidget("graph-sets", (host) =>
  graphPage.subscribe((state, names) => {
    const held = (state.model && state.model.held_out) || [];
    if (names.has("sets")) host.replaceChildren(...state.sets.map((each) => setChip(each, held.includes(each.name))));
    if (!names.has("sets") && !names.has("choice")) return;
    const used = graphEvaluation.measured();
    /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-graph-set]")).forEach((chip) => {
      chip.setAttribute("aria-pressed", String(used.includes(chip.dataset.graphSet ?? "")));
    });
  }),
);

registerWidget("graph-samples", (host) => {
  const select = build("select", { class: "plain-select", id: "graph-samples", "aria-label": "Number of samples" });
  select.addEventListener("change", () => graphPage.choose({ samples: Number(select.value) }));
  host.replaceChildren(select);
  return graphPage.subscribe(({ choice }, names) => {
    if (!names.has("choice")) return;
    const sizes = [...new Set([...SIZES, choice.samples])].sort((a, b) => a - b);
    choices(select, sizes.map((size) => [String(size), size.toLocaleString("en")]), String(choice.samples)); // prettier-ignore
  });
});

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
  registerWidget(widget, (host) => {
    const select = build("select", { class: "plain-select", id: widget, "aria-label": words });
    select.addEventListener("change", () => graphPage.look({ [name]: select.value }));
    host.replaceChildren(build("label", { class: "control-name", for: widget }, words), select);
    return graphPage.subscribe((state, names) => {
      if (names.has("graph")) choices(select, options(state.graph), state.view[name]);
      if (names.has("view")) select.value = state.view[name];
    });
  });
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
      : "Draw the matched prior beside it, in the same places";
  });
});

registerWidget("graph-zoom", (host) => {
  host.replaceChildren(...zoomButtons(() => (maps.learned ? [maps.learned.map] : [])));
  return () => {};
});

registerWidget("graph-legend", (host) => {
  function draw() {
    if (!state.graph) {
      host.replaceChildren();
      return;
    }
    const { entries, what } = graphMaps.colouringOf(/** @type {Ready} */ (state));
    host.replaceChildren(
      build("span", { class: "control-name" }, what),
      ...entries.map(({ name, count, paint }) => {
        const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
        swatch.style.background = paint;
        return build("span", { class: "legend-entry" }, swatch, name, build("small", {}, String(count)));
      }),
    );
  }
  /** @type {Looks["colour"] | null} */
  let colour = null;
  const ends = [
    graphPage.subscribe(({ view }, names) => {
      if (!names.has("graph") && colour === view.colour) return;
      colour = view.colour;
      draw();
    }),
    onThemeChange(draw),
  ];
  return () => ends.forEach((end) => end());
});

/** What the keys point at, for those who do not see it. */
registerWidget("graph-said", (host) =>
  graphPage.subscribe((state, names) => {
    if (!names.has("hover") || !state.graph) return;
    host.textContent = state.hover >= 0 ? graphMaps.wordsOf(/** @type {Ready} */ (state), state.hover) : "";
  }),
);
