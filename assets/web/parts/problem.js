/* Why there is nothing to show: of a page, said in the elements that its layout has for it; of a part, in its place. */
import * as api from "rs/lib/api.js";
import * as selection from "rs/lib/selection.js";
import { html, show } from "rs/lib/view.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/**
 * @typedef {object} Problem
 * @property {string} title
 * @property {string} detail
 * @property {number} [status] 404 where the model has not what the page is about, 403 where the service may not do it:
 *   then trying again is of no use
 */

/** @param {{models: Schemas["ModelInfo"][]}} props */
const Offered = ({ models }) =>
  models.map(
    ({ id }) =>
      html`<button key=${id} type="button" class="button" onClick=${() => selection.choose({ model: id })}>
        ${id}
      </button>`,
  );

/**
 * Says it in the elements called `<key>-problem-title`, `-problem-detail`, `-others` and `-retry`; where the model has not
 * what the page is about, those that `has` it are offered.
 *
 * @param {string} key
 * @param {Problem | null} problem
 * @param {(model: Schemas["ModelInfo"]) => boolean} has
 */
export async function say(key, problem, has) {
  /** @param {string} name */
  const find = (name) => /** @type {HTMLElement} */ (document.getElementById(key + "-" + name));
  const others = find("others");
  if (!others || !problem) return;
  const missing = problem.status === 404;
  find("problem-title").textContent = problem.title;
  find("problem-detail").textContent = problem.detail;
  find("retry").hidden = missing || problem.status === 403;
  /** @param {Schemas["ModelInfo"][]} models */
  const offer = (models) => show(others, () => html`<${Offered} models=${models} />`);
  offer([]);
  if (!missing) return;
  /** @type {Schemas["Models"]} */
  const { items } = await api.send("GET", "/models");
  offer(items.filter(has));
}

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
