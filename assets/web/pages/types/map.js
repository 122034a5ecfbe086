/* A map of types on its canvas, trained or at initialisation: what of the state it draws, and what pointing at it does. */
import { ScatterMap } from "rs/draw/map.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { registerWidget } from "rs/lib/dom.js";
import { readTheme, reducedMotion } from "rs/lib/theme.js";
import * as typeColours from "rs/pages/types/colours.js";
import * as opening from "rs/pages/types/opening.js";
import { pictures } from "rs/pages/types/pictures.js";
import * as typesPage from "rs/pages/types/state.js";
import { choose, colouringOf, shows, state, trackIn, update } from "rs/pages/types/state.js";
import { ROUTING, captionOf, namedLayout } from "rs/pages/types/words.js";

/** @import { Items, Place, View } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { Chosen, Layout, LayoutName, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @typedef {TypeMap} Picture */

const MORPH = 450; // milliseconds from one layout to the other

/**
 * Places and marks of a layout, or on the way from the PCA twin to the map.
 *
 * @param {TypePoints} points
 * @param {LayoutName} layout
 * @param {number | null} share
 * @returns {Layout}
 */
export function layoutAt(points, layout, share) {
  if (share === null || points.info.method === "pca")
    return points.layouts[points.info.method === "pca" ? "map" : layout];
  const { pca, map } = points.layouts;
  const eased = share * share * (3 - 2 * share);
  /**
   * @param {Float32Array} from
   * @param {Float32Array} to
   */
  const blend = (from, to) => from.map((value, at) => value + (to[at] - value) * eased);
  return {
    places: blend(pca.places, map.places),
    halves: pca.halves.map((value, at) => value + (map.halves[at] - value) * eased),
    marks: blend(pca.marks, map.marks),
  };
}

/**
 * @param {TypePoints} points
 * @param {Layout} layout
 * @param {Theme} theme
 */
export function marksOf(points, layout, theme) {
  if (!layout.marks.length) return [];
  const dropped = new Set(points.info.intervention.drop);
  return points.units.flatMap((name, unit) => {
    const [x, y] = [layout.marks[2 * unit], layout.marks[2 * unit + 1]];
    return dropped.has(name) || !Number.isFinite(x) ? [] : [{ x, y, name, paint: theme.unit(unit) }];
  });
}

/**
 * @param {View} a
 * @param {View} b
 */
const sameView = (a, b) => a.x === b.x && a.y === b.y && a.zoom === b.zoom;

