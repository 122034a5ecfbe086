/* The path picture on its canvas: painting, playing, and pointing with mouse, touch or keyboard. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const NEAR = 9; // pixels within which a line counts as pointed at

  function captionOf(state) {
    const { info } = state.view;
    const changed = [
      info.intervention.mute.length ? "mute " + info.intervention.mute.join(", ") : null,
      info.intervention.drop.length ? "drop " + info.intervention.drop.join(", ") : null,
    ].filter(Boolean);
    return [
      info.model,
      state.sample.name || state.sample.id,
      changed.length ? changed.join("; ") : "no intervention",
    ].join(" · ");
  }

  class PathCanvas {
    constructor(host) {
      this.host = host;
      this.canvas = host.querySelector("canvas");
      this.stops = [
        routescope.paths.subscribe((state, names) => this.onState(state, names)),
        routescope.theme.onChange(() => this.rebuild()),
        routescope.canvas.onResize(host, () => this.rebuild()),
      ];
      const listen = (name, handler) => this.canvas.addEventListener(name, handler);
      listen("pointermove", (event) => this.onPointer(event));
      listen("pointerdown", (event) => this.onPointer(event));
      for (const name of ["pointerleave", "blur"]) listen(name, () => routescope.paths.point(null));
      listen("click", (event) => routescope.paths.pin(this.targetAt(event)));
    }

    dispose() {
      this.stops.forEach((stop) => stop());
    }

    onState(state, names) {
      this.canvas.dataset.status = state.status;
      if (!state.view) {
        this.layers = this.parts = null;
        this.clear();
        return;
      }
      const rebuilds = ["view", "baseline", "picture", "threshold", "showBaseline"];
      if (rebuilds.some((name) => names.has(name))) this.rebuild();
      else if (names.has("step")) this.turnTo(state.step);
      else if (names.has("time") || names.has("hover") || names.has("pinned")) this.draw();
    }

    clear() {
      const context = this.canvas.getContext("2d");
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      delete this.canvas.dataset.painted;
    }

    /** Lays the picture out again and paints its ribbons once, so that pointing and playing stay quick. */
    rebuild() {
      const { state } = routescope.paths;
      const { clientWidth: width, clientHeight: height } = this.host;
      if (!state.view || width < 40 || height < 40) return;
      const theme = routescope.theme.read();
      const layout = routescope.geometry.layOut(state.view, width, height);
      const ghosts = state.showBaseline && state.baseline ? routescope.pathLines.ghostItems : () => [];
      this.parts = {
        view: state.view,
        layout,
        theme,
        picture: state.picture,
        threshold: state.threshold,
        caption: captionOf(state),
        ghosts: ghosts(state.view, state.baseline, layout, theme),
      };
      this.lines = routescope.pathScene.ribbonItems(this.parts);
      this.ribbons = routescope.canvas.paintScene({ width, height, items: this.lines }, theme.font);
      this.turnTo(state.step);
    }

    /** Shows another step of the same picture. */
    turnTo(step) {
      if (!this.parts) return;
      this.layers = routescope.pathScene.surroundings(this.parts, step);
      this.draw();
    }

    draw() {
      if (!this.layers) return;
      const { state } = routescope.paths;
      const { theme, layout } = this.parts;
      const context = routescope.canvas.fit(this.canvas, layout.width, layout.height);
      context.clearRect(0, 0, layout.width, layout.height);
      routescope.canvas.paint(context, this.layers.frame, theme.font);
      const tokens = routescope.paths.highlighted();
      const time = state.time !== null && routescope.theme.reducedMotion() ? Math.floor(state.time) : state.time;
      if (time !== null) this.drawTravelled(context, time);
      else this.drawRibbons(context, tokens ? 0.14 : 1);
      if (tokens) routescope.canvas.paint(context, routescope.pathLines.highlightItems(this.parts, tokens), theme.font);
      if (time !== null) this.drawTravellers(context, time, tokens);
      routescope.canvas.paint(context, this.layers.overlay, theme.font);
      this.publish(state, tokens);
    }

    drawRibbons(context, opacity) {
      const { width, height } = this.parts.layout;
      context.globalAlpha = opacity;
      context.drawImage(this.ribbons, 0, 0, width, height);
      context.globalAlpha = 1;
    }

    /** While it plays: the way behind the tokens in full, the way ahead faint. */
    drawTravelled(context, time) {
      const { height } = this.parts.layout;
      const front = this.positionAt(0, time).x;
      this.drawRibbons(context, 0.16);
      context.save();
      context.beginPath();
      context.rect(0, 0, front, height);
      context.clip();
      this.drawRibbons(context, 0.9);
      context.restore();
    }

    positionAt(token, time) {
      const { layout } = this.parts;
      const line = layout.lines[token];
      const entry = { x: line.entry.x + layout.strip.width + 2, y: line.entry.y };
      const before = Math.min(Math.floor(time), line.points.length);
      const from = before === 0 ? entry : line.points[before - 1];
      const end = layout.ends.find((candidate) => candidate.token === token);
      const to = line.points[before] || end || from;
      return routescope.geometry.curveAt(from, to, time - before);
    }

    drawTravellers(context, time, tokens) {
      const { view, theme, layout } = this.parts;
      const shown = tokens ? new Set(tokens) : null;
      const items = view.tokens.flatMap((token, index) => {
        if (shown && !shown.has(index)) return [];
        const { x, y } = this.positionAt(index, time);
        const r = token.kind === "cls" ? 4.5 : Math.max(2, Math.min(3.2, layout.fullWidth));
        const fill = token.kind === "cls" ? theme.ink : theme.marker;
        return [{ shape: "circle", cx: x, cy: y, r, fill, stroke: theme.surface, width: 1 }];
      });
      routescope.canvas.paint(context, items, theme.font);
    }

    /** What lies under the pointer: a line, a dot, an entry, or null. */
    targetAt(event) {
      if (!this.layers) return null;
      const box = this.canvas.getBoundingClientRect();
      const { layout, view } = this.parts;
      const x = ((event.clientX - box.left) * layout.width) / box.width;
      const y = ((event.clientY - box.top) * layout.height) / box.height;
      const entry = layout.entries.findIndex(
        (place) =>
          x > place.x - 8 && x < place.x + layout.strip.width + 4 && Math.abs(y - place.y) <= place.size / 2 + 0.5,
      );
      if (entry >= 0) return { token: entry };
      const dot = layout.dots.find(
        (place) => place.unit >= 0 && Math.hypot(x - place.x, y - place.y) <= Math.max(place.r, 7),
      );
      if (dot) return { step: dot.step, unit: dot.unit };
      return this.lineAt(x, y, view, layout);
    }

    lineAt(x, y, view, layout) {
      const reach = { best: null, distance: NEAR };
      layout.lines.forEach((line) => {
        const end = layout.ends.find((candidate) => candidate.token === line.token);
        const stops = [{ x: line.entry.x + layout.strip.width + 2, y: line.entry.y }, ...line.points];
        if (end) stops.push(end);
        for (let index = 1; index < stops.length; index += 1) {
          if (x < stops[index - 1].x || x > stops[index].x) continue;
          const distance = Math.abs(routescope.geometry.heightAt(stops[index - 1], stops[index], x) - y);
          if (distance < reach.distance) Object.assign(reach, { best: line.token, distance });
        }
      });
      return reach.best === null ? null : { token: reach.best };
    }

    onPointer(event) {
      const target = this.targetAt(event);
      this.canvas.style.cursor = target ? "pointer" : "default";
      routescope.paths.point(target);
    }

    /** What is painted, as attributes of the canvas: for assistive tools and for tests. */
    publish(state, tokens) {
      const target = routescope.paths.pointed();
      const data = this.canvas.dataset;
      data.painted = state.view.info.id;
      data.step = state.view.steps[state.step];
      data.playing = String(state.playing);
      data.highlighted = (tokens || []).map((token) => state.view.tokens[token].name).join(" ");
      data.hoveredDot =
        target && target.unit !== undefined ? state.view.steps[target.step] + "/" + state.view.units[target.unit] : "";
    }

    /** The picture as it is now, for export. */
    scene() {
      const { state } = routescope.paths;
      const { layout, theme } = this.parts;
      const tokens = routescope.paths.highlighted();
      const faint = (item) => ({ ...item, opacity: (item.opacity === undefined ? 1 : item.opacity) * 0.14 });
      const items = [
        ...this.layers.frame,
        ...(tokens ? this.lines.map(faint) : this.lines),
        ...(tokens ? routescope.pathLines.highlightItems(this.parts, tokens) : []),
        ...this.layers.overlay,
      ];
      const { steps, tokens: all, units } = state.view;
      return {
        width: layout.width,
        height: layout.height,
        background: theme.surface,
        title: "Computational path: " + this.parts.caption,
        desc:
          "Columns are " +
          steps.length +
          " steps, dots " +
          units.length +
          " functions sized by mean compatibility, lines " +
          all.length +
          " tokens; the width of a line is the token's compatibility with the function.",
        items,
      };
    }
  }

  routescope.widgets.register("path-canvas", (host) => {
    const picture = new PathCanvas(host);
    routescope.pathCanvas = picture;
    return () => picture.dispose();
  });
})();
