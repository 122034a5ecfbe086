/* Controls of the Paths page: what is done to the model, and what is drawn of its path. */
import * as address from "rs/lib/address.js";
import * as format from "rs/lib/format.js";
import { paintOfUnit } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";
import { point, state, stateOf } from "rs/pages/paths/state.js";
import { Choice, NumberField, Range, Segmented, Tool } from "rs/parts/controls.js";
import { ExpertGrid, layersOf } from "rs/parts/experts/grid.js";
import { Grid } from "rs/parts/unit_grid.js";
import { useEffect, useLayoutEffect, useRef, useState } from "rs/vendor/preact.js";

/** @import { RowOrder, Shown, View } from "rs/pages/paths/types.d.ts" */
/** @typedef {"mute" | "drop"} Mode */

const MEANINGS = {
  mute: { compatibility: "its compatibility is set to 0", "": "its output is set to 0" },
  drop: {
    router_logits: "tokens take the best of the remaining experts",
    compatibility: "compatibilities are renormalised over the rest",
    "": "its compute is saved",
  },
};
const MOST_ITERATIONS = address.bounds("paths", "iterations").offered.at(-1); // where the model has no limit
const CHIP = "data-unit-chip"; // names chips and cells for tests and styles
const PAUSE = 250; // milliseconds after the last move of a slider

/** @param {string} unit @param {string[]} units of its model */
function chipOf(unit, units) {
  const mode = paths.mode.value;
  const away = stateOf(unit);
  // What the picture shows, which is older than what is chosen until the service has answered.
  const drawn = state.view ? stateOf(unit, state.view.info.intervention) : away;
  const said = drawn === away ? away : away ? "not " + away + " yet" : "still " + drawn;
  const next = away
    ? "Bring " + unit + " back"
    : (mode === "drop" ? "Drop " : "Mute ") + unit + " (" + words.choose(MEANINGS[mode]) + ")";
  return html`
    <button
      key=${unit}
      type="button"
      class="chip"
      ...${{ [CHIP]: unit }}
      data-state=${drawn || "on"}
      aria-pressed=${String(Boolean(away))}
      aria-label=${unit + (said && ", " + said) + ". " + next}
      title=${next}
      onClick=${() => paths.toggle(unit)}
    >
      <span class="swatch" aria-hidden="true" style=${{ background: paintOfUnit(units, unit) }}></span>
      ${unit}
      <span class="chip-state">${said}</span>
    </button>
  `;
}

/** Cells of units where there are too many for chips: experts by layer, others in the order of the picture's rows. */
function Cells() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const grid = useRef(/** @type {Grid | null} */ (null));
  const { view, graph, order } = state;
  const { mute, drop } = paths.taken();
  useLayoutEffect(() => {
    if (!view) return;
    const [host, { names }] = [/** @type {HTMLElement} */ (place.current), view];
    const layers = layersOf(view.info.units_by_step ?? []);
    if (layers.length) {
      const experts = grid.current instanceof ExpertGrid ? grid.current : new ExpertGrid(host, CHIP, acts);
      grid.current = experts;
      if (experts.order.length !== names.length) experts.lay(layers);
      return experts.tell(new Map(names.map((unit, at) => [unit, useAt(view, at)])));
    }
    grid.current = grid.current || new Grid(host, CHIP, acts);
    grid.current.show(view.circuit ? circuitScene.orderOf(view, graph, order).map((at) => names[at]) : names);
    if (graph) grid.current.shade((unit) => graph.connectivity[names.indexOf(unit)]);
  }, [view, graph, order]);
  useLayoutEffect(() =>
    grid.current?.mark([...mute, ...drop], mute.length ? (drop.length ? "away" : "muted") : "dropped"),
  );
  return html`<div class="paths-cells" role="group" aria-label="Units" ref=${place}></div>`;
}

/** Where the unit at a place of all names is: at its own step where it has one, else at the one that is shown. @param {View} view @param {number} at */
function placeOf(view, at) {
  if (view.names.length === view.units.length) return { step: state.step, unit: at };
  const own = view.info.units_by_step ?? [];
  const has = (/** @type {number} */ step) => own[step]?.includes(view.names[at]);
  return { step: has(state.step) ? state.step : own.findIndex((_, step) => has(step)), unit: at % view.units.length };
}

/** An expert's share of its layer, for the tokens that are shown. @param {View} view @param {number} at */
function useAt(view, at) {
  const { step, unit } = placeOf(view, at);
  return view.use(step, unit);
}

const acts = {
  toggle: paths.turn,
  /** @param {string | null} unit */
  point: (unit) => state.view && point(unit ? placeOf(state.view, state.view.names.indexOf(unit)) : null),
  /** @param {string} unit @param {boolean} is */
  about(unit, is) {
    const { graph, view } = /** @type {Shown} */ (state);
    const at = view.names.indexOf(unit);
    const use = view.info.units_by_step ? ", " + format.percentOf(useAt(view, at)) + " % of its layer here" : "";
    const q = graph ? ", q " + graph.connectivity[at].toFixed(1) : "";
    return unit + use + q + ". " + (is ? "Bring it back" : paths.mode.value === "drop" ? "Drop it" : "Mute it");
  },
};

/** @type {Record<string, string>} */
const DROPPING = {
  top_experts: "drop: the others share its weight",
  compatibility: "drop: renormalise over the rest",
  messages: "drop: with its links",
};

/** What a click on a unit does, where the model takes both. */
function Modes() {
  const model = words.chosen();
  return html`<div class="control" hidden=${Boolean(words.muteRefusal(model))}>
    <span class="control-name">${"Click " + words.of(model).a_unit + " to"}</span>
    <${Segmented}
      id="paths-mode"
      label="What a click on a unit does"
      options=${[
        ["mute", "mute: set to zero"],
        ["drop", words.choose(DROPPING)],
      ]}
      chosen=${paths.mode.value}
      onChoose=${(/** @type {Mode} */ mode) => (paths.mode.value = mode)}
    />
  </div>`;
}

