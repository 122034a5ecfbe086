"""Accuracy and loss of a model, plain or under an intervention, with intervals."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from core.data import Dataset
from core.routing.intervention import Intervention


def wilson_interval(correct: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson score interval of a share (Wilson 1927); (0, 1) when nothing was counted."""
    if not 0 <= correct <= count:
        raise ValueError(f"correct must be from 0 to count, not {correct} of {count}")
    if count == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share, scale = correct / count, 1 + z**2 / count
    centre = (share + z**2 / (2 * count)) / scale
    half = z / scale * (share * (1 - share) / count + z**2 / (4 * count**2)) ** 0.5
    low, high = centre - half, centre + half  # which rounding may put a little beyond the share itself
    return max(0.0, min(low, share)), min(1.0, max(high, share))


@dataclass(frozen=True)
class Evaluation:
    """How well a model labels a data set.

    ``interval`` is the 95 % Wilson interval of ``accuracy``; ``loss`` the mean cross-entropy in nats;
    ``correct`` and ``labels`` have one entry a sample, in the order of the data set.
    """

    accuracy: float
    interval: tuple[float, float]
    loss: float
    count: int
    seconds: float
    correct: np.ndarray
    predicted: np.ndarray

    @property
    def samples_per_second(self) -> float:
        """Scored samples per second of wall time."""
        return self.count / self.seconds if self.seconds else float("inf")


def evaluate(
    model: Any,
    dataset: Dataset,
    intervention: Intervention | None = None,
    limit: int | None = None,
    batch_size: int = 512,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Score a data set with the head of its domain.

    Args:
        model: a network with a head for ``dataset.domain``.
        intervention: what to drop and mute and how many iterations to run.
        limit: score only the first so many samples.
        progress: called with (samples done, samples in all); an exception it raises cancels.
    """
    intervention = intervention or Intervention()
    if dataset.domain not in model.config.domains:
        raise ValueError(f"no head for {dataset.domain!r}; this model has {', '.join(model.config.domains)}")
    view, head = intervention.apply(model), model.config.domains.index(dataset.domain)
    count = len(dataset) if limit is None else min(limit, len(dataset))
    device = next(model.parameters()).device
    predicted, losses, started = np.zeros(count, dtype=np.int64), np.zeros(count), time.perf_counter()
    for start in range(0, count, batch_size):
        stop = min(start + batch_size, count)
        images = dataset.images[start:stop].to(device).float() / 255
        labels = dataset.labels[start:stop].to(device)
        with torch.no_grad():
            logits = view(images, iterations=intervention.iterations)[:, head].float()
        predicted[start:stop] = logits.argmax(dim=-1).cpu().numpy()
        losses[start:stop] = F.cross_entropy(logits, labels, reduction="none").cpu().numpy()
        if progress is not None:
            progress(stop, count)
    correct = predicted == dataset.labels[:count].numpy()
    return Evaluation(
        accuracy=float(correct.mean()) if count else float("nan"),
        interval=wilson_interval(int(correct.sum()), count),
        loss=float(losses.mean()) if count else float("nan"),
        count=count,
        seconds=time.perf_counter() - started,
        correct=correct,
        predicted=predicted,
    )
