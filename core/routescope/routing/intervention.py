"""Interventions on routing as plain data: which units are ablated and how, how many iterations run.

An intervention never changes a model; ``apply`` gives a view that shares the model's parameters.

A route between blocks is named by what is read and what is made of it, ``"A>1.3"``: block A is a source of block 1.3.
The name of what is made says which Multiplexer it is: ``"1.3"`` is of level 1, and ``"E"`` is an output block.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Self, get_args

from routescope.nn.blocks.routes import TO
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Changes, LinkedNetwork, Network, ReroutableNetwork
from routescope.nn.shown import listed, percent
from routescope.routing.rules import KeptSets, RuleError, Use, units_of

#: Kinds of ablation; a unit that is named under several takes part in the first of them only.
Kind = Literal["drop", "mute", "mean", "resample"]
KINDS: tuple[Kind, ...] = get_args(Kind)
#: The kinds that replace what a unit contributes, and need samples to take the replacement from.
REPLACING: tuple[Kind, ...] = ("mean", "resample")
#: What changes the routes and gates of single blocks.
ROUTING = ("mute_routes", "copy_routes", "gates")

#: More function iterations than this are refused: a run's cost grows with them.
MAX_ITERATIONS = 64
#: An error lists the names of all units of a model up to so many.
MOST_LISTED = 20


class InterventionError(ValueError):
    """An intervention that the model cannot take; the message says what it would accept."""


@dataclass(frozen=True)
class Intervention:
    """What to change about the routing of one computation.

    ::

        rs.score("moe-bytes", "python", limit=8, intervention=rs.Intervention(drop=("l1.e2",), top_k=3))

    Args:
        drop: units that are removed, so that compatibilities are renormalised over those that stay.
        mute: units whose compatibility is set to zero after normalisation.
        iterations: function iterations per script; the model's own number when None.
        mean: units whose contribution to a step is replaced by its mean over reference samples, for each
            step and token.
        resample: units whose contribution is replaced by the one they make for another sample.
        keep_edges: share, from 0 to 1, of the links between two different units that are kept, among the units that
            stay: the least probable links are cut. None cuts nothing. Only for networks that link their units.
        mute_routes: routes between blocks, ``"A>1.3"`` (see above), that get no weight: those of the block's other
            routes are normalised without them. Only for networks that route blocks, as the next two.
        copy_routes: routes that make a block a copy of its source: weight 1, and gate 0 where ``gates`` has no other.
        gates: gates that are fixed, from 0 (the block is what was routed to it) to 1 (it is what was computed anew), by
            the block's name; a mapping or pairs.
        top_k: how many experts a token takes at every layer. Only for networks whose tokens are routed to experts.

    Order and duplicates do not matter; a unit named several times counts once, as drop before mute before
    mean before resample. No route or gate of a block that is dropped is changed, and no other route of one that is made
    a copy.
    Dropping every unit is allowed. Only drop and mute save compute.
    """

    drop: tuple[str, ...] = ()
    mute: tuple[str, ...] = ()
    iterations: int | None = None
    mean: tuple[str, ...] = field(default=(), kw_only=True)
    resample: tuple[str, ...] = field(default=(), kw_only=True)
    keep_edges: float | None = field(default=None, kw_only=True)
    mute_routes: tuple[str, ...] = field(default=(), kw_only=True)
    copy_routes: tuple[str, ...] = field(default=(), kw_only=True)
    gates: tuple[tuple[str, float], ...] = field(default=(), kw_only=True)
    top_k: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        taken: set[str] = set()
        for kind in KINDS:
            value = getattr(self, kind)
            names = isinstance(value, (tuple, list, set, frozenset)) and all(isinstance(unit, str) for unit in value)
            if not names:
                raise InterventionError(f"{kind} must be a list of unit names such as ['f1', 'f3']")
            object.__setattr__(self, kind, tuple(sorted(set(value) - taken)))
            taken |= set(value)
        if self.iterations is not None and (
            isinstance(self.iterations, bool)
            or not isinstance(self.iterations, int)
            or not 0 <= self.iterations <= MAX_ITERATIONS
        ):
            raise InterventionError(f"iterations must be a whole number from 0 to {MAX_ITERATIONS}")
        if self.keep_edges is not None:
            number = isinstance(self.keep_edges, (int, float)) and not isinstance(self.keep_edges, bool)
            if not number or not 0 <= self.keep_edges <= 1:
                raise InterventionError("keep_edges must be a share from 0 to 1, such as 0.1")
            object.__setattr__(self, "keep_edges", abs(float(self.keep_edges)))  # -0 is 0: one form of each share
        if self.top_k is not None and (
            isinstance(self.top_k, bool) or not isinstance(self.top_k, int) or self.top_k < 1
        ):
            raise InterventionError(
                "top_k must be a whole number above 0: how many experts a token takes at every layer"
            )
        routing = without(
            canonical_routes("mute_routes", self.mute_routes),
            canonical_routes("copy_routes", self.copy_routes),
            canonical_gates(self.gates),
            self.drop,
        )
        for name, value in zip(ROUTING, routing, strict=True):
            object.__setattr__(self, name, value)

    def to_json(self) -> str:
        """Canonical JSON: sorted keys, no spaces; of all but drop, mute and iterations only what is set."""
        return json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))

    def to_dict(self) -> dict[str, Any]:
        """What ``to_json`` writes, as a dictionary."""
        fields = {**asdict(self), "gates": dict(self.gates)}
        return {
            name: value
            for name, value in fields.items()
            if (name not in (*REPLACING, *ROUTING) or value)
            and (name not in ("keep_edges", "top_k") or value is not None)
        }

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what ``to_json`` wrote; raises InterventionError for anything else."""
        try:
            fields = json.loads(text)
            return cls(**fields)
        except (TypeError, json.JSONDecodeError) as error:
            accepted = ", ".join((*KINDS, "iterations", "keep_edges", "top_k", *ROUTING))
            raise InterventionError(f"an intervention is JSON with the fields {accepted}") from error

    @classmethod
    def of(
        cls,
        kind: Kind,
        units: Iterable[str],
        iterations: int | None = None,
        *,
        keep_edges: float | None = None,
        top_k: int | None = None,
    ) -> Self:
        """Some units ablated in one way; raises InterventionError for a kind that there is not."""
        if kind not in KINDS:
            raise InterventionError(f"unknown kind of ablation {str(kind)[:40]!r}; there are {', '.join(KINDS)}")
        ablated: dict[str, Any] = {kind: tuple(units)}
        return cls(**ablated, iterations=iterations, keep_edges=keep_edges, top_k=top_k)

    @property
    def digest(self) -> str:
        """Hash of the canonical JSON: equal interventions have equal digests."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]

    @property
    def units(self) -> frozenset[str]:
        """Every unit that is ablated, in whatever way."""
        return frozenset(unit for kind in KINDS for unit in getattr(self, kind))

    @property
    def words(self) -> str:
        """The intervention in words, such as "dropped f1, 3 iterations"."""
        parts = [
            f"{word} {listed(units)}"
            for word, units in (
                ("dropped", self.drop),
                ("muted", self.mute),
                ("replaced by the mean", self.mean),
                ("resampled", self.resample),
            )
            if units
        ]
        if self.iterations is not None:
            parts.append(f"{self.iterations} iterations")
        if self.top_k is not None:
            parts.append(f"{self.top_k} experts a token")
        if self.keep_edges is not None:
            parts.append(f"{percent(self.keep_edges)} of the links kept")
        if self.mute_routes:
            parts.append(f"muted routes {listed(self.mute_routes)}")
        if self.copy_routes:
            parts.append(f"forced copies {listed(self.copy_routes)}")
        if self.gates:
            parts.append(f"fixed gates {listed([f'{block} at {gate:g}' for block, gate in self.gates])}")
        return ", ".join(parts) or "nothing dropped, muted or replaced"

    @property
    def structural(self) -> "Intervention":
        """The part that a view of the network carries out by itself: all but mean and resample."""
        return replace(self, mean=(), resample=())

    @property
    def changes(self) -> Changes:
        """What a view of the network carries out by itself, as the network takes it."""
        routes = (self.mute_routes, self.copy_routes, self.gates)
        return Changes(self.drop, self.mute, self.keep_edges, *routes, self.top_k)

    def resolved(self, model: Network, use: Callable[[], Use] | None = None, kept: KeptSets | None = None) -> Self:
        """The same with units in place of rules such as ``l3.*`` and ``least:4`` (``routescope.routing.rules``).

        Args:
            use: gives how much every unit is used; called only where a rule asks for it.
            kept: finds sets of units that are kept, by their ids; None: none are known here.

        Raises:
            InterventionError: no such rule, or one that names nothing, or more units than can be dropped.
        """
        try:
            named: dict[str, Any] = {
                kind: units_of(model, getattr(self, kind), use, kept=kept, dropping=kind == "drop", top_k=self.top_k)
                for kind in KINDS
            }
        except RuleError as error:
            raise InterventionError(str(error)) from error
        return replace(self, **named)

    def iterations_on(self, model: Network) -> int:
        """How many iterations run: as many as are asked for, or the model's own number."""
        return model.bounds.default if self.iterations is None else self.iterations

    def validate(self, model: Network) -> None:
        """Raise InterventionError for what the model lacks, a unit, an iteration, links to cut, a route, a gate, and
        for what it refuses for a reason of its own."""
        unknown = sorted(self.units - set(model.units))
        if unknown:
            shown = ", ".join(unit[:40] for unit in unknown[:5])
            raise InterventionError(f"unknown units: {shown}; this model has {_listed(model.units) or 'no units'}")
        least, most = model.bounds.least, model.bounds.most
        if self.iterations is not None and least == most != self.iterations:
            raise InterventionError(f"this model runs {least} iteration{'' if least == 1 else 's'} and no other number")
        if self.iterations is not None and most is not None and self.iterations > most:
            raise InterventionError(f"this model runs up to {most} iterations, one for each of its layers")
        if self.keep_edges is not None and not (isinstance(model, LinkedNetwork) and model.has_links):
            raise InterventionError("this model has no links between its units to cut: leave keep_edges out")
        if self.top_k is not None and not isinstance(model, RoutedNetwork):
            raise InterventionError("no token of this model takes the best few of many experts: leave top_k out")
        if self.mute and model.mute_refusal is not None:
            raise InterventionError(model.mute_refusal)
        validate_routes(model, self.mute_routes, self.copy_routes, self.gates, self.drop)
        refusal = model.refusal(self.changes, self.iterations_on(model))
        if refusal is not None:
            raise InterventionError(refusal)

    def apply(self, model: Network) -> Network:
        """A view of the model, with its own probes, in which the units are dropped and muted, links cut, routes
        and gates changed.

        The number of iterations is no property of a view: pass ``iterations`` to the call.

        Raises:
            InterventionError: for what the model lacks; for ``mean`` and ``resample``, which no view
                carries out: see ``routescope.routing.ablation``, ``score`` and ``record(reference=...)``.
        """
        self.validate(model)
        if self.mean or self.resample:
            raise InterventionError("mean and resample need reference samples; a view only drops and mutes")
        return model.view(self.changes)


