/* The page as a whole. */
import { expose } from "rs/lib/handle.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairPixels from "rs/pages/circuits/pair/pixels.js";
import * as pair from "rs/pages/circuits/pair/state.js";
import * as pairSvg from "rs/pages/circuits/pair/svg.js";
import * as state from "rs/pages/circuits/state.js";

export { mount } from "rs/pages/circuits/page.js";

expose({
  circuits: () => state,
  pair: () => pair,
  pairAnswers: () => pairAnswers,
  pairPixels: () => pairPixels,
  pairSvg: () => pairSvg,
});
