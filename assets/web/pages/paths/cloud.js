/* A cloud of points in the colours of the modules that read them most; with a module chosen, where that one looks. */
import { mix } from "rs/draw/colours.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { paintOf } from "rs/pages/paths/attention.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { Cloud, placesOfSample } from "rs/draw/cloud.js";

/** @import { Foreign } from "rs/draw/types.d.ts" */
/** @import { CircuitState } from "rs/pages/paths/types.d.ts" */

/**
 * The colour of every point: of the module that reads it most, or how much the module that is pointed at reads of it.
 *
 * @param {CircuitState} shown
 * @returns {string[]}
 */
function coloursOf(shown) {
  const { view, step } = shown;
  const theme = readTheme();
  const paint = paintOf(shown);
  const target = shown.hover || shown.pinned;
  if (target && target.unit !== undefined) {
    const { unit } = target;
    const most = Math.max(...view.points.map((token) => view.reads(unit, token)), 1e-9);
    return view.points.map((token) => mix(theme.hair, paint(unit), view.reads(unit, token) / most));
  }
  return view.points.map((token) =>
    target && target.token === token
      ? theme.ink
      : view.dominant(step, token) < 0
        ? theme.unmatched
        : paint(view.dominant(step, token)),
  );
}

/** @param {CircuitState} shown */
function wordsOf({ view, step }) {
  return view.points.map((token) => {
    const unit = view.dominant(step, token);
    const by = unit < 0 ? "no module" : view.units[unit] + " (" + (100 * view.reads(unit, token)).toFixed(1) + " %)";
    return view.label(token) + ", read most by " + by;
  });
}

/** Whether what is shown of the sample are points in space. */
export const isCloud = () => Boolean(state.view?.circuit && state.view.points.length);

/** @type {Cloud | null} */
let cloud = null;

/** @returns {Foreign} */
export function cloudPicture() {
  if (!cloud) throw new Error("There is no picture yet.");
  return cloud.picture(
    "The module that reads every point most",
    "The cloud with each point in the colour of the module whose read-in is most on it; or, with a module chosen, where that one looks.",
  );
}

/** @param {HTMLElement} host */
export function makeCloud(host) {
  const drawn = new Cloud(host, {
    point: (place) => paths.point(place === null ? null : { token: place }),
    pick: (place) => paths.pin({ token: place }),
  });
  cloud = drawn;
  let gone = false;
  async function draw() {
    if (!isCloud()) return;
    const { sample } = /** @type {CircuitState} */ (state).view.info;
    const left = () => gone || state.view?.info.sample !== sample;
    try {
      const places = await placesOfSample(sample);
      if (left()) return;
      const now = /** @type {CircuitState} */ (state);
      const [x, y, z] = [places.x, places.y, places.z].map((values) => values.slice(0, now.view.points.length));
      await drawn.show(sample, { x, y, z }, coloursOf(now), wordsOf(now));
    } catch (error) {
      if (!left()) host.textContent = error instanceof Error ? error.message : String(error);
    }
  }
  const stops = [paths.subscribe(draw), onThemeChange(draw)];
  return {
    dispose() {
      gone = true;
      stops.forEach((stop) => stop());
      drawn.dispose();
      cloud = null;
    },
  };
}
