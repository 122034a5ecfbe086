/* The Paths page: hands traces to the pictures, keeps the address, and lets one mute or drop functions. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { pinned } from "rs/lib/navigation/pinned.js";
import * as sets from "rs/lib/navigation/sets.js";
import { findModel, here, shows } from "rs/lib/models.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import { paintOfUnit } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { refused } from "rs/pages/paths/compare/state.js";
import { shownOfB } from "rs/pages/paths/compare/panel.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";
import { point, state } from "rs/pages/paths/state.js";
import { NumberField, Segmented, Tool } from "rs/parts/controls.js";
import { ExpertGrid, layersOf } from "rs/parts/experts/grid.js";
import { registerPinning } from "rs/parts/pinned/control.js";
import * as predictions from "rs/parts/predictions.js";
import { Grid } from "rs/parts/unit_grid.js";
import { signal, useEffect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { Found, PathState, RowOrder, Shown, View } from "rs/pages/paths/types.d.ts" */

/**
 * What is chosen to be done to a model (app/routescope_app/dashboard/validation.py).
 *
 * @typedef {{mute: string[], drop: string[], iterations: number | null, edges: number | null,
 *   top_k: number | null}} Choice
 * @typedef {"mute" | "drop"} Mode what a click on a unit does
 */

/** @type {Choice} */
const EMPTY = address.defaults("paths", "mute", "drop", "iterations", "edges", "top_k");
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
const chosen = makeStore({ intervention: EMPTY, mode: /** @type {Mode} */ ("mute") });

/** Which units the address names, of the trace that is shown: rules and kept sets where these gave them. */
let said = { id: "", mute: /** @type {string[]} */ ([]), drop: /** @type {string[]} */ ([]) };

/** Whether something else was chosen than the trace that is shown was recorded under, which has no answer yet. */
let due = false;

/** @param {Partial<Choice>} changes */
async function intervene(changes) {
  const next = { ...chosen.state.intervention, ...changes };
  due = true;
  chosen.update({ intervention: next }); // of two quick changes neither is lost
  const [mute, drop] = await Promise.all([next.mute, next.drop].map(sets.inRequest));
  if (chosen.state.intervention !== next) return;
  setProps("paths-intervention", {
    data: { ...next, mute: mute.split(",").filter(Boolean), drop: drop.split(",").filter(Boolean) },
  });
}

/**
 * The first sample among components that offer some; null without any.
 *
 * @param {unknown} starters
 */
export const firstOffered = (starters) =>
  /"data-pick-sample":\s*"([^"]+)"/.exec(JSON.stringify(starters ?? null))?.[1] ?? null;

/**
 * Whether the page that is open shows samples of a model.
 *
 * @param {string} id
 */
function shownHere(id) {
  const [model, page] = [findModel(id), here()];
  return Boolean(model && page && shows(model, page));
}

export const mode = () => chosen.state.mode;

/** Units that are taken away. */
export function away() {
  const { mute, drop } = chosen.state.intervention;
  return [...mute, ...drop];
}

/**
 * Takes units away in the current mode, or brings them back.
 *
 * @param {string[]} units
 * @param {boolean} takes
 */
export function turn(units, takes) {
  const { view } = /** @type {Shown} */ (state);
  const { intervention, mode } = chosen.state;
  const others = (/** @type {string[]} */ names) => names.filter((name) => !units.includes(name));
  const next = { mute: others(intervention.mute), drop: others(intervention.drop) };
  if (takes) next[mode] = view.names.filter((name) => next[mode].includes(name) || units.includes(name));
  if (next.drop.length === view.names.length) {
    const { unit } = words.of(words.model());
    api.notify("One " + unit + " stays", "Without any there is no path.", "bad");
  } else intervene(next);
}

/** @param {string} unit */
const toggle = (unit) => turn([unit], !away().includes(unit));

