"""Sets of sequences of different lengths with a label each, in memory without padding."""

import hashlib
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import torch
from jaxtyping import Int64, UInt8
from torch import Tensor

from routescope.data.cache import Arrays, cached
from routescope.data.dataset import DataError, DatasetInfo, NoSplit, Rows, positions_of
from routescope.data.sequences import listops, reading, reviews
from routescope.nn.inputs.sequences import MOST_BYTES, MOST_SYMBOLS, Bytes, Expressions, Sequences
from routescope.nn.shown import short_repr

S = TypeVar("S", bound=Sequences)


@dataclass(frozen=True, eq=False)
class SequenceSet(Generic[S]):
    """Sequences of one kind of input, each with a label.

    Attributes:
        symbols: of all sequences, one after the other.
        starts: where each begins, and where the last ends.
        kind: what a network takes of them.
        most: symbols of the longest sequence that belongs to the set.
        hashes: SHA-256 of the symbols of each.
        name, title, split, labels, licence, classes, stand_in, stand_in_for, source, left_out: as of ``Dataset``.
    """

    name: str
    title: str
    split: str
    symbols: UInt8[Tensor, " symbol"]
    starts: Int64[Tensor, " sample+1"]
    labels: Int64[Tensor, " sample"]
    kind: type[S]
    most: int
    hashes: tuple[str, ...]
    licence: str
    classes: tuple[str, ...]
    stand_in: bool = False
    stand_in_for: str | None = None
    source: str | None = None
    left_out: int = 0

    __repr__ = short_repr

    @property
    def domain(self) -> str:
        """The head of a network that this set belongs to."""
        return self.name

    @property
    def lengths(self) -> Int64[Tensor, " sample"]:
        """Symbols of each sequence."""
        return self.starts.diff()

    def __len__(self) -> int:
        return len(self.labels)

    def _sequence(self, place: int) -> UInt8[Tensor, " V"]:
        return self.symbols[int(self.starts[place]) : int(self.starts[place + 1])]

    def take(self, indices: Rows) -> "SequenceSet[S]":
        """The samples at ``indices``, in that order, as a set of the same name."""
        chosen = torch.arange(len(self))[positions_of(indices)]
        parts = [self._sequence(place) for place in chosen.tolist()]
        starts = torch.zeros(len(chosen) + 1, dtype=torch.int64)
        starts[1:] = self.lengths[chosen].cumsum(0)
        return replace(
            self,
            symbols=torch.cat(parts) if parts else self.symbols[:0],
            starts=starts,
            labels=self.labels[chosen],
            hashes=tuple(self.hashes[place] for place in chosen.tolist()),
        )

    def inputs(self, rows: Rows) -> S:
        """What a network takes of the samples at ``rows``, in that order, padded to the longest of them."""
        chosen = torch.arange(len(self))[positions_of(rows)].tolist()
        return self.kind.of([self._sequence(place).tolist() for place in chosen])

    def targets(self, rows: Rows, iterations: int | None = None) -> Int64[Tensor, " row"]:
        """The labels of the samples at ``rows``, after however many iterations."""
        return self.labels[positions_of(rows)]

    def own(self, inputs: S, digest: str) -> "SequenceSet[S]":
        """A sequence that somebody brings: of an expression with its value, of a text without a label (-1).

        Raises:
            DataError: one that is longer than those of the set.
        """
        symbols = inputs.symbols(0)
        if len(symbols) > self.most:
            raise DataError(f"a sample of {self.title} has up to {self.most:,} symbols; {len(symbols):,} were given")
        label = listops.value_of(symbols) if isinstance(inputs, Expressions) else -1
        return replace(
            self,
            split="own",
            symbols=torch.tensor(symbols, dtype=torch.uint8),
            starts=torch.tensor([0, len(symbols)]),
            labels=torch.tensor([label]),
            hashes=(digest,),
        )


#: The kind of each set, and the most symbols of its samples.
KINDS: dict[str, tuple[type[Sequences], int]] = {
    **{name: (Expressions, limits.most) for name, limits in listops.LIMITS.items()},
    reviews.NAME: (Bytes, MOST_BYTES),
}
#: Sizes of the splits.
SIZES = {**dict.fromkeys(listops.LIMITS, listops.SIZES), reviews.NAME: reviews.SIZES}


def load(info: DatasetInfo, split: str, source: str | None = None, limit: int | None = None) -> SequenceSet[Sequences]:
    """One split of a set of sequences.

    Args:
        source: a file of the real set, or a folder of them; None for what is generated.
        limit: only the first samples.

    Raises:
        NoSplit: no such split. DataError: a source that cannot be read.
    """
    kind, most = KINDS[info.name]
    if source is None:
        if split not in info.splits:
            raise NoSplit(f"{info.name} has no split {split!r}; there are {', '.join(info.splits)}")
        arrays = _made(info.name, split, min(info.splits[split], limit or info.splits[split]))
    else:
        of_source = reading.read(kind, split, source)
        most = MOST_SYMBOLS if kind is Expressions else MOST_BYTES
        arrays = _first(of_source, limit)
        if not len(arrays["labels"]):
            raise DataError(f"{source} has too few rows for a {split} split of {info.name}")
    starts = arrays["starts"]
    return SequenceSet(
        name=info.name,
        title=info.title if source is None else info.real_title,
        split=split,
        symbols=torch.from_numpy(arrays["symbols"]),
        starts=torch.from_numpy(starts),
        labels=torch.from_numpy(arrays["labels"]),
        kind=kind,
        most=most,
        hashes=tuple(
            hashlib.sha256(arrays["symbols"][a:b].tobytes()).hexdigest()
            for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        ),
        licence=info.licence if source is None else info.real_licence,
        classes=info.classes,
        stand_in=info.stand_in and source is None,
        stand_in_for=info.stand_in_for if source is None else None,
        source=source,
    )


def _made(name: str, split: str, count: int) -> Arrays:
    """What is generated, from the cache where it was before."""
    if name == reviews.NAME:
        texts, labels = reviews.texts(split, count)
        return reading.arrays_of([tuple(text.encode()) for text in texts], labels)
    parameters = {"limits": listops.LIMITS[name], "split": split, "count": count, "seeds": listops.SEEDS}
    return cached("listops", parameters, lambda: reading.arrays_of(*listops.expressions(name, split, count)))


def _first(arrays: Arrays, limit: int | None) -> Arrays:
    if limit is None or limit >= len(arrays["labels"]):
        return arrays
    starts = arrays["starts"][: limit + 1]
    return {"symbols": arrays["symbols"][: starts[-1]], "starts": starts, "labels": arrays["labels"][:limit]}
