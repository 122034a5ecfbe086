export { polygonContains } from "d3-polygon";
