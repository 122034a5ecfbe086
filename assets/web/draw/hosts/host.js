/* Hosts of a figure outside the page: a notebook, through anywidget, and a self-contained HTML file.

   A figure is a module with mount(element, {data, choice}, emit) -> {update({data, choice}), destroy()}. `data` are computed in
   Python, `choice` is what a reader chose; emit(changes) asks the host for another choice. Without a kernel nothing can be
   computed: `data.live` says whether there is one. */
import { sayUnder } from "rs/draw/marks.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { onThemeChange, readColoursOf, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";

/** @import { Chart } from "rs/draw/types.d.ts" */
/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */
/** @typedef {VNode | VNode[] | null} View */

/**
 * @template Data, Choice
 * @typedef {{data: Data, choice: Choice}} Given
 */
/**
 * @template Data, Choice
 * @typedef {(element: HTMLElement, given: Given<Data, Choice>, emit: (changes: Partial<Choice>) => void) => {update: (given: Given<Data, Choice>) => void, destroy: Disposer}} Mount
 */
/**
 * @typedef {{get: (name: string) => any, set: (name: string, value: unknown) => void, save_changes: () => void,
 *   on: (event: string, heard: () => void) => void, off: (event: string, heard: () => void) => void}} Model of anywidget
 */

const DARK = window.matchMedia?.("(prefers-color-scheme: dark)");
const WIDEST = 980;

/** Whether the page around a figure is dark: JupyterLab, VS Code and Colab say so, else the system does. */
function isDark() {
  const { body, documentElement } = document;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (/\bvscode-/.test(body.className)) return !/\bvscode-(high-contrast-)?light\b/.test(body.className);
  const colab = documentElement.getAttribute("theme");
  return colab ? colab === "dark" : Boolean(DARK?.matches);
}

/**
 * Calls `changed` after every change of the colours around a figure; returns a function that ends this.
 *
 * @param {() => void} changed
 */
function onColours(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  DARK?.addEventListener("change", changed);
  const stop = onThemeChange(changed);
  return () => {
    observer.disconnect();
    DARK?.removeEventListener("change", changed);
    stop();
  };
}

/**
 * A figure in an element of a page that is not ours, in the colours of that page.
 *
 * @template Data, Choice
 * @param {HTMLElement} element
 * @param {Mount<Data, Choice>} mount
 * @param {() => Given<Data, Choice>} see
 * @param {(changes: Partial<Choice>) => void} emit
 */
function framed(element, mount, see, emit) {
  const root = document.createElement("div");
  const turn = () => void (root.dataset.scheme = isDark() ? "dark" : "light");
  root.className = "rs-figure";
  turn();
  element.append(root);
  const inner = document.createElement("div");
  root.append(inner);
  const figure = mount(inner, see(), emit);
  const update = () => {
    turn();
    figure.update(see());
  };
  const stop = onColours(update);
  const destroy = () => {
    stop();
    figure.destroy();
    root.remove();
  };
  return { update, destroy };
}

/**
 * The module of a figure as anywidget wants it. In an HTML file of ours it shows the figure where its data lie.
 *
 * @template Data, Choice
 * @param {string} name
 * @param {Mount<Data, Choice>} mount
 */
export function hosted(name, mount) {
  for (const script of document.querySelectorAll('script[type="application/json"][data-figure="' + name + '"]')) {
    const given = JSON.parse(script.textContent ?? "");
    const { update } = framed(
      /** @type {HTMLElement} */ (script.parentElement),
      mount,
      () => given,
      (changes) => {
        Object.assign(given.choice, changes);
        update();
      },
    );
  }
  return {
    /** @param {{model: Model, el: HTMLElement}} given */
    render({ model, el }) {
      const see = () => ({ data: model.get("data"), choice: model.get("choice") });
      const { update, destroy } = framed(el, mount, see, (changes) => {
        model.set("choice", { ...model.get("choice"), ...changes });
        model.save_changes();
      });
      for (const event of ["change:data", "change:choice"]) model.on(event, update);
      return () => {
        for (const event of ["change:data", "change:choice"]) model.off(event, update);
        destroy();
      };
    },
  };
}

/**
 * A canvas at the end of an element that shows a scene as wide as there is room.
 *
 * @param {HTMLElement} element @param {(width: number) => Chart} sceneOf
 */
export function canvasOf(element, sceneOf) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  element.append(canvas);
  let spots = /** @type {Chart["spots"]} */ ([]);
  function paint() {
    const width = Math.min(WIDEST, element.clientWidth);
    if (width < 40) return; // not in the page yet
    readColoursOf(element);
    const scene = sceneOf(width);
    canvas.style.width = scene.width + "px";
    canvas.style.height = scene.height + "px";
    paintScene(scene, readTheme().font, canvas);
    canvas.setAttribute("aria-label", scene.title + ". " + scene.desc);
    canvas.dataset.painted = scene.title;
    spots = scene.spots ?? [];
  }
  const destroy = onResize(element, paint);
  return { canvas, paint, destroy, under: sayUnder(canvas, () => spots ?? []) };
}

/**
 * A figure of controls, one picture and words, made anew of `now` after every change; `drawn` may mark its canvas.
 *
 * @template Data, Choice
 * @param {(now: Given<Data, Choice>, emit: (changes: Partial<Choice>) => void) => {controls: () => View,
 *   scene: (width: number) => Chart, words: () => View, drawn?: (canvas: HTMLCanvasElement) => void}} partsOf
 * @returns {Mount<Data, Choice>}
 */
export const pictured = (partsOf) => (element, given, emit) => {
  const now = { ...given };
  const { controls, scene, words, drawn } = partsOf(now, emit);
  const [above, below] = [document.createElement("div"), document.createElement("div")];
  element.append(above);
  const { canvas, paint, destroy } = canvasOf(element, scene);
  element.append(below);
  /** @param {typeof given} next */
  function update(next) {
    Object.assign(now, next);
    show(above, () => controls()); // a view that is another one is drawn again
    show(below, () => words());
    drawn?.(canvas);
    paint();
  }
  update(given);
  return { update, destroy };
};

/**
 * A list of options behind its label.
 *
 * @param {string} label @param {{options: string[][], value: string | undefined}} given each option with its words
 * @param {(value: string) => void} changed
 */
export const select = (label, { options, value }, changed) =>
  html`<label
    >${label + " "}<select
      onchange=${(/** @type {Event} */ { target }) => changed(/** @type {HTMLSelectElement} */ (target).value)}
    >
      ${options.map(([name, words]) => html`<option value=${name} selected=${name === value}>${words}</option>`)}
    </select></label
  > `;
