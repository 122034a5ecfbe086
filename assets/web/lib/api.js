/* Same-origin requests to the API: typed arrays, pictures, and problems (RFC 9457) as errors. */
import { setProps } from "rs/lib/dash.js";
import { noticed, persist } from "rs/lib/outage.js";
import { effect, signal, untracked } from "rs/vendor/preact.js";

/** @import { Disposer, Field, Picture, Schemas } from "rs/lib/types.d.ts" */

export const BASE = "/api/v1";
/** @type {Record<string, new (buffer: ArrayBuffer) => Field["data"]>} */
const KINDS = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};
const KEPT = 48;
/** @type {Map<string, Promise<Field>>} */
const arrays = new Map();
/** @type {Map<string, Promise<Picture>>} */
const pictures = new Map();

/** What is told of every request that the service refuses. @type {Set<(problem: Problem) => void>} */
export const refusals = new Set();

export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} title
   * @param {string | null} [detail]
   * @param {string} [type] of RFC 9457, such as urn:routescope:problem:busy
   */
  constructor(status, title, detail, type = "") {
    super(detail || title);
    this.status = status;
    this.title = title;
    this.kind = type.split(":").pop();
  }
}

/** @param {number} status @param {string} text */
export function problemFrom(status, text) {
  try {
    const body = JSON.parse(text);
    const detail = typeof body.detail === "string" ? body.detail : null;
    return new Problem(status, body.title || "The request was refused", detail, body.type);
  } catch {
    return new Problem(status, "The request was refused", "The service answered with status " + status + ".");
  }
}

/** Methods that are sent again after an outage: repeating these requests changes nothing. */
const REPEATED = new Set(["GET", "POST"]);

/** @typedef {RequestInit & {once?: boolean}} Options once: the request is not sent again where nothing answered */

/**
 * @param {string} path below /api/v1
 * @param {Options} [options]
 */
export async function request(path, { once = false, ...options } = {}) {
  const send = () => fetch(BASE + path, options);
  let response;
  try {
    const waits = !once && REPEATED.has(options.method ?? "GET");
    response = await (waits ? persist(send, options.signal) : send());
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    noticed(true);
    throw new Problem(0, "No answer", "The service did not answer. Is it still running?");
  }
  if (response.ok) return response;
  const problem = problemFrom(response.status, await response.text());
  refusals.forEach((hear) => hear(problem));
  throw problem;
}

/**
 * Sends JSON and reads JSON; null where the answer has no body.
 *
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {unknown} [body]
 * @param {Options} [options]
 * @returns {Promise<any>} as Schemas says for the path
 */
export async function send(method, path, body, options) {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const text = await (await request(path, { method, ...content, ...options })).text();
  return text ? JSON.parse(text) : null;
}

/** @param {string | null} text */
const listOf = (text) =>
  (text || "")
    .replace(/[()[\]"'\s]/g, "")
    .split(",")
    .filter(Boolean);

/** A field of a trace, little-endian. @param {string} trace @param {string} name @returns {Promise<Field>} */
async function readField(trace, name) {
  const path = "/traces/" + encodeURIComponent(trace) + "/fields/" + encodeURIComponent(name) + "?format=binary";
  const response = await request(path);
  const Kind = KINDS[response.headers.get("X-Dtype") ?? ""];
  if (!Kind) throw new Problem(0, "Unknown number type", "The trace holds numbers this page cannot read.");
  const data = new Kind(await response.arrayBuffer());
  const shape = listOf(response.headers.get("X-Shape")).map(Number);
  if (shape.reduce((product, size) => product * size, 1) !== data.length) {
    throw new Problem(0, "Incomplete answer", "The trace arrived incomplete. Load the page again.");
  }
  return { data, shape, dims: listOf(response.headers.get("X-Dims")) };
}

/**
 * The answer of `make()`, asked for once; a failure is not kept, so that the next call asks again.
 *
 * @template Kept
 * @param {Map<string, Promise<Kept>>} cache
 * @param {string} key
 * @param {() => Promise<Kept>} make
 * @param {number} [most] answers that are kept
 * @returns {Promise<Kept>}
 */
export function remembered(cache, key, make, most = KEPT) {
  const kept = cache.get(key);
  if (kept) return kept;
  const promise = make();
  promise.catch(() => cache.get(key) === promise && cache.delete(key));
  cache.set(key, promise);
  if (cache.size > most) cache.delete(/** @type {string} */ (cache.keys().next().value));
  return promise;
}

/** @param {string} trace @param {string} name */
export const field = (trace, name) => remembered(arrays, trace + "/" + name, () => readField(trace, name));

/** @param {Blob} blob @returns {Promise<string>} */
export const asDataUrl = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(/** @type {string} */ (reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

/** A picture of the API, for canvas and file. @param {string} path @returns {Promise<Picture>} */
export async function readPicture(path) {
  const blob = await (await request(path)).blob();
  const [bitmap, href] = await Promise.all([createImageBitmap(blob), asDataUrl(blob)]);
  return { bitmap, href, width: bitmap.width, height: bitmap.height };
}

/** The picture a network sees, pixel by pixel: {bitmap, href, width, height}. @param {string} sample */
export const picture = (sample) => pictureAt("/samples/" + encodeURIComponent(sample) + "/image");

/** A picture of the API, fetched once. @param {string} path below /api/v1 */
export const pictureAt = (path) => remembered(pictures, path, () => readPicture(path));

/** The numbers of a packed array, row by row. @param {Schemas["PackedArray"]} packed */
export function unpacked({ data, shape }) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const values = new Float32Array(bytes.buffer);
  const count = shape.reduce((product, size) => product * size, 1);
  if (values.length !== count) throw new Error("The answer arrived incomplete. Load the page again.");
  return values;
}

/**
 * Posts a form, or a file as it is, and reports how much of it has been sent (fetch cannot say). Resolves to the answer's JSON.
 *
 * @param {string} path below /api/v1
 * @param {FormData | Blob} form
 * @param {(share: number) => void} [onProgress]
 * @returns {Promise<any>} as Schemas says for the path
 */
export function post(path, form, onProgress) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open("POST", BASE + path);
    sending.upload.onprogress = (event) =>
      event.lengthComputable && onProgress && onProgress(event.loaded / event.total);
    sending.onload = () => {
      if (sending.status < 300) resolve(JSON.parse(sending.responseText));
      else reject(problemFrom(sending.status, sending.responseText));
    };
    sending.onerror = () => {
      noticed(true);
      reject(new Problem(0, "No answer", "The service did not answer. Is it still running?"));
    };
    sending.send(form);
  });
}

