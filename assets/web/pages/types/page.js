/* The Types page: reads its controls, asks for maps, shows how that goes. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { offer, refusal } from "rs/lib/models.js";
import { reducedMotion, unitPaint } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as typeAddress from "rs/pages/types/address.js";
import * as typeJobs from "rs/pages/types/jobs.js";
import * as typeMap from "rs/pages/types/map.js";
import * as typesPage from "rs/pages/types/state.js";
import { state, update } from "rs/pages/types/state.js";
import { SetChips, aboutSet } from "rs/parts/data_sets.js";
import { Grid } from "rs/parts/unit_grid.js";
import { effect, signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { MapRequest, TypesState } from "rs/pages/types/types.d.ts" */
/** @import { Signal } from "rs/vendor/preact.js" */
/** @typedef {Schemas["ModelDetail"]} Model */

const PAUSE = 250; // milliseconds between the last change of a control and the work it asks for
const MOST_POINTS = 40_000; // of states of modules, of which every sample gives hundreds
const MOST_MORE = 300; // samples that the page offers to take, to have the chosen one among them
/** What dropping a unit does, by a field of the model. */
const DROPPING = { compatibility: "compatibilities are renormalised over the rest", "": "its compute is saved" };
/** @type {Signal<MapRequest | null>} */
const wanted = signal(null); // the request that the controls describe
let asking = 0;

/**
 * @param {unknown} value
 * @param {number} otherwise
 */
const whole = (value, otherwise) =>
  Number.isFinite(Number(value)) && value !== "" && value !== null ? Number(value) : otherwise;

/**
 * Learns what a model declares, for the request that asks; of an older request nothing is shown.
 *
 * @param {string} model
 * @param {() => boolean} stands whether the request is still the latest
 */
export async function describe(model, stands) {
  if (state.model && state.model.id === model) return;
  const [info, sets] = await Promise.all(
    ["/models/" + encodeURIComponent(model), "/data"].map(async (path) => (await api.request(path)).json()),
  );
  if (!stands()) return;
  update({ model: info, sets: sets.items, graph: null });
  if (wanted.value) {
    address.sayUnits("drop", info, wanted.value.drop);
    address.saySets(info.id, info.domains, wanted.value.data);
  }
  const ofTypes = info.fields.includes("types");
  reveal("types-tokens-control", ofTypes);
  reveal("types-compare-control", ofTypes); // routing at initialisation is that of types
  if (!ofTypes) update({ compare: false });
  if (!ofTypes && info.constants.includes("link_probability")) findGraph(info);
}

/**
 * Communities of modules are a colour of their own.
 *
 * @param {Model} info
 */
async function findGraph(info) {
  try {
    const graph = await api.send("GET", "/models/" + encodeURIComponent(info.id) + "/graph");
    if (state.model === info) update({ graph });
  } catch (error) {
    const problem = /** @type {api.Problem} */ (error);
    api.notify(problem.title || "No graph", problem.message, "bad");
  }
}

/**
 * As many samples as give points that a browser shows at ease; the control says so.
 *
 * @param {MapRequest} request
 * @returns {MapRequest}
 */
function bounded(request) {
  const model = /** @type {Model} */ (state.model);
  if (model.fields.includes("types")) return { ...request, drop: unitNames.expand(model.units, request.drop) };
  const most = Math.max(1, Math.floor(MOST_POINTS / (model.units.length * model.steps.length)));
  const drop = unitNames.expand(model.units, request.drop);
  if (request.samples <= most) return { ...request, drop, tokens: "patches" };
  setProps("types-samples", { value: most });
  return { ...request, drop, tokens: "patches", samples: most };
}

/**
 * @param {MapRequest | null} a
 * @param {MapRequest | null} b
 */
const sameRequest = (a, b) => a && b && JSON.stringify(a) === JSON.stringify(b);

async function ask() {
  const request = wanted.value;
  if (!request || !document.querySelector(".page-types")) return;
  const stands = () => request === wanted.value;
  try {
    await describe(request.model, stands);
  } catch (problem) {
    if (!stands()) return;
    update({ status: "failed", problem: /** @type {api.Problem} */ (problem) });
    return;
  }
  const refused = await refusal(request.model);
  if (!stands()) return;
  if (refused) {
    typeJobs.refuse(refused);
    return;
  }
  const next = bounded(request);
  wanted.value = next;
  if (!sameRequest(next, state.request)) typeJobs.ask(next);
}

