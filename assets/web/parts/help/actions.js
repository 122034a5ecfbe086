/* What the command palette does: each action is an address that shows the wanted thing, and the panel to go to there. */
import { linkOfQuery, linkTo } from "rs/lib/address.js";
import { findModel, pages, shows } from "rs/lib/models.js";
import { openHere, redo, undo } from "rs/lib/navigation/history.js";
import { asPinned, write } from "rs/lib/navigation/pinned.js";
import { current, linkOf } from "rs/lib/selection.js";
import { has, of as wordsOf } from "rs/lib/words.js";
import { openHelp } from "rs/parts/help/open.js";

/** @import { Listed, Served } from "rs/lib/types.d.ts" */
/** @import { Entry } from "rs/parts/help/entries.js" */

const MOST_UNITS = 4; // units that one search offers actions for
const PATIENCE = 10_000; // milliseconds in which a page has to show a panel

/** Open a link, then go to the panel once it is shown. @param {string} href @param {string} [panel] */
export function openAt(href, panel) {
  openHere(href);
  if (!panel) return;
  const look = () => {
    const found = document.getElementById(panel);
    if (!found?.checkVisibility()) return;
    stop();
    found.setAttribute("tabindex", "-1");
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: "start" });
  };
  const watcher = new MutationObserver(look);
  const timer = setTimeout(stop, PATIENCE);
  function stop() {
    watcher.disconnect();
    clearTimeout(timer);
  }
  watcher.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
}

/** The address of a page with these values. @param {Served} page @param {Record<string, unknown>} values */
function linkWith(page, values) {
  /** @param {string} link */
  const queryIn = (link) => Object.fromEntries(new URLSearchParams(link.split("?")[1]));
  const kept = queryIn(linkOf(page));
  for (const name of Object.keys(values)) delete kept[name];
  return linkOfQuery(page.key, { ...kept, ...queryIn(linkTo(page.key, values)) });
}

/**
 * @param {Entry["kind"]} kind
 * @param {string} title
 * @param {string} also
 * @param {string} href
 * @param {string} [panel]
 * @returns {Entry}
 */
export const linkEntry = (kind, title, also, href, panel) => ({
  kind,
  key: kind + " " + title,
  title,
  also,
  href,
  act: () => openAt(href, panel),
});

/** The pages that have something to show of the model, by their keys. @param {Listed | null} model */
const shown = (model) =>
  Object.fromEntries(pages().flatMap((page) => (!model || shows(model, page) ? [[page.key, page]] : [])));

/**
 * Titles, other words that find the action, page, values of the address, panel. Words in braces follow the model.
 *
 * @type {[string, string, string, Record<string, unknown>, string?][]}
 */
const ACTIONS = [
  ["Drop {units}", "remove ablate leave out intervention", "drop", {}],
  ["Mute {units} on Paths", "zero ablate intervention", "paths", {}],
  ["Prune: importance of every unit", "rank score shapley subsets least needed", "drop", {}, "panel-importance"],
  ["Effect by label", "drop class accuracy", "drop", {}, "panel-drop-labels"],
  ["t-SNE map on Types", "tsne projection embedding", "types", { method: "tsne" }, "panel-typemap"],
  ["UMAP map on Types", "projection embedding", "types", { method: "umap" }, "panel-typemap"],
  ["PCA map on Types", "projection principal components", "types", { method: "pca" }, "panel-typemap"],
  ["Compare with routing at initialisation", "types beside untrained", "types", { compare: true }, "panel-typemap"],
  ["Compare the graph with its prior", "links beside", "graphs", { compare: true }],
  ["Compare two routing logs", "difference a b upload", "logs", {}],
  ["Compare with the papers", "results experiments claims verdict reproduced print", "results", {}],
  ["Draw a sample", "drawing pad pen sketch digit", "samples", {}, "panel-bring"],
  ["Upload a sample", "own file bring picture text", "samples", {}, "panel-bring"],
];

/** Actions on the pages that show the chosen model. @returns {Entry[]} */
export function pageActions() {
  const { model: id, sample } = current();
  const model = findModel(id);
  const served = shown(model);
  const words = wordsOf(model);
  const listed = ACTIONS.filter(([, , page]) => served[page]).map(([title, also, page, values, panel]) => {
    const said = title.replace(/\{(\w+)\}/g, (_, word) => words[word]);
    return linkEntry("action", said, also, linkWith(served[page], values), panel);
  });
  const pin = id ? write(asPinned({ model: id, sample })) : null;
  const pinning = pin ? ["drop", "paths", "observe"].filter((key) => served[key]) : [];
  const compared = pinning.map((key) => ({
    ...linkEntry("action", "Compare on " + served[key].title + ": pin A", "a b", linkWith(served[key], { pin })),
    said: "A is the full model",
  }));
  const studio = served.drop && has("router_logits", model);
  const prune = () =>
    linkEntry(
      "action",
      "Prune experts: Pruning studio",
      "cut compress",
      linkWith(served.drop, {}),
      "panel-drop-studio",
    );
  return [...listed, ...compared, ...(studio ? [prune()] : [])];
}

