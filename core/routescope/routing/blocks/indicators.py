"""Indicators of how a network routes blocks (Block-Operations, A.2.4 and A.4), as functions of weights and gates.

Observed, not caused: an input block that gets much weight need not matter, and a gate that is open need not compute
anything of use. Weights are those of one MFNNR: how much each source (a block that is read) counts in each block made;
they sum to 1 over sources. A gate is 1 where a block is computed, 0 where it is copied.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from routescope.data.blocks.permuted import PERMUTATIONS
from routescope.data.blocks.sets import BlockSet
from routescope.nn.network import Network
from routescope.routing.observed.measures import entropy
from routescope.routing.recording import record
from routescope.routing.trace import Trace

#: A block with a gate below the first counts as copied, above the second as computed; others are mixtures.
COPIED_BELOW, COMPUTED_ABOVE = 0.1, 0.9
#: Which strip of a digit stands at each place of block-permuted MNIST, by permutation.
ORDER: Int[np.ndarray, "permutation value"] = np.array(PERMUTATIONS, dtype=np.int64)
#: Strips of a digit in their own order, whichever places they stand at.
STRIP_NAMES = ("top strip", "second strip", "third strip", "bottom strip")

Weights = Float[np.ndarray, "sample source block"]


def sharpness(weights: Weights) -> float:
    """Mean over samples and blocks of the largest weight: 1 / sources where all are alike, 1 where one has it all."""
    return float(weights.max(axis=1).mean())


def value_shares(weights: Weights, values: int) -> Float[np.ndarray, " value"]:
    """Mean share of the weight on values that each of them has; the first ``values`` sources are values.

    What goes to other sources, such as the task block, is left out; NaN where all of it does.
    """
    mean = weights[:, :values].mean(axis=(0, 2))
    total = mean.sum()
    return mean / total if total > 0 else np.full(values, np.nan)


def fairness(shares: Float[np.ndarray, " value"]) -> float:
    """Entropy of shares over its largest: 1 where all have the same, 0 where one has everything."""
    return float(entropy(shares) / np.log(len(shares))) if len(shares) > 1 else 1.0


def undone(
    weights: Weights, permutation: Int[np.ndarray, " sample"], order: Int[np.ndarray, "permutation value"]
) -> Weights:
    """Weights of values that were permuted, with sources back in their own order.

    Args:
        permutation: which permutation a sample's values came in.
        order: for each permutation which value stands at each place. Sources after the values stay where they are.
    """
    places = np.argsort(order, axis=1)[permutation]  # where each value stands
    moved = np.take_along_axis(weights, places[:, :, None], axis=1)
    return np.concatenate((moved, weights[:, order.shape[1] :]), axis=1)


def permutation_difference(
    weights: Weights, permutation: Int[np.ndarray, " sample"], order: Int[np.ndarray, "permutation value"]
) -> float:
    """How differently permutations are routed once each is undone: 0 the same, 1 with nothing in common.

    Mean, over blocks and pairs of permutations, of the total variation distance of their mean weights. A network that
    undoes every permutation has 0; so has one that mixes all values alike: see ``sharpness``. Arguments as of
    ``undone``; NaN where fewer than two permutations have samples.
    """
    own = undone(weights, permutation, order)
    means = [own[permutation == each].mean(axis=0) for each in np.unique(permutation)]
    distances = [np.abs(one - other).sum(axis=0).mean() / 2 for one, other in combinations(means, 2)]
    return float(np.mean(distances)) if distances else float("nan")


@dataclass(frozen=True)
class GateUse:
    """Of the gates of one MFNNR: their mean, and the shares that copy, compute, and mix."""

    mean: float
    copied: float
    computed: float

    @property
    def mixed(self) -> float:
        """Share of gates that neither copy nor compute alone."""
        return 1 - self.copied - self.computed


def gate_use(gates: Float[np.ndarray, "sample block"]) -> GateUse:
    """How much is copied (gate < 0.1) and computed (gate > 0.9), over samples and blocks."""
    return GateUse(float(gates.mean()), float((gates < COPIED_BELOW).mean()), float((gates > COMPUTED_ABOVE).mean()))


def copied_shares(
    weights: Sequence[Weights], gates: Sequence[Float[np.ndarray, "sample block"]]
) -> Float[np.ndarray, "sample input output"]:
    """How much of each block of the last MFNNR is a copy of each input block of the first.

    Summed over all paths of routes, of the product of (1 - gate) * weight along a path; what is missing to 1 was
    computed somewhere on the way.

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
    found: dict[str, list[np.ndarray]] = {}
    for step in array["step"].values.tolist():
        if iteration not in (None, step.rpartition(".")[0]):
            continue
        values = array.sel(step=step).values
        for axis in range(1, values.ndim):
            others = tuple(each for each in range(values.ndim) if each != axis)
            values = np.compress(~np.isnan(values).all(axis=others), values, axis=axis)
        found.setdefault(step.rpartition(".")[2], []).append(values)
    return {name: np.concatenate(parts) for name, parts in found.items()}