export const callbacks = {
  /**
   * @param {MapRequest["method"]} method
   * @param {unknown} samples
   * @param {MapRequest["tokens"]} tokens
   * @param {unknown} perplexity
   * @param {unknown} neighbours
   * @param {unknown} seed
   * @param {string[] | null} data
   * @param {string[] | null} drop
   * @param {{model?: string | null, sample?: string | null} | null} selection
   */
  choose(method, samples, tokens, perplexity, neighbours, seed, data, drop, selection) {
    const { model, sample } = selection || {};
    update({ sample: sample || null });
    reveal("types-perplexity-control", method === "tsne");
    reveal("types-neighbours-control", method === "umap");
    if (!model) return noUpdate();
    const next = {
      model,
      data: data || [],
      samples: Math.round(whole(samples, typeAddress.DEFAULTS.samples)),
      tokens,
      method,
      perplexity: whole(perplexity, typeAddress.DEFAULTS.perplexity),
      neighbours: Math.round(whole(neighbours, typeAddress.DEFAULTS.neighbours)),
      seed: Math.round(whole(seed, typeAddress.DEFAULTS.seed)),
      drop: drop || [],
    };
    if (sameRequest(next, wanted.value)) return noUpdate();
    const first = !wanted.value;
    if (wanted.value && model !== wanted.value.model) typeJobs.forget();
    wanted.value = next;
    clearTimeout(asking);
    asking = setTimeout(ask, first ? 0 : PAUSE);
    return noUpdate();
  },

  /** @param {unknown} asked */
  compare(asked) {
    const { model } = state;
    const checked = asked && (!model || model.fields.includes("types"));
    update({ compare: Boolean(checked) });
    if (checked) typeJobs.askInitial();
    else typeJobs.dropInitial();
    return noUpdate();
  },
};

/**
 * @param {string} id
 * @param {boolean} visible
 */
function reveal(id, visible) {
  const element = document.getElementById(id);
  if (element) element.hidden = !visible;
}

/**
 * @param {string[]} units
 * @param {boolean} away
 */
function turn(units, away) {
  const model = /** @type {Model} */ (state.model);
  const drop = new Set(/** @type {MapRequest} */ (wanted.value).drop);
  units.forEach((unit) => (away ? drop.add(unit) : drop.delete(unit)));
  const next = model.units.filter((name) => drop.has(name));
  const { unit, units: plural } = words.of(model);
  if (next.length === model.units.length)
    api.notify("One " + unit + " stays", "A network without " + plural + " has nothing to map.", "bad");
  else setProps("types-drop", { data: next });
}

/** @param {string} unit */
const toggleUnit = (unit) => turn([unit], !(/** @type {MapRequest} */ (wanted.value).drop.includes(unit)));

/**
 * @param {string} unit
 * @param {number} index
 */
function unitChip(unit, index) {
  const away = Boolean(wanted.value?.drop.includes(unit));
  const title = away ? "Bring " + unit + " back" : "Drop " + unit + " (" + words.choose(DROPPING) + ")";
  return html`
    <button
      key=${unit}
      type="button"
      class="chip"
      data-type-unit=${unit}
      data-state=${away ? "dropped" : "on"}
      aria-pressed=${String(away)}
      title=${title}
      onClick=${() => toggleUnit(unit)}
    >
      <span class="swatch" aria-hidden="true" style=${{ background: unitPaint(index) }}></span>
      ${unit}
      <span class="chip-state">${away && "dropped"}</span>
    </button>
  `;
}

/** Chips of the model's data sets; of those with the same samples one stands for all where nothing has a label. */
function Sets() {
  const { model, sets } = state;
  if (!model) return null;
  const data = wanted.value?.data ?? [];
  return html`<${SetChips}
    sets=${sets.filter(({ name }) => model.domains.includes(name))}
    used=${data.length ? data : model.domains}
    attribute="data-type-set"
    alike=${!model.labels.length}
    about=${(/** @type {Schemas["DataSet"]} */ each) => aboutSet(each, model.held_out.includes(each.name))}
    onChoose=${(/** @type {string[]} */ next) => setProps("types-data", { data: next })}
  />`;
}

