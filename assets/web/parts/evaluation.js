/* Evaluations of interventions as they become more precise: what streams in for what is chosen, and its progress with a way
   to end it. Every change closes the running stream, which ends its computing, and opens the next. */
import * as api from "rs/lib/api.js";
import { fixed, whole } from "rs/lib/format.js";
import { Bar } from "rs/lib/jobs.js";
import { refusal } from "rs/lib/models.js";
import { makeStore } from "rs/lib/store.js";
import * as stream from "rs/lib/stream.js";
import { html } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";
import { WHOLE, covered, samplesIn, words } from "rs/parts/figures.js";

/** @import { Disposer, Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {{title: string, detail: string, refused?: boolean}} Problem refused: the page can measure nothing of this model
 * @typedef {{status: "running" | "done", evaluation: Schemas["Evaluation"]}} Measured
 * @typedef {{status: "failed", problem: Problem}} Failed
 */

/**
 * What a page shows of an evaluation.
 *
 * @typedef {object} Shown
 * @property {"running" | "done" | "cancelled" | "failed"} status
 * @property {Problem | null} problem
 * @property {Schemas["Evaluation"] | null} evaluation the latest event
 * @property {boolean} fresh whether that belongs to what is chosen
 */

/**
 * @typedef {Omit<Shown, "status"> & {status: Shown["status"] | "waiting"}} State
 * @typedef {{status: string, problem: {refused?: boolean} | null}} Followed
 */

const REST = 350; // milliseconds without a change
const PHASES = ["preparing", "scoring", "controls", "comparing", "done"];

/**
 * Opens the stream of an evaluation for `owner`, and hears each event, or why there is none.
 *
 * @param {string} owner
 * @param {string} path
 * @param {(news: Measured | Failed) => void} heard
 */
export function listen(owner, path, heard) {
  let last = { at: 0, done: 0 };
  stream.open(
    owner,
    path,
    {
      /** @param {Schemas["Evaluation"]} evaluation */
      evaluation(evaluation) {
        const now = { at: PHASES.indexOf(evaluation.phase), done: evaluation.done };
        if (now.at < last.at || (now.at === last.at && now.done < last.done)) return false; // a stream that began again
        last = now;
        const done = evaluation.state === "done";
        heard({ status: done ? "done" : "running", evaluation });
        return done;
      },
    },
    (problem) => heard({ status: "failed", problem: { title: problem.title, detail: problem.message } }),
  );
}

/**
 * The evaluations of what is chosen on a page, one after the other: `restart` closes the running stream, and calls
 * `begin(stands)` after a pause in which nothing else was chosen. That calls `open` with an address, or `ask`, which finds
 * out first whether the model is refused. `stands()` is false from the next change on: nothing that is found out for an
 * older choice is shown. `statusOf` and `update` are of the state that the page shows.
 *
 * @param {object} page
 * @param {string} page.owner
 * @param {() => string} page.statusOf
 * @param {(changes: Partial<Shown>) => void} page.update
 * @param {(stands: () => boolean) => void} page.begin
 */
export function makeRuns({ owner, statusOf, update, begin }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due;
  let turn = 0; // of the choices that are to be measured; what waits for an older one ends

  /** Ends what is measured, and what was to be. */
  function close() {
    turn += 1;
    clearTimeout(due);
    stream.close(owner);
  }

  /** @param {number} [pause] */
  function restart(pause = 0) {
    close();
    update({ status: "running", problem: null, fresh: false });
    const mine = turn;
    due = setTimeout(() => begin(() => mine === turn), pause);
  }

  /** @param {string} path */
  const open = (path) =>
    listen(owner, path, (news) => update(news.status === "failed" ? news : { ...news, fresh: true }));

  /** Open the stream, or say why nothing can be measured. @param {string} model @param {() => string} pathOf */
  async function ask(model, pathOf) {
    const mine = turn;
    const refused = await refusal(model);
    if (mine !== turn) return;
    if (refused) update({ status: "failed", problem: refused });
    else open(pathOf());
  }

  function cancel() {
    close();
    if (statusOf() === "running") update({ status: "cancelled" });
  }

  return { restart, open, ask, cancel, close };
}

/**
 * An evaluation that follows what is chosen on a page. Measuring starts when its panel comes into view, so that it does
 * not take the processor from what one looks at.
 *
 * `owner` names its stream, `pathOf()` gives the address of what is chosen now ("" while there is nothing to measure),
 * `subscribePage(listener)` tells of changes. Its state: status is waiting, running, done, cancelled or failed;
 * evaluation the latest event; fresh whether that belongs to what is chosen.
 *
 * @param {{owner: string, pathOf: () => string, subscribePage: (listener: () => void) => Disposer}} page
 */
