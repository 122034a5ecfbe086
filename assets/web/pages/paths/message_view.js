/* One sample's messages between units with their names: what the pictures of the Paths page read of a model whose units
   read each other. The columns are the steps; a message goes from a sender at one step to a receiver at the next. */

import { placesOf, seenText, textGrid } from "rs/lib/trace.js";

/** @import { Field, Schemas } from "rs/lib/types.d.ts" */
/** @import { Connection, MessageFields, Weighed } from "rs/pages/paths/types.d.ts" */

/** Drops the axis of the one sample; gives {data, shape}. @param {Field} field */
function ofOneSample({ data, shape, dims }) {
  const at = dims.indexOf("sample");
  if (at >= 0 && shape[at] !== 1) throw new Error("a path is of one sample, not of " + shape[at]);
  return { data, shape: shape.filter((_, axis) => axis !== at) };
}

/**
 * Positions of the `count` largest of `values`, largest first; ties by position.
 *
 * @param {ArrayLike<number> & Iterable<number>} values
 * @param {number} count
 */
export function largest(values, count) {
  if (count <= 0) return [];
  let least = -Infinity;
  if (values.length > 4 * count) {
    // The count-th largest by a histogram over the range, which spares sorting millions.
    const BINS = 4096;
    let top = 0;
    for (const value of values) if (value > top) top = value;
    const bins = new Uint32Array(BINS);
    for (const value of values) bins[Math.min(BINS - 1, Math.floor((BINS * Math.max(0, value)) / (top || 1)))] += 1;
    let bin = BINS - 1;
    for (let seen = 0; bin > 0; bin -= 1) {
      seen += bins[bin];
      if (seen >= count) break;
    }
    least = (bin * top) / BINS;
  }
  const places = [];
  for (let at = 0; at < values.length; at += 1) if (values[at] >= least && values[at] > 0) places.push(at);
  return places.sort((a, b) => values[b] - values[a] || a - b).slice(0, count);
}

export class CircuitView {
  /**
   * `info` is the API's TraceInfo, `fields` its messages (layer, unit, sender), and where there are read_in
   * (unit, token), read_out (readout, unit) and confidence (readout).
   *
   * @param {Schemas["TraceInfo"]} info
   * @param {MessageFields} fields
   */
  constructor(info, fields) {
    const U = info.units.length;
    const messages = ofOneSample(fields.messages);
    const expected = [info.steps.length - 1, U, U];
    if (String(messages.shape) !== String(expected))
      throw new Error("messages have shape " + messages.shape + ", expected " + expected);
    this.circuit = /** @type {const} */ (true);
    this.info = info;
    this.steps = info.steps;
    this.units = this.names = info.units;
    /** Tokens that a sample can have; those of text end where padding begins. */
    this.padded = info.tokens.length;
    this.tokens = info.tokens.filter(({ text }) => text !== "");
    this.text = this.indices("text").length ? textGrid(this.tokens.map(({ text }) => text ?? "")) : null;
    this.grid = this.text ?? info.grid;
    this.kept = new Set(info.kept);
    this.messages = messages.data;
    this.readIn = fields.read_in ? this.ofTokens(ofOneSample(fields.read_in).data) : null;
    const { read_out: readOut, confidence } = fields;
    this.readOut = readOut && confidence ? this.findReadOut(ofOneSample(readOut), ofOneSample(confidence).data) : null;
    this.uses = this.findUses();
    this.patches = this.text ? this.indices("text") : this.indices("patch");
    this.points = this.indices("point");
    this.classTokens = [];
    this.readers = this.findReaders();
    this.byPlace = this.text
      ? placesOf(this.text.places)
      : new Map(this.patches.map((token) => [this.tokens[token].row + "," + this.tokens[token].column, token]));
    this.strongestOf = /** @type {Map<string, Connection[]>} */ (new Map());
  }

