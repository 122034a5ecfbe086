/* The address of the page says what it shows, so that a link or a reload gives the same view. What the addresses of a page
   say, and how, is the server's grammar (app/routescope_app/dashboard/address.py): defaults and bounds are there and nowhere else. */
import * as api from "rs/lib/api.js";
import { build as element } from "rs/lib/dom.js";
import * as visited from "rs/lib/navigation/history.js";
import { compact, isRule, listed, unknownOf } from "rs/lib/units.js";
import { signal } from "rs/vendor/preact.js";

/**
 * @typedef {object} Field what an address says of one thing
 * @property {string} name in the address
 * @property {string} held the name of it in the state of the page
 * @property {"number" | "text" | "flag" | "list" | "shares" | "units" | "view" | "lasso" | "json"} kind
 * @property {unknown} [otherwise] what holds where an address does not say it; null where nothing is named
 * @property {number} [least] of a list, of its members
 * @property {number} [most]
 * @property {number} [longest] of a list or a text
 * @property {string} [pattern] that all of a text follows
 * @property {boolean} [from_zero] whether the state counts from 0 what the address counts from 1
 * @property {boolean} [always] whether it is written also where it is the default
 * @property {[string, unknown]} [only] another one, and the value of that with which alone it is written
 * @property {number[]} [offered] the values that a control offers
 * @property {boolean} [slides] whether it changes step by step while somebody drags or zooms
 * @property {Role} [role] what it is on every page that has it, whatever it is called there
 */

/** @typedef {"units" | "kind" | "mute" | "drop" | "least" | "edges" | "iterations" | "top_k" | "data" | "step" | "pin" | "log"} Role */

/** @typedef {{x: number, y: number, zoom: number}} Part of a picture, that is in view */
/** @typedef {[number, number][]} Corners */

/** Where the server lists the pages: {key: {path, address}}. */
const LISTED = "rs-pages";
const FRAMES = ["model", "sample"]; // what is chosen in the frame around the pages
const HOME = "/"; // its address names no model and no sample
/** @type {Record<string, {path: string, address: Field[]}> | null} */
let grammars = null;

/** @returns {NonNullable<typeof grammars>} */
const pages = () => (grammars = grammars || JSON.parse(document.getElementById(LISTED)?.textContent ?? "{}"));

/** @param {string} page */
const grammarOf = (page) => pages()[page] || { path: "", address: [] };

/** @param {string} page @param {string} held */
function fieldOf(page, held) {
  const found = grammarOf(page).address.find((each) => each.held === held);
  if (!found) throw new Error("The addresses of " + page + " do not say " + held + ".");
  return found;
}

/** The bounds of a field and the values that it offers. @param {string} page @param {string} held */
export function bounds(page, held) {
  const { least = -Infinity, most = Infinity, longest = Infinity, offered = [] } = fieldOf(page, held);
  return { least, most, longest, offered };
}

/**
 * What a page shows where its address says nothing, by the names of its state; who asks gives it a type.
 *
 * @param {string} page
 * @param {...string} names all but the model and the sample where none is named
 * @returns {any}
 */
export function defaults(page, ...names) {
  const own = grammarOf(page).address.map(({ held }) => held);
  const wanted = names.length ? names : own.filter((name) => !FRAMES.includes(name));
  return Object.fromEntries(wanted.map((name) => [name, fieldOf(page, name).otherwise ?? null]));
}

/** Model and sample of an address. @param {string} search @returns {{model: string | null, sample: string | null}} */
export function chosenIn(search) {
  const query = new URLSearchParams(search);
  const [{ address }] = Object.values(pages()); // every page has the frame around it
  const [model, sample] = FRAMES.map((name) => {
    const said = query.get(name);
    const field = address.find(({ held }) => held === name);
    return said && new RegExp(field?.pattern ?? "").test(said) ? said : null;
  });
  return { model, sample };
}

/* -- writing --------------------------------------------------------------------------------------------------- */

/** @param {Record<string, unknown>} entries what is null, undefined, empty or false is left out */
export function queryOf(entries) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? "?" + text.replace(/%2C/g, ",").replace(/%3A/g, ":") : "";
}

