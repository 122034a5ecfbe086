/* The panel with the samples of the data sets, and those of the user: filters, an order by behaviour, pages, licences. */
import { percentOf, whole } from "rs/lib/format.js";
import { JobProgress } from "rs/lib/jobs.js";
import * as selection from "rs/lib/selection.js";
import { html } from "rs/lib/view.js";
import * as units from "rs/lib/units.js";
import * as words from "rs/lib/words.js";
import { Cards, labelled } from "rs/parts/samples/drawn.js";
import * as samples from "rs/pages/samples/state.js";
import { Choice, Pager, Segmented, Tool } from "rs/parts/controls.js";
import { Revision, StandIns, runs } from "rs/parts/data_sets.js";
import { AsTable, Folded, Panel } from "rs/parts/panel.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Filters, Gallery } from "rs/pages/samples/types.d.ts" */

const REST = 400; // milliseconds after the last key of a search
const ANY = "";
const LABELS = Array.from(
  { length: 10 },
  (_, label) => /** @type {[string, string]} */ ([String(label), String(label)]),
);
/** @type {[Filters["order"], string][]} */
const ORDERS = [
  ["given", "as given"],
  ["rerouted", "most rerouted first"],
  ["heads", "heads disagree most first"],
  ["nearest", "nearest in routing first"],
];
/** How to read the samples of a kind of input; "" of pictures. @type {Record<string, string>} */
const READS = {
  "": "Each digit with its label. Red: a wrong prediction by the head of its data set.",
  text: "Each text with its length.",
  numbers: "Each point with its five numbers, and the value of its data set's function there.",
  points: "Each cloud of points with its class, seen from above at a slant; nearer points are lighter.",
  matrices: "Each matrix with its right answer: the eight panels before the gap.",
  statements: "Each statement with its pictures, and whether it is true.",
  blocks: "Each sample with its label and its digits, or its blocks, one a row.",
  listops: "Each expression with its value.",
  bytes: "Each text with its label.",
};
const READ_TABLES = "Each sample with its label; a row is a token.";
const SHARE = "share of routing weight that goes to other units (total variation, mean over steps and tokens).";
/** What is written below each sample of an order. */
const VALUES = {
  given: "",
  rerouted: "Distance of routings with and without the intervention: " + SHARE,
  nearest: "Distance of routings from the named sample: " + SHARE,
  heads: "Disagreement of heads: entropy of their mean answer less the mean of their entropies.",
};
/** The same in few words. */
const NUMBERS = {
  given: "",
  rerouted: " Number: distance of routings with and without the intervention.",
  nearest: " Number: distance of routings from the named sample.",
  heads: " Number: disagreement of the heads.",
};
const COLUMNS = { given: "", rerouted: "distance of routings", nearest: "distance of routings", heads: "disagreement" };
/** What a search looks like, by kind of input. @type {Record<string, string>} */
const SEARCHES = {
  images: "find: mnist seven",
  text: "find: sums 12",
  numbers: "find: boolean-03 12",
  points: "find: torus",
  matrices: "find: small 12",
  listops: "find: short 12",
  bytes: "find: reviews positive",
  statements: "find: scenes true",
  blocks: "find: algo 12",
};

/* -- controls ------------------------------------------------------------------------------------------------------ */

/** A search that is heard when typing rests. */
function Find() {
  const typed = useRef(/** @type {{timer: any, text: string | null}} */ ({ timer: null, text: null }));
  useEffect(() => () => clearTimeout(typed.current.timer), []);
  /** @param {InputEvent} event */
  function hear(event) {
    const { value } = /** @type {HTMLInputElement} */ (event.currentTarget);
    clearTimeout(typed.current.timer);
    typed.current = {
      text: value,
      timer: setTimeout(() => {
        typed.current.text = null;
        samples.choose({ find: value });
      }, REST),
    };
  }
  return html`<input
    type="search"
    id="gallery-find"
    class="small-input"
    maxlength="80"
    aria-label="Find samples by data set, label, name or id"
    placeholder=${SEARCHES[words.chosen()?.inputs ?? ""] ?? SEARCHES.images}
    value=${typed.current.text ?? samples.choice.value.find}
    onInput=${hear}
  />`;
}

