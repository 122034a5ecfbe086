/* The circuits of the pinned sentences side by side: modules in the same places and colours, one view for all. */
import * as graphColours from "rs/draw/colours.js";
import * as graphKeys from "rs/draw/keys.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { whole } from "rs/lib/format.js";
import * as links from "rs/lib/links.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { DesignDrawing } from "rs/pages/circuits/designs/drawing.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import { numberOf } from "rs/pages/circuits/words.js";
import { effect, untracked, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Circuits } from "rs/pages/circuits/designs/data.js" */
/** @import { Counts } from "rs/pages/circuits/designs/links.js" */

const KEYS =
  "Arrow keys walk from module to module, Enter chooses one, Delete drops it, Escape lets go, plus and minus " +
  "zoom, Shift and arrows move the picture, 0 shows all.";
/** The pictures that are there, by their places. @type {DesignPicture[]} */
export const pictures = [];

/** Points at a module in all circuits, -1 for none. @param {number} unit */
export const point = (unit) => circuitsState.set({ hover_unit: unit });

/** Chooses a module in all circuits by its place, or none. @param {number} unit */
export function pick(unit) {
  const data = circuitsDesigns.data();
  circuitsState.set({ unit: data && unit >= 0 ? data.units[unit] : null });
}

/** The place of the chosen module, or -1. */
export const chosen = () => circuitsDesigns.data()?.place.get(state.unit ?? "") ?? -1;

/**
 * Modules coloured alike in all circuits: by the communities of the first, or where it has but one by how well its
 * modules are connected.
 *
 * @param {Circuits} data
 */
export function colouringOf(data) {
  const { communities, connectivity } = data.designs[0];
  const { community, degree } = graphColours.BY;
  return new Set(communities).size > 1
    ? community({ communities }, readTheme())
    : degree({ degrees: { learned: connectivity } }, readTheme());
}

/** Whether a circuit is shown by itself, without a comparison. @param {number} at */
const alone = (at) => at === 0 || state.links === "own";

class DesignPicture {
  /** @param {HTMLCanvasElement} canvas @param {number} at */
  constructor(canvas, at) {
    this.at = at;
    this.canvas = canvas;
    this.data = /** @type {Circuits | null} */ (null);
    this.map = new DesignDrawing(/** @type {HTMLElement} */ (canvas.parentElement), canvas, {
      onTheme: () => this.rebuild(),
      onDrawn: () => this.publish(),
      onView: (view) => circuitsState.look("links", view),
    });
    this.stops = [
      effect(() => {
        const shown = circuitsDesigns.drawn();
        untracked(() => {
          const data = shown?.data.designs[at] ? shown.data : null;
          if (data === this.data) this.relink();
          else {
            this.data = data;
            this.rebuild();
          }
        });
      }),
      effect(() => this.mark()),
      scatterPointer.listen(this.map, {
        tool: () => "move",
        hover: point,
        pick: (unit) => pick(unit === chosen() ? -1 : unit),
        select: () => {},
      }),
      graphKeys.listen(this.map, {
        hovered: () => state.hover_unit,
        chosen,
        start: () => links.byFalling(this.drawn.count, (unit) => this.design.connectivity[unit])[0],
        point,
        pick,
        drop: (unit) => circuitsState.toggle(this.drawn.units[unit]),
      }),
    ];
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.map.dispose();
  }

  /** The circuits, where one knows that there are some. */
  get drawn() {
    if (!this.data) throw new Error("There are no circuits to draw.");
    return this.data;
  }

  get design() {
    return this.drawn.designs[this.at];
  }

  rebuild() {
    const shown = circuitsDesigns.drawn();
    if (!this.data || !shown) {
      this.map.items = this.map.links = null;
      delete this.canvas.dataset.painted;
      this.map.draw();
      return;
    }
    const { data, design } = this;
    const { of, paints } = colouringOf(data);
    const { places, halves, units: names } = data;
    const change = design.to_first?.code_change ?? undefined;
    this.map.setModules(
      { places, halves, names, category: of, paints, sizes: data.sizes[this.at], change },
      shown.dropped,
    );
    this.relink();
    this.mark();
  }

