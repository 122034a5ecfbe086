/* What a click on a link of ours does. */
import { open } from "rs/lib/navigation/history.js";

/** Open a link without reloading, unless modified. @param {MouseEvent & {currentTarget: HTMLAnchorElement}} event */
export function follow(event) {
  if (event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(event.currentTarget.getAttribute("href") ?? "");
}
