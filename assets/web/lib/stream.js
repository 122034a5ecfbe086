/* Server-sent events: a stream for each owner, all of a tab on one connection (GET /streams), as a browser opens six to a
   host for all its tabs. A new set of streams opens a new connection, on which every stream says again what stands; so
   does a lost connection once the service answers. A hidden tab holds none. */
import * as api from "rs/lib/api.js";
import { isAbsent, onceBack } from "rs/lib/outage.js";

/**
 * @typedef {object} Stream
 * @property {string} path
 * @property {Record<string, (data: any) => unknown>} on
 * @property {(problem: api.Problem) => void} failed
 */

/** @type {Map<string, Stream>} */
const live = new Map(); // by owner
let rest = () => {}; // lets go of the connection, or of the wait for the service
let changed = false;

/** Connects to the streams that are live once all changes of this turn are made. */
function change() {
  if (!changed) queueMicrotask(() => changed && connect());
  changed = true;
}

/** @param {string} owner */
export function close(owner) {
  const known = live.delete(owner);
  if (known) change();
  return known;
}

/**
 * Opens `path` (below /api/v1) for `owner`, closing its earlier stream.
 *
 * `on` maps names of events to functions of their data; one that returns true ends the stream. An event `problem` ends it
 * too and goes to `failed(problem)`. A stream that opens again says again what stands by then.
 *
 * @param {string} owner
 * @param {string} path
 * @param {Record<string, (data: any) => unknown>} on
 * @param {(problem: api.Problem) => void} failed
 */
export function open(owner, path, on, failed) {
  live.set(owner, { path, on, failed });
  change();
}

/** Removes a stream that the service has ended. @param {string} owner */
function end(owner) {
  live.delete(owner);
  if (!live.size) rest();
}

/** @param {string} owner @param {api.Problem} problem */
function fail(owner, problem) {
  const stream = live.get(owner);
  end(owner);
  stream?.failed(problem);
}

function lose() {
  rest();
  rest = onceBack(connect);
}

/** Why a connection was refused; null after an outage or a lost connection. @param {string} address */
async function refusalOf(address) {
  const asking = new AbortController();
  try {
    const response = await fetch(address, { signal: asking.signal });
    if (!response.ok && !isAbsent(response)) return api.problemFrom(response.status, await response.text());
  } catch {
    // Nothing answers.
  } finally {
    asking.abort();
  }
  return null;
}

function connect() {
  rest();
  changed = false;
  if (document.hidden || !live.size) return;
  const followed = [...live];
  const paths = [...new Set(followed.map(([, { path }]) => path))];
  const query = paths.map((path) => "of=" + path.replace(/[%&+#]/g, encodeURIComponent)).join("&");
  const source = new EventSource(api.BASE + "/streams?" + query);
  let [heard, left] = [false, false];
  rest = () => {
    left = true;
    source.close();
  };

  source.addEventListener("stream", ({ data: text }) => {
    heard = true;
    const { of, event, data } = JSON.parse(text);
    for (const [owner, stream] of followed) {
      if (left || stream.path !== paths[of] || live.get(owner) !== stream) continue;
      if (event === "end") lose();
      else if (event === "problem") fail(owner, new api.Problem(data.status, data.title, data.detail, data.type));
      else if (stream.on[event]?.(data) === true && live.get(owner) === stream) end(owner);
    }
  });
  source.addEventListener("problem", () => left || lose()); // of a service that stops
  source.onerror = async () => {
    if (left) return;
    source.close();
    const refusal = heard ? null : await refusalOf(source.url);
    if (left) return;
    if (refusal) followed.forEach(([owner, stream]) => live.get(owner) === stream && fail(owner, refusal));
    else lose();
  };
  newer.clear();
  tabs.postMessage(TAB);
}

document.addEventListener("visibilitychange", () => (document.hidden ? rest() : connect()));
window.addEventListener("pagehide", () => {
  live.clear();
  rest();
});

/* -- other tabs: jobs last long, so the last few tabs that connected follow theirs, and earlier ones ask for them ------- */

const FEW = 3; // tabs
const TAB = Math.random();
const MANY = new api.Problem(503, "Other tabs follow jobs", "", "urn:routescope:problem:busy");
const tabs = new BroadcastChannel("routescope-streams");
/** Tabs that connected after this one. @type {Set<number>} */
const newer = new Set();

tabs.onmessage = ({ data: tab }) => {
  if (newer.add(tab).size < FEW || document.hidden) return;
  for (const [owner, { path }] of live) if (path.startsWith("/jobs/")) fail(owner, MANY);
};

/** @param {string} owner */
const isLive = (owner) => live.has(owner);

export { isLive as live };
