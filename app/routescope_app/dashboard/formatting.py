"""Format figures and lists of titles as text, the same way everywhere on the page."""

import math
from collections.abc import Sequence

#: From here on three decimals show a digit of a figure.
SMALLEST = 5e-4


def runs(titles: Sequence[str]) -> list[str]:
    """Titles in turn, those that count on from one to the next as one: "Function 1 to 20"."""
    ranges: list[tuple[str, int, int] | str] = []
    for title in titles:
        stem, _, number = title.rpartition(" ")
        last = ranges[-1] if ranges else None
        if not (stem and number.isdecimal()):
            ranges.append(title)
        elif isinstance(last, tuple) and (last[0], last[2] + 1) == (stem, int(number)):
            ranges[-1] = (stem, last[1], int(number))
        else:
            ranges.append((stem, int(number), int(number)))
    return [_run(run) for run in ranges]


def _run(part: tuple[str, int, int] | str) -> str:
    if isinstance(part, str):
        return part
    stem, first, last = part
    return f"{stem} {first}" if first == last else f"{stem} {first} to {last}"


def rounded(value: float) -> str:
    """A figure that is no share: the rule of ``figure`` in ``assets/web/lib/format.js``.

    Three significant digits, at most three decimals, zeros kept; a smaller value keeps one significant digit.
    """
    value = float(f"{value:.2e}")
    if not value:
        return "0"
    if abs(value) < SMALLEST:
        return f"{value:.0e}" if abs(value) < 1e-6 else f"{value:.1g}"
    return f"{value:.{min(3, max(0, 2 - math.floor(math.log10(abs(value)))))}f}"
