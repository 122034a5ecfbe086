"""Pruning mixtures of experts: in which order experts go, which are kept, and what is left of the figure.

An order names the experts that go, the first to go first. By use and by weight it is observed; by effect, and greedily,
it is caused: what dropping an expert costs on samples, paired. Use predicts effect badly, so random sets of the same
size belong beside every order.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
import pandas as pd
from jaxtyping import Num

from routescope.data.samples import Samples
from routescope.nn.experts import RoutedLayer
from routescope.nn.network import Changes, Network
from routescope.nn.shown import short_repr
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.scores import Scores
from routescope.routing.caused.scoring import KeptUnits, ModelScorer, Scorer
from routescope.routing.caused.subsets import Value
from routescope.routing.intervention import Intervention
from routescope.routing.progress import PieceRunner, Progress, at_once, in_turns
from routescope.routing.running import routed

#: In which order experts go: by fewest tokens (use), by least routing weight, those whose drop alone costs least, those
#: that cost least after every step, or by chance.
Order = Literal["tokens", "weight", "effect", "greedy", "chance"]
ORDERS: tuple[Order, ...] = get_args(Order)
#: What a share is of: every layer on its own, or all layers together.
Scope = Literal["layer", "all"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
#: What the file of a keep-list says it is.
FORMAT = "routescope keep-list 1"
#: The name of random sets, and of all domains together, in tables.
RANDOM, EVERYTHING = "random", "all"
#: What says which experts a token takes, and with what weight.
FIELDS = ("top_experts", "top_weights")


class PruningError(ValueError):
    """A pruning that the network cannot take, or a file that is no keep-list; the message says what is accepted."""


def layers_of(model: Network) -> tuple[RoutedLayer, ...]:
    """The layers of a network that route.

    Raises:
        PruningError: a network whose tokens take no experts.
    """
    if model.routing is None:
        raise PruningError("experts are pruned of networks whose tokens take the best few of many; this one has none")
    return model.routing.routed_layers


@dataclass(frozen=True)
class KeptLayer:
    """What is kept of a layer: its name, its place in the checkpoint, how many experts it has, and places of the kept
    ones; places are counted from 0, as checkpoints do."""

    name: str
    index: int
    experts: int
    kept: tuple[int, ...]

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the experts that are kept."""
        return tuple(f"{self.name}.e{place + 1}" for place in self.kept)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Names of the others."""
        return tuple(f"{self.name}.e{place + 1}" for place in range(self.experts) if place not in set(self.kept))


@dataclass(frozen=True)
class KeepList:
    """Which experts are kept, layer by layer; ``made`` says of what and how, such as model, revision and order."""

    layers: tuple[KeptLayer, ...]
    made: Mapping[str, str | float | int]

    __repr__ = short_repr

    @property
    def dropped(self) -> tuple[str, ...]:
        """Names of all experts that go."""
        return tuple(unit for layer in self.layers for unit in layer.dropped)

    @property
    def share(self) -> float:
        """Share of all experts that is kept."""
        return sum(len(layer.kept) for layer in self.layers) / sum(layer.experts for layer in self.layers)

    def view(self, model: Network) -> Network:
        """A view of the model with these experts alone; those that it lacks already are no matter.

        Raises:
            PruningError: the model has other layers, or is left with too few experts somewhere.
        """
        shape = [(layer.name, layer.experts) for layer in layers_of(model)]
        if shape != [(layer.name, layer.experts) for layer in self.layers]:
            raise PruningError("this keep-list is of a network with other layers, or other numbers of experts")
        return model.view(self.changes(model))

    def changes(self, model: Network) -> Changes:
        """What of the model's own experts goes.

        Raises:
            PruningError: the model refuses it; says what it needs.
        """
        there = set(model.units)
        changes = Changes(drop=tuple(unit for unit in self.dropped if unit in there))
        if refused := model.refusal(changes, model.bounds.default):
            raise PruningError(refused)
        return changes

    def to_dict(self) -> dict[str, Any]:
        """The keep-list as plain values: names of experts count from 1, ``indices`` from 0."""
        layers = [
            {
                "layer": layer.name,
                "index": layer.index,
                "experts": layer.experts,
                "kept": list(layer.units),
                "indices": list(layer.kept),
            }
            for layer in self.layers
        ]
        return {"format": FORMAT, **self.made, "share": self.share, "layers": layers}

    def to_json(self) -> str:
        """What ``from_json`` reads."""
        return json.dumps(self.to_dict(), indent=1)

    def to_lines(self) -> str:
        """Return a line of JSON for each layer, with the experts that stay: {"0": [3, 5]}, both counted from 0."""
        return "".join(json.dumps({str(layer.index): list(layer.kept)}) + "\n" for layer in self.layers)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a keep-list.

        Raises:
            PruningError: a text that is none.
        """
        try:
            given = json.loads(text)
            if given.pop("format") != FORMAT:
                raise PruningError("another format")
            given.pop("share", None)
            layers = tuple(
                KeptLayer(
                    str(each["layer"]), int(each["index"]), int(each["experts"]), tuple(map(int, each["indices"]))
                )
                for each in given.pop("layers")
            )
            if any(sorted(set(each.kept) & set(range(each.experts))) != list(each.kept) for each in layers):
                raise PruningError("places that are none")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise PruningError(
                f'a keep-list is JSON with "format": "{FORMAT}" and "layers", each with layer, index, experts and'
                " indices, which count from 0 and grow"
            ) from error
        return cls(layers, given)


