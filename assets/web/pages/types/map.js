/* The maps of types on their canvases: the large ones, trained or at initialisation, and one small map a step on their axes. */
import { ScatterMap } from "rs/draw/map.js";
import { chart, part, text } from "rs/draw/marks.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { readTheme, reducedMotion } from "rs/lib/theme.js";
import { sortOf, stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { JobProgress } from "rs/lib/jobs.js";
import * as typeColours from "rs/pages/types/colours.js";
import { Card, open } from "rs/pages/types/hover.js";
import * as typesPage from "rs/pages/types/state.js";
import { choose, colouringOf, shows, state, trackIn, update } from "rs/pages/types/state.js";
import { ROUTING, captionOf, namedLayout } from "rs/pages/types/words.js";
import { effect, untracked, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Items, Place, Scene } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Theme } from "rs/lib/types.d.ts" */
/** @import { Chosen, Layout, LayoutName, TypesState, Which } from "rs/pages/types/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

/** The large maps. @type {Partial<Record<Which, TypeMap>>} */
export const pictures = {};
/** The small ones. @type {Set<TypeMap>} */
const small = new Set();

/**
 * A canvas with a map on it: its reference, and the map once it is there.
 *
 * @param {Which} which @param {number | null} only
 */
function useMap(which, only) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const map = useRef(/** @type {TypeMap | null} */ (null));
  useLayoutEffect(() => {
    const made = (map.current = new TypeMap(/** @type {HTMLCanvasElement} */ (canvas.current), which, only));
    if (only === null) pictures[which] = made;
    else small.add(made);
    return () => {
      if (pictures[which] === made) delete pictures[which];
      small.delete(made);
      made.dispose();
    };
  }, []);
  return { canvas, map };
}
const REBUILDS = ["maps", "colour", "hidden", "layout"];

/**
 * Places and marks of a layout, or on the way from the PCA view to the map.
 *
 * @param {TypePoints} points @param {LayoutName} layout @param {number | null} share @returns {Layout}
 */
function layoutAt(points, layout, share) {
  if (share === null || points.info.method === "pca")
    return points.layouts[points.info.method === "pca" ? "map" : layout];
  const { pca, map } = points.layouts;
  const eased = share * share * (3 - 2 * share);
  /** @param {Float32Array} from @param {Float32Array} to */
  const blend = (from, to) => from.map((value, at) => value + (to[at] - value) * eased);
  return {
    places: blend(pca.places, map.places),
    halves: pca.halves.map((value, at) => value + (map.halves[at] - value) * eased),
    marks: blend(pca.marks, map.marks),
  };
}

/** @param {TypePoints} points @param {Layout} layout @param {Theme} theme */
function marksOf(points, layout, theme) {
  if (!layout.marks.length) return [];
  const dropped = new Set(points.info.intervention.drop);
  return points.units.flatMap((name, unit) => {
    const [x, y] = [layout.marks[2 * unit], layout.marks[2 * unit + 1]];
    return dropped.has(name) || !Number.isFinite(x) ? [] : [{ x, y, name, paint: theme.unit(unit) }];
  });
}

export class TypeMap {
  /**
   * @param {HTMLCanvasElement} canvas @param {Which} which
   * @param {number | null} only the step of a small map; null: the map is large, and of the step that is shown
   */
  constructor(canvas, which, only) {
    this.which = which;
    this.only = only;
    this.canvas = canvas;
    this.chosen = /** @type {Chosen | null | undefined} */ (undefined); // what the emphasis was made of
    this.items = /** @type {Items | null | undefined} */ (undefined);
    this.map = new ScatterMap(/** @type {HTMLElement} */ (canvas.parentElement), canvas, {
      onTheme: () => this.rebuild(),
      onPainted: () => this.publish(),
      onView: (view) => which === "trained" && only === null && update({ view: { ...view } }),
    });
    this.stops = [
      typesPage.subscribe((state, names) => this.onState(state, names)),
      effect(() => {
        typesPage.graph();
        typesPage.chosenSample();
        typesPage.compares();
        untracked(() => this.rebuild()); // none of these is a field of the store
      }),
      ...(only === null ? [this.listen()] : []),
    ];
  }

  listen() {
    return scatterPointer.listen(this.map, {
      tool: () => state.tool,
      hover: (item) => typesPage.point(this.which, item),
      pick: (item) => open(this.which, item),
      select: (polygon) => this.select(polygon),
    });
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.map.dispose();
  }

  get points() {
    return state.maps[this.which];
  }

  /** The step that is drawn; null: all of them. */
  get step() {
    const last = (this.points?.steps.length ?? 1) - 1;
    return this.only ?? (state.allSteps ? null : Math.min(state.step, last));
  }

  /** @param {TypesState} state @param {Set<string>} names */
  onState(state, names) {
    if (!this.points || (this.only ?? 0) >= this.points.steps.length) {
      if (names.has("maps")) {
        this.map.items = null;
        this.map.draw();
      }
      return;
    }
    const has = (/** @type {string[]} */ ...some) => some.some((name) => names.has(name));
    const large = this.only === null;
    if (has(...REBUILDS) || (large && has("step", "allSteps"))) this.rebuild();
    else if (large && has("time", "share")) this.move(state);
    else if (has("chosen", "hover", "step", "allSteps")) this.mark(state);
    if (large && has("view") && this.which === "trained") {
      this.map.follow(state.view);
      this.map.draw();
    }
  }

