/* The Blocks page: the parts of every block of a network, and how to change them. */
import * as address from "rs/lib/address.js";
import { pageTree } from "rs/lib/pages.js";
import * as selection from "rs/lib/selection.js";
import { unitPaint } from "rs/lib/theme.js";
import { html, icon } from "rs/lib/view.js";
import { AccuracyPanel } from "rs/pages/blocks/accuracy.js";
import { AnswersPanel } from "rs/pages/blocks/answers.js";
import * as digitImage from "rs/pages/blocks/digit_image.js";
import * as indicators from "rs/pages/blocks/indicators.js";
import { InputPanel } from "rs/pages/blocks/inputs.js";
import { Blocks } from "rs/pages/blocks/picture/canvas.js";
import { Player } from "rs/pages/blocks/picture/player.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as page from "rs/pages/blocks/state.js";
import * as steer from "rs/pages/blocks/steer.js";
import { wordRows, written } from "rs/pages/blocks/table.js";
import * as blocksWords from "rs/pages/blocks/words.js";
import { Revision } from "rs/parts/data_sets.js";
import { AsTable, Panel } from "rs/parts/panel.js";
import { Instead } from "rs/parts/problem.js";
import { effect, untracked } from "rs/vendor/preact.js";

/** @import { Listed } from "rs/lib/types.d.ts" */
/** @import { Choice, Hover } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

function Caption() {
  const { info, task, levels } = page.state;
  if (!info || !task) return null;
  const sizes = levels.map((names) => names.length).join(" \u2192 ");
  return html`<strong>${task.title}</strong>
    <${Revision} id=${info.id} revision=${info.revision} />
    <span>${sizes + " blocks of " + task.block_size + " numbers"}</span>`;
}

/** Why the page shows nothing; models with routes are offered where the chosen model has none. */
function Nothing() {
  const { problem, model } = page.state;
  return (
    problem &&
    html`<${Instead}
      id="blocks"
      ...${problem}
      fits=${(/** @type {Listed} */ { inputs, fields, constants }) =>
        inputs === "blocks" && [...fields, ...constants].includes(page.FIELD)}
      again=${() => void page.open(model)}
    />`
  );
}

/* -- around the picture -------------------------------------------------------------------------------------------- */

/**
 * The iteration that words are about: in focus, where the model first errs, or the last that is shown in full.
 *
 * @param {BlockView} view
 */
function spoken(view) {
  const { step, unfolded } = page.state;
  if (step !== null && view.steps[step]) return view.at(step).t;
  if (view.run.first_wrong) return view.run.first_wrong.iteration - 1;
  return Math.min(view.iterations - 1, unfolded ? unfolded.last : 0);
}

function Sentence() {
  const { view } = blocksRun.get();
  const t = view ? spoken(view) : 0;
  const { text, state } = view ? blocksWords.sentence(view, t) : { text: "", state: "" };
  return html`<p class="blocks-sentence" aria-live="polite" data-state=${state}>
    <span class="control-name">${view && view.iterations > 1 && "Iteration " + (t + 1) + ": "}</span>
    ${view && (text || view.run.answers[t].subtask)}
  </p>`;
}

/** @param {string[]} entry */
const legendEntry = ([name, background]) =>
  html`<span key=${name} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{ background }}></span>${name}</span
  >`;

function Legend() {
  const inputs = (page.state.levels[0] || []).map((name, at) => [name, unitPaint(at)]);
  const entries = [...inputs, ...(inputs.length ? [["computed", "var(--rs-ink)"]] : [])];
  return html`<div class="legend blocks-legend">${entries.map(legendEntry)}</div>`;
}

/* -- the block under the pointer ------------------------------------------------------------------------------------ */

const HINT =
  "Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";

