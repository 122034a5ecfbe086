/* Play, pause and scrub through the steps; keyboard: space, arrows, Home, End, Escape. */
import { build, icon, registerWidget } from "rs/lib/dom.js";
import { stepLabel } from "rs/lib/trace.js";
import * as paths from "rs/pages/paths/state.js";
import { goTo, pointNext, state, update } from "rs/pages/paths/state.js";

const SECONDS_A_STEP = 0.9;
/** @type {number | null} */
let last = null;

/** @param {number} now */
function tick(now) {
  if (!state.playing || !state.view) {
    last = null;
    return;
  }
  const passed = last === null ? 0 : Math.min(0.1, (now - last) / 1000);
  last = now;
  const end = state.view.steps.length + 1;
  const time = (state.time ?? 0) + passed / SECONDS_A_STEP;
  const step = Math.max(0, Math.min(state.view.steps.length - 1, Math.floor(time + 0.02) - 1));
  if (time >= end) update({ playing: false, time: null, step });
  else update(step === state.step ? { time } : { time, step });
  requestAnimationFrame(tick);
}

function toggle() {
  if (!state.view) return;
  if (state.playing) {
    update({ playing: false, time: null });
    return;
  }
  const again = state.step >= state.view.steps.length - 1;
  update({ playing: true, time: again ? 0 : state.step + 1, step: again ? 0 : state.step });
  requestAnimationFrame(tick);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { view } = state;
  if (event.altKey || event.ctrlKey || event.metaKey || !view) return;
  /** @type {Record<string, () => void>} */
  const actions = {
    " ": toggle,
    ArrowRight: () => goTo(state.step + 1),
    ArrowLeft: () => goTo(state.step - 1),
    Home: () => goTo(0),
    End: () => goTo(view.steps.length - 1),
    ArrowDown: () => pointNext(1),
    ArrowUp: () => pointNext(-1),
    Escape: () => update({ hover: null, pinned: null }),
  };
  if (!actions[event.key]) return;
  if (event.key === "Escape" && document.fullscreenElement) return;
  event.preventDefault();
  actions[event.key]();
}

registerWidget("path-player", (host) => {
  const playIcon = icon("play");
  /**
   * @param {string} name
   * @param {string} label
   * @param {() => void} action
   */
  const button = (name, label, action) =>
    build("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, icon(name));
  const play = build(
    "button",
    {
      type: "button",
      class: "tool tool-main",
      "aria-label": "Play through the steps",
      title: "Play (space)",
      onclick: toggle,
    },
    playIcon,
  );
  const range = build("input", {
    type: "range",
    min: 1,
    max: 1,
    value: 1,
    step: 1,
    class: "scrub",
    "aria-label": "Step",
  });
  const readout = build("output", { class: "readout" });
  range.addEventListener("input", () => goTo(Number(range.value) - 1));
  host.append(
    play,
    button("previous", "Previous step", () => goTo(state.step - 1)),
    range,
    button("next", "Next step", () => goTo(state.step + 1)),
    readout,
  );
  host.addEventListener("keydown", (event) => {
    const { tagName } = /** @type {Element} */ (event.target);
    if (event.key === "Escape" || (tagName !== "BUTTON" && event.key === " ")) onKey(event);
  });
  const stop = paths.subscribe((state) => {
    const { view } = state;
    /** @type {NodeListOf<HTMLButtonElement | HTMLInputElement>} */
    const controls = host.querySelectorAll("button, input");
    controls.forEach((control) => (control.disabled = !view));
    playIcon.dataset.icon = state.playing ? "pause" : "play";
    play.setAttribute("aria-label", state.playing ? "Pause" : "Play through the steps");
    play.title = state.playing ? "Pause (space)" : "Play (space)";
    if (!view) {
      readout.textContent = "";
      return;
    }
    range.max = String(view.steps.length);
    range.value = String(state.step + 1);
    range.setAttribute("aria-valuetext", "step " + view.steps[state.step]);
    readout.textContent = "step " + stepLabel(view.steps[state.step]) + " of " + view.steps.length;
  });
  return () => {
    update({ playing: false, time: null });
    stop();
  };
});

document.addEventListener("keydown", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-path-keys]")) onKey(event);
});