class Room:
    """Who may still go: as many as a share leaves to go, and as many of a layer as a token needs stay.

    Args:
        keep: share of experts that stays, of every layer or of all together, at least.

    Raises:
        PruningError: a share that is none, or a network whose tokens take no experts.
    """

    def __init__(self, model: Network, keep: float, scope: Scope = "layer") -> None:
        if not 0 <= keep <= 1:
            raise PruningError(f"a share that is kept is from 0 to 1, not {keep:g}")
        if scope not in SCOPES:
            raise PruningError(f"a share is of {' or '.join(SCOPES)}, not {scope!r}")
        self._model, self._gone, there = model, list[str](), set(model.units)
        self._layer_of, self._spare = dict[str, str](), Counter[str]()
        for layer in layers_of(model):
            own = [unit for unit in layer.units if unit in there]
            self._layer_of |= dict.fromkeys(own, layer.name)
            stay = max(layer.top_k, _stays(len(own), keep) if scope == "layer" else 0)
            self._spare[layer.name] = max(0, len(own) - stay)
        whole = len(self._layer_of)
        self.total = sum(self._spare.values())
        if scope == "all":
            self.total = min(self.total, whole - _stays(whole, keep))

    @property
    def gone(self) -> tuple[str, ...]:
        """Who went, in that order."""
        return tuple(self._gone)

    @property
    def full(self) -> bool:
        """Whether nobody else may go."""
        return len(self._gone) >= self.total

    def may(self, unit: str, careful: bool = True) -> bool:
        """Whether a unit may go too; ``careful``: the network itself is asked, which takes time for many units."""
        if self.full or unit not in self._layer_of or unit in self._gone or not self._spare[self._layer_of[unit]]:
            return False
        changes = Changes(drop=(*self._gone, unit))
        return not careful or self._model.refusal(changes, self._model.bounds.default) is None

    def take(self, unit: str) -> None:
        """A unit goes."""
        self._gone.append(unit)
        self._spare[self._layer_of[unit]] -= 1


def _stays(count: int, keep: float) -> int:
    """How many of so many stay: the share, rounded up; what is a whole number but for rounding is that number."""
    return math.ceil(round(count * keep, 9))


def kept_of(
    model: Network,
    order: Sequence[str],
    keep: float,
    scope: Scope = "layer",
    made: Mapping[str, str | float | int] | None = None,
) -> KeepList:
    """The keep-list where experts go in this order until a share is left.

    Args:
        order: units, the first to go first; those that it does not name stay.
        keep: share that stays, of every layer or of all layers together; where tokens need more, more stay.
        made: what else the keep-list says of how it was made.

    Raises:
        PruningError: a share that is none, or a network whose tokens take no experts.
    """
    for careful in (False, True):  # groups of experts may ask for more than numbers by layer
        room = Room(model, keep, scope)
        for unit in order:
            if room.may(unit, careful):
                room.take(unit)
        if model.refusal(Changes(drop=room.gone), model.bounds.default) is None:
            break
    said: dict[str, str | float | int] = {"model": model.id, "revision": model.revision, "keep": keep, "scope": scope}
    return KeepList(_kept(model, set(model.units) - set(room.gone)), {**said, **(made or {})})


