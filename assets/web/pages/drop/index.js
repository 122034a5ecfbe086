/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import * as drop from "rs/pages/drop/state.js";
import "rs/pages/drop/compare/panels.js";
import "rs/pages/drop/experts.js";
import "rs/pages/drop/importance.js";
import "rs/pages/drop/numbers.js";
import "rs/pages/drop/pictures.js";
import "rs/pages/drop/studio/panel.js";
import "rs/pages/drop/units.js";
import "rs/parts/plots.js";

export { callbacks } from "rs/pages/drop/page.js";

expose({ drop: () => drop });
