"""One sample for a network: a sample of a data set, or what a person writes, draws or keeps in files."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from routescope.api import names
from routescope.api.data import dataset
from routescope.data import known_datasets, load
from routescope.data.blocks.rules import MOST_PROGRAM
from routescope.data.blocks.sets import BlockSet
from routescope.data.blocks.tasks import DIGIT_TASKS, TASKS, BlockTask
from routescope.data.files import picture, read_picture
from routescope.data.kinds.kind import kind_of
from routescope.data.pictures.sizing import fitted
from routescope.data.samples import DataError
from routescope.data.statements.scenes import BACKGROUND
from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.inputs.statements import Statements
from routescope.nn.inputs.text import Text
from routescope.nn.network import NUMBER_AXES, Network


@dataclass(frozen=True)
class OneSample:
    """A sample as a network reads it.

    Attributes:
        name: of the sample, or of its file.
        inputs: a batch of one sample.
        label: None: unknown.
        sentence: of a statement about pictures.
        blocks: the sample as a set of one, if it is of a task of blocks.
        right: right number by domain, for heads that answer with numbers.
    """

    name: str
    inputs: Any
    label: int | None = None
    sentence: str | None = None
    blocks: BlockSet | None = None
    right: dict[str, float] = field(default_factory=dict)


def sample_of(
    network: Network, data: str | None = None, split: str = "validation", index: int = 0, sentence: str | None = None
) -> OneSample:
    """Return a sample of a data set; raises DataError if it does not exist, or the network does not read it.

    Args:
        data: name of the data set; None: the network's first domain.
        index: number of the sample, from 0.
        sentence: replaces the sentence of a statement.
    """
    config, reads = network.config, network.inputs.kind
    samples = dataset(data or config.domains[0], split, model=network)
    other = reads != known_datasets()[samples.name].inputs or reads == "blocks"
    if samples.domain not in config.domains and other:
        raise DataError(f"{network.id} does not read {samples.name}; it reads {', '.join(config.domains)}")
    if index >= len(samples):
        raise DataError(f"{samples.name} {split} has no sample {index}; it has 0 to {len(samples) - 1}")
    inputs = samples.inputs([index])
    # The labels of texts are bytes, not classes.
    name, label = f"{samples.name}.{split}.{index}", None if isinstance(inputs, Text) else int(samples.labels[index])
    if isinstance(samples, BlockSet):
        return OneSample(name, inputs, label, blocks=samples.take([index]))
    if not isinstance(inputs, Statements):
        return OneSample(name, inputs, label, right=_right(network, inputs))
    if sentence is None:
        return OneSample(name, inputs, label, inputs.sentences[0])
    return OneSample(name, Statements(inputs.images, (sentence,)), None, sentence)


def written_sample(network: Network, content: str, name: str, data: str | None = None) -> OneSample:
    """Return the sample that a person writes: a text, an expression, or a point of numbers.

    Args:
        name: of the sample.
        data: the data set whose right number is given alone; None: every domain has its own.

    Raises:
        DataError: another form than the network reads.
    """
    if data is not None and data not in network.config.domains:
        raise DataError(f"{network.id} does not read {data}; it reads {', '.join(network.config.domains)}")
    try:
        inputs = kind_of(network.inputs).from_text(content)
        right = _right(network, inputs)
    except ValueError as error:
        raise DataError(str(error)) from error
    return OneSample(name, inputs, right={data: right[data]} if data in right else right)


def picture_sample(path: Path) -> OneSample:
    """Read a picture as networks of digits take it; raises DataError as ``rs.record``."""
    return OneSample(path.name, picture(path))


def statement_sample(network: Network, paths: Sequence[Path], sentence: str) -> OneSample:
    """Return a sentence about pictures in files, each of which is fitted whole into a square.

    Raises:
        DataError: files that are no pictures, or another number of pictures than the network reads.
    """
    config = network.config
    if not isinstance(config, ConditionalCircuitConfig) or config.pictures != len(paths):
        count = getattr(config, "pictures", 0)
        raise DataError(f"{network.id} reads {count} pictures a sentence; give a sample of its data: --index")
    levels = np.stack([fitted(read_picture(path), config.image_size, BACKGROUND) for path in paths])
    inputs = Statements(torch.from_numpy(levels)[None].float() / 255, (sentence,))
    return OneSample(", ".join(path.name for path in paths), inputs, sentence=sentence)


def _right(network: Network, inputs: Any) -> dict[str, float]:
    """Return the right numbers of a sample by domain; empty if heads do not answer with numbers."""
    if network.answer_axes != NUMBER_AXES:
        return {}
    samples = {domain: load(domain, limit=1).user_sample(inputs, "") for domain in network.config.domains}
    return {domain: float(sample.targets([0])[0]) for domain, sample in samples.items() if sample is not None}


# -- blocks --------------------------------------------------------------------------------------------------


def digits_sample(task: str, digits: str, program: str | None = None) -> OneSample:
    """Return the digits that a person gives to a task of blocks.

    Args:
        digits: ``"3,1,4"`` or ``"314"``, one for each value of the task.
        program: subtasks by number from 1 or by name, ``"1,4"``; None: the first subtask.

    Raises:
        DataError: a task without digits, or digits or subtasks that the task does not have.
    """
    if task not in DIGIT_TASKS:
        raise DataError(f"{task} shows digits in strips: give --index, and --program for their permutation")
    values = torch.tensor([_digits(TASKS[task], digits)])
    subtasks = torch.tensor([_program(TASKS[task], program) or (0,)])
    any_sample = load(task, limit=1)
    assert isinstance(any_sample, BlockSet)
    return _of_blocks(_changed(any_sample, values, subtasks), "digits given")


def with_program(sample: OneSample, program: str) -> OneSample:
    """Return a sample of blocks with another program; raises DataError for subtasks that its task does not have."""
    assert sample.blocks is not None
    subtasks = _program(sample.blocks.task, program)
    if not subtasks:
        return sample
    return _of_blocks(_changed(sample.blocks, sample.blocks.digits, torch.tensor([subtasks])), sample.name)


def right_digits(sample: BlockSet, iterations: Sequence[int]) -> list[tuple[int, ...]] | None:
    """Return the right digit of every output after each number of iterations, by the task's rule; None of pictures."""
    if sample.digits is None or sample.name not in DIGIT_TASKS:
        return None
    task, answers = DIGIT_TASKS[sample.name], []
    for count in iterations:
        repeated = sample.program[:, torch.arange(count) % sample.program.shape[1]]
        digits = task.answer(sample.digits, repeated) if count else sample.digits
        answers.append(tuple(digits[0].tolist()))
    return answers


