/* The image with its patches coloured by their dominant function at the current step. */
import { readTheme } from "rs/lib/theme.js";
import { stepWords, tokenBeside } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as circuitPanel from "rs/pages/paths/attention.js";
import * as compare from "rs/pages/paths/compare/state.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { Drawn } from "rs/pages/paths/painted.js";
import { sceneOfNumbers } from "rs/pages/paths/number_scene.js";
import { sceneOfText } from "rs/pages/paths/text_scene.js";

/** @import { Item, Scene, TextItem } from "rs/draw/types.d.ts" */
/** @import { Picture, Theme } from "rs/lib/types.d.ts" */
/** @import { PathState } from "rs/pages/paths/state.js" */
/** @import { CircuitState, Shown, ShownSample, TokenState, View } from "rs/pages/paths/types.d.ts" */
/** @typedef {Shown & {picture: Picture, sample: ShownSample}} Seen the state while there is a picture */

/** @param {Shown} state @param {Theme} theme @param {number} size @returns {Item[]} */
function patchItems(state, theme, size) {
  const { view, step, opacity } = state;
  const { rows, columns } = view.info.grid;
  const [w, h] = [size / columns, size / rows];
  const pointed = state.hover || state.pinned;
  const highlighted = pointed && paths.highlighted(view);
  if (view.circuit && pointed && pointed.unit !== undefined)
    return lookItems(/** @type {CircuitState} */ (state), pointed.unit, [w, h]);
  const chosen = highlighted && new Set(highlighted);
  const paint = view.circuit
    ? circuitPanel.paintOf(/** @type {CircuitState} */ (state))
    : (/** @type {number} */ unit) => theme.unit(view.paint(step, unit));
  /** @type {Item[]} */
  const items = [];
  for (const token of view.patches) {
    const { row, column } = view.tokens[token];
    const unit = view.dominant(step, token);
    const place = { x: (column ?? 0) * w, y: (row ?? 0) * h, w, h };
    const away = chosen && !chosen.has(token);
    if (unit >= 0) items.push({ shape: "rect", ...place, fill: paint(unit), opacity: away ? opacity * 0.25 : opacity });
    if (unit >= 0 && opacity > 0) {
      const edge = Math.max(1.5, Math.min(3, w / 16));
      const inner = { x: place.x + edge / 2 + 0.5, y: place.y + edge / 2 + 0.5, w: w - edge - 1, h: h - edge - 1 };
      items.push({ shape: "rect", ...inner, stroke: paint(unit), width: edge, opacity: away ? 0.25 : 1 });
    }
    if (w >= 26 && opacity > 0) {
      const text = unit < 0 ? "none" : view.nameAt(step, unit);
      /** @type {Omit<TextItem, "fill">} */
      const label = { shape: "text", x: place.x + 6, y: place.y + 14, text, size: 10.5, weight: 650 };
      items.push({ ...label, fill: "#ffffff", halo: "rgba(0, 0, 0, 0.6)", opacity: away ? 0.25 : 1 });
    }
  }
  for (const token of highlighted || []) {
    if (!view.patches.includes(token)) continue;
    const { row, column } = view.tokens[token];
    const place = { x: (column ?? 0) * w + 1.5, y: (row ?? 0) * h + 1.5, w: w - 3, h: h - 3, rx: 2 };
    items.push({ shape: "rect", ...place, stroke: "#000000", width: 4, opacity: 0.65 });
    items.push({ shape: "rect", ...place, stroke: "#ffffff", width: 2 });
  }
  return items;
}

/**
 * Where one unit looks: the more of its attention is on a patch, the less it is darkened.
 *
 * @param {CircuitState} state
 * @param {number} unit
 * @param {[number, number]} size of a patch
 * @returns {Item[]}
 */
function lookItems({ view, opacity }, unit, [w, h]) {
  const most = Math.max(...view.patches.map((token) => view.reads(unit, token)), 1e-9);
  return view.patches.flatMap((token) => {
    const { row, column } = view.tokens[token];
    const value = view.reads(unit, token);
    /** @type {Item} */
    const dark = { shape: "rect", x: (column ?? 0) * w, y: (row ?? 0) * h, w, h, fill: "#000000" };
    /** @type {Item[]} */
    const items = [{ ...dark, opacity: (0.35 + 0.5 * opacity) * (1 - value / most) }];
    /** @type {Omit<TextItem, "x" | "y">} */
    const text = { shape: "text", text: Math.round(100 * value) + " %", size: 10.5, weight: 650, fill: "#ffffff" };
    if (w >= 34) items.push({ ...text, x: (column ?? 0) * w + 6, y: (row ?? 0) * h + 14, halo: "rgba(0, 0, 0, 0.6)" });
    return items;
  });
}

