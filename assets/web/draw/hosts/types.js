/* A map of types of tokens, coloured by unit, label or data set: a figure for notebooks and files. */
import { hosted, select } from "rs/draw/hosts/host.js";
import { ScatterMap } from "rs/draw/map.js";
import { readColoursOf, readTheme } from "rs/lib/theme.js";
import { sortOf, stepWords } from "rs/lib/trace.js";
import { html, show } from "rs/lib/view.js";

/** @import { Mount } from "rs/draw/hosts/host.js" */

/** @typedef {{name: string, names: string[], of: number[]}} Colouring categories of points; -1: none */
/**
 * @typedef {object} Data
 * @property {string} title
 * @property {string} f4 places as base64, x and y of each point in map units
 * @property {number[]} halves half the width and half the height of all points
 * @property {string[]} steps
 * @property {number[]} step of each point
 * @property {string[]} tokens
 * @property {number[]} token of each point
 * @property {Colouring[]} colourings
 */

const ALL = "all";
const HEIGHT = 440;

/** @type {Mount<Data, {step?: string, colour?: string}>} */
export function mount(element, { data, choice }, emit) {
  const [controls, host, legend] = ["div", "div", "div"].map((tag) => document.createElement(tag));
  const canvas = document.createElement("canvas");
  host.style.height = HEIGHT + "px";
  canvas.setAttribute("role", "img");
  canvas.style.width = canvas.style.height = "100%";
  host.append(canvas);
  element.append(controls, host, legend);
  const places = new Float32Array(Uint8Array.from(atob(data.f4), (character) => character.charCodeAt(0)).buffer);
  const colouring = () => data.colourings.find(({ name }) => name === choice.colour) ?? data.colourings[0];
  const map = new ScatterMap(host, canvas, { onPainted: () => (canvas.dataset.painted = data.title) });
  const shownAt = onVisible(host, () => draw());

  /** @param {number} point */
  function wordsOf(point) {
    const { names, of } = colouring();
    return [data.tokens[data.token[point]], stepWords(data.steps[data.step[point]]), names[of[point]] ?? "none"].join(
      ", ",
    );
  }
  canvas.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const point = map.itemAt(event.clientX - box.left, event.clientY - box.top);
    canvas.title = point < 0 ? "" : wordsOf(point);
    map.ringed = point < 0 ? [] : [point];
    map.draw();
  });

  function draw() {
    readColoursOf(element);
    const theme = readTheme();
    const { names, of } = colouring();
    const step = data.steps.indexOf(choice.step ?? ALL);
    const order = Int32Array.from(data.step.keys()).filter((point) => step < 0 || data.step[point] === step);
    const paints = [...names.map((_, at) => theme.unit(at)), theme.unmatched];
    const category = Int16Array.from(of, (value) => (value < 0 ? names.length : value));
    map.setItems({ places, halves: data.halves, order, category, paints });
    map.redraw();
    const words = order.length.toLocaleString("en") + " points, coloured by " + colouring().name;
    canvas.setAttribute("aria-label", data.title + ". " + words);
    const steps = [[ALL, "all " + sortOf(data.steps) + "s"], ...data.steps.map((name) => [name, stepWords(name)])];
    const colours = data.colourings.map(({ name }) => [name, name]);
    show(
      controls,
      () =>
        html`<p>
          ${select("Shown", { options: steps, value: choice.step ?? ALL }, (step) => emit({ step }))}
          ${select("Colour", { options: colours, value: colouring().name }, (colour) => emit({ colour }))} ${words}
        </p>`,
    );
    const entry = (/** @type {string} */ name, /** @type {number} */ at) =>
      html`<span><span style=${"color:" + paints[at]} aria-hidden="true">${"\u25cf"}</span> ${name}</span>`;
    show(legend, () => html`<div class="units legend">${names.map(entry)}</div>`);
  }
  draw();
  return {
    update(given) {
      ({ data, choice } = given);
      draw();
    },
    destroy() {
      shownAt();
      map.dispose();
    },
  };
}

/**
 * Calls `seen` when an element comes into a page, as colours are known from then on; returns a function that ends this.
 *
 * @param {HTMLElement} element @param {() => void} seen
 */
function onVisible(element, seen) {
  const observer = new ResizeObserver(() => seen());
  observer.observe(element);
  return () => observer.disconnect();
}

export default hosted("types", mount);
