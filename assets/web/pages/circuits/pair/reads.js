/* Where modules read: the attention of a module, or of all of them by what the answer takes from each, over both pictures. */
import * as exports from "rs/draw/exports.js";
import { bands, bar, chart, text } from "rs/draw/marks.js";
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

/** @import { Panel } from "rs/draw/types.d.ts" */
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
 * What a module reads of a picture: the less, the darker.
 *
 * @param {Float32Array} values
 * @param {Reads["grid"]} grid
 * @param {number} at the picture
 * @param {[number, number, number]} square
 */
function heat(values, { rows, columns, pictures }, at, [left, top, side]) {
  const x = bands(Array.from({ length: columns }, String), [left, left + side]);
  const y = bands(Array.from({ length: rows }, String), [top, top + side]);
  const most = Math.max(...values, 1e-9);
  const each = values.length / pictures;
  const cells = Array.from(values.subarray(at * each, (at + 1) * each), (value, cell) => ({
    value, row: Math.floor(cell / columns), column: cell % columns,
  })); // prettier-ignore
  const named = x.step >= 34 ? cells.filter(({ value }) => value >= 2 / values.length) : [];
  return [
    bar(cells, { x: ({ column }) => x.extent(column), y: ({ row }) => y.extent(row), fill: "#000000", opacity: ({ value }) => DARK * (1 - value / most) }),
    text(named, { x: ({ column }) => x(column), y: ({ row }) => y(row), text: ({ value }) => percent(value), size: 10.5, weight: 650, fill: "#ffffff", halo: "rgba(0, 0, 0, 0.65)", anchor: "middle" }),
  ]; // prettier-ignore
}

/**
 * The pair for one sentence, its left upper corner at (left, top).
 *
 * @param {Reads} reads
 * @param {Beneath[]} beneath
 * @param {[number, number, number]} place
 * @param {boolean} alone
 */
function pairOf(reads, beneath, [left, top, side], alone) {
  const { pictures } = reads.grid;
  const values = weightsOf(reads, chosenUnit(reads));
  const shares = values ? byPicture(values, reads.grid) : null;
  const width = pictures * side + GAP * (pictures - 1);
  const y = top + HEAD + (alone ? 0 : 16);
  const marks = Array.from({ length: pictures }, (_, at) => {
    const x = left + at * (side + GAP);
    const name = alone ? pairScene.titleOf(at, pictures) : pairScene.nameOf(at, pictures);
    const share = shares ? ": " + percent(shares[at]) + (side < 220 ? "" : " of the attention") : "";
    return [
      beneath[at] ? beneath[at](x, y, side) : [],
      text([name + share], { x, y: y - 8, down: 0, size: alone ? 12 : 11, fill: "dim", room: side }),
      values ? heat(values, reads.grid, at, [x, y, side]) : bar([0], { x: [x, x + side], y: [y, y + side], fill: "#000000", opacity: DARK }),
    ];
  }); // prettier-ignore
  const sentence = alone ? [] : [reads.sentence];
  const heading = text(sentence, { x: left, y: top + 13, down: 0, weight: 600, room: width });
  return { marks: [heading, marks], width, height: y - top + side };
}

/**
 * @param {Reads[]} all
 * @param {Beneath[]} beneath
 * @param {number} width
 */
function sceneOf(all, beneath, width) {
  const [{ grid, units }] = all;
  const alone = all.length === 1;
  const across = alone || width < 420 ? 1 : 2;
  const block = (width - 24 * (across - 1)) / across;
  const side = Math.min(360, (block - GAP * (grid.pictures - 1)) / grid.pictures);
  let [end, top, bottom] = [0, 0, 0];
  const marks = all.map((reads, at) => {
    if (at % across === 0) top = bottom + (at ? 14 : 0);
    const left = (at % across) * (block + 24);
    const pair = pairOf(reads, beneath, [left, top, side], alone);
    end = Math.max(end, left + pair.width);
    bottom = Math.max(bottom, top + pair.height);
    return pair.marks;
  });
  const unit = chosenUnit(all[0]);
  const who = unit < 0 ? "All modules together" : units[unit];
  const sentences = all.map(({ sentence }) => sentence).join("; ");
  return chart({
    width: end,
    height: bottom,
    title: "What modules read: " + who,
    desc: who + ", reading for: " + sentences + ". The brighter a place, the more of the attention is on it.",
    marks,
  });
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
      picture: { scene: (width = 720) => sceneOf(shown(), beneath, width) },
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
