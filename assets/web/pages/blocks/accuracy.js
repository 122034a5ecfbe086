/* What the interventions do to the accuracy on the whole task: the evaluation that streams in for them, in numbers, as a
   picture with intervals, and by subtask. */
import * as exports from "rs/draw/exports.js";
import { moved, onResize, paintScene } from "rs/draw/scene.js";
import * as address from "rs/lib/address.js";
import { registerWidget } from "rs/lib/dom.js";
import { fixed, range, whole } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import { measure as wordsMeasure, withUnit } from "rs/lib/words.js";
import { select, together } from "rs/pages/blocks/controls.js";
import * as blocksState from "rs/pages/blocks/state.js";
import { labelled } from "rs/parts/controls.js";
import * as evaluations from "rs/parts/evaluation.js";
import { accuracies, groups } from "rs/parts/evaluation_scenes.js";
import * as figures from "rs/parts/figures.js";
import { NONE, covered, groupsApart, moodOf, tile } from "rs/parts/figures.js";
import * as tables from "rs/parts/table.js";

/** @import { Item, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/parts/evaluation.js" */

/** @typedef {Schemas["Evaluation"]} Evaluation */

const { offered: SIZES } = address.bounds("blocks", "measured");

const NAMED = "as steered";
const [BESIDE, WIDEST] = [860, 760]; // pixels: when both pictures have room side by side, and how wide one gets

const page = () => blocksState;

/* -- the stream ------------------------------------------------------------------------------------------------- */

/** The address of the evaluation of what is chosen now, or "" while the model is not there. The network as it is runs
    as many iterations as it was trained on; others are measured where nothing else is changed, so that what routes and
    gates cause is told apart from what iterations do. */
function path() {
  const { status, model, task, measured, mute_routes, copy_routes, gates } = page().get();
  if (status !== "ready" || !task) return "";
  const query = {
    model,
    data: task.name,
    samples: measured,
    iterations: page().changed() ? null : page().get().iterations,
    mute_routes: mute_routes.join(","),
    copy_routes: copy_routes.join(","),
    gates: page().gatesText(gates),
    controls: "0",
  };
  return "/evaluations/stream" + address.queryOf(query);
}

const { state, subscribe, forget, watch, leave, ...controls } = evaluations.make({
  owner: "blocks",
  pathOf: path,
  subscribePage: (listener) => page().subscribe(listener),
});

/* -- how many samples, numbers, progress ------------------------------------------------------------------------- */

registerWidget("blocks-samples", (host) =>
  show(host, () => {
    const { measured } = page().get();
    const sizes = [...new Set([...SIZES, measured])].sort((a, b) => a - b).map((size) => [String(size), whole(size)]);
    const control = select("blocks-measured", sizes, String(measured), (size) =>
      page().set({ measured: Number(size) }),
    );
    const sets = state.evaluation ? state.evaluation.data : [];
    return [
      labelled("Samples", "blocks-measured", control),
      html`<span class="caption">
        ${sets.map((each) => each.title + (each.stand_in ? ", a stand-in" : "")).join("; ")}
      </span>`,
    ];
  }),
);

/** @param {Evaluation} evaluation */
const words = (evaluation) => figures.words(evaluation);
/** @param {Pick<Evaluation, "intervention">} evaluation */
const nothing = ({ intervention }) =>
  !figures.routeWords(intervention) && !intervention.drop.length && !intervention.iterations;

/**
 * Says that other iterations are played than were scored.
 *
 * @param {Pick<Evaluation, "intervention">} evaluation
 */
function after({ intervention }) {
  const { task, iterations } = page().get();
  const others = task && iterations && !intervention.iterations;
  return others ? " Scored after " + task.iterations + " iterations, as it was trained." : "";
}

