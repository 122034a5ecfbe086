/* What is left out of the circuits: a grid of modules, a slider that takes the least connected ones of the circuit that
   answers, and the share of the links that is kept. All of it lies in the state of the page. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";
import * as statementSizes from "rs/pages/circuits/pair/sizes.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as plots from "rs/parts/plots.js";
import * as units from "rs/parts/unit_grid.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Refusal } from "rs/pages/circuits/types.d.ts" */

const UNIT = "data-pair-unit";
const REST = 180; // milliseconds after the last move of a slider
/**
 * @typedef {object} State
 * @property {number[] | null} connectivity of each module in the circuit of the sentence that answers
 * @property {string | null} sentence that sentence
 * @property {Refusal | null} problem
 */
const { state, update, subscribe } = makeStore(
  /** @type {State} */ ({ connectivity: null, sentence: null, problem: null }),
);
let asked = "";

const page = () => circuitsState;
const chosen = () => page().get();

export { state, subscribe };

/** Asks how connected the modules are in the circuit of the sentence that answers. */
async function find() {
  const { status, model, sentences, focus } = chosen();
  const sentence = sentences[focus];
  const key = JSON.stringify([model, sentence]);
  if (status !== "ready" || !sentence || key === asked) return;
  asked = key;
  try {
    const path = "/models/" + encodeURIComponent(/** @type {string} */ (model)) + "/designs";
    /** @type {Schemas["Designs"]} */
    const { designs } = await api.send("POST", path, { sentences: [sentence] });
    if (key === asked) update({ connectivity: designs[0].connectivity, sentence, problem: null });
  } catch (problem) {
    if (key === asked) update({ connectivity: null, sentence: null, problem: /** @type {api.Problem} */ (problem) });
  }
}

/**
 * The `count` modules of least connectivity, in the order in which they leave.
 *
 * @param {number} count
 */
export function weakest(count) {
  const { info } = chosen();
  if (!info || !state.connectivity || state.connectivity.length !== info.units.length) return [];
  return unitNames
    .byConnectivity(state.connectivity)
    .slice(0, count)
    .map((at) => info.units[at]);
}

/** All modules that are left out, in the model's order. */
export function leftOut() {
  const { info, drop } = chosen();
  return info ? info.units.filter((unit) => drop.includes(unit)) : [];
}

/** How many of the least connected are left out where it is they alone, else null. */
function leastOf() {
  const out = leftOut();
  const least = weakest(out.length);
  return least.length === out.length && least.every((unit) => out.includes(unit)) ? out.length : null;
}

/** @param {string[]} units */
const inOrder = (units) => (chosen().info?.units ?? []).filter((unit) => units.includes(unit));

/**
 * Leaves modules out or brings them back; one stays.
 *
 * @param {string[]} units
 * @param {boolean} away
 */
export function turn(units, away) {
  const { info } = chosen();
  if (!info) return;
  const others = leftOut().filter((unit) => !units.includes(unit));
  const drop = inOrder(away ? [...others, ...units] : others);
  if (drop.length >= info.units.length)
    api.notify("One module stays", "A network without modules computes nothing.", "bad");
  else page().set({ drop });
}

export function leave() {
  asked = "";
  Object.assign(state, { connectivity: null, sentence: null, problem: null });
}

/* -- modules -------------------------------------------------------------------------------------------------- */

const CHANGES = ["info", "drop", "sentences", "focus", "status"];

registerWidget("pair-units", (host) => {
  const place = build("div", { role: "group", "aria-label": "Modules" });
  /**
   * @param {string} id
   * @param {string} text
   * @param {() => void} act
   */
  const tool = (id, text, act) => build("button", { type: "button", class: "tool tool-text", id, onclick: act }, text);
  const count = build("span", { class: "hint", id: "pair-count", role: "status" });
  const back = tool("pair-all", "All back", () => page().set({ drop: [], keep_edges: null }));
  host.replaceChildren(place, build("div", { class: "pair-bar" }, count, back));
  const grid = new units.Grid(place, UNIT, {
    toggle: turn,
    point: (unit) => plots && plots.point(unit),
    about(unit, away) {
      const { info } = chosen();
      const { connectivity } = state;
      const q = connectivity && info ? ", q " + connectivity[info.units.indexOf(unit)].toFixed(1) : "";
      return unit + q + (away ? ". Bring it back" : ". Leave it out");
    },
  });
  let shown = /** @type {Schemas["ModelDetail"] | null} */ (null);

  function draw() {
    const { info } = chosen();
    host.hidden = !info;
    if (!info) return;
    if (shown !== info) grid.show(info.units);
    shown = info;
    const { connectivity } = state;
    if (connectivity && connectivity.length === info.units.length)
      grid.shade((unit) => connectivity[info.units.indexOf(unit)]);
    const out = leftOut();
    grid.mark(out, "left out");
    count.textContent =
      out.length +
      " of " +
      info.units.length +
      " modules left out" +
      (state.connectivity ? "; the stronger the colour, the better connected" : "");
    back.hidden = !out.length && chosen().keep_edges === null;
  }

  const ends = [
    page().subscribe((_, names) => {
      if (CHANGES.some((name) => names.has(name))) {
        find();
        draw();
      } else if (names.has("keep_edges")) draw();
    }),
    subscribe(draw),
  ];
  return () => ends.forEach((end) => end());
});

/* -- sliders -------------------------------------------------------------------------------------------------- */

/**
 * @param {string} id
 * @param {string} name
 * @param {string} label
 */
function slider(id, name, label) {
  const range = build("input", { type: "range", class: "range", id, min: 0, max: 100, step: 1, "aria-label": label });
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

registerWidget("pair-sliders", (host) => {
  const least = slider(
    "pair-least",
    "n least connected",
    "Leave out the n least connected modules of the circuit that answers",
  );
  const edges = slider(
    "pair-edges",
    "share of links kept",
    "Share of the links that every circuit keeps, the most probable first",
  );
  const samples = statementSizes.sizes();
  const said = build("span", { class: "hint", role: "status" });
  host.replaceChildren(least.body, edges.body, samples.body, said);
  let due = 0;
  /** @param {() => Partial<Choice>} patch */
  const rest = (patch) => {
    clearTimeout(due);
    due = setTimeout(() => page().set(patch()), REST);
  };
  /** @param {number | string | null} count */
  const show = (count) => {
    least.readout.textContent = count === null ? "others are left out" : String(count);
    edges.readout.textContent = edges.range.value + " %";
  };
  least.range.addEventListener("input", () => {
    show(least.range.value);
    rest(() => ({ drop: inOrder(weakest(Number(least.range.value))) }));
  });
  edges.range.addEventListener("input", () => {
    show(leastOf());
    rest(() => ({ keep_edges: edges.range.value === "100" ? null : Number(edges.range.value) / 100 }));
  });

  function draw() {
    const { info, keep_edges: keep } = chosen();
    host.hidden = !info;
    if (!info) return;
    least.range.max = String(info.units.length - 1);
    least.range.disabled = !state.connectivity;
    const count = state.connectivity ? leastOf() : null;
    least.range.value = String(count || 0);
    edges.range.value = String(Math.round(100 * (keep === null ? 1 : keep)));
    show(state.connectivity ? count : leftOut().length ? null : 0);
    said.textContent = state.problem ? "The circuit: " + state.problem.message : "";
  }

  const ends = [page().subscribe(draw), subscribe(draw), samples.end, () => clearTimeout(due)];
  return () => ends.forEach((end) => end());
});
