/* The path picture on its canvas: painting, playing, and pointing with mouse, touch or keyboard. */
import { drawRibbons, drawTravelled, ribbonsOf } from "rs/draw/path/ribbons.js";
import * as tokenPicture from "rs/draw/path/token_picture.js";
import { fitCanvas, onResize, paintItems } from "rs/draw/scene.js";
import * as format from "rs/lib/format.js";
import { onThemeChange, readTheme, reducedMotion } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { listed } from "rs/lib/units.js";
import * as compare from "rs/pages/paths/compare/state.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { TokenParts } from "rs/draw/path/token_picture.js" */
/** @import { Item } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { PathState } from "rs/pages/paths/state.js" */
/** @import { Layers, PathPicture, PictureParts, Shown, ShownSample, Target, TokenState, View } from "rs/pages/paths/types.d.ts" */

/** The picture of the path that the page is about. @type {PathCanvas | null} */
export let pathCanvas = null;
/** A picture of tokens, of which those are seen that are pointed at, or that a dot has which is. */
const tokens = {
  ...tokenPicture,
  partsOf: /** @type {(state: TokenState, ...rest: [number, number, Theme, string]) => TokenParts} */ (
    tokenPicture.partsOf
  ),
  pointed: (/** @type {PathState} */ { view, hover, pinned }) => (hover || pinned ? paths.highlighted(view) : null),
};
/** What paints the picture of a view. @param {View} view @returns {PathPicture<PictureParts, Target | number[]>} */
const pictureOf = (view) => (view.circuit ? circuitScene : tokens);

/** @param {Shown} state */
function captionOf(state) {
  const { info } = state.view;
  const sample = /** @type {ShownSample} */ (state.sample);
  const { mute, drop, keep_edges: edges, top_k } = info.intervention;
  const changed = [
    mute.length ? "mute " + listed(mute) : null,
    drop.length ? "drop " + listed(drop) : null,
    typeof edges === "number" ? format.percentOf(edges) + " % of links" : null,
    top_k ? top_k + (top_k === 1 ? " expert" : " experts") + " a token" : null,
  ].filter(Boolean);
  const under = changed.length ? changed.join("; ") : "no intervention";
  const logged = !state.view.circuit && state.view.log;
  return [info.model, sample.name || sample.id, logged ? "as logged" : under].join(" · ");
}

