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

from routescope.nn.mixture.routed import RoutedLayer
from routescope.routing import KINDS, Intervention
from routescope.routing.caused.effects import random_control
from routescope_app.services.measuring.scope import Measured

#: Random sets that one evaluation may be compared with.
MAX_DRAWS = 64

SEED = 0
#: Draws that are made for each set that is asked for, as the same may come again.
ATTEMPTS = 8


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


def within_layers(
    layers: Sequence[RoutedLayer], size: int, draws: int, top_k: int | None = None
) -> list[tuple[str, ...]]:
    """Distinct random sets of ``size`` experts, without any of which each layer still has as many as a token takes.

    They are drawn one after the other, at random among those that can still go; fewer than ``draws`` sets where hardly
    more than these are possible. All there are of one expert each, where these are no more than ``draws``.
    """
    group = {unit: layer.name for layer in layers for unit in layer.units}
    spare = {layer.name: layer.experts - (top_k or layer.top_k) for layer in layers}
    able = [unit for unit, name in group.items() if spare[name] > 0]
    if size == 1 and len(able) <= draws:
        return [(unit,) for unit in able]
    place = {unit: at for at, unit in enumerate(group)}
    found = dict[tuple[str, ...], None]()
    for attempt in range(ATTEMPTS * draws):
        left, taken = dict(spare), list[str]()
        for unit in random.Random(f"{SEED} {attempt}").sample(able, len(able)):
            if len(taken) < size and left[group[unit]] > 0:
                taken.append(unit)
                left[group[unit]] -= 1
        if len(taken) == size and len(found) < draws:
            found[tuple(sorted(taken, key=place.__getitem__))] = None
    return list(found)


def controls_of(measured: Measured, intervention: Intervention, draws: int) -> tuple[list[Intervention], bool]:
    """What to compare with, and whether it is every set of that size: so where there are no more than ``draws``.

    It depends on nothing but the request, so that the same request is compared with the same sets.
    """
    size, units = size_of(intervention), measured.info.units
    steered = intervention.mute_routes or intervention.copy_routes or intervention.gates
    if not size or not draws or steered:
        return [], False
    if intervention.drop and measured.info.layers:
        drawn = within_layers(measured.info.layers, size, draws, intervention.top_k)
    else:
        drawn = random_control(units, size, draws, SEED)
    sets = dict.fromkeys(like(intervention, each) for each in drawn)
    one_kind = sum(bool(getattr(intervention, kind)) for kind in KINDS) == 1
    return list(sets), one_kind and comb(len(units), size) <= draws
