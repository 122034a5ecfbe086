/* Small things that the parts of the Circuits page share: the number of a pinned sentence, words of a sentence. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;

  /** The number of a pinned sentence, as it stands at its circuit, on the maps and in tables. */
  const badge = (at) => build("span", { class: "badge", "aria-label": "sentence " + (at + 1) }, String(at + 1));

  /** A sentence in its pieces, those that the model was not trained with marked. */
  function pieces(design) {
    return design.pieces.flatMap(({ text, known }, at) => [
      at && /^[\p{L}\p{N}]/u.test(text) ? " " : null,
      known
        ? build("span", { class: "piece" }, text)
        : build("mark", { class: "piece unknown", title: "the model was not trained with this word" }, text),
    ]);
  }

  routescope.circuits = routescope.circuits || {};
  Object.assign(routescope.circuits, { badge, pieces });
})();
