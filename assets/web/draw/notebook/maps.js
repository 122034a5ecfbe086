/* Code for maps: of the types of tokens, and of sentences by the circuits that they design. */
import { TABLES, intervention, literal, notebook, samples, tuple } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */
/** @typedef {{tokens: "patches" | "cls" | "all", samples: number, iterations: number | null}} Asked what a map is of */

const POINTS = "from routescope.routing.maps.points import at_initialisation, type_points";
const EMBEDDING = "from routescope.routing.maps.embedding import embed";

/**
 * @param {Facts} facts
 * @param {Asked} asked
 */
const collected = (facts, { tokens, samples: count, iterations }) => [
  ...samples(facts),
  ...(facts.routing === "initial" ? ["model = at_initialisation(model, " + literal(facts.seed) + ")"] : []),
  "points = type_points(",
  "    model,",
  "    data,",
  "    " + literal(count) + ",",
  "    tokens=" + literal(tokens) + ",",
  "    intervention=" + intervention({ drop: facts.drop, mute: facts.mute, iterations }) + ",",
  ")",
];

/** @param {Facts} facts */
function embedded({ method, seed, parameters }) {
  const { perplexity, neighbours } = /** @type {Record<string, unknown>} */ (parameters ?? {});
  const further = [
    ...(method === "tsne" && typeof perplexity === "number" ? ["perplexity=" + literal(perplexity)] : []),
    ...(method === "umap" && typeof neighbours === "number" ? ["neighbours=" + literal(neighbours)] : []),
  ];
  const options = ["points", literal(method), "seed=" + literal(seed), ...further];
  return "found = embed(" + options.join(", ") + ")";
}

const COLOURS = ["unit", "label", "domain"];

/**
 * One map of the points of all steps, drawn step by step.
 *
 * @param {Facts} facts
 * @param {Asked} asked
 */
export const types = (facts, asked) =>
  notebook(
    facts,
    [EMBEDDING, POINTS],
    [
      ...collected(facts, asked),
      embedded(facts),
      "",
      "numbers = found.table()",
      "print(numbers)",
      "found.plot(colour=" + literal(COLOURS.find((name) => name === facts.colour) ?? "unit") + ")",
    ],
  );

/**
 * The points of a selection.
 *
 * @param {Facts} facts
 * @param {Asked} asked
 * @param {unknown[][]} chosen sample, token and step of each point
 */
export const selection = (facts, asked, chosen) =>
  notebook(
    facts,
    [EMBEDDING, POINTS, TABLES],
    [
      ...collected({ ...facts, routing: facts.map === "initial" ? "initial" : facts.routing }, asked),
      embedded(facts),
      "",
      "chosen = [",
      ...chosen.map((point) => "    " + tuple(point) + ","),
      "]",
      'chosen = pd.DataFrame(chosen, columns=["sample", "token", "step"])',
      'numbers = chosen.merge(found.table(), on=["sample", "token", "step"], how="left")',
      "print(numbers)",
      'numbers.groupby(["unit", "label"]).size().unstack(fill_value=0).plot.bar(stacked=True)',
    ],
  );

/**
 * How tightly groups of points lie together, beside shuffled groups.
 *
 * @param {Facts} facts
 * @param {Asked} asked
 */
export const clustering = (facts, asked) =>
  notebook(
    facts,
    [POINTS, "from routescope.routing.maps.clustering import clustering"],
    [
      ...collected(facts, asked),
      "",
      "numbers = clustering(points, seed=" + literal(facts.seed) + ")",
      "print(numbers)",
      'numbers.pivot(index="step", columns="by", values="score").plot()',
    ],
  );

/**
 * How a map was made.
 *
 * @param {Facts} facts
 * @param {Asked} asked
 */
export const facts = (facts, asked) =>
  notebook(
    facts,
    [EMBEDDING, POINTS, TABLES],
    [
      ...collected(facts, asked),
      embedded(facts),
      "",
      'numbers = pd.Series({"points": len(points), "method": found.method} | found.parameters)',
      "print(numbers)",
      "print(found.trustworthiness)",
    ],
  );

/* -- of sentences ----------------------------------------------------------------------------------------------- */

/** @param {Facts} facts */
function mapped({ set, method, seed, parameters }) {
  const { perplexity } = /** @type {Record<string, unknown>} */ (parameters ?? {});
  const further = method === "tsne" && typeof perplexity === "number" ? ", perplexity=" + literal(perplexity) : "";
  return [
    "table = sentences(" + literal(set) + ")",
    "designs = designs_of(model, table, codes=False)",
    "found = fit(designs, " + literal(method) + ", seed=" + literal(seed) + further + ")",
    "",
  ];
}

const SENTENCES = [
  "from routescope.data.statements.sentences import sentences",
  "from routescope.routing.graphs.designs import designs_of",
];

/**
 * Sentences by the circuits that they design, and by their words.
 *
 * @param {Facts} facts
 */
export const sentences = (facts) =>
  notebook(
    facts,
    [...SENTENCES, "from routescope.routing.maps.sentences import fit"],
    [
      ...mapped(facts),
      'numbers = table[["text", "kind", "object"]].copy()',
      'numbers[["x", "y"]], numbers[["text_x", "text_y"]] = found.xy, found.text_xy',
      "print(numbers)",
      "found.plot(colour=" + literal(facts.colour === "object" ? "object" : "kind") + ")",
    ],
  );

/**
 * Some of the sentences of a map.
 *
 * @param {Facts} facts
 * @param {string[]} texts
 */
export const someSentences = (facts, texts) =>
  notebook(
    facts,
    [...SENTENCES, "from routescope.routing.maps.sentences import fit"],
    [
      ...mapped(facts),
      "chosen = " + literal(texts),
      'table[["x", "y"]], table[["text_x", "text_y"]] = found.xy, found.text_xy',
      'numbers = table.set_index("text").loc[chosen].reset_index()',
      "print(numbers)",
    ],
  );

/**
 * Whether sentences of one kind lie together.
 *
 * @param {Facts} facts
 */
export const separation = (facts) =>
  notebook(
    facts,
    [...SENTENCES, "from routescope.routing.maps.sentences import fit, separated"],
    [...mapped(facts), "numbers = separated(found)", "print(numbers)"],
  );
