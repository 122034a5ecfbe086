/* Jobs: started, followed over server-sent events, cancelled and taken up again; shown as a bar with words. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";
import * as stream from "rs/lib/stream.js";
import { user } from "rs/lib/navigation/user.js";
import { html } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Store } from "rs/lib/store.js" */
/** @import { Disposer, JobEntry, Schemas } from "rs/lib/types.d.ts" */

/** @type {Set<string>} */
const OPEN = new Set(["queued", "running"]);
/** How often a job was started here. */
export const asked = signal(0);
/** @type {Map<string, Store<JobEntry>>} */
const known = new Map();

/** @param {string} key */
function storeOf(key) {
  const found = known.get(key);
  if (found) return found;
  const made = makeStore(
    /** @type {JobEntry} */ ({ job: null, request: null, problem: null, starting: false, turn: 0 }),
  );
  known.set(key, made);
  return made;
}

/** What is known of the job called `key` now. @param {string} key */
export const state = (key) => storeOf(key).state;

/** @param {string} key @param {Partial<JobEntry>} changes */
const update = (key, changes) => storeOf(key).update(changes);

/** Call the listener now and after every change. @param {string} key @param {(entry: JobEntry) => void} listener */
export const subscribe = (key, listener) => storeOf(key).subscribe(listener);

/** @param {string} key */
const owner = (key) => "job " + key;

const POLL = 2_000; // milliseconds between two looks at a job that no stream tells of
const HIDDEN = 30_000; // in a hidden tab, which browsers may slow down to a look a minute; unread jobs end after 150 s
/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const polls = new Map();

/** Ends the following of the job called `key`. @param {string} key */
function leave(key) {
  stream.close(owner(key));
  clearTimeout(polls.get(key));
  polls.delete(key);
}

/** Poll a job until it ends, where no stream follows it. @param {string} key @param {string} id */
function poll(key, id) {
  const look = async () => {
    const still = () => polls.get(key) === due;
    try {
      const job = await api.send("GET", "/jobs/" + encodeURIComponent(id));
      if (!still()) return;
      update(key, { job });
      if (OPEN.has(job.state)) poll(key, id);
      else leave(key);
    } catch (problem) {
      if (!still()) return;
      leave(key);
      update(key, { problem: /** @type {api.Problem} */ (problem) });
    }
  };
  const due = setTimeout(look, document.hidden ? HIDDEN : POLL);
  polls.set(key, due);
}

document.addEventListener("visibilitychange", () => {
  for (const [key, { state }] of known) {
    if (!state.job || !stream.live(owner(key))) continue;
    clearTimeout(polls.get(key));
    polls.delete(key);
    if (document.hidden) poll(key, state.job.id);
  }
});

/** @param {string} key @param {Schemas["Job"]} job */
export function follow(key, job) {
  leave(key);
  update(key, { job, problem: null, starting: false });
  if (!OPEN.has(job.state)) return;
  stream.open(
    owner(key),
    "/jobs/" + encodeURIComponent(job.id) + "/events",
    {
      job(next) {
        const before = state(key).job;
        const isOlder = before && before.state === next.state && before.what === next.what && before.done > next.done;
        if (!isOlder) update(key, { job: next }); // another replica reads the progress that was written last
        return !OPEN.has(next.state);
      },
    },
    (problem) => (problem.kind === "busy" ? poll(key, job.id) : update(key, { problem })),
  );
  if (document.hidden) poll(key, job.id);
}

let turn = 0;

/** Start a job, or find or resume the same one. @param {string} key @param {string} path @param {unknown} body */
export async function start(key, path, body) {
  const mine = (turn += 1);
  leave(key);
  update(key, { request: { path, body }, problem: null, starting: true, job: null, turn: mine });
  try {
    const job = await api.send("POST", path, body);
    asked.value += 1;
    if (state(key).turn === mine) follow(key, job);
  } catch (problem) {
    if (state(key).turn === mine) update(key, { problem: /** @type {api.Problem} */ (problem), starting: false });
  }
}

const GIVEN_UP = "given up here";

/** Whether a job that was cancelled here is computed for others who asked for it. @param {Schemas["Job"]} job */
const goesOnForOthers = ({ state, owner }) => OPEN.has(state) && owner !== "you";

