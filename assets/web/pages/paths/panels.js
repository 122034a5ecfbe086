/* The panels of the Paths page: the path, the sample, what heads answer, and the token that is pointed at. */
import { follow } from "rs/lib/navigation/go.js";
import * as pins from "rs/lib/navigation/pinned.js";
import { html } from "rs/lib/view.js";
import * as words from "rs/lib/words.js";
import { Candidates } from "rs/pages/paths/candidates.js";
import { makePath, makePathOfA } from "rs/pages/paths/canvas.js";
import { isCloud, makeCloud } from "rs/pages/paths/cloud.js";
import { SideTitle, StateOfA } from "rs/pages/paths/compare/panel.js";
import { Continued } from "rs/pages/paths/continuation.js";
import { Opacity, Options } from "rs/pages/paths/controls.js";
import { factsOf, written } from "rs/pages/paths/exports.js";
import { Patches, PatchesOfA } from "rs/pages/paths/patches.js";
import { Painted } from "rs/pages/paths/painted.js";
import { Player } from "rs/pages/paths/player.js";
import { Others } from "rs/pages/paths/samples.js";
import * as paths from "rs/pages/paths/state.js";
import { state } from "rs/pages/paths/state.js";
import { Legend, PathTable, TokenBars } from "rs/pages/paths/token_bars.js";
import { Cards } from "rs/parts/samples/drawn.js";
import { Panel, Picture } from "rs/parts/panel.js";
import { AnswersTable, sceneOf, wordsOf } from "rs/parts/predictions.js";

/** @import { CircuitView } from "rs/pages/paths/message_view.js" */
/** @import { Shown } from "rs/pages/paths/types.d.ts" */

const FORMATS = ["svg", "png", "csv", "json"];
/** Words by field or kind of input, "" for the rest. */
const READ_PATH = {
  top_experts:
    "Columns are layers, dots experts, lines tokens: each line runs through the expert with most weight for its token.",
  compatibility: "Columns are {passes}, dots functions, lines tokens: each runs through its most compatible functions.",
  messages: "Columns are {passes}, dots modules, lines messages, as wide as the receiver's attention.",
};
const MORE_PATH = {
  top_experts:
    "Fainter segments lead to the other experts that a token takes. Double-click a dot to drop or mute its expert.",
  compatibility: "Tokens are the small pictures at the left. CLS tokens are outlined and lead on to their heads.",
  messages:
    "The first column shows what modules read of the tokens, the last what the output reads of modules. Double-click a dot to drop or mute its module.",
};
const TITLES = {
  points: "Points",
  numbers: "Numbers",
  top_experts: "Text",
  listops: "Expression",
  bytes: "Text",
  matrices: "Matrix",
  "": "Patches",
};
const READ_TOKENS_OF_CIRCUIT = "Colour: the module that reads it most. Point at a module to see what it reads.";
const READ_PATCHES = {
  points: "Colour: the module that reads a point most. Click a module to see where it looks. Drag to turn.",
  numbers: "Bars: the numbers of the point. Colour: most compatible function at this {pass}.",
  top_experts: "Colour: the expert with most weight for the token at this layer. \u21b5 ends a line.",
  listops: READ_TOKENS_OF_CIRCUIT,
  bytes: READ_TOKENS_OF_CIRCUIT,
  matrices: "The matrix with one answer in its gap. Colour: most compatible function at this {pass}.",
  compatibility: "Colour: most compatible function at this {pass}.",
  messages: "Colour: the module that reads it most. Point at a module to see where it looks.",
};
const READ_ANSWERS = {
  numbers: "Dots: answers of the heads. Ticks: values of their functions. The sample's function is first.",
  "": "Bars: softmax probabilities of each head. Dashed outlines: without intervention. Triangle: the true label.",
};
const TITLES_OF_TOKENS = {
  top_experts: "Experts of a token",
  compatibility: "Compatibility of tokens",
  messages: "Attention",
};
const READ_TOKENS = {
  top_experts: "The experts that the token takes at this layer, with their weights.",
  compatibility: "Compatibilities at this {pass}. Tick: the {pass} before.",
  messages: "Shares of attention, averaged over heads. Read-in: shares over the tokens.",
};
const CHOOSE = {
  numbers: "Choose or set one",
  points: "Choose or bring one",
  top_experts: "Choose or type one",
  listops: "Choose or type one",
  bytes: "Choose or type one",
  "": "Choose, upload or draw one",
};