/** @param {number} value */
const short = (value) => String(Math.round(value * 1000) / 1000);

/** @type {Record<Field["kind"], (value: any, units?: string[]) => unknown>} */
const TEXTS = {
  number: (/** @type {number} */ value) => value,
  text: (/** @type {string} */ value) => value,
  flag: () => 1,
  list: (/** @type {unknown[]} */ value) => value.join(","),
  shares: (/** @type {Record<string, number>} */ value) => sharesText(value),
  units: (/** @type {string[]} */ value, units) =>
    units && !value.some(isRule) ? compact(units, value) : value.join(","),
  view: (/** @type {Part} */ { x, y, zoom }) => (x || y || zoom !== 1 ? [x, y, zoom].map(short).join(",") : null),
  lasso: (/** @type {(string | number | Corners)[]} */ value) =>
    value.map((each) => (Array.isArray(each) ? each.flat().map(short).join(",") : each)).join(":"),
  json: (/** @type {unknown} */ value) => JSON.stringify(value),
};

/** Shares by name as an address has them. @param {Record<string, number>} shares */
export const sharesText = (shares) =>
  Object.entries(shares)
    .map(([name, share]) => name + ":" + share)
    .join(",");

/** @param {Field} field @param {Record<string, unknown>} values @param {string[]} [units] */
function textOf({ held, kind, otherwise = null, from_zero: fromZero, always, only }, values, units) {
  const value = values[held];
  if (value === null || value === undefined || value === false || (only && values[only[0]] !== only[1])) return null;
  if (!always && JSON.stringify(value) === JSON.stringify(otherwise)) return null;
  if (!fromZero) return TEXTS[kind](value, units);
  return Array.isArray(value) ? value.map((each) => each + 1).join(",") : Number(value) + 1;
}

/**
 * The address of a page that shows `values`, by the names of its state; what is null or the default is left out.
 *
 * @param {string} page
 * @param {Record<string, unknown>} values
 * @param {string[]} [units] all of the model, where their names may be written as ranges
 */
export function linkTo(page, values, units) {
  for (const name of Object.keys(values)) fieldOf(page, name);
  const { path, address } = grammarOf(page);
  return path + queryOf(Object.fromEntries(address.map((each) => [each.name, textOf(each, values, units)])));
}

/** The address of a page with a query, in its order. @param {string} page @param {Record<string, string>} query */
export function linkOfQuery(page, query) {
  const { path, address } = grammarOf(page);
  return path + queryOf(Object.fromEntries(address.map(({ name }) => [name, query[name]])));
}

const AROUND = 64; // tokens of a log that are shown before the one that a link is about

/** A link to a token of a log on Paths, in context. @param {{token: number} & Record<string, unknown>} values */
export const linkToToken = ({ token, ...values }) => linkTo("paths", { ...values, token: Math.max(0, token - AROUND) });

/**
 * Writes what a page shows into its address, while it is open.
 *
 * @param {string} page
 * @param {Record<string, unknown>} values by the names of its state
 * @param {string[]} [units] all of the model, where their names may be written as ranges
 */
export function write(page, values, units) {
  const { path, address } = grammarOf(page);
  if (location.pathname !== path) return;
  const pin = new URLSearchParams(location.search).get("pin");
  const passing = pin && address.some(({ role }) => role === "pin") ? { pin } : {}; // through a page that compares nothing
  const link = linkTo(page, { ...passing, ...values }, units);
  if (link !== location.pathname + location.search) visited.write(link, goesOn(address, link));
}

/** Whether only fields that slide differ from what is shown. @param {Field[]} fields @param {string} link */
function goesOn(fields, link) {
  const [before, after] = [location.search, link].map((each) => new URLSearchParams(each.slice(each.indexOf("?") + 1)));
  return fields.every(({ name, slides }) => slides || before.get(name) === after.get(name));
}

