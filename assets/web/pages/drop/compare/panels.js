/* A and B on the Drop page, while something is pinned: their figures side by side, B minus A, and both as tables. */
import * as api from "rs/lib/api.js";
import { estimate, whole } from "rs/lib/format.js";
import * as jobs from "rs/lib/jobs.js";
import { findModel } from "rs/lib/models.js";
import { WAYS, pinned } from "rs/lib/navigation/pinned.js";
import { user } from "rs/lib/navigation/user.js";
import { html } from "rs/lib/view.js";
import { measure as wordsMeasure } from "rs/lib/words.js";
import { difference, differenceRows, sideBySide, sideWords } from "rs/pages/drop/compare/scenes.js";
import { domainRows, labelRows } from "rs/pages/drop/groups.js";
import { requestOf, result } from "rs/pages/drop/importance/state.js";
import { FORMATS } from "rs/pages/drop/pictures.js";
import * as drop from "rs/pages/drop/state.js";
import { READS } from "rs/pages/drop/words.js";
import { Tool } from "rs/parts/controls.js";
import { DISTRIBUTIONS, NumberTile, apart, factsOf, figuresOf, inPlace, moodOf } from "rs/parts/figures.js";
import { AsTable, Panel, Picture } from "rs/parts/panel.js";
import * as tables from "rs/parts/table.js";
import { effect, signal, untracked, useEffect } from "rs/vendor/preact.js";

/** @import { Panel as Written, Scene } from "rs/draw/types.d.ts" */
/** @import { Page as Pinning } from "rs/parts/pinned/control.js" */
/** @import { ComponentChildren } from "rs/vendor/preact.js" */
/** @import { JobEntry, Schemas } from "rs/lib/types.d.ts" */
/** @import { Opened } from "rs/pages/drop/types.d.ts" */
/** @import { Comparison, Curves, Evaluation, Part } from "rs/pages/drop/compare/scenes.js" */

/** @typedef {{a: Evaluation, b: Evaluation, comparison: Comparison}} Compared */

/** @type {Pinning} */
export const pinning = {
  shown: drop.shown,
  units: () => drop.state.model?.units,
  write: drop.restart,
  noSwap: ({ model }) => (findModel(model) ? "" : "There is no model " + model + " here."),
};

/** A and B, once there are figures of both. @returns {Compared | null} */
export function compared() {
  const { evaluation: b, pinned: chosen } = drop.state;
  const comparison = chosen && pinned.value && b ? b.comparison : null;
  return b && comparison && comparison.a && comparison.by_distribution.length
    ? { a: comparison.a, b, comparison }
    : null;
}

/** What stands in the place of the figures while there are none. */
function waitingWords() {
  const { evaluation, pinned: chosen, status, problem } = drop.state;
  if (!chosen) return "A is what is shown. To compare, drop other units or choose another model.";
  const why = evaluation?.comparison?.problem;
  if (why) return "A and B are not compared. " + why;
  if (problem) return "Nothing to compare: " + problem.detail;
  return status === "cancelled" ? "Cancelled before both had a figure." : "Scoring A and B.";
}

/** @param {Compared} of */
function coveredWords({ comparison: { covered, total } }) {
  if (covered === total) return "On the same " + whole(total) + " samples.";
  return "So far on " + whole(covered) + " of " + whole(total) + " samples, scored for both.";
}

/* -- numbers ---------------------------------------------------------------------------------------------- */