/** @param {string} key */
export async function cancel(key) {
  const { job } = state(key);
  if (!job || !OPEN.has(job.state)) return;
  try {
    const next = await api.send("DELETE", "/jobs/" + encodeURIComponent(job.id));
    // Its last event says so too; an answer without a body leaves it to that.
    if (next && next.state) follow(key, goesOnForOthers(next) ? { ...next, state: "cancelled", what: GIVEN_UP } : next);
  } catch (problem) {
    update(key, { problem: /** @type {api.Problem} */ (problem) });
  }
}

/** Tell the service that this page no longer waits for a job. @param {Schemas["Job"] | null} job */
export async function drop(job) {
  if (!job || !OPEN.has(job.state)) return;
  try {
    await api.send("DELETE", "/jobs/" + encodeURIComponent(job.id) + "?release=true");
  } catch {
    // It ended by itself, or goes on unseen: either way its result is kept for the next who asks.
  }
}

/** Gives up the job called `key` and forgets it at once. @param {string} key */
export function release(key) {
  const { job } = state(key);
  forget(key);
  return drop(job);
}

/** @param {string} key */
export function resume(key) {
  const { request } = state(key);
  if (request) start(key, request.path, request.body);
}

/** Forgets the job called `key` here; it goes on in the service unless it was cancelled. @param {string} key */
export function forget(key) {
  leave(key);
  update(key, { job: null, request: null, problem: null, starting: false, turn: (turn += 1) });
}

/** Whether a read-only service refuses to compute it. @param {{status?: number} | null} problem */
export const isRefused = (problem) => user.value.read_only && problem?.status === 403;

/** @param {Schemas["Job"]} job */
export const problemOf = ({ problem }) => {
  const said = problem || { status: 0, title: "It could not be computed", detail: "" };
  return new api.Problem(said.status, said.title, said.detail);
};

/** @param {Schemas["Job"]} job */
export const idOf = (job) => (job.result || "").split("/").pop() || job.id;

/**
 * Starts the job called `key` and hears how it ends, also when a person takes it up again after that: {sent, stop},
 * `sent` resolves when the service has the request, and `stop` ends the hearing.
 *
 * @param {string} key
 * @param {string} path
 * @param {unknown} body
 * @param {{done: (id: string) => void, cancelled: () => void, failed: (problem: any) => void, goesOn: () => void}} heard
 */
export function run(key, path, body, { done, cancelled, failed, goesOn }) {
  let before = /** @type {string | null} */ (null);
  let started = false;
  const stop = subscribe(key, ({ job, problem, starting }) => {
    if (!started) return;
    const now = problem ? "failed" : starting || !job ? "queued" : job.state;
    if (now === before) return;
    const again = before !== null && !OPEN.has(before) && OPEN.has(now);
    before = now;
    if (now === "done" && job) done(idOf(job));
    else if (now === "cancelled") cancelled();
    else if (now === "failed") failed(problem || (job && problemOf(job)));
    else if (again) goesOn();
  });
  started = true;
  return { sent: start(key, path, body), stop };
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 90) return Math.max(1, Math.round(seconds)) + " s";
  return seconds < 5400 ? Math.round(seconds / 60) + " min" : Math.round(seconds / 3600) + " h";
}

/** What a queued job waits for, in words. @param {Pick<Schemas["Job"], "ahead">} job */
export function turnOf({ ahead }) {
  if (ahead === null) return "waiting for other work";
  if (ahead === 0) return "waiting, next in turn";
  return "waiting, " + ahead.toLocaleString("en") + (ahead === 1 ? " job" : " jobs") + " before it";
}

/** Kinds of jobs whose progress is a share of unlike phases: it counts nothing, and tells no time. */
const IN_SHARES = new Set(["embedding", "sentence_map"]);

/** How far a job is: "40 of 128" or "31 %". @param {Pick<Schemas["Job"], "done" | "total"> & {kind?: string}} job */
export function countedOf({ done, total, kind = "" }) {
  if (!total) return "";
  if (IN_SHARES.has(kind)) return Math.floor((100 * done) / total) + " %";
  return done.toLocaleString("en") + " of " + total.toLocaleString("en");
}

/** Kinds of jobs that count one step after the other, such as samples and then shuffles: a time is that of the step. */
const IN_STEPS = new Set(["observation", "load"]);
const MOST_STEPS = 64; // jobs whose step is remembered
/** @typedef {{what: string, total: number, done: number, seconds: number}} Step */
/** @type {Map<string, Step>} */
const steps = new Map(); // of each job, as it was when its step was seen first