/** Units of the model that is shown, or was last: they stay while its path fails. */
let last = { model: "", names: /** @type {string[]} */ ([]) };

function Units() {
  const { view } = state;
  const { model } = paths.frame();
  if (view) last = { model: view.info.model, names: view.names };
  const names = last.model === model ? last.names : [];
  const many = names.length > unitNames.MOST_CHIPS;
  return html`<div class=${"paths-units" + (many ? "" : " chips")} role="group" aria-label="Units">
    ${many ? html`<${Cells} key=${model} />` : names.map((unit) => chipOf(unit, names))}
  </div>`;
}

/** How many iterations or layers run, where the model leaves a choice. */
function Passes() {
  const model = words.chosen();
  const { least_iterations: least = 0, most_iterations: most = null } = model || {};
  const { passes } = words.of(model);
  const { iterations } = paths.choice.value;
  return html`<div id="paths-passes" class="control" hidden=${least === most}>
    <span class="control-name">${passes[0].toUpperCase() + passes.slice(1)}</span>
    <${NumberField}
      id="paths-iterations"
      label=${"Number of " + passes}
      chosen=${iterations}
      most=${most || MOST_ITERATIONS}
      none="as trained"
      onChoose=${(/** @type {number | null} */ next) => next !== iterations && paths.intervene({ iterations: next })}
    />
  </div>`;
}

/** The share of the links that is kept, of a model that has links. */
function KeptLinks() {
  const [moved, setMoved] = useState(/** @type {number | null} */ (null)); // until the path is asked for
  const linked = state.view?.info.fields.some(({ name }) => name === "link_probability");
  const share = moved ?? paths.choice.value.edges ?? 1;
  const timer = useRef(/** @type {any} */ (0));
  useEffect(() => () => clearTimeout(timer.current), []);
  /** @param {number} percent */
  function choose(percent) {
    const next = percent / 100;
    setMoved(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      paths.intervene({ edges: next === 1 ? null : next });
      setMoved(null);
    }, PAUSE);
  }
  return html`<${Range}
    id="paths-edges"
    name="links kept"
    label="Share of the links that is kept, the most probable first"
    most=${100}
    value=${Math.round(100 * share)}
    words=${format.percentOf(share) + " %"}
    hidden=${!linked}
    onInput=${choose}
  />`;
}

/** Everything that is done to the model. */
export function Interventions() {
  const refusal = words.muteRefusal(words.chosen());
  useEffect(() => {
    if (refusal) paths.mode.value = "drop";
  }, [refusal]);
  return html`<div class="interventions">
    <${Modes} /><${Units} /><${Passes} /><${KeptLinks} />
    <${Tool} id="paths-reset" act=${() => paths.intervene(paths.NOTHING)}>Reset<//>
    <span id="paths-mute-refusal" class="hint" role="status">${refusal}</span>
  </div>`;
}

/* -- what is drawn of a path ----------------------------------------------------------------------------------------- */

const SHOWN = [25, 50, 100, 150, 250, 500, 1000, 2000];
/** @type {Record<RowOrder, string>} */
const ORDERS = { graph: "as in the graph", connectivity: "by connectivity", name: "by name" };

/** How many messages are drawn, and the order of the rows, of a model whose units read each other. */
function MessageControls() {
  const { graph, shown, order } = state;
  return html`
    <${Range}
      id="paths-shown"
      name="strongest"
      label="How many of the strongest messages of each step are drawn"
      most=${SHOWN.length - 1}
      value=${SHOWN.indexOf(shown)}
      words=${shown + " a step"}
      onInput=${(/** @type {number} */ at) => paths.update({ shown: SHOWN[at] })}
    />
    <div class="control" hidden=${!graph}>
      <span class="control-name">rows</span>
      <${Choice}
        id="paths-order"
        label="Order of the rows"
        look="small-input"
        options=${Object.entries(ORDERS)}
        chosen=${order}
        onChoose=${(/** @type {RowOrder} */ next) => paths.update({ order: next })}
      />
    </div>
  `;
}

/** Which weaker routes are drawn, and whether the path without intervention is, of tokens that go through units. */
function TokenControls() {
  const { baseline, showBaseline, threshold } = state;
  const turn = (/** @type {{currentTarget: HTMLInputElement}} */ { currentTarget }) =>
    paths.update({ showBaseline: currentTarget.checked });
  return html`
    <${Range}
      id="paths-threshold"
      name="weaker routes above"
      ...${{ least: 5, most: 50, step: 5, look: "control when-wide" }}
      value=${Math.round(100 * threshold)}
      words=${threshold.toFixed(2)}
      onInput=${(/** @type {number} */ percent) => paths.update({ threshold: percent / 100 })}
    />
    <label class="control" hidden=${!baseline}>
      <input type="checkbox" id="paths-baseline" checked=${showBaseline} onChange=${turn} />
      <span class="control-name">path without intervention, dashed</span>
    </label>
  `;
}

export const Options = () =>
  html`<div class="path-options">
    ${state.view?.circuit ? html`<${MessageControls} />` : html`<${TokenControls} />`}
  </div>`;

/** How strong the colours are over the image. */
export const Opacity = () =>
  html`<${Range}
    id="paths-opacity"
    name="colour"
    label="Opacity of the colours"
    ...${{ most: 100, step: 5 }}
    value=${Math.round(100 * state.opacity)}
    words=${Math.round(100 * state.opacity) + " %"}
    onInput=${(/** @type {number} */ percent) => paths.update({ opacity: percent / 100 })}
  />`;
