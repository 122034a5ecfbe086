"""Importance: the effect of ablating a unit. How much a unit is used is another question."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import xarray as xr
from jaxtyping import Bool

from routescope.data.samples import Samples
from routescope.nn.measures import LOSS_SIGN, PAIR_SIGN, change_sign, signs_of
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import LinkedNetwork, Network
from routescope.nn.shown import change_of, change_unit, figure, html, short_repr
from routescope.routing.caused.connectivity import by_connectivity
from routescope.routing.caused.distributions import Distribution, choose_distribution, distribution_of
from routescope.routing.caused.effects import drop_effect
from routescope.routing.caused.importance_plan import NoPlan, Plan, check_kind
from routescope.routing.caused.intervals import weighted_interval
from routescope.routing.caused.retention import no_curves, retention
from routescope.routing.caused.scores import Scores
from routescope.routing.caused.scoring import KeptUnits, ModelScorer, all_subsets
from routescope.routing.caused.shapley import shapley_exact, shapley_sampled
from routescope.routing.caused.subsets import Value, direction, values_of
from routescope.routing.interactive import Interactive, InteractiveFigure
from routescope.routing.intervention import Intervention
from routescope.routing.options import Kind
from routescope.routing.progress import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def single_effects(units: Sequence[str], value: Value) -> pd.DataFrame:
    """Return the drop effect of each unit alone: the figure without the unit minus the figure with it, paired by
    sample.

    The sign is that of the measure: where more is better (accuracy, R2) the change is below 0 for a unit that helps,
    where less is better (bits, loss) above 0.

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
            (unit, *(number for part in (effect.figure, effect.loss) for number in (part.value, part.low, part.high)))
        )
    table = pd.DataFrame(rows, columns=["unit", "change", "low", "high", "loss_change", "loss_low", "loss_high"])
    table.attrs = {
        "metric": whole.measure.name,
        "sign": change_sign(whole.measure.higher_is_better),
        "loss_sign": LOSS_SIGN,
    }
    return table


def interactions(units: Sequence[str], value: Value) -> xr.Dataset:
    """Return the interaction of each pair of units: v(-uw) - v(-u) - v(-w) + v(all), with v as in ``shapley_exact``.

    v is the figure, times -1 where less is better. So by every measure the interaction is below 0 where each unit makes
    up for the loss of the other, as copies do, and above 0 where the second drop costs less after the first.

    Returns:
        value, low, high (unit, other), symmetric, with NaN on the diagonal; 95 % bootstrap over samples.
        ``attrs["sign"]`` says what the sign means.
    """
    everything, count = frozenset(units), len(units)
    intervals = np.full((3, count, count), np.nan)
    measured = "value"
    if count > 1:
        scores = value(everything)
        whole, measured, sign = values_of(scores), scores.measure.name, direction(scores.measure)
        single = [values_of(value(everything - {unit})) for unit in units]
        for i, j in combinations(range(count), 2):
            pair = values_of(value(everything - {units[i], units[j]}))
            both = sign * ((pair - single[i]) - (single[j] - whole))
            intervals[:, i, j] = intervals[:, j, i] = weighted_interval(both, scores.weight)
    names = np.array(units, dtype=str)
    variables = {
        name: (("unit", "other"), array) for name, array in zip(("value", "low", "high"), intervals, strict=True)
    }
    return xr.Dataset(variables, {"unit": names, "other": names}, {"metric": measured, "sign": PAIR_SIGN})


def orders_by_links(model: Network) -> dict[str, tuple[str, ...]]:
    """Return orders of a retention curve that drop units by their links; none for networks without links."""
    if not (isinstance(model, LinkedNetwork) and model.has_links):
        return {}
    least = by_connectivity(model)
    return {"least connected first": least, "most connected first": least[::-1]}


