/* A and B on the Drop page, while something is pinned: their figures side by side, B minus A, and both as tables. */
import * as exports from "rs/draw/exports.js";
import { onResize, paintScene } from "rs/draw/scene.js";
import { registerWidget } from "rs/lib/dom.js";
import { range, whole } from "rs/lib/format.js";
import { findModel } from "rs/lib/models.js";
import { pinned } from "rs/lib/navigation/pinned.js";
import { onThemeChange, readTheme } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import { measure as wordsMeasure } from "rs/lib/words.js";
import { CurvesOffer, curves, followCurves } from "rs/pages/drop/compare/curves.js";
import { difference, differenceRows, sideBySide, sideWords } from "rs/pages/drop/compare/scenes.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import * as drop from "rs/pages/drop/state.js";
import { DISTRIBUTIONS, NONE, NumberTile, apart, factsOf, figuresOf, inPlace, moodOf } from "rs/parts/figures.js";
import { registerPinning } from "rs/parts/pinned/control.js";
import * as tables from "rs/parts/table.js";
import { effect } from "rs/vendor/preact.js";

/** @import { Panel, Scene } from "rs/draw/types.d.ts" */
/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Comparison, Evaluation, Part } from "rs/pages/drop/compare/scenes.js" */

/** @typedef {{a: Evaluation, b: Evaluation, comparison: Comparison}} Compared */

registerPinning("drop", {
  shown: drop.shown,
  units: () => drop.state.model?.units,
  write: drop.restart,
  noSwap: ({ model }) => (findModel(model) ? "" : "There is no model " + model + " here."),
});

/**
 * A and B, once there are figures of both.
 *
 * @returns {Compared | null}
 */
function compared() {
  const { evaluation: b, pinned: chosen } = drop.state;
  const comparison = chosen && pinned.value && b ? b.comparison : null;
  return b && comparison && comparison.a && comparison.by_distribution.length
    ? { a: comparison.a, b, comparison }
    : null;
}

/** What stands in the place of the figures while there are none. */
function waitingWords() {
  const { evaluation, pinned: chosen, status, problem } = drop.state;
  if (!chosen) return "A is what is shown: leave other units out, or choose another model, to compare it with A.";
  const why = evaluation?.comparison?.problem;
  if (why) return "A and B are not compared. " + why;
  if (problem) return "Nothing to compare: " + problem.detail;
  return status === "cancelled" ? "Cancelled before both had a figure." : "Both are scored now.";
}

/** @param {Compared} of */
function coveredWords({ comparison: { covered, total } }) {
  if (covered === total) return "On the same " + whole(total) + " samples, all of which both have scored.";
  return "On " + whole(covered) + " of " + whole(total) + " samples so far: those that both have scored.";
}

/* -- numbers ---------------------------------------------------------------------------------------------- */

/** @param {{of: Compared}} props */
const SideNumbers = ({ of }) =>
  html`<div class="compare-sides">
    ${
      /** @type {const} */ ([
        ["a", "A"],
        ["b", "B"],
      ]).map(
        ([key, letter]) =>
          html`<div class="compare-side" data-side=${key}>
            <div class="compare-name"><span class="pin-letter">${letter}</span> ${sideWords(of[key])}</div>
            <div class="numbers">
              ${apart(of[key]).map(({ where, evaluation }) => {
                const { accuracy, change } = figuresOf(evaluation);
                const changed = { ...change, name: "Change to its model as it is" };
                return html`
                  <${NumberTile} main=${true} ...${inPlace(accuracy, where)} />
                  <${NumberTile} ...${inPlace(changed, where)} />
                `;
              })}
            </div>
          </div>`,
      )
    }
  </div>`;

const OUTCOMES = /** @type {const} */ ([
  ["both", "both"],
  ["only_a", "only A"],
  ["only_b", "only B"],
  ["neither", "neither"],
]);

/**
 * How many samples which of the two gets right.
 *
 * @param {{parts: Part[]}} props
 */
function Outcomes({ parts }) {
  const counted = parts.filter((part) => part.outcomes);
  if (!counted.length) return null;
  const heads = ["Samples right with", ...OUTCOMES.map(([, name]) => name)];
  return html`<${tables.Figures}
    look="compare-outcomes"
    heads=${heads.map((name) => html`<th scope="col">${name}</th>`)}
    rows=${counted.map(
      ({ name, outcomes }) =>
        html`<tr>
          <th scope="row">${parts.length > 1 || name === "out" ? DISTRIBUTIONS[name] : "all samples"}</th>
          ${OUTCOMES.map(([key]) => html`<td data-outcome=${key}>${whole(outcomes ? outcomes[key] : 0)}</td>`)}
        </tr>`,
    )}
  />`;
}

