/* Numbers of a picture as a table, for people who rather read them and for those who cannot see the picture. */
import { html, show } from "rs/lib/view.js";
import { render } from "rs/vendor/preact.js";

/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/** @param {unknown} value */
function cellOf(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en").replace("-", "\u2212");
  // Four decimals, and of what they leave little of two digits.
  return (Math.abs(value) < 0.001 ? String(Number(value.toPrecision(2))) : value.toFixed(4)).replace("-", "\u2212");
}

/**
 * A table of numbers: cells of its head, rows of its body.
 *
 * @param {{heads: ComponentChildren, rows: ComponentChildren, caption?: string, look?: string}} props
 */
export const Figures = ({ heads, rows, caption, look }) =>
  html`<table class=${look ? "figures " + look : "figures"}>
    ${
      caption &&
      html`<caption>
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;

/** Rows, the first of which names the columns, as a table. @param {{rows: unknown[][], caption: string}} props */
export function TableOf({ rows: [head, ...body], caption }) {
  const heads = head.map((name) => html`<th scope="col">${String(name).replace(/_/g, " ")}</th>`);
  const lines = body.map(
    ([first, ...rest]) =>
      html`<tr>
        <th scope="row">${String(first)}</th>
        ${rest.map((value) => html`<td>${cellOf(value)}</td>`)}
      </tr>`,
  );
  return html`<${Figures} heads=${heads} rows=${lines} caption=${caption} />`;
}

/** Fill `place` with a table of `rows`. @param {Element} place @param {unknown[][]} rows @param {string} words */
export function fill(place, rows, words) {
  if (!place.hasChildNodes()) render(null, place); // what a page took away by itself is drawn anew
  show(place, () => html`<${TableOf} rows=${rows} caption=${words} />`);
}

/** Takes the table away. @param {Element} place */
export const clear = (place) => render(null, place);
