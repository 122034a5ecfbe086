/* Files of what a panel shows: pictures (SVG, PDF, PNG) with a caption and numbers (CSV, JSON), each with the view's facts inside. */
import { withText } from "rs/draw/png.js";
import { copyText } from "rs/draw/publish/copying.js";
import { codeOf, factsOf, figureOf, pdfOf, pngOf, svgOf } from "rs/draw/publish/figure.js";
import * as api from "rs/lib/api.js";

import { expose } from "rs/lib/handle.js";

/** @import { Figure, FileLook, Panel } from "rs/draw/types.d.ts" */

export { factsOf };

/** Lets the browser save what lies at an address, which was asked before. @param {string} href @param {string} name */
export function saveFrom(href, name) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.dataset.checked = "";
  document.body.append(link);
  link.click();
  link.remove();
}

/** @param {Blob | string} content @param {string} type @param {string} name */
export function save(content, type, name) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const href = URL.createObjectURL(blob);
  saveFrom(href, name);
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/** @param {Record<string, unknown>} facts @param {unknown[][]} rows */
const csv = (facts, rows) =>
  Object.entries(facts)
    .map(([name, value]) => "# " + name + ": " + JSON.stringify(value) + "\n")
    .join("") +
  rows
    .map((row) =>
      row.map((cell) => (/[",\n]/.test(String(cell)) ? '"' + String(cell).replace(/"/g, '""') + '"' : cell)).join(","),
    )
    .join("\n") +
  "\n";

/** A table as files of JSON have it. @param {unknown[][]} rows the first of which names the columns */
export const asJson = ([columns, ...rows]) => ({ columns, rows });

/**
 * What each panel can write: its picture and its numbers.
 *
 * @type {Record<string, () => Panel | null | undefined | false>}
 */
const PANELS = {};

/**
 * Lets the panel `key` be saved. `provider()` gives null while there is nothing, else
 * {name, facts, rows(), json(), picture}: `facts` with model, revision, seed and drop set, `rows` a table whose first
 * row names its columns, `json` an object, `file` the address of what the API writes in other formats, `picture` a canvas
 * with scene() or a cloud of points (draw/cloud.js). Its title and caption are those of the panel on the page, or its own.
 *
 * @param {string} key @param {() => Panel | null | undefined | false} provider
 */
export function register(key, provider) {
  PANELS[key] = provider;
}

/** The keys of all panels that were registered. */
export const registered = () => Object.keys(PANELS);

/** The panel `key` as a figure, or null while there is nothing in it. @param {string} key @returns {Figure | null} */
export function figure(key) {
  const panel = PANELS[key] && PANELS[key]();
  return panel ? figureOf(key, panel) : null;
}

/** The panel `key` as a figure; says so where there is nothing in it. @param {string} key */
export function shown(key) {
  const found = figure(key);
  if (!found) api.notify("Nothing to export yet", "There is nothing in this panel yet.", "bad");
  return found;
}

/** Formats of pictures. */
export const PICTURES = ["svg", "pdf", "png"];

/** @param {string} key @param {string} kind @param {Partial<FileLook>} look */
async function write(key, kind, look) {
  const found = shown(key);
  if (!found) return;
  const { panel, facts } = found;
  if (kind === "python") return copyCode(found);
  const parts = [panel.name, facts.model, facts.sample].filter(Boolean);
  const name = parts.join("-").replace(/[^\w.-]+/g, "_") + "." + kind;
  const path = kind === "nc" ? "/traces/" + panel.info.id + "/file" : panel.file?.(kind);
  if (kind === "svg") save(await svgOf(found, look), "image/svg+xml", name);
  else if (kind === "pdf") save(await pdfOf(found, look), "", name);
  else if (kind === "png")
    save(await withText(await pngOf(found, look), "Description", JSON.stringify(facts)), "image/png", name);
  else if (kind === "csv") save(csv(facts, panel.rows()), "text/csv", name);
  else if (kind === "json") save(JSON.stringify({ ...facts, ...panel.json() }, null, 1), "application/json", name);
  else if (path) save(await (await api.request(path)).blob(), "", name);
}

/** @param {Figure} found */
async function copyCode(found) {
  if (!found.panel.python) api.notify("No code for this figure", "Nothing in a notebook makes it.", "bad");
  else if (await copyText(codeOf(found)))
    api.notify("Code copied", "Pasted into a notebook, it makes this figure: " + found.about.title + ".", "good");
  else api.notify("The code could not be copied", "The browser does not let this page write to the clipboard.", "bad");
}

/** @param {Promise<void>} work whose failure is told */
const told = (work) =>
  work.catch((error) =>
    api.notify("The file could not be written", error instanceof Error ? error.message : String(error), "bad"),
  );

/**
 * Saves the panel `key` as a file.
 *
 * @param {string} key @param {string} kind @param {Partial<FileLook>} [look] of a picture
 */
export const exportAs = (key, kind, look = {}) => told(write(key, kind, look));

// A browser saves whatever a download link answers, a refusal too: links into the API are asked here first.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[download]");
  const href = link instanceof HTMLAnchorElement && link.getAttribute("href");
  if (!(link instanceof HTMLAnchorElement) || !href || !href.startsWith(api.BASE + "/")) return;
  if ("checked" in link.dataset || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  told(api.request(href.slice(api.BASE.length)).then(async (answer) => save(await answer.blob(), "", link.download)));
});

document.addEventListener("click", (event) => {
  const item = event.target instanceof Element && event.target.closest('[data-export="python"]');
  if (!(item instanceof HTMLElement)) return;
  exportAs(item.dataset.panel ?? "", "python");
  item.closest("details")?.querySelector("summary")?.focus(); // the menu closes, and what was chosen goes with it
});

expose({ figures: () => ({ registered, figure, svgOf, pdfOf, pngOf, codeOf }) });
