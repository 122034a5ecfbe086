/* Play and step through the MFNNRs, iteration after iteration, and how many iterations run: also more than were trained. */
import { build, icon, registerWidget } from "rs/lib/dom.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";

/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

const A_STEP = 1100; // milliseconds
let timer = 0;

const page = () => blocksState;
const viewNow = () => blocksRun.get().view;

/**
 * Puts a step in focus; null: none.
 *
 * @param {number | null} step
 */
export function goTo(step) {
  const view = viewNow();
  if (!view) return;
  page().set({ step: step === null ? null : Math.max(0, Math.min(view.steps.length - 1, step)) });
}

export function stop() {
  clearTimeout(timer);
  if (page().get().playing) page().set({ playing: false });
}

function tick() {
  const view = viewNow();
  const { step, playing } = page().get();
  if (!playing) return;
  if (!view) {
    stop(); // the run failed meanwhile
    return;
  }
  if (step !== null && step >= view.steps.length - 1) page().set({ playing: false, step: null });
  else {
    goTo(step === null ? 0 : step + 1);
    timer = setTimeout(tick, A_STEP);
  }
}

export function toggle() {
  const view = viewNow();
  if (!view) return;
  if (page().get().playing) {
    stop();
    return;
  }
  const { step } = page().get();
  clearTimeout(timer);
  page().set({ playing: true, step: step !== null && step < view.steps.length - 1 ? step : 0 });
  timer = setTimeout(tick, A_STEP);
}

/**
 * Runs so many iterations more or less.
 *
 * @param {number} iterations
 */
function run(iterations) {
  const { task } = page().get();
  if (task) page().set({ iterations: Math.max(1, Math.min(task.most_iterations, iterations)) });
}

/**
 * @param {BlockView} view
 * @param {number | null} step
 */
function readoutOf(view, step) {
  if (step === null || !view.steps[step]) return view.iterations > 1 ? "all iterations" : "all levels";
  const { t, level } = view.at(step);
  const mfnnr = "MFNNR " + level + " of " + view.depth;
  return view.iterations > 1 ? "iteration " + (t + 1) + ", " + mfnnr : mfnnr;
}

registerWidget("blocks-player", (host) => {
  /**
   * @param {string | Node} content
   * @param {string} label
   * @param {() => void} act
   * @param {Record<string, unknown>} [attributes]
   */
  const button = (content, label, act, attributes = {}) =>
    build(
      "button",
      { type: "button", class: "tool", "aria-label": label, title: label, onclick: act, ...attributes },
      content,
    );
  const playIcon = icon("play");
  const play = button(playIcon, "Play through the levels", toggle, { class: "tool tool-main", id: "blocks-play" });
  const now = () => page().get().step;
  const range = build("input", { type: "range", min: 0, max: 1, step: 1, value: 0, class: "scrub", "aria-label": "Step" }); // prettier-ignore
  range.addEventListener("input", () => {
    stop();
    goTo(Number(range.value) ? Number(range.value) - 1 : null);
  });
  const readout = build("output", { class: "readout blocks-readout" });
  const count = build("input", {
    type: "number",
    id: "blocks-iterations",
    class: "small-input blocks-count",
    min: 1,
    step: 1,
    "aria-label": "Iterations",
  });
  count.addEventListener("change", () => Number(count.value) && run(Math.round(Number(count.value))));
  const trained = build("span", { class: "readout" });
  const iterations = build(
    "div",
    { class: "control blocks-runs" },
    build("label", { class: "control-name", for: "blocks-iterations" }, "iterations"),
    button("\u2212", "One iteration less", () => run(page().iterations() - 1), { id: "blocks-fewer" }),
    count,
    button("+", "One iteration more", () => run(page().iterations() + 1), { id: "blocks-more" }),
    trained,
  );
  /** @param {() => void} act */
  const leave = (act) => () => {
    stop();
    act();
  };
  host.replaceChildren(
    play,
    button(
      icon("previous"),
      "Previous step",
      leave(() => {
        const step = now();
        goTo(step === null ? Infinity : step ? step - 1 : null);
      }),
    ),
    range,
    button(
      icon("next"),
      "Next step",
      leave(() => {
        const step = now();
        goTo(step === null ? 0 : step + 1);
      }),
    ),
    readout,
    iterations,
  );
  const show = () => {
    const { step, playing, task } = page().get();
    const view = viewNow();
    [play, range].forEach((control) => (control.disabled = !view));
    playIcon.dataset.icon = playing ? "pause" : "play";
    play.setAttribute("aria-label", playing ? "Pause" : "Play through the levels");
    play.title = playing ? "Pause (space)" : "Play (space)";
    iterations.hidden = !task || task.most_iterations < 2;
    if (task) {
      const chosen = page().iterations();
      count.max = String(task.most_iterations);
      if (document.activeElement !== count || Number(count.value) !== chosen) count.value = String(chosen);
      trained.textContent = "trained on " + task.iterations + (chosen > task.iterations ? ", beyond training" : "");
    }
    if (!view) return;
    range.max = String(view.steps.length);
    range.value = String(step === null ? 0 : step + 1);
    readout.textContent = readoutOf(view, step);
    range.setAttribute("aria-valuetext", readout.textContent);
  };
  const ends = [
    page().subscribe((_, names) => ["step", "playing", "iterations", "task"].some((name) => names.has(name)) && show()),
    blocksRun.subscribe((_, names) => names.has("view") && show()),
  ];
  return () => {
    clearTimeout(timer);
    ends.forEach((end) => end());
  };
});
