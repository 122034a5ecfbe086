/* One small map a step, on the axes of the large one: all steps at a glance, each a button that goes to its step. */
import { ScatterMap } from "rs/draw/map.js";
import { moved } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import { readTheme } from "rs/lib/theme.js";
import { stepLabel } from "rs/lib/trace.js";
import { html, show } from "rs/lib/view.js";
import * as typeMap from "rs/pages/types/map.js";
import * as typesPage from "rs/pages/types/state.js";
import { colouringOf, state, trackIn } from "rs/pages/types/state.js";
import * as typeWords from "rs/pages/types/words.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Item, Items } from "rs/draw/types.d.ts" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Chosen, TypesState, Which } from "rs/pages/types/types.d.ts" */

/** @type {Set<SmallMap>} */
const shown = new Set();
const REBUILDS = ["graph", "maps", "colour", "hidden", "layout", "share", "compare"];
const MARKS = ["chosen", "hover", "sample", "step", "allSteps"];

class SmallMap {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Which} which
   * @param {number} step
   */
  constructor(canvas, which, step) {
    this.which = which;
    this.step = step;
    this.chosen = /** @type {Chosen | null | undefined} */ (undefined); // what the emphasis was made of
    this.items = /** @type {Items | null | undefined} */ (undefined);
    this.map = new ScatterMap(/** @type {HTMLElement} */ (canvas.parentElement), canvas, {
      onTheme: () => this.rebuild(),
      onPainted: () => {
        canvas.dataset.painted = this.points ? this.points.id : "";
        canvas.dataset.points = String(/** @type {Items} */ (this.map.items).order.length);
      },
    });
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      typesPage.point(which, this.map.itemAt(event.clientX - box.left, event.clientY - box.top));
    });
    canvas.addEventListener("pointerleave", () => typesPage.point(which, -1));
    this.stop = typesPage.subscribe((state, names) => {
      const moves = state.share !== null || state.time !== null;
      if (moves && !["maps", "compare", "step"].some((name) => names.has(name))) return;
      if (REBUILDS.some((name) => names.has(name))) this.rebuild();
      else if (MARKS.some((name) => names.has(name))) this.mark(state);
    });
  }

  dispose() {
    this.stop();
    this.map.dispose();
  }

  get points() {
    return state.maps[this.which];
  }

  rebuild() {
    const { points, step } = this;
    if (!points || step >= points.steps.length) return;
    const colouring = colouringOf(points);
    const layout = typeMap.layoutAt(points, state.layout, null);
    const order = points.ordersByStep[step];
    this.map.setItems({
      order: state.hidden.size ? order.filter((point) => !state.hidden.has(colouring.of[point])) : order,
      category: colouring.of,
      paints: colouring.paints,
      places: layout.places,
      halves: layout.halves,
    });
    this.map.marks = typeMap.marksOf(points, layout, readTheme()).map((mark) => ({ ...mark, name: "" }));
    this.mark(state);
  }

  /**
   * What is chosen or pointed at elsewhere, at this step.
   *
   * @param {TypesState} state
   */
  mark(state) {
    const { points, step } = this;
    if (!points || !this.map.items) return;
    const { chosen, hover, maps } = state;
    if (this.chosen !== chosen || this.items !== this.map.items) {
      this.chosen = chosen;
      this.items = this.map.items;
      this.map.setStrong(chosen ? this.maskOf(chosen) : null);
    }
    const rings = state.sample ? points.pointsOfSample(state.sample, step) : [];
    const there = hover && maps[hover.which];
    const track = there ? trackIn(this.which, hover.which, there.track[hover.point]) : -1;
    const pointed = track < 0 ? -1 : points.pointOf[step][track];
    this.map.ringed = pointed >= 0 ? [...rings, pointed] : rings;
    this.map.draw();
  }

  /** @param {Chosen} chosen */
  maskOf(chosen) {
    const points = /** @type {TypePoints} */ (this.points);
    const mask = new Uint8Array(points.count);
    for (const track of chosen.tracks) {
      const own = trackIn(this.which, chosen.which, track);
      const point = own < 0 ? -1 : points.pointOf[this.step][own];
      if (point >= 0) mask[point] = 1;
    }
    return mask;
  }
}

/** @param {{which: Which, step: number, name: string}} props */
function Small({ which, step, name }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    const map = new SmallMap(/** @type {HTMLCanvasElement} */ (canvas.current), which, step);
    shown.add(map);
    return () => {
      shown.delete(map);
      map.dispose();
    };
  }, []);
  return html`
    <button
      type="button"
      class="multiple"
      data-step=${step}
      data-of=${which}
      aria-label=${"Go to step " + name + (which === "initial" ? ", routing at initialisation" : "")}
      aria-pressed=${String(!state.allSteps && state.step === step)}
      onClick=${() => typesPage.goTo(step)}
    >
      <span class="multiple-label">${"step " + name}</span>
      <span class="multiple-canvas"><canvas aria-hidden="true" ref=${canvas}></canvas></span>
    </button>
  `;
}

registerWidget("type-multiples", (host) =>
  show(host, () => {
    const { maps, compare } = state;
    return /** @type {Which[]} */ (["trained", "initial"]).flatMap((which) => {
      const points = maps[which];
      if (!points || (which === "initial" && !compare)) return [];
      const small = points.steps.map(
        (name, step) => html`<${Small} key=${step} which=${which} step=${step} name=${stepLabel(name)} />`,
      );
      const title = compare ? [html`<h3 class="small-title">${typeWords.ROUTING[which]}</h3>`] : [];
      return [...title, html`<div key=${which} class="multiples-row">${small}</div>`];
    });
  }),
);

/** All small maps as one picture, for a file. */
function scene() {
  const rank = (/** @type {SmallMap} */ { which, step }) => (which === "initial" ? 1e6 : 0) + step;
  const maps = [...shown].sort((one, other) => rank(one) - rank(other));
  const theme = readTheme();
  const points = /** @type {TypePoints} */ (maps[0].points);
  const [w, h] = [maps[0].map.width, maps[0].map.height];
  const columns = Math.min(maps.length, points.steps.length);
  const head = 22;
  const items = maps.flatMap((one, index) => {
    const [x, y] = [(index % columns) * (w + 10), Math.floor(index / columns) * (h + head + 6)];
    const title =
      (state.compare ? typeWords.ROUTING[one.which] + ", " : "") +
      "step " +
      stepLabel(/** @type {TypePoints} */ (one.points).steps[one.step]);
    /** @type {Item} */
    const text = { shape: "text", x, y: y + 14, text: title, size: 12, weight: 650, fill: theme.ink };
    return [text, ...one.map.scene("", "").items.map((item) => moved(item, x, y + head))];
  });
  const rows = Math.ceil(maps.length / columns);
  const width = columns * (w + 10) - 10;
  const height = rows * (h + head + 6) + 16;
  const caption = typeWords.captionOf(points, state, false);
  items.push({ shape: "text", x: width, y: height - 4, text: caption, size: 10.5, anchor: "end", fill: theme.dim });
  const vector = maps.every((one) => /** @type {Items} */ (one.map.items).order.length <= 5000);
  return {
    width,
    height,
    background: theme.surface,
    title: "Types step by step: " + caption,
    desc:
      "One panel a step, all on the same axes." +
      (vector ? "" : " The points are pictures of pixels inside this file, the rest is vectors."),
    items,
  };
}

export { scene as typeMultiplesScene };
