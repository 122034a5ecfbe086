/* The Circuits page: sentences design circuits; what they share, where they differ, and what they answer about two pictures. */
import * as address from "rs/lib/address.js";
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
import { Revision } from "rs/parts/data_sets.js";
import { Instead } from "rs/parts/problem.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Listed } from "rs/lib/types.d.ts" */
/** @import { Said } from "rs/pages/circuits/types.d.ts" */

/** Why the page shows nothing; models whose sentences design circuits are offered where the chosen model has none. */
function Nothing() {
  const problem = page.problem();
  return (
    problem &&
    html`<${Instead}
      id="circuits"
      title=${problem.title || "No circuits"}
      detail=${problem.message}
      status=${problem.status}
      fits=${(/** @type {Listed} */ { inputs, pictures, fields, constants }) =>
        inputs === "statements" && pictures === page.PICTURES && [...fields, ...constants].includes("text_attention")}
      again=${page.again}
    />`
  );
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
    <div class="circuits-grid circuits-uneven">
      <${reads.ReadsPanel} />
      <div class="circuits-body"><${DropPanel} /><${DistancesPanel} /></div>
    </div>
    <div class="circuits-grid circuits-found"><${SelectionPanel} /><${SeparationPanel} /></div>
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
