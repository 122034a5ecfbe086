/* The address of the page says what it shows, so that a link or a reload gives the same view. */
import * as api from "rs/lib/api.js";
import { build as element } from "rs/lib/dom.js";

/** @param {Record<string, unknown>} entries what is null, undefined, empty or false is left out */
export function queryOf(entries) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(entries)) {
    if (value !== null && value !== undefined && value !== "" && value !== false) query.set(name, String(value));
  }
  const text = query.toString();
  return text ? "?" + text.replace(/%2C/g, ",").replace(/%3A/g, ":") : "";
}

/**
 * Replaces the query of the address when the page at `path` is open.
 *
 * @param {string} path
 * @param {Record<string, unknown>} entries
 */
export function write(path, entries) {
  if (location.pathname !== path) return;
  const query = queryOf(entries);
  if (query !== location.search) history.replaceState(history.state, "", path + query);
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    api.notify("Link copied", "It opens this view again, also after a restart.", "good");
  } catch {
    const field = element("textarea", { class: "hidden-visually", "aria-hidden": "true" });
    field.value = location.href;
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (copied) api.notify("Link copied", "It opens this view again, also after a restart.", "good");
    else api.notify("The link could not be copied", "Copy it from the address bar.", "bad");
  }
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-copy-link]")) copyLink();
});
