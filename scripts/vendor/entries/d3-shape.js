export { area, line } from "d3-shape";
