/* What the network answers about the pair of pictures: asked anew at every change of the pictures, the pinned sentences or
   what is left out. One question is on its way at a time and the latest follows it, so that answers come while something is
   dragged; a question that has become pointless, or takes long, is cancelled. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairUnits from "rs/pages/circuits/pair/units.js";
import * as circuitsState from "rs/pages/circuits/state.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { PageState, Refusal, Scene } from "rs/pages/circuits/types.d.ts" */

const PAUSE = 25; // milliseconds in which changes are gathered
const PATIENCE = 600; // after which a newer question ends the one on its way

/**
 * @typedef {object} State
 * @property {"idle" | "asking" | "done" | "failed"} status
 * @property {Refusal | null} problem
 * @property {Schemas["Answers"] | null} reply
 * @property {Scene | null} scene of what the reply is
 * @property {boolean} fresh whether it belongs to what is shown
 * @property {Schemas["Answers"] | null} base for the pair before it was edited, under the same intervention
 * @property {number | null} took milliseconds from the change to the answer
 */

/**
 * @typedef {object} Body of a request for answers
 * @property {string[]} sentences
 * @property {Schemas["AnswersRequest"]["pictures"]} pictures
 * @property {Partial<Schemas["InterventionBody"]>} intervention
 */

/** @typedef {{model: string, body: Body}} Question */
/** @typedef {Question & {key: string, since: number, scene: Scene | null}} LiveQuestion */

/** @returns {State} */
const first = () => ({
  status: "idle",
  problem: null,
  reply: null,
  scene: null,
  fresh: false,
  base: null,
  took: null,
});
const { state, update, subscribe } = makeStore(first());

export { state, subscribe };

/**
 * Asks one question at a time; `ask(body)` while one is on its way waits for it, and only the latest waits.
 *
 * @template {Question} Asked
 */
class Asker {
  /**
   * @param {(reply: Schemas["Answers"], question: Asked) => void} heard
   * @param {(problem: api.Problem) => void} failed
   */
  constructor(heard, failed) {
    this.heard = heard;
    this.failed = failed;
    this.running = /** @type {{since: number, cancel: AbortController} | null} */ (null);
    this.waiting = /** @type {Asked | null} */ (null);
  }

  /**
   * @param {Asked} question
   * @param {boolean} urgent
   */
  ask(question, urgent) {
    if (this.running && !urgent && performance.now() - this.running.since < PATIENCE) {
      this.waiting = question;
      return;
    }
    this.stop();
    this.send(question);
  }

  stop() {
    if (this.running) this.running.cancel.abort();
    this.running = this.waiting = null;
  }

  /** @param {Asked} question */
  async send(question) {
    const mine = { since: performance.now(), cancel: new AbortController() };
    this.running = mine;
    try {
      const path = "/models/" + encodeURIComponent(question.model) + "/answers";
      /** @type {Schemas["Answers"]} */
      const reply = await api.send("POST", path, question.body, { signal: mine.cancel.signal });
      if (this.running === mine) this.heard(reply, question);
    } catch (error) {
      const problem = /** @type {api.Problem} */ (error);
      if (this.running === mine && problem.name !== "AbortError") this.failed(problem);
    }
    if (this.running !== mine) return;
    this.running = null;
    const next = this.waiting;
    this.waiting = null;
    if (next) this.send(next);
  }
}

const live = new Asker(
  (reply, /** @type {LiveQuestion} */ question) => {
    const fresh = question.key === asked;
    update({
      reply,
      scene: question.scene,
      fresh,
      problem: null,
      took: performance.now() - question.since,
      status: fresh ? "done" : "asking",
    });
  },
  (problem) => update({ status: "failed", problem, fresh: false }),
);
const before = new Asker(
  (base) => update({ base }),
  () => update({ base: null }),
);

/** What is left out, as the API takes it. */
function intervention() {
  const { keep_edges: keep } = circuitsState.get();
  return { drop: pairUnits.leftOut(), ...(keep === null ? {} : { keep_edges: keep }) };
}

