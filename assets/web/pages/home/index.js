/* The page as a whole: everything that registers itself when it is imported. */
import "rs/pages/home/models.js";
import "rs/pages/home/path.js";

export { callbacks } from "rs/pages/home/page.js";
