/* Numbers as people read them: signs, percent, points, large ones, ranges. */

const MINUS = "\u2212";

/** @param {number} value @param {number} digits */
export const fixed = (value, digits) => value.toFixed(digits).replace("-", MINUS);
/** @param {number} value @param {number} digits */
export const signed = (value, digits) => (value > 0 ? "+" : "") + fixed(value === 0 ? 0 : value, digits);
const [DIGITS, DECIMALS] = [3, 3]; // of a figure

const SMALLEST = 0.5 * 10 ** -DECIMALS;

/**
 * The rule for every figure that is no percentage: three significant digits, at most three decimals, zeros kept, so that
 * 1.697 is "1.70" in every place. A smaller value keeps one significant digit. Beside an estimate `like` it has the
 * estimate's decimals.
 *
 * @param {number} value
 */
export function figure(value, like = value) {
  const rounded = Math.abs(Number(like.toPrecision(DIGITS)));
  if (!rounded || !Number.isFinite(rounded)) return fixed(value || 0, 0);
  const small = rounded < SMALLEST;
  if (small && value === like) return String(Number(value.toPrecision(1))).replace(/-/g, MINUS);
  const first = Math.floor(Math.log10(small ? Number(rounded.toPrecision(1)) : rounded));
  const last = small ? first : Math.max(-DECIMALS, first - DIGITS + 1);
  const place = 10 ** Math.max(0, last);
  const decimals = Math.max(0, -last);
  const whole = place > 1 ? Math.round(value / place) * place : value;
  return fixed(Number(whole.toFixed(decimals)) || 0, decimals);
}

/**
 * An estimate and the ends of its interval in words, with the same decimals: those of the estimate, or of the larger end
 * where the estimate is nearly 0. "" for what is not known.
 *
 * @param {(value: number, like?: number) => string} show
 * @param {(number | null)[]} values the estimate first
 */
export function together(show, values) {
  const [value, ...ends] = values.map((each) => each ?? 0);
  const like = Math.abs(value) < SMALLEST ? Math.max(...ends.map(Math.abs)) || value : value;
  return values.map((each) => (each === null ? "" : show(each, like)));
}
/** @param {number} value */
export const percent = (value) => fixed(100 * value, 1);
/** A probability as a percentage. Only certainty is "100.0 %", only the impossible is "0.0 %". @param {number} value */
export function probability(value) {
  if (value < 1 && value >= 0.9995) return ">99.9 %";
  return value > 0 && value < 0.0005 ? "<0.1 %" : percent(value) + " %";
}
/** @param {number} value */
export const points = (value) => signed(100 * value, 1);
/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en");

/** @type {[number, string][]} */
const SIZES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** "1.23 M" of a large number. The unit follows the rounded number: 999,700 is "1.00 M". @param {number} value */
export function short(value) {
  const rounded = Number(value.toPrecision(3));
  const [size, unit] = SIZES.find(([least]) => Math.abs(rounded) >= least) ?? [1, ""];
  const digits = Math.abs(rounded) / size >= 1000 ? whole(rounded / size) : (rounded / size).toPrecision(3);
  return digits + (unit ? "\u202f" + unit : "");
}

/**
 * An estimate in words, and its interval: {value: "1.70", detail: "95 %: 0.99 to 2.41"}.
 *
 * @param {{value: number, low: number | null, high: number | null}} interval
 * @param {(value: number, like?: number) => string} show
 * @param {string} unit
 */
export function estimate({ value, low, high }, show, unit) {
  const [said, ...ends] = together(show, [value, low, high]);
  return { value: said, detail: low === null || high === null ? "" : "95 %: " + ends.join(" to ") + unit };
}

/** "5", "0.05": a share in percent, with as many digits as it needs. @param {number} share */
export const percentOf = (share) => String(Number((100 * share).toPrecision(3)));

const SHORT = 3; // letters of a label's name that have room where numbers have

/** The last word of a label if all are short, else its number. @param {string[]} labels @param {number} label */
export function labelName(labels, label) {
  const words = labels.map((name) => name.slice(name.lastIndexOf(" ") + 1));
  const fits =
    words.length > label && words.every((word) => word.length <= SHORT) && new Set(words).size === words.length;
  return fits ? words[label] : String(label);
}

/** A share in percent, with a decimal where it is small. @param {number} share */
export const roundShare = (share) => (100 * share).toFixed(share < 0.1 ? 1 : 0) + " %";
