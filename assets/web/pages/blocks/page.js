/* The Blocks page as a whole: opening it, its caption, what is said when there are no blocks, the words around the picture. */
import * as api from "rs/lib/api.js";
import { noUpdate } from "rs/lib/dash.js";
import { build, registerWidget } from "rs/lib/dom.js";
import * as selection from "rs/lib/selection.js";
import { unitPaint } from "rs/lib/theme.js";
import { message } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import * as blocksWords from "rs/pages/blocks/words.js";

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
  const ends = [
    page().subscribe((now, names) => {
      host.dataset.status = now.status;
      if (names.has("info") || names.has("task")) caption(now);
      if (names.has("problem")) say(now.problem);
    }),
    blocksRun.start(),
  ];
  return () => {
    ends.forEach((end) => end());
    given = wanted = null;
    page().leave();
  };
});

/**
 * Says why there are no blocks, and which models have them.
 *
 * @param {State["problem"]} problem
 */
async function say(problem) {
  const find = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.getElementById("blocks-" + name));
  const others = find("others");
  if (!others || !problem) return;
  find("problem-title").textContent = problem.title;
  find("problem-detail").textContent = problem.detail;
  find("retry").hidden = problem.status === 404;
  others.replaceChildren();
  if (problem.status !== 404) return;
  /** @type {Schemas["Models"]} */
  const { items } = await api.send("GET", "/models");
  const routing = items.filter(
    (each) => each.inputs === "blocks" && each.fields.concat(each.constants).includes(page().FIELD),
  );
  /** @param {string} id */
  const choose = (id) => () => selection.choose({ model: id });
  others.replaceChildren(
    ...routing.map(({ id }) => build("button", { type: "button", class: "button", onclick: choose(id) }, id)),
  );
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("#blocks-retry") && wanted) page().open(wanted);
});

/** @param {State} state */
function caption({ info, task, levels }) {
  const place = document.getElementById("blocks-caption");
  if (!place) return;
  place.replaceChildren();
  if (!info || !task) return;
  const sizes = levels.map((names) => names.length).join(" \u2192 ");
  place.replaceChildren(
    build("strong", {}, task.title),
    build("span", {}, info.id + " ", build("code", {}, info.revision.slice(0, 8))),
    build("span", {}, sizes + " blocks of " + task.block_size + " numbers"),
  );
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

registerWidget("blocks-sentence", (host) => {
  const show = () => {
    const { view } = blocksRun.get();
    host.dataset.state = "";
    if (!view) {
      host.textContent = "";
      return;
    }
    const t = spoken(view);
    const { text, state } = blocksWords.sentence(view, t);
    host.dataset.state = state;
    const where = view.iterations > 1 ? "Iteration " + (t + 1) + ": " : "";
    host.replaceChildren(build("span", { class: "control-name" }, where), text || view.run.answers[t].subtask);
  };
  const ends = [
    page().subscribe((_, names) => (names.has("step") || names.has("unfolded")) && show()),
    blocksRun.subscribe((_, names) => names.has("view") && show()),
  ];
  return () => ends.forEach((end) => end());
});

registerWidget("blocks-tag", (host) =>
  page().subscribe(() => {
    host.textContent = page().changed() ? "under intervention" : "observed";
  }),
);

registerWidget("blocks-legend", (host) =>
  page().subscribe(({ levels }, names) => {
    if (!names.has("levels")) return;
    /**
     * @param {string} name
     * @param {string} paint
     */
    const entry = (name, paint) => {
      const swatch = build("span", { class: "blocks-swatch", "aria-hidden": "true" });
      swatch.style.background = paint;
      return build("span", { class: "legend-entry" }, swatch, name);
    };
    const inputs = (levels[0] || []).map((name, at) => entry(name, unitPaint(at)));
    host.replaceChildren(...inputs, ...(inputs.length ? [entry("computed", "var(--rs-ink)")] : []));
  }),
);

registerWidget("blocks-failed", (host) =>
  blocksRun.subscribe(({ status, problem }) => {
    const retry = build("button", { type: "button", class: "button", onclick: blocksRun.ask }, "Try again");
    const choose = "Choose a digit beside, draw one, or pick a picture above.";
    const said =
      status === "empty"
        ? message("No picture chosen", choose)
        : status === "failed" && problem
          ? [...message(problem.title, problem.detail), retry]
          : [];
    host.replaceChildren(...said);
  }),
);

/* -- what is pointed at -------------------------------------------------------------------------------------------- */

const HINT =
  "Point at a block to see what it was made of and where it goes; click a ribbon, a gate or a block to change it.";

/**
 * @param {BlockView} view
 * @param {Hover} hover
 * @returns {(Node | string)[]}
 */
function detailOf(view, hover) {
  const name = view.name(hover);
  const of = view.iterations > 1 ? " of iteration " + (hover.t + 1) : "";
  if (hover.level === 0) return [build("strong", {}, name), of + ": an input block."];
  const { sources, gate } = view.shares(hover);
  if (hover.source !== undefined) {
    const { weight, share } = sources[hover.source];
    return [
      build("strong", {}, hover.name + " > " + name),
      of +
        ": weight " +
        weight.toFixed(3) +
        "; past the gate, " +
        blocksWords.percent(share) +
        " of the block is a copy of it.",
    ];
  }
  const made = blocksWords.made(view, hover);
  const origin = blocksWords.origin(view, hover);
  /** @type {(Node | string)[]} */
  const parts = [build("strong", {}, name), of + ": " + made.long + "; gate " + gate.toFixed(3) + "."];
  if (hover.level > 1) parts.push(" In terms of the input: " + origin.long + ".");
  const wrong = hover.level === view.depth ? blocksWords.wrong(view, hover) : null;
  if (wrong) parts.push(build("span", { class: "blocks-wrong" }, " " + (view.isFirstWrong(hover) ? "Wrong here: " : "Wrong: ") + wrong + ".")); // prettier-ignore
  return parts;
}

registerWidget("blocks-detail", (host) => {
  const show = () => {
    const { view } = blocksRun.get();
    const { hover } = page().get();
    host.replaceChildren(...(view && hover && hover.t < view.iterations ? detailOf(view, hover) : [HINT]));
  };
  const ends = [
    page().subscribe((_, names) => names.has("hover") && show()),
    blocksRun.subscribe((_, names) => names.has("view") && show()),
  ];
  return () => ends.forEach((end) => end());
});
