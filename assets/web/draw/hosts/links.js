/* Probabilities of links between modules, learned beside their prior: a figure for notebooks, files and other apps. */
import { hosted, pictured, select } from "rs/draw/hosts/host.js";
import { bar, chart, text } from "rs/draw/marks.js";
import { fixed } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {{title: string, units: string[], f4: string, names: string[], orders: Record<string, number[]>}} Data */

const [TOP, GAP] = [28, 28];
const WIDEST = 440; // pixels of a matrix

/** @param {string} f4 base64 of float32 */
const numbersOf = (f4) => new Float32Array(Uint8Array.from(atob(f4), (character) => character.charCodeAt(0)).buffer);

/**
 * A matrix for each name, one beside the other; a darker cell is a more probable link.
 *
 * @param {Data} data @param {string} order @param {number} width
 */
export function matrices({ title, units, f4, names, orders }, order, width) {
  const probability = numbersOf(f4);
  const places = orders[order] ?? units.map((_, place) => place);
  const count = units.length;
  const side = Math.min(WIDEST, (width - GAP * (names.length - 1) - 8) / names.length);
  const cell = side / count;
  const marks = names.flatMap((name, matrix) => {
    const left = 4 + matrix * (side + GAP);
    const cells = places.flatMap((from, row) =>
      places.map((to, column) => ({ row, column, from, to, p: probability[(matrix * count + from) * count + to] })),
    );
    return [
      text([name], { x: left, y: 14, weight: 650 }),
      bar([0], { x: [left, left + side], y: [TOP, TOP + side], fill: "hair" }),
      bar(cells, {
        x: ({ column }) => [left + column * cell, left + (column + 1) * cell],
        y: ({ row }) => [TOP + row * cell, TOP + (row + 1) * cell],
        fill: "accent",
        opacity: ({ p }) => p,
        words: ({ from, to, p }) => units[from] + " reads " + units[to] + ": " + fixed(p, 3) + ", " + name,
      }),
    ];
  });
  return chart({
    width,
    height: TOP + side + 6,
    title,
    desc: "Probability of the link between the modules of a row and a column: " + names.join(", ") + ".",
    marks,
  });
}

/** @type {Mount<Data, {order?: string}>} */
export const mount = pictured((now, emit) => {
  const names = () => Object.keys(now.data.orders);
  const chosen = () => now.choice.order ?? names()[0];
  return {
    controls: () => html`<p>${select("Order", { options: names().map((name) => [name, name]), value: chosen() }, (order) => emit({ order }))}</p>`, // prettier-ignore
    scene: (width) => matrices(now.data, chosen(), width),
    words: () => html`<p>Darker cells: more probable links. Point at a cell for its probability.</p>`,
  };
});

export default hosted("links", mount);