/** @param {string} title @param {string} message @param {"good" | "bad"} kind */
export function notify(title, message, kind) {
  setProps("notifications", {
    sendNotifications: [
      {
        action: "show",
        id: "notice-" + Date.now() + "-" + Math.round(Math.random() * 1e6),
        title,
        message,
        color: kind === "bad" ? "red" : "blue",
        autoClose: kind === "bad" ? 10000 : 4000,
      },
    ],
  });
}

/* -- what is asked for what is chosen: once a key, dropped when it comes late, again when the service is back --------- */

/**
 * @template Answer
 * @typedef {object} Resource
 * @property {() => Answer | null} answer of the key that holds; null while it is not there. Its signal is followed.
 * @property {() => Answer | null} latest the same; while it is not there, that of the key before
 * @property {() => Problem | null} problem why there is none
 * @property {() => boolean} waits whether it is on its way
 * @property {() => Disposer} follow asks for whatever key holds from now on; returns what ends that
 * @property {() => void} again asks once more
 */

/** @typedef {{later: (work: () => void, pause: number) => unknown, forget: (timer: any) => void}} Clock */

const PAUSES = [1000, 2000, 4000, 8000, 15000, 30000]; // milliseconds before it is asked again
const ANSWERS = 8; // that a resource keeps
/** Statuses of a service that does not answer, or not yet: 0 is no answer at all. */
const PASSING = new Set([0, 502, 503, 504]);

/**
 * The answer to what `keyOf` names; null: nothing is asked. `fetchIt` may be told to stop by its signal.
 *
 * @template Answer
 * @param {() => string | null} keyOf whose signals are followed
 * @param {(key: string, signal: AbortSignal) => Promise<Answer>} fetchIt
 * @param {Clock} [clock]
 */
export function resource(keyOf, fetchIt, { later, forget } = { later: setTimeout, forget: clearTimeout }) {
  /** @typedef {{key: string | null, answer: Answer | null, before: Answer | null, problem: Problem | null, waits: boolean}} State */
  /** @type {State} */
  const NONE = { key: null, answer: null, before: null, problem: null, waits: false };
  const state = signal(NONE);
  /** @type {Map<string, Answer>} */
  const kept = new Map();
  let running = new AbortController();
  /** @type {unknown} */
  let timer = null;

  function stop() {
    running.abort();
    forget(timer);
  }

  /** @param {string} key @param {number} tries so far */
  async function ask(key, tries) {
    stop();
    const mine = (running = new AbortController());
    state.value = { ...state.value, key, waits: true };
    try {
      const answer = await fetchIt(key, mine.signal);
      if (mine.signal.aborted) return;
      kept.set(key, answer);
      if (kept.size > ANSWERS) kept.delete(/** @type {string} */ (kept.keys().next().value));
      state.value = { ...NONE, key, answer };
    } catch (error) {
      if (mine.signal.aborted) return;
      const problem = /** @type {Problem} */ (error);
      const passing = PASSING.has(problem.status);
      state.value = { ...state.value, problem, waits: passing };
      if (passing) timer = later(() => ask(key, tries + 1), PAUSES[Math.min(tries, PAUSES.length - 1)]);
    }
  }

  /** @param {string | null} key */
  function hold(key) {
    stop();
    const known = key === null ? undefined : kept.get(key);
    const { answer, before } = state.peek();
    state.value = { ...NONE, key, answer: known ?? null, before: key === null ? null : (answer ?? before) };
    if (key !== null && known === undefined) void ask(key, 0);
  }

  return {
    answer: () => state.value.answer,
    latest: () => state.value.answer ?? state.value.before,
    problem: () => state.value.problem,
    waits: () => state.value.waits,
    again() {
      const { key } = state.peek();
      if (key !== null) void ask(key, 0);
    },
    follow() {
      const back = () => state.peek().problem && PASSING.has(state.peek().problem?.status ?? 1) && this.again();
      globalThis.addEventListener?.("online", back);
      const end = effect(() => {
        const key = keyOf();
        if (key !== state.peek().key) untracked(() => hold(key));
      });
      return () => {
        globalThis.removeEventListener?.("online", back);
        end();
        hold(null);
      };
    },
  };
}
