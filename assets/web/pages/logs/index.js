/* The page as a whole: everything that registers itself when it is imported. */
import "rs/pages/logs/bring.js";
import "rs/pages/logs/list.js";
import "rs/pages/logs/usage.js";
import "rs/pages/logs/compared.js";

export { callbacks } from "rs/pages/logs/page.js";
