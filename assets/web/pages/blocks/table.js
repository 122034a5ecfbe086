/* The numbers of the picture of blocks, for its table and its files. */
import { blocksPicture } from "rs/pages/blocks/picture/canvas.js";
import * as blocksRun from "rs/pages/blocks/run.js";
import * as blocksWords from "rs/pages/blocks/words.js";

/** @import { Panel } from "rs/draw/types.d.ts" */
/** @import { Block, Run } from "rs/pages/blocks/types.d.ts" */
/** @import { BlockView } from "rs/pages/blocks/picture/view.js" */

/** Every block that was made, with how. @param {BlockView} view @returns {Generator<Block>} */
function* blocksOf(view) {
  for (let t = 0; t < view.iterations; t += 1)
    for (let level = 1; level <= view.depth; level += 1)
      for (let index = 0; index < view.levels[level].length; index += 1) yield { t, level, index };
}

/**
 * Every block with its parts in words; the first row names the columns.
 *
 * @param {BlockView} view
 * @returns {unknown[][]}
 */
export const wordRows = (view) => [
  ["iteration", "level", "block", "made", "gate", "in terms of the input", "digit"],
  ...Array.from(blocksOf(view), (block) => {
    const answer = block.level === view.depth ? view.answer(block.t, block.index) : null;
    const rule = answer?.right === false ? " (rule: " + answer.truth + ")" : "";
    return [
      block.t + 1,
      block.level,
      view.name(block),
      blocksWords.made(view, block).long,
      view.shares(block).gate.toFixed(3),
      blocksWords.origin(view, block).long,
      answer ? answer.digit + rule : view.digits(block).join(" or "),
    ];
  }),
];

/* -- files --------------------------------------------------------------------------------------------------------- */

/** Facts of a run for files. @param {Run} run */
export function factsOf({ model, revision, input, task, iterations, intervention, baseline }) {
  const { drop = [], mute_routes = [], copy_routes = [], gates = {} } = intervention;
  const kind = baseline ? "under intervention" : "observed";
  return { model, revision, seed: null, sample: input.sample, task, input, iterations, drop, mute_routes, copy_routes, gates, kind }; // prettier-ignore
}

/** One row for every route: how much of a source is in a block. @param {BlockView} view */
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
export function written() {
  const { view } = blocksRun.get();
  const picture = blocksPicture;
  if (!view || !picture) return null;
  return {
    name: "blocks",
    facts: factsOf(view.run),
    python: { figure: "blocks", input: view.run.input },
    rows: () => rowsOf(view),
    json: () => jsonOf(view),
    picture,
  };
}
