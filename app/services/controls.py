"""Random sets of as many units as an intervention names, under the same kinds of ablation."""

import random
from collections.abc import Sequence
from math import comb

from app.services.measured import WORDS, Measured
from app.services.scoring import Scoring
from core.routing import Intervention
from core.routing.effects import random_control

#: Up to so many units all sets of a size may be known, because an importance scored them.
MOST_UNITS_EXACT = 10
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


def all_sets(intervention: Intervention, units: Sequence[str]) -> list[Intervention] | None:
    """Every intervention like this one, or None where there are too many to know them."""
    kinds = [kind for kind in WORDS if getattr(intervention, kind)]
    if len(kinds) != 1 or len(units) > MOST_UNITS_EXACT:
        return None
    size = size_of(intervention)
    return [like(intervention, each) for each in random_control(units, size, comb(len(units), size), SEED)]


async def controls_of(
    scoring: Scoring, measured: Measured, intervention: Intervention, draws: int
) -> tuple[list[Intervention], bool]:
    """What to compare with, and whether it is every set of that size: so where few are enough, or all were scored."""
    size, units = size_of(intervention), measured.info.units
    if not size or not draws:
        return [], False
    every = all_sets(intervention, units)
    if every is not None and (len(every) <= draws or await scoring.known(measured, every)):
        return every, True
    drawn = [like(intervention, each) for each in random_control(units, size, draws, SEED)]
    return list(dict.fromkeys(drawn)), False
