/* What stands in an element, said as a template of the state: Preact draws what changed, and nothing else. */
import { html, render } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

export { html };

/**
 * Shows `view` in `host`, whose content is this view's alone, and again whenever a field of a store (lib/store.js) or a
 * signal that it read has changed.
 *
 * @param {Element} host
 * @param {() => VNode | VNode[] | null} view
 * @returns {Disposer} takes it away
 */
export function show(host, view) {
  render(html`<${Shown} view=${view} />`, host);
  return () => render(null, host);
}

/** @param {{view: () => VNode | VNode[] | null}} props */
const Shown = ({ view }) => view();

/** @param {string} name */
export const icon = (name) => html`<span class="icon" data-icon=${name} aria-hidden="true"></span>`;
