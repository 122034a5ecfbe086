/* Why there is nothing to show in a part of a page, said in its place. */
import { models } from "rs/lib/models.js";
import * as selection from "rs/lib/selection.js";
import { html } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";

/** @import { Listed } from "rs/lib/types.d.ts" */

/**
 * What is said in place of something that is not there, and a button that tries again.
 *
 * @param {string} title
 * @param {string | undefined} detail
 * @param {{words: string, act: () => void}} [again]
 */
export const message = (title, detail, again) => html`
  <p class="message-title">${title}</p>
  <p class="message-detail">${detail}</p>
  ${again && html`<button type="button" class="button" onClick=${again.act}>${again.words}</button>`}
`;

/**
 * What stands in place of a page that has nothing to show; where the chosen model has none of it, models that have are
 * offered.
 *
 * @param {{id: string, title: string, detail: string, status?: number, fits: (model: Listed) => boolean, again: () => void}} props
 */
export function Instead({ id, title, detail, status, fits, again }) {
  const missing = status === 404;
  const others = missing ? (models() ?? []).filter(fits) : [];
  return html`<div class=${"message " + id + "-problem"} role="alert">
    <p class="message-title">${title}</p>
    <p class="message-detail" id=${id + "-problem-detail"}>${detail}</p>
    <div id=${id + "-others"} class="other-models">
      ${others.map(
        ({ id: model }) =>
          html`<${Tool} key=${model} look="button" act=${() => selection.choose({ model })}>${model}<//>`,
      )}
    </div>
    <${Tool} id=${id + "-retry"} look="button" hidden=${missing || status === 403} act=${again}>Try again<//>
  </div>`;
}
