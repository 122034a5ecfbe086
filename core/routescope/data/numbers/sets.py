"""Sets of points under a fuzzy Boolean function, each function a domain that networks are scored on by R2."""

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Float32, Int64
from torch import Tensor

from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.numbers import boolean
from routescope.nn.inputs.numbers import Numbers
from routescope.nn.shown import short_repr

#: The paper samples 163,840 points of a function, 80 % of them for training: the rest is ``test``; what pages show
#: and settings are chosen by is drawn beside them.
SIZES = {"train": 131_072, "validation": 1_000, "test": 32_768}
#: Points of a split are the same for every function that a network is trained on at once.
_SPLITS = {name: place for place, name in enumerate(SIZES)}


@dataclass(frozen=True, eq=False)
class NumberSet:
    """Points with the value of one function each, in memory.

    Attributes:
        values: of the variables.
        truth: the function's value.
        table: truth table of the function.
        labels: 1 where the function is at least a half, else 0; points have no classes.
        hashes: SHA-256 of the values: a point has the same under every function.
        name, title, split, stand_in, stand_in_for, licence, classes, source, left_out: as of ``Dataset``.
    """

    name: str
    title: str
    split: str
    values: Float32[Tensor, "sample N"]
    truth: Float32[Tensor, " sample"]
    table: Bool[Tensor, " corner"]
    hashes: tuple[str, ...]
    licence: str
    stand_in: bool = False
    stand_in_for: str | None = None
    classes: tuple[str, ...] = ()
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The head and CLS token of a network that this set belongs to."""
        return self.name

    @property
    def expression(self) -> str:
        """The function's sum of products, in words."""
        return boolean.expression(self.table)

    @property
    def labels(self) -> Int64[Tensor, " sample"]:
        """Whether the function is at least a half."""
        return (self.truth >= 0.5).long()

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, indices: Rows) -> "NumberSet":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = torch.arange(len(self))[positions_of(indices)]
        hashes = tuple(self.hashes[i] for i in chosen.tolist())
        return replace(self, values=self.values[chosen], truth=self.truth[chosen], hashes=hashes)

    def inputs(self, rows: Rows) -> Numbers:
        """What a network takes of the samples at ``rows``, in that order: their points."""
        return Numbers(self.values[positions_of(rows)])

    def own(self, inputs: Numbers, digest: str) -> "NumberSet":
        """A point that somebody brings, with the function's value there.

        Raises:
            DataError: another number of variables than the function has.
        """
        given, wanted = inputs.values.shape[1], self.values.shape[1]
        if given != wanted:
            raise DataError(f"a point of {self.title} is {wanted} numbers from 0 to 1; {given} were given")
        values = inputs.values.float().cpu()
        truth = boolean.fuzzy(values.double(), self.table).float()
        return replace(self, split="own", values=values, truth=truth, hashes=(digest,))

    def targets(self, rows: Rows, iterations: int | None = None) -> Float32[Tensor, " row"]:
        """The function's value at the points at ``rows``, after however many iterations."""
        return self.truth[positions_of(rows)]


def name_of(function: int) -> str:
    """The data set of a function counted from 1."""
    return f"boolean-{function:02d}"


def function_of(name: str) -> int:
    """The number of the function that a data set's name is of."""
    return int(name.removeprefix("boolean-"))


def points(split: str, adapting: bool, count: int) -> Float32[Tensor, "count N"]:
    """The first points of a split, uniform over [0, 1]^5; those of adaptation are others than those of pre-training."""
    random = np.random.default_rng((boolean.SEED, _SPLITS[split], int(adapting)))
    return torch.from_numpy(random.random((count, boolean.VARIABLES), dtype=np.float32))


def load(info: DatasetInfo, split: str, limit: int | None = None) -> NumberSet:
    """One split of the points of a function.

    Args:
        limit: only the first samples.

    Raises:
        NoSplit: no such split.
    """
    if split not in info.splits:
        raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(info.splits)}")
    function = function_of(info.name)
    table = boolean.truth_table(function)
    values = points(split, function > boolean.PRETRAINED, min(info.splits[split], limit or info.splits[split]))
    return NumberSet(
        name=info.name,
        title=info.title,
        split=split,
        values=values,
        truth=boolean.fuzzy(values.double(), table).float(),
        table=table,
        hashes=tuple(hashlib.sha256(row.tobytes()).hexdigest() for row in values.numpy()),
        licence=info.licence,
    )
