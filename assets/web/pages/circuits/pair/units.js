/* What is left out of the circuits: a grid of modules, a slider that takes the least connected ones of the circuit that
   answers, and the share of the links that is kept. All of it lies in the state of the page. */
import * as api from "rs/lib/api.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { makeStore } from "rs/lib/store.js";
import * as unitNames from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { Choice } from "rs/parts/controls.js";
import * as plots from "rs/parts/plots.js";
import * as units from "rs/parts/unit_grid.js";
import { batch, effect, signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Refusal } from "rs/pages/circuits/types.d.ts" */

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
function weakest(count) {
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
function turn(units, away) {
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
  const bar = build("div", { class: "pair-bar" });
  host.replaceChildren(place, bar);
  const grid = new units.Grid(place, UNIT, {
    toggle: turn,
    point: plots.point,
    about(unit, away) {
      const { info } = chosen();
      const { connectivity } = state;
      const q = connectivity && info ? ", q " + connectivity[info.units.indexOf(unit)].toFixed(1) : "";
      return unit + q + (away ? ". Bring it back" : ". Drop it");
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
    grid.mark(leftOut(), "dropped");
  }

  const ends = [
    page().subscribe((_, names) => {
      if (CHANGES.some((name) => names.has(name))) {
        find();
        draw();
      }
    }),
    subscribe(draw),
    show(bar, () => {
      const { info, keep_edges: keep } = chosen();
      const out = leftOut().length;
      const words = out + " of " + (info?.units.length ?? 0) + " modules dropped";
      const back = () => page().set({ drop: [], keep_edges: null });
      return [
        html`<span class="hint" id="pair-count" role="status">
          ${words + (state.connectivity ? "; the stronger the colour, the better connected" : "")}
        </span>`,
        html`<button type="button" class="tool tool-text" id="pair-all" hidden=${!out && keep === null} onClick=${back}>
          All back
        </button>`,
      ];
    }),
  ];
  return () => ends.forEach((end) => end());
});

/* -- sliders -------------------------------------------------------------------------------------------------- */

/**
 * @param {string} name
 * @param {string} label
 * @param {{id: string, max: number, value: number, disabled?: boolean}} given
 * @param {string} words
 * @param {(value: number) => void} act
 */
function slider(name, label, given, words, act) {
  /** @param {{currentTarget: HTMLInputElement}} event */
  const moved = ({ currentTarget }) => act(Number(currentTarget.value));
  return html`<div class="control" title=${label}>
    <span class="control-name">${name}</span>
    <input type="range" class="range" min="0" step="1" aria-label=${label} ...${given} onInput=${moved} />
    <output class="readout">${words}</output>
  </div>`;
}

function sizes() {
  const { measured } = chosen();
  const options = [...new Set([...circuitsState.SIZES, measured])].sort((a, b) => a - b);
  return html`<div class="control">
    <span class="control-name">Statements</span>
    ${Choice({
      id: "pair-samples",
      label: "Number of statements",
      look: "small-input",
      options: options.map((size) => [String(size), size.toLocaleString("en")]),
      chosen: String(measured),
      onChoose: (value) => page().set({ measured: Number(value) }),
    })}
  </div>`;
}

registerWidget("pair-sliders", (host) => {
  const moved = signal(/** @type {{least?: number, edges?: number}} */ ({})); // what rests on no slider yet
  let due = 0;
  /** @param {{least?: number, edges?: number}} now */
  function move(now) {
    moved.value = { ...moved.value, ...now };
    clearTimeout(due);
    due = setTimeout(() => {
      const { least, edges } = moved.value;
      batch(() => {
        if (least !== undefined) page().set({ drop: inOrder(weakest(least)) });
        if (edges !== undefined) page().set({ keep_edges: edges === 100 ? null : edges / 100 });
        moved.value = {};
      });
    }, REST);
  }

  const ends = [
    effect(() => {
      host.hidden = !chosen().info;
    }),
    show(host, () => {
      const { info, keep_edges: keep } = chosen();
      const { connectivity, problem } = state;
      const least = moved.value.least ?? leastOf();
      const edges = moved.value.edges ?? Math.round(100 * (keep ?? 1));
      return [
        slider(
          "n least connected",
          "Drop the n least connected modules of the circuit that answers",
          { id: "pair-least", max: (info?.units.length ?? 1) - 1, value: least ?? 0, disabled: !connectivity },
          least === null ? "others are dropped" : String(least),
          (least) => move({ least }),
        ),
        slider(
          "share of links kept",
          "Share of the links that every circuit keeps, the most probable first",
          { id: "pair-edges", max: 100, value: edges },
          edges + " %",
          (edges) => move({ edges }),
        ),
        sizes(),
        html`<span class="hint" role="status">${problem ? "The circuit: " + problem.message : ""}</span>`,
      ];
    }),
    () => clearTimeout(due),
  ];
  return () => ends.forEach((end) => end());
});