  /**
   * The weights of the tokens that there are, (unit, token).
   *
   * @param {Field["data"]} data of all tokens that a sample can have
   */
  ofTokens(data) {
    const V = this.tokens.length;
    if (V === this.padded) return data;
    const found = new Float32Array(this.units.length * V);
    for (let unit = 0; unit < this.units.length; unit += 1)
      found.set(data.subarray(unit * this.padded, unit * this.padded + V), unit * V);
    return found;
  }

  /** @param {string} kind */
  indices(kind) {
    return this.tokens.map((token, index) => (token.kind === kind ? index : -1)).filter((index) => index >= 0);
  }

  /** Share of the output that reads each unit: by all read-out modules, by their confidence. @param {Pick<Field, "data" | "shape">} read @param {Field["data"]} sure */
  findReadOut({ data, shape: [readouts, U] }, sure) {
    const shares = new Float32Array(U);
    for (let o = 0; o < readouts; o += 1) for (let u = 0; u < U; u += 1) shares[u] += sure[o] * data[o * U + u];
    return shares;
  }

  /** For every step, the mean attention that the next one pays to each unit; for the last, the output's. */
  findUses() {
    const U = this.units.length;
    const receivers = this.kept.size || 1;
    return this.steps.map((_, step) => {
      if (step === this.steps.length - 1) return this.readOut || new Float32Array(U);
      const shares = new Float32Array(U);
      const start = step * U * U;
      for (let at = 0; at < U * U; at += 1) shares[at % U] += this.messages[start + at];
      return shares.map((share) => share / receivers);
    });
  }

  /** Who reads each token most. */
  findReaders() {
    const found = new Int32Array(this.tokens.length).fill(-1);
    if (!this.readIn) return found;
    const most = new Float32Array(this.tokens.length);
    for (let unit = 0; unit < this.units.length; unit += 1) {
      for (let token = 0; token < this.tokens.length; token += 1) {
        const weight = this.reads(unit, token);
        if (weight > most[token]) [most[token], found[token]] = [weight, unit];
      }
    }
    return found;
  }

  /** Share of a unit's read-in that is on a token. @param {number} unit @param {number} token */
  reads(unit, token) {
    return this.readIn ? this.readIn[unit * this.tokens.length + token] : 0;
  }

  /**
   * Share of the attention of `receiver` at `step` (1 or later) that is on `sender` as it was a step before.
   *
   * @param {number} step
   * @param {number} receiver
   * @param {number} sender
   */
  message(step, receiver, sender) {
    return this.messages[((step - 1) * this.units.length + receiver) * this.units.length + sender];
  }

  /** @param {number} step @param {number} unit */
  use(step, unit) {
    return this.uses[step][unit];
  }

  /**
   * The unit that reads a token most, or -1; it is read once, so the same at every step.
   *
   * @param {number} _step
   * @param {number} token
   */
  dominant(_step, token) {
    return this.readers[token];
  }

  /** Tokens that no unit reads more than `unit` does. @param {number} _step @param {number} unit */
  members(_step, unit) {
    return this.tokens.map((_, token) => token).filter((token) => this.readers[token] === unit);
  }

  /** @param {number} _step @param {number} unit @param {number} token */
  compatibility(_step, unit, token) {
    return this.reads(unit, token);
  }

  hasUnmatched() {
    return false;
  }

  /**
   * The strongest connections into a column: [{from, to, weight}]. Into the first they are from tokens; into the one
   * after the last (`steps.length`) they go from units to the output (to -1).
   *
   * @param {number} column
   * @param {number} count
   * @returns {Connection[]}
   */
  strongest(column, count) {
    const key = column + " " + count;
    if (!this.strongestOf.has(key)) this.strongestOf.set(key, this.findStrongest(column, count));
    return /** @type {Connection[]} */ (this.strongestOf.get(key));
  }

