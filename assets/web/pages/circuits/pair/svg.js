/* Pictures of scenes as SVG, from the same outlines, radii and colours as the picture that the network gets; and the
   things of a picture as items of a canvas scene (draw/scene.js), for files. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Thing } from "rs/pages/circuits/types.d.ts" */

/** @type {Vocabulary | null} */
let known = null;
/** @type {Map<string, Promise<Vocabulary>>} */
const coming = new Map();

/** What pictures are made of, from the API, once. */
export const load = () =>
  api.remembered(coming, "", async () => (known = understood(await api.send("GET", "/scenes/vocabulary"))));

/** @typedef {ReturnType<typeof understood>} Vocabulary */

/** @param {Schemas["Vocabulary"]} answer */
const understood = ({ shapes, colours, sizes, background, most_things: most, side }) => ({
  outlines: new Map(shapes.map(({ name, outline }) => [name, outline])), // corners from -1 to 1, by shape
  colours: new Map(colours.map(({ name, hex }) => [name, hex])),
  sizes: new Map(sizes.map(({ name, radius }) => [name, radius])),
  background,
  most, // things that one picture may have
  side, // pixels that the network takes
});

/** What pictures are made of, once it is there. */
export function vocabulary() {
  if (!known) throw new Error("What pictures are made of has not come yet.");
  return known;
}

/** @param {string} size */
export const radiusOf = (size) => known?.sizes.get(size) ?? 0.1;
/** @param {string} name */
export const colourOf = (name) => known?.colours.get(name) ?? "#808080";
/** The outline of a shape about (x, y) as a path. @param {string} shape */
export const pathOf = (shape, x = 0, y = 0, radius = 1, digits = 4) =>
  "M" + (known?.outlines.get(shape) ?? []).map(([u, v]) => (x + u * radius).toFixed(digits) + "," + (y + v * radius).toFixed(digits)).join("L") + "Z"; // prettier-ignore

/** @param {Pick<Thing, "x" | "y" | "size">} thing */
export const placed = ({ x, y, size }) => "translate(" + x + " " + y + ") scale(" + radiusOf(size) + ")";

/** The ground of a picture, behind its things. */
export const Ground = () => html`<rect x="0" y="0" width="1" height="1" fill=${vocabulary().background} />`;

/** A small picture. @param {{things: Thing[]}} props */
export const Thumb = ({ things }) =>
  html`<svg viewBox="0 0 1 1" aria-hidden="true" class="pair-thumb">
    <${Ground} />
    ${things.map((thing) => html`<path d=${pathOf(thing.shape)} fill=${colourOf(thing.colour)} transform=${placed(thing)} />`)}
  </svg>`;

/** A shape on its own, for buttons. @param {{shape: string}} props */
export const Symbol = ({ shape }) =>
  html`<svg viewBox="-1.15 -1.15 2.3 2.3" aria-hidden="true" class="pair-symbol">
    <path d=${pathOf(shape)} fill="currentColor" />
  </svg>`;

/** The things of a picture for a canvas, in a square. @type {(things: Thing[], x: number, y: number, side: number) => Item[]} */
export const items = (things, x, y, side) => [
  { shape: "rect", x, y, w: side, h: side, fill: vocabulary().background },
  ...things.map((thing) => ({
    shape: /** @type {const} */ ("path"),
    d: pathOf(thing.shape, x + thing.x * side, y + thing.y * side, radiusOf(thing.size) * side, 2),
    fill: colourOf(thing.colour),
  })),
];
