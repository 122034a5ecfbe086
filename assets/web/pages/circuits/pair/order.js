/* The order in which modules are shown. */

/** @import { Reads } from "rs/pages/circuits/types.d.ts" */

/**
 * Places of the modules, by what the answer takes from each; those that are left out come last.
 *
 * @param {Pick<Reads, "units" | "kept" | "shares">} reads
 */
export function order({ units, kept, shares }) {
  /** @param {number} unit */
  const share = (unit) => (kept.has(units[unit]) ? shares[unit] : -1);
  return units.map((_, unit) => unit).sort((a, b) => share(b) - share(a) || a - b);
}
