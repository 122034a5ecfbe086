/* The address of the Types page: which map, and how one looks at it, down to the lasso. */
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as unitNames from "rs/lib/units.js";
import * as typesPage from "rs/pages/types/state.js";
import { WHOLE, state, update } from "rs/pages/types/state.js";

/** @import { Place } from "rs/draw/types.d.ts" */
/** @import { AddressView, LayoutName, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {{which: Which, layout: LayoutName, step: number | null, polygon: Place[]}} Lasso */

/** What an address may leave out (app/dashboard/pages/types.py has the same). */
export const DEFAULTS = { method: "tsne", tokens: "patches", samples: 30, perplexity: 30, neighbours: 15, seed: 0 };
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

/** @param {number} value */
const short = (value) => String(Math.round(value * 1000) / 1000);
/**
 * @param {unknown} value
 * @param {unknown} otherwise
 */
const differs = (value, otherwise) => (value === otherwise ? null : value);

function writeAddress() {
  writing = 0;
  const wanted = state.request;
  if (!wanted || state.playing || state.share !== null) return;
  const { chosen, view } = state;
  const moved = view.x !== WHOLE.x || view.y !== WHOLE.y || view.zoom !== WHOLE.zoom;
  const points = chosen && state.maps[chosen.which];
  const held = points && chosen.map === points.id;
  address.write("/types", {
    model: wanted.model,
    sample: state.sample,
    method: wanted.method,
    data: wanted.data.join(","),
    samples: wanted.samples,
    tokens: differs(wanted.tokens, DEFAULTS.tokens),
    perplexity: wanted.method === "tsne" ? differs(wanted.perplexity, DEFAULTS.perplexity) : null,
    neighbours: wanted.method === "umap" ? differs(wanted.neighbours, DEFAULTS.neighbours) : null,
    seed: wanted.seed,
    drop: state.model ? unitNames.compact(state.model.units, wanted.drop) : wanted.drop.join(","),
    colour: state.coloured ? state.colour : null,
    step: state.allSteps ? "all" : state.step + 1,
    hide: [...state.hidden].sort((a, b) => a - b).join(","),
    pca: state.layout === "pca" ? 1 : null,
    compare: state.compare ? 1 : null,
    view: moved ? [view.x, view.y, view.zoom].map(short).join(",") : null,
    lasso: held
      ? [
          chosen.which,
          chosen.layout,
          chosen.step === null ? "all" : chosen.step + 1,
          chosen.polygon.flat().map(short).join(","),
        ].join(":")
      : null,
  });
}

/**
 * What the address asked for, as the page's server read it (pages/types.py).
 *
 * @param {AddressView} view
 */
export function readView(view) {
  const [x, y, zoom] = view.view ? view.view.split(",").map(Number) : [];
  restored = view.lasso ? lassoOf(view.lasso) : null;
  update({
    colour: view.colour || "unit",
    coloured: Boolean(view.colour) || view.hide.length > 0,
    allSteps: view.step === "all",
    step: view.step === "all" ? 0 : Number(view.step) - 1,
    hidden: new Set(view.hide),
    layout: view.pca ? "pca" : "map",
    compare: view.compare,
    view: zoom ? ScatterMap.clamped({ x, y, zoom }) : { ...WHOLE },
  });
}

/**
 * @param {string} text
 * @returns {Lasso}
 */
function lassoOf(text) {
  const [which, layout, step, numbers] = text.split(":");
  const values = numbers.split(",").map(Number);
  /** @type {Place[]} */
  const polygon = [];
  for (let at = 0; at + 1 < values.length; at += 2) polygon.push([values[at], values[at + 1]]);
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
