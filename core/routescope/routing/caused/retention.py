"""Retention: the figure with fewer and fewer units, from best to worst, and after fewer iterations."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool

from routescope.nn.measures import ACCURACY
from routescope.routing.caused.effects import random_control
from routescope.routing.caused.scores import Scores
from routescope.routing.caused.scoring import Scorer
from routescope.routing.caused.subsets import Value
from routescope.routing.intervention import Intervention
from routescope.routing.progress import Progress

ORDERS = ("best first", "worst first", "greedy best", "greedy worst", "random")
#: Columns before and behind the figure, which has the name of its measure.
BEFORE = ["order", "dropped", "share_kept"]
BEHIND = ["low", "high", "samples_per_second", "flops", "draws", "kept"]

#: Random sets of each size unless told otherwise; and where not all subsets are scored anyway.
DRAWS, SAMPLED_DRAWS = 16, 8
#: Steps of a curve where sizes are not given and there are more units than this.
MOST_SIZES = 20

Flops = Callable[[frozenset[str]], int | None]


def thinned_sizes(units: int, steps: int = MOST_SIZES) -> tuple[int, ...]:
    """Return numbers of dropped units, from none to all: every number for few units, about ``steps`` even steps for
    many."""
    return tuple(
        sorted({round(units * step / steps) for step in range(steps + 1)} if units > steps else range(units + 1))
    )


def retention(
    units: Sequence[str],
    value: Value,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    greedy: bool = True,
    sizes: Sequence[int] | None = None,
    flops: Flops | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    ranked: bool = True,
    counted: int | None = None,
) -> pd.DataFrame:
    """Return the figure (accuracy, or the measure of the network's head) while fewer and fewer units are kept.

    Orders say which units are *kept*: "best first" drops the unit last whose drop alone costs most accuracy, "worst
    first" drops it first; both rank once, with all other units present. "greedy best" and "greedy worst" rank again
    after every step: they drop the unit that costs least, or most, now. Equal figures are ranked by the loss, then by
    the order of the units. Orders are chosen on the same samples, so best is a little too good and worst too bad.
    "random" are distinct random sets of each size, all of them where there are no more than ``draws``.

    Args:
        draws: random sets of each size.
        greedy: whether to rank again, which takes about M^2 evaluations.
        sizes: numbers of dropped units; None: ``thinned_sizes``. Between two sizes units are dropped together.
        flops: returns the floating-point operations of one sample with some units kept.
        orders: further orders by name, each with all units in the order in which they are *dropped*, such as "least
            connected first": nothing is chosen on the samples here.
        ranked: whether to rank by the effects of single drops, which takes M evaluations.
        counted: random sets of each size whose operations are counted; None: all.

    Raises:
        ValueError: unknown sizes, or orders that do not name each unit once.

    Returns:
        order, dropped, share_kept, the figure under the name of its measure (``accuracy``), low and high (its 95 %
        interval for that set alone, Wilson's for accuracy, which ignores that the set was chosen; for "random" the
        least and the largest of the draws, and their mean as the figure), samples_per_second, flops, draws, kept
        (units; empty for "random"). ``attrs["metric"]`` names the measure.
    """
    M, value = len(units), cache(value)
    every = sorted(set(thinned_sizes(M) if sizes is None else sizes) | {0})
    if every[0] < 0 or every[-1] > M:
        raise ValueError(f"sizes are numbers of units dropped, from 0 to {M}")
    for name, going_first in (orders or {}).items():
        if name in ORDERS or sorted(going_first) != sorted(units):
            raise ValueError(f"an order has a name of its own and each of the {M} units once; {name!r} does not")
    rows: list[tuple[Any, ...]] = []
    metric = ""
    for order in ORDERS[: (4 if greedy else 2) if ranked else 0]:
        best, again = order.endswith("best") or order.startswith("best"), order.startswith("greedy")
        kept = frozenset(units)
        goers = _ranked(units, kept, best, value)
        for size in every:
            going = size - (M - len(kept))
            if again and size < M and going:
                goers = _ranked(units, kept, best, value)
            kept, goers = kept - set(goers[:going]), goers[going:]
            rows.append(_row(order, M, [value(kept)], [flops(kept) if flops else None], _ordered(units, kept)))
    for name, going_first in (orders or {}).items():
        for size in every:
            kept = frozenset(going_first[size:])
            rows.append(_row(name, M, [value(kept)], [flops(kept) if flops else None], _ordered(units, kept)))
    for size in every:
        sets = [frozenset(units) - set(gone) for gone in random_control(units, size, draws, seed + size)]
        drawn = [value(kept) for kept in sets]
        rows.append(_row("random", M, drawn, [flops(kept) if flops else None for kept in sets[:counted]], None, size))
        metric = drawn[0].measure.name
    table = pd.DataFrame(rows, columns=[*BEFORE, metric, *BEHIND])
    table.attrs = {"metric": metric}
    return table


def no_curves(metric: str) -> pd.DataFrame:
    """Return the table of ``retention`` without rows."""
    table = pd.DataFrame(columns=[*BEFORE, metric, *BEHIND])
    table.attrs = {"metric": metric}
    return table


def _ordered(units: Sequence[str], kept: frozenset[str]) -> tuple[str, ...]:
    return tuple(unit for unit in units if unit in kept)


def _ranked(units: Sequence[str], kept: frozenset[str], best: bool, value: Value) -> list[str]:
    """Return units in the order of dropping: by the scores without each of them, most first for ``best``."""
    left = {}
    for unit in units:
        if unit in kept:
            scores = value(kept - {unit})
            left[unit] = (scores.worth, -scores.mean_loss)
    return sorted(left, key=left.__getitem__, reverse=best)


def _row(
    order: str,
    M: int,
    scores: list[Scores],
    flops: list[int | None],
    kept: tuple[str, ...] | None,
    dropped: int | None = None,
) -> tuple[Any, ...]:
    dropped = M - len(kept or ()) if dropped is None else dropped
    figures = [part.figure for part in scores]
    low, high = scores[0].interval if kept is not None else (min(figures), max(figures))
    counted = [count for count in flops if count is not None]
    return (
        order,
        dropped,
        (M - dropped) / M if M else 1.0,
        float(np.mean(figures)),
        low,
        high,
        float(np.mean([part.samples_per_second for part in scores])),
        float(np.mean(counted)) if counted else np.nan,
        len(scores),
        kept or (),
    )


def anytime(
    scorer: Scorer,
    iterations: Sequence[int],
    *,
    base: Intervention = Intervention(),
    taken: Bool[np.ndarray, " sample"] | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return the figure of the whole network after each number of iterations.

    Args:
        base: what else is changed in every score.
        taken: which of the scored samples count; None: all.
        progress: called with (numbers of iterations done, in all, what is done); an exception it raises cancels.

    Returns:
        iterations, the figure under the name of its measure (``accuracy``), low, high (95 % interval, Wilson's of
        accuracy), loss (nats), flops (of one sample), samples_per_second. ``attrs["metric"]`` names the measure.
    """
    rows, metric = [], ACCURACY.name
    for number in iterations:
        change = replace(base, iterations=number)
        scores = scorer.scores(change)
        scores = scores if taken is None else scores.take(taken)
        metric, figures = scores.measure.name, (scores.figure, *scores.interval, scores.mean_loss)
        rows.append((number, *figures, scorer.flops(change), scores.samples_per_second))
        if progress is not None:
            progress(len(rows), len(iterations), "accuracy after every iteration")
    columns = ["iterations", metric, "low", "high", "loss", "flops", "samples_per_second"]
    table = pd.DataFrame(rows, columns=columns)
    table.attrs = {"metric": metric}
    return table
