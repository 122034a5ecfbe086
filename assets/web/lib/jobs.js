/* Jobs: started, followed over server-sent events, cancelled and taken up again; shown as a bar with words. */
import * as api from "rs/lib/api.js";
import { setProps } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as stream from "rs/lib/stream.js";

/** @import { Disposer, JobEntry, Schemas } from "rs/lib/types.d.ts" */

/** @type {Set<string>} */
const OPEN = new Set(["queued", "running"]);
/** @type {Map<string, JobEntry>} */
const known = new Map(); // key -> {job, request: {path, body}, problem, starting}
/** @type {Map<string, Set<(entry: JobEntry) => void>>} */
const listeners = new Map(); // key -> set of functions

/**
 * @param {string} key
 * @returns {JobEntry}
 */
const entryOf = (key) => known.get(key) || { job: null, request: null, problem: null, starting: false };

/**
 * @param {string} key
 * @param {Partial<JobEntry>} changes
 */
function update(key, changes) {
  const before = entryOf(key);
  const next = { ...before, ...changes };
  known.set(key, next);
  (listeners.get(key) || []).forEach((listener) => listener(next));
  /** @param {JobEntry} entry */
  const said = (entry) => entry.job && entry.job.id + " " + entry.job.state;
  if (said(next) !== said(before) && document.querySelector('[data-job="' + key + '"]')) {
    const { job } = next;
    const data = job && { id: job.id, state: job.state, result: job.result };
    setProps(key + "-job", { data });
  }
}

/**
 * Calls `listener({job, request, problem, starting})` now and after every change; returns a function that ends this.
 *
 * @param {string} key
 * @param {(entry: JobEntry) => void} listener
 * @returns {Disposer}
 */
export function subscribe(key, listener) {
  const mine = listeners.get(key) || new Set();
  listeners.set(key, mine.add(listener));
  listener(entryOf(key));
  return () => mine.delete(listener);
}

/** @param {string} key */
const owner = (key) => "job " + key;

/**
 * @param {string} key
 * @param {Schemas["Job"]} job
 */
export function follow(key, job) {
  update(key, { job, problem: null, starting: false });
  if (!OPEN.has(job.state)) {
    stream.close(owner(key));
    return;
  }
  stream.open(
    owner(key),
    "/jobs/" + encodeURIComponent(job.id) + "/events",
    {
      job(next) {
        update(key, { job: next });
        return !OPEN.has(next.state);
      },
    },
    (problem) => update(key, { problem }),
  );
}

let turn = 0;

/**
 * Starts a job, or finds it: the same request is the same job, and a cancelled one goes on where it stopped.
 *
 * @param {string} key
 * @param {string} path
 * @param {unknown} body
 */
export async function start(key, path, body) {
  const mine = (turn += 1);
  stream.close(owner(key));
  update(key, { request: { path, body }, problem: null, starting: true, job: null, turn: mine });
  try {
    const job = await api.send("POST", path, body);
    if (entryOf(key).turn === mine) follow(key, job);
  } catch (problem) {
    if (entryOf(key).turn === mine) update(key, { problem: /** @type {api.Problem} */ (problem), starting: false });
  }
}

/** @param {string} key */
export async function cancel(key) {
  const { job } = entryOf(key);
  if (!job || !OPEN.has(job.state)) return;
  try {
    const next = await api.send("DELETE", "/jobs/" + encodeURIComponent(job.id));
    // Its last event says so too; an answer without a body leaves it to that.
    if (next && next.state) follow(key, next);
  } catch (problem) {
    update(key, { problem: /** @type {api.Problem} */ (problem) });
  }
}

/**
 * Says that nobody waits here for a job any more; it goes on where others asked for it, too.
 *
 * @param {Schemas["Job"] | null} job
 */
export async function drop(job) {
  if (!job || !OPEN.has(job.state)) return;
  try {
    await api.send("DELETE", "/jobs/" + encodeURIComponent(job.id) + "?release=true");
  } catch {
    // It ended by itself, or goes on unseen: either way its result is kept for the next who asks.
  }
}

