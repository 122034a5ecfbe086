/* Play, pause and scrub through the steps; keyboard: space, arrows, Home, End, Escape. */
import { build, icon, registerWidget } from "rs/lib/dom.js";
import { stepLabel } from "rs/lib/trace.js";
import * as paths from "rs/pages/paths/state.js";
import { goTo, pointNext, state, update } from "rs/pages/paths/state.js";

const SECONDS_A_STEP = 0.9;
let last = null;

function tick(now) {
  if (!state.playing || !state.view) {
    last = null;
    return;
  }
  const passed = last === null ? 0 : Math.min(0.1, (now - last) / 1000);
  last = now;
  const end = state.view.steps.length + 1;
  const time = state.time + passed / SECONDS_A_STEP;
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

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || !state.view) return;
  const actions = {
    " ": toggle,
    ArrowRight: () => goTo(state.step + 1),
    ArrowLeft: () => goTo(state.step - 1),
    Home: () => goTo(0),
    End: () => goTo(state.view.steps.length - 1),
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
    if (event.key === "Escape" || (event.target.tagName !== "BUTTON" && event.key === " ")) onKey(event);
  });
  const stop = paths.subscribe((state) => {
    const ready = Boolean(state.view);
    host.querySelectorAll("button, input").forEach((control) => (control.disabled = !ready));
    playIcon.dataset.icon = state.playing ? "pause" : "play";
    play.setAttribute("aria-label", state.playing ? "Pause" : "Play through the steps");
    play.title = state.playing ? "Pause (space)" : "Play (space)";
    if (!ready) {
      readout.textContent = "";
      return;
    }
    range.max = state.view.steps.length;
    range.value = state.step + 1;
    range.setAttribute("aria-valuetext", "step " + state.view.steps[state.step]);
    readout.textContent = "step " + stepLabel(state.view.steps[state.step]) + " of " + state.view.steps.length;
  });
  return () => {
    update({ playing: false, time: null });
    stop();
  };
});

document.addEventListener("keydown", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-path-keys]")) onKey(event);
});
