/* Colours of modules by what they have in common, and the scale of probabilities: both readable without telling red from
   green. Many modules share few colours, so a legend says what each one means. */
import * as raster from "rs/draw/raster.js";

/** @import { Coloured, Colours } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

const LARGEST = 11; // groups with a colour of their own; the smaller ones share one
const BINS = 7;
const READABLE = 4.5; // contrast of small words
// Cividis (Nuñez, Anderton and Renslow 2018), seven of its colours: they rise in lightness alike for everybody.
const CIVIDIS = ["#00204d", "#25406d", "#545a6c", "#7a7877", "#a29a72", "#cebb5f", "#ffea46"];
// Its light end is dark enough against white, and its dark end light enough against black.
const SPANS = { light: [0, 0.92], dark: [0.22, 1] };

/** Red, green and blue of a colour such as #0072b2, 0 to 255 each. @param {string} colour */
export const channels = (colour) => [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
/** @param {number[]} parts */
const hex = (parts) => "#" + parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");

/** @param {string} from @param {string} to @param {number} share */
export function mix(from, to, share) {
  const [a, b] = [channels(from), channels(to)];
  return hex(a.map((part, at) => part + (b[at] - part) * share));
}

/** The relative luminance of a colour (WCAG 2.2). @param {string} colour */
function luminance(colour) {
  const [red, green, blue] = channels(colour).map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4)); // prettier-ignore
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How far two colours stand apart, from 1 to 21 (WCAG 2.2). @param {string} one @param {string} other */
function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The colour of words on a colour: `ink` where it can be read there, else black or white.
 *
 * @param {string} ground @param {string} [ink]
 */
export function inkOn(ground, ink) {
  if (ink && contrast(ground, ink) >= READABLE) return ink;
  return contrast(ground, "#000000") > contrast(ground, "#ffffff") ? "#000000" : "#ffffff";
}

/** @param {string[]} stops @param {number} share */
function along(stops, share) {
  const place = Math.max(0, Math.min(1, share)) * (stops.length - 1);
  const at = Math.min(stops.length - 2, Math.floor(place));
  return mix(stops[at], stops[at + 1], place - at);
}

/** @param {{surface: string}} theme */
export const isDark = (theme) => {
  const [r, g, b] = channels(theme.surface);
  return r + g + b < 384;
};

/** @type {Record<"light" | "dark", [string, string]>} */
const SIGNED = { light: ["#0072b2", "#d55e00"], dark: ["#56b4e9", "#ff9a4d"] }; // of Okabe and Ito

/** The colours of what was gained and lost. @param {Pick<Theme, "surface">} theme */
export function signed(theme) {
  const [gained, lost] = SIGNED[isDark(theme) ? "dark" : "light"];
  return { gained, lost };
}

/**
 * Communities from the largest: {of: colour of each unit, paints, entries: [{name, count, paint}]}.
 *
 * @param {Pick<Coloured, "communities">} graph @param {Colours} theme
 */
function byCommunity(graph, theme) {
  const sizes = /** @type {Map<number, number>} */ (new Map());
  const sizeOf = (/** @type {number} */ each) => sizes.get(each) || 0;
  graph.communities.forEach((each) => sizes.set(each, sizeOf(each) + 1));
  const order = [...sizes.keys()].sort((a, b) => sizeOf(b) - sizeOf(a) || a - b);
  const place = new Map(order.map((each, at) => [each, Math.min(at, LARGEST)]));
  const named = order.slice(0, LARGEST).map((each, at) => ({
    name: "c" + (each + 1),
    count: sizeOf(each),
    paint: theme.unit(at),
    index: at,
  }));
  const rest = order.slice(LARGEST);
  if (rest.length)
    named.push({
      name: rest.length + " smaller",
      count: rest.reduce((sum, each) => sum + sizeOf(each), 0),
      paint: theme.unmatched,
      index: LARGEST,
    });
  return {
    of: Int32Array.from(graph.communities, (each) => place.get(each) ?? LARGEST),
    paints: named.map((each) => each.paint),
    entries: named,
    what: "community",
  };
}

/**
 * Classes of equal width of the expected number of links.
 *
 * @param {Pick<Coloured, "degrees">} graph @param {Colours} theme
 */
function byDegree(graph, theme) {
  const degrees = graph.degrees.learned;
  const [least, most] = [Math.min(...degrees), Math.max(...degrees)];
  const span = most - least || 1;
  const [from, to] = SPANS[isDark(theme) ? "dark" : "light"];
  const of = Int32Array.from(degrees, (degree) => Math.min(BINS - 1, Math.floor((BINS * (degree - least)) / span)));
  const entries = Array.from({ length: BINS }, (_, bin) => ({
    name: (least + (span * bin) / BINS).toFixed(1) + " to " + (least + (span * (bin + 1)) / BINS).toFixed(1),
    count: of.filter((each) => each === bin).length,
    paint: along(CIVIDIS, from + ((to - from) * bin) / (BINS - 1)),
    index: bin,
  }));
  return { of, paints: entries.map((each) => each.paint), entries, what: "expected links" };
}

export const BY = { community: byCommunity, degree: byDegree };

/**
 * 256 packed colours from probability 0 (the ground) to 1, and as many greys for what an intervention takes away.
 *
 * @param {Colours} theme
 */
export function scale(theme) {
  const dark = isDark(theme);
  const stops = dark
    ? [theme.surface, "#1c3a5c", "#2f6aa8", "#6fb1f0", "#d8ecff"]
    : [theme.surface, "#c9def2", "#6fa5d8", "#1f5c99", "#0a2947"];
  const greys = [theme.surface, mix(theme.surface, theme.unmatched, 0.6)];
  /** @param {string[]} from */
  const table = (from) => Uint32Array.from({ length: 256 }, (_, at) => raster.packed(along(from, at / 255)));
  return { stops, greys, live: table(stops), cut: table(greys), gone: theme.line };
}
