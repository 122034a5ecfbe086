/* Importance of units on the Drop page: its job, and panels of what that found. */
import { html } from "rs/lib/view.js";
import * as jobs from "rs/lib/jobs.js";
import { user } from "rs/lib/navigation/user.js";
import { layerName } from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import * as scenes from "rs/pages/drop/importance/scenes.js";
import * as importance from "rs/pages/drop/importance/state.js";
import { FORMATS } from "rs/pages/drop/pictures.js";
import * as drop from "rs/pages/drop/state.js";
import { MORE, READS_USE } from "rs/pages/drop/words.js";
import { Choice, Segmented } from "rs/parts/controls.js";
import { DISTRIBUTIONS, signsOf } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Chart, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Importance, PanelKey } from "rs/pages/drop/importance/state.js" */
/** @import { Opened } from "rs/pages/drop/types.d.ts" */

/** Whether retention has an axis of compute. */
const flops = signal(false);

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/**
 * @typedef {object} About one of the panels
 * @property {string} title
 * @property {(found: Importance | null) => string} reads
 * @property {(found: Importance) => boolean} [has] whether there is something to show
 */

/** @type {Record<PanelKey, About>} */
const PANELS = {
  use: { title: "Observed use", reads: () => words.choose(READS_USE) },
  effect: {
    title: "Caused effect",
    reads(found) {
      if (!found) return "";
      const lost = scenes.lostWords(found);
      const shapley = "Bars: Shapley values. Diamonds: " + lost + ".";
      const marks = found.shapley.length ? shapley : capital(lost) + ".";
      return [marks, "Whiskers: 95 %.", scenes.shownWords(found)].filter(Boolean).join(" ");
    },
  },
  retention: {
    title: "Retention",
    reads: (found) => words.measure(found?.measure).title + words.choose({ "": " as {units} are dropped, with the best or the worst kept longest. Band: random sets of the same size." }), // prettier-ignore
    has: (found) => found.retention.length > 0,
  },
  interactions: {
    title: "Interactions",
    reads: (found) => "Effect of a pair minus both single effects, in " + words.measure(found?.measure).changeUnit + ". Below 0: worse together. Framed: 95 % interval excludes 0.", // prettier-ignore
    has: (found) => found.interactions.length > 0,
  },
  anytime: {
    title: "Iterations",
    reads: () => words.choose({ "": "The full model after each number of {passes}. Whiskers: 95 % intervals." }),
    has: (found) => found.anytime.length > 1,
  },
  convergence: {
    title: "Convergence",
    reads: () =>
      "Shapley values against the number of sampled orders. Whiskers: 95 % intervals (1.96 standard errors).",
    has: (found) => found.convergence.length > 0,
  },
};

/**
 * What files of a panel hold.
 *
 * @param {PanelKey | typeof importance.JOB} key @param {Written["picture"]} picture @returns {Written | null}
 */
function written(key, picture) {
  const found = importance.result();
  if (!found) return null;
  const whole = key === importance.JOB;
  const rows = importance.contents(found, whole ? "effect" : key);
  const signs = signsOf(found, key);
  return {
    name: key,
    facts: {
      ...importance.factsOf(found),
      kind: key === "use" ? "observed" : "caused",
      ...(Object.keys(signs).length ? { signs } : {}),
    },
    python: key === "convergence" && found.exact ? undefined : { figure: "importance", panel: key },
    rows: () => importance.tableOf(rows),
    json: () => (whole ? { result: found } : { [importance.FIELDS[key]]: rows }),
    picture,
  };
}

/**
 * A panel of the result with its picture; hidden while there is nothing to show.
 *
 * @param {{name: PanelKey, width?: number, children?: ComponentChildren}} props
 */
function PicturePanel({ name, width = 640, children }) {
  const found = importance.result();
  const { reads, has = () => true } = PANELS[name];
  const empty = !found || !has(found);
  const { passes } = words.of(words.chosen());
  const title = name === "anytime" ? capital(passes) : PANELS[name].title;
  const points = name === "use" || name === "effect" || name === "convergence";
  /** @param {number} wide @param {string | null} [pointed] */
  function scene(wide, pointed = null) {
    const now = importance.result();
    if (!now || !has(now)) return null;
    const titled = title + importance.where(now) + ": " + now.model;
    return scenes[name](now, wide, { title: titled, passes, pointed, flops: flops.value });
  }
  const point = (/** @type {{unit?: string, row?: number} | null} */ of) => {
    const row = name === "use" && found ? scenes.unitsShown(found)[of?.row ?? -1] : undefined;
    drop.pointed.value = of?.unit ?? row ?? null;
  };
  return html`<${Panel}
    id=${name}
    title=${title}
    reads=${reads(found)}
    more=${MORE[name]}
    tag=${name === "use" ? "observed" : "caused"}
    formats=${FORMATS}
    written=${() => written(name, empty ? {} : { scene: (asked) => /** @type {Chart} */ (scene(asked ?? width)) })}
    hidden=${empty}
  >
    ${children}
    <${Picture}
      id=${"plot-" + name}
      scene=${(/** @type {number} */ wide) => scene(wide, points ? drop.pointed.value : null)}
      onPoint=${points ? point : undefined}
      drawn=${() => importance.result()?.id ?? ""}
      label=${(/** @type {Chart} */ made) => made.title + ". " + made.desc}
    />
    <${AsTable}
      words=${title + " as a table"}
      caption=${() => found && title + importance.where(found) + ", " + found.words + importance.headerOf(found, name)}
      rows=${found && (() => importance.tableOf(importance.contents(found, name)))}
    />
  <//>`;
}