  /** Gathers what is drawn. */
  rebuild() {
    const { points, step } = this;
    if (!points) return;
    const colouring = colouringOf(points);
    const order = step === null ? points.order : points.ordersByStep[step];
    const layout = this.layout(points);
    this.map.setItems({
      order: state.hidden.size ? order.filter((point) => shows(points, colouring, point, step)) : order,
      category: colouring.of,
      paints: colouring.paints,
      places: layout.places,
      halves: layout.halves,
    });
    this.move(state);
  }

  /** The layout at this moment; small maps do not move. @param {TypePoints} points */
  layout(points) {
    return layoutAt(points, state.layout, this.only === null ? state.share : null);
  }

  /** Puts the points where they are at this moment. @param {TypesState} state */
  move(state) {
    const { points, map } = this;
    if (!points) return;
    const layout = this.layout(points);
    const marks = marksOf(points, layout, readTheme());
    if (this.only !== null) map.marks = marks.map((mark) => ({ ...mark, name: "" }));
    else {
      const share = state.time === null ? 0 : state.time - Math.floor(state.time);
      const moves = share > 0 && !state.allSteps && !reducedMotion();
      map.setPlaces(moves ? points.between(layout, Math.floor(state.time ?? 0), share) : layout.places, layout.halves);
      map.marks = marks;
      map.caption = captionOf(points, state, true);
      map.heading = typesPage.compares() ? ROUTING[this.which] : "";
    }
    this.mark(state);
  }

  /** Rings and emphasis: what is pointed at, the chosen sample, what the lasso holds. @param {TypesState} state */
  mark(state) {
    const { points, map, step } = this;
    if (!points || !map.items) return;
    const sample = typesPage.chosenSample();
    const rings = sample ? points.pointsOfSample(sample, step) : [];
    const pointed = this.pointed(state);
    map.ringed = pointed >= 0 ? [...rings, pointed] : rings;
    const { chosen } = state;
    if (this.chosen !== chosen || this.items !== map.items) {
      this.chosen = chosen;
      this.items = map.items;
      map.setStrong(chosen ? this.maskOf(chosen) : null);
    }
    const here = chosen && chosen.map === points.id && chosen.step === step && chosen.layout === state.layout;
    map.lasso = here && this.only === null && state.share === null ? chosen.polygon : null;
    map.draw();
  }

  /** The point that is pointed at, here or in another picture, by its track. @param {TypesState} state */
  pointed({ hover, maps }) {
    const { points, step } = this;
    const there = hover && maps[hover.which];
    if (!hover || !there || !points) return -1;
    if (hover.which === this.which && (step === null || points.step[hover.point] === step)) return hover.point;
    const track = trackIn(this.which, hover.which, there.track[hover.point]);
    const at = step ?? there.step[hover.point];
    return track < 0 ? -1 : points.pointOf[Math.min(at, points.steps.length - 1)][track];
  }

