/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import * as types from "rs/pages/types/state.js";
import { pictures } from "rs/pages/types/map.js";

export { mount } from "rs/pages/types/page.js";

expose({ typeMap: () => ({ pictures }), types: () => types });
