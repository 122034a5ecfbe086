/* What of a link the page cannot show, said once at its top, in words; what it can show is shown below. */
import { notes, say } from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { current } from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";

function Notes() {
  const lines = notes.value;
  if (!lines.length) return null;
  return html`<div class="address-note">
    <ul>
      ${lines.map((line) => html`<li key=${line}>${line}</li>`)}
    </ul>
    <button type="button" class="tool tool-text" onClick=${() => (notes.value = [])}>Close</button>
  </div>`;
}

/** What the frame knows of the choice already when a page comes. */
function sayOfFrame() {
  const gone = document.querySelector('[data-widget="sample-gone"]');
  if (gone instanceof HTMLElement) saySample(gone);
}

/** @param {HTMLElement} place */
function saySample({ dataset: { sample } }) {
  if (sample === current().sample)
    say(`The sample ${sample} of the link no longer exists. Choose another sample above.`);
}

registerWidget("address-notes", (host) => {
  notes.value = JSON.parse(host.dataset.lines || "[]");
  sayOfFrame();
  return show(host, () => html`<${Notes} />`);
});

registerWidget("sample-gone", saySample);
