"""Silhouettes of types, step by step, beside the same number for shuffled groups."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from routescope.routing.maps.points import TypePoints

GROUPINGS = ("unit", "label", "domain")
#: All pairs of points are compared: at most so many points of each step, drawn with the seed.
MOST_POINTS = 1000


def cosine_distances(types: Float[np.ndarray, "point d_type"]) -> Float[np.ndarray, "point point"]:
    """Return 1 - cosine of every pair; 0 between a point and itself."""
    vectors = types.astype(np.float64)
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    distances = np.clip(1 - vectors @ vectors.T, 0, 2)
    np.fill_diagonal(distances, 0)
    return distances


def silhouette(distances: Float[np.ndarray, "point point"], groups: Int[np.ndarray, " point"]) -> float:
    """Return the mean of (b - a) / max(a, b) over the points (Rousseeuw 1987).

    a is a point's mean distance to the others of its group, b the least mean distance to another group; a point alone
    in its group counts 0. NaN where there are fewer than two groups, or where each point is a group.
    """
    names, group = np.unique(groups, return_inverse=True)
    if not 2 <= len(names) < len(groups):
        return float("nan")
    return float(silhouettes(distances @ np.eye(len(names))[group], group).mean())


def silhouettes(
    sums: Float[np.ndarray, "point group"], group: Int[np.ndarray, " point"]
) -> Float[np.ndarray, " point"]:
    """Return each point's part of ``silhouette``, from the sums of its distances to the points of each group.

    ``group`` numbers the groups from 0; there are two at least, each with a point.
    """
    sizes = np.bincount(group)
    rows = np.arange(len(group))
    a = sums[rows, group] / np.maximum(sizes[group] - 1, 1)
    others = sums / sizes
    others[rows, group] = np.inf
    b = others.min(axis=1)
    score = (b - a) / np.maximum(np.maximum(a, b), 1e-300)
    return np.where(sizes[group] > 1, score, 0.0)


def clustering(points: TypePoints, seed: int = 0, shuffles: int = 50, most: int = MOST_POINTS) -> pd.DataFrame:
    """Return the silhouette, with cosine distance in type space, of each step's points grouped by unit, label and
    domain.

    The same tokens are used in every step. The null shuffles units between tokens for ``unit``, and labels and domains
    between whole samples, as the tokens of a sample are alike without any label. A token that matched no unit takes no
    part in ``unit``.

    Returns:
        Columns step, by, score, null_mean, null_low and null_high (2.5 and 97.5 % of the shuffles), n (points), groups.
        NaN where there are fewer than two groups.
    """
    rng = np.random.default_rng(seed)
    position = points.sample.astype(np.int64) * len(points.tokens) + points.token
    places = np.unique(position)
    if len(places) > most:
        places = rng.choice(places, most, replace=False)
    chosen = np.isin(position, places)
    rows = []
    for step, name in enumerate(points.steps):
        here = points.take(chosen & (points.step == step))
        distances = cosine_distances(here.types)
        for by in GROUPINGS:
            groups, units = getattr(here, by), here.sample if by != "unit" else np.arange(len(here))
            kept = groups >= 0
            rows.append({"step": name, "by": by, **_row(distances, groups, units, kept, shuffles, rng)})
    return pd.DataFrame(rows)


def _row(
    distances: Float[np.ndarray, "point point"],
    groups: Int[np.ndarray, " point"],
    shuffled: Int[np.ndarray, " point"],
    kept: Bool[np.ndarray, " point"],
    shuffles: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return score and null; ``shuffled`` names the blocks of points that keep one group in a shuffle."""
    if not kept.all():
        distances = distances[np.ix_(kept, kept)]
    groups = groups[kept]
    _, first, block = np.unique(shuffled[kept], return_index=True, return_inverse=True)
    null: Sequence[float] = [silhouette(distances, rng.permutation(groups[first])[block]) for _ in range(shuffles)]
    defined = np.array(null)[~np.isnan(null)]
    low, high = np.percentile(defined, (2.5, 97.5)) if len(defined) else (np.nan, np.nan)
    return {
        "score": silhouette(distances, groups),
        "null_mean": float(defined.mean()) if len(defined) else float("nan"),
        "null_low": float(low),
        "null_high": float(high),
        "n": len(groups),
        "groups": len(np.unique(groups)),
    }
