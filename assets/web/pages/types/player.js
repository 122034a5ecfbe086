/* Moves through the steps of a map of types; keys: space, arrows, Home, End, plus, minus, 0, L, Enter, Escape. */
import { build, registerWidget } from "rs/lib/dom.js";
import { stepLabel } from "rs/lib/trace.js";
import { html, icon, show } from "rs/lib/view.js";
import * as typeMap from "rs/pages/types/map.js";
import * as opening from "rs/pages/types/opening.js";
import * as typePictures from "rs/pages/types/pictures.js";
import {
  choose,
  chosenPoints,
  colouringOf,
  goTo,
  point,
  shows,
  state,
  subscribe,
  update,
} from "rs/pages/types/state.js";
import { act, hearKeys, isCommand, makeClock, playerBar, stepKeys } from "rs/parts/player.js";

/** @import { ScatterMap } from "rs/draw/map.js" */
/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

const SECONDS_A_STEP = 1.1;
const RESTS = 0.3; // share of a step's time that the points stay where they are
let clock = 0;

/** `state.time` is a step and the share of the way to the next one. */
const start = makeClock(
  SECONDS_A_STEP,
  () => state.playing && state.maps.trained,
  (passed) => {
    const points = /** @type {TypePoints} */ (state.maps.trained);
    clock += passed;
    const end = points.steps.length - 1;
    const step = Math.min(end, Math.floor(clock));
    const share = Math.max(0, (clock - step - RESTS) / (1 - RESTS));
    if (clock >= end) update({ playing: false, time: null, step: end });
    else update(step === state.step ? { time: step + share } : { time: step + share, step });
    return clock < end;
  },
);

function toggle() {
  const points = state.maps.trained;
  if (!points) return;
  if (state.playing) {
    update({ playing: false, time: null });
    return;
  }
  clock = state.step >= points.steps.length - 1 ? 0 : state.step;
  update({ playing: true, allSteps: false, step: clock, time: clock, hover: null });
  start();
}

/**
 * Points at the next or previous of the points that are shown, chosen ones first.
 *
 * @param {Which} which
 * @param {number} by
 */
function pointNext(which, by) {
  const points = state.maps[which];
  if (!points) return;
  const colouring = colouringOf(points);
  const chosen = state.chosen && state.chosen.which === which ? chosenPoints() : [];
  const steps = state.allSteps ? points.steps.map((_, step) => step) : [state.step];
  const all = chosen.length
    ? chosen
    : steps.flatMap((step) => Array.from(points.pointOf[step]).filter((at) => at >= 0 && shows(points, colouring, at)));
  if (!all.length) return;
  const at = state.hover && state.hover.which === which ? all.indexOf(state.hover.point) : -1;
  point(which, all[(at + (at < 0 && by < 0 ? 0 : by) + all.length) % all.length]);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const points = state.maps.trained;
  if (isCommand(event) || !points) return;
  /** @type {HTMLElement | null} */
  const host = /** @type {Element} */ (event.target).closest("[data-type-keys]");
  const picture = typePictures.pictures[/** @type {Which} */ (host?.dataset.typeKeys)];
  /** @type {Record<string, [number, number]>} */
  const pan = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] };
  if (event.shiftKey && pan[event.key] && picture) {
    event.preventDefault();
    picture.map.panBy(...pan[event.key]);
    return;
  }
  act(event, {
    ...stepKeys(toggle, goTo, state.step, points.steps.length),
    ...(picture && {
      ArrowDown: () => pointNext(picture.which, 1),
      ArrowUp: () => pointNext(picture.which, -1),
      "+": () => picture.map.zoomBy(1.4),
      "=": () => picture.map.zoomBy(1.4),
      "-": () => picture.map.zoomBy(1 / 1.4),
      0: () => picture.map.fit(),
      l: () => update({ tool: state.tool === "lasso" ? "move" : "lasso" }),
      Enter: () => state.hover && opening.open(state.hover.which, state.hover.point),
    }),
    Escape: () => (state.hover ? update({ hover: null }) : choose(null, null)),
  });
}

registerWidget("type-player", (host) => {
  const all = build(
    "button",
    {
      type: "button",
      class: "tool tool-text toggle",
      title: "The points of all steps in one picture",
      onclick: () => update({ allSteps: !state.allSteps, playing: false, time: null, hover: null }),
    },
    "all steps at once",
  );
  const show = playerBar(host, { toggle, goTo, step: () => state.step, pauseTitle: "Play (space)", more: [all] });
  const stop = subscribe((state, names) => {
    if (!["maps", "step", "playing", "allSteps"].some((name) => names.has(name))) return;
    const points = state.maps.trained;
    all.setAttribute("aria-pressed", String(state.allSteps));
    if (!points) {
      show(null, state.playing);
      return;
    }
    const [name, count] = [stepLabel(points.steps[state.step]), points.steps.length];
    const words = state.allSteps ? count + " steps" : "step " + name + " of " + count;
    show({ count, step: state.step, valuetext: "step " + name, words }, state.playing);
  });
  return () => {
    update({ playing: false, time: null });
    stop();
  };
});

/** Zoom, lasso and the PCA twin: buttons over the map. */
function tools() {
  const points = state.maps.trained;
  /**
   * @param {Record<string, unknown>} attributes
   * @param {unknown} content
   * @param {() => void} action
   */
  const tool = (attributes, content, action) => html`
    <button type="button" class="tool tool-text" disabled=${!points} onClick=${action} ...${attributes}>
      ${content}
    </button>
  `;
  const lasso = {
    "data-tool": "lasso",
    title: "Draw around points to select them (L; or hold Shift)",
    "aria-pressed": String(state.tool === "lasso"),
  };
  const twin = {
    "data-tool": "pca",
    title: "The same points by their two main directions",
    "aria-pressed": String(state.layout === "pca"),
    hidden: Boolean(points && points.info.method === "pca"),
  };
  const clear = { "data-tool": "clear", hidden: !state.chosen };
  const view = { "data-tool": "view", title: "Select every point in view" };
  /**
   * @param {string} label
   * @param {string} title
   * @param {unknown} content
   * @param {(map: ScatterMap) => void} action
   */
  const zoom = (label, title, content, action) =>
    tool({ "aria-label": label, title, class: "tool" }, content, () =>
      Object.values(typePictures.pictures).forEach((one) => action(one.map)),
    );
  const closer = "Zoom in (+); or click the map and turn the wheel";
  return html`
    ${tool(lasso, "lasso", () => update({ tool: state.tool === "lasso" ? "move" : "lasso" }))}
    ${tool(view, "select view", () => typePictures.pictures.trained?.selectView())}
    ${tool(clear, "clear selection", () => choose(null, null))}
    ${tool(twin, "PCA twin", () => typeMap.turnTo(state.layout === "pca" ? "map" : "pca"))}
    <span class="zoom" role="group" aria-label="Zoom">
      ${zoom("Zoom out", "Zoom out (−)", "−", (map) => map.zoomBy(1 / 1.5))}
      ${zoom("Zoom in", closer, "+", (map) => map.zoomBy(1.5))}
      ${zoom("Show all points", "Show all (0)", icon("fit"), (map) => map.fit())}
    </span>
  `;
}

registerWidget("type-tools", (host) => show(host, tools));

hearKeys("[data-type-keys]", onKey);
