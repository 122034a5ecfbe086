/* A graph on its canvas: links as ink (draw/edges.js) under modules as discs, with a view that pans and zooms. */
import { EdgeRaster } from "rs/draw/edges.js";
import { ScatterMap } from "rs/draw/map.js";
import { through } from "rs/draw/outline.js";
import { packed } from "rs/draw/raster.js";
import { LIVE } from "rs/lib/links.js";
import { readTheme } from "rs/lib/theme.js";

/** @import { Raster } from "rs/draw/raster.js" */
/** @import { Heard, Item, LinkPaint, Modules, Scene } from "rs/draw/types.d.ts" */
/** @import { Links, Theme } from "rs/lib/types.d.ts" */

const VECTOR_LINKS = 3000; // with more, an SVG holds links and modules as a picture
const NAMED = 8; // neighbours of a module that carry their names, where there is room
const MOST_LINES = 60; // of one module, the most probable
const RINGED = 24; // of its neighbours
const GRAIN = 50; // sizes of discs are drawn to so many parts of the radius
const FONT = 11;

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

export class GraphDrawing extends ScatterMap {
  /** @param {HTMLElement} host @param {HTMLCanvasElement} canvas @param {Heard} [heard] */
  constructor(host, canvas, heard) {
    super(host, canvas, heard);
    this.edgeRaster = new EdgeRaster();
    this.links = /** @type {Links | null} */ (null);
    this.gone = /** @type {Int32Array} */ (new Int32Array(0));
    this.groups = /** @type {{size: number, ring?: number, order: Int32Array}[]} */ ([]);
    this.layers = new Uint8Array(0);
    this.shown = 0;
    this.dropped = /** @type {Uint8Array} */ (new Uint8Array(0));
    this.focus = -1; // the module whose links stand out
    this.spent = 0; // milliseconds that the last picture took
  }

  /**
   * The links: `states` says which are live and which are cut, `shown` how many of the first are drawn.
   *
   * @param {Links} links @param {Uint8Array} states @param {number} shown
   */
  setLinks(links, states, shown) {
    if (this.layers.length !== links.count) this.layers = new Uint8Array(links.count);
    this.layers.set(states.subarray(0, shown));
    this.layers.fill(0, shown);
    Object.assign(this, { links, shown, stale: true });
  }

  /**
   * Modules: {places, halves, category, paints, sizes}, and which of them are left out.
   *
   * @param {Omit<Modules, "order">} modules @param {Uint8Array} dropped
   */
  setModules(modules, dropped) {
    this.setItems({ ...modules, order: Int32Array.from(modules.category.keys()) });
    this.setDropped(dropped);
  }

  /** @param {Uint8Array} dropped */
  setDropped(dropped) {
    const { order, sizes } = this.modules;
    this.dropped = dropped;
    /** @type {Map<number, number[]>} */
    const groups = new Map(); // those of one size are drawn at once, the larger above the smaller
    for (const unit of order) {
      if (dropped[unit]) continue;
      const size = Math.round(GRAIN * sizes[unit]) / GRAIN;
      const same = groups.get(size);
      if (same) same.push(unit);
      else groups.set(size, [unit]);
    }
    this.groups = [...groups]
      .sort(([one], [other]) => one - other)
      .map(([size, units]) => ({ size, order: Int32Array.from(units) }));
    this.gone = order.filter((unit) => dropped[unit]);
    this.stale = true;
  }

  /** What is drawn, as modules. @returns {Modules} */
  get modules() {
    return /** @type {Modules} */ (this.drawn);
  }

  get radius() {
    const room = Math.sqrt((this.width * this.height) / Math.max(1, this.drawn.order.length));
    return clamp(0.115 * room, 1.9, 7) * clamp(this.view.zoom ** 0.5, 0.8, 3);
  }

  /**
   * How links of each layer are drawn: those that are cut, those that are live.
   *
   * @param {Theme} theme @returns {LinkPaint[]}
   */
  linkPaints(theme) {
    return [
      { colour: theme.unmatched, alpha: this.clarity * 0.3 },
      { colour: theme.accent, alpha: this.clarity },
    ];
  }

  /** Opacity of one link: the fewer there are the clearer each can be. */
  get clarity() {
    return clamp(9 / Math.sqrt(this.shown + 1), 0.045, 0.62);
  }

  paint() {
    const start = performance.now();
    super.paint();
    this.spent = performance.now() - start;
    if (this.items && this.heard.onDrawn) this.heard.onDrawn();
  }

  /** @param {Raster} raster @param {number} ratio @param {string} ground */
  rasterise(raster, ratio, ground) {
    const { width, height } = this;
    const theme = readTheme();
    raster.begin(Math.round(width * ratio), Math.round(height * ratio), ground);
    const view = this.projection(ratio);
    const { places, category, paints } = this.modules;
    const { links: edges, layers } = this;
    if (edges) this.edgeRaster.draw(raster, { edges, layers, places, view, paints: this.linkPaints(theme) });
    const colours = Uint32Array.from(paints, packed);
    const [grey, around, ringed] = [theme.unmatched, ground, theme.marker].map((colour) =>
      Uint32Array.of(packed(colour)),
    );
    const radius = this.radius * ratio;
    const nothing = new Uint8Array(category.length);
    /**
     * @param {Int32Array} order @param {number} r @param {number} alpha @param {ArrayLike<number>} of
     * @param {Uint32Array} palette
     */
    const discs = (order, r, alpha, of, palette) =>
      raster.discs({ places, view, order, category: of, colours: palette, radius: r, alpha });
    discs(this.gone, radius * 0.6, 0.55, nothing, grey);
    for (const { order, size, ring } of this.groups) {
      if (ring) discs(order, radius * (size + ring) + 1.1 * ratio, 1, nothing, ringed);
      discs(order, radius * size + 1.1 * ratio, 0.9, nothing, around);
      discs(order, radius * size, 1, category, colours);
    }
  }

