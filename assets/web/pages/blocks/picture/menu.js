/* What can be changed about one block: its gate, and of each source whether it is muted or copied. */
import { html } from "rs/lib/view.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import { Segmented, Tool } from "rs/parts/controls.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Block } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/** Values of a gate as text, and their words. @type {[string, string][]} */
const GATES = [
  ["", "free"],
  ["0", "0 copied"],
  ["0.5", "0.5"],
  ["1", "1 computed"],
];
const WIDTH = 292;
const BELOW = 70; // pixels that it may reach below the picture
/** @typedef {{block: Block, clicked: number | undefined, x: number, y: number, back: () => void}} Opened clicked: the source of a route */
/** The block whose menu is open, and the place of the click. */
export const opened = signal(/** @type {Opened | null} */ (null));

const close = () => void (opened.value = null);

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
    const first =
      element.querySelector('[data-clicked="true"] button') ||
      element.querySelector("input:checked") ||
      element.querySelector("input");
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
    <${Segmented}
      id="blocks-menu-gate"
      label=${"Gate of " + name}
      options=${GATES}
      chosen=${gateOf(name)}
      onChoose=${(/** @type {string} */ value) => page.setGate(name, value === "" ? null : Number(value))}
    />
    <div ref=${rows} class="blocks-menu-rows">
      ${order.map((each) => sourceRow(each, name, each.source === clicked))}
    </div>`;
}

/** The value of a gate as text; of a forced copy none. @param {string} block */
function gateOf(block) {
  const { gates, copy_routes: copies } = page.state;
  if (copies.some((route) => route.endsWith(">" + block))) return "copied";
  return block in gates ? String(gates[block]) : "";
}

/** @param {{name: string, weight: number}} source @param {string} block @param {boolean} clicked */
function sourceRow({ name, weight }, block, clicked) {
  const { toggleMute, toggleCopy } = page;
  const { mute_routes: muted, copy_routes: copies } = page.state;
  const route = page.route(name, block);
  /** @param {string} words @param {string} label @param {boolean} pressed @param {typeof toggleMute} act */
  const toggle = (words, label, pressed, act) =>
    html`<${Tool} look="segment" label=${label} pressed=${pressed} act=${() => act(name, block)}>${words}<//>`;
  return html`<div key=${route} class="blocks-menu-row" data-route=${route} data-clicked=${String(clicked)}>
    <span class="blocks-menu-name">${name}</span>
    <span class="blocks-menu-bar" aria-hidden="true"><span style=${{ width: 100 * weight + "%" }}></span></span>
    <span class="blocks-menu-value">${weight.toFixed(2)}</span>
    ${toggle("mute", "Mute " + route, muted.includes(route), toggleMute)}
    ${toggle("copy", "Make " + block + " a copy of " + name, copies.includes(route), toggleCopy)}
  </div>`;
}