/** @param {{of: Compared}} props */
const SideNumbers = ({ of }) =>
  html`<div class="compare-sides">
    ${
      /** @type {const} */ (["a", "b"]).map(
        (side) =>
          html`<div class="compare-side" data-side=${side}>
            <div class="compare-name"><span class="pin-letter">${side.toUpperCase()}</span> ${sideWords(of[side])}</div>
            <div class="numbers">
              ${apart(of[side]).map(({ where, evaluation }) => {
                const { accuracy, change } = figuresOf(evaluation);
                return html`
                  <${NumberTile} main=${true} ...${inPlace(accuracy, where)} />
                  <${NumberTile} ...${inPlace({ ...change, name: "Change to its full model" }, where)} />
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

/** How many samples which of the two gets right. @param {{parts: Part[]}} props */
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
        const { value, detail } = estimate(accuracy, measure.change, "");
        const said = {
          name: "B minus A",
          value,
          unit: measure.changeUnit,
          detail: detail + ", " + whole(count) + " samples",
          mood: moodOf(accuracy, measure.higher),
        };
        const where = parts.length > 1 || name === "out" ? DISTRIBUTIONS[name] : "";
        return html`<${NumberTile} id=${"drop-difference-" + name} main=${true} ...${inPlace(said, where)} />`;
      })}
    </div>
    <${Outcomes} parts=${parts} />
  `;
}

/* -- retention curves ------------------------------------------------------------------------------------------

   B's is of the importance below; A's is the same, or that of a job of its own, which starts when somebody asks for it. */

const JOB = "importance-a";
/** What was found of A by its own job, and what was asked for. */
const ofA = signal(/** @type {{asked: string, importance: Schemas["Importance"] | null, problem: string}} */ ({
  asked: "", importance: null, problem: "",
})); // prettier-ignore

/** What B's importance is asked for with, and A's; null without a model or a pin. */
function requests() {
  const { model, pinned } = drop.state;
  if (!model || !pinned) return null;
  const b = requestOf(/** @type {Opened} */ (drop.state));
  const way = WAYS.find((each) => pinned[each].length) ?? b.kind;
  const kind = "layer" in b && b.layer && way === "drop" ? "mute" : way;
  const { keep_edges: _, ...same } = /** @type {typeof b & {keep_edges?: number}} */ (b);
  const cut = pinned.edges === null ? {} : { keep_edges: pinned.edges };
  const experts = "top_k" in b ? { top_k: pinned.top_k } : {};
  const a = { ...same, ...cut, ...experts, model: pinned.model, kind, iterations: pinned.iterations };
  return { a, b, alike: text(a) === text(b) };
}

/** @param {object} request */
const text = (request) => JSON.stringify(Object.entries(request).sort());

/** The curves of both, once there are such. @returns {Curves | null} */
function curves() {
  const asked = requests();
  const b = result();
  if (!asked || !b) return null;
  const { asked: of, importance } = ofA.value;
  const a = asked.alike ? b : of === text(asked.a) ? importance : null;
  // One that was kept from before distributions were told can only be asked for where there is one of them.
  return a && (a.distribution ?? b.distribution) === (b.distribution ?? a.distribution) ? { a, b } : null;
}

function begin() {
  const asked = requests();
  if (!asked) return;
  ofA.value = { asked: text(asked.a), importance: null, problem: "" };
  jobs.start(JOB, "/importances", asked.a);
}

/** Follows A's job; returns a function that ends this. */
const followCurves = () => {
  const end = jobs.subscribe(JOB, async ({ job, problem }) => {
    const { value: before } = ofA;
    const why = problem ?? job?.problem;
    if (why) ofA.value = { ...before, problem: ("detail" in why && why.detail) || ("message" in why && String(why.message)) || "It failed." }; // prettier-ignore
    if (!job || job.state !== "done" || before.importance) return;
    const importance = await api.send("GET", "/importances/" + encodeURIComponent(job.id)).catch(() => null);
    if (ofA.value.asked === before.asked) ofA.value = { ...before, importance };
  });
  // A service that is read-only is asked at once: it tells what was computed before.
  const look = effect(() => {
    const asked = user.value.read_only && result() ? requests() : null;
    if (asked && !asked.alike && ofA.value.asked !== text(asked.a)) untracked(begin);
  });
  return () => {
    end();
    look();
    jobs.release(JOB);
    ofA.value = { asked: "", importance: null, problem: "" };
  };
};

/** Offers the curves, or says on what they wait. */
function CurvesOffer() {
  const asked = requests();
  if (!asked || curves()) return null;
  if (!result()) return html`<p class="hint">Compute the importance below to compare retention curves.</p>`;
  const mine = ofA.value.asked === text(asked.a);
  const entry = /** @type {JobEntry} */ (jobs.state(JOB));
  const running = mine && !ofA.value.problem && (entry.starting || !ofA.value.importance);
  if (user.value.read_only) return mine && ofA.value.problem && html`<p class="hint">${ofA.value.problem}</p>`;
  return html`<p class="hint" role="status">
    <${Tool} id="drop-curves" wait=${running} act=${begin}>
      ${running ? "Computing the retention curve of A" : "Compute the retention curve of A"}
    <//>
    ${mine && ofA.value.problem}
  </p>`;
}

/* -- the same as tables --------------------------------------------------------------------------------------- */

/** @param {Compared} of @returns {unknown[][]} */
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

/** @param {Compared} of @returns {unknown[][]} */
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
 * @typedef {object} About one of the panels
 * @property {string} title
 * @property {string} words of its table
 * @property {(of: Compared, width: number, alone: boolean) => Scene} scene alone: in a file, not on the page
 * @property {(of: Compared) => unknown[][]} rows
 * @property {(props: {of: Compared}) => unknown} Numbers
 */

/** @type {Record<string, About>} */
const PANELS = {
  compared: {
    title: "A and B",
    words: "A and B side by side",
    scene: ({ a, b }, width, alone) => sideBySide(a, b, width, { alone, curves: curves() }),
    rows: sideRows,
    Numbers: SideNumbers,
  },
  difference: {
    title: "Difference, B minus A",
    words: "B minus A",
    scene: ({ b }, width) => difference(b, width),
    rows: differenceTable,
    Numbers: DifferenceNumbers,
  },
};

/** What files say: both evaluations, and on how many samples they are compared. @param {Compared} of */
function factsOfBoth({ a, b, comparison }) {
  const [first, second] = [a, b].map((each) => factsOf(each, drop.PARTS));
  return { ...drop.facts(), a: first, b: second, samples_compared: comparison.covered };
}

/** @param {string} key @returns {Written | null} */
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
    picture: { scene: (width = 1000) => scene(of, width, true) },
  };
}

