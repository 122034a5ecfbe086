/* The pair of pictures of the Circuits page: which it is, how it was before it was edited, and what has been done to it.
   What is chosen lies in the state of the page (pages/circuits/state.js), and so in the address; an edited pair there is
   {of, pictures: [["small red circle 0.25 0.4", ...], ...]}, `of` the statement whose pictures were edited. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { same, state as page } from "rs/pages/circuits/state.js";
import { computed, effect, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { PackedScene, Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */
/** @typedef {{scene: Scene, selected: ThingPlace | null}} Before a change */

const PAUSE = 250; // milliseconds without a change before the pair is written into the state of the page
const KEPT = 200; // changes that can be taken back
const fresh = () => ({
  status: /** @type {"loading" | "ready" | "failed"} */ ("loading"),
  problem: /** @type {api.Problem | null} */ (null),
  scene: /** @type {Scene | null} */ (null), // what the pictures show; null where nobody knows: pictures of somebody's own
  base: /** @type {Schemas["Statement"] | null} */ (null), // whose pictures these are or were
  samples: /** @type {string[] | null} */ (null), // the ids of two pictures of somebody's own
  selected: /** @type {ThingPlace | null} */ (null),
  past: /** @type {Before[]} */ ([]),
  seen: false, // whether the pictures are shown as the network gets them
});
const { state, update } = makeStore(fresh());
/** The latest change: changes of one label that follow each other are taken back together. */
let last = { label: /** @type {string | null} */ (null), time: 0 };

export { state };

const differs = computed(() => Boolean(state.scene && state.base?.scene && !same(state.scene, state.base.scene)));
/** Whether the scene is another one than that of the statement. */
export const edited = () => differs.value;

/* -- in the address ------------------------------------------------------------------------------------------- */

/** @param {Thing} thing */
const line = ({ size, colour, shape, x, y }) => [size, colour, shape, x, y].join(" ");

/** @param {Scene} scene @param {string | null} [of] @returns {PackedScene} */
const pack = (scene, of) => ({ ...(of ? { of } : {}), pictures: scene.pictures.map((things) => things.map(line)) });

/** The scene that `pack` wrote; things that cannot be drawn are left out. @param {PackedScene} packed @returns {Scene} */
export function unpack({ pictures }) {
  const { outlines, colours, sizes, most } = pairSvg.vocabulary();
  const thingOf = (/** @type {string} */ text) => {
    const [size, colour, shape, ...place] = String(text).split(" ");
    const [x, y] = place.map(Number);
    const known = outlines.has(shape) && colours.has(colour) && sizes.has(size);
    return known && [x, y].every((value) => value >= 0 && value <= 1) ? [{ shape, colour, size, x, y }] : [];
  };
  const lists = [0, 1].map((at) => (Array.isArray(pictures?.[at]) ? pictures[at] : []));
  return { pictures: lists.map((lines) => lines.flatMap(thingOf).slice(0, most)) };
}

/* -- which pair ----------------------------------------------------------------------------------------------- */

let wanted = 0;
/** @type {Map<string, Promise<Schemas["Statement"]>>} */
const statements = new Map(); // id -> promise of the API's Statement

/** @param {string} id @returns {Promise<Schemas["Statement"]>} */
const statementOf = (id) =>
  api.remembered(statements, id, () => api.send("GET", "/statements/" + encodeURIComponent(id)), Infinity);

const OFFERED = 100; // statements among which one fits the pinned sentences

/** The first statement that shows a thing which a sentence names; else the first. @param {Schemas["Statement"][]} statements @param {string[]} sentences */
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
  return fittingStatement(items, page.sentences);
}

/** Whether the pair that the state of the page names is shown already. */
function isShown() {
  const { statement, scene, samples } = page;
  const { base } = state;
  if (state.status !== "ready") return false;
  if (scene) return Boolean(state.scene) && same(scene, pack(/** @type {Scene} */ (state.scene), base?.id));
  return !samples && !state.samples && !edited() && statement !== null && base?.id === statement;
}

/** Shows another pair, of which nothing can be taken back. @param {Partial<typeof state>} pair */
const begin = (pair) => update({ ...fresh(), status: "ready", seen: state.seen, ...pair });

