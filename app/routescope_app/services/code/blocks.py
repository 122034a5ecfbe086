"""Code for figures of blocks: their sources, the network's answers, and indicators over training."""

import re

from routescope_app.api.schemas.blocks import DigitInput
from routescope_app.api.schemas.code import BlockFacts, IndicatorFacts
from routescope_app.services.code.writing import comment, filled, intervention, literal, notebook

_SHOWN = re.compile(r"mnist\.(train|validation)\.(\d{1,9})")

DIGITS = """
import torch
from routescope.data.blocks.tasks import TASKS
task = TASKS[$task]
inputs = task.encode(torch.tensor([$digits]), torch.tensor([$program]))
"""

PICTURE = """
import torch
from routescope.data.blocks.permuted import encode
from routescope.data.blocks.tasks import TASKS
task = TASKS[$task]
$digit
inputs = encode(torch.from_numpy(digit.copy())[None], torch.tensor([$permutation]))
"""

SHOWN = """
from routescope.data.pictures.digits import shown_digits, split_indices
digit = shown_digits()[0][split_indices($split)[$row]]
"""

UPLOADED = """
from PIL import Image
from routescope.data.pictures.sizing import mnist_digit
$comment
digit = mnist_digit(Image.open("your-digit.png"))
"""

MAKING = """
from routescope.routing.blocks.making import making
$inputs
trace = rs.record(model, inputs, intervention=$intervention)

numbers = making(trace).drop(columns="sample")
print(numbers.to_string())
first = numbers[numbers["step"] == numbers["step"].iloc[0]]
first.pivot(index="block", columns="source", values="weight").plot.barh(stacked=True)
"""

ANSWERS = """
import pandas as pd
$inputs
trace = rs.record(model, inputs, fields=["blocks"], intervention=$intervention)
blocks = trace["blocks"].isel(sample=0).values  # (step, block, feature); a step makes a level
levels = len(blocks) // $iterations
rows = []
for iteration, outputs in enumerate(blocks[levels - 1 :: levels], start=1):
    for output, scores in zip(task.outputs, outputs):
        rows.append((iteration, output, int(scores[: task.classes].argmax())))
numbers = pd.DataFrame(rows, columns=["iteration", "output", "digit"])
print(numbers)
numbers.pivot(index="iteration", columns="output", values="digit").plot(marker="o", ylim=(-0.5, 9.5))
"""

INDICATORS = """
import pandas as pd
from routescope import zoo
history = [entry for entry in zoo.info(model.id).card["history"] if "step" in entry]
numbers = pd.json_normalize(history).set_index("step")
print(numbers)
numbers.filter(regex="^(accuracy|sharpness|fairness)").plot()
"""


def _inputs(asked: BlockFacts) -> str:
    task, given = literal(asked.task), asked.input
    if isinstance(given, DigitInput):
        return filled(DIGITS, task=task, digits=literal(given.digits), program=literal(given.program))
    if place := _SHOWN.fullmatch(given.sample):
        digit = filled(SHOWN, split=literal(place[1]), row=str(int(place[2])))
    else:
        words = f"The sample {given.sample}: name your copy of it here, a light digit on black."
        digit = filled(UPLOADED, comment=comment(words))
    return filled(PICTURE, task=task, digit=digit, permutation=literal(given.permutation))


def making(asked: BlockFacts) -> str:
    """Return code for the sources of each block."""
    return notebook(asked, MAKING, inputs=_inputs(asked), intervention=intervention(asked))


def answers(asked: BlockFacts) -> str:
    """Return code for the network's answer after every iteration."""
    iterations = literal(asked.iterations)
    return notebook(asked, ANSWERS, inputs=_inputs(asked), intervention=intervention(asked), iterations=iterations)


def indicators(asked: IndicatorFacts) -> str:
    """Return code for measures over training."""
    return notebook(asked, INDICATORS)