/** @param {{name: "compared" | "difference", children?: ComponentChildren}} props */
function ComparePanel({ name, children }) {
  const { title, words, scene, rows, Numbers } = PANELS[name];
  const of = compared();
  return html`<${Panel}
    id=${"drop-" + name}
    title=${title}
    reads=${READS[name]}
    tag="caused"
    formats=${FORMATS}
    written=${() => exported(name)}
    coded=${false}
    hidden=${of === null}
  >
    <div class="drop-compared" data-fresh=${String(drop.state.fresh)}>
      <div class="compare-numbers">${of && html`<${Numbers} of=${of} />`}</div>
      <${Picture}
        data=${{ "data-key": name }}
        scene=${(/** @type {number} */ width) => {
          const now = compared();
          return now && scene(now, width, false);
        }}
        drawn=${() => drop.state.evaluation?.id ?? ""}
        label=${(/** @type {Scene} */ made) => made.title + ". " + made.desc}
      />
      ${children}
    </div>
    <${AsTable}
      words=${words + " as a table"}
      data=${{ "data-compare-table": name }}
      caption=${() => (of && scene(of, 1000, true).desc) ?? ""}
      rows=${of && (() => rows(of))}
    />
  <//>`;
}

/** A and B, while something is pinned. */
export function Compare() {
  useEffect(followCurves, []);
  const of = compared();
  return html`<div class="drop-compare" hidden=${!pinned.value}>
    <div class="compare-words">
      ${pinned.value && html`<p class="hint" role="status">${of ? coveredWords(of) : waitingWords()}</p>`}
    </div>
    <${ComparePanel} name="compared">
      <div class="compare-curves"><${CurvesOffer} /></div>
    <//>
    <${ComparePanel} name="difference" />
  </div>`;
}
