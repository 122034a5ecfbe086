/* A map of many points on a canvas: one raster of points, a few marks over it, a view that pans and zooms.
   Places are in map units: the longer side of all points runs from -1 to 1, y downwards. */
import { PointIndex } from "rs/draw/index.js";
import { through } from "rs/draw/outline.js";
import { fitted, measureIn } from "rs/draw/publish/caption.js";
import { Raster, packed } from "rs/draw/raster.js";
import { fitCanvas, onResize, paintItems } from "rs/draw/scene.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";

/** @import { CircleItem, Heard, ImageItem, Item, Items, Mark, Place, Scene, TextItem, View } from "rs/draw/types.d.ts" */
/** @import { Theme } from "rs/lib/types.d.ts" */

const MARGIN = 22; // pixels around the points
const MOST_ZOOM = 64;
const FAINT = 0.1;
const SMALL = 240; // pixels: a narrower map has finer marks
const BESIDE = 4; // pixels from a place's mark to its name
const MOST_NAME = 120; // pixels of a name where a longer one has no room
const VECTOR_POINTS = 5000; // with more, an SVG holds the points as a picture
const EXPORT_RATIO = 3;

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** @param {[left: number, right: number, top: number, bottom: number]} ends */
const box = (...ends) => ends;

export class ScatterMap {
  /**
   * `canvas` fills `host`; `heard` may have onView(), and whatever draw/pointer.js calls.
   *
   * @param {HTMLElement} host @param {HTMLCanvasElement} canvas @param {Heard} [heard]
   */
  constructor(host, canvas, heard) {
    this.host = host;
    this.canvas = canvas;
    this.heard = heard || {};
    this.raster = new Raster();
    this.view = /** @type {View} */ ({ x: 0, y: 0, zoom: 1 });
    this.items = /** @type {Items | null} */ (null);
    this.index = /** @type {PointIndex | null} */ (null);
    this.strong = /** @type {Uint8Array | null} */ (null);
    this.orders = /** @type {Int32Array[]} */ ([new Int32Array(0), new Int32Array(0)]); // of faint and of strong items
    this.marks = /** @type {Mark[]} */ ([]);
    this.ringed = /** @type {number[]} */ ([]);
    this.lasso = /** @type {Place[] | null} */ (null); // what is chosen: a polygon in map units
    this.drawing = /** @type {Place[] | null} */ (null); // one that is being drawn
    this.caption = "";
    this.heading = "";
    this.stale = true;
    this.frame = 0;
    this.asked = /** @type {{width: number, height: number} | null} */ (null); // the size of a file, while it is drawn
    this.stops = [onThemeChange(() => this.heard.onTheme && this.heard.onTheme()), onResize(host, () => this.redraw())];
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    this.stops.forEach((stop) => stop());
  }

  /**
   * What there is to draw: {places, order, category, paints, halves}: `order` lists items, first to last.
   *
   * @param {Items} items
   */
  setItems(items) {
    this.items = items;
    this.index = null;
    this.split();
  }

  /**
   * New places for the same items, as while they move.
   *
   * @param {Float32Array | Float64Array} places @param {number[]} [halves]
   */
  setPlaces(places, halves) {
    const { items } = this;
    if (!items) return;
    items.places = places;
    items.halves = halves || items.halves;
    this.index = null;
    this.stale = true;
  }

  /** A mask over the items: the others are drawn faint; null for all. @param {Uint8Array | null} mask */
  setStrong(mask) {
    this.strong = mask;
    this.split();
  }

  split() {
    this.stale = true;
    if (!this.items) return;
    const { order } = this.items;
    const { strong } = this;
    this.orders = strong
      ? [order.filter((item) => !strong[item]), order.filter((item) => strong[item])]
      : [new Int32Array(0), order];
  }

  /** The nearest view that a map can have. @param {View} view @returns {View} */
  static clamped({ x, y, zoom }) {
    return { x: clamp(x, -2, 2), y: clamp(y, -2, 2), zoom: clamp(zoom, 0.5, MOST_ZOOM) };
  }

  /** @param {View} view */
  setView(view) {
    this.view = ScatterMap.clamped(view);
    this.stale = true;
    if (this.heard.onView) this.heard.onView(this.view);
    this.draw();
  }

  fit() {
    this.setView({ x: 0, y: 0, zoom: 1 });
  }

  /** Takes a view that somebody else keeps; by default all is seen. @param {View | null} view */
  follow(view) {
    const { x, y, zoom } = view ?? { x: 0, y: 0, zoom: 1 };
    if (x === this.view.x && y === this.view.y && zoom === this.view.zoom) return;
    this.view = { x, y, zoom };
    this.stale = true;
  }

