"""Intervals: Wilson's of a share, the bootstrap's of a mean over samples, and over groups of them."""

from statistics import NormalDist

import numpy as np
from jaxtyping import Integer, Num, Shaped

#: Draws of the bootstrap.
RESAMPLES = 2000
#: Values that one block of draws holds in memory.
_BLOCK = 4_000_000


def wilson_interval(correct: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share (Wilson 1927), (0, 1) of nothing; raises ValueError for impossible counts."""
    if not 0 <= correct <= count:
        raise ValueError(f"correct must be from 0 to count, not {correct} of {count}")
    if count == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, scale = correct / count, 1 + z**2 / count
    centre = (share + z**2 / (2 * count)) / scale
    half = z / scale * (share * (1 - share) / count + z**2 / (4 * count**2)) ** 0.5
    low, high = centre - half, centre + half  # which rounding may put a little beyond the share itself
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def bootstrap_means(
    values: Num[np.ndarray, " sample"], resamples: int = RESAMPLES, seed: int = 0
) -> Num[np.ndarray, " resample"]:
    """Means of ``resamples`` samples of the same size, drawn with replacement (Efron 1979).

    Where there are few distinct values, as with differences of right and wrong, how often each is drawn is
    drawn at once (multinomial): the same distribution, in a fraction of the time.
    """
    rng, count = np.random.default_rng(seed), len(values)
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) == 1:  # also what rounding would blur
        return np.full(resamples, distinct[0], dtype=np.float64)
    if len(distinct) <= 64:
        return rng.multinomial(count, counts / count, size=resamples) @ distinct.astype(np.float64) / count
    values, rows = values.astype(np.float64), max(1, _BLOCK // count)
    blocks = [min(rows, resamples - start) for start in range(0, resamples, rows)]
    return np.concatenate([values[rng.integers(0, count, (block, count), np.int32)].mean(axis=1) for block in blocks])


def bootstrap_interval(
    values: Num[np.ndarray, " sample"], resamples: int = RESAMPLES, seed: int = 0
) -> tuple[float, float, float]:
    """(mean, low, high): the mean over samples with its 95 % percentile interval; NaN of no samples."""
    if not len(values):
        return float("nan"), float("nan"), float("nan")
    mean = float(values[0]) if (values == values[0]).all() else float(values.mean(dtype=np.float64))
    low, high = np.quantile(bootstrap_means(values, resamples, seed), (0.025, 0.975))
    return mean, min(float(low), mean), max(float(high), mean)


def weighted_mean(values: Num[np.ndarray, " sample"], weights: Num[np.ndarray, " sample"] | None = None) -> float:
    """The mean over samples, each with its weight (None: all alike); NaN of no samples, or of none that weighs."""
    if weights is None:
        return float(values.mean(dtype=np.float64)) if len(values) else float("nan")
    total = float(weights.sum(dtype=np.float64))
    return float((values.astype(np.float64) * weights).sum() / total) if total > 0 else float("nan")


def weighted_interval(
    values: Num[np.ndarray, " sample"],
    weights: Num[np.ndarray, " sample"] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[float, float, float]:
    """(mean, low, high): as ``bootstrap_interval``, of a mean in which samples have weights (None: all alike).

    Samples are the units that are drawn, each with its weight; draws in which nothing weighs are left out.
    """
    if weights is None or (len(weights) and (weights == weights[0]).all() and weights[0] > 0):
        return bootstrap_interval(values, resamples, seed)
    mean, count = weighted_mean(values, weights), len(values)
    if not np.isfinite(mean):
        return (float("nan"),) * 3
    rng, rows = np.random.default_rng(seed), max(1, _BLOCK // count)
    weights = weights.astype(np.float64)
    products, means = values.astype(np.float64) * weights, []
    for start in range(0, resamples, rows):
        drawn = rng.integers(0, count, (min(rows, resamples - start), count), np.int32)
        weight = weights[drawn].sum(axis=1)
        means.append(products[drawn].sum(axis=1)[weight > 0] / weight[weight > 0])
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return mean, min(float(low), mean), max(float(high), mean)


def cluster_interval(
    values: Shaped[np.ndarray, " sample"],
    groups: Integer[np.ndarray, " sample"],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[float, float, float]:
    """(mean, low, high): as ``bootstrap_interval`` of samples that are not independent; whole groups are drawn.

    The mean stays that over samples: each draw's sum over its number of samples (Davison and Hinkley 1997, 3.8).

    Raises:
        ValueError: other than one group for each sample.
    """
    if len(values) != len(groups):
        raise ValueError(f"every sample is of one group; there are {len(values)} samples and {len(groups)} groups")
    if not len(values):
        return float("nan"), float("nan"), float("nan")
    _, group = np.unique(groups, return_inverse=True)
    rows = np.stack((np.bincount(group, weights=values), np.bincount(group)), axis=1)
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(len(rows), counts / len(rows), size=resamples) @ distinct
    mean = float(values.mean(dtype=np.float64))
    low, high = np.quantile(drawn[:, 0] / drawn[:, 1], (0.025, 0.975))
    return mean, min(float(low), mean), max(float(high), mean)


def share_interval(
    right: Shaped[np.ndarray, " sample"], groups: Integer[np.ndarray, " sample"] | None = None
) -> tuple[float, float]:
    """95 % interval of a share: Wilson's where samples are independent, else the bootstrap's over groups of them.

    Where all samples are alike, no draw differs: then Wilson's, with as many samples as there are groups. Groups have
    the shape of ``right``.
    """
    correct = int(right.sum())
    if groups is None:
        return wilson_interval(correct, len(right))
    if correct in (0, len(right)):
        count = len(np.unique(groups))
        return wilson_interval(count if correct else 0, count)
    return cluster_interval(right, groups)[1:]
