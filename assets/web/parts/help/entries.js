/* What the command palette finds: pages, models, data sets, samples, snapshots and documents. Actions: actions.js. */
import * as api from "rs/lib/api.js";
import { linkTo, paths } from "rs/lib/address.js";
import { open } from "rs/lib/navigation/history.js";
import { choose, current, pick } from "rs/lib/selection.js";
import { linkEntry } from "rs/parts/help/actions.js";
import { documents, openDocument } from "rs/parts/help/documents.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Searched } from "rs/parts/help/ranking.js" */

/**
 * @typedef {"page" | "action" | "unit" | "model" | "set" | "sample" | "snapshot" | "document" | "word"} Kind
 * @typedef {Searched & {kind: Kind, key: string, picture?: string, said?: string, href?: string,
 *   act: (before: HTMLElement | null) => unknown}} Entry
 */

const SNAPSHOTS = 100; // the newest ones, as many as one request returns
const OWN = 200; // one's own samples that are searched, the newest ones; as many as one request returns
const SPLITS = ["validation", "test", "train"]; // where a place of a data set is looked for, the first that has it
const LONGEST = 80; // characters of a search that the service takes (LONGEST_FIND in app/routescope_app/api/schemas/base.py)
const FOUND = 8; // samples that one question brings
const WITHOUT_PICKER = new Set(["statements", "blocks"]); // kinds whose samples are chosen on pages of their own

/** Pages as the navigation has them, so that a link carries what is chosen. @returns {Entry[]} */
export function pageEntries() {
  const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("#frame-navigation nav a"));
  return [...links].map((link) => {
    const title = (link.textContent || "").trim();
    const apart = link.style.display === "none" || link.getAttribute("aria-disabled") === "true";
    const said = apart ? "not for the chosen model" : "";
    return { kind: "page", key: "page " + title, title, also: "page go to open", said, act: () => link.click() };
  });
}

/** @param {Schemas["Models"]} models @returns {Entry[]} */
export const modelEntries = ({ items }) =>
  items.map(({ id, family, domains, units }) => ({
    kind: "model",
    key: "model " + id,
    title: id,
    also: ["model", family, ...domains].join(" "),
    said: family + ", " + units.length + " units",
    act: () => pick(id),
  }));

/** Data sets whose samples the page Samples shows. @param {Set[]} sets @returns {Entry[]} */
export const setEntries = (sets) =>
  sets
    .filter(({ inputs }) => !WITHOUT_PICKER.has(inputs))
    .map(({ name, title }) => {
      const { model, sample } = current();
      return linkEntry("set", title, "data set samples " + name, linkTo("samples", { model, sample, set: name }));
    });

/** @returns {Promise<Entry[]>} */
export async function snapshotEntries() {
  /** @type {Schemas["Snapshots"]} */
  const { items } = await api.send("GET", "/snapshots?limit=" + SNAPSHOTS);
  const served = new Set(paths().map(([, path]) => path));
  const shown = items.filter(({ address }) => served.has(address.split("?")[0]));
  return shown.map(({ id, name, note, address }) => ({
    ...linkEntry("snapshot", name, "snapshot " + note, address),
    key: "snapshot " + id,
  }));
}

/** The documents, each of their headings, and the words of the glossary. @returns {Promise<Entry[]>} */
export async function documentEntries() {
  return (await documents()).flatMap(({ name, title, sections }) => {
    /** @param {Kind} kind @param {string} heading @param {string} id @param {string} [said] @returns {Entry} */
    const entry = (kind, heading, id, said) => ({
      kind,
      key: [kind, name, id].join(" "),
      title: heading,
      also: ["document help read glossary meaning", name, title].join(" "),
      said,
      act: (before) => openDocument(name, id, before),
    });
    const word = (/** @type {number} */ level) => (name === "glossary" && level === 3 ? "word" : "document");
    return [
      entry("document", title, ""),
      ...sections.map((section) => entry(word(section.level), section.title, section.id, title)),
    ];
  });
}

/* -- samples ---------------------------------------------------------------------------------------------------- */

/** @typedef {Pick<Schemas["DataSet"], "name" | "title" | "inputs" | "splits">} Set */