def _kept(model: Network, stay: set[str]) -> tuple[KeptLayer, ...]:
    """The layers with the experts that stay."""
    return tuple(
        KeptLayer(
            layer.name, layer.index, layer.experts, tuple(e for e, unit in enumerate(layer.units) if unit in stay)
        )
        for layer in layers_of(model)
    )


def kept_with(
    model: Network,
    order: Sequence[str],
    counts: Sequence[int],
    made: Mapping[str, str | float | int] | None = None,
) -> KeepList:
    """The keep-list where every layer keeps a number of its own, and experts of it go in this order.

    Args:
        order: units, the first to go first; those that it does not name go last, in the order of the network.
        counts: how many experts each layer keeps.
        made: what else the keep-list says of how it was made.

    Raises:
        PruningError: not a number for each layer, fewer than a token takes or more than there are, a set of experts
            that the network refuses, or a network whose tokens take no experts.
    """
    check_counts(model, counts)
    place = {unit: at for at, unit in enumerate(order)}
    stay = set[str]()
    for layer, count in zip(layers_of(model), counts, strict=True):
        stay.update(sorted(layer.units, key=lambda unit: place.get(unit, len(place)))[layer.experts - count :])
    found = KeepList(_kept(model, stay), {"model": model.id, "revision": model.revision, **(made or {})})
    found.changes(model)
    return found


def check_counts(model: Network, counts: Sequence[int]) -> None:
    """Whether every layer can keep so many experts, whichever they are.

    Raises:
        PruningError: it cannot; says what could be.
    """
    layers = layers_of(model)
    if len(counts) != len(layers):
        raise PruningError(f"give a number for each of {len(layers)} layers, not {len(counts)}")
    for layer, count in zip(layers, counts, strict=True):
        if not layer.top_k <= count <= layer.experts:
            takes = f"a token takes {layer.top_k}, so {layer.top_k} to {layer.experts} can be kept"
            name = layer.name.removeprefix("l")
            raise PruningError(f"layer {name} cannot keep {count} of {layer.experts} experts: {takes}")


def shares_of(model: Network, scope: Scope = "layer", most: int = 8) -> tuple[float, ...]:
    """Shares that a curve goes through, falling: evenly spaced numbers of experts, from one fewer than all down to as
    few as tokens allow.

    Args:
        most: how many shares at most.

    Raises:
        PruningError: a network whose tokens take no experts.
    """
    layers = layers_of(model)
    if scope == "all":
        whole, least = sum(layer.experts for layer in layers), sum(layer.top_k for layer in layers)
    else:
        widest = max(layers, key=lambda layer: layer.experts)
        whole, least = widest.experts, widest.top_k
    numbers = np.unique(np.linspace(least, whole - 1, max(1, min(most, whole - least))).round().astype(int))
    return tuple(float(number) / whole for number in numbers[::-1] if number < whole)


# -- orders ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExpertUsage:
    """By how many tokens each expert was taken, and the sum of the shares of routing weight that it had."""

    tokens: Mapping[str, float]
    weight: Mapping[str, float]

    __repr__ = short_repr


def observed(
    model: Network,
    datasets: Sequence[Samples],
    limit: int | None = None,
    progress: Progress | None = None,
    turn: PieceRunner = at_once,
) -> ExpertUsage:
    """Count, over the tokens of all samples that are no padding, who takes which experts with what weight.

    Args:
        limit: only the first so many samples of each data set.
        progress: called with (samples done, samples in all, what is done); an exception it raises cancels.
        turn: runs each batch.

    Raises:
        PruningError: a network whose tokens take no experts.
    """
    observer = UseObserver(model, datasets, limit)
    for done, total in in_turns(observer, turn):
        if progress is not None:
            progress(done, total, "observing experts")
    return observer.result()


