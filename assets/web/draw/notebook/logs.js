/* Code for figures of routing logs, which need no model: who was chosen, how often, and where two logs agree. */
import { ARRAYS, PLOTS, ROUTESCOPE, TABLES, comment, literal, written } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

const NAMES = ["a", "b"];

/** @param {unknown} id */
export const fileOf = (id) => "log-" + String(id).slice(0, 12) + ".parquet";

/**
 * Code that begins with its imports and the logs.
 *
 * @param {Facts} facts
 * @param {string[]} imports
 * @param {string[]} body
 */
function notebook(facts, imports, body) {
  const [ids, names] = [facts.ids, facts.logs].map((each) => (Array.isArray(each) ? each : []));
  const read = ids.flatMap((id, at) => [
    comment(names[at] + ", as " + "/api/v1/logs/" + id + "/file gives it"),
    (ids.length > 1 ? NAMES[at] : "log") + " = rs.read_log(" + literal(fileOf(id)) + ")",
  ]);
  return written(facts, [ROUTESCOPE, ...imports], [...read, "", ...body]);
}

/**
 * The part of a sequence that a figure shows.
 *
 * @param {Facts} facts
 */
const part = ({ sequence, start, tokens }) => [
  "tokens = log.rows_of(" + literal(sequence) + ")",
  "first, last = tokens.start + " + literal(start) + ", tokens.start + " + literal(Number(start) + Number(tokens)),
  "rows = slice(first, last)",
  "experts, shares = log.experts[rows], log.shares(rows)",
];

/**
 * Which experts tokens of a sequence took, layer by layer.
 *
 * @param {Facts} facts
 */
export const path = (facts) =>
  notebook(
    facts,
    [ARRAYS, PLOTS, TABLES],
    [
      ...part(facts),
      "token, layer, slot = np.nonzero(experts >= 0)",
      "numbers = pd.DataFrame({",
      '    "layer": [log.layers[at] for at in layer],',
      '    "token": token + ' + literal(facts.start) + ",",
      '    "expert": [log.unit(at, each) for at, each in zip(layer, experts[token, layer, slot])],',
      '    "share": shares[token, layer, slot],',
      "})",
      "print(numbers)",
      "",
      "figure, axes = plt.subplots()",
      "most = np.take_along_axis(experts, shares.argmax(axis=2)[:, :, None], axis=2)[:, :, 0]",
      "axes.plot(log.layers, most.T + 1, alpha=0.2)",
      'axes.set(xlabel="layer", ylabel="expert of the largest share", title=log.sequences[' +
        literal(facts.sequence) +
        "])",
    ],
  );

/**
 * Tokens of a sequence with their expert at a layer.
 *
 * @param {Facts} facts
 */
export const text = (facts) =>
  notebook(
    facts,
    [ARRAYS, PLOTS, TABLES],
    [
      ...part(facts),
      "layer = log.layers.index(" + literal(facts.layer) + ")",
      "most = np.take_along_axis(experts, shares.argmax(axis=2)[:, :, None], axis=2)[:, layer, 0]",
      "numbers = pd.DataFrame({",
      '    "token": np.arange(first, last) - tokens.start,',
      '    "text": [log.text(row) for row in range(first, last)],',
      '    "expert": [log.unit(layer, each) if each >= 0 else None for each in most],',
      '    "margin": np.nan if log.margin is None else log.margin[rows, layer],',
      "})",
      "print(numbers)",
      'numbers["expert"].value_counts().plot.bar(title="tokens by their expert at " + log.layers[layer])',
    ],
  );

/**
 * How often each expert was taken.
 *
 * @param {Facts} facts
 */
export const usage = (facts) =>
  notebook(
    facts,
    [PLOTS, TABLES],
    [
      'names = [f"e{expert + 1}" for expert in range(log.num_experts)]',
      "numbers = pd.DataFrame(log.usage(), index=log.layers, columns=names)",
      "print(numbers)",
      "",
      "figure, axes = plt.subplots()",
      "shares = numbers.div(numbers.sum(axis=1).clip(lower=1), axis=0)",
      'picture = axes.imshow(shares, aspect="auto", cmap="Blues", vmin=0)',
      'axes.set(xlabel="expert", ylabel="layer", title="share of a layer\'s use")',
      "axes.set_yticks(range(len(log.layers)), log.layers)",
      "figure.colorbar(picture)",
    ],
  );

