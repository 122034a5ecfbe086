/* The Types page: reads its controls, asks for maps, shows how that goes. */
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import { offer, refusal } from "rs/lib/models.js";
import { reducedMotion, unitPaint } from "rs/lib/theme.js";
import * as unitNames from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import * as typeAddress from "rs/pages/types/address.js";
import * as typeJobs from "rs/pages/types/jobs.js";
import * as typeMap from "rs/pages/types/map.js";
import * as typesPage from "rs/pages/types/state.js";
import { state, update } from "rs/pages/types/state.js";
import { Grid as UnitGrid } from "rs/parts/unit_grid.js";

/** @import { TypePoints } from "rs/lib/points.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { MapRequest, TypesState } from "rs/pages/types/types.d.ts" */
/** @typedef {Schemas["ModelDetail"]} Model */

const PAUSE = 250; // milliseconds between the last change of a control and the work it asks for
const MOST_POINTS = 40_000; // of states of modules, of which every sample gives hundreds
const MOST_MORE = 300; // samples that the page offers to take, to have the chosen one among them
/** @type {MapRequest | null} */
let wanted = null; // the request that the controls describe
let asking = 0;

/**
 * @param {unknown} value
 * @param {number} otherwise
 */
const whole = (value, otherwise) =>
  Number.isFinite(Number(value)) && value !== "" && value !== null ? Number(value) : otherwise;

/** @param {string} model */
async function describe(model) {
  if (state.model && state.model.id === model) return;
  const [info, sets] = await Promise.all(
    ["/models/" + encodeURIComponent(model), "/data"].map(async (path) => (await api.request(path)).json()),
  );
  update({ model: info, sets: sets.items, graph: null });
  const ofTypes = info.fields.includes("types");
  show("types-tokens-control", ofTypes);
  show("types-compare-control", ofTypes); // routing at initialisation is that of types
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
  if (model.fields.includes("types")) return request;
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
  const request = wanted;
  if (!request || !document.querySelector(".page-types")) return;
  try {
    await describe(request.model);
  } catch (problem) {
    update({ status: "failed", problem: /** @type {api.Problem} */ (problem) });
    return;
  }
  const refused = await refusal(request.model);
  if (request !== wanted) return;
  if (refused) {
    markChips();
    typeJobs.refuse(refused);
    return;
  }
  wanted = bounded(request);
  markChips();
  if (!sameRequest(wanted, state.request)) typeJobs.ask(wanted);
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
    show("types-perplexity-control", method === "tsne");
    show("types-neighbours-control", method === "umap");
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
    if (sameRequest(next, wanted)) return noUpdate();
    const first = !wanted;
    wanted = next;
    markChips();
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
function show(id, visible) {
  const element = document.getElementById(id);
  if (element) element.hidden = !visible;
}

/** Chips of the model's functions (dropped or not) and of its data sets (used or not). */
function markChips() {
  const { drop, data } = wanted || { drop: /** @type {string[]} */ ([]), data: /** @type {string[]} */ ([]) };
  if (grid) grid.mark(drop, "dropped");
  else markUnits(drop);
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-type-set]")).forEach((chip) => {
    const used = !data.length || data.includes(chip.dataset.typeSet ?? "");
    chip.dataset.state = used ? "on" : "off";
    chip.setAttribute("aria-pressed", String(used));
  });
}

/** @param {string[]} drop */
function markUnits(drop) {
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-type-unit]")).forEach((chip) => {
    const away = drop.includes(chip.dataset.typeUnit ?? "");
    chip.dataset.state = away ? "dropped" : "on";
    chip.setAttribute("aria-pressed", String(away));
    /** @type {HTMLElement} */ (chip.querySelector(".chip-state")).textContent = away ? "dropped" : "";
    chip.title = away
      ? "Bring " + chip.dataset.typeUnit + " back"
      : "Drop " + chip.dataset.typeUnit + " (compatibilities renormalised over the rest)";
  });
}

/** @type {UnitGrid | null} */
let grid = null; // where there are too many units for chips

/**
 * @param {string[]} units
 * @param {boolean} away
 */
function turn(units, away) {
  const model = /** @type {Model} */ (state.model);
  const drop = new Set(/** @type {MapRequest} */ (wanted).drop);
  units.forEach((unit) => (away ? drop.add(unit) : drop.delete(unit)));
  const next = model.units.filter((name) => drop.has(name));
  const { unit, units: plural } = words.of(model);
  if (next.length === model.units.length)
    api.notify("One " + unit + " stays", "A network without " + plural + " has nothing to map.", "bad");
  else setProps("types-drop", { data: next });
}

