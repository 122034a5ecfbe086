/* What the network answers about the pair of pictures: asked anew at every change of the pictures, the pinned sentences or
   what is left out. One question is on its way at a time and the latest follows it, so that answers come while something is
   dragged; a question that has become pointless, or takes long, is cancelled. */
import * as api from "rs/lib/api.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairUnits from "rs/pages/circuits/pair/units.js";
import * as circuitsState from "rs/pages/circuits/state.js";

const PAUSE = 25; // milliseconds in which changes are gathered
const PATIENCE = 600; // after which a newer question ends the one on its way
const listeners = new Set();
export const state = {
  status: "idle", // idle, asking, done, failed
  problem: null,
  reply: null, // the API's Answers
  scene: null, // of what the reply is
  fresh: false, // whether it belongs to what is shown
  base: null, // the API's Answers for the pair before it was edited, under the same intervention
  took: null, // milliseconds from the change to the answer
};

function update(changes) {
  Object.assign(state, changes);
  const names = new Set(Object.keys(changes));
  listeners.forEach((listener) => listener(state, names));
}

export function subscribe(listener) {
  listeners.add(listener);
  listener(state, new Set(Object.keys(state)));
  return () => listeners.delete(listener);
}

/** Asks one question at a time; `ask(body)` while one is on its way waits for it, and only the latest waits. */
class Asker {
  constructor(heard, failed) {
    Object.assign(this, { heard, failed, running: null, waiting: null });
  }

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

  async send(question) {
    const mine = { since: performance.now(), cancel: new AbortController() };
    this.running = mine;
    try {
      const path = "/models/" + encodeURIComponent(question.model) + "/answers";
      const reply = await api.send("POST", path, question.body, { signal: mine.cancel.signal });
      if (this.running === mine) this.heard(reply, question);
    } catch (problem) {
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
  (reply, question) => {
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
  const body = { sentences: page.sentences, pictures, intervention: intervention() };
  const key = JSON.stringify([page.model, body]);
  if (key !== asked) {
    // Another sentence, model or intervention makes the answer on its way pointless; another place of a thing does not.
    const [then, now] = [asked ? JSON.parse(asked) : null, [page.model, body]];
    const urgent =
      !then ||
      JSON.stringify([then[0], { ...then[1], pictures: 0 }]) !== JSON.stringify([now[0], { ...now[1], pictures: 0 }]);
    asked = key;
    update({ status: "asking", fresh: false });
    live.ask({ model: page.model, body, key, since: since || performance.now(), scene: pairPage.state.scene }, urgent);
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

/** Asks the same of the pair before it was edited. */
function askBefore(page, body) {
  const { base, edited, samples } = pairPage.state;
  if (!base || !edited || samples) {
    askedBefore = "";
    before.stop();
    if (state.base) update({ base: null });
    return;
  }
  const question = { model: page.model, body: { ...body, pictures: { statement: base.id } } };
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

export function leave() {
  clearTimeout(due);
  due = since = 0;
  asked = askedBefore = "";
  live.stop();
  before.stop();
  Object.assign(state, {
    status: "idle",
    problem: null,
    reply: null,
    scene: null,
    fresh: false,
    base: null,
    took: null,
  });
}

/** How probable a sentence was before the pair was edited, or null. */
export const probabilityBefore = (sentence) => {
  const found = state.base && state.base.answers.find((each) => each.sentence === sentence);
  return found ? found.probability : null;
};

/** What files say about where the answers come from. */
export function facts() {
  const { reply, fresh } = state;
  const { base, edited, samples } = pairPage.state;
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
