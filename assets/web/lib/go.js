/* The way from page to page, without loading the application again (as dcc.Link does). */

/** @param {string} href an address of ours */
export function go(href) {
  history.pushState({}, "", href);
  window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
  window.scrollTo(0, 0);
}

/**
 * What a click on a link of ours does; with a key that asks for another tab or window it stays the browser's.
 *
 * @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event
 */
export function follow(event) {
  if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(event.currentTarget.href);
}
