"""Paired changes between two evaluations of the same samples, and random sets of units to compare them with.

Intervals treat samples as independent. Statements that share pictures or words (a quadruple of scenes, the sets of
NLVR) are not, so their intervals are too narrow or too wide; ``by_kind`` can draw whole groups instead.

The bootstrap draws for one order of the two evaluations. ``mirrored`` returns the exact mirror image of the other
order, so that exchanging the two changes signs and nothing else.
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
    """Change of a (weighted) mean over samples, after minus before, with its 95 % paired bootstrap interval."""

    value: float
    low: float
    high: float
    count: int

    @property
    def mirrored(self) -> "Change":
        """The change from after to before, with the same draws; never -0."""
        return Change(0 - self.value, 0 - self.high, 0 - self.low, self.count)


@dataclass(frozen=True)
class DropEffect:
    """Change of the figure, in the unit of the measure (a share of samples for accuracy), and of the loss (nats for a
    cross-entropy)."""

    figure: Change
    loss: Change
    measure: Measure = ACCURACY

    @property
    def accuracy(self) -> Change:
        """Change of the share of correct samples; raises ValueError for measures other than accuracy."""
        if not self.measure.share:
            raise ValueError(f"no sample is right or wrong by {self.measure.name}")
        return self.figure


def paired_change(
    before: Shaped[np.ndarray, " sample"],
    after: Shaped[np.ndarray, " sample"],
    weights: Num[np.ndarray, " sample"] | None = None,
    *,
    mirrored: bool = False,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Change:
    """Return the change of a mean over the same samples; exactly 0 to 0 where no sample changes.

    Args:
        before, after: a number, or right and wrong, for each sample; in the same order, of the same shape.
        weights: of the samples in the mean; None: all alike.
        mirrored: draw for the change from ``after`` to ``before``, and return its mirror image.
        resamples: draws of whole samples, so that each stays paired with itself.

    Raises:
        ValueError: different numbers of samples.
    """
    if mirrored:
        return paired_change(after, before, weights, resamples=resamples, seed=seed).mirrored
    if len(before) != len(after):
        raise ValueError(f"a paired change needs the same samples; there are {len(before)} before, {len(after)} after")
    whole = before.dtype.kind in "bui"
    difference = after.astype(np.int64) - before.astype(np.int64) if whole else after.astype(np.float64) - before
    value, low, high = weighted_interval(difference, weights, resamples, seed)
    return Change(value, low, high, len(before))


def drop_effect(baseline: Scores, scores: Scores, *, mirrored: bool = False, resamples: int = RESAMPLES) -> DropEffect:
    """Return the change of the figure and of the loss from the baseline to an intervention, paired by sample.

    Args:
        mirrored, resamples: as in ``paired_change``.

    Raises:
        ValueError: scores of different numbers of samples, or by different measures.
    """
    return DropEffect(
        figure=_figure_change(baseline, scores, mirrored, resamples),
        loss=paired_change(baseline.loss, scores.loss, mirrored=mirrored, resamples=resamples),
        measure=baseline.measure,
    )


def _figure_change(baseline: Scores, scores: Scores, mirrored: bool, resamples: int) -> Change:
    if baseline.measure.name != scores.measure.name:
        raise ValueError(f"scores by {baseline.measure.name} and by {scores.measure.name} cannot be compared")
    weights = scores.weight if mirrored else baseline.weight
    return paired_change(baseline.value, scores.value, weights, mirrored=mirrored, resamples=resamples)


#: Number of equally wide ranges of confidence.
CONFIDENCE_BINS = 10


def accuracy_by_confidence(scores: Scores) -> pd.DataFrame:
    """Return the accuracy of the answers within each tenth of confidence; tenths without an answer have no row.

    Guo et al. (2017), section 2, draw it as a reliability diagram: where confidence is calibrated, the accuracy of a
    tenth is its mean confidence.

    Returns:
        One row a tenth: ``from``, ``to`` (its ends), ``count``, ``confidence`` (mean), ``accuracy``, ``low``, ``high``
        (95 % Wilson interval).

    Raises:
        ValueError: answers without a confidence.
    """
    if scores.confidence is None:
        raise ValueError("answers without a confidence: their head chooses no label, or an older version stored them")
    tenth = np.minimum((scores.confidence * CONFIDENCE_BINS).astype(int), CONFIDENCE_BINS - 1)
    rows = []
    for at in np.unique(tenth):
        inside = scores.take(tenth == at)
        low, high = inside.interval
        rows.append(
            {
                "from": at / CONFIDENCE_BINS,
                "to": (at + 1) / CONFIDENCE_BINS,
                "count": inside.count,
                "confidence": float(scores.confidence[tenth == at].mean(dtype=np.float64)),
                "accuracy": inside.accuracy,
                "low": low,
                "high": high,
            }
        )
    return pd.DataFrame(rows, columns=["from", "to", "count", "confidence", "accuracy", "low", "high"])


def effects_by(
    groups: Integer[np.ndarray, " sample"],
    baseline: Scores,
    scores: Scores,
    names: Sequence[str],
    *,
    mirrored: bool = False,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """Return the change of the figure in every group of samples, such as a label or a domain.

    Args:
        groups: for each sample, the position in ``names`` of its group.
        mirrored, resamples: as in ``paired_change``.

    Returns:
        A row for each name: group, count, baseline and, under the name of the measure (``accuracy``, a share), the
        figure; low and high (its 95 % interval, Wilson's for accuracy), change, change_low and change_high (paired
        bootstrap). NaN where a group has no sample.
    """
    rows = []
    for index, name in enumerate(names):
        members = np.asarray(groups) == index
        before, after = baseline.take(members), scores.take(members)
        change = _figure_change(before, after, mirrored, resamples)
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
    """Return the accuracy of each kind of statement, with its 95 % interval; no rows for data without kinds.

    Args:
        data: samples with kinds, such as ``StatementSet``; others have no rows.
        right, before: right and wrong for each sample, of one shape; with ``before`` also the change since.
        grouped: draw whole groups of statements that share pictures or words for the intervals; else statements count
            as independent (Wilson's interval, bootstrap over samples).

    Returns:
        For each kind: kind, accuracy, low, high, count; with ``before`` also baseline, change, change_low, change_high.
    """
    if data.kind is None:
        return []
    groups = data.groups.numpy() if grouped and data.groups is not None else None
    rows = []
    for number, name in enumerate(data.kinds):
        members = (data.kind == number).numpy()
        after, together = right[members], None if groups is None else groups[members]
        if not len(after):
            continue
        low, high = share_interval(after, together)
        row = {"kind": name, "accuracy": float(after.mean()), "low": low, "high": high, "count": len(after)}
        if before is not None:
            difference = after.astype(np.int64) - before[members].astype(np.int64)
            change = bootstrap_interval(difference) if together is None else cluster_interval(difference, together)
            row["baseline"] = float(before[members].mean())
            row |= dict(zip(("change", "change_low", "change_high"), change, strict=True))
        rows.append(row)
    return rows


def outcomes(a: Scores, b: Scores) -> dict[str, int]:
    """Count the samples that both get right, A alone, B alone, and neither: the table of McNemar's test.

    Raises:
        ValueError: a measure by which no sample is right or wrong, or different numbers of samples.
    """
    if len(a) != len(b):
        raise ValueError(f"outcomes need the same samples; A has {len(a)} and B {len(b)}")
    return {
        "both": int((a.correct & b.correct).sum()),
        "only_a": int((a.correct & ~b.correct).sum()),
        "only_b": int((~a.correct & b.correct).sum()),
        "neither": int((~a.correct & ~b.correct).sum()),
    }


def random_control(model_units: Sequence[str], size: int, draws: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Return ``draws`` distinct random sets of units of one size, or all of them where there are no more."""
    if comb(len(model_units), size) <= draws:
        return list(combinations(model_units, size))
    rng, drawn = np.random.default_rng(seed), dict[tuple[str, ...], None]()
    while len(drawn) < draws:
        chosen = np.sort(rng.choice(len(model_units), size, replace=False))
        drawn[tuple(model_units[position] for position in chosen)] = None
    return list(drawn)
