"""Pruning mixtures of experts: orders in which experts are dropped, lists of those kept, and the figure that remains.

An order names the experts to drop, first to last. By use and by weight it is observed; by effect, and greedily, it is
caused: the cost of dropping an expert on samples, paired. Use predicts effect badly, so random sets of the same size
belong beside every order.
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
from routescope.nn.mixture.routed import RoutedNetwork
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
#: Base of a share: every layer on its own, or all layers together.
Scope = Literal["layer", "all"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
#: Format named in the file of a keep-list.
FORMAT = "routescope keep-list 1"
#: The name of random sets, and of all domains together, in tables.
RANDOM, EVERYTHING = "random", "all"
#: Fields with the experts of a token, and their weights.
FIELDS = ("top_experts", "top_weights")


class PruningError(ValueError):
    """A pruning that the network refuses, or a file that is no keep-list; the message says what is accepted."""


def layers_of(model: Network) -> tuple[RoutedLayer, ...]:
    """Return the layers of a network that route; raises PruningError for a network without routed experts."""
    if not isinstance(model, RoutedNetwork):
        raise PruningError("experts are pruned of networks whose tokens take the best few of many; this one has none")
    return model.routed_layers


@dataclass(frozen=True)
class KeptLayer:
    """Kept experts of a layer, its index in the checkpoint and its number of experts; experts are counted from 0, as
    checkpoints do."""

    name: str
    index: int
    experts: int
    kept: tuple[int, ...]

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the experts that are kept."""
        return tuple(f"{self.name}.e{expert + 1}" for expert in self.kept)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Names of the others."""
        return tuple(f"{self.name}.e{expert + 1}" for expert in range(self.experts) if expert not in set(self.kept))


@dataclass(frozen=True)
class KeepList:
    """Kept experts, layer by layer; ``made`` holds facts such as model, revision and order."""

    layers: tuple[KeptLayer, ...]
    made: Mapping[str, str | float | int]

    __repr__ = short_repr

    @property
    def dropped(self) -> tuple[str, ...]:
        """Names of all experts that are dropped."""
        return tuple(unit for layer in self.layers for unit in layer.dropped)

    @property
    def share(self) -> float:
        """Share of all experts that is kept."""
        return sum(len(layer.kept) for layer in self.layers) / sum(layer.experts for layer in self.layers)

    def view(self, model: Network) -> Network:
        """Return a view with these experts alone; raises PruningError for other layers, or too few experts."""
        shape = [(layer.name, layer.experts) for layer in layers_of(model)]
        if shape != [(layer.name, layer.experts) for layer in self.layers]:
            raise PruningError("this keep-list is of a network with other layers, or other numbers of experts")
        return model.view(self.changes(model))

    def changes(self, model: Network) -> Changes:
        """Return the model's experts to drop; raises PruningError, which says what the model needs."""
        units = set(model.units)
        changes = Changes(drop=tuple(unit for unit in self.dropped if unit in units))
        if refused := model.refusal(changes, model.bounds.default):
            raise PruningError(refused)
        return changes

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: names of experts count from 1, ``indices`` from 0."""
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
        """Return the text that ``from_json`` reads."""
        return json.dumps(self.to_dict(), indent=1)

    def to_lines(self) -> str:
        """Return a line of JSON for each layer, with the experts that stay: {"0": [3, 5]}, both counted from 0."""
        return "".join(json.dumps({str(layer.index): list(layer.kept)}) + "\n" for layer in self.layers)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a keep-list; raises PruningError for another text."""
        try:
            given = json.loads(text)
            if given.pop("format") != FORMAT:
                raise PruningError("another format")
            given.pop("share", None)
            layers = tuple(
                KeptLayer(str(row["layer"]), int(row["index"]), int(row["experts"]), tuple(map(int, row["indices"])))
                for row in given.pop("layers")
            )
            if any(sorted(set(layer.kept) & set(range(layer.experts))) != list(layer.kept) for layer in layers):
                raise PruningError("indices that no expert has")
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise PruningError(
                f'a keep-list is JSON with "format": "{FORMAT}" and "layers", each with layer, index, experts and'
                " indices, which count from 0 and grow"
            ) from error
        return cls(layers, given)


