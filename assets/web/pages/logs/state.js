/* What the page Logs knows: the logs that there are, the two that are chosen, and what is in them. */
import * as api from "rs/lib/api.js";
import { makeStore } from "rs/lib/store.js";

/** @import { Log, LogsState } from "rs/pages/logs/types.d.ts" */

const MOST = 100;
const SHOWN = 200; // tokens of a text

/** @type {LogsState} */
const first = {
  logs: null,
  a: null,
  b: null,
  sending: null,
  recording: false,
  problem: null,
  usage: null,
  comparison: null,
  text: null,
  apart: null,
};
export const { state, update, subscribe } = makeStore(first);

let wanted = 0;

/** @param {unknown} error */
const words = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string | null} id */
export const logOf = (id) => state.logs?.find((each) => each.id === id) ?? null;

/** @param {string} path */
const ask = (path) => api.send("GET", path);

/**
 * Looks into a log, and compares it with another one where there is one.
 *
 * @param {string | null} a
 * @param {string | null} b
 */
export async function choose(a, b) {
  const mine = (wanted += 1);
  const other = a === b ? null : b;
  const same = a === state.a && state.usage;
  update({ a, b: other, comparison: null, text: null, apart: null, ...(same ? {} : { usage: null }) });
  try {
    if (a && !same) {
      const usage = await ask("/logs/" + encodeURIComponent(a) + "/usage");
      if (mine === wanted) update({ usage });
    }
    if (!a || !other) return;
    const query = "?a=" + encodeURIComponent(a) + "&b=" + encodeURIComponent(other);
    const comparison = await ask("/logs/comparison" + query);
    if (mine === wanted) update({ comparison });
    const text = await ask("/logs/comparison/tokens" + query + "&limit=" + SHOWN);
    if (mine === wanted) update({ text });
  } catch (error) {
    if (mine === wanted) update({ apart: words(error) });
  }
}

/**
 * Reads which logs there are.
 *
 * @param {string | null} a
 * @param {string | null} b
 */
export async function open(a, b) {
  const mine = (wanted += 1);
  update({ a, b });
  try {
    const { items } = await ask("/logs?limit=" + MOST);
    if (mine !== wanted) return;
    const known = (/** @type {string | null} */ id) =>
      id === null || items.some((/** @type {Log} */ each) => each.id === id);
    const others = await Promise.all(
      [a, b].filter((id) => !known(id)).map((id) => ask("/logs/" + id).catch(() => null)),
    );
    if (mine !== wanted) return;
    const every = [...items, ...others.filter(Boolean)];
    const there = (/** @type {string | null} */ id) => (every.some((each) => each.id === id) ? id : null);
    update({ logs: every, problem: null });
    await choose(there(a) ?? every[0]?.id ?? null, there(b));
  } catch (error) {
    if (mine === wanted) update({ logs: [], problem: words(error) });
  }
}

/** Forgets what was found: called when the page goes. */
export function close() {
  wanted += 1;
  update(first);
}

/**
 * A log that was brought becomes A; another one is compared with it when it is chosen.
 *
 * @param {Log} log
 */
function added(log) {
  update({ logs: [log, ...(state.logs ?? [])], problem: null });
  return choose(log.id, null);
}

/**
 * Sends a file.
 *
 * @param {File} file
 * @param {number} most bytes
 * @param {Record<string, string>} said what the log does not say
 */
export async function bring(file, most, said) {
  if (state.sending) return;
  if (file.size > most) {
    update({ problem: file.name + " has " + size(file.size) + "; up to " + size(most) + " are accepted." });
    return;
  }
  update({ sending: { name: file.name, share: 0 }, problem: null });
  const given = Object.entries(said).filter(([, value]) => value);
  const query = new URLSearchParams([["name", file.name.slice(0, 80)], ...given]);
  try {
    const content = new Blob([file], { type: "application/octet-stream" });
    const progress = (/** @type {number} */ share) => update({ sending: { name: file.name, share } });
    await added(await api.post("/logs?" + query.toString(), content, progress));
  } catch (error) {
    update({ problem: words(error) });
  } finally {
    update({ sending: null });
  }
}

/** @param {number} bytes */
export const size = (bytes) => (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0) + " MiB";

/** Records moe-bytes in two precisions, and compares them. */
export async function demonstrate() {
  update({ recording: true, problem: null });
  try {
    const record = (/** @type {string} */ precision) =>
      api.send("POST", "/logs/recordings", { model: "moe-bytes", precision });
    const low = await record("bfloat16");
    const whole = await record("float32");
    update({ logs: [whole, low, ...(state.logs ?? [])] });
    await choose(whole.id, low.id);
  } catch (error) {
    update({ problem: words(error) });
  } finally {
    update({ recording: false });
  }
}

/** @param {string} id */
export async function forget(id) {
  try {
    await api.send("DELETE", "/logs/" + encodeURIComponent(id));
    update({ logs: (state.logs ?? []).filter((each) => each.id !== id), problem: null });
    const left = (/** @type {string | null} */ each) => (each === id ? null : each);
    await choose(left(state.a) ?? state.logs?.[0]?.id ?? null, left(state.b));
  } catch (error) {
    update({ problem: words(error) });
  }
}