/** Write the chosen model and sample to the address. @param {{model: string | null, sample: string | null}} chosen */
export function follow({ model, sample }) {
  const query = new URLSearchParams(location.search);
  if (
    location.pathname === HOME ||
    !pageAt(location.pathname) ||
    ((query.get("model") || null) === model && (query.get("sample") || null) === sample)
  )
    return;
  visited.write(location.pathname + queryOf({ ...Object.fromEntries(query), model, sample }), false);
}

/** The pages and where they are. */
export const paths = () => Object.entries(pages()).map(([page, { path }]) => /** @type {const} */ ([page, path]));

/* -- from page to page ----------------------------------------------------------------------------------------- */

/** The key of the page at a path; null where there is none. @param {string} path */
export const pageAt = (path) => Object.keys(pages()).find((page) => grammarOf(page).path === path) ?? null;

/**
 * What of an address holds on another page too: the same interventions, data sets and step, by the roles of the fields of
 * both. Where a page has but one list of units and one kind of ablation for all of them (Drop), units that are muted stay
 * muted; of units that are dropped and others that are muted, all are dropped.
 *
 * @param {Field[]} from the grammar of the page that one comes from
 * @param {Field[]} to that of the other one
 * @param {Record<string, string>} query what the address says, by the names in it
 * @returns {Record<string, string>} by the names in the other address
 */
export function carried(from, to, query) {
  /** @type {Partial<Record<Role, string>>} */
  const held = {};
  for (const { name, role } of from) if (role && query[name]) held[role] = query[name];
  const { units, kind, ...same } = held;
  /** @type {{mute?: string, drop?: string}} */
  const { mute, drop } = units ? Object.fromEntries([[kind || "drop", units]]) : same;
  /** @type {Partial<Record<Role, string>>} */
  const given = {
    ...same,
    mute,
    drop,
    units: [mute, drop].filter(Boolean).join(","),
    kind: mute && !drop ? "mute" : undefined,
  };
  if (units && kind) Object.assign(given, { units, kind }); // between pages that know the same kinds
  /** @type {[string, string][]} */
  const found = [];
  for (const { name, role, kind: written } of to) {
    const value = role && given[role];
    if (value && !(written === "number" && !Number.isFinite(Number(value)))) found.push([name, value]);
  }
  return Object.fromEntries(found);
}

/** Roles that say which network is looked at and what is done to it; and what that is compared with. */
const COMPARED = ["units", "kind", "mute", "drop", "least", "edges", "iterations", "top_k", "pin"];

/**
 * The link to the page that is open with all that it shows, but of another model and sample under another intervention.
 *
 * @param {{model: string, sample: string | null}} chosen
 * @param {Partial<Record<Role, string>>} said the intervention and what is pinned, by their roles
 */
export function linkInstead(chosen, said) {
  const { path, address } = grammarOf(pageAt(location.pathname) ?? "");
  const query = Object.fromEntries(new URLSearchParams(location.search));
  for (const { name, role } of address) if (role && COMPARED.includes(role)) delete query[name];
  const roles = /** @type {Role[]} */ (Object.keys(said));
  const given = roles.map((role) => ({ name: role, held: role, kind: /** @type {const} */ ("text"), role }));
  const told = /** @type {Record<string, string>} */ (said);
  return path + queryOf({ ...query, ...chosen, ...carried(given, address, told) });
}

/**
 * The link to a page with what is chosen, and with what the page that is open has in common with it, which holds for the
 * same model alone; what is pinned names its own, and a routing log has none.
 *
 * @param {string} path
 * @param {{model?: string | null, sample?: string | null}} chosen
 */
export function linkFrom(path, chosen) {
  const [from, to] = [pageAt(location.pathname), pageAt(path)];
  const query = Object.fromEntries(new URLSearchParams(location.search));
  const same = from && to && query.model === chosen.model;
  if (same && from === to && (query.sample ?? null) === (chosen.sample ?? null)) return path + location.search; // here
  const fields = from ? grammarOf(from).address : [];
  const held = same ? fields : fields.filter(({ role }) => role === "pin" || role === "log");
  const more = to ? carried(held, grammarOf(to).address, query) : {};
  return path + queryOf({ model: chosen.model, sample: chosen.sample, ...more });
}

