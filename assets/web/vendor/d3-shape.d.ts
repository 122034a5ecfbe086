export { area, curveBumpX, curveMonotoneX, line, linkHorizontal } from "d3-shape";
