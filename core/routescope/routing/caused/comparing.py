"""Two evaluations beside each other: B minus A on the same samples, with the statistics of a paired change.

The bootstrap draws for one order of the two; the other order is its mirror image, so that which of them is called A
changes signs and nothing else.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Integer

from routescope.routing.caused.effects import Change, DropEffect, drop_effect
from routescope.routing.caused.intervals import RESAMPLES
from routescope.routing.caused.scores import Scores


def difference(a: Scores, b: Scores, *, turned: bool = False, resamples: int = RESAMPLES) -> DropEffect:
    """The figure and the loss of B minus those of A, paired by sample.

    Args:
        turned: whether to draw for A minus B and to mirror what comes out.

    Raises:
        ValueError: scores of different numbers of samples, or by different measures.
    """
    if a.measure.name != b.measure.name:
        raise ValueError(f"scores by {a.measure.name} and by {b.measure.name} have no difference")
    if not turned:
        return drop_effect(a, b, resamples=resamples)
    effect = drop_effect(b, a, resamples=resamples)
    return DropEffect(_mirrored(effect.figure), _mirrored(effect.loss), effect.measure)


def _mirrored(change: Change) -> Change:
    return Change(0 - change.value, 0 - change.high, 0 - change.low, change.count)


def differences_by(
    groups: Integer[np.ndarray, " sample"],
    a: Scores,
    b: Scores,
    names: Sequence[str],
    *,
    turned: bool = False,
    resamples: int = RESAMPLES,
) -> pd.DataFrame:
    """The difference of the figure in every group of samples, such as a label or a data set, that has any.

    Args:
        groups: for each sample, which of ``names`` it belongs to; of the shape of the scores.
        turned: as of ``difference``.

    Returns:
        group, count, baseline (A's figure), accuracy (B's figure, whatever its measure), low and high (its own 95 %
        interval), change, change_low and change_high (B minus A, paired bootstrap).
    """
    rows = []
    for index, name in enumerate(names):
        own = np.asarray(groups) == index
        if not own.any():
            continue
        first, second = a.take(own), b.take(own)
        change = difference(first, second, turned=turned, resamples=resamples).figure
        figures = (first.figure, second.figure, *second.interval, change.value, change.low, change.high)
        rows.append((name, second.count, *figures))
    columns = ["group", "count", "baseline", "accuracy", "low", "high", "change", "change_low", "change_high"]
    return pd.DataFrame(rows, columns=columns)


def outcomes(a: Scores, b: Scores) -> dict[str, int]:
    """How many samples both get right, A alone, B alone, and neither: the table of McNemar's test.

    Raises:
        ValueError: for a measure by which no sample is right or wrong, and different numbers of samples.
    """
    if len(a) != len(b):
        raise ValueError(f"outcomes are of the same samples; there are {len(a)} of A and {len(b)} of B")
    first, second = a.correct, b.correct
    return {
        "both": int((first & second).sum()),
        "only_a": int((first & ~second).sum()),
        "only_b": int((~first & second).sum()),
        "neither": int((~first & ~second).sum()),
    }
