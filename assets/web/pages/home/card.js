/* The card of a model, to read in the page. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** The service makes the text HTML, and takes none from the card itself. @param {Schemas["ModelCard"]} card */
const view = ({ model, html: text, complete }) =>
  html`<form method="dialog" class="card-close">
      <h2 id="card-title">Card of ${model}</h2>
      <button class="tool tool-text" autofocus>Close</button>
    </form>
    <div class="card-text" tabindex="0" role="region" aria-label="Text of the card">
      <div dangerouslySetInnerHTML=${{ __html: text }}></div>
      ${!complete && html`<p class="hint">The card is longer. Only its beginning is shown.</p>`}
    </div>`;

/** @param {string} model */
export async function openCard(model) {
  /** @type {Schemas["ModelCard"]} */
  let card;
  try {
    card = await api.send("GET", "/models/" + encodeURIComponent(model) + "/card");
  } catch (error) {
    const { title, message } = /** @type {api.Problem} */ (error);
    api.notify(title, message, "bad");
    return;
  }
  openDialog({ look: "card-dialog", label: "#card-title", view: () => view(card) });
}
