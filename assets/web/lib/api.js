/* Same-origin requests to the API: typed arrays, pictures, and problems (RFC 9457) as errors. */
import { setProps } from "rs/lib/dash.js";

export const BASE = "/api/v1";
const KINDS = {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};
const KEPT = 48;
const arrays = new Map();
const pictures = new Map();

export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

export function problemFrom(status, text) {
  try {
    const body = JSON.parse(text);
    const detail = typeof body.detail === "string" ? body.detail : null;
    return new Problem(status, body.title || "The request was refused", detail);
  } catch {
    return new Problem(status, "The request was refused", "The service answered with status " + status + ".");
  }
}

export async function request(path, options) {
  let response;
  try {
    response = await fetch(BASE + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "No answer", "The service did not answer. Is it still running?");
  }
  if (!response.ok) throw problemFrom(response.status, await response.text());
  return response;
}

/** Sends JSON and reads JSON; null where the answer has no body. */
export async function send(method, path, body, options) {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const text = await (await request(path, { method, ...content, ...options })).text();
  return text ? JSON.parse(text) : null;
}

const listOf = (text) =>
  (text || "")
    .replace(/[()[\]"'\s]/g, "")
    .split(",")
    .filter(Boolean);

/** One field of a trace: {data, shape, dims}. Little-endian, as its headers say. */
async function readField(trace, name) {
  const path = "/traces/" + encodeURIComponent(trace) + "/fields/" + encodeURIComponent(name) + "?format=binary";
  const response = await request(path);
  const Kind = KINDS[response.headers.get("X-Dtype")];
  if (!Kind) throw new Problem(0, "Unknown number type", "The trace holds numbers this page cannot read.");
  const data = new Kind(await response.arrayBuffer());
  const shape = listOf(response.headers.get("X-Shape")).map(Number);
  if (shape.reduce((product, size) => product * size, 1) !== data.length) {
    throw new Problem(0, "Incomplete answer", "The trace arrived incomplete. Load the page again.");
  }
  return { data, shape, dims: listOf(response.headers.get("X-Dims")) };
}

function remembered(cache, key, make) {
  if (!cache.has(key)) {
    const promise = make();
    promise.catch(() => cache.delete(key));
    cache.set(key, promise);
    if (cache.size > KEPT) cache.delete(cache.keys().next().value);
  }
  return cache.get(key);
}

export const field = (trace, name) => remembered(arrays, trace + "/" + name, () => readField(trace, name));

const asDataUrl = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

async function readPicture(sample) {
  const response = await request("/samples/" + encodeURIComponent(sample) + "/image");
  const blob = await response.blob();
  const [bitmap, href] = await Promise.all([createImageBitmap(blob), asDataUrl(blob)]);
  return { bitmap, href, width: bitmap.width, height: bitmap.height };
}

/** The picture a network sees, pixel by pixel: {bitmap, href, width, height}. */
export const picture = (sample) => remembered(pictures, sample, () => readPicture(sample));

/** Posts a form and reports how much of it has been sent (fetch cannot say). Resolves to the answer's JSON. */
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
    sending.onerror = () => reject(new Problem(0, "No answer", "The service did not answer. Is it still running?"));
    sending.send(form);
  });
}

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
