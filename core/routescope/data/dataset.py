"""What every data set is once it is loaded, and what is known of it before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, runtime_checkable

import torch
from jaxtyping import Bool, Float32, Int64, UInt8
from torch import Tensor

from routescope.files import DataError as DataError
from routescope.nn.shown import short_repr

#: Which samples of a data set: a slice, or positions.
Rows = slice | Sequence[int] | Tensor

#: Side of every image that the product shows, in pixels (paper: all digits are 32 x 32).
SIDE = 32


class NoSplit(DataError):
    """A source, or a generator, that is there and has nothing for the split that is asked for."""


@dataclass(frozen=True)
class DatasetInfo:
    """What is known of a data set before it is loaded.

    Attributes:
        name: the word for it on the command line, and the name of its domain in a network.
        title: what people read; a stand-in is named as one.
        real_title: what people read when the rows come from a ``source``.
        stand_in: whether the default, which needs no internet, stands in for another set.
        stand_in_for: the set it stands in for.
        licence: of the default.
        real_licence: of the set it stands in for.
        splits: of the default, with their sizes.
        classes: names of the labels, in the order of their numbers.
        inputs: what a sample is: ``images``, ``statements`` about pictures, ``blocks``, ``text``, ``numbers``,
            ``matrices``, ``points``, ``listops`` or ``bytes``.
        needs_source: whether there is no default, so that a ``source`` must be given.
        held: rows that are kept for scoring of a source that does not tell its splits apart and has twice as many at
            least; None: a fifth.
        inputs_of: the set whose samples have the same inputs, in the same order, and others of what is right; None: no
            earlier one has.
    """

    name: str
    title: str
    real_title: str
    stand_in: bool
    stand_in_for: str | None
    licence: str
    real_licence: str
    splits: dict[str, int]
    classes: tuple[str, ...]
    inputs: str = "images"
    needs_source: bool = False
    held: int | None = None
    inputs_of: str | None = None


@runtime_checkable
class LabelledSamples(Protocol):
    """What networks are run on and scored on: samples with a label each, whatever a sample is made of.

    See :class:`Dataset` for what the attributes hold: name, title, split, labels, hashes, stand_in, stand_in_for,
    licence, classes, source, left_out and domain.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def split(self) -> str: ...
    @property
    def labels(self) -> Int64[Tensor, " sample"]: ...
    @property
    def hashes(self) -> tuple[str, ...]: ...
    @property
    def stand_in(self) -> bool: ...
    @property
    def stand_in_for(self) -> str | None: ...
    @property
    def licence(self) -> str: ...
    @property
    def classes(self) -> tuple[str, ...]: ...
    @property
    def source(self) -> str | None: ...
    @property
    def left_out(self) -> int: ...
    @property
    def domain(self) -> str: ...

    def __len__(self) -> int: ...

    def inputs(self, rows: Rows) -> Any:
        """What a network takes of the samples at ``rows``, in that order."""
        ...

    def targets(self, rows: Rows, iterations: int | None = None) -> Tensor:
        """What is right for the samples at ``rows`` after some iterations (None: as many as are trained), samples
        first: their labels (row, ), or what else, of any further shape, the measure of the network's head compares its
        answer with."""
        ...

    def take(self, indices: Rows) -> Self:
        """The samples at ``indices``, in that order, as a data set of the same name."""
        ...


@runtime_checkable
class SamplesOfKinds(LabelledSamples, Protocol):
    """Samples that are each of a kind, such as statements by what it takes to judge them."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds, in the order of their numbers."""
        ...

    @property
    def kind(self) -> Int64[Tensor, " sample"]:
        """The number of each sample's kind."""
        ...

    @property
    def groups(self) -> Int64[Tensor, " sample"] | None:
        """Samples of the same number are no independent samples; None where nothing is known of it."""
        ...


@runtime_checkable
class SamplesOfOwn(LabelledSamples, Protocol):
    """A data set that says what is right also of a sample that somebody brings."""

    def own(self, inputs: Any, digest: str) -> Self:
        """That one sample as a set of the same name.

        Args:
            inputs: a batch of one, of the kind that the set's samples are.
            digest: its hash.

        Raises:
            DataError: a sample of another make than the set's; it says what would be accepted.
        """
        ...


@runtime_checkable
class SamplesWithRules(LabelledSamples, Protocol):
    """Samples that keep rules, which the data set knows."""

    def rules_of(self, row: int) -> tuple[str, ...]:
        """Those of the sample at ``row``, in words; none where nothing is known of them."""
        ...


@runtime_checkable
class SamplesHeldOut(LabelledSamples, Protocol):
    """Samples of which some show what training leaves out."""

    @property
    def held_out(self) -> Bool[Tensor, " sample"]:
        """Whether training never shows the sample's combination."""
        ...


@dataclass(frozen=True, eq=False)
class Dataset(torch.utils.data.Dataset[tuple[Tensor, Tensor]]):
    """Images with labels, in memory.

    Attributes:
        images: RGB in 0..255, 32 x 32 but for larger pictures of a user's own; a network takes ``inputs``.
        labels: the number of the class of each image.
        hashes: content hash of what each image was made from. Samples with the same hash show the same digit, also
            across MNIST and MNIST-M: two splits are disjoint when they share no hash.
        name, title, split, stand_in, stand_in_for, licence, classes: see :class:`DatasetInfo`.
        source: where a real set was read from (the name given by its reader), else None.
        left_out: rows of a real set that were left out because the product shows and scores their digits.
    """

    name: str
    title: str
    split: str
    images: UInt8[Tensor, "sample 3 side side"]
    labels: Int64[Tensor, " sample"]
    hashes: tuple[str, ...]
    stand_in: bool
    stand_in_for: str | None
    licence: str
    classes: tuple[str, ...]
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The head and CLS token of a network that this set belongs to."""
        return self.name

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.images[index], self.labels[index]

    def inputs(self, rows: Rows) -> Float32[Tensor, "row 3 side side"]:
        """What a network takes of the samples at ``rows``, in that order: their images in 0..1."""
        return self.images[positions_of(rows)].float() / 255

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """The labels of the samples at ``rows``, after however many iterations."""
        return self.labels[positions_of(rows)]

    def take(self, indices: Rows) -> "Dataset":
        """The samples at ``indices``, in that order, as a data set of the same name."""
        indices = positions_of(indices)
        positions = torch.arange(len(self))[indices]
        return replace(
            self,
            images=self.images[positions],
            labels=self.labels[positions],
            hashes=tuple(self.hashes[i] for i in positions.tolist()),
        )


def positions_of(rows: Rows) -> slice | Int64[Tensor, " row"]:
    """What a tensor is indexed with to take ``rows``: a slice as it is, positions as a tensor."""
    return rows if isinstance(rows, slice) else torch.as_tensor(rows, dtype=torch.int64)


def check_limit(limit: int | None) -> None:
    """Refuse a ``limit`` that is not None and not a whole number above 0.

    Raises:
        DataError: for anything else.
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise DataError(f"limit is a whole number above 0, or none for all samples; got {limit!r}")
