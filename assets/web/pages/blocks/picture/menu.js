/* What can be changed about one block: its gate, and of each source whether it is muted or copied. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";

/** @import { Block, Source } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/** @type {[number | null, string][]} */
const GATES = [
  [null, "free"],
  [0, "0 copied"],
  [0.5, "0.5"],
  [1, "1 computed"],
];
const WIDTH = 292;
const BELOW = 70; // pixels that it may reach below the picture
/** @type {HTMLElement | null} */
let host = null;
/** @type {{view: BlockView, block: Block, source: number | undefined, name: string, back: () => void} | null} */
let shown = null;

const page = () => blocksState;

export function close() {
  if (!host || host.hidden) return;
  const inside = host.contains(document.activeElement);
  host.hidden = true;
  host.replaceChildren();
  const back = shown && shown.back;
  shown = null;
  if (inside && back) back();
}

/**
 * Opens beside a place of the picture; `source` is the route that was clicked, if one was.
 *
 * @param {BlockView} view
 * @param {Block} block
 * @param {number | undefined} source
 * @param {number} x
 * @param {number} y
 * @param {() => void} back
 */
export function open(view, block, source, x, y, back) {
  const place = host && host.parentElement;
  if (!host || !place) return;
  shown = { view, block, source, name: view.name(block), back };
  host.hidden = false;
  fill();
  const at = x - (place.querySelector(".block-scroll")?.scrollLeft ?? 0);
  host.style.left = Math.max(4, Math.min(at + 10, place.clientWidth - WIDTH - 8)) + "px";
  host.style.top = Math.max(4, Math.min(y + 8, place.clientHeight + BELOW - host.offsetHeight)) + "px";
  /** @type {HTMLElement | null} */
  const first = host.querySelector('[data-clicked="true"] button') || host.querySelector(".segments button");
  first?.focus({ preventScroll: true });
}

/** @param {string} block */
function gateButtons(block) {
  const { gates, copy_routes: copies } = page().get();
  const copied = copies.some((route) => route.endsWith(">" + block));
  const now = block in gates ? gates[block] : null;
  return GATES.map(([value, said]) =>
    build(
      "button",
      {
        type: "button",
        class: "segment",
        "aria-pressed": String(value === now && !copied),
        "data-gate": String(value),
        onclick: () => page().setGate(block, value),
      },
      said,
    ),
  );
}

/**
 * @param {Source} source
 * @param {string} block
 * @param {boolean} clicked
 */
function sourceRow({ name, weight }, block, clicked) {
  const { mute_routes: muted, copy_routes: copies } = page().get();
  const route = page().route(name, block);
  /**
   * @param {string} words
   * @param {boolean} pressed
   * @param {string} label
   * @param {() => void} act
   */
  const toggle = (words, pressed, label, act) =>
    build(
      "button",
      { type: "button", class: "segment", "aria-pressed": String(pressed), "aria-label": label, onclick: act },
      words,
    );
  const filled = build("span", {});
  filled.style.width = 100 * weight + "%";
  const bar = build("span", { class: "blocks-menu-bar", "aria-hidden": "true" }, filled);
  return build(
    "div",
    { class: "blocks-menu-row", "data-route": route, "data-clicked": String(clicked) },
    build("span", { class: "blocks-menu-name" }, name),
    bar,
    build("span", { class: "blocks-menu-value" }, weight.toFixed(2)),
    toggle("mute", muted.includes(route), "Mute " + route, () => page().toggleMute(name, block)),
    toggle("copy", copies.includes(route), "Make " + block + " a copy of " + name, () =>
      page().toggleCopy(name, block),
    ),
  );
}

function fill() {
  if (!host || !shown) return;
  const { view, block, source, name } = shown;
  const had = document.activeElement instanceof Element && host.contains(document.activeElement) ? labelOf(document.activeElement) : null; // prettier-ignore
  const { sources, gate } = view.shares(block);
  const order = [...sources].sort((a, b) => b.weight - a.weight);
  host.replaceChildren(
    build(
      "div",
      { class: "blocks-menu-head" },
      build("strong", { id: "blocks-menu-title" }, "Block " + name),
      build("span", { class: "control-name" }, "gate " + gate.toFixed(2)),
      build("button", { type: "button", class: "tool", "aria-label": "Close", onclick: close }, "\u00d7"),
    ),
    build("div", { class: "segments", role: "group", "aria-label": "Gate of " + name }, ...gateButtons(name)),
    build("div", { class: "blocks-menu-rows" }, ...order.map((each) => sourceRow(each, name, each.source === source))),
  );
  if (had)
    [...host.querySelectorAll("button")].find((button) => labelOf(button) === had)?.focus({ preventScroll: true });
}

/** @param {Element} element */
const labelOf = (element) => element.getAttribute("aria-label") || element.textContent;

registerWidget("blocks-menu", (element) => {
  host = element;
  host.setAttribute("role", "dialog");
  host.setAttribute("aria-labelledby", "blocks-menu-title");
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  };
  /** @param {PointerEvent} event */
  const onPointer = (event) => {
    if (shown && event.target instanceof Element && !element.contains(event.target) && event.target.id !== "block-picture") close(); // prettier-ignore
  };
  host.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", onPointer);
  const ends = [
    page().subscribe((_, names) => {
      if (shown && ["mute_routes", "copy_routes", "gates"].some((name) => names.has(name))) fill();
      if (names.has("model") || names.has("task")) close();
    }),
    blocksRun.subscribe(({ view }, names) => {
      if (!shown || !names.has("view") || !view) return;
      if (!view.steps[view.place(shown.block.t, shown.block.level)]) close();
      else {
        shown.view = view;
        fill();
      }
    }),
  ];
  return () => {
    document.removeEventListener("pointerdown", onPointer);
    ends.forEach((end) => end());
    host = shown = null;
  };
});
