"""Results of a random sweep: densities and boxes of a score by hyper-parameter, and differences with intervals.

Runs are columns of numbers by name, all of the same length: hyper-parameters, and scores such as the accuracy on each
domain. Intervals are the bootstrap's over runs (percentiles, 95 %): whatever a statistic chooses, such as the best
runs, it chooses anew in every draw.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float64, Num, Shaped
from scipy import stats

#: Columns of runs.
Runs = Mapping[str, Shaped[np.ndarray, " run"]]
#: A number that runs have; NaN where they have none, as the median of no runs.
Statistic = Callable[[Runs], float]

RESAMPLES = 1_000
#: Draws of the bootstrap in which a statistic must exist for its interval to be told.
LEAST_SHARE = 0.9
#: Accuracies at which densities are told.
GRID = np.linspace(0.0, 1.0, 101)


def columns(rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> dict[str, Shaped[np.ndarray, " run"]]:
    """Return columns of a table's rows; each (run, )."""
    return {name: np.array([row[name] for row in rows]) for name in names}


def where(runs: Runs, chosen: Bool[np.ndarray, " run"]) -> dict[str, Shaped[np.ndarray, " run"]]:
    """Return some of the runs."""
    return {name: values[chosen] for name, values in runs.items()}


def best(runs: Runs, score: str, share: float = 0.1) -> dict[str, Shaped[np.ndarray, " run"]]:
    """Return the best runs by a score: this share of them, rounded up; the first of equal ones."""
    count = int(np.ceil(share * len(runs[score])))
    return {name: values[np.argsort(-runs[score], kind="stable")[:count]] for name, values in runs.items()}


@dataclass(frozen=True)
class Estimate:
    """A statistic of all runs with its 95 % interval; None if it is not defined, or in too few draws."""

    value: float | None
    low: float | None
    high: float | None


def estimate(runs: Runs, statistic: Statistic, seed: int = 0, resamples: int = RESAMPLES) -> Estimate:
    """Return a statistic of runs with the bootstrap's 95 % interval over them (Efron 1979)."""
    value, count = statistic(runs), len(next(iter(runs.values())))
    if not np.isfinite(value):
        return Estimate(None, None, None)
    random = np.random.default_rng(seed)
    rows = random.integers(0, count, (resamples, count))
    draws = np.array([statistic({name: values[row] for name, values in runs.items()}) for row in rows])
    finite = draws[np.isfinite(draws)]
    if len(finite) < LEAST_SHARE * resamples:
        return Estimate(float(value), None, None)
    low, high = np.quantile(finite, (0.025, 0.975))
    return Estimate(float(value), min(float(low), float(value)), max(float(high), float(value)))


def correlation(x: Num[np.ndarray, " run"], y: Num[np.ndarray, " run"]) -> float:
    """Return Spearman's rank correlation; NaN if either does not vary."""
    a, b = (stats.rankdata(sample) - (len(sample) + 1) / 2 for sample in (x, y))
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale else float("nan")


def median(values: Num[np.ndarray, " run"]) -> float:
    """Return the median; NaN without values."""
    return float(np.median(values)) if len(values) else float("nan")


def spread(values: Num[np.ndarray, " run"]) -> float:
    """Return the distance between quartiles; NaN for fewer than two values."""
    if len(values) < 2:
        return float("nan")
    low, high = np.quantile(values, (0.25, 0.75))
    return float(high - low)


def density(values: Num[np.ndarray, " run"], at: Float64[np.ndarray, " place"] = GRID) -> list[float] | None:
    """Return the Gaussian kernel density of scores (Scott's bandwidth); None for under two or equal scores."""
    if len(values) < 2 or np.ptp(values) == 0:
        return None
    return _rounded(stats.gaussian_kde(values)(at))


def density_of_two(
    x: Num[np.ndarray, " run"],
    y: Num[np.ndarray, " run"],
    at_x: Float64[np.ndarray, " column"],
    at_y: Float64[np.ndarray, " row"],
) -> list[list[float]] | None:
    """Return the density of pairs, (row, column); None if the pairs lie on a line."""
    if len(x) < 3 or np.linalg.matrix_rank(np.cov(x, y)) < 2:
        return None
    places = np.stack([coordinates.ravel() for coordinates in np.meshgrid(at_x, at_y)])
    heights = stats.gaussian_kde(np.stack((x, y)))(places).reshape(len(at_y), len(at_x))
    return [_rounded(row) for row in heights]


def box(values: Num[np.ndarray, " run"]) -> dict[str, Any]:
    """Return the numbers of a box plot: quartiles, whiskers at 1.5 times their distance, and outliers."""
    if not len(values):
        return {"count": 0, "low": None, "q1": None, "median": None, "q3": None, "high": None, "beyond": []}
    q1, middle, q3 = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = 1.5 * (q3 - q1)
    inside = values[(values >= q1 - reach) & (values <= q3 + reach)]
    beyond = sorted(float(value) for value in values if not q1 - reach <= value <= q3 + reach)
    low, high = min(float(inside.min()), q1), max(float(inside.max()), q3)
    return {"count": len(values), "low": low, "q1": q1, "median": middle, "q3": q3, "high": high, "beyond": beyond}


def _rounded(values: Float64[np.ndarray, " place"]) -> list[float]:
    return [float(f"{value:.4g}") for value in values]
