/* What can be changed about one block: its gate, and of each source whether it is muted or copied. */
import { html } from "rs/lib/view.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

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
/**
 * The block whose menu is open, the source of the clicked route, and the place of the click.
 *
 * @typedef {{block: Block, clicked: number | undefined, x: number, y: number, back: () => void}} Opened
 */
const opened = signal(/** @type {Opened | null} */ (null));

const page = () => blocksState;

export function close() {
  opened.value = null;
}

/** @param {Opened} menu */
export function open(menu) {
  opened.value = menu;
}

/** The menu at its place in the picture, while one is open. */
export function BlockMenu() {
  const { value: menu } = opened;
  const { view } = blocksRun.get();
  const at = menu && view && view.steps[view.place(menu.block.t, menu.block.level)] ? menu : null;
  const key = at && [at.block.t, at.block.level, at.block.index, at.clicked, at.x, at.y].join();
  return at && view && html`<${Dialog} key=${key} menu=${at} view=${view} />`;
}

/** @param {{menu: Opened, view: BlockView}} props */
function Dialog({ menu, view }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (host.current);
    const place = /** @type {HTMLElement} */ (element.parentElement);
    const left = menu.x - (place.querySelector(".block-scroll")?.scrollLeft ?? 0) + 10;
    element.style.left = Math.max(4, Math.min(left, place.clientWidth - WIDTH - 8)) + "px";
    element.style.top = Math.max(4, Math.min(menu.y + 8, place.clientHeight + BELOW - element.offsetHeight)) + "px";
    /** @type {HTMLElement | null} */
    const first = element.querySelector('[data-clicked="true"] button') || element.querySelector(".segments button");
    first?.focus({ preventScroll: true });
    /** @param {PointerEvent} event */
    const leave = ({ target }) =>
      target instanceof Element && !element.contains(target) && target.id !== "block-picture" && close();
    document.addEventListener("pointerdown", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      if (element.contains(document.activeElement)) menu.back();
    };
  }, []);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  return html`<div ref=${host} class="blocks-menu" role="dialog" aria-labelledby="blocks-menu-title" onKeyDown=${onKey}>
    <${Menu} view=${view} block=${menu.block} clicked=${menu.clicked} />
  </div>`;
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

/** @param {string} words @param {boolean} pressed @param {() => void} act @param {Record<string, unknown>} more */
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

/** @param {Source} source @param {string} block @param {boolean} clicked */
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
