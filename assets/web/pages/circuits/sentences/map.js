/* The two maps of sentences on their canvases: what of the state they draw, and what pointing at them does. */
import { simplified } from "rs/draw/index.js";
import { ScatterMap } from "rs/draw/map.js";
import * as scatterPointer from "rs/draw/pointer.js";
import * as typePoints from "rs/lib/points.js";
import { readTheme, reducedMotion } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import { shows } from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { putCard } from "rs/parts/card.js";
import { effect, untracked, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Mark, Place } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { SentenceLayout } from "rs/pages/circuits/sentences/data.js" */
/** @import { Lasso, Which } from "rs/pages/circuits/types.d.ts" */

export const METHODS = { tsne: "t-SNE", pca: "PCA" };
const TITLES = { circuits: "by their circuits", text: "by their words (text encoder)" };
const LABELS = { circuits: "Map of sentences by their circuits", text: "Map of sentences by the text encoder" };
const KEYS =
  ". N and P go from sentence to sentence, Enter pins one, L takes the lasso, Escape lets go, plus and minus zoom, " +
  "arrows move, 0 shows all.";
const MOST_CORNERS = 64;
const LANDING = 900; // milliseconds
/** @type {Record<string, Place>} */
const AWAY = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
export const pictures = /** @type {Partial<Record<Which, SentenceMap>>} */ ({});

/** @param {Schemas["SentenceMap"]} info */
export function captionOf(info) {
  const parts = [METHODS[info.method]];
  if (info.method === "tsne") parts.push("perplexity " + (info.parameters.perplexity ?? state.perplexity));
  return [...parts, "seed " + info.seed].join(" \u00b7 ");
}

class SentenceMap {
  /** @param {HTMLCanvasElement} canvas @param {Which} which */
  constructor(canvas, which) {
    this.which = which;
    this.canvas = canvas;
    this.layout = /** @type {SentenceLayout | null} */ (null);
    this.lasso = /** @type {Lasso | null} */ (null);
    this.marks = /** @type {(Mark & {sentence: string})[]} */ ([]);
    this.landed = /** @type {Set<string> | null} */ (null); // sentences that have
    this.map = new ScatterMap(/** @type {HTMLElement} */ (canvas.parentElement), canvas, {
      onTheme: () => this.rebuild(),
      onPainted: () => this.publish(),
      onView: (view) => circuitsState.look(which, view),
    });
    this.map.heading = TITLES[which];
    this.stops = [
      effect(() => {
        void [circuitsMaps.map(), state.kinds, state.objects, state.colour_by];
        untracked(() => this.rebuild());
      }),
      effect(() => this.mark()),
      scatterPointer.listen(this.map, {
        tool: () => state.tool,
        hover: (item) => circuitsState.set({ hover_point: item }),
        pick: (item) => this.pin(item),
        select: (polygon) =>
          circuitsState.set({ lasso: polygon && { which, polygon: simplified(polygon, MOST_CORNERS) } }),
      }),
    ];
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.map.dispose();
  }

  /** Pins a sentence by its place in the map. @param {number} at */
  pin(at) {
    const info = circuitsMaps.info();
    if (info) circuitsState.pin(info.points[at].text);
  }

  /** Gathers what is drawn. */
  rebuild() {
    const shown = circuitsMaps.map();
    if (!shown) {
      this.map.items = null;
      delete this.canvas.dataset.painted;
      this.map.draw();
      return;
    }
    const { info, layouts } = shown;
    const { of, paints } = sentenceColours.colouring(info, state.colour_by, readTheme());
    const order = typePoints.shuffled(info.points.length);
    const { places, halves } = (this.layout = layouts[this.which]);
    const items = { order: order.filter((at) => shows(info.points[at])), category: of, paints, places, halves };
    this.map.setItems(items);
    this.lasso = null;
    this.map.caption = captionOf(info);
    this.mark();
  }

  /** Pinned sentences, what is pointed at, what the lasso holds, the part in view. */
  mark() {
    const [shown, places] = [circuitsMaps.map(), circuitsMaps.places()];
    const { sentences, hover_point: hover, lasso, views } = state;
    const { layout } = this;
    if (!shown || !layout || !this.map.items) return;
    this.marks = sentences.flatMap((sentence, at) => {
      const place = places.get(sentence);
      if (!place) return [];
      const [x, y] = layout.place(this.which === "text" ? place.text_xy : place.xy);
      return [{ x, y, name: String(at + 1), badge: true, sentence }];
    });
    this.map.marks = this.marks;
    this.land();
    this.map.ringed = hover >= 0 ? [hover] : [];
    if (this.lasso !== lasso) {
      this.lasso = lasso;
      const chosen = lasso && new Set(circuitsMaps.chosen());
      this.map.setStrong(chosen && Uint8Array.from(shown.info.points, (_, at) => (chosen.has(at) ? 1 : 0)));
      this.map.lasso = lasso && lasso.which === this.which ? lasso.polygon : null;
    }
    this.map.follow(views[this.which]);
    this.map.draw();
  }

