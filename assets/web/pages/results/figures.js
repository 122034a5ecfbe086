/* Drawn figures of the open experiment, and those of no experiment: each with what print shows, and its files. */
import { BASE } from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { Failed, Waits } from "rs/pages/results/claims.js";
import * as results from "rs/pages/results/state.js";
import { Tool } from "rs/parts/controls.js";
import { Panel } from "rs/parts/panel.js";

/** @import { Resource } from "rs/lib/api.js" */
/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @param {string} id @param {string} format */
const fileOf = (id, format) => BASE + "/figures/" + id + "?format=" + format;

/** @param {{figure: Schemas["DrawnFigure"]}} props */
function Figure({ figure: { id, paper, number, title, shows, differs, width, height } }) {
  const name = (results.opened() ? "" : paper + ", ") + number + ": " + title;
  return html`<figure data-figure=${id}>
    <figcaption>
      <h3>${name}</h3>
      <p>Print: ${shows}</p>
    </figcaption>
    <a class="results-picture" href=${fileOf(id, "svg")} target="_blank" rel="noopener">
      <img
        src=${fileOf(id, "svg")}
        alt=${["Ours, " + name + ".", differs, "Opens the picture alone."].filter(Boolean).join(" ")}
        width=${Math.round(width)}
        height=${Math.round(height)}
        loading="lazy"
      />
    </a>
    <p class="results-links">
      ${["svg", "pdf"].map(
        (format) =>
          html`<a
            class="tool tool-text"
            href=${fileOf(id, format)}
            download=${id + "." + format}
            aria-label=${name + " as " + format.toUpperCase()}
            >${format.toUpperCase()}</a
          >`,
      )}
    </p>
  </figure>`;
}

/** The figures of a list, and why others are not drawn. @param {{of: Resource<Schemas["DrawnFigures"]>}} props */
function List({ of }) {
  const problem = of.waits() ? null : of.problem();
  const answer = of.answer();
  return html`<div class="results-figures">
    ${problem && html`<${Failed} title="The figures could not be listed" problem=${problem} />`}
    ${answer?.items.map((figure) => html`<${Figure} key=${figure.id} figure=${figure} />`)}
    ${answer?.missing.map(
      ({ id, number, title, why }) =>
        html`<p key=${id} class="hint" role="status">${number + ": " + title}. ${why}</p>`,
    )}
  </div>`;
}

/** The figures of the open experiment; nothing without one, or where it has none. */
export function DrawnFigures() {
  const { figures } = results;
  const answer = figures.answer();
  const some = answer && answer.items.length + answer.missing.length > 0;
  if (!results.opened() || !(some || figures.waits() || figures.problem())) return null;
  return html`<${Panel}
    id="results-figures"
    title="Figures"
    reads="Figures of the paper, drawn from the records. Filled marks are ours; open marks are numbers that the paper prints."
  >
    ${!answer && figures.waits() ? html`<${Waits} words="Drawing figures" />` : html`<${List} of=${figures} />`}
  <//>`;
}

/** The figures of no experiment, once somebody asks for them: the first time they take seconds. */
export function OtherFigures() {
  const { others } = results.choice.value;
  const waits = others && !results.others.answer() && results.others.waits();
  return html`<${Panel}
    id="results-others"
    title="Other figures of the papers"
    reads="Paths, priors and learned graphs: drawn from bundled models, not from records. No claim is about them."
  >
    <${Tool} act=${() => results.choose({ others: !others })} id="results-others-shown"
      >${others ? "Hide" : "Show"} figures<//
    >
    ${others && (waits ? html`<${Waits} words="Drawing figures" />` : html`<${List} of=${results.others} />`)}
  <//>`;
}
