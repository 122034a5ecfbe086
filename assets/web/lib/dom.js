/* Widgets: an element with data-widget="name" is handed to the function registered under that name when it
   appears in the page, and its dispose function is called when it goes. */

/** @import { Disposer } from "rs/lib/types.d.ts" */

/** @type {Record<string, (host: HTMLElement) => Disposer | void>} */
const makers = {};
/** @type {Map<HTMLElement, () => void>} */
const mounted = new Map();

/** @param {HTMLElement} element */
function mount(element) {
  const make = makers[element.dataset.widget ?? ""];
  if (!make || mounted.has(element)) return;
  mounted.set(element, make(element) || (() => {}));
}

function sweep() {
  for (const [element, dispose] of mounted) {
    if (!element.isConnected) {
      mounted.delete(element);
      dispose();
    }
  }
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-widget]")).forEach(mount);
}

let due = false;

/** Looks through the page once what runs now has run: when a page's modules have all registered their widgets. */
function soon() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    sweep();
  });
}

/** Mount `make` on data-widget=`name`. @param {string} name @param {(host: HTMLElement) => Disposer | void} make */
export function registerWidget(name, make) {
  makers[name] = make;
  soon();
}

/**
 * Creates an element: `build("button", {class: "x", "aria-label": "..."}, "text", child...)`.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown> | null} [attributes] what is null, undefined or false is left out; on... are listeners
 * @param {...(Node | string | null | undefined)} children
 */
export function build(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} name */
export const icon = (name) => build("span", { class: "icon", "data-icon": name, "aria-hidden": "true" });

new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true });
