/* The tools beside the pair of pictures: add, duplicate, delete, undo, swap; shape, colour and size of the chosen thing, or
   of the next one where none is chosen; and how the network gets the pictures. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import { radiusOf, symbol, vocabulary } from "rs/pages/circuits/pair/svg.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { PairState, Scene, Thing } from "rs/pages/circuits/types.d.ts" */

const OFFSET = 0.09; // where a duplicate lies from its original
/** @type {() => void} */
let done = () => {}; // what is called after a tool was used
/** @type {Pick<Thing, "shape" | "colour" | "size">} */
let next = { shape: "circle", colour: "red", size: "large" };

const chosenThing = () => pairScene.thingAt(pairPage.state.scene, pairPage.state.selected);
/**
 * @param {Scene} scene
 * @param {number} picture
 */
const room = (scene, picture) => scene.pictures[picture].length < vocabulary().most;

function full() {
  const { most } = vocabulary();
  api.notify("The picture is full", "A picture has up to " + most + " things: take one away first.", "good");
}

/**
 * Adds a thing where the picture is emptiest.
 *
 * @param {number} picture
 */
export function add(picture) {
  const { scene } = pairPage.state;
  if (!scene) return;
  if (!room(scene, picture)) {
    full();
    return;
  }
  const place = pairScene.emptiest(scene.pictures[picture], next.size, radiusOf);
  const changed = pairScene.add(scene, picture, { ...next, ...place }, radiusOf);
  pairPage.edit(changed, { picture, index: changed.pictures[picture].length - 1 });
  done();
}

export function duplicate() {
  const { scene, selected } = pairPage.state;
  const thing = chosenThing();
  if (!scene || !selected || !thing) return;
  const { picture } = selected;
  if (!room(scene, picture)) {
    full();
    return;
  }
  /** @param {number} value */
  const by = (value) => (value > 0.7 ? -OFFSET : OFFSET);
  const copy = { ...thing, x: thing.x + by(thing.x), y: thing.y + by(thing.y) };
  const changed = pairScene.add(scene, picture, copy, radiusOf);
  pairPage.edit(changed, { picture, index: changed.pictures[picture].length - 1 });
  done();
}

/** Takes the chosen thing away; the one before it is chosen then, so that the keyboard does not lose its place. */
export function remove() {
  const { scene, selected } = pairPage.state;
  if (!scene || !selected || !chosenThing()) return;
  const changed = pairScene.remove(scene, selected);
  const left = changed.pictures[selected.picture].length;
  const at = left ? { picture: selected.picture, index: Math.min(selected.index, left - 1) } : null;
  pairPage.edit(changed, at);
  done();
}

export function swap() {
  const { scene, samples, selected } = pairPage.state;
  if (samples) pairPage.takeSamples([...samples].reverse());
  else if (scene)
    pairPage.edit(
      pairScene.swap(scene),
      selected && { ...selected, picture: scene.pictures.length - 1 - selected.picture },
    );
}

/**
 * Gives the chosen thing, and the next one that is added, another shape, colour or size.
 *
 * @param {Partial<Pick<Thing, "shape" | "colour" | "size">>} changes
 */
export function give(changes) {
  next = { ...next, ...changes };
  const { scene, selected } = pairPage.state;
  if (scene && selected && chosenThing()) pairPage.edit(pairScene.change(scene, selected, changes, radiusOf), selected);
  else pairPage.select(null);
  document.dispatchEvent(new CustomEvent("pair-next"));
}

/* -- the bar -------------------------------------------------------------------------------------------------- */

/**
 * @param {string} id
 * @param {string} words
 * @param {string} title
 * @param {() => void} act
 */
const tool = (id, words, title, act) =>
  build("button", { type: "button", class: "tool tool-text", id: "pair-" + id, title, onclick: act }, words);

registerWidget("pair-tools", (host) => {
  const tools = {
    left: tool("add-left", "Add left", "Add a thing to the left picture", () => add(0)),
    right: tool("add-right", "Add right", "Add a thing to the right picture", () => add(1)),
    duplicate: tool("duplicate", "Duplicate", "Duplicate the chosen thing (Ctrl+D)", duplicate),
    remove: tool("delete", "Delete", "Take the chosen thing away (Delete)", remove),
    undo: tool("undo", "Undo", "Take the last change back (Ctrl+Z)", () => pairPage.undo()),
    swap: tool("swap", "Swap pictures", "Left becomes right and right left", swap),
    reset: tool("reset", "As it was", "Back to the pictures of the statement", () => pairPage.reset()),
  };
  host.replaceChildren(...Object.values(tools));
  return pairPage.subscribe((state) => {
    const { scene } = state;
    const drawn = scene !== null && state.status === "ready";
    const thing = drawn && pairScene.thingAt(scene, state.selected);
    host.hidden = state.status !== "ready";
    tools.left.hidden = tools.right.hidden = tools.duplicate.hidden = tools.remove.hidden = tools.undo.hidden = !drawn;
    tools.left.disabled = drawn && !room(scene, 0);
    tools.right.disabled = drawn && !room(scene, 1);
    tools.duplicate.disabled = tools.remove.disabled = !thing;
    tools.undo.disabled = !state.undo;
    tools.reset.hidden = !state.edited;
  });
});

