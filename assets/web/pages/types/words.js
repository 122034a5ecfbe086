/* What a map is called, and the line that a copy of it carries. */
import * as fits from "rs/lib/fits.js";
import { stepLabel } from "rs/lib/trace.js";
import * as unitNames from "rs/lib/units.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { TypesState } from "rs/pages/types/types.d.ts" */

export const METHODS = { pca: "PCA", tsne: "t-SNE", umap: "UMAP" };
export const ROUTING = { trained: "as trained", initial: "routing at initialisation" };

/**
 * @param {TypePoints} points
 * @param {Pick<TypesState, "layout">} state
 */
export const namedLayout = (points, state) => (state.layout === "pca" ? "pca" : points.info.method);

/**
 * One line that a copy of the picture carries.
 *
 * @param {TypePoints} points
 * @param {Pick<TypesState, "layout" | "allSteps" | "step">} state
 * @param {boolean} withStep
 */
export function captionOf(points, state, withStep) {
  const { info } = points;
  const method = namedLayout(points, state);
  const parts = [info.model, METHODS[method]];
  if (method === info.method && method === "tsne") parts.push("perplexity " + fits.parameter(info, "perplexity"));
  if (method === info.method && method === "umap") parts.push(fits.parameter(info, "neighbours") + " neighbours");
  parts.push("seed " + info.seed);
  if (info.intervention.drop.length) parts.push("drop " + unitNames.listed(info.intervention.drop));
  if (withStep)
    parts.push(
      state.allSteps ? "all steps" : "step " + stepLabel(points.steps[state.step]) + " of " + points.steps.length,
    );
  return parts.join(" · ");
}
