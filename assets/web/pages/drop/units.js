/* What is left out on the Drop page: chips, or a grid where there are many units; sliders over the links of a model. */
import { build, registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { unitPaint } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import * as plots from "rs/parts/plots.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Kind, Opened, State } from "rs/pages/drop/types.d.ts" */

/** @type {Record<Kind, string>} */
const WORDS = { drop: "removed", mute: "muted", mean: "mean", resample: "resampled" };
/** @type {Record<Kind, string>} */
const VERBS = { drop: "Remove ", mute: "Mute ", mean: "Put the mean in place of ", resample: "Resample " };
const UNIT = "data-drop-unit";
/** @param {Schemas["ModelDetail"] | null} model */
const isMany = (model) => model !== null && model.units.length > unitNames.MOST_CHIPS;

/**
 * Leaves `units` out, or brings them back. What a slider had chosen becomes a plain choice with that.
 *
 * @param {string[]} units
 * @param {boolean} away
 */
function turn(units, away) {
  const out = new Set(drop.leftOut());
  units.forEach((unit) => (away ? out.add(unit) : out.delete(unit)));
  const { choice, model } = /** @type {Opened} */ (drop.state);
  const weakest = new Set(drop.weakest());
  const kept = !units.some((unit) => weakest.has(unit));
  if (kept && choice.least) {
    const own = new Set(choice.units);
    units.forEach((unit) => (away ? own.add(unit) : own.delete(unit)));
    const inOrder = model.units.filter((unit) => own.has(unit));
    drop.choose({ units: inOrder });
  } else drop.leaveOut([...out]);
}

/**
 * @param {string} unit
 * @param {boolean} away
 * @param {Kind} kind
 */
const nextOf = (unit, away, kind) => (away ? "Bring " + unit + " back" : VERBS[kind] + unit);

/* -- chips ------------------------------------------------------------------------------------------------ */

/**
 * @param {string} unit
 * @param {number} index
 */
function unitChip(unit, index) {
  const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = unitPaint(index);
  /** @param {string | null} name */
  const point = (name) => () => plots.point(name);
  return build(
    "button",
    {
      type: "button",
      class: "chip",
      [UNIT]: unit,
      onclick: () => turn([unit], !drop.leftOut().includes(unit)),
      onpointerenter: point(unit),
      onpointerleave: point(null),
      onfocus: point(unit),
      onblur: point(null),
    },
    swatch,
    unit,
    build("span", { class: "chip-state" }),
  );
}

/**
 * @param {HTMLElement} chip
 * @param {Kind} kind
 * @param {string[]} out
 */
function markChip(chip, kind, out) {
  const unit = chip.getAttribute(UNIT) ?? "";
  const away = out.includes(unit);
  chip.dataset.state = away ? (kind === "drop" ? "dropped" : "muted") : "on";
  chip.setAttribute("aria-pressed", String(away));
  /** @type {Element} */ (chip.querySelector(".chip-state")).textContent = away ? WORDS[kind] : "";
  chip.title = nextOf(unit, away, kind);
  chip.setAttribute("aria-label", unit + (away ? ", " + WORDS[kind] : "") + ". " + chip.title);
}

registerWidget("drop-units", (host) => {
  host.addEventListener("keydown", units.moveWithArrows);
  return drop.subscribe(({ model, choice }, names) => {
    host.hidden = isMany(model);
    if (names.has("model")) host.replaceChildren(...(model && !isMany(model) ? model.units.map(unitChip) : []));
    if (!names.has("model") && !names.has("choice") && !names.has("graph")) return;
    const out = drop.leftOut();
    const chips = /** @type {HTMLCollectionOf<HTMLElement>} */ (host.children);
    for (const chip of chips) markChip(chip, choice.kind, out);
  });
});

/* -- many units ------------------------------------------------------------------------------------------- */

const ORDERS = { name: "by name", connectivity: "by connectivity", graph: "as in the graph" };

/**
 * @param {string} order
 * @param {Opened} state
 */
function ordered(order, { model, graph }) {
  if (!graph || order === "name") return model.units;
  const places = order === "graph" ? graph.order : unitNames.byConnectivity(graph.connectivity).reverse();
  return places.map((at) => model.units[at]);
}

registerWidget("drop-many", (host) => {
  const find = build("input", {
    type: "search",
    class: "small-input",
    id: "drop-find",
    placeholder: "m1, m5..m9, m1*, q<30",
    "aria-label": "Find units: names, ranges, a beginning with *, or their connectivity q",
    title: "Names, ranges, a beginning with *, or the connectivity: q<30",
    autocomplete: "off",
  });
  const order = build(
    "select",
    { class: "small-input", id: "drop-order", "aria-label": "Order of the units" },
    ...Object.entries(ORDERS).map(([value, words]) => build("option", { value }, words)),
  );
  /**
   * @param {string} id
   * @param {string} text
   * @param {() => void} action
   */
  const tool = (id, text, action) =>
    build("button", { type: "button", class: "tool tool-text", id, onclick: action }, text);
  const take = tool("drop-take", "Leave out", () => turn(found(), true));
  const bring = tool("drop-bring", "Bring back", () => turn(found(), false));
  const count = build("span", { class: "hint", id: "drop-count" });
  const place = build("div", { role: "group", "aria-label": "Units" });
  const missed = build("span", { class: "hint", id: "drop-unfound", role: "status", "aria-live": "polite" });
  find.setAttribute("aria-describedby", missed.id);
  const bar = build("div", { class: "interventions drop-row" }, find, missed, take, bring, order, count);
  host.replaceChildren(bar, place);

  const grid = new units.Grid(place, UNIT, {
    toggle: turn,
    point: (unit) => plots.point(unit),
    about(unit, away) {
      const { graph, model, choice } = /** @type {Opened} */ (drop.state);
      const q = graph ? ", q " + graph.connectivity[model.units.indexOf(unit)].toFixed(1) : "";
      return unit + q + ". " + nextOf(unit, away, choice.kind);
    },
  });

  function found() {
    const { model, graph } = drop.state;
    return model ? unitNames.search(model.units, find.value, graph && graph.connectivity) : [];
  }

  function search() {
    const units = found();
    grid.ring(units);
    take.disabled = bring.disabled = !units.length;
    take.textContent = units.length ? "Leave " + units.length + " out" : "Leave out";
    const { model, graph } = drop.state;
    const words = wordsOf(model);
    missed.textContent = model ? unitNames.unfound(model.units, find.value, graph && graph.connectivity, words) : "";
  }

  /** @param {Opened} state */
  function arrange(state) {
    grid.show(ordered(order.value, state));
    const { graph } = state;
    if (graph) grid.shade((unit) => graph.connectivity[state.model.units.indexOf(unit)]);
  }

  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => event.key === "Enter" && turn(found(), true));
  order.addEventListener("change", () => arrange(/** @type {Opened} */ (drop.state)));

  return drop.subscribe((now, names) => {
    host.hidden = !isMany(now.model);
    if (host.hidden) return;
    const state = /** @type {Opened} */ (now);
    if (names.has("model") || names.has("graph")) {
      order.hidden = !drop.hasLinks(state);
      order.disabled = !state.graph;
      arrange(state);
      search();
    }
    if (["model", "choice", "graph"].some((name) => names.has(name))) {
      const out = drop.leftOut();
      grid.mark(out, WORDS[state.choice.kind]);
      place.dataset.kind = state.choice.kind;
      const { units, unit } = wordsOf(state.model);
      count.textContent =
        out.length.toLocaleString("en") +
        " of " +
        state.model.units.length.toLocaleString("en") +
        " " +
        (state.model.units.length === 1 ? unit : units) +
        " left out" +
        (state.graph ? "; the stronger the colour, the better connected" : "");
    }
  });
});

