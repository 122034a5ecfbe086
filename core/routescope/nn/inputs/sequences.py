"""Sequences of symbols of different lengths: texts as raw bytes, and ListOps expressions."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from routescope.nn.inputs.kind import OneTensor, Rows, positions_in

#: Value behind the end of a sequence, up to the end of the longest one in the batch.
PADDING = -1
#: Bytes of the longest text (Neural Attentive Circuits, section 4.3: "sequences of up to 4000 bytes").
MOST_BYTES = 4000
#: ListOps operators, in the order of their symbols: least, largest, median, sum modulo 10.
OPERATORS = ("MIN", "MAX", "MED", "SM")
END = "]"
#: All ListOps symbols, in the order of their numbers: digits, operators with their opening bracket, closing bracket.
SYMBOLS = (*map(str, range(10)), *(f"[{operator}" for operator in OPERATORS), END)
#: The number of the closing bracket, which comes last.
END_SYMBOL = len(SYMBOLS) - 1
#: Symbols of the longest expression: the benchmark's lengths are up to 2,000.
MOST_SYMBOLS = 2000


@dataclass(frozen=True, eq=False)
class Sequences(OneTensor):
    """A batch of sequences: the numbers of V symbols each, with ``PADDING`` behind the shorter ones.

    Rows that are taken are cut to the length of the longest of them.
    """

    values: Int64[Tensor, "B V"]

    @classmethod
    def of(cls, sequences: Sequence[Sequence[int]]) -> Self:
        """Return a batch of sequences, each given as the numbers of its symbols; raises TypeError for strings."""
        if any(isinstance(symbols, str) for symbols in sequences):
            raise TypeError(f"{cls.__name__}.of takes numbers of symbols, not str")
        longest = max(map(len, sequences), default=0)
        values = torch.full((len(sequences), longest), PADDING, dtype=torch.long)
        for row, symbols in enumerate(sequences):
            values[row, : len(symbols)] = torch.tensor(symbols, dtype=torch.long)
        return cls(values)

    @property
    def mask(self) -> Bool[Tensor, "B V"]:
        """Mask of the symbols that are not padding."""
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
        """Each symbol of each sequence as text."""
        return tuple(tuple(map(self.reads, self.symbols(row))) for row in range(len(self)))

    @staticmethod
    @abstractmethod
    def reads(symbol: int) -> str:
        """Return a symbol as text."""


@dataclass(frozen=True, eq=False)
class Bytes(Sequences):
    """A batch of texts, as the bytes of their UTF-8, for networks that classify a whole text."""

    kind: ClassVar[str] = "bytes"
    words: ClassVar[str] = "a text as raw bytes"

    @staticmethod
    def reads(symbol: int) -> str:
        """Return a byte as its ASCII character, others as hexadecimal numbers."""
        return chr(symbol) if symbol in (9, 10, 13) or 32 <= symbol < 127 else f"\\x{symbol:02x}"


@dataclass(frozen=True, eq=False)
class Expressions(Sequences):
    """A batch of ListOps expressions: nested lists of digits under operators, a symbol a token.

    *ListOps* (Nangia and Bowman, 2018) in the form of the *Long Range Arena* (Tay et al., 2021): fifteen symbols; an
    operator and its opening bracket are one symbol. The parentheses of the published files, which repeat the
    structure, are left out.
    """

    kind: ClassVar[str] = "listops"
    words: ClassVar[str] = "a ListOps expression"

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Each symbol of each expression as text, with a space behind it."""
        return tuple(tuple(f"{symbol} " for symbol in symbols) for symbols in super().texts())

    @staticmethod
    def reads(symbol: int) -> str:
        return SYMBOLS[symbol]


def is_operator(symbol: int) -> bool:
    """Return whether a ListOps symbol begins a list."""
    return len(SYMBOLS) - 1 - len(OPERATORS) <= symbol < END_SYMBOL
