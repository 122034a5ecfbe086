/* The graphs of the page: what of the state they draw, and what pointing at them and their keys do. */
import * as graphColours from "rs/draw/colours.js";
import { GraphDrawing } from "rs/draw/graph.js";
import * as graphKeys from "rs/draw/keys.js";
import * as scatterPointer from "rs/draw/pointer.js";
import { whole } from "rs/lib/format.js";
import * as graphData from "rs/lib/graph.js";
import * as links from "rs/lib/links.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as graphPage from "rs/pages/graphs/state.js";
import { state } from "rs/pages/graphs/state.js";
import { LABELS } from "rs/pages/graphs/words.js";
import { scheme } from "rs/parts/scheme.js";
import { computed, untracked, useEffect, useRef } from "rs/vendor/preact.js";

/** @import { ModelGraph } from "rs/lib/types.d.ts" */
/** @import { Cut, Ready, State, Which } from "rs/pages/graphs/types.d.ts" */

const HEADINGS = { learned: "learned", prior: "matched prior" };
/** @type {Partial<Record<Which, GraphView>>} */
export const maps = {}; // which -> GraphView

const QUARTERS = [0.72, 0.92, 1.2, 1.65]; // sizes of discs, for the quarters by connectivity

/** How large the discs are: by the quarter by connectivity that each module is in. @param {ModelGraph} graph */
function sizesOf({ q, orders, count }) {
  const found = new Float32Array(count);
  orders.connectivity.forEach((unit, rank) => (found[unit] = QUARTERS[3 - Math.floor((4 * rank) / count)]));
  const even = Math.min(...q) > 0.98 * Math.max(...q);
  return even ? found.fill(QUARTERS[1]) : found;
}

/** @param {Pick<Ready, "graph" | "view">} state */
export const colouringOf = ({ graph, view }) => graphColours.BY[view.colour](graph, readTheme());

const by = computed(() => state.view.colour);
/**
 * The same as a signal, made anew for another graph, another choice of colours and another scheme alone; null without
 * a graph.
 */
export const colouring = computed(() => {
  const found = state.graph && [by.value, scheme.value];
  return found && untracked(() => colouringOf(/** @type {Ready} */ (state)));
});

/** How many links are drawn of one of two graphs beside each other, and how probable these are. @param {Which} which */
function drawnWords(which) {
  const [shown, likely] = [graphPage.shownOf(which), graphPage.likelyOf(which)];
  if (!shown) return ": no links";
  const states = state.cut?.states[which];
  const { live, cut } = states ? links.drawn(states, shown) : { live: shown, cut: 0 };
  const bound = ", p \u2265 " + graphPage.threshold(which).toFixed(3);
  if (cut) return ": " + whole(live) + " kept, " + whole(cut) + " cut" + bound;
  const of = likely > shown ? " of " + whole(likely) + " links" : shown === 1 ? " link" : " links";
  return ": " + whole(shown) + of + bound;
}

class GraphView {
  /** @param {HTMLElement} host @param {Which} which */
  constructor(host, which) {
    this.which = which;
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.graph = /** @type {ModelGraph | null} */ (null);
    this.colour = /** @type {State["view"]["colour"] | null} */ (null);
    this.shown = /** @type {number | undefined} */ (undefined);
    this.states = /** @type {Uint8Array | null} */ (null);
    this.map = new GraphDrawing(host, this.canvas, {
      onTheme: () => this.rebuild(),
      onDrawn: () => this.publish(),
      onView: (view) => graphPage.update({ map: { ...view } }),
    });
    this.stops = [
      graphKeys.listen(this.map, {
        hovered: () => state.hover,
        chosen: () => graphPage.chosen(),
        start: () => /** @type {Ready} */ (state).graph.orders.connectivity[0],
        point: (unit) => graphPage.point(unit),
        pick: (unit) => graphPage.pick(unit),
      }),
      graphPage.subscribe((state, names) => this.onState(state, names)),
      scatterPointer.listen(this.map, {
        tool: () => "move",
        hover: (item) => graphPage.point(item),
        pick: (item) => graphPage.pick(item === graphPage.chosen() ? -1 : item),
        select: () => {},
      }),
    ];
  }

