/* Modal dialogs, one at a time: Escape, their button or a click beside them closes them, and the focus goes back. */
import { build } from "rs/lib/dom.js";
import { show } from "rs/lib/view.js";

/** @import { VNode } from "rs/vendor/preact.js" */

/** @type {{dialog: HTMLDialogElement, before: HTMLElement | null} | null} */
let opened = null; // one at a time: what one opens takes its place

/**
 * Opens a dialog that shows `view`; what was open closes, and hands on what gets the focus back.
 *
 * @param {object} given
 * @param {string} given.look its classes
 * @param {string} given.label the id of its heading, or its name where it has none
 * @param {() => VNode | VNode[] | null} given.view
 * @param {HTMLElement | null} [given.before] gets the focus back; else what has it now
 * @param {() => void} [given.onClose]
 * @param {boolean} [given.stays] a click beside it closes nothing, as text may be typed in it
 */
export function openDialog({ look, label, view, before = null, onClose, stays = false }) {
  const back = closeDialog(false) || before;
  const named = label.startsWith("#") ? { "aria-labelledby": label.slice(1) } : { "aria-label": label };
  const dialog = build("dialog", { class: look, ...named });
  const dispose = show(dialog, view);
  const mine = { dialog, before: back };
  dialog.addEventListener("close", () => {
    dispose();
    dialog.remove();
    onClose?.();
    if (opened !== mine) return;
    opened = null;
    if (back?.isConnected) back.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !stays) dialog.close();
  });
  document.body.append(dialog);
  opened = mine;
  dialog.showModal();
  return dialog;
}

/**
 * Closes what is open, if anything is.
 *
 * @param {boolean} [giveBack] whether the focus goes back
 * @returns {HTMLElement | null} what would get the focus
 */
export function closeDialog(giveBack = true) {
  if (!opened) return null;
  const { dialog, before } = opened;
  if (!giveBack) opened = null;
  dialog.close();
  return before;
}