/**
 * How far two logs agree, layer by layer.
 *
 * @param {Facts} facts
 */
export const compared = (facts) =>
  notebook(
    facts,
    [ARRAYS, PLOTS, TABLES],
    [
      "found = rs.compare(a, b)",
      "numbers = pd.DataFrame([vars(each) for each in found.by_layer()])",
      "print(numbers)",
      "print(pd.DataFrame([vars(each) for each in found.by_margin()]))",
      "",
      "figure, axes = plt.subplots()",
      'for name in ("same", "overlap"):',
      '    low, high = np.array(numbers[name + "_interval"].tolist()).T',
      "    error = [numbers[name] - low, high - numbers[name]]",
      '    axes.errorbar(numbers["layer"], numbers[name], error, fmt="o-", capsize=3, label=name)',
      'axes.set(xlabel="layer", ylabel="share of tokens", title="agreement of A and B")',
      "axes.legend()",
    ],
  );

/**
 * How many layers agree, token by token of a sequence.
 *
 * @param {Facts} facts
 */
export const agreement = (facts) =>
  notebook(
    facts,
    [PLOTS, TABLES],
    [
      "found = rs.compare(a, b)",
      "own = found.sequence == " + literal(facts.sequence),
      "first = found.first()[own]",
      "numbers = pd.DataFrame({",
      '    "token": found.places[0][own],',
      '    "agreement": found.agreement()[own],',
      '    "first": [found.layers[layer] if layer >= 0 else "" for layer in first],',
      "})",
      "print(numbers)",
      "",
      "figure, axes = plt.subplots()",
      'axes.bar(range(len(numbers)), numbers["agreement"], width=1)',
      'axes.set(xlabel="token", ylabel="share of layers that agree", title=a.sequences[' +
        literal(facts.sequence) +
        "])",
    ],
  );

/**
 * What one token took in two logs.
 *
 * @param {Facts} facts
 */
export const decision = (facts) =>
  notebook(
    facts,
    ["from routescope.routing.compare import decisions", PLOTS, TABLES],
    [
      "found = decisions(a, b, rs.compare(a, b), " + literal(facts.token) + ")",
      "numbers = pd.DataFrame([",
      "    (side.layer, name, taken.unit, taken.share, side.margin, each.same)",
      "    for each in found",
      '    for name, side in (("A", each.a), ("B", each.b))',
      "    for taken in side.taken",
      '], columns=["layer", "routing", "expert", "share", "margin", "same"])',
      "print(numbers)",
      "",
      "figure, axes = plt.subplots(1, 2, sharey=True)",
      'for (name, own), place in zip(numbers.groupby("routing"), axes):',
      '    own.pivot_table(index="layer", columns="expert", values="share", sort=False).plot.barh(',
      "        stacked=True, ax=place, legend=False, title=name",
      "    )",
      "axes[0].invert_yaxis()  # the first layer at the top",
    ],
  );

/**
 * How a log's tokens spread over experts: `key` is the panel of the page Observe.
 *
 * @param {Facts} facts
 * @param {string} key
 */
export function experts(facts, key) {
  const told = [
    "for row in numbers.itertuples():",
    "    place = log.rows_of(row.sample).start + row.token",
    '    print(row.expert, f"{row.weight:.2f}", log.sequences[row.sample], repr(log.text(place)))',
  ];
  const drawn = ["found.plot(" + literal(key) + ", layer=" + literal(facts.layer_shown) + ")"];
  return notebook(
    facts,
    [
      "from routescope.routing.observed.load_tables import table",
      "from routescope.routing.observed.log_load import observed",
    ],
    [
      "found = observed(log).load",
      "numbers = table(found, " + literal(key) + ")",
      "print(numbers)",
      ...(key === "exemplars" ? told : drawn),
    ],
  );
}
