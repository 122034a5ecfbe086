"""Sets that networks of blocks are scored on: digits with a program of subtasks, or digits in strips."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from jaxtyping import Bool, Int64, UInt8
from torch import Tensor

from routescope.data.blocks import permuted as block_permuted
from routescope.data.blocks.tasks import (
    ADDMUL,
    ALGO,
    BPMNIST,
    DIGIT_TASKS,
    DOUBLE,
    MOST_PROGRAM,
    TASKS,
    BlockTask,
    Draws,
)
from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.pictures.digits import CLASSES
from routescope.nn.shown import short_repr

if TYPE_CHECKING:
    from routescope.nn.inputs.blocks import Blocks

SPLITS = ("train", "validation", "test")

#: Of ALGO, which has too many samples for all of them: sizes of its splits, and seeds that they are drawn with.
DRAWN = {"train": 4000, "validation": 2000, "test": 2000}
SEEDS = {"train": 1601, "validation": 1602, "test": 1603}

#: The order of sets that hold all samples.
ORDER_SEED = 1604


@dataclass(frozen=True, eq=False)
class BlockSet:
    """Samples of one task of blocks, in memory.

    Attributes:
        labels: the digit that the asked output block shows after as many iterations as are trained.
        asked: which output block is asked for.
        program: the subtask of every iteration; further iterations begin again at the first.
        held_out: whether training never shows the sample's combination.
        digits: the values; None of bpmnist.
        images: digits as they were before they were rearranged, of bpmnist; else None.
        hashes: content hash of a sample: values, program and what is asked; or image and permutation.
        groups: samples of the same number show the same image and are no independent samples; None of digits.
        name, title, split, stand_in, stand_in_for, licence, classes, source, left_out: as of ``Dataset``.
    """

    name: str
    title: str
    split: str
    labels: Int64[Tensor, " sample"]
    asked: Int64[Tensor, " sample"]
    program: Int64[Tensor, "sample T"]
    held_out: Bool[Tensor, " sample"]
    digits: Int64[Tensor, "sample K"] | None
    images: UInt8[Tensor, "sample 28 28"] | None
    hashes: tuple[str, ...]
    licence: str
    stand_in: bool = False
    stand_in_for: str | None = None
    classes: tuple[str, ...] = CLASSES
    source: str | None = None
    left_out: int = 0
    groups: Int64[Tensor, " sample"] | None = None

    __repr__ = short_repr

    @property
    def task(self) -> BlockTask:
        """What is known of the task."""
        return TASKS[self.name]

    @property
    def domain(self) -> str:
        """The network's domain that this set belongs to: the name of the task."""
        return self.name

    @property
    def subtasks(self) -> tuple[str, ...]:
        """Names of the subtasks, in the order of their numbers."""
        return self.task.subtasks

    @property
    def subtask(self) -> Int64[Tensor, " sample"]:
        """The number of the subtask of each sample's first iteration."""
        return self.program[:, 0]

    @property
    def permutation(self) -> Int64[Tensor, " sample"] | None:
        """The number of the permutation that each image lies under, of bpmnist; else None."""
        return None if self.images is None else self.program[:, 0]

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, indices: Rows) -> "BlockSet":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = torch.arange(len(self))[positions_of(indices)]
        return replace(
            self,
            labels=self.labels[chosen],
            asked=self.asked[chosen],
            program=self.program[chosen],
            held_out=self.held_out[chosen],
            digits=None if self.digits is None else self.digits[chosen],
            images=None if self.images is None else self.images[chosen],
            hashes=tuple(self.hashes[i] for i in chosen.tolist()),
            groups=None if self.groups is None else self.groups[chosen],
        )

    def inputs(self, rows: Rows) -> "Blocks":
        """What a network takes of the samples at ``rows``, in that order."""
        chosen = torch.arange(len(self))[positions_of(rows)]
        if self.images is not None:
            return block_permuted.encode(self.images[chosen], self.program[chosen, 0])
        assert self.digits is not None
        return DIGIT_TASKS[self.name].encode(self.digits[chosen], self.program[chosen], self.asked[chosen])

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """The digit that the asked block shows after some iterations, of the samples at ``rows``.

        Raises:
            DataError: a number of iterations that the task has not.
        """
        if iterations is None or iterations == self.task.iterations:
            return self.labels[positions_of(rows)]
        return self.take(rows).labels_at(iterations)

    def labels_at(self, iterations: int | None = None) -> Int64[Tensor, " sample"]:
        """The digit that the asked block shows after some iterations; after those that are trained without a number.

        Raises:
            DataError: a number of iterations that the task has not.
        """
        if iterations is None or iterations == self.task.iterations:
            return self.labels
        if self.name != ALGO.name or self.digits is None:
            raise DataError(f"{self.name} has one iteration, not {iterations}")
        if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 0:
            raise DataError(f"iterations are a whole number from 0 on; got {iterations!r}")
        return _asked_digits(self.digits, self.program, self.asked, iterations)