/** Actions on the units of the chosen model that a search names. @param {string} text @param {string[]} units */
export function unitActions(text, units) {
  const names = text.toLowerCase().split(/[\s,]+/).filter((word) => /\d/.test(word)); // prettier-ignore
  const begins = units.filter((unit) => names.some((name) => unit.toLowerCase().startsWith(name)));
  const exact = begins.filter((unit) => names.includes(unit.toLowerCase()));
  const model = findModel(current().model);
  const { drop, paths, observe, graphs } = shown(model);
  return [...new Set([...exact, ...begins])].slice(0, MOST_UNITS).flatMap((unit) => {
    const known = "unit " + wordsOf(model).unit;
    /** @param {Served | undefined} page @param {string} title @param {(page: Served) => Record<string, unknown>} values */
    const entry = (page, title, values) =>
      page ? [linkEntry("unit", title, known, linkWith(page, values(page)))] : [];
    /** @param {string} name @returns {(page: Served) => Record<string, unknown>} */
    const added = (name) => (page) => ({ [name]: withUnit(linkOf(page), name, unit) });
    return [
      ...entry(drop, "Drop " + unit, (page) => ({
        units: /[?&]kind=/.test(linkOf(page)) ? [unit] : withUnit(linkOf(page), "units", unit),
        kind: "drop",
      })),
      ...entry(model?.mute_refusal ? undefined : paths, "Mute " + unit + " on Paths", added("mute")),
      ...entry(observe, "Observe without " + unit, added("drop")),
      ...entry(graphs, unit + " on Graphs", () => ({ unit })),
    ];
  });
}

/** The units of a link and another one. @param {string} link @param {string} name @param {string} unit */
const withUnit = (link, name, unit) => [
  ...new Set([...(new URLSearchParams(link.split("?")[1]).get(name) ?? "").split(",").filter(Boolean), unit]),
];

/** Presses the button of the header that does the same. @param {string} selector */
function press(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.click();
}

/** Copies the link as the buttons of the pages do, also where a page has none. */
function copyLink() {
  const button = document.createElement("button");
  button.dataset.copyLink = "true";
  button.hidden = true;
  document.body.append(button);
  button.click();
  button.remove();
}

/** Actions on every page, whatever is chosen. @returns {Entry[]} */
export function generalActions() {
  /** @type {[string, string, (before: HTMLElement | null) => unknown][]} */
  const listed = [
    ["Undo", "back last change", undo],
    ["Redo", "forward again", redo],
    ["Snapshots", "save view keep bookmark", async () => (await import("rs/parts/history/snapshots.js")).open()],
    ["Report", "panels collect html file", async () => (await import("rs/parts/report/dialog.js")).open()],
    ["Light or dark", "colour scheme theme mode", () => press("#colour-scheme")],
    ["Copy link to this view", "share address", copyLink],
    ["Tour of this page", "help start introduction guide", (before) => openHelp("tour", before)],
    ["About this page", "help read explain", (before) => openHelp("page", before)],
    ["Glossary", "help words terms meaning", (before) => openHelp("glossary", before)],
    ["Shortcuts", "help keys keyboard", (before) => openHelp("shortcuts", before)],
    ["All documents", "help docs manual read", (before) => openHelp("documents", before)],
    ["About Routescope", "version licences libraries", async () => (await import("rs/parts/about.js")).open()],
  ];
  const made = listed.map(([title, also, act]) => ({ title, also, act }));
  return [...made, ...exportActions()].map((action) => ({ kind: "action", key: "action " + action.title, ...action }));
}

/** Entries of the export menus of the panels that are shown, and each format that they offer. */
function exportActions() {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-export]:not([data-export=again]), [data-report]")
  );
  return [...buttons]
    .filter((button) => button.closest("section, .page")?.checkVisibility())
    .flatMap((button) => {
      const { panel = "", title, formats = "", export: act = "" } = button.dataset;
      const name = "Export " + (button.closest("section")?.querySelector("h2")?.textContent || title || panel) + ": ";
      const also = "save download file picture numbers ";
      const entry = { title: name + (button.textContent || "").trim(), also: also + act, act: () => button.click() };
      const files = act === "choose" ? formats.split(" ") : [];
      const save = (/** @type {string} */ format) => async () =>
        (await import("rs/draw/exports.js")).exportAs(panel, format);
      return [entry, ...files.map((format) => ({ title: name + format.toUpperCase(), also, act: save(format) }))];
    });
}
