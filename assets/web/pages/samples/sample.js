/* The panel with the chosen sample: what it is, what one can do with it, and what the model answers. */
import { Cloud, placesOf } from "rs/draw/cloud.js";
import { queryOf } from "rs/lib/address.js";
import { figure } from "rs/lib/format.js";
import { pages } from "rs/lib/models.js";
import { follow } from "rs/lib/navigation/go.js";
import { linkOf } from "rs/lib/selection.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, icon } from "rs/lib/view.js";
import { Bars, Drawn, called, cell, labelled, moreRows } from "rs/parts/samples/drawn.js";
import { Message } from "rs/pages/samples/gallery.js";
import { MatrixPanels } from "rs/pages/samples/panels.js";
import * as samples from "rs/pages/samples/state.js";
import { Choice, Tool } from "rs/parts/controls.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import { CAPTION, rowsOf, sceneOf, wordsOf } from "rs/parts/predictions.js";
import { TableOf } from "rs/parts/table.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Facts } from "rs/parts/predictions.js" */
/** @import { Chosen } from "rs/pages/samples/types.d.ts" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */
/** @typedef {Schemas["ScoredTable"]} Table */

const MOST_PRODUCTS = 5; // of a function, that are shown without its truth table
const LEAST = 0.005; // an error below which two decimals would say 0.00
const READ_HEADS = "Probability of each label by each head; the triangle marks the true label.";
const READ_SCORE = "The model's answer, its loss, and the sample.";
const READ_EXPRESSION =
  "Products of the variables (\u00aca is 1 - a), joined by x \u2295 y = 1 - (1 - x)(1 - y): the \u201cor\u201d of product fuzzy logic.";
/** Whose a sample is that is not this browser's alone. @type {Record<string, string>} */
const OWNERS = {
  another: "Another user's sample. Everybody with its link can see it; only its owner can change it.",
  everybody: "Every user can change this sample, because it has no owner.",
};
const LABELS = [["", "no label"], ...Array.from({ length: 10 }, (_, label) => [String(label), String(label)])];

/* -- where one goes from here ------------------------------------------------------------------------------------ */

/** A link with more in it than pages carry to each other. @param {string} link @param {Record<string, string>} more */
export function withMore(link, more) {
  const [path, query] = link.split("?");
  return path + queryOf({ ...Object.fromEntries(new URLSearchParams(query)), ...more });
}

/** A link to a page with the sample. @param {{to: string, words: string, more?: Record<string, string>}} props */
function See({ to, words, more }) {
  const page = pages().find(({ key }) => key === to);
  if (!page) return null;
  const link = withMore(linkOf(page, page.samples || !more ? {} : { sample: null }), more ?? {});
  return html`<a id="see-path" class="button" href=${link} onClick=${follow}>${icon(page.icon)}${words}</a>`;
}

/** The link of a sample that is no single picture; null where no page shows it. @param {{table: Table}} props */
function SeeTable({ table: { id, inputs, rows, blocks } }) {
  const paths = pages().find(({ key }) => key === "paths");
  if (paths?.inputs.includes(inputs) && !samples.PICTURED.includes(inputs))
    return html`<${See} to="paths" words="Its path" />`;
  if (inputs === "statements") {
    const more = { statement: id, s1: rows.map(([, word]) => word).join(" ") };
    return html`<${See} to="circuits" words="Its circuit" more=${more} />`;
  }
  if (!blocks) return null;
  const program = blocks.program.map((subtask) => subtask + 1).join(",");
  return html`<${See} to="blocks" words="Its blocks" more=${{ digits: blocks.digits.join(","), program }} />`;
}

/** Facts about the sample's data set. @param {{standIn: boolean, data: Schemas["DataSet"] | undefined}} props */
const Source = ({ standIn, data }) => html`
  ${standIn && html`<p><span class="tag tag-warn">stand-in data</span></p>`}
  ${data && html`<p class="licence">${data.licence}</p>`}
`;

/* -- pictures -------------------------------------------------------------------------------------------------------- */