export function make({ owner, pathOf, subscribePage }) {
  /** @type {State} */
  const FIRST = { status: "waiting", problem: null, evaluation: null, fresh: false };
  const { state, update, subscribe } = makeStore({ ...FIRST });
  let asked = "";
  let visible = false;

  const runs = makeRuns({
    owner,
    statusOf: () => state.status,
    update,
    begin() {
      if (!asked) return;
      if (visible) runs.open(asked);
      else update({ status: "waiting" }); // it went out of view meanwhile
    },
  });

  /** @param {number} [pause] */
  function restart(pause) {
    if (visible) runs.restart(pause);
    else {
      runs.close();
      update({ status: "waiting", problem: null, fresh: false });
    }
  }

  /** Follows what is chosen; nothing is measured out of view. */
  function follow() {
    const next = pathOf();
    if (!next && asked) {
      asked = "";
      runs.close();
      update({ status: "waiting", fresh: false });
    } else if (next && next !== asked) {
      asked = next;
      restart(REST);
    } else if (visible && state.status === "waiting" && asked) restart();
  }

  function leave() {
    runs.close();
    [asked, visible] = ["", false];
    Object.assign(state, FIRST);
  }

  /** Measure while the panel is in view; return what ends this. @param {Element} element */
  function watch(element) {
    const observer = new IntersectionObserver(
      (entries) => {
        visible = entries[entries.length - 1].isIntersecting;
        if (visible) follow();
      },
      { rootMargin: "60px" },
    );
    observer.observe(element);
    const end = subscribePage(follow);
    return () => {
      observer.disconnect();
      end();
    };
  }

  /** Forgets what was measured, of another model. */
  const forget = () => update({ evaluation: null, fresh: false });

  return { state, subscribe, follow, restart: () => restart(0), cancel: runs.cancel, leave, forget, watch };
}

/**
 * What a page says of the progress of its evaluation in words of its own.
 *
 * @typedef {object} Sayings
 * @property {number} [chosen] how many samples the control asks for
 * @property {string} [counted] what is scored
 * @property {string} [waiting] before anything was asked for
 * @property {string} [stale] cancelled before the first figure
 * @property {string} [kept] how it was measured, of what was kept
 * @property {string} [several] while more than one data set is scored
 * @property {(evaluation: Schemas["Evaluation"]) => string} [after] the sentence that says it is done
 * @property {(evaluation: Schemas["Evaluation"]) => string} [intervention] what was done
 */

/**
 * How far an evaluation is, in words and as a share.
 *
 * @param {Pick<Shown, "problem" | "evaluation" | "fresh"> & {status: string}} shown
 * @param {Sayings} [its]
 */
export function progressOf({ status, problem, evaluation, fresh }, its = {}) {
  const { chosen = 0, counted = "samples", waiting = "Starting", kept = "from cache", several = "" } = its;
  const now = fresh ? evaluation : null;
  if (status === "failed" && problem) return { text: problem.title + ". " + problem.detail, share: 0 };
  if (status === "loading" || status === "waiting") return { text: waiting, share: 0 };
  if (!now) {
    const { stale = "Cancelled. The figures belong to the previous choice." } = its;
    return { text: status === "cancelled" ? stale : "Starting", share: 0 };
  }
  const total = samplesIn(now);
  const standing = whole(covered(now)) + " of " + whole(total) + " " + counted;
  if (status === "cancelled")
    return { text: "Cancelled: the figures cover " + standing + ".", share: covered(now) / total };
  if (now.state === "done") {
    const how = now.cached ? kept : "in " + now.seconds.toFixed(1) + " s";
    const fewer = chosen > total ? " (" + whole(chosen) + " chosen, no more installed)" : "";
    const text = (its.intervention ?? words)(now) + ": " + whole(total) + " " + counted + fewer + ", " + how + ".";
    return { text: text + (its.after ? its.after(now) : ""), share: 1 };
  }
  const share = now.total ? now.done / now.total : 0;
  if (now.phase === "controls") {
    if (!now.control) return { text: "Random sets: starting", share };
    const { draws_done: done, draws } = now.control;
    return { text: "Random sets: " + done + " of " + draws + " done", share };
  }
  if (now.phase === "comparing") {
    const { done = 0, total: all = 0 } = now.comparison?.a ?? {};
    return { text: "Scoring A", share: all ? done / all : 0 };
  }
  if (now.phase === "preparing") return { text: "Preparing", share };
  return { text: "Scoring: " + standing + (now.data.length > 1 ? several : ""), share };
}

/** @typedef {{status: string, problem: {refused?: boolean} | null, text: string, share: number}} Progressed */

