/* The page as a whole. */
import { unpacked } from "rs/lib/api.js";
import { expose } from "rs/lib/handle.js";
import { blocksPicture } from "rs/pages/blocks/picture/canvas.js";
import * as layout from "rs/pages/blocks/picture/layout.js";
import * as run from "rs/pages/blocks/run.js";
import * as state from "rs/pages/blocks/state.js";
import "rs/parts/drawing_pad.js";
import "rs/parts/upload.js";

export { mount } from "rs/pages/blocks/page.js";

expose({ blocks: () => ({ layout, picture: blocksPicture, run: { ...run, unpack: unpacked }, state }) });
