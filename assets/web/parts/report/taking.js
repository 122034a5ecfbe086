/* A panel as it is now, for a report: what is said of it, its facts, its numbers, and its picture without anything that a
   page of HTML should not hold. */
import * as exports from "rs/draw/exports.js";
import { hasPicture, pngOf, svgOf } from "rs/draw/publish/figure.js";
import * as api from "rs/lib/api.js";
import { readTheme } from "rs/lib/theme.js";
import { add, report } from "rs/parts/report/keeping.js";

/** @import { Figure } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Entry, Taken } from "rs/parts/report/types.d.ts" */

const MOST_ROWS = 300; // of a table; the CSV file of the panel has all
const MOST_SVG = 1_500_000; // characters; a larger picture becomes one of pixels
const PNG_RATIO = 2;
const OWN_NAMES = ["id", "aria-labelledby"];

/** An SVG to inline: no scripts, no requests, names of its own. @param {string} text @param {string} prefix */
export function inlined(text, prefix) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("The picture could not be read.");
  root.querySelectorAll("script, foreignObject, metadata, iframe, a").forEach((element) => element.remove());
  for (const element of [root, ...root.querySelectorAll("*")]) {
    for (const { name, value } of [...element.attributes]) {
      if (/^on/i.test(name)) element.removeAttribute(name);
      else if (OWN_NAMES.includes(name)) {
        const names = value.trim().split(/\s+/).map((each) => prefix + each); // prettier-ignore
        element.setAttribute(name, names.join(" "));
      } else if (/(^|:)href$/.test(name)) {
        if (value.startsWith("#")) element.setAttribute(name, "#" + prefix + value.slice(1));
        else if (!/^data:image\/(png|jpeg|webp|gif);/.test(value)) element.removeAttribute(name);
      } else if (value.includes("url("))
        element.setAttribute(name, value.replace(/url\(\s*(["']?)[^"')#]*#/g, "url($1#" + prefix));
    }
  }
  return new XMLSerializer().serializeToString(root);
}

/** @param {Figure} figure @param {string} id @returns {Promise<Taken | null>} */
async function pictureOf(figure, id) {
  if (!hasPicture(figure)) return null;
  const text = await svgOf(figure, { bare: true });
  if (text.length <= MOST_SVG) return { svg: inlined(text, id + "-") };
  return { png: await api.asDataUrl(await pngOf(figure, { bare: true, ratio: PNG_RATIO })) };
}

/** @param {Figure} figure @returns {Promise<Entry>} */
async function taken(figure) {
  const id = "r" + crypto.getRandomValues(new Uint32Array(2)).join("");
  const added = new Date().toISOString();
  const { about, panel } = figure;
  const facts = JSON.parse(JSON.stringify(figure.facts));
  const [columns = [], ...rows] = JSON.parse(JSON.stringify(panel.rows()));
  const picture = await pictureOf(figure, id);
  const { version } = /** @type {Schemas["Health"]} */ (await api.send("GET", "/health"));
  const numbers = { columns: columns.map(String), rows: rows.slice(0, MOST_ROWS), count: rows.length };
  return { id, about, facts, ...numbers, picture, ground: readTheme().surface, added, version };
}

/** Adds the panel `key` to the report, as it is now; says how many there are, or why it was not. @param {string} key */
export async function take(key) {
  const figure = exports.shown(key);
  if (!figure) return;
  await add(await taken(figure));
  const { length } = report.value.panels;
  const words = length === 1 ? "It is the first panel." : "It has " + length + " panels.";
  api.notify("Added to the report", figure.about.title + ", as it is now. " + words, "good");
}
