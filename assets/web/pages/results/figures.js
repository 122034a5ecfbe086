/* The drawn figures of the open experiment: each with its title, what print shows, and its files. */
import { BASE } from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import * as results from "rs/pages/results/state.js";
import { Panel } from "rs/parts/panel.js";
import { message } from "rs/parts/problem.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @param {string} id @param {string} format */
const fileOf = (id, format) => BASE + "/figures/" + id + "?format=" + format;

/** @param {{figure: Schemas["DrawnFigure"]}} props */
function Figure({ figure: { id, number, title, shows, differs, width, height } }) {
  const name = number + ": " + title;
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

/** The panel of figures; nothing without an open experiment, or where it has none. */
export function DrawnFigures() {
  const problem = results.figures.waits() ? null : results.figures.problem();
  const items = results.figures.answer()?.items ?? [];
  if (!results.opened() || !(items.length || problem)) return null;
  return html`<${Panel}
    id="results-figures"
    title="Figures"
    reads="Figures of the paper, drawn from the records. Filled marks are ours; open marks are numbers that the paper prints."
  >
    ${problem && html`<div class="message" role="alert">${message("The figures could not be listed", problem.message)}</div>`}
    ${items.map((figure) => html`<${Figure} key=${figure.id} figure=${figure} />`)}
  <//>`;
}
