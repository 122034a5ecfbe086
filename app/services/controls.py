"""Random sets of as many units as an intervention names, under the same kinds of ablation."""

import random
from collections.abc import Sequence
from math import comb

from app.services.measured import WORDS, Measured
from core.routing import Intervention
from core.routing.effects import random_control

SEED = 0


def size_of(intervention: Intervention) -> int:
    """How many units it names."""
    return sum(len(getattr(intervention, kind)) for kind in WORDS)


def like(intervention: Intervention, units: Sequence[str]) -> Intervention:
    """The same kinds of ablation, in the same numbers, of other units; which gets which is drawn from a fixed seed."""
    mixed = list(units)
    random.Random(SEED).shuffle(mixed)
    fields, start = {}, 0
    for kind in WORDS:
        count = len(getattr(intervention, kind))
        fields[kind] = tuple(mixed[start : start + count])
        start += count
    return Intervention(**fields, iterations=intervention.iterations)


def controls_of(measured: Measured, intervention: Intervention, draws: int) -> tuple[list[Intervention], bool]:
    """What to compare with, and whether it is every set of that size: so where there are no more than ``draws``.

    It depends on nothing but the request, so that the same request is compared with the same sets.
    """
    size, units = size_of(intervention), measured.info.units
    if not size or not draws:
        return [], False
    sets = dict.fromkeys(like(intervention, each) for each in random_control(units, size, draws, SEED))
    one_kind = sum(bool(getattr(intervention, kind)) for kind in WORDS) == 1
    return list(sets), one_kind and comb(len(units), size) <= draws
