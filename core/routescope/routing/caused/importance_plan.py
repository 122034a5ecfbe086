"""Plan of an importance analysis: every subset of few units, random orders of more, or each unit alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from routescope.nn.experts import RoutedLayer
from routescope.nn.network import Network
from routescope.routing.ablation import NOT_REPLACEABLE
from routescope.routing.caused.retention import DRAWS, SAMPLED_DRAWS, thinned_sizes
from routescope.routing.caused.shapley import PERMUTATIONS
from routescope.routing.caused.subsets import MOST_UNITS_EXACT, MOST_UNITS_PAIRS
from routescope.routing.intervention import Intervention
from routescope.routing.options import REPLACING, InterventionError, Kind

#: Permutations within a layer of more than ``MOST_UNITS_PAIRS`` experts unless told otherwise.
FEW_PERMUTATIONS = 16


class NoPlan(ValueError):
    """A request that cannot be scored; the message says what can be."""


@dataclass(frozen=True)
class Plan:
    """Scores that an importance analysis needs.

    Attributes:
        players: the units, of which subsets are kept; all others of the model stay.
        permutations: orders for sampled Shapley values; 0 for none.
        pairs: whether pairs are ablated, for interactions.
        draws: random sets of each size on the retention curve.
        alone: whether each unit is ablated alone and nothing else is scored: no curve, and no network without all of
            them.
        orders: of the retention curve, beside those by single effects.
    """

    players: tuple[str, ...]
    permutations: int
    pairs: bool
    draws: int
    alone: bool = False
    orders: int = 2

    @classmethod
    def of(
        cls,
        units: Sequence[str],
        layers: Sequence[RoutedLayer] = (),
        layer: str | None = None,
        kind: Kind = "drop",
        *,
        permutations: int | None = None,
        pairs: bool | None = None,
        draws: int | None = None,
        orders: int = 2,
    ) -> Self:
        """Return the plan for the units of a model; None stands for the default of an option.

        In a mixture of experts each expert is ablated alone, unless something else is asked for: sets of them are
        chosen layer by layer, where too few cannot route (``routescope.routing.caused.pruning``). Within one layer all
        is scored, with the experts outside a subset muted or replaced: a layer cannot route with fewer experts than a
        token takes, so most of its subsets cannot be dropped.

        Args:
            layers: the layers of a mixture that route.
            layer: name of the layer whose experts are the players; None: all units are.
            permutations: None: ``PERMUTATIONS``, and 0 above ``MOST_UNITS_PAIRS`` units, but within a layer fewer.
            pairs: None: with up to ``MOST_UNITS_PAIRS`` units.
            draws: None: ``DRAWS``, or ``SAMPLED_DRAWS`` where not every subset is scored.

        Raises:
            NoPlan: no such layer, or subsets that cannot be dropped.
        """
        players = _players(units, layers, layer)
        count, few = len(players), len(players) <= MOST_UNITS_PAIRS
        alone = bool(layers) and layer is None and not permutations and not pairs
        if layers and kind == "drop" and not alone:
            raise NoPlan(
                "a layer cannot route with fewer experts than a token takes, so that not every subset can be dropped: "
                "mute them, or replace what they write by its mean (kind mute, mean or resample)"
            )
        if permutations is None:
            permutations = PERMUTATIONS if few else 0 if layer is None else FEW_PERMUTATIONS
        exact = count <= MOST_UNITS_EXACT
        return cls(
            players,
            0 if alone else permutations,
            not alone and (few if pairs is None else pairs),
            (DRAWS if exact else SAMPLED_DRAWS) if draws is None else draws,
            alone,
            orders if layer is None else 0,
        )

    @property
    def exact(self) -> bool:
        """Whether every subset is scored."""
        return not self.alone and len(self.players) <= MOST_UNITS_EXACT

    @property
    def subsets(self) -> int:
        """Most sets that are scored, with the ranked orders of the retention curve, further ones, and random sets."""
        M = len(self.players)
        if self.alone:
            return 1 + M
        if self.exact:
            return int(2**M)
        pairs = M * (M - 1) // 2 if self.pairs else 0
        sizes = len(thinned_sizes(M)) - 2
        return 2 + M + pairs + (M - 1) * self.permutations + sizes * (self.draws + 2 + self.orders)

    def __str__(self) -> str:
        asked = [f"{self.permutations} permutations"] if self.permutations else []
        asked += ["pairs"] if self.pairs else []
        rest = "Single effects" if self.alone else "Single effects and retention"
        return f"{' and '.join(asked) or rest} of {len(self.players)} units"


def check_kind(model: Network, units: Sequence[str], kind: Kind) -> None:
    """Check ahead that some units can be ablated in a way; raises NoPlan, which says what to pass."""
    if kind in REPLACING and not model.replaceable:
        raise NoPlan(NOT_REPLACEABLE)
    if kind != "mute":
        return
    asked = set(units)
    for names in model.groups.values():
        first = [name for name in names if name in asked][:1]
        try:
            Intervention().ablating(kind, first).validate(model)
        except InterventionError as error:
            raise NoPlan(str(error)) from error


def _players(units: Sequence[str], layers: Sequence[RoutedLayer], layer: str | None) -> tuple[str, ...]:
    if layer is None:
        return tuple(units)
    for candidate in layers:
        if candidate.name == layer:
            return tuple(unit for unit in candidate.units if unit in set(units))
    if not layers:
        raise NoPlan("the tokens of this model are routed to no experts: leave the layer out")
    few = [routed.name for routed in layers]
    shown = ", ".join(few) if len(few) <= 6 else f"{', '.join(few[:3])} to {few[-1]}"
    raise NoPlan(f"no layer that routes is called {layer[:40]}; there are {shown}")
