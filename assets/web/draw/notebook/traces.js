/* Code for figures of one sample: its path, its patches, what is predicted. */
import {
  PLOTS,
  ROUTESCOPE,
  TABLES,
  comment,
  intervention,
  literal,
  loaded,
  notebook,
  written,
} from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

const BUNDLED = /^([a-z0-9-]{1,40})\.([a-z]{1,20})\.(\d{1,9})$/;

/**
 * The sample: by its place in a data set, or a picture that somebody brought.
 *
 * @param {Facts} facts
 */
function taken({ sample }) {
  const id = String(sample);
  const found = BUNDLED.exec(id);
  if (found) {
    const samples = "rs.dataset(" + literal(found[1]) + ", " + literal(found[2]) + ")";
    return ["inputs = " + samples + ".inputs([" + Number(found[3]) + "])"];
  }
  return [
    comment("The sample " + id + " was brought by somebody: name your copy of the picture here"),
    comment("(of a drawing, routescope.data.pictures.sizing.from_drawing makes what networks see)."),
    'inputs = "your-picture.png"',
  ];
}

/**
 * @param {Facts} facts
 * @param {string[]} imports
 * @param {string[]} body
 */
function ofTrace(facts, imports, body) {
  const recorded =
    "trace = rs.record(model, inputs, intervention=" +
    intervention(facts) +
    ", sample_ids=[" +
    literal(facts.sample) +
    "])";
  return notebook(facts, imports, [...taken(facts), recorded, "", ...body]);
}

/**
 * The path of a sample: compatibilities with functions, or messages of modules.
 *
 * @param {Facts} facts
 */
export const path = (facts) =>
  ofTrace(
    facts,
    [],
    [
      'if "compatibility" in trace.dataset:',
      '    numbers = trace["compatibility"].isel(sample=0, drop=True).to_dataframe("compatibility").reset_index()',
      "else:",
      '    numbers = trace.paths().segments.drop(columns="sample")',
      "print(numbers)",
      "trace.paths().plot()",
    ],
  );

/**
 * Which unit each patch goes to most at a step.
 *
 * @param {Facts} facts
 */
export const patches = (facts) =>
  ofTrace(
    facts,
    [PLOTS],
    [
      "numbers = trace.paths().dominant",
      ...(typeof facts.step === "string" && facts.step !== "read-in"
        ? ['numbers = numbers[numbers["step"] == ' + literal(facts.step) + "]"]
        : []),
      'numbers = numbers[numbers["token"].str.startswith("patch:")].reset_index(drop=True)',
      "print(numbers)",
      "",
      "rows, columns = model.config.grid",
      'units = numbers["unit"].to_numpy().reshape(rows, columns)',
      "figure, axes = plt.subplots()",
      'axes.imshow([[model.units.index(unit) if unit else -1 for unit in row] for row in units], cmap="tab20")',
      "for row in range(rows):",
      "    for column in range(columns):",
      '        axes.text(column, row, units[row, column], ha="center", va="center")',
      'axes.set_title("dominant unit of each patch")',
    ],
  );

/**
 * The trace of A or of B, in lines: its model, its sample, what is recorded.
 *
 * @param {Facts} facts
 * @param {"a" | "b"} name
 */
function side(facts, name) {
  const recorded = `rs.record(model, inputs, intervention=${intervention(facts)}, sample_ids=[${literal(facts.sample)}])`;
  return [...loaded(facts, "model"), ...taken(facts), name + " = " + recorded];
}

/** Of the larger changes, how many a picture of messages names. */
const MOST_BARS = 12;

/**
 * What differs between the paths of A and B, number by number: compatibilities with functions, or messages of modules.
 *
 * @param {Facts} facts
 */
export function difference(facts) {
  const [a, b] = [side(/** @type {Facts} */ (facts.a), "a"), side(/** @type {Facts} */ (facts.b), "b")];
  return written(
    facts,
    [ROUTESCOPE, PLOTS, TABLES],
    [
      ...a,
      "",
      ...b,
      "",
      'if "compatibility" in b.dataset:',
      '    both = [each["compatibility"].isel(sample=0, drop=True).to_series() for each in (a, b)]',
      "else:",
      '    both = [each.paths().segments.drop(columns="sample") for each in (a, b)]',
      '    both = [each.set_index(list(each.columns.drop("weight")))["weight"] for each in both]',
      'names = ["step", "unit", "token"] if "compatibility" in b.dataset else list(both[1].index.names)',
      'steps = [step for step in b.dataset["step"].values if step in set(a.dataset["step"].values)]  # that both have',
      'numbers = pd.concat(both, axis=1, keys=["a", "b"]).fillna(0).reset_index()',
      'numbers = numbers[numbers["step"].isin(["", *steps])].reset_index(drop=True)',
      'numbers["change"] = numbers["b"] - numbers["a"]',
      "print(numbers)",
      "",
      'if names == ["step", "unit", "token"]:',
      "    figure, axes = plt.subplots(1, len(steps), sharey=True, squeeze=False)",
      '    most = numbers["change"].abs().max()',
      "    for axis, step in zip(axes[0], steps):",
      '        change = numbers[numbers["step"] == step].pivot(index="unit", columns="token", values="change")',
      '        axis.imshow(change, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto", interpolation="none")',
      "        axis.set_title(step)",
      "    axes[0][0].set_yticks(range(len(change.index)), change.index)",
      "else:",
      '    largest = numbers.loc[numbers["change"].abs().sort_values(ascending=False).index[:' + MOST_BARS + "]]",
      '    words = largest[names].astype(str).agg(" ".join, axis=1)',
      '    plt.barh(words, largest["change"])',
    ],
  );
}

/**
 * What each head predicts, with and without the intervention.
 *
 * @param {Facts} facts
 */
export const predictions = (facts) =>
  ofTrace(
    facts,
    [TABLES],
    [
      'labels = model.coordinates()["label"]',
      "numbers = pd.DataFrame(trace.predictions()[0], index=labels)",
      "before = pd.DataFrame(rs.record(model, inputs).predictions()[0], index=labels)",
      "print(numbers)",
      "axes = numbers.plot.bar(subplots=True, sharey=True, legend=False, ylim=(0, 1), title=list(numbers.columns))",
      "for axis, head in zip(axes, before.columns):",
      '    axis.step(range(len(labels)), before[head], where="mid", linestyle="--", color="grey")',
    ],
  );
