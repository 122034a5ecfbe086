/* The picture that a network of block-permuted digits is given: chosen from a gallery, drawn or brought, and in which order
   its four strips lie. Permutations are shown on the strips that the network has read, so nothing is guessed. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { whole } from "rs/lib/format.js";
import { html } from "rs/lib/view.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import { Pager } from "rs/parts/controls.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Task } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Task & {permutations: number[][]}} PictureTask whose samples are pictures */

const SET = "mnist"; // whose digits the gallery offers
const PAGE = 20;
const SIDE = 28; // pixels of a digit

/** @param {Task | null} task @returns {task is PictureTask} */
const isPictures = (task) => task !== null && task.inputs === "picture";

/* -- permutations ----------------------------------------------------------------------------------------------- */

/** The strips of the digit as they lay before they were permuted, or null while no run has read any. @param {PictureTask} task */
function stripsOf(task) {
  const { run } = blocksRun.get();
  if (!run || !run.picture || run.task !== task.name) return null;
  const pixels = api.unpacked(run.picture);
  const order = task.permutations[run.input.permutation ?? 0];
  const size = pixels.length / order.length;
  /** @type {Float32Array[]} */
  const strips = [];
  order.forEach((strip, place) => (strips[strip] = pixels.subarray(place * size, (place + 1) * size)));
  return strips;
}

/** Paints strips in an order, a pixel a pixel. @param {HTMLCanvasElement} canvas @param {Float32Array[]} strips @param {number[]} order */
function paint(canvas, strips, order) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const pixels = context.createImageData(SIDE, SIDE);
  order.forEach((strip, place) =>
    strips[strip].forEach((value, at) => {
      const grey = Math.round(255 * value);
      pixels.data.set([grey, grey, grey, 255], 4 * (place * strips[strip].length + at));
    }),
  );
  context.putImageData(pixels, 0, 0);
  canvas.dataset.painted = order.join("");
}

/** The digit with its strips in one order. @param {{order: number[], at: number, strips: Float32Array[] | null}} props */
function Permutation({ order, at, strips }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  useLayoutEffect(() => {
    if (strips && canvas.current) paint(canvas.current, strips, order);
  }, [order, strips]);
  const places = order.map((strip) => strip + 1);
  const words = "Strips in the order " + places.join(" ");
  return html`<button
    type="button"
    class="thumb blocks-permutation"
    data-permutation=${at}
    aria-label=${words}
    title=${words}
    aria-pressed=${String(at === page.state.permutation)}
    onClick=${() => page.set({ permutation: at })}
  >
    <canvas ref=${canvas} width=${SIDE} height=${SIDE} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${places.join("")}</span>
  </button>`;
}

/** @param {{task: PictureTask}} props */
function Permutations({ task }) {
  const strips = stripsOf(task);
  return html`<div class="blocks-permutations">
    <p class="small-title" id="blocks-permutations-title">Order of the strips</p>
    <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">
      ${task.permutations.map((order, at) => html`<${Permutation} key=${at} ...${{ order, at, strips }} />`)}
    </div>
  </div>`;
}

/* -- the gallery ------------------------------------------------------------------------------------------------ */

/** @param {PictureTask} task */
const chosenFor = (task) => page.state.sample || (task.example || {}).sample;

/** @param {{items: Schemas["Samples"]["items"], sample: string | undefined}} props */
function Thumbs({ items, sample }) {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const at = Math.max(0, items.findIndex(({ id }) => id === sample)); // prettier-ignore
  // Not in the template, as arrow keys move it (parts/gallery.js).
  useLayoutEffect(
    () => grid.current?.querySelectorAll("button").forEach((each, place) => (each.tabIndex = place === at ? 0 : -1)),
    [items, at],
  );
  return html`<div ref=${grid} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${items.map(
      ({ id, label, image, name }) =>
        html`<button
          key=${id}
          type="button"
          class="thumb"
          data-pick-sample=${id}
          aria-label=${"Digit " + label + ", " + name}
          title=${name}
          aria-pressed=${String(id === sample)}
        >
          <img src=${image} alt="" width="44" height="44" class="pixels" loading="lazy" />
          <span class="thumb-caption">${label}</span>
        </button>`,
    )}
  </div>`;
}

const offset = signal(/** @type {number | null} */ (null)); // null: the page of the gallery with the chosen digit

/** @param {PictureTask} task */
function offsetOf(task) {
  const place = new RegExp("^" + SET + "\\.[a-z]+\\.(\\d+)$").exec(chosenFor(task) ?? "");
  return offset.value ?? (place ? Math.floor(Number(place[1]) / PAGE) * PAGE : 0);
}

/** The digits of the data set, page by page. */
const digits = api.resource(
  () => {
    const { task } = page.state;
    return isPictures(task) ? String(offsetOf(task)) : null;
  },
  /** @type {(from: string, signal: AbortSignal) => Promise<Schemas["Samples"]>} */
  (from, signal) => {
    const query = address.queryOf({ origin: "data", set: SET, limit: PAGE, offset: Number(from) || null });
    return api.send("GET", "/samples" + query, undefined, { signal });
  },
);
export const { follow } = digits;

/** @param {{task: PictureTask}} props */
function Gallery({ task }) {
  const { items, total } = digits.latest() ?? { items: [], total: 0 };
  const start = offsetOf(task);
  return html`<div class="blocks-gallery">
    <p class="small-title">Digits that the network was not trained on</p>
    <p class="hint danger" role="alert">${digits.problem()?.message}</p>
    <${Thumbs} items=${items} sample=${chosenFor(task)} />
    <${Pager}
      id="blocks-digits"
      words=${total ? start + 1 + " to " + (start + items.length) + " of " + whole(total) : ""}
      ...${{ start, total, step: PAGE }}
      before="Digits before"
      after="Next digits"
      go=${(/** @type {number} */ to) => (offset.value = to)}
    />
  </div>`;
}

/* -- drawn or brought --------------------------------------------------------------------------------------------- */

const PAD =
  "Drawing pad. Arrow keys move the pen, space lowers and lifts it, Enter uses the drawing, Ctrl+Z undoes a stroke.";

/** A pad to draw on (parts/drawing_pad.js) and a place for files (parts/upload.js). */
function Bring() {
  /** @param {string} name @param {string} label */
  const tool = (name, label, look = "tool tool-text") =>
    html`<button type="button" class=${look} disabled data-pad=${name}>${label}</button>`;
  const most = /** @type {HTMLElement | null} */ (document.querySelector(".page-blocks"))?.dataset.maxBytes;
  return html`<details class="as-table blocks-bring">
    <summary>Draw a digit, or bring a picture</summary>
    <div class="bring">
      <div class="pad" data-widget="drawing-pad" data-empty="true">
        <div class="pad-frame">
          <canvas id="blocks-pad" tabindex="0" role="img" aria-label=${PAD}></canvas>
          <span class="pad-hint" aria-hidden="true">draw a digit</span>
        </div>
        <div class="pad-tools">
          ${tool("undo", "Undo")}${tool("clear", "Clear")}${tool("save", "Use drawing", "button")}
        </div>
      </div>
      <div class="upload" data-widget="upload" data-max-bytes=${most}></div>
    </div>
  </details>`;
}

/** The picture that a network of permuted digits reads. */
export function DigitPicture() {
  const { task } = page.state;
  return isPictures(task)
    ? html`<div class="blocks-image"><${Permutations} task=${task} /><${Gallery} task=${task} /><${Bring} /></div>`
    : null;
}