/**
 * Gives up the job called `key` and forgets it at once.
 *
 * @param {string} key
 */
export function release(key) {
  const { job } = entryOf(key);
  forget(key);
  return drop(job);
}

/** @param {string} key */
export function resume(key) {
  const { request } = entryOf(key);
  if (request) start(key, request.path, request.body);
}

/**
 * Forgets the job called `key` here; it goes on in the service unless it was cancelled.
 *
 * @param {string} key
 */
export function forget(key) {
  stream.close(owner(key));
  update(key, { job: null, request: null, problem: null, starting: false, turn: (turn += 1) });
}

/** @param {Schemas["Job"]} job */
const problemOf = ({ problem }) => {
  const said = problem || { status: 0, title: "It could not be computed", detail: "" };
  return new api.Problem(said.status, said.title, said.detail);
};

/** @param {Schemas["Job"]} job */
const idOf = (job) => (job.result || "").split("/").pop() || job.id;

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

/**
 * @param {JobEntry} entry
 * @param {string} what
 */
function wordsOf({ job, problem, starting }, what) {
  if (problem) return [problem.title || "It failed", problem.message || ""];
  if (starting || !job) return [what, starting ? "starting" : ""];
  const counted = job.total ? job.done.toLocaleString("en") + " of " + job.total.toLocaleString("en") : "";
  if (job.state === "queued") return [what, "waiting for other work"];
  if (job.state === "running") {
    const left = job.done && job.seconds > 1 ? (job.seconds / job.done) * (job.total - job.done) : null;
    return [job.what || what, counted + (left ? ", about " + duration(left) + " left" : "")];
  }
  if (job.state === "cancelled") return ["Cancelled", counted ? counted + " are kept" : ""];
  if (job.state === "failed") {
    const said = /** @type {Partial<Schemas["Problem"]>} */ (job.problem || {});
    return [said.title || "It failed", said.detail || ""];
  }
  return ["Done", job.seconds ? "in " + duration(job.seconds) : ""];
}

registerWidget("job-progress", (host) => {
  const { job: key = "", what = "" } = host.dataset;
  const title = build("span", { class: "job-what" });
  const count = build("span", { class: "job-count" });
  const fill = build("span", { class: "job-fill" });
  const bar = build("div", { class: "job-bar", role: "progressbar", "aria-label": what, "aria-valuemin": 0 }, fill);
  const stop = build(
    "button",
    { type: "button", class: "tool tool-text", "data-job-cancel": key, onclick: () => cancel(key) },
    "Cancel",
  );
  const again = build(
    "button",
    { type: "button", class: "tool tool-text", "data-job-resume": key, onclick: () => resume(key) },
    "Resume",
  );
  const words = build("p", { class: "job-words" }, title, " ", count);
  host.replaceChildren(words, bar, stop, again);

  /** @param {JobEntry} entry */
  function show(entry) {
    const { job, problem, starting, request } = entry;
    const state = problem ? "failed" : starting ? "queued" : job ? job.state : "none";
    host.dataset.state = state;
    host.dataset.id = job ? job.id : "";
    host.hidden = state === "none" || state === "done";
    const [first, second] = wordsOf(entry, what);
    title.textContent = first;
    count.textContent = second;
    const share = job && job.total ? Math.min(1, job.done / job.total) : 0;
    fill.style.width = 100 * share + "%";
    bar.setAttribute("aria-valuemax", String(job && job.total ? job.total : 1));
    bar.setAttribute("aria-valuenow", String(job && job.total ? Math.min(job.done, job.total) : 0));
    bar.setAttribute("aria-valuetext", first + (second ? ", " + second : ""));
    stop.hidden = !(job && OPEN.has(job.state)) || Boolean(problem);
    again.hidden = !(request && (problem || state === "cancelled" || state === "failed"));
    again.textContent = state === "cancelled" ? "Resume" : "Try again";
  }

  const end = subscribe(key, show);
  return () => {
    end();
    forget(key);
  };
});

export { entryOf as state };
