/* Code for figures over data sets: what an intervention changes, what units cause, what is observed. */
import { ARRAYS, PLOTS, TABLES, intervention, literal, notebook, samples } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

const SCORING = "from routescope.routing.caused.scores import Scores, score";

/** @param {Facts} facts */
const scored = (facts) => [
  ...samples(facts),
  "intervention = " + intervention(facts),
  "before = Scores.join(score(model, each) for each in data)",
  "after = Scores.join(score(model, each, intervention) for each in data)",
  "",
];

/** @param {Facts} facts */
function namesUnits(facts) {
  /** @param {string} kind */
  const units = (kind) => /** @type {unknown[]} */ (facts[kind] ?? []);
  const kinds = ["drop", "mute", "mean", "resample"].filter((kind) => units(kind).length);
  return kinds.length === 1 ? { kind: kinds[0], size: units(kinds[0]).length } : null;
}

/**
 * The accuracy, or what else the heads are measured by, with and without an intervention, beside random sets of as many
 * units; apart for what training showed and what it left out.
 *
 * @param {Facts} facts
 * @param {{draws?: number}} [options] how many random sets there are
 */
export function accuracy(facts, { draws = 0 } = {}) {
  const named = namesUnits(facts);
  const random = draws && named;
  const cut = ["iterations", "keep_edges", "top_k"]
    .filter((name) => typeof facts[name] === "number")
    .map((name) => name + "=" + literal(facts[name])); // prettier-ignore
  const control = random
    ? [
        "",
        "sets = random_control(model.units, " + named.size + ", " + draws + ")",
        "controls = [",
        "    Scores.join(score(model, each, rs.Intervention(" +
          [named.kind + "=units", ...cut].join(", ") +
          ")) for each in data)",
        "    for units in sets",
        "]",
      ]
    : [];
  return notebook(
    facts,
    [ARRAYS, TABLES, SCORING, PLOTS,
      "from routescope.routing.caused.distributions import DISTRIBUTIONS, distribution_of",
      "from routescope.routing.caused.effects import drop_effect" + (random ? ", random_control" : "")], // prettier-ignore
    [
      ...scored(facts).slice(0, -1),
      ...control,
      "",
      "shown, away = model.trained_on, model.config.held_out",
      "names = np.concatenate([distribution_of(each, shown, away) for each in data])",
      'groups = {"": np.ones(len(names), dtype=bool)}',
      "if len(set(names)) > 1:",
      '    groups = {", " + DISTRIBUTIONS[name]: names == name for name in DISTRIBUTIONS if (names == name).any()}',
      "rows = []",
      "for where, own in groups.items():",
      "    then, now = before.take(own), after.take(own)",
      "    change = drop_effect(then, now).figure",
      '    rows.append(("as it is" + where, then.figure, *then.interval))',
      '    rows.append(("with the intervention" + where, now.figure, *now.interval))',
      '    rows.append(("change, paired" + where, change.value, change.low, change.high))',
      ...(random
        ? [
            "    drawn = [each.take(own).figure for each in controls]",
            '    rows.append(("random sets: mean, least, most" + where, np.mean(drawn), min(drawn), max(drawn)))',
          ]
        : []),
      'numbers = pd.DataFrame(rows, columns=["what", "value", "low", "high"])',
      "print(numbers)",
      "",
      'shown = numbers[~numbers["what"].str.startswith("change")][::-1]',
      "figure, axes = plt.subplots()",
      'axes.hlines(shown["what"], shown["low"], shown["high"])',
      'axes.plot(shown["value"], shown["what"], "o")',
      "axes.set_xlabel(before.measure.name)",
    ],
  );
}

/** What tells groups of samples apart, as code for the number of each sample's group, and their names. */
const GROUPS = {
  label: [
    "groups = np.concatenate([each.labels.numpy() for each in data])",
    'names = list(model.coordinates()["label"])',
  ],
  domain: [
    "groups = np.repeat(np.arange(len(data)), [len(each) for each in data])",
    "names = [each.name for each in data]",
  ],
  kind: ["groups = np.concatenate([each.kind.numpy() for each in data])", "names = list(data[0].kinds)"],
  task: [
    "task = data[0].task",
    "several = len(task.outputs) > 1",
    "groups = np.concatenate([(each.asked if several else each.subtask).numpy() for each in data])",
    "names = list(task.outputs if several else data[0].subtasks)",
  ],
};