/** How many lines differ from the undisturbed ones, said beside the picture. @param {Shown} state */
function changesOf({ view, baseline }) {
  if (view.circuit !== baseline?.circuit || !baseline) return "";
  if (view.circuit) return circuitChanges(view, /** @type {CircuitView} */ (baseline));
  const [shorter, longer] = [view.steps, baseline.steps].sort((a, b) => a.length - b.length);
  const differs = (/** @type {unknown} */ _, /** @type {number} */ token) =>
    shorter.some((__, step) => view.dominant(step, token) !== baseline.dominant(step, token));
  const changed = view.tokens.filter(differs).length + " of " + view.tokens.length + " tokens";
  const over = shorter.length < longer.length ? " (over the " + shorter.length + " steps both have)." : ".";
  return changed + " take another dominant path than without intervention" + over;
}

/** @param {CircuitView} view @param {CircuitView} baseline */
function circuitChanges(view, baseline) {
  const read = view.patches.filter((token) => view.dominant(0, token) !== baseline.dominant(0, token)).length;
  const moved = (100 * view.movedFrom(baseline)).toFixed(1);
  const patches = read + " of " + view.patches.length + " patches are read most by another module; ";
  const said = moved + " % of the attention between modules goes elsewhere than without intervention.";
  return (view.patches.length ? patches : "") + said;
}

/** What a path was recorded under, in words. */
function Kind() {
  const { view } = state;
  const { mute = [], drop = [], keep_edges: edges = null, iterations = null, top_k = null } = view?.info.intervention ?? {}; // prettier-ignore
  const { pass, passes } = words.of(words.chosen());
  const named = (/** @type {string[]} */ units) =>
    units.length > MOST_NAMED ? units.length + " units" : units.join(", ");
  const parts = [
    mute.length ? "mute " + named(mute) : "",
    drop.length ? "drop " + named(drop) : "",
    edges === null ? "" : Number((100 * edges).toPrecision(3)) + " % of the edges",
    top_k ? words.expertsOf(top_k) : "",
    iterations ? iterations + " " + (iterations === 1 ? pass : passes) : "",
  ].filter(Boolean);
  return html`<span id="paths-kind">${parts.length ? "observed under: " + parts.join("; ") : "observed"}</span>`;
}
const MOST_NAMED = 6; // units that are named one by one

/** Why there is no path, or that it comes: the status of the page decides which one is seen. */
function States() {
  const { problem } = state;
  const { status = 0, refused = false } = problem ?? {};
  const again = !refused && !(status >= 400 && status < 500 && status !== 429);
  const items = paths.starters.answer() ?? [];
  return html`
    <div class="skeleton when-loading" aria-hidden="true"></div>
    <div class="message when-empty">
      <p class="message-title">No sample chosen</p>
      <p class="message-detail">${words.choose({ "": "Choose one to see its path through the {units}." })}</p>
      <div id="paths-starters" class="starters">${items.length > 0 && html`<${Cards} items=${items} />`}</div>
      <a class="button" href="/samples" onClick=${follow}>${words.choose(CHOOSE)}</a>
    </div>
    <div class="message when-failed" role="alert">
      <p class="message-title">The path could not be shown</p>
      <p class="message-detail" id="paths-problem">
        ${problem?.detail} ${refused && html`<span class="reader" data-widget="reader"></span>`}
        ${
          status === 404 &&
          html`<a class="button choose-other" href="/samples" onClick=${follow}>Choose another sample</a>`
        }
      </p>
      <button type="button" class="button" id="paths-retry" hidden=${!again} onClick=${paths.traces.again}>
        Try again
      </button>
    </div>
  `;
}

/** @param {{id: string, label: string}} props */
const Canvas = ({ id, label }) =>
  html`<canvas id=${id} tabindex="0" role="img" data-path-keys="true" aria-label=${label}></canvas>`;

