/* The pair of pictures of the Circuits page: which it is, how it was before it was edited, and what has been done to it.
   What is chosen lies in the state of the page (pages/circuits/state.js), and so in the address; an edited pair there is
   {of, pictures: [["small red circle 0.25 0.4", ...], ...]}, `of` the statement whose pictures were edited. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import { same } from "rs/pages/circuits/pair/scene.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { PackedScene, PairState, Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */

const history = new pairScene.History();
const { state, update, subscribe } = makeStore(
  /** @type {PairState} */ ({
    status: "loading",
    problem: null,
    scene: null,
    base: null,
    samples: null,
    edited: false,
    selected: null,
    undo: 0,
    seen: false,
  }),
);
/** @type {PackedScene | null} */
let written = null; // the scene that this page wrote into the address last, so that it does not read it back
const chosen = () => circuitsState.get();

export { state, subscribe };

/* -- in the address ------------------------------------------------------------------------------------------- */

/**
 * @param {Scene} scene
 * @param {string | null} [of]
 * @returns {PackedScene}
 */
function pack(scene, of) {
  /** @param {Thing} thing */
  const line = ({ size, colour, shape, x, y }) => [size, colour, shape, x, y].join(" ");
  return { ...(of ? { of } : {}), pictures: scene.pictures.map((things) => things.map(line)) };
}

/**
 * The scene that `pack` wrote; things that cannot be drawn are left out.
 *
 * @param {PackedScene} packed
 * @returns {Scene}
 */
export function unpack(packed) {
  const { shapes, colours, sizes, most } = pairSvg.vocabulary();
  /**
   * @param {string} line
   * @returns {Thing | null}
   */
  const thingOf = (line) => {
    const [size, colour, shape, x, y] = String(line).split(" ");
    const thing = { shape, colour, size, x: Number(x), y: Number(y) };
    const known = shapes.includes(shape) && colours.has(colour) && sizes.has(size);
    return known && thing.x >= 0 && thing.x <= 1 && thing.y >= 0 && thing.y <= 1 ? thing : null;
  };
  const given = Array.isArray(packed.pictures) ? packed.pictures : [];
  const lists = [given[0], given[1]].map((lines) => (Array.isArray(lines) ? lines : []));
  return {
    pictures: lists.map((lines) =>
      lines
        .map(thingOf)
        .filter((thing) => thing !== null)
        .slice(0, most),
    ),
  };
}

/* -- which pair ----------------------------------------------------------------------------------------------- */

let wanted = 0;
/** @type {Map<string, Promise<Schemas["Statement"]>>} */
const statements = new Map(); // id -> promise of the API's Statement

/**
 * @param {string} id
 * @returns {Promise<Schemas["Statement"]>}
 */
const statementOf = (id) =>
  api.remembered(statements, id, () => api.send("GET", "/statements/" + encodeURIComponent(id)), Infinity);

const OFFERED = 100; // statements among which one fits the pinned sentences

/**
 * The first statement whose pictures show a thing that a sentence names, such as a red circle; else the first statement.
 *
 * @param {Schemas["Statement"][]} statements
 * @param {string[]} sentences
 */
export function fittingStatement(statements, sentences) {
  const words = sentences.join(" ").toLowerCase();
  const fits = statements.find(({ scene }) =>
    scene?.pictures.flat().some(({ colour, shape }) => words.includes(colour + " " + shape)),
  );
  return fits ?? statements[0];
}

async function firstStatement() {
  /** @type {Schemas["Statements"]} */
  const { items } = await api.send("GET", "/statements?limit=" + OFFERED);
  if (!items.length) throw new api.Problem(404, "No statements", "The service has no statements to offer.");
  return fittingStatement(items, chosen().sentences);
}

/** Shows what the state of the page asks for. */
export async function follow() {
  const { statement, scene, samples } = chosen();
  if (scene && same(scene, written)) return;
  const mine = (wanted += 1);
  try {
    await pairSvg.load();
    if (mine !== wanted) return;
    if (samples) {
      start({ scene: null, base: null, samples });
      return;
    }
    const id = scene ? scene.of : statement;
    if (
      !scene &&
      statement &&
      state.base &&
      state.base.id === statement &&
      !state.samples &&
      !state.edited &&
      state.status === "ready"
    )
      return;
    if (scene && !id) {
      start({ scene: unpack(scene), base: null, samples: null });
      return;
    }
    if (!id || !statements.has(id)) update({ status: "loading", problem: null });
    const base = id ? await statementOf(id) : await firstStatement();
    if (mine !== wanted) return;
    start({ scene: scene ? unpack(scene) : base.scene, base, samples: null });
  } catch (problem) {
    if (mine === wanted) update({ status: "failed", problem: /** @type {api.Problem} */ (problem) });
  }
}

