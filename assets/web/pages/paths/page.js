/* The Paths page: hands traces to the pictures, keeps the address, and lets one mute or drop functions. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { unitPaint } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";
import { point, state } from "rs/pages/paths/state.js";
import * as predictions from "rs/parts/predictions.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { Found, PathState, RowOrder, Shown, View } from "rs/pages/paths/types.d.ts" */

/**
 * What is chosen to be done to a model (app/dashboard/validation.py).
 *
 * @typedef {{mute: string[], drop: string[], iterations: number | null, edges: number | null}} Choice
 * @typedef {"mute" | "drop"} Mode what a click on a unit does
 */

/** @type {Choice} */
const EMPTY = address.defaults("paths", "mute", "drop", "iterations", "edges");
const MEANINGS = {
  mute: { compatibility: "set to zero", "": "what it sends is set to zero" },
  drop: { compatibility: "compatibilities renormalised over the rest", "": "left out, and its compute with it" },
};
const MOST_ITERATIONS = address.bounds("paths", "iterations").offered.at(-1); // where the model has no limit
const PAUSE = 250; // milliseconds after the last move of a slider
let intervention = EMPTY;
/** @type {Mode} */
let mode = "mute";

/** @param {Partial<Choice>} changes */
function intervene(changes) {
  setProps("paths-intervention", { data: { ...intervention, ...changes } });
}

export const away = () => [...intervention.mute, ...intervention.drop];

/**
 * Takes units away in the current mode, or brings them back.
 *
 * @param {string[]} units
 * @param {boolean} takes
 */
export function turn(units, takes) {
  const { view } = /** @type {Shown} */ (state);
  const others = (/** @type {string[]} */ names) => names.filter((name) => !units.includes(name));
  const next = { mute: others(intervention.mute), drop: others(intervention.drop) };
  if (takes) next[mode] = view.units.filter((name) => next[mode].includes(name) || units.includes(name));
  if (next.drop.length === view.units.length) {
    const { unit } = words.of(words.model());
    api.notify("One " + unit + " stays", "Without any there is no path.", "bad");
  } else intervene(next);
}

/** @param {string} unit */
const toggle = (unit) => turn([unit], !away().includes(unit));

export const callbacks = {
  /**
   * @param {Found | null} found
   * @param {number | null} step
   */
  async show(found, step) {
    const facts = found &&
      found.current && {
        current: found.current,
        baseline: found.baseline,
        label: found.sample.label,
        domain: found.sample.domain,
        name: found.sample.name,
      };
    predictions.show("paths", facts || null);
    if (found && found.current) setProps("paths-begun", { data: true });
    await paths.show(found && { ...found, step });
    return found && found.current ? found.current.id : "";
  },

  /** @param {Partial<Choice> | null} chosen */
  remember(chosen) {
    intervention = { ...EMPTY, ...(chosen || {}) };
    mark();
    return noUpdate();
  },

  /** @param {unknown} value */
  setMode(value) {
    mode = value === "drop" ? "drop" : "mute";
    mark();
    return noUpdate();
  },

  /** @param {unknown} value */
  setIterations(value) {
    const iterations = Number.isInteger(value) && Number(value) > 0 ? Number(value) : null;
    if (iterations !== intervention.iterations) intervene({ iterations });
    return noUpdate();
  },

  reset() {
    setProps("paths-iterations", { value: "" });
    setProps("paths-intervention", { data: EMPTY });
    return noUpdate();
  },

  /** @param {unknown} value */
  setOpacity(value) {
    paths.update({ opacity: Math.max(0, Math.min(100, Number(value))) / 100 });
    return noUpdate();
  },

  /** @param {unknown} value */
  setThreshold(value) {
    paths.update({ threshold: Number(value) });
    return Number(value).toFixed(2);
  },

  /** @param {unknown} checked */
  showBaseline(checked) {
    paths.update({ showBaseline: Boolean(checked) });
    return noUpdate();
  },
};

/** @param {HTMLElement} chip */
function markChip(chip) {
  const unit = chip.dataset.unitChip ?? "";
  const state = intervention.mute.includes(unit) ? "muted" : intervention.drop.includes(unit) ? "dropped" : "on";
  chip.dataset.state = state;
  chip.setAttribute("aria-pressed", String(state !== "on"));
  /** @type {HTMLElement} */ (chip.querySelector(".chip-state")).textContent = state === "on" ? "" : state;
  const next =
    state === "on"
      ? (mode === "drop" ? "Drop " : "Mute ") + unit + " (" + words.choose(MEANINGS[mode]) + ")"
      : "Bring " + unit + " back";
  chip.title = next;
  chip.setAttribute("aria-label", unit + (state === "on" ? "" : ", " + state) + ". " + next);
}

