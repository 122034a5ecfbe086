/* The modules to drop: a grid of them, a slider that takes the least connected ones of the circuit that answers, and the share
   of the links that is kept. All of it lies in the state of the page. */
import * as unitNames from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import { connectivity } from "rs/pages/circuits/designs/data.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { dropped, info, state } from "rs/pages/circuits/state.js";
import { Choice, Range, Tool, sizeOptions } from "rs/parts/controls.js";
import { Grid } from "rs/parts/unit_grid.js";
import { batch, useEffect, useLayoutEffect, useRef, useState } from "rs/vendor/preact.js";

const UNIT = "data-pair-unit";
const REST = 180; // milliseconds after the last move of a slider

/** The `count` modules of least connectivity, in the order in which they leave. @param {number} count */
function weakest(count) {
  const [model, q] = [info(), connectivity()];
  if (!model || q?.length !== model.units.length) return [];
  return unitNames.byConnectivity(q).slice(0, count).map((at) => model.units[at]); // prettier-ignore
}

/** How many of the least connected are dropped where it is they alone, else null. */
function leastOf() {
  const out = dropped();
  const least = weakest(out.length);
  return least.length === out.length && least.every((unit) => out.includes(unit)) ? out.length : null;
}

/* -- modules -------------------------------------------------------------------------------------------------- */

/** @param {string} unit @param {boolean} away */
function about(unit, away) {
  const q = connectivity()?.[info()?.units.indexOf(unit) ?? -1];
  return unit + (q === undefined ? "" : ", q " + q.toFixed(1)) + (away ? ". Bring it back" : ". Drop it");
}

/** A cell a module, darker the better connected. @param {{units: string[]}} props */
function Cells({ units }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const grid = useRef(/** @type {InstanceType<typeof Grid> | null} */ (null));
  const [q, out] = [connectivity(), dropped()];
  useLayoutEffect(() => {
    const on = { toggle: circuitsState.turn, about };
    grid.current = new Grid(/** @type {HTMLElement} */ (place.current), UNIT, on);
    grid.current.show(units);
  }, []);
  useLayoutEffect(() => {
    if (q?.length === units.length) grid.current?.shade((unit) => q[units.indexOf(unit)]);
    grid.current?.mark(out, "dropped");
  });
  return html`<div role="group" aria-label="Modules" ref=${place}></div>`;
}

export function Units() {
  const model = info();
  if (!model) return null;
  const out = dropped().length;
  const words = out + " of " + model.units.length + " modules dropped";
  return html`<div class="pair-units">
    <${Cells} key=${model.id} units=${model.units} />
    <div class="pair-bar">
      <span class="hint" id="pair-count" role="status">
        ${words + (connectivity() ? "; the stronger the colour, the better connected" : "")}
      </span>
      <${Tool}
        id="pair-all"
        hidden=${!out && state.keep_edges === null}
        act=${() => circuitsState.set({ drop: [], keep_edges: null })}
        >All back<//
      >
    </div>
  </div>`;
}

/* -- sliders -------------------------------------------------------------------------------------------------- */

/** Sliders over modules and links, and how many statements are measured. */
export function Cuts() {
  const [moved, setMoved] = useState(/** @type {{least?: number, edges?: number}} */ ({})); // what rests on no slider yet
  useEffect(() => {
    const { least, edges } = moved;
    if (least === undefined && edges === undefined) return undefined;
    const due = setTimeout(() => {
      batch(() => {
        const { units } = info() ?? { units: [] };
        const weak = least === undefined ? null : weakest(least);
        if (weak) circuitsState.set({ drop: units.filter((unit) => weak.includes(unit)) });
        if (edges !== undefined) circuitsState.set({ keep_edges: edges === 100 ? null : edges / 100 });
      });
      setMoved({});
    }, REST);
    return () => clearTimeout(due);
  }, [moved]);
  const model = info();
  if (!model) return null;
  const least = moved.least ?? leastOf();
  const edges = moved.edges ?? Math.round(100 * (state.keep_edges ?? 1));
  return html`<div class="pair-bar">
    <${Range}
      id="pair-least"
      name="n least connected"
      label="Drop the n least connected modules of the circuit that answers"
      most=${model.units.length - 1}
      value=${least ?? 0}
      wait=${!connectivity()}
      words=${least === null ? "others are dropped" : String(least)}
      onInput=${(/** @type {number} */ value) => setMoved({ ...moved, least: value })}
    />
    <${Range}
      id="pair-edges"
      name="share of links kept"
      label="Share of the links that every circuit keeps, the most probable first"
      most=${100}
      value=${edges}
      words=${edges + " %"}
      onInput=${(/** @type {number} */ value) => setMoved({ ...moved, edges: value })}
    />
    <div class="control">
      <span class="control-name">Statements</span>
      ${Choice({
        id: "pair-samples",
        label: "Number of statements",
        look: "small-input",
        options: sizeOptions(circuitsState.SIZES, state.measured),
        chosen: String(state.measured),
        onChoose: (value) => circuitsState.set({ measured: Number(value) }),
      })}
    </div>
  </div>`;
}
