/* Scenes as plain data, and what can be done to them: {pictures: [[{shape, colour, size, x, y}, ...], ...]}, x and y from 0
   to 1 across and down the picture. Every function gives a new scene and leaves the old one as it was. */

import { radiusOf } from "rs/pages/circuits/pair/svg.js";

/** @import { Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */

const DIGITS = 1000; // places are told to a thousandth of the picture

/** @param {number} value */
const rounded = (value) => Math.round(value * DIGITS) / DIGITS;

/** @type {(scene: Scene, at: number, change: (things: Thing[]) => Thing[]) => Scene} */
const withPicture = (scene, at, change) => ({
  pictures: scene.pictures.map((things, index) => (index === at ? change(things) : things)),
});

/** A thing moved so far, where it has to be, that all of it lies in the picture. @param {Thing} thing @returns {Thing} */
function fitted(thing) {
  const radius = Math.min(0.5, radiusOf(thing.size));
  const place = (/** @type {number} */ value) =>
    value >= radius && value <= 1 - radius ? value : rounded(Math.max(radius, Math.min(1 - radius, value)));
  return { ...thing, x: place(thing.x), y: place(thing.y) };
}

/** @type {(scene: Scene, at: ThingPlace, changes: Partial<Thing>) => Scene} */
export const change = (scene, { picture, index }, changes) =>
  withPicture(scene, picture, (things) =>
    things.map((thing, each) => (each === index ? fitted({ ...thing, ...changes }) : thing)),
  );

/** @type {(scene: Scene, at: ThingPlace, x: number, y: number) => Scene} */
export const move = (scene, at, x, y) => change(scene, at, { x: rounded(x), y: rounded(y) });

/** @param {Scene} scene @param {number} picture @param {Thing} thing */
export const add = (scene, picture, thing) => withPicture(scene, picture, (things) => [...things, fitted(thing)]);

/** @param {Scene} scene @param {ThingPlace} at */
export const remove = (scene, { picture, index }) =>
  withPicture(scene, picture, (things) => things.filter((_, each) => each !== index));

/** The thing in another picture, on top of the others there. @type {(scene: Scene, at: ThingPlace, picture: number) => Scene} */
export const carry = (scene, at, picture) => add(remove(scene, at), picture, scene.pictures[at.picture][at.index]);

/** @param {Scene} scene */
export const swap = (scene) => ({ pictures: [...scene.pictures].reverse() });

/** @param {Scene | null} scene @param {ThingPlace | null} at @returns {Thing | null} */
export const thingAt = (scene, at) => (scene && at && scene.pictures[at.picture][at.index]) || null;

/** The place that is farthest from all things: where a new one is seen best. @param {Thing[]} things @param {string} size */
export function emptiest(things, size) {
  const radius = radiusOf(size);
  const steps = 11;
  let best = { x: 0.5, y: 0.5, free: -Infinity };
  for (let cell = 0; cell < steps * steps; cell += 1) {
    const place = (/** @type {number} */ step) => radius + ((1 - 2 * radius) * step) / (steps - 1);
    const [x, y] = [place(cell % steps), place(Math.floor(cell / steps))];
    const gaps = things.map((thing) => Math.hypot(thing.x - x, thing.y - y) - radiusOf(thing.size) - radius);
    const middle = 1e-3 * (0.7 - Math.hypot(x - 0.5, y - 0.5)); // in an empty picture, the middle
    const free = Math.min(0.5, ...gaps) + middle;
    if (free > best.free) best = { x: rounded(x), y: rounded(y), free };
  }
  return { x: best.x, y: best.y };
}

/* -- in words ------------------------------------------------------------------------------------------------- */

/** The pictures of a pair. */
export const NAMES = ["left", "right"];
export const TITLES = ["Left picture", "Right picture"];
/** @param {Pick<Thing, "size" | "colour" | "shape">} thing */
export const wordsOf = ({ size, colour, shape }) => size + " " + colour + " " + shape;
/** @param {Pick<Thing, "x" | "y">} thing */
export const placeOf = ({ x, y }) => Math.round(100 * x) + " % across, " + Math.round(100 * y) + " % down";

/** @param {Thing[]} things */
export function contents(things) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const thing of things) counts.set(wordsOf(thing), (counts.get(wordsOf(thing)) || 0) + 1);
  return [...counts].map(([words, count]) => (count > 1 ? count + " \u00d7 " : "") + words).join(", ") || "nothing";
}

/** The whole scene in a sentence, for those who do not see it. @param {Scene} scene */
export const said = ({ pictures }) =>
  pictures.map((things, at) => TITLES[at] + ": " + contents(things) + ".").join(" ");
