/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import * as observe from "rs/pages/observe/state.js";

export { mount } from "rs/pages/observe/page.js";

expose({ observe: () => observe });