  /** @param {number} column @param {number} count @returns {Connection[]} */
  findStrongest(column, count) {
    const [U, V] = [this.units.length, this.tokens.length];
    if (column === 0) {
      if (!this.readIn) return [];
      const { readIn } = this;
      const places = largest(readIn, count);
      return places.map((at) => ({ from: at % V, to: Math.floor(at / V), weight: readIn[at] }));
    }
    if (column === this.steps.length) {
      const { readOut } = this;
      if (!readOut) return [];
      return largest(readOut, count).map((unit) => ({ from: unit, to: -1, weight: readOut[unit] }));
    }
    const values = this.messages.subarray((column - 1) * U * U, column * U * U);
    return largest(values, count).map((at) => ({ from: at % U, to: Math.floor(at / U), weight: values[at] }));
  }

  /**
   * The strongest senders of a unit at a step (1 or later): [[sender, weight]].
   *
   * @param {number} step
   * @param {number} unit
   * @param {number} count
   * @returns {Weighed[]}
   */
  senders(step, unit, count) {
    const U = this.units.length;
    const start = ((step - 1) * U + unit) * U;
    const values = this.messages.subarray(start, start + U);
    return largest(values, count).map((at) => [at, values[at]]);
  }

  /**
   * Who reads a unit most at the step after `step`: [[receiver, weight]].
   *
   * @param {number} step
   * @param {number} unit
   * @param {number} count
   * @returns {Weighed[]}
   */
  receivers(step, unit, count) {
    if (step >= this.steps.length - 1) return [];
    const values = Float32Array.from(this.units, (_, receiver) => this.message(step + 1, receiver, unit));
    return largest(values, count).map((at) => [at, values[at]]);
  }

  /**
   * Where a unit looks: [[token, weight]], the most first.
   *
   * @param {number} unit
   * @param {number} count
   * @returns {Weighed[]}
   */
  looks(unit, count) {
    if (!this.readIn) return [];
    const values = this.readIn.subarray(unit * this.tokens.length, (unit + 1) * this.tokens.length);
    return largest(values, count).map((at) => [at, values[at]]);
  }

  /** Who reads a token most: [[unit, weight]]. @param {number} token @param {number} count @returns {Weighed[]} */
  readersOf(token, count) {
    if (!this.readIn) return [];
    const values = Float32Array.from(this.units, (_, unit) => this.reads(unit, token));
    return largest(values, count).map((at) => [at, values[at]]);
  }

  /**
   * The units that the next step reads most: [[unit, share]].
   *
   * @param {number} step
   * @param {number} count
   * @returns {Weighed[]}
   */
  leading(step, count) {
    return largest(this.uses[step], count).map((at) => [at, this.uses[step][at]]);
  }

  /** @param {number} row @param {number} column */
  at(row, column) {
    return this.byPlace.get(row + "," + column) ?? null;
  }

  /** @param {number} token */
  label(token) {
    const { kind, name, row, column, text } = this.tokens[token];
    if (kind === "text")
      return "token " + token + " \u201c" + seenText((text ?? "").trimEnd() || (text ?? "")) + "\u201d";
    if (kind === "patch") return "patch " + ((row ?? 0) + 1) + ", " + ((column ?? 0) + 1);
    return kind === "point" ? "point " + (Number(name.replace(/^point:/, "")) + 1) : name.replace(/^token:/, "token ");
  }

  /** @param {number} _step @param {number} unit */
  nameAt(_step, unit) {
    return this.units[unit];
  }

  /** "muted", "dropped" or null. @param {number} unit */
  state(unit) {
    const name = this.units[unit];
    if (!this.kept.has(name)) return "dropped";
    return (this.info.intervention.mute || []).includes(name) ? "muted" : null;
  }

  /**
   * Share of all attention between units that goes elsewhere than in `other`, over the steps both have.
   *
   * @param {CircuitView} other
   */
  movedFrom(other) {
    const count = Math.min(this.messages.length, other.messages.length);
    let [moved, sum] = [0, 0];
    for (let at = 0; at < count; at += 1) {
      moved += Math.max(0, this.messages[at] - other.messages[at]);
      sum += this.messages[at];
    }
    return sum ? moved / sum : 0;
  }
}
