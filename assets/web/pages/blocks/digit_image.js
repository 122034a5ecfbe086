/* The picture that a network of block-permuted digits is given: chosen from a gallery, drawn or brought, and in which order
   its four strips lie. Permutations are shown on the strips that the network has read, so nothing is guessed. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, icon, show } from "rs/lib/view.js";
import { together } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { Tool } from "rs/parts/controls.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { RunState, Task } from "rs/pages/blocks/types.d.ts" */

/** @typedef {Task & {permutations: number[][]}} PictureTask whose samples are pictures */

const SET = "mnist"; // whose digits the gallery offers
const PAGE = 20;
const SIDE = 28; // pixels of a digit

const page = () => blocksState;
/**
 * @param {Task | null} task
 * @returns {task is PictureTask}
 */
const isPictures = (task) => task !== null && task.inputs === "picture";

registerWidget("blocks-image", (host) => page().subscribe(({ task }) => (host.hidden = !isPictures(task))));

/* -- permutations ----------------------------------------------------------------------------------------------- */

/**
 * The strips of the digit as they lay before they were permuted, or null while no run has read any.
 *
 * @param {RunState} state
 * @param {PictureTask} task
 */
function stripsOf({ run }, task) {
  if (!run || !run.picture || run.task !== task.name) return null;
  const pixels = api.unpacked(run.picture);
  const order = task.permutations[run.input.permutation ?? 0];
  const size = pixels.length / order.length;
  /** @type {Float32Array[]} */
  const strips = [];
  order.forEach((strip, place) => (strips[strip] = pixels.subarray(place * size, (place + 1) * size)));
  return strips;
}

/**
 * Paints strips in an order on a canvas, a pixel a pixel.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array[]} strips
 * @param {number[]} order
 */
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

/**
 * One order of the strips, with the digit as it looks in it.
 *
 * @param {{order: number[], at: number, chosen: boolean, strips: Float32Array[] | null}} props
 */
function Permutation({ order, at, chosen, strips }) {
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
    aria-pressed=${String(chosen)}
    onClick=${() => page().set({ permutation: at })}
  >
    <canvas ref=${canvas} width=${SIDE} height=${SIDE} class="pixels" aria-hidden="true"></canvas>
    <span class="thumb-caption">${places.join("")}</span>
  </button>`;
}

registerWidget("blocks-permutations", (host) =>
  show(host, () => {
    const { task, permutation } = page().get();
    if (!isPictures(task)) return null;
    const strips = stripsOf(blocksRun.get(), task);
    const orders = task.permutations.map(
      (order, at) =>
        html`<${Permutation} key=${at} order=${order} at=${at} chosen=${at === permutation} strips=${strips} />`,
    );
    return html`<p class="small-title" id="blocks-permutations-title">Order of the strips</p>
      <div class="thumbs" role="group" aria-labelledby="blocks-permutations-title">${orders}</div>`;
  }),
);

/* -- the gallery ------------------------------------------------------------------------------------------------ */

/** The picture that is given to the network. */
function given() {
  const { sample, task } = page().get();
  return isPictures(task) ? sample || (task.example || {}).sample : null;
}

/** @param {{reply: Schemas["Samples"]}} props */
function Thumbs({ reply }) {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const sample = given();
  const at = Math.max(
    0,
    reply.items.findIndex(({ id }) => id === sample),
  );
  // Not in the template, as arrow keys move it (parts/gallery.js).
  useLayoutEffect(
    () => grid.current?.querySelectorAll("button").forEach((each, place) => (each.tabIndex = place === at ? 0 : -1)),
    [reply, at],
  );
  return html`<div ref=${grid} class="thumbs" role="group" aria-label="Digits" data-gallery="blocks">
    ${reply.items.map(
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

registerWidget("blocks-gallery", (host) => {
  const shown = signal({ offset: 0, reply: /** @type {Schemas["Samples"]} */ ({ items: [], total: 0 }), problem: "" });
  let wanted = 0;

  /** @param {number} offset */
  async function load(offset) {
    const mine = (wanted += 1);
    try {
      /** @type {Schemas["Samples"]} */
      const reply = await api.send(
        "GET",
        "/samples" + address.queryOf({ origin: "data", set: SET, limit: PAGE, offset: offset || null }),
      );
      if (mine === wanted) shown.value = { offset, reply, problem: "" };
    } catch (problem) {
      if (mine === wanted) shown.value = { ...shown.value, problem: /** @type {Error} */ (problem).message };
    }
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {number} to
   * @param {boolean} disabled
   */
  const tool = (name, label, to, disabled) =>
    html`<${Tool} look="tool" title=${label} label=${label} wait=${disabled} act=${() => load(to)}>${icon(name)}<//>`;

  return together(
    page().subscribe(() => {
      const sample = given();
      if (wanted || sample === null) return;
      const found = new RegExp("^" + SET + "\\.[a-z]+\\.(\\d+)$").exec(sample ?? "");
      load(found ? Math.floor(Number(found[1]) / PAGE) * PAGE : 0);
    }),
    show(host, () => {
      const { offset, reply, problem } = shown.value;
      const { items, total } = reply;
      const words = total ? offset + 1 + " to " + (offset + items.length) + " of " + total.toLocaleString("en") : "";
      return html`<p class="small-title">Digits that the network was not trained on</p>
        <p class="hint danger" role="alert">${problem}</p>
        <${Thumbs} reply=${reply} />
        <div class="pager">
          <span class="caption" role="status">${words}</span>
          ${tool("previous", "Digits before", offset - PAGE, offset <= 0)}
          ${tool("next", "Next digits", offset + PAGE, offset + PAGE >= total)}
        </div>`;
    }),
  );
});
