/* The points of one map of types: who they are, where they lie, and how they move from step to step. */
import * as api from "rs/lib/api.js";
import { panelName } from "rs/lib/trace.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

const COLUMNS = ["step", "sample", "token", "unit", "label", "domain", "correct"];
const ARRAYS = ["xy", "pca", "signatures", "signatures_pca", ...COLUMNS];
/** @type {Record<string, new (buffer: ArrayBuffer) => Float32Array | Int32Array>} */
const KINDS = { float32: Float32Array, int32: Int32Array };
const KEPT = 8;
/** @type {Map<string, Promise<TypePoints>>} */
const loaded = new Map(); // by the id of the embedding

/** @param {string | null} text */
const listOf = (text) => (text || "").split(",").filter(Boolean);

/** @param {string} id @param {string} name */
async function readArray(id, name) {
  const path = "/embeddings/" + encodeURIComponent(id) + "/arrays/" + name + "?format=binary";
  const response = await api.request(path);
  const Kind = KINDS[response.headers.get("X-Dtype") ?? ""];
  const shape = listOf(response.headers.get("X-Shape")).map(Number);
  const data = Kind && new Kind(await response.arrayBuffer());
  if (!data || shape.reduce((product, size) => product * size, 1) !== data.length)
    throw new api.Problem(0, "Incomplete answer", "The map arrived incomplete. Load the page again.");
  return data;
}

/** @param {string} id */
async function read(id) {
  const info = await (await api.request("/embeddings/" + encodeURIComponent(id))).json();
  const arrays = await Promise.all(ARRAYS.map((name) => readArray(id, name)));
  const named = Object.fromEntries(ARRAYS.map((name, index) => [name, arrays[index]]));
  return new TypePoints(info, /** @type {Arrays} */ (named));
}

/** The points of an embedding, fetched once. @param {string} id */
export const load = (id) => api.remembered(loaded, id, () => read(id), KEPT);

/**
 * Takes coordinates to map units: centred, the longer side from -1 to 1, upwards on the screen as in a chart.
 *
 * @param {ArrayLike<number>} xy x and y in turn
 * @param {ArrayLike<number>} signatures marks that shall be in view, too
 */
export function normaliser(xy, signatures) {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity];
  for (const values of [xy, signatures]) {
    for (let at = 0; at < values.length; at += 1) {
      const axis = at & 1;
      if (values[at] < low[axis]) low[axis] = values[at];
      if (values[at] > high[axis]) high[axis] = values[at];
    }
  }
  const centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
  const half = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2];
  const unit = Math.max(half[0], half[1], 1e-9);
  /** @param {ArrayLike<number>} values */
  const places = (values) => {
    const found = new Float32Array(values.length);
    for (let at = 0; at < values.length; at += 2) {
      found[at] = (values[at] - centre[0]) / unit;
      found[at + 1] = -(values[at + 1] - centre[1]) / unit;
    }
    return found;
  };
  return { places, halves: [Math.max(half[0] / unit, 0.05), Math.max(half[1] / unit, 0.05)] };
}

/** What points are called, by the elements that give them: types of tokens, or states of modules. */
const WORDS = {
  tokens: {
    point: "the type of one token",
    points: "types",
    near: "have similar types",
    directions: "in which types differ most",
    unit: "nearest function",
    none: "no function",
    group: "by nearest function",
    elements: "tokens",
    shown: "patches",
    marks: " Diamonds are the signatures of the functions.",
  },
  units: {
    point: "the state of one module",
    points: "states",
    near: "are in similar states",
    directions: "in which states differ most",
    unit: "module",
    none: "no module",
    group: "by module",
    elements: "modules",
    shown: "samples",
    marks: "",
  },
};

