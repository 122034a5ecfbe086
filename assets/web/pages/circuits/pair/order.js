/* The order in which modules are shown. */

/** Places of the modules, by what the answer takes from each; those that are left out come last. */
export function order({ units, kept, shares }) {
  const share = (unit) => (kept.has(units[unit]) ? shares[unit] : -1);
  return units.map((_, unit) => unit).sort((a, b) => share(b) - share(a) || a - b);
}
