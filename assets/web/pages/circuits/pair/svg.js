/* Pictures of scenes as SVG, from the same outlines, radii and colours as the picture that the network gets; and the
   things of a picture as items of a canvas scene (draw/scene.js), for files. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";

/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Thing, Vocabulary } from "rs/pages/circuits/types.d.ts" */

/** @type {Vocabulary | null} */
let vocabulary = null;
/** @type {Promise<Vocabulary> | null} */
let coming = null;
/** @type {Map<string, string>} */
const paths = new Map(); // shape -> its outline as a path, from -1 to 1

/**
 * What pictures are made of, from the API, once: {shapes, colours, sizes, background, most_things, side}.
 *
 * @returns {Promise<Vocabulary>}
 */
export function load() {
  coming =
    coming ||
    api.send("GET", "/scenes/vocabulary").then(
      (answer) => {
        vocabulary = understood(answer);
        return vocabulary;
      },
      (problem) => {
        coming = null;
        throw problem;
      },
    );
  return coming;
}

/**
 * @param {Schemas["Vocabulary"]} answer
 * @returns {Vocabulary}
 */
function understood(answer) {
  const shapes = new Map(answer.shapes.map(({ name, outline }) => [name, outline]));
  paths.clear();
  for (const [name, outline] of shapes)
    paths.set(name, "M" + outline.map(([x, y]) => x.toFixed(4) + "," + y.toFixed(4)).join("L") + "Z");
  return {
    shapes: [...shapes.keys()],
    colours: new Map(answer.colours.map(({ name, hex }) => [name, hex])),
    sizes: new Map(answer.sizes.map(({ name, radius }) => [name, radius])),
    background: answer.background,
    most: answer.most_things,
    side: answer.side || 48,
    outlines: shapes,
  };
}

/** @param {string} shape */
export const pathOf = (shape) => paths.get(shape) || "";
/** @param {string} size */
export const radiusOf = (size) => (vocabulary && vocabulary.sizes.get(size)) || 0.1;
/** @param {string} name */
export const colourOf = (name) => (vocabulary && vocabulary.colours.get(name)) || "#808080";

/** @param {Pick<Thing, "x" | "y" | "size">} thing */
export const placed = ({ x, y, size }) => "translate(" + x + " " + y + ") scale(" + radiusOf(size) + ")";

/** The ground of a picture, behind its things. */
export const Ground = () => html`<rect x="0" y="0" width="1" height="1" fill=${knownVocabulary().background} />`;

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

/**
 * The things of a picture as items of a canvas scene, in a square of `side` at (x, y).
 *
 * @param {Thing[]} things
 * @param {number} x
 * @param {number} y
 * @param {number} side
 * @returns {Item[]}
 */
export function items(things, x, y, side) {
  const { outlines, background } = knownVocabulary();
  /** @type {Item[]} */
  const shapes = things.map((thing) => {
    const radius = radiusOf(thing.size) * side;
    /** @param {[number, number]} at */
    const corner = ([u, v]) =>
      (x + thing.x * side + u * radius).toFixed(2) + "," + (y + thing.y * side + v * radius).toFixed(2);
    return {
      shape: "path",
      d: "M" + (outlines.get(thing.shape) ?? []).map(corner).join("L") + "Z",
      fill: colourOf(thing.colour),
    };
  });
  return [{ shape: "rect", x, y, w: side, h: side, fill: background }, ...shapes];
}

/** What pictures are made of, where one knows that it has come. */
function knownVocabulary() {
  if (!vocabulary) throw new Error("What pictures are made of has not come yet.");
  return vocabulary;
}

export { knownVocabulary as vocabulary };
