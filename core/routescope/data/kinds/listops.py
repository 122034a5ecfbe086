"""ListOps expressions: parsed from text, shown as text and as a table of symbols."""

import re
from collections.abc import Iterator, Sequence

from routescope.data.kinds.kind import InvalidSample, Kind, Table, TextCodec, register_kind
from routescope.files import quoted
from routescope.nn.inputs.sequences import (
    END,
    END_SYMBOL,
    MOST_SYMBOLS,
    OPERATORS,
    SYMBOLS,
    Expressions,
    is_operator,
)

#: Other names of operators.
_ALIASES = {"SUM": "SM", "SUMMOD": "SM", "SUM_MOD": "SM", "SUM-MOD": "SM", "MEDIAN": "MED"}
_WORDS = re.compile(r"\[\s*[^\W\d_][\w-]*|\[|\]|[^\s\[\](),]+")
_WANTED = "an expression is a list such as [MAX 2 9 [MIN 4 7 ] 0 ], with the operators MIN, MAX, MED and SM"


def parse(written: str) -> tuple[int, ...]:
    """Return the symbols of an expression as people or files write it.

    Parentheses and commas are skipped; brackets need no spaces around them; lower case and SUM-MOD for SM are accepted.

    Raises:
        InvalidSample: not an expression, or more than ``MOST_SYMBOLS`` symbols.
    """
    symbols: list[int] = []
    starts: list[int] = []  # positions of the open lists
    members: list[int] = []  # of the open lists
    for position, match in enumerate(_WORDS.finditer(written), start=1):
        if position > MOST_SYMBOLS:
            raise InvalidSample(f"the expression is longer than {MOST_SYMBOLS:,} symbols, the most that is accepted")
        if not starts and symbols:
            raise InvalidSample(f"symbol {position}, {quoted(match[0])}, follows the end of the expression; {_WANTED}")
        symbol = _symbol(match[0], position)
        if symbol == END_SYMBOL:
            if not starts:
                raise InvalidSample(
                    f"symbol {position} is a ] that ends no list: every ] needs a [ before it; {_WANTED}"
                )
            if not members[-1]:
                raise InvalidSample(f"the list that begins at symbol {starts[-1]} has no members; {_WANTED}")
            starts.pop()
            members.pop()
        elif members:
            members[-1] += 1
        if is_operator(symbol):
            starts.append(position)
            members.append(0)
        symbols.append(symbol)
    if starts:
        last, count = symbols[starts[-1] - 1], len(starts)
        rest = "" if count == 1 else f", nor do {count - 1} around it"
        raise InvalidSample(
            f"the list {SYMBOLS[last]} that begins at symbol {starts[-1]} does not end{rest}: every [ needs a ] after "
            f"its members; {_WANTED}"
        )
    if not symbols:
        raise InvalidSample(f"nothing is written; {_WANTED}")
    return tuple(symbols)


def _symbol(word: str, position: int) -> int:
    if word == END:
        return END_SYMBOL
    if word.startswith("["):
        name = word[1:].strip().upper()
        name = _ALIASES.get(name, name)
        if name in OPERATORS:
            return SYMBOLS.index(f"[{name}")
        problem = f"{quoted(word[1:].strip())} is no operator" if name else "a [ without an operator behind it"
        raise InvalidSample(f"symbol {position}: {problem}; {_WANTED}")
    if len(word) == 1 and word in SYMBOLS:
        return int(word)
    raise InvalidSample(f"symbol {position}, {quoted(word)}, is neither a digit from 0 to 9 nor a bracket; {_WANTED}")


def text_of(symbols: Sequence[int]) -> str:
    """Return an expression as it is published, without parentheses: symbols with a space between them."""
    return " ".join(SYMBOLS[symbol] for symbol in symbols)


def depths(symbols: Sequence[int]) -> Iterator[int]:
    """Yield the number of lists around each symbol; a bracket lies in its own list."""
    depth = 0
    for symbol in symbols:
        depth += is_operator(symbol)
        yield depth
        depth -= symbol == END_SYMBOL


def table(expressions: Expressions) -> Table:
    """Return the symbols in turn, with the number of lists around each."""
    symbols = expressions.symbols(0)
    rows = zip(range(len(symbols)), map(expressions.reads, symbols), depths(symbols), strict=True)
    return Table(("place", "symbol", "lists around it"), tuple(rows))


CODEC = TextCodec(
    f"an expression of MIN, MAX, MED and SM (the sum modulo 10) over digits, of up to {MOST_SYMBOLS:,} symbols",
    "[MAX 2 9 [MIN 4 7 ] 0 ]",
    lambda content: Expressions.of([parse(content)]),
    lambda expressions: text_of(expressions.symbols(0)),
    brackets=("[", "]"),
)
register_kind(Kind(Expressions, table, text=CODEC, label_word="value"))