/**
 * Words, a bar, and buttons to cancel and, where the page `goesOn`, to go on.
 *
 * @param {{name: string, cancel: () => void, restart: () => void, goesOn: boolean} & Progressed} props
 */
function Progress({ name, status, problem, text, share, cancel, restart, goesOn }) {
  const refused = Boolean(problem && problem.refused);
  const again = goesOn && !refused && (status === "cancelled" || status === "failed");
  return html`
    <p class="job-words" id=${name + "-status"} role="status" aria-live=${status === "running" ? "off" : "polite"}>
      ${text}
    </p>
    <${Bar} label="Evaluation" done=${100 * Math.min(1, share)} hidden=${refused} />
    <${Tool} id=${name + "-cancel"} hidden=${status !== "running"} act=${cancel}>Cancel<//>
    <${Tool} id=${name + "-again"} hidden=${!again} act=${restart}>
      ${status === "cancelled" ? "Resume" : "Try again"}
    <//>
    <span class="reader" data-widget="reader" hidden=${!refused}></span>
  `;
}

/**
 * @template Shown
 * @typedef {{state: Shown & Followed, cancel: () => void, restart: () => void}} FollowedStore an evaluation that is followed
 */

/**
 * How far an evaluation is; `progressOf(state)` gives {text, share}.
 *
 * @template Shown
 * @param {{name: string, look?: string, followed: FollowedStore<Shown>, progressOf: (state: Shown & Followed) => {text: string, share: number}}} props
 */
export function ProgressOf({ name, look, followed: { state, cancel, restart }, progressOf }) {
  const { status, problem } = state;
  return html`<div class=${look} data-state=${problem?.refused ? "refused" : status}>
    <${Progress} ...${{ name, status, problem, ...progressOf(state), cancel, restart, goesOn: true }} />
  </div>`;
}

/* -- speeds beside each other ------------------------------------------------------------------------------------

   Measured when somebody asks, an intervention and the model as it is in turn, on one batch. Those of different moments
   say more of the machine than of the network, and are not shown. */

/** @typedef {Schemas["Timing"]} Timing */

/**
 * @typedef {object} TimingState
 * @property {string | null} of the evaluation that was timed
 * @property {"idle" | "running" | "done" | "failed"} status
 * @property {Timing | null} timing
 * @property {string} problem
 */

const timings = makeStore(/** @type {TimingState} */ ({ of: null, status: "idle", timing: null, problem: "" }));

/** What was timed of an evaluation, or null. @param {Schemas["Evaluation"]} evaluation */
export const timingOf = (evaluation) => (timings.state.of === evaluation.id ? timings.state.timing : null);

/** @param {Schemas["Evaluation"]} evaluation */
async function time({ id, model, data, intervention }) {
  const names = data.map((each) => each.name);
  const samples = data.reduce((sum, each) => sum + each.count, 0);
  timings.update({ of: id, status: "running", timing: null, problem: "" });
  try {
    /** @type {Timing} */
    const timing = await api.send("POST", "/evaluations/timing", { model, data: names, samples, intervention });
    if (timings.state.of === id) timings.update({ status: "done", timing });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    if (timings.state.of === id) timings.update({ status: "failed", problem });
  }
}

/** "1.42 times as fast (1.31 to 1.50)", and what that was measured by. @param {Timing} timing */
export function timingWords({ ratio, rounds, samples_per_second: own, baseline_samples_per_second: bare }) {
  const span = ratio.low === null || ratio.high === null ? "" : fixed(ratio.low, 2) + " to " + fixed(ratio.high, 2);
  return {
    value: fixed(ratio.value, 2),
    unit: "times as fast",
    detail: span + " in " + rounds + " rounds; " + whole(own) + " and " + whole(bare) + " samples/s",
  };
}

/** The timing of an evaluation, or its button. @param {{id: string, evaluation: Schemas["Evaluation"] | null}} props */
export function Timed({ id, evaluation }) {
  if (!evaluation || evaluation.state !== "done" || words(evaluation) === WHOLE) return null;
  const { of, status, timing, problem } = timings.state;
  const own = of === evaluation.id;
  if (own && timing) {
    const { value, unit, detail } = timingWords(timing);
    return html`<div class="timed" id=${id}><b>${value}</b> ${unit} <span>${detail}</span></div>`;
  }
  const running = own && status === "running";
  return html`<div class="timed" id=${id} role="status">
    <${Tool} wait=${running} act=${() => time(evaluation)}>
      ${running ? "Timing both in turn" : "Compare speed with the full model"}
    <//>
    ${own && status === "failed" && html`<span>${problem}</span>`}
  </div>`;
}