def summary(
    weights: Mapping[str, Weights],
    gates: Mapping[str, Float[np.ndarray, "sample block"]],
    values: Sequence[str],
    permutation: Int[np.ndarray, " sample"] | None = None,
    order: Int[np.ndarray, "permutation value"] | None = None,
) -> dict[str, Any]:
    """All indicators as plain data that JSON can hold; what is not defined is None.

    Args:
        weights, gates: by MFNNR, in order; the first reads the input blocks.
        values: names of the input blocks that are values, before all others; of permuted ones, in their own order.
        permutation, order: where values come permuted, see ``undone``.

    Returns:
        ``sharpness`` and ``gates`` (``mean``, ``copied``, ``computed``) by MFNNR; of the first MFNNR ``fairness`` and
        ``shares`` of the values, wherever they stand, and their ``difference`` between the permutations of the samples.
    """
    first, difference = next(iter(weights.values())), None
    if permutation is not None and order is not None:
        difference = permutation_difference(first, permutation, order)
        first = undone(first, permutation, order)
    shares = value_shares(first, len(values))
    uses = {name: gate_use(each) for name, each in gates.items()}
    return {
        "sharpness": {name: sharpness(each) for name, each in weights.items()},
        "fairness": _number(fairness(shares)),
        "shares": dict(zip(values, map(_number, shares.tolist()), strict=True)),
        "difference": _number(difference),
        "gates": {n: {"mean": use.mean, "copied": use.copied, "computed": use.computed} for n, use in uses.items()},
    }


def indicators(model: Network, data: BlockSet, limit: int) -> dict[str, Any]:
    """What ``summary`` says of a network that routes blocks, run on the first samples of a set.

    The values of block-permuted MNIST are strips of a digit, top to bottom, wherever a permutation puts them; its
    ``difference`` is between the permutations that the set's split is about.

    Raises:
        InterventionError, IncompleteTrace: as ``record`` does.
    """
    some = range(min(limit, len(data)))
    trace = record(model, data.inputs(some).to(model.device), only=("multiplexer_weights", "gates"))
    weights, gates = routing_of(trace, "multiplexer_weights"), routing_of(trace, "gates")
    if data.permutation is None:
        return summary(weights, gates, data.task.values)
    return summary(weights, gates, STRIP_NAMES, data.permutation[: len(some)].numpy(), ORDER)


def indicators_of_splits(model: Network, sets: Sequence[BlockSet], limit: int) -> dict[str, Any]:
    """``indicators`` on the first set; where values come permuted also ``difference_SPLIT`` of each further one.

    The validation split of block-permuted MNIST has its first four permutations, the test split the last four.
    """
    found = indicators(model, sets[0], limit)
    for data in sets[1:]:
        if data.permutation is not None:
            found[f"difference_{data.split}"] = indicators(model, data, limit)["difference"]
    return found


def _number(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
