/* The panels about a mixture of experts: heat maps on canvases, what is even in numbers, tokens in their texts. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { linkTo } from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { fixed, percent, whole } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import * as scenes from "rs/pages/observe/experts/scenes.js";
import * as experts from "rs/pages/observe/experts/state.js";
import { Figures } from "rs/parts/table.js";

/** @import { Heat, Load } from "rs/pages/observe/experts/scenes.js" */

/** @typedef {NonNullable<ReturnType<typeof experts.shown>>} Shown */

const MOST_SHOWN = 64; // experts whose exemplars are shown
const WIDEST = 860;

/** @param {number | null} value */
const said = (value) => (value === null ? "\u2013" : fixed(value, 3));

/** @type {Record<string, {scene: (shown: Shown, width: number) => Heat, rows: (shown: Shown) => unknown[][]}>} */
export const PICTURES = {
  load: {
    scene: ({ found, at }, width) => scenes.loads(found, width, at),
    rows: ({ found }) => [
      ["layer", "expert", "load", "weight"],
      ...found.layers.flatMap(({ name, units, load, weight }) =>
        units.map((unit, e) => [name, unit, load[e], weight[e]]),
      ),
    ],
  },
  domains: {
    scene: ({ found, layer }, width) => scenes.domains(found, layer, width),
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
  ],
  ...found.layers.map((each) => [
    each.name,
    each.units.length,
    each.effective,
    each.most_over_mean,
    each.dead.length,
    each.token_entropy,
    each.specialisation ?? "",
    each.null ?? "",
    each.null_high ?? "",
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

/** @param {Shown} shown */
function factsOf({ found, layer }) {
  const { model, revision, count, seed, intervention, id } = found;
  const data = found.data.map((each) => ({ name: each.name, count: each.count, stand_in: each.stand_in }));
  const { drop, mute, top_k } = intervention;
  return {
    model,
    revision,
    data,
    count,
    seed,
    drop,
    mute,
    top_k: top_k ?? null,
    layer_shown: layer.name,
    observation: id,
    kind: "observed",
  };
}

/* -- pictures ------------------------------------------------------------------------------------------------- */

class ExpertPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.key = host.dataset.key ?? "";
    this.about = PICTURES[this.key];
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.spots = /** @type {Heat["spots"]} */ ([]);
    const draw = () => this.draw();
    this.ends = [experts.subscribe(draw), onThemeChange(draw), onResize(host, draw)];
    this.canvas.addEventListener("pointermove", (event) => (this.canvas.title = this.at(event)?.words ?? ""));
    if (this.key === "load") this.canvas.addEventListener("click", (event) => this.choose(event));
    exports.register("observe-experts-" + this.key, () => this.exported());
  }

  dispose() {
    this.ends.forEach((end) => end());
  }

  draw() {
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
  at(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return this.spots.find((spot) => x >= spot.x && x < spot.x + spot.w && y >= spot.y && y < spot.y + spot.h);
  }

  /** @param {MouseEvent} event */
  choose(event) {
    const spot = this.at(event);
    const name = spot && experts.state.found?.layers[spot.row].name;
    const button = name && document.querySelector('[data-observe-step="' + CSS.escape(name) + '"]');
    if (button instanceof HTMLElement) button.click();
  }

  exported() {
    const shown = experts.shown();
    if (!shown) return null;
    const rows = this.about.rows(shown);
    return {
      name: "experts-" + this.key,
      facts: factsOf(shown),
      rows: () => rows,
      json: () => ({ columns: rows[0], rows: rows.slice(1) }),
      picture: { scene: () => this.about.scene(shown, Math.max(560, Math.min(this.host.clientWidth, WIDEST))) },
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
        <th scope="row">${scenes.layerName(name)}</th>
        <td>${fixed(effective, 1) + " of " + units.length}</td>
        <td>${fixed(most, 2)}</td>
        <td title=${dead.join(", ")}>${percent(dead.length / units.length) + " %"}</td>
        <td>${fixed(entropy, 2)}</td>
      </tr>`,
  );
  return html`<${Figures} heads=${heads} rows=${rows} look="experts-balance" />`;
}

registerWidget("experts-balance", (host) => {
  exports.register("observe-experts-balance", () => {
    const shown = experts.shown();
    if (!shown) return null;
    const rows = balanceRows(shown.found);
    const json = () => ({ columns: rows[0], rows: rows.slice(1) });
    return { name: "experts-balance", facts: factsOf(shown), rows: () => rows, json, picture: {} };
  });
  return show(host, Balance);
});

function Specialised() {
  const shown = experts.shown();
  if (!shown) return null;
  const { specialisation, null: shuffled, null_high: high, name } = shown.layer;
  if (specialisation === null) return html`One data set alone: nothing to compare.`;
  const beyond = high !== null && specialisation > high;
  return html`<strong>${scenes.layerName(name) + ": " + said(specialisation)}</strong>
    ${" from 0 (data sets alike) to 1; with the texts shuffled " + said(shuffled) + ", 95 % below " + said(high) + "."}
    ${beyond ? " Beyond chance." : " No more than by chance."}`;
}

registerWidget("experts-specialised", (host) => show(host, Specialised));

/* -- tokens in their texts -------------------------------------------------------------------------------------- */

/** White space that would not be seen. @param {string} text */
const visible = (text) => text.replace(/\n/g, "\u21b5").replace(/\t/g, "\u21e5");
/** @param {string} text */
const token = (text) => (text.trim() ? visible(text) : visible(text).replace(/ /g, "\u2423"));

function Exemplars() {
  const shown = experts.shown();
  if (!shown) return null;
  const { found, layer, at } = shown;
  const units = layer.units.slice(0, MOST_SHOWN);
  return units.map((unit) => {
    const own = found.exemplars.filter((each) => each.unit === unit);
    const lines = own.map(
      (each) =>
        html`<li>
          <a
            class="experts-line"
            href=${linkTo("paths", { model: found.model, sample: each.sample, step: at })}
            title=${each.sample + ", token " + each.token + ", " + percent(each.weight) + " % of its routing"}
            >${visible(each.before)}<mark>${token(each.text)}</mark>${visible(each.after)}</a
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
    const shown = experts.shown();
    if (!shown) return null;
    const rows = exemplarRows(shown.found);
    return {
      name: "experts-exemplars",
      facts: factsOf(shown),
      rows: () => rows,
      json: () => ({ exemplars: shown.found.exemplars }),
      picture: {},
    };
  });
  return show(host, Exemplars);
});

/** What was observed, beside the heading. */
export function Caption() {
  const shown = experts.shown();
  if (!shown) return null;
  const { found } = shown;
  const { drop, mute } = found.intervention;
  const gone = [...drop.map((unit) => unit + " dropped"), ...mute.map((unit) => unit + " muted")];
  return html`<strong>${whole(found.count) + " texts"}</strong>
    <span>${whole(found.tokens) + " tokens"}</span>
    <span>${found.data.map((each) => whole(each.count) + " of " + each.name).join(", ")}</span>
    ${gone.length > 0 && html`<span>${gone.join(", ")}</span>`}
    <span>${found.model} <code>${found.revision.slice(0, 8)}</code></span>
    <span>${"seed " + found.seed}</span>`;
}
