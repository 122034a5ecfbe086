/* Small things that the parts of the Circuits page share: the number of a pinned sentence, words of a sentence. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;

  /** The number of a pinned sentence, as it stands at its circuit, on the maps and in tables. */
  const badge = (at) => build("span", { class: "badge", "aria-label": "sentence " + (at + 1) }, String(at + 1));

  /** Words of a sentence that the model was not trained with: [[start, end], ...], neighbouring pieces as one. */
  function unknown({ sentence, pieces }) {
    const text = sentence.toLowerCase();
    const found = [];
    let at = 0;
    for (const piece of pieces) {
      const start = text.indexOf(piece.text.toLowerCase(), at);
      if (start < 0) continue;
      at = start + piece.text.length;
      const last = found[found.length - 1];
      if (piece.known) continue;
      if (last && last[1] === start) last[1] = at;
      else found.push([start, at]);
    }
    return found;
  }

  /** A sentence, with the words that the model was not trained with marked. */
  function pieces(design) {
    const { sentence } = design;
    const parts = [];
    let at = 0;
    for (const [start, end] of unknown(design)) {
      parts.push(sentence.slice(at, start));
      const why = "the model was not trained with this word: it spells it";
      parts.push(build("mark", { class: "unknown", title: why }, sentence.slice(start, end)));
      at = end;
    }
    return [...parts, sentence.slice(at)];
  }

  routescope.circuits = routescope.circuits || {};
  Object.assign(routescope.circuits, { badge, pieces });
})();
