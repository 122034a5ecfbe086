/* The pair of pictures to work on: things are chosen with a click or the tab key, moved by dragging or with the arrow keys,
   also from one picture to the other, and taken away with Delete; tools beside them do the same. */
import * as api from "rs/lib/api.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import { Upload } from "rs/pages/circuits/pair/gallery.js";
import * as pairPixels from "rs/pages/circuits/pair/pixels.js";
import * as pairScene from "rs/pages/circuits/pair/scene.js";
import { TITLES, carry, change, contents, placeOf, wordsOf } from "rs/pages/circuits/pair/scene.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import { state } from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import { Ground, Symbol, colourOf, pathOf, placed, radiusOf, vocabulary } from "rs/pages/circuits/pair/svg.js";
import { info, state as page } from "rs/pages/circuits/state.js";
import { Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { moveWithArrows } from "rs/parts/unit_grid.js";
import { signal, useEffect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Item, Panel as Written, Scene as Drawn } from "rs/draw/types.d.ts" */
/** @import { Scene, Thing, ThingPlace } from "rs/pages/circuits/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

const [STEP, LEAP, NUDGE] = [0.02, 0.1, 0.005]; // of a picture: an arrow key, with Shift, with Alt
const TOGETHER = 700; // milliseconds between keys that are undone together
const OFFSET = 0.09; // where a duplicate lies from its original
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KEYS =
  "Arrow keys move it, with Shift farther, with Alt less; Page Up and Page Down change the picture; Delete takes it away.";

/** @typedef {Pick<Thing, "shape" | "colour" | "size">} Kind */
const next = signal(/** @type {Kind} */ ({ shape: "circle", colour: "red", size: "large" })); // thing that is added
let focuses = false; // whether the keyboard goes to the chosen thing once it is drawn

const chosenThing = () => pairScene.thingAt(state.scene, state.selected);

/* -- tools ---------------------------------------------------------------------------------------------------- */

/** @param {Scene} scene @param {number} picture */
const room = (scene, picture) => scene.pictures[picture].length < vocabulary().most;

/** Shows a changed scene, and puts the keyboard where the chosen thing is. @param {Scene} scene @param {ThingPlace | null} selected */
function show(scene, selected) {
  focuses = true;
  pairPage.edit(scene, selected);
}

/** Adds a thing to a picture, where it has room. @param {number} picture @param {(scene: Scene) => Thing} make */
function addThing(picture, make) {
  const { scene } = state;
  if (!scene) return;
  if (!room(scene, picture)) {
    const detail = "A picture has up to " + vocabulary().most + " things: take one away first.";
    api.notify("The picture is full", detail, "good");
    return;
  }
  const changed = pairScene.add(scene, picture, make(scene));
  show(changed, { picture, index: changed.pictures[picture].length - 1 });
}

/** Adds a thing where the picture is emptiest. @param {number} picture */
const add = (picture) =>
  addThing(picture, ({ pictures }) => ({
    ...next.value,
    ...pairScene.emptiest(pictures[picture], next.value.size),
  }));

function duplicate() {
  const [thing, { selected }] = [chosenThing(), state];
  if (!thing || !selected) return;
  const by = (/** @type {number} */ value) => value + (value > 0.7 ? -OFFSET : OFFSET);
  addThing(selected.picture, () => ({ ...thing, x: by(thing.x), y: by(thing.y) }));
}

/** Takes the chosen thing away; the one before it is chosen then, so that the keyboard does not lose its place. */
function remove() {
  const { scene, selected } = state;
  if (!scene || !selected || !chosenThing()) return;
  const changed = pairScene.remove(scene, selected);
  const left = changed.pictures[selected.picture].length;
  show(changed, left ? { ...selected, index: Math.min(selected.index, left - 1) } : null);
}

function swap() {
  const { scene, samples, selected } = state;
  if (samples) pairPage.takeSamples([...samples].reverse());
  else if (scene) {
    pairPage.edit(pairScene.swap(scene), selected && { ...selected, picture: 1 - selected.picture });
  }
}

/** Gives the chosen thing, and the next one that is added, another shape, colour or size. @param {Partial<Kind>} changes */
function give(changes) {
  next.value = { ...next.value, ...changes };
  const { scene, selected } = state;
  if (scene && selected && chosenThing()) pairPage.edit(change(scene, selected, changes), selected);
  else pairPage.select(null);
}

function Tools() {
  const { scene, past } = state;
  const none = !chosenThing();
  /** @param {string} id @param {string} words @param {string} title @param {() => void} act @param {{hidden?: boolean, wait?: boolean}} [now] */
  const tool = (id, words, title, act, now) =>
    html`<${Tool} id=${"pair-" + id} title=${title} act=${act} ...${now}>${words}<//>`;
  const [hidden, full] = [!scene, (/** @type {number} */ picture) => Boolean(scene && !room(scene, picture))];
  return html`<div class="pair-tools">
    ${tool("add-left", "Add left", "Add a thing to the left picture", () => add(0), { hidden, wait: full(0) })}
    ${tool("add-right", "Add right", "Add a thing to the right picture", () => add(1), { hidden, wait: full(1) })}
    ${tool("duplicate", "Duplicate", "Duplicate the chosen thing (Ctrl+D)", duplicate, { hidden, wait: none })}
    ${tool("delete", "Delete", "Take the chosen thing away (Delete)", remove, { hidden, wait: none })}
    ${tool("undo", "Undo", "Take the last change back (Ctrl+Z)", pairPage.undo, { hidden, wait: !past.length })}
    ${tool("swap", "Swap pictures", "Left becomes right and right left", swap)}
    ${tool("reset", "As it was", "Back to the pictures of the statement", pairPage.reset, { hidden: !pairPage.edited() })}
  </div>`;
}

/** Shape, colour and size of the chosen thing, or of the next one where none is chosen. */
function Palette() {
  const { outlines, colours, sizes } = vocabulary();
  const kind = chosenThing() || next.value;
  const largest = Math.max(...sizes.values());
  /** @param {keyof Kind} name @param {string} value @param {VNode} inside */
  const swatch = (name, value, inside) =>
    html`<button
      key=${value}
      type="button"
      class="pair-swatch"
      title=${value}
      aria-label=${value}
      aria-pressed=${kind[name] === value}
      onClick=${() => give({ [name]: value })}
      ...${{ ["data-" + name]: value }}
    >
      ${inside}
    </button>`;
  /** @param {string} name @param {VNode[]} buttons */
  const group = (name, buttons) =>
    html`<div class="control">
      <span class="control-name">${name}</span>
      <div class="pair-swatches" role="group" aria-label=${name} onKeyDown=${moveWithArrows}>${buttons}</div>
    </div>`;
  const dot = (/** @type {string} */ background) => html`<span class="pair-dot" style=${{ background }} />`;
  const disc = (/** @type {number} */ radius) => {
    const side = Math.round(6 + (12 * radius) / largest) + "px";
    return html`<span class="pair-size" style=${{ width: side, height: side }} />`;
  };
  return html`<div class="pair-palette">
    ${group("Shape", [...outlines.keys()].map((shape) => swatch("shape", shape, html`<${Symbol} shape=${shape} />`)))}
    ${group("Colour", [...colours].map(([name, hex]) => swatch("colour", name, dot(hex))))}
    ${group("Size", [...sizes].map(([name, radius]) => swatch("size", name, disc(radius))))}
    <span class="hint" id="pair-palette-of">
      ${chosenThing() ? "of the chosen thing" : "of the next thing that is added"}
    </span>
  </div>`;
} // prettier-ignore

/* -- dragging ------------------------------------------------------------------------------------------------- */

/** @type {{host: HTMLElement, at: ThingPlace, dx: number, dy: number, label: string} | null} */
let drag = null;

/**
 * Where an event is in the picture it is over, or in `at` where it is over none: {picture, x, y}.
 *
 * @param {HTMLElement} host
 * @param {PointerEvent} event
 * @param {number} at
 */
function pointed(host, { clientX, clientY }, at) {
  const boxes = [...host.children].map((figure) => /** @type {Element} */ (figure.firstElementChild).getBoundingClientRect()); // prettier-ignore
  const over = boxes.findIndex(
    ({ left, right, top, bottom }) => clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
  );
  const picture = over < 0 ? at : over;
  const box = boxes[picture];
  return { picture, x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
}

/** @param {PointerEvent} event @param {number} picture */
function press(event, picture) {
  const target = /** @type {SVGElement} */ (event.target);
  const index = target.getAttribute("data-thing");
  const [{ scene }, host] = [state, /** @type {HTMLElement | null} */ (target.closest(".pair-pictures"))];
  if (index === null || !scene || !host) {
    pairPage.select(null);
    return;
  }
  if (event.button) return;
  event.preventDefault();
  if (target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
  const at = { picture, index: Number(index) };
  const [thing, place] = [scene.pictures[picture][at.index], pointed(host, event, picture)];
  drag = { host, at, dx: thing.x - place.x, dy: thing.y - place.y, label: "drag " + Date.now() };
  pairPage.select(at);
  target.focus({ preventScroll: true });
  host.dataset.dragging = "true";
  window.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, drop);
}

/** @param {PointerEvent} event */
function move(event) {
  const { scene } = state;
  if (!drag || !scene) return;
  const { picture, x, y } = pointed(drag.host, event, drag.at.picture);
  let changed = scene;
  if (picture !== drag.at.picture) {
    if (!room(scene, picture)) return;
    changed = carry(scene, drag.at, picture);
    drag.at = { picture, index: changed.pictures[picture].length - 1 };
  }
  pairPage.edit(pairScene.move(changed, drag.at, x + drag.dx, y + drag.dy), drag.at, drag.label);
}

function drop() {
  if (drag) delete drag.host.dataset.dragging;
  drag = null;
  window.removeEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, drop);
}

/* -- keys ----------------------------------------------------------------------------------------------------- */

/** What a key does; null: nothing. @param {KeyboardEvent} event @returns {(() => void) | null} */
function actOf(event) {
  const { scene, selected } = state;
  const [command, letter] = [event.ctrlKey || event.metaKey, event.key.toLowerCase()];
  if (command && letter === "z") return pairPage.undo;
  if (!scene || !selected || !(event.target instanceof SVGElement)) return null;
  if (command) return letter === "d" ? duplicate : null;
  if (ARROWS[event.key]) {
    const by = event.shiftKey ? LEAP : event.altKey ? NUDGE : STEP;
    const [dx, dy] = ARROWS[event.key];
    const { x, y } = scene.pictures[selected.picture][selected.index];
    const label = "keys " + selected.picture + " " + selected.index;
    const moved = pairScene.move(scene, selected, x + dx * by, y + dy * by);
    return () => pairPage.edit(moved, selected, label, TOGETHER);
  }
  if (event.key === "Delete" || event.key === "Backspace") return remove;
  if (event.key === "PageUp" || event.key === "PageDown") {
    const picture = 1 - selected.picture;
    if (!room(scene, picture)) return () => {};
    const carried = carry(scene, selected, picture);
    return () => show(carried, { picture, index: carried.pictures[picture].length - 1 });
  }
  return event.key === "Escape" ? () => pairPage.select(null) : null;
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const act = state.scene && actOf(event);
  if (!act) return;
  event.preventDefault();
  act();
}

/* -- the pictures --------------------------------------------------------------------------------------------- */

/** One of the pictures, whose things can be moved. @param {{things: Thing[], at: number}} props */
function Editable({ things, at }) {
  const { selected } = state;
  const place = useRef(/** @type {SVGGElement | null} */ (null));
  const index = selected?.picture === at ? selected.index : -1;
  const chosen = things[index];
  useLayoutEffect(() => {
    if (!focuses || !chosen) return;
    focuses = false;
    /** @type {SVGElement | undefined} */ (place.current?.children[index])?.focus({ preventScroll: true });
  });
  const circle = { cx: chosen?.x, cy: chosen?.y, r: chosen ? radiusOf(chosen.size) * 1.3 : 0 };
  const title = TITLES[at];
  return html`<figure class="pair-figure">
    <svg
      viewBox="0 0 1 1"
      class="pair-picture"
      role="group"
      data-picture=${at}
      aria-label=${title + ": " + contents(things)}
      onPointerDown=${(/** @type {PointerEvent} */ event) => press(event, at)}
    >
      <${Ground} />
      <g ref=${place}>
        ${things.map(
          (thing, each) =>
            html`<path
              key=${each}
              class="pair-thing"
              tabindex="0"
              role="button"
              data-thing=${each}
              d=${pathOf(thing.shape)}
              fill=${colourOf(thing.colour)}
              transform=${placed(thing)}
              aria-label=${wordsOf(thing) + ", " + placeOf(thing)}
              aria-pressed=${String(each === index)}
              onFocus=${() => pairPage.select({ picture: at, index: each })}
            />`,
        )}
      </g>
      <circle class="pair-halo" ...${circle} />
      <circle class="pair-ring" ...${circle} />
    </svg>
    <figcaption>${title + ", " + things.length + (things.length === 1 ? " thing" : " things")}</figcaption>
  </figure>`;
}

/** A picture of pixels. @param {{source: string, alt: string, title: string}} props */
const Pixels = ({ source, alt, title }) =>
  html`<figure class="pair-figure">
    <img class="pair-picture pixels" src=${source} alt=${alt} draggable=${false} />
    <figcaption>${title}</figcaption>
  </figure>`;

function Pictures() {
  const { status, problem, scene, seen, base } = state;
  useEffect(() => drop, []);
  if (status === "failed")
    return html`<div class="message" role="alert">
      ${message(problem?.title || "No pictures", problem?.message, { words: "Try again", act: () => void pairPage.show() })}
    </div>`;
  if (status !== "ready") return html`<div class="skeleton pair-skeleton" aria-hidden="true"></div>`;
  if (scene && !seen) return scene.pictures.map((things, at) => html`<${Editable} key=${at} ...${{ things, at }} />`);
  // What pictures without a scene show is not known, so they cannot be edited.
  const sources = scene && (pairPage.edited() || !base) ? scene.pictures.map(pairPixels.href) : pairPage.addresses();
  return sources.map((source, at) => {
    const title = TITLES[at];
    const alt = title + (scene ? ": " + contents(scene.pictures[at]) : ", a photograph or drawing");
    return html`<${Pixels} key=${at} ...${{ source, alt, title }} />`;
  });
}

/** What the pictures are. */
function aboutPair() {
  const { status, base, samples, scene } = state;
  if (status !== "ready") return "";
  if (samples) return "Your own pictures: they cannot be edited, and the truth of a sentence about them is not known.";
  if (base && pairPage.edited()) return "Edited from statement " + base.id + ".";
  if (base && !scene) return "Pictures of statement " + base.id + ": photographs, which cannot be edited.";
  return base ? "Pictures of statement " + base.id + ", not edited." : "Your own scene.";
}

/** The chosen thing, for those who do not see it. */
function Chosen() {
  const thing = chosenThing();
  return html`<p class="hidden-visually" aria-live="polite">${thing && wordsOf(thing) + " chosen. " + KEYS}</p>`;
}

/* -- files ---------------------------------------------------------------------------------------------------- */

const [SIDE, GAP, HEAD] = [320, 16, 22];

/** The pair as a picture for files. @param {Scene} shown @param {number} [width] @returns {Drawn} */
export function sceneOf(shown, width) {
  const theme = readTheme();
  const side = width ? (width - GAP) / 2 : SIDE;
  const items = shown.pictures.flatMap((things, at) => {
    const x = at * (side + GAP);
    /** @type {Item} */
    const title = { shape: "text", x, y: 14, text: TITLES[at], size: 12, fill: theme.dim };
    return [title, ...pairSvg.items(things, x, HEAD, side)];
  });
  const size = { width: 2 * side + GAP, height: HEAD + side };
  return { ...size, background: theme.surface, title: "The pair of pictures", desc: pairScene.said(shown), items };
}

/** A row a thing. @param {Scene} scene */
function rowsOf({ pictures }) {
  const rows = pictures.flatMap((things, at) =>
    things.map(({ shape, colour, size, x, y }) => [pairScene.NAMES[at], shape, colour, size, x, y]),
  );
  return [["picture", "shape", "colour", "size", "x", "y"], ...rows];
}

/** @returns {Written | null} */
function written() {
  const { scene, base } = state;
  return (
    scene && {
      name: "pictures",
      caption: "The pictures that the statements are about.", // the line on the page says how they are changed
      facts: {
        model: page.model,
        revision: info()?.revision ?? null,
        statement: base?.id ?? null,
        sentence: base?.sentence ?? null,
        label: base && !pairPage.edited() ? base.label : null,
        edited: pairPage.edited(),
      },
      rows: () => rowsOf(scene),
      json: () => ({ scene }),
      python: { figure: "pictures", scene: { pictures: scene.pictures } },
      picture: { scene: (width) => sceneOf(scene, width) },
    }
  );
}

export function EditorPanel() {
  const { status, scene, seen } = state;
  const ready = status === "ready";
  return html`<${Panel}
    id="pair-pictures"
    title="Pictures"
    look="panel-pair-pictures"
    reads="Drag a thing or move it with the arrow keys. Recolour, reshape, add and delete things below. The model answers each change at once."
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <div class="pair-head">
      <span class="hint" id="pair-of" role="status">${aboutPair()}</span>
      <div class="pair-head-tools">
        <label class="pair-check" title="Pixel by pixel, at the side that it takes" hidden=${!scene}>
          <input
            type="checkbox"
            id="pair-seen"
            checked=${seen}
            onChange=${(/** @type {Event & {currentTarget: HTMLInputElement}} */ { currentTarget }) =>
              pairPage.look(currentTarget.checked)}
          />as the network sees it
        </label>
        <${Tool} id="pair-empty" title="Start from two empty pictures" act=${pairPage.empty}>Empty pair<//>
      </div>
    </div>
    <div class="pair-pictures" data-status=${status} onKeyDown=${onKey}><${Pictures} /></div>
    ${ready && html`<${Tools} />`} ${ready && scene && html`<${Palette} />`}
    <${Upload} /><${Chosen} />
  <//>`;
}
