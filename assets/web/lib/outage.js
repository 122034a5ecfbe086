/* The service that does not answer: what failed because of it, and asking again. Callbacks of Dash that fail leave what stands
   without a word; here they are remembered by their outputs, so that it can be said where these stand. */
import { setProps } from "rs/lib/dash.js";
import { signal } from "rs/vendor/preact.js";

const CALLBACKS = "_dash-update-component";
const UNANSWERED = "X-Routescope-Unanswered"; // app/routescope_app/dashboard/errors.py
const NO_UPDATE = 204; // of Dash: the outputs stay as they are

/**
 * @typedef {{id: string | object, property: string, value?: unknown}} Place a property of a component
 * @typedef {{outputs: string[], input: Place | null, status: number}} Missed a callback without an answer, and one of what it
 *   was called for; the status is 0 where nothing answered
 */

/** @type {Map<string, Missed>} */
const missed = new Map(); // by their outputs
/** How often callbacks were missed or made up for. */
export const turns = signal(0);
/** Whether the last request found no service. */
export const gone = signal(false);

/**
 * Ids of the outputs of a callback: "a.data", or "..a.data...b.children.."; what makes them unlike each other after @ is not
 * of the id.
 *
 * @param {string} output
 */
export function idsOf(output) {
  const each = output.startsWith("..") ? output.slice(2, -2).split("...") : [output];
  return [...new Set(each.map((one) => one.slice(0, one.lastIndexOf("."))))];
}

/**
 * @param {string} body of a callback
 * @param {number} status
 * @returns {{output: string, missing: Missed}}
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

/** @param {boolean} now */
export const noticed = (now) => {
  gone.value = now;
};

/**
 * Sends a callback; where nothing answers, or with an error of the service, its outputs stay as they are.
 *
 * @param {() => Promise<Response>} send
 * @param {string} body
 */
export async function follow(send, body) {
  let status = 0;
  try {
    const answer = await send();
    noticed(false);
    const failed = Number(answer.headers?.get(UNANSWERED) ?? 0); // a callback that tells why, and changes nothing else
    if (answer.status < 500) {
      const { output, missing: one } = missing(body, failed);
      if (failed) missed.set(output, one);
      if (missed.has(output)) turns.value += 1;
      if (!failed) missed.delete(output);
      return answer;
    }
    status = answer.status;
  } catch {
    noticed(true);
  }
  const { output, missing: one } = missing(body, status);
  missed.set(output, one);
  turns.value += 1;
  return new Response(null, { status: NO_UPDATE });
}

/** Forgets callbacks whose outputs `stand` no longer, as somebody has gone to another page. */
export function forget(/** @type {(id: string) => boolean} */ stands) {
  for (const [output, { outputs }] of missed) if (!outputs.some(stands)) missed.delete(output);
}

/** Has Dash call again what had no answer, for what is chosen then. */
export function callAgain() {
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const { input } of missed.values()) if (input) places.set(JSON.stringify([input.id, input.property]), input);
  missed.clear();
  turns.value += 1;
  for (const { id, property, value } of places.values()) setProps(id, { [property]: value });
}

/** Follows all callbacks of this page from now on. */
export function watch() {
  const plain = window.fetch.bind(window);
  window.fetch = (input, options) => {
    const path = typeof input === "string" ? input : "";
    const body = options && options.body;
    if (!path.split("?")[0].endsWith(CALLBACKS) || typeof body !== "string") return plain(input, options);
    return follow(() => plain(input, options), body);
  };
}
