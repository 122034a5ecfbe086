/* What is left out on the Drop page: chips, or a grid where there are many units; sliders over the links of a model. */
import * as format from "rs/lib/format.js";
import { paintOfUnit } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import { of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import { Choice, Range, Tool } from "rs/parts/controls.js";
import * as grids from "rs/parts/unit_grid.js";
import { effect, useEffect, useRef, useSignal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Kind, Opened } from "rs/pages/drop/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */

/** @type {Record<Kind, string>} */
export const WORDS = { drop: "dropped", mute: "muted", mean: "mean", resample: "resampled" };
/** @type {Record<Kind, string>} */
const COUNTED = { ...WORDS, mean: "at their mean" };
/** @type {Record<Kind, string>} */
export const VERBS = { drop: "Drop ", mute: "Mute ", mean: "Replace by the mean: ", resample: "Resample " };
const UNIT = "data-drop-unit";
/** @param {Schemas["ModelDetail"] | null} model */
const isMany = (model) => model !== null && model.units.length > unitNames.MOST_CHIPS && !drop.hasExperts({ model });
/** Experts have a grid of their own (experts.js). @param {Schemas["ModelDetail"] | null} model */
const isFew = (model) => model !== null && !isMany(model) && !drop.hasExperts({ model });

/**
 * Leaves `units` out, or brings them back. What a slider had chosen becomes a plain choice with that.
 *
 * @param {string[]} units @param {boolean} away
 */
export function turn(units, away) {
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

/** @param {string} unit @param {boolean} away @param {Kind} kind */
export const nextOf = (unit, away, kind) => (away ? "Bring " + unit + " back" : VERBS[kind] + unit);

/* -- chips ------------------------------------------------------------------------------------------------ */

/** @param {{unit: string, units: string[], away: boolean, kind: Kind, measured: boolean}} props */
function UnitChip({ unit, units, away, kind, measured }) {
  const said = !away ? "" : measured ? WORDS[kind] : "not " + WORDS[kind] + " yet";
  const title = nextOf(unit, away, kind);
  const [point, leave] = [() => (drop.pointed.value = unit), () => (drop.pointed.value = null)];
  return html`<button
    type="button"
    class="chip"
    ...${{ [UNIT]: unit }}
    data-state=${away ? (kind === "drop" ? "dropped" : "muted") : "on"}
    title=${title}
    aria-pressed=${String(away)}
    aria-label=${unit + (said && ", " + said) + ". " + title}
    onClick=${() => turn([unit], !away)}
    onPointerEnter=${point}
    onPointerLeave=${leave}
    onFocus=${point}
    onBlur=${leave}
  >
    <span class="swatch" aria-hidden="true" style=${{ background: paintOfUnit(units, unit) }}></span>
    ${unit}
    <span class="chip-state">${said}</span>
  </button>`;
}

/** A chip a unit, where they are few. */
export function Chips() {
  const { model, choice, status, fresh } = drop.state;
  const measured = fresh || (status !== "failed" && status !== "cancelled"); // or being measured
  const [out, units] = [drop.leftOut(), isFew(model) ? (model?.units ?? []) : []];
  return html`<div
    class="chips"
    role="group"
    aria-label="Units"
    hidden=${model !== null && !isFew(model)}
    onKeyDown=${grids.moveWithArrows}
  >
    ${units.map(
      (unit) =>
        html`<${UnitChip} key=${unit} ...${{ unit, units, away: out.includes(unit), kind: choice.kind, measured }} />`,
    )}
  </div>`;
}

/* -- many units ------------------------------------------------------------------------------------------- */

/** @type {[string, string][]} */
const ORDERS = [
  ["name", "by name"],
  ["connectivity", "by connectivity"],
  ["graph", "as in the graph"],
];

/** @param {string} order @param {Opened} state */
function ordered(order, { model, graph }) {
  if (!graph || order === "name") return model.units;
  const places = order === "graph" ? graph.order : unitNames.byConnectivity(graph.connectivity).reverse();
  return places.map((at) => model.units[at]);
}

/** The units that are asked for. @param {string} asked */
function search(asked) {
  const { model, graph } = drop.state;
  return model ? unitNames.search(model.units, asked, graph && graph.connectivity) : [];
}

/** How many units are changed, and how. */
function countWords() {
  const { model, graph, choice } = /** @type {Opened} */ (drop.state);
  const { units, unit } = wordsOf(model);
  const count = format.whole(drop.leftOut().length) + " of " + format.whole(model.units.length);
  const shaded = graph ? "; stronger colour: better connected" : "";
  return count + " " + (model.units.length === 1 ? unit : units) + " " + COUNTED[choice.kind] + shaded;
}

/**
 * Finds units by their names or their connectivity, leaves out all that are found, and orders the grid beneath.
 *
 * @param {{asked: Signal<string>, order: Signal<string>}} props
 */
function Finder({ asked, order }) {
  const { model, graph, choice } = drop.state;
  if (!model || !isMany(model)) return null;
  const count = search(asked.value).length;
  const unfound = unitNames.unfound(model.units, asked.value, graph && graph.connectivity, wordsOf(model));
  const leave = () => turn(search(asked.value), true);
  return html`
    <input
      type="search"
      class="small-input"
      id="drop-find"
      placeholder="m1, m5..m9, m1*, q<30"
      aria-label="Find units: names, ranges, a prefix with *, or the connectivity q"
      title="Names, ranges, a prefix with *, or the connectivity: q<30"
      autocomplete="off"
      aria-describedby="drop-unfound"
      value=${asked.value}
      onInput=${(/** @type {InputEvent} */ event) =>
        (asked.value = /** @type {HTMLInputElement} */ (event.currentTarget).value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && leave()}
    />
    <span class="hint" id="drop-unfound" role="status" aria-live="polite">${unfound}</span>
    <${Tool} id="drop-take" wait=${!count} act=${leave}>${(VERBS[choice.kind] + (count || "")).trim()}<//>
    <${Tool} id="drop-bring" wait=${!count} act=${() => turn(search(asked.value), false)}>Bring back<//>
    <${Choice}
      id="drop-order"
      look="small-input"
      label="Order of the units"
      options=${ORDERS}
      chosen=${order.value}
      onChoose=${(/** @type {string} */ value) => (order.value = value)}
      wait=${!graph}
      hidden=${!drop.hasLinks(drop.state)}
    />
    <span class="hint" id="drop-count">${countWords()}</span>
  `;
}

/** A grid of units, where they are many. It follows the pointer over hundreds of cells: its cells are no template. */
export function Many() {
  const [asked, order] = [useSignal(""), useSignal("name")];
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const host = /** @type {HTMLElement} */ (place.current);
    const grid = new grids.Grid(host, UNIT, {
      toggle: turn,
      point: (unit) => (drop.pointed.value = unit),
      about(unit, away) {
        const { graph, model, choice } = /** @type {Opened} */ (drop.state);
        const q = graph ? ", q " + graph.connectivity[model.units.indexOf(unit)].toFixed(1) : "";
        return unit + q + ". " + nextOf(unit, away, choice.kind);
      },
    });
    const ends = [
      effect(() => {
        const state = /** @type {Opened} */ (drop.state);
        const { graph, model } = state;
        if (!isMany(model)) return;
        grid.show(ordered(order.value, state));
        if (graph) grid.shade((unit) => graph.connectivity[model.units.indexOf(unit)]);
        grid.ring(search(asked.value));
      }),
      effect(() => {
        const { model, choice } = drop.state;
        if (!isMany(model)) return;
        grid.mark(drop.leftOut(), WORDS[choice.kind]);
        host.dataset.kind = choice.kind;
      }),
    ];
    return () => ends.forEach((end) => end());
  }, []);
  return html`<div class="drop-many" hidden=${!isMany(drop.state.model)}>
    <div class="interventions drop-row"><${Finder} asked=${asked} order=${order} /></div>
    <div ref=${place} role="group" aria-label="Units"></div>
  </div>`;
}

/* -- links ------------------------------------------------------------------------------------------------ */

/** Sliders over the links of a model that has links. */
export function Links() {
  if (!drop.hasLinks(drop.state)) return null;
  const { model, graph, graphProblem, choice } = /** @type {Opened} */ (drop.state);
  const share = choice.edges === null ? 1 : choice.edges;
  return html`<div class="interventions drop-row">
    <${Range}
      id="drop-least"
      name="n least connected"
      label="Drop the n units of least connectivity q"
      value=${choice.least}
      most=${model.units.length - 1}
      words=${choice.least + " of " + model.units.length}
      wait=${!graph}
      onInput=${(/** @type {number} */ least) => drop.choose({ least }, true)}
    />
    <${Range}
      id="drop-edges"
      name="share of links kept"
      label="Share of the links kept, the most probable first"
      value=${Math.round(100 * share)}
      most=${100}
      words=${format.percentOf(share) + " %"}
      onInput=${(/** @type {number} */ place) => drop.choose({ edges: place === 100 ? null : place / 100 }, true)}
    />
    <span class="hint"> ${graphProblem ? "No graph: " + graphProblem.message : graph ? "" : "Reading the graph"} </span>
  </div>`;
}