  relink() {
    const shown = circuitsDesigns.drawn();
    if (!this.data || !shown) return;
    if (String(this.map.dropped) !== String(shown.dropped)) this.map.setDropped(shown.dropped);
    this.map.setCircuit(this.drawn.edges[this.at], shown.compared[this.at], alone(this.at));
    this.map.draw();
  }

  mark() {
    const { views, hover_unit: hover } = state;
    const unit = chosen();
    if (!this.data) return;
    this.map.follow(views.links);
    this.map.ringed = unit >= 0 ? [unit] : [];
    this.map.focus = hover >= 0 ? hover : unit;
    this.map.draw();
  }

  publish() {
    if (!this.data) return;
    const { counts, gone, focus, spent } = this.map;
    const { links: count, gained, lost } = counts;
    const figures = { links: String(count), gained: String(gained), lost: String(lost), gone: String(gone.length) };
    const unit = focus >= 0 ? this.drawn.units[focus] : "";
    Object.assign(this.canvas.dataset, { painted: this.design.sentence, ...figures, focus: unit, spent: spent.toFixed(2) }); // prettier-ignore
  }

  /** @param {number} [width] */
  scene(width) {
    const title = this.at + 1 + ". " + this.design.sentence;
    this.map.heading = title;
    const compared = alone(this.at) ? "." : "; blue are gained and orange, dashed, lost against the first circuit.";
    const areas = "Discs are modules, their areas as their connectivity from zero; lines are links above ";
    const scene = this.map.scene(title, areas + circuitsDesigns.thresholdOf(this.drawn) + compared, width);
    this.map.heading = "";
    return scene;
  }
}

/** @param {{counts: Counts, own: boolean}} props */
const Counted = ({ counts: { links: count, gained, lost }, own }) =>
  html`<span class="design-counts">
    ${
      own
        ? html`<span>${whole(count) + (count === 1 ? " link" : " links")}</span>`
        : html`<span>${whole(count)}</span>
            <span class="gained" title="links that this circuit has and the first has not">${"+" + whole(gained)}</span>
            <span class="lost" title="links that the first circuit has and this one has not">
              ${"\u2212" + whole(lost)}
            </span>`
    }
  </span>`;

/** The circuit of one sentence; before it is there, the sentence. @param {{at: number}} props */
function Design({ at }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    const picture = new DesignPicture(/** @type {HTMLCanvasElement} */ (canvas.current), at);
    pictures[at] = picture;
    return () => {
      picture.dispose();
      if (pictures[at] === picture) pictures.length = at; // the last one goes
    };
  }, []);
  const shown = circuitsDesigns.drawn();
  const sentence = shown?.data.designs[at]?.sentence ?? state.sentences[at];
  return html`<figure class="design">
    <figcaption>
      ${numberOf(at)}<span class="design-sentence" title=${sentence}>${sentence}</span>
      ${shown?.compared[at] && html`<${Counted} counts=${shown.compared[at]} own=${alone(at)} />`}
    </figcaption>
    <div class="design-canvas">
      <canvas
        id=${"design-picture-" + (at + 1)}
        tabindex="0"
        role="img"
        aria-label=${"Circuit of \u201c" + sentence + "\u201d. " + KEYS}
        ref=${canvas}
      ></canvas>
      ${!shown?.data.designs[at] && html`<div class="skeleton" aria-hidden="true"></div>`}
    </div>
  </figure>`;
}

/** The circuits, greyed while the next are designed. */
export function Designs() {
  const count = state.sentences.length;
  const failed = circuitsDesigns.problem() && !circuitsDesigns.data();
  const status = failed ? "failed" : circuitsDesigns.waits() ? "waiting" : "ready";
  return html`<div class="designs" data-status=${status} data-count=${count}>
    ${state.sentences.map((_, at) => html`<${Design} key=${at} at=${at} />`)}
  </div>`;
}
