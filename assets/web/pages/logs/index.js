/* The page as a whole. */
export { mount } from "rs/pages/logs/page.js";
