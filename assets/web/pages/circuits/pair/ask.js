/* What the network answers about the pair of pictures: asked at every change of the pictures, the pinned sentences or what
   is dropped. One question is on its way at a time and the latest follows it, so that answers come while something is
   dragged; a question that has become pointless, or takes long, is cancelled. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state as page, same } from "rs/pages/circuits/state.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */
/** @import { Scene } from "rs/pages/circuits/types.d.ts" */

const PAUSE = 25; // milliseconds in which changes are gathered
const PATIENCE = 600; // after which a newer question ends the one on its way

const first = {
  status: /** @type {"idle" | "asking" | "done" | "failed"} */ ("idle"),
  problem: /** @type {{title: string, message: string} | null} */ (null),
  reply: /** @type {Schemas["Answers"] | null} */ (null),
  scene: /** @type {Scene | null} */ (null), // of what the reply is
  fresh: false, // whether the reply belongs to what is shown
  took: /** @type {number | null} */ (null), // milliseconds from the change to the answer
};
const { state, update } = makeStore(first);

/** @typedef {NonNullable<ReturnType<typeof questionOf>>} Question */

export { state };

/** What is to be asked; null while something of it is missing. */
function questionOf() {
  const pictures = pairPage.pictures();
  const { model, sentences, keep_edges: keep } = page;
  if (!model || !circuitsState.info() || !pictures || !sentences.length || pairPage.state.status !== "ready")
    return null;
  const intervention = { drop: circuitsState.dropped(), ...(keep === null ? {} : { keep_edges: keep }) };
  return { model, what: { sentences, intervention }, pictures };
}

/** @param {Question} question @param {AbortSignal} signal @returns {Promise<Schemas["Answers"]>} */
const send = ({ model, what, pictures }, signal) =>
  api.send("POST", "/models/" + encodeURIComponent(model) + "/answers", { ...what, pictures }, { signal });

/** The answers about the pair before it was edited, under the same intervention. @type {api.Resource<Schemas["Answers"]>} */
const unedited = api.resource(
  () => {
    const { base, samples } = pairPage.state;
    const question = base && pairPage.edited() && !samples ? questionOf() : null;
    return question && base && JSON.stringify({ ...question, pictures: { statement: base.id } });
  },
  (key, signal) => send(JSON.parse(key), signal),
);
export const before = () => unedited.answer();

/* -- one question at a time --------------------------------------------------------------------------------------- */

/** @type {Question | null} */
let asked = null; // the latest question
let running = /** @type {{since: number, cancel: AbortController} | null} */ (null);
let [due, since] = [0, 0];

function stop() {
  running?.cancel.abort();
  running = null;
}

/** Sends the latest question; where another is asked meanwhile, that one next. */
async function ask() {
  const question = /** @type {Question} */ (asked);
  const { scene } = pairPage.state;
  const [mine, began] = [{ since: performance.now(), cancel: new AbortController() }, since || performance.now()];
  running = mine;
  since = 0;
  try {
    const reply = await send(question, mine.cancel.signal);
    if (running !== mine) return;
    const fresh = question === asked;
    const took = performance.now() - began;
    update({ reply, scene, fresh, problem: null, took, status: fresh ? "done" : "asking" });
  } catch (error) {
    if (running !== mine) return;
    update({ status: "failed", problem: /** @type {api.Problem} */ (error), fresh: false });
  }
  running = null;
  if (asked && question !== asked) void ask();
}

/** Asks what is to be asked now, if that is anything new. */
function refresh() {
  due = 0;
  const question = questionOf();
  if (!question || same(question, asked)) return;
  // Another sentence, model or intervention makes the answer on its way pointless; another place of a thing does not.
  const waits = running && asked && asked.model === question.model && same(asked.what, question.what) && performance.now() - running.since < PATIENCE; // prettier-ignore
  asked = question;
  update({ status: "asking", fresh: false });
  if (waits) return;
  stop();
  void ask();
}

function soon() {
  since = since || performance.now();
  if (!due) due = setTimeout(refresh, PAUSE);
}

export function again() {
  asked = null;
  soon();
}

/** Forgets what is shown and on its way. @param {Partial<typeof first>} [instead] */
function forget(instead) {
  clearTimeout(due);
  asked = null;
  due = since = 0;
  stop();
  update({ ...first, ...instead });
}

const NONE = {
  title: "No pictures to ask about",
  message: "Choose a statement, upload two pictures or edit a scene.",
};

/** Follows the page; returns a function that ends this. @returns {Disposer} */
export function follow() {
  const ends = [
    effect(() => {
      void page.model;
      untracked(() => forget()); // nothing that is shown, or on its way, is of the model before
    }),
    effect(() => {
      const failed = pairPage.state.status === "failed";
      untracked(() => failed && forget({ status: "failed", problem: NONE }));
    }),
    effect(() => {
      if (questionOf()) untracked(soon);
    }),
    unedited.follow(),
  ];
  return () => {
    ends.forEach((end) => end());
    forget();
  };
}

/** What files say about where the answers come from. @returns {Record<string, unknown>} */
export function facts() {
  const { reply, fresh } = state;
  const { base, samples } = pairPage.state;
  if (!reply) return {};
  const { drop, keep_edges: keep = null } = reply.intervention;
  return {
    model: reply.model,
    revision: reply.revision,
    statement: base ? base.id : null,
    edited: pairPage.edited(),
    samples,
    scene: state.scene,
    drop,
    keep_edges: keep,
    current: fresh,
    kind: tag(),
  };
}

/** Whether numbers are observed, or under an intervention. */
export function tag() {
  const { drop = [], keep_edges: keep } = state.reply?.intervention ?? {};
  return drop.length > 0 || typeof keep === "number" ? "under intervention" : "observed";
}
