/* Code for figures of how modules are linked, in the network as it is and as sentences design it. */
import { ARRAYS, PLOTS, TABLES, intervention, literal, notebook } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

const CONSTANTS = "from routescope.routing.trace import constants_of";

/** The link probabilities of all modules, symmetric to the last bit. */
const LINKS = [
  "constants = {name: values.detach().double().numpy() for name, (_, values) in constants_of(model).items()}",
  'P = (constants["link_probability"] + constants["link_probability"].T) / 2',
];

/**
 * The most probable links, and which of them an intervention keeps.
 *
 * @param {Facts} facts
 */
export const graph = (facts) =>
  notebook(
    facts,
    [PLOTS, TABLES, CONSTANTS, "from routescope.routing.graphs import edges_sorted, layout"],
    [
      ...LINKS,
      "i, j, p = (each[:" + literal(facts.links_drawn) + "] for each in edges_sorted(P))",
      "names = model.all_units",
      'numbers = pd.DataFrame({"module": [names[at] for at in i], "other": [names[at] for at in j], "probability": p})',
      "left = set(" + intervention(facts) + ".apply(model).units)",
      'numbers["left"] = [row.module in left and row.other in left for row in numbers.itertuples()]',
      "print(numbers)",
      "",
      'x, y = layout(constants["signatures"]).T',
      "figure, axes = plt.subplots(figsize=(8, 8))",
      'for a, b, stays in zip(i, j, numbers["left"]):',
      '    axes.plot(x[[a, b]], y[[a, b]], color="C0" if stays else "lightgrey", linewidth=0.6, zorder=1)',
      'axes.scatter(x, y, color=["C0" if name in left else "lightgrey" for name in names], zorder=2)',
      'axes.set_aspect("equal")',
    ],
  );

const ORDERS = {
  matched: ['order = np.argsort(constants["prior_order"])'],
  communities: ["order = np.lexsort((-q, statistics(P).communities))"],
  connectivity: ['order = np.argsort(-q, kind="stable")'],
};

/**
 * Link probabilities as a matrix, in the order of the prior or of communities.
 *
 * @param {Facts} facts
 */
export const matrix = (facts) =>
  notebook(
    facts,
    [ARRAYS, PLOTS, TABLES, CONSTANTS, "from routescope.routing.graphs import statistics"],
    [
      ...LINKS,
      "q = model.connectivity().detach().double().numpy()",
      ...ORDERS[
        facts.order === "matched" && facts.prior
          ? "matched"
          : facts.order === "connectivity"
            ? "connectivity"
            : "communities"
      ],
      "names = [model.all_units[at] for at in order]",
      "numbers = pd.DataFrame(P[np.ix_(order, order)], names, names)",
      "print(numbers)",
      "figure, axes = plt.subplots()",
      'figure.colorbar(axes.imshow(numbers, cmap="Blues", vmin=0, vmax=1), label="link probability")',
    ],
  );

/**
 * What the graph is like beside its prior.
 *
 * @param {Facts} facts
 */
export const statistics = (facts) =>
  notebook(
    facts,
    [TABLES, CONSTANTS, "from routescope.routing.graphs import prior, statistics"],
    [
      ...LINKS,
      "prior_name = " + literal(facts.prior),
      'graphs = {"learned": P} | ({} if prior_name is None else {"prior": prior(prior_name, len(P))})',
      'NAMES = ["mean_degree", "degree_deviation", "density", "clustering", "modularity"]',
      "found = {which: statistics(each) for which, each in graphs.items()}",
      "numbers = pd.DataFrame({which: {name: getattr(each, name) for name in NAMES} for which, each in found.items()})",
      "drawn = pd.concat({which: each.sampled for which, each in found.items()}, axis=1)",
      'NAMES += ["path_length", "components"]',
      "likely = {which: statistics(each, threshold=0.5) for which, each in graphs.items()}",
      "likely = pd.DataFrame({which: {name: getattr(each, name) for name in NAMES} for which, each in likely.items()})",
      "print(numbers)",
      'print("graphs that are drawn from the probabilities:")',
      "print(drawn)",
      'print("links of P > 0.5:")',
      "print(likely)",
    ],
  );

/**
 * Expected links of each module.
 *
 * @param {Facts} facts
 */
