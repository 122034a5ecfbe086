/* The panels about a mixture of experts: heat maps, balance in numbers, tokens in their texts. */
import { asJson } from "rs/draw/exports.js";
import { domains, loads } from "rs/draw/heat.js";
import { logFacts } from "rs/draw/publish/words.js";
import { linkTo, linkToToken } from "rs/lib/address.js";
import { fixed, percent, whole } from "rs/lib/format.js";
import { follow } from "rs/lib/navigation/go.js";
import { current } from "rs/lib/selection.js";
import { seenText } from "rs/lib/trace.js";
import { layerName } from "rs/lib/units.js";
import { html } from "rs/lib/view.js";
import * as scenes from "rs/pages/observe/experts/scenes.js";
import * as observe from "rs/pages/observe/state.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { Figures } from "rs/parts/table.js";

/** @import { Chart, Panel as Written } from "rs/draw/types.d.ts" */
/** @import { AnyLoad, Shown } from "rs/pages/observe/types.d.ts" */

const MOST_SHOWN = 64; // experts whose exemplars are shown
const WIDEST = 860;

/** @param {number | null} value */
const three = (value) => (value === null ? "\u2013" : fixed(value, 3));

/** @type {Record<string, {scene: (shown: Shown, width: number) => Chart, rows: (shown: Shown) => unknown[][]}>} */
const PICTURES = {
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

/** @param {AnyLoad} found */
const balanceRows = (found) => [
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

/** @param {AnyLoad} found */
const exemplarRows = (found) => [
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
function factsOf({ found, layer, log }) {
  const { model, revision, count, tokens, seed, shuffles, id, data = [], intervention } = found;
  if (log) return { ...logFacts([log]), count, tokens, layer_shown: layer.name };
  return {
    model,
    revision,
    data: data.map(({ name, count: own, stand_in }) => ({ name, count: own, stand_in })),
    count,
    seed,
    shuffles,
    drop: intervention?.drop,
    mute: intervention?.mute,
    top_k: intervention?.top_k ?? null,
    layer_shown: layer.name,
    observation: id,
    kind: "observed",
  };
}

/* -- what panels say ---------------------------------------------------------------------------------------------- */

function Balance() {
  const shown = observe.shown();
  if (!shown) return null;
  /** @param {string} name @param {string} title */
  const head = (name, title) => html`<th scope="col" title=${title}>${name}</th>`;
  const heads = [
    html`<td></td>`,
    head("effective", "Experts in effect used: exp of the entropy of their load"),
    head("max / mean", "Load of the most used expert over the mean: 1 where all are alike"),
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
  return html`<${Figures} heads=${heads} rows=${rows} look="experts-balance" />`;
}

/** @param {Shown} shown */
function specialised({ layer: { specialisation, null: shuffled, null_high: high, name }, counting }) {
  const number = html`<strong>${layerName(name) + ": " + three(specialisation)}</strong> (0: data sets alike; 1: apart). `;
  if (counting)
    return html`${specialisation !== null && number}The shuffled baseline comes when all texts are counted.`;
  if (specialisation === null) return "One data set alone: nothing to compare.";
  return html`${number}Texts shuffled: ${three(shuffled)}, 95 % below ${three(high)}.
  ${high !== null && specialisation > high ? " Beyond chance." : " No more than by chance."}`;
}

/** @param {Shown} shown */
function byToken({ found, layer: { by_token: by, name } }) {
  if (!by) return null;
  if (by.specialisation === null) return "One kind of token alone, or one expert: nothing to compare.";
  const times = found.token_shuffles ? " (" + found.token_shuffles + " times)" : "";
  const beyond = by.within_high !== null && by.specialisation > by.within_high;
  return html`<strong>${layerName(name) + ": " + three(by.specialisation)}</strong>
    ${" (0: tokens alike; 1: apart). All tokens shuffled" + times + ": " + three(by.null) + ", 97.5 % below " + three(by.null_high) + ". Each text's own tokens shuffled: " + three(by.within) + ", 97.5 % below " + three(by.within_high) + ". "}
    ${beyond ? "Beyond what texts explain. " : "No more than texts explain. "}
    ${"The most frequent of " + whole(found.distinct ?? 0) + " kinds of tokens are shown."}`;
}

/** @param {Shown} shown */
function unwritten({ found, layer }) {
  if (found.unwritten) return "Not observed: " + found.unwritten + ".";
  if (!layer.written) return "Not measured for so many pairs of experts.";
  return "On " + whole(found.written_texts ?? 0) + " texts. An expert is asked only about tokens that it gets.";
}

/* -- tokens in their texts ---------------------------------------------------------------------------------------- */

/**
 * The path of a token's text, or of the part of a log around it.
 *
 * @param {AnyLoad} found
 * @param {AnyLoad["exemplars"][number] & {sequence?: number}} exemplar
 * @param {number} step
 * @param {{id: string} | null} log
 */
export function linkOf(found, { sample, sequence = 0, token }, step, log) {
  if (!log) return linkTo("paths", { model: found.model, sample, step });
  return linkToToken({ ...current(), log: log.id, sequence, token, step });
}

function Exemplars() {
  const shown = observe.shown();
  if (!shown) return null;
  const { found, layer, at, log } = shown;
  return layer.units.slice(0, MOST_SHOWN).map((unit, e) => {
    const own = found.exemplars.filter((each) => each.unit === unit);
    const lines = own.map(
      (each) =>
        html`<li>
          <a
            class="experts-line"
            href=${linkOf(found, each, at, log)}
            onClick=${follow}
            title=${each.sample + ", token " + each.token + ", " + percent(each.weight) + " % of its routing"}
            >${seenText(each.before)}<mark>${scenes.token(each.text)}</mark>${seenText(each.after)}</a
          >
        </li>`,
    );
    return html`<section class="experts-unit" key=${unit}>
      <h3>${unit} <span class="hint">${percent(layer.load[e])} %</span></h3>
      ${
        lines.length
          ? html`<ul>
              ${lines}
            </ul>`
          : html`<p class="hint">No token took it.</p>`
      }
    </section>`;
  });
}

/* -- panels ------------------------------------------------------------------------------------------------------- */

/**
 * @typedef {object} About a panel
 * @property {string} key
 * @property {string} title
 * @property {string} reads
 * @property {string} [more]
 * @property {number} span twelfths of the page's width
 * @property {(shown: Shown) => boolean} [has] whether it has something to show
 * @property {(shown: Shown) => unknown} [words] before its picture
 * @property {() => unknown} [Body] in place of a picture
 */

/** @type {About[]} */
const PANELS = [
  {
    key: "load",
    title: "Load by layer and expert",
    reads: "Share, in percent, of a layer's choices that each expert has. Blue: above an even share; red: below; framed: no token took it.",
    more: "Click a row for its layer.",
    span: 7,
  },
  {
    key: "balance",
    title: "Balance and dead experts",
    reads: "How evenly the experts of each layer are used, and how sure a token's router is. No expert is dropped.",
    span: 5,
    Body: Balance,
  },
  {
    key: "domains",
    title: "Which data set uses which expert",
    reads: "Share, in percent, of a data set's choices that each expert of the layer has. Blue: more than over all data sets.",
    more: "Framed: outside 95 % of shuffles of the texts between data sets.",
    span: 6,
    has: ({ log }) => !log,
    words: specialised,
  },
  {
    key: "together",
    title: "Taken together",
    reads: "How often a token takes two experts of the layer together, against chance (1 = chance). Blue: above 1; red: below.",
    span: 6,
    has: ({ layer, log }) => !log || Boolean(layer.together),
  },
  {
    key: "tokens",
    title: "Which token takes which expert",
    reads: "Share, in percent, of a token's choices that each expert of the layer has. Blue: more than over all tokens.",
    more: "Framed: outside 95 % of shuffles of each text's own tokens.",
    span: 12,
    has: ({ found, layer }) => found.kinds.length > 0 && Boolean(layer.by_token),
    words: byToken,
  },
  {
    key: "alike",
    title: "Alike in what they take",
    reads: "How alike the kinds of tokens are that two experts of the layer take: 1 where both take the same kinds as often.",
    more: "1 minus the Jensen-Shannon distance of the kinds of tokens; 0: they share none.",
    span: 6,
    has: ({ layer }) => Boolean(layer.alike),
  },
  {
    key: "written",
    title: "Alike in what they write",
    reads: "Mean cosine of what two experts of the layer write for the tokens that take both: 1 for the same direction.",
    more: "No cell: no token takes both.",
    span: 6,
    has: ({ log, counting }) => !log && !counting,
    words: unwritten,
  },
  {
    key: "exemplars",
    title: "Tokens in their texts",
    reads: "The tokens that each expert of the layer has most weight for, one a text. Click one for the path of its text.",
    span: 12,
    has: ({ found }) => found.exemplars.length > 0,
    Body: Exemplars,
  },
]; // prettier-ignore

/** @type {Record<string, (found: AnyLoad) => unknown[][]>} */
const ROWS = { balance: balanceRows, exemplars: exemplarRows };

/** What files of a panel hold; null while baselines are to come. @param {string} key @returns {Written | null} */
function written(key) {
  const shown = observe.shown();
  if (!shown || observe.status() !== "ready") return null;
  const picture = PICTURES[key];
  const rows = picture ? picture.rows(shown) : ROWS[key](shown.found);
  return {
    name: "experts-" + key,
    facts: factsOf(shown),
    python: { figure: shown.log ? "log-experts" : "experts", panel: key },
    rows: () => rows,
    json: () => (key === "exemplars" ? { exemplars: shown.found.exemplars } : asJson(rows)),
    picture: picture ? { scene: (width) => picture.scene(shown, width ?? WIDEST) } : {},
  };
}

/** A heat map with its table, of all layers or one. @param {{about: About, shown: Shown}} props */
function Heat({ about: { key, title }, shown }) {
  const { scene, rows } = PICTURES[key];
  const ofAll = key === "load";
  /** @param {unknown} row of the picture */
  const pick = (row) => {
    const layer = observe.shown()?.found.layers[/** @type {{row: number}} */ (row).row];
    if (layer) observe.chooseStep(layer.name, false);
  };
  return html`
    <${Picture}
      look="observe-picture"
      widest=${WIDEST}
      data=${{ "data-key": key }}
      scene=${(/** @type {number} */ width) => {
        const now = observe.shown();
        return now && scene(now, width);
      }}
      drawn=${() => {
        const now = observe.shown();
        return now ? now.found.id + " " + now.layer.name : "";
      }}
      label=${(/** @type {Chart} */ { title: name, desc }) => name + ". " + desc}
      onPick=${ofAll ? pick : undefined}
    />
    <${AsTable}
      words=${title + " as a table"}
      caption=${() => title + ": " + (ofAll ? "all layers" : layerName(shown.layer.name))}
      rows=${() => rows(shown).filter(([layer], at) => ofAll || !at || layer === shown.layer.name)}
    />
  `;
}

/** All panels about experts; those that a log or the first counts say nothing for are hidden. */
export function ExpertPanels() {
  const shown = observe.shown();
  if (!shown) return null;
  return PANELS.map((about) => {
    const { key, title, reads, more, span, has = () => true, words, Body } = about;
    const hidden = !has(shown);
    return html`<${Panel}
      key=${key}
      id=${"observe-experts-" + key}
      title=${title}
      reads=${reads}
      more=${more}
      tag="observed"
      formats=${Body ? ["csv", "json"] : ["svg", "png", "csv", "json"]}
      look=${"span-" + span}
      hidden=${hidden}
      written=${() => written(key)}
    >
      ${words && !hidden && html`<p class="observe-numbers experts-specialised">${words(shown)}</p>`}
      ${
        Body
          ? html`<div class=${"observe-picture experts-" + key + "-place"}><${Body} /></div>`
          : !hidden && html`<${Heat} about=${about} shown=${shown} />`
      }
    <//>`;
  });
}
