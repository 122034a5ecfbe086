/* Server-sent events: one live stream an owner, closed when its last event came, when another takes its place,
   or when its page goes. A stream that is lost opens again once the service answers. A hidden tab lets go of its
   connections, as a browser has six for all its tabs, and takes them up again when it is shown. */
import * as api from "rs/lib/api.js";
import { isAbsent, onceBack } from "rs/lib/outage.js";

/**
 * @typedef {object} Live
 * @property {() => void} connect
 * @property {() => void} rest lets go of the connection, or of the wait for the service
 */

/** @type {Map<string, Live>} */
const live = new Map(); // by owner

/** @param {string} owner */
export function close(owner) {
  const stream = live.get(owner);
  live.delete(owner);
  stream?.rest();
  return Boolean(stream);
}

/**
 * Why a stream was refused, as an EventSource does not tell; null where the service is missing or the stream was only lost.
 *
 * @param {string} path
 */
async function refusalOf(path) {
  const asking = new AbortController();
  try {
    const response = await fetch(api.BASE + path, { signal: asking.signal });
    if (!response.ok && !isAbsent(response)) return api.problemFrom(response.status, await response.text());
  } catch {
    // Nothing answers.
  } finally {
    asking.abort();
  }
  return null;
}

/**
 * Opens `path` (below /api/v1) for `owner`, closing its earlier stream.
 *
 * `on` maps names of events to functions of their data; one that returns true ends the stream. An event `problem` ends it
 * too and goes to `failed(problem)`. A lost stream opens again by itself, and says again what stands by then.
 *
 * @param {string} owner
 * @param {string} path
 * @param {Record<string, (data: any) => unknown>} on
 * @param {(problem: api.Problem) => void} failed
 */
export function open(owner, path, on, failed) {
  close(owner);
  let rest = () => {};
  /** @type {Live} */
  const stream = { connect, rest: () => rest() };
  /** @param {api.Problem} problem */
  function fail(problem) {
    close(owner);
    failed(problem);
  }

  function lost() {
    rest();
    rest = onceBack(connect);
  }

  function connect() {
    const source = new EventSource(api.BASE + path);
    let [heard, left] = [false, false];
    rest = () => {
      left = true;
      source.close();
    };
    for (const [name, handle] of Object.entries(on)) {
      source.addEventListener(name, (event) => {
        if (left) return;
        heard = true;
        if (handle(JSON.parse(event.data)) === true && !left) close(owner);
      });
    }
    source.addEventListener("problem", (event) => {
      if (left) return;
      const said = JSON.parse(event.data);
      const problem = new api.Problem(said.status || 0, said.title || "It failed", said.detail, said.type);
      if (problem.kind === "stopping") lost();
      else fail(problem);
    });
    source.onerror = async () => {
      if (left) return;
      source.close();
      const refusal = heard ? null : await refusalOf(path);
      if (left) return;
      if (refusal) fail(refusal);
      else lost();
    };
  }

  live.set(owner, stream);
  if (!document.hidden) connect();
}

document.addEventListener("visibilitychange", () => {
  for (const stream of live.values()) {
    stream.rest();
    if (!document.hidden) stream.connect();
  }
});
window.addEventListener("pagehide", () => [...live.keys()].forEach(close));

/** @param {string} owner */
const isLive = (owner) => live.has(owner);

export { isLive as live };
