/* The large numbers of the Drop page, its progress, and what dropping costs and saves; fed by the stream. */
import { build, registerWidget } from "rs/lib/dom.js";
import { percent, short, whole } from "rs/lib/format.js";
import { followMeasure, measure as wordsMeasure, of as wordsOf } from "rs/lib/words.js";
import * as drop from "rs/pages/drop/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { NONE, WHOLE, showFigures, tile, words } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/pages/drop/types.d.ts" */

/** @param {Schemas["Evaluation"]} evaluation */
const sentence = (evaluation) => words(evaluation, drop.state.model);

registerWidget("drop-numbers", (host) => {
  const accuracy = tile("Accuracy", { id: "drop-accuracy-number", main: true });
  const change = tile("Paired change", { id: "drop-change-number", main: true });
  const loss = tile("Loss");
  const control = tile("Random sets", { id: "drop-control-number" });
  host.replaceChildren(accuracy.body, change.body, loss.body, control.body);

  /** @param {Schemas["Evaluation"]} evaluation */
  function showControl(evaluation) {
    const { control: random } = evaluation;
    if (!random) return control.show(NONE, "", sentence(evaluation) === WHOLE ? WHOLE : "scored next");
    const drawn = random.draws_done + (random.draws_done < random.draws ? " of " + random.draws : "");
    const sets =
      (random.exact && random.draws_done === random.draws ? "all " : "") +
      drawn +
      (random.draws === 1 ? " set" : " sets") +
      " of " +
      random.size;
    if (random.mean === null) return control.show(NONE, "", sets);
    const { show: said, unit, share } = wordsMeasure(evaluation.measure);
    const { least, most } = random;
    const between = random.draws_done > 1 && least !== null && most !== null;
    const span = between ? said(least) + " to " + said(most) + ", " : "";
    return control.show(said(random.mean), share ? unit + " on average" : "on average", span + sets);
  }

  /** @param {Schemas["Evaluation"]} evaluation */
  function show(evaluation) {
    showFigures({ accuracy, change, loss }, evaluation);
    showControl(evaluation);
  }

  return drop.subscribe((state, names) => {
    host.dataset.fresh = String(state.fresh);
    if (!names.has("evaluation")) return;
    followMeasure(state.evaluation && state.evaluation.measure);
    if (state.evaluation) show(state.evaluation);
    else for (const each of [accuracy, change, loss, control]) each.show(NONE, "", "");
  });
});

/* -- progress --------------------------------------------------------------------------------------------- */

/** @param {State} state */
function progressOf(state) {
  const { model } = drop.state;
  return evaluations.progressOf(state, {
    intervention: sentence,
    stale: "Cancelled before the first figure; what is shown belongs to the set before.",
    kept: "measured before, nothing had to be computed",
    several: ", one data set after the other",
    after: (now) => (sentence(now) === WHOLE ? " Click a " + wordsOf(model).unit + " to leave it out." : ""),
  });
}

registerWidget("drop-progress", (host) => evaluations.progress(host, "drop", drop, progressOf));

/* -- what it costs ---------------------------------------------------------------------------------------- */

/** @param {string} name */
function costRow(name) {
  const label = build("span", { class: "cost-name" }, name);
  const fill = build("span", { class: "bar-fill" });
  const mark = build("span", { class: "bar-mark" });
  const track = build("span", { class: "bar-track", "aria-hidden": "true" }, fill, mark);
  const value = build("span", { class: "cost-value" });
  return { body: build("div", { class: "cost" }, label, track, value), fill, mark, value };
}

registerWidget("drop-costs", (host) => {
  const flops = costRow("FLOPs per sample");
  const speed = costRow("Samples per second");
  speed.body.id = "drop-speed";
  flops.body.id = "drop-flops";
  host.replaceChildren(flops.body, speed.body);

  /**
   * @param {ReturnType<typeof costRow>} row
   * @param {number | null} value
   * @param {number | null} before
   */
  function bar(row, value, before) {
    const most = Math.max(value || 0, before || 0) || 1;
    row.fill.style.width = (100 * (value || 0)) / most + "%";
    row.fill.style.background = "var(--rs-accent)";
    row.mark.hidden = !before;
    row.mark.style.left = (100 * (before || 0)) / most + "%";
  }

  /** @param {Schemas["Evaluation"]} evaluation */
  function show(evaluation) {
    const { baseline } = evaluation;
    bar(flops, evaluation.flops, baseline && baseline.flops);
    bar(speed, evaluation.samples_per_second, baseline && baseline.samples_per_second);
    const { saved } = evaluation;
    const share = saved === null ? "" : saved > 0 ? ", " + percent(saved) + " % saved" : ", nothing saved";
    flops.value.textContent = evaluation.flops === null ? "counting" : short(evaluation.flops) + share;
    const was = baseline && baseline.samples_per_second ? ", " + whole(baseline.samples_per_second) + " as it is" : "";
    speed.body.title = "Each was timed when it was scored; what else the machine did then is in it.";
    speed.value.textContent = evaluation.samples_per_second ? whole(evaluation.samples_per_second) + was : NONE;
  }

  return drop.subscribe((state, names) => {
    host.dataset.fresh = String(state.fresh);
    if (names.has("evaluation") && state.evaluation) show(state.evaluation);
  });
});
