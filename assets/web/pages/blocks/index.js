/* The page as a whole: everything that registers itself when it is imported. */
import { unpacked } from "rs/lib/api.js";
import { expose } from "rs/lib/handle.js";
import * as layout from "rs/pages/blocks/picture/layout.js";
import { blocksPicture } from "rs/pages/blocks/picture/canvas.js";
import * as run from "rs/pages/blocks/run.js";
import * as state from "rs/pages/blocks/state.js";
import "rs/pages/blocks/accuracy.js";
import "rs/pages/blocks/answers_files.js";
import "rs/pages/blocks/digit_image.js";
import "rs/pages/blocks/indicators.js";
import "rs/pages/blocks/inputs.js";
import "rs/pages/blocks/program.js";
import "rs/pages/blocks/table.js";
import "rs/parts/drawing_pad.js";
import "rs/parts/plots.js";
import "rs/parts/upload.js";

export { callbacks } from "rs/pages/blocks/page.js";

expose({ blocks: () => ({ layout, picture: blocksPicture, run: { ...run, unpack: unpacked }, state }) });