  /**
   * The module's links that are drawn and live: [{other, p}], the most probable first.
   *
   * @param {number} unit @returns {{other: number, p: number, paint?: string, dash?: number[]}[]}
   */
  linksAt(unit) {
    const found = /** @type {{other: number, p: number}[]} */ ([]);
    if (unit < 0 || !this.links) return found;
    const { from, to, p } = this.links;
    for (let link = 0; link < this.shown && found.length < MOST_LINES; link += 1) {
      if (from[link] !== unit && to[link] !== unit) continue;
      if (this.layers[link] === LIVE) found.push({ other: from[link] === unit ? to[link] : from[link], p: p[link] });
    }
    return found;
  }

  /** @param {Theme} theme @returns {Item[]} */
  overlay(theme) {
    const items = /** @type {Item[]} */ ([]);
    const { names, sizes } = this.modules;
    /** @param {number} unit @param {boolean} strong */
    const label = (unit, strong) => {
      const [x, y] = this.placeOf(unit);
      const look = strong ? { size: FONT + 1.5, weight: 700 } : { size: FONT, weight: 500 };
      return { x, y, away: this.radius * sizes[unit] + 4, name: names[unit], always: strong, ...look };
    };
    /** @param {number} unit @param {number} width @param {string} colour */
    const ring = (unit, width, colour) => {
      const [cx, cy] = this.placeOf(unit);
      const r = this.radius * sizes[unit] + 1.5;
      items.push({ shape: "circle", cx, cy, r, stroke: theme.surface, width: width + 2 });
      items.push({ shape: "circle", cx, cy, r, stroke: colour, width });
    };
    const around = this.linksAt(this.focus);
    for (const { other, p, paint, dash } of [...around].reverse()) {
      const d = through([this.placeOf(this.focus), this.placeOf(other)]);
      items.push({ shape: "path", d, stroke: paint || theme.marker, dash, width: 0.5 + 1.8 * p, opacity: 0.75 });
    }
    for (const { other } of around.slice(0, RINGED)) ring(other, 1, theme.marker);
    this.ringed.forEach((unit) => ring(unit, 2.4, theme.marker));
    const focused = this.focus >= 0 && !this.ringed.includes(this.focus) ? [this.focus] : [];
    focused.forEach((unit) => ring(unit, 1.6, theme.marker));
    const strong = [...this.ringed, ...focused].map((unit) => label(unit, true));
    const others = around.slice(0, NAMED).map(({ other }) => label(other, false));
    return [...items, ...this.nameItems([...strong, ...others], theme), ...this.edgeItems(theme, false)];
  }

  /* -- for a file ----------------------------------------------------------------------------------------- */

  /** @param {string} title @param {string} desc @returns {Scene} */
  sceneHere(title, desc) {
    const theme = readTheme();
    const vector = this.shown <= VECTOR_LINKS;
    const note = vector ? "" : " Links and modules are one picture of pixels inside this file.";
    const below = vector ? [...this.linkItems(theme), ...this.moduleItems(theme)] : [this.pointPicture(theme)];
    const { width, height } = this;
    return { width, height, background: theme.surface, title, desc: desc + note, items: [...below, ...this.overlay(theme)] }; // prettier-ignore
  }

  /** @param {Theme} theme @returns {Item[]} */
  linkItems(theme) {
    const paints = this.linkPaints(theme);
    const items = /** @type {Item[]} */ ([]);
    const { links } = this;
    if (!links) return items;
    for (let link = this.layers.length - 1; link >= 0; link -= 1) {
      if (!this.layers[link]) continue;
      const { colour, alpha, dash } = paints[this.layers[link] - 1];
      items.push({
        shape: "path",
        d: through([this.placeOf(links.from[link]), this.placeOf(links.to[link])]),
        stroke: colour,
        dash: dash ? [dash, dash] : undefined,
        width: 1,
        opacity: Math.max(0.02, (alpha * links.weights[link]) / 63),
      });
    }
    return items;
  }

  /** @param {Theme} theme @returns {Item[]} */
  moduleItems(theme) {
    /**
     * @param {number} unit @param {number} r @param {string} fill @param {number} opacity @param {string} [stroke]
     * @returns {Item}
     */
    const disc = (unit, r, fill, opacity, stroke) => {
      const [cx, cy] = this.placeOf(unit);
      return { shape: "circle", cx, cy, r, fill, opacity, stroke, width: 1 };
    };
    const { category, paints } = this.modules;
    return [
      ...Array.from(this.gone, (unit) => disc(unit, this.radius * 0.6, theme.unmatched, 0.55)),
      ...this.groups.flatMap(({ order, size, ring }) =>
        Array.from(order, (unit) => [
          ...(ring ? [disc(unit, this.radius * (size + ring) + 1.1, theme.marker, 1)] : []),
          disc(unit, this.radius * size, paints[category[unit]], 1, theme.surface),
        ]).flat(),
      ),
    ];
  }
}
