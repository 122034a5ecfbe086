/* The Types page: what the map is asked for, the map, and what can be read of it. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { unitPaint } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { html, icon } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Clustering } from "rs/pages/types/clustering.js";
import { written } from "rs/pages/types/exports.js";
import { Pointed } from "rs/pages/types/hover.js";
import { Colours, Legend } from "rs/pages/types/legend.js";
import { Drawing, Multiples } from "rs/pages/types/map.js";
import { Player, Tools, keysOf } from "rs/pages/types/player.js";
import { Selection } from "rs/pages/types/selection.js";
import * as typesPage from "rs/pages/types/state.js";
import { state } from "rs/pages/types/state.js";
import { Facts, METHODS, mapReads, waitingWords } from "rs/pages/types/words.js";
import { NumberField, Segmented, Tool } from "rs/parts/controls.js";
import { Revision, SetChips, aboutSet } from "rs/parts/data_sets.js";
import { Folded, Panel } from "rs/parts/panel.js";
import { Grid } from "rs/parts/unit_grid.js";
import { effect, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Said } from "rs/pages/types/types.d.ts" */
/** @import { PanelProps } from "rs/parts/panel.js" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */

const MOST_MORE = 300; // samples that the page offers to take, to have the chosen one among them
/** What dropping a unit does, by a field of the model. */
const DROPPING = { compatibility: "compatibilities are renormalised over the rest", "": "its compute is saved" };

/* -- what the map is asked for -------------------------------------------------------------------------------- */

/** @param {{name: string, id?: string, children: ComponentChildren}} props */
const Control = ({ name, id, children }) =>
  html`<div class="control" id=${id}><span class="control-name">${name}</span>${children}</div>`;

/** A choice of a few. @param {{name: "method" | "tokens", label: string, options: [string, string][]}} props */
const Few = ({ name, label, options }) =>
  html`<${Segmented}
    id=${"types-" + name}
    ...${{ label, options, chosen: state.choice[name] }}
    onChoose=${(/** @type {string} */ value) => typesPage.ask({ [name]: value })}
  />`;

/** @param {{name: "perplexity" | "neighbours" | "seed" | "samples", label: string, step?: "any"}} props */
function Amount({ name, label, step }) {
  const { least, most } = address.bounds("types", name);
  const chosen = (typesPage.request() ?? state.choice)[name];
  return html`<${Control} name=${name[0].toUpperCase() + name.slice(1)} id=${"types-" + name + "-control"}>
    <${NumberField}
      id=${"types-" + name}
      ...${{ label, chosen, least, most, step, none: "" }}
      onChoose=${(/** @type {number | null} */ value) => value !== null && typesPage.ask({ [name]: value })}
    />
  <//>`;
}

/** Drops units, or brings them back. @param {string[]} units @param {boolean} away */
function turn(units, away) {
  const model = /** @type {Schemas["ModelDetail"]} */ (typesPage.model());
  const dropped = new Set(unitNames.expand(model.units, state.choice.drop));
  units.forEach((unit) => (away ? dropped.add(unit) : dropped.delete(unit)));
  const drop = model.units.filter((name) => dropped.has(name));
  const { unit, units: plural } = words.of(model);
  if (drop.length < model.units.length) typesPage.ask({ drop });
  else api.notify("One " + unit + " stays", "Without " + plural + " there is nothing to map.", "bad");
}

/** @param {{unit: string, index: number, away: boolean}} props */
function Unit({ unit, index, away }) {
  const title = away ? "Bring " + unit + " back" : "Drop " + unit + " (" + words.choose(DROPPING) + ")";
  return html`
    <button
      type="button"
      class="chip"
      data-type-unit=${unit}
      data-state=${away ? "dropped" : "on"}
      aria-pressed=${String(away)}
      title=${title}
      onClick=${() => turn([unit], !away)}
    >
      <span class="swatch" aria-hidden="true" style=${{ background: unitPaint(index) }}></span>
      ${unit}
      <span class="chip-state">${away && "dropped"}</span>
    </button>
  `;
}

/** Cells of units where there are too many for chips. @param {{units: string[], drop: string[]}} props */
function Cells({ units, drop }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const grid = useRef(/** @type {InstanceType<typeof Grid> | null} */ (null));
  useLayoutEffect(() => {
    grid.current = new Grid(/** @type {HTMLElement} */ (place.current), "data-type-unit", {
      toggle: turn,
      about: (unit, away) => unit + ". " + (away ? "Bring it back" : "Drop it"),
    });
    grid.current.show(units);
  }, []);
  useLayoutEffect(() => grid.current?.mark(drop, "dropped"));
  return html`<div role="group" aria-label="Modules to drop" ref=${place}></div>`;
}

