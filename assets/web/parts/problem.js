/* Why there is nothing to show in a part of a page, said in its place. */
import { html } from "rs/lib/view.js";

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
