/* The state of the Circuits page in this browser: which sentences are pinned, which of them answers, how one looks at the
   maps and circuits, the pair of pictures, and what is left out. All of it is in the address. */
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";

/** @import { Place, View } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Address, Choice, Lasso, PageState } from "rs/pages/circuits/types.d.ts" */

const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
export const PICTURES = 2; // that a statement is about here
const EXAMPLES = ["There is a red circle", "There are exactly three red circles"];
/**
 * What an address may leave out (app/dashboard/pages/circuits/page.py has the same).
 *
 * @type {Choice}
 */
export const CHOICE = {
  set: null, // a set of sentences that is mapped; null: the model's own
  method: "tsne", // or "pca"
  perplexity: 30,
  seed: 0,
  colour_by: "kind", // "object" or "colour"
  kinds: [], // shown on the maps; none: all
  objects: [],
  sentences: [], // pinned, one to four
  focus: 0, // which of them answers
  threshold: null, // the least probability of a link that is drawn; null: the median of the first circuit, once known
  links: "differences", // to the first sentence; or "changes", those alone, or "own"
  unit: null, // the module that is looked at, by its name
  views: { links: null, circuits: null, text: null }, // {x, y, zoom} of the pictures; null: all of it
  lasso: null, // {which: "circuits" or "text", polygon}
  statement: null, // id of a statement with its pictures, or
  scene: null, // a scene that somebody made, or
  samples: null, // two pictures of somebody's own
  gallery: null, // kind of the statements that are offered
  reads: "one", // what modules read for the sentence that answers, or for "all" that are pinned
  measured: 400, // statements that what is left out is measured on
  drop: [], // names of modules
  keep_edges: null, // share of links that is kept
};
const { state, differ, subscribe } = makeStore(
  /** @type {PageState} */ ({
    ...CHOICE,
    status: "loading", // loading, ready, failed
    problem: null, // {title, detail, status}
    model: null, // its name
    info: null, // the API's ModelDetail
    hover_unit: -1, // a module that is pointed at, by its place
    hover_point: -1, // a sentence of the maps, by its place
    tool: "move", // or "lasso"
    limits: { characters: 300, pinned: 4 }, // of sentences, as the server says
  }),
);

/**
 * @param {unknown} a
 * @param {unknown} b
 */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Keeps what is pinned within what the page shows.
 *
 * @param {Partial<PageState>} patch
 */
function fitting(patch) {
  const next = { ...patch };
  if (next.sentences) next.sentences = next.sentences.slice(0, (next.limits || state.limits).pinned);
  const pinned = (next.sentences || state.sentences).length;
  if (next.sentences || next.focus !== undefined)
    next.focus = Math.max(0, Math.min(pinned - 1, next.focus === undefined ? state.focus : next.focus));
  // The pair of pictures is one of three things.
  const kinds = /** @type {const} */ (["statement", "scene", "samples"]);
  for (const name of kinds) if (next[name]) kinds.forEach((other) => other !== name && (next[other] = null));
  return next;
}

/**
 * Changes the state; listeners hear of what is different from before.
 *
 * @param {Partial<PageState>} patch
 */
export function set(patch) {
  const names = differ(fitting(patch), same);
  if ([...names].some((name) => name in CHOICE)) writeSoon();
}

export { subscribe };

/* -- pinned sentences ---------------------------------------------------------------------------------------- */

/** @param {string} text */
const tidy = (text) => text.replace(/\s+/g, " ").trim();

/**
 * Pins a sentence, in place of the one that answers when there is no room; the new one answers.
 *
 * @param {string} text
 */
export function pin(text) {
  const sentence = tidy(text);
  if (!sentence) return;
  const at = state.sentences.indexOf(sentence);
  if (at >= 0) {
    set({ focus: at });
    return;
  }
  const sentences = [...state.sentences];
  const most = state.limits.pinned;
  const place = sentences.length < most ? sentences.length : Math.min(most - 1, Math.max(1, state.focus));
  sentences[place] = sentence;
  set({ sentences, focus: place });
}

/**
 * Takes a sentence away; one stays.
 *
 * @param {number} at
 */
export function unpin(at) {
  if (state.sentences.length < 2) return;
  const sentences = state.sentences.filter((_, index) => index !== at);
  set({ sentences, focus: state.focus > at ? state.focus - 1 : state.focus });
}

/**
 * Compares with this sentence: it comes first.
 *
 * @param {number} at
 */
export function first(at) {
  const chosen = state.sentences[at];
  const sentences = [chosen, ...state.sentences.filter((_, index) => index !== at)];
  set({ sentences, focus: sentences.indexOf(state.sentences[state.focus]) });
}

/**
 * What part of a picture is in view: "links", "circuits" or "text".
 *
 * @param {keyof Choice["views"]} picture
 * @param {View} view
 */
export function look(picture, { x, y, zoom }) {
  const whole = x === 0 && y === 0 && zoom === 1;
  set({ views: { ...state.views, [picture]: whole ? null : { x, y, zoom } } });
}

/**
 * Drops a module, or takes it back.
 *
 * @param {string} unit
 */
