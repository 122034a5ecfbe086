/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import { pathCanvas } from "rs/pages/paths/canvas.js";
import * as geometry from "rs/draw/path/geometry.js";
import * as paths from "rs/pages/paths/state.js";
import * as compare from "rs/pages/paths/compare/state.js";

export { mount } from "rs/pages/paths/page.js";

expose({ compare: () => compare, geometry: () => geometry, pathCanvas: () => pathCanvas, paths: () => paths });