/**
 * What can be changed of a picture of the user.
 *
 * @param {{sample: Schemas["Sample"], edit: {name: string, label: number | null}}} props edit: what is changed, as it is typed
 */
const Fields = ({ sample: { name, label, owner }, edit }) => html`
  <label class="writes own-field">
    Name
    <input
      id="sample-name"
      class="small-input"
      maxlength="80"
      value=${name}
      onInput=${(/** @type {Event} */ event) => (edit.name = /** @type {HTMLInputElement} */ (event.target).value)}
    />
  </label>
  <label class="writes own-field">
    Label
    <${Choice}
      id="sample-label"
      look="small-input"
      options=${LABELS}
      chosen=${String(label ?? "")}
      onChoose=${(/** @type {string} */ next) => (edit.label = next === "" ? null : Number(next))}
    />
  </label>
  ${owner === "everybody" && html`<p class="hint">${OWNERS.everybody}</p>`}
`;

/** @param {{sample: Schemas["Sample"], data: Schemas["DataSet"] | undefined, see: ComponentChildren}} props */
function PictureFacts({ sample, data, see }) {
  const { id, name, label, origin, owner, image } = sample;
  const { current: edit } = useRef({ name, label });
  const mine = origin !== "data" && owner !== "another";
  const save = () => void (edit.name.trim() && samples.save(id, { ...edit, name: edit.name.trim() }));
  const actions =
    mine &&
    html`<${Tool} id="sample-save" look="tool tool-text writes" act=${save}>Save<//>
      <details class="menu writes">
        <summary id="sample-delete-menu" class="tool tool-text tool-danger" aria-label=${"Delete " + name}>
          Delete
        </summary>
        <div class="menu-items">
          <p class="hint">This cannot be undone.</p>
          <${Tool} id="sample-delete" look="menu-item danger" act=${() => samples.remove(id)}>Delete this sample<//>
        </div>
      </details>`;
  const fixed = mine ? "read-only" : undefined; // what the fields say, for who may not change it
  return html`<div class="facts">
    <img src=${image} alt=${name + ", as the network sees it"} width="128" height="128" class="pixels sample-image" />
    <div class="about">
      <p class=${fixed}><strong>${name}</strong></p>
      <p class=${fixed}>${label === null ? "no label" : "labelled " + label}</p>
      ${mine && html`<${Fields} sample=${sample} edit=${edit} />`}
      ${owner === "another" && html`<p class="hint">${OWNERS.another}</p>`}
      <${Source} standIn=${sample.stand_in} data=${data} />
      <div class="actions">${see}${actions}</div>
    </div>
  </div>`;
}

/** What the heads answer for the chosen picture; null while that is not known. @returns {Facts | null} */
function facts() {
  const [current, now, info] = [samples.answers.answer(), samples.chosen.answer(), samples.model()];
  if (!current || !now?.picture || current.model !== info?.id) return null;
  const { label, set, name } = now.picture;
  const domain = set && current.domains.includes(set) ? set : null;
  return current.predictions.length || current.numbers.length ? { current, baseline: null, label, domain, name } : null;
}

function Predictions() {
  const known = facts();
  return html`<div class="predictions" hidden=${!known}>
    <${Picture}
      scene=${(/** @type {number} */ width) => {
        const now = facts();
        return now && sceneOf(now, width);
      }}
      drawn=${() => samples.answers.answer()?.id ?? ""}
      label=${() => {
        const now = facts();
        return now ? wordsOf(now) : "";
      }}
      data=${{ "data-key": "sample" }}
    />
    <${AsTable} words="Probabilities as a table" caption=${() => CAPTION} rows=${known && (() => rowsOf(known))} />
  </div>`;
}

/* -- samples of other kinds --------------------------------------------------------------------------------------- */

