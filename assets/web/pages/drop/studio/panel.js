/* The pruning studio: a bar a layer to drag, who goes on one canvas beside it, what it costs as curves, and files of it. */
import * as exports from "rs/draw/exports.js";
import { percent, whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { user } from "rs/lib/navigation/user.js";
import { layerName } from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import { expertsIn } from "rs/parts/experts/grid.js";
import { USES } from "rs/lib/words.js";
import { FORMATS } from "rs/pages/drop/pictures.js";
import * as drop from "rs/pages/drop/state.js";
import * as curves from "rs/pages/drop/studio/curves.js";
import * as grid from "rs/pages/drop/studio/grid.js";
import * as keep from "rs/pages/drop/studio/keep.js";
import * as studio from "rs/pages/drop/studio/state.js";
import { MORE, READS } from "rs/pages/drop/words.js";
import { Choice, Range, Tool, labelled, sizeOptions } from "rs/parts/controls.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { effect, useEffect, useSignal, untracked } from "rs/vendor/preact.js";

/** @import { Panel as Written, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Mark, Shown } from "rs/pages/drop/studio/curves.js" */

/** @type {[Schemas["PruningRequest"]["order"], string][]} */
const ORDERS = [
  ["tokens", "by " + USES.tokens + ", observed"],
  ["weight", "by " + USES.weight + ", observed"],
  ["effect", "by effect, caused"],
  ["greedy", "greedy, caused"],
  ["chance", "random"],
];
/** @type {[keep.Way, string][]} */
const WAYS = [
  ["alike", "same share in every layer"],
  ["together", "one ranking over all layers"],
  ["own", "set layer by layer"],
];
/** @type {Record<Schemas["PruningRequest"]["order"], string>} */
const RESTS = {
  tokens: "Observed: experts with the fewest tokens go first. This predicts effects badly.",
  weight: "Observed: experts with the least routing weight go first. This predicts effects badly.",
  effect: "Caused: each expert is dropped alone; those that cost least go first.",
  greedy: "Caused: at each step every remaining expert is dropped in turn; the one that costs least goes.",
  chance: "Random order: the baseline for the other orders.",
};

/** About how long a computation takes, as this page was measured. */
function costWords() {
  const { order, layers, samples, draws, way } = studio.state;
  const points = keep.pointsOf(layers, way === "together" ? "all" : "layer", studio.POINTS);
  const atOnce = keep.atOnceOf(order, layers, samples);
  const ordering = keep.setsOfOrder(layers, order, atOnce);
  const sets = ordering + points * (1 + draws) + 1;
  const speed = drop.state.evaluation?.baseline?.samples_per_second;
  const time = speed ? ", about " + jobs.duration((sets * samples) / speed) : "";
  const step = atOnce > 1 ? " Experts go " + whole(atOnce) + " at once." : "";
  return whole(sets) + " sets of experts on " + whole(samples) + " samples" + time + "." + step;
}

function Controls() {
  const { order, way, samples, draws, found, model } = studio.state;
  if (!model) return null;
  const { job, starting, problem } = jobs.state(studio.JOB);
  const running = starting || (job !== null && ["queued", "running"].includes(job.state));
  const done = Boolean(found?.complete);
  const { read_only: readOnly } = user.value;
  const refused = jobs.isRefused(problem) && problem?.message;
  /**
   * @param {string} name @param {string} words @param {[string, string][]} options @param {string} chosen
   * @param {(value: any) => void} onChoose
   */
  const control = (name, words, options, chosen, onChoose) => {
    const id = "studio-" + name;
    return labelled(words, id, html`<${Choice} look="small-input" ...${{ id, options, chosen, onChoose }} />`);
  };
  return html`<div class="interventions drop-row">
      ${control("order", "Drop order", ORDERS, order, (each) => studio.choose({ order: each }))}
      ${control("way", "Layers", WAYS, way, (each) => studio.choose({ way: each }))}
      ${control("samples", "Samples", sizeOptions([32, 64, 128, 256], samples), String(samples), (each) => studio.choose({ samples: Number(each) }))}
      ${control("draws", "Random sets", sizeOptions([0, 4, 8, 16], draws), String(draws), (each) => studio.choose({ draws: Number(each) }))}
      ${
        !readOnly &&
        html`<button
          type="button"
          class="button"
          id="studio-start"
          disabled=${running || done}
          onClick=${() => studio.begin()}
        >
          ${done ? "Computed" : "Compute order and curves"}
        </button>`
      }
    </div>
    <p class="hint" id="studio-rests">
      ${RESTS[order]} ${refused || (done || running || readOnly ? "" : costWords())}
    </p>`;
}

/** A service that is read-only is asked at once: it tells what was computed before. */
function lookUp() {
  const { model, found } = studio.state;
  const { job, starting, problem } = jobs.state(studio.JOB);
  if (user.value.read_only && model && !found && !job && !starting && !problem) untracked(studio.begin);
}

/* -- bars and cells ------------------------------------------------------------------------------------------- */

/**
 * How many experts are kept.
 *
 * @param {{id: string, name: string, value: number, least: number, most: number, onInput: (value: number) => void}} props
 */
const Bar = (props) =>
  html`<${Range}
    look="studio-bar"
    ...${props}
    label=${"Experts kept: " + props.name}
    words=${whole(props.value) + " of " + whole(props.most)}
    wait=${props.least >= props.most}
  />`;

function Bars() {
  const { layers, counts } = studio.state;
  return layers.map((layer, at) => {
    const kept = { value: counts[at], least: keep.leastOf(layer), most: layer.experts };
    const move = (/** @type {number} */ value) => studio.move(at, value);
    return html`<${Bar}
      key=${layer.name}
      id=${"studio-bar-" + at}
      name=${layerName(layer.name)}
      ...${kept}
      onInput=${move}
    />`;
  });
}

function Whole() {
  const { stay: value, whole: most } = studio.total();
  const least = studio.state.layers.reduce((sum, layer) => sum + keep.leastOf(layer), 0);
  return html`<${Bar}
    ...${{ id: "studio-bar-all", name: "all layers", value, least, most }}
    onInput=${studio.moveAll}
  />`;
}

/** What the cells rest on. */
function Rests() {
  const order = studio.sequence();
  if (!order) return html`Compute the order to see which experts go.`;
  const by = order.preliminary ? "Preview by " + USES.weight + ". Compute the order for the final ranking. " : ""; // prettier-ignore
  return html`${by}${grid.CAPTION}`;
}

/** @param {grid.Cell} cell */
function cellWords({ row, expert }) {
  const { layers, counts } = studio.state;
  const order = studio.sequence();
  const layer = layers[row];
  const unit = expertsIn(layer)[expert];
  if (!order) return unit;
  const place = order.places[row][expert];
  const stays = place >= layer.experts - counts[row];
  const until = "it stays while at least " + (layer.experts - place) + " of " + layer.experts + " are kept";
  return unit + (stays ? " stays" : " goes") + ": number " + (place + 1) + " to go in its layer, " + until;
}

/** Who stays and who goes, a cell an expert. */
function Cells() {
  const known = () => {
    const order = studio.sequence();
    return studio.state.counts.join(",") + (order ? (order.preliminary ? " preliminary" : " known") : "");
  };
  return html`<${Picture}
    look="studio-cells"
    drawn=${known}
    scene=${(/** @type {number} */ width) => {
      const { layers, counts, model } = studio.state;
      const order = studio.sequence();
      const { stay, whole: most } = studio.total();
      const title = stay + " of " + most + " experts stay" + (order ? "" : "; the order is not computed yet");
      return model && grid.cells({ layers, counts, places: order?.places ?? null }, width, title, cellWords);
    }}
    label=${(/** @type {Scene} */ { title }) => title}
  />`;
}

/** @returns {unknown[][]} */
function keptRows() {
  const { layers, counts } = studio.state;
  const order = studio.sequence();
  return [
    ["layer", "expert", "goes_as", "stays"],
    ...layers.flatMap((layer, at) =>
      expertsIn(layer).map((unit, expert) => {
        const place = order ? order.places[at][expert] : null;
        return [layer.name, unit, place === null ? "" : place + 1, place === null ? "" : String(place >= layer.experts - counts[at])]; // prettier-ignore
      }),
    ),
  ];
}

/** What files say of a pruning. @param {Schemas["Pruning"]} found */
function factsOf(found) {
  const { id, model, revision, order, scope, at_once, draws, seed, count, chosen_on: chosenOn } = found;
  const data = found.data.map((each) => ({ name: each.name, count: each.count, stand_in: each.stand_in }));
  const keeps = { keep: [...studio.state.counts], points: studio.POINTS };
  const asked = { order, scope, at_once, draws, seed, ...keeps };
  return { model, revision, data, samples: count, order_chosen_on: chosenOn, ...asked, pruning: id, kind: "caused" };
}

/** @returns {Written | null} */
function exported() {
  const { found, layers, counts } = studio.state;
  const order = studio.sequence();
  if (!found || !order) return null;
  const { stay, whole: most } = studio.total();
  const title =
    whole(stay) + " of " + whole(most) + " experts stay, " + curves.ORDERS[found.order] + ": " + found.model;
  const kind = ["tokens", "weight"].includes(found.order) ? "observed" : "caused";
  return {
    name: "pruning",
    title,
    caption: grid.CAPTION,
    facts: { ...factsOf(found), kind },
    python: { figure: "kept-experts" },
    rows: keptRows,
    json: () => exports.asJson(keptRows()),
    picture: { scene: (width = 640) => grid.scene({ layers, counts, places: order.places }, width, title) },
  };
}

/* -- what to do with it --------------------------------------------------------------------------------------- */

function Acts() {
  const { found, said, writes, model } = studio.state;
  if (!model) return null;
  const { stay, whole: most } = studio.total();
  const none = stay === most;
  const known = studio.sequence() !== null;
  const save = async (/** @type {Promise<Blob | string | null>} */ coming, /** @type {string} */ ending) => {
    const file = await coming;
    const name = (model + ending).replace(/[^\w.-]+/g, "_");
    if (typeof file === "string") exports.saveFrom(file, name);
    else if (file) exports.save(file, file.type, name);
  };
  return html`<div class="interventions drop-row">
      <span class="studio-total"
        >${whole(stay) + " of " + whole(most) + " experts stay, " + percent(stay / most) + " %"}</span
      >
      <${Tool} id="studio-apply" wait=${none || !known || studio.applied()} act=${studio.apply}>
        ${studio.applied() ? "Applied to the page" : "Apply to the page"}
      <//>
      <${Tool} id="studio-restore" wait=${none} act=${studio.restore}>Keep all<//>
      <${Tool} id="studio-keep-list" wait=${!found} act=${() => save(studio.keepList(), "-keep-list.json")}
        >Keep-list, JSON<//
      >
      <${Tool} id="studio-model" wait=${!found || writes} act=${() => save(studio.model(), "-pruned.zip")}
        >Pruned model, ZIP<//
      >
    </div>
    <p class="hint" id="studio-said" role="status" aria-live="polite" data-refused=${String(Boolean(said))}>
      ${said || (writes ? "Writing the pruned model" : found ? "" : "Compute first to download.")}
    </p>`;
}

/* -- curves --------------------------------------------------------------------------------------------------- */

/** Where the bars stand, and what the page measured where it left out exactly that. @returns {Mark} */
function markOf() {
  const { stay, whole: most } = studio.total();
  /** @type {Mark} */
  const mark = { share: most ? stay / most : 1, experts: stay, figures: new Map() };
  const { evaluation, fresh } = drop.state;
  if (!evaluation || !fresh || !studio.applied()) return mark;
  const { accuracy, change, done } = evaluation;
  if (accuracy) mark.figures.set("all", { figure: accuracy, change: change && change.accuracy, count: done });
  for (const row of evaluation.by_domain) {
    if (row.accuracy === null) continue;
    const figure = { value: row.accuracy, low: row.low, high: row.high };
    const by = row.change === null ? null : { value: row.change, low: row.change_low, high: row.change_high };
    mark.figures.set(row.name, { figure, change: by, count: row.count });
  }
  return mark;
}

/** @type {[Shown, string][]} */
const SHOWN = [
  ["figure", "score"],
  ["change", "paired change"],
];

/** What files of the curves hold. @param {Shown} shown @returns {Written | null} */
function writtenCurves(shown) {
  const { found } = studio.state;
  if (!found || !found.curve.length) return null;
  return {
    name: "pruning-retention",
    facts: factsOf(found),
    python: { figure: "retention" },
    rows: () => curves.curveRows(found),
    json: () => ({ pruning: found }),
    picture: { scene: (width = CURVES_WIDTH) => curves.curves(found, shown, markOf(), width) },
  };
}

const CURVES_WIDTH = 960; // pixels of a file of curves

function CurvesPanel() {
  const shown = useSignal(/** @type {Shown} */ ("figure"));
  const { found } = studio.state;
  const known = found && found.curve.length ? found : null;
  return html`<${Panel}
    id="drop-studio-curves"
    title="Retention by data set"
    reads=${READS.curves}
    more=${MORE.curves}
    tag="caused"
    formats=${FORMATS}
    written=${() => writtenCurves(shown.value)}
    hidden=${known === null}
  >
    ${labelled("Show", "studio-shown", html`<${Choice} id="studio-shown" look="small-input" options=${SHOWN} chosen=${shown.value} onChoose=${(/** @type {Shown} */ each) => (shown.value = each)} />`)}
    <${Picture}
      look="studio-picture"
      widest=${1280}
      scene=${(/** @type {number} */ width) => {
        const { found: now } = studio.state;
        return now && now.curve.length ? curves.curves(now, shown.value, markOf(), width) : null;
      }}
      drawn=${() => studio.state.found?.id + " " + studio.state.found?.curve.length + " " + shown.peek()}
      label=${(/** @type {Scene} */ made) => made.title + ". " + made.desc}
    />
    <${AsTable}
      words="Retention by data set as a table"
      data=${{ "data-studio-table": "curves" }}
      caption=${() => (known ? "Retention, " + curves.ORDERS[known.order] + ", " + known.model : "")}
      rows=${known && (() => curves.curveRows(known))}
    />
  <//>`;
}

/** Both panels, for models with experts. */
export function Studio() {
  useEffect(() => {
    const ends = [studio.follow(), effect(lookUp)];
    return () => ends.forEach((end) => end());
  }, []);
  const { model, found } = studio.state;
  const { stay, whole: most } = studio.total();
  return html`<div
    class="studio-grid"
    hidden=${!model}
    data-found=${found ? found.id : ""}
    data-complete=${String(Boolean(found?.complete))}
  >
    <${Panel}
      id="drop-studio"
      title="Pruning studio"
      reads=${READS.studio}
      more=${MORE.studio}
      formats=${FORMATS}
      written=${exported}
    >
      <div><${Controls} /></div>
      <${jobs.JobProgress} name=${studio.JOB} what="Pruning of experts" />
      <div>
        <div class="studio-whole"><${Whole} /></div>
        <div class="studio-rows" role="group" aria-label="Experts that each layer keeps">
          <div class="studio-bars"><${Bars} /></div>
          <${Cells} />
        </div>
        <p class="hint studio-legend"><${Rests} /></p>
        <${AsTable}
          words="Who stays and who goes as a table"
          data=${{ "data-studio-table": "kept" }}
          caption=${() => whole(stay) + " of " + whole(most) + " experts stay"}
          rows=${model && keptRows}
        />
      </div>
      <div><${Acts} /></div>
    <//>
    <${CurvesPanel} />
  </div>`;
}
