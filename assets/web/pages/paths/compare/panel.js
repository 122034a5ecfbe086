/* A beside B on the page, and the panel of what differs between them. */
import { fixed, probability, signed } from "rs/lib/format.js";
import * as pins from "rs/lib/navigation/pinned.js";
import { readTheme } from "rs/lib/theme.js";
import { stepWords } from "rs/lib/trace.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import * as compare from "rs/pages/paths/compare/state.js";
import { apart, difference, other } from "rs/pages/paths/compare/state.js";
import { changesOf, strongestOfColumn, strongestOfStep } from "rs/pages/paths/compare/difference.js";
import { written } from "rs/pages/paths/compare/exports.js";
import * as edgeLines from "rs/pages/paths/compare/edge_lines.js";
import * as tokenGrids from "rs/pages/paths/compare/token_grids.js";
import { caveats, changeWords, edgeWords, kindOf, routeWords, summary } from "rs/pages/paths/compare/words.js";
import * as circuitScene from "rs/pages/paths/message_scene.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { Drawn } from "rs/pages/paths/painted.js";
import { Panel } from "rs/parts/panel.js";
import { pinnedWords } from "rs/parts/pinned/words.js";
import { headsOf } from "rs/parts/predictions.js";
import { Figures, TableOf } from "rs/parts/table.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Drawing } from "rs/pages/paths/painted.js" */
/** @import { CircuitState } from "rs/pages/paths/types.d.ts" */
/** @import { Difference, EdgeDifference, TokenDifference } from "rs/pages/paths/compare/difference.js" */

const SAME = "A and B are the same path. Choose another sample or another model, or mute or drop something.";
const EXPORTED = { width: 1100, height: 560 }; // of the picture in a file, where the page has none
const LISTED = 12; // largest changes in the table
const READ = 4; // changes that are said of what is pointed at

/** @param {Schemas["TraceInfo"]} info */
const pinnedOf = ({ model, sample, intervention: { drop, mute, iterations, keep_edges: edges, top_k } }) =>
  pins.asPinned({
    ...{ model, sample, drop, mute },
    ...{ iterations: iterations ?? null, edges: edges ?? null, top_k: top_k ?? null },
  });

/** What is shown of B as it would be pinned; null while there is nothing. */
export const shownOfB = () => (state.view ? pinnedOf(state.view.info) : null);

/* -- side by side --------------------------------------------------------------------------------------------------- */

/** What one of the two paths is of; nothing while nothing is pinned. @param {{letter: "A" | "B"}} props */
export function SideTitle({ letter }) {
  const a = pins.read(pins.pinned.value);
  if (!a) return null;
  const shown = letter === "A" ? (other.view ? pinnedOf(other.view.info) : a) : shownOfB();
  return html`<h3 class="side-title">
    <span class="pin-letter">${letter}</span><span>${shown ? pinnedWords(shown) : "nothing is shown yet"}</span>
  </h3>`;
}

/** Why A is not there, in its place. */
export function StateOfA() {
  const { status, problem } = other;
  if (status === "loading") return html`<div class="skeleton" aria-hidden="true"></div>`;
  if (status !== "failed" || !problem) return null;
  const a = pins.read(pins.pinned.value);
  const why = a && compare.refused(a); // which no other try would change
  return html`<div class="message" role="alert">
    <p class="message-title">${problem.title || "The path of A could not be shown"}</p>
    <p class="message-detail">${problem.message}</p>
    ${!why && html`<button type="button" class="button" onClick=${compare.again}>Try again</button>`}
  </div>`;
}

/* -- in words -------------------------------------------------------------------------------------------------------- */

/** What is to be said of A and B. */
function Words() {
  const [a, b] = [other.view, state.view];
  if (other.status === "failed") return html`<p class="difference-sentence">Without A there is nothing to compare.</p>`;
  if (!a || !b || apart.value === null)
    return html`<p class="difference-sentence">${state.status === "empty" ? "B has no sample yet." : "Comparing"}</p>`;
  const found = difference();
  if (!found) return html`<p class="difference-sentence">${apart.value || SAME}</p>`;
  return html`
    <p class="difference-sentence">${causedWords() + summary(found, state.step)}</p>
    ${caveats(a, b).map((line) => html`<p class="hint" key=${line}>${line}</p>`)}
  `;
}

function causedWords() {
  const [a, b] = [other.view, state.view];
  return a && b && kindOf(a.info, b.info) === "caused" ? "Caused by the intervention: " : "";
}

/** What is said of what is pointed at, at the step that is shown. */
function pointedWords() {
  const found = difference();
  const target = paths.pointed();
  if (!found || !target) return "";
  if (found.edges) return edgesPointed(found, target);
  const step = Math.min(state.step, found.steps.length - 1);
  if (target.token === undefined) return "";
  const { token } = target;
  const parts = found.units.map((unit, at) => {
    const value = found.change[(step * found.units.length + at) * found.tokens.length + token];
    return unit + " " + fixed(found.a.compatibility(step, at, token), 2) + " to " + fixed(found.b.compatibility(step, at, token), 2) + " (" + signed(value, 2) + ")"; // prettier-ignore
  });
  return found.b.label(token) + " in " + stepWords(found.steps[step]) + ", A to B: " + parts.join("; ");
}