/**
 * The same for every group of samples.
 *
 * @param {Facts} facts
 * @param {keyof typeof GROUPS} by
 */
export const effects = (facts, by) =>
  notebook(
    facts,
    [ARRAYS, SCORING, PLOTS, "from routescope.routing.caused.effects import effects_by"],
    [
      ...scored(facts),
      ...GROUPS[by],
      "numbers = effects_by(groups, before, after, names)",
      'numbers = numbers[numbers["count"] > 0].reset_index(drop=True)',
      "print(numbers)",
      "",
      "figure, axes = plt.subplots()",
      'axes.hlines(numbers["group"], numbers["low"], numbers["high"])',
      'axes.plot(numbers[after.measure.name], numbers["group"], "o")',
      'axes.plot(numbers["baseline"], numbers["group"], "o", fillstyle="none", color="black")',
      "axes.set_xlabel(after.measure.name)",
      "axes.invert_yaxis()",
    ],
  );

/* -- what units cause ------------------------------------------------------------------------------------------- */

/** @type {Record<string, {imports?: string[], lines: string[]}>} */
const IMPORTANCE = {
  effect: {
    imports: ["from routescope.plots.caused import draw_shapley, draw_single"],
    lines: [
      "shapley = len(found.shapley) > 0",
      'numbers = found.shapley.merge(found.single, on="unit", suffixes=("", "_single")) if shapley else found.single',
      "print(numbers)",
      "if shapley:",
      "    draw_shapley(found.shapley, kind=found.kind)",
      "draw_single(found.single, kind=found.kind)",
    ],
  },
  interactions: {
    imports: ["from routescope.plots.caused import draw_interactions"],
    lines: ["numbers = found.interactions.to_dataframe().reset_index()", "print(numbers)", "draw_interactions(found.interactions)"], // prettier-ignore
  },
  retention: {
    imports: ["from routescope.plots.caused import draw_retention"],
    lines: ["numbers = found.retention", "print(numbers)", "draw_retention(numbers)"],
  },
  convergence: {
    imports: ["from routescope.plots.caused import draw_convergence"],
    lines: ["numbers = found.convergence", "print(numbers)", "draw_convergence(numbers)"],
  },
  importance: { lines: ["numbers = found.single", "print(numbers)", "found.plot()"] },
};

/**
 * What every unit causes: `key` is the panel.
 *
 * @param {Facts} facts
 * @param {string} key
 */
export function importance(facts, key) {
  if (key === "use") return usage(facts);
  if (key === "anytime") return anytime(facts);
  const { imports = [], lines } = IMPORTANCE[key];
  const options = [
    "kind=" + literal(facts.left_out_as),
    "iterations=" + literal(facts.iterations),
    "keep_edges=" + literal(facts.keep_edges),
    "seed=" + literal(facts.seed),
    ...["top_k", "layer"]
      .filter((name) => (facts[name] ?? null) !== null)
      .map((name) => name + "=" + literal(facts[name])),
  ];
  return notebook(facts, imports, [
    ...samples(facts),
    "found = rs.importance(model, data, " + options.join(", ") + ")",
    "",
    ...lines,
  ]);
}

/** @param {Facts} facts */
const usage = (facts) =>
  notebook(
    facts,
    [TABLES, "from routescope.routing.observed.usage import WEIGHTS, BlockUsage, Usage"],
    [
      ...samples(facts),
      "observed = (BlockUsage if WEIGHTS in model.fields else Usage)(model, data, " + intervention(facts) + ")",
      "for _ in observed:",
      "    pass",
      "numbers = pd.DataFrame(observed.table())",
      "print(numbers)",
      'numbers.pivot(index="step", columns="unit", values="share").plot()',
    ],
  );

/** @param {Facts} facts */
function anytime(facts) {
  const cut = ["keep_edges", "top_k"]
    .filter((name) => typeof facts[name] === "number")
    .map((name) => ", " + name + "=" + literal(facts[name]))
    .join("");
  const most = "max(model.config.iterations, " + Number(facts.iterations ?? 0) + ")";
  return notebook(
    facts,
    [TABLES, PLOTS, SCORING],
    [
      ...samples(facts),
      "rows = []",
      "for iterations in range(model.bounds.least, " + most + " + 1):",
      "    change = rs.Intervention(iterations=iterations" + cut + ")",
      "    scores = Scores.join(score(model, each, change) for each in data)",
      "    rows.append((iterations, scores.figure, *scores.interval))",
      'numbers = pd.DataFrame(rows, columns=["iterations", scores.measure.name, "low", "high"])',
      "print(numbers)",
      "figure, axes = plt.subplots()",
      'axes.plot(numbers["iterations"], numbers[scores.measure.name], marker=".")',
      'axes.fill_between(numbers["iterations"], numbers["low"], numbers["high"], alpha=0.15)',
      'axes.set(xlabel="iterations", ylabel=scores.measure.name)',
    ],
  );
}

