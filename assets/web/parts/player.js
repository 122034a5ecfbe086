/* What players of steps have in common: a clock, keys, and a bar with play, the step before, a slider, the next step and
   words. */
import { html, icon } from "rs/lib/view.js";
import { Tool } from "rs/parts/controls.js";

const LONGEST = 0.1; // seconds that one frame stands for at most, as after the page was hidden
const PLAY = "Play (space)";

/**
 * A clock that runs with the frames of the page: returns what starts it. It stops where `plays()` says no any more, or
 * where `goOn(share)`, which hears the share of a step that has passed since the frame before, does.
 *
 * @param {number} seconds that a step takes
 * @param {() => unknown} plays
 * @param {(share: number) => boolean} goOn
 */
export function makeClock(seconds, plays, goOn) {
  /** @type {number | null} */
  let last = null;

  /** @param {number} now */
  function tick(now) {
    const passed = last === null ? 0 : Math.min(LONGEST, (now - last) / 1000);
    last = now;
    if (plays() && goOn(passed / seconds)) requestAnimationFrame(tick);
    else last = null;
  }

  return () => {
    requestAnimationFrame(tick);
  };
}

/** @typedef {Record<string, () => unknown>} Actions by the key; letters as small ones */

/**
 * What keys do that go through steps: space, left, right, Home, End.
 *
 * @param {() => void} toggle
 * @param {(step: number) => void} goTo
 * @param {number} step the one that is shown
 * @param {number} count
 */
export const stepKeys = (toggle, goTo, step, count) => ({
  " ": toggle,
  ArrowRight: () => goTo(step + 1),
  ArrowLeft: () => goTo(step - 1),
  Home: () => goTo(0),
  End: () => goTo(count - 1),
});

/** Whether a key is pressed together with one that makes it another command. @param {KeyboardEvent} event */
export const isCommand = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** Act on a key; Escape first leaves the full screen. @param {KeyboardEvent} event @param {Actions} actions */
export function act(event, actions) {
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || (event.key === "Escape" && document.fullscreenElement)) return;
  event.preventDefault();
  action();
}

/** Hear keys inside `selector`. @param {string} selector @param {(event: KeyboardEvent) => void} onKey */
export function hearKeys(selector, onKey) {
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest(selector)) onKey(event);
  });
}

/**
 * @typedef {object} Steps what the bar shows
 * @property {number} count
 * @property {number} step the one that is shown
 * @property {string} valuetext for those who hear the slider
 * @property {string} words for those who see it
 */

/**
 * Play, the step before, a slider, the next step and words; nothing can be played while `shown` is null.
 *
 * @param {{id?: string, shown: Steps | null, playing: boolean, toggle: () => void, goTo: (step: number) => void, step: () => number, least: number, playLabel: string, pauseTitle: string}} props
 */
export function Bar({ id, shown, playing, toggle, goTo, step, least, playLabel, pauseTitle }) {
  const wait = !shown;
  const label = playing ? "Pause" : playLabel;
  const named = (/** @type {string} */ title) => ({ title, label: title });
  /** @param {InputEvent} event */
  const slide = (event) => goTo(Number(/** @type {HTMLInputElement} */ (event.currentTarget).value) - 1);
  return html`
    <${Tool}
      id=${id}
      look="tool tool-main"
      label=${label}
      title=${playing ? pauseTitle : PLAY}
      wait=${wait}
      act=${toggle}
    >
      ${icon(playing ? "pause" : "play")}
    <//>
    <${Tool} look="tool" ...${named("Previous step")} wait=${wait} act=${() => goTo(step() - 1)}>
      ${icon("previous")}
    <//>
    <input
      type="range"
      class="scrub"
      aria-label="Step"
      aria-valuetext=${shown?.valuetext}
      min=${least}
      max=${shown ? shown.count : 1}
      step="1"
      value=${shown ? shown.step + 1 : least}
      disabled=${wait}
      onInput=${slide}
    />
    <${Tool} look="tool" ...${named("Next step")} wait=${wait} act=${() => goTo(step() + 1)}>${icon("next")}<//>
    <output class="readout">${shown ? shown.words : ""}</output>
  `;
}