/** @param {EdgeDifference} found @param {NonNullable<ReturnType<typeof paths.pointed>>} target */
const edgesPointed = (found, target) =>
  changesOf(found, target, READ)
    .map((each) => edgeWords(found, each).replace(" of ", " reads of ") + ": " + changeWords(each, true))
    .join("; ") || "Nothing differs here.";

/* -- answers --------------------------------------------------------------------------------------------------------- */

/** What a label is called in what is shown. @param {number | null} label */
const named = (label) => (label === null ? "none" : ((words.chosen()?.labels ?? [])[label] ?? String(label)));

/** @param {{label: number | null, head: Schemas["DomainPrediction"] | undefined}} props */
function answerOf({ head, label }) {
  if (!head) return html`<td colspan="2">no such head</td>`;
  const right = label === null ? "" : head.label === label ? ", right" : ", wrong";
  return html`<td>${head.labels[head.label] + right}</td>
    <td>${probability(head.probabilities[head.label])}</td>`;
}

/** Both answers of heads that answer with numbers. @param {Schemas["TraceInfo"]} a @param {Schemas["TraceInfo"]} b */
function numbersOf(a, b) {
  const valueIn = (/** @type {Schemas["TraceInfo"]} */ { numbers }, /** @type {string} */ name) =>
    numbers.find(({ domain }) => domain === name)?.value ?? null;
  const names = [...new Set([a, b].flatMap(({ numbers }) => numbers.map(({ domain }) => domain)))];
  const rows = names.map((name) => {
    const [one, another] = [valueIn(a, name), valueIn(b, name)];
    const change = one === null || another === null ? "" : signed(another - one, 3);
    return [name, ...[one, another].map((each) => (each === null ? "" : each.toFixed(3))), change];
  });
  return table("What both answer.", [["head", "A answers", "B answers", "change"], ...rows]);
}

/** What both answer, head by head. */
function Answers() {
  const [a, b] = [other.view, state.view];
  const samples = [other.sample, state.sample];
  if (!a || !b || !samples[0] || !samples[1]) return null;
  if (a.info.numbers.length || b.info.numbers.length) return numbersOf(a.info, b.info);
  const labels = samples.map((sample) => sample?.label ?? null);
  const heads = [a, b].map(({ info }) => headsOf(info.predictions));
  if (!heads[0].length && !heads[1].length) return null;
  const shared = heads.map((each) => each.length === 1 && Boolean(each[0].shared));
  const names = shared[0] && shared[1] ? [""] : [...new Set([a, b].flatMap(({ info }) => info.predictions.map(({ domain }) => domain)))]; // prettier-ignore
  const rows = names.map((name) => {
    const [one, another] = [a, b].map(({ info }, at) => (name ? info.predictions.find(({ domain }) => domain === name) : heads[at][0])); // prettier-ignore
    const inB = one && another ? another.probabilities[one.label] : undefined;
    const by = one && inB !== undefined ? signed(100 * (inB - one.probabilities[one.label]), 1) + " points" : "";
    return html`<tr key=${name}>
      <th scope="row">${name || "one for every data set"}</th>
      ${answerOf({ head: one, label: labels[0] })} ${answerOf({ head: another, label: labels[1] })}
      <td>${inB === undefined ? "" : probability(inB) + " (" + by + ")"}</td>
    </tr>`;
  });
  const titles = ["head", "A answers", "confidence", "B answers", "confidence", "A's answer in B"];
  const said = labels[0] === labels[1] ? "True label: " + named(labels[0]) : `True label: ${named(labels[0])} of A, ${named(labels[1])} of B`; // prettier-ignore
  return html`<${Figures}
    heads=${titles.map((title) => html`<th scope="col">${title}</th>`)}
    rows=${rows}
    caption=${"What both answer. " + said + "."}
  />`;
}

/* -- the same as a table ------------------------------------------------------------------------------------------- */

/** @param {string} caption @param {unknown[][]} rows the first of which names the columns */
const table = (caption, rows) => html`<${TableOf} caption=${caption} rows=${rows} />`;

/** @param {TokenDifference} found */
function tokenTables(found) {
  const { steps, units, tokens, perStep, b } = found;
  const step = Math.min(state.step, steps.length - 1);
  const summaries = perStep.map((each) => [
    stepWords(steps[each.step]),
    each.rerouted + " of " + tokens.length,
    fixed(each.mean, 3),
    each.largest ? routeWords(found, each.largest) + ": " + changeWords(each.largest) : "none",
  ]);
  const changes = strongestOfStep(found, step, LISTED).map(({ token, unit, a, b: after, change }) => {
    return [b.label(token), units[unit], fixed(a, 3), fixed(after, 3), signed(change, 3)];
  });
  return html`
    ${table("What differs at every step.", [["step", "tokens through another function", "mean absolute change", "largest change"], ...summaries])}
    ${table("Largest changes in " + stepWords(steps[step]) + ".", [["token", "function", "A", "B", "change"], ...changes])}
  `;
}