export const degrees = (facts) =>
  notebook(
    facts,
    [TABLES, CONSTANTS, "from routescope.routing.graphs import matched, prior, statistics"],
    [
      ...LINKS,
      "learned = statistics(P)",
      'numbers = pd.DataFrame({"module": model.all_units, "learned": learned.degree})',
      ...(facts.prior
        ? [
            "P0 = matched(prior(" + literal(facts.prior) + ', len(P)), constants["prior_order"].astype(int))',
            'numbers["prior"] = P0.sum(axis=1) - P0.diagonal()',
          ]
        : []),
      "print(numbers)",
      facts.prior ? "learned.plot(beside=statistics(P0))" : "learned.plot()",
    ],
  );

/**
 * Into how many groups the graph falls as links are cut.
 *
 * @param {Facts} facts
 * @param {number[]} shares of the links that are kept
 */
export const clusters = (facts, shares) =>
  notebook(
    facts,
    [ARRAYS, TABLES, CONSTANTS, "from routescope.routing.graphs import components_by_share"],
    [
      ...LINKS,
      "shares = " + literal(shares),
      "found = components_by_share(P, np.array(shares))",
      'numbers = pd.DataFrame({"share": shares, "clusters": found.components, "largest": found.largest})',
      "print(numbers)",
      "found.plot()",
    ],
  );

/**
 * The strongest links of one module.
 *
 * @param {Facts} facts
 */
export const module = (facts) =>
  notebook(
    facts,
    [TABLES, CONSTANTS],
    [
      ...LINKS,
      "unit = " + literal(facts.unit),
      'numbers = pd.DataFrame({"module": model.all_units, "probability": P[model.all_units.index(unit)]})',
      'numbers = numbers[numbers["module"] != unit].sort_values("probability", ascending=False, kind="stable")',
      "print(numbers.head(12))",
      'numbers.head(12)[::-1].plot.barh(x="module", y="probability", legend=False, xlim=(0, 1))',
    ],
  );

/* -- of sentences ----------------------------------------------------------------------------------------------- */

/** @param {Facts} facts */
const designed = ({ sentences, drop, keep_edges }) => [
  "sentences = " + literal(sentences),
  "view = " + intervention({ drop, keep_edges }) + ".apply(model)",
  "designs = designs_of(view, sentences)",
];

/**
 * Links that any of the circuits of some sentences has.
 *
 * @param {Facts} facts
 */
export const designs = (facts) =>
  notebook(
    facts,
    [ARRAYS, PLOTS, TABLES, "from routescope.routing.graphs.designs import designs_of, shared_layout"],
    [
      ...designed({ ...facts, keep_edges: null }),
      "threshold = " + literal(facts.threshold),
      "P = [designs[at].P for at in range(len(sentences))]",
      "i, j = np.nonzero(np.triu(np.any([each > threshold for each in P], axis=0), 1))",
      'numbers = pd.DataFrame({"module": [view.units[at] for at in i], "other": [view.units[at] for at in j]})',
      "for at, each in enumerate(P):",
      '    numbers[f"p_{at + 1}"] = each[i, j]',
      "print(numbers)",
      "",
      "x, y = shared_layout(designs).T",
      "figure, panels = plt.subplots(1, len(P), figsize=(5 * len(P), 5), squeeze=False)",
      "for axes, each, sentence in zip(panels[0], P, sentences):",
      "    for a, b in zip(*np.nonzero(np.triu(each > threshold, 1))):",
      '        axes.plot(x[[a, b]], y[[a, b]], color="C0", linewidth=0.4, zorder=1)',
      "    axes.scatter(x, y, zorder=2)",
      '    axes.set_title(sentence, fontsize="small")',
    ],
  );

/**
 * How far each circuit is from the first.
 *
 * @param {Facts} facts
 */
export const distances = (facts) =>
  notebook(
    facts,
    [ARRAYS, TABLES, "from routescope.routing.graphs.designs import compare, designs_of"],
    [
      ...designed({ ...facts, keep_edges: null }),
      "threshold = " + literal(facts.threshold),
      "rows = []",
      "for at, sentence in enumerate(sentences):",
      "    found = compare(designs[0], designs[at], threshold)",
      "    links = int(np.count_nonzero(np.triu(designs[at].P > threshold, 1)))",
      "    rows.append((sentence, links, len(found.gained), len(found.lost), found.mean_change, found.correlation))",
      'numbers = pd.DataFrame(rows, columns=["sentence", "links", "gained", "lost", "mean_change", "correlation"])',
      "print(numbers)",
    ],
  );

/* -- of pictures and what is said of them ----------------------------------------------------------------------- */

/**
 * What a network is asked: some sentences about the same pictures, and its trace of them.
 *
 * @param {Facts} facts
 * @param {string[]} sentences
 */
