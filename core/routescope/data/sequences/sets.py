"""Sets of sequences of different lengths with a label each, in memory without padding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Int64, UInt8
from torch import Tensor

from routescope.data.cache import Arrays, cached
from routescope.data.catalogue import dataset
from routescope.data.samples import DataError, DatasetInfo, Rows, SampleRequest, Samples, hashes_of
from routescope.data.sequences import listops, reading
from routescope.nn.inputs.sequences import MOST_SYMBOLS, Expressions, Sequences


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SequenceSet(Samples):
    """Sequences of different lengths with a label each, without padding.

    Attributes:
        symbols: of all sequences, one after the other.
        starts: where each begins, and where the last ends.
        batch: the kind of input that a network takes.
        most: symbols of the longest sequence that belongs to the set.
        labels: the value of an expression, or the sentiment of a text; -1 of a user's text.
        hashes: of the symbols of each.
    """

    symbols: UInt8[Tensor, " symbol"]
    starts: Int64[Tensor, " sample+1"]
    batch: type[Sequences]
    most: int

    @property
    def lengths(self) -> Int64[Tensor, " sample"]:
        """Symbols of each sequence."""
        return self.starts.diff()

    def _sequence(self, position: int) -> UInt8[Tensor, " V"]:
        return self.symbols[int(self.starts[position]) : int(self.starts[position + 1])]

    def take(self, indices: Rows) -> "SequenceSet":
        positions = self.positions(indices)
        parts = [self._sequence(position) for position in positions.tolist()]
        starts = torch.zeros(len(positions) + 1, dtype=torch.int64)
        starts[1:] = self.lengths[positions].cumsum(0)
        symbols = torch.cat(parts) if parts else self.symbols[:0]
        return replace(super().take(indices), symbols=symbols, starts=starts)

    def inputs(self, rows: Rows) -> Sequences:
        """Return the sequences at ``rows``, in that order, padded to the longest of them."""
        return self.batch.of([self._sequence(position).tolist() for position in self.positions(rows).tolist()])

    def user_sample(self, inputs: Sequences, digest: str) -> "SequenceSet":
        """Return an expression with its value, or a text with label -1; raises DataError for longer sequences."""
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


def _listops(name: str, title: str) -> DatasetInfo:
    return DatasetInfo(
        name=name,
        title=title,
        licence="drawn by this project from the grammar that the Long Range Arena publishes",
        splits=dict(listops.SIZES),
        classes=tuple("0123456789"),
        inputs="listops",
        real_title=f"ListOps as given ({name})",
        real_licence="ListOps: N. Nangia, S. R. Bowman 2018; Long Range Arena: Y. Tay et al. 2021; Apache License 2.0",
    )


@dataset(
    _listops("listops-short", "ListOps to 100 symbols"),
    _listops("listops-medium", "ListOps of 101 to 500 symbols"),
    _listops("listops-long", "ListOps of 501 to 1,999 symbols (Long Range Arena's)"),
)
def expressions(request: SampleRequest) -> SequenceSet:
    """Return ListOps expressions with their values."""
    name, split = request.info.name, request.split

    def made() -> Arrays:
        count = request.count
        key = {"limits": listops.LIMITS[name], "split": split, "count": count, "seeds": listops.SEEDS}
        return cached("listops", key, lambda: reading.arrays_of(*listops.expressions(name, split, count)))

    most = listops.LIMITS[name].most if request.source is None else MOST_SYMBOLS
    return sequences_of(request, Expressions, most, made)


def sequences_of(request: SampleRequest, batch: type[Sequences], most: int, made: Callable[[], Arrays]) -> SequenceSet:
    """Return the sequences of a source, or generated ones.

    Args:
        batch, most: see ``SequenceSet``.
        made: makes the generated sequences, as ``reading.arrays_of`` gives them.

    Raises:
        DataError: a source that cannot be read, or without rows for the split.
    """
    if request.source is None:
        arrays = made()
    else:
        arrays = _first(reading.read(batch, request.split, request.source), request.limit)
        if not len(arrays["labels"]):
            raise DataError(f"{request.source} has too few rows for a {request.split} split of {request.info.name}")
    return sequence_set(request.facts, batch, most, arrays)


def sequence_set(facts: Mapping[str, Any], batch: type[Sequences], most: int, arrays: Arrays) -> SequenceSet:
    """Return sequences as samples.

    Args:
        facts: info, split and source.
        batch, most: see ``SequenceSet``.
        arrays: symbols, starts and labels, as ``reading.arrays_of`` makes them.
    """
    symbols, starts = arrays["symbols"], arrays["starts"]
    return SequenceSet(
        **facts,
        symbols=torch.from_numpy(symbols),
        starts=torch.from_numpy(starts),
        labels=torch.from_numpy(arrays["labels"]),
        batch=batch,
        most=most,
        hashes=hashes_of(symbols[start:end].tobytes() for start, end in pairwise(starts.tolist())),
    )


def _first(arrays: Arrays, limit: int | None) -> Arrays:
    if limit is None or limit >= len(arrays["labels"]):
        return arrays
    starts = arrays["starts"][: limit + 1]
    return {"symbols": arrays["symbols"][: starts[-1]], "starts": starts, "labels": arrays["labels"][:limit]}
