/* Where modules read: the attention of a module, or of all of them by what the answer takes from each, over both pictures;
   and small maps of all modules, those first from which the answer takes most. */
import { channels } from "rs/draw/colours.js";
import { bands, bar, chart, text } from "rs/draw/marks.js";
import * as api from "rs/lib/api.js";
import * as format from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import * as controls from "rs/parts/controls.js";
import { Panel, Picture } from "rs/parts/panel.js";
import { scheme } from "rs/parts/scheme.js";
import { stepInGrid } from "rs/parts/unit_grid.js";
import { computed, useLayoutEffect, useRef, useState } from "rs/vendor/preact.js";

/** @import { Item, Marks, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { Picture as Source, Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice } from "rs/pages/circuits/types.d.ts" */
/** @typedef {(x: number, y: number, side: number) => Item[]} Beneath what lies beneath a map, in a square */

const GAP = 14; // between the pictures
const HEAD = 22; // above them
const DARK = 0.74; // of a place that is not read at all
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** What was read for one sentence. @param {Schemas["Answers"]} reply @param {Schemas["Answer"]} answer */
function readsOf({ units, kept, grid }, { read_in: readIn, read_out_share: shares, sentence }) {
  if (!readIn || !shares) return null; // of a network without such modules
  const tokens = grid.pictures * grid.rows * grid.columns; // of both pictures
  return { units, kept: new Set(kept), grid, tokens, weights: api.unpacked(readIn), shares, sentence }; // (unit, token)
}

/** @typedef {NonNullable<ReturnType<typeof readsOf>>} Reads */

/** What was read for each of the pinned sentences. */
const all = computed(() => {
  const { reply } = pairAnswers.state;
  return reply ? reply.answers.map((answer) => readsOf(reply, answer)).filter((reads) => reads !== null) : [];
});

/** The same for the sentence that answers; undefined where there is no answer yet. */
const current = () => all.value[Math.min(state.focus, all.value.length - 1)];

/** The same for the sentences that are shown: the one that answers, or all that are pinned. */
const shown = () => (state.reads === "all" ? all.value : all.value.filter((reads) => reads === current()));

