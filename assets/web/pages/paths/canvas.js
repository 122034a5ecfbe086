/* The path picture on its canvas: painting, playing, and pointing with mouse, touch or keyboard. */
import { fitCanvas, onResize, paintItems, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { onThemeChange, readTheme, reducedMotion } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { listed } from "rs/lib/units.js";
import * as circuitPicture from "rs/pages/paths/message_picture.js";
import * as pathsPage from "rs/pages/paths/page.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import * as tokenPicture from "rs/pages/paths/token_picture.js";

/** What is shown now, or null (pathCanvas). */
export let pathCanvas = null;
/** What paints the picture of a view. */
const pictureOf = (view) => (view.circuit ? circuitPicture : tokenPicture);

function captionOf(state) {
  const { info } = state.view;
  const { mute, drop, keep_edges: edges } = info.intervention;
  const changed = [
    mute.length ? "mute " + listed(mute) : null,
    drop.length ? "drop " + listed(drop) : null,
    typeof edges === "number" ? format.percentOf(edges) + " % of edges" : null,
  ].filter(Boolean);
  return [
    info.model,
    state.sample.name || state.sample.id,
    changed.length ? changed.join("; ") : "no intervention",
  ].join(" · ");
}

class PathCanvas {
  constructor(host) {
    this.host = host;
    this.canvas = host.querySelector("canvas");
    this.stops = [
      paths.subscribe((state, names) => this.onState(state, names)),
      onThemeChange(() => this.rebuild()),
      onResize(host, () => this.rebuild()),
    ];
    const listen = (name, handler) => this.canvas.addEventListener(name, handler);
    listen("pointermove", (event) => this.onPointer(event));
    listen("pointerdown", (event) => this.onPointer(event));
    for (const name of ["pointerleave", "blur"]) listen(name, () => paths.point(null));
    listen("click", (event) => event.detail < 2 && paths.pin(this.targetAt(event)));
    listen("dblclick", (event) => this.onDouble(event));
  }

  /** A double click on a dot takes its unit away, or brings it back, where there are no chips to do so. */
  onDouble(event) {
    const target = this.targetAt(event);
    const { view } = state;
    if (!view || !view.circuit || !target || target.unit === undefined) return;
    const name = view.units[target.unit];
    pathsPage.turn([name], !pathsPage.away().includes(name));
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  onState(state, names) {
    this.canvas.dataset.status = state.status;
    if (!state.view) {
      this.layers = this.parts = null;
      this.clear();
      return;
    }
    const rebuilds = ["view", "baseline", "picture", "threshold", "showBaseline", "graph", "order", "shown"];
    if (rebuilds.some((name) => names.has(name))) this.rebuild();
    else if (names.has("step")) this.turnTo(state.step);
    else if (names.has("time") || names.has("hover") || names.has("pinned")) this.draw();
  }

  clear() {
    const context = this.canvas.getContext("2d");
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    delete this.canvas.dataset.painted;
  }

  /** Lays the picture out again and paints its ribbons once, so that pointing and playing stay quick. */
  rebuild() {
    if (state.view) this.host.dataset.units = state.view.units.length > unitNames.MOST_CHIPS ? "many" : "few";
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!state.view || width < 40 || height < 40) return;
    const theme = readTheme();
    this.picture = pictureOf(state.view);
    this.parts = this.picture.partsOf(state, width, height, theme, captionOf(state));
    this.lines = this.picture.lines(this.parts);
    this.ribbons = paintScene({ width, height, items: this.lines }, theme.font);
    this.turnTo(state.step);
  }

  /** Shows another step of the same picture. */
  turnTo(step) {
    if (!this.parts) return;
    this.layers = this.picture.surroundings(this.parts, step);
    this.draw();
  }

  draw() {
    if (!this.layers) return;
    const { theme, layout } = this.parts;
    const context = fitCanvas(this.canvas, layout.width, layout.height);
    context.clearRect(0, 0, layout.width, layout.height);
    paintItems(context, this.layers.frame, theme.font);
    const pointed = this.picture.pointed(state);
    const time = state.time !== null && reducedMotion() ? Math.floor(state.time) : state.time;
    if (time !== null) this.drawTravelled(context, time);
    else this.drawRibbons(context, pointed ? 0.14 : 1);
    const over = (items) => paintItems(context, items, theme.font);
    if (this.picture.linesOver) over(this.layers.overlay);
    if (pointed) over(this.picture.highlight(this.parts, pointed));
    if (time !== null) over(this.picture.travellers(this.parts, time, pointed));
    if (!this.picture.linesOver) over(this.layers.overlay);
    this.publish(state);
  }

  drawRibbons(context, opacity) {
    const { width, height } = this.parts.layout;
    context.globalAlpha = opacity;
    context.drawImage(this.ribbons, 0, 0, width, height);
    context.globalAlpha = 1;
  }

  /** While it plays: the way behind the tokens in full, the way ahead faint. */
  drawTravelled(context, time) {
    const { height } = this.parts.layout;
    const front = this.picture.frontAt(this.parts, time);
    this.drawRibbons(context, 0.16);
    context.save();
    context.beginPath();
    context.rect(0, 0, front, height);
    context.clip();
    this.drawRibbons(context, 0.9);
    context.restore();
  }

  /** What lies under the pointer: a line, a dot, an entry, or null. */
  targetAt(event) {
    if (!this.layers) return null;
    const box = this.canvas.getBoundingClientRect();
    const { layout } = this.parts;
    const x = ((event.clientX - box.left) * layout.width) / box.width;
    const y = ((event.clientY - box.top) * layout.height) / box.height;
    return this.picture.targetAt(this.parts, x, y);
  }

  onPointer(event) {
    const target = this.targetAt(event);
    this.canvas.style.cursor = target ? "pointer" : "default";
    paths.point(target);
  }

  /** What is painted, as attributes of the canvas: for assistive tools and for tests. */
  publish(state) {
    const tokens = paths.highlighted();
    const target = paths.pointed();
    const data = this.canvas.dataset;
    data.painted = state.view.info.id;
    data.step = state.view.steps[state.step];
    data.playing = String(state.playing);
    data.highlighted = (tokens || []).map((token) => state.view.tokens[token].name).join(" ");
    data.hoveredDot =
      target && target.unit !== undefined ? state.view.steps[target.step] + "/" + state.view.units[target.unit] : "";
  }

  /** The picture as it is now, for export. */
  scene() {
    const { layout, theme } = this.parts;
    const pointed = this.picture.pointed(state);
    const faint = (item) => ({ ...item, opacity: (item.opacity === undefined ? 1 : item.opacity) * 0.14 });
    const over = [pointed ? this.picture.highlight(this.parts, pointed) : [], this.layers.overlay];
    const items = [
      ...this.layers.frame,
      ...(pointed ? this.lines.map(faint) : this.lines),
      ...(this.picture.linesOver ? over.reverse() : over).flat(),
    ];
    return {
      width: layout.width,
      height: layout.height,
      background: theme.surface,
      title: "Computational path: " + this.parts.caption,
      desc: this.picture.words(state.view),
      items,
    };
  }
}

registerWidget("path-canvas", (host) => {
  const picture = new PathCanvas(host);
  pathCanvas = picture;
  return () => picture.dispose();
});
