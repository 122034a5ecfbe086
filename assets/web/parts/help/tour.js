/* The tour of a page: one element after the other, with a sentence or two beside it (vendor/driver.js). */
import { pageAt } from "rs/lib/address.js";
import * as api from "rs/lib/api.js";
import { build } from "rs/lib/dom.js";
import { closeDialog } from "rs/parts/dialog.js";
import { TOURS } from "rs/parts/help/tours.js";
import { driver } from "rs/vendor/driver.js";

/** @import { Driver, PopoverDOM } from "rs/vendor/driver.js" */
/** @import { Stop } from "rs/parts/help/tours.js" */

/** What the library writes on the element that it points at, and takes away afterwards, whatever was there. */
const WRITTEN = ["aria-haspopup", "aria-expanded", "aria-controls"];
/** @type {Driver | null} */
let running = null;

/** The stops whose element is shown. @param {Stop[]} stops */
const shown = (stops) =>
  stops.flatMap(([at, title, text]) => {
    const elements = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(at)]);
    const element = elements.find((each) => each.checkVisibility() && each.getClientRects().length > 0);
    return element ? [{ element, popover: { title, description: text } }] : [];
  });

/** Keeps what is written on elements, and gives a function that writes it again. @param {Element[]} elements */
function keepAttributes(elements) {
  const kept = elements.map((element) => WRITTEN.map((name) => element.getAttribute(name)));
  return () =>
    elements.forEach((element, at) =>
      WRITTEN.forEach((name, place) => {
        const value = kept[at][place];
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }),
    );
}

/** Give the tour's parts their roles and names for screen readers. @param {PopoverDOM} popover */
function named({ wrapper, title, nextButton, previousButton, closeButton }) {
  title.replaceChildren(build("h2", null, title.textContent));
  for (const part of [title, wrapper.querySelector("footer")]) part?.setAttribute("role", "presentation");
  wrapper.setAttribute("aria-modal", "true");
  closeButton.setAttribute("aria-label", "End the tour");
  for (const button of [nextButton, previousButton]) button.classList.add("tour-step");
}

/** Starts the tour of the page that is open. @param {HTMLElement | null} before gets the focus back */
export function start(before) {
  closeDialog(false);
  running?.destroy();
  const stops = shown(TOURS[pageAt(location.pathname) ?? ""] || []);
  if (!stops.length) {
    api.notify("No tour here", "This page has nothing to point at yet. Choose a model that it is for.", "bad");
    return;
  }
  const restore = keepAttributes(stops.map(({ element }) => element));
  const tour = driver({
    steps: stops,
    animate: false, // while a step flew in, the library would take no key and no click
    overlayOpacity: 0.45,
    stagePadding: 5,
    stageRadius: 6,
    popoverClass: "tour-popover",
    disableActiveInteraction: true,
    showProgress: true,
    progressText: "{{current}} of {{total}}",
    nextBtnText: "Next",
    prevBtnText: "Back",
    doneBtnText: "Done",
    onPopoverRender: named,
    onHighlighted: () => {
      restore();
      /** @type {HTMLElement | null} */ (document.querySelector(".driver-popover-next-btn"))?.focus();
    },
    onDestroyed: () => {
      restore();
      running = null;
      if (before) queueMicrotask(() => before.isConnected && before.focus());
    },
  });
  running = tour;
  tour.drive();
}

/* Another page has other elements. */
for (const moved of ["popstate", "_dashprivate_pushstate"]) window.addEventListener(moved, () => running?.destroy());
