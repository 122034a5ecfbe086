/* What the views of the Circuits page are made of: what stays until there is something to show, and what is drawn. */
import { show } from "rs/lib/view.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Disposer } from "rs/lib/types.d.ts" */
/** @import { VNode } from "rs/vendor/preact.js" */

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
 * As a `ref`: puts what is drawn elsewhere into an element of a view, once, when that element appears.
 *
 * @param {() => Node[]} make
 * @returns {(place: Element | null) => void}
 */
export const drawn = (make) => (place) => {
  if (place && !place.firstChild) place.append(...make());
};