/** A data set as an option; a stand-in is called one. @param {Schemas["DataSet"]} set */
const optionOf = ({ name, title, stand_in: standIn }) => [
  name,
  standIn && !title.includes("stand-in") ? title + " (stand-in)" : title,
];

function Controls() {
  const { source, set, label, wrong, order, samples: count } = samples.choice.value;
  const sets = samples.catalogue.answer()?.sets ?? [];
  const sorted = [
    ...sets.filter(({ inputs }) => inputs === "images"),
    ...sets.filter(({ inputs }) => inputs !== "images"),
  ];
  const own = source === "own";
  const sizes = [...new Set([...samples.SIZES, count])].sort((one, other) => one - other);
  return html`
    <div class="gallery-controls">
      <${Segmented}
        id="gallery-source"
        label="Whose samples"
        options=${[
          ["data", "Data sets"],
          ["own", "Yours"],
        ]}
        chosen=${source}
        onChoose=${(/** @type {Filters["source"]} */ next) => samples.choose({ source: next })}
      />
      <${Choice}
        id="gallery-set"
        look="small-input"
        label="Data set"
        hidden=${own}
        options=${[[ANY, "all sets"], ...sorted.map(optionOf)]}
        chosen=${set ?? ANY}
        onChoose=${(/** @type {string} */ next) => samples.choose({ set: next || null })}
      />
      <span class="gallery-filters" hidden=${own || words.chosen()?.labels?.length === 0}>
        <${Choice}
          id="gallery-label"
          look="small-input"
          label="Label"
          options=${[[ANY, "any label"], ...LABELS]}
          chosen=${label === null ? ANY : String(label)}
          onChoose=${(/** @type {string} */ next) => samples.choose({ label: next === ANY ? null : Number(next) })}
        />
        <label class="gallery-wrong">
          <input
            type="checkbox"
            id="gallery-wrong"
            checked=${wrong}
            onChange=${(/** @type {Event} */ { currentTarget }) =>
              samples.choose({ wrong: /** @type {HTMLInputElement} */ (currentTarget).checked })}
          />wrong only
        </label>
      </span>
    </div>
    <div class="gallery-ordering">
      <${Find} />
      <div class="control">
        <label class="control-name" for="gallery-order">order</label>
        <${Choice}
          id="gallery-order"
          look="small-input"
          options=${ORDERS}
          chosen=${order}
          onChoose=${(/** @type {Filters["order"]} */ next) => samples.choose({ order: next })}
        />
      </div>
      <${Choice}
        id="gallery-samples"
        look="small-input"
        label="Number of samples of the data sets that are measured for the order"
        hidden=${order === "given" || own}
        options=${sizes.map((size) => [String(size), "of " + whole(size) + " samples"])}
        chosen=${String(count)}
        onChoose=${(/** @type {string} */ next) => samples.choose({ samples: Number(next) })}
      />
    </div>
  `;
}

/* -- the order --------------------------------------------------------------------------------------------------- */

/**
 * The parts of an intervention in words, each with what is left without it.
 *
 * @param {Pick<Filters, "mute" | "drop" | "edges" | "iterations">} filters
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

/** @param {{text: string, remove: () => void}} props */
const Part = ({ text, remove }) =>
  html`<span class="chip search-part"
    >${text}
    <button
      type="button"
      class="search-remove"
      aria-label=${"Take away: " + text}
      title="Take it away"
      onClick=${remove}
    >
      ${"\u00d7"}
    </button></span
  >`;

