/* The focus stays where it was: where what has it goes or can no longer be used, because what it did was done, its
   successor gets it, or else its nearest neighbour. */

const FOCUSABLE =
  "a[href], button, input, select, textarea, summary, canvas[tabindex], [tabindex]:not([tabindex='-1'])";
const BOUNDS = ".panel, .page, dialog, [role='dialog'], #frame-navigation, header";

const DRAWN = 3_000; // milliseconds in which what is drawn anew is there again

/**
 * What had the focus last.
 *
 * @typedef {object} Last
 * @property {HTMLElement} element
 * @property {{around: Element, at: number}[]} places the elements around it, the nearest first, and the how-manieth of
 *   what can have the focus in each it was
 */

/** @type {Last | null} */
let last = null;
/** @type {{from: Last, to: HTMLElement, until: number} | null} */
let lent = null; // the focus, while what it is from waits or is drawn anew

/** @param {Element} element */
const usable = (element) =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(":disabled") &&
  (element.checkVisibility?.({ visibilityProperty: true }) ?? true);

/** @param {Element} around */
const focusables = (around) => /** @type {HTMLElement[]} */ ([...around.querySelectorAll(FOCUSABLE)]);

/** @param {HTMLElement} element */
function remember(element) {
  const places = [];
  for (let around = element.parentElement; around; around = around.parentElement) {
    places.push({ around, at: focusables(around).indexOf(element) });
    if (around.matches(BOUNDS)) break;
  }
  last = { element, places };
}

/** Whether two elements say the same. @param {HTMLElement} one @param {HTMLElement} other */
function alike(one, other) {
  if (one.id || other.id) return one.id === other.id;
  const said = (/** @type {HTMLElement} */ each) => each.getAttribute("aria-label") || each.textContent;
  return one.tagName === other.tagName && said(one) === said(other);
}

/** Where the focus goes from what had it. @param {Last} from */
function successor({ element, places }) {
  for (const { around, at } of places) {
    if (!around.isConnected) continue;
    const there = focusables(around);
    const same = there.find((each) => each !== element && usable(each) && alike(each, element));
    if (same) return same;
    const near = there
      .map((each, place) => ({ each, away: Math.abs(place - at) }))
      .filter(({ each }) => each !== element && usable(each))
      .sort((one, other) => one.away - other.away);
    if (near.length) return near[0].each;
  }
  return null;
}

function check() {
  const { activeElement } = document;
  if (lent && activeElement === lent.to) {
    const { from, to, until } = lent;
    const back = usable(from.element) ? from.element : performance.now() < until ? successor(from) : null;
    if (back && back !== to) give(from, back);
    return;
  }
  if (!last || usable(last.element)) return;
  if (activeElement && activeElement !== document.body && activeElement !== last.element) return;
  const next = successor(last);
  if (next) give(last, next);
}

/** Gives the focus to `to`, until what had it is back. @param {Last} from @param {HTMLElement} to */
function give(from, to) {
  const until = lent?.until ?? performance.now() + DRAWN;
  lent = { from, to, until };
  to.focus({ preventScroll: true });
  if (to === from.element) lent = null;
}

let due = false;

/** Looks once what runs now has run, and its views are drawn. */
function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    check();
  });
}

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (lent && target !== lent.to) lent = null;
  remember(target);
});
// Who goes on from where the focus is stays there.
document.addEventListener("keydown", () => (lent = null), { capture: true });
// Who clicks where nothing takes the focus has let go of it.
document.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && !target.closest(FOCUSABLE)) last = lent = null;
});
new MutationObserver(soon).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ["disabled", "hidden"],
});
