/* Names of units as text: short, in ranges, searched for, from the least connected on. */

export const MOST_CHIPS = 24; // beyond it a model's units are shown as a grid

export const DISTINCT = 20; // units that are told apart by colour alone
/** @type {WeakMap<string[], Map<string, number>>} */
const places = new WeakMap();

/** Each unit's colour: its place in the model, or in its layer beyond 20. @param {string[]} units */
export function colourPlaces(units) {
  const kept = places.get(units);
  if (kept) return kept;
  const layers = units.map((unit) => unit.slice(0, Math.max(0, unit.lastIndexOf("."))));
  const layered = units.length > DISTINCT && layers.every(Boolean);
  const sizes = /** @type {Map<string, number>} */ (new Map());
  const made = new Map(
    units.map((unit, at) => {
      const place = sizes.get(layers[at]) ?? 0;
      sizes.set(layers[at], place + 1);
      return [unit, layered ? place : at];
    }),
  );
  places.set(units, made);
  return made;
}

/**
 * The same of an expert of a routing log, of which no list of all units is at hand.
 *
 * @param {{layers: {layer: string}[], experts: number} | undefined} facts of the log
 * @param {string} layer
 * @param {number} expert its place in the layer
 */
export function colourPlaceInLog(facts, layer, expert) {
  const row = facts ? facts.layers.findIndex((known) => known.layer === layer) : -1;
  const few = facts && facts.layers.length * facts.experts <= DISTINCT;
  return few && row >= 0 ? row * facts.experts + expert : expert;
}

/* -- names ------------------------------------------------------------------------------------------------ */

/** Names of units as short text, with ranges "m3..m9". @param {string[]} all @param {string[]} chosen */
export function compact(all, chosen) {
  if (all.length <= MOST_CHIPS) return chosen.join(",");
  const wanted = new Set(chosen);
  const parts = [];
  for (let at = 0; at < all.length; at += 1) {
    if (!wanted.has(all[at])) continue;
    const first = at;
    while (at + 1 < all.length && wanted.has(all[at + 1])) at += 1;
    parts.push(...(at - first < 2 ? all.slice(first, at + 1) : [all[first] + ".." + all[at]]));
  }
  return parts.join(",");
}

/** @param {string} name of a layer, such as "l3" */
export const layerName = (name) => "layer " + name.replace(/^l/, "");

/** Whether the service resolves a text, such as "l3.*" or "least:4". @param {string} part */
export const isRule = (part) => part.includes(":") || part.endsWith("*");

/** The units of names and ranges; unknown names are left out. @param {string[]} all @param {string[]} parts */
export function expand(all, parts) {
  const found = new Set();
  for (const part of parts) {
    const ends = all.includes(part) ? [part] : part.split("..");
    const [first, last = first] = ends.map((name) => all.indexOf(name));
    if (first < 0 || last < 0) continue;
    for (let at = Math.min(first, last); at <= Math.max(first, last); at += 1) found.add(all[at]);
  }
  return all.filter((unit) => found.has(unit));
}

/** What of `parts` names no unit of `all`. @param {string[]} all @param {string[]} parts */
export const unknownOf = (all, parts) => parts.filter((part) => !expand(all, [part]).length);

/** @type {Record<string, (a: number, b: number) => boolean>} */
const HOLDS = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };

const LIMIT = /^q(<=?|>=?)(\d+(?:\.\d+)?)$/;

/** @param {string} text */
const partsOf = (text) =>
  text
    .toLowerCase()
    .replace(/\s*(<=?|>=?|\.\.)\s*/g, "$1")
    .split(/[,\s]+/)
    .filter(Boolean);

/**
 * @param {string[]} all
 * @param {string} part
 * @param {ArrayLike<number> | null} connectivity of each unit, where it is known
 */
function meant(all, part, connectivity) {
  const limit = LIMIT.exec(part);
  if (limit && connectivity) return all.filter((_, at) => HOLDS[limit[1]](connectivity[at], Number(limit[2])));
  if (part.endsWith("*")) return all.filter((unit) => unit.toLowerCase().startsWith(part.slice(0, -1)));
  return expand(all, [part]);
}

/**
 * Units that a person asks for: "m1, m5..m9", a part of a name with "*", or their connectivity "q < 30".
 *
 * @param {string[]} all
 * @param {string} text
 * @param {ArrayLike<number> | null} connectivity of each unit, where it is known
 */
export function search(all, text, connectivity) {
  const found = new Set(partsOf(text).flatMap((part) => meant(all, part, connectivity)));
  return all.filter((unit) => found.has(unit));
}

/** @param {number} q */
const precisely = (q) => String(Number(q.toPrecision(4)));

/**
 * What of such a text names nothing, and what there is instead; "" where every part finds a unit.
 *
 * @param {string[]} all
 * @param {string} text
 * @param {number[] | null} connectivity of each unit, where it is known
 * @param {{unit: string, units: string}} words what units are called
 */
export function unfound(all, text, connectivity, { unit, units }) {
  const missed = partsOf(text).filter((part) => !meant(all, part, connectivity).length);
  const limit = missed.map((part) => LIMIT.exec(part)).find(Boolean);
  if (!connectivity && limit) return "the connectivity q of these " + units + " is not known yet";
  if (limit && connectivity) {
    const under = limit[1].startsWith("<");
    const end = (under ? Math.min : Math.max)(...connectivity);
    return (
      "no " +
      unit +
      " has q " +
      limit[1] +
      " " +
      limit[2] +
      "; the " +
      (under ? "smallest" : "largest") +
      " is " +
      precisely(end)
    );
  }
  if (missed.some((part) => part.startsWith("q") && /[<>]/.test(part)))
    return "a bound on the connectivity is q<30, q<=30, q>30 or q>=30";
  if (!missed.length) return "";
  return "there is no " + listed(missed) + "; " + units + " are " + all[0] + " to " + all[all.length - 1];
}

/** Positions of units, least connected first; ties by order. @param {ArrayLike<number>} connectivity */
export const byConnectivity = (connectivity) =>
  Array.from(connectivity, (_, at) => at).sort((a, b) => connectivity[a] - connectivity[b] || a - b);

/** A few names and how many more there are. @param {string[]} units @param {number} [most] */
export function listed(units, most = 6) {
  return units.length <= most
    ? units.join(", ")
    : units.slice(0, 3).join(", ") + " and " + (units.length - 3) + " more";
}
