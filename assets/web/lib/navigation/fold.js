/* A row of controls on a phone: behind one button, beside a line that says what is chosen. The element with data-widget="fold"
   stands before the row (folded() of app/routescope_app/dashboard/components/panel.py). */
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

const CHOSEN = "[aria-pressed='true'], input, select";
const MOST = 12; // choices that the line names
const WATCHED = ["aria-pressed", "value", "hidden", "checked"];

/** The text of an element, with a space between its parts. @param {Node | null | undefined} node @returns {string} */
const textOf = (node) =>
  node?.hasChildNodes() ? [...node.childNodes].map(textOf).filter(Boolean).join(" ") : (node?.textContent ?? "").trim();

/** What a control has chosen, in words; "" for nothing. @param {Element} control */
function wordsOf(control) {
  if (control.matches("[aria-pressed]")) return textOf(control);
  const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (control);
  if (/** @type {string[]} */ (["radio", "checkbox"]).includes(field.type))
    return /** @type {HTMLInputElement} */ (field).checked ? textOf(field.labels?.[0]) : "";
  const value = field instanceof HTMLSelectElement ? textOf(field.selectedOptions[0]) : field.value;
  const name = field.getAttribute("aria-label") || textOf(field.labels?.[0]);
  return field.type === "hidden" || !value
    ? ""
    : [name, field.getAttribute("aria-valuetext") || value].join(" ").trim();
}

/** What the controls of a row have chosen, in their order. @param {Element} row */
export function chosenIn(row) {
  const controls = [...row.querySelectorAll(CHOSEN)].filter((control) => !control.closest("[hidden]"));
  const words = controls.map(wordsOf).filter(Boolean);
  return words.slice(0, MOST).join(" \u00b7 ") + (words.length > MOST ? " and " + (words.length - MOST) + " more" : "");
}

registerWidget("fold", (host) => {
  const row = /** @type {Element} */ (host.nextElementSibling);
  const open = signal(false);
  const words = signal("");
  const narrow = matchMedia("(max-width: 760px)");
  let due = 0;
  const read = () => {
    cancelAnimationFrame(due);
    if (narrow.matches) due = requestAnimationFrame(() => (words.value = chosenIn(row)));
  };
  const watcher = new MutationObserver(read);
  watcher.observe(row, { subtree: true, childList: true, characterData: true, attributeFilter: WATCHED });
  for (const name of ["input", "change"]) row.addEventListener(name, read);
  narrow.addEventListener("change", read);
  read();
  const toggle = () => {
    open.value = !open.value;
    host.toggleAttribute("data-open", open.value);
  };
  const hide = show(
    host,
    () =>
      html`<button type="button" class="tool tool-text" aria-expanded=${String(open.value)} onClick=${toggle}>
          Controls
        </button>
        <span class="fold-words">${words.value}</span>`,
  );
  return () => {
    watcher.disconnect();
    for (const name of ["input", "change"]) row.removeEventListener(name, read);
    narrow.removeEventListener("change", read);
    hide();
  };
});