/** Returns a job as it was when its step was seen first. @param {Step & {id: string}} job */
function beginningOf({ id, what, total, done, seconds }) {
  const known = steps.get(id);
  if (known && known.what === what && known.total === total && known.done <= done) return known;
  if (steps.size >= MOST_STEPS) steps.clear();
  const first = { what, total, done, seconds };
  steps.set(id, first);
  return first;
}

/**
 * How long a job that runs will go on, if it goes on as it did: "about 20 s left", or "" where that cannot be said.
 *
 * @param {Pick<Schemas["Job"], "done" | "total" | "seconds"> & {kind?: string, id?: string, what?: string}} job
 */
export function leftOf({ done, total, seconds, kind = "", id = "", what = "" }) {
  if (IN_SHARES.has(kind)) return "";
  const inSteps = IN_STEPS.has(kind);
  const from = inSteps ? beginningOf({ id, what, total, done, seconds }) : { done: 0, seconds: 0 };
  const [more, time] = [done - from.done, seconds - from.seconds];
  if (!more || time <= 1 || total <= done) return "";
  return "about " + duration((time / more) * (total - done)) + " left" + (inSteps ? " in this step" : "");
}

/** @param {JobEntry} entry @param {string} what */
function wordsOf({ job, problem, starting }, what) {
  if (problem) return [problem.title || "It failed", problem.message || ""];
  if (starting || !job) return [what, starting ? "starting" : ""];
  const counted = countedOf(job);
  if (job.state === "queued") return [what, turnOf(job)];
  if (job.state === "running") {
    return [job.what || what, [counted, leftOf(job)].filter(Boolean).join(", ")];
  }
  if (job.what === GIVEN_UP) return ["Cancelled here", "it continues for others who asked for it"];
  const ended = job.what === "cancelled" ? "Cancelled" : "Ended, as " + job.what;
  if (job.state === "cancelled") return [ended, counted ? counted + " are kept" : ""];
  if (job.state === "failed") {
    const said = /** @type {Partial<Schemas["Problem"]>} */ (job.problem || {});
    return [said.title || "It failed", said.detail || ""];
  }
  return ["Done", job.seconds ? "in " + duration(job.seconds) : ""];
}

/** Where a job is, as the page's styles name it. @param {JobEntry} entry */
const stageOf = ({ job, problem, starting }) => (problem ? "failed" : starting ? "queued" : job ? job.state : "none");

/** A bar. @param {{label: string, done: number, total?: number, words?: string, hidden?: boolean}} props */
export const Bar = ({ label, done, total = 100, words, hidden = false }) =>
  html`<div
    class="job-bar"
    role="progressbar"
    hidden=${hidden}
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax=${total}
    aria-valuenow=${Math.round(done)}
    aria-valuetext=${words}
  >
    <span class="job-fill" style=${{ width: (100 * done) / total + "%" }}></span>
  </div>`;

/** @param {string} key @param {string} what */
function progress(key, what) {
  const entry = state(key);
  const { job, problem, request } = entry;
  const [first, second] = wordsOf(entry, what);
  const total = (job && job.total) || 0;
  const done = job && total ? Math.min(job.done, total) : 0;
  const stage = stageOf(entry);
  const goesOn = job && OPEN.has(job.state) && job.owner !== "another" && !problem && !user.value.read_only;
  const again = request && ["failed", "cancelled"].includes(stage);
  return html`
    <p class="job-words"><span class="job-what">${first}</span>${" "}<span class="job-count">${second}</span></p>
    <${Bar} label=${what} done=${done} total=${total || 1} words=${first + (second ? ", " + second : "")} />
    <button type="button" class="tool tool-text" data-job-cancel=${key} hidden=${!goesOn} onClick=${() => cancel(key)}>
      Cancel
    </button>
    <button type="button" class="tool tool-text" data-job-resume=${key} hidden=${!again} onClick=${() => resume(key)}>
      ${stage === "cancelled" ? "Resume" : "Try again"}
    </button>
  `;
}

/** How far a job is; nothing of one that is done. @param {{name: string, what: string}} props */
export function JobProgress({ name, what }) {
  const entry = state(name);
  const stage = stageOf(entry);
  const hidden = stage === "none" || stage === "done" || isRefused(entry.problem);
  return html`<div class="job" data-job=${name} data-id=${entry.job?.id ?? ""} data-state=${stage} hidden=${hidden}>
    ${progress(name, what)}
  </div>`;
}
