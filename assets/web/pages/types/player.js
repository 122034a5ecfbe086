/* Moves through the steps of a map of types; keys: space, arrows, Home, End, plus, minus, 0, L, Enter, Escape. */
import { placeName, sortOf } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { open } from "rs/pages/types/hover.js";
import { pictures } from "rs/pages/types/map.js";
import * as typesPage from "rs/pages/types/state.js";
import { choose, chosenPoints, colouringOf, goTo, point, shows, state, update } from "rs/pages/types/state.js";
import { Tool, ZoomButtons } from "rs/parts/controls.js";
import { Bar, act, isCommand, makeClock, stepKeys } from "rs/parts/player.js";

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
 * @param {Which} which @param {number} by
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

const lasso = () => update({ tool: state.tool === "lasso" ? "move" : "lasso" });

/**
 * Hears the keys of a large map, or of the bar below: null.
 *
 * @param {Which | null} which @returns {(event: KeyboardEvent) => void}
 */
export const keysOf = (which) => (event) => {
  const points = state.maps.trained;
  if (isCommand(event) || !points) return;
  const picture = which && pictures[which];
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
      l: lasso,
      Enter: () => state.hover && open(state.hover.which, state.hover.point),
    }),
    Escape: () => (state.hover ? update({ hover: null }) : choose(null, null)),
  });
};

/** Plays through the steps, or shows all of them at once. */
export function Player() {
  const { allSteps, playing, step } = state;
  const points = state.maps.trained;
  const steps = points?.steps ?? [];
  const [count, sort] = [steps.length, sortOf(steps) + "s"];
  const place = points ? placeName(steps, step) : "";
  const shown = points && { count, step, valuetext: place, words: allSteps ? count + " " + sort : place };
  const bar = { least: 1, playLabel: "Play through the " + sort, pauseTitle: "Pause (space)" };
  const all = () => update({ allSteps: !allSteps, playing: false, time: null, hover: null });
  return html`<div class="path-controls">
    <div class="player" id="types-player" onKeyDown=${keysOf(null)}>
      <${Bar} ...${{ ...bar, shown, playing, toggle, goTo }} step=${() => state.step} />
      <${Tool}
        look="tool tool-text toggle"
        title=${"The points of all " + sort + " in one picture"}
        pressed=${allSteps}
        wait=${!points}
        act=${all}
        >${"all " + sort + " at once"}<//
      >
    </div>
  </div>`;
}

/** Lasso, the PCA view and zoom: buttons over the map. */
export function Tools() {
  const points = state.maps.trained;
  const { chosen, layout, tool } = state;
  const wait = !points;
  const [draw, pca] = ["Draw around points to select them (L; or hold Shift)", "The same points along their two main directions"]; // prettier-ignore
  return html`<div class="type-tools" id="types-tools">
    <${Tool} id="types-lasso" title=${draw} pressed=${tool === "lasso"} wait=${wait} act=${lasso}>Lasso<//>
    <${Tool}
      id="types-view"
      title="Select every point in view"
      wait=${wait}
      act=${() => pictures.trained?.selectView()}
    >
      Select all in view
    <//>
    <${Tool} id="types-clear" hidden=${!chosen} act=${() => choose(null, null)}>Clear selection<//>
    <${Tool}
      id="types-twin"
      title=${pca}
      pressed=${layout === "pca"}
      hidden=${points?.info.method === "pca"}
      wait=${wait}
      act=${() => typesPage.turnTo(layout === "pca" ? "map" : "pca")}
      >PCA view<//
    >
    <span class="zoom"><${ZoomButtons} mapsOf=${() => Object.values(pictures).map(({ map }) => map)} /></span>
  </div>`;
}
