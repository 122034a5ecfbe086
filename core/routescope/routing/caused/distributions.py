"""Distribution of samples: shown in training, left out of training, or unknown, so that no figure pools them."""

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Bool, Shaped

from routescope.data import DataError
from routescope.data.samples import Samples

#: ``in``: the model's card says that training showed such samples; ``out``: training left them out; ``unknown``: no
#: card says it.
Distribution = Literal["in", "out", "unknown"]
#: The same for people.
DISTRIBUTIONS: dict[Distribution, str] = {
    "in": "in distribution",
    "unknown": "distribution unknown",
    "out": "out of distribution",
}


def distribution_of(
    dataset: Samples, trained_on: Collection[str], held_out: Collection[str], limit: int | None = None
) -> Shaped[np.ndarray, " sample"]:
    """Return the name of the distribution of each of the first ``limit`` samples.

    Args:
        trained_on: domains that the model's card says were trained on; none where there is no card.
        held_out: domains of which the model records that training never saw them.
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


def of_one(
    names: Sequence[Shaped[np.ndarray, " sample"]], distribution: Distribution | None = None
) -> tuple[Distribution, list[Bool[np.ndarray, " sample"]]]:
    """Choose the samples of one distribution.

    Args:
        names: of each data set, the distribution of its samples; see ``distribution_of``.
        distribution: the distribution to choose; None: the first of in, unknown and out that has a sample.

    Returns:
        The distribution, and of each data set which samples are of it; of some perhaps none.

    Raises:
        DataError: no sample is of the distribution that is asked for.
    """
    present = [name for name in DISTRIBUTIONS if any((each == name).any() for each in names)]
    chosen = distribution or (present[0] if present else "unknown")
    if present and chosen not in present:
        there = " or ".join(DISTRIBUTIONS[name] for name in present)
        raise DataError(f"no sample of these data sets is {DISTRIBUTIONS[chosen]}; all are {there}")
    return chosen, [each == chosen for each in names]