@dataclass(frozen=True, eq=False)
class Importance(Interactive):
    """Effects of the units of a model, on one set of samples.

    Attributes:
        kind: of ablation.
        exact: whether Shapley values are over all subsets; else they are sampled and have standard errors.
        baseline: scores of the whole model.
        single: see ``single_effects``.
        shapley: unit and value (above 0: the unit helps); low and high where exact, standard_error where sampled;
            ``attrs["total"]``. No rows where none were asked for.
        interactions: of no units where pairs were not scored.
        retention: see ``routescope.routing.caused.retention``; no rows where units were ablated alone.
        convergence: of the sampled Shapley values; None where they are exact, or missing.
        attrs: model, revision, data, iterations, seed, and the distribution of all samples: ``in``, ``out`` or
            ``unknown``; where they are set, keep_edges and top_k of the base intervention and the layer of the
            experts.
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
    scored: Mapping[frozenset[str], Scores] = field(default_factory=dict)
    flops: Mapping[frozenset[str], int | None] = field(default_factory=dict)

    __repr__ = short_repr

    def interactive_figure(self) -> InteractiveFigure:
        """Return Shapley values and drop effects of units."""
        from routescope.plots.widgets.data import importance_figure

        return importance_figure(self)

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
    def subsets(self) -> pd.DataFrame:
        """A row for every scored set: kept and number dropped, the figure as ``accuracy`` whatever its measure, with
        its 95 % interval, loss, samples_per_second and, where they were counted, flops."""
        rows = [
            {
                "kept": " ".join(unit for unit in self.units if unit in kept),
                "dropped": len(self.units) - len(kept),
                "accuracy": scores.figure,
                **dict(zip(("low", "high"), scores.interval, strict=True)),
                "loss": scores.mean_loss,
                "samples_per_second": scores.samples_per_second,
                **({"flops": self.flops[kept]} if self.flops else {}),
            }
            for kept, scores in self.scored.items()
        ]
        return pd.DataFrame(rows)

    @property
    def total(self) -> float:
        """Value of all units together, v(all) - v(none), the sum of the Shapley values; NaN where it was not scored.

        It is above 0 where the units help.
        """
        return float(self.shapley.attrs["total"])

    def tables(self) -> dict[str, Any]:
        """Return units, signs, total and tables for JSON: rows by column, None for NaN, each pair once."""
        pairs = self.interactions.to_dataframe().reset_index()
        place = {unit: number for number, unit in enumerate(self.units)}
        once = pairs["unit"].map(place) < pairs["other"].map(place)
        return {
            "units": list(self.units),
            "exact": self.exact,
            "signs": signs_of(self.baseline.measure.higher_is_better),
            "total": None if np.isnan(self.total) else self.total,
            "shapley": json_rows(self.shapley),
            "single": json_rows(self.single),
            "interactions": json_rows(pairs[once]),
            "retention": json_rows(self.retention),
            "convergence": [] if self.convergence is None else json_rows(self.convergence),
        }

    def plot(self) -> "Figure":
        """Draw Shapley values beside single effects, interactions and retention."""
        from routescope.plots.caused import draw_importance

        return draw_importance(self)


def importance(
    model: Network,
    datasets: Sequence[Samples],
    limit: int | None = None,
    kind: Kind = "drop",
    base: Intervention = Intervention(),
    *,
    permutations: int | None = None,
    pairs: bool | None = None,
    draws: int | None = None,
    layer: str | None = None,
    distribution: Distribution | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Importance:
    """Measure the effects of the units of a model: exactly with ten units or fewer, else by sampling.

    With more than ``MOST_UNITS_PAIRS`` units, Shapley values and interactions are left out unless they are asked for;
    single effects and retention curves (by these effects, by links, at random) remain. For all experts of a mixture
    single effects alone remain; within one layer there is everything. See ``Plan``.

    Args:
        limit: score only the first so many samples of each data set.
        kind: how units are ablated.
        base: further changes in every score, such as ``Intervention(top_k=3)``; it ablates no units.
        permutations: for the sampled Shapley values of more than ``MOST_UNITS_EXACT`` units; 0 leaves them out. None:
            ``PERMUTATIONS``, and 0 above ``MOST_UNITS_PAIRS`` units.
        pairs: whether to score pairs, for interactions. None: with up to ``MOST_UNITS_PAIRS`` units.
        draws: random sets of each size on the retention curve; None: ``DRAWS``, or ``SAMPLED_DRAWS`` where sampled.
        layer: name of the layer whose experts alone are ablated; the others stay as they are.
        distribution: samples that the model's card says were trained on (``in``), samples held out of training
            (``out``), or samples of which no card says it (``unknown``). No figure mixes them. None: in, else unknown,
            else out.
        seed: of permutations, random sets and donors.
        progress: called with (subsets scored, subsets to score, or the most where they are sampled; what is done); an
            exception it raises cancels.

    Raises:
        DataError: no sample is of the distribution that is asked for.
        NoPlan: no such layer, subsets of experts that cannot be dropped, or units that cannot be ablated in this way.
    """
    if base.units:
        raise NoPlan("importance ablates every unit in turn: leave drop, mute, mean and resample out of base")
    names = [distribution_of(data, model.trained_on, model.config.held_out, limit) for data in datasets]
    distribution, positions, taken = choose_distribution(names, distribution)
    datasets = [datasets[position] for position in positions]
    layers = model.routed_layers if isinstance(model, RoutedNetwork) else ()
    orders = len(orders_by_links(model))
    plan = Plan.of(model.units, layers, layer, kind, permutations=permutations, pairs=pairs, draws=draws, orders=orders)
    check_kind(model, plan.players, kind)
    scorer = ModelScorer(model, datasets, limit, seed)
    value = KeptUnits(scorer, plan.players, kind, base, taken, progress=progress)
    attrs = described(model, datasets, limit, base.iterations, taken)
    attrs |= {"kind": kind, "seed": seed, "distribution": distribution}
    optional = {"keep_edges": base.keep_edges, "top_k": base.top_k, "layer": layer}
    attrs |= {name: value for name, value in optional.items() if value is not None}
    return importance_of(model, plan, value, seed, attrs)


def json_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as JSON takes them: None for NaN and infinity."""
    finite = table.notna() & ~table.isin([np.inf, -np.inf])
    return cast(list[dict[str, Any]], table.astype(object).where(finite, None).to_dict("records"))


