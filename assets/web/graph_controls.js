/* The controls of the Graphs page: sliders over modules and links, data and samples, and how one looks at the graph. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const { slider, choices, zoomButtons } = routescope.controls;
  const STEPS = 1000; // of the sliders whose scale is finer towards few links
  const SIZES = [200, 500, 1000, 2000, 3000];

  /* -- sliders --------------------------------------------------------------------------------------------------- */

  const shareOf = (place) => Number(((place / STEPS) ** 2).toPrecision(3));
  const placeOf = (share) => Math.round(STEPS * Math.sqrt(share));

  routescope.widgets.register("graph-sliders", (host) => {
    const { graph } = routescope;
    const least = slider("graph-least", "Least connected dropped", (value) => graph.choose({ least: value }));
    const keep = slider("graph-keep", "Links kept", (place) =>
      graph.choose({ keep: place >= STEPS ? null : shareOf(place) }),
    );
    host.replaceChildren(least.body, keep.body);
    return graph.subscribe(({ graph: known, choice, cut }, names) => {
      if (!["graph", "choice", "cut"].some((name) => names.has(name)) && names.size) return;
      if (!known || !cut) {
        least.show(0, 0, "");
        keep.show(0, 0, "");
        return;
      }
      const share = routescope.graphEffect.shareWords;
      const more = choice.drop.length ? ", " + cut.names.length + " with those named" : "";
      const away = choice.least + " of " + known.count + " (" + share(choice.least / known.count) + ")" + more;
      least.show(choice.least, known.count - 1, away);
      const linked = known.links_kind !== "complete" && known.edges > 0;
      const kept = choice.keep === null ? 1 : choice.keep;
      const { whole } = routescope.numbers;
      const words = share(kept) + ": " + whole(cut.live) + " of " + whole(cut.pairs) + " links";
      keep.show(placeOf(kept), linked ? STEPS : 0, linked ? words : "a complete graph has none to choose from");
    });
  });

  routescope.widgets.register("graph-links", (host) => {
    const { graph } = routescope;
    const links = slider("graph-threshold", "Links drawn", (place) =>
      graph.look({ links: Math.round(shareOf(place) * graph.most(graph.state.graph)) }),
    );
    host.replaceChildren(links.body);
    return graph.subscribe((state, names) => {
      if (!["graph", "view", "cut"].some((name) => names.has(name))) return;
      if (!state.graph || !state.cut) {
        links.show(0, 0, "");
        return;
      }
      const shown = graph.shownLinks();
      const { whole } = routescope.numbers;
      const { learned } = state.graph.links;
      const found = routescope.links.clusters(learned, state.cut.states.learned, shown, state.cut.dropped);
      const bound = shown ? "p \u2265 " + graph.threshold().toFixed(3) + ": " : "";
      const words =
        bound + whole(shown) + " of " + whole(learned.count) + " links, " +
        found.count + (found.count === 1 ? " cluster" : " clusters") + ", the largest of " + found.largest; // prettier-ignore
      links.show(placeOf(shown / Math.max(1, graph.most(state.graph))), STEPS, words);
    });
  });

  /* -- data and samples ------------------------------------------------------------------------------------------ */

  function toggleSet(name) {
    const { graph, graphEvaluation } = routescope;
    const names = graph.state.sets.map((each) => each.name);
    const now = graphEvaluation.measured();
    const next = names.filter((each) => (each === name ? !now.includes(name) : now.includes(each)));
    if (!next.length)
      routescope.api.notify("One data set stays", "Something has to be measured: choose another one first.", "good");
    else graph.choose({ data: next.length === names.length ? [] : next });
  }

  function setChip(each, heldOut) {
    const note = [each.stand_in ? "stand-in" : "", heldOut ? "held out" : ""].filter(Boolean).join(", ");
    return build(
      "button",
      {
        type: "button",
        class: "chip chip-set",
        title: each.title + (heldOut ? "; never trained on" : ""),
        "aria-label": each.name + (note ? ", " + note : "") + ": " + each.title,
        "data-graph-set": each.name,
        onclick: () => toggleSet(each.name),
      },
      each.name,
      note ? build("span", { class: "chip-note" }, note) : null,
    );
  }

  routescope.widgets.register("graph-sets", (host) =>
    routescope.graph.subscribe((state, names) => {
      const held = (state.model && state.model.held_out) || [];
      if (names.has("sets")) host.replaceChildren(...state.sets.map((each) => setChip(each, held.includes(each.name))));
      if (!names.has("sets") && !names.has("choice")) return;
      const used = routescope.graphEvaluation.measured();
      host.querySelectorAll("[data-graph-set]").forEach((chip) => {
        chip.setAttribute("aria-pressed", String(used.includes(chip.dataset.graphSet)));
      });
    }),
  );

  routescope.widgets.register("graph-samples", (host) => {
    const { graph } = routescope;
    const select = build("select", { class: "plain-select", id: "graph-samples", "aria-label": "Number of samples" });
    select.addEventListener("change", () => graph.choose({ samples: Number(select.value) }));
    host.replaceChildren(select);
    return graph.subscribe(({ choice }, names) => {
      if (!names.has("choice")) return;
      const sizes = [...new Set([...SIZES, choice.samples])].sort((a, b) => a - b);
      choices(select, sizes.map((size) => [String(size), size.toLocaleString("en")]), String(choice.samples)); // prettier-ignore
    });
  });

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("#graph-reset")) return;
    const { graph } = routescope;
    graph.choose({ ...graph.CHOICE });
  });

  /* -- how one looks at it --------------------------------------------------------------------------------------- */

  /** A choice of how one looks at the graph: `name` of the view, and its options. */
  function viewSelect(widget, name, words, options) {
    routescope.widgets.register(widget, (host) => {
      const { graph } = routescope;
      const select = build("select", { class: "plain-select", id: widget, "aria-label": words });
      select.addEventListener("change", () => graph.look({ [name]: select.value }));
      host.replaceChildren(build("label", { class: "control-name", for: widget }, words), select);
      return graph.subscribe((state, names) => {
        if (names.has("graph")) choices(select, options(state.graph), state.view[name]);
        if (names.has("view")) select.value = state.view[name];
      });
    });
  }

  viewSelect("graph-colour", "colour", "Colour", () => [
    ["community", "community"],
    ["degree", "expected links"],
  ]);
  viewSelect("graph-order", "order", "Order", (graph) => [
    ["matched", !graph || graph.ordered_by === "prior" ? "matched prior" : "communities, best first"],
    ["communities", "communities"],
    ["connectivity", "connectivity"],
  ]);
  viewSelect("graph-scale", "scale", "Shades", () => [
    ["fixed", "0 to 1"],
    ["range", "as they vary"],
  ]);

  routescope.widgets.register("graph-compare", (host) => {
    const { graph } = routescope;
    host.addEventListener("click", () => graph.look({ compare: !graph.state.view.compare }));
    return graph.subscribe((state, names) => {
      if (!names.has("view") && !names.has("graph")) return;
      host.setAttribute("aria-pressed", String(state.view.compare));
      host.disabled = !state.graph || !state.graph.prior;
      host.title = host.disabled
        ? "This model was made without a prior"
        : "Draw the matched prior beside it, in the same places";
    });
  });

  routescope.widgets.register("graph-zoom", (host) => {
    const { maps } = routescope.graphMaps;
    host.replaceChildren(...zoomButtons(() => (maps.learned ? [maps.learned.map] : [])));
    return () => {};
  });

  routescope.widgets.register("graph-legend", (host) => {
    function draw() {
      const { state } = routescope.graph;
      if (!state.graph) {
        host.replaceChildren();
        return;
      }
      const { entries, what } = routescope.graphMaps.colouringOf(state);
      host.replaceChildren(
        build("span", { class: "control-name" }, what),
        ...entries.map(({ name, count, paint }) => {
          const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
          swatch.style.background = paint;
          return build("span", { class: "legend-entry" }, swatch, name, build("small", {}, String(count)));
        }),
      );
    }
    let colour = null;
    const ends = [
      routescope.graph.subscribe(({ view }, names) => {
        if (!names.has("graph") && colour === view.colour) return;
        colour = view.colour;
        draw();
      }),
      routescope.theme.onChange(draw),
    ];
    return () => ends.forEach((end) => end());
  });

  /** What the keys point at, for those who do not see it. */
  routescope.widgets.register("graph-said", (host) =>
    routescope.graph.subscribe((state, names) => {
      if (!names.has("hover") || !state.graph) return;
      host.textContent = state.hover >= 0 ? routescope.graphMaps.wordsOf(state, state.hover) : "";
    }),
  );
})();
