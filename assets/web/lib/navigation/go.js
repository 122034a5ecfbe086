/* What a click on a link of ours does. */
import { open } from "rs/lib/navigation/history.js";

/**
 * Opens it without loading the application again; with a key that asks for another tab or window it stays the browser's.
 *
 * @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event
 */
export function follow(event) {
  if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(event.currentTarget.getAttribute("href") ?? "");
}