def importance_of(
    model: Network,
    plan: Plan,
    value: KeptUnits,
    seed: int = 0,
    attrs: Mapping[str, Any] | None = None,
    *,
    counted: int | None = None,
) -> Importance:
    """Score the sets of a plan with any scorer, and put the tables together; see ``importance``.

    Args:
        value: of the units of the plan; its progress counts sets of units.
        attrs: of the result.
        counted: as in ``retention``, where subsets are sampled.
    """
    value.most, orders = plan.subsets, orders_by_links(model) if plan.orders else {}
    tables = _from_all(plan, value, seed, orders) if plan.exact else _from_some(plan, value, seed, orders, counted)
    return Importance(plan.players, value.kind, plan.exact, attrs=attrs or {}, scored=value.scored, **tables)


def _from_all(plan: Plan, value: KeptUnits, seed: int, orders: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the tables where every subset is scored, with exact Shapley values."""
    subsets = all_subsets(value)
    if value.progress is not None:
        value.progress(plan.subsets, plan.subsets, "Shapley values, interactions and retention")
    return _tables(plan, subsets.value) | {
        "shapley": shapley_exact(subsets),
        "retention": retention(
            plan.players, subsets.value, draws=plan.draws, seed=seed, flops=subsets.flops, orders=orders
        ),
        "convergence": None,
        "flops": {kept: subsets.flops(kept) for kept in value.scored},
    }


def _from_some(
    plan: Plan, value: KeptUnits, seed: int, orders: Mapping[str, Sequence[str]], counted: int | None
) -> dict[str, Any]:
    """Return the tables where only the needed subsets are scored, with sampled Shapley values if any."""
    units, shapley, convergence = plan.players, pd.DataFrame({"unit": [], "value": [], "standard_error": []}), None
    if plan.permutations:
        value.what = "sampling orders"
        sampled = shapley_sampled(units, value, plan.permutations, seed)
        shapley, convergence = sampled.table, sampled.convergence
    value.what = "dropping units and pairs" if plan.pairs else "dropping units"
    whole = value(frozenset(units))
    if not plan.permutations:
        shapley.attrs["total"] = np.nan if plan.alone else whole.worth - value(frozenset()).worth
    tables = _tables(plan, value)
    value.what = "retention curves"
    if plan.alone:
        curves = no_curves(whole.measure.name)
    else:
        curves = retention(
            units, value, draws=plan.draws, seed=seed, greedy=False, flops=value.flops, orders=orders, counted=counted
        )
    if value.progress is not None:
        value.progress(plan.subsets, plan.subsets, "counting operations")
    return tables | {"shapley": shapley, "retention": curves, "convergence": convergence, "flops": {}}


def _tables(plan: Plan, value: Value) -> dict[str, Any]:
    return {
        "baseline": value(frozenset(plan.players)),
        "single": single_effects(plan.players, value),
        "interactions": interactions(plan.players if plan.pairs else (), value),
    }


def described(
    model: Network,
    datasets: Sequence[Samples],
    limit: int | None,
    iterations: int | None,
    taken: Bool[np.ndarray, " sample"] | None = None,
) -> dict[str, Any]:
    """Return the model, its revision, data and iterations, as attributes of files."""
    counts = [len(dataset) if limit is None else min(limit, len(dataset)) for dataset in datasets]
    if taken is not None:
        counts = [int(part.sum()) for part in np.split(taken, np.cumsum(counts)[:-1])]
    data = [
        {"name": dataset.name, "split": dataset.split, "stand_in": dataset.stand_in, "count": count}
        for dataset, count in zip(datasets, counts, strict=True)
    ]
    return {
        "model": model.id,
        "revision": model.revision,
        "data": json.dumps(data, sort_keys=True),
        "iterations": model.config.iterations if iterations is None else iterations,
    }
