/* One sample's compatibilities with their names: what every picture of the Paths page reads. */
import { colourPlaces } from "rs/lib/units.js";

/** @import { Field, Schemas } from "rs/lib/types.d.ts" */

const MATCHED = 1e-6; // below this a token counts as unmatched: no function took it
const FEW_NAMES = 6; // of which none is shortened
/** Kinds of tokens that have a place. */
const PLACED = new Set(["patch", "panel", "number"]);
const TEXT_COLUMNS = 34; // characters of a line in which tokens of text lie
/** How a character reads that cannot be seen. @type {Record<string, string>} */
const SEEN = { "\n": "\u21b5", "\r": "\u240d", "\t": "\u21e5" };

/** A token of text as it is shown, every character of it to be seen. @param {string} text */
export const seenText = (text) =>
  [...text].map((each) => SEEN[each] ?? (each < " " || each === "\u007f" ? "\u25af" : each)).join("");

/**
 * Where tokens of text lie when they are read: lines of so many characters, a new one after each line's end.
 *
 * @param {string[]} texts
 * @param {number} [columns]
 * @returns {{rows: number, columns: number, places: {row: number, column: number, span: number}[]}}
 */
export function textGrid(texts, columns = TEXT_COLUMNS) {
  let [row, column] = [0, 0];
  const places = texts.map((text) => {
    const span = Math.max(1, Math.min(columns, [...text].length));
    if (column + span > columns) [row, column] = [row + 1, 0];
    const place = { row, column, span };
    column += span;
    if (text.endsWith("\n")) [row, column] = [row + 1, 0];
    return place;
  });
  return { rows: 1 + Math.max(-1, ...places.map((each) => each.row)), columns, places };
}

/** Token by "row,column", an entry a character. @param {{row: number, column: number, span: number}[]} places */
export function placesOf(places) {
  /** @type {Map<string, number>} */
  const found = new Map();
  places.forEach(({ row, column, span }, token) => {
    for (let at = column; at < column + span; at += 1) found.set(row + "," + at, token);
  });
  return found;
}

/** The variable that a token is the number of: "a" of "number:a". @param {string} name of the token */
export const numberName = (name) => name.replace(/^number:/, "");

/** Names without their common stem: "01" of "boolean-01"; few names stay whole. @param {string[]} names */
export function shortNames(names) {
  if (names.length <= FEW_NAMES) return names;
  const stem = names[0].slice(0, names[0].lastIndexOf("-") + 1);
  return stem && names.every((name) => name.startsWith(stem)) ? names.map((name) => name.slice(stem.length)) : names;
}

/**
 * The token of a text that a key leads to: the one before or behind, or the nearest of the line above or below; null where
 * there is none.
 *
 * @param {{row: number, column: number}[]} places
 * @param {number | undefined} from
 * @param {[number, number]} move rows and columns
 */
export function tokenBeside(places, from, [down, along]) {
  if (from === undefined) return places.length ? 0 : null;
  if (along) return from + along >= 0 && from + along < places.length ? from + along : null;
  const { row, column } = places[from];
  const line = places.flatMap((place, token) => (place.row === row + down ? [token] : []));
  const away = (/** @type {number} */ token) => Math.abs(places[token].column - column);
  return line.length ? line.reduce((best, token) => (away(token) < away(best) ? token : best)) : null;
}

/** The name of a panel in words: "panel 1, 3", "answer 2". @param {string} name */
export function panelName(name) {
  const [kind, place = ""] = name.split(":");
  if (kind !== "panel") return kind + " " + place;
  const [row, column] = place.split(",").map(Number);
  return "panel " + (row + 1) + ", " + (column + 1);
}

/**
 * @typedef {object} Logged what is known of a trace that is a part of a routing log
 * @property {string} id
 * @property {boolean} weighted whether the log has weights
 * @property {number} start the place of the first token in its sequence
 * @property {string} margin_of "logits" or "probabilities"
 */

