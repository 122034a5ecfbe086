/* The graphs of the page: what of the state they draw, and what pointing at them and their keys do. */
(function () {
  "use strict";
  const routescope = (window.routescope = window.routescope || {});
  const HEADINGS = { learned: "as learned", prior: "prior" };
  const maps = {}; // which -> GraphView

  const sameView = (a, b) => a.x === b.x && a.y === b.y && a.zoom === b.zoom;

  /** In which quarter by connectivity each module is. */
  function quarters({ q, orders, count }) {
    const found = new Uint8Array(count);
    orders.connectivity.forEach((unit, rank) => (found[unit] = 3 - Math.floor((4 * rank) / count)));
    const even = Math.min(...q) > 0.98 * Math.max(...q);
    return even ? found.fill(1) : found;
  }

  const colouringOf = ({ graph, view }) => routescope.graphColours.BY[view.colour](graph, routescope.theme.read());

  /** Said where fewer links are drawn than the threshold leaves. */
  function fewerWords(which, shown) {
    const { whole } = routescope.numbers;
    const likely = routescope.graph.likelyOf(which);
    return likely > shown ? ", the " + whole(shown) + " most probable of " + whole(likely) + " links" : "";
  }

  class GraphView {
    constructor(host) {
      const { graph } = routescope;
      this.which = host.dataset.which;
      this.host = host;
      this.canvas = host.querySelector("canvas");
      const Drawing = routescope.graphDrawing();
      this.map = new Drawing(host, this.canvas, {
        onTheme: () => this.rebuild(),
        onDrawn: () => this.publish(),
        onView: (view) => graph.update({ map: { ...view } }),
      });
      this.stops = [
        routescope.graphKeys.listen(this.map, {
          hovered: () => graph.state.hover,
          chosen: () => graph.chosen(),
          start: () => graph.state.graph.orders.connectivity[0],
          point: (unit) => graph.point(unit),
          pick: (unit) => graph.pick(unit),
        }),
        graph.subscribe((state, names) => this.onState(state, names)),
        routescope.scatterPointer.listen(this.map, {
          tool: () => "move",
          hover: (item) => graph.point(item),
          pick: (item) => graph.pick(item === graph.chosen() ? -1 : item),
          select: () => {},
        }),
      ];
    }

    dispose() {
      this.stops.forEach((stop) => stop());
      this.map.dispose();
    }

    get drawn() {
      const { state } = routescope.graph;
      return state.graph && (this.which === "learned" || (state.view.compare && state.graph.prior));
    }

    onState(state, names) {
      if (!this.drawn) {
        if (this.map.items) {
          this.map.items = null;
          this.map.links = null;
          this.graph = null;
          this.map.draw();
        }
        return;
      }
      if (this.graph !== state.graph || this.colour !== state.view.colour) this.rebuild();
      else {
        if (names.has("cut")) this.map.setDropped(state.cut.dropped);
        if (names.has("cut") || names.has("view")) this.relink(state);
        if (["cut", "view", "hover", "map"].some((name) => names.has(name))) this.mark(state);
      }
    }

    rebuild() {
      const { state } = routescope.graph;
      if (!this.drawn) return;
      const { graph, view } = state;
      const { of, paints } = colouringOf(state);
      Object.assign(this, { graph, colour: view.colour, linked: "" });
      this.map.setModules(
        {
          places: graph.places,
          halves: graph.halves,
          category: of,
          paints,
          quarter: quarters(graph),
          names: graph.units,
        },
        state.cut.dropped,
      );
      this.relink(state);
      this.mark(state);
    }

    relink(state) {
      const shown = routescope.graph.shownOf(this.which);
      const states = state.cut.states[this.which];
      if (this.shown === shown && this.states === states && this.map.links) return;
      Object.assign(this, { shown, states });
      this.map.setLinks(routescope.graphData.linksFor(state.graph, this.which), states, shown);
    }

    mark(state) {
      const chosen = routescope.graph.chosen();
      if (!sameView(this.map.view, state.map)) {
        this.map.view = { ...state.map };
        this.map.stale = true;
      }
      this.map.ringed = chosen >= 0 ? [chosen] : [];
      this.map.focus = state.hover >= 0 ? state.hover : chosen;
      const prior = state.graph.prior
        ? ": " + state.graph.prior + ", matched" + fewerWords(this.which, this.shown)
        : "";
      this.map.heading = state.view.compare ? HEADINGS[this.which] + (this.which === "prior" ? prior : "") : "";
      this.map.caption = state.hover >= 0 ? wordsOf(state, state.hover) : "";
      this.map.draw();
    }

    publish() {
      const { state } = routescope.graph;
      const { canvas } = this;
      canvas.dataset.painted = state.graph.model;
      canvas.dataset.shown = String(this.shown);
      canvas.dataset.gone = String(this.map.gone.length);
      canvas.dataset.focus = this.map.focus >= 0 ? state.graph.units[this.map.focus] : "";
      canvas.dataset.spent = this.map.spent.toFixed(2);
    }
  }

  /** One line about a module. */
  function wordsOf({ graph, cut }, unit) {
    const rank = graph.orders.connectivity.indexOf(unit) + 1;
    return (
      graph.units[unit] +
      ": q " +
      graph.q[unit].toFixed(2) +
      ", rank " +
      rank +
      " of " +
      graph.count +
      ", community c" +
      (graph.communities[unit] + 1) +
      (cut.dropped[unit] ? ", left out" : "")
    );
  }

  routescope.widgets.register("graph-map", (host) => {
    const view = new GraphView(host);
    maps[view.which] = view;
    return () => {
      if (maps[view.which] === view) delete maps[view.which];
      view.dispose();
    };
  });

  routescope.graphMaps = { maps, colouringOf, wordsOf };
})();