class UseObserver:
    """Counts what ``observed`` gives; an iteration is one batch, in as many samples as the network computes at once.

    Args:
        limit: only the first so many samples of each data set.

    Raises:
        PruningError: a network whose tokens take no experts.
    """

    def __init__(self, model: Network, datasets: Sequence[Samples], limit: int | None = None) -> None:
        self._model, self._layers = model, layers_of(model)
        self._counts = [(each, len(each) if limit is None else min(limit, len(each))) for each in datasets]
        self._use, self._weight = ([np.zeros(layer.experts) for layer in self._layers] for _ in range(2))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(samples done, samples in all)."""
        done, total = 0, sum(count for _, count in self._counts)
        for dataset, count in self._counts:
            for batch in routed(self._model, dataset, count, Intervention(), FIELDS):
                if batch is None:
                    continue
                for step, fields in enumerate(zip(*(batch.fields[name] for name in FIELDS), strict=True)):
                    self._add(step, *fields)
                done += len(batch.rows)
                yield done, total

    def _add(self, step: int, experts: Num[np.ndarray, "n t K"], weights: Num[np.ndarray, "n t K"]) -> None:
        there = experts >= 0
        applied = np.where(there, weights, 0.0)
        whole = applied.sum(axis=-1, keepdims=True)
        part = np.divide(applied, whole, out=np.zeros_like(applied), where=whole > 0)
        places, count = experts[there].astype(np.int64), len(self._use[step])
        self._use[step] += np.bincount(places, minlength=count)
        self._weight[step] += np.bincount(places, part[there], minlength=count)

    def result(self) -> ExpertUsage:
        """What was counted so far."""
        return ExpertUsage(_named(self._layers, self._use), _named(self._layers, self._weight))


def _named(layers: Sequence[RoutedLayer], sums: Sequence[Num[np.ndarray, " expert"]]) -> dict[str, float]:
    pairs = zip(layers, sums, strict=True)
    return {unit: float(own) for layer, row in pairs for unit, own in zip(layer.units, row, strict=True)}


def by_least(model: Network, amount: Mapping[str, float]) -> tuple[str, ...]:
    """Units from the least amount on; of equal ones in the order of the network."""
    return tuple(sorted(model.units, key=lambda unit: amount[unit]))


def by_chance(model: Network, seed: int = 0) -> tuple[str, ...]:
    """Units in an order that the seed decides."""
    order = np.random.default_rng(seed).permutation(len(model.units))
    return tuple(model.units[place] for place in order)


def by_effect(model: Network, value: Value) -> tuple[str, ...]:
    """Units whose drop alone costs least first; those that cannot be dropped come last.

    Args:
        value: scores with only some units left, always on the same samples, such as
            ``routescope.routing.caused.scoring.KeptUnits``.
    """
    costs = _costs(model, cache(value), Room(model, 0.0, "all"), ())
    return tuple(sorted(model.units, key=costs.__getitem__))


def greedily(
    model: Network,
    value: Value,
    keep: float,
    scope: Scope = "layer",
    at_once: int = 1,
) -> tuple[str, ...]:
    """Units in the order in which they go where what each costs is measured again after every step.

    It takes about as many scores as there are units, for every step; it ends where a share is left.

    Args:
        keep, scope: as of ``kept_of``; of a list with a larger share it is the beginning.
        at_once: units that go between two rounds of scores.

    Raises:
        PruningError: a share that is none, fewer than one at once, or a network whose tokens take no experts.
    """
    if at_once < 1:
        raise PruningError(f"one unit or more goes at once, not {at_once}")
    room, value = Room(model, keep, scope), cache(value)
    while not room.full:
        cost, before = _costs(model, value, room, room.gone), len(room.gone)
        for unit in sorted(cost, key=cost.__getitem__):
            if len(room.gone) < before + at_once and math.isfinite(cost[unit]) and room.may(unit):
                room.take(unit)
        if len(room.gone) == before:
            break
    return room.gone


def scores_of_order(model: Network, order: Order, at_once: int = 1) -> int:
    """How many sets of experts are scored, at most, before an order is known; greedily down to what tokens need.

    Raises:
        PruningError: a network whose tokens take no experts.
    """
    units, room = len(model.units), Room(model, 0.0, "all")
    if order == "effect":
        return units + 1
    return sum(units - gone + 1 for gone in range(0, room.total, at_once)) if order == "greedy" else 0


def _costs(model: Network, value: Value, room: Room, gone: Sequence[str]) -> dict[str, float]:
    """What the figure is worse by when a unit goes too, for each that is left; infinite for those that may not go."""
    left = frozenset(model.units) - set(gone)
    whole = value(left).worth
    return {
        unit: whole - value(left - {unit}).worth if room.may(unit) else math.inf for unit in model.units if unit in left
    }


#: What is done while an order is looked for, for people.
DOING: Mapping[Order, str] = {
    "tokens": "counting tokens",
    "weight": "observing routing weight",
    "effect": "dropping each expert alone",
    "greedy": "dropping experts one after the other",
    "chance": "drawing an order",
}


def find_order(
    model: Network,
    datasets: Sequence[Samples],
    order: Order,
    *,
    keep: float = 0.0,
    scope: Scope = "all",
    together: int = 1,
    seed: int = 0,
    scorer: Scorer | None = None,
    turn: PieceRunner = at_once,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Return the units in the order in which they go.

    Args:
        datasets: samples on which the order is chosen, all of them.
        keep, scope: where a greedy order ends; as of ``greedily``.
        together: units that go at once in a greedy order.
        seed: of an order by chance.
        scorer: scores interventions on the same samples; None: the network runs here and now.
        turn: runs each batch in which use is observed.
        progress: called with (samples or sets of units done, in all at most, what is done); an exception it raises
            cancels.

    Raises:
        PruningError: as ``greedily``.
    """
    report = None if progress is None else partial(_reported, progress, DOING[order])
    if order == "chance":
        return by_chance(model, seed)
    if order in ("tokens", "weight"):
        used = observed(model, datasets, None, report, turn)
        return by_least(model, used.tokens if order == "tokens" else used.weight)
    most = scores_of_order(model, order, together)
    value = KeptUnits(scorer or ModelScorer(model, datasets), model.units, most=most, progress=report)
    return by_effect(model, value) if order == "effect" else greedily(model, value, keep, scope, together)


