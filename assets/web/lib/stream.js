/* Server-sent events: one live stream an owner, closed when its last event came, when another takes its place,
   or when its page goes. A stream that is lost opens again once the service answers. */
import * as api from "rs/lib/api.js";
import { isAbsent, onceBack } from "rs/lib/outage.js";

/** @type {Map<string, () => void>} */
const live = new Map(); // owner -> what closes its stream

/** @param {string} owner */
export function close(owner) {
  const end = live.get(owner);
  live.delete(owner);
  end?.();
  return Boolean(end);
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
  const source = new EventSource(api.BASE + path);
  let forget = () => source.close();
  const end = () => forget();
  live.set(owner, end);
  const current = () => live.get(owner) === end;
  const lost = () => {
    source.close();
    forget = onceBack(() => current() && open(owner, path, on, failed));
  };
  let heard = false;
  for (const [name, handle] of Object.entries(on)) {
    source.addEventListener(name, (event) => {
      if (!current()) return;
      heard = true;
      if (handle(JSON.parse(event.data)) === true && current()) close(owner);
    });
  }
  source.addEventListener("problem", (event) => {
    if (!current()) return;
    const said = JSON.parse(event.data);
    const problem = new api.Problem(said.status || 0, said.title || "It failed", said.detail, said.type);
    if (problem.kind === "stopping") return lost();
    close(owner);
    failed(problem);
  });
  source.onerror = async () => {
    if (!current()) return;
    source.close();
    const refusal = heard ? null : await refusalOf(path);
    if (!current()) return;
    if (!refusal) return lost();
    close(owner);
    failed(refusal);
  };
}

window.addEventListener("pagehide", () => [...live.keys()].forEach(close));

/** @param {string} owner */
const isLive = (owner) => live.has(owner);

export { isLive as live };
