/* The order of the gallery by what a model does with samples: asks the service for it, says what it is under, and lets one
   take that away. Own samples are put in order by the page itself. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { noUpdate, setProps } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import { percentOf } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { refusal } from "rs/lib/models.js";
import * as selection from "rs/lib/selection.js";
import { makeStore } from "rs/lib/store.js";
import * as units from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Tool } from "rs/parts/controls.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Filters, FoundOrder, Ordering } from "rs/pages/samples/types.d.ts" */

const JOB = "behaviour";
const NOTHING = { mute: [], drop: [], edges: null, iterations: null };
const { state, update } = makeStore(/** @type {Ordering} */ ({ filters: null, model: null }));
let asked = "";
let end = () => {};

/** @param {Partial<Filters>} changes */
function change(changes) {
  if (state.filters) setProps("gallery-filters", { data: { ...state.filters, ...changes, page: 1 } });
}

/**
 * What the service is asked for.
 *
 * @param {Filters} filters
 * @param {Schemas["ModelDetail"]} model
 */
export function bodyOf({ set, samples, order, to, mute, drop, edges, iterations }, model) {
  const intervention = {
    mute: units.expand(model.units, mute),
    drop: units.expand(model.units, drop),
    iterations,
    keep_edges: edges,
  };
  return { model: model.id, data: set ? [set] : [], samples, order, to: order === "nearest" ? to : null, intervention };
}

/**
 * Why nothing can be asked for yet, and what to do; null where all is there.
 *
 * @param {Filters} filters
 * @param {string[]} away units that the intervention takes
 */
export function lacking({ order, to, edges, iterations }, away) {
  if (order === "rerouted" && !away.length && edges === null && iterations === null)
    return {
      title: "Nothing reroutes them yet",
      detail: words.choose({ "": "Mute or drop {units} on Paths or Drop, and come back here: it is carried along." }),
    };
  if (order === "nearest" && !to)
    return { title: "Near to which sample?", detail: "Choose one, and press \u201cNear to the chosen sample\u201d." };
  return null;
}

/** @param {FoundOrder} found */
const tell = (found) => setProps("gallery-found", { data: found });

function leave() {
  end();
  end = () => {};
  asked = "";
  jobs.release(JOB);
}

/**
 * @param {Filters} filters
 * @param {Schemas["ModelDetail"]} model
 */
function ask(filters, model) {
  const body = bodyOf(filters, model);
  const key = JSON.stringify(body);
  if (key === asked) return;
  end();
  const { job } = jobs.state(JOB);
  asked = key;
  const of = { asked: filters, model: model.id };
  /** @param {{status?: number, title?: string, message?: string, detail?: string} | null} problem */
  function failed(problem) {
    const detail = problem?.message || problem?.detail || "";
    const refused = [403, 404, 422].includes(problem?.status ?? 0);
    const title = refused ? "There is no such order here" : "Their order was not found";
    tell({ ...of, title: (problem?.status === 403 && problem.title) || title, detail });
    if (refused) setTimeout(() => key === asked && leave()); // the same would be refused again: nothing offers it
  }
  const { stop } = jobs.run(JOB, "/behaviours", body, {
    done: (id) => tell({ ...of, id }),
    cancelled: () => tell({ ...of, title: "Cancelled", detail: "Their order was not found; it can be resumed above." }),
    failed,
    goesOn: () => tell(of),
  });
  end = stop;
  jobs.drop(job); // after the next one was asked for, as it may be the same
}

/**
 * Leaves out units that the model does not have, and says so.
 *
 * @param {Filters} filters
 * @param {Schemas["ModelDetail"]} model
 */
function fitting(filters, model) {
  /** @param {string[]} parts rules among them are the service's */
  const named = (parts) => parts.filter((part) => !units.isRule(part));
  const gone = [...named(filters.mute), ...named(filters.drop)];
  if (!units.unknownOf(model.units, gone).length) return true;
  for (const part of /** @type {const} */ (["mute", "drop"])) address.sayUnits(part, model, named(filters[part]));
  /** @param {string[]} parts */
  const known = (parts) => [...units.expand(model.units, named(parts)), ...parts.filter(units.isRule)];
  change({ mute: known(filters.mute), drop: known(filters.drop) });
  return false;
}