/** What starts the job, or why a read-only service has no result. */
function Offer() {
  const { job, starting, problem } = jobs.state(importance.JOB);
  const unread = importance.problem();
  if (unread) return html`<p class="hint" role="alert">${unread.title + ". " + unread.message}</p>`;
  if (user.value.read_only)
    return jobs.isRefused(problem) && html`<p class="hint" id="importance-refused">${problem?.message}</p>`;
  if (!drop.state.model || job || starting || problem || drop.state.problem?.refused) return null;
  const [act, detail] = importance.offer(/** @type {Opened} */ (drop.state));
  return html`
    <button type="button" class="button" id="importance-start" onClick=${importance.begin}>${act}</button>
    <p class="hint">${detail}</p>
  `;
}

/** @param {{id: string, name: string, hint: string, options: [string, string][], chosen: string, onChoose: (value: string) => void}} props */
const Of = ({ id, name, hint, ...choice }) =>
  html`<div class="control importance-of">
    <label class="control-name" for=${id}>${name}</label>
    <${Choice} id=${id} look="small-input" ...${choice} />
    <span class="hint">${hint}</span>
  </div>`;

/** The distribution that importance is of, where what is measured holds several. */
function OfDistribution() {
  const offered = importance.distributionsOf(drop.state);
  if (offered.length < 2) return null;
  const { distribution } = drop.state.choice;
  return html`<${Of}
    id="importance-distribution"
    name="Data"
    hint="Trained-on and held-out data are never mixed."
    options=${offered.map((name) => [name, DISTRIBUTIONS[name]])}
    chosen=${offered.includes(distribution) ? distribution : offered[0]}
    onChoose=${(/** @type {Schemas["Distribution"]["name"]} */ name) =>
      drop.showDistribution(name === offered[0] ? "in" : name)}
  />`;
}

/** Which experts are looked at: every one alone, or those of one layer and all their subsets. */
function Within() {
  if (!drop.hasExperts(drop.state)) return null;
  const layers = (drop.state.model?.layers ?? []).map(({ name }) => [name, layerName(name) + ": Shapley values"]);
  return html`<${Of}
    id="importance-layer"
    name="Experts"
    hint="Shapley values compare the experts of one layer; all others stay."
    options=${[["", "each expert alone"], ...layers]}
    chosen=${importance.within.value}
    onChoose=${(/** @type {string} */ name) => (importance.within.value = name)}
  />`;
}

/** What was found, in numbers. @param {{of: Importance}} props */
const Found = ({ of }) =>
  html`<dl class="fact-list">
    ${importance.summary(of).map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** The section below the live figures. */
export function Importances() {
  const found = importance.result();
  const { name } = words.measure(found?.measure);
  return html`<div class="importance-grid">
    <${Panel}
      id=${importance.JOB}
      title="Importance of every unit"
      reads="Scores with some units dropped, on the same samples. A unit that is used a lot may not be needed: compare the panels below."
      more=${MORE.importance}
      tag="caused"
      formats=${["csv", "json"]}
      written=${() => written(importance.JOB, {})}
    >
      <${jobs.JobProgress} name=${importance.JOB} what="Subsets of units" />
      <div class="importance-facts" data-result=${found ? found.id : ""}>
        <${OfDistribution} /><${Within} /><${Offer} />
        ${found ? html`<${Found} of=${found} />` : html`<p class="hint writes">The panels appear below when the scores are computed.</p>`}
      </div>
    <//>
    <${PicturePanel} name="use" />
    <${PicturePanel} name="effect" />
    <${PicturePanel} name="retention">
      <div class="control">
        <${Segmented}
          id="drop-second-axis"
          label="Second axis"
          options=${[
            ["none", name + " alone"],
            ["flops", "with FLOPs"],
          ]}
          chosen=${flops.value ? "flops" : "none"}
          onChoose=${(/** @type {string} */ axis) => (flops.value = axis === "flops")}
        />
      </div>
    <//>
    <${PicturePanel} name="interactions" width=${480} />
    <${PicturePanel} name="anytime" width=${480} />
    <${PicturePanel} name="convergence" />
  </div>`;
}
