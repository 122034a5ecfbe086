/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import * as observe from "rs/pages/observe/page.js";
import * as plots from "rs/parts/plots.js";
import "rs/pages/observe/controls.js";
import "rs/pages/observe/experts/log.js";
import "rs/pages/observe/exports.js";

export { callbacks } from "rs/pages/observe/page.js";

expose({ observe: () => observe, plots: () => plots });
