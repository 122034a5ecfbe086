/* Link probabilities as matrices: the learned ones and, beside them, those of the matched prior, in the same order and on
   the same scale. What an intervention takes away turns grey. */
import * as graphColours from "rs/draw/colours.js";
import { bar, itemsOf, rule, text } from "rs/draw/marks.js";
import { fitCanvas, onResize, paintItems, paintScene } from "rs/draw/scene.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as graphBitmaps from "rs/pages/graphs/bitmaps.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state, update } from "rs/pages/graphs/state.js";
import { LABELS } from "rs/pages/graphs/words.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Marks, Scene } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { Scale, Span } from "rs/pages/graphs/bitmaps.js" */
/** @import { Looks, Ready, Which } from "rs/pages/graphs/types.d.ts" */

/**
 * @typedef {object} Square one of the matrices
 * @property {Which} which
 * @property {HTMLCanvasElement} canvas
 * @property {string} title
 */

/**
 * @typedef {object} Made the squares, and what they were made of
 * @property {Square[]} squares
 * @property {number[]} order
 * @property {Span} span
 * @property {Scale} colours
 * @property {number} block
 */

/**
 * @typedef {{side: number, places: {x: number, y: number}[], width: number, height: number}} Frame where the squares are
 * @typedef {Scene & {frame: Frame, made: Made}} Framed
 * @typedef {[number, number]} Pair row and column, as modules
 */