/** Shows what the state of the page asks for. */
export async function show() {
  const { statement, scene, samples } = page;
  if (isShown()) return;
  const mine = (wanted += 1);
  try {
    const id = samples ? null : scene ? scene.of : statement;
    if (!samples && !scene && !(id && statements.has(id))) update({ status: "loading", problem: null });
    const coming = id ? statementOf(id) : scene || samples ? null : firstStatement();
    const [base] = await Promise.all([coming, pairSvg.load()]);
    if (mine === wanted) begin({ scene: scene ? unpack(scene) : (base?.scene ?? null), base, samples });
  } catch (problem) {
    if (mine === wanted) update({ status: "failed", problem: /** @type {api.Problem} */ (problem) });
  }
  circuitsState.reach(1);
}

/** Takes a statement; its sentence takes the place of the statement's before, or is pinned. @param {Schemas["Statement"]} statement */
export function take(statement) {
  const { sentences } = page;
  const { sentence } = statement;
  statements.set(statement.id, Promise.resolve(statement));
  const before = state.base ? sentences.indexOf(state.base.sentence) : -1;
  circuitsState.set({ statement: statement.id, scene: null, samples: null });
  if (sentences.includes(sentence) || before < 0) circuitsState.pin(sentence);
  else circuitsState.set({ sentences: sentences.map((each, at) => (at === before ? sentence : each)), focus: before });
}

/** Takes two pictures of somebody's own. @param {string[]} samples */
export const takeSamples = (samples) => circuitsState.set({ samples, statement: null, scene: null });

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
export function edit(scene, selected = state.selected, label = null, pause = Infinity) {
  if (!state.scene || same(scene, state.scene)) {
    select(selected);
    return;
  }
  const now = Date.now();
  const joined = label !== null && label === last.label && now - last.time < pause;
  const { past, ...before } = { past: state.past, scene: state.scene, selected: state.selected };
  last = { label, time: now };
  showScene(scene, selected, joined ? past : [...past, before].slice(-KEPT));
}

/** @param {Scene} scene @param {ThingPlace | null} selected @param {Before[]} past */
function showScene(scene, selected, past) {
  update({ scene, selected: pairScene.thingAt(scene, selected) && selected, past });
  write();
}

let writing = 0;

/** Writes the pair into the state of the page once nothing has changed for a moment. */
function write() {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const { scene, base } = state;
    if (!scene) return;
    if (base && !edited()) circuitsState.set({ statement: base.id, scene: null });
    else circuitsState.set({ scene: pack(scene, base?.id), statement: null, samples: null });
  }, PAUSE);
}

export function undo() {
  const before = state.past.at(-1);
  last = { label: null, time: 0 };
  if (before) showScene(before.scene, before.selected, state.past.slice(0, -1));
}

/** Back to the pictures of the statement. */
export function reset() {
  if (state.base?.scene) edit(state.base.scene, null);
}

/** @param {ThingPlace | null} at */
export function select(at) {
  if (!same(at, state.selected)) update({ selected: at });
}

/** A pair to draw on from nothing. */
export function empty() {
  begin({ scene: { pictures: [[], []] } });
  write();
}

/** Shows the pictures pixel by pixel, or as they are drawn. @param {boolean} seen */
export const look = (seen) => update({ seen });

/** The pictures as the API takes them. @returns {Schemas["AnswersRequest"]["pictures"] | null} */
export function pictures() {
  if (state.samples) return { samples: state.samples };
  if (state.base && !edited()) return { statement: state.base.id };
  return state.scene ? { scene: state.scene } : null;
}

/** Where the service has the pictures of a statement, or those of somebody's own. */
export const addresses = () =>
  state.samples?.map((id) => api.BASE + "/samples/" + encodeURIComponent(id) + "/image") ?? state.base?.pictures ?? [];

/** Follows the page; returns a function that ends this. @returns {Disposer} */
export function follow() {
  const end = effect(() => {
    void [page.statement, page.scene, page.samples];
    untracked(() => void show());
  });
  return () => {
    end();
    wanted += 1;
    clearTimeout(writing);
    Object.assign(state, fresh());
  };
}
