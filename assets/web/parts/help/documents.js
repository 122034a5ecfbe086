/* The documents in the page: fetched as the service shows them at /help, and shown in a dialog. */
import { pageAt } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { openDialog } from "rs/parts/dialog.js";
import { signal, useLayoutEffect, useRef } from "rs/vendor/preact.js";

const PATH = "/help";
const FIRST = "readme"; // the list of all
const TITLE = "help-document-title";

/** @typedef {{name: string, title: string, sections: {id: string, title: string, level: number}[]}} Listed */

/** The documents with their headings. @returns {Promise<Listed[]>} */
export async function documents() {
  const answer = await fetch(PATH + "/headings");
  if (!answer.ok) throw new Error("The list of documents did not load. Open the search again.");
  return answer.json();
}

/** @type {Map<string, Promise<HTMLElement>>} */
const kept = new Map();

/** What a document says, as elements; kept once it has come. @param {string} name @returns {Promise<HTMLElement>} */
const load = (name) => api.remembered(kept, name, () => ask(name));

/** @param {string} name */
async function ask(name) {
  const answer = await fetch(name === FIRST ? PATH : PATH + "/" + encodeURIComponent(name));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const body = page.querySelector("[data-document]");
  if (!answer.ok || !(body instanceof HTMLElement)) throw new Error("The document " + name + " does not exist.");
  return body;
}

/** The document and section of an address; null: none. @param {string | null} href @param {string} from */
export function documentOf(href, from) {
  const [, path, section = ""] = /^([^#]*)(?:#(.*))?$/.exec(href || "") || [];
  if (!path) return section ? { name: from, section: decodeURIComponent(section) } : null;
  const [, name = FIRST] = /^\/help(?:\/([\w-]+))?$/.exec(path) || [null, null];
  return name ? { name, section: decodeURIComponent(section) } : null;
}

/** A document without its title, which the dialog shows. @param {{body: HTMLElement, section: string}} props */
function Body({ body, section }) {
  const host = /** @type {{current: HTMLElement | null}} */ (useRef(null));
  useLayoutEffect(() => {
    const place = /** @type {HTMLElement} */ (host.current);
    const nodes = [...body.childNodes].filter(({ nodeName }) => nodeName !== "H1");
    place.replaceChildren(...nodes.map((node) => document.importNode(node, true)));
    // The first one is shown before the dialog is open, when nothing can be scrolled.
    const frame = requestAnimationFrame(() => {
      const found = section && place.querySelector("#" + CSS.escape(section));
      if (found) found.scrollIntoView({ block: "start" });
      else place.scrollTop = 0;
    });
    return () => cancelAnimationFrame(frame);
  }, [body, section]);
  return html`<div class="prose help-prose" tabindex="0" role="region" aria-labelledby=${TITLE} ref=${host}></div>`;
}

/**
 * Opens a document at one of its sections; links to others open them in the same dialog.
 *
 * @param {string} name
 * @param {string} section
 * @param {HTMLElement | null} before gets the focus back
 */
export async function openDocument(name, section, before) {
  const shown = signal({ name, section, body: await load(name) });
  /** @type {{name: string, section: string}[]} */
  const passed = [];

  /** @param {{name: string, section: string}} next */
  async function go(next) {
    shown.value = { ...next, body: await load(next.name) };
  }

  /** @param {MouseEvent} event */
  function follow(event) {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = documentOf(link.getAttribute("href"), shown.value.name);
    if (!next) return;
    event.preventDefault();
    passed.push({ name: shown.value.name, section: shown.value.section });
    go(next);
  }

  function back() {
    const last = passed.pop();
    if (last) go(last);
  }

  const view = () => {
    const { name, section, body } = shown.value;
    const title = body.querySelector("h1")?.textContent || name;
    return html`
      <header class="help-head">
        <button type="button" class="tool" aria-label="Back" title="Back" disabled=${!passed.length} onClick=${back}>
          <span class="icon" data-icon="previous" aria-hidden="true"></span>
        </button>
        <h2 id=${TITLE}>${title}</h2>
        ${name !== FIRST && html`<a class="tool tool-text" href=${PATH} onClick=${follow}>All documents</a>`}
        <form method="dialog"><button class="tool tool-text" autofocus>Close</button></form>
      </header>
      <div class="help-body" onClick=${follow}><${Body} body=${body} section=${section} /></div>
    `;
  };
  openDialog({ look: "help-dialog document-dialog", label: "#" + TITLE, view, before });
}

/** Open the help on the page that is open. @param {HTMLElement | null} before */
export const openPageHelp = (before) => openDocument("pages", pageAt(location.pathname) ?? "", before);
