"""Accuracy and loss of a network on a data set, sample by sample, plain or under an intervention."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch.nn.functional as F
from jaxtyping import Bool, Float32, Int16, Int64
from torch import Tensor

from core.data import check_limit
from core.data.dataset import LabelledSamples
from core.routing.ablation import Ablation
from core.routing.caused.intervals import wilson_interval
from core.routing.intervention import Intervention
from core.routing.running import BATCH, FIRST_BATCH, head_of, inputs_of, pieces, run


@dataclass(frozen=True, eq=False)
class Scores:
    """How a model labelled some samples, in their order.

    Attributes:
        correct: whether the label of highest logit is the sample's own.
        loss: cross-entropy in nats.
        predicted: the label of highest logit.
        seconds: wall time of computing these alone, replacements for mean and resample included.
    """

    correct: Bool[np.ndarray, " sample"]
    loss: Float32[np.ndarray, " sample"]
    predicted: Int16[np.ndarray, " sample"]
    seconds: float

    def __len__(self) -> int:
        return len(self.correct)

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.correct)

    @property
    def accuracy(self) -> float:
        """Share of samples that are labelled right; NaN of none."""
        return float(self.correct.mean()) if self.count else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the accuracy."""
        return wilson_interval(int(self.correct.sum()), self.count)

    @property
    def mean_loss(self) -> float:
        """Mean cross-entropy in nats; NaN of no samples."""
        return float(self.loss.mean(dtype=np.float64)) if self.count else float("nan")

    @property
    def samples_per_second(self) -> float:
        """Scored samples per second of wall time; NaN where no time was measured."""
        return self.count / self.seconds if self.seconds else float("nan")

    @classmethod
    def join(cls, parts: Iterable[Self]) -> Self:
        """All samples of the parts, one part after the other."""
        parts = list(parts)
        return cls(
            correct=np.concatenate([np.empty(0, bool), *(part.correct for part in parts)]),
            loss=np.concatenate([np.empty(0, np.float32), *(part.loss for part in parts)]),
            predicted=np.concatenate([np.empty(0, np.int16), *(part.predicted for part in parts)]),
            seconds=sum(part.seconds for part in parts),
        )

    def take(self, rows: Any) -> Self:
        """The samples at ``rows`` (positions, a mask or a slice), with their share of the time."""
        correct = self.correct[rows]
        share = len(correct) / self.count if self.count else 0.0
        return type(self)(correct, self.loss[rows], self.predicted[rows], self.seconds * share)


def score_batches(
    model: Any,
    dataset: LabelledSamples,
    intervention: Intervention | None = None,
    limit: int | None = None,
    *,
    seed: int = 0,
    first_batch: int = FIRST_BATCH,
    batch_size: int = BATCH,
) -> Iterator[Scores]:
    """Score a data set with the head of its domain, one piece of work for each item asked for.

    Between two items nothing is registered on the model or on its views: an iteration may be left at any time, and
    others may compute on the model meanwhile. The same arguments give the same bits, whatever else runs.

    Args:
        model: a network with a head for ``dataset.domain``.
        intervention: what is ablated and how, and how many iterations run; nothing when None.
        limit: score only the first so many samples. Means are over the first ``MEAN_SAMPLES`` of the data set and
            donors come from all of it, whatever the limit.
        seed: of the donors of ``resample``.
        first_batch, batch_size: samples of the first piece and at most of each other.

    Yields:
        Scores in the order of the data set; empty ones for work that prepares means or donors.

    Raises:
        InterventionError: units that the model lacks.
        DataError: a limit that is no whole number above 0.
        ValueError: no head for this data set, or a batch without samples.
    """
    check_limit(limit)
    head = head_of(model, dataset)
    if first_batch < 1 or batch_size < 1:
        raise ValueError("a batch has at least 1 sample")
    count = len(dataset) if limit is None else min(limit, len(dataset))
    ablation = Ablation(model, intervention or Intervention(), dataset, seed)
    grid = list(pieces(count, first_batch, batch_size))
    return _scored(ablation, dataset, head, grid, batch_size)


def _scored(
    ablation: Ablation, dataset: LabelledSamples, head: int, grid: list[range], batch_size: int
) -> Iterator[Scores]:
    started = time.perf_counter()
    answers = labels_of(dataset, ablation.iterations)
    for batch in run(ablation, inputs_of(dataset), grid, batch_size=batch_size):
        if batch is None:
            yield _nothing(time.perf_counter() - started)
        else:
            logits = batch.logits[:, head].float()
            labels = answers[batch.rows.start : batch.rows.stop].to(logits.device)
            predicted = logits.argmax(dim=-1)
            yield Scores(
                correct=(predicted == labels).cpu().numpy(),
                loss=F.cross_entropy(logits, labels, reduction="none").cpu().numpy(),
                predicted=predicted.cpu().numpy().astype(np.int16),
                seconds=time.perf_counter() - started,
            )
        started = time.perf_counter()


def labels_of(dataset: LabelledSamples, iterations: int) -> Int64[Tensor, " sample"]:
    """What is right after so many iterations: the labels, where a data set has no others (``labels_at``)."""
    labels_at: Callable[[int], Tensor] | None = getattr(dataset, "labels_at", None)
    return dataset.labels if labels_at is None else labels_at(iterations)


def _nothing(seconds: float) -> Scores:
    return Scores(np.empty(0, bool), np.empty(0, np.float32), np.empty(0, np.int16), seconds)


def score(
    model: Any,
    dataset: LabelledSamples,
    intervention: Intervention | None = None,
    limit: int | None = None,
    *,
    seed: int = 0,
    first_batch: int = FIRST_BATCH,
    batch_size: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """All of ``score_batches`` at once.

    Args:
        progress: called with (samples done, samples in all); an exception it raises cancels.
    """
    check_limit(limit)
    count, done, parts = len(dataset) if limit is None else min(limit, len(dataset)), 0, []
    for part in score_batches(
        model, dataset, intervention, limit, seed=seed, first_batch=first_batch, batch_size=batch_size
    ):
        parts.append(part)
        done += part.count
        if progress is not None:
            progress(done, count)
    return Scores.join(parts)


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