const KEYS =
  "Computational path. Space plays, left and right go back and on, up and down move through the tokens, Escape ends it. The same numbers are in the table below.";

/** @param {{log?: boolean}} props log: whether the path is that of a routing log */
export function PathPanel({ log = false }) {
  const pinned = Boolean(pins.pinned.value) && !log;
  const { view } = state;
  return html`<${Panel}
    id="path"
    title="Computational path"
    reads=${log ? READ_PATH.top_experts : words.choose(READ_PATH)}
    more=${log ? "" : words.choose(MORE_PATH)}
    tag=${log ? "observed" : html`<${Kind} />`}
    formats=${log ? FORMATS : [...FORMATS, "nc"]}
    written=${written.path}
    look="panel-path"
  >
    <div class="path-sides">
      ${
        pinned &&
        html`<div class="path-side" key="a">
          <${SideTitle} letter="A" />
          <${Painted} look="path-canvas" make=${makePathOfA}>
            <${Canvas}
              id="path-picture-of-a"
              label="Computational path of A, which is pinned, at the same step as that of B."
            />
            <div class="path-state-of-a"><${StateOfA} /></div>
          <//>
        </div>`
      }
      <div class="path-side" key="b">
        <${SideTitle} letter="B" />
        <${Painted} look="path-canvas" make=${makePath}><${Canvas} id="path-picture" label=${KEYS} /><${States} /><//>
      </div>
    </div>
    <div class="path-controls"><${Player} /><${Options} /><${PathTable} />${!log && html`<${Others} />`}</div>
    ${!log && html`<p class="path-status" aria-live="polite">${view && changesOf(/** @type {Shown} */ (state))}</p>`}
  <//>`;
}

/** @param {{log?: boolean}} props */
export function PatchPanel({ log = false }) {
  const pinned = Boolean(pins.pinned.value) && !log;
  const space = isCloud();
  return html`<${Panel}
    id="patches"
    title=${log ? TITLES.top_experts : words.choose(TITLES)}
    reads=${log ? READ_PATCHES.top_experts : words.choose(READ_PATCHES)}
    formats=${FORMATS}
    written=${written.patches}
    look="panel-patches"
  >
    <div class="patch-sides">
      ${pinned && html`<${PatchesOfA} key="a" />`}<${Patches} key="b" hidden=${space} />
      ${space && html`<${Painted} key="cloud" look="cloud" make=${makeCloud} />`}
    </div>
    <div class="patch-foot"><${Legend} />${!space && !log && html`<${Opacity} />`}</div>
    ${!log && html`<${Candidates} /><${Continued} />`}
  <//>`;
}

export function PredictionPanel() {
  const facts = factsOf();
  return html`<${Panel}
    id="predictions"
    title=${words.choose({ numbers: "Answers", "": "Predictions" })}
    reads=${words.choose(READ_ANSWERS)}
    formats=${FORMATS}
    written=${written.predictions}
    look="panel-predictions"
  >
    <div class="prediction-body">
      <${Picture}
        look="prediction-canvas"
        height=${152}
        scene=${(/** @type {number} */ width) => {
          const now = factsOf();
          return now && sceneOf(now, width);
        }}
        drawn=${() => state.view?.info.id ?? ""}
        label=${() => {
          const now = factsOf();
          return now ? wordsOf(now) : "";
        }}
        data=${{ "data-key": "paths" }}
      />
      <details class="as-table prediction-table">
        <summary>The same as a table</summary>
        <div class="table-scroll" tabindex="0" role="region" aria-label="Answers as a table">
          ${facts && html`<${AnswersTable} ...${facts} />`}
        </div>
      </details>
    </div>
  <//>`;
}

/** @param {{log?: boolean}} props */
export const TokenPanel = ({ log = false }) =>
  html`<${Panel}
    id="tokens"
    title=${log ? TITLES_OF_TOKENS.top_experts : words.choose(TITLES_OF_TOKENS)}
    reads=${log ? READ_TOKENS.top_experts : words.choose(READ_TOKENS)}
    look="panel-tokens"
    ><${TokenBars}
  /><//>`;