class _DropBudget:
    """Units that can still be dropped, given the share to keep and the experts that a token needs in each layer.

    Args:
        keep: share of experts that stays, of every layer or of all together, at least.

    Raises:
        PruningError: no share from 0 to 1, or a network without routed experts.
    """

    def __init__(self, model: Network, keep: float, scope: Scope = "layer") -> None:
        if not 0 <= keep <= 1:
            raise PruningError(f"a share that is kept is from 0 to 1, not {keep:g}")
        if scope not in SCOPES:
            raise PruningError(f"a share is of {' or '.join(SCOPES)}, not {scope!r}")
        self._model, self.dropped, units = model, list[str](), set(model.units)
        self._layer_of, self._spare = dict[str, str](), Counter[str]()
        for layer in layers_of(model):
            experts = [unit for unit in layer.units if unit in units]
            self._layer_of |= dict.fromkeys(experts, layer.name)
            stay = max(layer.top_k, _kept_count(len(experts), keep) if scope == "layer" else 0)
            self._spare[layer.name] = max(0, len(experts) - stay)
        whole = len(self._layer_of)
        self.total = sum(self._spare.values())
        if scope == "all":
            self.total = min(self.total, whole - _kept_count(whole, keep))

    @property
    def spent(self) -> bool:
        """Whether no further unit can be dropped."""
        return len(self.dropped) >= self.total

    def allows(self, unit: str, careful: bool = True) -> bool:
        """Whether a unit can be dropped too; ``careful``: ask the network itself, which is slow for many units."""
        if self.spent or unit not in self._layer_of or unit in self.dropped or not self._spare[self._layer_of[unit]]:
            return False
        changes = Changes(drop=(*self.dropped, unit))
        return not careful or self._model.refusal(changes, self._model.bounds.default) is None

    def drop(self, unit: str) -> None:
        """Drop a unit."""
        self.dropped.append(unit)
        self._spare[self._layer_of[unit]] -= 1


def _kept_count(count: int, keep: float) -> int:
    """Return the share of a count, rounded up; a whole number but for rounding errors is that number."""
    return math.ceil(round(count * keep, 9))


def kept_of(
    model: Network,
    order: Sequence[str],
    keep: float,
    scope: Scope = "layer",
    made: Mapping[str, str | float | int] | None = None,
) -> KeepList:
    """Return the keep-list where experts are dropped in this order until a share is left.

    Args:
        order: units to drop, first to last; unnamed ones stay.
        keep: share that stays, of every layer or of all layers together; more stay where tokens need them.
        made: further facts for the keep-list.

    Raises:
        PruningError: no share from 0 to 1, or a network without routed experts.
    """
    for careful in (False, True):  # groups of experts may ask for more than numbers by layer
        budget = _DropBudget(model, keep, scope)
        for unit in order:
            if budget.allows(unit, careful):
                budget.drop(unit)
        if model.refusal(Changes(drop=tuple(budget.dropped)), model.bounds.default) is None:
            break
    facts: dict[str, str | float | int] = {"model": model.id, "revision": model.revision, "keep": keep, "scope": scope}
    return KeepList(_kept_layers(model, set(model.units) - set(budget.dropped)), {**facts, **(made or {})})


def _kept_layers(model: Network, stay: set[str]) -> tuple[KeptLayer, ...]:
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
    """Return the keep-list where every layer keeps its own number of experts, dropped in this order.

    Args:
        order: units to drop, first to last; unnamed ones are dropped last, in the order of the network.
        counts: number of experts that each layer keeps.
        made: further facts for the keep-list.

    Raises:
        PruningError: numbers that do not fit the layers, experts that the network refuses, or a network without
            experts.
    """
    check_counts(model, counts)
    rank = {unit: position for position, unit in enumerate(order)}
    stay = set[str]()
    for layer, count in zip(layers_of(model), counts, strict=True):
        stay.update(sorted(layer.units, key=lambda unit: rank.get(unit, len(rank)))[layer.experts - count :])
    keep_list = KeepList(_kept_layers(model, stay), {"model": model.id, "revision": model.revision, **(made or {})})
    keep_list.changes(model)
    return keep_list


def check_counts(model: Network, counts: Sequence[int]) -> None:
    """Check that every layer can keep its number of experts; raises PruningError, which says what it can keep."""
    layers = layers_of(model)
    if len(counts) != len(layers):
        raise PruningError(f"give a number for each of {len(layers)} layers, not {len(counts)}")
    for layer, count in zip(layers, counts, strict=True):
        if not layer.top_k <= count <= layer.experts:
            takes = f"a token takes {layer.top_k}, so {layer.top_k} to {layer.experts} can be kept"
            name = layer.name.removeprefix("l")
            raise PruningError(f"layer {name} cannot keep {count} of {layer.experts} experts: {takes}")


