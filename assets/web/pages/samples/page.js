/* The Samples page: samples of the data sets and of the user, and what the model answers for the chosen one. */
import * as address from "rs/lib/address.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { html, icon } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { BringPanel } from "rs/pages/samples/bring.js";
import { GalleryPanel } from "rs/pages/samples/gallery.js";
import { SamplePanel } from "rs/pages/samples/sample.js";
import * as samples from "rs/pages/samples/state.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Filters } from "rs/pages/samples/types.d.ts" */

/** By kind of input or field; "" of pictures. */
const CAPTIONS = {
  numbers: "Pick a point, or set one.",
  points: "Pick a cloud of points, or bring one.",
  top_experts: "Pick a text, type one, or bring a file.",
  listops: "Pick an expression, or type one.",
  bytes: "Pick a review, type one, or bring a file.",
  matrices: "Pick a matrix, bring one, or swap panels of one.",
  statements: "Pick a statement.",
  blocks: "Pick a sample.",
  "": "Pick a digit, bring a picture, or draw one.",
};
const most = { file: 0, text: 0 }; // bytes that are accepted

const Tree = () => html`
  <div class="page-head">
    <h1>Samples</h1>
    <div class="caption writes">${words.choose(CAPTIONS)}</div>
    <div class="head-actions">
      <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
    </div>
  </div>
  <div class="samples-grid">
    <${GalleryPanel} />
    <div class="samples-side"><${SamplePanel} /><${BringPanel} most=${most} /></div>
  </div>
`;

/** Resolves when the frame shows a sample. @param {string | null} sample */
const isChosen = (sample) =>
  new Promise((resolve) => {
    const end = effect(() => {
      if (selection.current().sample === sample) queueMicrotask(() => resolve(end()));
    });
  });

address.takesOver("samples", ({ model, sample, pin: _, ...filters }) => {
  selection.choose({ model, sample });
  samples.take(/** @type {Filters} */ (filters));
  return isChosen(sample);
});

export const mount = pageTree({
  Tree,
  choice: () => samples.choice.value,
  take: samples.take,
  open(filters, host) {
    const { maxBytes, maxTextBytes } = /** @type {HTMLElement} */ (host.closest(".page")).dataset;
    Object.assign(most, { file: Number(maxBytes), text: Number(maxTextBytes) });
    samples.take(/** @type {Filters} */ (filters));
    return samples.follow();
  },
});
