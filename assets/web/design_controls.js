/* How one looks at the circuits: the threshold of links, what is compared, and what colours and rings mean. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const { build } = routescope.widgets;
  const SHOWS = [
    ["differences", "with differences to 1"],
    ["changes", "differences to 1 alone"],
    ["own", "each by itself"],
  ];

  /** Where on the slider a threshold is: at its first step that is no lower. */
  function placeOf(scale, threshold) {
    const place = scale.findIndex((each) => each >= threshold);
    return place < 0 ? scale.length - 1 : place;
  }

  routescope.widgets.register("design-threshold", (host) => {
    const { state, designs } = routescope.circuits;
    const links = routescope.controls.slider("design-threshold", "Links above", (place) =>
      state.set({ threshold: designs.get().data.scale[place] }),
    );
    host.replaceChildren(links.body);
    return designs.subscribe(({ data, compared }) => {
      const { threshold } = state.get();
      if (!data) {
        links.show(0, 0, "");
        return;
      }
      const whole = (count) => count.toLocaleString("en");
      const found = compared.map((each) => whole(each.links)).join(", ");
      const words = "P > " + Number(threshold.toFixed(4)) + ": " + found + " of " + whole(data.pairs.count) + " links";
      links.show(placeOf(data.scale, threshold), data.scale.length - 1, words);
    });
  });

  routescope.widgets.register("design-links", (host) => {
    const { state } = routescope.circuits;
    const select = build("select", { class: "plain-select", id: "design-links", "aria-label": "Links that are drawn" });
    select.addEventListener("change", () => state.set({ links: select.value }));
    routescope.controls.choices(select, SHOWS, state.get().links);
    host.replaceChildren(build("label", { class: "control-name", for: "design-links" }, "links"), select);
    return state.subscribe(({ links }, names) => names.has("links") && (select.value = links));
  });

  routescope.widgets.register("design-zoom", (host) => {
    const maps = () => routescope.circuits.pictures.all.slice(0, 1).map((picture) => picture.map);
    host.replaceChildren(...routescope.controls.zoomButtons(maps));
    return () => {};
  });

  const key = (name, ...words) =>
    build("span", { class: "legend-entry" }, build("span", { class: name, "aria-hidden": "true" }), ...words);

  function ringKey() {
    const entry = key("ring-key", "ring: another code");
    entry.title = "1 - cosine of the codes: a step thicker from " + routescope.designDrawing.RINGS.join(", ") + " on";
    return entry;
  }

  routescope.widgets.register("design-legend", (host) => {
    const { state, designs, pictures } = routescope.circuits;

    function draw() {
      const { data } = designs.get();
      if (!data) {
        host.replaceChildren();
        return;
      }
      const compares = data.designs.length > 1 && state.get().links !== "own";
      const { entries, what } = pictures.colouringOf(data);
      host.replaceChildren(
        ...(compares
          ? [
              ...(state.get().links === "differences" ? [key("line line-kept", "in both")] : []),
              key("line line-gained", "gained against 1"),
              key("line line-lost", "lost against 1"),
              ringKey(),
            ]
          : []),
        build("span", { class: "control-name" }, what + " in 1"),
        ...entries.map(({ name, count, paint }) => {
          const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
          swatch.style.background = paint;
          return build("span", { class: "legend-entry" }, swatch, name, build("small", {}, String(count)));
        }),
      );
    }

    const ends = [
      designs.subscribe((_, names) => names.has("data") && draw()),
      state.subscribe((_, names) => names.has("links") && draw()),
      routescope.theme.onChange(draw),
    ];
    return () => ends.forEach((end) => end());
  });

  /** What is said in place of the circuits while there are none. */
  routescope.widgets.register("design-problem", (host) => {
    const { designs } = routescope.circuits;
    return designs.subscribe(({ status, problem }) => {
      host.hidden = status !== "failed";
      if (!problem) return;
      const retry = { type: "button", class: "button", onclick: designs.again };
      host.replaceChildren(
        build("p", { class: "message-title" }, problem.title),
        build("p", { class: "message-detail" }, problem.detail),
        build("button", retry, "Try again"),
      );
    });
  });
})();
