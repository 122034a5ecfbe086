/* What can be changed about one block: its gate, and of each source whether it is muted or copied. */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { together } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
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
/** @type {{block: Block, back: () => void, end: Disposer} | null} */
let shown = null;

const page = () => blocksState;

export function close() {
  if (!host || !shown) return;
  const inside = host.contains(document.activeElement);
  const { back, end } = shown;
  shown = null;
  host.hidden = true;
  end();
  if (inside) back();
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
  host.hidden = false;
  let seen = view; // until another run has come
  const end = show(host, () => {
    seen = blocksRun.get().view || seen;
    return html`<${Menu} view=${seen} block=${block} clicked=${source} />`;
  });
  shown = { block, back, end };
  const at = x - (place.querySelector(".block-scroll")?.scrollLeft ?? 0);
  host.style.left = Math.max(4, Math.min(at + 10, place.clientWidth - WIDTH - 8)) + "px";
  host.style.top = Math.max(4, Math.min(y + 8, place.clientHeight + BELOW - host.offsetHeight)) + "px";
  /** @type {HTMLElement | null} */
  const first = host.querySelector('[data-clicked="true"] button') || host.querySelector(".segments button");
  first?.focus({ preventScroll: true });
}

/** @param {{view: BlockView, block: Block, clicked: number | undefined}} props */
function Menu({ view, block, clicked }) {
  const rows = useRef(/** @type {HTMLElement | null} */ (null));
  const had = document.activeElement;
  // A row that moves takes the focus along in some browsers only.
  useLayoutEffect(() => {
    if (had instanceof HTMLElement && rows.current?.contains(had)) had.focus({ preventScroll: true });
  });
  const { sources, gate } = view.shares(block);
  const name = view.name(block);
  const order = [...sources].sort((a, b) => b.weight - a.weight);
  return html`<div class="blocks-menu-head">
      <strong id="blocks-menu-title">${"Block " + name}</strong>
      <span class="control-name">${"gate " + gate.toFixed(2)}</span>
      <button type="button" class="tool" aria-label="Close" onClick=${close}>×</button>
    </div>
    <div class="segments" role="group" aria-label=${"Gate of " + name}>${gateButtons(name)}</div>
    <div ref=${rows} class="blocks-menu-rows">
      ${order.map((each) => sourceRow(each, name, each.source === clicked))}
    </div>`;
}

/**
 * @param {string} words
 * @param {boolean} pressed
 * @param {() => void} act
 * @param {Record<string, unknown>} more
 */
const segment = (words, pressed, act, more) =>
  html`<button type="button" class="segment" aria-pressed=${String(pressed)} onClick=${act} ...${more}>
    ${words}
  </button>`;

/** @param {string} block */
function gateButtons(block) {
  const { gates, copy_routes: copies } = page().get();
  const copied = copies.some((route) => route.endsWith(">" + block));
  const now = block in gates ? gates[block] : null;
  return GATES.map(([value, said]) =>
    segment(said, value === now && !copied, () => page().setGate(block, value), { "data-gate": String(value) }),
  );
}

/**
 * @param {Source} source
 * @param {string} block
 * @param {boolean} clicked
 */
function sourceRow({ name, weight }, block, clicked) {
  const { toggleMute, toggleCopy } = page();
  const { mute_routes: muted, copy_routes: copies } = page().get();
  const route = page().route(name, block);
  const mute = { "aria-label": "Mute " + route };
  const copy = { "aria-label": "Make " + block + " a copy of " + name };
  return html`<div key=${route} class="blocks-menu-row" data-route=${route} data-clicked=${String(clicked)}>
    <span class="blocks-menu-name">${name}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{ width: 100 * weight + "%" }}></span></span>
    <span class="blocks-menu-value">${weight.toFixed(2)}</span>
    ${segment("mute", muted.includes(route), () => toggleMute(name, block), mute)}
    ${segment("copy", copies.includes(route), () => toggleCopy(name, block), copy)}
  </div>`;
}

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
    if (event.target instanceof Element && !element.contains(event.target) && event.target.id !== "block-picture") close(); // prettier-ignore
  };
  host.addEventListener("keydown", onKey);
  document.addEventListener("pointerdown", onPointer);
  return together(
    page().subscribe((_, names) => {
      if (names.has("model") || names.has("task")) close();
    }),
    blocksRun.subscribe(({ view }) => {
      if (shown && view && !view.steps[view.place(shown.block.t, shown.block.level)]) close();
    }),
    () => {
      document.removeEventListener("pointerdown", onPointer);
      shown?.end();
      host = shown = null;
    },
  );
});
