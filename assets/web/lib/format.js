/* Numbers as people read them: signs, percent, points, large ones, ranges. */

const MINUS = "\u2212";

/**
 * @param {number} value
 * @param {number} digits
 */
export const fixed = (value, digits) => value.toFixed(digits).replace("-", MINUS);
/**
 * @param {number} value
 * @param {number} digits
 */
export const signed = (value, digits) => (value > 0 ? "+" : "") + fixed(value === 0 ? 0 : value, digits);
const SMALL = 0.1; // from here on so many decimals are as many digits at least

/**
 * A value with so many decimals, and a small one with as many as so many digits of it need.
 *
 * @param {number} value
 * @param {number} digits
 */
export const significant = (value, digits) =>
  value === 0 || Math.abs(value) >= SMALL
    ? fixed(value, digits)
    : String(Number(value.toPrecision(digits))).replace(/-/g, MINUS);
/** @param {number} value */
export const percent = (value) => fixed(100 * value, 1);
/**
 * A probability as a percentage; what is not certain is never shown as 100 %.
 *
 * @param {number} value
 */
export const probability = (value) => (value < 1 && value >= 0.9995 ? ">99.9" : (value * 100).toFixed(1)) + " %";
/** @param {number} value */
export const points = (value) => signed(100 * value, 1);
/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en");

/**
 * "1.23 M" of a large number.
 *
 * @param {number} value
 */
export function short(value) {
  const [size, unit] = value >= 1e9 ? [1e9, "G"] : value >= 1e6 ? [1e6, "M"] : value >= 1e3 ? [1e3, "k"] : [1, ""];
  return (value / size).toPrecision(3) + (unit ? "\u202f" + unit : "");
}

/**
 * @param {{low: number | null, high: number | null}} interval
 * @param {(value: number) => string} show
 * @param {string} unit
 */
export const range = ({ low, high }, show, unit) =>
  low === null || high === null ? "" : "95 %: " + show(low) + " to " + show(high) + unit;

/**
 * "5", "0.05": a share in percent, with as many digits as it needs.
 *
 * @param {number} share
 */
export const percentOf = (share) => String(Number((100 * share).toPrecision(3)));

const SHORT = 3; // letters of a label's name that have room where numbers have

/**
 * What a label is called where there is little room: the last word of its name, if those of all are short and differ;
 * else its number.
 *
 * @param {string[]} labels
 * @param {number} label
 */
export function labelName(labels, label) {
  const words = labels.map((name) => name.slice(name.lastIndexOf(" ") + 1));
  const fits =
    words.length > label && words.every((word) => word.length <= SHORT) && new Set(words).size === words.length;
  return fits ? words[label] : String(label);
}

/**
 * A share in percent, with a decimal where it is small.
 *
 * @param {number} share
 */
export const roundShare = (share) => (100 * share).toFixed(share < 0.1 ? 1 : 0) + " %";
