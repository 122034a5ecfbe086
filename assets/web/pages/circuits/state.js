/* The state of the Circuits page in this browser: which sentences are pinned, which of them answers, how one looks at the
   maps and circuits, the pair of pictures, and what is dropped. All of it is in the address. */
import { ScatterMap } from "rs/draw/map.js";
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { View } from "rs/draw/types.d.ts" */
/** @import { Choice, Lasso, PageState, Said, Which } from "rs/pages/circuits/types.d.ts" */

const PAUSE = 150; // milliseconds, as browsers allow only so many changes of an address
export const PICTURES = 2; // that a statement is about here
/** Pinned where a link names no sentences. */
export const EXAMPLES = ["There is a red circle", "There are exactly three red circles"];
const SHAPED = ["s1", "s2", "s3", "s4", "view", "map", "textmap"]; // fields that the state holds as lists
const DEFAULTS = Object.entries(address.defaults("circuits")).filter(([name]) => !SHAPED.includes(name));
const PLAIN = DEFAULTS.map(([name]) => /** @type {keyof Choice} */ (name));
/** Of sentences. */
export const LIMITS = {
  characters: address.bounds("circuits", "s1").longest,
  pinned: address.bounds("circuits", "focus").most + 1,
};
export const { offered: SIZES } = address.bounds("circuits", "measured");

/** @returns {PageState} */
const fresh = () => ({
  .../** @type {Choice} */ (Object.fromEntries(DEFAULTS)),
  sentences: [],
  views: { links: null, circuits: null, text: null }, // null: all of it
  stage: 0,
  model: null,
  hover_unit: -1,
  hover_point: -1,
  tool: "move",
  waiting: [],
});
export const { state, differ } = makeStore(fresh());

/** The choice as the address says it. */
const said = signal(/** @type {Said | null} */ (null));
export const choice = () => /** @type {Said} */ (said.value);

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Keeps what is pinned within what the page shows. @param {Partial<PageState>} patch */
function fitting(patch) {
  const { sentences: asked = state.sentences, focus = state.focus, ...next } = patch;
  const sentences = asked.slice(0, LIMITS.pinned);
  const kind = /** @type {const} */ (["statement", "scene", "samples"]).find((name) => next[name]); // the pair is one of these
  const pair = kind ? { statement: null, scene: null, samples: null, [kind]: next[kind] } : {};
  return { ...next, ...pair, sentences, focus: Math.max(0, Math.min(sentences.length - 1, focus)) };
}

/** Changes the state where it is different from before. @param {Partial<PageState>} patch */
export const set = (patch) => void differ(fitting(patch), same);

/** Lets what comes after the pictures (1), or after the circuits (2), be asked for. @param {number} stage */
export const reach = (stage) => set({ stage: Math.max(state.stage, stage) });

/* -- pinned sentences ---------------------------------------------------------------------------------------- */

/** @param {string} text */
export const tidy = (text) => text.replace(/\s+/g, " ").trim();

/** Pins a sentence, which then answers; without room it waits for an answer to which one it replaces. @param {string} text */
export function pin(text) {
  const sentence = tidy(text);
  if (!sentence) return;
  const { sentences, waiting } = state;
  const at = sentences.indexOf(sentence);
  if (at >= 0) set({ focus: at });
  else if (sentences.length < LIMITS.pinned) set({ sentences: [...sentences, sentence], focus: sentences.length });
  else if (!waiting.includes(sentence)) set({ waiting: [...waiting, sentence] });
}

/** Puts the sentence that waits in the place of a pinned one. @param {number} at */
export function replace(at) {
  const [sentence, ...waiting] = state.waiting;
  if (sentence === undefined) return;
  set({ waiting, sentences: state.sentences.map((each, place) => (place === at ? sentence : each)), focus: at });
}

/** Leaves the pinned sentences as they are: the one that waits is not pinned. */
export const keepPinned = () => set({ waiting: state.waiting.slice(1) });

/** Takes a sentence away; one stays. What waits for a place gets this one. @param {number} at */
export function unpin(at) {
  if (state.sentences.length < 2) return;
  const [next, ...waiting] = state.waiting;
  const sentences = state.sentences.filter((_, index) => index !== at);
  const focus = state.focus > at ? state.focus - 1 : state.focus;
  if (next === undefined) set({ sentences, focus });
  else set({ sentences: [...sentences, next], waiting, focus: sentences.length });
}

/** Takes away sentences that the model does not read; the examples stand where none is left. @param {string[]} unread */
export function withoutUnread(unread) {
  const sentences = state.sentences.filter((each) => !unread.includes(each));
  set({ sentences: sentences.length ? sentences : EXAMPLES });
}

/** Compares with this sentence: it comes first. @param {number} at */
export function first(at) {
  const chosen = state.sentences[at];
  const sentences = [chosen, ...state.sentences.filter((_, index) => index !== at)];
  set({ sentences, focus: sentences.indexOf(state.sentences[state.focus]) });
}

/* -- views and modules ---------------------------------------------------------------------------------------- */

/** Shows this part of a picture. @param {"links" | Which} picture @param {View} view */
export function look(picture, { x, y, zoom }) {
  const whole = x === 0 && y === 0 && zoom === 1;
  set({ views: { ...state.views, [picture]: whole ? null : { x, y, zoom } } });
}