  /**
   * Zooms by a factor, keeping the place under (x, y), in pixels, where it is.
   *
   * @param {number} factor @param {number} [x] @param {number} [y]
   */
  zoomBy(factor, x, y) {
    const at = { x: x === undefined ? this.width / 2 : x, y: y === undefined ? this.height / 2 : y };
    const before = this.toMap(at.x, at.y);
    const zoom = clamp(this.view.zoom * factor, 0.5, MOST_ZOOM);
    const scale = this.scale(zoom);
    const [dx, dy] = [(at.x - this.width / 2) / scale, (at.y - this.height / 2) / scale];
    this.setView({ x: before[0] - dx, y: before[1] - dy, zoom });
  }

  /** @param {number} dx @param {number} dy */
  panBy(dx, dy) {
    const scale = this.scale();
    this.setView({ ...this.view, x: this.view.x - dx / scale, y: this.view.y - dy / scale });
  }

  /** What is drawn, where one knows that there is something. @returns {Items} */
  get drawn() {
    if (!this.items) throw new Error("The map has nothing to draw.");
    return this.items;
  }

  get width() {
    return this.asked?.width ?? this.host.clientWidth;
  }

  get height() {
    return this.asked?.height ?? this.host.clientHeight;
  }

  /** Pixels a map unit. @param {number} [zoom] */
  scale(zoom) {
    const [across, down] = this.items ? this.items.halves : [1, 1];
    const margin = Math.min(MARGIN, this.width / 12);
    const room = Math.min((this.width / 2 - margin) / across, (this.height / 2 - margin) / down);
    return (zoom || this.view.zoom) * Math.max(1, room);
  }

  /** @param {number} x @param {number} y @returns {Place} */
  toScreen(x, y) {
    const scale = this.scale();
    return [(x - this.view.x) * scale + this.width / 2, (y - this.view.y) * scale + this.height / 2];
  }

  /** @param {number} x @param {number} y @returns {Place} */
  toMap(x, y) {
    const scale = this.scale();
    return [(x - this.width / 2) / scale + this.view.x, (y - this.height / 2) / scale + this.view.y];
  }

  /** Where an item is, in pixels. @param {number} item @returns {Place} */
  placeOf(item) {
    return this.toScreen(this.drawn.places[2 * item], this.drawn.places[2 * item + 1]);
  }

  /** Radius of a point in pixels: smaller where there are many, larger when one looks closely. */
  get radius() {
    const room = Math.sqrt((this.width * this.height) / Math.max(1, this.drawn.order.length));
    return clamp(0.28 * room, 1.4, 4.2) * clamp(this.view.zoom ** 0.4, 0.8, 2.6);
  }

  /** From the middle of a signature to its tips. */
  get markRadius() {
    return clamp(Math.min(this.width, this.height) / 55, 3.5, 8);
  }

  get alpha() {
    return this.drawn.order.length > 8000 ? 0.72 : 0.86;
  }

  /** The item under a place in pixels, or -1. @param {number} x @param {number} y */
  itemAt(x, y) {
    if (!this.items) return -1;
    const [mapX, mapY] = this.toMap(x, y);
    return this.indexed().nearest(mapX, mapY, (this.radius + 6) / this.scale());
  }

  indexed() {
    if (!this.index) this.index = new PointIndex(this.drawn.places, this.drawn.order);
    return this.index;
  }

  /** Paints in the next frame, once however often it is asked. */
  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  redraw() {
    this.stale = true;
    this.draw();
  }

  paint() {
    const { width, height } = this;
    if (width < 40 || height < 40) return;
    const theme = readTheme();
    const context = fitCanvas(this.canvas, width, height);
    if (!this.items) {
      context.clearRect(0, 0, width, height);
      delete this.canvas.dataset.painted;
      return;
    }
    if (this.stale) this.rasterise(this.raster, this.canvas.width / width, theme.surface);
    this.stale = false;
    context.putImageData(this.raster.image, 0, 0);
    paintItems(context, this.overlay(theme), theme.font);
    if (this.heard.onPainted) this.heard.onPainted();
  }

  /** @param {Raster} raster @param {number} ratio device pixels a pixel @param {string} ground */
  rasterise(raster, ratio, ground) {
    const { width, height } = this;
    const { places, category, paints } = this.drawn;
    raster.begin(Math.round(width * ratio), Math.round(height * ratio), ground);
    const colours = Uint32Array.from(paints, packed);
    const [faint, strong] = this.orders;
    const radius = this.radius * ratio;
    const common = { places, view: this.projection(ratio), category, colours };
    if (faint.length) raster.discs({ ...common, order: faint, radius: radius * 0.9, alpha: FAINT });
    const stands = this.strong !== null;
    raster.discs({
      ...common,
      order: strong,
      radius: stands ? radius * 1.1 : radius,
      alpha: stands ? 0.95 : this.alpha,
    });
  }

