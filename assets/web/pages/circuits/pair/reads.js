/* Where modules read: the attention of a module, or of all of them by what the answer takes from each, over both pictures. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { unpacked } from "rs/lib/api.js";
import { build as element, registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairBeneath from "rs/pages/circuits/pair/beneath.js";
import * as moduleOrder from "rs/pages/circuits/pair/order.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as controls from "rs/parts/controls.js";

/** @import { Item, Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Beneath, Choice, Reads, Refusal } from "rs/pages/circuits/types.d.ts" */

const GAP = 14; // between the pictures
const HEAD = 22; // above them
const DARK = 0.74; // of a place that is not read at all
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * What was read for one of the pinned sentences, by default the one that answers: {units, kept, grid, weights (unit,
 * token), shares, sentence}; null where there is no answer yet, or a network without such modules gave it.
 *
 * @param {number} [at]
 * @returns {Reads | null}
 */
export function current(at = circuitsState.get().focus) {
  const { reply } = pairAnswers.state;
  const answer = reply && reply.answers[Math.min(at, reply.answers.length - 1)];
  if (!reply || !answer || !answer.read_in || !answer.read_out_share) return null;
  const tokens = reply.grid.pictures * reply.grid.rows * reply.grid.columns;
  return {
    units: reply.units,
    kept: new Set(reply.kept),
    grid: reply.grid,
    tokens,
    weights: decoded(answer.read_in),
    shares: answer.read_out_share,
    sentence: answer.sentence,
  };
}

/** What was read for the sentences that are shown: the one that answers, or all that are pinned. */
function shown() {
  const { reply } = pairAnswers.state;
  const all = circuitsState.get().reads === "all" && reply ? reply.answers.map((_, at) => current(at)) : [current()];
  return all.filter((reads) => reads !== null);
}

/** @type {WeakMap<Schemas["PackedArray"], Float32Array>} */
const known = new WeakMap(); // of arrays that were decoded before

/** @param {Schemas["PackedArray"]} packed */
function decoded(packed) {
  const values = known.get(packed) || unpacked(packed);
  known.set(packed, values);
  return values;
}

/**
 * The weights of one unit, or of all together; null where it was left out.
 *
 * @param {Reads} reads
 * @param {number} unit
 */
export function weightsOf(reads, unit) {
  const { weights, tokens, units, kept, shares } = reads;
  if (unit >= 0) {
    return kept.has(units[unit]) ? weights.subarray(unit * tokens, (unit + 1) * tokens) : null;
  }
  const sum = new Float32Array(tokens);
  let total = 0;
  units.forEach((name, at) => {
    if (!kept.has(name)) return;
    const share = shares[at];
    total += share;
    for (let token = 0; token < tokens; token += 1) sum[token] += share * weights[at * tokens + token];
  });
  return total > 0 ? sum.map((value) => value / total) : null;
}

/** @param {Reads} reads */
const chosenUnit = (reads) => reads.units.indexOf(/** @type {string} */ (circuitsState.get().unit));

/**
 * Shares of the attention on each picture.
 *
 * @param {Float32Array} values
 * @param {Pick<Reads["grid"], "pictures">} {pictures}
 */
function byPicture(values, { pictures }) {
  const each = values.length / pictures;
  return Array.from({ length: pictures }, (_, at) =>
    values.subarray(at * each, (at + 1) * each).reduce((a, b) => a + b, 0),
  );
}

/* -- the picture ------------------------------------------------------------------------------------------------ */

/** @param {number} share */
const percent = (share) => Math.round(100 * share) + " %";

/**
 * @param {Float32Array} values
 * @param {number} most
 * @param {Reads["grid"]} grid
 * @param {number} at
 * @param {[number, number, number]} square
 */
function heat(values, most, grid, at, [x, y, side]) {
  const each = values.length / grid.pictures;
  const [w, h] = [side / grid.columns, side / grid.rows];
  const items = /** @type {Item[]} */ ([]);
  for (let cell = 0; cell < each; cell += 1) {
    const value = values[at * each + cell];
    const [row, column] = [Math.floor(cell / grid.columns), cell % grid.columns];
    const place = { x: x + column * w, y: y + row * h, w, h };
    items.push({ shape: "rect", ...place, fill: "#000000", opacity: DARK * (1 - value / most) });
    if (w >= 34 && value >= 2 / values.length)
      items.push({
        shape: "text",
        x: place.x + w / 2,
        y: place.y + h / 2 + 4,
        anchor: "middle",
        text: percent(value),
        size: 10.5,
        weight: 650,
        fill: "#ffffff",
        halo: "rgba(0, 0, 0, 0.65)",
      });
  }
  return items;
}

/**
 * The pair for one sentence, its left upper corner at (left, top): {items, width, height}.
 *
 * @param {Reads} reads
 * @param {Beneath[]} beneath
 * @param {[number, number, number]} place
 * @param {boolean} alone
 */