/** @type {Partial<Record<Field["kind"], (text: string) => unknown>>} */
const VALUES = {
  number: Number,
  text: String,
  flag: () => true,
  list: (text) => text.split(","),
  units: (text) => text.split(","),
};

/** A link's state: `linkTo` inverted. @param {string} page @param {string} search @returns {Record<string, any>} */
export function stateOf(page, search) {
  const query = new URLSearchParams(search);
  const read = (/** @type {Field} */ { name, held, kind, otherwise = null, from_zero: fromZero }) => {
    const text = query.get(name);
    if (text === null) return [held, otherwise];
    const value = (VALUES[kind] ?? String)(text);
    return [held, fromZero ? Number(value) - 1 : value];
  };
  return Object.fromEntries(grammarOf(page).address.map(read));
}

/**
 * Lets a page take over links of its own that are gone back to, as long as the model is the same; what is chosen of
 * samples and what is pinned follows by itself.
 *
 * @param {string} page
 * @param {(values: Record<string, any>) => Promise<unknown> | null} take null where it has to come anew
 */
export const takesOver = (page, take) =>
  visited.takes(grammarOf(page).path, (search) => {
    notes.value = []; // what they said was of another link
    return take(stateOf(page, search));
  });

/* -- reading --------------------------------------------------------------------------------------------------- */

/** The part of a picture that an address names; null for all of it. @param {string | null} text */
export function viewOf(text) {
  const [x, y, zoom] = text ? text.split(",").map(Number) : [];
  return !zoom || (x === 0 && y === 0 && zoom === 1) ? null : { x, y, zoom };
}

/** What the lasso of an address lies on, and its corners. @param {string} text */
export function lassoOf(text) {
  const on = text.split(":");
  const numbers = String(on.pop()).split(",").map(Number);
  const polygon = /** @type {Corners} */ ([]);
  for (let at = 0; at + 1 < numbers.length; at += 2) polygon.push([numbers[at], numbers[at + 1]]);
  return { on, polygon };
}

/* -- what of a link cannot be shown ----------------------------------------------------------------------------- */

const MOST_LINES = 8;
/** Sentences on it: the server's, then what only the page finds out; parts/history/notes.js shows them. */
export const notes = signal(/** @type {string[]} */ ([]));

/** Says once that something of the link, or of what was chosen before, is not shown. @param {string} line */
export function say(line) {
  const there = notes.value;
  if (!there.includes(line) && there.length < MOST_LINES) notes.value = [...there, line];
}

/**
 * Says which of the units that an address names the model does not have.
 *
 * @param {string} part of the address
 * @param {{id: string, units: string[]}} model
 * @param {string[]} names or ranges
 */
export function sayUnits(part, { id, units }, names) {
  const missed = unknownOf(units, names);
  if (missed.length)
    say(`"${part}" names ${listed(missed)}, ignored here: units of ${id} are ${units[0]} to ${units.at(-1)}.`);
}

/** Say which data sets a model cannot read. @param {string} model @param {string[]} known @param {string[]} names */
export function saySets(model, known, names) {
  const missed = names.filter((name) => !known.includes(name));
  if (missed.length)
    say(`"data" names ${listed(missed)}, ignored here: ${model} is measured on ${known.join(", ") || "none"}.`);
}

/** Say that a step is too large; return the last. @param {string} model @param {number} wanted @param {number} count */
export function stepWithin(model, wanted, count) {
  if (wanted >= count) say(`"step" is ${wanted + 1}, but ${model} has ${count} steps here. Step ${count} is shown.`);
  return Math.max(0, Math.min(count - 1, wanted));
}

/* -- copying --------------------------------------------------------------------------------------------------- */

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    api.notify("Link copied", "It opens this view again, also after a restart.", "good");
  } catch {
    const field = element("textarea", { class: "hidden-visually", "aria-hidden": "true" });
    field.value = location.href;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (copied) api.notify("Link copied", "It opens this view again, also after a restart.", "good");
    else api.notify("The link could not be copied", "Copy it from the address bar.", "bad");
  }
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-copy-link]")) copyLink();
});
