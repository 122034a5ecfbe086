/* The browser's history of what the pages show.

   A change that somebody decided on, such as a unit that is dropped, is an entry at once: were it first shown in the entry there
   is, the address would have to say less for a moment, and a reload of that moment would lose the change. One that goes on, such
   as a slider that is dragged, is shown in the entry there is while it lasts, and becomes one when it ends. What changes without
   anybody (a page that puts its address in order, a player that runs) never does. Undo and redo go through the browser's
   history and never leave the dashboard: each entry's state has its `depth`, counted from the first of the dashboard in this
   tab, and `said` once the page has written all of its link. */
import { setProps } from "rs/lib/dash.js";
import { batch, signal } from "rs/vendor/preact.js";

/* -- the rule ------------------------------------------------------------------------------------------------- */

export const BREATH = 120; // milliseconds in which writes belong to one change
export const REST = 600; // milliseconds after the last step of a change that goes on

/**
 * @typedef {object} Effects what the rule needs of a browser
 * @property {(link: string) => void} replace shows a link in the entry there is
 * @property {(link: string) => void} push makes an entry of it
 * @property {(before: string, after: string) => void} split makes two of the entry there is
 * @property {(work: () => void, pause: number) => unknown} later
 * @property {(timer: any) => void} forget
 * @property {() => number} now
 */

/** @param {Effects} effects */
export function makeTrail({ replace, push, split, later, forget, now }) {
  let settled = ""; // what going back to this entry would show
  let shown = ""; // what the entry shows at the moment
  let touched = 0; // when somebody last did something
  let since = 0; // what somebody did until then is in the entries already
  let pressed = false; // whether a pointer is down
  let waiting = /** @type {{timer: unknown, going: boolean, own: boolean, at: number} | null} */ (null); // own: its entry is made

  function stop() {
    if (waiting) forget(waiting.timer);
    waiting = null;
  }

  /** Ends a change: what is shown now is an entry. */
  function settle() {
    if (!waiting) return;
    const { own } = waiting;
    since = waiting.at;
    stop();
    if (!own && shown !== settled) split(settled, shown);
    settled = shown;
  }

  function due() {
    if (!waiting) return;
    if (waiting.going && pressed) waiting.timer = later(due, REST);
    else settle();
  }

  return {
    /** Another page, or another entry, was opened: what it shows is nobody's change. @param {string} link */
    opened(link) {
      stop();
      settled = shown = link;
      since = now();
    },

    /** The page shows something else; `going`: a change that goes on. @param {string} link @param {boolean} going */
    wrote(link, going) {
      if (link === shown) return;
      if (waiting && waiting.going && !going && !pressed) settle(); // two changes, not one
      const goes = pressed || (waiting ? waiting.going && going : going);
      const nobodys = !waiting && touched <= since;
      const own = waiting ? waiting.own : !goes;
      if (own && !waiting && !nobodys) push(link);
      else replace(link);
      shown = link;
      if (nobodys) {
        settled = link;
        return;
      }
      stop();
      waiting = { timer: later(due, goes ? REST : BREATH), going: goes, own, at: now() };
    },

    /** Somebody does something. */
    touch() {
      touched = now();
    },

    /** An entry is chosen: what the page still writes is nobody's change. */
    goes() {
      settle();
      since = now();
    },

    /** A new press ends the change before. @param {boolean} down */
    press(down) {
      if (down && waiting && !waiting.going) settle();
      pressed = down;
    },

    settle,
    shown: () => shown,
  };
}

/* -- entries ---------------------------------------------------------------------------------------------------- */

const LOCATION = "_pages_location"; // Dash's, which re-lays the page when it hears of another address
const LAST = "routescope-last-entry"; // in the tab's session storage
const PATIENCE = 5000; // milliseconds in which a page that was gone back to comes

/** How deep the entry is that is shown, and the last one that can be redone. */
export const place = signal({ depth: 0, last: 0 });
/** What the entry shows; links to other pages follow it. */
export const shown = signal("");

const here = () => location.pathname + location.search;
/** @returns {{depth?: number, said?: boolean} | null} */
const state = () => history.state;

/** @param {string} link */
function replace(link) {
  history.replaceState({ ...state(), depth: place.value.depth, said: true }, "", link);
  shown.value = link;
}

