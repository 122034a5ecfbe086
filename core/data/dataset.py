"""What every data set is once it is loaded, and what is known of it before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int64, UInt8
from torch import Tensor

#: Side of every image that the product shows, in pixels (paper: all digits are 32 x 32).
SIDE = 32


class DataError(ValueError):
    """Something asked of the data that it cannot give; the message says what would be accepted."""


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


@dataclass(frozen=True, eq=False)
class Dataset(torch.utils.data.Dataset[tuple[Tensor, Tensor]]):
    """Images with labels, in memory.

    Attributes:
        images: RGB in 0..255, 32 x 32 but for larger pictures of a user's own; ``images.float() / 255`` is what a
            network takes.
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

    @property
    def domain(self) -> str:
        """The head and CLS token of a network that this set belongs to."""
        return self.name

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.images[index], self.labels[index]

    def take(self, indices: Sequence[int] | slice | Tensor) -> "Dataset":
        """The samples at ``indices``, in that order, as a data set of the same name."""
        if not isinstance(indices, slice):
            indices = torch.as_tensor(indices, dtype=torch.int64)
        positions = torch.arange(len(self))[indices]
        return replace(
            self,
            images=self.images[positions],
            labels=self.labels[positions],
            hashes=tuple(self.hashes[i] for i in positions.tolist()),
        )


def check_limit(limit: int | None) -> None:
    """Refuse a ``limit`` that is not None and not a whole number above 0.

    Raises:
        DataError: for anything else.
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise DataError(f"limit is a whole number above 0, or none for all samples; got {limit!r}")
