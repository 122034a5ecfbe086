/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import * as drop from "rs/pages/drop/state.js";
import "rs/pages/drop/importance.js";
import "rs/parts/plots.js";

export { mount } from "rs/pages/drop/page.js";

expose({ drop: () => drop });
