/* The panels about a mixture of experts: heat maps on canvases, what is even in numbers, tokens in their texts. */
import * as exports from "rs/draw/exports.js";
import { domains, loads } from "rs/draw/heat.js";
import { sayUnder } from "rs/draw/marks.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { logFacts } from "rs/draw/publish/words.js";
import { linkTo, linkToToken } from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { fixed, percent, whole } from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { seenText } from "rs/lib/trace.js";
import { layerName, listed } from "rs/lib/units.js";
import { html, show } from "rs/lib/view.js";
import * as scenes from "rs/pages/observe/experts/scenes.js";
import * as experts from "rs/pages/observe/experts/state.js";
import * as tables from "rs/parts/table.js";

/** @import { Chart, Panel, Spot } from "rs/draw/types.d.ts" */
/** @import { Load } from "rs/pages/observe/experts/scenes.js" */

/** @typedef {NonNullable<ReturnType<typeof experts.shown>>} Shown */

/** @type {Record<string, string>} */
const TITLES = {
  load: "Load",
  domains: "Experts by data set",
  tokens: "Experts by token",
  together: "Taken together",
  alike: "Alike in what they take",
  written: "Alike in what they write",
};
const MOST_SHOWN = 64; // experts whose exemplars are shown
const WIDEST = 860;

/** @param {number | null} value */
const said = (value) => (value === null ? "\u2013" : fixed(value, 3));

/** @type {Record<string, {scene: (shown: Shown, width: number) => Chart, rows: (shown: Shown) => unknown[][]}>} */
export const PICTURES = {
  load: {
    scene: ({ found, at }, width) => loads(found, width, at),
    rows: ({ found }) => [
      ["layer", "expert", "load", "weight"],
      ...found.layers.flatMap(({ name, units, load, weight }) =>
        units.map((unit, e) => [name, unit, load[e], weight?.[e] ?? ""]),
      ),
    ],
  },
  domains: {
    scene: ({ found, layer }, width) => domains(found, layer, width),
    rows: ({ found }) => [
      ["layer", "expert", "data", "share", "shuffled_low", "shuffled_high"],
      ...found.layers.flatMap(({ name, units, by_domain: own, low, high }) =>
        units.flatMap((unit, e) => found.domains.map((set, d) => [name, unit, set, own[e][d], low[e][d], high[e][d]])),
      ),
    ],
  },
  together: {
    scene: ({ found, layer }, width) => scenes.together(found, layer, width),
    rows: ({ found }) => [
      ["layer", "expert", "other", "over_independence"],
      ...found.layers.flatMap(({ name, units, together }) =>
        units.flatMap((unit, e) => units.map((other, f) => [name, unit, other, together?.[e][f] ?? ""])),
      ),
    ],
  },
  tokens: {
    scene: ({ found, layer }, width) => scenes.tokens(found, layer, width),
    rows: ({ found }) => [
      ["layer", "expert", "token", "share", "shuffled_low", "shuffled_high"],
      ...found.layers.flatMap(({ name, units, by_token: by }) =>
        !by
          ? []
          : units.flatMap((unit, e) =>
              (found.kinds ?? []).map(({ text }, v) => [name, unit, text, by.share[e][v], by.low[e][v], by.high[e][v]]),
            ),
      ),
    ],
  },
  alike: {
    scene: ({ found, layer }, width) => scenes.alike(found, layer, width),
    rows: ({ found }) => [
      ["layer", "expert", "other", "alike"],
      ...found.layers.flatMap(({ name, units, alike }) =>
        units.flatMap((unit, e) => units.map((other, f) => [name, unit, other, alike?.[e][f] ?? ""])),
      ),
    ],
  },
  written: {
    scene: ({ found, layer }, width) => scenes.written(found, layer, width),
    rows: ({ found }) => [
      ["layer", "expert", "other", "cosine", "low", "high", "tokens"],
      ...found.layers.flatMap(({ name, units, written }) =>
        !written
          ? []
          : units.flatMap((unit, e) =>
              units.map((other, f) => [
                name,
                unit,
                other,
                ...[written.cosine, written.low, written.high, written.tokens].map((of) => of[e][f] ?? ""),
              ]),
            ),
      ),
    ],
  },
};

