/* Pages are fetched when they open, all modules of a page at once; and what draws a page that is one tree over one choice. */
import * as api from "rs/lib/api.js";
import { html } from "rs/lib/view.js";
import { effect, render, signal, untracked } from "rs/vendor/preact.js";

/** @import { VNode } from "rs/vendor/preact.js" */

const ROOT = new URL("..", import.meta.url).pathname; // names the content of all modules

/** Where the server says what each page consists of: {key: {path, modules}}, modules by their addresses. */
const LISTED = "rs-pages";
/** @type {Map<string, Promise<{callbacks: object}>>} */
const opened = new Map(); // key -> promise of the page's module
/** @type {Record<string, {path: string, modules: string[]}> | null} */
let listed = null;
let catching = false;

/** @returns {Record<string, {path: string, modules: string[]}>} */
const pages = () => (listed = listed || JSON.parse(document.getElementById(LISTED)?.textContent ?? "{}"));

/** @param {string} href */
function preload(href) {
  const element = document.createElement("link");
  element.rel = "modulepreload";
  element.href = href;
  document.head.append(element);
}

/** @param {string} key */
function fetchPage(key) {
  pages()[key].modules.forEach(preload);
  return import("rs/pages/" + key + "/index.js");
}

/** Reload the page after an update of the service, or say what failed. @param {unknown} error */
async function catchUp(error) {
  if (catching) return; // who opens the address and who draws the page both ask for it
  catching = true;
  try {
    const response = await fetch(location.href);
    if (response.ok && !(await response.text()).includes(ROOT)) {
      location.reload();
      return;
    }
  } catch {
    // The service does not answer: that is what is said below.
  }
  catching = false;
  const why = error instanceof Error ? error.message : String(error);
  api.notify("The page could not be loaded", why + ". Choose it again.", "bad");
}

/** The page's module, fetched once; asked for again after a failure. @param {string} key */
export const openPage = (key) =>
  api.remembered(opened, key, () => {
    const promise = fetchPage(key);
    promise.catch(catchUp);
    return promise;
  });

/**
 * Tells the page around a frame of each choice, and takes the choices that it sends. The service says which origins may frame
 * it (ROUTESCOPE_ALLOWED_ORIGINS), so that the parent is one of these.
 *
 * @param {string} page
 * @param {(choice: object) => void} take
 */
function inFrame(page, take) {
  if (window.parent === window) return { tell() {}, end() {} };
  /** @param {MessageEvent} event */
  const listen = ({ source, data }) => {
    const { choice } = data?.routescope ?? {};
    if (source === window.parent && choice) take(choice);
  };
  window.addEventListener("message", listen);
  return {
    tell: (/** @type {object} */ choice) => window.parent.postMessage({ routescope: { page, choice } }, "*"),
    end: () => window.removeEventListener("message", listen),
  };
}

/**
 * Draws a page that is one tree in `host`.
 *
 * @param {string} key
 * @param {HTMLElement} host
 * @param {object} choice
 * @param {(props: {choice: object}) => void} setProps
 * @returns {Promise<Opened>}
 */
export async function openTree(key, host, choice, setProps) {
  const { mount } = /** @type {{mount: Mount}} */ (/** @type {unknown} */ (await openPage(key)));
  const frame = inFrame(key, (next) => opened.take(next));
  const opened = mount(host, choice, (props) => {
    setProps(props);
    frame.tell(props.choice);
  });
  frame.tell(choice);
  return {
    take: opened.take,
    end() {
      frame.end();
      opened.end();
    },
  };
}

/** Of the page that is open. */
export const path = signal("");

/** Opens the page that the address names, now and whenever the address changes. */
export function followAddress() {
  const open = () => {
    path.value = location.pathname;
    const found = Object.entries(pages()).find(([, { path }]) => path === location.pathname);
    if (found) openPage(found[0]).catch(() => {}); // its callbacks ask again, and say so
  };
  window.addEventListener("_dashprivate_pushstate", open); // Dash's links, and ours
  window.addEventListener("popstate", open);
  open();
}

/* -- one tree ---------------------------------------------------------------------------------------------------- */

/**
 * @typedef {object} Opened a page that is drawn
 * @property {(choice: object) => void} take shows another choice, which a callback of Dash made
 * @property {() => void} end takes it away
 */

/** @typedef {(host: HTMLElement, choice: object, setProps: (props: {choice: object}) => void) => Opened} Mount */

/**
 * @template {object} Choice
 * @typedef {object} PageOf what a page says of itself
 * @property {() => VNode | VNode[]} Tree all that it shows
 * @property {() => Choice} choice what it shows; signals that it reads are followed
 * @property {(choice: Choice, host: HTMLElement) => (() => void)} open begins with a choice, and returns what ends the page
 * @property {(choice: Choice) => void} take shows another choice
 */

const MOST_SENT = 64; // choices that Dash has got and not yet returned

/**
 * Returns the function that draws a page. It sends each choice to Dash; a choice that Dash returns is not taken again.
 *
 * @template {object} Choice
 * @param {PageOf<Choice>} page
 * @returns {Mount}
 */
export const pageTree =
  ({ Tree, choice, open, take }) =>
  (host, first, setProps) => {
    /** @type {string[]} */
    let sent = [JSON.stringify(first)];
    const leave = open(/** @type {Choice} */ (first), host);
    render(html`<${Tree} />`, host);
    const follow = effect(() => {
      const now = choice();
      const text = JSON.stringify(now);
      if (sent.at(-1) === text) return;
      sent = [...sent, text].slice(-MOST_SENT);
      untracked(() => setProps({ choice: now }));
    });
    return {
      take(next) {
        const text = JSON.stringify(next);
        const place = sent.lastIndexOf(text);
        if (place >= 0)
          sent = sent.slice(place); // Dash returns choices in their order
        else if (text !== JSON.stringify(choice())) take(/** @type {Choice} */ (next));
      },
      end() {
        follow();
        render(null, host);
        leave();
      },
    };
  };
