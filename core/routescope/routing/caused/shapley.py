"""Shapley values of units: how much each improves a network's figure, averaged over all orders of adding units.

Shapley 1953. The figure is that of the network's measure, such as accuracy or bits a byte. A value above 0 means that
the unit helps, in the unit of the measure: where less is better (bits, loss) the value counts what the unit saves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from routescope.nn.measures import VALUE_SIGN
from routescope.routing.caused.intervals import weighted_interval, weighted_mean
from routescope.routing.caused.subsets import Subsets, Value, direction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Permutations that are sampled unless told otherwise.
PERMUTATIONS = 64


def shapley_exact(subsets: Subsets) -> pd.DataFrame:
    """phi_u = sum over S without u of |S|! (M - |S| - 1)! / M! (v(S + u) - v(S)).

    v is the figure, the weighted mean over samples, times -1 where less is better, so that a value above 0 means
    that the unit helps. Each sample has Shapley values, and the interval is that of their mean: a 95 % percentile
    bootstrap over samples.

    Returns:
        unit, value, low, high. The values sum to v(all) - v(none), which is ``attrs["total"]``; ``attrs["sign"]`` says
        what the sign means.
    """
    units, M = subsets.units, len(subsets.units)
    kept = subsets.dataset["kept"].values
    index = kept @ (1 << np.arange(M))  # a subset's number in binary
    rows = np.argsort(index)
    weights = subsets.weight
    v = direction(subsets.measure) * subsets.values[rows].astype(np.float64)
    size = np.array([number.bit_count() for number in range(2**M)])
    weight = np.array([factorial(s) * factorial(max(0, M - s - 1)) / factorial(M) for s in size])
    table = []
    for position, unit in enumerate(units):
        without = np.flatnonzero((np.arange(2**M) >> position) & 1 == 0)
        values = weight[without] @ (v[without | (1 << position)] - v[without])  # (sample,)
        table.append((unit, *weighted_interval(values, weights)))
    shapley = pd.DataFrame(table, columns=["unit", "value", "low", "high"])
    total = weighted_mean(v[-1], weights) - weighted_mean(v[0], weights) if M else 0.0
    shapley.attrs = {
        "metric": subsets.measure.name, "kind": subsets.kind, "total": total, "sign": VALUE_SIGN
    }  # fmt: skip
    return shapley


@dataclass(frozen=True, eq=False)
class SampledShapley:
    """Shapley values from sampled permutations.

    Attributes:
        table: unit, value, standard_error (of the sampling of permutations, not of samples).
        convergence: permutations, unit, value, standard_error: the same after every pair.
        permutations: how many were used.
        total: v(all) - v(none), to which the values sum, as those of every permutation do; turned as the values are.
    """

    table: pd.DataFrame
    convergence: pd.DataFrame
    permutations: int
    total: float

    def plot(self, axes: "Axes | None" = None) -> "Axes":
        """Values against permutations, with bands of two standard errors."""
        from routescope.plots.caused import draw_convergence

        return draw_convergence(self.convergence, axes)


def shapley_sampled(
    units: Sequence[str],
    value: Value,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SampledShapley:
    """Shapley values from random permutations, each with its reverse (antithetic pairs; Mitchell et al., JMLR 2022).

    A value above 0 means that the unit helps, as in ``shapley_exact``.

    Args:
        permutations: an even number from 4 on; half of them are drawn.
        progress: called with (permutations done, in all); an exception it raises cancels.

    Raises:
        ValueError: for another number of permutations.
    """
    if permutations < 4 or permutations % 2:
        raise ValueError(f"permutations come in pairs, from 4 on: an even number, not {permutations}")
    rng, M, value = np.random.default_rng(seed), len(units), cache(value)
    scores = value(frozenset(units))
    name, whole, none = scores.measure.name, scores.worth, value(frozenset()).worth
    pairs: list[np.ndarray] = []
    for done in range(0, permutations, 2):
        order, both = rng.permutation(M), np.zeros(M)
        for way in (order, order[::-1]):
            before = none
            for size in range(1, M + 1):
                after = whole
                if size < M:
                    after = value(frozenset(units[position] for position in way[:size])).worth
                both[way[size - 1]] += (after - before) / 2
                before = after
        pairs.append(both)
        if progress is not None:
            progress(done + 2, permutations)
    convergence = pd.concat([_estimate(units, pairs[: n + 1]) for n in range(len(pairs))], ignore_index=True)
    convergence.attrs = {"metric": name, "sign": VALUE_SIGN}
    table = _estimate(units, pairs).drop(columns="permutations")
    table.attrs = {"metric": name, "total": float(whole - none), "sign": VALUE_SIGN}
    return SampledShapley(table, convergence, permutations, float(whole - none))


def _estimate(units: Sequence[str], pairs: list[np.ndarray]) -> pd.DataFrame:
    """Means over pairs, which are independent, with their standard errors; NaN of one pair."""
    drawn, count = np.stack(pairs), len(pairs)
    error = drawn.std(axis=0, ddof=1) / count**0.5 if count > 1 else np.full(len(units), np.nan)
    columns = {"permutations": 2 * count, "unit": list(units), "value": drawn.mean(axis=0), "standard_error": error}
    return pd.DataFrame(columns)