/** @param {Load} found */
export const balanceRows = (found) => [
  [
    "layer",
    "experts",
    "effective",
    "most_over_mean",
    "dead",
    "token_entropy",
    "specialisation",
    "shuffled",
    "shuffled_high",
    "by_token",
    "tokens_shuffled",
    "tokens_shuffled_high",
    "tokens_of_texts_shuffled",
    "tokens_of_texts_shuffled_high",
  ],
  ...found.layers.map((each) => [
    each.name,
    each.units.length,
    each.effective,
    each.most_over_mean,
    each.dead.length,
    each.token_entropy ?? "",
    each.specialisation ?? "",
    each.null ?? "",
    each.null_high ?? "",
    each.by_token?.specialisation ?? "",
    each.by_token?.null ?? "",
    each.by_token?.null_high ?? "",
    each.by_token?.within ?? "",
    each.by_token?.within_high ?? "",
  ]),
];

/** @param {Load} found */
export const exemplarRows = (found) => [
  ["expert", "weight", "sample", "token", "before", "text", "after"],
  ...found.exemplars.map((each) => [
    each.unit,
    each.weight,
    each.sample,
    each.token,
    each.before,
    each.text,
    each.after,
  ]),
];

/**
 * The code of a panel: of a log or of a model.
 *
 * @param {string} panel
 * @returns {Panel["python"]}
 */
const pythonOf = (panel) => ({ figure: experts.state.log ? "log-experts" : "experts", panel });

/** @param {Shown} shown */
function factsOf({ found: { count, tokens }, layer }) {
  const { log, model: found } = experts.state;
  if (log) return { ...logFacts([log]), count, tokens, layer_shown: layer.name };
  if (!found) return {};
  const { model, revision, seed, shuffles, intervention, id } = found;
  const data = found.data.map((each) => ({ name: each.name, count: each.count, stand_in: each.stand_in }));
  const { drop, mute, top_k } = intervention;
  return {
    model,
    revision,
    data,
    count,
    seed,
    shuffles,
    drop,
    mute,
    top_k: top_k ?? null,
    layer_shown: layer.name,
    observation: id,
    kind: "observed",
  };
}

/** What panels save: nothing while texts and shuffles are counted. */
const settled = () => (experts.state.counting ? null : experts.shown());

/* -- pictures ------------------------------------------------------------------------------------------------- */

class ExpertPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.key = host.dataset.key ?? "";
    this.about = PICTURES[this.key];
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.spots = /** @type {Spot[]} */ ([]);
    this.later = 0;
    const draw = () => this.draw();
    this.ends = [experts.subscribe(() => this.soon()), onThemeChange(draw), onResize(host, draw)];
    this.at = sayUnder(this.canvas, () => this.spots);
    if (this.key === "load") this.canvas.addEventListener("click", (event) => this.choose(event));
    exports.register("observe-experts-" + this.key, () => this.exported());
  }

  dispose() {
    cancelIdleCallback(this.later);
    this.ends.forEach((end) => end());
  }

  /** Draws at once what is in sight; what is not, when the page has nothing else to do. */
  soon() {
    const { top, bottom } = this.host.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) this.draw();
    else {
      cancelIdleCallback(this.later);
      this.later = requestIdleCallback(() => this.draw(), { timeout: 2000 });
    }
  }

  draw() {
    cancelIdleCallback(this.later);
    const shown = experts.shown();
    const width = Math.min(this.host.clientWidth, WIDEST);
    if (!shown || width < 60) return;
    const scene = this.about.scene(shown, width);
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    Object.assign(this.canvas.style, { width: scene.width + "px", height: scene.height + "px" });
    this.canvas.dataset.painted = shown.found.id + " " + shown.layer.name;
    this.canvas.setAttribute("aria-label", scene.title + ". " + scene.desc);
    this.spots = scene.spots;
  }

  /** @param {MouseEvent} event */
  choose(event) {
    const spot = this.at(event);
    const name = spot && experts.state.found?.layers[/** @type {{row: number}} */ (spot.of).row].name;
    const button = name && document.querySelector('[data-observe-step="' + CSS.escape(name) + '"]');
    if (button instanceof HTMLElement) button.click();
  }

  exported() {
    const shown = settled();
    if (!shown) return null;
    const rows = this.about.rows(shown);
    return {
      name: "experts-" + this.key,
      facts: factsOf(shown),
      python: pythonOf(this.key),
      rows: () => rows,
      json: () => exports.asJson(rows),
      picture: {
        scene: (/** @type {number | undefined} */ width) =>
          this.about.scene(shown, width ?? Math.max(560, Math.min(this.host.clientWidth, WIDEST))),
      },
    };
  }
}

