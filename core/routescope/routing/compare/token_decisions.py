"""The experts of one token in two routings, layer by layer, with their shares and margins."""

from dataclasses import dataclass

import numpy as np

from routescope.nn.experts import NO_EXPERT
from routescope.routing.compare.comparing import Comparison
from routescope.routing.logs import RoutingLog


@dataclass(frozen=True)
class ChosenExpert:
    """Expert of a token: its name, the log's number of it from 0, and its share of the token's routing."""

    unit: str
    index: int
    share: float


@dataclass(frozen=True)
class DecisionSide:
    """Experts of a token at a layer in one of two routings.

    Attributes:
        layer: the layer's name there.
        taken: by their shares, the largest first; equal ones in the log's order.
        margin: the lead of the last of them over the first that was not chosen; None: unknown.
    """

    layer: str
    taken: tuple[ChosenExpert, ...]
    margin: float | None


@dataclass(frozen=True)
class Decision:
    """A layer in both routings, and whether the sets of experts are the same; None where one has none."""

    same: bool | None
    a: DecisionSide
    b: DecisionSide


def decisions(a: RoutingLog, b: RoutingLog, comparison: Comparison, token: int) -> tuple[Decision, ...]:
    """Return the experts of a token in both routings by layer; raises LogError if it was not compared.

    Args:
        comparison: the comparison of ``a`` and ``b``.
        token: its position in A.
    """
    row = comparison.place_of(token)
    rows = token, int(comparison.places[1][row])
    first, second = comparison.layer_places
    return tuple(
        Decision(
            bool(comparison.same[row, position]) if comparison.there[row, position] else None,
            _side(a, rows[0], first[position]),
            _side(b, rows[1], second[position]),
        )
        for position in range(len(comparison.layers))
    )


def _side(log: RoutingLog, row: int, layer: int) -> DecisionSide:
    experts, shares = log.experts[row, layer], log.shares(slice(row, row + 1))[0, layer]
    order = [slot for slot in np.argsort(-shares, kind="stable") if experts[slot] != NO_EXPERT]
    taken = tuple(
        ChosenExpert(log.unit(layer, int(experts[slot])), int(experts[slot]), float(shares[slot])) for slot in order
    )
    margin = None if log.margin is None else float(log.margin[row, layer])
    return DecisionSide(log.layers[layer], taken, None if margin is None or not np.isfinite(margin) else margin)