/** The score of the model's answer. @param {{score: Schemas["SampleScore"] | null, model: string}} props */
function Score({ score, model }) {
  if (!score) return html`<${Message} title="No answer" detail=${model + " has no head for this data set."} />`;
  const { answer = null, target = null, measure, predicted, domain, value, loss } = score;
  let [name, below] = [domain + " head", model];
  /** @type {string} */
  let shown;
  if (answer !== null && target !== null) {
    const off = Math.abs(answer - target);
    shown = "network " + answer.toFixed(2) + ", expression " + target.toFixed(2);
    below = "off by " + (off < LEAST ? String(Number(off.toPrecision(2))) : off.toFixed(2)) + "; " + model;
  } else {
    const label = score.predicted_name ?? String(predicted);
    if (predicted === null) [name, shown] = [measure.name, (cell(value) + " " + measure.unit).trim()];
    else shown = value === null ? label : label + ", " + (value ? "right" : "wrong");
    const better = predicted !== null || measure.higher_is_better ? "" : "less is better; ";
    if (loss !== null) below = better + "loss " + figure(loss) + "; " + model;
  }
  return html`<div class="number sample-score" id="sample-score" role="status">
    <span class="number-name">${name}</span>
    <span class="number-value">${shown}</span>
    <span class="number-range">${below}</span>
  </div>`;
}

