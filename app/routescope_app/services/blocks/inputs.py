"""Samples of block tasks as requests describe them: digits with a program, or a stored picture with a permutation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from routescope.data.blocks.permuted import PERMUTATIONS, encode
from routescope.data.blocks.rules import BlockTask, DigitTask
from routescope.data.blocks.tasks import TASKS
from routescope.data.samples import DataError
from routescope.nn.inputs.blocks import Blocks
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted
from routescope_app.services.samples.grey_digits import digit_of
from routescope_app.services.samples.samples import SampleStore


@dataclass(frozen=True, eq=False)
class Given:
    """One sample.

    Attributes:
        key: tells it from every other sample, by content.
        blocks: what networks get, a batch of one.
        program: number of the subtask of each iteration; further iterations begin again at the first.
        digits: the values, where they are digits.
        picture: (row, column) from 0 to 1 as its strips are permuted, where the sample is one.
        label: what it shows, as far as that is known.
    """

    task: BlockTask
    key: str
    blocks: Blocks
    program: tuple[int, ...]
    digits: tuple[int, ...] | None = None
    picture: np.ndarray | None = None
    label: int | None = None

    def subtask(self, iteration: int) -> int:
        """Number of the subtask of an iteration, counted from 0."""
        return self.program[iteration % len(self.program)]


def task_of(info: ModelInfo) -> BlockTask:
    """What a model of blocks is about; raises NotAccepted for blocks that no task here is about."""
    config = info.config
    task = TASKS.get(str(config.get("task")))
    own = (tuple(config["values"]), tuple(config["outputs"]), config["block_size"], config["classes"])
    if task is None or own != (task.values, task.outputs, task.block_size, task.classes):
        raise NotAccepted(f"This model is about blocks of its own; runs are of the tasks {', '.join(TASKS)}.")
    return task


def given(samples: SampleStore, task: BlockTask, asked: Mapping[str, Any], most_program: int) -> Given:
    """The sample that a request describes; blocking.

    Args:
        asked: ``digits`` and ``program``, or ``sample`` and ``permutation``, as the API takes them.
        most_program: subtasks that a program may have.

    Raises:
        NotFound: no such sample.
        NotAccepted: what the task does not take.
    """
    if isinstance(task, DigitTask):
        return _of_digits(task, asked, most_program)
    return _of_picture(samples, task, asked)


def _of_digits(task: DigitTask, asked: Mapping[str, Any], most_program: int) -> Given:
    if "digits" not in asked:
        raise NotAccepted(
            f"{task.title} is about {len(task.values)} digits ({', '.join(task.values)}): give `digits` and `program`."
        )
    most = most_program if task.iterations > 1 else 1
    digits, program = tuple(asked["digits"]), tuple(asked["program"])
    if len(program) > most:
        raise NotAccepted(f"A program of {task.title} has up to {most} subtask{'s' if most > 1 else ''}.")
    try:
        blocks = task.encode(torch.tensor([digits]), torch.tensor([program]))
    except DataError as error:
        raise NotAccepted(f"This is no sample of the task: {error}.") from error
    return Given(task, f"{task.name} {digits} {program}", blocks, program, digits=digits)


def _of_picture(samples: SampleStore, task: BlockTask, asked: Mapping[str, Any]) -> Given:
    if "sample" not in asked:
        raise NotAccepted(f"{task.title} is about pictures: give `sample`, the id of a stored one, and `permutation`.")
    number, sample_id = asked["permutation"], asked["sample"]
    if number >= len(PERMUTATIONS):
        raise NotAccepted(f"There are {len(PERMUTATIONS)} permutations, numbered from 0 to {len(PERMUTATIONS) - 1}.")
    sample = samples.get(sample_id)
    label = sample.label if sample.label is not None and sample.label < task.classes else None
    key = f"{task.name} {samples.picture_key(sample_id)} {sample.origin} {label} {number}"
    digit = torch.from_numpy(np.ascontiguousarray(digit_of(samples, sample_id)))
    blocks = encode(digit[None], torch.tensor([number]))
    return Given(task, key, blocks, (number,), picture=blocks.values[0].reshape(digit.shape).numpy(), label=label)
