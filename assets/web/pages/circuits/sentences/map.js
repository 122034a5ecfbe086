/* The two maps of sentences on their canvases: what of the state they draw, and what pointing at them does. */
import { simplified } from "rs/draw/index.js";
import { ScatterMap } from "rs/draw/map.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as typePoints from "rs/lib/points.js";
import { readTheme, reducedMotion } from "rs/lib/theme.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import { shows } from "rs/pages/circuits/sentences/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { putCard } from "rs/parts/card.js";

/** @import { Mark, Place, View } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Lasso, SentenceLayout, Which } from "rs/pages/circuits/types.d.ts" */

export const METHODS = { pca: "PCA", tsne: "t-SNE" };
const TITLES = { circuits: "by their circuits", text: "by their words (text encoder)" };
const MOST_CORNERS = 64;
const LANDING = 900; // milliseconds
/** @type {Record<string, Place>} */
const AWAY = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
export const pictures = /** @type {Partial<Record<Which, SentenceMap>>} */ ({});

/**
 * @param {View} a
 * @param {View} b
 */
const same = (a, b) => a.x === b.x && a.y === b.y && a.zoom === b.zoom;
const page = () => circuitsState.get();

/** @param {Schemas["SentenceMap"]} info */
export function captionOf(info) {
  const parts = [METHODS[info.method]];
  if (info.method === "tsne") parts.push("perplexity " + (info.parameters.perplexity ?? page().perplexity));
  return [...parts, "seed " + info.seed].join(" \u00b7 ");
}

class SentenceMap {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.which = /** @type {Which} */ (host.dataset.which);
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.layout = /** @type {SentenceLayout | null} */ (null);
    this.lasso = /** @type {Lasso | null} */ (null);
    this.marks = /** @type {(Mark & {sentence: string})[]} */ ([]);
    this.landed = /** @type {Set<string> | null} */ (null); // sentences that have
    this.map = new ScatterMap(host, this.canvas, {
      onTheme: () => this.rebuild(),
      onPainted: () => this.publish(),
      onView: (view) => circuitsState.look(this.which, view),
    });
    this.map.heading = TITLES[this.which];
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    this.canvas.addEventListener("keydown", this.onKey);
    this.stops = [
      circuitsMaps.subscribe((_, names) => {
        if (names.has("info")) this.rebuild();
        else if (names.has("places")) this.mark();
      }),
      circuitsState.subscribe((_, names) => {
        if (["kinds", "objects", "colour_by"].some((name) => names.has(name))) this.rebuild();
        else if (["sentences", "focus", "hover_point", "lasso", "views"].some((name) => names.has(name))) this.mark();
      }),
      scatterPointer.listen(this.map, {
        tool: () => page().tool,
        hover: (item) => circuitsState.set({ hover_point: item }),
        pick: (item) => this.pin(item),
        select: (polygon) => this.select(polygon),
      }),
    ];
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.canvas.removeEventListener("keydown", this.onKey);
    this.map.dispose();
  }

  /** @param {Place[] | null} polygon */
  select(polygon) {
    const lasso = polygon && { which: this.which, polygon: simplified(polygon, MOST_CORNERS) };
    circuitsState.set({ lasso });
  }

  /**
   * Pins a sentence by its place in the map.
   *
   * @param {number} at
   */
  pin(at) {
    const { info } = circuitsMaps.get();
    if (info) circuitsState.pin(info.points[at].text);
  }

  /** Gathers what is drawn. */
  rebuild() {
    const { info, layouts } = circuitsMaps.get();
    if (!info || !layouts) {
      this.map.items = null;
      this.map.draw();
      return;
    }
    const { of, paints } = sentenceColours.colouring(info, page().colour_by, readTheme());
    const order = typePoints.shuffled(info.points.length);
    const layout = layouts[this.which];
    this.layout = layout;
    this.map.setItems({
      order: order.filter((at) => shows(info.points[at])),
      category: of,
      paints,
      places: layout.places,
      halves: layout.halves,
    });
    this.lasso = null;
    this.map.caption = captionOf(info);
    this.mark();
  }

  /** Pinned sentences, what is pointed at, what the lasso holds, the part in view. */
  mark() {
    const { info, places } = circuitsMaps.get();
    const { layout } = this;
    if (!info || !layout || !this.map.items) return;
    const { sentences, hover_point: hover, lasso, views } = page();
    this.marks = sentences.flatMap((sentence, at) => {
      const found = places.get(sentence);
      if (!found) return [];
      const [x, y] = layout.place(this.which === "text" ? found.text_xy : found.xy);
      return [{ x, y, name: String(at + 1), badge: true, sentence }];
    });
    this.map.marks = this.marks;
    this.land();
    this.map.ringed = hover >= 0 ? [hover] : [];
    if (this.lasso !== lasso) {
      this.lasso = lasso;
      const chosen = lasso && new Set(circuitsMaps.chosen());
      this.map.setStrong(chosen && Uint8Array.from(info.points, (_, at) => (chosen.has(at) ? 1 : 0)));
      this.map.lasso = lasso && lasso.which === this.which ? lasso.polygon : null;
    }
    const view = views[this.which] || { x: 0, y: 0, zoom: 1 };
    if (!same(this.map.view, view)) {
      this.map.view = { ...view };
      this.map.stale = true;
    }
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
      l: () => circuitsState.set({ tool: page().tool === "lasso" ? "move" : "lasso" }),
      Enter: () => page().hover_point >= 0 && this.pin(page().hover_point),
      n: () => this.step(1),
      p: () => this.step(-1),
      Escape: () => circuitsState.set({ lasso: null, hover_point: -1 }),
    };
    if (away) map.panBy(-40 * away[0], -40 * away[1]);
    else if (acts[event.key]) acts[event.key]();
    else return;
    event.preventDefault();
  }

  /**
   * Points at the next sentence, from left to right.
   *
   * @param {number} by
   */
  step(by) {
    const { order, places } = this.map.drawn;
    const across = Array.from(order).sort((a, b) => places[2 * a] - places[2 * b] || a - b);
    const at = across.indexOf(page().hover_point);
    const next = at < 0 ? 0 : (at + by + across.length) % across.length;
    circuitsState.set({ hover_point: across[next] });
  }

  publish() {
    const { info } = circuitsMaps.get();
    if (!info) return;
    const { dataset } = this.canvas;
    dataset.painted = info.id;
    dataset.method = info.method;
    dataset.points = String(this.map.drawn.order.length);
    dataset.marks = String(this.map.marks.length);
    dataset.hovered = String(page().hover_point);
  }

  /** @param {Schemas["SentenceMap"]} info */
  scene(info) {
    return this.map.scene(
      "Sentences " + TITLES[this.which] + ": " + info.model + ", " + captionOf(info),
      "Each point is a sentence, coloured by " + sentenceColours.BY[page().colour_by] + "; numbers are pinned.",
    );
  }
}

