/* The page as a whole. */
export { mount } from "rs/pages/results/page.js";
