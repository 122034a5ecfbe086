/* The pair of pictures to work on: things are chosen with a click or the tab key, moved by dragging or with the arrow keys,
   also from one picture to the other, and taken away with Delete. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as pairPixels from "rs/pages/circuits/pair/pixels.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import { carry, change, contents, placeOf, titleOf, wordsOf } from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import { colourOf, ground, pathOf, placed, radiusOf, svg, vocabulary } from "rs/pages/circuits/pair/svg.js";
import * as pairTools from "rs/pages/circuits/pair/tools.js";

/** @import { PairState, Refusal, Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */

const [STEP, LEAP, NUDGE] = [0.02, 0.1, 0.005]; // of a picture: an arrow key, with Shift, with Alt
const TOGETHER = 700; // milliseconds between keys that are undone together
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS =
  "Arrow keys move it, with Shift farther, with Alt less; Page Up and Page Down change the picture; Delete takes it away.";

/**
 * One of the pictures.
 *
 * @typedef {object} Figure
 * @property {HTMLElement} body
 * @property {SVGSVGElement} picture
 * @property {SVGGElement} things
 * @property {SVGCircleElement} halo
 * @property {SVGCircleElement} ring
 * @property {HTMLElement} words
 */

class Editor {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.figures = /** @type {Figure[]} */ ([]);
    this.drag = /** @type {{at: ThingPlace, dx: number, dy: number, label: string} | null} */ (null);
    host.addEventListener("keydown", (event) => this.onKey(event));
    this.onMove = (/** @type {PointerEvent} */ event) => this.move(event);
    this.onUp = () => this.drop();
    this.stop = pairPage.subscribe((state, names) => {
      if (["status", "scene", "base", "samples", "seen"].some((name) => names.has(name))) this.draw(state);
      else if (names.has("selected")) this.mark(state);
    });
  }

  dispose() {
    this.stop();
    this.drop();
  }

  /** @param {PairState} state */
  draw(state) {
    const { host } = this;
    host.dataset.status = state.status;
    if (state.status !== "ready") {
      this.figures = [];
      if (state.status === "failed") host.replaceChildren(failure(state.problem));
      return;
    }
    if (!state.scene || state.seen) {
      this.figures = [];
      const shown = state.seen && state.scene ? seenPictures(state, state.scene) : ownPictures(state);
      host.replaceChildren(...shown);
      return;
    }
    const { pictures } = state.scene;
    if (this.figures.length !== pictures.length) {
      this.figures = pictures.map((_, at) => this.figure(at, pictures.length));
      host.replaceChildren(...this.figures.map((each) => each.body));
    }
    pictures.forEach((things, at) => this.fill(at, things, pictures.length));
    this.mark(state);
  }

  /**
   * @param {number} at
   * @param {number} count
   * @returns {Figure}
   */
  figure(at, count) {
    const things = svg("g", {});
    const halo = svg("circle", { class: "pair-halo", r: 0 });
    const ring = svg("circle", { class: "pair-ring", r: 0 });
    const picture = svg(
      "svg",
      { viewBox: "0 0 1 1", class: "pair-picture", role: "group", "data-picture": at },
      ground(),
      things,
      halo,
      ring,
    );
    picture.addEventListener("pointerdown", (event) => this.press(event, at));
    const words = build("figcaption", {}, titleOf(at, count));
    const body = build("figure", { class: "pair-figure" }, picture, words);
    return { body, picture, things, halo, ring, words };
  }

  /**
   * Brings one picture up to date; elements stay, so that the focus does too.
   *
   * @param {number} at
   * @param {Thing[]} things
   * @param {number} count
   */
  fill(at, things, count) {
    const figure = this.figures[at];
    while (figure.things.childElementCount > things.length) figure.things.lastElementChild?.remove();
    while (figure.things.childElementCount < things.length) {
      const index = figure.things.childElementCount;
      const thing = svg("path", { class: "pair-thing", tabindex: 0, role: "button", "data-thing": index });
      thing.addEventListener("focus", () => pairPage.select({ picture: at, index }));
      figure.things.append(thing);
    }
    things.forEach((thing, index) => {
      const element = figure.things.children[index];
      element.setAttribute("d", pathOf(thing.shape));
      element.setAttribute("fill", colourOf(thing.colour));
      element.setAttribute("transform", placed(thing));
      element.setAttribute("aria-label", wordsOf(thing) + ", " + placeOf(thing));
    });
    const title = titleOf(at, count);
    figure.picture.setAttribute("aria-label", title + ": " + contents(things));
    figure.words.textContent = title + ", " + things.length + (things.length === 1 ? " thing" : " things");
  }

  /** @param {PairState} state */
  mark({ scene, selected }) {
    this.figures.forEach(({ things, halo, ring }, at) => {
      const chosen = selected && selected.picture === at && scene ? scene.pictures[at][selected.index] : null;
      [...things.children].forEach((element, index) =>
        element.setAttribute("aria-pressed", String(Boolean(chosen) && index === selected?.index)),
      );
      for (const circle of [halo, ring]) {
        circle.setAttribute("r", String(chosen ? radiusOf(chosen.size) * 1.3 : 0));
        if (!chosen) continue;
        circle.setAttribute("cx", String(chosen.x));
        circle.setAttribute("cy", String(chosen.y));
      }
    });
  }

  /** Puts the keyboard where the chosen thing is. */
  focus() {
    const { selected } = pairPage.state;
    const figure = selected && this.figures[selected.picture];
    const element = figure && /** @type {SVGElement | undefined} */ (figure.things.children[selected.index]);
    if (element) element.focus({ preventScroll: true });
  }

  /* -- dragging ----------------------------------------------------------------------------------------------- */

  /**
   * Where an event is in the picture it is over, or in `at` where it is over none: {picture, x, y}.
   *
   * @param {PointerEvent} event
   * @param {number} at
   */
  placeOf(event, at) {
    const boxes = this.figures.map(({ picture }) => picture.getBoundingClientRect());
    const over = boxes.findIndex(
      (box) =>
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom,
    );
    const picture = over < 0 ? at : over;
    const box = boxes[picture];
    return { picture, x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  }

  /**
   * @param {PointerEvent} event
   * @param {number} at
   */
  press(event, at) {
    const target = event.target instanceof Element ? event.target : null;
    const index = target && target.getAttribute("data-thing");
    if (!target || index === null) {
      pairPage.select(null);
      return;
    }
    if (event.button) return;
    event.preventDefault();
    if (target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
    const scene = /** @type {Scene} */ (pairPage.state.scene);
    const thing = scene.pictures[at][Number(index)];
    const place = this.placeOf(event, at);
    this.drag = {
      at: { picture: at, index: Number(index) },
      dx: thing.x - place.x,
      dy: thing.y - place.y,
      label: "drag " + Date.now(),
    };
    pairPage.select(this.drag.at);
    this.focus();
    this.host.dataset.dragging = "true";
    window.addEventListener("pointermove", this.onMove);
    window.addEventListener("pointerup", this.onUp);
    window.addEventListener("pointercancel", this.onUp);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag } = this;
    const { scene } = pairPage.state;
    if (!drag || !scene) return;
    const place = this.placeOf(event, drag.at.picture);
    let next = scene;
    if (place.picture !== drag.at.picture && scene.pictures[place.picture].length < vocabulary().most) {
      next = carry(next, drag.at, place.picture, radiusOf);
      drag.at = { picture: place.picture, index: next.pictures[place.picture].length - 1 };
    } else if (place.picture !== drag.at.picture) return;
    next = change(next, drag.at, { x: place.x + drag.dx, y: place.y + drag.dy }, radiusOf);
    pairPage.edit(next, drag.at, drag.label);
  }

  drop() {
    this.drag = null;
    delete this.host.dataset.dragging;
    window.removeEventListener("pointermove", this.onMove);
    window.removeEventListener("pointerup", this.onUp);
    window.removeEventListener("pointercancel", this.onUp);
  }

  /* -- keys --------------------------------------------------------------------------------------------------- */

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { scene, selected } = pairPage.state;
    if (!scene) return;
    const act = this.actOf(event, scene, selected);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Scene} scene
   * @param {ThingPlace | null} selected
   * @returns {(() => void) | null}
   */
  actOf(event, scene, selected) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") return () => pairPage.undo();
    if (!selected || !(event.target instanceof SVGElement)) return null;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "d") return () => pairTools.duplicate();
    if (event.ctrlKey || event.metaKey) return null;
    if (ARROWS[event.key]) {
      const by = event.shiftKey ? LEAP : event.altKey ? NUDGE : STEP;
      const [dx, dy] = ARROWS[event.key];
      const { x, y } = scene.pictures[selected.picture][selected.index];
      const label = "keys " + selected.picture + " " + selected.index;
      return () =>
        pairPage.edit(change(scene, selected, { x: x + dx * by, y: y + dy * by }, radiusOf), selected, label, TOGETHER);
    }
    if (event.key === "Delete" || event.key === "Backspace") return () => pairTools.remove();
    if (event.key === "PageUp" || event.key === "PageDown") {
      const picture =
        (selected.picture + (event.key === "PageUp" ? scene.pictures.length - 1 : 1)) % scene.pictures.length;
      if (scene.pictures[picture].length >= vocabulary().most) return () => {};
      const next = carry(scene, selected, picture, radiusOf);
      return () => {
        pairPage.edit(next, { picture, index: next.pictures[picture].length - 1 });
        this.focus();
      };
    }
    if (event.key === "Escape") return () => pairPage.select(null);
    return null;
  }
}