def _asked_digits(
    digits: Int64[Tensor, "n K"], program: Int64[Tensor, "n T"], asked: Int64[Tensor, " n"], iterations: int
) -> Int64[Tensor, " n"]:
    for iteration in range(iterations):
        digits = ALGO.step(digits, program[:, iteration % program.shape[1]])
    return digits.gather(1, asked[:, None])[:, 0]


def load(info: DatasetInfo, split: str, source: str | None = None, limit: int | None = None) -> BlockSet:
    """One split of the set of a task.

    addmul: ``train`` and ``validation`` are both all 150 samples of the interference stage, which training ends with;
    ``test`` is the 50 preparation data. Samples are not weighted as training draws them: there are twice as many
    multiplications. double: ``train`` and ``validation`` are both all 10,000 samples of training; ``test`` is the 5,000
    that are out of distribution. Both are those of the split of low and high digits. algo: 4,000, 2,000 and 2,000
    samples drawn as in training, the programs 16 long, the asked variable uniform; there are 2.5 million samples of two
    iterations, and no training was kept from these. bpmnist: see ``block_permuted``.

    Args:
        source: of bpmnist alone: a folder of MNIST's parquet files, one such file, or a hub name.
        limit: only the first samples.

    Raises:
        NoSplit: no such split. DataError: a source for digits that are generated, or one that cannot be read.
    """
    if split not in SPLITS:
        raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(SPLITS)}")
    if info.name == BPMNIST.name:
        return _strips(info, split, source, limit)
    if source is not None:
        raise DataError(f"samples of {info.name} are generated and read from nowhere; got {info.name}={source}")
    if info.name == ALGO.name:
        generator = torch.Generator().manual_seed(SEEDS[split])
        draws = ALGO.training(generator, DRAWN[split], iterations=MOST_PROGRAM)
        asked = torch.randint(len(ALGO.outputs), (DRAWN[split],), generator=generator)
        labels = _asked_digits(*draws, asked, ALGO.iterations)
    else:
        draws = _complete(info.name, split)
        asked = torch.zeros(len(draws.digits), dtype=torch.int64)
        labels = DIGIT_TASKS[info.name].answer(*draws)[:, 0]
    chosen = slice(limit)
    digits, program, asked, labels = draws.digits[chosen], draws.program[chosen], asked[chosen], labels[chosen]
    return BlockSet(
        name=info.name,
        title=info.title,
        split=split,
        labels=labels,
        asked=asked,
        program=program,
        held_out=torch.full((len(labels),), info.name != ALGO.name and split == "test"),
        digits=digits,
        images=None,
        hashes=_hashes(info.name, digits.tolist(), program.tolist(), asked.tolist()),
        licence=info.licence,
    )


def _complete(name: str, split: str) -> Draws:
    """All samples of a split, in an order of no meaning."""
    if name == ADDMUL.name:
        draws = ADDMUL.left_out() if split == "test" else ADDMUL.seen(stage="interference")
    else:
        draws = DOUBLE.left_out() if split == "test" else DOUBLE.seen()
    order = torch.randperm(len(draws.digits), generator=torch.Generator().manual_seed(ORDER_SEED))
    return Draws(draws.digits[order], draws.program[order])


def _strips(info: DatasetInfo, split: str, source: str | None, limit: int | None) -> BlockSet:
    """A split of block-permuted MNIST."""
    digits, digit_labels, left_out = block_permuted.digits_of(split, source)
    images, labels, permutation = (each[:limit] for each in block_permuted.permuted(digits, digit_labels, split))
    return BlockSet(
        name=info.name,
        title=info.title if source is None else info.real_title,
        split=split,
        labels=labels,
        asked=torch.zeros_like(labels),
        program=permutation[:, None],
        held_out=block_permuted.is_left_out(labels, permutation),
        digits=None,
        images=images,
        hashes=tuple(
            hashlib.sha256(image.tobytes() + bytes([number])).hexdigest()
            for image, number in zip(images.numpy(), permutation.tolist(), strict=True)
        ),
        licence=info.licence if source is None else info.real_licence,
        stand_in=info.stand_in and source is None,
        stand_in_for=info.stand_in_for if source is None else None,
        source=source,
        left_out=left_out,
        groups=torch.arange(len(labels)) % len(digits),
    )


def _hashes(name: str, *columns: Sequence[object]) -> tuple[str, ...]:
    return tuple(hashlib.sha256(repr((name, *row)).encode()).hexdigest() for row in zip(*columns, strict=True))