let asked = ""; // the latest question
let askedBefore = "";
let due = 0;
let since = 0;

/** Asks what is to be asked now, if that is anything new. */
function refresh() {
  due = 0;
  const page = circuitsState.get();
  if (pairPage.state.status === "failed") return nothingToAskAbout();
  const pictures = pairPage.pictures();
  if (page.status !== "ready" || !pictures || !page.sentences.length || pairPage.state.status !== "ready") return;
  /** @type {Body} */
  const body = { sentences: page.sentences, pictures, intervention: intervention() };
  const model = /** @type {string} */ (page.model);
  const key = JSON.stringify([model, body]);
  if (key !== asked) {
    // Another sentence, model or intervention makes the answer on its way pointless; another place of a thing does not.
    const [then, now] = [asked ? JSON.parse(asked) : null, /** @type {[string, Body]} */ ([model, body])];
    const urgent =
      !then ||
      JSON.stringify([then[0], { ...then[1], pictures: 0 }]) !== JSON.stringify([now[0], { ...now[1], pictures: 0 }]);
    asked = key;
    update({ status: "asking", fresh: false });
    live.ask({ model, body, key, since: since || performance.now(), scene: pairPage.state.scene }, urgent);
  }
  askBefore(page, body);
  since = 0;
}

/** The pictures cannot be had: say so where answers and maps would be. */
function nothingToAskAbout() {
  const problem = {
    title: "No pictures to ask about",
    message: "Pick a statement of the gallery, upload two pictures or edit a scene.",
  };
  asked = askedBefore = "";
  live.stop();
  before.stop();
  since = 0;
  update({ status: "failed", problem, reply: null, scene: null, fresh: false, base: null });
}

/**
 * Asks the same of the pair before it was edited.
 *
 * @param {PageState} page
 * @param {Body} body
 */
function askBefore(page, body) {
  const { base, edited, samples } = pairPage.state;
  if (!base || !edited || samples) {
    askedBefore = "";
    before.stop();
    if (state.base) update({ base: null });
    return;
  }
  const question = { model: /** @type {string} */ (page.model), body: { ...body, pictures: { statement: base.id } } };
  const key = JSON.stringify(question);
  if (key === askedBefore) return;
  askedBefore = key;
  if (state.base) update({ base: null });
  before.ask(question, true);
}

export function soon() {
  since = since || performance.now();
  if (!due) due = setTimeout(refresh, PAUSE);
}

export function again() {
  asked = askedBefore = "";
  soon();
}

/** Another model was chosen: nothing that is shown, or on its way, is of the one before. */
export function forget() {
  if (!asked && !state.reply) return;
  asked = askedBefore = "";
  live.stop();
  before.stop();
  update(first());
}

export function leave() {
  clearTimeout(due);
  due = since = 0;
  asked = askedBefore = "";
  live.stop();
  before.stop();
  Object.assign(state, first());
}

/**
 * How probable a sentence was before the pair was edited, or null.
 *
 * @param {string} sentence
 */
export const probabilityBefore = (sentence) => {
  const found = state.base && state.base.answers.find((each) => each.sentence === sentence);
  return found ? found.probability : null;
};

/**
 * What files say about where the answers come from.
 *
 * @returns {Record<string, unknown>}
 */
export function facts() {
  const { reply, fresh } = state;
  const { base, edited, samples } = pairPage.state;
  if (!reply) return {};
  return {
    model: reply.model,
    revision: reply.revision,
    statement: base ? base.id : null,
    edited,
    samples: samples || null,
    scene: state.scene,
    drop: reply.intervention.drop,
    keep_edges: reply.intervention.keep_edges ?? null,
    current: fresh,
    kind:
      reply.intervention.drop.length || typeof reply.intervention.keep_edges === "number"
        ? "under intervention"
        : "observed",
  };
}