/** @param {Seen} state @param {number} size @returns {Scene} */
function sceneOf(state, size) {
  const theme = readTheme();
  const { picture, view, step } = state;
  const { width: sw, height: sh } = picture;
  const at = stepWords(view.steps[step]);
  const [title, desc] = view.circuit
    ? ["The module that reads every patch most", "The image with each patch in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks."]
    : ["Dominant function of every patch at " + at, "The image with each patch in the colour of the function it is most compatible with at " + at + "."]; // prettier-ignore
  return {
    width: size,
    height: size,
    background: theme.surface,
    title: title + ": " + (state.sample.name || state.sample.id),
    desc,
    items: [
      { shape: "image", source: picture, sx: 0, sy: 0, sw, sh, x: 0, y: 0, w: size, h: size },
      ...patchItems(state, theme, size),
    ],
  };
}

/** What the sample is shown as: a picture, a text, or numbers. @param {View | null} view */
function showsOf(view) {
  if (!view) return "picture";
  if (view.circuit) return view.text ? "text" : "picture";
  return view.text ? "text" : view.numbers.length ? "numbers" : "picture";
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  /** @type {Record<string, [number, number]>} */
  const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const { view } = state;
  const move = moves[event.key];
  if (!view || !move) return;
  event.preventDefault();
  event.stopPropagation();
  const target = paths.pointed();
  const from = target && target.token !== undefined ? view.tokens[target.token] : null;
  /** @type {[number, number]} */
  const start = from && from.kind !== "cls" ? [(from.row ?? 0) + move[0], (from.column ?? 0) + move[1]] : [0, 0];
  const token = view.text ? tokenBeside(view.text.places, target?.token, move) : view.at(...start);
  if (token !== null) paths.update({ hover: { token } });
}

/** The sample with its tokens in the colours of their units. @param {PathState} seen @param {number} [size] */
export function patchScene(seen, size = 480) {
  const shows = showsOf(seen.view);
  if (shows === "picture") return sceneOf(/** @type {Seen} */ (seen), size);
  return (shows === "text" ? sceneOfText : sceneOfNumbers)(/** @type {TokenState} */ (seen), size);
}

/** @param {PathState} seen @param {HTMLElement} host */
function draw(seen, host) {
  const { view, picture } = seen;
  const shows = showsOf(view);
  host.dataset.shows = shows;
  const { clientWidth: width, clientHeight: height } = host;
  const size = shows === "picture" ? Math.min(width, height) : width;
  if (!view || !view.grid || (shows === "picture" && !picture)) return null;
  const names = (paths.pointed() && paths.highlighted(view)) || [];
  const highlighted = names.map((token) => view.tokens[token].name).join(" ");
  return {
    scene: patchScene(seen, Math.max(size, 20)),
    data: { painted: view.info.id, step: view.steps[seen.step], highlighted },
    /** @param {number} x @param {number} y @param {DOMRect} box */
    targetAt(x, y, box) {
      const { rows, columns } = view.grid;
      const token = view.at(Math.floor((y / box.height) * rows), Math.floor((x / box.width) * columns));
      return token === null ? null : { token };
    },
  };
}

/** The sample of the path that the page is about. @param {{hidden: boolean}} props */
export const Patches = ({ hidden }) =>
  html`<${Drawn}
    id="patch-picture"
    look="patch-canvas"
    label="The sample with its tokens in the colours of their units. Arrow keys move from token to token."
    draw=${(/** @type {HTMLElement} */ host) => draw(state, host)}
    ...${{ onKey, hidden }}
    ><div class="skeleton when-loading" aria-hidden="true"></div
  ><//>`;

/** The same of A. */
export const PatchesOfA = () =>
  html`<${Drawn}
    id="patch-picture-of-a"
    look="patch-canvas"
    label="The same of A, which is pinned, at the same step."
    keys=${false}
    draw=${(/** @type {HTMLElement} */ host) => {
      const drawing = draw(compare.seenOfA(), host);
      return drawing && { ...drawing, ...(compare.apart.value ? { targetAt: () => null } : {}) }; // no places of B
    }}
  />`;