/**
 * Hears what is chosen: finds the order of samples of data sets, where one is asked for.
 *
 * @param {Partial<Filters>} chosen
 * @param {string | null} id of the model
 */
export async function putInOrder(chosen, id) {
  const filters = /** @type {Filters} */ ({ order: "given", ...NOTHING, ...chosen });
  update({ filters });
  setProps("gallery-samples-place", { hidden: filters.order === "given" || filters.source === "own" });
  if (state.model?.id !== id) update({ model: null });
  const away = [...filters.mute, ...filters.drop];
  if (!id || (filters.order === "given" && !away.length)) {
    leave();
    return noUpdate();
  }
  try {
    const model = state.model ?? (await api.send("GET", "/models/" + encodeURIComponent(id)));
    if (state.filters !== filters) return noUpdate();
    update({ model });
    const refused = await refusal(id);
    if (state.filters !== filters || !fitting(filters, model)) return noUpdate();
    if (filters.order === "given" || filters.source === "own") leave();
    else {
      const lacks = refused || lacking(filters, away);
      if (!lacks) ask(filters, model);
      else {
        leave();
        tell({ asked: filters, model: id, title: lacks.title, detail: lacks.detail });
      }
    }
  } catch (error) {
    if (state.filters !== filters) return noUpdate();
    const { title, message } = /** @type {api.Problem} */ (error);
    leave();
    tell({ asked: filters, model: id, title, detail: message });
  }
  return noUpdate();
}

/**
 * A part of what the order is under, that can be taken away.
 *
 * @param {{words: string, remove: () => void}} props
 */
const Part = ({ words, remove }) =>
  html`<span class="chip search-part"
    >${words}
    <button
      type="button"
      class="search-remove"
      aria-label=${"Take away: " + words}
      title="Take it away"
      onClick=${remove}
    >
      ${"\u00d7"}
    </button></span
  >`;

/**
 * What the order is under, in words, each with what is left without it.
 *
 * @param {Filters} filters
 * @returns {[string, Partial<Filters>][]}
 */
export function parts({ mute, drop, edges, iterations }) {
  const found = /** @type {[string, Partial<Filters>][]} */ ([]);
  if (mute.length) found.push(["muted: " + units.listed(mute), { mute: [] }]);
  if (drop.length) found.push(["dropped: " + units.listed(drop), { drop: [] }]);
  if (edges !== null) found.push([percentOf(edges) + " % of the links", { edges: null }]);
  if (iterations !== null) {
    const { pass, passes } = words.of(words.chosen());
    found.push([iterations + " " + (iterations === 1 ? pass : passes), { iterations: null }]);
  }
  return found;
}

function Search() {
  const { filters } = state;
  if (!filters) return null;
  const under = parts(filters);
  const { order, to } = filters;
  const { sample } = selection.current();
  const nearest = order === "nearest";
  if (!under.length && !nearest) return null;
  return html`
    ${nearest && to ? html`<span class="control-name">near to</span><${Part} words=${to} remove=${() => change({ to: null })} />` : null}
    ${
      nearest && sample && sample !== to
        ? html`<${Tool} id="gallery-near" act=${() => change({ to: sample })}>Near to the chosen sample<//>`
        : null
    }
    ${under.length ? html`<span class="control-name">${order === "given" ? "carried along, of no effect on this order" : "under"}</span>` : null}
    ${under.map(([words, without]) => html`<${Part} key=${words} words=${words} remove=${() => change(without)} />`)}
    ${under.length > 1 ? html`<${Tool} act=${() => change(NOTHING)}>Nothing<//>` : null}
  `;
}

registerWidget("gallery-search", (host) => {
  const stops = [show(host, () => html`<${Search} />`), leave, () => update({ filters: null, model: null })];
  return () => stops.forEach((stop) => stop());
});