/** API paths that find the samples of a search, none if there are none. @param {string} text @param {Set[]} sets */
export function questionsOf(text, sets) {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const shown = sets.filter(({ inputs }) => !WITHOUT_PICKER.has(inputs));
  const numbers = words.filter((word) => /^\d{1,7}$/.test(word)).map(Number);
  const names = words.filter((word) => !/^\d+$/.test(word) && word !== "label" && word.length > 1);
  /** @type {string[]} */
  const asked = [];
  for (const word of words) {
    const [, name, split] = /^([\w-]+)\.(\w+)\.\d{1,7}$/.exec(word) || [];
    const set = shown.find((each) => each.name === name && split in each.splits);
    if (set) asked.push(one(set, word));
  }
  const named = shown.filter(({ name, title }) =>
    names.some((word) =>
      [name, ...name.split("-"), ...title.toLowerCase().split(" ")].some((own) => own.startsWith(word)),
    ),
  );
  for (const set of named) {
    for (const number of numbers) {
      if (number < 10) asked.push(many(set, number));
      const split = SPLITS.find((name) => number < (set.splits[name] ?? 0));
      if (split) asked.push(one(set, [set.name, split, number].join(".")));
    }
    if (!numbers.length) asked.push(many(set));
  }
  if (!names.length)
    for (const number of numbers) if (number < 10) asked.push("/samples?label=" + number + "&limit=" + FOUND);
  return [...new Set(asked)].slice(0, 6);
}

/** @param {Set} set @param {string} id */
const one = (set, id) => (set.inputs === "images" ? "/samples/" : "/tables/") + encodeURIComponent(id);

/** @param {Set} set @param {number} [label] */
const many = (set, label) =>
  (set.inputs === "images" ? "/samples?" : "/tables?rows=1&") +
  ("set=" + encodeURIComponent(set.name) + "&limit=" + FOUND) +
  (label === undefined ? "" : "&label=" + label);

/** @param {Schemas["Sample"] | Schemas["SampleTable"]} sample @returns {Entry} */
function sampleEntry(sample) {
  const { id, label, set, set_title: title } = sample;
  const [name, picture] = "image" in sample ? [sample.name, sample.image] : [id, undefined];
  const labelled = typeof label === "number" ? "label " + label : "no label";
  return {
    kind: "sample",
    key: "sample " + id,
    title: set ? id : name,
    also: ["sample", name, title || "yours own upload drawing", set || "", labelled].join(" "),
    said: labelled + (set ? "" : ", yours"),
    picture,
    act: () => choose({ sample: id }),
  };
}

/** One's own samples, the newest ones. */
export async function ownEntries() {
  const asked = ["upload", "drawing"].map((origin) => api.send("GET", "/samples?origin=" + origin + "&limit=" + OWN));
  /** @type {Schemas["Samples"][]} */
  const found = await Promise.all(asked);
  return found.flatMap(({ items }) => items.map(sampleEntry));
}

/**
 * Samples of the data sets that a search is about.
 *
 * @param {string} text
 * @param {Set[]} sets
 * @param {AbortSignal} signal
 * @returns {Promise<Entry[]>}
 */
export async function sampleEntries(text, sets, signal) {
  /** @param {string} path */
  const ask = (path) =>
    api.send("GET", path, undefined, { signal }).catch((error) => {
      if (error instanceof api.Problem && error.status === 404) return { items: [] };
      throw error;
    });
  const searched = text.trim().length > 1 && text.length <= LONGEST;
  const [called, ...answers] = await Promise.all([
    searched ? ask("/samples?limit=" + FOUND + "&find=" + encodeURIComponent(text.trim())) : { items: [], total: 0 },
    ...questionsOf(text, sets).map(ask),
  ]);
  /** @type {Entry[]} */
  const found = answers.flatMap((answer) => (answer.items || [answer]).map(sampleEntry));
  /** @type {Schemas["Samples"]} */
  const { items, total } = called;
  // The service knows labels in words and names of samples beyond those that are here: what it found fits what is typed.
  /** @type {Entry[]} */
  const fits = items.map(sampleEntry).map((entry) => ({ ...entry, also: (entry.also ?? "") + " " + text }));
  if (total > 1) fits.push(galleryEntry(text.trim(), total));
  return [...new Map([...found, ...fits].map((entry) => [entry.key, entry])).values()];
}

/** All samples that a search finds, on the page Samples. @param {string} text @param {number} total @returns {Entry} */
function galleryEntry(text, total) {
  const title = "Samples called \u201c" + text + "\u201d";
  const { model, sample } = current();
  const act = () => open(linkTo("samples", { model, sample, find: text }));
  return { kind: "page", key: "samples called", title, also: text, said: total.toLocaleString("en") + " samples", act };
}