/* -- what is observed ------------------------------------------------------------------------------------------- */

/** @param {Facts} facts */
const observed = (facts) => [
  ...samples(facts),
  "found = rs.observe(model, data, intervention=" + intervention(facts) + ", seed=" + literal(facts.seed) + ")",
  "",
];

/**
 * Variables of an observation, drawn one below the other.
 *
 * @param {Facts} facts
 * @param {string[]} names
 */
export const observation = (facts, names) =>
  notebook(
    facts,
    [],
    [
      ...observed(facts),
      "names = [name for name in " + literal(names) + " if name in found.dataset]",
      "numbers = found.dataset[names].to_dataframe().reset_index()",
      "print(numbers)",
      "for name in names:",
      "    found.plot(name)",
    ],
  );

/** How a row of the exemplars is drawn, by what its sample is shown as. */
const EXEMPLAR = {
  pictures: [
    "    image = data[row.exemplar_set].images[row.exemplar_sample].permute(1, 2, 0)",
    "    panel.imshow(image)",
  ],
  points: [
    "    names, values = zip(*data[row.exemplar_set].inputs([row.exemplar_sample]).table().rows)",
    "    panel.bar(names, values)",
  ],
  names: ["    panel.text(0.5, 0.5, str(row.exemplar_sample))"],
};

/**
 * The samples that go to each unit most.
 *
 * @param {Facts} facts
 * @param {keyof typeof EXEMPLAR} [looks]
 */
export const exemplars = (facts, looks = "pictures") =>
  notebook(
    facts,
    [PLOTS],
    [
      ...observed(facts),
      'names = ["exemplar_set", "exemplar_sample", "exemplar_token", "exemplar_step", "exemplar_weight"]',
      "numbers = found.dataset[names].to_dataframe().reset_index()",
      'numbers = numbers[numbers["exemplar_set"] >= 0].reset_index(drop=True)',
      'for name in ("token", "step"):',
      '    numbers["exemplar_" + name] = found.dataset[name].values[numbers["exemplar_" + name]]',
      "print(numbers)",
      'units, most = [str(unit) for unit in found.dataset["unit"].values], int(numbers["rank"].max())',
      "figure, panels = plt.subplots(len(units), most, figsize=(most, len(units)), squeeze=False)",
      "for each in panels.flat:",
      '    each.axis("off")',
      "for row in numbers.itertuples():",
      "    panel = panels[units.index(row.unit), row.rank - 1]",
      ...EXEMPLAR[looks],
      '    panel.set_title(f"{row.unit} {row.exemplar_weight:.2f}", fontsize="xx-small")',
    ],
  );

/**
 * What is observed of experts: `key` is the panel.
 *
 * @param {Facts} facts
 * @param {string} key
 */
export function experts(facts, key) {
  const options = ["intervention=" + intervention(facts), "shuffles=" + literal(facts.shuffles), "seed=" + literal(facts.seed)]; // prettier-ignore
  const told = [
    'names = [each.name + "." + each.split for each in data]',
    "for row in numbers.itertuples():",
    "    inputs = model.as_inputs(data[row.set].inputs([row.sample]))",
    "    read = model.token_texts(inputs)[0]",
    '    around = "".join(read[max(1, row.token - 28) : row.token + 17])',
    '    print(row.expert, f"{row.weight:.2f}", f"{names[row.set]}.{row.sample}", repr(read[row.token]), "in", repr(around))',
  ];
  const drawn = ["found.plot(" + literal(key) + ", layer=" + literal(facts.layer_shown) + ")"];
  return notebook(
    facts,
    ["from routescope.routing.observed.load_tables import table"],
    [
      ...samples(facts),
      "found = rs.load_of(model, data, " + options.join(", ") + ")",
      "numbers = table(found, " + literal(key) + ")",
      "print(numbers)",
      ...(key === "exemplars" ? told : drawn),
    ],
  );
}
