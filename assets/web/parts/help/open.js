/* What opens help: the buttons of the header, Ctrl K and the question mark. Each part is fetched when it is opened first. */
import * as api from "rs/lib/api.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { signal } from "rs/vendor/preact.js";

/**
 * What can be opened, by the name that a button has in `data-help`; each hears what gets the focus back.
 *
 * @type {Record<string, (before: HTMLElement | null) => unknown>}
 */
const OPENED = {
  page: async (before) => (await import("rs/parts/help/documents.js")).openPageHelp(before),
  glossary: async (before) => (await import("rs/parts/help/documents.js")).openDocument("glossary", "", before),
  documents: async (before) => (await import("rs/parts/help/documents.js")).openDocument("readme", "", before),
  own: async (before) => (await import("rs/parts/help/documents.js")).openDocument("routed", "", before),
  shortcuts: async (before) => (await import("rs/parts/help/shortcuts.js")).open(before),
  palette: async (before) => (await import("rs/parts/help/palette.js")).open(before),
  tour: async (before) => {
    remember();
    await (await import("rs/parts/help/tour.js")).start(before);
  },
};

/** Opens a part of help. @param {string} what @param {HTMLElement | null} [before] gets the focus back */
export async function openHelp(what, before = focused()) {
  try {
    await OPENED[what](before);
  } catch (error) {
    api.notify("Help did not open", error instanceof Error ? error.message : String(error), "bad");
  }
}

/** What has the focus; of a menu, which closes, what opens it. */
function focused() {
  const active = document.activeElement;
  const menu = active?.closest("details.menu");
  const found = menu ? menu.querySelector("summary") : active;
  return found instanceof HTMLElement ? found : null;
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-help]");
  if (!(button instanceof HTMLElement)) return;
  const opener = button.closest("details.menu")?.querySelector("summary") || button;
  openHelp(button.dataset.help ?? "", opener);
});

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=range]):not([type=checkbox])"));

document.addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openHelp("palette");
  } else if (event.key === "?" && !command && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    openHelp("shortcuts");
  }
});

/* -- the line that offers a tour to a newcomer ------------------------------------------------------------------ */

const KEPT = "routescope-tour-offered";

/** Whether the tour was offered already; where nothing can be remembered, it is not offered. */
function wasOffered() {
  try {
    return localStorage.getItem(KEPT) !== null;
  } catch {
    return true;
  }
}

const offered = signal(wasOffered());

function remember() {
  offered.value = true;
  try {
    localStorage.setItem(KEPT, "1");
  } catch {
    // Then it is offered again, with the next page that is loaded.
  }
}

/** A small line in the header, until somebody takes the tour or says no. */
function offer() {
  if (offered.value) return null;
  return html`<span class="help-offer-words">New here?</span>
    <button type="button" class="help-offer-take" data-help="tour">Take the 60-second tour</button>
    <button type="button" class="tool help-offer-close" aria-label="No tour" title="No tour" onClick=${remember}>
      ${"\u00d7"}
    </button>`;
}

registerWidget("help-offer", (host) => {
  host.hidden = offered.value;
  const stop = offered.subscribe((said) => {
    host.hidden = said;
  });
  const hide = show(host, offer);
  return () => {
    stop();
    hide();
  };
});
