"""Separation of groups of points, beside the same numbers for shuffled groups.

Two measures, each also *balanced*: as a mean over groups of the mean over their points, so that a large group does not
decide alone. Where most sentences are of one kind, an unbalanced nearest-neighbour accuracy is high without any order.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from jaxtyping import Float, Int

from routescope.assets import require
from routescope.routing.maps.clustering import silhouettes

NEIGHBOURS = 5
SHUFFLES = 100
SILHOUETTE, NEAREST = "silhouette", "nearest neighbours"
#: Distances closer than this share of their mean count as equal: what rounding tells apart is no order.
SAME = 1e-5
COLUMNS = ["by", "measure", "balanced", "score", "null_mean", "null_low", "null_high", "chance", "n", "groups"]


def separation(
    points: Float[np.ndarray, "point feature"],
    labellings: Mapping[str, Sequence[str | None]],
    *,
    seed: int = 0,
    shuffles: int = SHUFFLES,
    neighbours: int = NEIGHBOURS,
) -> pd.DataFrame:
    """Return silhouette and leave-one-out nearest-neighbour accuracy, with Euclidean distance, for several groupings.

    Args:
        points: coordinates, in a map or in the full space.
        labellings: groupings: for each a group for every point, or None for a point that takes no part.
        seed: of the shuffles, and of the choice among equally distant points.
        shuffles: of the groups among the points; the null is the same number for each.
        neighbours: number of nearest other points that vote for a point's group; a draw goes to the group with the
            nearest.

    Returns:
        Columns by, measure ("silhouette" from -1 to 1, "nearest neighbours": share of points whose group their
        neighbours tell), balanced (True: mean over groups), score, null_mean, null_low and null_high (2.5 and 97.5 % of
        the shuffles), chance (of nearest neighbours: share of the largest group, or 1 over the number of groups where
        balanced; of silhouettes 0), n (points), groups. NaN where there are fewer than two groups, or where each point
        is a group.
    """
    require("scipy")
    from scipy.spatial.distance import cdist

    rng = np.random.default_rng(seed)
    distances = cdist(points.astype(np.float64), points.astype(np.float64)).astype(np.float32)
    rows = []
    for by, names in labellings.items():
        kept = np.array([name is not None for name in names], dtype=bool)
        kept_distances = distances if kept.all() else distances[np.ix_(kept, kept)]
        group = np.unique([str(name) for name in names if name is not None], return_inverse=True)[1].astype(np.int64)
        rows += [{"by": by, **row} for row in _rows(kept_distances, group, rng, shuffles, neighbours)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows(
    distances: Float[np.ndarray, "point point"],
    group: Int[np.ndarray, " point"],
    rng: np.random.Generator,
    shuffles: int,
    neighbours: int,
) -> list[dict[str, float | str | bool]]:
    groups, count = len(np.unique(group)), len(group)
    defined = 2 <= groups < count
    shuffled = [group, *(rng.permutation(group) for _ in range(shuffles))]
    scores = {SILHOUETTE: np.full((len(shuffled), 2), np.nan), NEAREST: np.full((len(shuffled), 2), np.nan)}
    if defined:
        near = nearest(distances, neighbours, rng)
        for row, (labels, sums) in enumerate(zip(shuffled, _sums(distances, shuffled, groups), strict=True)):
            scores[SILHOUETTE][row] = _means(silhouettes(sums, labels), labels)
            scores[NEAREST][row] = _means(told(near, labels) == labels, labels)
    sizes = np.bincount(group, minlength=1)
    chance = {SILHOUETTE: (0.0, 0.0), NEAREST: (float(sizes.max()) / max(count, 1), 1 / max(groups, 1))}
    rows: list[dict[str, float | str | bool]] = []
    for measure, drawn in scores.items():
        for balanced in (False, True):
            values = drawn[:, int(balanced)]
            null = values[1:]
            low, high = np.percentile(null, (2.5, 97.5)) if len(null) else (np.nan, np.nan)
            rows.append(
                {
                    "measure": measure,
                    "balanced": balanced,
                    "score": float(values[0]),
                    "null_mean": float(null.mean()) if len(null) else float("nan"),
                    "null_low": float(low),
                    "null_high": float(high),
                    "chance": chance[measure][int(balanced)],
                    "n": count,
                    "groups": groups,
                }
            )
    return rows


def _sums(
    distances: Float[np.ndarray, "point point"], labellings: Sequence[Int[np.ndarray, " point"]], groups: int
) -> Float[np.ndarray, "labelling point group"]:
    """Return the sums of each point's distances to those of each group, for all groupings in one product."""
    member = np.concatenate([np.eye(groups, dtype=np.float32)[group] for group in labellings], axis=1)
    return (distances @ member).reshape(len(distances), len(labellings), groups).transpose(1, 0, 2)


def _means(values: np.ndarray, group: Int[np.ndarray, " point"]) -> tuple[float, float]:
    """Return the mean over points, and the mean over groups of their means."""
    values = values.astype(np.float64)
    return float(values.mean()), float((np.bincount(group, weights=values) / np.bincount(group)).mean())


def nearest(
    distances: Float[np.ndarray, "point point"], count: int, rng: np.random.Generator
) -> Int[np.ndarray, "point neighbour"]:
    """Return the nearest other points of each, nearest first; equally distant ones in random order."""
    scale = max(float(distances.mean()) * SAME, 1e-30)
    steps = np.rint(distances.astype(np.float64) / scale)
    steps += rng.random(steps.shape, dtype=np.float32) * 0.5
    np.fill_diagonal(steps, np.inf)
    count = min(count, len(distances) - 1)
    neighbours = np.argpartition(steps, count - 1, axis=1)[:, :count]
    order = np.argsort(np.take_along_axis(steps, neighbours, axis=1), axis=1)
    return np.take_along_axis(neighbours, order, axis=1)


def told(near: Int[np.ndarray, "point neighbour"], group: Int[np.ndarray, " point"]) -> Int[np.ndarray, " point"]:
    """Return the group of most of a point's neighbours; a draw goes to the group with the nearest of them."""
    votes = np.zeros((len(near), int(group.max()) + 1))
    rows = np.arange(len(near))
    for rank in range(near.shape[1]):
        votes[rows, group[near[:, rank]]] += 1 + 0.25 * 0.5**rank  # all that ranks add stays below half a vote
    return votes.argmax(axis=1)
