/* The control by which a page pins A, and the line that says what A and B are. */
import * as pins from "rs/lib/navigation/pinned.js";
import { html } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";
import { pinnedWords } from "rs/parts/pinned/words.js";
import { useEffect, useRef } from "rs/vendor/preact.js";

/** @import { Pinned } from "rs/lib/navigation/pinned.js" */

let swapping = false; // whether the page comes anew because A and B change places
const SAME = "same as A: change the sample, the model or the intervention";

/**
 * @typedef {object} Page what a page that compares says of itself
 * @property {() => Pinned | null} shown what it shows now; null while there is nothing. What it reads of the page's store
 *   is followed.
 * @property {() => string[] | undefined} units all of the model that is shown
 * @property {() => void} write writes the address of the page, with what is pinned now
 * @property {(a: Pinned) => string} [noSwap] why the page cannot show A, in words; "" where it can
 */

/** Whether the page shows A already. @param {Page} page @param {Pinned | null} now */
function isPinned({ units }, now) {
  const a = pins.read(pins.pinned.value);
  return a !== null && now !== null && pins.same(a, now, units());
}

/** The button that pins what is shown. @param {Page} page */
export function PinTool(page) {
  const now = page.shown();
  const there = Boolean(pins.pinned.value);
  async function pin() {
    if (!now) return;
    await pins.pin(now, page.units());
    page.write();
  }
  const label = there ? "Pin this view as A, in place of the former A" : "Pin this view as A, to compare";
  return html`<${Tool} label=${label} title=${label} wait=${!now || isPinned(page, now)} act=${pin}>Pin as A<//>`;
}

/** The line that says what A and B are; nothing while nothing is pinned. @param {Page} page */
export function PinBar(page) {
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (swapping) bar.current?.focus({ preventScroll: true }); // the button that was pressed is gone
    swapping = false;
  }, []);
  const a = pins.read(pins.pinned.value);
  if (!a) return null;
  const now = page.shown();
  const same = isPinned(page, now);
  const why = page.noSwap?.(a) ?? "";
  function swap() {
    if (!now) return;
    swapping = true;
    pins.swap(now, page.units());
  }
  function unpin() {
    pins.unpin();
    page.write();
    // The button goes; who pressed it is not to fall back to the beginning of the page.
    /** @type {HTMLElement | null} */ (document.querySelector(".pin-tool button"))?.focus();
  }
  return html`
    <div ref=${bar} class="pin-bar" role="group" aria-label="What is compared" tabindex="-1">
      <span class="pin-side">
        <span class="pin-letter">A</span><span class="pinned-words" data-pinned="a">${pinnedWords(a)}</span>
      </span>
      <span class="pin-side">
        <span class="pin-letter">B</span>
        <span class="pinned-words" data-pinned="b">${same ? SAME : now ? pinnedWords(now) : "what is shown"}</span>
      </span>
      <span class="pin-actions">
        <${Tool} title=${why || "Show A, and pin this view"} wait=${!now || same || Boolean(why)} act=${swap}>Swap<//>
        <${Tool} title="End the comparison" act=${unpin}>Unpin<//>
      </span>
    </div>
  `;
}
