/* Play and step through the MFNNRs, iteration after iteration, and how many iterations run: also more than were trained. */
import { html } from "rs/lib/view.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import { Tool } from "rs/parts/controls.js";
import { Bar } from "rs/parts/player.js";
import { useEffect } from "rs/vendor/preact.js";

/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

const A_STEP = 1100; // milliseconds
let timer = 0;

const viewNow = () => blocksRun.get().view;

/** Puts a step in focus; null: none. @param {number | null} step */
export function goTo(step) {
  const view = viewNow();
  if (!view) return;
  page.set({ step: step === null ? null : Math.max(0, Math.min(view.steps.length - 1, step)) });
}

export function stop() {
  clearTimeout(timer);
  if (page.state.playing) page.set({ playing: false });
}

function tick() {
  const view = viewNow();
  const { step, playing } = page.state;
  if (!playing) return;
  if (!view) {
    stop(); // the run failed meanwhile
    return;
  }
  if (step !== null && step >= view.steps.length - 1) page.set({ playing: false, step: null });
  else {
    goTo(step === null ? 0 : step + 1);
    timer = setTimeout(tick, A_STEP);
  }
}

export function toggle() {
  const view = viewNow();
  if (!view) return;
  if (page.state.playing) {
    stop();
    return;
  }
  const { step } = page.state;
  clearTimeout(timer);
  page.set({ playing: true, step: step !== null && step < view.steps.length - 1 ? step : 0 });
  timer = setTimeout(tick, A_STEP);
}

/** Runs so many iterations more or less. @param {number} iterations */
function run(iterations) {
  const { task } = page.state;
  if (task) page.set({ iterations: Math.max(1, Math.min(task.most_iterations, iterations)) });
}

/** @param {BlockView} view @param {number | null} step */
function readoutOf(view, step) {
  if (step === null || !view.steps[step]) return view.iterations > 1 ? "all iterations" : "all levels";
  const { t, level } = view.at(step);
  const mfnnr = "MFNNR " + level + " of " + view.depth;
  return view.iterations > 1 ? "iteration " + (t + 1) + ", " + mfnnr : mfnnr;
}

/** How many iterations run, and how many the network was trained on. */
function Iterations() {
  const { task } = page.state;
  if (!task || task.most_iterations < 2) return null;
  const chosen = page.iterations();
  /** @param {{currentTarget: HTMLInputElement}} event */
  const choose = ({ currentTarget: { value } }) => Number(value) && run(Math.round(Number(value)));
  /** @param {string} id @param {string} sign @param {string} words @param {number} by */
  const button = (id, sign, words, by) =>
    html`<${Tool} look="tool" id=${id} title=${words} label=${words} act=${() => run(chosen + by)}>${sign}<//>`;
  return html`<div class="control blocks-runs">
    <label class="control-name" for="blocks-iterations">iterations</label>
    ${button("blocks-fewer", "\u2212", "One iteration less", -1)}
    <input
      type="number"
      id="blocks-iterations"
      class="small-input blocks-count"
      min="1"
      max=${task.most_iterations}
      step="1"
      aria-label="Iterations"
      value=${String(chosen)}
      onChange=${choose}
    />
    ${button("blocks-more", "+", "One iteration more", 1)}
    <span class="readout">
      ${"trained on " + task.iterations + (chosen > task.iterations ? ", beyond training" : "")}
    </span>
  </div>`;
}

/** Goes to a step of the bar: before the first none is in focus, and before that is the last. @param {number} step */
function seek(step) {
  stop();
  goTo(step < -1 ? Infinity : step < 0 ? null : step);
}

export function Player() {
  const view = viewNow();
  const { step, playing } = page.state;
  const words = view ? readoutOf(view, step) : "";
  useEffect(() => () => clearTimeout(timer), []);
  return html`<div class="player blocks-player">
    <${Bar}
      id="blocks-play"
      shown=${view && { count: view.steps.length, step: step ?? -1, valuetext: words, words }}
      playing=${playing}
      toggle=${toggle}
      goTo=${seek}
      step=${() => page.state.step ?? -1}
      least=${0}
      playLabel="Play through the levels"
      pauseTitle="Pause (space)"
    />
    <${Iterations} />
  </div>`;
}