/** With which answer the sample is shown, as the address says it: null for the one that the model chooses. */
function candidate() {
  const { view } = state;
  return view && !view.circuit && view.candidate !== paths.chosenIn(view.info) ? view.candidate : null;
}

/**
 * With which answer a sample is shown, where it is.
 *
 * @param {string} sample
 */
const answerOf = (sample) =>
  state.view && !state.view.circuit && state.view.info.sample === sample ? state.view.candidate : null;

/** Called when the trace that is asked for has come, or why there is none. */
let came = () => {};

address.takesOver("paths", ({ model, sample, step, candidate, pin, mute, drop, edges, iterations, top_k, log }) => {
  const { view } = state;
  if (!view || log || view.info.model !== model || !sample) return null;
  const resting = state.status === "ready" && !due; // else another trace is on its way, for an entry that was left
  const elsewhere = view.info.sample !== sample || selection.current().sample !== sample;
  const next = { mute, drop, edges, iterations, top_k };
  const asked = { ...view.info.intervention, ...(said.id === view.info.id ? said : {}) };
  const { keep_edges, iterations: passes = null, top_k: taken = null } = asked;
  const now = { mute: asked.mute, drop: asked.drop, edges: keep_edges ?? null, iterations: passes, top_k: taken };
  const other = !resting || elsewhere || JSON.stringify(now) !== JSON.stringify(next);
  const shown = other ? new Promise((resolve) => (came = () => resolve(null))) : Promise.resolve();
  pinned.value = pin ?? "";
  if (elsewhere) setProps("selection", { data: { model, sample } });
  if (other) {
    paths.expect();
    setProps("paths-intervention", { data: next });
  }
  paths.goTo(step);
  const before = answerOf(sample);
  const read = () => {
    if (!state.view) return;
    if (!before || answerOf(sample) === before) paths.choose(candidate ?? paths.chosenIn(state.view.info) ?? 0);
    setTimeout(() => writeAddress(state)); // what was chosen meanwhile the entry says, once it is taken over
  };
  if (other) return shown.then(read);
  read();
  return shown;
});

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
        point: found.sample.point,
      };
    predictions.show("paths", facts || null);
    if (found && found.current) {
      found.left_out.forEach(address.say);
      said = { id: found.current.id, ...found.said };
    }
    due = false;
    const done = came; // not that of an entry which is gone back to meanwhile
    await paths.show(found && { ...found, step });
    done();
    return found && found.current ? found.current.id : "";
  },

  /** @param {Partial<Choice> | null} choice */
  remember(choice) {
    const { mute, drop } = { ...EMPTY, ...choice };
    const intervention = { ...EMPTY, ...choice, mute: sets.unfolded(mute), drop: sets.unfolded(drop) };
    chosen.update({ intervention });
    due = true;
    const { view, step } = state;
    // At once, not when the trace is there: two choices are two entries of the history.
    const short = [mute, drop].every((names) => names.join(",").length <= sets.LONGEST);
    if (view && short) {
      const { model, sample } = view.info;
      if (selection.current().model === model && selection.current().sample === sample)
        address.write(
          "paths",
          { model, sample, step, candidate: candidate(), ...intervention, mute, drop, pin: pinned.value || null },
          view.names,
        );
    }
    return noUpdate();
  },

  /**
   * Opens the first sample that is offered, where the address names none.
   *
   * @param {unknown} starters components
   */
  openFirst(starters) {
    const { model, sample } = selection.current();
    const first = firstOffered(starters);
    const notes = /** @type {HTMLElement | null} */ (document.querySelector('[data-widget="address-notes"]'));
    const ignored = (notes?.dataset.lines ?? "").includes('\\"sample\\" of the link');
    const named = ignored || new URLSearchParams(window.location.search).has("sample");
    if (model && !sample && first && !named && shownHere(model)) selection.choose({ sample: first });
    return noUpdate();
  },
};

/**
 * Takes over what a trace was recorded under where the choice names what its model does not have: ranges of an address,
 * or units of the model before. Any other choice may be newer than the trace.
 *
 * @param {View} view
 */