/** A point's function: value, largest products, truth table. @param {{point: Schemas["Point"]}} props */
function FunctionAt({ point: { set_title: title, value, expression, products } }) {
  const terms = products.filter((product) => product.true);
  const largest = [...terms].sort((one, other) => other.value - one.value).slice(0, MOST_PRODUCTS);
  const most = Math.max(...largest.map((product) => product.value), 0) || 1;
  const truth = [
    ["product", "in the function", "value here"],
    ...products.map((product) => [product.name, Number(product.true), product.value.toFixed(4)]),
  ];
  return html`<div class="function">
    <p><strong>${title}</strong>${": " + value.toFixed(3) + " at this point"}</p>
    <p class="expression" tabindex="0">${expression}</p>
    <p class="hint">${READ_EXPRESSION}</p>
    <table class="figures products">
      <caption>
        ${"Largest of " + terms.length + " products in the function, of " + products.length + " in all."}
      </caption>
      <tbody>
        ${largest.map(
          (product) =>
            html`<tr key=${product.name}>
              <th scope="row">${product.name}</th>
              <td class="product-bar">
                <span style=${{ width: (100 * product.value) / most + "%" }} aria-hidden="true"></span>
              </td>
              <td>${product.value.toFixed(3)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <details class="as-table">
      <summary>Its truth table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="Truth table of the function">
        <${TableOf} rows=${truth} caption="" />
      </div>
    </details>
  </div>`;
}

/** Points in space, which can be turned. @param {{table: Table}} props */
function InSpace({ table }) {
  const host = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const place = /** @type {HTMLElement} */ (host.current);
    const cloud = new Cloud(place);
    const places = placesOf(table);
    const names = places.x.map((_, at) => "point " + (at + 1));
    const draw = () =>
      cloud.show(table.id, places, readTheme().accent, names).catch((error) => (place.textContent = error.message));
    void draw();
    const stop = onThemeChange(draw);
    return () => {
      stop();
      cloud.dispose();
    };
  }, [table.id]);
  return html`<div ref=${host} class="cloud" key=${table.id}></div>
    <${AsTable}
      words=${called(table) + " as a table"}
      caption=${() => "Points of the sample."}
      rows=${() => [["point", ...table.columns], ...table.rows.map((row, at) => [at + 1, ...row.map(cell)])]}
    />`;
}

/** All of a sample that is no single picture. @param {{table: Table, model: string | null}} props */
function Whole({ table, model }) {
  const { point, panels, score, writing } = table;
  if (point) return [html`<${Bars} ...${point} />`, html`<${FunctionAt} point=${point} />`];
  if (table.space?.length) return html`<${InSpace} key=${table.id} table=${table} />`;
  if (panels)
    return [
      html`<p class="rules">
        ${panels.rules.length ? ["Rules: ", html`<strong>${panels.rules.join("; ")}</strong>`] : "The rules are unknown."}
      </p>`,
      html`<${MatrixPanels} key=${table.id + model} ...${{ id: table.id, name: called(table), panels }} right=${table.label}
        chosen=${score?.predicted ?? null} probabilities=${score?.probabilities ?? null} />`, // prettier-ignore
    ];
  const readers = samples.readers.answer();
  const more = moreRows(table);
  return html`<div
    class="table-scroll sample-table-whole"
    tabindex="0"
    role="region"
    aria-label=${called(table) + " as " + (writing ? "it is written" : "a table")}
  >
    <${Drawn} table=${table} whole=${true} readers=${readers} />
    ${more && html`<p class="hint">${more}</p>`}
  </div>`;
}

/** @param {{table: Table, chosen: Chosen}} props */
function TableFacts({ table, chosen: { data, model } }) {
  const [kind, own] = [samples.kindOf(table.inputs), table.set === null];
  const whose = own && table.point ? "yours, under " + table.point.set_title : own ? "yours" : table.set_title;
  const reads = model?.inputs === table.inputs;
  const remove = () => samples.remove(table.id);
  const actions = own && html`<${Tool} id="sample-delete" look="tool tool-text writes" act=${remove}>Delete<//>`;
  const other = model && {
    title: "This model does not read samples",
    detail:
      `${model.id} reads samples that are each ${samples.kindOf(model.inputs)?.words ?? model.inputs}; ` +
      `this one is ${kind?.words ?? table.inputs}.`,
  };
  return html`
    <div class="facts">
      <div class="about">
        <p><strong>${called(table)}</strong>${", " + labelled(table)}</p>
        <p>${kind ? whose + ": " + kind.words : whose}</p>
        <${Source} standIn=${table.stand_in} data=${data} />
        <div class="actions">${reads && html`<${SeeTable} table=${table} />`}${actions}</div>
      </div>
    </div>
    ${
      model &&
      (reads
        ? html`<${Score} score=${table.score ?? null} model=${model.id} />`
        : html`<${Message} ...${other} unread=${true} inputs=${table.inputs} />`)
    }
    <${Whole} table=${table} model=${model?.id ?? null} />
  `;
}

/* -- the panel --------------------------------------------------------------------------------------------------- */

/** @param {{now: Chosen | null}} props */
function Shown({ now }) {
  const problem = samples.chosen.problem();
  if (!samples.frame().sample)
    return html`<div class="message">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">Pick one from the gallery<span class="writes">, or bring one of your own</span>.</p>
    </div>`;
  if (problem && !now)
    return html`<${Message} title=${problem.title} detail=${problem.message} /><${Tool} act=${samples.chosen.again}
        >Try again<//
      >`;
  if (!now) return html`<div class="skeleton skeleton-sample"></div>`;
  const { picture, table, data } = now;
  if (table) return html`<${TableFacts} key=${table.id} table=${table} chosen=${now} />`;
  if (!picture)
    return html`<${Message}
      title="This sample no longer exists"
      detail="It was deleted, or the link has a wrong id."
    />`;
  const refused = now.model === samples.model() ? samples.unread() : null;
  const see = now.model && now.model !== samples.model() ? null : html`<${See} to="paths" words="See its path" />`;
  return html`
    <${PictureFacts}
      key=${picture.id + picture.name + picture.label}
      sample=${picture}
      data=${data}
      see=${!refused && see}
    />
    ${refused && html`<${Message} ...${refused} unread=${true} />`}
  `;
}

export function SamplePanel() {
  const now = samples.frame().sample ? samples.chosen.latest() : null;
  const stale = samples.chosen.waits() || samples.answers.waits() || samples.model() === undefined;
  const former = now !== null && (samples.model() === undefined || samples.chosen.answer() === null);
  return html`<${Panel} id="sample" title="Chosen sample" reads=${now?.table ? READ_SCORE : READ_HEADS}>
    <div id="sample-body" aria-busy=${String(Boolean(samples.frame().sample) && stale)}>
      <div id="sample-facts" data-former=${former ? "true" : undefined}><${Shown} now=${now} /></div>
      <${Predictions} />
    </div>
  <//>`;
}