/**
 * Takes over what a trace was recorded under where the choice names what its model does not have: ranges of an address,
 * or units of the model before. Any other choice may be newer than the trace.
 *
 * @param {View} view
 */
function follow({ units, info }) {
  if (away().every((name) => units.includes(name))) return;
  const { mute, drop } = info.intervention;
  intervention = { ...intervention, mute: [...mute], drop: [...drop] };
}

/** @type {InstanceType<typeof units.Grid> | null} */
let grid = null; // where there are too many units for chips

function mark() {
  if (grid) grid.mark(away(), intervention.mute.length ? (intervention.drop.length ? "away" : "muted") : "dropped");
  else /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-unit-chip]")).forEach(markChip);
}

/**
 * @param {string} unit
 * @param {number} index
 */
function chipOf(unit, index) {
  const swatch = build("span", { class: "swatch", "aria-hidden": "true" });
  swatch.style.background = unitPaint(index);
  return build(
    "button",
    { type: "button", class: "chip", "data-unit-chip": unit, onclick: () => toggle(unit) },
    swatch,
    unit,
    build("span", { class: "chip-state" }),
  );
}

/** @param {HTMLElement} host */
function gridIn(host) {
  const place = build("div", { role: "group", "aria-label": "Units" });
  host.replaceChildren(place);
  return new units.Grid(place, "data-unit-chip", {
    toggle: turn,
    point: (unit) => state.view && point(unit ? { step: state.step, unit: state.view.units.indexOf(unit) } : null),
    about(unit, is) {
      const { graph, view } = /** @type {Shown} */ (state);
      const q = graph ? ", q " + graph.connectivity[view.units.indexOf(unit)].toFixed(1) : "";
      return unit + q + ". " + (is ? "Bring it back" : mode === "drop" ? "Drop it" : "Mute it");
    },
  });
}

registerWidget("unit-chips", (host) => {
  let shown = "";
  const stop = paths.subscribe((state, names) => {
    if (!names.has("view") && !names.has("graph") && !names.has("order")) return;
    const { view } = state;
    if (view) follow(view);
    const units = view ? view.units : [];
    const many = units.length > unitNames.MOST_CHIPS;
    const next = (view ? view.info.model : "") + " " + units.length;
    if (next !== shown && (units.length || state.status === "empty")) {
      shown = next;
      const declared = words.model();
      const most = declared && declared.most_iterations;
      setProps("paths-iterations", { max: most || MOST_ITERATIONS });
      grid = many ? gridIn(host) : null;
      host.classList.toggle("chips", !many);
      if (!many) host.replaceChildren(...units.map(chipOf));
    }
    if (grid && view) {
      grid.show(circuitScene.orderOf(view, state.graph, state.order).map((at) => units[at]));
      const { graph } = state;
      if (graph) grid.shade((unit) => graph.connectivity[units.indexOf(unit)]);
    }
    mark();
  });
  return () => {
    stop();
    grid = null;
  };
});

/* -- what a model with links has besides ------------------------------------------------------------------ */

registerWidget("path-links", (host) => {
  let due = 0;
  const range = build("input", {
    type: "range",
    class: "range",
    id: "paths-edges",
    min: 0,
    max: 100,
    step: 1,
    "aria-label": "Share of the links that is kept, the most probable first",
  });
  const readout = build("output", { class: "readout" });
  host.replaceChildren(build("span", { class: "control-name" }, "edges kept"), range, readout);
  const show = (/** @type {number} */ share) => (readout.textContent = format.percentOf(share) + " %");
  range.addEventListener("input", () => {
    const share = Number(range.value) / 100;
    show(share);
    clearTimeout(due);
    due = setTimeout(() => intervene({ edges: share === 1 ? null : share }), PAUSE);
  });
  const stop = paths.subscribe(({ view }, names) => {
    if (!names.has("view") || !view) return;
    host.hidden = !view.info.fields.some((field) => field.name === "link_probability");
    const { keep_edges: edges } = view.info.intervention;
    const share = typeof edges === "number" ? edges : 1;
    range.value = String(Math.round(100 * share));
    show(share);
  });
  return () => {
    stop();
    clearTimeout(due);
  };
});

