/* Offers, in an element with data-widget="reader", a model that the page can show something of, in place of the chosen one. */
import { registerWidget } from "rs/lib/dom.js";
import { another, models } from "rs/lib/models.js";
import { current } from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";

/** @param {string | undefined} inputs of models for samples that are no pictures */
function reader(inputs) {
  if (!models()) return null;
  const model = another(current().model, inputs);
  if (!model) return html`No model here does.`;
  return html`<button type="button" class="button" data-pick-model=${model.id}>${"Read with " + model.id}</button>`;
}

registerWidget("reader", (host) => show(host, () => reader(host.dataset.inputs)));
