/* Code for figures of a pruning: who goes, and what is left of the figure while fewer and fewer experts are kept. */
import { PLOTS, TABLES, literal, notebook, samples } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

/**
 * The order, chosen on the last samples of every data set.
 *
 * @param {Facts} facts
 */
function ordered(facts) {
  const data = /** @type {{name: string, count: number}[]} */ (facts.data ?? []);
  const last = [
    "chosen_on = []",
    "for name, count in [" + data.map(({ name, count }) => "(" + literal(name) + ", " + literal(count) + ")").join(", ") + "]:", // prettier-ignore
    "    whole = rs.dataset(name)",
    "    chosen_on.append(whole.take(slice(len(whole) - count, len(whole))))",
  ];
  const options = facts.order === "greedy" ? ", together=" + literal(facts.at_once) : facts.order === "chance" ? ", seed=" + literal(facts.seed) : ""; // prettier-ignore
  const chosenOn = facts.order === "chance" ? ["chosen_on = []"] : last;
  return [...chosenOn, "order = find_order(model, chosen_on, " + literal(facts.order) + options + ")"];
}

/** @param {string} names */
const from = (names) => "from routescope.routing.caused.pruning import find_order, " + names;

/**
 * Who stays and who goes, by layer.
 *
 * @param {Facts} facts
 */
export const keptExperts = (facts) =>
  notebook(
    facts,
    [PLOTS, TABLES, from("kept_with")],
    [
      ...ordered(facts),
      "kept = kept_with(model, order, " + literal(facts.keep) + ")",
      "",
      "numbers = pd.DataFrame(",
      '    [(layer.name, unit, unit in layer.units) for layer in kept.layers for unit in (*layer.units, *layer.dropped)],',
      '    columns=["layer", "expert", "stays"],',
      ")",
      "print(numbers)",
      "",
      "figure, axes = plt.subplots()",
      'axes.barh([layer.name for layer in kept.layers], [len(layer.kept) for layer in kept.layers])',
      'axes.set_xlabel("experts kept")',
      "axes.invert_yaxis()",
    ],
  ); // prettier-ignore

/**
 * Retention by data set beside random sets of the same size.
 *
 * @param {Facts} facts
 */
export const retention = (facts) =>
  notebook(
    facts,
    [PLOTS, from("retained, shares_of")],
    [
      ...ordered(facts),
      ...samples(facts),
      "numbers = retained(",
      "    model,",
      "    data,",
      "    {" + literal(facts.order) + ": order},",
      "    shares_of(model, " + literal(facts.scope) + ", " + literal(facts.points) + "),",
      "    scope=" + literal(facts.scope) + ",",
      "    draws=" + literal(facts.draws) + ",",
      "    seed=" + literal(Number(facts.seed) + 1) + ",",
      ")",
      "print(numbers)",
      "",
      'domains = list(dict.fromkeys(numbers["domain"]))',
      "figure, axes = plt.subplots(1, len(domains), squeeze=False, figsize=(4 * len(domains), 3))",
      "for place, domain in zip(axes[0], domains):",
      '    for name, own in numbers[numbers["domain"] == domain].groupby("order"):',
      '        place.plot(own["share"], own["figure"], marker=".", label=name)',
      '        place.fill_between(own["share"], own["low"], own["high"], alpha=0.2)',
      "    place.invert_xaxis()",
      "    place.set_title(domain)",
      '    place.set_xlabel("share of experts kept")',
      'axes[0][0].set_ylabel(numbers.attrs["metric"])',
      "axes[0][0].legend()",
    ],
  );
