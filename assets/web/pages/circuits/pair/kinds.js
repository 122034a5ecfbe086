/* The accuracy by kind of statement as it streams in: numbers, progress with cancel, a picture with intervals, a table. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import * as format from "rs/lib/format.js";
import { percent, points, range, whole } from "rs/lib/format.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { show } from "rs/lib/view.js";
import * as pairEvaluation from "rs/pages/circuits/pair/evaluation.js";
import * as circuitsState from "rs/pages/circuits/state.js";
import * as evaluations from "rs/parts/evaluation.js";
import { controlWaits, covered, moodOf, tile } from "rs/parts/figures.js";
import * as tables from "rs/parts/table.js";

/** @import { Item, Look, Panel, Scene, TextItem } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { State } from "rs/parts/evaluation.js" */

const NONE = "\u2013";

/**
 * @typedef {Schemas["Evaluation"]} Evaluation
 * @typedef {Omit<Schemas["GroupEffect"], Ends> & Record<Ends, number | null>} Row
 * @typedef {"low" | "high" | "change_low" | "change_high"} Ends
 */

/** @type {(keyof Row)[]} */
const COLUMNS = ["name", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"];

/**
 * What was done, in words: "12 modules left out, 40 % of the links kept".
 *
 * @param {{intervention: Pick<Schemas["InterventionBody"], "drop" | "keep_edges">}} evaluation
 */
export function words({ intervention }) {
  const { drop, keep_edges: keep } = intervention;
  const parts = [];
  if (drop.length) parts.push(drop.length === 1 ? drop[0] + " dropped" : drop.length + " modules dropped");
  if (keep !== null && keep !== undefined) parts.push(format.percentOf(keep) + " % of the links kept");
  return parts.join(", ") || "nothing dropped";
}

/** @param {Evaluation} evaluation */
const nothing = (evaluation) => words(evaluation) === "nothing dropped";

/**
 * All kinds together first, then each of them.
 *
 * @param {Evaluation} evaluation
 * @returns {Row[]}
 */
function rowsOf(evaluation) {
  const { accuracy, baseline, change } = evaluation;
  const kinds = evaluation.by_kind || [];
  if (!accuracy || !baseline || !change) return kinds;
  const all = {
    name: "all kinds", count: kinds.reduce((sum, each) => sum + each.count, 0), baseline: baseline.accuracy.value,
    accuracy: accuracy.value, low: accuracy.low, high: accuracy.high,
    change: change.accuracy.value, change_low: change.accuracy.low, change_high: change.accuracy.high,
  }; // prettier-ignore
  return [all, ...kinds];
}

/** @param {Evaluation} evaluation */
const tableOf = (evaluation) => [COLUMNS, ...rowsOf(evaluation).map((row) => COLUMNS.map((name) => row[name]))];

/* -- numbers ---------------------------------------------------------------------------------------------------- */

registerWidget("pair-numbers", (host) => {
  const tiles = {
    accuracy: tile("Accuracy", { id: "pair-accuracy" }),
    change: tile("Paired change", { id: "pair-change" }),
    control: tile("Random modules", { id: "pair-control" }),
  };
  host.replaceChildren(...Object.values(tiles).map((each) => each.body));

  /** @param {Evaluation} evaluation */
  function show(evaluation) {
    const { accuracy, change, control } = evaluation;
    if (accuracy) tiles.accuracy.show(percent(accuracy.value), "%", range(accuracy, percent, " %"));
    else tiles.accuracy.show(NONE, "%");
    if (change && !nothing(evaluation))
      tiles.change.show(
        points(change.accuracy.value),
        "points",
        range(change.accuracy, points, ""),
        moodOf(change.accuracy),
      );
    else tiles.change.show(NONE, "points", nothing(evaluation) ? "nothing is dropped" : "");
    if (!control) tiles.control.show(NONE, "", controlWaits(evaluation, "module"));
    else {
      const count =
        control.draws_done +
        (control.draws_done < control.draws ? " of " + control.draws : "") +
        " sets of " +
        control.size;
      const span =
        control.draws_done > 1 ? percent(control.least ?? 0) + " to " + percent(control.most ?? 0) + ", " : "";
      tiles.control.show(
        control.mean === null ? NONE : percent(control.mean),
        control.mean === null ? "" : "%",
        (control.mean === null ? "" : span) + count,
      );
    }
  }

  return pairEvaluation.subscribe((state) => {
    host.dataset.fresh = String(state.fresh);
    if (state.evaluation) show(state.evaluation);
    else for (const each of Object.values(tiles)) each.show(NONE);
  });
});

/* -- progress --------------------------------------------------------------------------------------------------- */

/** @param {State} state */
const progressOf = (state) =>
  evaluations.progressOf(state, {
    chosen: circuitsState.get().measured,
    counted: "statements",
    waiting: "Measured on " + whole(circuitsState.get().measured) + " statements once this is in view.",
    sets: " modules",
    intervention: words,
    after: (now) => (nothing(now) ? " Click a module to drop it." : ""),
  });

registerWidget("pair-progress", (host) => evaluations.progress(host, "pair", pairEvaluation, progressOf));

/* -- the picture ------------------------------------------------------------------------------------------------ */

/**
 * @param {number} x
 * @param {number} y
 * @param {string} said
 * @param {string} fill
 * @param {Partial<TextItem>} [more]
 * @returns {TextItem}
 */
const text = (x, y, said, fill, more) => ({ shape: "text", x, y, text: said, size: 12, fill, ...more });
/**
 * @param {string} d
 * @param {string} stroke
 * @param {Look} [more]
 * @returns {Item}
 */
const line = (d, stroke, more) => ({ shape: "path", d, stroke, width: 1, ...more });

/**
 * A row a kind: a bar as far as the accuracy with its interval, a ring for the whole network, n, the paired change.
 *
 * @param {Evaluation} evaluation
 * @param {number} width
 * @returns {Scene}
 */
function sceneOf(evaluation, width) {
  const theme = readTheme();
  const rows = rowsOf(evaluation);
  const { control } = evaluation;
  const narrow = width < 480;
  const [left, right] = [narrow ? 8 : 168, narrow ? 60 : 150];
  const step = narrow ? 42 : 30;
  /** @param {number} value */
  const x = (value) => left + value * (width - left - right);
  const bottom = 12 + rows.length * step;
  /** @type {Item[]} */
  const items = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    line(
      "M" + x(value) + ",8V" + bottom,
      value === 0.5 ? theme.dim : theme.hair,
      value === 0.5 ? { dash: [3, 3] } : {},
    ),
    text(
      x(value),
      bottom + 15,
      value === 0.5 ? "50 %, chance" : Math.round(100 * value) + (value === 1 ? " %" : ""),
      theme.dim,
      { size: 11, anchor: "middle" },
    ),
  ]);
  rows.forEach((row, at) => {
    const y = 12 + step * (at + 0.5) + (narrow ? 8 : 0);
    const strong = at ? undefined : 650;
    const sure = (row.change_high ?? 0) < 0 ? theme.bad : (row.change_low ?? 0) > 0 ? theme.good : theme.dim;
    if (narrow) items.push(text(left, y - 13, row.name + ", n " + whole(row.count), theme.ink, { weight: strong }));
    else {
      items.push(text(left - 8, y, row.name, theme.ink, { anchor: "end", weight: strong }));
      items.push(text(left - 8, y + 12, "n " + whole(row.count), theme.dim, { anchor: "end", size: 10.5 }));
    }
    items.push({
      shape: "rect",
      x: left,
      y: y - 5,
      w: Math.max(0, x(row.accuracy) - left),
      h: 10,
      rx: 2,
      fill: theme.accent,
      opacity: 0.3,
    });
    if (row.low !== null && row.high !== null)
      items.push(
        line(
          "M" +
            x(row.low) +
            "," +
            y +
            "H" +
            x(row.high) +
            "M" +
            x(row.low) +
            "," +
            (y - 4) +
            "v8M" +
            x(row.high) +
            "," +
            (y - 4) +
            "v8",
          theme.accent,
          { width: 1.6 },
        ),
      );
    items.push({
      shape: "circle",
      cx: x(row.baseline),
      cy: y,
      r: 4.8,
      fill: theme.surface,
      stroke: theme.ink,
      width: 1.6,
    });
    items.push({ shape: "circle", cx: x(row.accuracy), cy: y, r: 4, fill: theme.accent });
    if (!at && control && control.mean !== null)
      items.push(line("M" + x(control.mean) + "," + (y - 9) + "v18", theme.ink, { width: 2.5 }));
    items.push(text(width - right + 14, y + 4, percent(row.accuracy) + " %", theme.ink, { weight: 650 }));
    if (!narrow && !nothing(evaluation))
      items.push(text(width, y + 4, points(row.change), sure, { anchor: "end", weight: 650 }));
  });
  return {
    width,
    height: bottom + 24,
    background: theme.surface,
    title: "Accuracy by kind of statement with " + words(evaluation) + ": " + evaluation.model,
    desc:
      "Accuracy by kind of statement on " +
      whole(covered(evaluation)) +
      " statements: bars and dots under this intervention, rings the whole network, the short line random sets of as many modules. Whiskers are 95 % intervals; the last column is the paired change in points.",
    items,
  };
}