/** @param {Pick<PairState, "scene" | "base" | "samples">} pair */
function start({ scene, base, samples }) {
  history.clear();
  const edited = Boolean(base && base.scene && scene && !same(scene, base.scene));
  update({ status: "ready", problem: null, scene, base, samples, edited, selected: null, undo: 0 });
}

/**
 * Takes the pictures of a statement; its sentence takes the place of the statement's before, or is pinned.
 *
 * @param {Schemas["Statement"]} statement
 */
export function take(statement) {
  const { sentences } = chosen();
  statements.set(statement.id, Promise.resolve(statement));
  const before = state.base ? sentences.indexOf(state.base.sentence) : -1;
  const there = sentences.indexOf(statement.sentence);
  written = null;
  circuitsState.set({ statement: statement.id, scene: null, samples: null });
  if (there >= 0) circuitsState.set({ focus: there });
  else if (before >= 0)
    circuitsState.set({
      sentences: sentences.map((each, at) => (at === before ? statement.sentence : each)),
      focus: before,
    });
  else circuitsState.pin(statement.sentence);
}

/**
 * Takes two pictures of somebody's own.
 *
 * @param {string[]} samples
 */
export function takeSamples(samples) {
  written = null;
  circuitsState.set({ samples, statement: null, scene: null });
}

/* -- edits ---------------------------------------------------------------------------------------------------- */

/**
 * Shows `scene` in place of what there is. Changes with one `label`, each within `pause` milliseconds after the one
 * before, are undone together.
 *
 * @param {Scene} scene
 * @param {ThingPlace | null} [selected]
 * @param {string | null} [label]
 * @param {number} [pause]
 */
export function edit(scene, selected, label = null, pause = Infinity) {
  if (!state.scene || same(scene, state.scene)) {
    if (selected !== undefined) select(selected);
    return;
  }
  history.push({ scene: state.scene, selected: state.selected }, label, pause);
  show(scene, selected === undefined ? state.selected : selected);
}

/**
 * @param {Scene} scene
 * @param {ThingPlace | null} selected
 */
function show(scene, selected) {
  const { base } = state;
  const edited = !base || !same(scene, base.scene);
  update({
    scene,
    selected: pairScene.thingAt(scene, selected) ? selected : null,
    edited: Boolean(base) && edited,
    undo: history.depth,
  });
  write();
}

let writing = 0;

/** Writes the pair into the state of the page once nothing has changed for a moment. */
function write() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const { scene, base, edited } = state;
    if (!scene) return;
    if (base && !edited) {
      written = null;
      circuitsState.set({ statement: base.id, scene: null });
    } else {
      written = pack(scene, base && base.id);
      circuitsState.set({ scene: written, statement: null, samples: null });
    }
  }, 250);
}

export function undo() {
  const before = history.pop();
  if (before) show(before.scene, before.selected);
}

/** Back to the pictures of the statement. */
export function reset() {
  if (state.base && state.base.scene) edit(state.base.scene, null);
}

/** @param {ThingPlace | null} at */
export function select(at) {
  if (!same(at, state.selected)) update({ selected: at });
}

/** A pair to draw on from nothing. */
export function empty() {
  history.clear();
  Object.assign(state, { base: null, samples: null });
  update({ base: null, samples: null, status: "ready", problem: null });
  show({ pictures: [[], []] }, null);
}

/** @param {boolean} seen */
export function look(seen) {
  update({ seen });
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  clearTimeout(writing);
  written = null;
  history.clear();
  Object.assign(state, { status: "loading", problem: null, scene: null, base: null, samples: null, edited: false });
  Object.assign(state, { selected: null, undo: 0, seen: false });
}

/**
 * What an answer is asked of: the pictures as the API takes them.
 *
 * @returns {Schemas["AnswersRequest"]["pictures"] | null}
 */
export function pictures() {
  if (state.samples) return { samples: state.samples };
  if (state.base && !state.edited) return { statement: state.base.id };
  return state.scene ? { scene: state.scene } : null;
}
