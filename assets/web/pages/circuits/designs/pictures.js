/* The circuits of the pinned sentences side by side: modules in the same places and colours, one view for all. */
import * as graphColours from "rs/draw/colours.js";
import * as graphKeys from "rs/draw/keys.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as links from "rs/lib/links.js";
import { readTheme } from "rs/lib/theme.js";
import * as circuitsDesigns from "rs/pages/circuits/designs/data.js";
import { DesignDrawing } from "rs/pages/circuits/designs/drawing.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { badge } from "rs/pages/circuits/words.js";

/** @import { View } from "rs/draw/types.d.ts" */
/** @import { Circuits, Counts } from "rs/pages/circuits/types.d.ts" */

const KEYS =
  "Arrow keys walk from module to module, Enter chooses one, Delete leaves it out, Escape lets go, plus and minus " +
  "zoom, Shift and arrows move the picture, 0 shows all.";
const pictures = /** @type {DesignPicture[]} */ ([]);

const page = () => circuitsState.get();
/**
 * @param {View} a
 * @param {View} b
 */
const same = (a, b) => a.x === b.x && a.y === b.y && a.zoom === b.zoom;

/**
 * Points at a module in all circuits, -1 for none.
 *
 * @param {number} unit
 */
export const point = (unit) => circuitsState.set({ hover_unit: unit });

/**
 * Chooses a module in all circuits by its place, or none.
 *
 * @param {number} unit
 */
export function pick(unit) {
  const { data } = circuitsDesigns.get();
  circuitsState.set({ unit: data && unit >= 0 ? data.units[unit] : null });
}

/** The place of the chosen module, or -1. */
export function chosen() {
  const { data } = circuitsDesigns.get();
  const { unit } = page();
  const place = data && unit !== null ? data.place.get(unit) : undefined;
  return place === undefined ? -1 : place;
}

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

class DesignPicture {
  /** @param {number} at */
  constructor(at) {
    this.at = at;
    this.data = /** @type {Circuits | null} */ (null);
    this.canvas = build("canvas", { tabindex: 0, role: "img", id: "design-picture-" + (at + 1) });
    this.frame = build("div", { class: "design-canvas" }, this.canvas);
    this.title = build("span", { class: "design-sentence" });
    this.counts = build("span", { class: "design-counts" });
    const head = build("figcaption", {}, badge(at), this.title, this.counts);
    this.figure = build("figure", { class: "design" }, head, this.frame);
    this.map = new DesignDrawing(this.frame, this.canvas, {
      onTheme: () => this.rebuild(),
      onDrawn: () => this.publish(),
      onView: (view) => circuitsState.look("links", view),
    });
    this.stops = [
      scatterPointer.listen(this.map, {
        tool: () => "move",
        hover: point,
        pick: (unit) => pick(unit === chosen() ? -1 : unit),
        select: () => {},
      }),
      graphKeys.listen(this.map, {
        hovered: () => page().hover_unit,
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

  /**
   * Shows the circuit of an answer of the API (pages/circuits/designs/data.js).
   *
   * @param {Circuits} data
   */
  show(data) {
    this.data = data;
    this.title.textContent = this.title.title = this.design.sentence;
    this.canvas.setAttribute("aria-label", "Circuit of “" + this.design.sentence + "”. " + KEYS);
    this.rebuild();
  }

  rebuild() {
    if (!this.data) return;
    const { data, design } = this;
    const { of, paints } = colouringOf(data);
    const { places, halves, units: names } = data;
    const change = design.to_first?.code_change ?? undefined;
    this.map.setModules(
      { places, halves, names, category: of, paints, sizes: data.sizes[this.at], change },
      circuitsDesigns.get().dropped,
    );
    this.relink();
    this.mark();
  }

  relink() {
    const compared = circuitsDesigns.get().compared[this.at];
    const own = this.at === 0 || page().links === "own";
    this.map.setCircuit(this.drawn.edges[this.at], compared, own);
    this.counts.replaceChildren(...countWords(compared, own));
    this.map.draw();
  }

  mark() {
    const { views, hover_unit: hover } = page();
    const view = views.links || { x: 0, y: 0, zoom: 1 };
    if (!same(this.map.view, view)) {
      this.map.view = { ...view };
      this.map.stale = true;
    }
    const unit = chosen();
    this.map.ringed = unit >= 0 ? [unit] : [];
    this.map.focus = hover >= 0 ? hover : unit;
    this.map.draw();
  }

  publish() {
    const { dataset } = this.canvas;
    const { counts } = this.map;
    dataset.painted = this.design.sentence;
    dataset.links = String(counts.links);
    dataset.gained = String(counts.gained);
    dataset.lost = String(counts.lost);
    dataset.gone = String(this.map.gone.length);
    dataset.focus = this.map.focus >= 0 ? this.drawn.units[this.map.focus] : "";
    dataset.spent = this.map.spent.toFixed(2);
  }

  scene() {
    const own = this.at === 0 || page().links === "own";
    const title = this.at + 1 + ". " + this.design.sentence;
    this.map.heading = title;
    const scene = this.map.scene(
      title,
      "Discs are modules, their areas as their connectivity from zero; lines are links above " +
        page().threshold +
        (own ? "." : "; blue are gained and orange, dashed, lost against the first circuit."),
    );
    this.map.heading = "";
    return scene;
  }
}

/**
 * @param {Counts} counts
 * @param {boolean} own
 */
function countWords({ links, gained, lost }, own) {
  /** @param {number} count */
  const whole = (count) => count.toLocaleString("en");
  if (own) return [build("span", {}, whole(links) + (links === 1 ? " link" : " links"))];
  return [
    build("span", {}, whole(links)),
    build("span", { class: "gained", title: "links that it has and the first circuit has not" }, "+" + whole(gained)),
    build("span", { class: "lost", title: "links that the first circuit has and it has not" }, "\u2212" + whole(lost)),
  ];
}

registerWidget("design-pictures", (host) => {
  /** @param {Circuits} data */
  function arrange(data) {
    while (pictures.length > data.designs.length) {
      const last = /** @type {DesignPicture} */ (pictures.pop());
      last.figure.remove();
      last.dispose();
    }
    while (pictures.length < data.designs.length) {
      const next = new DesignPicture(pictures.length);
      pictures.push(next);
      host.append(next.figure);
    }
    host.dataset.count = String(data.designs.length);
    pictures.forEach((picture) => picture.show(data));
  }

  const stops = [
    circuitsDesigns.subscribe(({ status, data }, names) => {
      host.dataset.status = status === "loading" && data ? "waiting" : status;
      if (names.has("data") && data) arrange(data);
      else if (names.has("data"))
        for (const picture of pictures.splice(0)) {
          picture.dispose();
          picture.figure.remove();
        }
      else if (names.has("compared") && data) pictures.forEach((picture) => follow(picture));
    }),
    circuitsState.subscribe((_, names) => {
      if (["views", "unit", "hover_unit"].some((name) => names.has(name)))
        pictures.forEach((picture) => picture.data && picture.mark());
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    pictures.splice(0).forEach((picture) => picture.dispose());
  };
});

/**
 * Links or modules that are left out have changed.
 *
 * @param {DesignPicture} picture
 */
function follow(picture) {
  const { dropped } = circuitsDesigns.get();
  if (String(picture.map.dropped) !== String(dropped)) picture.map.setDropped(dropped);
  picture.relink();
}

export { pictures as all };
