/* The Samples page: its address, what was added, and moving through the gallery with the arrow keys. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const clientside = (window.dash_clientside = window.dash_clientside || {});

  clientside.samples = {
    /** Writes the choice and the filters into the address. */
    writeAddress(selection, filters) {
      const { model, sample } = selection || {};
      const { source, set, label, wrong, page } = filters || {};
      routescope.url.write("/", {
        model,
        sample,
        source: source === "data" ? null : source,
        set,
        label,
        wrong: wrong ? 1 : null,
        page: page > 1 ? page : null,
      });
      return clientside.no_update;
    },

    /** Marks the chosen picture after the gallery was drawn anew. */
    markChosen(_children, selection) {
      clientside.shell.remember(selection, null);
      return clientside.no_update;
    },

    showPrediction(facts) {
      routescope.predictions.show("sample", facts);
      return facts && facts.current ? facts.current.id : "";
    },

    /** The filters after a control was used; every other filter starts again at the first page. */
    changeFilters(source, set, label, wrong, _previous, _next, filters, pages) {
      const by = { "gallery-previous": -1, "gallery-next": 1 }[clientside.callback_context.triggered_id];
      if (by) return { ...filters, page: Math.max(1, Math.min(pages || 1, (filters.page || 1) + by)) };
      const chosen = (value) => (value && value !== "any" ? value : null);
      const next = {
        source,
        set: chosen(set),
        label: chosen(label) === null ? null : Number(label),
        wrong: Boolean(wrong),
        page: 1,
      };
      const same = ["source", "set", "label", "wrong"].every((name) => next[name] === filters[name]);
      return same ? clientside.no_update : next;
    },
  };

  /** A sample arrived: choose it, show it among the person's own. */
  function added(sample) {
    routescope.selection.choose({ sample: sample.id });
    clientside.set_props("samples-changed", { data: Date.now() });
  }

  document.addEventListener("keydown", (event) => {
    const grid = event.target instanceof Element ? event.target.closest("[data-gallery]") : null;
    if (!grid) return;
    const buttons = [...grid.querySelectorAll("[data-pick-sample]")];
    const at = buttons.indexOf(event.target);
    if (at < 0) return;
    const top = buttons[0].getBoundingClientRect().top;
    const columns = Math.max(
      1,
      buttons.filter((button) => Math.abs(button.getBoundingClientRect().top - top) < 4).length,
    );
    const moves = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -at,
      End: buttons.length - 1 - at,
    };
    if (!(event.key in moves)) return;
    event.preventDefault();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + moves[event.key]))];
    buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
    next.focus();
  });

  routescope.samples = { added };
})();
