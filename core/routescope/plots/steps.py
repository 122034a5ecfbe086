"""Words for steps on axes: iterations and layers by their number, as on the page."""

import re
from collections.abc import Sequence

_KINDS = {"s": "script", "i": "iteration", "l": "layer"}


def ticks(steps: Sequence[str]) -> tuple[list[str], str]:
    """Return a tick for each step and the name of the axis: ``["1", "2"], "iteration"`` for ``i1, i2``.

    Steps of several kinds, such as ``read-in, l1``, keep their names on an axis called ``"step"``.
    """
    codes = [re.fullmatch(r"([il])(\d+)", step) for step in steps]
    kinds = {code[1] for code in codes if code}
    if len(kinds) != 1 or not all(codes):
        return list(steps), "step"
    return [code[2] for code in codes if code], _KINDS[kinds.pop()]


def title(step: str) -> str:
    """Return a step in words: ``"iteration 3"`` for ``i3``, ``"script 1, iteration 2"`` for ``s1.i2``."""
    codes = [re.fullmatch(r"([sil])(\d+)", part) for part in step.split(".")]
    return ", ".join(f"{_KINDS[code[1]]} {code[2]}" for code in codes if code) if all(codes) else step
