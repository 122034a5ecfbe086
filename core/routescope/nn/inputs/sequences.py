"""Sequences of symbols of different lengths: what expressions and bytes have in common."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor, Rows, positions_in

#: What stands where a sequence has ended and a longer one of its batch goes on.
PADDING = -1


@dataclass(frozen=True, eq=False)
class Sequences(OneTensor):
    """A batch of sequences: the numbers of V symbols each, with ``PADDING`` behind the shorter ones.

    Rows that are taken are as long as the longest of them.
    """

    values: Int64[Tensor, "B V"]

    @classmethod
    def of(cls, sequences: Sequence[Sequence[int]]) -> Self:
        """A batch of these sequences, each the numbers of its symbols.

        Raises:
            TypeError: strings, in place of numbers of symbols.
        """
        if any(isinstance(symbols, str) for symbols in sequences):
            raise TypeError(f"{cls.__name__}.of takes numbers of symbols, not str: from_writing() reads a str")
        longest = max(map(len, sequences), default=0)
        values = torch.full((len(sequences), longest), PADDING, dtype=torch.long)
        for row, symbols in enumerate(sequences):
            values[row, : len(symbols)] = torch.tensor(symbols, dtype=torch.long)
        return cls(values)

    @property
    def there(self) -> Bool[Tensor, "B V"]:
        """Which symbols are no padding."""
        return self.values >= 0

    def __getitem__(self, rows: Rows, /) -> Self:
        """The sequences at ``rows``, in that order."""
        chosen = self.values[positions_in(rows)]
        used = (chosen >= 0).any(dim=0).nonzero()
        return type(self)(chosen[:, : int(used.max()) + 1 if len(used) else 0])

    def symbols(self, row: int) -> tuple[int, ...]:
        """The symbols of one sequence, without padding."""
        return tuple(symbol for symbol in self.values[row].tolist() if symbol >= 0)

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """How each symbol of each sequence reads."""
        return tuple(tuple(map(self.reads, self.symbols(row))) for row in range(len(self)))

    @staticmethod
    @abstractmethod
    def reads(symbol: int) -> str:
        """How a symbol reads."""
