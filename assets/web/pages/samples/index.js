/* The page as a whole. */
export { mount } from "rs/pages/samples/page.js";
