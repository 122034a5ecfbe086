/* The page as a whole: everything that registers itself when it is imported. */
import "rs/pages/logs/bring.js";
import "rs/pages/logs/list.js";
import "rs/pages/logs/record.js";
import "rs/pages/logs/usage.js";
import "rs/pages/logs/compared.js";
import "rs/pages/logs/token.js";
import "rs/pages/logs/exports.js";

export { callbacks } from "rs/pages/logs/page.js";
