export { select } from "d3-selection";
export { zoom, zoomIdentity, zoomTransform } from "d3-zoom";
