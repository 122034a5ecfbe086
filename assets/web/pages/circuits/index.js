/* The page as a whole: everything that registers itself when it is imported. */
import { expose } from "rs/lib/handle.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairPixels from "rs/pages/circuits/pair/pixels.js";
import * as pair from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as state from "rs/pages/circuits/state.js";
import "rs/pages/circuits/designs/controls.js";
import "rs/pages/circuits/exports.js";
import "rs/pages/circuits/pair/answers.js";
import "rs/pages/circuits/pair/editor.js";
import "rs/pages/circuits/pair/gallery.js";
import "rs/pages/circuits/pair/modules.js";
import "rs/pages/circuits/pair/page.js";
import "rs/pages/circuits/sentences/controls.js";
import "rs/pages/circuits/sentences/input.js";
import "rs/pages/circuits/sentences/tables.js";

export { callbacks } from "rs/pages/circuits/page.js";

expose({
  circuits: () => ({ state }),
  pair: () => pair,
  pairAnswers: () => pairAnswers,
  pairPixels: () => pairPixels,
  pairSvg: () => pairSvg,
});
