/* What the views of the Circuits page are made of: choices, messages, and what stays until there is something to show. */
import { onThemeChange } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

/**
 * A choice of one of some options [[value, words], ...].
 *
 * @param {{id: string, label: string, look?: string, options: [string, string][], value: string, act: (value: string) => void}} given
 */
export function select({ id, label, look = "plain-select", options, value, act }) {
  /** @param {{currentTarget: HTMLSelectElement}} event */
  const changed = ({ currentTarget }) => act(currentTarget.value);
  return html`<select class=${look} id=${id} aria-label=${label} value=${value} onChange=${changed}>
    ${options.map(([name, words]) => html`<option key=${name} value=${name}>${words}</option>`)}
  </select>`;
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

/**
 * Shows what `view` gives; while it gives nothing, what was there before stays: at first what the server wrote.
 *
 * @param {Element} host
 * @param {() => VNode | VNode[] | null} view
 * @returns {Disposer}
 */
export function showLatest(host, view) {
  /** @type {Disposer | undefined} */
  let clear;
  const end = effect(() => {
    const content = view();
    if (!content) return;
    if (!clear) host.replaceChildren(); // Preact leaves elements that it has not made
    clear = show(host, () => content);
  });
  return () => {
    end();
    clear?.();
  };
}

/**
 * Shows a view that reads the colours of the page: also after every change of the colour scheme.
 *
 * @param {Element} host
 * @param {() => VNode | VNode[] | null} view
 * @returns {Disposer}
 */
export function showInColours(host, view) {
  const draw = () => show(host, () => view());
  const ends = [draw(), onThemeChange(draw)];
  return () => ends.forEach((end) => end());
}

/**
 * As a `ref`: puts what is drawn elsewhere into an element of a view, once, when that element appears.
 *
 * @param {() => Node[]} make
 * @returns {(place: Element | null) => void}
 */
export const drawn = (make) => (place) => {
  if (place && !place.firstChild) place.append(...make());
};
