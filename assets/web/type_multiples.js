/* One small map a step, on the axes of the large one: all steps at a glance, each a button that goes to its step. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const REBUILDS = ["graph", "maps", "colour", "hidden", "layout", "share", "compare"];
  const MARKS = ["chosen", "hover", "sample", "step", "allSteps"];

  class SmallMap {
    constructor(host, which, step) {
      const { build } = routescope.widgets;
      Object.assign(this, { which, step });
      this.canvas = build("canvas", { "aria-hidden": "true" });
      this.frame = build("span", { class: "multiple-canvas" }, this.canvas);
      this.label = build("span", { class: "multiple-label" });
      this.button = build(
        "button",
        {
          type: "button",
          class: "multiple",
          "data-step": step,
          "data-of": which,
          onclick: () => routescope.types.goTo(step),
        },
        this.label,
        this.frame,
      );
      host.append(this.button);
      this.map = new routescope.ScatterMap(this.frame, this.canvas, {
        onTheme: () => this.rebuild(),
        onPainted: () => {
          this.canvas.dataset.painted = this.points ? this.points.id : "";
          this.canvas.dataset.points = this.map.items.order.length;
        },
      });
      const pointed = (event) => {
        const box = this.canvas.getBoundingClientRect();
        const item = this.map.itemAt(event.clientX - box.left, event.clientY - box.top);
        routescope.types.point(which, item);
      };
      this.canvas.addEventListener("pointermove", pointed);
      this.canvas.addEventListener("pointerleave", () => routescope.types.point(which, -1));
    }

    dispose() {
      this.map.dispose();
    }

    get points() {
      return routescope.types.state.maps[this.which];
    }

    rebuild() {
      const { state, colouringOf } = routescope.types;
      const { points, step } = this;
      if (!points || step >= points.steps.length) return;
      const colouring = colouringOf(points);
      const layout = routescope.typeMap.layoutAt(points, state.layout, null);
      const order = points.ordersByStep[step];
      this.map.setItems({
        order: state.hidden.size ? order.filter((point) => !state.hidden.has(colouring.of[point])) : order,
        category: colouring.of,
        paints: colouring.paints,
        places: layout.places,
        halves: layout.halves,
      });
      this.map.marks = routescope.typeMap
        .marksOf(points, layout, routescope.theme.read())
        .map((mark) => ({ ...mark, name: "" }));
      this.label.textContent = "step " + routescope.stepLabel(points.steps[step]);
      this.button.setAttribute(
        "aria-label",
        "Go to step " +
          routescope.stepLabel(points.steps[step]) +
          (this.which === "initial" ? ", routing at initialisation" : ""),
      );
      this.mark(state);
    }

    /** What is chosen or pointed at elsewhere, at this step. */
    mark(state) {
      const { points, step } = this;
      if (!points || !this.map.items) return;
      const { trackIn } = routescope.types;
      const { chosen, hover, maps } = state;
      if (this.chosen !== chosen || this.items !== this.map.items) {
        this.chosen = chosen;
        this.items = this.map.items;
        this.map.setStrong(chosen ? this.maskOf(chosen) : null);
      }
      const rings = state.sample ? points.pointsOfSample(state.sample, step) : [];
      const track =
        hover && maps[hover.which] ? trackIn(this.which, hover.which, maps[hover.which].track[hover.point]) : -1;
      const pointed = track < 0 ? -1 : points.pointOf[step][track];
      this.map.ringed = pointed >= 0 ? [...rings, pointed] : rings;
      this.button.setAttribute("aria-pressed", String(!state.allSteps && state.step === step));
      this.map.draw();
    }

    maskOf(chosen) {
      const mask = new Uint8Array(this.points.count);
      for (const track of chosen.tracks) {
        const own = routescope.types.trackIn(this.which, chosen.which, track);
        const point = own < 0 ? -1 : this.points.pointOf[this.step][own];
        if (point >= 0) mask[point] = 1;
      }
      return mask;
    }
  }

  routescope.widgets.register("type-multiples", (host) => {
    let small = [];
    let built = "";

    function rows(state) {
      return ["trained", "initial"].filter((which) => state.maps[which] && (which === "trained" || state.compare));
    }

    function build(state) {
      small.forEach((one) => one.dispose());
      small = [];
      host.replaceChildren();
      for (const which of rows(state)) {
        const title = state.compare
          ? [routescope.widgets.build("h3", { class: "small-title" }, routescope.typeMap.ROUTING[which])]
          : [];
        const row = routescope.widgets.build("div", { class: "multiples-row" });
        host.append(...title, row);
        state.maps[which].steps.forEach((_, step) => small.push(new SmallMap(row, which, step)));
      }
    }

    const stop = routescope.types.subscribe((state, names) => {
      const moves = state.share !== null || state.time !== null;
      if (moves && !["maps", "compare", "step"].some((name) => names.has(name))) return;
      const shape = rows(state)
        .map((which) => which + state.maps[which].steps.length)
        .join(" ");
      const other = shape !== built || names.has("compare");
      if (other) build(state);
      built = shape;
      if (other || REBUILDS.some((name) => names.has(name))) small.forEach((one) => one.rebuild());
      else if (MARKS.some((name) => names.has(name))) small.forEach((one) => one.mark(state));
    });
    routescope.typeMultiples = { small: () => small };
    return () => {
      stop();
      small.forEach((one) => one.dispose());
    };
  });

  /** All small maps as one picture, for a file. */
  function scene() {
    const { small } = routescope.typeMultiples;
    const maps = small();
    const theme = routescope.theme.read();
    const { state } = routescope.types;
    const [w, h] = [maps[0].map.width, maps[0].map.height];
    const columns = Math.min(maps.length, maps[0].points.steps.length);
    const head = 22;
    const items = maps.flatMap((one, index) => {
      const [x, y] = [(index % columns) * (w + 10), Math.floor(index / columns) * (h + head + 6)];
      const title = (state.compare ? routescope.typeMap.ROUTING[one.which] + ", " : "") + one.label.textContent;
      const text = { shape: "text", x, y: y + 14, text: title, size: 12, weight: 650, fill: theme.ink };
      return [text, ...one.map.scene("", "").items.map((item) => moved(item, x, y + head))];
    });
    const rows = Math.ceil(maps.length / columns);
    const width = columns * (w + 10) - 10;
    const height = rows * (h + head + 6) + 16;
    const caption = routescope.typeMap.captionOf(maps[0].points, state, false);
    items.push({ shape: "text", x: width, y: height - 4, text: caption, size: 10.5, anchor: "end", fill: theme.dim });
    const vector = maps.every((one) => one.map.items.order.length <= 5000);
    return {
      width,
      height,
      background: theme.surface,
      title: "Types step by step: " + caption,
      desc:
        "One panel a step, all on the same axes." +
        (vector ? "" : " The points are pictures of pixels inside this file, the rest is vectors."),
      items,
    };
  }

  /** An item of a scene at another place. */
  function moved(item, dx, dy) {
    if (item.shape === "circle") return { ...item, cx: item.cx + dx, cy: item.cy + dy };
    if (item.shape !== "path") return { ...item, x: item.x + dx, y: item.y + dy };
    const d = item.d.replace(
      /([-\d.]+),([-\d.]+)/g,
      (_, x, y) => (Number(x) + dx).toFixed(1) + "," + (Number(y) + dy).toFixed(1),
    );
    return { ...item, d };
  }

  routescope.typeMultiplesScene = scene;
})();
