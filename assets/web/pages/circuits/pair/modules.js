/* The modules as small maps of where each reads, those first from which the answer takes most; a click shows one large. */
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import { order } from "rs/pages/circuits/pair/order.js";
import * as pairReads from "rs/pages/circuits/pair/reads.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { showInColours } from "rs/parts/scheme.js";
import { effect, useLayoutEffect, useRef, useState } from "rs/vendor/preact.js";

/** @import { Reads } from "rs/pages/circuits/types.d.ts" */

/** @param {string} colour */
const rgb = (colour) => {
  const found = /^#(..)(..)(..)$/.exec(colour);
  return found ? found.slice(1).map((part) => parseInt(part, 16)) : [31, 92, 153];
};

/**
 * One small map: a pixel a token, the pictures beside each other with a column between them.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Reads} reads
 * @param {number} unit
 * @param {number[]} ink
 */
function paint(canvas, reads, unit, ink) {
  const { rows, columns, pictures } = reads.grid;
  const width = pictures * columns + pictures - 1;
  if (canvas.width !== width || canvas.height !== rows) [canvas.width, canvas.height] = [width, rows];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(width, rows);
  const values = pairReads.weightsOf(reads, unit);
  if (values) {
    const most = Math.max(...values, 1e-9);
    for (let at = 0; at < pictures; at += 1)
      for (let cell = 0; cell < rows * columns; cell += 1) {
        const to = 4 * (Math.floor(cell / columns) * width + at * (columns + 1) + (cell % columns));
        ink.forEach((value, c) => (image.data[to + c] = value));
        image.data[to + 3] = 18 + 237 * (values[at * rows * columns + cell] / most);
      }
  }
  context.putImageData(image, 0, 0);
}

/** @param {string | null} unit */
const choose = (unit) => circuitsState.set({ unit });

/**
 * @param {{reads: Reads, unit: number, ink: number[], stop: boolean, onFocus: () => void}} props
 */
function Module({ reads, unit, ink, stop, onFocus }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    if (canvas.current) paint(canvas.current, reads, unit, ink);
  }, [reads, unit, ink]);
  const name = reads.units[unit];
  const stays = reads.kept.has(name);
  const share = stays ? format.percent(reads.shares[unit]) + " %" : "out";
  const pressed = circuitsState.get().unit === name;
  return html`<button
    type="button"
    class="pair-module"
    tabindex=${stop ? 0 : -1}
    data-module=${name}
    aria-pressed=${pressed}
    aria-label=${name + (stays ? ", the answer takes " + share : ", dropped")}
    onClick=${() => choose(pressed ? null : name)}
    onFocus=${onFocus}
  >
    <canvas aria-hidden="true" ref=${canvas} />
    <span class="pair-module-words"><span class="pair-module-name">${name}</span><small>${share}</small></span>
  </button>`;
}

/**
 * The modules; the tab key goes to one of them, arrow keys to the others.
 *
 * @param {{reads: Reads, ink: number[]}} props
 */
function Modules({ reads, ink }) {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const [last, setLast] = useState(/** @type {string | null} */ (null));
  const { unit: chosen } = circuitsState.get();
  const places = order(reads);
  const names = places.map((unit) => reads.units[unit]);
  const stop = [last, chosen, names[0]].find((name) => name !== null && names.includes(name));
  // What Safari moves loses the focus: it knows no moveBefore.
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const focused = grid.current?.contains(active) ? active : null;
  useLayoutEffect(() => {
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
  });
  const label = "Modules, those first from which the answer takes most";
  return html`<div class="pair-module-grid" role="group" aria-label=${label} ref=${grid} onKeyDown=${walk}>
    ${places.map(
      (unit, at) =>
        html`<${Module}
          key=${names[at]}
          ...${{ reads, unit, ink }}
          stop=${names[at] === stop}
          onFocus=${() => setLast(names[at])}
        />`,
    )}
  </div>`;
}

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event */
function walk(event) {
  const shown = /** @type {HTMLElement[]} */ ([...event.currentTarget.children]);
  const at = shown.findIndex((each) => each === document.activeElement);
  if (at < 0) return;
  const top = shown[0].offsetTop;
  const across = Math.max(1, shown.filter((each) => each.offsetTop === top).length);
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across };
  const by = steps[event.key];
  const to = event.key === "Home" ? 0 : event.key === "End" ? shown.length - 1 : by ? at + by : -1;
  if (!shown[to]) return;
  event.preventDefault();
  shown[to].focus();
}

registerWidget("pair-modules", (host) => {
  const ends = [
    effect(() => {
      host.hidden = !pairReads.current();
    }),
    showInColours(host, () => {
      const reads = pairReads.current();
      if (!reads) return null;
      return [
        html`<div class="pair-bar">
          <button
            type="button"
            class="tool tool-text"
            id="pair-all-modules"
            aria-pressed=${!circuitsState.get().unit}
            onClick=${() => choose(null)}
          >
            all together
          </button>
          <span class="hint">Sorted by how much the answer takes from each; left map the left picture.</span>
        </div>`,
        html`<${Modules} reads=${reads} ink=${rgb(readTheme().accent)} />`,
      ];
    }),
  ];
  return () => ends.forEach((end) => end());
});
