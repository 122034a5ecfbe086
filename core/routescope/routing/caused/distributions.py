"""Distribution of samples: seen in training, held out of training, or unknown. No figure mixes them."""

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Bool, Shaped

from routescope.data import DataError
from routescope.data.samples import Samples

#: ``in``: the model's card says that training showed such samples; ``out``: training left them out; ``unknown``: no
#: card says it.
Distribution = Literal["in", "out", "unknown"]
#: Distributions in words.
DISTRIBUTIONS: dict[Distribution, str] = {
    "in": "in distribution",
    "unknown": "distribution unknown",
    "out": "out of distribution",
}


def distribution_of(
    dataset: Samples, trained_on: Collection[str], held_out: Collection[str], limit: int | None = None
) -> Shaped[np.ndarray, " sample"]:
    """Return the distribution of each of the first ``limit`` samples.

    Args:
        trained_on: domains that the model's card says were trained on; none without a card.
        held_out: domains that the model records as never trained on.
        limit: None: all samples.
    """
    count = len(dataset) if limit is None else min(limit, len(dataset))
    if dataset.domain in held_out:
        return np.full(count, "out", dtype="<U7")
    if dataset.domain not in trained_on or dataset.split == "own":  # no card speaks of samples that somebody brings
        return np.full(count, "unknown", dtype="<U7")
    names = np.full(count, "in", dtype="<U7")
    if dataset.held_out is not None:
        names[np.asarray(dataset.held_out[:count].numpy(), dtype=bool)] = "out"
    return names


def choose_distribution(
    names: Sequence[Shaped[np.ndarray, " sample"]], distribution: Distribution | None = None
) -> tuple[Distribution, list[int], Bool[np.ndarray, " sample"] | None]:
    """Choose the samples of one distribution; raises DataError if there are none of the one asked for.

    Args:
        names: the distribution of the samples of each data set; see ``distribution_of``.
        distribution: the distribution to choose; None: the first of in, unknown and out that has a sample.

    Returns:
        The distribution; the positions of the data sets that have such samples (all, where there is no sample at all);
        and which samples of these data sets, one after the other, are of it (None: all).
    """
    present = [name for name in DISTRIBUTIONS if any((labels == name).any() for labels in names)]
    if not present:
        return distribution or "unknown", list(range(len(names))), None
    chosen = distribution or present[0]
    if chosen not in present:
        words = " or ".join(DISTRIBUTIONS[name] for name in present)
        raise DataError(f"no sample of these data sets is {DISTRIBUTIONS[chosen]}; all are {words}")
    positions = [position for position, labels in enumerate(names) if (labels == chosen).any()]
    taken = np.concatenate([names[position] == chosen for position in positions])
    return chosen, positions, None if taken.all() else taken
