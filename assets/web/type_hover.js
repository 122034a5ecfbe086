/* What a point is: a card beside it with the sample's image and the patch marked, and a click's way to the Paths page. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const SIZE = 112;

  const imageOf = (sample) => routescope.api.BASE + "/samples/" + encodeURIComponent(sample) + "/image";

  /** The address of the Paths page at the sample and the step of a point. */
  function pathOf(points, point) {
    const { info } = points;
    return (
      "/paths" +
      routescope.url.queryOf({
        model: info.model,
        sample: points.samples[points.sample[point]],
        drop: routescope.units.compact(info.units, info.intervention.drop),
        step: points.step[point] + 1,
      })
    );
  }

  /** The sample's image with the token's patch marked; a CLS token marks none. */
  function markedImage(points, point, size, alt) {
    const { build } = routescope.widgets;
    const token = points.tokens[points.token[point]];
    const image = build("img", {
      src: imageOf(points.samples[points.sample[point]]),
      alt: alt || "",
      width: size,
      height: size,
      class: "pixels",
    });
    const frame = build("span", { class: "marked-image" }, image);
    frame.style.width = frame.style.height = size + "px";
    if (token.kind === "patch") {
      const mark = build("span", { class: "patch-mark" });
      const { rows, columns } = points.grid;
      mark.style.left = (100 * token.column) / columns + "%";
      mark.style.top = (100 * token.row) / rows + "%";
      mark.style.width = 100 / columns + "%";
      mark.style.height = 100 / rows + "%";
      frame.append(mark);
    }
    return frame;
  }

  function swatch(points, point) {
    const dot = routescope.widgets.build("span", { class: "swatch", "aria-hidden": "true" });
    dot.style.background = routescope.theme.unitPaint(points.unit[point]);
    return dot;
  }

  /** In words: for the card, and for those who do not see it. */
  function wordsOf(points, point) {
    return (
      points.samples[points.sample[point]] +
      ", " +
      (points.ofUnits ? "module " : "") +
      points.tokenLabel(points.token[point]) +
      ", label " +
      points.labelName(point) +
      ", step " +
      routescope.stepLabel(points.steps[points.step[point]]) +
      (points.ofUnits ? "" : ", " + points.unitName(point)) +
      (points.correct[point] === 0 ? ", sample predicted wrongly" : "")
    );
  }

  function cardOf(points, point) {
    const { build } = routescope.widgets;
    const line = (...parts) => build("p", {}, ...parts);
    return [
      markedImage(points, point, SIZE),
      build(
        "div",
        { class: "card-words" },
        line(build("strong", {}, points.samples[points.sample[point]])),
        points.ofUnits ? null : line(points.tokenLabel(points.token[point])),
        line(
          "label " + points.labelName(point),
          points.correct[point] === 0 ? build("span", { class: "thumb-wrong" }, "wrong") : null,
        ),
        line("step " + routescope.stepLabel(points.steps[points.step[point]])),
        line(swatch(points, point), points.unitName(point)),
      ),
    ];
  }

  /** Puts the card beside a point without leaving the map. */
  function put(card, host, [x, y]) {
    const [w, h] = [card.offsetWidth, card.offsetHeight];
    const left = x + 18 + w < host.clientWidth ? x + 18 : x - 18 - w;
    card.style.left = Math.max(2, Math.min(host.clientWidth - w - 2, left)) + "px";
    card.style.top = Math.max(2, Math.min(host.clientHeight - h - 2, y - h / 2)) + "px";
  }

  routescope.widgets.register("type-card", (card) => {
    const host = card.parentElement;
    const { which } = host.dataset;
    let shown = -1;
    return routescope.types.subscribe((state, names) => {
      if (!["hover", "maps", "step", "time", "share"].some((name) => names.has(name))) return;
      const { hover } = state;
      const points = state.maps[which];
      const picture = routescope.typeMap.pictures[which];
      const here = hover && hover.which === which && points && picture && state.share === null && !state.playing;
      card.hidden = !here;
      if (!here) {
        shown = -1;
        return;
      }
      if (shown !== hover.point) card.replaceChildren(...cardOf(points, hover.point));
      shown = hover.point;
      put(card, host, picture.map.placeOf(hover.point));
    });
  });

  /** Says what is pointed at with keys. */
  routescope.widgets.register("type-said", (host) =>
    routescope.types.subscribe(({ hover, maps }, names) => {
      if (!names.has("hover")) return;
      host.textContent = hover && maps[hover.which] ? wordsOf(maps[hover.which], hover.point) : "";
    }),
  );

  /** Opens the Paths page at a point, without loading the application again (as dcc.Link does). */
  function open(which, point) {
    const points = routescope.types.state.maps[which];
    if (!points) return;
    history.pushState({}, "", pathOf(points, point));
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
    window.scrollTo(0, 0);
  }

  routescope.typeHover = { open, pathOf, markedImage, swatch, wordsOf, put };
})();
