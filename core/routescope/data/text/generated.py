"""Sums and ListOps expressions with their values, drawn by seed; no expression of one split is in another.

``random.Random(seed).random()`` gives the same numbers in every version of Python: texts are the same everywhere.
"""

import hashlib
import random
from collections.abc import Callable, Iterator
from itertools import islice

from routescope.data.text.pieces import packed

#: Shares, in eighths, of all expressions that belong to a split: by the hash of the expression.
EIGHTHS = {"train": (0, 1, 2, 3, 4, 5), "validation": (6,), "test": (7,)}
SEEDS = {"train": 2401, "validation": 2402, "test": 2403}

#: ListOps: lists nest so deep, have so many members, and an argument is a list so often (Nangia and Bowman, 2018).
MOST_DEPTH, LEAST_MEMBERS, MOST_MEMBERS, NESTED = 3, 2, 5, 0.25


def split_of(expression: str) -> str:
    """Return the split that an expression belongs to."""
    eighth = hashlib.sha256(expression.encode()).digest()[0] % 8
    return next(split for split, eighths in EIGHTHS.items() if eighth in eighths)


def _whole(draws: random.Random, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``, both of them included."""
    return low + int(draws.random() * (high - low + 1))


def drawn_sum(draws: random.Random) -> tuple[str, int]:
    """Two or three numbers of one to three digits, such as ``17 + 305``, and what they come to."""
    numbers = []
    for _ in range(2 + (draws.random() < 0.25)):
        numbers.append(_whole(draws, 0, 10 ** _whole(draws, 1, 3) - 1))
    return " + ".join(map(str, numbers)), sum(numbers)


#: Operators: from the digits of a list to a digit.
OPERATORS: dict[str, Callable[[list[int]], int]] = {
    "MIN": min,
    "MAX": max,
    "MED": lambda values: (sorted(values)[(len(values) - 1) // 2] + sorted(values)[len(values) // 2]) // 2,
    "SM": lambda values: sum(values) % 10,
}


def drawn_list(draws: random.Random, depth: int = 1) -> tuple[str, int]:
    """An expression such as ``[MAX 2 9 [MIN 4 7 ] 0 ]`` and its value, a digit.

    MED is the median, rounded down; SM the sum modulo 10.
    """
    operator = list(OPERATORS)[_whole(draws, 0, len(OPERATORS) - 1)]
    words, values = [], []
    for _ in range(_whole(draws, LEAST_MEMBERS, MOST_MEMBERS)):
        if depth < MOST_DEPTH and draws.random() < NESTED:
            word, value = drawn_list(draws, depth + 1)
        else:
            value = _whole(draws, 0, 9)
            word = str(value)
        words.append(word)
        values.append(value)
    return f"[{operator} {' '.join(words)} ]", OPERATORS[operator](values)


def _lines(draw: Callable[[random.Random], tuple[str, int]], split: str) -> Iterator[str]:
    """Expressions of a split with their values, without end."""
    draws = random.Random(SEEDS[split])
    while True:
        expression, value = draw(draws)
        if len(expression) <= 120 and split_of(expression) == split:
            yield f"{expression} = {value}"


def sums(split: str, count: int) -> tuple[str, ...]:
    """Return ``count`` texts of a split, each of several lines such as ``17 + 305 = 322``."""
    return tuple(islice(packed(_lines(drawn_sum, split)), count))


def listops(split: str, count: int) -> tuple[str, ...]:
    """Return ``count`` texts of a split, each of several lines such as ``[MAX 2 9 [MIN 4 7 ] 0 ] = 9``."""
    return tuple(islice(packed(_lines(drawn_list, split)), count))
