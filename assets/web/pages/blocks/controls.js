/* Controls of the Blocks page, as templates. */
import { html, show } from "rs/lib/view.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

/**
 * Shows `view` in `host`, which is hidden while there is nothing to show.
 *
 * @param {HTMLElement} host
 * @param {() => VNode | VNode[] | null} view
 */
export const showOrHide = (host, view) =>
  show(host, () => {
    const shown = view();
    host.hidden = !shown;
    return shown;
  });

/**
 * One end of several.
 *
 * @param {...Disposer} ends
 */
export const together =
  (...ends) =>
  () =>
    ends.forEach((end) => end());

/**
 * A button that says what it does.
 *
 * @param {string} id
 * @param {string} label
 * @param {() => void} act
 * @param {Record<string, unknown>} [more]
 */
export const textTool = (id, label, act, more = {}) =>
  html`<button type="button" class="tool tool-text" id=${id} onClick=${act} ...${more}>${label}</button>`;

/** @param {string[][]} options [value, words] */
export const optionsOf = (options) =>
  options.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`);

/**
 * A select; the first of its options [value, words] is chosen where `chosen` is none of them.
 *
 * @param {string} id
 * @param {string[][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @param {Record<string, unknown>} [more]
 */
export function select(id, options, chosen, choose, more = {}) {
  const value = options.some(([each]) => each === chosen) ? chosen : options[0]?.[0];
  return html`<select class="small-input" id=${id} value=${value} onChange=${takes(choose)} ...${more}>
    ${optionsOf(options)}
  </select>`;
}

/**
 * Hears what is chosen or typed in a control.
 *
 * @param {(value: string) => void} take
 * @returns {(event: {currentTarget: HTMLInputElement | HTMLSelectElement}) => void}
 */
export const takes = (take) => (event) => take(event.currentTarget.value);