class TypeMap {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.which = /** @type {Which} */ (host.dataset.which);
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.chosen = /** @type {Chosen | null | undefined} */ (undefined); // what the emphasis was made of
    this.items = /** @type {Items | null | undefined} */ (undefined);
    this.map = new ScatterMap(host, this.canvas, {
      onTheme: () => this.rebuild(),
      onPainted: () => this.publish(),
      onView: (view) => this.which === "trained" && update({ view: { ...view } }),
    });
    this.stops = [
      typesPage.subscribe((state, names) => this.onState(state, names)),
      scatterPointer.listen(this.map, {
        tool: () => state.tool,
        hover: (item) => typesPage.point(this.which, item),
        pick: (item) => opening.open(this.which, item),
        select: (polygon) => this.select(polygon),
      }),
    ];
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.map.dispose();
  }

  get points() {
    return state.maps[this.which];
  }

  /**
   * @param {TypesState} state
   * @param {Set<string>} names
   */
  onState(state, names) {
    if (!this.points) {
      if (names.has("maps")) {
        this.map.items = null;
        this.map.draw();
      }
      return;
    }
    const rebuilds = ["maps", "colour", "hidden", "step", "allSteps", "layout", "graph"];
    if (rebuilds.some((name) => names.has(name))) this.rebuild();
    else if (names.has("time") || names.has("share")) this.move(state);
    else if (names.has("chosen") || names.has("hover") || names.has("sample")) this.mark(state);
    if (names.has("view") && this.which === "trained" && !sameView(this.map.view, state.view)) {
      this.map.view = { ...state.view };
      this.map.redraw();
    }
  }

  /** Gathers what is drawn. */
  rebuild() {
    const { points } = this;
    if (!points) return;
    const colouring = colouringOf(points);
    const step = Math.min(state.step, points.steps.length - 1);
    const order = state.allSteps ? points.order : points.ordersByStep[step];
    const layout = layoutAt(points, state.layout, state.share);
    this.map.setItems({
      order: state.hidden.size ? order.filter((point) => shows(points, colouring, point)) : order,
      category: colouring.of,
      paints: colouring.paints,
      places: layout.places,
      halves: layout.halves,
    });
    this.colouring = colouring;
    this.move(state);
  }

  /**
   * Puts the points where they are at this moment.
   *
   * @param {TypesState} state
   */
  move(state) {
    const { points } = this;
    if (!points) return;
    const layout = layoutAt(points, state.layout, state.share);
    const share = state.time === null ? 0 : state.time - Math.floor(state.time);
    const moves = state.time !== null && share > 0 && !state.allSteps && !reducedMotion();
    this.map.setPlaces(
      moves ? points.between(layout, Math.floor(state.time ?? 0), share) : layout.places,
      layout.halves,
    );
    this.map.marks = marksOf(points, layout, readTheme());
    this.map.caption = captionOf(points, state, true);
    this.map.heading = state.compare ? ROUTING[this.which] : "";
    this.mark(state);
  }

  /**
   * Rings and emphasis: what is pointed at, the chosen sample, what the lasso holds.
   *
   * @param {TypesState} state
   */
  mark(state) {
    const { points, map } = this;
    if (!points) return;
    const at = state.allSteps ? null : state.step;
    const rings = state.sample ? points.pointsOfSample(state.sample, at) : [];
    const pointed = this.pointed(state);
    map.ringed = pointed >= 0 ? [...rings, pointed] : rings;
    const { chosen } = state;
    if (this.chosen !== chosen || this.items !== map.items) {
      this.chosen = chosen;
      this.items = map.items;
      map.setStrong(chosen ? this.maskOf(chosen) : null);
    }
    const here = chosen && chosen.map === points.id && chosen.step === at && chosen.layout === state.layout;
    map.lasso = here && state.share === null ? chosen.polygon : null;
    map.draw();
  }

  /**
   * The point that is pointed at, here or in another picture, by its track.
   *
   * @param {TypesState} state
   */
  pointed({ hover, maps, step, allSteps }) {
    const { points } = this;
    const there = hover && maps[hover.which];
    if (!hover || !there || !points) return -1;
    if (hover.which === this.which && (allSteps || points.step[hover.point] === step)) return hover.point;
    const track = trackIn(this.which, hover.which, there.track[hover.point]);
    const at = allSteps ? there.step[hover.point] : step;
    return track < 0 ? -1 : points.pointOf[Math.min(at, points.steps.length - 1)][track];
  }

  /** @param {Chosen} chosen */
  maskOf(chosen) {
    const points = /** @type {TypePoints} */ (this.points);
    const mask = new Uint8Array(points.count);
    if (chosen.which === this.which && state.allSteps && chosen.step === null) {
      for (const point of chosen.points) mask[point] = 1;
      return mask;
    }
    for (const track of chosen.tracks) {
      const own = trackIn(this.which, chosen.which, track);
      if (own >= 0) for (const pointOf of points.pointOf) if (pointOf[own] >= 0) mask[pointOf[own]] = 1;
    }
    return mask;
  }

  /** @param {Place[] | null} polygon */
  select(polygon) {
    if (state.playing) update({ playing: false, time: null });
    choose(this.which, polygon);
  }

  /** Chooses everything that is in view. */
  selectView() {
    const { map } = this;
    /** @type {Place[]} */
    const corners = [
      [0, 0],
      [map.width, 0],
      [map.width, map.height],
      [0, map.height],
    ];
    this.select(corners.map(([x, y]) => map.toMap(x, y)));
  }

  /** What is painted, as attributes of the canvas: for assistive tools and for tests. */
  publish() {
    const { points, canvas } = this;
    if (!points) return;
    const { dataset } = canvas;
    dataset.painted = points.id;
    dataset.method = namedLayout(points, state);
    dataset.step = state.allSteps ? "all" : points.steps[state.step];
    dataset.colour = state.colour;
    dataset.points = String(/** @type {Items} */ (this.map.items).order.length);
    dataset.playing = String(state.playing);
    dataset.moving = String(state.share !== null || state.time !== null);
    dataset.hovered = String(this.pointed(state));
  }

  /** @param {number} [width] */
  scene(width) {
    const { points } = this;
    if (!points) throw new Error("There is no map to show.");
    const caption = captionOf(points, state, true);
    return this.map.scene(
      "Map of " + points.words.points + ": " + caption + ", " + ROUTING[this.which],
      "Each point is " +
        points.words.point +
        " for one sample, coloured by " +
        typeColours.choices(points, state.graph, state.model)[state.colour] +
        "." +
        points.words.marks +
        " One fit over all steps.",
      width,
    );
  }
}

let morphing = 0;

/**
 * Turns to the PCA twin ("pca") or back ("map"), the points moving from one to the other.
 *
 * @param {LayoutName} layout
 */
export function turnTo(layout) {
  cancelAnimationFrame(morphing);
  const from = state.share !== null ? state.share : state.layout === "pca" ? 0 : 1;
  const to = layout === "pca" ? 0 : 1;
  if (from === to || reducedMotion()) {
    update({ layout, share: null });
    return;
  }
  const start = performance.now();
  update({ layout, share: from, hover: null });
  const tick = (/** @type {number} */ now) => {
    const passed = Math.max(0, now - start) / MORPH;
    const share = from + Math.sign(to - from) * passed;
    const over = to > from ? share >= to : share <= to;
    update({ share: over ? null : share });
    if (!over) morphing = requestAnimationFrame(tick);
  };
  morphing = requestAnimationFrame(tick);
}

registerWidget("type-map", (host) => {
  const picture = new TypeMap(host);
  pictures[picture.which] = picture;
  return () => {
    if (pictures[picture.which] === picture) delete pictures[picture.which];
    picture.dispose();
  };
});
