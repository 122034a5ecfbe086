"""Random sets of as many units as an intervention names, under the same kinds of ablation.

Links are no part of it: where an intervention cuts some, its control cuts the same share of the least probable links
among the modules that its own draw leaves. An intervention that names no unit has no control, nor has one that changes
routes or gates of single blocks: which of them a draw would leave is another question than how many units it drops.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import Any

from app.services.measuring.scope import Measured
from core.routing import KINDS, Intervention
from core.routing.caused.effects import random_control

SEED = 0


def size_of(intervention: Intervention) -> int:
    """How many units it names."""
    return sum(len(getattr(intervention, kind)) for kind in KINDS)


def like(intervention: Intervention, units: Sequence[str]) -> Intervention:
    """The same kinds of ablation, in the same numbers, of other units; which gets which is drawn from a fixed seed.

    Iterations and the share of the links that is kept stay as they are.
    """
    mixed = list(units)
    random.Random(SEED).shuffle(mixed)
    fields: dict[str, Any] = {}
    start = 0
    for kind in KINDS:
        count = len(getattr(intervention, kind))
        fields[kind] = tuple(mixed[start : start + count])
        start += count
    return replace(intervention, **fields)


def controls_of(measured: Measured, intervention: Intervention, draws: int) -> tuple[list[Intervention], bool]:
    """What to compare with, and whether it is every set of that size: so where there are no more than ``draws``.

    It depends on nothing but the request, so that the same request is compared with the same sets.
    """
    size, units = size_of(intervention), measured.info.units
    steered = intervention.mute_routes or intervention.copy_routes or intervention.gates
    if not size or not draws or steered:
        return [], False
    sets = dict.fromkeys(like(intervention, each) for each in random_control(units, size, draws, SEED))
    one_kind = sum(bool(getattr(intervention, kind)) for kind in KINDS) == 1
    return list(sets), one_kind and comb(len(units), size) <= draws
