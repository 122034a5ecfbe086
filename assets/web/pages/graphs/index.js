/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import { GraphDrawing } from "rs/draw/graph.js";
import * as links from "rs/lib/links.js";
import * as graphMaps from "rs/pages/graphs/map.js";
import * as graph from "rs/pages/graphs/state.js";
import "rs/pages/graphs/controls.js";
import "rs/pages/graphs/module.js";
import "rs/parts/plots.js";

export { callbacks } from "rs/pages/graphs/page.js";

expose({ graph: () => graph, graphDrawing: () => () => GraphDrawing, graphMaps: () => graphMaps, links: () => links });
