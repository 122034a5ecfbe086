/* The page as a whole. */
import { GraphDrawing } from "rs/draw/graph.js";
import { expose } from "rs/lib/handle.js";
import * as links from "rs/lib/links.js";
import * as graphMaps from "rs/pages/graphs/map.js";
import * as graph from "rs/pages/graphs/state.js";

export { mount } from "rs/pages/graphs/page.js";

expose({ graph: () => graph, graphDrawing: () => () => GraphDrawing, graphMaps: () => graphMaps, links: () => links });
