/* What holds the half of the Circuits page with the pictures together: it follows the state of the page, asks for answers
   after every change, and forgets everything when the page goes. */
import { registerWidget } from "rs/lib/dom.js";
import * as pairAnswers from "rs/pages/circuits/pair/ask.js";
import * as pairEvaluation from "rs/pages/circuits/pair/evaluation.js";
import * as pairExports from "rs/pages/circuits/pair/exports.js";
import * as pairPage from "rs/pages/circuits/pair/state.js";
import * as pairUnits from "rs/pages/circuits/pair/units.js";
import * as circuitsState from "rs/pages/circuits/state.js";

registerWidget("pair-page", () => {
  const page = circuitsState;
  pairExports.register();
  const ends = [
    page.subscribe((state, names) => {
      if (names.has("model")) pairAnswers.forget();
      if (["statement", "scene", "samples"].some((name) => names.has(name))) pairPage.follow();
      if (["sentences", "drop", "keep_edges", "status", "model"].some((name) => names.has(name))) pairAnswers.soon();
    }),
    pairPage.subscribe((_, names) => {
      if (["scene", "base", "samples", "status", "edited"].some((name) => names.has(name))) pairAnswers.soon();
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    pairAnswers.leave();
    pairPage.leave();
    pairUnits.leave();
    pairEvaluation.leave();
  };
});