const SHOWN = [25, 50, 100, 150, 250, 500, 1000, 2000];
const ORDERS = { graph: "as in the graph", connectivity: "by connectivity", name: "by name" };

registerWidget("path-messages", (host) => {
  const range = build("input", {
    type: "range",
    class: "range",
    id: "paths-shown",
    min: 0,
    max: SHOWN.length - 1,
    step: 1,
    "aria-label": "How many of the strongest messages of each step are drawn",
  });
  const readout = build("output", { class: "readout" });
  const order = build(
    "select",
    { class: "small-input", id: "paths-order", "aria-label": "Order of the rows" },
    ...Object.entries(ORDERS).map(([value, words]) => build("option", { value }, words)),
  );
  const strongest = build(
    "div",
    { class: "control" },
    build("span", { class: "control-name" }, "strongest"),
    range,
    readout,
  );
  host.replaceChildren(
    strongest,
    build("div", { class: "control" }, build("span", { class: "control-name" }, "rows"), order),
  );
  range.addEventListener("input", () => paths.update({ shown: SHOWN[Number(range.value)] }));
  order.addEventListener("change", () => paths.update({ order: /** @type {RowOrder} */ (order.value) }));
  return paths.subscribe(({ view, graph, shown, order: chosen }) => {
    host.hidden = !view || !view.circuit;
    /** @type {NodeListOf<HTMLElement>} */
    const tokensOnly = document.querySelectorAll("[data-tokens-only]");
    tokensOnly.forEach((each) => (each.hidden = Boolean(view && view.circuit)));
    range.value = String(SHOWN.indexOf(shown));
    readout.textContent = shown + " a step";
    order.value = chosen;
    /** @type {HTMLElement} */ (order.parentElement).hidden = !graph;
  });
});

/**
 * How many lines differ from the undisturbed ones, said beside the picture.
 *
 * @param {Shown} state
 */
function changesOf({ view, baseline }) {
  if (!baseline) return "";
  if (view.circuit !== baseline.circuit) return "";
  if (view.circuit) return circuitChanges(view, /** @type {CircuitView} */ (baseline));
  const steps = Math.min(view.steps.length, baseline.steps.length);
  let changed = 0;
  for (let token = 0; token < view.tokens.length; token += 1) {
    let same = true;
    for (let step = 0; step < steps; step += 1)
      same = same && view.dominant(step, token) === baseline.dominant(step, token);
    if (!same) changed += 1;
  }
  return (
    changed +
    " of " +
    view.tokens.length +
    " tokens take another dominant path than without intervention" +
    (steps < Math.max(view.steps.length, baseline.steps.length) ? " (over the " + steps + " steps both have)." : ".")
  );
}

/**
 * @param {CircuitView} view
 * @param {CircuitView} baseline
 */
function circuitChanges(view, baseline) {
  const read = view.patches.filter((token) => view.dominant(0, token) !== baseline.dominant(0, token)).length;
  const moved = (100 * view.movedFrom(baseline)).toFixed(1);
  const patches = read + " of " + view.patches.length + " patches are read most by another module; ";
  return (
    (view.patches.length ? patches : "") +
    moved +
    " % of the attention between modules goes elsewhere than without intervention."
  );
}

registerWidget("path-status", (host) => {
  const panel = /** @type {HTMLElement} */ (host.closest(".panel"));
  return paths.subscribe((state, names) => {
    if (["view", "step", "playing"].some((name) => names.has(name))) writeAddress(state);
    if (!names.has("status") && !names.has("view") && !names.has("baseline")) return;
    /** @type {NodeListOf<HTMLElement>} */
    const followers = document.querySelectorAll("[data-follows-path]");
    followers.forEach((element) => (element.dataset.status = state.status));
    panel.setAttribute("aria-busy", String(state.status === "loading"));
    /** @type {NodeListOf<HTMLElement>} */
    const baselineOnly = document.querySelectorAll("[data-baseline-only]");
    baselineOnly.forEach((element) => (element.hidden = !state.baseline || Boolean(state.view && state.view.circuit)));
    host.textContent = state.view ? changesOf(/** @type {Shown} */ (state)) : "";
  });
});

/** @param {PathState} state */
function writeAddress({ view, step, playing }) {
  if (!view || playing) return;
  const { model, sample, intervention } = view.info;
  const { mute, drop, keep_edges: edges, iterations } = intervention;
  address.write("paths", { model, sample, mute, drop, edges, iterations, step }, view.units);
}

const currentMode = () => mode;

export { currentMode as mode };