/* -- links ------------------------------------------------------------------------------------------------ */

/**
 * @param {string} id
 * @param {string} name
 * @param {string} label
 * @param {number} most
 */
function slider(id, name, label, most) {
  const range = build("input", { type: "range", class: "range", id, min: 0, max: most, step: 1, "aria-label": label });
  const readout = build("output", { class: "readout" });
  const body = build(
    "div",
    { class: "control", title: label },
    build("span", { class: "control-name" }, name),
    range,
    readout,
  );
  return { body, range, readout };
}

registerWidget("drop-links", (host) => {
  const least = slider("drop-least", "n least connected", "Leave out the n units of least connectivity q", 1);
  const edges = slider(
    "drop-edges",
    "share of edges kept",
    "Share of the links that is kept, the most probable first",
    100,
  );
  const said = build("span", { class: "hint" });
  host.replaceChildren(least.body, edges.body, said);
  least.range.addEventListener("input", () => drop.choose({ least: Number(least.range.value) }, true));
  edges.range.addEventListener("input", () => {
    const share = Number(edges.range.value) / 100;
    drop.choose({ edges: share === 1 ? null : share }, true);
  });

  return drop.subscribe((state) => {
    const { model, graph, graphProblem, choice } = /** @type {Opened} */ (state);
    host.hidden = !drop.hasLinks(state);
    if (host.hidden) return;
    least.range.max = String(model.units.length - 1);
    least.range.disabled = !graph;
    least.range.value = String(choice.least);
    least.readout.textContent = choice.least + " of " + model.units.length;
    const share = choice.edges === null ? 1 : choice.edges;
    edges.range.value = String(Math.round(100 * share));
    edges.readout.textContent = format.percentOf(share) + " %";
    said.textContent = graphProblem ? "The graph: " + graphProblem.message : graph ? "" : "Reading the graph";
  });
});
