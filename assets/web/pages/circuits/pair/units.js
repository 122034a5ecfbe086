/* What is left out of the circuits: a grid of modules, a slider that takes the least connected ones of the circuit that
   answers, and the share of the links that is kept. All of it lies in the state of the page. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as unitNames from "rs/lib/units.js";
import * as statementSizes from "rs/pages/circuits/pair/sizes.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as plots from "rs/parts/plots.js";
import * as units from "rs/parts/unit_grid.js";

const UNIT = "data-pair-unit";
const REST = 180; // milliseconds after the last move of a slider
const listeners = new Set();
export const state = {
  connectivity: null, // of each module in the circuit of the sentence that answers
  sentence: null, // that sentence
  problem: null,
};
let asked = "";

const page = () => circuitsState;
const chosen = () => page().get();

function update(changes) {
  Object.assign(state, changes);
  const names = new Set(Object.keys(changes));
  listeners.forEach((listener) => listener(state, names));
}

export function subscribe(listener) {
  listeners.add(listener);
  listener(state, new Set(Object.keys(state)));
  return () => listeners.delete(listener);
}

/** Asks how connected the modules are in the circuit of the sentence that answers. */
async function find() {
  const { status, model, sentences, focus } = chosen();
  const sentence = sentences[focus];
  const key = JSON.stringify([model, sentence]);
  if (status !== "ready" || !sentence || key === asked) return;
  asked = key;
  try {
    const path = "/models/" + encodeURIComponent(model) + "/designs";
    const { designs } = await api.send("POST", path, { sentences: [sentence] });
    if (key === asked) update({ connectivity: designs[0].connectivity, sentence, problem: null });
  } catch (problem) {
    if (key === asked) update({ connectivity: null, sentence: null, problem });
  }
}

/** The `count` modules of least connectivity, in the order in which they leave. */
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

const inOrder = (units) => chosen().info.units.filter((unit) => units.includes(unit));

/** Leaves modules out or brings them back; one stays. */
export function turn(units, away) {
  const others = leftOut().filter((unit) => !units.includes(unit));
  const drop = inOrder(away ? [...others, ...units] : others);
  if (drop.length >= chosen().info.units.length)
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
  const tool = (id, text, act) => build("button", { type: "button", class: "tool tool-text", id, onclick: act }, text);
  const count = build("span", { class: "hint", id: "pair-count", role: "status" });
  const back = tool("pair-all", "All back", () => page().set({ drop: [], keep_edges: null }));
  host.replaceChildren(place, build("div", { class: "pair-bar" }, count, back));
  const grid = new units.Grid(place, UNIT, {
    toggle: turn,
    point: (unit) => plots && plots.point(unit),
    about(unit, away) {
      const q = state.connectivity ? ", q " + state.connectivity[chosen().info.units.indexOf(unit)].toFixed(1) : "";
      return unit + q + (away ? ". Bring it back" : ". Leave it out");
    },
  });
  let shown = null;

  function draw() {
    const { info } = chosen();
    host.hidden = !info;
    if (!info) return;
    if (shown !== info) grid.show(info.units);
    shown = info;
    if (state.connectivity && state.connectivity.length === info.units.length)
      grid.shade((unit) => state.connectivity[info.units.indexOf(unit)]);
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
  const rest = (patch) => {
    clearTimeout(due);
    due = setTimeout(() => page().set(patch()), REST);
  };
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
    least.range.max = info.units.length - 1;
    least.range.disabled = !state.connectivity;
    const count = state.connectivity ? leastOf() : null;
    least.range.value = count || 0;
    edges.range.value = Math.round(100 * (keep === null ? 1 : keep));
    show(state.connectivity ? count : leftOut().length ? null : 0);
    said.textContent = state.problem ? "The circuit: " + state.problem.message : "";
  }

  const ends = [page().subscribe(draw), subscribe(draw), samples.end, () => clearTimeout(due)];
  return () => ends.forEach((end) => end());
});