function asked({ statement, edited, scene, drop, keep_edges }, sentences) {
  const bundled = !edited && /^([a-z0-9-]{1,40})\.([a-z]{1,20})\.(\d{1,9})$/.exec(String(statement));
  const inputs = ["texts = " + literal(sentences)];
  const imports = ["from routescope.nn.inputs.statements import Statements"];
  if (bundled) {
    inputs.push("told = rs.dataset(" + literal(bundled[1]) + ", " + literal(bundled[2]) + ", model=model)");
    inputs.push("images = told.images[" + Number(bundled[3]) + "].float() / 255");
  } else if (scene) {
    imports.push("import torch", "from routescope.data.statements.scenes import Scene, draw");
    inputs.push("scene = Scene.from_dict(" + literal(scene) + ")");
    inputs.push("images = torch.from_numpy(draw(scene, model.config.image_size).copy()).float() / 255");
  } else {
    imports.push("import torch", "import numpy as np", "from PIL import Image");
    imports.push(
      "from routescope.data.pictures.sizing import fitted",
      "from routescope.data.statements.scenes import BACKGROUND",
    );
    inputs.push("# These pictures were brought by somebody: name your copies of them here.");
    inputs.push('files = ["your-first-picture.png", "your-second-picture.png"][: model.config.pictures]');
    inputs.push("images = [fitted(Image.open(file), model.config.image_size, BACKGROUND) for file in files]");
    inputs.push("images = torch.from_numpy(np.stack(images)).float() / 255");
  }
  inputs.push("inputs = Statements(images.expand(len(texts), *images.shape), tuple(texts))");
  inputs.push("trace = rs.record(model, inputs, intervention=" + intervention({ drop, keep_edges }) + ")");
  return { imports, lines: [...inputs, ""] };
}

/**
 * The pictures of a scene, whoever drew it, and the things in them.
 *
 * @param {Facts} facts
 * @param {{pictures: unknown[][]}} scene
 */
export const pictures = (facts, { pictures: drawn }) =>
  notebook(
    facts,
    [PLOTS, TABLES, "from routescope.data.statements.scenes import Scene, draw"],
    [
      "scene = Scene.from_dict(" + literal({ pictures: drawn }) + ")",
      'things = [{"picture": at, **thing} for at, each in enumerate(scene.to_dict()["pictures"]) for thing in each]',
      'numbers = pd.DataFrame(things, columns=["picture", "shape", "colour", "size", "x", "y"])',
      "print(numbers)",
      "",
      "figure, panels = plt.subplots(1, len(scene.pictures), squeeze=False)",
      "for axes, picture in zip(panels[0], draw(scene, model.config.image_size)):",
      "    axes.imshow(picture.transpose(1, 2, 0))",
      "    axes.set_axis_off()",
    ],
  );

/**
 * How probable the network holds each sentence.
 *
 * @param {Facts} facts
 * @param {string[]} sentences
 */
export function answers(facts, sentences) {
  const { imports, lines } = asked(facts, sentences);
  return notebook(
    facts,
    [...imports, TABLES],
    [
      ...lines,
      "chances = next(iter(trace.dataset.domain.values))",
      "probability = [each[str(chances)][1] for each in trace.predictions()]",
      'numbers = pd.DataFrame({"sentence": texts, "probability": probability})',
      "print(numbers)",
      'numbers[::-1].plot.barh(x="sentence", y="probability", xlim=(0, 1), legend=False)',
    ],
  );
}

/**
 * Where modules take their input from, for each sentence.
 *
 * @param {Facts} facts
 * @param {string[]} sentences
 */
export function reads(facts, sentences) {
  const { imports, lines } = asked(facts, sentences);
  const of =
    facts.unit === "all"
      ? [
          'shares = (trace["confidence"] * trace["read_out"]).sum("readout")',
          'weights = (trace["read_in"] * shares).sum("unit") / shares.sum("unit")',
        ]
      : ['weights = trace["read_in"].sel(unit=' + literal(facts.unit) + ")"];
  return notebook(
    facts,
    [...imports, PLOTS],
    [
      ...lines,
      ...of,
      "rows, columns = model.config.grid",
      "places = weights.isel(token=slice(len(images) * rows * columns))",
      'numbers = places.to_dataframe("weight").reset_index()',
      "print(numbers)",
      "figure, panels = plt.subplots(len(texts), len(images), squeeze=False)",
      "for line, of_text, text in zip(panels, places.values, texts):",
      "    for axes, of_picture in zip(line, of_text.reshape(len(images), rows, columns)):",
      '        axes.imshow(of_picture, cmap="Greys_r")',
      '        axes.set_title(text, fontsize="small")',
    ],
  );
}