/** The weights of one unit, or of all together; null where it was left out. @param {Reads} reads @param {number} unit */
function weightsOf(reads, unit) {
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
const chosenUnit = (reads) => reads.units.indexOf(/** @type {string} */ (state.unit));

/** The part of the values that is of a picture. @param {Float32Array} values @param {number} at */
const ofPicture = (values, at) => values.subarray((at * values.length) / 2, ((at + 1) * values.length) / 2);

/** Shares of the attention on each picture. @param {Float32Array} values */
const byPicture = (values) => [0, 1].map((at) => ofPicture(values, at).reduce((a, b) => a + b, 0));

/** Places of the modules, by what the answer takes from each; those that are dropped come last. @param {Pick<Reads, "units" | "kept" | "shares">} reads */
export function order({ units, kept, shares }) {
  /** @param {number} unit */
  const share = (unit) => (kept.has(units[unit]) ? shares[unit] : -1);
  return units.map((_, unit) => unit).sort((a, b) => share(b) - share(a) || a - b);
}

/* -- the pictures beneath ----------------------------------------------------------------------------------------- */

/** The scene that the answers are about; null for photographs. */
const drawnScene = () => (pairPage.state.samples ? null : (pairAnswers.state.scene ?? pairPage.state.scene));

/** @type {api.Resource<Source[]>} */
const photographs = api.resource(
  () => (drawnScene() || !pairAnswers.state.reply ? null : JSON.stringify(pairPage.addresses())),
  (key) =>
    Promise.all(/** @type {string[]} */ (JSON.parse(key)).map((each) => api.pictureAt(each.slice(api.BASE.length)))),
);
export const { follow } = photographs;

/** The pictures beneath the maps: the things of a scene, or the pixels of photographs; null while they come. @returns {Beneath[] | null} */
function beneathOf() {
  const scene = drawnScene();
  if (scene) return scene.pictures.map((things) => (x, y, side) => pairSvg.items(things, x, y, side));
  const images = photographs.answer();
  return images && images.map((source) => (x, y, side) => [{ shape: "image", source, sx: 0, sy: 0, sw: source.width, sh: source.height, x, y, w: side, h: side }]); // prettier-ignore
}

/* -- the picture ------------------------------------------------------------------------------------------------ */

/** @param {number} share */
const percent = (share) => Math.round(100 * share) + " %";

/**
 * What a module reads of a picture: the less, the darker.
 *
 * @type {(values: Float32Array, grid: Reads["grid"], at: number, square: [number, number, number]) => Marks}
 */
function heat(values, { rows, columns }, at, [left, top, side]) {
  const x = bands(Array.from({ length: columns }, String), [left, left + side]);
  const y = bands(Array.from({ length: rows }, String), [top, top + side]);
  const most = Math.max(...values, 1e-9);
  const cells = Array.from(ofPicture(values, at), (value, cell) => ({
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
  const values = weightsOf(reads, chosenUnit(reads));
  const shares = values ? byPicture(values) : null;
  const width = 2 * side + GAP;
  const y = top + HEAD + (alone ? 0 : 16);
  const marks = [0, 1].map((at) => {
    const x = left + at * (side + GAP);
    const name = (alone ? pairScene.TITLES : pairScene.NAMES)[at];
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

/** @param {Reads[]} all @param {Beneath[]} beneath @param {number} width */
export function sceneOf(all, beneath, width) {
  const [{ units }] = all;
  const alone = all.length === 1;
  const across = alone || width < 420 ? 1 : 2;
  const block = (width - 24 * (across - 1)) / across;
  const side = Math.min(360, (block - GAP) / 2);
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

/** What the pointed-out module does, in words. @param {Reads} reads */
function wordsOf(reads) {
  const unit = chosenUnit(reads);
  const values = weightsOf(reads, unit);
  const who = unit < 0 ? "All modules together" : reads.units[unit];
  if (!values) return who + " is dropped: it reads nothing.";
  const { rows, columns } = reads.grid;
  const places = byPicture(values).map((share, at) => percent(share) + " of it on the " + pairScene.NAMES[at]);
  const top = values.indexOf(Math.max(...values));
  const [at, cell] = [Math.floor(top / (rows * columns)), top % (rows * columns)];
  const where =
    pairScene.NAMES[at] + ", row " + (Math.floor(cell / columns) + 1) + ", column " + ((cell % columns) + 1);
  const share = unit < 0 ? "" : "; the answer takes " + format.percent(reads.shares[unit] || 0) + " % from it";
  return who + ": " + places.join(", ") + "; most at " + where + " (" + percent(values[top]) + ")" + share + ".";
}

/** A row a sentence and token: the weight of all modules together, and of each. @param {Reads[]} all @returns {unknown[][]} */
function tableOf(all) {
  const [{ grid, units }] = all;
  const { rows, columns } = grid;
  const lines = all.flatMap((reads) => {
    const together = weightsOf(reads, -1);
    return Array.from({ length: reads.tokens }, (_, token) => {
      const [at, cell] = [Math.floor(token / (rows * columns)), token % (rows * columns)];
      const own = units.map((name, unit) => (reads.kept.has(name) ? reads.weights[unit * reads.tokens + token] : ""));
      const place = [pairScene.NAMES[at], Math.floor(cell / columns), cell % columns];
      return [reads.sentence, ...place, together ? together[token] : "", ...own];
    });
  });
  return [["sentence", "picture", "row", "column", "all_by_read_out_share", ...units], ...lines];
}

/** @type {[string, string][]} */
const FOR = [
  ["one", "the chosen sentence"],
  ["all", "every pinned sentence"],
];

/**
 * One small map: a pixel a token, the pictures beside each other with a column between them.
 *
 * @type {(canvas: HTMLCanvasElement, reads: Reads, unit: number, ink: number[]) => void}
 */
function paint(canvas, reads, unit, ink) {
  const { rows, columns } = reads.grid;
  const width = 2 * columns + 1;
  if (canvas.width !== width || canvas.height !== rows) [canvas.width, canvas.height] = [width, rows];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, rows);
  const values = weightsOf(reads, unit) ?? [];
  const most = Math.max(...values, 1e-9);
  values.forEach((value, token) => {
    const [at, cell] = [Math.floor(token / (rows * columns)), token % (rows * columns)];
    const to = Math.floor(cell / columns) * width + at * (columns + 1) + (cell % columns);
    image.data.set([...ink, 18 + 237 * (value / most)], 4 * to);
  });
  context.putImageData(image, 0, 0);
}

/** @param {string | null} unit */
const choose = (unit) => circuitsState.set({ unit });

/** @param {{reads: Reads, unit: number, ink: number[], stop: boolean, onFocus: () => void}} props */
function Module({ reads, unit, ink, stop, onFocus }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    if (canvas.current) paint(canvas.current, reads, unit, ink);
  }, [reads, unit, ink]);
  const name = reads.units[unit];
  const stays = reads.kept.has(name);
  const share = stays ? format.percent(reads.shares[unit]) + " %" : "out";
  const pressed = state.unit === name;
  return html`<button
    type="button"
    class="pair-module"
    tabindex=${stop ? 0 : -1}
    data-module=${name}
    aria-pressed=${pressed}
    aria-label=${name + (stays ? ", the answer takes " + share : ", dropped")}
    onClick=${() => choose(pressed ? null : name)}
    onFocus=${onFocus}
  >
    <canvas aria-hidden="true" ref=${canvas} />
    <span class="pair-module-words"><span class="pair-module-name">${name}</span><small>${share}</small></span>
  </button>`;
}

/** The modules; the tab key goes to one of them, arrow keys to the others. @param {{reads: Reads, ink: number[]}} props */
function Modules({ reads, ink }) {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const [last, setLast] = useState(/** @type {string | null} */ (null));
  const { unit: chosen } = state;
  const places = order(reads);
  const names = places.map((unit) => reads.units[unit]);
  const stop = [last, chosen, names[0]].find((name) => name !== null && names.includes(name));
  // What Safari moves loses the focus: it knows no moveBefore.
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const focused = grid.current?.contains(active) ? active : null;
  useLayoutEffect(() => {
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  });
  const label = "Modules, those first from which the answer takes most";
  return html`<div class="pair-module-grid" role="group" aria-label=${label} ref=${grid} onKeyDown=${walkGrid}>
    ${places.map(
      (unit, at) =>
        html`<${Module}
          key=${names[at]}
          ...${{ reads, unit, ink }}
          stop=${names[at] === stop}
          onFocus=${() => setLast(names[at])}
        />`,
    )}
  </div>`;
}

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
function walkGrid(event) {
  const shown = /** @type {HTMLElement[]} */ ([...event.currentTarget.children]);
  const at = shown.findIndex((each) => each === document.activeElement);
  if (at < 0) return;
  const across = shown.filter(({ offsetTop }) => offsetTop === shown[0].offsetTop).length;
  const to = stepInGrid(event.key, at, shown.length, across);
  if (!shown[to]) return;
  event.preventDefault();
  shown[to].focus();
}

/** Moves to the module before or after, in the order in which they are shown. @param {KeyboardEvent} event */
function walkModules(event) {
  const by = STEPS[event.key];
  const reads = current();
  if (!reads || (!by && event.key !== "Escape")) return;
  event.preventDefault();
  if (!by) {
    circuitsState.set({ unit: null });
    return;
  }
  const places = order(reads);
  const at = places.indexOf(chosenUnit(reads));
  const next = at < 0 ? (by > 0 ? 0 : places.length - 1) : (at + by + places.length) % places.length;
  circuitsState.set({ unit: reads.units[places[next]] });
}

/** @returns {Written | null} */
function exported() {
  const [reads, beneath] = [current(), beneathOf()];
  if (!reads || !beneath) return null;
  const unit = chosenUnit(reads);
  const table = () => tableOf(shown());
  return {
    name: "read-in",
    facts: {
      ...pairAnswers.facts(),
      sentence: reads.sentence,
      unit: unit < 0 ? "all" : reads.units[unit],
      observed: "read-in attention",
    },
    python: { figure: "reads", sentences: shown().map(({ sentence }) => sentence) },
    rows: table,
    json: () => ({ grid: reads.grid, columns: table()[0], rows: table().slice(1) }),
    picture: { scene: (width = 720) => sceneOf(shown(), beneath, width) },
  };
}

/** For which sentences the maps are shown. */
const For = () =>
  html`<div class="pair-bar">
    <span class="control-name">Attention for</span>
    ${controls.Choice({
      id: "pair-reads-for",
      label: "For which sentences",
      look: "small-input",
      options: FOR,
      chosen: state.reads,
      onChoose: (value) => circuitsState.set({ reads: /** @type {Choice["reads"]} */ (value) }),
    })}
  </div>`;

/** Small maps of all modules. */
function AllModules() {
  const reads = current();
  if (!reads || scheme.value < 0) return null;
  return html`<div class="pair-modules">
    <div class="pair-bar">
      <${controls.Tool} id="pair-all-modules" pressed=${!state.unit} act=${() => choose(null)}>all together<//>
      <span class="hint">Sorted by how much the answer takes from each; left map: left picture.</span>
    </div>
    <${Modules} reads=${reads} ink=${channels(readTheme().accent)} />
  </div>`;
}

const KEYS = " Arrow keys walk from module to module, Escape shows all together.";

export function ReadsPanel() {
  const { status, problem } = pairAnswers.state;
  const reads = current();
  return html`<${Panel}
    id="pair-reads"
    title="What modules read"
    tag=${pairAnswers.tag()}
    reads="Attention of the modules over the pictures; brighter is more. The map of all modules weights each module by its share of the answer."
    formats=${["svg", "png", "csv", "json"]}
    written=${exported}
  >
    <${For} />
    <div class="pair-reads" data-status=${status}>
      <${Picture}
        id="pair-reads-picture"
        height=${180}
        onKey=${walkModules}
        data=${{ "data-sentences": String(shown().length) }}
        scene=${(/** @type {number} */ width) => {
          const [all, beneath] = [shown(), beneathOf()];
          return current() && beneath ? sceneOf(all, beneath, width) : null;
        }}
        drawn=${() => state.unit || "all"}
        label=${() => {
          const now = current();
          return now ? wordsOf(now) + KEYS : "";
        }}
      />
      ${status === "failed" && html`<p class="message-detail">${problem?.title + ". " + problem?.message}</p>`}
    </div>
    <${AllModules} />
    <p class="hint" aria-live="polite">${reads && wordsOf(reads)}</p>
  <//>`;
}