class KindPicture {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.canvas = /** @type {HTMLCanvasElement} */ (host.querySelector("canvas"));
    this.table = document.querySelector('[data-pair-table="kinds"]');
    const draw = () => this.draw();
    this.stops = [
      pairEvaluation.subscribe((state, names) => {
        host.dataset.fresh = String(state.fresh);
        host.dataset.state = state.status;
        if (names.has("evaluation")) this.draw(true);
      }),
      onThemeChange(draw),
      onResize(host, draw),
      pairEvaluation.watch(host.closest(".panel") || host),
    ];
    exports.register("pair-drop", () => this.exported());
  }

  dispose() {
    this.stops.forEach((stop) => stop());
  }

  /** @param {boolean} [changed] */
  draw(changed) {
    const { evaluation } = pairEvaluation.state;
    const shown = evaluation !== null && rowsOf(evaluation).length > 0;
    this.host.dataset.shown = String(shown);
    if (!shown) {
      delete this.canvas.dataset.painted;
      if (this.table) show(this.table, () => null);
      return;
    }
    const width = Math.min(this.host.clientWidth, 760);
    if (width < 60) return;
    const scene = sceneOf(evaluation, width);
    paintScene({ ...scene, background: null }, readTheme().font, this.canvas);
    this.canvas.style.width = scene.width + "px";
    this.canvas.style.height = scene.height + "px";
    this.canvas.dataset.painted = evaluation.id;
    if (!changed) return;
    const said = rowsOf(evaluation).map((row) => row.name + " " + percent(row.accuracy) + " % of " + row.count);
    this.canvas.setAttribute(
      "aria-label",
      "Accuracy by kind of statement, " + words(evaluation) + ": " + said.join("; "),
    );
    if (this.table) tables.fill(this.table, tableOf(evaluation), scene.desc);
  }

  /** @returns {Panel | null} */
  exported() {
    const { evaluation } = pairEvaluation.state;
    if (!evaluation || !rowsOf(evaluation).length) return null;
    return {
      name: "accuracy-by-kind",
      facts: pairEvaluation.facts(),
      python: { figure: "effects", by: "kind" },
      rows: () => tableOf(evaluation),
      json: () => ({ result: evaluation }),
      picture: { scene: () => sceneOf(evaluation, Math.max(600, this.host.clientWidth)) },
    };
  }
}

registerWidget("pair-kinds", (host) => {
  const picture = new KindPicture(host);
  return () => picture.dispose();
});