/** @param {BlockView} view @param {Hover} hover */
function detailOf(view, hover) {
  const name = view.name(hover);
  const of = view.iterations > 1 ? " of iteration " + (hover.t + 1) : "";
  if (hover.level === 0) return html`<strong>${name}</strong>${of + ": an input block."}`;
  const { sources, gate } = view.shares(hover);
  if (hover.source !== undefined) {
    const { weight, share } = sources[hover.source];
    const copied = "; past the gate, " + blocksWords.percent(share) + " of the block is a copy of it.";
    return html`<strong>${hover.name + " > " + name}</strong>${of + ": weight " + weight.toFixed(3) + copied}`;
  }
  const made = of + ": " + blocksWords.made(view, hover).long + "; gate " + gate.toFixed(3) + ".";
  const origin = hover.level > 1 && " In terms of the input: " + blocksWords.origin(view, hover).long + ".";
  const wrong = hover.level === view.depth ? blocksWords.wrong(view, hover) : null;
  const where = view.isFirstWrong(hover) ? " Wrong here: " : " Wrong: ";
  return html`<strong>${name}</strong
    >${made}${origin}${wrong && html`<span class="blocks-wrong">${where + wrong}.</span>`}`;
}

function Detail() {
  const { view } = blocksRun.get();
  const { hover } = page.state;
  return html`<div class="blocks-detail" aria-live="polite">
    ${view && hover && hover.t < view.iterations ? detailOf(view, hover) : HINT}
  </div>`;
}

function PicturePanel() {
  const { view } = blocksRun.get();
  return html`<${Panel}
    id="blocks"
    title="What each block is made of"
    tag=${page.changed() ? "under intervention" : "observed"}
    look="panel-blocks"
    reads="Ribbons: the sources of each block, as wide as their weights, in the colour of the input. Dark wedge: the computed part. Click a ribbon or a gate to change it."
    more="Levels stand from left to right. A ribbon has the colour of the input that its numbers come from, and shrinks at the gate to the share that is copied."
    formats=${["svg", "png", "csv", "json"]}
    written=${written}
  >
    <${Sentence} />
    <div class="blocks-controls"><${Player} /><${Legend} /></div>
    <${Blocks} />
    <${Detail} />
    <${AsTable}
      words="Blocks as a table"
      data=${{ "data-blocks-table": "blocks" }}
      caption=${() => "Blocks, level by level"}
      rows=${view && (() => wordRows(view))}
    />
  <//>`;
}

/* -- the page ------------------------------------------------------------------------------------------------------ */

function Tree() {
  const failed = page.state.status === "failed";
  return html`
    <div class="page-head">
      <h1>Blocks</h1>
      <div id="blocks-caption" class="caption"><${Caption} /></div>
      <div class="head-actions" hidden=${failed}>
        <button type="button" class="tool tool-text" data-copy-link="true">${icon("link")}Copy link</button>
      </div>
    </div>
    ${
      failed
        ? html`<${Nothing} />`
        : html`
            <div class="blocks-grid">
              <div class="column"><${InputPanel} /><${steer.SteerPanel} /></div>
              <div class="column"><${PicturePanel} /><${AnswersPanel} /></div>
            </div>
            <${AccuracyPanel} /><${indicators.IndicatorsPanel} />
          `
    }
  `;
}

address.takesOver("blocks", async ({ model, sample, ...choice }) => {
  selection.choose({ model, sample });
  page.set(/** @type {Choice} */ (choice));
});

/** Opens the model that the address names, then follows the model and the sample of the frame. */
function followFrame() {
  let { model: named } = address.chosenIn(location.search);
  /** @type {string | null} */
  let opened = null;
  return effect(() => {
    const { model, sample } = selection.current();
    const wanted = named ?? model;
    named = null;
    untracked(() => {
      page.set({ sample: sample || null });
      if (wanted && wanted !== opened) void page.open((opened = wanted));
    });
  });
}

export const mount = pageTree({
  Tree,
  choice: page.choice,
  take: page.set,
  open(choice, host) {
    const place = /** @type {HTMLElement} */ (host.closest(".page"));
    page.set(/** @type {Choice} */ (choice));
    const ends = [
      followFrame(),
      blocksRun.follow(),
      digitImage.follow(),
      indicators.follow(),
      steer.follow(),
      effect(() => void (place.dataset.status = page.state.status)),
    ];
    return () => {
      ends.forEach((end) => end());
      page.leave();
    };
  },
});