/** What a token's name says. @param {string} name */
function tokenOf(name) {
  if (!name.includes(":")) return { name, kind: "unit", row: null, column: null };
  const [kind, place] = name.split(":");
  if (kind === "answer") return { name, kind: "panel", row: null, column: null }; // in the gap, which the panels tell
  const [row, column] = kind === "patch" || kind === "panel" ? place.split(",").map(Number) : [null, null];
  return { name, kind, row, column };
}

/** The same of all tokens; the numbers of a point are in one row, in their order. @param {string[]} names */
function tokensOf(names) {
  const numbers = names.filter((name) => name.startsWith("number:"));
  const found = names.map(tokenOf);
  const last = Math.max(-1, ...found.map(({ kind, row }) => (kind === "panel" ? (row ?? -1) : -1)));
  return found.map((token) => {
    if (token.kind === "panel" && token.row === null) return { ...token, row: last, column: last };
    const column = numbers.indexOf(token.name);
    return column < 0 ? token : { ...token, row: 0, column };
  });
}

/** A fixed random order, so that no group is always drawn on top. @param {number} count */
export function shuffled(count) {
  const order = Int32Array.from({ length: count }, (_, index) => index);
  let seed = 1;
  for (let at = count - 1; at > 0; at -= 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const other = seed % (at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/**
 * Coordinates as float32, the rest as int32, an entry a point.
 *
 * @typedef {Record<"xy" | "pca" | "signatures" | "signatures_pca", Float32Array> & Columns} Arrays
 * @typedef {Record<"step" | "sample" | "token" | "unit" | "label" | "domain" | "correct", Int32Array>} Columns
 */

export class TypePoints {
  /** @param {Schemas["Embedding"]} info @param {Arrays} arrays */
  constructor(info, arrays) {
    this.info = info;
    this.id = info.id;
    this.raw = arrays;
    this.count = arrays.step.length;
    this.step = arrays.step;
    this.sample = arrays.sample;
    this.token = arrays.token;
    this.unit = arrays.unit;
    this.label = arrays.label;
    this.domain = arrays.domain;
    this.correct = arrays.correct;
    this.ofUnits = info.elements === "units";
    this.words = WORDS[this.ofUnits ? "units" : "tokens"];
    this.labelled = info.labels.length > 0;
    this.steps = info.steps;
    this.units = info.units;
    this.tokens = tokensOf(info.tokens);
    /** Whether samples are points of numbers, of which there is no picture. */
    this.ofNumbers = this.tokens.some(({ kind }) => kind === "number");
    /** Whether samples are panels with a gap, read once with each of several answers. */
    this.ofPanels = this.tokens.some(({ kind }) => kind === "panel");
    this.samples = info.samples;
    /** The kind of the sample of each point; -1 for none. */
    this.kind = Int32Array.from(this.sample, (sample) => info.sample_kinds?.[sample] ?? -1);
    const places = this.tokens.map((_, token) => this.placeLabel(token));
    /** Of the token of each point the first that lies where it does: panels come once with each answer. */
    this.place = Int32Array.from(this.token, (token) => places.indexOf(places[token]));
    const own = normaliser(arrays.xy, arrays.signatures);
    const twin = normaliser(arrays.pca, arrays.signatures_pca);
    this.layouts = {
      map: { places: own.places(arrays.xy), halves: own.halves, marks: own.places(arrays.signatures) },
      pca: {
        places: twin.places(arrays.pca),
        halves: twin.halves,
        marks: twin.places(arrays.signatures_pca),
      },
    };
    // A track is one token of one sample; at every step it is one point.
    const tokens = this.tokens.length;
    this.tracks = this.samples.length * tokens;
    this.track = Int32Array.from(this.sample, (sample, point) => sample * tokens + this.token[point]);
    this.pointOf = this.steps.map(() => new Int32Array(this.tracks).fill(-1));
    for (let point = 0; point < this.count; point += 1) this.pointOf[this.step[point]][this.track[point]] = point;
    this.order = shuffled(this.count);
    this.ordersByStep = this.steps.map((_, step) => this.order.filter((point) => this.step[point] === step));
    this.grid = {
      rows: 1 + Math.max(-1, ...this.tokens.map(({ row }) => row ?? -1)),
      columns: 1 + Math.max(-1, ...this.tokens.map(({ column }) => column ?? -1)),
    };
    this.usedTokens = [...new Set(this.token)].sort((a, b) => a - b);
    this.sampleIndex = new Map(this.samples.map((name, index) => [name, index]));
    this.tokenIndex = new Map(this.tokens.map(({ name }, index) => [name, index]));
  }

  /** The track of a token of a sample, or -1. @param {string} sample @param {string} token */
  trackNamed(sample, token) {
    const [s, t] = [this.sampleIndex.get(sample), this.tokenIndex.get(token)];
    return s === undefined || t === undefined ? -1 : s * this.tokens.length + t;
  }

  /** Points of a sample at a step, or at all steps. @param {string} name @param {number | null} step */
  pointsOfSample(name, step) {
    const sample = this.samples.indexOf(name);
    if (sample < 0) return [];
    const steps = step === null ? this.steps.map((_, index) => index) : [step];
    const tracks = this.tokens.map((_, token) => sample * this.tokens.length + token);
    return steps.flatMap((at) => tracks.map((track) => this.pointOf[at][track])).filter((point) => point >= 0);
  }

  /** Places on the way to next. @param {{places: Float32Array}} layout @param {number} step @param {number} share */
  between(layout, step, share) {
    const { places } = layout;
    const found = places.slice();
    const next = this.pointOf[Math.min(step + 1, this.steps.length - 1)];
    const eased = share * share * (3 - 2 * share);
    for (const point of this.ordersByStep[step]) {
      const to = next[this.track[point]];
      if (to < 0) continue;
      found[2 * point] += (places[2 * to] - places[2 * point]) * eased;
      found[2 * point + 1] += (places[2 * to + 1] - places[2 * point + 1]) * eased;
    }
    return found;
  }

  /** @param {number} point */
  unitName(point) {
    return this.unit[point] < 0 ? this.words.none : this.units[this.unit[point]];
  }

  /** @param {number} point */
  labelName(point) {
    return this.label[point] < 0 ? "no label" : this.info.labels[this.label[point]];
  }

  /** What tells a point's sample apart: its label, else its token. @param {number} point */
  shortName(point) {
    return this.labelled ? this.labelName(point) : this.tokenLabel(this.token[point]).replace(/^number /, "");
  }

  /** @param {number} token @returns {string} */
  tokenLabel(token) {
    const { kind, name, row, column } = this.tokens[token];
    if (kind === "number") return name.replace(":", " ");
    if (kind === "panel") return this.placeLabel(token) + " with answer " + name.slice(name.lastIndexOf(":") + 1);
    return kind === "patch" ? "patch " + ((row ?? 0) + 1) + ", " + ((column ?? 0) + 1) : name.replace(/^cls:/, "CLS ");
  }

  /** The same without the answer that panels were read with. @param {number} token @returns {string} */
  placeLabel(token) {
    const { kind, name } = this.tokens[token];
    if (kind === "panel") return name.startsWith("answer:") ? "answer" : panelName(name);
    return this.ofPanels ? this.tokenLabel(token).replace(/:\d+$/, "") : this.tokenLabel(token);
  }

  /** The number of the answer that a token was read with, else null. @param {number} token */
  candidateOf(token) {
    const { name } = this.tokens[token];
    return this.ofPanels ? Number(name.slice(name.lastIndexOf(":") + 1)) : null;
  }

  /** Where the picture of a sample is. @param {string} sample */
  picturePath(sample) {
    const id = encodeURIComponent(sample);
    return this.ofPanels ? "/tables/" + id + "/picture" : "/samples/" + id + "/image";
  }
}

/** The words for a model's points: types, else states. @param {{fields: string[]} | null} model */
export const wordsFor = (model) => WORDS[!model || model.fields.includes("types") ? "tokens" : "units"];
