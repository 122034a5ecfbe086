"""What training showed and what it left out: which samples are of which, so that no figure pools the two."""

from collections.abc import Collection, Sequence
from typing import Literal

import numpy as np
from jaxtyping import Bool

from core.data import DataError
from core.data.dataset import LabelledSamples, SamplesHeldOut

#: ``in``: what training showed; ``out``: what it left out.
Distribution = Literal["in", "out"]
#: The same for people.
DISTRIBUTIONS: dict[Distribution, str] = {"in": "in distribution", "out": "out of distribution"}


def left_out(dataset: LabelledSamples, domains: Collection[str], limit: int) -> Bool[np.ndarray, " sample"]:
    """Which of the first ``limit`` samples training left out: all of one of ``domains``, else what the set says."""
    count = min(limit, len(dataset))
    if dataset.domain in domains:
        return np.ones(count, dtype=bool)
    if isinstance(dataset, SamplesHeldOut):
        return np.asarray(dataset.held_out[:count].numpy(), dtype=bool)
    return np.zeros(count, dtype=bool)


def of_one(
    beyond: Sequence[Bool[np.ndarray, " sample"]], distribution: Distribution | None = None
) -> tuple[Distribution, list[Bool[np.ndarray, " sample"]]]:
    """The samples of one distribution.

    Args:
        beyond: of each data set, which samples training left out.
        distribution: which of the two; None: what training showed, or what it left out where that is all there is.

    Returns:
        The distribution, and of each data set which samples are of it; of some perhaps none.

    Raises:
        DataError: no sample is of the distribution that is asked for.
    """
    ways: tuple[tuple[Distribution, bool], ...] = (("in", False), ("out", True))
    there = [name for name, away in ways if any((each == away).any() for each in beyond)]
    chosen = distribution or (there[0] if there else "in")
    if there and chosen not in there:
        raise DataError(f"no sample of these data sets is {DISTRIBUTIONS[chosen]}; all are {DISTRIBUTIONS[there[0]]}")
    return chosen, [each == (chosen == "out") for each in beyond]
