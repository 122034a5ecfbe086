export { quadtree } from "d3-quadtree";
