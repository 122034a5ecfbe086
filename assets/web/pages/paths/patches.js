/* The image with its patches coloured by their dominant function at the current step. */
import { onResize, paintScene } from "rs/draw/scene.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { tokenBeside } from "rs/lib/trace.js";
import * as circuitPanel from "rs/pages/paths/attention.js";
import * as compare from "rs/pages/paths/compare/state.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { sceneOfNumbers } from "rs/pages/paths/number_scene.js";
import { sceneOfText } from "rs/pages/paths/text_scene.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { Item, Scene, TextItem } from "rs/draw/types.d.ts" */
/** @import { Picture, Theme } from "rs/lib/types.d.ts" */
/** @import { CircuitState, PathState, Shown, ShownSample, Target, TokenState, View } from "rs/pages/paths/types.d.ts" */
/** @typedef {Shown & {picture: Picture, sample: ShownSample}} Seen the state while there is a picture */

/** The picture of the sample that the page is about. @type {PatchCanvas | null} */
export let patchCanvas = null;

/**
 * @param {Shown} state
 * @param {Theme} theme
 * @param {number} size
 * @returns {Item[]}
 */
function patchItems(state, theme, size) {
  const { view, step, opacity } = state;
  const { rows, columns } = view.info.grid;
  const [w, h] = [size / columns, size / rows];
  const pointed = state.hover || state.pinned;
  const highlighted = pointed && paths.highlighted(view);
  if (view.circuit && pointed && pointed.unit !== undefined)
    return lookItems(/** @type {CircuitState} */ (state), pointed.unit, [w, h]);
  const chosen = highlighted && new Set(highlighted);
  const paint = view.circuit
    ? circuitPanel.paintOf(/** @type {CircuitState} */ (state))
    : (/** @type {number} */ unit) => theme.unit(view.paint(step, unit));
  /** @type {Item[]} */
  const items = [];
  for (const token of view.patches) {
    const { row, column } = view.tokens[token];
    const unit = view.dominant(step, token);
    const place = { x: (column ?? 0) * w, y: (row ?? 0) * h, w, h };
    const away = chosen && !chosen.has(token);
    if (unit >= 0) items.push({ shape: "rect", ...place, fill: paint(unit), opacity: away ? opacity * 0.25 : opacity });
    if (unit >= 0 && opacity > 0) {
      const edge = Math.max(1.5, Math.min(3, w / 16));
      const inner = { x: place.x + edge / 2 + 0.5, y: place.y + edge / 2 + 0.5, w: w - edge - 1, h: h - edge - 1 };
      items.push({ shape: "rect", ...inner, stroke: paint(unit), width: edge, opacity: away ? 0.25 : 1 });
    }
    if (w >= 26 && opacity > 0) {
      const text = unit < 0 ? "none" : view.nameAt(step, unit);
      /** @type {Omit<TextItem, "fill">} */
      const label = { shape: "text", x: place.x + 6, y: place.y + 14, text, size: 10.5, weight: 650 };
      items.push({ ...label, fill: "#ffffff", halo: "rgba(0, 0, 0, 0.6)", opacity: away ? 0.25 : 1 });
    }
  }
  for (const token of highlighted || []) {
    if (!view.patches.includes(token)) continue;
    const { row, column } = view.tokens[token];
    const place = { x: (column ?? 0) * w + 1.5, y: (row ?? 0) * h + 1.5, w: w - 3, h: h - 3, rx: 2 };
    items.push({ shape: "rect", ...place, stroke: "#000000", width: 4, opacity: 0.65 });
    items.push({ shape: "rect", ...place, stroke: "#ffffff", width: 2 });
  }
  return items;
}

/**
 * Where one unit looks: the more of its attention is on a patch, the less it is darkened.
 *
 * @param {CircuitState} state
 * @param {number} unit
 * @param {[number, number]} size of a patch
 * @returns {Item[]}
 */
function lookItems({ view, opacity }, unit, [w, h]) {
  const most = Math.max(...view.patches.map((token) => view.reads(unit, token)), 1e-9);
  return view.patches.flatMap((token) => {
    const { row, column } = view.tokens[token];
    const value = view.reads(unit, token);
    /** @type {Item} */
    const dark = { shape: "rect", x: (column ?? 0) * w, y: (row ?? 0) * h, w, h, fill: "#000000" };
    /** @type {Item[]} */
    const items = [{ ...dark, opacity: (0.35 + 0.5 * opacity) * (1 - value / most) }];
    /** @type {Omit<TextItem, "x" | "y">} */
    const text = { shape: "text", text: Math.round(100 * value) + " %", size: 10.5, weight: 650, fill: "#ffffff" };
    if (w >= 34) items.push({ ...text, x: (column ?? 0) * w + 6, y: (row ?? 0) * h + 14, halo: "rgba(0, 0, 0, 0.6)" });
    return items;
  });
}

/**
 * @param {Seen} state
 * @param {number} size
 * @returns {Scene}
 */
