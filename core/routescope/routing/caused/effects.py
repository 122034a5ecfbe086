"""What changes when units are dropped: paired differences on the same samples, and random sets to compare with.

Intervals take samples as independent. Statements are not where some share pictures or words (a quadruple of scenes, the
sets of NLVR): theirs are then too narrow or too wide; ``by_kind`` can draw whole groups of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Integer, Num, Shaped

from routescope.data.samples import Samples
from routescope.nn.measures import ACCURACY, Measure
from routescope.routing.caused.intervals import (
    RESAMPLES,
    bootstrap_interval,
    cluster_interval,
    share_interval,
    weighted_interval,
)
from routescope.routing.caused.scores import Scores


@dataclass(frozen=True)
class Change:
    """A (weighted) mean over samples after minus before, with its 95 % paired bootstrap interval (percentiles)."""

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True)
class DropEffect:
    """What an intervention changes: the figure in the unit of the measure (a share of samples where it is accuracy),
    and the loss, in nats where it is a cross-entropy."""

    figure: Change
    loss: Change
    measure: Measure = ACCURACY

    @property
    def accuracy(self) -> Change:
        """The change of the share of samples that are labelled right.

        Raises:
            ValueError: for a measure by which no sample is right or wrong.
        """
        if not self.measure.share:
            raise ValueError(f"no sample is right or wrong by {self.measure.name}")
        return self.figure


def paired_change(
    before: Shaped[np.ndarray, " sample"],
    after: Shaped[np.ndarray, " sample"],
    weights: Num[np.ndarray, " sample"] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Change:
    """Change of a mean over the same samples; exactly 0 with an interval of 0 to 0 where no sample changes.

    Args:
        before, after: a number, or right and wrong, for each sample; in the same order, of the same shape.
        weights: of the samples in the mean; None: all alike.
        resamples: draws of whole samples, so that each stays paired with itself.

    Raises:
        ValueError: for different numbers of samples.
    """
    if len(before) != len(after):
        raise ValueError(f"a paired change needs the same samples; there are {len(before)} before, {len(after)} after")
    whole = before.dtype.kind in "bui"
    difference = after.astype(np.int64) - before.astype(np.int64) if whole else after.astype(np.float64) - before
    value, low, high = weighted_interval(difference, weights, resamples, seed)
    return Change(value, low, high, len(before))


def drop_effect(baseline: Scores, scores: Scores, *, resamples: int = RESAMPLES) -> DropEffect:
    """Change in the figure and in the loss from the baseline to an intervention, on the same samples."""
    return DropEffect(
        figure=paired_change(baseline.value, scores.value, baseline.weight, resamples=resamples),
        loss=paired_change(baseline.loss, scores.loss, resamples=resamples),
        measure=baseline.measure,
    )


def effects_by(
    groups: Integer[np.ndarray, " sample"],
    baseline: Scores,
    scores: Scores,
    names: Sequence[str],
    *,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """The change in the figure of every group of samples, such as a label or a domain.

    Args:
        groups: for each sample, which of ``names`` it belongs to; of the shape of the scores.

    Returns:
        A row for each name: group, count, baseline and, under the name of the measure (``accuracy``, a share), the
        figure; low and high (its 95 % interval, Wilson's of accuracy), change, change_low and change_high (paired
        bootstrap). NaN where a group has no sample.
    """
    rows = []
    for index, name in enumerate(names):
        own = np.asarray(groups) == index
        before, after = baseline.take(own), scores.take(own)
        change = paired_change(before.value, after.value, before.weight, resamples=resamples)
        low, high = after.interval if after.count else (np.nan, np.nan)
        figures = (change.value, change.low, change.high)
        rows.append((name, after.count, before.figure, after.figure, low, high, *figures))
    figure = scores.measure.name
    columns = ["group", "count", "baseline", figure, "low", "high", "change", "change_low", "change_high"]
    return pd.DataFrame(rows, columns=columns)


def by_kind(
    data: Samples,
    right: Shaped[np.ndarray, " sample"],
    before: Shaped[np.ndarray, " sample"] | None = None,
    *,
    grouped: bool = False,
) -> list[dict[str, Any]]:
    """Accuracy for each kind of statement that there is, with its 95 % interval; empty of data without kinds.

    Args:
        data: with kinds of samples, as ``StatementSet`` is; others have no rows.
        right, before: right and wrong for each sample, of one shape; with ``before`` also what has changed since.
        grouped: whole groups of statements that share pictures or words are drawn for the intervals; else statements
            are taken as independent (Wilson's interval, bootstrap over samples).

    Returns:
        For each kind: kind, accuracy, low, high, count; with ``before`` also baseline, change, change_low, change_high.
    """
    if data.kind is None:
        return []
    groups = data.groups.numpy() if grouped and data.groups is not None else None
    rows = []
    for number, name in enumerate(data.kinds):
        own = (data.kind == number).numpy()
        after, together = right[own], None if groups is None else groups[own]
        if not len(after):
            continue
        low, high = share_interval(after, together)
        row = {"kind": name, "accuracy": float(after.mean()), "low": low, "high": high, "count": len(after)}
        if before is not None:
            difference = after.astype(np.int64) - before[own].astype(np.int64)
            change = bootstrap_interval(difference) if together is None else cluster_interval(difference, together)
            row["baseline"] = float(before[own].mean())
            row |= dict(zip(("change", "change_low", "change_high"), change, strict=True))
        rows.append(row)
    return rows


def random_control(model_units: Sequence[str], size: int, draws: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Distinct random sets of units of one size; every one where there are no more than ``draws``."""
    if comb(len(model_units), size) <= draws:
        return list(combinations(model_units, size))
    rng, found = np.random.default_rng(seed), dict[tuple[str, ...], None]()
    while len(found) < draws:
        chosen = np.sort(rng.choice(len(model_units), size, replace=False))
        found[tuple(model_units[place] for place in chosen)] = None
    return list(found)