function pairOf(reads, beneath, [left, top, side], alone) {
  const theme = readTheme();
  const { pictures } = reads.grid;
  const values = weightsOf(reads, chosenUnit(reads));
  const most = values ? Math.max(...values, 1e-9) : 1;
  const shares = values ? byPicture(values, reads.grid) : null;
  const items = /** @type {Item[]} */ ([]);
  const width = pictures * side + GAP * (pictures - 1);
  if (!alone)
    items.push({
      shape: "text",
      x: left,
      y: top + 13,
      text: cut(reads.sentence, width),
      size: 12,
      weight: 600,
      fill: theme.ink,
    });
  const y = top + HEAD + (alone ? 0 : 16);
  for (let at = 0; at < pictures; at += 1) {
    const x = left + at * (side + GAP);
    if (beneath[at]) items.push(...beneath[at](x, y, side));
    const name = alone ? pairScene.titleOf(at, pictures) : pairScene.nameOf(at, pictures);
    const share = shares ? ": " + percent(shares[at]) + (side < 220 ? "" : " of the attention") : "";
    items.push({ shape: "text", x, y: y - 8, text: name + share, size: alone ? 12 : 11, fill: theme.dim });
    if (values) items.push(...heat(values, most, reads.grid, at, [x, y, side]));
    else items.push({ shape: "rect", x, y, w: side, h: side, fill: "#000000", opacity: DARK });
  }
  return { items, width, height: y - top + side };
}

/**
 * @param {string} words
 * @param {number} width
 */
const cut = (words, width) =>
  words.length * 6.6 > width ? words.slice(0, Math.floor(width / 6.6) - 1) + "\u2026" : words;

/**
 * @param {Reads[]} all
 * @param {Beneath[]} beneath
 * @param {number} width
 * @returns {Scene}
 */
function sceneOf(all, beneath, width) {
  const [{ grid, units }] = all;
  const alone = all.length === 1;
  const across = alone || width < 420 ? 1 : 2;
  const block = (width - 24 * (across - 1)) / across;
  const side = Math.min(360, (block - GAP * (grid.pictures - 1)) / grid.pictures);
  const items = /** @type {Item[]} */ ([]);
  let right = { top: 0, end: 0 };
  let bottom = 0;
  all.forEach((reads, at) => {
    const top = at % across ? right.top : bottom + (at ? 14 : 0);
    const left = (at % across) * (block + 24);
    const pair = pairOf(reads, beneath, [left, top, side], alone);
    items.push(...pair.items);
    right = { top, end: Math.max(right.end, left + pair.width) };
    bottom = Math.max(bottom, top + pair.height);
  });
  const unit = chosenUnit(all[0]);
  const who = unit < 0 ? "All modules together" : units[unit];
  return {
    width: right.end,
    height: bottom,
    background: readTheme().surface,
    title: "What modules read: " + who,
    desc:
      who +
      ", reading for: " +
      all.map((each) => each.sentence).join("; ") +
      ". The brighter a place, the more of the attention is on it.",
    items,
  };
}

/**
 * What the pointed-out module does, in words.
 *
 * @param {Reads} reads
 */
export function wordsOf(reads) {
  const unit = chosenUnit(reads);
  const values = weightsOf(reads, unit);
  const who = unit < 0 ? "All modules together" : reads.units[unit];
  if (!values) return who + " is dropped: it reads nothing.";
  const { pictures, rows, columns } = reads.grid;
  const places = byPicture(values, reads.grid).map(
    (share, at) => percent(share) + " of it on the " + pairScene.nameOf(at, pictures),
  );
  const top = values.indexOf(Math.max(...values));
  const [at, cell] = [Math.floor(top / (rows * columns)), top % (rows * columns)];
  const where =
    pairScene.nameOf(at, pictures) + ", row " + (Math.floor(cell / columns) + 1) + ", column " + ((cell % columns) + 1);
  const share = unit < 0 ? "" : "; the answer takes " + format.percent(reads.shares[unit] || 0) + " % from it";
  return who + ": " + places.join(", ") + "; most at " + where + " (" + percent(values[top]) + ")" + share + ".";
}

class ReadPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.turn = 0;
    this.beneath = /** @type {Beneath[] | null} */ (null);
    this.message = /** @type {HTMLElement | null} */ (null);
    const draw = () => this.draw();
    this.stops = [
      pairAnswers.subscribe((_, names) => (names.has("reply") || names.has("status")) && draw()),
      circuitsState.subscribe((_, names) => ["unit", "focus", "reads"].some((name) => names.has(name)) && draw()),
      onThemeChange(draw),
      onResize(host, draw),
    ];
    this.canvas.addEventListener("keydown", (event) => walk(event));
    exports.register("pair-reads", () => this.exported());
  }

  dispose() {
    this.turn += 1; // pictures that arrive later are not drawn
    this.stops.forEach((stop) => stop());
  }

  async draw() {
    const mine = (this.turn += 1);
    const reads = current();
    this.host.dataset.shown = String(Boolean(reads));
    const { status, problem } = pairAnswers.state;
    this.host.dataset.status = status;
    this.say(status === "failed" ? problem : null);
    if (!reads || this.host.clientWidth < 80) return;
    try {
      const beneath = await pairBeneath.pictures();
      if (mine !== this.turn) return;
      this.beneath = beneath;
    } catch {
      if (mine === this.turn) this.beneath = [];
    }
    if (mine !== this.turn) return;
    const scene = sceneOf(shown(), this.beneath ?? [], this.host.clientWidth);
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    this.canvas.style.width = scene.width + "px";
    this.canvas.style.height = scene.height + "px";
    this.canvas.setAttribute(
      "aria-label",
      wordsOf(reads) + " Arrow keys walk from module to module, Escape shows all together.",
    );
    this.canvas.dataset.painted = circuitsState.get().unit || "all";
    this.canvas.dataset.sentences = String(shown().length);
  }

  /**
   * Why there are no maps, in place of them.
   *
   * @param {Refusal | null} problem
   */
  say(problem) {
    if (this.message) this.message.remove();
    this.message = problem && element("p", { class: "message-detail" }, problem.title + ". " + problem.message);
    if (this.message) this.host.append(this.message);
  }

  /** @returns {Panel | null} */
  exported() {
    const reads = current();
    const { beneath } = this;
    if (!reads || !beneath) return null;
    const unit = chosenUnit(reads);
    return {
      name: "read-in",
      facts: {
        ...pairAnswers.facts(),
        sentence: reads.sentence,
        unit: unit < 0 ? "all" : reads.units[unit],
        observed: "read-in attention",
      },
      python: { figure: "reads", sentences: shown().map(({ sentence }) => sentence) },
      rows: () => tableOf(shown()),
      json: () => ({ grid: reads.grid, columns: tableOf(shown())[0], rows: tableOf(shown()).slice(1) }),
      picture: { scene: () => sceneOf(shown(), beneath, 720) },
    };
  }
}

/**
 * A row a sentence and token: the weight of all modules by what the answer takes from each, and of each module.
 *
 * @param {Reads[]} all
 * @returns {unknown[][]}
 */
function tableOf(all) {
  const [{ grid, units }] = all;
  const { rows, columns, pictures } = grid;
  const lines = all.flatMap((reads) => {
    const together = weightsOf(reads, -1);
    return Array.from({ length: reads.tokens }, (_, token) => {
      const [at, cell] = [Math.floor(token / (rows * columns)), token % (rows * columns)];
      const own = units.map((name, unit) => (reads.kept.has(name) ? reads.weights[unit * reads.tokens + token] : ""));
      const place = [pairScene.nameOf(at, pictures), Math.floor(cell / columns), cell % columns];
      return [reads.sentence, ...place, together ? together[token] : "", ...own];
    });
  });
  return [["sentence", "picture", "row", "column", "all_by_read_out_share", ...units], ...lines];
}

/** @type {[string, string][]} */
const FOR = [
  ["one", "the sentence that answers"],
  ["all", "every pinned sentence"],
];

/** For which sentences the maps are shown. */
registerWidget("pair-reads-bar", (host) =>
  show(host, () => [
    html`<span class="control-name">Read for</span>`,
    controls.Choice({
      id: "pair-reads-for",
      label: "For which sentences",
      look: "small-input",
      options: FOR,
      chosen: circuitsState.get().reads,
      onChoose: (value) => circuitsState.set({ reads: /** @type {Choice["reads"]} */ (value) }),
    }),
  ]),
);

registerWidget("pair-reads", (host) => {
  const picture = new ReadPicture(host);
  return () => picture.dispose();
});

registerWidget("pair-reads-said", (host) => {
  const say = () => {
    const reads = current();
    host.textContent = reads ? wordsOf(reads) : "";
  };
  const ends = [
    pairAnswers.subscribe((_, names) => names.has("reply") && say()),
    circuitsState.subscribe((_, names) => (names.has("unit") || names.has("focus")) && say()),
  ];
  return () => ends.forEach((end) => end());
});

/**
 * Moves to the module before or after, in the order in which they are shown.
 *
 * @param {KeyboardEvent} event
 */
function walk(event) {
  const by = STEPS[event.key];
  const reads = current();
  if (!reads || (!by && event.key !== "Escape")) return;
  event.preventDefault();
  if (!by) {
    circuitsState.set({ unit: null });
    return;
  }
  const order = moduleOrder.order(reads);
  const at = order.indexOf(chosenUnit(reads));
  const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
  circuitsState.set({ unit: reads.units[order[next]] });
}