registerWidget("experts-picture", (host) => {
  const picture = new ExpertPicture(host);
  return () => picture.dispose();
});

/* -- numbers -------------------------------------------------------------------------------------------------- */

/** @param {string} name @param {string} title */
const head = (name, title) => html`<th scope="col" title=${title}>${name}</th>`;

function Balance() {
  const shown = experts.shown();
  if (!shown) return null;
  const heads = [
    head("layer", "Layers that route"),
    head("in effect", "exp of the entropy of the load: so many experts, used alike, would be as even"),
    head("max / mean", "The largest load over the mean one: 1 where all are alike"),
    head("never taken", "Experts that no token took"),
    head("entropy", "Mean entropy of the shares of a token's experts, in nats"),
  ];
  const rows = shown.found.layers.map(
    ({ name, units, effective, most_over_mean: most, dead, token_entropy: entropy }, at) =>
      html`<tr data-shown=${String(at === shown.at)}>
        <th scope="row">${layerName(name)}</th>
        <td>${fixed(effective, 1) + " of " + units.length}</td>
        <td>${fixed(most, 2)}</td>
        <td title=${dead.join(", ")}>${percent(dead.length / units.length) + " %"}</td>
        <td>${entropy === null ? "\u2013" : fixed(entropy, 2)}</td>
      </tr>`,
  );
  return html`<${tables.Figures} heads=${heads} rows=${rows} look="experts-balance" />`;
}

registerWidget("experts-balance", (host) => {
  exports.register("observe-experts-balance", () => {
    const shown = settled();
    if (!shown) return null;
    const rows = balanceRows(shown.found);
    const json = () => exports.asJson(rows);
    return {
      name: "experts-balance",
      facts: factsOf(shown),
      python: pythonOf("balance"),
      rows: () => rows,
      json,
      picture: {},
    };
  });
  return show(host, Balance);
});

function Specialised() {
  const shown = experts.shown();
  if (!shown) return null;
  const { specialisation, null: shuffled, null_high: high, name } = shown.layer;
  const number = html`<strong>${layerName(name) + ": " + said(specialisation)}</strong> from 0 (data sets alike) to 1`;
  if (experts.state.counting)
    return html`${specialisation !== null && [number, ". "]}The shuffled baseline comes when all texts are counted.`;
  if (specialisation === null) return html`One data set alone: nothing to compare.`;
  const beyond = high !== null && specialisation > high;
  return html`${number}; with the texts shuffled ${said(shuffled)}, 95 % below ${said(high)}.
  ${beyond ? " Beyond chance." : " No more than by chance."}`;
}

registerWidget("experts-specialised", (host) => show(host, Specialised));

function ByToken() {
  const shown = experts.shown();
  const by = shown?.layer.by_token;
  if (!shown || !by) return null;
  if (by.specialisation === null) return html`One kind of token alone, or one expert: nothing to compare.`;
  const beyond = by.within_high !== null && by.specialisation > by.within_high;
  const { found, layer } = shown;
  const times = found.token_shuffles ? " (" + found.token_shuffles + " times)" : "";
  const told = "Of " + found.distinct + " kinds of tokens the most frequent are shown. ";
  return html`<strong>${layerName(layer.name) + ": " + said(by.specialisation)}</strong> ${
      " from 0 (tokens alike) to 1; with all tokens shuffled" +
      times +
      " " +
      said(by.null) +
      ", 97.5 % below " +
      said(by.null_high) +
      "; with the tokens of each text shuffled, which keeps what texts are about, " +
      said(by.within) +
      ", 97.5 % below " +
      said(by.within_high) +
      ". "
    }
    ${told}${beyond ? "Beyond what texts explain." : "No more than texts explain."}`;
}

registerWidget("experts-by-token", (host) => show(host, ByToken));

function Unwritten() {
  const shown = experts.shown();
  if (!shown) return null;
  const { found, layer } = shown;
  if (found.unwritten) return html`<span>${"Not observed: " + found.unwritten + "."}</span>`;
  if (!layer.written) return html`<span>Not told of so many pairs of experts.</span>`;
  const on = "On " + whole(found.written_texts ?? 0) + " texts; ";
  return html`<span>${on + "no expert is asked about tokens that it does not get."}</span>`;
}