/** What the order is measured under, each part of which can be taken away. */
function Under() {
  const filters = samples.choice.value;
  const [under, { order, to }, { sample }] = [parts(filters), filters, selection.current()];
  const nearest = order === "nearest";
  if (!under.length && !nearest) return null;
  return html`<div class="gallery-search">
    ${
      nearest &&
      to &&
      html`<span class="control-name">near to</span>${" "}<${Part}
          text=${to}
          remove=${() => samples.choose({ to: null })}
        />`
    }
    ${
      nearest &&
      sample &&
      sample !== to &&
      html`<${Tool} id="gallery-near" act=${() => samples.choose({ to: sample })}>Near to the chosen sample<//>`
    }
    ${
      under.length > 0 &&
      html`<span class="control-name">${order === "given" ? "kept for other pages" : "under"}</span>`
    }
    ${under.map(([text, without]) => html`<${Part} key=${text} text=${text} remove=${() => samples.choose(without)} />`)}
    ${under.length > 1 && html`<${Tool} act=${() => samples.choose(samples.NOTHING)}>Nothing<//>`}
  </div>`;
}

/** The number of samples, their data sets and the model. @param {{ranked: Schemas["Behaviours"]}} props */
function Measured({ ranked: { count, data, model, revision } }) {
  const names = data.map(({ name }) => name);
  const away = data.filter((set) => set.held_out).map(({ name }) => name);
  return html`<div id="gallery-measured" class="gallery-measured" role="status">
    <span>${whole(count) + " measured of " + (names.join(", ") || "your own samples")}</span>
    <${StandIns} sets=${data} used=${names} />
    ${
      away.length > 0 &&
      html`<span class="tag" title="The model was never trained on it."
        >${"out of distribution: " + away.join(", ")}</span
      >`
    }
    <${Revision} id=${model} revision=${revision} />
  </div>`;
}

/** The order as rows, the first of which names the columns. @param {Gallery} gallery */
function rowsOf({ items, start, ranked }) {
  const predicted = items.some(({ sample }) => sample?.prediction);
  const head = ["place", "sample", "label", ...(predicted ? ["predicted"] : []), COLUMNS[ranked?.order ?? "given"]];
  const rows = items.map(({ id, sample, table, value }, at) => {
    const label = table ? labelled(table).replace(/^label /, "") : String(sample?.label ?? "none");
    const { prediction } = sample ?? {};
    const answer = prediction ? prediction.label + " by the " + prediction.domain + " head" : "";
    return [whole(start + at + 1), id, label, ...(predicted ? [answer] : []), value?.short ?? ""];
  });
  return [head, ...rows];
}

/* -- the samples ------------------------------------------------------------------------------------------------ */

/** Why the gallery is empty, and what to change. @param {Filters} filters @param {string | null} kind */
function emptyOf({ source, find, wrong, order }, kind) {
  if (find) return ["No samples match", "None of these is called \u201c" + find + "\u201d."];
  if (source === "own" && order !== "given")
    return ["No samples of yours yet", "You have no other sample to put in order."];
  if (source === "own")
    return ["No samples of yours yet", kind ? "Make one at the right; it stays until you delete it." : "Bring a picture or draw a digit at the right; it stays until you delete it."]; // prettier-ignore
  if (wrong) return ["No wrong answers", "The model labels every matching sample correctly."];
  return ["No samples match", "Choose another set or label."];
}

/** @param {{title: string, detail: string, unread?: boolean, inputs?: string}} props inputs: of an offered model */
export const Message = ({ title, detail, unread = false, inputs }) =>
  html`<div class=${unread ? "message unread" : "message"} role="status">
    <p class="message-title">${title}</p>
    <p class="message-detail">${detail}</p>
    ${unread && html`<span class="reader" data-widget="reader" data-inputs=${inputs}></span>`}
  </div>`;

/** What stands in place of samples, or below a gallery that could not be renewed. */
function Failure() {
  const problem = samples.gallery.problem();
  if (!problem) return null;
  const gone = problem.status === 404 && samples.isOrdered();
  const [title, detail] = gone
    ? ["The order is no longer kept", "Choose the order again to measure it again."]
    : [problem.title, problem.message];
  if (!samples.gallery.latest()) return html`<${Message} title=${title} detail=${detail} />`;
  return html`<div class="outage-note" role="alert">
    <span>${title + ". " + detail}</span> <${Tool} act=${samples.gallery.again}>Try again<//>
  </div>`;
}

function Shown() {
  const message = samples.instead();
  const shown = samples.gallery.latest();
  if (message && !(message.waits && shown)) return html`<${Message} ...${message} />`;
  if (!shown) return samples.gallery.problem() ? null : html`<div class="skeleton skeleton-gallery"></div>`;
  if (shown.items.length) return html`<${Cards} items=${shown.items} />`;
  const [title, detail] = emptyOf(samples.choice.value, shown.kind);
  return html`<${Message} title=${title} detail=${detail} />`;
}

/** Which samples are shown of how many, and the way to others. */
function Pages() {
  const { items = [], total = 0, start = 0, size = 1 } = (!samples.instead() && samples.gallery.latest()) || {};
  const range = items.length ? whole(start + 1) + " to " + whole(start + items.length) : "0";
  const shown = Math.min(samples.choice.value.page, Math.ceil(total / size) + 1); // of a page beyond all, the last is before
  return html`<${Pager}
    id="gallery"
    words=${range + " of " + whole(total)}
    start=${size * (shown - 1)}
    step=${size}
    total=${total}
    before="Previous page"
    after="Next page"
    go=${(/** @type {number} */ to) => samples.choose({ page: 1 + to / size })}
  />`;
}

/** A line a data set: its name, what it stands in for, its licence; sets that count on have one line. */
function Licences() {
  const { source, set } = samples.choice.value;
  const kind = samples.kindNow();
  const all = (samples.catalogue.answer()?.sets ?? []).filter(
    ({ inputs, name }) => inputs === (kind ?? "images") && (!set || name === set),
  );
  const alike = new Set(all.map((each) => [each.licence, each.stand_in, each.stand_in_for].join()));
  const groups = alike.size === 1 ? runs(all) : all.map((each) => ({ stem: "", sets: [each] }));
  if (source === "own") return null;
  return html`<div id="gallery-licences" class="licences">
    ${groups.map(({ stem, sets: [first, ...rest] }) => {
      const number = (/** @type {string} */ title) => title.slice(title.lastIndexOf(" ") + 1);
      const last = rest.at(-1);
      const title = stem && last ? stem + " " + number(first.title) + " to " + number(last.title) : first.title;
      const standIn = first.stand_in_for ? "stand-in for " + first.stand_in_for : "stand-in";
      return html`<p key=${first.name}>
        <strong>${title}</strong>
        ${first.stand_in && html`<span class="tag tag-warn">${standIn}</span>`}
        <span>${first.licence}</span>
      </p>`;
    })}
  </div>`;
}

export function GalleryPanel() {
  const { order } = samples.choice.value;
  const kind = samples.kindNow();
  const shown = samples.instead() ? null : samples.gallery.latest();
  const stale = samples.isStale();
  const reads = (kind === null ? READS[""] : (READS[kind] ?? READ_TABLES)) + NUMBERS[order];
  const refused = Boolean(samples.instead()?.refused);
  return html`<${Panel} id="gallery" title="Gallery" reads=${reads} more=${VALUES[order]} look="panel-gallery">
    <${Folded}><${Controls} /><//>
    <${Under} />
    ${!refused && html`<${JobProgress} name=${samples.JOB} what="Measuring samples for their order" />`}
    ${shown?.ranked && html`<${Measured} ranked=${shown.ranked} />`}
    <${Failure} />
    <div id="gallery" class="gallery" data-former=${stale ? "true" : undefined} aria-busy=${String(stale)}>
      <${Shown} />
    </div>
    <${Pages} />
    <div id="gallery-table" hidden=${!shown?.ranked}>
      <${AsTable}
        words="The order as a table"
        caption=${() => VALUES[shown?.ranked?.order ?? order]}
        rows=${shown?.ranked ? () => rowsOf(shown) : null}
        data=${{ id: "gallery-order-table" }}
      />
    </div>
    <${Licences} />
  <//>`;
}