/**
 * Cells of units where there are too many for chips.
 *
 * @param {{units: string[]}} props
 */
function Cells({ units }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const grid = useRef(/** @type {Grid | null} */ (null));
  const drop = wanted.value?.drop ?? [];
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

/** Chips of the model's functions (dropped or not) and of its data sets (used or not). */
registerWidget("type-chips", (host) => {
  const ofUnits = host.dataset.kind === "units";
  const many = (/** @type {Model} */ model) => ofUnits && model.units.length > unitNames.MOST_CHIPS;
  const stops = [
    effect(() => {
      if (state.model) host.classList.toggle("chips", !many(state.model));
    }),
    show(host, () => {
      const { model } = state;
      if (!model) return null;
      if (many(model)) return html`<${Cells} key=${model.id} units=${model.units} />`;
      return ofUnits ? model.units.map(unitChip) : html`<${Sets} />`;
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

registerWidget("type-page", (host) => {
  typesPage.reset();
  wanted.value = null;
  typeAddress.readView(JSON.parse(/** @type {string} */ (host.dataset.view)));
  let before = /** @type {TypePoints | null} */ (null);
  const stop = typesPage.subscribe((state, names) => {
    if (names.has("status")) {
      host.dataset.status = state.status === "stopped" ? "empty" : state.status;
      const place = /** @type {HTMLElement} */ (host.querySelector(".message.when-failed"));
      const title = /** @type {HTMLElement} */ (place.querySelector(".message-title"));
      title.textContent = (state.problem?.refused && state.problem.title) || "The map could not be computed";
      byId("types-problem").textContent = state.problem ? state.problem.message : "";
      offer(place, state.problem);
      byId("panel-typemap").setAttribute("aria-busy", String(state.status === "loading"));
    }
    if (names.has("stale")) host.dataset.stale = String(state.stale);
    if (names.has("compare") || names.has("maps")) host.dataset.compare = String(state.compare);
    if (names.has("maps")) {
      const points = state.maps.trained;
      const arrives =
        before && points && before !== points && before.info.method === "pca" && points.info.method !== "pca";
      if (arrives && state.layout === "map" && String(before?.samples) === String(points.samples)) morphIn(state);
      before = points;
      typeAddress.restoreLasso(state);
    }
    typeAddress.follow(names);
  });
  return () => {
    stop();
    clearTimeout(asking);
    typeAddress.stop();
    wanted.value = null;
    typeJobs.leave();
  };
});

/**
 * The PCA map that was shown turns into the map that has arrived.
 *
 * @param {TypesState} state
 */
function morphIn(state) {
  if (reducedMotion()) return;
  state.layout = "pca";
  requestAnimationFrame(() => typeMap.turnTo("map"));
}

/** @param {TypePoints} points */
function ringed(points) {
  const { sample } = state;
  if (!sample) return null;
  const there = points.samples.includes(sample);
  const more = there ? null : samplesWith(state, points);
  const take = () => setProps("types-samples", { value: more });
  return html`
    <span data-ringed=${String(there)}>${sample + (there ? " is ringed" : " is not among these samples")}</span>
    ${
      more && html`<button type="button" class="tool tool-text" onClick=${take}>${"take " + more + " samples"}</button>`
    }
  `;
}

registerWidget("type-caption", (host) =>
  show(host, () => {
    const points = state.maps.trained;
    if (!points) return null;
    const { info, samples } = points;
    return html`
      <span><strong>${info.count.toLocaleString("en") + " points"}</strong></span>
      <span>${samples.length + " samples"}</span>
      ${info.data.some((each) => each.stand_in) && html`<span class="tag tag-warn">stand-in data</span>`}
      <span>${info.model + " "}<code>${info.revision.slice(0, 8)}</code></span>
      ${ringed(points)}
    `;
  }),
);

/**
 * How many samples the map needs for the chosen one to be among them, where that is not too many; else null.
 *
 * @param {TypesState} state
 * @param {TypePoints} points
 */
function samplesWith({ sample, model }, { info }) {
  const [set, , index] = /** @type {string} */ (sample).split(".");
  const sets = info.data.map((each) => each.name);
  const needed = sets.length * (Number(index) + 1);
  return model && sets.includes(set) && needed <= MOST_MORE ? needed : null;
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#types-retry, #types-again")) typeJobs.again();
});
