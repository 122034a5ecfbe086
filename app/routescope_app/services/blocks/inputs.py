"""Samples of block tasks from requests: digits with a program, or a stored picture with a permutation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from routescope.data.blocks.permuted import PERMUTATIONS, encode
from routescope.data.blocks.rules import BlockTask, DigitTask
from routescope.data.blocks.tasks import TASKS
from routescope.data.dataset import DataError
from routescope.nn.inputs.blocks import Blocks
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.errors import NotAccepted
from routescope_app.services.samples.grey_digits import digit_of
from routescope_app.services.samples.samples import Samples


@dataclass(frozen=True, eq=False)
class BlockSample:
    """One sample of a block task.

    Attributes:
        key: identifies the sample by content.
        blocks: input of networks, a batch of one.
        program: subtask of each iteration; repeated for further iterations.
        digits: the values, if they are digits.
        picture: permuted picture (row, column) from 0 to 1, if the sample is one.
        label: label of the picture, if known.
    """

    task: BlockTask
    key: str
    blocks: Blocks
    program: tuple[int, ...]
    digits: tuple[int, ...] | None = None
    picture: np.ndarray | None = None
    label: int | None = None

    def subtask(self, iteration: int) -> int:
        """Return the number of the subtask of an iteration, from 0."""
        return self.program[iteration % len(self.program)]


def task_of(info: ModelInfo) -> BlockTask:
    """Return the task of a block network; raises NotAccepted for an unknown task."""
    config = info.config
    task = TASKS.get(str(config.get("task")))
    sizes = (tuple(config["values"]), tuple(config["outputs"]), config["block_size"], config["classes"])
    if task is None or sizes != (task.values, task.outputs, task.block_size, task.classes):
        raise NotAccepted(f"This model is about blocks of its own; runs are of the tasks {', '.join(TASKS)}.")
    return task


def block_sample(samples: Samples, task: BlockTask, request: Mapping[str, Any], most_program: int) -> BlockSample:
    """Return the sample of a request; blocking.

    Args:
        request: fields of ``DigitInput`` or ``PictureInput``.
        most_program: largest number of subtasks of a program.

    Raises:
        NotFound: no such sample.
        NotAccepted: input that the task does not take.
    """
    if isinstance(task, DigitTask):
        return _digit_sample(task, request, most_program)
    return _picture_sample(samples, task, request)


def _digit_sample(task: DigitTask, request: Mapping[str, Any], most_program: int) -> BlockSample:
    if "digits" not in request:
        raise NotAccepted(
            f"{task.title} is about {len(task.values)} digits ({', '.join(task.values)}): give `digits` and `program`."
        )
    most = most_program if task.iterations > 1 else 1
    digits, program = tuple(request["digits"]), tuple(request["program"])
    if len(program) > most:
        raise NotAccepted(f"A program of {task.title} has up to {most} subtask{'s' if most > 1 else ''}.")
    try:
        blocks = task.encode(torch.tensor([digits]), torch.tensor([program]))
    except DataError as error:
        raise NotAccepted(f"This is no sample of the task: {error}.") from error
    return BlockSample(task, f"{task.name} {digits} {program}", blocks, program, digits=digits)


def _picture_sample(samples: Samples, task: BlockTask, request: Mapping[str, Any]) -> BlockSample:
    if "sample" not in request:
        raise NotAccepted(f"{task.title} is about pictures: give `sample`, the id of a stored one, and `permutation`.")
    number, sample_id = request["permutation"], request["sample"]
    if number >= len(PERMUTATIONS):
        raise NotAccepted(f"There are {len(PERMUTATIONS)} permutations, numbered from 0 to {len(PERMUTATIONS) - 1}.")
    sample = samples.get(sample_id)
    label = sample.label if sample.label is not None and sample.label < task.classes else None
    key = f"{task.name} {samples.picture_key(sample_id)} {sample.origin} {label} {number}"
    digit = torch.from_numpy(np.ascontiguousarray(digit_of(samples, sample_id)))
    blocks = encode(digit[None], torch.tensor([number]))
    return BlockSample(task, key, blocks, (number,), picture=blocks.values[0].reshape(digit.shape).numpy(), label=label)