export function toggle(unit) {
  const { drop, info } = state;
  const next = drop.includes(unit) ? drop.filter((name) => name !== unit) : [...drop, unit];
  if (info && next.length >= info.units.length) {
    api.notify("One module stays", "A network without modules computes nothing.", "bad");
    return;
  }
  set({ drop: next });
}

/* -- the address --------------------------------------------------------------------------------------------- */

let writing = 0;

function writeSoon() {
  if (!writing) writing = setTimeout(writeAddress, PAUSE);
}

/** @param {number} value */
const short = (value) => String(Math.round(value * 1000) / 1000);
/** @param {View | null} view */
const viewText = (view) => view && [view.x, view.y, view.zoom].map(short).join(",");

/** @param {string | null} text */
function viewOf(text) {
  const [x, y, zoom] = text ? text.split(",").map(Number) : [];
  const whole = !zoom || (x === 0 && y === 0 && zoom === 1);
  return whole ? null : ScatterMap.clamped({ x, y, zoom });
}

/**
 * @param {string} text
 * @returns {Lasso}
 */
function lassoOf(text) {
  const [which, numbers] = text.split(":");
  const values = numbers.split(",").map(Number);
  const polygon = /** @type {Place[]} */ ([]);
  for (let at = 0; at + 1 < values.length; at += 2) polygon.push([values[at], values[at + 1]]);
  return { which: /** @type {Lasso["which"]} */ (which), polygon };
}

function writeAddress() {
  writing = 0;
  const { info } = state;
  if (!info) return;
  /** @param {keyof Choice} name */
  const differs = (name) => (same(state[name], CHOICE[name]) ? null : state[name]);
  const pinned = same(state.sentences, EXAMPLES) ? [] : state.sentences;
  address.write("/circuits", {
    model: state.model,
    sample: selection.current().sample,
    set: state.set,
    method: differs("method"),
    perplexity: state.method === "tsne" ? differs("perplexity") : null,
    seed: state.seed || null,
    colour: differs("colour_by"),
    kinds: state.kinds.join(","),
    objects: state.objects.join(","),
    ...Object.fromEntries(pinned.map((sentence, at) => ["s" + (at + 1), sentence])),
    focus: state.focus ? state.focus + 1 : null,
    threshold: differs("threshold"),
    links: differs("links"),
    unit: state.unit,
    view: viewText(state.views.links),
    map: viewText(state.views.circuits),
    textmap: viewText(state.views.text),
    lasso: state.lasso ? state.lasso.which + ":" + state.lasso.polygon.flat().map(short).join(",") : null,
    statement: state.statement,
    scene: state.scene ? JSON.stringify(state.scene) : null,
    samples: state.samples ? state.samples.join(",") : null,
    gallery: state.gallery,
    reads: differs("reads"),
    measured: differs("measured"),
    drop: unitNames.compact(info.units, state.drop),
    edges: state.keep_edges,
  });
}

/* -- opening and leaving ------------------------------------------------------------------------------------- */

/**
 * What the address asked for, as the page's server read it.
 *
 * @param {Address} address
 */
export function restore(address) {
  const sentences = address.sentences.length ? address.sentences : EXAMPLES;
  const views = Object.fromEntries(Object.entries(address.views).map(([name, text]) => [name, viewOf(text)]));
  set({
    ...CHOICE,
    ...address,
    sentences,
    views: /** @type {Choice["views"]} */ (views),
    lasso: address.lasso ? lassoOf(address.lasso) : null,
  });
}

let wanted = 0;

/**
 * Opens a model: what it declares, and of what was chosen what it has.
 *
 * @param {string} model
 */
export async function open(model) {
  const mine = (wanted += 1);
  const threshold = state.model && state.model !== model ? null : state.threshold; // how dense circuits are, differs
  set({ status: "loading", problem: null, model, info: null, threshold });
  if (!model) return;
  try {
    /** @type {Schemas["ModelDetail"]} */
    const info = await api.send("GET", "/models/" + encodeURIComponent(model));
    if (mine !== wanted) return;
    if ((info.inputs || "images") !== "statements")
      throw new api.Problem(404, "No circuits", model + " reads pictures alone: no sentence designs its circuit.");
    if (![...info.fields, ...info.constants].includes("text_attention"))
      throw new api.Problem(404, "No circuits", model + " reads sentences, but they design no circuit.");
    if (info.pictures !== PICTURES)
      throw new api.Problem(
        404,
        "No circuits",
        model + " reads statements about " + info.pictures + " pictures; here they are about " + PICTURES + ".",
      );
    const drop = unitNames.expand(info.units, state.drop).slice(0, info.units.length - 1);
    const unit = state.unit !== null && info.units.includes(state.unit) ? state.unit : null;
    set({ info, drop, unit, status: "ready" });
    writeSoon();
  } catch (problem) {
    if (mine !== wanted) return;
    const { title = "The page failed", message: detail, status } = /** @type {api.Problem} */ (problem);
    set({ status: "failed", problem: { title, detail, status } });
  }
}

/** Forgets everything: the page went. */
export function leave() {
  wanted += 1;
  clearTimeout(writing);
  writing = 0;
  Object.assign(state, CHOICE, { status: "loading", problem: null, model: null, info: null });
}

export const get = () => state;
