"""Accuracy and loss of a model, plain or under an intervention, with intervals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.data.dataset import LabelledSamples
from core.routing.caused.intervals import wilson_interval
from core.routing.caused.scores import Scores, score
from core.routing.intervention import Intervention

__all__ = ["Evaluation", "evaluate", "wilson_interval"]


@dataclass(frozen=True)
class Evaluation:
    """How well a model labels a data set.

    ``interval`` is the 95 % Wilson interval of ``accuracy``; ``loss`` the mean cross-entropy in nats;
    ``correct`` and ``predicted`` have one entry a sample, in the order of the data set; ``scores`` holds
    every sample's own.
    """

    accuracy: float
    interval: tuple[float, float]
    loss: float
    count: int
    seconds: float
    correct: np.ndarray
    predicted: np.ndarray
    scores: Scores

    @property
    def samples_per_second(self) -> float:
        """Scored samples per second of wall time."""
        return self.scores.samples_per_second


def evaluate(
    model: Any,
    dataset: LabelledSamples,
    intervention: Intervention | None = None,
    limit: int | None = None,
    batch_size: int = 512,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Score a data set with the head of its domain.

    Args:
        model: a network with a head for ``dataset.domain``.
        intervention: what is ablated and how, and how many iterations run.
        limit: score only the first so many samples.
        progress: called with (samples done, samples in all); an exception it raises cancels.
    """
    scores = score(
        model, dataset, intervention, limit, first_batch=batch_size, batch_size=batch_size, progress=progress
    )
    return Evaluation(
        accuracy=scores.accuracy,
        interval=scores.interval,
        loss=scores.mean_loss,
        count=scores.count,
        seconds=scores.seconds,
        correct=scores.correct,
        predicted=scores.predicted,
        scores=scores,
    )
