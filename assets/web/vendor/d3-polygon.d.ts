export { polygonContains, polygonHull } from "d3-polygon";
