export { scaleLinear, scaleLog, scaleSqrt } from "d3-scale";
