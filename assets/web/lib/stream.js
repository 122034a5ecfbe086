/* Server-sent events: one live stream an owner, closed when its last event came, when another takes its place,
   or when its page goes. A browser left alone would reconnect after an error and start the work again. */
import * as api from "rs/lib/api.js";
import { noticed } from "rs/lib/outage.js";

/** @type {Map<string, EventSource>} */
const live = new Map(); // owner -> EventSource

/** @param {string} owner */
export function close(owner) {
  const source = live.get(owner);
  if (!source) return false;
  live.delete(owner);
  source.close();
  return true;
}

/**
 * What a refused stream would have said: an EventSource tells nobody.
 *
 * @param {string} path
 */
async function reasonOf(path) {
  const asking = new AbortController();
  try {
    const response = await fetch(api.BASE + path, { signal: asking.signal });
    if (!response.ok) return api.problemFrom(response.status, await response.text());
  } catch {
    noticed(true);
    return new api.Problem(0, "No answer", "The service did not answer. Is it still running?");
  } finally {
    asking.abort();
  }
  return new api.Problem(0, "The connection was lost", "The service stopped answering. Try again.");
}

/**
 * Opens `path` (below /api/v1) for `owner`, closing its earlier stream.
 *
 * `on` maps names of events to functions of their data; one that returns true ends the stream. An event `problem`
 * and a lost connection end it too and go to `failed(problem)`.
 *
 * @param {string} owner
 * @param {string} path
 * @param {Record<string, (data: any) => unknown>} on
 * @param {(problem: api.Problem) => void} failed
 */
export function open(owner, path, on, failed) {
  close(owner);
  const source = new EventSource(api.BASE + path);
  live.set(owner, source);
  const current = () => live.get(owner) === source;
  const end = () => current() && close(owner);
  let heard = false;
  for (const [name, handle] of Object.entries(on)) {
    source.addEventListener(name, (event) => {
      if (!current()) return;
      heard = true;
      if (handle(JSON.parse(event.data)) === true) end();
    });
  }
  source.addEventListener("problem", (event) => {
    if (!current()) return;
    end();
    const said = JSON.parse(event.data);
    failed(new api.Problem(said.status || 0, said.title || "It failed", said.detail, said.type));
  });
  source.onerror = async () => {
    if (!current()) return;
    source.close();
    const lost = new api.Problem(0, "The connection was lost", "The service stopped answering. Try again.");
    const problem = heard ? lost : await reasonOf(path);
    if (!current()) return;
    end();
    failed(problem);
  };
  return { close: end };
}

window.addEventListener("pagehide", () => [...live.keys()].forEach(close));

/** @param {string} owner */
const isLive = (owner) => live.has(owner);

export { isLive as live };
