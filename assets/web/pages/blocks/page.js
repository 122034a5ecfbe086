/* The Blocks page as a whole: opening it, its caption, what is said when there are no blocks, the words around the picture. */
import * as api from "rs/lib/api.js";
import { noUpdate } from "rs/lib/dash.js";
import { registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import { unitPaint } from "rs/lib/theme.js";
import { html, show } from "rs/lib/view.js";
import { together } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import * as blocksWords from "rs/pages/blocks/words.js";
import { message } from "rs/parts/problem.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */
/** @import { Choice, Hover, State } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/** @type {Partial<Choice> | null} */
let given = null; // what the address asked for
/** @type {string | null} */
let wanted = null; // the model

const page = () => blocksState;

export const callbacks = {
  /**
   * The page was opened, or another model or another sample was chosen.
   *
   * @param {Partial<Choice>} address
   * @param {{model?: string | null, sample?: string | null} | null} selection
   */
  open(address, selection) {
    const state = page();
    if (address !== given) {
      given = address;
      state.restore(address);
    }
    const { model, sample } = selection || {};
    state.follow(sample);
    if (model && model !== wanted) {
      wanted = model;
      state.open(model);
    }
    return noUpdate();
  },
};

registerWidget("blocks-page", (host) => {
  const others = signal(/** @type {string[]} */ ([])); // models that have routes, where the one that is chosen has none
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (host.querySelector("#blocks-" + name));

  /**
   * Says why there are no blocks, and which models have them.
   *
   * @param {State["problem"]} problem
   */
  async function say(problem) {
    if (!problem) return;
    find("problem-title").textContent = problem.title;
    find("problem-detail").textContent = problem.detail;
    find("retry").hidden = problem.status === 404 || problem.status === 403;
    others.value = [];
    if (problem.status !== 404) return;
    /** @type {Schemas["Models"]} */
    const { items } = await api.send("GET", "/models");
    others.value = items
      .filter((each) => each.inputs === "blocks" && each.fields.concat(each.constants).includes(page().FIELD))
      .map(({ id }) => id);
  }

  const offer = (/** @type {string} */ id) =>
    html`<button key=${id} type="button" class="button" onClick=${() => selection.choose({ model: id })}>
      ${id}
    </button>`;
  return together(
    page().subscribe(({ status, problem }, names) => {
      host.dataset.status = status;
      if (names.has("problem")) say(problem);
    }),
    show(find("caption"), caption),
    show(find("others"), () => others.value.map(offer)),
    blocksRun.start(),
    () => {
      given = wanted = null;
      page().leave();
    },
  );
});

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#blocks-retry") && wanted) page().open(wanted);
});

function caption() {
  const { info, task, levels } = page().get();
  if (!info || !task) return null;
  const sizes = levels.map((names) => names.length).join(" \u2192 ");
  return html`<strong>${task.title}</strong>
    <span>${info.id + " "}<code>${info.revision.slice(0, 8)}</code></span>
    <span>${sizes + " blocks of " + task.block_size + " numbers"}</span>`;
}

/* -- around the picture -------------------------------------------------------------------------------------------- */

/**
 * The iteration that words are about: in focus, where the model first errs, or the last that is shown in full.
 *
 * @param {BlockView} view
 */
function spoken(view) {
  const { step, unfolded } = page().get();
  if (step !== null && view.steps[step]) return view.at(step).t;
  if (view.run.first_wrong) return view.run.first_wrong.iteration - 1;
  return Math.min(view.iterations - 1, unfolded ? unfolded.last : 0);
}

registerWidget("blocks-sentence", (host) =>
  show(host, () => {
    const { view } = blocksRun.get();
    if (!view) {
      host.dataset.state = "";
      return null;
    }
    const t = spoken(view);
    const { text, state } = blocksWords.sentence(view, t);
    host.dataset.state = state;
    const where = view.iterations > 1 ? "Iteration " + (t + 1) + ": " : "";
    return html`<span class="control-name">${where}</span>${text || view.run.answers[t].subtask}`;
  }),
);

registerWidget("blocks-tag", (host) => show(host, () => html`${page().changed() ? "under intervention" : "observed"}`));

/** @param {string[]} entry */
const legendEntry = ([name, background]) =>
  html`<span key=${name} class="legend-entry"
    ><span class="blocks-swatch" aria-hidden="true" style=${{ background }}></span>${name}</span
  >`;

registerWidget("blocks-legend", (host) =>
  show(host, () => {
    const inputs = (page().get().levels[0] || []).map((name, at) => [name, unitPaint(at)]);
    return [...inputs, ...(inputs.length ? [["computed", "var(--rs-ink)"]] : [])].map(legendEntry);
  }),
);

registerWidget("blocks-failed", (host) =>
  show(host, () => {
    const { status, problem } = blocksRun.get();
    if (status === "empty")
      return message("No picture chosen", "Choose a digit beside, draw one, or pick a picture above.");
    if (status !== "failed" || !problem) return null;
    return html`${message(problem.title, problem.detail)}
      <button type="button" class="button" onClick=${blocksRun.ask}>Try again</button>`;
  }),
);

/* -- what is pointed at -------------------------------------------------------------------------------------------- */

const HINT =
  "Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";

/**
 * @param {BlockView} view
 * @param {Hover} hover
 */
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

registerWidget("blocks-detail", (host) =>
  show(host, () => {
    const { view } = blocksRun.get();
    const { hover } = page().get();
    return view && hover && hover.t < view.iterations ? detailOf(view, hover) : html`${HINT}`;
  }),
);
