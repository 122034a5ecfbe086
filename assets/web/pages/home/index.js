/* The page as a whole. */
export { mount } from "rs/pages/home/page.js";
