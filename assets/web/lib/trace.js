/* One sample's compatibilities with their names: what every picture of the Paths page reads. */

/** @import { Field, Schemas } from "rs/lib/types.d.ts" */

const MATCHED = 1e-6; // below this a token counts as unmatched: no function took it

export class TraceView {
  /**
   * `info` is the API's TraceInfo, `field` its compatibility (step, unit, token), with or without a sample axis of one.
   *
   * @param {Schemas["TraceInfo"]} info
   * @param {Field} field
   */
  constructor(info, field) {
    const shape = field.shape.length === 4 ? field.shape.slice(1) : field.shape;
    const expected = [info.steps.length, info.units.length, info.tokens.length];
    if (String(shape) !== String(expected))
      throw new Error("compatibility has shape " + shape + ", expected " + expected);
    this.info = info;
    this.data = field.data;
    this.steps = info.steps;
    this.units = info.units;
    this.tokens = info.tokens;
    this.patches = this.indices("patch");
    this.classTokens = this.indices("cls");
    this.dominants = this.findDominants();
    this.byPlace = new Map(
      this.patches.map((token) => [this.tokens[token].row + "," + this.tokens[token].column, token]),
    );
  }

  /** @param {string} kind */
  indices(kind) {
    return this.tokens.map((token, index) => (token.kind === kind ? index : -1)).filter((index) => index >= 0);
  }

  /**
   * @param {number} step
   * @param {number} unit
   * @param {number} token
   */
  compatibility(step, unit, token) {
    return this.data[(step * this.units.length + unit) * this.tokens.length + token];
  }

  findDominants() {
    const found = new Int16Array(this.steps.length * this.tokens.length).fill(-1);
    for (let step = 0; step < this.steps.length; step += 1) {
      for (let token = 0; token < this.tokens.length; token += 1) {
        let most = MATCHED;
        for (let unit = 0; unit < this.units.length; unit += 1) {
          const value = this.compatibility(step, unit, token);
          if (value > most) {
            most = value;
            found[step * this.tokens.length + token] = unit;
          }
        }
      }
    }
    return found;
  }

  /**
   * The function with the greatest compatibility, or -1 where none took the token.
   *
   * @param {number} step
   * @param {number} token
   */
  dominant(step, token) {
    return this.dominants[step * this.tokens.length + token];
  }

  /**
   * Mean compatibility over all tokens: the share of the step's work that this function does.
   *
   * @param {number} step
   * @param {number} unit
   */
  use(step, unit) {
    let sum = 0;
    for (let token = 0; token < this.tokens.length; token += 1) sum += this.compatibility(step, unit, token);
    return sum / this.tokens.length;
  }

  /**
   * Tokens whose dominant function at `step` is `unit`.
   *
   * @param {number} step
   * @param {number} unit
   */
  members(step, unit) {
    return this.tokens.map((_, token) => token).filter((token) => this.dominant(step, token) === unit);
  }

  hasUnmatched() {
    return this.dominants.includes(-1);
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  at(row, column) {
    const token = this.byPlace.get(row + "," + column);
    return token === undefined ? null : token;
  }

  /** @param {number} token */
  label(token) {
    const { kind, name, row, column } = this.tokens[token];
    return kind === "patch" ? "patch " + ((row ?? 0) + 1) + ", " + ((column ?? 0) + 1) : name.replace(/^cls:/, "CLS ");
  }

  /**
   * "muted", "dropped" or null.
   *
   * @param {number} unit
   */
  state(unit) {
    const name = this.units[unit];
    if ((this.info.intervention.drop || []).includes(name)) return "dropped";
    return (this.info.intervention.mute || []).includes(name) ? "muted" : null;
  }
}

const KINDS = /** @type {Record<string, string>} */ ({ s: "script", i: "iteration", l: "layer" });

/**
 * A step's name as shown: "3" for "i3", "layer 2" for "l2", "script 1, iteration 2" for "s1.i2"; else as it is. Files and
 * addresses keep the codes.
 *
 * @param {string} name
 */
export function stepLabel(name) {
  if (/^i\d+$/.test(name)) return name.slice(1);
  if (!/^[sil]\d+(\.[sil]\d+)*$/.test(name)) return name;
  return name
    .split(".")
    .map((part) => KINDS[part[0]] + " " + part.slice(1))
    .join(", ");
}

/**
 * The same in a sentence: "step 3", "layer 2", "step read-in".
 *
 * @param {string} name
 */
export function stepName(name) {
  const label = stepLabel(name);
  return label === name || /^\d+$/.test(label) ? "step " + label : label;
}