def _of_blocks(sample: BlockSet, name: str) -> OneSample:
    return OneSample(name, sample.inputs([0]), int(sample.labels[0]), blocks=sample)


def _changed(sample: BlockSet, digits: Any, program: Any) -> BlockSet:
    changed = replace(sample, digits=digits, program=program)
    right = right_digits(changed, (sample.task.iterations,))
    asked = sample.asked if digits is None else sample.asked * 0
    labels = sample.labels if right is None else sample.labels.new_tensor([right[0][int(asked[0])]])
    return replace(changed, asked=asked, labels=labels)


def _digits(task: BlockTask, text: str) -> tuple[int, ...]:
    parts = names(text) if "," in text else tuple(text.strip())
    if len(parts) != len(task.values) or not all(part in "0123456789" and len(part) == 1 for part in parts):
        raise DataError(
            f"{task.name} takes {len(task.values)} digits from 0 to 9, for {', '.join(task.values)}: --digits 1,2,..."
        )
    return tuple(int(part) for part in parts)


def _program(task: BlockTask, text: str | None) -> tuple[int, ...]:
    numbers = []
    for part in names(text):
        if part in task.subtasks:
            numbers.append(task.subtasks.index(part))
        elif part.isdecimal() and 1 <= int(part) <= len(task.subtasks):
            numbers.append(int(part) - 1)
        else:
            subtasks = ", ".join(f"{number} ({name})" for number, name in enumerate(task.subtasks, start=1))
            raise DataError(f"{task.name} has no subtask {part!r}; it has {subtasks}")
    if len(numbers) > MOST_PROGRAM:
        raise DataError(f"a program has up to {MOST_PROGRAM} subtasks, not {len(numbers)}")
    if task.iterations == 1 and len(numbers) > 1:
        raise DataError(f"{task.name} has one subtask, not {len(numbers)}")
    return tuple(numbers)
