/* The way from a point to the Paths page. */
import * as address from "rs/lib/address.js";
import { open as visit } from "rs/lib/navigation/history.js";
import * as typesPage from "rs/pages/types/state.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Which } from "rs/pages/types/types.d.ts" */

/**
 * The address of the Paths page at the sample and the step of a point.
 *
 * @param {TypePoints} points
 * @param {number} point
 */
export function pathOf(points, point) {
  const { info } = points;
  const sample = points.samples[points.sample[point]];
  const { model, units, intervention } = info;
  const candidate = points.candidateOf(points.token[point]);
  return address.linkTo(
    "paths",
    { model, sample, drop: intervention.drop, step: points.step[point], candidate },
    units,
  );
}

/**
 * Opens the Paths page at a point.
 *
 * @param {Which} which
 * @param {number} point
 */
export function open(which, point) {
  const points = typesPage.state.maps[which];
  if (!points) return;
  visit(pathOf(points, point));
}
