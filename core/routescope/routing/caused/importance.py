"""Importance: what a unit is found to cause when it is ablated. How much a unit is used is another question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import xarray as xr

from routescope.data.dataset import LabelledSamples
from routescope.nn.measures import LOSS_SIGN, PAIR_SIGN, change_sign
from routescope.nn.network import Network
from routescope.nn.shown import change_of, change_unit, figure, html, short_repr
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.distributions import Distribution, distribution_of, of_one
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.importance_plan import Plan, check_kind
from routescope.routing.caused.intervals import weighted_interval
from routescope.routing.caused.retention import no_curves, retention
from routescope.routing.caused.scores import Scores
from routescope.routing.caused.shapley import SampledShapley, shapley_asking, shapley_exact, shapley_sampled
from routescope.routing.caused.subsets import (
    MOST_UNITS_EXACT,
    MOST_UNITS_PAIRS,
    VALUE,
    Asking,
    Metric,
    Subsets,
    Value,
    answer,
    by_sample,
    described,
    direction,
    flops_kept,
    for_each_subset,
    metric_name,
    scorer,
    subset_scores,
    weights_of,
)
from routescope.routing.intervention import Kind

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Progress = Callable[[int, int], None]
#: Scores of a set, Shapley values, and how they converged.
Found = tuple[Value, pd.DataFrame, pd.DataFrame | None]

__all__ = [
    "MOST_UNITS_EXACT",
    "MOST_UNITS_PAIRS",
    "Asking",
    "Importance",
    "Metric",
    "SampledShapley",
    "Subsets",
    "Value",
    "answer",
    "flops_kept",
    "for_each_subset",
    "importance",
    "interactions",
    "orders_by_links",
    "scorer",
    "shapley_asking",
    "shapley_exact",
    "shapley_sampled",
    "single_effects",
    "subset_scores",
]


def single_effects(units: Sequence[str], value: Value) -> pd.DataFrame:
    """Drop effect of each unit alone: the figure without the unit minus the figure with it, paired by sample.

    The change is not turned: where more is better (accuracy, R2) it is below 0 for a unit that helps, where less is
    better (bits, loss) above 0.

    Returns:
        unit, change, low, high (in the unit of the measure), loss_change, loss_low, loss_high (nats); 95 % paired
        bootstrap. ``attrs["metric"]`` names the measure, ``attrs["sign"]`` and ``attrs["loss_sign"]`` say what the
        signs mean.
    """
    everything, rows = frozenset(units), []
    whole = value(everything)
    for unit in units:
        effect = drop_effect(whole, value(everything - {unit}))
        rows.append(
            (unit, *(each for part in (effect.figure, effect.loss) for each in (part.value, part.low, part.high)))
        )
    table = pd.DataFrame(rows, columns=["unit", "change", "low", "high", "loss_change", "loss_low", "loss_high"])
    table.attrs = {
        "metric": whole.measure.name,
        "sign": change_sign(whole.measure.higher_is_better),
        "loss_sign": LOSS_SIGN,
    }
    return table


def interactions(units: Sequence[str], value: Value, metric: Metric = VALUE) -> xr.Dataset:
    """Interaction of each pair of units: v(-uw) - v(-u) - v(-w) + v(all), with v as in ``shapley_exact``.

    v is the figure, times -1 where less is better. So by every measure the interaction is below 0 where each unit makes
    up for the loss of the other, as copies do, and above 0 where the second drop costs less after the first.

    Returns:
        value, low, high (unit, other), symmetric, with NaN on the diagonal; 95 % bootstrap over samples.
        ``attrs["sign"]`` says what the sign means.

    Raises:
        ValueError: for an unknown metric.
    """
    everything, count = frozenset(units), len(units)
    found = np.full((3, count, count), np.nan)
    name = metric
    if count > 1:
        scores = value(everything)
        whole, weights, name = by_sample(scores, metric), weights_of(scores, metric), metric_name(scores, metric)
        sign = direction(scores.measure, metric)
        single = [by_sample(value(everything - {unit}), metric) for unit in units]
        for i, j in combinations(range(count), 2):
            pair = by_sample(value(everything - {units[i], units[j]}), metric)
            both = sign * ((pair - single[i]) - (single[j] - whole))
            found[:, i, j] = found[:, j, i] = weighted_interval(both, weights)
    names = np.array(units, dtype=str)
    variables = {name: (("unit", "other"), array) for name, array in zip(("value", "low", "high"), found, strict=True)}
    return xr.Dataset(variables, {"unit": names, "other": names}, {"metric": name, "sign": PAIR_SIGN})


def orders_by_links(model: Network) -> dict[str, tuple[str, ...]]:
    """Orders for a retention curve in which units go by how well they are linked; none for networks without links."""
    if model.links is None:
        return {}
    least = by_connectivity(model)
    return {"least connected first": least, "most connected first": least[::-1]}


@dataclass(frozen=True, eq=False)
class Importance:
    """Everything about what the units of a model cause, on one set of samples.

    Attributes:
        kind: of ablation.
        exact: whether Shapley values are over all subsets; else they are sampled and have standard errors.
        baseline: scores of the whole model.
        single: see ``single_effects``.
        shapley: unit and value (above 0: the unit helps); low and high where exact, standard_error where sampled;
            ``attrs["total"]``. No rows where none were asked for.
        interactions: see there; of no units where pairs were not scored.
        retention: see ``routescope.routing.caused.retention``; no rows where units were ablated alone.
        convergence: of the sampled Shapley values; None where they are exact, or not there.
        attrs: model, revision, data, iterations, seed, and the distribution of all samples: ``in``, ``out`` or
            ``unknown``; of what was changed in all of it keep_edges and top_k, and the layer where it is of one
            layer's experts.
    """

    units: tuple[str, ...]
    kind: Kind
    exact: bool
    baseline: Scores
    single: pd.DataFrame
    shapley: pd.DataFrame
    interactions: xr.Dataset
    retention: pd.DataFrame
    convergence: pd.DataFrame | None
    attrs: Mapping[str, Any]

    __repr__ = short_repr

    def _repr_html_(self) -> str:
        """Return Shapley values and drop effects by unit, the largest effects first."""
        measure = self.baseline.measure
        whole = figure(measure, self.baseline.figure, *self.baseline.interval)
        facts = {"model": self.attrs["model"], "kind": self.kind, "samples": len(self.baseline), measure.name: whole}
        values = dict(zip(self.shapley["unit"], self.shapley["value"], strict=True))
        rows = (
            (row["unit"], values.get(row["unit"], ""), change_of(measure, row["change"], row["low"], row["high"]))
            for row in self.single.sort_values("change", key=abs, ascending=False).to_dict("records")
        )
        columns = ("unit", "Shapley value", f"drop effect, {change_unit(measure)}, 95 % interval")
        return html("Importance", facts, columns, rows)

    @property
    def total(self) -> float:
        """Value of all units together, v(all) - v(none), to which Shapley values sum; NaN where it was not scored.

        It is above 0 where the units help, as each Shapley value is.
        """
        return float(self.shapley.attrs["total"])

    def plot(self) -> "Figure":
        """Shapley values beside single effects, interactions and retention."""
        from routescope.plots.caused import draw_importance

        return draw_importance(self)


def importance(
    model: Network,
    datasets: Sequence[LabelledSamples],
    limit: int | None = None,
    kind: Kind = "drop",
    iterations: int | None = None,
    *,
    permutations: int | None = None,
    pairs: bool | None = None,
    draws: int | None = None,
    keep_edges: float | None = None,
    top_k: int | None = None,
    layer: str | None = None,
    distribution: Distribution | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Importance:
    """Find out what the units of a model cause: exactly with ten units or fewer, else by sampling.

    With more than ``MOST_UNITS_PAIRS`` units, Shapley values and interactions are left out unless they are asked for:
    single effects and retention curves, by these effects, by links where there are any, and at random, remain. Of all
    experts of a mixture single effects alone remain; within one layer there is everything. See ``Plan``.

    Args:
        limit: score only the first so many samples of each data set.
        kind: how units are ablated.
        permutations: for the sampled Shapley values of more than ``MOST_UNITS_EXACT`` units; 0 leaves them out.
            None: ``PERMUTATIONS``, and 0 above ``MOST_UNITS_PAIRS`` units.
        pairs: whether to score pairs, for interactions. None: with up to ``MOST_UNITS_PAIRS`` units.
        draws: random sets of each size on the retention curve; None: ``DRAWS``, or ``SAMPLED_DRAWS`` where sampled.
        keep_edges: share of the links that are kept in all of it, for networks that link their units.
        top_k: how many experts a token takes in all of it, for networks with experts.
        layer: name of the layer whose experts alone are looked at; the others stay as they are.
        distribution: samples that the model's card says were trained on (``in``), samples left out of training
            (``out``), or samples of which no card says it (``unknown``). No figure pools them. None: in, else unknown,
            else out.
        seed: of permutations, random sets and donors.
        progress: called with (subsets scored, subsets to score; at most, where they are sampled); an exception it
            raises cancels.

    Raises:
        DataError: no sample is of the distribution that is asked for.
        NoPlan: no such layer, subsets of experts that cannot be dropped, or units that cannot be ablated in this way.
    """
    datasets, distribution, taken = _of_one(model, datasets, limit, distribution)
    orders, layers = orders_by_links(model), () if model.routing is None else model.routing.routed_layers
    plan = Plan.of(
        model.units, layers, layer, kind, permutations=permutations, pairs=pairs, draws=draws, orders=len(orders)
    )
    check_kind(model, plan.players, kind)
    scoring = _Scoring(model, datasets, limit, kind, iterations, keep_edges, top_k, seed, taken, plan)
    value, shapley, convergence = scoring.every_subset(progress) if plan.exact else scoring.some(progress)
    cut = {"keep_edges": keep_edges, "top_k": top_k, "layer": layer}
    found = Importance(
        units=plan.players,
        kind=kind,
        exact=plan.exact,
        baseline=value(frozenset(plan.players)),
        single=single_effects(plan.players, value),
        shapley=shapley,
        interactions=interactions(plan.players if plan.pairs else (), value),
        retention=scoring.retention(value, orders),
        convergence=convergence,
        attrs=described(model, datasets, limit, iterations, taken)
        | {"kind": kind, "seed": seed, "distribution": distribution}
        | {name: each for name, each in cut.items() if each is not None},
    )
    if progress is not None and not plan.exact:
        progress(plan.subsets, plan.subsets)
    return found


@dataclass(frozen=True, eq=False)
class _Scoring:
    """On what, and how, the sets of a plan are scored; see ``importance``."""

    model: Network
    datasets: Sequence[LabelledSamples]
    limit: int | None
    kind: Kind
    iterations: int | None
    keep_edges: float | None
    top_k: int | None
    seed: int
    taken: np.ndarray | None
    plan: Plan

    @property
    def _change(self) -> dict[str, Any]:
        return {"keep_edges": self.keep_edges, "top_k": self.top_k, "units": self.plan.players}

    def every_subset(self, progress: Progress | None) -> Found:
        """All of them, and the exact Shapley values."""
        subsets = subset_scores(
            self.model, self.datasets, self.limit, self.kind, self.iterations, progress,
            seed=self.seed, taken=self.taken, **self._change,
        )  # fmt: skip
        return subsets.value, shapley_exact(subsets), None

    def some(self, progress: Progress | None) -> Found:
        """Those that somebody asks for, each once, and sampled Shapley values where there are permutations."""
        units = self.plan.players
        value = scorer(
            self.model, self.datasets, self.limit, self.kind, self.iterations, self.seed, taken=self.taken,
            **self._change,
        )  # fmt: skip
        value = _remembered(value, self.plan.subsets, progress)
        if self.plan.permutations:
            sampled = shapley_sampled(units, value, self.plan.permutations, self.seed)
            return value, sampled.table, sampled.convergence
        shapley = pd.DataFrame({"unit": [], "value": [], "standard_error": []})
        whole = value(frozenset(units)).worth
        shapley.attrs["total"] = np.nan if self.plan.alone else whole - value(frozenset()).worth
        return value, shapley, None

    def retention(self, value: Value, orders: Mapping[str, Sequence[str]]) -> pd.DataFrame:
        """Curves; of units that are ablated alone there are none."""
        if self.plan.alone:
            return no_curves(value(frozenset(self.plan.players)).measure.name)
        return retention(
            self.plan.players,
            value,
            draws=self.plan.draws,
            seed=self.seed,
            greedy=self.plan.exact,
            flops=lambda kept: flops_kept(self.model, kept, self.kind, self.iterations, **self._change),
            orders=orders if self.plan.orders else {},
        )


def _of_one(
    model: Network, datasets: Sequence[LabelledSamples], limit: int | None, distribution: Distribution | None
) -> tuple[list[LabelledSamples], Distribution, np.ndarray | None]:
    """The data sets that hold samples of one distribution, which it is, and which samples are of it (None: all)."""
    names = [distribution_of(each, model.trained_on, model.config.held_out, limit) for each in datasets]
    distribution, own = of_one(names, distribution)
    there = [at for at, each in enumerate(own) if each.any()]
    if not there:
        return list(datasets), distribution, None
    taken = np.concatenate([own[at] for at in there])
    return [datasets[at] for at in there], distribution, None if taken.all() else taken


def _remembered(value: Value, most: int, progress: Progress | None) -> Value:
    """Score every set only once, and tell how many were."""
    known: dict[frozenset[str], Scores] = {}

    def remembered(kept: frozenset[str]) -> Scores:
        if kept not in known:
            known[kept] = value(kept)
            if progress is not None:
                progress(len(known), most)
        return known[kept]

    return remembered