/* -- shape, colour, size -------------------------------------------------------------------------------------- */

/**
 * @param {string} name
 * @param {string} label
 * @param {HTMLElement[]} buttons
 */
function group(name, label, buttons) {
  const body = build("div", { class: "pair-swatches", role: "group", "aria-label": label }, ...buttons);
  body.addEventListener("keydown", units.moveWithArrows);
  return build("div", { class: "control" }, build("span", { class: "control-name" }, name), body);
}

/**
 * @param {"shape" | "colour" | "size"} name
 * @param {string} value
 * @param {string} words
 * @param {...(string | Node)} content
 */
function swatch(name, value, words, ...content) {
  const attributes = {
    type: "button",
    class: "pair-swatch",
    title: words,
    "aria-label": words,
    "aria-pressed": "false",
  };
  return build(
    "button",
    { ...attributes, ["data-" + name]: value, onclick: () => give({ [name]: value }) },
    ...content,
  );
}

/** @param {string} hex */
function colourDot(hex) {
  const dot = build("span", { class: "pair-dot" });
  dot.style.background = hex;
  return dot;
}

/** @param {number} share */
function sizeDot(share) {
  const dot = build("span", { class: "pair-size" });
  dot.style.width = dot.style.height = Math.round(6 + 12 * share) + "px";
  return dot;
}

registerWidget("pair-palette", (host) => {
  let filled = false;

  function fill() {
    const { shapes, colours, sizes } = vocabulary();
    const largest = Math.max(...sizes.values());
    host.replaceChildren(
      group(
        "Shape",
        "Shape",
        shapes.map((shape) => swatch("shape", shape, shape, symbol(shape))),
      ),
      group(
        "Colour",
        "Colour",
        [...colours].map(([name, hex]) => swatch("colour", name, name, colourDot(hex))),
      ),
      group(
        "Size",
        "Size",
        [...sizes].map(([name, radius]) => swatch("size", name, name, sizeDot(radius / largest))),
      ),
      build("span", { class: "hint", id: "pair-palette-of" }),
    );
    filled = true;
  }

  function mark() {
    const { scene, status } = pairPage.state;
    host.hidden = status !== "ready" || !scene;
    if (host.hidden) return;
    if (!filled) fill();
    const thing = chosenThing();
    const shown = thing || next;
    for (const name of /** @type {const} */ (["shape", "colour", "size"]))
      /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-" + name + "]")).forEach((button) =>
        button.setAttribute("aria-pressed", String(button.dataset[name] === shown[name])),
      );
    const words = /** @type {HTMLElement} */ (host.querySelector("#pair-palette-of"));
    words.textContent = thing ? "of the chosen thing" : "of the next thing that is added";
  }

  document.addEventListener("pair-next", mark);
  const end = pairPage.subscribe(mark);
  return () => {
    end();
    document.removeEventListener("pair-next", mark);
  };
});

/* -- what the pictures are ------------------------------------------------------------------------------------ */

/** @param {PairState} state */
function wordsOf({ status, base, samples, edited, scene }) {
  if (status !== "ready") return "";
  if (samples)
    return "Your own pictures. What they show is not known here, so they cannot be edited and nothing is said about the truth.";
  if (base && edited) return "Edited from statement " + base.id + ".";
  if (base && !scene) return "Pictures of statement " + base.id + ": photographs, which cannot be edited.";
  if (base) return "Pictures of statement " + base.id + ", as they were drawn.";
  return "A pair of your own making.";
}

registerWidget("pair-head", (host) => {
  const words = build("span", { class: "hint", id: "pair-of", role: "status" });
  const seen = build("input", { type: "checkbox", id: "pair-seen" });
  seen.addEventListener("change", () => pairPage.look(seen.checked));
  const label = build(
    "label",
    { class: "pair-check", title: "Pixel by pixel, at the side that it takes" },
    seen,
    "as the network sees it",
  );
  const fresh = tool("empty", "Empty pair", "Start from two empty pictures", () => pairPage.empty());
  host.replaceChildren(words, build("div", { class: "pair-head-tools" }, label, fresh));
  return pairPage.subscribe((state) => {
    words.textContent = wordsOf(state);
    label.hidden = !state.scene;
    seen.checked = state.seen;
  });
});

/**
 * Says what is called after a tool was used.
 *
 * @param {() => void} listener
 */
export function onDone(listener) {
  done = listener;
}