  /** Shows where a sentence that was not there before has landed. */
  land() {
    const before = this.landed;
    const landed = new Set(this.marks.map(({ sentence }) => sentence));
    this.landed = landed;
    if (!before || reducedMotion()) return;
    const fresh = new Set([...landed].filter((sentence) => !before.has(sentence)));
    if (!fresh.size) return;
    const start = performance.now();
    const tick = (/** @type {number} */ now) => {
      const away = Math.max(0, 1 - (now - start) / LANDING);
      for (const mark of this.marks) if (fresh.has(mark.sentence)) mark.rings = away;
      this.map.draw();
      if (away) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { map } = this;
    if (!map.items || event.ctrlKey || event.metaKey || event.altKey) return;
    const away = AWAY[event.key];
    /** @type {Record<string, () => unknown>} */
    const acts = {
      "+": () => map.zoomBy(1.3),
      "=": () => map.zoomBy(1.3),
      "-": () => map.zoomBy(1 / 1.3),
      0: () => map.fit(),
      l: () => circuitsState.set({ tool: state.tool === "lasso" ? "move" : "lasso" }),
      Enter: () => state.hover_point >= 0 && this.pin(state.hover_point),
      n: () => this.step(1),
      p: () => this.step(-1),
      Escape: () => circuitsState.set({ lasso: null, hover_point: -1 }),
    };
    if (away) map.panBy(-40 * away[0], -40 * away[1]);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  /** Points at the next sentence, from left to right. @param {number} by */
  step(by) {
    const { order, places } = this.map.drawn;
    const across = Array.from(order).sort((a, b) => places[2 * a] - places[2 * b] || a - b);
    const at = across.indexOf(state.hover_point);
    const next = at < 0 ? 0 : (at + by + across.length) % across.length;
    circuitsState.set({ hover_point: across[next] });
  }

  publish() {
    const info = circuitsMaps.info();
    if (!info) return;
    const counts = { points: String(this.map.drawn.order.length), marks: String(this.map.marks.length) };
    const now = { painted: info.id, method: info.method, hovered: String(state.hover_point) };
    Object.assign(this.canvas.dataset, counts, now);
  }

  /** @param {Schemas["SentenceMap"]} info @param {number} [width] */
  scene(info, width) {
    return this.map.scene(
      "Sentences " + TITLES[this.which] + ": " + info.model + ", " + captionOf(info),
      "Each point is a sentence, coloured by " + sentenceColours.BY[state.colour_by] + "; numbers are pinned.",
      width,
    );
  }
}

/** @param {Schemas["MapPoint"]} point */
export const factsOf = (point) =>
  [point.kind, point.object, point.colour, point.number, point.relation].filter(Boolean).join(" \u00b7 ");

/** The sentence that is pointed at, beside its point. @param {{which: Which}} props */
function Card({ which }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const at = state.hover_point;
  const point = circuitsMaps.info()?.points[at];
  useLayoutEffect(() => {
    const picture = pictures[which];
    if (point && picture && card.current)
      putCard(card.current, /** @type {HTMLElement} */ (card.current.parentElement), picture.map.placeOf(at));
  }, [at, point]);
  return html`<div class="sentence-card" hidden=${!point} ref=${card}>
    ${point && [html`<strong>${point.text}</strong>`, html`<p class="hint">${factsOf(point)}</p>`]}
  </div>`;
}

/** One of the maps. @param {{which: Which}} props */
export function MapCanvas({ which }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    const picture = (pictures[which] = new SentenceMap(/** @type {HTMLCanvasElement} */ (canvas.current), which));
    return () => {
      if (pictures[which] === picture) delete pictures[which];
      picture.dispose();
    };
  }, []);
  return html`<div class="sentence-canvas">
    <canvas
      id=${"sentence-map-" + which}
      tabindex="0"
      role="img"
      aria-label=${LABELS[which] + KEYS}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => pictures[which]?.key(event)}
      ref=${canvas}
    ></canvas>
    <${Card} which=${which} />
  </div>`;
}
