/* What players of steps have in common: a clock, keys, and a bar with play, the step before, a slider, the next step and
   words. */
import { build, icon } from "rs/lib/dom.js";

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
 * @returns {Actions}
 */
export const stepKeys = (toggle, goTo, step, count) => ({
  " ": toggle,
  ArrowRight: () => goTo(step + 1),
  ArrowLeft: () => goTo(step - 1),
  Home: () => goTo(0),
  End: () => goTo(count - 1),
});

/**
 * Whether a key is pressed together with one that makes it another command.
 *
 * @param {KeyboardEvent} event
 */
export const isCommand = (event) => event.altKey || event.ctrlKey || event.metaKey;

/**
 * Does what a key stands for; Escape belongs to the full screen while there is one.
 *
 * @param {KeyboardEvent} event
 * @param {Actions} actions
 */
export function act(event, actions) {
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action || (event.key === "Escape" && document.fullscreenElement)) return;
  event.preventDefault();
  action();
}

/**
 * Hears the keys that are pressed inside what `selector` finds.
 *
 * @param {string} selector
 * @param {(event: KeyboardEvent) => void} onKey
 */
export function hearKeys(selector, onKey) {
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.closest(selector)) onKey(event);
  });
}

/**
 * Puts the bar into `host`, `more` behind it. What it returns shows a state of it: `count` steps, `valuetext` for those
 * who hear the slider, `words` for those who see it; null while there are no steps.
 *
 * @param {HTMLElement} host
 * @param {object} on
 * @param {() => void} on.toggle plays or pauses
 * @param {(step: number) => void} on.goTo
 * @param {() => number} on.step the one that is shown
 * @param {number} [on.least] the least that the slider goes to: 0 where before the first step there is one of none
 * @param {string} [on.playLabel]
 * @param {string} [on.pauseTitle]
 * @param {HTMLElement[]} [on.more]
 * @returns {(shown: {count: number, step: number, valuetext: string, words: string} | null, playing: boolean) => void}
 */
export function playerBar(host, on) {
  const { toggle, goTo, step, least = 1, playLabel = "Play through the steps", more = [] } = on;
  const { pauseTitle = "Pause (space)" } = on;
  const playIcon = icon("play");
  /**
   * @param {string} name
   * @param {string} label
   * @param {() => void} action
   */
  const button = (name, label, action) =>
    build("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, icon(name));
  const play = build("button", { type: "button", class: "tool tool-main", title: PLAY, onclick: toggle }, playIcon);
  const range = build("input", {
    type: "range",
    min: least,
    max: 1,
    value: least,
    step: 1,
    class: "scrub",
    "aria-label": "Step",
  });
  const readout = build("output", { class: "readout" });
  range.addEventListener("input", () => goTo(Number(range.value) - 1));
  host.append(
    play,
    button("previous", "Previous step", () => goTo(step() - 1)),
    range,
    button("next", "Next step", () => goTo(step() + 1)),
    readout,
    ...more,
  );
  /** @type {NodeListOf<HTMLButtonElement | HTMLInputElement>} */
  const controls = host.querySelectorAll("button, input");
  return (shown, playing) => {
    controls.forEach((control) => (control.disabled = !shown));
    playIcon.dataset.icon = playing ? "pause" : "play";
    play.setAttribute("aria-label", playing ? "Pause" : playLabel);
    play.title = playing ? pauseTitle : PLAY;
    readout.textContent = shown ? shown.words : "";
    if (!shown) return;
    range.max = String(shown.count);
    range.value = String(shown.step + 1);
    range.setAttribute("aria-valuetext", shown.valuetext);
  };
}
