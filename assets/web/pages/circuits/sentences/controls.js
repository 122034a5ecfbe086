/* The panel of the maps of sentences: which maps and how, their legend and filters, and how far their jobs are. */
import * as address from "rs/lib/address.js";
import { whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { readTheme } from "rs/lib/theme.js";
import { html } from "rs/lib/view.js";
import * as written from "rs/pages/circuits/exports.js";
import * as sentenceColours from "rs/pages/circuits/sentences/colours.js";
import * as circuitsMaps from "rs/pages/circuits/sentences/data.js";
import { MapCanvas, METHODS, factsOf, pictures } from "rs/pages/circuits/sentences/map.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import { state } from "rs/pages/circuits/state.js";
import * as controls from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";
import { scheme } from "rs/parts/scheme.js";

/** @import { VNode } from "rs/vendor/preact.js" */
/** @import { Choice, PageState } from "rs/pages/circuits/types.d.ts" */

const SETS = { scenes: "generated scenes", "appendix-h": "Appendix H of the paper" };

/** @type {(name: string, words: string, options: Record<string, string>, chosen: string, onChoose: (value: string) => void) => VNode} */
function choice(name, label, options, chosen, onChoose) {
  const id = "sentence-" + name;
  const props = { id, look: "plain-select", label, options: Object.entries(options), chosen, onChoose };
  return controls.labelled(label, id, controls.Choice(props));
}

/** A number that t-SNE is computed with. @param {{name: "perplexity" | "seed"}} props */
function Amount({ name }) {
  const { least, most } = address.bounds("circuits", name);
  const id = "sentence-" + name;
  const field = { id, label: name, chosen: state[name], least, most, none: "" };
  const choose = (/** @type {number | null} */ value) => value !== null && circuitsState.set({ [name]: value });
  return controls.labelled(name, id, html`<${controls.NumberField} ...${field} onChoose=${choose} />`);
}

function Choices() {
  const { method, colour_by: colour } = state;
  const views = { ...state.views, circuits: null, text: null };
  const none = { kinds: [], objects: [], lasso: null };
  return html`<div class="graph-tools">
    ${choice("set", "sentences", SETS, circuitsMaps.chosenSet(), (set) => circuitsState.set({ set, ...none }))}
    ${choice("method", "map", METHODS, method, (value) =>
      circuitsState.set({ method: /** @type {Choice["method"]} */ (value), lasso: null, views }),
    )}
    ${method === "tsne" && [html`<${Amount} name="perplexity" />`, html`<${Amount} name="seed" />`]}
    ${choice("colour", "colour", sentenceColours.BY, colour, (value) =>
      circuitsState.set({ colour_by: /** @type {Choice["colour_by"]} */ (value) }),
    )}
  </div>`;
}

/** @type {[PageState["tool"], string][]} */
const TOOLS = [
  ["move", "Drag moves the map"],
  ["lasso", "Drag draws around sentences (or hold Shift)"],
];

const Tools = () =>
  html`<div class="type-tools">
    ${TOOLS.map(([name, title]) => {
      const chosen = state.tool === name;
      return html`<${controls.Tool}
        id=${"sentence-tool-" + name}
        title=${title}
        pressed=${chosen}
        act=${() => circuitsState.set({ tool: name })}
        >${name}<//
      >`;
    })}
    <span class="zoom">
      <${controls.ZoomButtons} mapsOf=${() => Object.values(pictures).map((picture) => picture.map)} />
    </span>
  </div>`;

/* -- legend and filters ------------------------------------------------------------------------------------------ */

/** Takes a name in or out; all or none of them: no filter. @param {string[]} chosen @param {string} name @param {string[]} all */
function toggled(chosen, name, all) {
  const now = chosen.length ? chosen : all;
  const next = all.filter((each) => (each === name ? !now.includes(name) : now.includes(each)));
  return next.length === all.length || !next.length ? [] : next;
}

/**
 * What a colour means; where it is of what can be filtered, a click hides it or shows it alone.
 *
 * @param {ReturnType<typeof sentenceColours.colouring>["entries"][number]} entry
 * @param {"kinds" | "objects" | undefined} filter
 * @param {string[]} names
 */
function entryOf({ name, count, paint }, filter, names) {
  const words = html`<span class="swatch" aria-hidden="true" style=${{ background: paint }} /> <span>${name}</span
    ><small>${whole(count)}</small>`;
  if (!filter || !names.includes(name)) return html`<span key=${name} class="legend-entry">${words}</span>`;
  const chosen = state[filter];
  const shown = !chosen.length || chosen.includes(name);
  const alone = chosen.length === 1 && shown;
  return html`<span key=${name} class="legend-pair" data-hidden=${!shown}>
    <button
      type="button"
      class="legend-toggle"
      aria-pressed=${shown}
      id=${"legend-" + names.indexOf(name)}
      title=${(shown ? "Hide " : "Show ") + name}
      onClick=${() => circuitsState.set({ [filter]: toggled(chosen, name, names) })}
    >
      ${words}
    </button>
    <button
      type="button"
      class="legend-only"
      id=${"legend-only-" + names.indexOf(name)}
      aria-label=${alone ? "Show all again" : "Show only " + name}
      onClick=${() => circuitsState.set({ [filter]: alone ? [] : [name] })}
    >
      ${alone ? "all" : "only"}
    </button>
  </span>`;
}

/** @type {Partial<Record<Choice["colour_by"], "kinds" | "objects">>} */
const FILTERS = { kind: "kinds", object: "objects" };

/** Legend and filter in one: what colours mean, and which groups are shown; the other filters below. */
function Legend() {
  const info = circuitsMaps.info();
  if (!info || scheme.value < 0) return null;
  const filter = FILTERS[state.colour_by];
  const { entries } = sentenceColours.colouring(info, state.colour_by, readTheme());
  /** @param {"kinds" | "objects"} name @param {string} words */
  function select(name, words) {
    const chosen = state[name];
    const all = Object.fromEntries(info?.[name].map((each) => [each, each]) ?? []);
    const options = { "": chosen.length > 1 ? chosen.length + " chosen" : "all", ...all };
    const value = chosen.length === 1 ? chosen[0] : "";
    return choice(name, words, options, value, (next) => circuitsState.set({ [name]: next ? [next] : [] }));
  }
  return html`<div>
    <div class="graph-legend sentence-legend">
      ${entries.map((entry) => entryOf(entry, filter, filter ? info[filter] : []))}
    </div>
    <div class="graph-tools">${select("kinds", "kind")} ${select("objects", "object")}</div>
  </div>`;
}

/* -- the panel --------------------------------------------------------------------------------------------------- */

/** Why there is no map. */
function Problem() {
  const [status, problem] = [circuitsMaps.status(), circuitsMaps.problem()];
  const again = { words: "Compute the map", act: circuitsMaps.again };
  const way = jobs.isRefused(problem) ? undefined : again;
  return html`<div class="message sentence-message" role="alert" hidden=${status !== "failed" && status !== "stopped"}>
    ${status === "failed" && message(problem?.title || "The map failed", problem?.message, way)}
    ${status === "stopped" && message("No map", "The job was cancelled before there was a map.", again)}
  </div>`;
}

/** How far the jobs are; before them, that they come. */
function Jobs() {
  const begun = circuitsMaps.status() !== "loading" || circuitsMaps.JOBS.some((name) => jobs.state(name).starting || jobs.state(name).job); // prettier-ignore
  return html`<div class="sentence-jobs">
    ${!begun && html`<p class="hint">The maps are computed once the circuits are drawn.</p>`}
    <${jobs.JobProgress} name=${circuitsMaps.JOBS[0]} what="A first map, by PCA" />
    <${jobs.JobProgress} name=${circuitsMaps.JOBS[1]} what="Map of the sentences" />
  </div>`;
}

/** The sentence that is pointed at, for those who do not see it. */
function Pointed() {
  const point = circuitsMaps.info()?.points[state.hover_point];
  return html`<p class="hidden-visually" aria-live="polite">${point && point.text + ". " + factsOf(point)}</p>`;
}

export const MapsPanel = () =>
  html`<${Panel}
    id="sentencemap"
    title="Maps of sentences"
    tag="observed"
    reads="Points are sentences. Near points have similar circuits (left) or similar words (right). Click a point to pin its sentence; numbers mark pinned sentences."
    formats=${["svg", "png", "csv", "json"]}
    written=${written.sentenceMap}
  >
    <div class="graph-bar"><${Choices} /><${Tools} /></div>
    <${Jobs} />
    <div class="sentence-state" data-status=${circuitsMaps.status()} data-waiting=${String(circuitsMaps.waits())}>
      <${Problem} />
      <div class="sentence-maps"><${MapCanvas} which="circuits" /><${MapCanvas} which="text" /></div>
    </div>
    <${Legend} /><${Pointed} />
  <//>`;
