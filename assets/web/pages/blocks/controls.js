/* Controls of the Blocks page. */
import { build } from "rs/lib/dom.js";

/**
 * A control with its name before it.
 *
 * @param {string} words
 * @param {HTMLElement} control
 */
export const labelled = (words, control) =>
  build("div", { class: "control" }, build("label", { class: "control-name", for: control.id }, words), control);
