/* Units as addresses and requests name them. Names and ranges are the page's own; what rules and kept sets stand for the
   service knows. A list that is too long is kept by the service, and named by a short id. */
import * as api from "rs/lib/api.js";
import { queryOf, say, sayUnits } from "rs/lib/address.js";
import { compact, expand, isRule } from "rs/lib/units.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

export const LONGEST = 1000; // characters of a list of units in an address
const LONGEST_ASKED = 4000; // in a request
const MOST_ASKED = 1000; // units that a request names one by one
/** @type {Map<string, Promise<string>>} */
const names = new Map(); // of sets that are kept, by what is in them
/** @type {Map<string, string[]>} */
const contents = new Map(); // of sets by their names, as far as they are known here

/** @param {string} part */
const isSet = (part) => part.startsWith("set:");

/**
 * Has the service keep some units; gives what stands for them. Where it does not answer, they are named.
 *
 * @param {string[]} units
 * @returns {Promise<string>}
 */
export async function kept(units) {
  const key = units.join(",");
  const asked =
    names.get(key) ??
    api.send("POST", "/unit-sets", { units }).then((/** @type {Schemas["UnitSet"]} */ { name }) => name);
  names.set(key, asked);
  try {
    const name = await asked;
    contents.set(name, units);
    return name;
  } catch {
    names.delete(key);
    return key;
  }
}

/**
 * Units with those of kept sets in place of their names, as far as these are known here.
 *
 * @param {string[]} parts
 */
export const unfolded = (parts) => parts.flatMap((part) => contents.get(part) ?? [part]);

/**
 * Whether so many units are more than a request names.
 *
 * @param {string[]} units
 */
const tooMany = (units) => units.length > MOST_ASKED || units.join(",").length > LONGEST_ASKED;

/**
 * Units as a request names them.
 *
 * @param {string[]} units
 * @returns {Promise<string>} with commas between them
 */
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
  if (rule === rules[0] && isSet(rule)) contents.set(rule, units);
  return { units, rules, observed };
}

/**
 * The same of an address: what of it the service refuses is said once, and the rest holds.
 *
 * @param {string} part of the address
 * @param {{id: string, units: string[]}} model
 * @param {string[]} parts
 * @param {{kind?: string, top_k?: number | null}} [more]
 * @returns {Promise<Named & {parts: string[]}>} with the parts that hold
 */
export async function unitsOfAddress(part, model, parts, more) {
  const plain = parts.filter((each) => !isRule(each));
  sayUnits(part, model, plain);
  /** @type {string[]} */
  const taken = [];
  for (const rule of parts.filter(isRule)) {
    try {
      await unitsOf(model, [...plain, ...taken, rule], more);
      taken.push(rule);
    } catch (error) {
      const problem = /** @type {api.Problem} */ (error);
      if (!problem.status || problem.status >= 500) throw error;
      const known = isSet(rule) ? " What else the link says is shown." : "";
      say(`"${part}" is ${rule}, ignored here. ${problem.message}${known}`);
    }
  }
  const holds = parts.filter((each) => !isRule(each) || taken.includes(each));
  return { ...(await unitsOf(model, holds, more)), parts: holds };
}
