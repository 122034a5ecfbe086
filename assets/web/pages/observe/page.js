/* The Observe page: how a model, or a routing log, routes tokens. Nothing on it is an effect. */
import * as address from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { percent, whole } from "rs/lib/format.js";
import { JobProgress } from "rs/lib/jobs.js";
import { follow } from "rs/lib/navigation/go.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { listed } from "rs/lib/units.js";
import { html, icon } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Controls, StepButtons } from "rs/pages/observe/controls.js";
import { ExpertPanels } from "rs/pages/observe/experts/panels.js";
import { severalScripts } from "rs/pages/observe/numbers.js";
import { RoutingPanels } from "rs/pages/observe/panels.js";
import * as observe from "rs/pages/observe/state.js";
import { Tool } from "rs/parts/controls.js";
import { Revision, shortTitle } from "rs/parts/data_sets.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { AnyLoad, Choice, Observation } from "rs/pages/observe/types.d.ts" */

const UNLABELLED =
  "Samples of this model have no labels. Panels about labels are hidden, and specialisation is by position alone.";
const SCRIPTS = "f1 is s1.f1 in script 1 and s2.f1 in script 2; exemplars and means over steps pool the scripts";

/* -- the heading -------------------------------------------------------------------------------------------------- */

/** "120 of 300 texts so far". @param {{count: number, data?: {count: number}[]}} found @param {string} noun */
function Counted({ count, data = [] }, noun) {
  const all = observe.samplesIn({ data });
  return html`<strong>
    ${count < all ? whole(count) + " of " + whole(all) + " " + noun + " so far" : whole(count) + " " + noun}
  </strong>`;
}

/** @param {{found: Observation}} props */
function RoutingCaption({ found }) {
  const standIns = found.data.filter((set) => set.stand_in).map(shortTitle);
  const unmatched = Math.max(0, ...[found.variables.unmatched?.values ?? []].flat().map(Number));
  return [
    Counted(found, "samples"),
    html`<span>${found.data.map((set) => whole(set.count) + " of " + shortTitle(set)).join(", ")}</span>`,
    standIns.length > 0 && html`<span class="tag tag-warn">${"stand-in data: " + standIns.join(", ")}</span>`,
    found.intervention.drop.length > 0 && html`<span>${listed(found.intervention.drop) + " dropped"}</span>`,
    html`<${Revision} id=${found.model} revision=${found.revision} />`,
    html`<span>${"seed " + found.seed}</span>`,
    unmatched > 0 && html`<span>${"up to " + percent(unmatched) + " % of a step's tokens match no unit"}</span>`,
    severalScripts(found) && html`<span>${SCRIPTS}</span>`,
  ];
}

/** @param {{found: AnyLoad}} props */
function ExpertCaption({ found }) {
  const { drop, mute } = found.intervention ?? { drop: [], mute: [] };
  const gone = [drop.length && listed(drop) + " dropped", mute.length && listed(mute) + " muted"].filter(Boolean);
  return [
    Counted(found, "texts"),
    html`<span>${whole(found.tokens) + " tokens"}</span>`,
    html`<span>${(found.data ?? []).map((set) => whole(set.count) + " of " + set.name).join(", ")}</span>`,
    gone.length > 0 && html`<span>${gone.join(", ")}</span>`,
    html`<${Revision} id=${found.model} revision=${found.revision ?? ""} />`,
    html`<span>${"seed " + found.seed}</span>`,
  ];
}

/** @param {{found: Schemas["LogLoad"]}} props */
function LogCaption({ found: { log, count, tokens } }) {
  const counted = whole(tokens) + " tokens of " + whole(count) + (count === 1 ? " sequence" : " sequences");
  return html`<strong>${"routing log " + log.name}</strong>
    <span>${log.facts.counts_only ? "counts, tokens are not known" : counted}</span>
    <span>${log.facts.format + ", " + log.facts.version}</span>
    <span class="tag">no model</span>`;
}

function Caption() {
  const [log, experts, found] = [observe.logLoad(), observe.shown(), observe.observation()];
  if (log) return html`<${LogCaption} found=${log} />`;
  if (experts) return html`<${ExpertCaption} found=${experts.found} />`;
  return found && html`<${RoutingCaption} found=${found} />`;
}

/** All numbers of an observation as a file. */
function AllNumbers() {
  const found = observe.observation();
  if (!found || observe.status() !== "ready") return null;
  const path = api.BASE + "/observations/" + encodeURIComponent(found.id) + "?format=netcdf";
  return html`<a
    id="observe-netcdf"
    class="tool tool-text"
    href=${path}
    download=${"observation-" + found.model + ".nc"}
  >
    ${icon("download")}All numbers, NetCDF
  </a>`;
}

/* -- a routing log ------------------------------------------------------------------------------------------------ */

/** What a log does not say, in sentences. @param {Schemas["LogLoad"]} found */
export function lacking({ log: { facts }, exemplars, layers, kinds }) {
  const { weights, token_texts: texts } = facts.has;
  if (facts.counts_only)
    return [
      "Counts by layer and expert, and no tokens: no paths, weights, pairs of experts, domains or kinds of tokens.",
    ];
  const lines = ["No domains of texts, so no specialisation by domain."];
  if (!weights) lines.unshift("No weights: how a token's routing is shared among its experts is not known.");
  if (!exemplars.length) lines.push("Examples need weights and text" + (texts ? ", and the log has no weights." : "."));
  if (!kinds.length) lines.push("No token text, so nothing by kinds of tokens.");
  if (!layers.some(({ together }) => together)) lines.push("Pairs of experts are shown for models with fewer experts.");
  return lines;
}

