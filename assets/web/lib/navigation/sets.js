/* Units as addresses and requests name them. Names and ranges are the page's own; what rules and kept sets stand for the
   service knows. A list that is too long is kept by the service, and named by a short id. */
import * as api from "rs/lib/api.js";
import { queryOf, say, sayUnits } from "rs/lib/address.js";
import { hasData } from "rs/lib/models.js";
import { compact, expand, isRule } from "rs/lib/units.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

export const LONGEST = 1000; // characters of a list of units in an address
const LONGEST_ASKED = 4000; // in a request
const MOST_ASKED = 1000; // units that a request names one by one
const MOST_KNOWN = 64; // sets whose units are known here
const GONE = /there is no set (set:[0-9a-f]+)/i; // as the service says it
/** @type {Map<string, Promise<string>>} */
const names = new Map(); // of sets that are kept, by what is in them
/** @type {Map<string, string>} */
const keys = new Map(); // what is in them, by the name that the service gave
/** @type {Map<string, string[]>} */
const contents = new Map(); // of sets by their names, as far as they are known here

/**
 * Learns something of a set; what was learned longest ago is forgotten.
 *
 * @template Known
 * @param {Map<string, Known>} map
 * @param {string} key
 * @param {Known} value
 */
function learn(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_KNOWN) map.delete(/** @type {string} */ (map.keys().next().value));
}

api.refusals.add(({ message }) => {
  const gone = GONE.exec(message)?.[1] ?? "";
  names.delete(keys.get(gone) ?? ""); // it is kept anew when it is named again
});

/** Whether a rule asks how much units are used, which is observed on data sets. @param {string} part */
const asksUse = (part) => /^(.+\.)?least:|^share:/.test(part);

/** @param {string} part */
const isSet = (part) => part.startsWith("set:");

/** Keep units as a set; return its name, or the units. @param {string[]} units @returns {Promise<string>} */
export async function kept(units) {
  const key = units.join(",");
  const asked =
    names.get(key) ??
    api.send("POST", "/unit-sets", { units }).then((/** @type {Schemas["UnitSet"]} */ { name }) => name);
  learn(names, key, asked);
  try {
    const name = await asked;
    learn(keys, name, key);
    learn(contents, name, units);
    return name;
  } catch {
    names.delete(key);
    return key;
  }
}

/** Units with those of kept sets in place of their names, as far as these are known here. @param {string[]} parts */
export const unfolded = (parts) => parts.flatMap((part) => contents.get(part) ?? [part]);

/** Whether so many units are more than a request names. @param {string[]} units */
const tooMany = (units) => units.length > MOST_ASKED || units.join(",").length > LONGEST_ASKED;

/** Units as a request names them. @param {string[]} units @returns {Promise<string>} with commas between them */
export const inRequest = async (units) => (tooMany(units) ? kept(units) : units.join(","));

/**
 * What an address says in place of a list that is too long for it; "" where it is not.
 *
 * @param {string[]} all units of the model
 * @param {string[]} units
 * @param {string} [rule] that gave them
 */
export async function inAddress(all, units, rule) {
  return (rule || compact(all, units)).length > LONGEST ? kept(units) : "";
}

/**
 * @typedef {object} Named
 * @property {string[]} units
 * @property {string[]} rules that stand for some of them
 * @property {{count: number} | null} observed how their use was observed, where a rule asks for it
 */

/**
 * The units that names, ranges and rules stand for; raises what the service says where it can't be.
 *
 * @param {{id: string, units: string[]}} model
 * @param {string[]} parts
 * @param {{kind?: string, top_k?: number | null}} [more] what is done to them
 * @returns {Promise<Named>}
 */
export async function unitsOf(model, parts, { kind, top_k } = {}) {
  const rules = parts.filter(isRule);
  const own = expand(
    model.units,
    parts.filter((part) => !isRule(part)),
  );
  if (!rules.length) return { units: own, rules, observed: null };
  const rule = [...(own.length ? [await inRequest(own)] : []), ...rules].join(",");
  /** @type {Schemas["NamedUnits"]} */
  const { units, observed = null } = await api.send(
    "GET",
    "/models/" + encodeURIComponent(model.id) + "/units" + queryOf({ rule, kind, top_k }),
  );
  if (rule === rules[0] && isSet(rule)) learn(contents, rule, units);
  return { units, rules, observed };
}

/**
 * The same of an address: what of it the service refuses is said once, and the rest holds.
 *
 * @param {string} part of the address
 * @param {{id: string, units: string[]}} model
 * @param {string[]} named
 * @param {{kind?: string, top_k?: number | null}} [more]
 * @returns {Promise<Named & {parts: string[]}>} with the parts that hold
 */
export async function unitsOfAddress(part, model, named, more) {
  const byUse = named.filter(asksUse);
  const unobserved = byUse.length && !(await hasData(model.id)) ? byUse : [];
  for (const rule of unobserved)
    say(`"${part}" is ${rule}, ignored here. Use is observed on data sets, of which ${model.id} has none here.`);
  const parts = named.filter((each) => !unobserved.includes(each));
  const plain = parts.filter((each) => !isRule(each));
  sayUnits(part, model, plain);
  const rules = parts.filter(isRule);
  const all = await tried(model, parts, more);
  if (!(all instanceof api.Problem)) return { ...all, parts };
  /** @type {string[]} */
  let holds = plain;
  /** @type {Named | null} */
  let found = null;
  for (const rule of rules) {
    const next = rules.length === 1 ? all : await tried(model, [...holds, rule], more);
    if (next instanceof api.Problem) {
      const known = isSet(rule) ? " What else the link says is shown." : "";
      say(`"${part}" is ${rule}, ignored here. ${next.message}${known}`);
    } else [holds, found] = [[...holds, rule], next];
  }
  return { ...(found ?? (await unitsOf(model, plain, more))), parts: parts.filter((each) => holds.includes(each)) };
}

/**
 * The units that parts stand for, or what the service refuses of them; raises where it does not answer.
 *
 * @param {{id: string, units: string[]}} model
 * @param {string[]} parts
 * @param {{kind?: string, top_k?: number | null}} [more]
 * @returns {Promise<Named | api.Problem>}
 */
async function tried(model, parts, more) {
  try {
    return await unitsOf(model, parts, more);
  } catch (error) {
    if (error instanceof api.Problem && error.status && error.status < 500) return error;
    throw error;
  }
}
