"""ListOps expressions: nested lists of digits under operators, a symbol a token.

*ListOps* (Nangia and Bowman, 2018) in the form of the *Long Range Arena* (Tay et al., 2021): fifteen symbols, of which
an operator with its opening bracket is one. The parentheses of the published files, which repeat the structure, are
left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from routescope.nn.inputs.kind import NotFromWriting, Table, Written
from routescope.nn.inputs.sequences import Sequences

#: Operators, in the order of their symbols: least, largest, median, sum modulo 10.
OPERATORS = ("MIN", "MAX", "MED", "SM")
END = "]"
#: All symbols, in the order of their numbers: digits, operators with their opening bracket, the closing bracket.
SYMBOLS = (*map(str, range(10)), *(f"[{operator}" for operator in OPERATORS), END)
#: The number of the closing bracket, which comes last.
END_SYMBOL = len(SYMBOLS) - 1
#: Symbols of the longest expression: the benchmark's lengths are up to 2,000.
MOST_SYMBOLS = 2000
#: Other names that operators go by.
_ALIASES = {"SUM": "SM", "SUMMOD": "SM", "SUM_MOD": "SM", "SUM-MOD": "SM", "MEDIAN": "MED"}
#: Characters of what was written that a refusal repeats.
REPEATED = 20

_WORDS = re.compile(r"\[\s*[^\W\d_][\w-]*|\[|\]|[^\s\[\](),]+")
_WANTED = "an expression is a list such as [MAX 2 9 [MIN 4 7 ] 0 ], with the operators MIN, MAX, MED and SM"


def is_operator(symbol: int) -> bool:
    """Whether a symbol begins a list."""
    return len(SYMBOLS) - 1 - len(OPERATORS) <= symbol < END_SYMBOL


def parse(written: str) -> tuple[int, ...]:
    """The symbols of an expression as people or files write it.

    Parentheses and commas say nothing; brackets need no spaces around them; small letters will do, and SUM-MOD for SM.

    Raises:
        NotFromWriting: it is no expression, or one of more than ``MOST_SYMBOLS`` symbols.
    """
    symbols: list[int] = []
    begun: list[int] = []  # places of the lists that have begun, and how many members each has
    members: list[int] = []
    for place, match in enumerate(_WORDS.finditer(written), start=1):
        if place > MOST_SYMBOLS:
            raise NotFromWriting(f"the expression is longer than {MOST_SYMBOLS:,} symbols, the most that is accepted")
        if not begun and symbols:
            raise NotFromWriting(f"symbol {place}, {_said(match[0])}, follows the end of the expression; {_WANTED}")
        symbol = _symbol(match[0], place)
        if symbol == END_SYMBOL:
            if not begun:
                raise NotFromWriting(f"symbol {place} is a ] that ends no list: every ] needs a [ before it; {_WANTED}")
            if not members[-1]:
                raise NotFromWriting(f"the list that begins at symbol {begun[-1]} has no members; {_WANTED}")
            begun.pop()
            members.pop()
        elif members:
            members[-1] += 1
        if is_operator(symbol):
            begun.append(place)
            members.append(0)
        symbols.append(symbol)
    if begun:
        last, count = symbols[begun[-1] - 1], len(begun)
        rest = "" if count == 1 else f", nor do {count - 1} around it"
        raise NotFromWriting(
            f"the list {SYMBOLS[last]} that begins at symbol {begun[-1]} does not end{rest}: every [ needs a ] after "
            f"its members; {_WANTED}"
        )
    if not symbols:
        raise NotFromWriting(f"nothing is written; {_WANTED}")
    return tuple(symbols)


def _symbol(word: str, place: int) -> int:
    """The number of one symbol; raises NotFromWriting for what is none."""
    if word == END:
        return END_SYMBOL
    if word.startswith("["):
        name = word[1:].strip().upper()
        name = _ALIASES.get(name, name)
        if name in OPERATORS:
            return SYMBOLS.index(f"[{name}")
        what = f"{_said(word[1:].strip())} is no operator" if name else "a [ without an operator behind it"
        raise NotFromWriting(f"symbol {place}: {what}; {_WANTED}")
    if len(word) == 1 and word in SYMBOLS:
        return int(word)
    raise NotFromWriting(f"symbol {place}, {_said(word)}, is neither a digit from 0 to 9 nor a bracket; {_WANTED}")


def _said(word: str) -> str:
    return repr(word if len(word) <= REPEATED else word[:REPEATED] + "\N{HORIZONTAL ELLIPSIS}")


def text_of(symbols: Sequence[int]) -> str:
    """An expression as it is published, without parentheses: symbols with a space between them."""
    return " ".join(SYMBOLS[symbol] for symbol in symbols)


def depths(symbols: Sequence[int]) -> Iterator[int]:
    """How many lists each symbol lies in; a bracket lies in its own list."""
    depth = 0
    for symbol in symbols:
        depth += is_operator(symbol)
        yield depth
        depth -= symbol == END_SYMBOL


@dataclass(frozen=True, eq=False)
class Expressions(Sequences):
    """A batch of ListOps expressions."""

    kind: ClassVar[str] = "listops"
    words: ClassVar[str] = "a ListOps expression"
    label_word: ClassVar[str] = "value"
    written: ClassVar[Written | None] = Written(
        f"an expression of MIN, MAX, MED and SM (the sum modulo 10) over digits, of up to {MOST_SYMBOLS:,} symbols",
        "[MAX 2 9 [MIN 4 7 ] 0 ]",
        brackets=("[", "]"),
    )

    @classmethod
    def from_writing(cls, content: str) -> Self:
        """An expression, as ``parse`` reads it.

        Raises:
            NotFromWriting: it is none, or too long.
        """
        return cls.of([parse(content)])

    def as_written(self) -> str:
        """The first expression, in symbols with a space between them."""
        return text_of(self.symbols(0))

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """How each symbol of each expression reads, with a space behind it, as expressions are written."""
        return tuple(tuple(f"{symbol} " for symbol in each) for each in super().texts())

    @staticmethod
    def reads(symbol: int) -> str:
        return SYMBOLS[symbol]

    def table(self) -> Table:
        """The symbols of the first expression in turn, with how many lists each lies in."""
        symbols = self.symbols(0)
        rows = zip(range(len(symbols)), map(self.reads, symbols), depths(symbols), strict=True)
        return Table(("place", "symbol", "lists around it"), tuple(rows))
