/* Play, pause and scrub through the steps; keyboard: space, arrows, Home, End, Escape. */
import { placeName } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import { choose } from "rs/lib/words.js";
import { goTo, pointNext, state, update } from "rs/pages/paths/state.js";
import { Bar, act, hearKeys, isCommand, makeClock, stepKeys } from "rs/parts/player.js";

/** @import { View } from "rs/pages/paths/types.d.ts" */

const SECONDS_A_STEP = 0.9;

const start = makeClock(
  SECONDS_A_STEP,
  () => state.playing && state.view,
  (share) => {
    const { steps } = /** @type {View} */ (state.view);
    const end = steps.length + 1;
    const time = (state.time ?? 0) + share;
    const step = Math.max(0, Math.min(steps.length - 1, Math.floor(time + 0.02) - 1));
    if (time >= end) update({ playing: false, time: null, step });
    else update(step === state.step ? { time } : { time, step });
    return time < end;
  },
);

function toggle() {
  if (!state.view) return;
  if (state.playing) {
    update({ playing: false, time: null });
    return;
  }
  const again = state.step >= state.view.steps.length - 1;
  update({ playing: true, time: again ? 0 : state.step + 1, step: again ? 0 : state.step });
  start();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (isCommand(event) || !state.view) return;
  act(event, {
    ...stepKeys(toggle, goTo, state.step, state.view.steps.length),
    ArrowDown: () => pointNext(1),
    ArrowUp: () => pointNext(-1),
    Escape: () => update({ hover: null, pinned: null }),
  });
}

/** @param {KeyboardEvent} event */
function onBarKey(event) {
  const { tagName } = /** @type {Element} */ (event.target);
  if (event.key === "Escape" || (tagName !== "BUTTON" && event.key === " ")) onKey(event);
}

export function Player() {
  const { view, step, playing } = state;
  const words = view ? placeName(view.steps, step) : "";
  const shown = view && { count: view.steps.length, step, valuetext: words, words };
  return html`<div class="player" onKeyDown=${onBarKey}>
    <${Bar}
      ...${{ shown, playing, toggle, goTo, least: 1 }}
      step=${() => state.step}
      playLabel=${choose({ "": "Play through the {passes}" })}
      pauseTitle="Pause (space)"
    />
  </div>`;
}

hearKeys("[data-path-keys]", onKey);
