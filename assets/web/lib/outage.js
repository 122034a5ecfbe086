/* Whether the service answers. A request that finds no service waits here; the page asks for /health with growing pauses,
   at once when the network is back or the tab is shown, and then everything that waits goes on. */
import { setProps } from "rs/lib/dash.js";
import { signal } from "rs/vendor/preact.js";

const HEALTH = "/api/v1/health";
const PAUSES = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]; // milliseconds before each look for the service
const PATIENCE = 10_000; // milliseconds that a look may take
const CALM = 60_000; // milliseconds with a service after which the pauses begin from the start
const TURNS = 4; // times that a request is sent, where the service answers other requests

/** Whether the service was asked for and did not answer. */
export const gone = signal(false);
/** @type {Set<() => void>} */
const waiting = new Set();
let looking = false;
let tries = 0;
let returned = 0; // when the service was last found again
/** @type {ReturnType<typeof setTimeout> | undefined} */
let due;

/** Whether a proxy answered without a service behind it. @param {{status: number, headers?: Headers}} response */
export const isAbsent = ({ status, headers }) =>
  status === 502 || status === 504 || (status === 503 && !headers?.get("Content-Type")?.includes("json"));

function lookLater() {
  clearTimeout(due);
  due = setTimeout(look, PAUSES[Math.min(tries, PAUSES.length - 1)]);
}

/** Looks for the service; a hidden tab waits until it is shown. */
async function look() {
  if (document.hidden) return;
  tries += 1;
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await plainFetch(HEALTH, { cache: "no-store", signal }).catch(() => null);
  if (!looking) return;
  if (answer && !isAbsent(answer)) return noticed(false);
  lookLater();
  gone.value = true;
}

/** Hears that a request found no service, or that one was answered. @param {boolean} missing */
export function noticed(missing) {
  if (missing === looking) return;
  looking = missing;
  if (missing) {
    if (Date.now() - returned > CALM) tries = 0;
    lookLater();
    return;
  }
  clearTimeout(due);
  returned = Date.now();
  gone.value = false;
  const ready = [...waiting];
  waiting.clear();
  ready.forEach((goOn) => goOn());
  callAgain();
}

/** Looks at once, where the service is missing. */
export async function lookNow() {
  if (!looking) return;
  clearTimeout(due);
  await look();
}

/** Call `goOn` once the service answers; return what ends the wait. @param {() => void} goOn */
export function onceBack(goOn) {
  waiting.add(goOn);
  noticed(true);
  return () => waiting.delete(goOn);
}

/** @param {AbortSignal | null} [signal] @returns {Promise<void>} */
const back = (signal) =>
  new Promise((resolve, reject) => {
    const stop = onceBack(resolve);
    signal?.addEventListener("abort", () => {
      stop();
      reject(signal.reason);
    });
  });

/** Send again until the service answers. @param {() => Promise<Response>} send @param {AbortSignal | null} [signal] */
export async function persist(send, signal) {
  for (let turn = 1; ; turn += 1) {
    try {
      const answer = await send();
      if (!isAbsent(answer)) {
        noticed(false);
        return answer;
      }
      if (turn === TURNS) return answer;
    } catch (error) {
      if (signal?.aborted || turn === TURNS) throw error;
    }
    await back(signal);
  }
}

/* -- callbacks of Dash -------------------------------------------------------------------------------------------

   Dash has hooks for callbacks that were answered, and none for a fetch that failed: it would log an error and forget the
   callback. So the fetch that it calls is ours. A callback without an answer waits as any request does. Where the service
   answered with an error, its outputs stay as they are and are remembered, so that it can be said where these stand. */

const CALLBACKS = "_dash-update-component";
const UNANSWERED = "X-Routescope-Unanswered"; // app/routescope_app/dashboard/errors.py
const NO_UPDATE = 204; // of Dash: the outputs stay as they are

/**
 * @typedef {{id: string | object, property: string, value?: unknown}} Place a property of a component
 * @typedef {{outputs: string[], input: Place | null, status: number}} Missed a callback that failed, and one of what it
 *   was called for; the status is 0 where nothing answered
 */

/** @type {Map<string, Missed>} */
const missed = new Map(); // by their outputs
/** How often callbacks were missed or made up for. */
export const turns = signal(0);

/** Ids of the outputs of a callback: "a.data", or "..a.data...b.children..". @param {string} output */
export function idsOf(output) {
  const each = output.startsWith("..") ? output.slice(2, -2).split("...") : [output];
  return [...new Set(each.map((one) => one.slice(0, one.lastIndexOf("."))))];
}

/**
 * @param {string} body of a callback
 * @param {number} status
 */
export function missing(body, status) {
  const { output, inputs, changedPropIds = [] } = JSON.parse(body);
  /** @type {Place[]} */
  const places = inputs.flat();
  const changed = places.find(({ id, property }) => changedPropIds.includes(id + "." + property));
  return { output, missing: { outputs: idsOf(output), input: changed ?? places[0] ?? null, status } };
}

/** What has no answer yet. */
export const standing = () => [...missed.values()];

/** Send a callback; after an error its outputs stay. @param {() => Promise<Response>} send @param {string} body */
export async function follow(send, body) {
  const answer = await persist(send).catch(() => null);
  const told = Number(answer?.headers?.get(UNANSWERED) ?? 0); // a callback that tells why, and changes nothing else
  const status = told || (answer?.status ?? 0);
  const { output, missing: one } = missing(body, status);
  const failed = !answer || status >= 500;
  if (failed || missed.has(output)) turns.value += 1;
  if (failed) missed.set(output, one);
  else missed.delete(output);
  if (failed && isAbsent({ status: told })) noticed(true); // of an API on another server
  return answer && answer.status < 500 ? answer : new Response(null, { status: NO_UPDATE });
}

/** Forgets callbacks whose outputs `stand` no longer, as somebody has gone to another page. */
export function forget(/** @type {(id: string) => boolean} */ stands) {
  for (const [output, { outputs }] of missed) if (!outputs.some(stands)) missed.delete(output);
}

/** Has Dash call again what failed, for what is chosen then. */
export function callAgain() {
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const { input } of missed.values()) if (input) places.set(JSON.stringify([input.id, input.property]), input);
  missed.clear();
  turns.value += 1;
  for (const { id, property, value } of places.values()) setProps(id, { [property]: value });
}

/** @type {typeof fetch} */
let plainFetch = (...request) => fetch(...request);

/** Follows all callbacks of this page from now on, and looks for a missing service when there is reason to. */
export function watch() {
  const plain = window.fetch.bind(window);
  plainFetch = plain;
  window.fetch = (input, options) => {
    const path = typeof input === "string" ? input : "";
    const body = options && options.body;
    if (!path.split("?")[0].endsWith(CALLBACKS) || typeof body !== "string") return plain(input, options);
    return follow(() => plain(input, options), body);
  };
  window.addEventListener("online", lookNow);
  document.addEventListener("visibilitychange", lookNow);
}