function follow({ names, info }) {
  if (away().every((name) => names.includes(name))) return;
  const { mute, drop } = info.intervention;
  chosen.update({ intervention: { ...chosen.state.intervention, mute: [...mute], drop: [...drop] } });
}

/**
 * @param {{mute: readonly string[], drop: readonly string[]}} intervention
 * @param {string} unit
 */
const stateIn = ({ mute, drop }, unit) => (mute.includes(unit) ? "muted" : drop.includes(unit) ? "dropped" : "");

/**
 * @param {string} unit
 * @param {string[]} units of its model
 */
function chipOf(unit, units) {
  const { intervention, mode } = chosen.state;
  const away = stateIn(intervention, unit);
  // What the picture shows, which is older than what is chosen until the service has answered.
  const drawn = state.view ? stateIn(state.view.info.intervention, unit) : away;
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
      onClick=${() => toggle(unit)}
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
  const { mute, drop } = chosen.state.intervention;
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

/**
 * Where the unit at a place of all names is: at its own step where every step has units of its own, else at the one that
 * is shown.
 *
 * @param {View} view
 * @param {number} at
 */
function placeOf(view, at) {
  if (view.names.length === view.units.length) return { step: state.step, unit: at };
  const own = view.info.units_by_step ?? [];
  const has = (/** @type {number} */ step) => own[step]?.includes(view.names[at]);
  return { step: has(state.step) ? state.step : own.findIndex((_, step) => has(step)), unit: at % view.units.length };
}

/**
 * The share of an expert's layer that it does for the tokens that are shown.
 *
 * @param {View} view
 * @param {number} at
 */
function useAt(view, at) {
  const { step, unit } = placeOf(view, at);
  return view.use(step, unit);
}

const acts = {
  toggle: turn,
  /** @param {string | null} unit */
  point: (unit) => state.view && point(unit ? placeOf(state.view, state.view.names.indexOf(unit)) : null),
  /**
   * @param {string} unit
   * @param {boolean} is
   */
  about(unit, is) {
    const { graph, view } = /** @type {Shown} */ (state);
    const at = view.names.indexOf(unit);
    const use = view.info.units_by_step ? ", " + format.percentOf(useAt(view, at)) + " % of its layer here" : "";
    const q = graph ? ", q " + graph.connectivity[at].toFixed(1) : "";
    return unit + use + q + ". " + (is ? "Bring it back" : mode() === "drop" ? "Drop it" : "Mute it");
  },
};

/* -- what is done to the model ------------------------------------------------------------------------------------ */

/** @type {Record<string, string>} */
const DROPPING = {
  top_experts: "drop: the others share its weight",
  compatibility: "drop: renormalise over the rest",
  messages: "drop: with its links",
};
const shownUnits = signal({ of: "", names: /** @type {string[]} */ ([]) }); // of the model that is shown, or was last
const linked = signal(false); // whether its units are linked
const share = signal(1); // of the links that is kept

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
      chosen=${chosen.state.mode}
      onChoose=${(/** @type {Mode} */ mode) => chosen.update({ mode })}
    />
  </div>`;
}

function Units() {
  const { of, names } = shownUnits.value;
  const many = names.length > unitNames.MOST_CHIPS;
  return html`<div class=${"paths-units" + (many ? "" : " chips")} role="group" aria-label="Units">
    ${many ? html`<${Cells} key=${of} />` : names.map((unit) => chipOf(unit, names))}
  </div>`;
}

/** How many iterations or layers run, where the model leaves a choice. */
function Passes() {
  const model = words.chosen();
  const { least_iterations: least = 0, most_iterations: most = null } = model || {};
  const { passes } = words.of(model);
  const { iterations } = chosen.state.intervention;
  return html`<div id="paths-passes" class="control" hidden=${least === most}>
    <span class="control-name">${passes[0].toUpperCase() + passes.slice(1)}</span>
    <${NumberField}
      id="paths-iterations"
      label=${"Number of " + passes}
      chosen=${iterations}
      most=${most || MOST_ITERATIONS}
      none="as trained"
      onChoose=${(/** @type {number | null} */ next) => next !== iterations && intervene({ iterations: next })}
    />
  </div>`;
}

/** The share of the links that is kept, of a model that has links. */
function KeptLinks() {
  const timer = useRef(/** @type {any} */ (0));
  useEffect(() => () => clearTimeout(timer.current), []);
  /** @param {{currentTarget: HTMLInputElement}} event */
  function choose({ currentTarget }) {
    const next = Number(currentTarget.value) / 100;
    share.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => intervene({ edges: next === 1 ? null : next }), PAUSE);
  }
  return html`<div class="control" hidden=${!linked.value}>
    <span class="control-name">edges kept</span>
    <input
      type="range"
      class="range"
      id="paths-edges"
      min="0"
      max="100"
      step="1"
      aria-label="Share of the links that is kept, the most probable first"
      value=${Math.round(100 * share.value)}
      onInput=${choose}
    />
    <output class="readout">${format.percentOf(share.value) + " %"}</output>
  </div>`;
}

registerWidget("path-interventions", (host) => {
  chosen.update({ mode: host.dataset.mode === "drop" ? "drop" : "mute" });
  const stops = [
    selection.onOtherModel(() => {
      shownUnits.value = { of: "", names: [] };
      linked.value = false;
    }),
    paths.subscribe(({ view, status }, names) => {
      if (!names.has("view") || (!view && status !== "empty")) return;
      const of = (view ? view.info.model : "") + " " + (view ? view.names.length : 0);
      if (of !== shownUnits.peek().of) shownUnits.value = { of, names: view ? view.names : [] };
      if (!view) return;
      follow(view);
      linked.value = view.info.fields.some((field) => field.name === "link_probability");
      share.value = view.info.intervention.keep_edges ?? 1;
    }),
    words.subscribe((model) => {
      if (words.muteRefusal(model)) chosen.update({ mode: "drop" });
    }),
    show(
      host,
      () => html`
        <${Modes} /><${Units} /><${Passes} /><${KeptLinks} />
        <${Tool} id="paths-reset" act=${() => intervene(EMPTY)}>Reset<//>
        <span id="paths-mute-refusal" class="hint" role="status">${words.muteRefusal(words.chosen())}</span>
      `,
    ),
  ];
  return () => stops.forEach((stop) => stop());
});

/* -- what is drawn of a path ----------------------------------------------------------------------------------------- */

const SHOWN = [25, 50, 100, 150, 250, 500, 1000, 2000];
/** @type {Record<RowOrder, string>} */
const ORDERS = { graph: "as in the graph", connectivity: "by connectivity", name: "by name" };

/** How many messages are drawn, and the order of the rows, of a model whose units read each other. */
function MessageControls() {
  const { graph, shown, order } = state;
  const options = Object.entries(ORDERS).map(([value, words]) => html`<option value=${value}>${words}</option>`);
  /** @param {{currentTarget: HTMLInputElement}} event */
  const choose = ({ currentTarget }) => paths.update({ shown: SHOWN[Number(currentTarget.value)] });
  /** @param {{currentTarget: HTMLSelectElement}} event */
  const turn = ({ currentTarget }) => paths.update({ order: /** @type {RowOrder} */ (currentTarget.value) });
  return html`
    <div class="control">
      <span class="control-name">strongest</span>
      <input
        type="range"
        class="range"
        id="paths-shown"
        min="0"
        max=${SHOWN.length - 1}
        step="1"
        aria-label="How many of the strongest messages of each step are drawn"
        value=${SHOWN.indexOf(shown)}
        onInput=${choose}
      />
      <output class="readout">${shown + " a step"}</output>
    </div>
    <div class="control" hidden=${!graph}>
      <span class="control-name">rows</span>
      <select class="small-input" id="paths-order" aria-label="Order of the rows" value=${order} onChange=${turn}>
        ${options}
      </select>
    </div>
  `;
}

/** Which weaker routes are drawn, and whether the path without intervention is, of tokens that go through units. */
function TokenControls() {
  const { baseline, showBaseline, threshold } = state;
  /** @param {{currentTarget: HTMLInputElement}} event */
  const choose = ({ currentTarget }) => paths.update({ threshold: Number(currentTarget.value) / 100 });
  /** @param {{currentTarget: HTMLInputElement}} event */
  const turn = ({ currentTarget }) => paths.update({ showBaseline: currentTarget.checked });
  return html`
    <div class="control when-wide">
      <label class="control-name" for="paths-threshold">weaker routes above</label>
      <input
        type="range"
        class="range"
        id="paths-threshold"
        min="5"
        max="50"
        step="5"
        value=${Math.round(100 * threshold)}
        aria-valuetext=${threshold.toFixed(2)}
        onInput=${choose}
      />
      <output class="readout" for="paths-threshold">${threshold.toFixed(2)}</output>
    </div>
    <label class="control" hidden=${!baseline}>
      <input type="checkbox" id="paths-baseline" checked=${showBaseline} onChange=${turn} />
      <span class="control-name">path without intervention, dashed</span>
    </label>
  `;
}

registerWidget("path-options", (host) =>
  show(host, () => (state.view?.circuit ? html`<${MessageControls} />` : html`<${TokenControls} />`)),
);

registerWidget("patch-opacity", (host) =>
  show(host, () => {
    /** @param {{currentTarget: HTMLInputElement}} event */
    const choose = ({ currentTarget }) => paths.update({ opacity: Number(currentTarget.value) / 100 });
    const percent = Math.round(100 * state.opacity);
    return html`
      <label class="control-name" for="paths-opacity">colour</label>
      <input
        type="range"
        class="range"
        id="paths-opacity"
        min="0"
        max="100"
        step="5"
        value=${percent}
        aria-label="Opacity of the colours"
        aria-valuetext=${percent + " %"}
        onInput=${choose}
      />
    `;
  }),
);

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
  const forgets = selection.onOtherModel(() => {
    paths.show(null);
    predictions.show("paths", null);
    setProps("paths-caption", { children: [] });
  });
  const follows = paths.subscribe((state, names) => {
    if (names.has("view") || ((names.has("step") || names.has("playing")) && !state.playing)) writeAddress(state);
    if (!names.has("status") && !names.has("view") && !names.has("baseline")) return;
    /** @type {NodeListOf<HTMLElement>} */
    const followers = document.querySelectorAll("[data-follows-path]");
    followers.forEach((element) => {
      element.dataset.status = state.status;
      if (state.view)
        element.dataset.answers = state.view.info.predictions.length + state.view.info.numbers.length ? "said" : "none";
    });
    if (state.status === "stale") setProps("paths-problem", { children: state.problem?.detail ?? "" });
    panel.setAttribute("aria-busy", String(state.status === "loading"));
    host.textContent = state.view ? changesOf(/** @type {Shown} */ (state)) : "";
  });
  return () => {
    forgets();
    follows();
    paths.leave();
  };
});

/** @param {PathState} state */
function writeAddress({ view, step }) {
  if (!view) return;
  const { id, model, sample, intervention } = view.info;
  const { keep_edges: edges, iterations, top_k } = intervention;
  const { mute, drop } = said.id === id ? said : intervention;
  const all = said.id === id ? undefined : view.names; // the address names them as it did
  const shown = { model, sample, mute, drop, edges, iterations, top_k, step, candidate: candidate() };
  address.write("paths", { ...shown, pin: pinned.value || null }, all);
}

registerPinning("paths", {
  shown: shownOfB,
  units: () => state.view?.names,
  write: () => writeAddress(state),
  noSwap: refused,
});