/**
 * The entry there is shows what was before, and one of its own what is now. What follows the address hears of both when they
 * are made: between the two, the address says less than the page shows.
 *
 * @param {string} before
 * @param {string} after
 */
const split = (before, after) =>
  batch(() => {
    replace(before);
    push(after);
  });

/** @param {string} link */
function push(link) {
  const depth = place.value.depth + 1;
  history.pushState({ depth, said: true }, "", link);
  shown.value = link;
  moveTo(depth, depth);
}

/** @param {number} depth @param {number} last */
function moveTo(depth, last) {
  place.value = { depth, last: Math.max(depth, last) };
  try {
    sessionStorage.setItem(LAST, String(place.value.last));
  } catch {
    // A browser that keeps nothing forgets what could be redone at a reload.
  }
}

const trail = makeTrail({
  replace,
  push,
  split,
  later: (work, pause) => setTimeout(work, pause),
  forget: clearTimeout,
  now: () => performance.now(),
});

/**
 * What a page does with a link of its own that was gone back to: shows it where it stands, and says when it does; null
 * where it has to come anew.
 *
 * @typedef {(search: string) => Promise<unknown> | null} Take
 */

/** @type {Map<string, Take>} */
const takers = new Map(); // by the path of the page
let taking = 0; // of links that are being taken over: what is written until then may be half of one

/** @param {string} path @param {Take} take */
export const takes = (path, take) => takers.set(path, take);

/** Whether the page that is open shows the entry that was gone back to, without coming anew. */
function taken() {
  const [path, before] = trail.shown().split("?");
  const model = (/** @type {string | undefined} */ query) => new URLSearchParams(query).get("model");
  if (path !== location.pathname || !exact() || model(before) !== model(location.search)) return false;
  const mine = (taking = performance.now()); // before the page takes it: what it writes meanwhile may be half of it
  const work = takers.get(path)?.(location.search);
  if (!work) {
    taking = 0;
    return false;
  }
  const done = () => taking === mine && (taking = 0);
  work.then(done, done);
  setTimeout(done, PATIENCE);
  return true;
}

/** The page that is being left for an entry of the history: what it still writes belongs to nobody. */
let leaving = /** @type {{page: Element | null, until: number} | null} */ (null);

const leftNow = () => ({ page: document.querySelector(".page"), until: performance.now() + PATIENCE });

function left() {
  if (leaving && (document.querySelector(".page") !== leaving.page || performance.now() > leaving.until))
    leaving = null;
  return !leaving;
}

/** Write a link of the open page to the address; see the rule. @param {string} link @param {boolean} going */
export function write(link, going) {
  if (!taking && left()) trail.wrote(link, going);
}

/** Whether the entry says all that its page shows: what it does not name is not chosen. */
export const exact = () => Boolean(state()?.said);

let going = -PATIENCE; // when the last undo or redo began that the browser has not answered yet

/** Goes by one entry; not while the browser is still on its way, as one would be counted twice. @param {1 | -1} by */
function go(by) {
  if (performance.now() - going < PATIENCE) return;
  going = performance.now();
  history.go(by);
}

/** Goes back to what was shown before the last change. */
export function undo() {
  trail.goes();
  if (place.value.depth > 0) go(-1);
}

/** Takes an undo back. */
export function redo() {
  trail.goes();
  if (place.value.depth < place.value.last) go(1);
}

/** Open a link as an entry, without loading the application again. @param {string} link */
export function open(link) {
  trail.settle();
  history.pushState({}, "", link);
  window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
  window.scrollTo(0, 0);
}

/** Open a link as an entry; the open page takes its own links over. @param {string} link */
export function openHere(link) {
  if (link.split("?")[0] !== location.pathname) return open(link);
  trail.settle();
  push(link);
  if (!taken()) return void window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
  trail.opened(here());
  shown.value = here();
}

/* -- what the browser and Dash tell --------------------------------------------------------------------------- */

let heard = ""; // the address that Dash knows of

/** A link was opened: Dash pushed an entry of its own. */
function opened() {
  const again = heard !== here() && heard.split("?")[0] === location.pathname; // the same page, laid anew
  heard = here();
  if (state()?.depth === undefined) {
    const depth = place.value.depth + 1;
    history.replaceState({ ...state(), depth }, "");
    moveTo(depth, depth);
  }
  leaving = again ? leftNow() : null;
  shown.value = heard;
  trail.opened(heard);
}

