/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import { pathCanvas } from "rs/pages/paths/canvas.js";
import * as geometry from "rs/draw/path/geometry.js";
import * as paths from "rs/pages/paths/state.js";
import * as predictions from "rs/parts/predictions.js";
import * as compare from "rs/pages/paths/compare/state.js";
import "rs/pages/paths/candidates.js";
import "rs/pages/paths/compare/exports.js";
import "rs/pages/paths/continuation.js";
import "rs/pages/paths/exports.js";
import "rs/pages/paths/log/bar.js";
import "rs/pages/paths/player.js";
import "rs/pages/paths/samples.js";
import "rs/pages/paths/token_bars.js";

export { callbacks } from "rs/pages/paths/page.js";

expose({
  compare: () => compare,
  geometry: () => geometry,
  pathCanvas: () => pathCanvas,
  paths: () => paths,
  predictions: () => predictions,
});
