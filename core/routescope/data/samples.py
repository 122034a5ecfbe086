"""The samples of a data set, the facts about a data set, and the request that a data set answers."""

import hashlib
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.files import DataError as DataError
from routescope.nn.shown import shortened

#: Which samples of a data set: a slice, or positions.
Rows = slice | Sequence[int] | Tensor

#: Side of the pictures of digits and of bundled classes, in pixels (paper: all digits are 32 x 32).
SIDE = 32


class NoSplit(DataError):
    """A data set or a source that has no samples of the requested split."""


@dataclass(frozen=True)
class DatasetInfo:
    """The facts about a data set that are known before it is loaded.

    Attributes:
        name: its name on the command line, and the name of its domain in a network.
        title: for readers; a stand-in says so.
        licence: of the samples that need no source.
        splits: the names and sizes of the splits that need no source; none: a source is needed.
        classes: names of the labels, in the order of their numbers.
        inputs: the kind of input of a sample, such as ``images``, ``text`` or ``points``.
        stand_in_for: the data set that the generated samples stand in for.
        real_title, real_licence: title and licence of what a source holds. A title of its own says that the data set
            reads sources.
        real_stand_in_for: the data set that samples of a source stand in for.
        held: how many rows of a source without splits are kept for scoring, where it has at least twice as many; None:
            a fifth.
        inputs_of: the first data set with the same inputs in the same order and other targets.
        shown: whether pages list its samples.
        stand_in, needs_source: follow from ``stand_in_for`` and ``splits``.
    """

    name: str
    title: str
    licence: str = ""
    splits: dict[str, int] = field(default_factory=dict, hash=False)
    classes: tuple[str, ...] = ()
    inputs: str = "images"
    stand_in_for: str | None = None
    real_title: str = ""
    real_licence: str = ""
    real_stand_in_for: str | None = None
    held: int | None = None
    inputs_of: str | None = None
    shown: bool = True
    stand_in: bool = field(init=False)
    needs_source: bool = field(init=False)

    def __post_init__(self) -> None:
        facts = {
            "real_title": self.real_title or self.title,
            "real_licence": self.real_licence or self.licence,
            "stand_in": self.stand_in_for is not None,
            "needs_source": not self.splits,
        }
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    @property
    def in_gallery(self) -> bool:
        """Whether the gallery of pages shows its pictures."""
        return self.shown and self.inputs == "images"

    @property
    def reads_sources(self) -> bool:
        """Whether a file, a folder or a name on the hub can replace the samples."""
        return self.needs_source or self.real_title != self.title