/**
 * Somebody went back or forward. Dash hears of it by itself where the address differs from the one it knows, and lays the
 * page anew; unless the page takes the entry over.
 *
 * @param {PopStateEvent} event
 */
function traversed(event) {
  const depth = state()?.depth;
  going = -PATIENCE;
  if (depth === undefined) {
    // A place within the page, such as #content.
    history.replaceState({ ...state(), depth: place.value.depth + 1 }, "");
    moveTo(place.value.depth + 1, place.value.depth + 1);
  } else moveTo(depth, place.value.last);
  if (here() === trail.shown()) return;
  if (taken()) {
    event.stopImmediatePropagation();
    trail.opened(here());
    shown.value = here();
    return;
  }
  const samePage = location.pathname === trail.shown().split("?")[0];
  leaving = leftNow();
  trail.opened(here());
  shown.value = here();
  if (heard === here()) setProps(LOCATION, { search: location.search });
  heard = here();
  if (samePage) keepPlace();
}

/* -- one's place ------------------------------------------------------------------------------------------------ */

const NAMING = /^(?:id|name|aria-label|data-(?!state|status|fresh).*)$/;

/** What finds the same control again after the page was laid anew; null for none. @param {Element | null} element */
function nameOf(element) {
  if (!element || element === document.body || !element.closest(".page")) return null;
  if (element.id) return "#" + CSS.escape(element.id);
  const named = [...element.attributes].filter(({ name }) => NAMING.test(name) && name !== "aria-label");
  const parts = named.map(({ name, value }) => "[" + name + "=" + JSON.stringify(value) + "]");
  return parts.length ? element.tagName.toLowerCase() + parts.join("") : null;
}

let moves = 0; // of somebody, who then needs no place kept

/** Scrolls to where one was, and gives the focus back, once the page is there again. */
function keepPlace() {
  const focus = nameOf(document.activeElement);
  const top = window.scrollY;
  const until = performance.now() + PATIENCE;
  const before = moves;
  let [scrolled, focused] = [false, !focus];
  function look() {
    if (moves !== before || performance.now() > until || (scrolled && focused)) return;
    setTimeout(look, 60);
    if (!left()) return;
    if (!scrolled && document.documentElement.scrollHeight - window.innerHeight >= top) {
      window.scrollTo(0, top);
      scrolled = true;
    }
    const found = focus && !focused && /** @type {HTMLElement | null} */ (document.querySelector(focus));
    if (found) {
      if (document.activeElement === document.body) found.focus({ preventScroll: true });
      focused = true;
    }
  }
  look();
}

/* -- beginning ---------------------------------------------------------------------------------------------------- */

/** What the tab remembers of entries that can be redone: only after a reload it is known that they are still there. */
function lastBefore() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  try {
    return entry && entry.type === "reload" ? Number(sessionStorage.getItem(LAST)) || 0 : 0;
  } catch {
    return 0;
  }
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return;
  const key = (event.key || "").toLowerCase();
  const again = key === "y" || (key === "z" && event.shiftKey);
  if (!again && key !== "z") return;
  if (
    target &&
    (target.isContentEditable ||
      target.closest(
        "input:not([type=range], [type=checkbox], [type=radio], [aria-expanded=false], [readonly]), textarea, dialog",
      ))
  )
    return;
  event.preventDefault();
  if (again) redo();
  else undo();
}

/** Follows the history from now on. */
export function followHistory() {
  const depth = state()?.depth ?? 0;
  history.replaceState({ ...state(), depth }, "");
  moveTo(depth, Math.max(depth, lastBefore()));
  heard = here();
  shown.value = heard;
  trail.opened(heard);
  window.addEventListener("_dashprivate_pushstate", opened);
  window.addEventListener("popstate", traversed, { capture: true }); // before Dash
  window.addEventListener("pageshow", ({ persisted }) => persisted && moveTo(place.value.depth, place.value.depth));
  for (const name of ["pointerdown", "keydown", "input", "change", "wheel", "drop"])
    window.addEventListener(name, () => trail.touch(), { capture: true, passive: true });
  for (const name of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(name, () => (moves += 1), { capture: true, passive: true });
  for (const name of ["pointerdown", "pointerup", "pointercancel", "blur"])
    window.addEventListener(name, () => trail.press(name === "pointerdown"), { capture: true, passive: true });
  document.addEventListener("keydown", onKey);
}