/** What is shown now, or null (graphMatrix). @type {GraphMatrix | null} */
export let graphMatrix = null;
const [GAP, TOP, STRIP, FOOT] = [26, 22, 6, 34]; // pixels: between the squares, above, colours of modules, scale
const NARROW = 520;
const TALLEST = 520;
const SLOW = 8; // milliseconds of a picture that is put off while a slider moves
const LATER = 150; // milliseconds
const AROUND = 220; // pixels around a square that fills the screen
/** @type {Record<string, [number, number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class GraphMatrix {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.key = /** @type {unknown[] | null} */ (null);
    this.frame = 0;
    this.later = /** @type {ReturnType<typeof setTimeout> | 0} */ (0);
    this.slow = false;
    this.range = /** @type {Span} */ ([0, 1]);
    this.made = /** @type {Made | null} */ (null);
    this.ground = /** @type {{key: unknown[], canvas: HTMLCanvasElement, scene: Framed} | null} */ (null);
    this.frameNow = /** @type {Frame | null} */ (null);
    this.canvas.addEventListener("pointermove", (event) => this.point(this.pairAt(event)));
    this.canvas.addEventListener("pointerleave", () => this.point(null));
    this.canvas.addEventListener("blur", () => this.point(null));
    this.canvas.addEventListener("click", (event) => this.pick(this.pairAt(event)));
    this.canvas.addEventListener("keydown", (event) => this.onKey(event));
    this.stops = [
      graphPage.subscribe((state, names) => {
        if (names.has("cut") || names.has("graph")) this.draw(true);
        else if (["view", "hover", "pair"].some((name) => names.has(name))) this.draw();
      }),
      onThemeChange(() => this.draw()),
      onResize(host, () => this.draw()),
    ];
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
    this.stops.forEach((stop) => stop());
  }

  /**
   * Paints in the next frame; where that takes long the graph is not kept waiting: a little later.
   *
   * @param {boolean} [anew]
   */
  draw(anew) {
    if (anew && this.slow) {
      if (!this.later) this.later = setTimeout(() => this.paint(), LATER);
      return;
    }
    if (!this.frame) this.frame = requestAnimationFrame(() => this.paint());
  }

  /**
   * The pictures of the matrices, made again when what they show has changed.
   *
   * @param {Ready} state @param {Theme} theme @param {number} block @returns {Made}
   */
  bitmaps(state, theme, block) {
    const { graph, cut, view } = state;
    const order = graph.orders[view.order];
    const key = [graph, cut, order, view.scale, theme.surface, block];
    const { key: before, made } = this;
    if (made && before && key.every((each, at) => each === before[at])) return made;
    if (!this.key || this.key[0] !== graph) this.range = graphBitmaps.spanOf(graph);
    this.key = key;
    /** @type {Span} */
    const span = view.scale === "fixed" ? [0, 1] : this.range;
    const colours = graphColours.scale(theme);
    /** @type {Which[]} */
    const shown = graph.prior ? ["learned", "prior"] : ["learned"];
    const squares = shown.map((which) => ({
      which,
      canvas: graphBitmaps.of(graph, which, { order, cut, span, colours, block }),
      title: which === "learned" ? "learned" : "prior: " + graph.prior + ", matched",
    }));
    this.made = { squares, order, span, colours, block };
    return this.made;
  }

  /** Where each square is, and the size of all. @param {number} count @param {number} width @returns {Frame} */
  layout(count, width) {
    const across = width < NARROW ? 1 : count;
    const tallest = document.fullscreenElement ? Math.max(TALLEST, window.innerHeight - AROUND) : TALLEST;
    const side = Math.floor(Math.min((width - GAP * (across - 1)) / across - STRIP, tallest));
    const places = Array.from({ length: count }, (_, at) => ({
      x: STRIP + (at % across) * (side + GAP + STRIP),
      y: TOP + STRIP + Math.floor(at / across) * (side + TOP + STRIP),
    }));
    const down = Math.ceil(count / across);
    return { side, places, width, height: down * (side + TOP + STRIP) + FOOT + (width < graphBitmaps.NARROW ? 20 : 0) };
  }

  /**
   * The squares as a scene; `exact` for a pixel a pair, however small.
   *
   * @param {number} width @param {boolean} [exact] @returns {Framed}
   */
  sceneOf(width, exact) {
    const state = ready();
    const theme = readTheme();
    const frame = this.layout(state.graph.prior ? 2 : 1, width);
    const pixels = frame.side * (window.devicePixelRatio || 1);
    const made = this.bitmaps(state, theme, exact ? 1 : Math.max(1, Math.round(state.graph.count / pixels)));
    const marks = [
      made.squares.map((square, at) => this.squareMarks(state, made, square, frame.places[at], frame.side, theme)),
      graphBitmaps.scaleMarks(made, frame, STRIP + 34),
    ];
    return {
      width,
      height: frame.height,
      background: theme.surface,
      title: "Link probabilities of " + state.graph.model,
      desc: "Rows and columns are modules in the order of " + ORDERS[state.view.order] + "; grey is what is dropped.",
      items: itemsOf(marks, theme).items,
      frame,
      made,
    };
  }

  /**
   * One matrix below its title, with the colours of the modules along two sides.
   *
   * @param {Ready} state @param {Made} made @param {Square} square @param {{x: number, y: number}} place
   * @param {number} side @param {Theme} theme @returns {Marks}
   */
  squareMarks(state, made, { canvas, title }, { x, y }, side, theme) {
    const { count } = state.graph;
    const strip = graphBitmaps.strips(state, made.order, theme);
    const cells = count / made.block;
    const image = { shape: /** @type {const} */ ("image"), sx: 0, sy: 0 };
    return [
      text([title], { x, y: y - STRIP - 7, down: 0, weight: 600, room: side }),
      { ...image, source: graphBitmaps.source(canvas), sw: cells, sh: cells, x, y, w: side, h: side },
      bar([0], { x: [x - 0.5, x + side + 0.5], y: [y - 0.5, y + side + 0.5], stroke: "line", width: 1 }),
      { ...image, source: strip.down, sw: 1, sh: count, x: x - STRIP, y, w: STRIP - 2, h: side },
      { ...image, source: strip.across, sw: count, sh: 1, x, y: y - STRIP, w: side, h: STRIP - 2 },
    ];
  }

  paint() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.later);
    this.frame = this.later = 0;
    const width = this.host.clientWidth;
    if (width < 60) return;
    if (!state.graph) {
      this.ground = null;
      delete this.canvas.dataset.painted;
      const blank = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
      blank.clearRect(0, 0, this.canvas.width, this.canvas.height);
      return;
    }
    const start = performance.now();
    const theme = readTheme();
    const { canvas, scene } = this.squares(ready(), theme, width);
    const context = fitCanvas(this.canvas, width, scene.height);
    context.clearRect(0, 0, width, scene.height);
    context.drawImage(canvas, 0, 0, width, scene.height);
    paintItems(context, this.marks(ready(), scene, theme), theme.font);
    this.frameNow = scene.frame;
    this.canvas.style.width = width + "px";
    this.canvas.style.height = scene.height + "px";
    this.publish(ready(), performance.now() - start);
  }

  /**
   * The squares are kept as they are while only what is pointed at changes.
   *
   * @param {Ready} state @param {Theme} theme @param {number} width
   */
  squares(state, theme, width) {
    const { graph, cut, view } = state;
    const key = [graph, cut, view.order, view.scale, view.colour, theme.surface, width, window.devicePixelRatio];
    const { ground } = this;
    if (ground && key.every((each, at) => each === ground.key[at])) return ground;
    const start = performance.now();
    const scene = this.sceneOf(width);
    const canvas = ground ? ground.canvas : document.createElement("canvas");
    paintScene({ ...scene, background: null }, theme.font, canvas);
    this.slow = performance.now() - start > SLOW;
    return (this.ground = { key, canvas, scene });
  }

  /**
   * Rows and columns of the module that is chosen, and of the module or the pair that is pointed at.
   *
   * @param {Ready} state @param {Framed} scene @param {Theme} theme
   */
  marks({ graph, hover, pair }, { frame: { side, places }, made: { order } }, theme) {
    const cell = side / graph.count;
    const placeOf = (/** @type {number} */ unit) => order.indexOf(unit) * cell;
    const chosen = graphPage.chosen();
    const framed = [
      { unit: chosen, width: 1.4, opacity: 0.9 },
      { unit: pair || hover === chosen ? -1 : hover, width: 1, opacity: 0.6 },
    ].filter(({ unit }) => unit >= 0);
    const size = Math.max(cell, 5);
    const [row, column] = (pair ?? []).map(placeOf);
    const marks = places.map(({ x, y }) => [
      framed.map(({ unit, ...look }) => {
        const ends = [placeOf(unit), placeOf(unit) + Math.max(cell, 2)];
        const [across, down] = [[x - STRIP, x + side], [y - STRIP, y + side]]; // prettier-ignore
        const rowOf = bar([0], { x: across, y: ends.map((at) => y + at), stroke: "marker", ...look });
        return [rowOf, bar([0], { x: ends.map((at) => x + at), y: down, stroke: "marker", ...look })];
      }),
      (pair ? ["surface", "marker"] : []).map((stroke, at) => {
        const [cx, cy] = [x + column + cell / 2, y + row + cell / 2];
        const line = { stroke: "marker", opacity: 0.5 };
        return [
          at ? [] : rule([0], { ...line, x: [x - STRIP, x + side], y: cy }),
          at ? [] : rule([0], { ...line, x: cx, y: [y - STRIP, y + side] }),
          bar([0], {
            x: [cx - size / 2, cx + size / 2],
            y: [cy - size / 2, cy + size / 2],
            stroke,
            width: at ? 1.5 : 3,
          }),
        ];
      }),
    ]);
    return itemsOf(marks, theme).items;
  }

  /** @param {Ready} state @param {number} spent */
  publish(state, spent) {
    const { dataset } = this.canvas;
    dataset.painted = state.graph.model;
    dataset.order = state.view.order;
    dataset.spent = spent.toFixed(2);
    dataset.pair = state.pair ? state.pair.map((unit) => state.graph.units[unit]).join(",") : "";
  }

  /** @param {MouseEvent} event @returns {Pair | null} */
  pairAt(event) {
    const { graph } = state;
    if (!graph || !this.frameNow || !this.made) return null;
    const box = this.canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left, event.clientY - box.top];
    const { side, places } = this.frameNow;
    for (const { x, y } of places) {
      const [column, row] = [px - x, py - y].map((at) => Math.floor((at / side) * graph.count));
      /** @param {number} at */
      const inside = (at) => at >= 0 && at < graph.count;
      if (inside(row) && inside(column)) return [this.made.order[row], this.made.order[column]];
    }
    return null;
  }

  /** @param {Pair | null} pair */
  point(pair) {
    /** @param {Pair | null} a @param {Pair | null} b */
    const same = (a, b) => a === b || (a && b && a[0] === b[0] && a[1] === b[1]);
    if (!same(pair, state.pair)) update({ pair, hover: pair ? pair[0] : -1 });
  }

  /** @param {Pair | null} pair */
  pick(pair) {
    if (pair) graphPage.pick(pair[0] === graphPage.chosen() ? -1 : pair[0]);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (!state.graph || !this.made || event.ctrlKey || event.metaKey || event.altKey) return;
    const { order } = this.made;
    const last = order.length - 1;
    if (MOVES[event.key]) {
      const far = event.shiftKey ? 10 : 1;
      const from = state.pair ? state.pair.map((unit) => order.indexOf(unit)) : [-1, -1];
      const next = MOVES[event.key].map((step, at) =>
        Math.max(0, Math.min(last, from[at] + (from[at] < 0 ? 1 : far * step))),
      );
      this.point([order[next[0]], order[next[1]]]);
    } else if (event.key === "Enter" || event.key === " ") this.pick(state.pair);
    else if (event.key === "Escape") {
      this.point(null);
      graphPage.pick(-1);
    } else return;
    event.preventDefault();
  }

  /** The picture as it is now, for a file. @param {number} [width] */
  scene(width) {
    const scene = this.sceneOf(width ?? Math.max(720, this.host.clientWidth), true);
    return { ...scene, items: [...scene.items, ...this.marks(ready(), scene, readTheme())] };
  }
}