registerWidget("blocks-numbers", (host) => {
  const makeTiles = (/** @type {string} */ key) => ({
    baseline: tile("As it is", { id: "blocks-number-baseline" + key }),
    accuracy: tile("As steered", { id: "blocks-number-accuracy" + key, main: true }),
    change: tile("Paired change", { id: "blocks-number-change" + key, main: true }),
    loss: tile("Loss"),
  });
  const tiles = makeTiles("");
  const beyond = makeTiles("-out"); // of what training left out, where it showed the rest
  const [first, second] = [tiles, beyond].map((each) => Object.values(each).map(({ body }) => body));
  host.replaceChildren(...first);

  /**
   * @param {ReturnType<typeof makeTiles>} into
   * @param {Evaluation} evaluation
   * @param {string} where
   */
  function fill(into, { accuracy, baseline, change, loss, ...rest }, where) {
    const measure = wordsMeasure(rest.measure);
    const { unit, changeUnit, lossUnit } = measure;
    /**
     * @param {figures.Tile} each
     * @param {Schemas["Interval"] | null} of
     */
    const share = (each, of) =>
      of
        ? each.show(measure.show(of.value), unit, range(of, measure.show, unit ? " " + unit : ""), "", where)
        : each.show(NONE, unit, "", "", where);
    share(into.baseline, baseline && baseline.accuracy);
    share(into.accuracy, accuracy);
    if (change && !nothing(rest))
      into.change.show(
        measure.change(change.accuracy.value),
        changeUnit,
        range(change.accuracy, measure.change, ""),
        moodOf(change.accuracy, measure.higher),
        where,
      );
    else into.change.show(NONE, changeUnit, nothing(rest) ? "nothing is changed" : "", "", where);
    if (loss)
      into.loss.show(
        fixed(loss.value, 3),
        lossUnit,
        range(loss, (value) => fixed(value, 2), ""),
        "",
        where,
      );
    else into.loss.show(NONE, lossUnit, "", "", where);
  }

  return subscribe((now) => {
    host.dataset.fresh = String(now.fresh);
    const [known, other] = now.evaluation ? figures.apart(now.evaluation) : [];
    if (known) fill(tiles, known.evaluation, known.where);
    else for (const each of Object.values(tiles)) each.show(NONE);
    if (other) fill(beyond, other.evaluation, other.where);
    const bodies = other ? [...first, ...second] : first;
    if (host.children.length !== bodies.length) host.replaceChildren(...bodies);
  });
});

/** @param {Pick<State, "status" | "problem" | "evaluation" | "fresh">} shown */
const progressOf = (shown) =>
  evaluations.progressOf(shown, {
    waiting: "Measured once this is in view.",
    after: (now) => (nothing(now) ? " Mute a route or fix a gate to see what it is for." : "") + after(now),
  });

registerWidget("blocks-progress", (host) => {
  // What is said depends on the iterations that are played, too.
  /** @param {(shown: State) => void} listener */
  const both = (listener) =>
    together(
      subscribe(listener),
      page().subscribe((_, names) => names.has("iterations") && listener(state)),
    );
  return evaluations.progress(host, "blocks", { ...controls, subscribe: both }, progressOf);
});

/* -- pictures ---------------------------------------------------------------------------------------------------- */

/**
 * Accuracies of parts of the task: by the output asked for, by subtask, or else by the right answer.
 *
 * @param {Evaluation} evaluation
 * @returns {[string, ReturnType<typeof groupsApart>]}
 */
function parts(evaluation) {
  if ((evaluation.by_kind ?? []).length < 2) return ["right answer", groupsApart(evaluation, "by_label")];
  const { task } = page().get();
  return [task && task.outputs.length > 1 ? "output asked for" : "subtask", groupsApart(evaluation, "by_kind")];
}

/**
 * @param {Evaluation} evaluation
 * @param {number} width
 */
function scenes(evaluation, width) {
  const [what, rows] = parts(evaluation);
  const whole = accuracies(evaluation, width, { named: NAMED, room: 2 });
  return rows.length > 1 ? [whole, groups(rows, what, evaluation, width)] : [whole];
}

/**
 * Both pictures below each other, for files.
 *
 * @param {Evaluation} evaluation
 * @param {number} width
 * @returns {Scene}
 */
function oneBelowTheOther(evaluation, width) {
  const [first, second] = scenes(evaluation, width);
  if (!second) return first;
  return {
    ...first,
    height: first.height + second.height,
    desc: first.desc + " " + second.desc,
    items: [...first.items, ...second.items.map((item) => moved(item, 0, first.height))],
  };
}

