/* The page as a whole: everything that registers itself when it is imported. */
import "rs/pages/samples/clouds.js";
import "rs/pages/samples/files.js";
import "rs/pages/samples/link.js";
import "rs/pages/samples/numbers.js";
import "rs/pages/samples/panels.js";
import "rs/pages/samples/texts.js";
import "rs/draw/cloud.js";
import "rs/parts/drawing_pad.js";
import "rs/parts/predictions.js";
import "rs/pages/samples/readers.js";
import "rs/parts/upload.js";

export { callbacks } from "rs/pages/samples/page.js";
