"""Indicators of how a network routes blocks (Block-Operations, A.2.4 and A.4), as functions of weights and gates.

Observed, not caused: an input block with much weight need not matter, and an open gate need not compute anything of
use. Weights are those of one MFNNR: the share of each source (a block that is read) in each block made; they sum to 1
over sources. A gate is 1 where a block is computed, 0 where it is copied.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from routescope.data import BlockSet
from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.nn.network import Network
from routescope.routing.observed.measures import entropy
from routescope.routing.recording import record
from routescope.routing.trace import Trace

#: A block with a gate below the first counts as copied, above the second as computed; others are mixtures.
COPIED_BELOW, COMPUTED_ABOVE = 0.1, 0.9
#: Strip of a digit at each position of block-permuted MNIST, by permutation.
ORDER: Int[np.ndarray, "permutation value"] = np.array(PERMUTATIONS, dtype=np.int64)
#: Strips of a digit in their own order, whichever places they stand at.
STRIP_NAMES = ("top strip", "second strip", "third strip", "bottom strip")

Weights = Float[np.ndarray, "sample source block"]


def sharpness(weights: Weights) -> float:
    """Return the mean over samples and blocks of the largest weight: 1 / sources where all are equal, 1 where one has
    it all."""
    return float(weights.max(axis=1).mean())


def value_shares(weights: Weights, values: int) -> Float[np.ndarray, " value"]:
    """Return the mean share of each value in the weight on values; the first ``values`` sources are values.

    Weight on other sources, such as the task block, is left out; NaN without weight on values.
    """
    mean = weights[:, :values].mean(axis=(0, 2))
    total = mean.sum()
    return mean / total if total > 0 else np.full(values, np.nan)


def fairness(shares: Float[np.ndarray, " value"]) -> float:
    """Return the entropy of shares over its largest: 1 where all are equal, 0 where one has everything."""
    return float(entropy(shares) / np.log(len(shares))) if len(shares) > 1 else 1.0


def undone(
    weights: Weights, permutation: Int[np.ndarray, " sample"], order: Int[np.ndarray, "permutation value"]
) -> Weights:
    """Return weights of permuted values with sources back in their own order.

    Args:
        permutation: number of the permutation of a sample's values.
        order: for each permutation the value at each position. Sources after the values stay where they are.
    """
    places = np.argsort(order, axis=1)[permutation]  # where each value stands
    moved = np.take_along_axis(weights, places[:, :, None], axis=1)
    return np.concatenate((moved, weights[:, order.shape[1] :]), axis=1)


def permutation_difference(
    weights: Weights, permutation: Int[np.ndarray, " sample"], order: Int[np.ndarray, "permutation value"]
) -> float:
    """Return how differently permutations are routed once each is undone: 0 the same, 1 with nothing in common.

    Mean, over blocks and pairs of permutations, of the total variation distance of their mean weights. A network that
    undoes every permutation has 0; so has one that mixes all values alike: see ``sharpness``. Arguments as of
    ``undone``; NaN where fewer than two permutations have samples.
    """
    restored = undone(weights, permutation, order)
    means = [restored[permutation == number].mean(axis=0) for number in np.unique(permutation)]
    distances = [np.abs(first - other).sum(axis=0).mean() / 2 for first, other in combinations(means, 2)]
    return float(np.mean(distances)) if distances else float("nan")


def gate_use(gates: Float[np.ndarray, "sample block"]) -> dict[str, float]:
    """Return the mean gate, and the shares that copy (gate < 0.1) and compute (gate > 0.9), over samples and blocks."""
    copied, computed = (gates < COPIED_BELOW).mean(), (gates > COMPUTED_ABOVE).mean()
    return {"mean": float(gates.mean()), "copied": float(copied), "computed": float(computed)}


def copied_shares(
    weights: Sequence[Weights], gates: Sequence[Float[np.ndarray, "sample block"]]
) -> Float[np.ndarray, "sample input output"]:
    """Return how much of each block of the last MFNNR is a copy of each input block of the first.

    Summed over all paths of routes: the product of (1 - gate) * weight along a path; the rest to 1 was computed on the
    way.

    Args:
        weights, gates: of successive MFNNRs of one iteration; each reads all blocks that the one before it made.
    """
    carried = np.eye(weights[0].shape[1])[None]
    for weight, gate in zip(weights, gates, strict=True):
        carried = carried @ (weight * (1 - gate[:, None, :]))
    return carried


def routing_of(trace: Trace, field: str, iteration: str | None = None) -> dict[str, np.ndarray]:
    """``multiplexer_weights`` (sample, source, block) or ``gates`` (sample, block) of every MFNNR ("l1", ...), without
    padding; iterations become samples.

    ``iteration``: only those of this one ("i1", ...).
    """
    array = trace[field]
    parts_of: dict[str, list[np.ndarray]] = {}
    for step in array["step"].values.tolist():
        if iteration not in (None, step.rpartition(".")[0]):
            continue
        values = array.sel(step=step).values
        for axis in range(1, values.ndim):
            others = tuple(other for other in range(values.ndim) if other != axis)
            values = np.compress(~np.isnan(values).all(axis=others), values, axis=axis)
        parts_of.setdefault(step.rpartition(".")[2], []).append(values)
    return {name: np.concatenate(parts) for name, parts in parts_of.items()}


def summary(
    weights: Mapping[str, Weights],
    gates: Mapping[str, Float[np.ndarray, "sample block"]],
    values: Sequence[str],
    permutation: Int[np.ndarray, " sample"] | None = None,
    order: Int[np.ndarray, "permutation value"] | None = None,
) -> dict[str, Any]:
    """Return all indicators as plain data for JSON; undefined ones are None.

    Args:
        weights, gates: by MFNNR, in order; the first reads the input blocks.
        values: names of the input blocks that are values, before all others; of permuted ones, in their own order.
        permutation, order: where values are permuted, see ``undone``.

    Returns:
        ``sharpness`` and ``gates`` (``mean``, ``copied``, ``computed``) by MFNNR; of the first MFNNR ``fairness`` and
        ``shares`` of the values, wherever they stand, and their ``difference`` between the permutations of the samples.
    """
    first, difference = next(iter(weights.values())), None
    if permutation is not None and order is not None:
        difference = permutation_difference(first, permutation, order)
        first = undone(first, permutation, order)
    shares = value_shares(first, len(values))
    return {
        "sharpness": {name: sharpness(weight) for name, weight in weights.items()},
        "fairness": _number(fairness(shares)),
        "shares": dict(zip(values, map(_number, shares.tolist()), strict=True)),
        "difference": _number(difference),
        "gates": {name: gate_use(gate) for name, gate in gates.items()},
    }


def indicators(model: Network, data: BlockSet, limit: int) -> dict[str, Any]:
    """Return the ``summary`` of a network that routes blocks, run on the first samples of a set.

    The values of block-permuted MNIST are strips of a digit, top to bottom, at their permuted positions; its
    ``difference`` is between the permutations of the set's split.
    """
    some = range(min(limit, len(data)))
    trace = record(model, data.inputs(some).to(model.device), only=("multiplexer_weights", "gates"))
    weights, gates = routing_of(trace, "multiplexer_weights"), routing_of(trace, "gates")
    if data.permutation is None:
        return summary(weights, gates, data.task.values)
    return summary(weights, gates, STRIP_NAMES, data.permutation[: len(some)].numpy(), ORDER)


def indicators_of_splits(model: Network, sets: Sequence[BlockSet], limit: int) -> dict[str, Any]:
    """Return ``indicators`` on the first set; where values are permuted also ``difference_SPLIT`` of each further one.

    The validation split of block-permuted MNIST has its first four permutations, the test split the last four.
    """
    figures = indicators(model, sets[0], limit)
    for data in sets[1:]:
        if data.permutation is not None:
            figures[f"difference_{data.split}"] = indicators(model, data, limit)["difference"]
    return figures


def _number(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
