/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import * as types from "rs/pages/types/state.js";
import { pictures } from "rs/pages/types/pictures.js";
import "rs/pages/types/exports.js";
import "rs/pages/types/facts.js";
import "rs/pages/types/legend.js";
import "rs/pages/types/player.js";

export { callbacks } from "rs/pages/types/page.js";

expose({ typeMap: () => ({ pictures }), types: () => types });
