/* The rows of an evaluation by label and by data set, each of one distribution. */
import { DISTRIBUTIONS, groupsApart } from "rs/parts/figures.js";

/** @import { Schemas } from "rs/lib/types.d.ts" */

/** @typedef {Schemas["Evaluation"]} Evaluation */
/** @typedef {ReturnType<typeof groupsApart>[number]} Group a label or a data set */

/**
 * A data set that stands in for another is called so wherever its name is shown; what the model was never trained on
 * comes last, and is called so also where there is nothing else. Its title says what is in it.
 *
 * @param {Evaluation} evaluation @returns {(Group & {title?: string})[]}
 */
export function domainRows(evaluation) {
  const about = new Map(evaluation.data.map((each) => [each.name, each]));
  return groupsApart(evaluation, "by_domain").map((row) => {
    const set = about.get(row.name);
    const away = set?.held_out ? { distribution: DISTRIBUTIONS.out } : {};
    return { ...away, ...row, name: row.name + (set?.stand_in ? " (stand-in)" : ""), title: set?.title };
  });
}

/** @param {Evaluation} evaluation */
export const labelRows = (evaluation) => groupsApart(evaluation, "by_label");
