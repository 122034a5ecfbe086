/* Scenes as plain data, and what can be done to them: {pictures: [[{shape, colour, size, x, y}, ...], ...]}, x and y from 0
   to 1 across and down the picture. Every function gives a new scene and leaves the old one as it was. */

const DIGITS = 1000; // places are told to a thousandth of the picture

const rounded = (value) => Math.round(value * DIGITS) / DIGITS;
const within = (value, low, high) => Math.max(low, Math.min(high, value));
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The scene with picture `at` put through `change`, a function from a list of things to another. */
const withPicture = (scene, at, change) => ({
  pictures: scene.pictures.map((things, index) => (index === at ? change(things) : things)),
});

/** The scene with one thing changed; it stays inside its picture. */
export function change(scene, { picture, index }, changes, radiusOf) {
  const given = { ...changes };
  for (const name of ["x", "y"]) if (name in given) given[name] = rounded(given[name]);
  return withPicture(scene, picture, (things) =>
    things.map((thing, each) => (each === index ? fitted({ ...thing, ...given }, radiusOf) : thing)),
  );
}

/** A thing moved so far, where it has to be, that all of it lies in the picture. */
export function fitted(thing, radiusOf) {
  const radius = Math.min(0.5, radiusOf(thing.size));
  const place = (value) =>
    value >= radius && value <= 1 - radius ? value : rounded(within(value, radius, 1 - radius));
  return { ...thing, x: place(thing.x), y: place(thing.y) };
}

export const add = (scene, picture, thing, radiusOf) =>
  withPicture(scene, picture, (things) => [...things, fitted(thing, radiusOf)]);

export const remove = (scene, { picture, index }) =>
  withPicture(scene, picture, (things) => things.filter((_, each) => each !== index));

/** The thing in another picture, on top of the others there. */
export const carry = (scene, at, picture, radiusOf) =>
  add(remove(scene, at), picture, scene.pictures[at.picture][at.index], radiusOf);

export const swap = (scene) => ({ pictures: [...scene.pictures].reverse() });

export const thingAt = (scene, at) =>
  (scene && at && scene.pictures[at.picture] ? scene.pictures[at.picture][at.index] : null) || null;

/** The place in a picture that is farthest from its things: where a new one is seen best. */
export function emptiest(things, size, radiusOf) {
  const radius = radiusOf(size);
  const steps = 11;
  let best = { x: 0.5, y: 0.5, free: -Infinity };
  for (let row = 0; row < steps; row += 1) {
    for (let column = 0; column < steps; column += 1) {
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

export const nameOf = (at, count) => (count === 2 ? ["left", "right"][at] : "picture " + (at + 1));
export const titleOf = (at, count) => (count === 2 ? ["Left picture", "Right picture"][at] : "Picture " + (at + 1));
export const wordsOf = ({ size, colour, shape }) => size + " " + colour + " " + shape;
const percent = (share) => Math.round(100 * share) + " %";
export const placeOf = ({ x, y }) => percent(x) + " across, " + percent(y) + " down";

export function contents(things) {
  if (!things.length) return "nothing";
  const counts = new Map();
  for (const thing of things) counts.set(wordsOf(thing), (counts.get(wordsOf(thing)) || 0) + 1);
  return [...counts].map(([words, count]) => (count > 1 ? count + " \u00d7 " : "") + words).join(", ");
}

/** The whole scene in a sentence, for those who do not see it. */
export const said = (scene) =>
  scene.pictures.map((things, at) => titleOf(at, scene.pictures.length) + ": " + contents(things) + ".").join(" ");

/* -- what was before ------------------------------------------------------------------------------------------ */

/** The states before, up to `most`; changes with the same `label` count as one: all of one drag, and those by keys that
    follow each other within `pause` milliseconds. */
export class History {
  constructor(most = 200) {
    this.most = most;
    this.clear();
  }

  clear() {
    this.past = [];
    this.last = { label: null, time: 0 };
  }

  /** Keeps `scene` as it was before a change. */
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
