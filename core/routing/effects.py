"""What changes when units are dropped: paired differences on the same samples, and random sets to compare with."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from jaxtyping import Integer, Num

from core.routing.intervals import RESAMPLES, bootstrap_interval
from core.routing.scoring import Scores


@dataclass(frozen=True)
class Change:
    """A mean over samples after minus before, with its 95 % paired bootstrap interval (percentiles)."""

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class DropEffect:
    """What an intervention changes: accuracy as a share of samples, loss in nats."""

    accuracy: Change
    loss: Change


def paired_change(
    before: Num[np.ndarray, " sample"] | np.ndarray,
    after: Num[np.ndarray, " sample"] | np.ndarray,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Change:
    """Change of a mean over the same samples; exactly 0 with an interval of 0 to 0 where no sample changes.

    Args:
        before, after: a number, or right and wrong, for each sample; in the same order.
        resamples: draws of whole samples, so that each stays paired with itself.

    Raises:
        ValueError: for different numbers of samples.
    """
    if len(before) != len(after):
        raise ValueError(f"a paired change needs the same samples; there are {len(before)} before, {len(after)} after")
    whole = before.dtype.kind in "bui"
    difference = after.astype(np.int64) - before.astype(np.int64) if whole else after.astype(np.float64) - before
    value, low, high = bootstrap_interval(difference, resamples, seed)
    return Change(value, low, high, len(before))


def drop_effect(baseline: Scores, scores: Scores, *, resamples: int = RESAMPLES) -> DropEffect:
    """Change in accuracy and loss from the baseline to an intervention, on the same samples."""
    return DropEffect(
        accuracy=paired_change(baseline.correct, scores.correct, resamples=resamples),
        loss=paired_change(baseline.loss, scores.loss, resamples=resamples),
    )


def effects_by(
    groups: Integer[np.ndarray, " sample"],
    baseline: Scores,
    scores: Scores,
    names: Sequence[str],
    *,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """The change in accuracy of every group of samples, such as a label or a domain.

    Args:
        groups: for each sample, which of ``names`` it belongs to.

    Returns:
        A row for each name: group, count, baseline and accuracy (shares), low and high (Wilson's 95 % interval of
        the accuracy), change, change_low and change_high (paired bootstrap). NaN where a group has no sample.
    """
    rows = []
    for index, name in enumerate(names):
        own = np.asarray(groups) == index
        before, after = baseline.take(own), scores.take(own)
        change = paired_change(before.correct, after.correct, resamples=resamples)
        low, high = after.interval if after.count else (np.nan, np.nan)
        figures = (change.value, change.low, change.high)
        rows.append((name, after.count, before.accuracy, after.accuracy, low, high, *figures))
    columns = ["group", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"]
    return pd.DataFrame(rows, columns=columns)


def random_control(model_units: Sequence[str], size: int, draws: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Distinct random sets of units of one size; every one where there are no more than ``draws``."""
    if comb(len(model_units), size) <= draws:
        return list(combinations(model_units, size))
    rng, found = np.random.default_rng(seed), dict[tuple[str, ...], None]()
    while len(found) < draws:
        chosen = np.sort(rng.choice(len(model_units), size, replace=False))
        found[tuple(model_units[place] for place in chosen)] = None
    return list(found)