/** @param {Refusal | null} problem */
function failure(problem) {
  const again = build("button", { type: "button", class: "button", onclick: () => pairPage.follow() }, "Try again");
  return build(
    "div",
    { class: "message", role: "alert" },
    build("p", { class: "message-title" }, problem?.title || "No pictures"),
    build("p", { class: "message-detail" }, problem?.message),
    again,
  );
}

/**
 * @param {string[]} sources
 * @param {number} count
 * @param {(at: number) => string} alt
 */
const picturesOf = (sources, count, alt) =>
  sources.map((src, at) =>
    build(
      "figure",
      { class: "pair-figure" },
      build("img", { class: "pair-picture pixels", src, alt: alt(at), draggable: "false" }),
      build("figcaption", {}, titleOf(at, count)),
    ),
  );

/**
 * Pictures of somebody's own, or of a set without scenes: what they show is not known, so they cannot be edited.
 *
 * @param {PairState} state
 */
function ownPictures({ samples, base }) {
  const sources = samples
    ? samples.map((id) => api.BASE + "/samples/" + encodeURIComponent(id) + "/image")
    : (base?.pictures ?? []);
  return picturesOf(sources, sources.length, (at) => titleOf(at, sources.length) + ", a photograph or drawing");
}

/**
 * The pictures pixel by pixel.
 *
 * @param {PairState} state
 * @param {Scene} scene
 */
function seenPictures(state, scene) {
  /** @param {number} at */
  const alt = (at) => titleOf(at, scene.pictures.length) + ": " + contents(scene.pictures[at]);
  const sources =
    state.base && !state.edited ? state.base.pictures : scene.pictures.map((things) => pairPixels.href(things));
  return picturesOf(sources, sources.length, alt);
}

/** @type {Editor | null} */
let editor = null;

registerWidget("pair-pictures", (host) => {
  editor = new Editor(host);
  const mine = editor;
  return () => {
    mine.dispose();
    if (editor === mine) editor = null;
  };
});

/** What was done, for those who do not see it. */
registerWidget("pair-said", (host) =>
  pairPage.subscribe(({ scene, selected }, names) => {
    if (!names.has("selected")) return;
    const thing = pairScene.thingAt(scene, selected);
    host.textContent = thing ? wordsOf(thing) + " chosen. " + KEYS : "";
  }),
);

pairTools.onDone(() => editor && editor.focus());
