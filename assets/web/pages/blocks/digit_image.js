/* The picture that a network of block-permuted digits is given: chosen from a gallery, drawn or brought, and in which order
   its four strips lie. Permutations are shown on the strips that the network has read, so nothing is guessed. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { build, icon, registerWidget } from "rs/lib/dom.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";

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

/** @param {number[]} order */
const orderWords = (order) => order.map((strip) => strip + 1).join(" ");

/**
 * @param {number[]} order
 * @param {number} at
 */
function permutation(order, at) {
  const words = "Strips in the order " + orderWords(order);
  return build(
    "button",
    {
      type: "button",
      class: "thumb blocks-permutation",
      "data-permutation": at,
      "aria-label": words,
      title: words,
      onclick: () => page().set({ permutation: at }),
    },
    build("canvas", { width: SIDE, height: SIDE, class: "pixels", "aria-hidden": "true" }),
    build("span", { class: "thumb-caption" }, order.map((strip) => strip + 1).join("")),
  );
}

registerWidget("blocks-permutations", (host) => {
  let shown = "";

  function show() {
    const { task, permutation: chosen } = page().get();
    if (!isPictures(task)) return;
    if (task.name !== shown) {
      shown = task.name;
      const buttons = task.permutations.map(permutation);
      host.replaceChildren(
        build("p", { class: "small-title", id: "blocks-permutations-title" }, "Order of the strips"),
        build("div", { class: "thumbs", role: "group", "aria-labelledby": "blocks-permutations-title" }, ...buttons),
      );
    }
    const strips = stripsOf(blocksRun.get(), task);
    host.querySelectorAll("[data-permutation]").forEach((button, at) => {
      button.setAttribute("aria-pressed", String(at === (chosen || 0)));
      const canvas = button.querySelector("canvas");
      if (strips && canvas) paint(canvas, strips, task.permutations[at]);
    });
  }

  const ends = [
    page().subscribe((_, names) => (names.has("task") || names.has("permutation")) && show()),
    blocksRun.subscribe(show),
  ];
  return () => ends.forEach((end) => end());
});

/* -- the gallery ------------------------------------------------------------------------------------------------ */

registerWidget("blocks-gallery", (host) => {
  const grid = build("div", { class: "thumbs", role: "group", "aria-label": "Digits", "data-gallery": "blocks" });
  const words = build("span", { class: "caption", role: "status" });
  const said = build("p", { class: "hint danger", role: "alert" });
  /**
   * @param {string} name
   * @param {string} label
   * @param {number} by
   */
  const tool = (name, label, by) =>
    build(
      "button",
      { type: "button", class: "tool", title: label, "aria-label": label, onclick: () => load(offset + by) },
      icon(name),
    );
  const [back, on] = [tool("previous", "Digits before", -PAGE), tool("next", "Next digits", PAGE)];
  const head = build("p", { class: "small-title" }, "Digits that the network was not trained on");
  host.replaceChildren(head, said, grid, build("div", { class: "pager" }, words, back, on));
  let [offset, wanted] = [0, 0];
  let opened = false;

  /** @param {Schemas["Sample"]} sample */
  const thumb = ({ id, label, image, name }) =>
    build(
      "button",
      {
        type: "button",
        class: "thumb",
        "data-pick-sample": id,
        "aria-label": "Digit " + label + ", " + name,
        title: name,
      },
      build("img", { src: image, alt: "", width: 44, height: 44, class: "pixels", loading: "lazy" }),
      build("span", { class: "thumb-caption" }, label === null ? "" : String(label)),
    );

  /**
   * The picture that is given to the network.
   *
   * @param {{sample: string | null, task: Task}} state
   */
  const shown = ({ sample, task }) => sample || (task.example || {}).sample;

  /** @param {number} from */
  async function load(from) {
    const mine = (wanted += 1);
    opened = true;
    try {
      /** @type {Schemas["Samples"]} */
      const reply = await api.send(
        "GET",
        "/samples" + address.queryOf({ origin: "data", set: SET, limit: PAGE, offset: from || null }),
      );
      if (mine !== wanted) return;
      offset = from;
      grid.replaceChildren(...reply.items.map(thumb));
      words.textContent =
        offset + 1 + " to " + (offset + reply.items.length) + " of " + reply.total.toLocaleString("en");
      [back.disabled, on.disabled] = [offset <= 0, offset + PAGE >= reply.total];
      said.textContent = "";
      mark();
    } catch (problem) {
      if (mine === wanted) said.textContent = /** @type {Error} */ (problem).message;
    }
  }

  /** Which one is chosen; the first can be reached by the tab key where none is. */
  function mark() {
    const { sample: chosen, task } = page().get();
    const sample = task && shown({ sample: chosen, task });
    /** @type {HTMLElement[]} */
    const buttons = [...grid.querySelectorAll("button")];
    const at = Math.max(
      0,
      buttons.findIndex((each) => each.dataset.pickSample === sample),
    );
    buttons.forEach((each, place) => {
      each.setAttribute("aria-pressed", String(each.dataset.pickSample === sample));
      each.tabIndex = place === at ? 0 : -1;
    });
  }

  return page().subscribe(({ sample, task }, names) => {
    if (!isPictures(task)) return;
    const found = new RegExp("^" + SET + "\\.[a-z]+\\.(\\d+)$").exec(shown({ sample, task }) || "");
    if (!opened) load(found ? Math.floor(Number(found[1]) / PAGE) * PAGE : 0);
    else if (names.has("sample")) mark();
  });
});