/** @param {Evaluation} evaluation */
function rowsOf(evaluation) {
  const { name, lossUnit } = wordsMeasure(evaluation.measure);
  /** @type {unknown[][]} */
  const rows = [["what", "samples", "value", "low", "high", "as_it_is", "change", "change_low", "change_high"]];
  /** @param {Schemas["Interval"] | null | undefined} of */
  const ends = (of) => (of ? [of.value, of.low ?? "", of.high ?? ""] : ["", "", ""]);
  for (const { where, count, evaluation: part } of figures.apart(evaluation)) {
    const { accuracy, baseline, change, loss } = part;
    const [there, samples] = [where && ", " + where, count ?? covered(evaluation)];
    const before = (/** @type {"accuracy" | "loss"} */ of) => (baseline ? baseline[of].value : "");
    if (accuracy)
      rows.push([name + there, samples, ...ends(accuracy), before("accuracy"), ...ends(change && change.accuracy)]);
    if (loss) {
      const what = "loss" + (lossUnit ? " in " + lossUnit : "") + there;
      rows.push([what, samples, ...ends(loss), before("loss"), ...ends(change && change.loss)]);
    }
  }
  const [what, groups] = parts(evaluation);
  for (const each of groups)
    rows.push([
      what + " " + each.name + (each.distribution ? ", " + each.distribution : ""),
      each.count,
      each.accuracy,
      each.low,
      each.high,
      each.baseline,
      each.change,
      each.change_low,
      each.change_high,
    ]);
  return rows;
}

registerWidget("blocks-effect", (host) => {
  const canvases = [...host.querySelectorAll("canvas")];
  const table = document.querySelector('[data-blocks-table="accuracy"]');

  function draw() {
    const { evaluation, fresh, status } = state;
    host.dataset.fresh = String(fresh);
    host.dataset.state = status;
    const accuracy = evaluation && evaluation.accuracy;
    host.dataset.shown = String(Boolean(accuracy));
    const beside = host.clientWidth > BESIDE;
    const width = Math.min(beside ? Math.floor((host.clientWidth - 25) / 2) : host.clientWidth, WIDEST);
    if (!accuracy || width < 60) {
      canvases.forEach((canvas) => delete canvas.dataset.painted);
      if (table && !accuracy) show(table, () => null);
      return;
    }
    const made = scenes(evaluation, width);
    canvases.forEach((canvas, at) => {
      canvas.hidden = !made[at];
      if (!made[at]) return;
      paintScene({ ...made[at], background: null }, readTheme().font, canvas);
      canvas.style.width = made[at].width + "px";
      canvas.style.height = made[at].height + "px";
      canvas.dataset.painted = evaluation.id;
    });
    const measure = wordsMeasure(evaluation.measure);
    /** @param {number} value */
    const said = (value) => withUnit(measure, value);
    canvases[0].setAttribute(
      "aria-label",
      "Task " + measure.name + ", " + words(evaluation) + ": " + said(accuracy.value),
    );
    const [what, rows] = parts(evaluation);
    canvases[1].setAttribute(
      "aria-label",
      measure.title + " by " + what + ": " + rows.map((each) => each.name + " " + said(each.accuracy)).join("; "),
    );
    if (table) tables.fill(table, rowsOf(evaluation), made[0].desc);
  }

  /**
   * What files say about where the numbers come from.
   *
   * @param {Evaluation} evaluation
   */
  const facts = (evaluation) =>
    figures.factsOf(evaluation, ["drop", "mute_routes", "copy_routes", "gates", "iterations"]);

  exports.register("blocks-accuracy", () => {
    const { evaluation } = state;
    if (!evaluation || !evaluation.accuracy) return null;
    return {
      name: "blocks-accuracy",
      facts: facts(evaluation),
      python: { figure: "accuracy" },
      rows: () => rowsOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: { scene: () => oneBelowTheOther(evaluation, Math.max(560, Math.min(WIDEST, host.clientWidth))) },
    };
  });
  return together(
    subscribe((_, names) => ["evaluation", "fresh", "status"].some((name) => names.has(name)) && draw()),
    onThemeChange(draw),
    onResize(host, draw),
    page().subscribe(
      ({ model }, names) => names.has("info") && state.evaluation && state.evaluation.model !== model && forget(),
    ),
    watch(host.closest(".panel") || host),
    leave,
  );
});

export { state, subscribe };
