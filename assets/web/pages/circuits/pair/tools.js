/* The tools beside the pair of pictures: add, duplicate, delete, undo, swap; shape, colour and size of the chosen thing, or
   of the next one where none is chosen; and how the network gets the pictures. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import { radiusOf, symbol, vocabulary } from "rs/pages/circuits/pair/svg.js";
import { drawn } from "rs/pages/circuits/views.js";
import * as units from "rs/parts/unit_grid.js";
import { effect, signal } from "rs/vendor/preact.js";

/** @import { PairState, Scene, Thing } from "rs/pages/circuits/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

const OFFSET = 0.09; // where a duplicate lies from its original
/** @type {() => void} */
let done = () => {}; // what is called after a tool was used
/** @typedef {Pick<Thing, "shape" | "colour" | "size">} Kind */
const next = signal(/** @type {Kind} */ ({ shape: "circle", colour: "red", size: "large" })); // thing that is added

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
  const place = pairScene.emptiest(scene.pictures[picture], next.value.size, radiusOf);
  const changed = pairScene.add(scene, picture, { ...next.value, ...place }, radiusOf);
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
 * @param {Partial<Kind>} changes
 */
function give(changes) {
  next.value = { ...next.value, ...changes };
  const { scene, selected } = pairPage.state;
  if (scene && selected && chosenThing()) pairPage.edit(pairScene.change(scene, selected, changes, radiusOf), selected);
  else pairPage.select(null);
}

/* -- the bar -------------------------------------------------------------------------------------------------- */

/**
 * @param {string} id
 * @param {string} words
 * @param {string} title
 * @param {() => void} act
 * @param {{hidden?: boolean, disabled?: boolean}} [now]
 */
const tool = (id, words, title, act, { hidden = false, disabled = false } = {}) =>
  html`<button
    type="button"
    class="tool tool-text"
    id=${"pair-" + id}
    title=${title}
    hidden=${hidden}
    disabled=${disabled}
    onClick=${act}
  >
    ${words}
  </button>`;

registerWidget("pair-tools", (host) => {
  const ends = [
    effect(() => {
      host.hidden = pairPage.state.status !== "ready";
    }),
    show(host, () => {
      const { scene, status, undo, edited } = pairPage.state;
      const hidden = status !== "ready" || !scene; // what pictures without a scene cannot have
      const none = hidden || !chosenThing();
      /** @param {number} picture */
      const taken = (picture) => !hidden && !room(scene, picture);
      return [
        tool("add-left", "Add left", "Add a thing to the left picture", () => add(0), { hidden, disabled: taken(0) }),
        tool("add-right", "Add right", "Add a thing to the right picture", () => add(1), {
          hidden,
          disabled: taken(1),
        }),
        tool("duplicate", "Duplicate", "Duplicate the chosen thing (Ctrl+D)", duplicate, { hidden, disabled: none }),
        tool("delete", "Delete", "Take the chosen thing away (Delete)", remove, { hidden, disabled: none }),
        tool("undo", "Undo", "Take the last change back (Ctrl+Z)", pairPage.undo, { hidden, disabled: !undo }),
        tool("swap", "Swap pictures", "Left becomes right and right left", swap),
        tool("reset", "As it was", "Back to the pictures of the statement", pairPage.reset, { hidden: !edited }),
      ];
    }),
  ];
  return () => ends.forEach((end) => end());
});

/* -- shape, colour, size -------------------------------------------------------------------------------------- */

/**
 * @param {keyof Kind} name
 * @param {string} value
 * @param {{ref?: (place: Element | null) => void, children?: VNode}} inside
 */
function swatch(name, value, inside) {
  const kind = chosenThing() || next.value;
  return html`<button
    key=${value}
    type="button"
    class="pair-swatch"
    title=${value}
    aria-label=${value}
    aria-pressed=${kind[name] === value}
    onClick=${() => give({ [name]: value })}
    ...${{ ["data-" + name]: value, ...inside }}
  />`;
}

/**
 * @param {string} look
 * @param {Record<string, string>} style
 */
const dot = (look, style) => ({ children: html`<span class=${look} style=${style} />` });

/**
 * @param {string} name
 * @param {VNode[]} buttons
 */
const group = (name, buttons) =>
  html`<div class="control">
    <span class="control-name">${name}</span>
    <div class="pair-swatches" role="group" aria-label=${name} onKeyDown=${units.moveWithArrows}>${buttons}</div>
  </div>`;

registerWidget("pair-palette", (host) => {
  const isThere = () => pairPage.state.status === "ready" && pairPage.state.scene !== null;
  const ends = [
    effect(() => {
      host.hidden = !isThere();
    }),
    show(host, () => {
      if (!isThere()) return null;
      const { shapes, colours, sizes } = vocabulary();
      const largest = Math.max(...sizes.values());
      /** @param {number} radius */
      const side = (radius) => Math.round(6 + (12 * radius) / largest) + "px";
      return [
        group(
          "Shape",
          shapes.map((shape) => swatch("shape", shape, { ref: drawn(() => [symbol(shape)]) })),
        ),
        group(
          "Colour",
          [...colours].map(([name, hex]) => swatch("colour", name, dot("pair-dot", { background: hex }))),
        ),
        group(
          "Size",
          [...sizes].map(([name, radius]) =>
            swatch("size", name, dot("pair-size", { width: side(radius), height: side(radius) })),
          ),
        ),
        html`<span class="hint" id="pair-palette-of">
          ${chosenThing() ? "of the chosen thing" : "of the next thing that is added"}
        </span>`,
      ];
    }),
  ];
  return () => ends.forEach((end) => end());
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

registerWidget("pair-head", (host) =>
  show(host, () => {
    /** @param {{currentTarget: HTMLInputElement}} event */
    const look = ({ currentTarget }) => pairPage.look(currentTarget.checked);
    const { scene, seen } = pairPage.state;
    return [
      html`<span class="hint" id="pair-of" role="status">${wordsOf(pairPage.state)}</span>`,
      html`<div class="pair-head-tools">
        <label class="pair-check" title="Pixel by pixel, at the side that it takes" hidden=${!scene}>
          <input type="checkbox" id="pair-seen" checked=${seen} onChange=${look} />as the network sees it
        </label>
        ${tool("empty", "Empty pair", "Start from two empty pictures", pairPage.empty)}
      </div>`,
    ];
  }),
);

/**
 * Says what is called after a tool was used.
 *
 * @param {() => void} listener
 */
export function onDone(listener) {
  done = listener;
}
