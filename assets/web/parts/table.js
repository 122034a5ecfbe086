/* Numbers of a picture as a table, for people who rather read them and for those who cannot see the picture. */
import { build } from "rs/lib/dom.js";

/** @param {unknown} value */
function cellOf(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return (Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(4)).replace("-", "\u2212");
}

/**
 * Fills `place` with `rows`, the first of which names the columns.
 *
 * @param {Element} place
 * @param {unknown[][]} rows
 * @param {string} words
 */
export function fill(place, rows, words) {
  const [head, ...body] = rows;
  const headings = head.map((name) => build("th", { scope: "col" }, String(name).replace(/_/g, " ")));
  const lines = body.map(([first, ...rest]) =>
    build(
      "tr",
      {},
      build("th", { scope: "row" }, String(first)),
      ...rest.map((value) => build("td", {}, cellOf(value))),
    ),
  );
  place.replaceChildren(
    build(
      "table",
      { class: "figures" },
      build("caption", {}, words),
      build("thead", {}, build("tr", {}, ...headings)),
      build("tbody", {}, ...lines),
    ),
  );
}
