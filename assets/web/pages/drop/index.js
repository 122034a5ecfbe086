/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import * as drop from "rs/pages/drop/state.js";

export { mount } from "rs/pages/drop/page.js";

expose({ drop: () => drop });
