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

/**
 * A button that says what it does.
 *
 * @param {string} id
 * @param {string} label
 * @param {() => void} act
 */
export const textTool = (id, label, act) =>
  build("button", { type: "button", class: "tool tool-text", id, onclick: act }, label);

/**
 * What is said in place of something that is not there.
 *
 * @param {string} title
 * @param {string} detail
 */
export const message = (title, detail) => [
  build("p", { class: "message-title" }, title),
  build("p", { class: "message-detail" }, detail),
];
