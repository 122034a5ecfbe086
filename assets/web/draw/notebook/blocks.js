/* Code for figures of blocks: what they are made of, what the network answers, and what was recorded while it learned. */
import { TABLES, comment, intervention, literal, notebook } from "rs/draw/notebook/code.js";

/** @typedef {import("rs/draw/notebook/code.js").Facts} Facts */

/** @typedef {{digits?: number[], program?: number[], sample?: string | null, permutation?: number}} Given as the API takes it */

const DIGIT = /^mnist\.(train|validation)\.(\d{1,9})$/;

/**
 * The blocks that go in: digits with a program, or a picture of a digit in strips.
 *
 * @param {Facts} facts
 * @param {Given} given
 */
function read({ task }, { digits, program, sample, permutation = 0 }) {
  const named = ["task = TASKS[" + literal(task) + "]"];
  const imports = ["import torch", "from routescope.data.blocks.tasks import TASKS"]; // prettier-ignore
  if (digits)
    return {
      imports,
      lines: [
        ...named,
        "inputs = task.encode(torch.tensor([" +
          literal(digits) +
          "]), torch.tensor([" +
          literal(program ?? [0]) +
          "]))",
      ],
    };
  const found = DIGIT.exec(String(sample));
  const digit = found
    ? ["digit = shown_digits()[0][split_indices(" + literal(found[1]) + ")[" + Number(found[2]) + "]]"]
    : [
        comment("The sample " + sample + ": name your copy of it here, a light digit on black."),
        'digit = mnist_digit(Image.open("your-digit.png"))',
      ];
  const further = found
    ? ["from routescope.data.pictures.digits import shown_digits, split_indices"]
    : ["from PIL import Image", "from routescope.data.pictures.sizing import mnist_digit"];
  return {
    imports: [...imports, ...further, "from routescope.data.blocks.permuted import encode"],
    lines: [
      ...named,
      ...digit,
      "inputs = encode(torch.from_numpy(digit.copy())[None], torch.tensor([" + literal(permutation) + "]))",
    ],
  };
}

/**
 * What each block is made of.
 *
 * @param {Facts} facts
 * @param {Given} given
 */
export function making(facts, given) {
  const { imports, lines } = read(facts, given);
  return notebook(
    facts,
    [...imports, "from routescope.routing.blocks.making import making"],
    [
      ...lines,
      "trace = rs.record(model, inputs, intervention=" + intervention(facts) + ")",
      "",
      'numbers = making(trace).drop(columns="sample")',
      "print(numbers.to_string())",
      'first = numbers[numbers["step"] == numbers["step"].iloc[0]]',
      'first.pivot(index="block", columns="source", values="weight").plot.barh(stacked=True)',
    ],
  );
}

/**
 * What the network says after every iteration.
 *
 * @param {Facts} facts
 * @param {Given} given
 */
export function answers(facts, given) {
  const { imports, lines } = read(facts, given);
  return notebook(
    facts,
    [...imports, TABLES],
    [
      ...lines,
      'trace = rs.record(model, inputs, fields=["blocks"], intervention=' + intervention(facts) + ")",
      'made = trace["blocks"].isel(sample=0).values  # (step, block, feature); a step makes a level',
      "levels = len(made) // " + literal(facts.iterations),
      "rows = []",
      "for iteration, outputs in enumerate(made[levels - 1 :: levels], start=1):",
      "    for output, scores in zip(task.outputs, outputs):",
      "        rows.append((iteration, output, int(scores[: task.classes].argmax())))",
      'numbers = pd.DataFrame(rows, columns=["iteration", "output", "digit"])',
      "print(numbers)",
      'numbers.pivot(index="iteration", columns="output", values="digit").plot(marker="o", ylim=(-0.5, 9.5))',
    ],
  );
}

/**
 * What was measured over training.
 *
 * @param {Facts} facts
 */
export const indicators = (facts) =>
  notebook(
    facts,
    [TABLES, "from routescope import zoo"],
    [
      'history = [entry for entry in zoo.info(model.id).card["history"] if "step" in entry]',
      'numbers = pd.json_normalize(history).set_index("step")',
      "print(numbers)",
      'numbers.filter(regex="^(accuracy|sharpness|fairness)").plot()',
    ],
  );