/** @param {string} unit */
const toggleUnit = (unit) => turn([unit], !(/** @type {MapRequest} */ (wanted).drop.includes(unit)));

/**
 * @param {HTMLElement} host
 * @param {string[]} units
 */
function gridIn(host, units) {
  const place = build("div", { role: "group", "aria-label": "Modules to drop" });
  host.replaceChildren(place);
  const found = new UnitGrid(place, "data-type-unit", {
    toggle: turn,
    about: (unit, away) => unit + ". " + (away ? "Bring it back" : "Drop it"),
  });
  found.show(units);
  return found;
}

/** @param {string} name */
function toggleSet(name) {
  const { domains } = /** @type {Model} */ (state.model);
  const { data } = /** @type {MapRequest} */ (wanted);
  const used = data.length ? data : domains;
  const next = domains.filter((other) => (other === name ? !used.includes(name) : used.includes(other)));
  if (!next.length) api.notify("One data set stays", "A map needs samples of at least one data set.", "bad");
  else setProps("types-data", { data: next.length === domains.length ? [] : next });
}

registerWidget("type-chips", (host) => {
  const kind = host.dataset.kind;
  return typesPage.subscribe(({ model, sets }, names) => {
    if (!names.has("model") || !model) return;
    /**
     * @param {string} look
     * @param {Record<string, unknown>} attributes
     * @param {...(Node | string | null)} content
     */
    const chip = (look, attributes, ...content) =>
      build("button", { type: "button", class: look, ...attributes }, ...content);
    const many = kind === "units" && model.units.length > unitNames.MOST_CHIPS;
    if (kind === "units") grid = many ? gridIn(host, model.units) : null;
    host.classList.toggle("chips", !many);
    if (many) {
      markChips();
      return;
    }
    const chips =
      kind === "units"
        ? model.units.map((unit, index) => {
            const dot = build("span", { class: "swatch", "aria-hidden": "true" });
            dot.style.background = unitPaint(index);
            return chip(
              "chip",
              { "data-type-unit": unit, onclick: () => toggleUnit(unit) },
              dot,
              unit,
              build("span", { class: "chip-state" }),
            );
          })
        : model.domains.map((name) => {
            const set = sets.find((each) => each.name === name);
            const stands = set && set.stand_in;
            const away = model.held_out.includes(name);
            const title = (set ? set.title : name) + (away ? "; the model was never trained on it" : "");
            return chip(
              "chip chip-set",
              { "data-type-set": name, title, onclick: () => toggleSet(name) },
              name,
              stands ? build("span", { class: "chip-note" }, "stand-in") : null,
              away ? build("span", { class: "chip-note" }, "OOD") : null,
            );
          });
    host.replaceChildren(...chips);
    markChips();
  });
});

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

registerWidget("type-page", (host) => {
  typesPage.reset();
  wanted = null;
  typeAddress.readView(JSON.parse(/** @type {string} */ (host.dataset.view)));
  let before = /** @type {TypePoints | null} */ (null);
  const stop = typesPage.subscribe((state, names) => {
    if (names.has("status")) {
      host.dataset.status = state.status === "stopped" ? "empty" : state.status;
      byId("types-problem").textContent = state.problem ? state.problem.message : "";
      offer(/** @type {HTMLElement} */ (host.querySelector(".message.when-failed")), state.problem);
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
    wanted = null;
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

registerWidget("type-caption", (host) => {
  return typesPage.subscribe((state, names) => {
    if (!names.has("maps") && !names.has("sample")) return;
    const points = state.maps.trained;
    if (!points) {
      host.replaceChildren();
      return;
    }
    const { info } = points;
    const parts = [
      build("span", {}, build("strong", {}, info.count.toLocaleString("en") + " points")),
      build("span", {}, points.samples.length + " samples"),
    ];
    if (info.data.some((each) => each.stand_in)) parts.push(build("span", { class: "tag tag-warn" }, "stand-in data"));
    parts.push(build("span", {}, info.model + " ", build("code", {}, info.revision.slice(0, 8))));
    if (state.sample) {
      const there = points.samples.includes(state.sample);
      parts.push(
        build(
          "span",
          { "data-ringed": String(there) },
          state.sample + (there ? " is ringed" : " is not among these samples"),
        ),
      );
    }
    const more = state.sample && !points.samples.includes(state.sample) ? samplesWith(state, points) : null;
    if (more) {
      const take = () => setProps("types-samples", { value: more });
      parts.push(
        build("button", { type: "button", class: "tool tool-text", onclick: take }, "take " + more + " samples"),
      );
    }
    host.replaceChildren(...parts);
  });
});

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