export class TraceView {
  /**
   * `info` is the API's TraceInfo, `field` its compatibility (step, unit, token), with or without a sample axis of one.
   * Tokens of text end where padding begins; of them there are more fields: margin (step, token) and nats (domain, token).
   * Of a routing log it is said who is dominant (step, token), and what the log says.
   *
   * @param {Schemas["TraceInfo"]} info
   * @param {Field} field
   * @param {{margin?: Field, nats?: Field, dominants?: Int16Array, log?: Logged}} [ofText]
   */
  constructor(info, field, ofText = {}) {
    const shape = field.shape.length === 4 ? field.shape.slice(1) : field.shape;
    const expected = [info.steps.length, info.units.length, info.tokens.length];
    if (String(shape) !== String(expected))
      throw new Error("compatibility has shape " + shape + ", expected " + expected);
    this.info = info;
    this.data = field.data;
    this.steps = info.steps;
    this.units = info.units;
    /** Names of the units as interventions have them; of each step, where every step has units of its own. */
    this.names = info.units_by_step ? [...new Set(info.units_by_step.flat())] : info.units;
    this.padded = info.tokens.length;
    this.tokens = info.tokens.filter(({ text }) => text !== "");
    /** Tokens with a place in what is shown of the sample: patches, panels, or numbers. */
    this.patches = this.tokens.flatMap(({ kind }, token) => (PLACED.has(kind) ? [token] : []));
    this.numbers = this.indices("number");
    this.classTokens = this.indices("cls");
    this.text = this.indices("text").length ? textGrid(this.tokens.map(({ text }) => text ?? "")) : null;
    this.grid = this.text ?? info.grid;
    this.margins = ofText.margin?.data ?? null;
    this.nats = ofText.nats?.data ?? null;
    this.log = ofText.log ?? null;
    /** With which of several answers the network read the sample, from 1; null where it reads it once. */
    this.candidate = this.tokens[0]?.candidate ?? null;
    /** The same with each of them, itself among them. @type {TraceView[]} */
    this.candidates = [];
    this.dominants = ofText.dominants ?? this.findDominants();
    this.byPlace = this.findPlaces();
  }

  /** Token by place: of a patch one, of text one a character. */
  findPlaces() {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const token of this.patches) found.set(this.tokens[token].row + "," + this.tokens[token].column, token);
    return this.text ? placesOf(this.text.places) : found;
  }

  /** The name of a unit in interventions, such as "l2.e3". @param {number} step @param {number} unit */
  nameAt(step, unit) {
    return this.info.units_by_step ? this.info.units_by_step[step][unit] : this.units[unit];
  }

  /** The place of a unit among the colours. @param {number} step @param {number} unit */
  paint(step, unit) {
    return unit < 0 ? unit : (colourPlaces(this.names).get(this.nameAt(step, unit)) ?? -1);
  }

  /** The last chosen expert's lead over the next, in logits, or null. @param {number} step @param {number} token */
  margin(step, token) {
    const value = this.margins?.[step * this.padded + token];
    return value === undefined || !Number.isFinite(value) ? null : value;
  }

  /** Bits that a token of text costs, given those before; null if unknown. @param {number} token */
  bits(token) {
    const value = token ? this.nats?.[token] : undefined;
    return value === undefined || !Number.isFinite(value) ? null : value / Math.LN2;
  }

  /** @param {string} kind */
  indices(kind) {
    return this.tokens.map((token, index) => (token.kind === kind ? index : -1)).filter((index) => index >= 0);
  }

  /** @param {number} step @param {number} unit @param {number} token */
  compatibility(step, unit, token) {
    return this.data[(step * this.units.length + unit) * this.padded + token];
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

  /** The function with the greatest compatibility, or -1. @param {number} step @param {number} token */
  dominant(step, token) {
    return this.dominants[step * this.tokens.length + token];
  }

  /** The share of the step's work that a function does. @param {number} step @param {number} unit */
  use(step, unit) {
    let sum = 0;
    for (let token = 0; token < this.tokens.length; token += 1) sum += this.compatibility(step, unit, token);
    return sum / this.tokens.length;
  }

  /** Tokens whose dominant function at `step` is `unit`. @param {number} step @param {number} unit */
  members(step, unit) {
    return this.tokens.map((_, token) => token).filter((token) => this.dominant(step, token) === unit);
  }

  hasUnmatched() {
    return this.dominants.includes(-1);
  }

  /** @param {number} row @param {number} column */
  at(row, column) {
    const token = this.byPlace.get(row + "," + column);
    return token === undefined ? null : token;
  }

  /** @param {number} token */
  label(token) {
    const { kind, name, row, column, text } = this.tokens[token];
    if (kind === "text")
      return "token " + (token + (this.log?.start ?? 0)) + " \u201c" + seenText(text ?? "") + "\u201d";
    if (kind === "number") return "number " + numberName(name);
    if (kind === "panel") return panelName(name);
    return kind === "patch" ? "patch " + ((row ?? 0) + 1) + ", " + ((column ?? 0) + 1) : name.replace(/^cls:/, "CLS ");
  }

  /**
   * "muted", "dropped" or null; of a unit at a step, or without a step at all of them.
   *
   * @param {number} unit
   * @param {number} [step]
   * @returns {"muted" | "dropped" | null}
   */
  state(unit, step) {
    if (step === undefined && this.info.units_by_step) {
      const [first, ...others] = this.steps.map((_, at) => this.state(unit, at));
      return others.every((each) => each === first) ? first : null;
    }
    const name = this.nameAt(step ?? 0, unit);
    if ((this.info.intervention.drop || []).includes(name)) return "dropped";
    return (this.info.intervention.mute || []).includes(name) ? "muted" : null;
  }
}