/** @param {{of: Compared}} props */
function DifferenceNumbers({ of }) {
  const measure = wordsMeasure(of.b.measure);
  const parts = of.comparison.by_distribution;
  return html`
    <div class="numbers compare-difference">
      ${parts.map(({ name, count, difference: { accuracy } }) => {
        const said = {
          name: "B minus A",
          value: accuracy ? measure.change(accuracy.value) : NONE,
          unit: measure.changeUnit,
          detail: range(accuracy, measure.change, "") + ", " + whole(count) + " samples",
          mood: moodOf(accuracy, measure.higher),
        };
        const where = parts.length > 1 || name === "out" ? DISTRIBUTIONS[name] : "";
        return html`<${NumberTile} id=${"drop-difference-" + name} main=${true} ...${inPlace(said, where)} />`;
      })}
    </div>
    <${Outcomes} parts=${parts} />
  `;
}

/* -- the same as tables --------------------------------------------------------------------------------------- */

/**
 * @param {Compared} of
 * @returns {unknown[][]}
 */
function sideRows({ a, b }) {
  const { name: figure } = wordsMeasure(b.measure);
  /** @type {unknown[][]} */
  const rows = [["what", "A", "A_low", "A_high", "B", "B_low", "B_high"]];
  /** @param {Schemas["Interval"] | null | undefined} each */
  const ends = (each) => (each ? [each.value, each.low ?? "", each.high ?? ""] : ["", "", ""]);
  const others = new Map(apart(b).map((part) => [part.where, part.evaluation]));
  for (const { where, evaluation } of apart(a)) {
    const [other, there] = [others.get(where), where && ", " + where];
    rows.push([figure + there, ...ends(evaluation.accuracy), ...ends(other?.accuracy)]);
    rows.push(["loss" + there, ...ends(evaluation.loss), ...ends(other?.loss)]);
  }
  /** @param {ReturnType<typeof labelRows>[number]} row */
  const named = (row) => row.name + (row.distribution ? ", " + row.distribution : "");
  const lines = curves();
  for (const order of lines ? ["best first", "worst first", "random"] : [])
    for (const share of [...new Set([lines?.a, lines?.b].flatMap((each) => each?.retention ?? []).map((each) => each.share_kept))].sort((x, y) => y - x)) {
      const [left, right] = [lines?.a, lines?.b].map((each) =>
        each?.retention.find((point) => point.order === order && point.share_kept === share),
      );
      /** @param {typeof left} point */
      const cells = (point) => (point ? [point.accuracy, point.low, point.high] : ["", "", ""]);
      rows.push([order + ", share kept " + share.toFixed(3), ...cells(left), ...cells(right)]);
    } // prettier-ignore
  for (const [kind, of] of /** @type {[string, typeof labelRows][]} */ ([["label ", labelRows], ["", domainRows]])) {
    const found = new Map(of(b).map((row) => [named(row), row]));
    for (const row of of(a)) {
      const other = found.get(named(row));
      const right = other ? [other.accuracy, other.low, other.high] : ["", "", ""];
      rows.push([kind + named(row), row.accuracy, row.low, row.high, ...right]);
    }
  } // prettier-ignore
  return rows;
}

/**
 * @param {Compared} of
 * @returns {unknown[][]}
 */
function differenceTable({ b: { data }, comparison }) {
  const counts = new Map(comparison.by_distribution.map((part) => [part.name, part.outcomes]));
  const names = Object.fromEntries(Object.entries(DISTRIBUTIONS).map(([name, said]) => [said, name]));
  const first = comparison.by_distribution[0].name;
  /** @type {unknown[][]} */
  const rows = [
    ["what", "distribution", "samples", "A", "B", "B_minus_A", "low", "high", ...OUTCOMES.map(([key]) => key)],
  ];
  for (const { name, where, main, count, a, b, value, low, high } of differenceRows(comparison, data)) {
    const of = main ? counts.get(/** @type {Part["name"]} */ (names[where] ?? first)) : null;
    const right = OUTCOMES.map(([key]) => (of ? of[key] : ""));
    rows.push([name, where || DISTRIBUTIONS[first], count, a, b, value, low ?? "", high ?? "", ...right]);
  } // prettier-ignore
  return rows;
}

/* -- pictures ------------------------------------------------------------------------------------------------- */