registerWidget("sentence-map", (host) => {
  const picture = new SentenceMap(host);
  pictures[picture.which] = picture;
  return () => {
    if (pictures[picture.which] === picture) delete pictures[picture.which];
    picture.dispose();
  };
});

/* -- the card beside a point -------------------------------------------------------------------------------------- */

/** @param {Schemas["MapPoint"]} point */
export const factsOf = (point) =>
  [point.kind, point.object, point.colour, point.number, point.relation].filter(Boolean).join(" \u00b7 ");

registerWidget("sentence-card", (card) => {
  const host = /** @type {HTMLElement} */ (card.parentElement);
  let shown = -1;
  return circuitsState.subscribe(({ hover_point: at }, names) => {
    if (!names.has("hover_point")) return;
    const { info } = circuitsMaps.get();
    const picture = pictures[/** @type {Which} */ (host.dataset.which)];
    const here = at >= 0 && info && picture && info.points[at];
    card.hidden = !here;
    if (!here) return;
    if (shown !== at)
      card.replaceChildren(
        build("strong", {}, info.points[at].text),
        build("p", { class: "hint" }, factsOf(info.points[at])),
      );
    shown = at;
    putCard(card, host, picture.map.placeOf(at));
  });
});

/** Says what is pointed at with keys. */
registerWidget("sentence-said", (host) =>
  circuitsState.subscribe(({ hover_point: at }, names) => {
    const { info } = circuitsMaps.get();
    if (names.has("hover_point"))
      host.textContent = at >= 0 && info ? info.points[at].text + ". " + factsOf(info.points[at]) : "";
  }),
);