/** The views of a sample that was read with each answer. @param {Schemas["TraceInfo"]} info @param {Field} field */
export function candidatesOf(info, field) {
  const all = info.tokens.map(({ candidate }) => candidate ?? 0);
  const many = all.length;
  const views = [...new Set(all)].map((wanted) => {
    const own = all.flatMap((candidate, token) => (candidate === wanted ? [token] : []));
    const tokens = own.map((token) => {
      const { name, ...rest } = info.tokens[token];
      return { ...rest, name: name.startsWith("answer:") ? name : name.replace(/:\d+$/, "") };
    });
    const data = Float32Array.from(
      { length: (field.data.length / many) * own.length },
      (_, at) => field.data[Math.floor(at / own.length) * many + own[at % own.length]],
    );
    const shape = [...field.shape.slice(0, -1), own.length];
    return new TraceView({ ...info, tokens }, { ...field, data, shape });
  });
  views.forEach((view) => (view.candidates = views));
  return views;
}

const KINDS = /** @type {Record<string, string>} */ ({ s: "script", i: "iteration", l: "layer" });

/** A step's name as shown: "3" for "i3", "script 1, iteration 2" for "s1.i2". @param {string} name */
export function stepLabel(name) {
  if (/^i\d+$/.test(name)) return name.slice(1);
  if (!/^[sil]\d+(\.[sil]\d+)*$/.test(name)) return name;
  return name
    .split(".")
    .map((part) => KINDS[part[0]] + " " + part.slice(1))
    .join(", ");
}

/** What all steps are: "iteration", "layer", or else "step". @param {string[]} steps */
export function sortOf(steps) {
  const [one] = [..."il"].filter((kind) => steps.every((name) => name.startsWith(kind) && /^\w\d+$/.test(name)));
  return one ? KINDS[one] : "step";
}

/** A step by the words of its network: "iteration 3", "layer 2", "read-in". @param {string} name */
export function stepWords(name) {
  const label = stepLabel(name);
  return /^\d+$/.test(label) ? "iteration " + label : label;
}

/** A step among its kind: "iteration 2 of 5", "read-in". @param {string[]} steps @param {number} at */
export function placeName(steps, at) {
  const sort = (/** @type {string} */ name) => name.replace(/\d+/g, "");
  const alike = steps.filter((name) => sort(name) === sort(steps[at]));
  const words = stepWords(steps[at]);
  if (words.includes(",")) return words + " (" + (at + 1) + " of " + steps.length + ")";
  return /\d/.test(words) ? words + " of " + alike.length : words;
}