/** All modules that are dropped, in the model's order. */
export const dropped = () => (info()?.units ?? []).filter((unit) => state.drop.includes(unit));

/** Drops modules or brings them back; one stays. @param {string[]} units @param {boolean} away */
export function turn(units, away) {
  const { units: all = [] } = info() ?? {};
  const out = all.filter((unit) => (units.includes(unit) ? away : state.drop.includes(unit)));
  if (all.length && out.length >= all.length)
    api.notify("One module stays", "A network without modules computes nothing.", "bad");
  else set({ drop: out });
}

/** Drops a module, or takes it back. @param {string} unit */
export const toggle = (unit) => turn([unit], !state.drop.includes(unit));

/* -- the model ------------------------------------------------------------------------------------------------ */

/** @type {api.Resource<Schemas["ModelDetail"]>} */
const described = api.resource(
  () => state.model,
  async (id, signal) => {
    /** @type {Schemas["ModelDetail"]} */
    const model = await api.send("GET", "/models/" + encodeURIComponent(id), undefined, { signal });
    const { inputs, fields, constants, pictures } = model;
    const none = (/** @type {string} */ why) => new api.Problem(404, "No circuits", id + " " + why);
    if ((inputs || "images") !== "statements") throw none("reads pictures alone: no sentence designs its circuit.");
    if (![...fields, ...constants].includes("text_attention"))
      throw none("reads sentences, but they design no circuit.");
    if (pictures !== PICTURES)
      throw none("reads statements about " + pictures + " pictures; here they are about " + PICTURES + ".");
    address.sayUnits("drop", model, state.drop);
    if (state.unit !== null) address.sayUnits("unit", model, [state.unit]);
    return model;
  },
);

/** What the service says of the chosen model; null until it is there. */
export const info = () => described.answer();
/** Why there are no circuits. */
export const problem = () => described.problem();
export const status = () => (problem() ? "failed" : info() ? "ready" : "loading");
export const { again } = described;

/** Shows another model. @param {string | null} model */
function open(model) {
  // How dense circuits are, differs from model to model.
  if (model !== state.model) set({ model, ...(state.model ? { threshold: null } : {}) });
}

/* -- the address --------------------------------------------------------------------------------------------- */

let writing = 0;

/** What the address says; null while the model is not there. */
function written() {
  const { sentences, views, lasso, model } = state;
  if (!info()) return null;
  const pinned = same(sentences, EXAMPLES) ? [] : sentences;
  return {
    ...Object.fromEntries(PLAIN.map((name) => [name, state[name]])),
    ...Object.fromEntries(pinned.map((sentence, at) => ["s" + (at + 1), sentence])),
    model,
    sample: selection.current().sample,
    view: views.links,
    map: views.circuits,
    textmap: views.text,
    lasso: lasso && [lasso.which, lasso.polygon],
  };
}

function writeAddress() {
  writing = 0;
  const values = written();
  if (!values) return;
  address.write("circuits", values, info()?.units);
  const { model: _model, sample: _sample, ...choice } = address.stateOf("circuits", location.search);
  said.value = /** @type {Said} */ (choice);
}

/** @param {string | null} text */
function viewOf(text) {
  const part = address.viewOf(text);
  return part && ScatterMap.clamped(part);
}

/** @param {string | null} text @returns {Lasso | null} */
function lassoOf(text) {
  if (!text) return null;
  const { on, polygon } = address.lassoOf(text);
  return { which: /** @type {Which} */ (on[0]), polygon };
}

/** The units of a choice that the model has; one stays. @param {Schemas["ModelDetail"]} model @param {string[]} drop */
const known = ({ units }, drop) => unitNames.expand(units, drop).slice(0, units.length - 1);

/** Shows what an address says. @param {Said} asked */
export function take({ s1, s2, s3, s4, view, map, textmap, lasso, scene, ...plain }) {
  const sentences = [s1, s2, s3, s4].filter((text) => typeof text === "string");
  const model = info();
  set({
    ...plain,
    drop: model ? known(model, plain.drop) : plain.drop,
    waiting: [],
    sentences: sentences.length ? sentences : EXAMPLES,
    views: { links: viewOf(view), circuits: viewOf(map), text: viewOf(textmap) },
    lasso: lassoOf(lasso),
    scene: scene ? JSON.parse(scene) : null,
  });
}

/* -- opening and leaving ------------------------------------------------------------------------------------- */

/** Begins with what an address says; returns what ends the page. @param {Said} asked @returns {Disposer} */
export function begin(asked) {
  Object.assign(state, fresh());
  said.value = asked;
  take(asked);
  const ends = [
    selection.followModel(open),
    described.follow(),
    effect(() => {
      const model = info();
      untracked(() => {
        if (!model) return;
        const unit = state.unit !== null && model.units.includes(state.unit) ? state.unit : null;
        set({ drop: known(model, state.drop), unit });
      });
    }),
    effect(() => {
      if (written() && !writing) writing = setTimeout(writeAddress, PAUSE);
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    clearTimeout(writing);
    writing = 0;
    Object.assign(state, fresh());
  };
}