  /** From map units to device pixels. @param {number} ratio device pixels a pixel */
  projection(ratio) {
    const [k, { x, y }] = [this.scale() * ratio, this.view];
    return { kx: k, ky: k, dx: (this.width / 2) * ratio - x * k, dy: (this.height / 2) * ratio - y * k };
  }

  /** Everything over the points, as items of a scene. @param {Theme} theme @returns {Item[]} */
  overlay(theme) {
    const items = /** @type {Item[]} */ ([]);
    for (const item of this.ringed) {
      const [cx, cy] = this.placeOf(item);
      const small = this.width < SMALL;
      const r = this.radius + (small ? 1 : 2.5);
      items.push({ shape: "circle", cx, cy, r, stroke: theme.surface, width: small ? 2 : 3.5 });
      items.push({ shape: "circle", cx, cy, r, stroke: theme.marker, width: small ? 1 : 1.6 });
    }
    for (const mark of this.marks) items.push(...this.markItems(mark, theme));
    const r = this.markRadius;
    const size = r < 6 ? 10 : 12;
    const named = this.marks.filter(({ badge, name }) => !badge && name);
    const placed = named.map(({ x, y, name }) => ({ place: this.toScreen(x, y), name }));
    items.push(...this.nameItems(placed.map(({ place: [x, y], name }) => ({ x, y, name, away: r + 4, size, weight: 700 })), theme)); // prettier-ignore
    const polygon = this.drawing || this.lasso;
    if (polygon && polygon.length > 1) {
      const d = through(polygon.map(([x, y]) => this.toScreen(x, y))) + "Z";
      items.push({ shape: "path", d, fill: theme.accent, opacity: 0.08 });
      items.push({ shape: "path", d, stroke: theme.accent, width: 1.4, dash: [4, 3] });
    }
    return [...items, ...this.edgeItems(theme, true)];
  }

  /**
   * The heading above, and the caption below at the left or right, as far as there is room.
   *
   * @param {Theme} theme @param {boolean} atRight @returns {TextItem[]}
   */
  edgeItems(theme, atRight) {
    const { width, height, heading, caption } = this;
    const measure = measureIn(theme.font);
    const text = { shape: /** @type {const} */ ("text"), size: 10.5, fill: theme.dim, halo: theme.surface };
    const above = { ...text, x: 8, y: 16, size: 12, weight: 650, fill: theme.ink };
    const anchor = /** @type {"start" | "end"} */ (atRight ? "end" : "start");
    const below = { ...text, x: atRight ? width - 6 : 8, y: height - 6, anchor };
    return [
      { ...above, text: fitted(heading, width - 16, 12, measure, 650) },
      { ...below, text: fitted(caption, width - 14, 10.5, measure) },
    ].filter((item) => item.text);
  }

  /**
   * Names beside their places, those that come first where two have no room: at the right of each, else at its left,
   * shortened where the map is narrow.
   *
   * @param {{x: number, y: number, away: number, name: string, size: number, weight: number, always?: boolean}[]} wanted
   *   `away`: pixels from a place to its name; `always`: named whatever lies there
   * @param {Theme} theme
   * @returns {TextItem[]}
   */
  nameItems(wanted, theme) {
    const measure = measureIn(theme.font);
    /** @type {[number, number, number, number][]} */
    const taken = [
      ...this.edgeItems(theme, false).map(({ y, size }) => box(0, this.width, y - size, y)),
      ...wanted.map(({ x, y, away }) =>
        box(x - away + BESIDE, x + away - BESIDE, y - away + BESIDE, y + away - BESIDE),
      ),
    ];
    return wanted.flatMap(({ x, y, away, name, size, weight, always = false }) => {
      if (x < 0 || y < size || x > this.width || y > this.height - 4) return [];
      const free = [this.width - x - away - 4, x - away - 4];
      const whole = measure(name, size, weight);
      const sides = [0, 1].filter((side) => free[side] >= Math.min(whole, MOST_NAME)).concat(free[0] < free[1] ? 1 : 0);
      const places = sides.map((side) => {
        const text = fitted(name, free[side], size, measure, weight);
        const wide = measure(text, size, weight);
        const left = side ? x - away - wide : x + away;
        return { text, box: box(left, left + wide, y - 0.4 * size, y + 0.4 * size) };
      });
      const clear = places.find(({ text, box: [l, r, t, b] }) => text && taken.every(([left, right, top, bottom]) => r + 2 < left || l > right + 2 || b < top || t > bottom)); // prettier-ignore
      const place = clear ?? (always ? places[0] : null);
      if (!place?.text) return [];
      taken.push(place.box);
      const at = { x: place.box[0], y: y + 0.36 * size, text: place.text, size, weight };
      return [{ shape: /** @type {const} */ ("text"), ...at, fill: theme.ink, halo: theme.surface }];
    });
  }

