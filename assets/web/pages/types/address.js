/* The address of the Types page: which map, and how one looks at it, down to the lasso. */
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as typesPage from "rs/pages/types/state.js";
import { WHOLE, state, update } from "rs/pages/types/state.js";

/** @import { Place } from "rs/draw/types.d.ts" */
/** @import { AddressView, LayoutName, MapRequest, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {{which: Which, layout: LayoutName, step: number | null, polygon: Place[]}} Lasso */

/** @type {Pick<MapRequest, "samples" | "perplexity" | "neighbours" | "seed">} */
export const DEFAULTS = address.defaults("types", "samples", "perplexity", "neighbours", "seed");
const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
const WRITTEN = [
  "maps",
  "colour",
  "hidden",
  "step",
  "allSteps",
  "layout",
  "share",
  "compare",
  "chosen",
  "view",
  "sample",
  "playing",
  "request",
];

let writing = 0;
/** @type {Lasso | null} */
let restored = null; // a lasso from the address, until there is a map for it

function writeAddress() {
  writing = 0;
  const wanted = state.request;
  if (!wanted || state.playing || state.share !== null) return;
  const { chosen } = state;
  const points = chosen && state.maps[chosen.which];
  const held = points && chosen.map === points.id;
  const view = {
    sample: state.sample,
    colour: state.coloured ? state.colour : null,
    step: state.allSteps ? "all" : String(state.step + 1),
    hide: [...state.hidden].sort((a, b) => a - b),
    pca: state.layout === "pca",
    compare: state.compare,
    view: state.view,
    lasso: held && [chosen.which, chosen.layout, chosen.step === null ? "all" : chosen.step + 1, chosen.polygon],
  };
  address.write("types", { ...wanted, ...view }, state.model?.units);
}

/**
 * What the address asked for, as the page's server read it.
 *
 * @param {AddressView} view
 */
export function readView(view) {
  const part = address.viewOf(view.view);
  restored = view.lasso ? lassoOf(view.lasso) : null;
  update({
    colour: view.colour || "unit",
    coloured: Boolean(view.colour) || view.hide.length > 0,
    allSteps: view.step === "all",
    step: view.step === "all" ? 0 : Number(view.step) - 1,
    hidden: new Set(view.hide),
    layout: view.pca ? "pca" : "map",
    compare: view.compare,
    view: part ? ScatterMap.clamped(part) : { ...WHOLE },
  });
}

/**
 * @param {string} text
 * @returns {Lasso}
 */
function lassoOf(text) {
  const { on, polygon } = address.lassoOf(text);
  const [which, layout, step] = on;
  return {
    which: /** @type {Which} */ (which),
    layout: /** @type {LayoutName} */ (layout),
    step: step === "all" ? null : Number(step) - 1,
    polygon,
  };
}

/**
 * Draws the address's lasso again, once the map that it was drawn on is there.
 *
 * @param {TypesState} state
 */
export function restoreLasso(state) {
  if (!restored || !state.maps[restored.which] || state.waiting[restored.which]) return;
  const { which, layout, step, polygon } = restored;
  restored = null;
  const shown = { layout: state.layout, step: state.step, allSteps: state.allSteps };
  Object.assign(state, { layout, step: step === null ? state.step : step, allSteps: step === null });
  typesPage.choose(which, polygon);
  update(shown);
}

/**
 * Writes the address soon, when something that it says has changed.
 *
 * @param {Set<string>} names
 */
export function follow(names) {
  if (!writing && WRITTEN.some((name) => names.has(name))) writing = setTimeout(writeAddress, PAUSE);
}

export function stop() {
  clearTimeout(writing);
  writing = 0;
  restored = null;
}
