"""ListOps expressions with their values, drawn from the grammar that the *Long Range Arena* publishes.

A node is a list with probability ``NESTED``, else a digit, each of ten alike; at depth ``MOST_DEPTH`` it is a digit. A
list has 2 to ``MOST_MEMBERS`` members, any number alike, and one of four operators. A tree is kept where its length in
symbols is within limits, those of the benchmark being 501 to 1,999, and where the same was not drawn before.

``random.Random(seed).random()`` gives the same numbers in every version of Python: expressions are the same everywhere.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from routescope.data.text import generated
from routescope.nn.inputs.sequences import END_SYMBOL, OPERATORS, SYMBOLS, is_operator

#: How often a node is a list, how deep lists nest, and how many members one has.
NESTED, MOST_DEPTH, LEAST_MEMBERS, MOST_MEMBERS = 0.25, 10, 2, 10
#: Sizes of the benchmark's splits.
SIZES = {"train": 96_000, "validation": 2_000, "test": 2_000}
SEEDS = {"validation": 2018, "test": 2020, "train": 2021}

#: Symbols of one expression.
Symbols = tuple[int, ...]


class Limits(NamedTuple):
    """The least and the most symbols of an expression of a set."""

    least: int
    most: int


#: The sets: short ones that two cores can train on, ones of a middle length, and those of the benchmark.
LIMITS = {"listops-short": Limits(4, 100), "listops-medium": Limits(101, 500), "listops-long": Limits(501, 1999)}


class TooLong(Exception):
    """A tree that has grown beyond its limit; it is not kept."""


def draw(draws: random.Random, most: int) -> list[int]:
    """Return the symbols of one tree; raises TooLong as soon as there are sure to be more than ``most``."""
    uniform, symbols = draws.random, list[int]()
    missing: list[int] = []  # members that each list that has begun still lacks
    nodes = 1  # that are not drawn yet
    while True:
        if len(symbols) + nodes + len(missing) > most:
            raise TooLong
        if len(missing) + 1 < MOST_DEPTH and uniform() <= NESTED:
            count = LEAST_MEMBERS + int(uniform() * (MOST_MEMBERS - LEAST_MEMBERS + 1))
            symbols.append(10 + int(uniform() * len(OPERATORS)))
            missing.append(count)
            nodes += count - 1
            continue
        symbols.append(int(uniform() * 10))
        nodes -= 1
        while missing:
            missing[-1] -= 1
            if missing[-1]:
                break
            missing.pop()
            symbols.append(END_SYMBOL)
        if not missing:
            return symbols


def drawn(limits: Limits, seed: int) -> Iterator[Symbols]:
    """Trees whose length is within limits, without end."""
    draws = random.Random(seed)
    while True:
        try:
            symbols = draw(draws, limits.most)
        except TooLong:
            continue
        if len(symbols) >= limits.least:
            yield tuple(symbols)


def expressions(name: str, split: str, count: int) -> tuple[list[Symbols], list[int]]:
    """Return the first ``count`` expressions of a split of a set of ``LIMITS``, all different, with their values.

    Those of the test split are none of the validation split, and those to train on none of either.

    Args:
        count: the first so many; those of the splits before it are drawn in full.
    """
    digests: set[bytes] = set()
    drawn_so_far: list[Symbols] = []
    for name_of_split in SEEDS:
        wanted = count if name_of_split == split else SIZES[name_of_split]
        drawn_so_far = []
        for symbols in drawn(LIMITS[name], SEEDS[name_of_split]):
            if (digest := digest_of(symbols)) not in digests:
                digests.add(digest)
                drawn_so_far.append(symbols)
                if len(drawn_so_far) == wanted:
                    break
        if name_of_split == split:
            break
    return drawn_so_far, [value_of(symbols) for symbols in drawn_so_far]


def digest_of(symbols: Sequence[int]) -> bytes:
    """SHA-256 of a sequence of bytes or smaller symbols."""
    return hashlib.sha256(bytes(symbols)).digest()


def value_of(symbols: Sequence[int]) -> int:
    """The value of an expression that ``routescope.data.kinds.listops.parse`` accepts."""
    stack: list[tuple[str, list[int]]] = [("", [])]
    for symbol in symbols:
        if is_operator(symbol):
            stack.append((SYMBOLS[symbol][1:], []))
        elif symbol == END_SYMBOL:
            operator, values = stack.pop()
            stack[-1][1].append(generated.OPERATORS[operator](values))
        else:
            stack[-1][1].append(symbol)
    return stack[0][1][0]
