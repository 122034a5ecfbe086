/* Scenes as plain data, and what can be done to them: {pictures: [[{shape, colour, size, x, y}, ...], ...]}, x and y from 0
   to 1 across and down the picture. Every function gives a new scene and leaves the old one as it was. */

/** @import { RadiusOf, Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */

const DIGITS = 1000; // places are told to a thousandth of the picture

/** @param {number} value */
const rounded = (value) => Math.round(value * DIGITS) / DIGITS;
/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const within = (value, low, high) => Math.max(low, Math.min(high, value));
/**
 * The scene with picture `at` put through `change`, a function from a list of things to another.
 *
 * @param {Scene} scene
 * @param {number} at
 * @param {(things: Thing[]) => Thing[]} change
 * @returns {Scene}
 */
const withPicture = (scene, at, change) => ({
  pictures: scene.pictures.map((things, index) => (index === at ? change(things) : things)),
});

/**
 * The scene with one thing changed; it stays inside its picture.
 *
 * @param {Scene} scene
 * @param {ThingPlace} at
 * @param {Partial<Thing>} changes
 * @param {RadiusOf} radiusOf
 */
export function change(scene, { picture, index }, changes, radiusOf) {
  const given = { ...changes };
  for (const name of /** @type {const} */ (["x", "y"])) {
    const value = given[name];
    if (value !== undefined) given[name] = rounded(value);
  }
  return withPicture(scene, picture, (things) =>
    things.map((thing, each) => (each === index ? fitted({ ...thing, ...given }, radiusOf) : thing)),
  );
}

/**
 * A thing moved so far, where it has to be, that all of it lies in the picture.
 *
 * @param {Thing} thing
 * @param {RadiusOf} radiusOf
 * @returns {Thing}
 */
export function fitted(thing, radiusOf) {
  const radius = Math.min(0.5, radiusOf(thing.size));
  /** @param {number} value */
  const place = (value) =>
    value >= radius && value <= 1 - radius ? value : rounded(within(value, radius, 1 - radius));
  return { ...thing, x: place(thing.x), y: place(thing.y) };
}

/**
 * @param {Scene} scene
 * @param {number} picture
 * @param {Thing} thing
 * @param {RadiusOf} radiusOf
 */
export const add = (scene, picture, thing, radiusOf) =>
  withPicture(scene, picture, (things) => [...things, fitted(thing, radiusOf)]);

/**
 * @param {Scene} scene
 * @param {ThingPlace} at
 */
export const remove = (scene, { picture, index }) =>
  withPicture(scene, picture, (things) => things.filter((_, each) => each !== index));

/**
 * The thing in another picture, on top of the others there.
 *
 * @param {Scene} scene
 * @param {ThingPlace} at
 * @param {number} picture
 * @param {RadiusOf} radiusOf
 */
export const carry = (scene, at, picture, radiusOf) =>
  add(remove(scene, at), picture, scene.pictures[at.picture][at.index], radiusOf);

/**
 * @param {Scene} scene
 * @returns {Scene}
 */
export const swap = (scene) => ({ pictures: [...scene.pictures].reverse() });

/**
 * @param {Scene | null} scene
 * @param {ThingPlace | null} at
 * @returns {Thing | null}
 */
export const thingAt = (scene, at) =>
  (scene && at && scene.pictures[at.picture] ? scene.pictures[at.picture][at.index] : null) || null;

/**
 * The place in a picture that is farthest from its things: where a new one is seen best.
 *
 * @param {Thing[]} things
 * @param {string} size
 * @param {RadiusOf} radiusOf
 */
export function emptiest(things, size, radiusOf) {
  const radius = radiusOf(size);
  const steps = 11;
  let best = { x: 0.5, y: 0.5, free: -Infinity };
  for (let row = 0; row < steps; row += 1) {
    for (let column = 0; column < steps; column += 1) {
      /** @param {number} step */
      const place = (step) => radius + ((1 - 2 * radius) * step) / (steps - 1);
      const [x, y] = [place(column), place(row)];
      const gaps = things.map((thing) => Math.hypot(thing.x - x, thing.y - y) - radiusOf(thing.size) - radius);
      const middle = 1e-3 * (0.7 - Math.hypot(x - 0.5, y - 0.5)); // in an empty picture, the middle
      const free = Math.min(0.5, ...gaps) + middle;
      if (free > best.free) best = { x: rounded(x), y: rounded(y), free };
    }
  }
  return { x: best.x, y: best.y };
}

/* -- in words ------------------------------------------------------------------------------------------------- */

/**
 * @param {number} at
 * @param {number} count
 */
export const nameOf = (at, count) => (count === 2 ? ["left", "right"][at] : "picture " + (at + 1));
/**
 * @param {number} at
 * @param {number} count
 */
export const titleOf = (at, count) => (count === 2 ? ["Left picture", "Right picture"][at] : "Picture " + (at + 1));
/** @param {Pick<Thing, "size" | "colour" | "shape">} thing */
export const wordsOf = ({ size, colour, shape }) => size + " " + colour + " " + shape;
/** @param {number} share */
const percent = (share) => Math.round(100 * share) + " %";
/** @param {Pick<Thing, "x" | "y">} thing */
export const placeOf = ({ x, y }) => percent(x) + " across, " + percent(y) + " down";

/** @param {Thing[]} things */
export function contents(things) {
  if (!things.length) return "nothing";
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const thing of things) counts.set(wordsOf(thing), (counts.get(wordsOf(thing)) || 0) + 1);
  return [...counts].map(([words, count]) => (count > 1 ? count + " \u00d7 " : "") + words).join(", ");
}

/**
 * The whole scene in a sentence, for those who do not see it.
 *
 * @param {Scene} scene
 */
export const said = (scene) =>
  scene.pictures.map((things, at) => titleOf(at, scene.pictures.length) + ": " + contents(things) + ".").join(" ");

/* -- what was before ------------------------------------------------------------------------------------------ */

/** @typedef {{scene: Scene, selected: ThingPlace | null}} Before */

/** The states before, up to `most`; changes with the same `label` count as one: all of one drag, and those by keys that
    follow each other within `pause` milliseconds. */
export class History {
  constructor(most = 200) {
    this.most = most;
    this.past = /** @type {Before[]} */ ([]);
    this.last = { label: /** @type {string | null} */ (null), time: 0 };
  }

  clear() {
    this.past = [];
    this.last = { label: null, time: 0 };
  }

  /**
   * Keeps `scene` as it was before a change.
   *
   * @param {Before} scene
   * @param {string | null} label
   * @param {number} pause
   * @param {number} [now]
   */
  push(scene, label, pause, now = Date.now()) {
    const joined = label !== null && label === this.last.label && now - this.last.time < pause;
    this.last = { label, time: now };
    if (joined) return;
    this.past.push(scene);
    if (this.past.length > this.most) this.past.shift();
  }

  /** The scene before the last change, or null. */
  pop() {
    this.last = { label: null, time: 0 };
    return this.past.pop() || null;
  }

  get depth() {
    return this.past.length;
  }
}