/** The state, where one knows that there is a graph. */
const ready = () => /** @type {Ready} */ (state);

/** @type {Record<Looks["order"], string>} */
const ORDERS = { matched: "the matched prior", communities: "their communities", connectivity: "their connectivity" };

/** One line about a pair of modules. @param {Ready} state */
function words({ graph, cut, pair }) {
  if (!pair) return "";
  const [i, j] = pair;
  const at = i * graph.count + j;
  const { learned, prior: matched } = graph.matrices;
  const p = "p " + /** @type {Float32Array} */ (learned)[at].toFixed(3);
  const prior = matched ? ", prior " + matched[at].toFixed(3) : "";
  const gone = cut.dropped[i] || cut.dropped[j] ? ", dropped" : "";
  return graph.units[i] + " and " + graph.units[j] + ": " + p + prior + gone;
}

/** The matrices on a canvas that follows the pointer, and what is said of the pair under it. */
export function Matrix() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const matrix = new GraphMatrix(/** @type {HTMLElement} */ (place.current));
    graphMatrix = matrix;
    return () => {
      if (graphMatrix === matrix) graphMatrix = null;
      matrix.dispose();
    };
  }, []);
  const said = state.graph && words(ready());
  return html`
    <div ref=${place} class="graph-matrix">
      <canvas id="graph-matrix-picture" tabindex="0" role="img" aria-label=${LABELS.matrix}></canvas>
      <div class="skeleton" aria-hidden="true" hidden=${state.status !== "loading"}></div>
    </div>
    <p class="hint" id="graph-pair" aria-live="polite">
      ${said || "Point at a pair, or walk with the arrow keys; Enter chooses the row."}
    </p>
  `;
}
