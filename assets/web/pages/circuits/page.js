/* The Circuits page: sentences design circuits; what they share, where they differ, and what they answer about two pictures. */
import * as address from "rs/lib/address.js";
import { models } from "rs/lib/models.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { html, icon } from "rs/lib/view.js";
import { DesignsPanel, DistancesPanel } from "rs/pages/circuits/designs/controls.js";
import * as designs from "rs/pages/circuits/designs/data.js";
import { AnswersPanel } from "rs/pages/circuits/pair/answers.js";
import * as ask from "rs/pages/circuits/pair/ask.js";
import { EditorPanel } from "rs/pages/circuits/pair/editor.js";
import * as gallery from "rs/pages/circuits/pair/gallery.js";
import { DropPanel } from "rs/pages/circuits/pair/kinds.js";
import * as reads from "rs/pages/circuits/pair/reads.js";
import * as pair from "rs/pages/circuits/pair/state.js";
import { MapsPanel } from "rs/pages/circuits/sentences/controls.js";
import * as maps from "rs/pages/circuits/sentences/data.js";
import { SentencesPanel } from "rs/pages/circuits/sentences/input.js";
import { SelectionPanel, SeparationPanel } from "rs/pages/circuits/sentences/tables.js";
import * as page from "rs/pages/circuits/state.js";
import { Tool } from "rs/parts/controls.js";
import { Revision } from "rs/parts/data_sets.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Said } from "rs/pages/circuits/types.d.ts" */

/** Why the page shows nothing; models whose sentences design circuits are offered where the chosen model has none. */
function Nothing() {
  const problem = page.problem();
  if (!problem) return null;
  const missing = problem.status === 404;
  const others = (models() ?? []).filter(
    ({ inputs, pictures, fields, constants }) =>
      inputs === "statements" && pictures === page.PICTURES && [...fields, ...constants].includes("text_attention"),
  );
  return html`<div class="message circuits-problem" role="alert">
    <p class="message-title">${problem.title || "No circuits"}</p>
    <p class="message-detail">${problem.message}</p>
    <div class="graph-others">
      ${
        missing &&
        others.map(
          ({ id }) => html`<${Tool} key=${id} look="button" act=${() => selection.choose({ model: id })}>${id}<//>`,
        )
      }
    </div>
    <${Tool} id="circuits-retry" look="button" hidden=${missing || problem.status === 403} act=${page.again}>
      Try again
    <//>
  </div>`;
}

function Caption() {
  const info = page.info();
  return (
    info && [
      html`<${Revision} id=${info.id} revision=${info.revision} />`,
      html`<span>${info.units.length + " modules; each sentence links them differently"}</span>`,
    ]
  );
}

const Panels = () =>
  html`<div class="circuits-body">
    <${SentencesPanel} />
    <div class="circuits-pair pair-grid" id="circuits-pair">
      <${gallery.GalleryPanel} /><${EditorPanel} /><${AnswersPanel} />
    </div>
    <div class="circuits-grid"><${DesignsPanel} /><${MapsPanel} /></div>
    <div class="circuits-pair pair-grid-below"><${reads.ReadsPanel} /><${DropPanel} /></div>
    <div class="circuits-grid"><${DistancesPanel} /><${SelectionPanel} /></div>
    <${SeparationPanel} />
  </div>`;

const Tree = () => html`
  <div class="page-head">
    <h1>Circuits</h1>
    <div class="caption" id="circuits-caption"><${Caption} /></div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
  </div>
  ${page.status() === "failed" ? html`<${Nothing} />` : html`<${Panels} />`}
`;

address.takesOver("circuits", async ({ model, sample, ...said }) => {
  selection.choose({ model, sample });
  page.take(/** @type {Said} */ (said));
});

export const mount = pageTree({
  Tree,
  choice: page.choice,
  take: page.take,
  open(choice, host) {
    const place = /** @type {HTMLElement} */ (host.closest(".page"));
    const ends = [
      page.begin(/** @type {Said} */ (choice)),
      ...[pair, gallery, designs, maps, ask, reads].map((part) => part.follow()),
      effect(() => void (place.dataset.status = page.status())),
    ];
    return () => ends.reverse().forEach((end) => end());
  },
});