/** The data sets and the units of the model; of sets with the same samples one stands for all where nothing has a label. */
function Chips() {
  const model = typesPage.model();
  if (!model) return null;
  const { data, drop } = state.choice;
  const dropped = unitNames.expand(model.units, drop);
  const many = model.units.length > unitNames.MOST_CHIPS;
  return html`
    <${Control} name="Data">
      <div class="chips" role="group" aria-label="Data sets">
        <${SetChips}
          sets=${typesPage.sets()}
          used=${data.length ? data : model.domains}
          attribute="data-type-set"
          alike=${!model.labels.length}
          about=${(/** @type {Schemas["DataSet"]} */ set) => aboutSet(set, model.held_out.includes(set.name))}
          onChoose=${(/** @type {string[]} */ next) => typesPage.ask({ data: next })}
        />
      </div>
    <//>
    <${Control} name="Drop">
      <div class=${many ? "" : "chips"} role="group" aria-label="Units to drop">
        ${
          many
            ? html`<${Cells} key=${model.id} units=${model.units} drop=${dropped} />`
            : model.units.map(
                (unit, index) => html`<${Unit} key=${unit} ...${{ unit, index }} away=${dropped.includes(unit)} />`,
              )
        }
      </div>
    <//>
  `;
}

function Controls() {
  const model = typesPage.model();
  const { method } = state.choice;
  const token = words.choose({ numbers: "numbers", matrices: "panels", "": "patches" }, model ?? undefined);
  const ofTypes = !model || typesPage.ofTypes(model);
  return html`<div class="type-controls">
    <${Control} name="Method"><${Few} name="method" label="Method" options=${Object.entries(METHODS)} /><//>
    ${method === "tsne" && html`<${Amount} name="perplexity" label="Perplexity of t-SNE" step="any" />`}
    ${method === "umap" && html`<${Amount} name="neighbours" label="Neighbours of UMAP" />`}
    <${Amount} name="seed" label="Seed" />
    <${Amount} name="samples" label="Samples in all" />
    ${
      ofTypes &&
      html`<${Control} name="Tokens" id="types-tokens-control">
        <${Few}
          name="tokens"
          label="Tokens"
          options=${[
            ["patches", token],
            ["cls", "CLS"],
            ["all", "all"],
          ]}
        />
      <//>`
    }
    <div class="type-row">
      <${Chips} />
      ${
        model &&
        ofTypes &&
        html`<div id="types-compare-control">
          <${Tool}
            id="types-compare"
            pressed=${state.compare}
            act=${() => typesPage.update({ compare: !state.compare })}
            >Compare with initialisation<//
          >
        </div>`
      }
    </div>
  </div>`;
}

/* -- what is shown --------------------------------------------------------------------------------------------- */

/**
 * How many samples the map needs for the chosen one to be among them, where that is not too many; else null.
 *
 * @param {string} sample @param {TypePoints} points
 */
function samplesWith(sample, { info }) {
  const [set, , index] = sample.split(".");
  const needed = info.data.length * (Number(index) + 1);
  return info.data.some(({ name }) => name === set) && needed <= MOST_MORE ? needed : null;
}

/** Whether the chosen sample is on the map. @param {{points: TypePoints}} props */
function Ringed({ points }) {
  const sample = typesPage.chosenSample();
  if (!sample) return null;
  const there = points.samples.includes(sample);
  const more = there ? null : samplesWith(sample, points);
  return html`
    <span data-ringed=${String(there)}>${sample + (there ? " is ringed" : " is not among these samples")}</span>
    ${more && html`<${Tool} act=${() => typesPage.ask({ samples: more })}>${"Use " + more + " samples"}<//>`}
  `;
}

function Caption() {
  const points = state.maps.trained;
  if (!points) return null;
  const { info, samples } = points;
  return html`
    <span><strong>${info.count.toLocaleString("en") + " points"}</strong></span>
    <span>${samples.length + " samples"}</span>
    ${info.data.some((set) => set.stand_in) && html`<span class="tag tag-warn">stand-in data</span>`}
    <${Revision} id=${info.model} revision=${info.revision} />
    <${Ringed} points=${points} />
  `;
}

/** Why there is no map, over its place; before the first one, that it comes. */
function Nothing() {
  const status = typesPage.status();
  const problem = typesPage.problem();
  if (status === "ready") return null;
  if (status === "loading") return html`<div class="skeleton" aria-hidden="true"></div>`;
  if (!problem)
    return html`<div class="message" id="types-empty">
      <p class="message-title">No map</p>
      <p class="message-detail">The job was cancelled.</p>
      <${Tool} id="types-again" look="button" act=${typesPage.again}>Compute it<//>
    </div>`;
  const refused = Boolean(problem.refused);
  return html`<div class="message" id="types-failed" role="alert">
    <p class="message-title">${refused ? problem.title : "The map could not be computed"}</p>
    <p class="message-detail" id="types-problem">${problem.message}</p>
    <${Tool} id="types-retry" look="button" hidden=${refused || problem.status === 403} act=${typesPage.again}>
      Try again
    <//>
    <span class="reader" data-widget="reader" hidden=${!refused}></span>
  </div>`;
}

/** A panel of what is observed. @param {Omit<PanelProps, "written" | "tag">} props */
const Observed = ({ id, children, formats = ["svg", "png", "csv", "json"], ...props }) =>
  html`<${Panel}
    id=${id}
    tag="observed"
    formats=${formats}
    look=${"panel-" + id}
    written=${() => written(id)}
    ...${props}
    >${children}<//
  >`;

function MapPanel() {
  const model = typesPage.model();
  const ofTypes = !model || typesPage.ofTypes(model);
  const waiting = waitingWords();
  return html`<${Observed} id="typemap" title=${ofTypes ? "Map of types" : "Map of states"} reads=${mapReads()}>
    <div class="type-bar">
      <${Tools} />
      <span class="tag" id="types-waiting" role="status" hidden=${!waiting}>${waiting}</span>
      <${Colours} />
    </div>
    <div class="type-maps">
      <${Drawing} which="trained" label="Map of types" onKey=${keysOf("trained")}><${Nothing} /><//>
      ${
        typesPage.compares() &&
        html`<${Drawing} which="initial" label="Map of types with routing at initialisation" onKey=${keysOf("initial")}>
          ${!state.maps.initial && html`<div class="skeleton" aria-hidden="true"></div>`}
        <//>`
      }
    </div>
    <${Legend} />
    <${Player} />
    <${Pointed} />
  <//>`;
}