/**
 * @typedef {object} About
 * @property {(of: Compared, width: number, alone: boolean) => Scene} scene alone: in a file, not on the page
 * @property {(of: Compared) => unknown[][]} rows
 * @property {(props: {of: Compared}) => unknown} Numbers
 */

/** @type {Record<string, About>} */
const PANELS = {
  compared: {
    scene: ({ a, b }, width, alone) => sideBySide(a, b, width, { alone, curves: curves() }),
    rows: sideRows,
    Numbers: SideNumbers,
  },
  difference: { scene: ({ b }, width) => difference(b, width), rows: differenceTable, Numbers: DifferenceNumbers },
};

/**
 * What files say: both evaluations, and on how many samples they are compared.
 *
 * @param {Compared} of
 */
function factsOfBoth({ a, b, comparison }) {
  const [first, second] = [a, b].map((each) => factsOf(each, drop.PARTS));
  return { ...drop.facts(), a: first, b: second, samples_compared: comparison.covered };
}

/**
 * @param {string} key
 * @returns {Panel | null}
 */
function exported(key) {
  const of = compared();
  if (!of) return null;
  const { scene, rows } = PANELS[key];
  const table = rows(of);
  const { a: _, ...found } = of.comparison;
  return {
    name: "drop-" + key,
    facts: factsOfBoth(of),
    rows: () => table,
    json: () => (key === "difference" ? { result: found } : { a: of.a, b: { ...of.b, comparison: null } }),
    picture: { scene: () => scene(of, 1000, true) },
  };
}

registerWidget("drop-compared", (host) => {
  const key = host.dataset.key ?? "";
  const { scene, rows, Numbers } = PANELS[key];
  const [numbers, canvas] = [host.querySelector(".compare-numbers"), host.querySelector("canvas")];
  if (!numbers || !canvas) throw new Error("The panel has no place for its figures.");
  const table = host.closest(".panel")?.querySelector("[data-compare-table]");
  exports.register("drop-" + key, () => exported(key));

  /** @type {unknown[]} */
  let told = []; // of what the table and the picture's words are

  function draw() {
    const of = compared();
    host.dataset.fresh = String(drop.state.fresh);
    const place = /** @type {HTMLCanvasElement} */ (canvas);
    const width = host.clientWidth;
    if (!of) {
      told = [];
      delete place.dataset.painted;
      if (table) tables.clear(table);
    }
    if (!of || width < 60) return;
    const made = scene(of, width, false);
    paintScene({ ...made, background: null }, readTheme().font, place);
    place.style.width = made.width + "px";
    place.style.height = made.height + "px";
    place.dataset.painted = of.b.id;
    const lines = curves();
    const now = [of.b, lines?.a, lines?.b];
    if (told.length && now.every((each, at) => each === told[at])) return;
    told = now;
    place.setAttribute("aria-label", made.title + ". " + made.desc);
    if (table) tables.fill(table, rows(of), made.desc ?? "");
  }

  const Shown = () => {
    const of = compared();
    return of && html`<${Numbers} of=${of} />`;
  };
  const offer = /** @type {HTMLElement | null} */ (host.querySelector(".compare-curves"));
  const ends = [
    show(/** @type {HTMLElement} */ (numbers), () => html`<${Shown} />`),
    ...(offer ? [show(offer, () => html`<${CurvesOffer} />`), followCurves(), effect(() => (curves(), draw()))] : []),
    drop.subscribe((_, names) => (names.has("evaluation") || names.has("pinned") || names.has("fresh")) && draw()),
    onThemeChange(draw),
    onResize(host, draw),
  ];
  return () => ends.forEach((end) => end());
});

const Words = () => {
  if (!pinned.value) return null;
  const of = compared();
  return html`<p class="hint" role="status">${of ? coveredWords(of) : waitingWords()}</p>`;
};

// The panels of B alone whose pictures stand beside A's are not shown twice.
registerWidget("drop-compare", (host) => {
  const panels = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".panel"));
  const page = /** @type {HTMLElement} */ (host.closest(".page"));
  function follow() {
    const there = compared() !== null;
    host.hidden = !pinned.value;
    panels.forEach((panel) => (panel.hidden = !there));
    page.dataset.compares = String(there);
  }
  const place = /** @type {HTMLElement} */ (host.querySelector(".compare-words"));
  const ends = [show(place, () => html`<${Words} />`), pinned.subscribe(follow), drop.subscribe(follow)];
  return () => ends.forEach((end) => end());
});