  dispose() {
    this.stops.forEach((stop) => stop());
    this.map.dispose();
  }

  /** What is drawn of the state, or null. */
  get drawn() {
    const is = state.graph && (this.which === "learned" || (state.view.compare && state.graph.prior));
    return is ? /** @type {Ready} */ (state) : null;
  }

  /** @param {State} state @param {Set<string>} names */
  onState(state, names) {
    const { drawn } = this;
    if (!drawn) {
      if (this.map.items) {
        this.map.items = null;
        this.map.links = null;
        this.graph = null;
        this.map.draw();
      }
      return;
    }
    if (this.graph !== drawn.graph || this.colour !== drawn.view.colour) this.rebuild();
    else {
      if (names.has("cut")) this.map.setDropped(drawn.cut.dropped);
      if (names.has("cut") || names.has("view")) this.relink(drawn);
      if (["cut", "view", "hover", "map"].some((name) => names.has(name))) this.mark(drawn);
    }
  }

  rebuild() {
    const { drawn } = this;
    if (!drawn) return;
    const { graph, view } = drawn;
    const { of, paints } = colouringOf(drawn);
    Object.assign(this, { graph, colour: view.colour, linked: "" });
    const { places, halves, units: names } = graph;
    this.map.setModules({ places, halves, category: of, paints, sizes: sizesOf(graph), names }, drawn.cut.dropped);
    this.relink(drawn);
    this.mark(drawn);
  }

  /** @param {Ready} state */
  relink(state) {
    const shown = graphPage.shownOf(this.which);
    const states = /** @type {Uint8Array} */ (state.cut.states[this.which]);
    if (this.shown === shown && this.states === states && this.map.links) return;
    Object.assign(this, { shown, states });
    this.map.setLinks(graphData.linksFor(state.graph, this.which), states, shown);
  }

  /** @param {Ready} state */
  mark(state) {
    const chosen = graphPage.chosen();
    this.map.follow(state.map);
    this.map.ringed = chosen >= 0 ? [chosen] : [];
    this.map.focus = state.hover >= 0 ? state.hover : chosen;
    this.map.heading = state.view.compare ? HEADINGS[this.which] + drawnWords(this.which) : "";
    this.map.caption = state.hover >= 0 ? wordsOf(state, state.hover) : "";
    this.map.draw();
  }

  publish() {
    const { canvas } = this;
    const { graph } = /** @type {Ready} */ (state);
    canvas.dataset.painted = graph.model;
    canvas.dataset.shown = String(this.shown);
    canvas.dataset.gone = String(this.map.gone.length);
    canvas.dataset.focus = this.map.focus >= 0 ? graph.units[this.map.focus] : "";
    canvas.dataset.spent = this.map.spent.toFixed(2);
  }
}

/** One line about a module. @param {{graph: ModelGraph, cut: Cut}} state @param {number} unit */
export function wordsOf({ graph, cut }, unit) {
  const rank = graph.orders.connectivity.indexOf(unit) + 1;
  const facts = [graph.units[unit] + ": q " + graph.q[unit].toFixed(2), "rank " + rank + " of " + graph.count, "community c" + (graph.communities[unit] + 1)]; // prettier-ignore
  return facts.join(", ") + (cut.dropped[unit] ? ", dropped" : "");
}

/** One of the graphs, on a canvas that follows the pointer. @param {{which: Which}} props */
export function Drawing({ which }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const view = new GraphView(/** @type {HTMLElement} */ (place.current), which);
    maps[which] = view;
    return () => {
      if (maps[which] === view) delete maps[which];
      view.dispose();
    };
  }, []);
  return html`<div ref=${place} class=${"graph-canvas graph-canvas-" + which}>
    <canvas id=${"graph-picture-" + which} tabindex="0" role="img" aria-label=${LABELS[which]}></canvas>
    <div class="skeleton" aria-hidden="true" hidden=${which !== "learned" || state.status !== "loading"}></div>
  </div>`;
}
