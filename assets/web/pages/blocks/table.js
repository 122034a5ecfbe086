/* The picture of blocks as a table, and as files. */
import * as exports from "rs/draw/exports.js";
import { registerWidget } from "rs/lib/dom.js";
import { html, show } from "rs/lib/view.js";
import { blocksPicture } from "rs/pages/blocks/picture/canvas.js";
import { together } from "rs/pages/blocks/controls.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksState from "rs/pages/blocks/state.js";
import * as blocksWords from "rs/pages/blocks/words.js";
import { Figures } from "rs/parts/table.js";
import { signal } from "rs/vendor/preact.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Block } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/**
 * Every block that was made, with how.
 *
 * @param {BlockView} view
 * @returns {Generator<Block>}
 */
function* blocksOf(view) {
  for (let t = 0; t < view.iterations; t += 1)
    for (let level = 1; level <= view.depth; level += 1)
      for (let index = 0; index < view.levels[level].length; index += 1) yield { t, level, index };
}

/** @param {{view: BlockView}} props */
function Table({ view }) {
  const many = view.iterations > 1 ? ["iteration"] : [];
  const columns = [...many, "level", "block", "made", "gate", "in terms of the input", "digit"];
  const rows = Array.from(blocksOf(view), (block) => {
    const answer = block.level === view.depth ? view.answer(block.t, block.index) : null;
    const digit = answer ? answer.digit + (answer.right === false ? " (rule: " + answer.truth + ")" : "") : view.digits(block).join(" or "); // prettier-ignore
    const cells = [
      ...many.map(() => block.t + 1),
      block.level,
      view.name(block),
      blocksWords.made(view, block).long,
      view.shares(block).gate.toFixed(3),
      blocksWords.origin(view, block).long,
      digit,
    ];
    return html`<tr>
      ${cells.map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  });
  const heads = columns.map((name) => html`<th scope="col">${name}</th>`);
  return html`<${Figures} heads=${heads} rows=${rows} />`;
}

registerWidget("blocks-table", (host) => {
  const details = /** @type {HTMLDetailsElement} */ (host.closest("details"));
  const open = signal(details.open);
  const follow = () => {
    open.value = details.open;
  };
  exports.register("blocks", blocks);
  details.addEventListener("toggle", follow);
  return together(
    show(host, () => {
      const { view } = blocksRun.get();
      return view && open.value ? html`<${Table} view=${view} />` : null;
    }),
    () => details.removeEventListener("toggle", follow),
  );
});

/* -- files --------------------------------------------------------------------------------------------------------- */

/** @param {BlockView} view */
function factsOf({ run, changes }) {
  return {
    model: run.model,
    revision: run.revision,
    seed: null, // nothing here is drawn by chance
    sample: run.input.sample,
    task: run.task,
    input: run.input,
    iterations: run.iterations,
    drop: changes.drop || [],
    mute_routes: changes.mute_routes,
    copy_routes: changes.copy_routes,
    gates: changes.gates,
    kind: blocksState.changed() ? "under intervention" : "observed",
  };
}

/**
 * One row for every route: how much of a source is in a block.
 *
 * @param {BlockView} view
 */
function rowsOf(view) {
  /** @type {unknown[][]} */
  const rows = [["step", "iteration", "level", "block", "source", "weight", "gate", "share_of_block"]];
  for (const block of blocksOf(view)) {
    const step = view.step(block.t, block.level);
    const { sources, gate } = view.shares(block);
    for (const { name, weight, share } of sources)
      rows.push([step.name, block.t + 1, block.level, view.name(block), name, weight, gate, share]);
  }
  return rows;
}

/** @param {BlockView} view */
function jsonOf(view) {
  const inputs = view.levels[0];
  return {
    levels: view.levels,
    answers: view.run.answers.map(({ probabilities: _, ...answer }) => answer),
    first_wrong: view.run.first_wrong,
    blocks: Array.from(blocksOf(view), (block) => {
      const { sources, gate } = view.shares(block);
      const origin = view.origin(block);
      return {
        step: view.step(block.t, block.level).name,
        block: view.name(block),
        gate,
        weights: Object.fromEntries(sources.map(({ name, weight }) => [name, weight])),
        made: blocksWords.made(view, block).kind,
        of_inputs: Object.fromEntries(inputs.map((name, at) => [name, origin[at]])),
        of_computed: origin[inputs.length],
        numbers: Array.from(view.values(block)),
      };
    }),
  };
}

/** @returns {Panel | null} */
function blocks() {
  const { view } = blocksRun.get();
  const picture = blocksPicture;
  if (!view || !picture) return null;
  return {
    name: "blocks",
    facts: factsOf(view),
    python: { figure: "blocks", input: view.run.input },
    rows: () => rowsOf(view),
    json: () => jsonOf(view),
    picture,
  };
}
