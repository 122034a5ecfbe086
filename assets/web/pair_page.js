/* What holds the half of the Circuits page with the pictures together: it follows the state of the page, asks for answers
   after every change, and forgets everything when the page goes. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});

  routescope.widgets.register("pair-page", () => {
    const page = routescope.circuits.state;
    routescope.pairExports.register();
    const ends = [
      page.subscribe((state, names) => {
        if (["statement", "scene", "samples"].some((name) => names.has(name))) routescope.pair.follow();
        if (["sentences", "drop", "keep_edges", "status", "model"].some((name) => names.has(name)))
          routescope.pairAnswers.soon();
      }),
      routescope.pair.subscribe((_, names) => {
        if (["scene", "base", "samples", "status", "edited"].some((name) => names.has(name))) routescope.pairAnswers.soon();
      }),
    ];
    return () => {
      ends.forEach((end) => end());
      routescope.pairAnswers.leave();
      routescope.pair.leave();
      routescope.pairUnits.leave();
      routescope.pairEvaluation.leave();
    };
  });
})();