def _listed(units: Sequence[str]) -> str:
    """Every unit of a few; of many the first and the last."""
    if len(units) <= MOST_LISTED:
        return ", ".join(units)
    return f"{', '.join(units[:3])} to {units[-1]} ({len(units)} units)"


def ends(route: str) -> tuple[str, str]:
    """Source and block of a route; raises InterventionError for what is no name of one."""
    source, arrow, block = route.partition(TO)
    if not source or not arrow or not block or TO in block:
        raise InterventionError(
            f"{route[:40]!r} is no route: it is named by its source and its block, such as 'A{TO}1.3'"
        )
    return source, block


def sources_of(levels: Sequence[tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Every block that a Multiplexer makes -> the blocks that it reads, all of them, whatever a view leaves out.

    Args:
        levels: names of the blocks of every level, as ``routescope.nn.network.ReroutableNetwork`` has them.
    """
    return {block: tuple(below) for below, level in zip(levels, levels[1:], strict=False) for block in level}


def canonical_routes(field: str, routes: Any) -> tuple[str, ...]:
    """Names of routes in order, each once; raises InterventionError for anything else."""
    if not isinstance(routes, (tuple, list, set, frozenset)) or not all(isinstance(route, str) for route in routes):
        raise InterventionError(f"{field} must be a list of routes such as ['A{TO}1.3', '1.3{TO}2.1']")
    for route in routes:
        ends(route)
    return tuple(sorted(set(routes)))


def canonical_gates(gates: Any) -> tuple[tuple[str, float], ...]:
    """(block, gate) in the order of names, each once; raises InterventionError for anything else."""
    pairs = list(gates.items()) if isinstance(gates, Mapping) else gates
    shaped = isinstance(pairs, (tuple, list)) and all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 and isinstance(pair[0], str) for pair in pairs
    )
    if not shaped:
        raise InterventionError("gates must name blocks with a number from 0 to 1 each, such as {'1.3': 0, 'E': 1}")
    found: dict[str, float] = {}
    for block, gate in pairs:
        number = isinstance(gate, (int, float)) and not isinstance(gate, bool)
        if not number or not 0 <= gate <= 1:
            raise InterventionError(f"the gate of {block[:40]!r} must be a number from 0 (copied) to 1 (computed)")
        if found.setdefault(block, abs(float(gate))) != gate:  # -0 is 0: one form of each gate
            raise InterventionError(f"the gate of {block[:40]!r} is one number, not two")
    return tuple(sorted(found.items()))


def without(
    mute_routes: tuple[str, ...],
    copy_routes: tuple[str, ...],
    gates: tuple[tuple[str, float], ...],
    dropped: Iterable[str],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, float], ...]]:
    """What is left to change: nothing of a block that is dropped; of one that is made a copy no other route, and the
    gate only where it is not 0.

    Raises:
        InterventionError: a block that is to be a copy of two sources, or of one that is dropped.
    """
    gone, copied = set(dropped), dict[str, str]()
    for route in copy_routes:
        source, block = ends(route)
        if block in gone:
            continue
        if source in gone:
            raise InterventionError(f"{block[:40]} cannot be a copy of {source[:40]}, which is dropped")
        if block in copied:
            raise InterventionError(
                f"{block[:40]} can be a copy of one block only, not of {copied[block][:40]} and of {source[:40]}"
            )
        copied[block] = source
    muted = (route for route in mute_routes if not set(ends(route)) & gone and ends(route)[1] not in copied)
    copies = (route for route in copy_routes if ends(route)[1] in copied)
    fixed = ((block, gate) for block, gate in gates if block not in gone and (gate or block not in copied))
    return tuple(muted), tuple(copies), tuple(fixed)


def validate_routes(
    model: Network,
    mute_routes: tuple[str, ...],
    copy_routes: tuple[str, ...],
    gates: tuple[tuple[str, float], ...],
    dropped: Iterable[str],
) -> None:
    """Raise InterventionError for routes and gates that the model has not, and for a block with all sources muted."""
    if not (mute_routes or copy_routes or gates):
        return
    if not isinstance(model, ReroutableNetwork):
        raise InterventionError(
            "this model routes no blocks: leave mute_routes, copy_routes and gates out; they are for SMFRs"
        )
    sources, gone = sources_of(model.levels), set(dropped)
    if unknown := [block for block, _ in gates if block not in sources]:
        raise InterventionError(f"no gate of {listed_few(unknown)}; this model has gates of {listed_few(sources)}")
    left = {block: set(below) - gone for block, below in sources.items()}
    for route in (*mute_routes, *copy_routes):
        source, block = ends(route)
        if block not in sources:
            raise InterventionError(f"no route to {block[:40]}; this model has routes to {listed_few(sources)}")
        if source not in sources[block]:
            raise InterventionError(
                f"no route from {source[:40]} to {block}, which is made of {listed_few(sources[block])}"
            )
    for route in mute_routes:
        source, block = ends(route)
        left[block].discard(source)
        if not left[block]:
            raise InterventionError(f"all routes to {block} are muted; leave one of {listed_few(sources[block])}")


def listed_few(names: Iterable[str]) -> str:
    """Some names; of many the first and how many there are."""
    every = [name[:40] for name in names]
    if len(every) <= MOST_LISTED:
        return ", ".join(every)
    return f"{', '.join(every[:MOST_LISTED])} and {len(every) - MOST_LISTED} more"