@dataclass(frozen=True)
class SampleRequest:
    """The samples that ``load`` asks of a data set.

    Attributes:
        info: of the data set.
        split: the name of the split.
        limit: the most samples; None: all.
        source: a file, a folder or a name on the hub; None: the samples that need no source.
        classes, side, whole, exclude_shown: see ``load``.
    """

    info: DatasetInfo
    split: str
    limit: int | None = None
    source: str | None = None
    classes: tuple[str, ...] = ()
    side: int | None = None
    whole: bool = False
    exclude_shown: bool = True

    @property
    def count(self) -> int:
        """The number of generated samples: the size of the split, or the limit if that is smaller."""
        return min(self.info.splits[self.split], self.limit or self.info.splits[self.split])

    @property
    def facts(self) -> dict[str, Any]:
        """The arguments that all samples made for this request have in common."""
        return {"info": self.info, "split": self.split, "source": self.source}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Samples:
    """Samples of one data set, in memory; each kind of input has a subclass with its own columns.

    Attributes:
        info: of the data set.
        split: the name of the split; "own" for a sample of a user.
        labels: of each sample; what a label means is up to the kind of input.
        hashes: of the content of each sample. Two splits are disjoint when they share no hash.
        source: where the samples were read from; None: they are bundled or generated.
        left_out: rows of a source, or pieces of text, that were left out because pages show and score them.
        kinds: names of the kinds of samples, such as the relations of matrices, in the order of their numbers.
        kind: the number of each sample's kind.
        groups: samples of the same number are not independent; None: all are independent, or nothing is known.
        held_out: whether training never shows the sample's combination; None: no sample is held out.
    """

    #: The fields with one value for each sample.
    columns: ClassVar[tuple[str, ...]] = ("labels", "hashes", "kind", "groups", "held_out")

    info: DatasetInfo
    split: str
    labels: Int64[Tensor, " sample"]
    hashes: tuple[str, ...]
    source: str | None = None
    left_out: int = 0
    kinds: tuple[str, ...] = ()
    kind: Int64[Tensor, " sample"] | None = None
    groups: Int64[Tensor, " sample"] | None = None
    held_out: Bool[Tensor, " sample"] | None = None

    def __repr__(self) -> str:
        facts = {"name": self.name, "split": self.split, "samples": len(self), "title": self.title}
        return shortened(type(self).__name__, facts | ({"source": self.source} if self.source else {}))

    @property
    def name(self) -> str:
        """The name of the data set."""
        return self.info.name

    @property
    def domain(self) -> str:
        """The domain of a network whose head answers for these samples."""
        return self.info.name

    @property
    def title(self) -> str:
        """The title for readers, of the real data set where samples were read from a source."""
        return self.info.title if self.source is None else self.info.real_title

    @property
    def licence(self) -> str:
        """The licence of the samples."""
        return self.info.licence if self.source is None else self.info.real_licence

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the labels, in the order of their numbers."""
        return self.info.classes

    @property
    def stand_in(self) -> bool:
        """Whether the samples stand in for another data set."""
        return self.stand_in_for is not None

    @property
    def stand_in_for(self) -> str | None:
        """The data set that the samples stand in for."""
        return self.info.stand_in_for if self.source is None else self.info.real_stand_in_for

    def __len__(self) -> int:
        return len(self.labels)

    @abstractmethod
    def inputs(self, rows: Rows) -> Any:
        """Return the samples at ``rows``, in that order, as a network takes them."""

    def targets(self, rows: Rows, iterations: int | None = None) -> Tensor:
        """Return right answers at ``rows``: labels (row,), or (row, ...), after ``iterations`` or as in training."""
        return self.labels[positions_of(rows)]

    def positions(self, rows: Rows) -> Int64[Tensor, " row"]:
        """Return the positions of ``rows``, counted from 0."""
        return torch.arange(len(self))[positions_of(rows)]

    def take(self, indices: Rows) -> Self:
        """Return the samples at ``indices``, in that order, as samples of the same data set."""
        positions = self.positions(indices)
        return replace(self, **{name: _taken(getattr(self, name), positions) for name in self.columns})

    def user_sample(self, inputs: Any, digest: str) -> Self | None:
        """Return a user's sample with its right answer; None where the data set knows no right answers for others.

        Args:
            inputs: a batch of one sample, of the same kind of input.
            digest: its hash.

        Raises:
            DataError: a sample of another size; the message says what is accepted.
        """
        return None

    def rules_of(self, row: int) -> tuple[str, ...]:
        """Return the rules that the sample at ``row`` obeys, in words; none where they are unknown."""
        return ()

    def content_hash(self) -> str:
        """Return the SHA-256 of all samples: two sets with the same hash give the same answers."""
        digest = hashlib.sha256(f"{self.name}.{self.split}".encode())
        for part in self._content():
            digest.update(part.encode() if isinstance(part, str) else np.ascontiguousarray(part.numpy()).data)
        return digest.hexdigest()

    def _content(self) -> Iterable[Tensor | str]:
        return self.labels, "\n".join(self.hashes)


def positions_of(rows: Rows) -> slice | Int64[Tensor, " row"]:
    """Return the index of a tensor that takes ``rows``: a slice as it is, positions as a tensor."""
    return rows if isinstance(rows, slice) else torch.as_tensor(rows, dtype=torch.int64)


def _taken(column: Any, positions: Int64[Tensor, " row"]) -> Any:
    if column is None:
        return None
    if isinstance(column, tuple):
        return tuple(column[position] for position in positions.tolist())
    return column[positions.numpy() if isinstance(column, np.ndarray) else positions]


def check_limit(limit: int | None) -> None:
    """Check that a limit is None or a whole number above 0; raises DataError for any other limit."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise DataError(f"limit is a whole number above 0, or none for all samples; got {limit!r}")


def hashes_of(samples: Iterable[bytes]) -> tuple[str, ...]:
    """Return the SHA-256 of each sample, as hexadecimal digits."""
    return tuple(hashlib.sha256(sample).hexdigest() for sample in samples)