def shares_of(model: Network, scope: Scope = "layer", most: int = 8) -> tuple[float, ...]:
    """Return the falling shares of a curve: evenly spaced numbers of experts, from one fewer than all to the fewest
    that tokens allow.

    Args:
        most: number of shares at most.

    Raises:
        PruningError: a network without routed experts.
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
    """Number of tokens that took each expert, and the sum of its shares of their routing weight."""

    tokens: Mapping[str, float]
    weight: Mapping[str, float]

    __repr__ = short_repr


def expert_usage(
    model: Network,
    datasets: Sequence[Samples],
    limit: int | None = None,
    progress: Progress | None = None,
    turn: PieceRunner = at_once,
) -> ExpertUsage:
    """Count the tokens of each expert, and its share of their routing weight, over all tokens without padding.

    Args:
        limit: use only the first so many samples of each data set.
        progress: called with (samples done, samples in all, what is done); an exception it raises cancels.
        turn: runs each batch, which has as many samples as the network computes at once.

    Raises:
        PruningError: a network without routed experts.
    """
    layers = layers_of(model)
    tokens, weight = ([np.zeros(layer.experts) for layer in layers] for _ in range(2))
    counts = [len(data) if limit is None else min(limit, len(data)) for data in datasets]
    done = 0
    for data, count in zip(datasets, counts, strict=True):
        batches = routed(model, data, count, Intervention(), FIELDS)
        for batch in in_turns((batch for batch in batches if batch is not None), turn):
            for step, (experts, weights) in enumerate(zip(*(batch.fields[name] for name in FIELDS), strict=True)):
                taken = experts >= 0
                applied = np.where(taken, weights, 0.0)
                total = applied.sum(axis=-1, keepdims=True)
                parts = np.divide(applied, total, out=np.zeros_like(applied), where=total > 0)[taken]
                indices = experts[taken].astype(np.int64)
                tokens[step] += np.bincount(indices, minlength=len(tokens[step]))
                weight[step] += np.bincount(indices, parts, minlength=len(tokens[step]))
            done += len(batch.rows)
            if progress is not None:
                progress(done, sum(counts), "observing experts")
    return ExpertUsage(_by_unit(layers, tokens), _by_unit(layers, weight))


def _by_unit(layers: Sequence[RoutedLayer], sums: Sequence[Num[np.ndarray, " expert"]]) -> dict[str, float]:
    pairs = zip(layers, sums, strict=True)
    return {unit: float(amount) for layer, row in pairs for unit, amount in zip(layer.units, row, strict=True)}


def by_least(model: Network, amount: Mapping[str, float]) -> tuple[str, ...]:
    """Return the units from the least amount on; equal ones in the order of the network."""
    return tuple(sorted(model.units, key=lambda unit: amount[unit]))


def by_chance(model: Network, seed: int = 0) -> tuple[str, ...]:
    """Return the units in a random order."""
    order = np.random.default_rng(seed).permutation(len(model.units))
    return tuple(model.units[position] for position in order)


def by_effect(model: Network, value: Value) -> tuple[str, ...]:
    """Return the units by the cost of dropping each alone, the least first; those that cannot be dropped last.

    Args:
        value: scores with only some units left, always on the same samples, such as ``KeptUnits``.
    """
    costs = _costs(model, cache(value), _DropBudget(model, 0.0, "all"))
    return tuple(sorted(model.units, key=costs.__getitem__))


def greedily(
    model: Network,
    value: Value,
    keep: float,
    scope: Scope = "layer",
    at_once: int = 1,
) -> tuple[str, ...]:
    """Return the units in the order in which they are dropped, with costs measured again after every step.

    It takes about as many scores as there are units, for every step; it ends where a share is left.

    Args:
        keep, scope: as in ``kept_of``; with a smaller share the order begins alike.
        at_once: units that are dropped between two rounds of scores.

    Raises:
        PruningError: no share from 0 to 1, fewer than one at once, or a network without routed experts.
    """
    if at_once < 1:
        raise PruningError(f"one unit or more goes at once, not {at_once}")
    budget, value = _DropBudget(model, keep, scope), cache(value)
    while not budget.spent:
        cost, before = _costs(model, value, budget), len(budget.dropped)
        for unit in sorted(cost, key=cost.__getitem__):
            if len(budget.dropped) < before + at_once and math.isfinite(cost[unit]) and budget.allows(unit):
                budget.drop(unit)
        if len(budget.dropped) == before:
            break
    return tuple(budget.dropped)


def scores_of_order(model: Network, order: Order, at_once: int = 1) -> int:
    """Return the most sets scored to find an order, greedily down to top-k; raises PruningError without experts."""
    units, most = len(model.units), _DropBudget(model, 0.0, "all").total
    if order == "effect":
        return units + 1
    return sum(units - dropped + 1 for dropped in range(0, most, at_once)) if order == "greedy" else 0


def _costs(model: Network, value: Value, budget: "_DropBudget") -> dict[str, float]:
    """Return the loss of the figure by each further unit that is dropped; infinite for units that cannot be."""
    left = frozenset(model.units) - set(budget.dropped)
    whole = value(left).worth
    return {
        unit: whole - value(left - {unit}).worth if budget.allows(unit) else math.inf
        for unit in model.units
        if unit in left
    }


#: Steps of finding an order, in words.
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
    """Return the units in the order in which they are dropped.

    Args:
        datasets: samples on which the order is chosen, all of them.
        keep, scope: end of a greedy order; as in ``greedily``.
        together: units that are dropped at once in a greedy order.
        seed: of a random order.
        scorer: scores interventions on the same samples; None: the network runs here and now.
        turn: runs each batch in which use is observed.
        progress: called with (samples or sets of units done, most in all, what is done); an exception it raises
            cancels.
    """
    report = None if progress is None else partial(_reported, progress, DOING[order])
    if order == "chance":
        return by_chance(model, seed)
    if order in ("tokens", "weight"):
        used = expert_usage(model, datasets, None, report, turn)
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
    """Return the figure by domain while fewer and fewer experts are kept, and its paired change.

    Args:
        orders: by name, as ``kept_of`` takes them; chosen on other samples, or they look better than they are.
        keeps: shares that are kept.
        draws: random orders, whose sets of the same size are a band.
        limit: score only the first so many samples of each data set.
        progress: called with (keep-lists done, in all, what is done); an exception it raises cancels.

    Returns:
        order, domain ("all" for all data sets together, where there are several), keep, share (of experts really kept),
        figure, low, high, change, change_low, change_high (figure after minus before, 95 % paired bootstrap), draws.
        For the order "random" figure and change are means, and low and high the least and the largest of the draws.
        ``attrs["metric"]`` names the measure.

    Raises:
        PruningError: no share from 0 to 1, an order named "random", or a network without routed experts.
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
    """Scores an intervention by domain, and for all domains together where there are several.

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
        keeps: shares that are kept, or numbers of experts that each layer keeps; random orders that a network refuses
            with these numbers are left out.

    Raises:
        PruningError: as ``retained``, and numbers that the network refuses.
    """
    if RANDOM in orders or not whole or draws < 0:
        raise PruningError(f"give data sets, no order named {RANDOM!r}, and 0 random orders or more")
    done, total = 0, len(keeps) * (len(orders) + draws)
    chance = {f"{RANDOM} {draw}": by_chance(model, seed + draw) for draw in range(draws)}
    for number, keep in enumerate(keeps):
        rows, drawn, share, kept_share = list[RetainedPoint](), list[Mapping[str, Scores]](), 0.0, 0.0
        for name, order in {**orders, **chance}.items():
            done += 1
            try:
                kept = (
                    kept_of(model, order, keep, scope)
                    if isinstance(keep, float | int)
                    else kept_with(model, order, keep)
                )
            except PruningError:
                if name not in chance:
                    raise
            else:
                share, after = kept.share, scores_of(Intervention(drop=kept.dropped))
                kept_share = keep if isinstance(keep, float | int) else share
                if name in chance:
                    drawn.append(after)
                else:
                    rows += _points_of(name, kept_share, share, whole, after)
            if progress is not None:
                progress(done, total, f"measuring {number + 1} of {len(keeps)} shares")
        yield rows + (_band_of(kept_share, share, whole, drawn) if drawn else [])


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


def _points_of(
    order: str, keep: float, share: float, whole: Mapping[str, Scores], after: Mapping[str, Scores]
) -> list[RetainedPoint]:
    points = []
    for domain, before in whole.items():
        scores, change = after[domain], drop_effect(before, after[domain]).figure
        figures = (scores.figure, *scores.interval, change.value, change.low, change.high)
        points.append(RetainedPoint(order, domain, keep, share, *figures, 1))
    return points


def _band_of(
    keep: float, share: float, whole: Mapping[str, Scores], drawn: Sequence[Mapping[str, Scores]]
) -> list[RetainedPoint]:
    """Return the rows of random sets: their mean, and the least and the largest of them."""
    points = []
    for domain, before in whole.items():
        pairs = [(after[domain].figure, drop_effect(before, after[domain]).figure.value) for after in drawn]
        bands = ((float(np.mean(values)), min(values), max(values)) for values in zip(*pairs, strict=True))
        of_figure, of_change = bands
        points.append(RetainedPoint(RANDOM, domain, keep, share, *of_figure, *of_change, len(drawn)))
    return points
