/* The colours of the page, for pictures on a canvas. */

import { colourPlaces } from "rs/lib/units.js";

/** @import { Theme } from "rs/lib/types.d.ts" */

const NAMES = /** @type {const} */ ([
  "page",
  "surface",
  "raised",
  "ink",
  "dim",
  "line",
  "hair",
  "accent",
  "marker",
  "bad",
  "good",
  "unmatched",
]);
/** @type {Set<() => void>} */
const listeners = new Set();

/** Where the colours are declared: the page, or a picture in another page. */
let source = document.documentElement;

/** Colours of units: both schemes have the same. @type {string[]} */
const units = [];

/** The colours of what is drawn for a file, while it is drawn. @type {Theme | null} */
let chosen = null;

/** The colours of a scheme, also where the page has the other one. @param {"light" | "dark"} scheme */
export function themeOf(scheme) {
  const element = document.createElement("div");
  element.dataset.mantineColorScheme = scheme;
  document.body.append(element);
  const theme = colours(element);
  element.remove();
  return theme;
}

/**
 * What `draw` gives in the colours of a theme.
 *
 * @template T
 * @param {Theme} theme
 * @param {() => T | Promise<T>} draw
 */
export async function drawnIn(theme, draw) {
  chosen = theme;
  try {
    return await draw();
  } finally {
    chosen = null;
  }
}

/** Read colours of this element from now on: of a picture in a page that is not ours. @param {HTMLElement} element */
export function readColoursOf(element) {
  source = element;
}

/** The colours as they are now. */
export const readTheme = () => chosen ?? colours(source);

/** @param {Element} element */
function colours(element) {
  const style = getComputedStyle(element);
  /** @param {string} name */
  const value = (name) => style.getPropertyValue(name).trim();
  const theme = /** @type {Theme} */ ({
    font: value("--rs-font") || "sans-serif",
    units,
  });
  for (const name of NAMES) theme[name] = value("--rs-" + name) || "#808080";
  if (!units.length) for (let n = 1; value("--unit-" + n); n += 1) units.push(value("--unit-" + n));
  theme.unit = (index) =>
    index < 0 || !theme.units.length ? theme.unmatched : theme.units[index % theme.units.length];
  return theme;
}

/** The colour of a unit as a CSS value, for elements of the page. @param {number} index */
export function unitPaint(index) {
  const count = units.length || readTheme().units.length || 1;
  return index < 0 ? "var(--rs-unmatched)" : "var(--unit-" + ((index % count) + 1) + ")";
}

/** The colour of a unit, the same on every page. @param {string[]} units @param {string} unit */
export const paintOfUnit = (units, unit) => unitPaint(colourPlaces(units).get(unit) ?? -1);

/** Call `listener` after every change of the scheme; return what ends this. @param {() => void} listener */
export function onThemeChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

new MutationObserver(() => listeners.forEach((listener) => listener())).observe(document.documentElement, {
  attributes: true,
  attributeFilter: ["data-mantine-color-scheme"],
});

export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