/** The layer of the log that panels are about, and where the log leads. */
function LogBar() {
  const [found, shown, problem] = [observe.logLoad(), observe.shown(), observe.problem()];
  if (!found || !shown)
    return html`<p class=${problem ? "log-problem" : "hint"} role="status">
      ${problem?.message ?? "Counting which experts the tokens take."}
    </p>`;
  const { model, sample } = selection.current();
  const { log } = found;
  /** @type {[string, string][]} */
  const links = [
    ["Logs", address.linkTo("logs", { model, sample, a: log.id })],
    ["Leave the log", address.linkTo("observe", { model, sample })],
  ];
  if (!log.facts.counts_only)
    links.unshift(["Its tokens on Paths", address.linkTo("paths", { model, sample, log: log.id, step: shown.at })]);
  return html`
    <${StepButtons}
      name="Layer"
      names=${found.layers.map(({ name }) => name)}
      pressed=${(/** @type {string} */ name) => name === shown.layer.name}
    />
    <div class="log-links">
      ${links.map(([words, href]) => html`<a key=${words} class="tool tool-text" href=${href} onClick=${follow}>${words}</a>`)}
    </div>
    <p class="hint log-lacks">${[...lacking(found), ...found.notes].join(" ")}</p>
  `;
}

/* -- the page ----------------------------------------------------------------------------------------------------- */

/** Why nothing is shown; where a model is refused, another one is offered. */
function Message() {
  const [problem, status] = [observe.problem(), observe.status()];
  if (!["failed", "cancelled"].includes(status)) return null;
  const refused = Boolean(problem?.refused);
  return html`<div id="observe-message" class="message observe-message" role="status">
    <p id="observe-message-title" class="message-title">${problem ? problem.title : "Cancelled"}</p>
    <p id="observe-message-detail" class="message-detail">
      ${problem ? problem.message : "Nothing is shown for this choice."}
    </p>
    <${Tool} id="observe-again" look="button" hidden=${refused || problem?.status === 403} act=${observe.again}>
      ${problem ? "Try again" : "Observe"}
    <//>
    <span class="reader" data-widget="reader" hidden=${!refused}></span>
  </div>`;
}

/** The panels: of experts or of units. Before the first counts, the place of what comes. */
function Panels() {
  const status = observe.status();
  if (status === "failed" || status === "cancelled") return null;
  const busy = String(status !== "ready");
  const found = observe.observation();
  if (observe.shown())
    return html`<div class="observe-grid observe-experts" aria-busy=${busy}><${ExpertPanels} /></div>`;
  if (observe.ofExperts())
    return html`<div class="observe-grid" aria-hidden="true">
      ${[7, 5, 6, 6].map((span) => html`<div class=${"skeleton observe-coming span-" + span}></div>`)}
    </div>`;
  return html`<div class="observe-grid observe-routing" aria-busy=${busy}><${RoutingPanels} found=${found} /></div>`;
}

function Tree() {
  const log = observe.choice.value.log !== null;
  const hidden = ["failed", "cancelled"].includes(observe.status());
  const info = observe.model();
  const unverified = words.unverified(words.chosen());
  const unlabelled = info && !info.labels.length && !observe.ofExperts();
  return html`
    <div class="page-head">
      <h1>Observe</h1>
      <div id="observe-caption" class="caption">${!hidden && html`<${Caption} />`}</div>
      ${!log && unverified && html`<span class="tag tag-warn" role="status">${unverified}</span>`}
      <div class="head-actions">
        <${AllNumbers} />
        <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
      </div>
    </div>
    ${
      log
        ? html`<div class="log-bar"><${LogBar} /></div>`
        : [
            !observe.problem()?.refused && html`<${Controls} />`,
            !hidden && html`<${JobProgress} name=${observe.JOB} what="Observing the routing" />`,
            html`<${Message} />`,
          ]
    }
    ${unlabelled && html`<p class="hint observe-unlabelled">${UNLABELLED}</p>`}
    <${Panels} />
  `;
}

address.takesOver("observe", async ({ model, sample, ...choice }) => {
  selection.choose({ model, sample });
  observe.choice.value = /** @type {Choice} */ (choice);
});

export const mount = pageTree({
  Tree,
  choice: () => observe.choice.value,
  take: (choice) => (observe.choice.value = choice),
  open(choice, host) {
    const page = /** @type {HTMLElement} */ (host.closest(".page"));
    observe.accepted.value = Number(page.dataset.accepted ?? Infinity);
    const ends = [
      observe.begin(choice),
      effect(() => {
        const id = observe.shown()?.found.id ?? observe.observation()?.id;
        const experts = String(observe.ofExperts());
        Object.assign(page.dataset, { status: observe.status(), experts, ...(id ? { observation: id } : {}) });
      }),
    ];
    return () => ends.forEach((end) => end());
  },
});