def _reported(progress: Progress, what: str, done: int, total: int, _: str) -> None:
    progress(done, total, what)


# -- what is left ----------------------------------------------------------------------------------------------


def retained(
    model: Network,
    datasets: Sequence[Samples],
    orders: Mapping[str, Sequence[str]],
    keeps: Sequence[float],
    *,
    scope: Scope = "layer",
    draws: int = 8,
    seed: int = 0,
    limit: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Retention by domain: the figure while fewer and fewer experts are kept, and what that changes, paired.

    Args:
        orders: by name, as ``kept_of`` takes them; chosen on other samples, or they look better than they are.
        keeps: shares that are kept.
        draws: random orders, of which the sets of the same size are a band.
        limit: score only the first so many samples of each data set.
        progress: called with (keep-lists done, in all, what is done); an exception it raises cancels.

    Returns:
        order, domain ("all" for all data sets together, where there are several), keep, share (of the experts that are
        really kept), figure, low, high, change, change_low, change_high (figure after minus before, 95 % paired
        bootstrap), draws. Of the order "random" figure and change are means, and low and high the least and the
        largest of the draws. ``attrs["metric"]`` names the measure.

    Raises:
        PruningError: a share that is none, an order named "random", or a network whose tokens take no experts.
    """
    scores_of = DomainScores(ModelScorer(model, datasets, limit), datasets, limit)
    whole = scores_of(Intervention())
    steps = retained_steps(
        model, scores_of, whole, orders, keeps, scope=scope, draws=draws, seed=seed, progress=progress
    )
    table = pd.DataFrame([point for points in steps for point in points], columns=list(RetainedPoint._fields))
    table.attrs = {"metric": next(iter(whole.values())).measure.name}
    return table


@dataclass(frozen=True)
class DomainScores:
    """Scores an intervention and returns the scores by domain, and of all domains together where there are several.

    Attributes:
        scorer: scores all samples of the data sets, one set after the other.
        limit: only the first so many samples of each data set are scored; None: all.
    """

    scorer: Scorer
    datasets: Sequence[Samples]
    limit: int | None = None

    def __call__(self, change: Intervention) -> dict[str, Scores]:
        scores, start, parts = self.scorer.scores(change), 0, dict[str, Scores]()
        for dataset in self.datasets:
            stop = start + (len(dataset) if self.limit is None else min(self.limit, len(dataset)))
            parts[dataset.domain], start = scores.take(slice(start, stop)), stop
        return parts if len(parts) < 2 else {**parts, EVERYTHING: scores}


def retained_steps(
    model: Network,
    scores_of: Callable[[Intervention], dict[str, Scores]],
    whole: Mapping[str, Scores],
    orders: Mapping[str, Sequence[str]],
    keeps: Sequence[float | Sequence[int]],
    *,
    scope: Scope = "layer",
    draws: int = 8,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[list["RetainedPoint"]]:
    """Yield the rows of ``retained`` share by share, as soon as they are scored.

    Args:
        scores_of: as ``DomainScores``.
        whole: scores by domain with all experts.
        keeps: shares that are kept, or how many experts each layer keeps; random orders that a network refuses with
            these numbers are left out.

    Raises:
        PruningError: as ``retained``, and numbers that the network cannot be left with.
    """
    if RANDOM in orders or not whole or draws < 0:
        raise PruningError(f"give data sets, no order named {RANDOM!r}, and 0 random orders or more")
    done, total = 0, len(keeps) * (len(orders) + draws)
    chance = {f"{RANDOM} {draw}": by_chance(model, seed + draw) for draw in range(draws)}
    for number, keep in enumerate(keeps):
        rows, drawn, share, kept_share = list[RetainedPoint](), list[Mapping[str, Scores]](), 0.0, 0.0
        for name, order in {**orders, **chance}.items():
            try:
                kept = _left_by(model, order, keep, scope)
            except PruningError:
                if name not in chance:
                    raise
                kept = None
            if kept is not None:
                share, after = kept.share, scores_of(Intervention(drop=kept.dropped))
                kept_share = keep if isinstance(keep, float | int) else share
                if name in chance:
                    drawn.append(after)
                else:
                    rows += points_of(name, kept_share, share, whole, after)
            done += 1
            if progress is not None:
                progress(done, total, f"measuring {number + 1} of {len(keeps)} shares")
        yield rows + (band_of(kept_share, share, whole, drawn) if drawn else [])


def _left_by(model: Network, order: Sequence[str], keep: float | Sequence[int], scope: Scope) -> KeepList | None:
    """The keep-list of a share, or of numbers by layer."""
    if isinstance(keep, float | int):
        return kept_of(model, order, keep, scope)
    return kept_with(model, order, keep)


class RetainedPoint(NamedTuple):
    """A row of ``retained``."""

    order: str
    domain: str
    keep: float
    share: float
    figure: float
    low: float
    high: float
    change: float
    change_low: float
    change_high: float
    draws: int


def points_of(
    order: str, keep: float, share: float, whole: Mapping[str, Scores], after: Mapping[str, Scores]
) -> list[RetainedPoint]:
    """What is left, by domain, where ``share`` of the experts is kept: the figure and its change, paired, with 95 %.

    Args:
        whole, after: scores by domain of the same samples, with all experts and with those that are kept.
    """
    found = []
    for domain, before in whole.items():
        scores, change = after[domain], drop_effect(before, after[domain]).figure
        figures = (scores.figure, *scores.interval, change.value, change.low, change.high)
        found.append(RetainedPoint(order, domain, keep, share, *figures, 1))
    return found


def band_of(
    keep: float, share: float, whole: Mapping[str, Scores], drawn: Sequence[Mapping[str, Scores]]
) -> list[RetainedPoint]:
    """The same of random sets: their mean, and the least and the largest of them."""
    found = []
    for domain, before in whole.items():
        each = [(after[domain].figure, drop_effect(before, after[domain]).figure.value) for after in drawn]
        of_figure, of_change = ((float(np.mean(own)), min(own), max(own)) for own in zip(*each, strict=True))
        found.append(RetainedPoint(RANDOM, domain, keep, share, *of_figure, *of_change, len(drawn)))
    return found