function sceneOf(state, size) {
  const theme = readTheme();
  const { picture, view, step } = state;
  const { width: sw, height: sh } = picture;
  const name = view.steps[step];
  return {
    width: size,
    height: size,
    background: theme.surface,
    title: titleOf(view, name) + ": " + (state.sample.name || state.sample.id),
    desc: descOf(view, name),
    items: [
      { shape: "image", source: picture, sx: 0, sy: 0, sw, sh, x: 0, y: 0, w: size, h: size },
      ...patchItems(state, theme, size),
    ],
  };
}

/**
 * @param {View} view
 * @param {string} name
 */
const titleOf = (view, name) =>
  view.circuit ? "The module that reads every patch most" : "Dominant function of every patch at step " + name;

/**
 * @param {View} view
 * @param {string} name
 */
const descOf = (view, name) =>
  view.circuit
    ? "The image with each patch in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks."
    : "The image with each patch in the colour of the function it is most compatible with at step " + name + ".";

/**
 * What the sample is shown as: a picture, a text, or numbers.
 *
 * @param {View | null} view
 */
function showsOf(view) {
  if (!view) return "picture";
  if (view.circuit) return view.text ? "text" : "picture";
  return view.text ? "text" : view.numbers.length ? "numbers" : "picture";
}

class PatchCanvas {
  /**
   * @param {HTMLElement} host
   * @param {() => PathState} see what is shown: of B, which the page is about, or of A
   */
  constructor(host, see) {
    this.host = host;
    this.see = see;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.stops = [
      paths.subscribe(() => this.draw()),
      ...(see === compare.seenOfA ? [effect(() => (void compare.other.view, untracked(() => this.draw())))] : []),
      onThemeChange(() => this.draw()),
      onResize(host, () => this.draw()),
    ];
    /**
     * @template {keyof HTMLElementEventMap} Name
     * @param {Name} name
     * @param {(event: HTMLElementEventMap[Name]) => void} handler
     */
    const listen = (name, handler) => this.canvas.addEventListener(name, handler);
    listen("pointermove", (event) => paths.point(this.targetAt(event)));
    listen("pointerdown", (event) => paths.point(this.targetAt(event)));
    for (const name of /** @type {const} */ (["pointerleave", "blur"])) listen(name, () => paths.point(null));
    listen("click", (event) => paths.pin(this.targetAt(event)));
    listen("keydown", (event) => this.onKey(event));
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  draw() {
    const state = this.see();
    const shows = showsOf(state.view);
    const text = shows !== "picture";
    this.host.dataset.shows = shows;
    const size = text ? this.host.clientWidth : Math.min(this.host.clientWidth, this.host.clientHeight);
    if (size < 20) return;
    if (!state.view || !state.view.grid || !(text || state.picture)) {
      const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      delete this.canvas.dataset.painted;
      return;
    }
    const scene = this.scene(size);
    paintScene(scene, readTheme().font, this.canvas);
    this.canvas.style.width = scene.width + "px";
    this.canvas.style.height = scene.height + "px";
    const { view } = state;
    const pointed = state.hover || state.pinned;
    const names = ((pointed && paths.highlighted(view)) || []).map((token) => view.tokens[token].name);
    this.canvas.dataset.painted = view.info.id;
    this.canvas.dataset.step = view.steps[state.step];
    this.canvas.dataset.highlighted = names.join(" ");
  }

  /**
   * @param {MouseEvent} event
   * @returns {Target | null}
   */
  targetAt(event) {
    const { view } = this.see();
    if (!view || !view.grid) return null;
    if (this.see === compare.seenOfA && compare.apart.value) return null; // its places are no places of B
    const box = this.canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.height) * view.grid.rows);
    const column = Math.floor(((event.clientX - box.left) / box.width) * view.grid.columns);
    const token = view.at(row, column);
    return token === null ? null : { token };
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    /** @type {Record<string, [number, number]>} */
    const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const { view } = this.see();
    const move = moves[event.key];
    if (!view || !move) return;
    event.preventDefault();
    event.stopPropagation();
    const target = paths.pointed();
    const from = target && target.token !== undefined ? view.tokens[target.token] : null;
    if (view.text) {
      const token = tokenBeside(view.text.places, target?.token, move);
      if (token !== null) paths.update({ hover: { token } });
      return;
    }
    /** @type {[number, number]} */
    const start = from && from.kind !== "cls" ? [(from.row ?? 0) + move[0], (from.column ?? 0) + move[1]] : [0, 0];
    const token = view.at(...start);
    if (token !== null) paths.update({ hover: { token } });
  }

  /** The picture as it is now, for export, or in another size. */
  scene(size = 480) {
    const state = this.see();
    const shows = showsOf(state.view);
    if (shows === "picture") return sceneOf(/** @type {Seen} */ (state), size);
    return (shows === "text" ? sceneOfText : sceneOfNumbers)(/** @type {TokenState} */ (state), size);
  }
}

/** @param {HTMLElement} host */
export const makePatches = (host) => (patchCanvas = new PatchCanvas(host, () => state));

/** @param {HTMLElement} host */
export const makePatchesOfA = (host) => new PatchCanvas(host, compare.seenOfA);
