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
// prettier-ignore
const PLAIN = address.defaults("circuits", "set", "method", "perplexity", "seed", "colour_by", "kinds", "objects",
  "focus", "threshold", "links", "unit", "lasso", "statement", "scene", "samples", "gallery", "reads", "measured",
  "drop", "keep_edges");
/** @type {Choice} */
const CHOICE = {
  ...PLAIN,
  sentences: [], // pinned, one to four
  views: { links: null, circuits: null, text: null }, // {x, y, zoom} of the pictures; null: all of it
};
export const { offered: SIZES } = address.bounds("circuits", "measured");
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
    limits: {
      characters: address.bounds("circuits", "s1").longest,
      pinned: address.bounds("circuits", "focus").most + 1,
    }, // of sentences; the service may have others
    examples: [], // pinned where the address names no sentences
    waiting: [], // sentences for which there is no room until somebody says which of the pinned ones goes
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
export const tidy = (text) => text.replace(/\s+/g, " ").trim();

/**
 * Pins a sentence, which then answers; where there is no room it waits until somebody says which one it replaces.
 *
 * @param {string} text
 */
export function pin(text) {
  const sentence = tidy(text);
  if (!sentence) return;
  const { sentences, waiting, limits } = state;
  const at = sentences.indexOf(sentence);
  if (at >= 0) set({ focus: at });
  else if (sentences.length < limits.pinned) set({ sentences: [...sentences, sentence], focus: sentences.length });
  else if (!waiting.includes(sentence)) set({ waiting: [...waiting, sentence] });
}

/**
 * Puts the sentence that waits in the place of a pinned one.
 *
 * @param {number} at
 */
export function replace(at) {
  const [sentence, ...waiting] = state.waiting;
  if (sentence === undefined) return;
  set({ waiting, sentences: state.sentences.map((each, place) => (place === at ? sentence : each)), focus: at });
}

/** Leaves the pinned sentences as they are: the one that waits is not pinned. */
export function keepPinned() {
  set({ waiting: state.waiting.slice(1) });
}

/**
 * Takes a sentence away; one stays. What waits for a place gets this one.
 *
 * @param {number} at
 */
export function unpin(at) {
  if (state.sentences.length < 2) return;
  const [next, ...waiting] = state.waiting;
  const sentences = state.sentences.filter((_, index) => index !== at);
  const focus = state.focus > at ? state.focus - 1 : state.focus;
  if (next === undefined) set({ sentences, focus });
  else set({ sentences: [...sentences, next], waiting, focus: sentences.length });
}

/**
 * Takes away the sentences that the model does not read; the examples stand where none is left.
 *
 * @param {string[]} unread
 */
export function withoutUnread(unread) {
  const sentences = state.sentences.filter((each) => !unread.includes(each));
  set({ sentences: sentences.length ? sentences : state.examples });
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

/** @param {string | null} text */
function viewOf(text) {
  const part = address.viewOf(text);
  return part && ScatterMap.clamped(part);
}

/**
 * @param {string} text
 * @returns {Lasso}
 */
function lassoOf(text) {
  const { on, polygon } = address.lassoOf(text);
  return { which: /** @type {Lasso["which"]} */ (on[0]), polygon };
}

function writeAddress() {
  writing = 0;
  const { info } = state;
  if (!info) return;
  const { model, sentences, views, lasso } = state;
  const pinned = same(sentences, state.examples) ? [] : sentences;
  const values = {
    ...Object.fromEntries(Object.keys(PLAIN).map((name) => [name, state[/** @type {keyof Choice} */ (name)]])),
    ...Object.fromEntries(pinned.map((sentence, at) => ["s" + (at + 1), sentence])),
    model,
    sample: selection.current().sample,
    view: views.links,
    map: views.circuits,
    textmap: views.text,
    lasso: lasso && [lasso.which, lasso.polygon],
  };
  address.write("circuits", values, info.units);
}

/* -- opening and leaving ------------------------------------------------------------------------------------- */

/**
 * What the address asked for, as the page's server read it.
 *
 * @param {Address} asked
 */
export function restore(asked) {
  const sentences = asked.sentences.length ? asked.sentences : asked.examples;
  const views = Object.fromEntries(Object.entries(asked.views).map(([name, text]) => [name, viewOf(text)]));
  const { said, ...chosen } = asked;
  unsaid = said;
  set({
    ...chosen,
    waiting: [],
    sentences,
    views: /** @type {Choice["views"]} */ (views),
    lasso: asked.lasso ? lassoOf(asked.lasso) : null,
  });
}

let wanted = 0;
/** @type {string[]} */
let unsaid = []; // on sentences of the address, until the page says them

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
    unsaid.splice(0).forEach(address.say);
    address.sayUnits("drop", info, state.drop);
    if (state.unit !== null) address.sayUnits("unit", info, [state.unit]);
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
  Object.assign(state, CHOICE, { status: "loading", problem: null, model: null, info: null, waiting: [] });
}

export const get = () => state;