  /** @param {Chosen} chosen */
  maskOf(chosen) {
    const points = /** @type {TypePoints} */ (this.points);
    const mask = new Uint8Array(points.count);
    if (chosen.which === this.which && this.step === null && chosen.step === null) {
      for (const point of chosen.points) mask[point] = 1;
      return mask;
    }
    for (const track of chosen.tracks) {
      const here = trackIn(this.which, chosen.which, track);
      if (here >= 0) for (const pointOf of points.pointOf) if (pointOf[here] >= 0) mask[pointOf[here]] = 1;
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
    const corners = [[0, 0], [map.width, 0], [map.width, map.height], [0, map.height]]; // prettier-ignore
    this.select(corners.map(([x, y]) => map.toMap(x, y)));
  }

  /** What is painted, as attributes of the canvas: for assistive tools and for tests. */
  publish() {
    const { points, canvas } = this;
    if (!points) return;
    const { dataset } = canvas;
    dataset.painted = points.id;
    dataset.points = String(/** @type {Items} */ (this.map.items).order.length);
    if (this.only !== null) return;
    dataset.method = namedLayout(points, state);
    dataset.step = this.step === null ? "all" : points.steps[this.step];
    dataset.colour = typesPage.colour();
    dataset.playing = String(state.playing);
    dataset.moving = String(state.share !== null || state.time !== null);
    dataset.hovered = String(this.pointed(state));
  }

  /** @param {number} [width] */
  scene(width) {
    const { points } = this;
    if (!points) throw new Error("There is no map to show.");
    const [caption, { words }] = [captionOf(points, state, true), points];
    const by = typeColours.choices(points, typesPage.graph(), typesPage.model())[typesPage.colour()];
    return this.map.scene(
      `Map of ${words.points}: ${caption}, ${ROUTING[this.which]}`,
      `Each point is ${words.point} for one sample, coloured by ${by}.${words.marks} One fit over all ${sortOf(points.steps)}s.`,
      width,
    );
  }
}

const LEAST_SMALL = 130; // pixels of a small map in a file
const KEYS =
  ". Space plays, left and right go back and on, up and down move through the points, Enter opens a point's path, plus and " +
  "minus zoom, Shift and arrows move the map, 0 shows all, L takes the lasso, Escape ends it.";

/**
 * A large map below the progress of its jobs; `children` lie over it.
 *
 * @param {{which: Which, label: string, onKey: (event: KeyboardEvent) => void, children?: ComponentChildren}} props
 */
export function Drawing({ which, label, onKey, children }) {
  const { canvas, map } = useMap(which, null);
  const end = which === "initial" ? " at initialisation" : "";
  return html`<div class="type-map">
    <div class="type-jobs">
      ${typesPage.JOBS[which].map((job, better) => {
        const what = (better ? "Map" : "PCA map") + end;
        return html`<${JobProgress} key=${job} name=${job} what=${what} />`;
      })}
    </div>
    <div class=${"type-canvas type-canvas-" + which}>
      <canvas
        id=${"type-picture-" + which}
        tabindex="0"
        role="img"
        aria-label=${label + KEYS}
        onKeyDown=${onKey}
        ref=${canvas}
      ></canvas>
      <${Card} which=${which} placeOf=${(/** @type {number} */ at) => map.current?.map.placeOf(at)} />
      ${children}
    </div>
  </div>`;
}

/* -- one small map a step ------------------------------------------------------------------------------------ */

/** @param {{which: Which, step: number, name: string}} props */
function Small({ which, step, name }) {
  const { canvas, map } = useMap(which, step);
  /** @param {PointerEvent} event */
  function hover({ clientX, clientY }) {
    const box = canvas.current?.getBoundingClientRect();
    if (box && map.current) typesPage.point(which, map.current.map.itemAt(clientX - box.left, clientY - box.top));
  }
  return html`
    <button
      type="button"
      class="multiple"
      data-step=${step}
      data-of=${which}
      aria-label=${"Go to " + name + (which === "initial" ? ", routing at initialisation" : "")}
      aria-pressed=${String(!state.allSteps && state.step === step)}
      onClick=${() => typesPage.goTo(step)}
      onPointerMove=${hover}
      onPointerLeave=${() => typesPage.point(which, -1)}
    >
      <span class="multiple-label">${name}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${canvas}></canvas></span>
    </button>
  `;
}

/** All steps at a glance; each is a button that goes to its step. */
export const Multiples = () =>
  html`<div class="multiples">
    ${typesPage.shownMaps().flatMap(({ which, points }) => {
      const steps = points.steps.map(
        (name, step) => html`<${Small} key=${step} which=${which} step=${step} name=${stepWords(name)} />`,
      );
      const title = typesPage.compares() ? [html`<h3 class="small-title">${ROUTING[which]}</h3>`] : [];
      return [...title, html`<div key=${which} class="multiples-row">${steps}</div>`];
    })}
  </div>`;

/** All small maps as one picture, for a file. @param {number} [asked] its width @param {Iterable<TypeMap>} [shown] @returns {Scene} */
export function multiplesScene(asked, shown = small) {
  const rank = (/** @type {TypeMap} */ { which, only }) => (which === "initial" ? 1e6 : 0) + (only ?? 0);
  const maps = [...shown].filter(({ points }) => points).sort((one, other) => rank(one) - rank(other));
  const points = /** @type {TypePoints} */ (maps[0].points);
  const { width: own, height: tall } = maps[0].map;
  const most = Math.min(maps.length, points.steps.length);
  const columns = asked ? Math.max(1, Math.min(most, Math.floor((asked + 10) / (LEAST_SMALL + 10)))) : most;
  const w = asked ? (asked + 10) / columns - 10 : own;
  const [h, head] = [Math.round((tall * w) / own), 22];
  const cells = maps.map((one, index) => {
    const [x, y] = [(index % columns) * (w + 10), Math.floor(index / columns) * (h + head + 6)];
    const name = stepWords(/** @type {TypePoints} */ (one.points).steps[one.only ?? 0]);
    const title = (typesPage.compares() ? ROUTING[one.which] + ", " : "") + name;
    return [
      text([title], { x, y: y + 14, down: 0, weight: 650, room: w }),
      part(one.map.scene("", "", w), x, y + head),
    ];
  });
  const width = columns * (w + 10) - 10;
  const height = Math.ceil(maps.length / columns) * (h + head + 6) + 16;
  const caption = captionOf(points, state, false);
  const vector = maps.every((one) => /** @type {Items} */ (one.map.items).order.length <= 5000);
  const below = text([caption], {
    x: width,
    y: height - 4,
    down: 0,
    size: 10.5,
    anchor: "end",
    fill: "dim",
    room: width,
  });
  return chart({
    width,
    height,
    title: "Types by " + sortOf(points.steps) + ": " + caption,
    desc: "Panels share their axes." + (vector ? "" : " Points are pixels inside this file, the rest is vectors."),
    marks: [cells, below],
  });
}
