/* What is pinned, to be compared with what the page shows: A, beside B. It is a part of the page's address
   (PinChoice in app/routescope_app/dashboard/validation.py), so Back undoes it and links between pages carry it. */
import * as address from "rs/lib/address.js";
import * as visited from "rs/lib/navigation/history.js";
import * as sets from "rs/lib/navigation/sets.js";
import { compact, expand, isRule } from "rs/lib/units.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Role } from "rs/lib/address.js" */

/** @typedef {"drop" | "mute" | "mean" | "resample"} Way in which units are taken away */

/**
 * A model, a sample and what is done to them. Units of what was read may be ranges, until `resolved` has found them.
 *
 * @typedef {object} Pinned
 * @property {string} model
 * @property {string | null} sample
 * @property {string[]} drop
 * @property {string[]} mute
 * @property {string[]} mean units that are replaced by their mean, which only accuracies are measured under
 * @property {string[]} resample
 * @property {number | null} edges share of the links that is kept
 * @property {number | null} iterations null: as trained
 * @property {number | null} top_k how many experts a token takes; null: as trained
 */

/** @type {Way[]} */
export const WAYS = ["drop", "mute", "mean", "resample"]; // in the order of the address
const NUMBERS = /** @type {const} */ (["edges", "iterations", "top_k"]); // after them
const SET = "set:"; // before the id of units that the service keeps (rs/lib/navigation/sets.js)
/** What is pinned, as the address says it; "" while nothing is. */
export const pinned = signal("");

const NOTHING = {
  sample: null,
  drop: [],
  mute: [],
  mean: [],
  resample: [],
  edges: null,
  iterations: null,
  top_k: null,
};

/** A pinned view with defaults. @param {Partial<Pinned> & {model: string}} given @returns {Pinned} */
export const asPinned = (given) => ({ ...NOTHING, ...given });

/** The pinned view of an address; null for none. @param {string} text @returns {Pinned | null} */
export function read(text) {
  const [model, sample, ...said] = text.replaceAll(SET, "set;").split(":");
  if (!model) return null;
  const given = Object.fromEntries(said.flatMap((name, at) => (at % 2 ? [] : [[name, said[at + 1] ?? ""]])));
  const ways = WAYS.map((way) => [way, (given[way] ?? "").replaceAll("set;", SET).split(",").filter(Boolean)]);
  /** @param {string} name */
  const number = (name) => (given[name] ? Number(given[name]) : null);
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, number(name)]));
  return asPinned({ model, sample: sample || null, ...Object.fromEntries(ways), ...numbers });
}

/** Units as an address names them; sets stay sets. @param {string[]} names @param {string[]} [units] */
const textOf = (names, units) => (units && !names.some(isRule) ? compact(units, names) : names.join(","));

/** The address text of a pinned view. @param {Pinned} view @param {string[]} [units] */
export function write(view, units) {
  const parts = [view.model, view.sample ?? ""];
  for (const way of WAYS) if (view[way].length) parts.push(way, textOf(view[way], units));
  for (const name of NUMBERS) if (view[name] !== null) parts.push(name, String(view[name]));
  return parts.join(":");
}

/**
 * With the units that the model has, ranges and kept sets as what they stand for; says once which of them it does not
 * have, and which sets are not kept.
 *
 * @param {Pinned} view
 * @param {{id: string, units: string[]}} model
 * @returns {Promise<Pinned>}
 */
export async function resolved(view, model) {
  const ways = await Promise.all(
    WAYS.map(async (kind) => [kind, (await sets.unitsOfAddress("pin", model, view[kind], { kind })).units]),
  );
  return { ...view, ...Object.fromEntries(ways) };
}

/** @param {Pinned} view @param {string[]} units */
const inOrder = (view, units) => ({
  ...view,
  ...Object.fromEntries(WAYS.map((way) => [way, expand(units, sets.unfolded(view[way]))])),
});

/** Whether two views are the same. @param {Pinned} a @param {Pinned} b @param {string[]} [units] */
export function same(a, b, units) {
  const [one, other] = [a, b].map((each) => write(units ? inOrder(each, units) : each));
  return one === other;
}

/** A view with long lists kept as sets. @param {Pinned} view @param {string[]} [units] @returns {Promise<Pinned>} */
async function shortened(view, units = []) {
  const named = WAYS.map(async (way) => {
    const name = await sets.inAddress(units, view[way]);
    return [way, name ? [name] : view[way]];
  });
  return { ...view, ...Object.fromEntries(await Promise.all(named)) };
}

/** Pin what is shown; the caller writes the address. @param {Pinned} shown @param {string[]} [units] */
export async function pin(shown, units) {
  pinned.value = write(await shortened(shown, units), units);
}

/** Pins nothing. Who calls it has the page write its address. */
export function unpin() {
  pinned.value = "";
}

/** What of an intervention pages have in common, by its roles. @param {Pinned} view @param {string[]} [units] */
function rolesOf(view, units) {
  const text = (/** @type {string[]} */ names) => textOf(names, units);
  const kind = view.mean.length ? "mean" : "resample";
  const away = view[kind].length ? { kind, units: text(view[kind]) } : { mute: text(view.mute), drop: text(view.drop) };
  return { ...away, ...Object.fromEntries(NUMBERS.map((name) => [name, String(view[name] ?? "")])) };
}

/** The link on which A and B have changed places. @param {Pinned} shown @param {string[]} [units] */
export function swapped(shown, units) {
  const a = read(pinned.value);
  if (!a) throw new Error("There is nothing pinned to swap with.");
  const { model, sample } = a;
  return address.linkInstead({ model, sample: sample ?? shown.sample }, { ...rolesOf(a), pin: write(shown, units) });
}

/** Shows what was pinned, and pins what was shown. @param {Pinned} shown @param {string[]} [units] */
export const swap = async (shown, units) => visited.open(swapped(await shortened(shown, units), units));