  /** A number in a disc. @param {Mark} mark @param {Theme} theme @returns {Item[]} */
  badgeItems({ x, y, name, rings }, theme) {
    const [cx, cy] = this.toScreen(x, y);
    const away = rings || 0; // from 1 to 0 while it lands
    /** @type {Item} */
    const ring = { shape: "circle", cx, cy, r: 9 + 26 * away, stroke: theme.accent, width: 2, opacity: 1 - away };
    return [
      ...(away ? [ring] : []),
      { shape: "circle", cx, cy, r: 9, fill: theme.marker, stroke: theme.surface, width: 2 },
      { shape: "text", x: cx, y: cy + 4, anchor: "middle", text: name, size: 11.5, weight: 700, fill: theme.surface },
    ];
  }

  /** A signature: a diamond; or what is to be a badge. @param {Mark} mark @param {Theme} theme @returns {Item[]} */
  markItems(mark, theme) {
    if (mark.badge) return this.badgeItems(mark, theme);
    const { x, y, paint } = mark;
    const [cx, cy] = this.toScreen(x, y);
    const r = this.markRadius;
    const d = through([[cx, cy - r], [cx + r, cy], [cx, cy + r], [cx - r, cy]]) + "Z"; // prettier-ignore
    return [
      { shape: "path", d, stroke: theme.surface, width: r < 5 ? 2.5 : 4.5 },
      { shape: "path", d, fill: paint, stroke: theme.marker, width: r < 5 ? 1 : 1.6 },
    ];
  }

  /**
   * The map as it is now, for a file: points as vectors when they are few enough, else as one picture.
   *
   * @param {string} title @param {string} desc @param {number} [asked] its width, by default as on the page
   * @returns {Scene}
   */
  scene(title, desc, asked = this.width) {
    this.asked = { width: asked, height: Math.round((this.height * asked) / (this.width || 1)) };
    const scene = this.sceneHere(title, desc);
    this.asked = null;
    return scene;
  }

  /** @param {string} title @param {string} desc @returns {Scene} */
  sceneHere(title, desc) {
    const theme = readTheme();
    const { width, height } = this;
    const vector = this.drawn.order.length <= VECTOR_POINTS;
    const note = vector ? "" : " The points are one picture of pixels inside this file, the rest is vectors.";
    const items = [...(vector ? this.pointItems() : [this.pointPicture(theme)]), ...this.overlay(theme)];
    return { width, height, background: theme.surface, title, desc: desc + note, items };
  }

  /** @returns {CircleItem[]} */
  pointItems() {
    const { places, category, paints } = this.drawn;
    const scale = this.scale();
    const stands = this.strong !== null;
    /** @param {Int32Array} order @param {number} r @param {number} opacity @returns {CircleItem[]} */
    const drawn = (order, r, opacity) =>
      Array.from(order, (item) => ({
        shape: /** @type {const} */ ("circle"),
        cx: (places[2 * item] - this.view.x) * scale + this.width / 2,
        cy: (places[2 * item + 1] - this.view.y) * scale + this.height / 2,
        r,
        fill: paints[category[item]],
        opacity,
      })).filter(({ cx, cy }) => cx > -r && cy > -r && cx < this.width + r && cy < this.height + r);
    const [faint, strong] = this.orders;
    return [
      ...drawn(faint, this.radius * 0.9, FAINT),
      ...drawn(strong, stands ? this.radius * 1.1 : this.radius, stands ? 0.95 : this.alpha),
    ];
  }

  /** @param {Theme} theme @returns {ImageItem} */
  pointPicture(theme) {
    const raster = new Raster();
    this.rasterise(raster, EXPORT_RATIO, theme.surface);
    const canvas = document.createElement("canvas");
    const { width: sw, height: sh } = raster.image;
    Object.assign(canvas, { width: sw, height: sh });
    /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).putImageData(raster.image, 0, 0);
    const source = { bitmap: canvas, href: canvas.toDataURL("image/png"), width: sw, height: sh };
    return { shape: "image", source, sx: 0, sy: 0, sw, sh, x: 0, y: 0, w: this.width, h: this.height };
  }
}