registerWidget("experts-unwritten", (host) => show(host, Unwritten));

/* -- the same as tables ----------------------------------------------------------------------------------------- */

registerWidget("experts-table", (host) => {
  const key = host.dataset.key ?? "";
  const details = /** @type {HTMLDetailsElement} */ (host.closest("details"));
  const fill = () => {
    const shown = experts.shown();
    if (!shown || !details.open) return tables.clear(host);
    const [head, ...rows] = PICTURES[key].rows(shown);
    const own = key === "load" ? rows : rows.filter(([layer]) => layer === shown.layer.name);
    tables.fill(host, [head, ...own], TITLES[key] + ": " + (key === "load" ? "all layers" : layerName(shown.layer.name))); // prettier-ignore
  };
  details.addEventListener("toggle", fill);
  const ends = [experts.subscribe(fill), () => details.removeEventListener("toggle", fill)];
  return () => ends.forEach((end) => end());
});

/* -- tokens in their texts -------------------------------------------------------------------------------------- */

/**
 * The path of a token's text, or of the part of a log around it.
 *
 * @param {Load} found
 * @param {Load["exemplars"][number] & {sequence?: number}} exemplar
 * @param {number} step
 */
export function linkOf(found, { sample, sequence = 0, token: place }, step) {
  const { log } = experts.state;
  if (!log) return linkTo("paths", { model: found.model, sample, step });
  return linkToToken({ ...current(), log: log.id, sequence, token: place, step });
}

/** @type {WeakMap<Load, Map<string, Load["exemplars"]>>} */
const byUnit = new WeakMap();

/** The exemplars of every expert. @param {Load} found */
function exemplarsOf(found) {
  let known = byUnit.get(found);
  if (!known) {
    known = new Map();
    for (const each of found.exemplars) known.set(each.unit, [...(known.get(each.unit) ?? []), each]);
    byUnit.set(found, known);
  }
  return known;
}

function Exemplars() {
  const shown = experts.shown();
  if (!shown) return null;
  const { found, layer, at } = shown;
  const units = layer.units.slice(0, MOST_SHOWN);
  return units.map((unit) => {
    const own = exemplarsOf(found).get(unit) ?? [];
    const lines = own.map(
      (each) =>
        html`<li>
          <a
            class="experts-line"
            href=${linkOf(found, each, at)}
            onClick=${follow}
            title=${each.sample + ", token " + each.token + ", " + percent(each.weight) + " % of its routing"}
            >${seenText(each.before)}<mark>${scenes.token(each.text)}</mark>${seenText(each.after)}</a
          >
        </li>`,
    );
    const load = layer.load[layer.units.indexOf(unit)];
    return html`<section class="experts-unit" key=${unit}>
      <h3>${unit} <span class="hint">${percent(load)} %</span></h3>
      ${
        own.length
          ? html`<ul>
              ${lines}
            </ul>`
          : html`<p class="hint">No token took it.</p>`
      }
    </section>`;
  });
}

registerWidget("experts-exemplars", (host) => {
  exports.register("observe-experts-exemplars", () => {
    const shown = settled();
    if (!shown) return null;
    const rows = exemplarRows(shown.found);
    return {
      name: "experts-exemplars",
      facts: factsOf(shown),
      python: pythonOf("exemplars"),
      rows: () => rows,
      json: () => ({ exemplars: shown.found.exemplars }),
      picture: {},
    };
  });
  return show(host, Exemplars);
});

/** What was observed, beside the heading. */
export function Caption() {
  const { model: found } = experts.state;
  if (!found) return null;
  const { drop, mute } = found.intervention;
  const gone = [drop.length && listed(drop) + " dropped", mute.length && listed(mute) + " muted"].filter(Boolean);
  const all = found.data.reduce((sum, { count }) => sum + count, 0);
  const texts = found.count < all ? whole(found.count) + " of " + whole(all) + " texts so far" : whole(found.count) + " texts"; // prettier-ignore
  return html`<strong>${texts}</strong>
    <span>${whole(found.tokens) + " tokens"}</span>
    <span>${found.data.map((each) => whole(each.count) + " of " + each.name).join(", ")}</span>
    ${gone.length > 0 && html`<span>${gone.join(", ")}</span>`}
    <span>${found.model} <code>${found.revision.slice(0, 8)}</code></span>
    <span>${"seed " + found.seed}</span>`;
}
