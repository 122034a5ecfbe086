// A tour of a page: one element after the other is shown, with words beside it.
export { driver } from "driver.js";