/** @param {EdgeDifference} found */
function edgeTables(found) {
  const { columns, steps } = found;
  const column = columns[Math.min(state.step, steps.length - 1)];
  const summaries = columns.map((each) => {
    const [largest] = strongestOfColumn(each, 1);
    const share = fixed(100 * each.moved, 1) + " %";
    const words = largest ? edgeWords(found, largest) + ": " + changeWords(largest, true) : "none";
    return [stepWords(each.name), share, words];
  });
  const changes = strongestOfColumn(column, LISTED).map((each) => {
    const [to, from] = edgeWords(found, each).split(" of ");
    const values = [each.a, each.b].map((value) => fixed(100 * value, 2) + " %");
    return [to, from, ...values, signed(100 * each.change, 2) + " points"];
  });
  return html`
    ${table("What differs at every step.", [["step", "attention that goes elsewhere", "largest change"], ...summaries])}
    ${table("Largest changes in " + stepWords(column.name) + ".", [["reader", "reads of", "A", "B", "change"], ...changes])}
  `;
}

/* -- the picture ----------------------------------------------------------------------------------------------------- */

const captionNow = () => {
  const [a, b] = [pins.read(pins.pinned.peek()), shownOfB()];
  return a && b ? "A: " + pinnedWords(a) + " · B: " + pinnedWords(b) : "";
};

/**
 * The difference as a picture of some size, with what tells its places; a picture of tokens has a height of its own.
 *
 * @type {(found: Difference, caption: string, width: number, height: number) => Omit<Drawing, "data">}
 */
function drawn(found, caption, width, height) {
  const theme = readTheme();
  const { step } = state;
  if (found.edges) {
    const seen = /** @type {CircuitState} */ (compare.seenOfB());
    const parts = edgeLines.partsOf(found, seen, width, height, theme, caption);
    return {
      scene: edgeLines.sceneOf(parts, step, paths.pointed()),
      targetAt: (x, y) => circuitScene.targetAt(parts.path, x, y),
    };
  }
  const layout = tokenGrids.layOut(found, width, Boolean(caption));
  const tokens = paths.highlighted();
  return {
    scene: tokenGrids.sceneOf(found, layout, theme, { step, tokens, caption }),
    targetAt(x, y) {
      const target = tokenGrids.targetAt(found, layout, x, y);
      return target && { token: target.token };
    },
  };
}

/** @param {HTMLElement} host */
function draw(host) {
  const found = difference();
  if (!found) return null;
  const height = document.fullscreenElement?.contains(host) ? innerHeight - 260 : EXPORTED.height;
  const data = { painted: found.a.info.id + " " + found.b.info.id, step: String(state.step) };
  return { ...drawn(found, "", Math.max(40, host.clientWidth), Math.max(340, height)), data };
}

/** The difference as a file has it. */
const saved = {
  /** @param {number} [width] */
  scene(width = EXPORTED.width) {
    const found = difference();
    if (!found) throw new Error("There is no difference to draw.");
    return drawn(found, captionNow(), width, EXPORTED.height).scene;
  },
};

const READS = {
  compatibility: "B minus A, by {pass}. Rows are functions, cells tokens. Blue: more in B; orange: less.",
  messages: "B minus A, by {pass}. Lines: attention that changed most. Blue: more in B; orange, dashed: less.",
};
const MORE = {
  compatibility:
    "In each cell the tokens lie as in the image, CLS tokens beside it. Blue tokens go through the function more than in A, orange ones less.",
  messages: "A line is as wide as the change of a module's attention.",
};

/** What differs between A and B; there while something is pinned. */
export function DifferencePanel() {
  const found = difference();
  const [a, b] = [other.view, state.view];
  const kind = a && b ? kindOf(a.info, b.info) : "same";
  return html`<${Panel}
    id="path-difference"
    title="Difference"
    reads=${words.choose(READS)}
    more=${words.choose(MORE)}
    tag=${kind === "same" ? "" : kind}
    formats=${["svg", "png", "csv", "json"]}
    written=${() => written(saved)}
    look=${"panel-difference" + (found ? "" : " is-empty")}
  >
    <div aria-live="polite"><${Words} /></div>
    <${Drawn}
      id="difference-picture"
      look="difference-canvas"
      label="Differences between the paths of A and B. Left and right go back and on, up and down move through the tokens. The same numbers are in the table below."
      draw=${draw}
      hidden=${!found}
    />
    <p class="difference-pointed">${pointedWords()}</p>
    <div class="difference-answers" tabindex="0" role="region" aria-label="Answers of A and B"><${Answers} /></div>
    <details class="as-table">
      <summary>The same as a table</summary>
      <div class="table-scroll" tabindex="0" role="region" aria-label="The difference as a table">
        ${found && (found.edges ? edgeTables(found) : tokenTables(found))}
      </div>
    </details>
  <//>`;
}