class PathCanvas {
  /** @param {HTMLElement} host @param {() => PathState} see what is shown: of B, which the page is about, or of A */
  constructor(host, see) {
    this.host = host;
    this.see = see;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.picture = /** @type {PathPicture<PictureParts, Target | number[]>} */ (tokens);
    this.parts = /** @type {PictureParts | null} */ (null);
    this.lines = /** @type {Item[]} */ ([]);
    this.ribbons = /** @type {HTMLCanvasElement | null} */ (null);
    this.layers = /** @type {Layers | null} */ (null);
    this.stops = [
      paths.subscribe((_, names) => this.onState(names)),
      effect(() => {
        void compare.other.view; // A and B are on one scale
        untracked(() => this.rebuild());
      }),
      onThemeChange(() => this.rebuild()),
      onResize(host, () => this.rebuild()),
    ];
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => this.onPointer(event));
    canvas.addEventListener("pointerdown", (event) => this.onPointer(event));
    for (const name of ["pointerleave", "blur"]) canvas.addEventListener(name, () => paths.point(null));
    canvas.addEventListener("click", (event) => event.detail < 2 && paths.pin(this.targetAt(event)));
    if (see === compare.seenOfB) canvas.addEventListener("dblclick", (event) => this.onDouble(event));
  }

  /**
   * A double click on a dot takes its unit away, or brings it back, where there are no chips to do so.
   *
   * @param {MouseEvent} event
   */
  onDouble(event) {
    const target = this.targetAt(event);
    const { view } = state;
    if (!view || !target || target.unit === undefined) return;
    if (view.names.length <= unitNames.MOST_CHIPS || (!view.circuit && view.log)) return;
    paths.toggle(view.nameAt(target.step, target.unit));
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  /** @param {Set<string>} names */
  onState(names) {
    if (!this.isThere()) return;
    const rebuilds = ["view", "baseline", "picture", "threshold", "showBaseline", "graph", "order", "shown"];
    if (rebuilds.some((name) => names.has(name))) this.rebuild();
    else if (names.has("step")) this.turnTo(this.see().step);
    else if (names.has("time") || names.has("hover") || names.has("pinned")) this.draw();
  }

  /** Whether there is something to paint; else nothing stays painted. */
  isThere() {
    const { status, view } = this.see();
    this.canvas.dataset.status = status;
    if (view) return true;
    this.layers = this.parts = null;
    this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
    delete this.canvas.dataset.painted;
    return false;
  }

  /** Lays the picture out again and paints its ribbons once, so that pointing and playing stay quick. */
  rebuild() {
    const state = this.see();
    if (!this.isThere() || !state.view) return;
    this.host.dataset.units = state.view.names.length > unitNames.MOST_CHIPS ? "many" : "few";
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width < 40 || height < 40) return;
    const theme = readTheme();
    this.picture = pictureOf(state.view);
    this.parts = this.picture.partsOf(state, width, height, theme, captionOf(/** @type {Shown} */ (state)));
    this.lines = this.picture.lines(this.parts);
    this.ribbons = ribbonsOf(this.lines, { width, height }, theme.font);
    this.turnTo(state.step);
  }

  /** Shows another step of the same picture. @param {number} step */
  turnTo(step) {
    if (!this.parts) return;
    this.layers = this.picture.surroundings(this.parts, step);
    this.draw();
  }

  draw() {
    const { layers, parts, ribbons } = this;
    const state = this.see();
    if (!layers || !parts || !ribbons) return;
    const { theme, layout } = parts;
    const context = fitCanvas(this.canvas, layout.width, layout.height);
    context.clearRect(0, 0, layout.width, layout.height);
    paintItems(context, layers.frame, theme.font);
    const pointed = this.picture.pointed(state);
    const time = state.time !== null && reducedMotion() ? Math.floor(state.time) : state.time;
    if (time !== null) drawTravelled(context, ribbons, layout, this.picture.frontAt(parts, time));
    else drawRibbons(context, ribbons, layout, pointed ? 0.14 : 1);
    const over = (/** @type {Item[]} */ items) => paintItems(context, items, theme.font);
    if (this.picture.linesOver) over(layers.overlay);
    if (pointed) over(this.picture.highlight(parts, pointed));
    if (time !== null) over(this.picture.travellers(parts, time, pointed));
    if (!this.picture.linesOver) over(layers.overlay);
    this.publish(/** @type {Shown} */ (state));
  }

  /** What lies under the pointer: a line, a dot, an entry, or null. @param {MouseEvent} event @returns {Target | null} */
  targetAt(event) {
    if (!this.layers || !this.parts) return null;
    if (this.see === compare.seenOfA && compare.apart.value) return null; // its places are no places of B
    const box = this.canvas.getBoundingClientRect();
    const { layout } = this.parts;
    const x = ((event.clientX - box.left) * layout.width) / box.width;
    const y = ((event.clientY - box.top) * layout.height) / box.height;
    return this.picture.targetAt(this.parts, x, y);
  }

  /** @param {MouseEvent} event */
  onPointer(event) {
    const target = this.targetAt(event);
    this.canvas.style.cursor = target ? "pointer" : "default";
    paths.point(target);
  }

  /** What is painted, as attributes of the canvas: for assistive tools and for tests. @param {Shown} state */
  publish(state) {
    const target = state.hover || state.pinned;
    const tokens = target && paths.highlighted(state.view);
    const { view, step, playing } = state;
    Object.assign(this.canvas.dataset, {
      painted: view.info.id,
      step: view.steps[step],
      playing: String(playing),
      highlighted: (tokens || []).map((token) => view.tokens[token].name).join(" "),
      hoveredDot: target?.unit === undefined ? "" : view.steps[target.step] + "/" + view.units[target.unit],
    });
  }

  /** The picture as it is now, for export. @param {number} [width] by default as on the page */
  scene(width) {
    const state = this.see();
    const { view } = state;
    if (!view || !this.parts) throw new Error("There is no path to show.");
    const { width: asShown, height } = this.parts.layout;
    const theme = readTheme();
    const parts = this.picture.partsOf(state, width ?? asShown, height, theme, captionOf(/** @type {Shown} */ (state)));
    const layers = this.picture.surroundings(parts, state.step);
    const { layout } = parts;
    const lines = this.picture.lines(parts);
    const pointed = this.picture.pointed(state);
    const faint = (/** @type {Item} */ item) => ({ ...item, opacity: (item.opacity ?? 1) * 0.14 });
    const over = [pointed ? this.picture.highlight(parts, pointed) : [], layers.overlay];
    const items = [
      ...layers.frame,
      ...(pointed ? lines.map(faint) : lines),
      ...(this.picture.linesOver ? over.reverse() : over).flat(),
    ];
    const { width: w, height: h } = layout;
    const title = "Computational path: " + parts.caption;
    return { width: w, height: h, background: theme.surface, title, desc: this.picture.words(view), items };
  }
}

/** @param {HTMLElement} host */
export const makePath = (host) => (pathCanvas = new PathCanvas(host, compare.seenOfB));

/** @param {HTMLElement} host */
export const makePathOfA = (host) => new PathCanvas(host, compare.seenOfA);