function Tree() {
  const none = !state.maps.trained;
  return html`
    <div class="page-head">
      <h1>Types</h1>
      <div class="caption" id="types-caption"><${Caption} /></div>
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
    <${Folded}><${Controls} /><//>
    <div class="types-grid">
      <div class="column">
        <${MapPanel} />
        <${Observed}
          id="typesteps"
          title=${words.choose({ "": "{Pass} by {pass}" })}
          reads=${words.choose({ "": "One map for each {pass}, on the same axes. Click a map to show it above." })}
          hidden=${none}
          ><${Multiples}
        /><//>
        <${Observed}
          id="typeclusters"
          title=${words.choose({ "": "Clustering by {pass}" })}
          reads=${words.choose({ "": "Silhouette of the points (cosine distance) by {pass}. Band: the same with shuffled groups." })}
          more="Above the band, the groups are tighter than chance. The score is of the points themselves, not of the map."
          hidden=${none}
          ><${Clustering}
        /><//>
      </div>
      <div class="column">
        <${Observed}
          id="typefacts"
          title="This map"
          reads="How the map was made. Trustworthiness of its neighbours: 1 is best."
          formats=${["csv", "json"]}
          ><${Facts}
        /><//>
        <${Observed}
          id="typeselection"
          title="Selection"
          reads=${words.choose({ "": "Points inside the lasso, counted by {unit} and label." })}
          ><div class="type-selection"><${Selection} /></div
        ><//>
      </div>
    </div>
  `;
}

address.takesOver("types", async ({ model, sample, ...said }) => {
  selection.choose({ model, sample });
  typesPage.take(/** @type {Said} */ (said));
});

export const mount = pageTree({
  Tree,
  choice: () => /** @type {Said} */ (typesPage.said.value),
  take: typesPage.take,
  open(said, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    const ends = [
      typesPage.begin(said),
      effect(() => {
        const [status, stale, compare] = [typesPage.status(), String(typesPage.stale()), String(typesPage.compares())];
        Object.assign(page.dataset, { status, stale, compare });
      }),
    ];
    return () => ends.forEach((end) => end());
  },
});
