/* The modules as small maps of where each reads, those first from which the answer takes most; a click shows one large. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import { order } from "rs/pages/circuits/pair/order.js";
import * as pairReads from "rs/pages/circuits/pair/reads.js";
import * as circuitsState from "rs/pages/circuits/state.js";

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

registerWidget("pair-modules", (host) => {
  let cells = /** @type {ReturnType<typeof make>[]} */ ([]);
  let shown = "";
  const grid = build("div", {
    class: "pair-module-grid",
    role: "group",
    "aria-label": "Modules, those first from which the answer takes most",
  });
  const all = build(
    "button",
    { type: "button", class: "tool tool-text", id: "pair-all-modules", onclick: () => choose(null) },
    "all together",
  );
  const words = build(
    "span",
    { class: "hint" },
    "Sorted by how much the answer takes from each; left map the left picture.",
  );
  host.replaceChildren(build("div", { class: "pair-bar" }, all, words), grid);

  /** @param {string | null} unit */
  const choose = (unit) => circuitsState.set({ unit });

  /** @param {string} unit */
  function make(unit) {
    const canvas = build("canvas", { "aria-hidden": "true" });
    const share = build("small", {});
    const swatch = build("span", { class: "pair-module-name" }, unit);
    const body = build(
      "button",
      { type: "button", class: "pair-module", tabindex: -1, "data-module": unit },
      canvas,
      build("span", { class: "pair-module-words" }, swatch, share),
    );
    body.addEventListener("click", () => choose(circuitsState.get().unit === unit ? null : unit));
    return { body, canvas, share, unit };
  }

  let frame = 0;
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };

  function draw() {
    const reads = pairReads.current();
    host.hidden = !reads;
    if (!reads) return;
    const key = reads.units.join(" ");
    if (key !== shown) {
      shown = key;
      cells = reads.units.map(make);
    }
    const places = order(reads);
    const sorted = places.map((unit) => cells[unit].body);
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = grid.contains(active) ? active : null;
    if (!sorted.every((body, at) => grid.children[at] === body)) grid.replaceChildren(...sorted);
    if (focused && document.activeElement !== focused) focused.focus({ preventScroll: true });
    const ink = rgb(readTheme().accent);
    const { unit: chosen } = circuitsState.get();
    cells.forEach((cell, unit) => {
      paint(cell.canvas, reads, unit, ink);
      const stays = reads.kept.has(cell.unit);
      cell.share.textContent = stays ? format.percent(reads.shares[unit]) + " %" : "out";
      cell.body.setAttribute("aria-pressed", String(cell.unit === chosen));
      cell.body.setAttribute(
        "aria-label",
        cell.unit + (stays ? ", the answer takes " + cell.share.textContent : ", left out"),
      );
      cell.body.tabIndex = -1;
    });
    const stop = sorted.find((body) => body.dataset.module === chosen) || sorted[0];
    if (stop) stop.tabIndex = 0;
    all.setAttribute("aria-pressed", String(!chosen));
  }

  grid.addEventListener("keydown", (event) => {
    const shown = /** @type {HTMLElement[]} */ ([...grid.children]);
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
    shown[at].tabIndex = -1;
    shown[to].tabIndex = 0;
    shown[to].focus();
  });

  const ends = [
    pairAnswers.subscribe((_, names) => names.has("reply") && soon()),
    circuitsState.subscribe((_, names) => (names.has("unit") || names.has("focus")) && soon()),
    onThemeChange(soon),
    () => cancelAnimationFrame(frame),
  ];
  return () => ends.forEach((end) => end());
});
