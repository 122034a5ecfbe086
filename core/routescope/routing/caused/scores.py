"""Scores of a network's answers for a data set, sample by sample, under an intervention: value and loss."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int64, Shaped
from torch import Tensor

from routescope.data import check_limit
from routescope.data.samples import Samples
from routescope.data.statements.features import with_features
from routescope.nn.inputs.kind import Inputs
from routescope.nn.measures import ACCURACY, Measure, Rowwise
from routescope.nn.network import Network
from routescope.nn.shown import shortened
from routescope.routing.ablation import Ablation, check_network
from routescope.routing.caused.intervals import weighted_interval, weighted_mean, wilson_interval
from routescope.routing.intervention import Intervention
from routescope.routing.running import BATCH, FIRST_BATCH, Cutting, inputs_of, pieces, rows_of, run


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of a network's answers for some samples, in their order; their mean is ``figure``.

    Attributes:
        value: (sample,), in the unit of the measure: for accuracy whether the label of highest logit is right (bool),
            else float32.
        loss: (sample,); for accuracy the cross-entropy in nats.
        predicted: (sample,), the label of highest logit; -1 for heads that choose no label.
        seconds: wall time of these samples alone, with replacements for mean and resample.
        weight: (sample,), weight of each sample in the mean; None: all equal.
        measure: the measure of the values.
        tokens_left_out, bytes_left_out: cut from the end of each text; None: the samples are no texts, or their scores
            were stored.
        confidence: (sample,), softmax probability of ``predicted``; None: the head chooses no label.
    """

    value: Shaped[np.ndarray, " sample"]
    loss: Float32[np.ndarray, " sample"]
    predicted: Int16[np.ndarray, " sample"]
    seconds: float
    weight: Float32[np.ndarray, " sample"] | None = None
    measure: Measure = ACCURACY
    tokens_left_out: Int64[np.ndarray, " sample"] | None = None
    bytes_left_out: Int64[np.ndarray, " sample"] | None = None
    confidence: Float32[np.ndarray, " sample"] | None = None

    def __repr__(self) -> str:
        """Return its figure with the 95 % interval, and the number of samples."""
        return shortened("Scores", _facts(self))

    def __len__(self) -> int:
        return len(self.value)

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.value)

    @property
    def correct(self) -> Bool[np.ndarray, " sample"]:
        """Return a mask of the samples that are right; raises ValueError for a measure without right and wrong."""
        if not self.measure.share:
            raise ValueError(f"no sample is right or wrong by {self.measure.name}")
        return self.value

    @property
    def accuracy(self) -> float:
        """Share of samples that are right, NaN of none; raises ValueError as ``correct`` does."""
        return float(self.correct.mean()) if self.count else float("nan")

    @property
    def figure(self) -> float:
        """Weighted mean of the values of all samples; NaN of none."""
        return self.accuracy if self.measure.share else weighted_mean(self.value, self.weight)

    @property
    def worth(self) -> float:
        """The figure, or its negative where less is better: for comparisons."""
        return self.figure if self.measure.higher_is_better else -self.figure

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the figure: Wilson's of a share, else the bootstrap's over samples (NaN of none)."""
        if self.measure.share:
            return wilson_interval(int(self.correct.sum()), self.count)
        return weighted_interval(self.value, self.weight)[1:]

    @property
    def mean_loss(self) -> float:
        """Mean loss over samples, in nats where it is a cross-entropy; NaN of no samples."""
        return float(self.loss.mean(dtype=np.float64)) if self.count else float("nan")

    @property
    def samples_per_second(self) -> float:
        """Scored samples per second of wall time; NaN where no time was measured."""
        return self.count / self.seconds if self.seconds else float("nan")

    @classmethod
    def none(cls, seconds: float = 0.0, measure: Measure = ACCURACY) -> Self:
        """Return scores of no samples."""
        value = np.empty(0, bool if measure.share else np.float32)
        weight = None if measure.share else np.empty(0, np.float32)
        return cls(value, np.empty(0, np.float32), np.empty(0, np.int16), seconds, weight, measure)

    @classmethod
    def join(cls, parts: Iterable[Self]) -> Self:
        """Return all samples of the parts, one part after the other; raises ValueError for different measures."""
        parts = list(parts)
        measures = {part.measure.name: part.measure for part in parts}
        if len(measures) > 1:
            raise ValueError(f"scores by one measure can be joined; here they are by {', '.join(measures)}")
        measure = next(iter(measures.values()), ACCURACY)
        empty = cls.none(measure=measure)
        joined = (empty, *parts)
        return cls(
            value=np.concatenate([part.value for part in joined]),
            loss=np.concatenate([part.loss for part in joined]),
            predicted=np.concatenate([part.predicted for part in joined]),
            seconds=sum(part.seconds for part in parts),
            weight=None if empty.weight is None else np.concatenate([part.weights for part in joined]),
            measure=measure,
            tokens_left_out=_joined([part.tokens_left_out for part in parts if part.count]),
            bytes_left_out=_joined([part.bytes_left_out for part in parts if part.count]),
            confidence=_joined([part.confidence for part in parts if part.count]),
        )

    @property
    def weights(self) -> Float32[np.ndarray, " sample"]:
        """Weight of each sample, 1 where all are equal."""
        return np.ones(self.count, np.float32) if self.weight is None else self.weight

    def take(self, rows: Any) -> Self:
        """Return the samples at ``rows`` (positions, a mask or a slice), with their share of the time."""
        value = self.value[rows]
        seconds = self.seconds * (len(value) / self.count if self.count else 0.0)
        weight = None if self.weight is None else self.weight[rows]
        optional = (self.tokens_left_out, self.bytes_left_out, self.confidence)
        taken = [None if array is None else array[rows] for array in optional]
        return type(self)(value, self.loss[rows], self.predicted[rows], seconds, weight, self.measure, *taken)


def _joined(parts: Sequence[Shaped[np.ndarray, " part"] | None]) -> Shaped[np.ndarray, " sample"] | None:
    """Return the array of all samples; None where a part has none."""
    known_parts = [part for part in parts if part is not None]
    return np.concatenate(known_parts) if known_parts and len(known_parts) == len(parts) else None


def check_dataset(dataset: object) -> None:
    """Raise TypeError for texts, pictures or a name in place of a data set."""
    if isinstance(dataset, str | bytes | list | tuple | dict | Inputs | Tensor | np.ndarray):
        raise TypeError(
            f"a data set is scored, such as load('sums', 'validation'), not of type {type(dataset).__name__}; "
            "own texts become a data set by routescope.data.text.sets.own_texts"
        )


def score_together(
    model: Network,
    datasets: Sequence[Samples],
    intervention: Intervention | None = None,
    limit: int | None = None,
    *,
    seed: int = 0,
    first_batch: int = FIRST_BATCH,
    batch_size: int = BATCH,
    batches: Sequence[Sequence[int]] | None = None,
    ablation: Ablation | None = None,
) -> Iterator[tuple[Scores, ...]]:
    """Score data sets with the same inputs (``routescope.data.sharing``) in one run, each with the head of its domain.

    Between two items nothing is registered on the model or on its views: an iteration may be stopped at any time, and
    other threads may compute on the model meanwhile. The same arguments give the same bits, whatever else runs.

    Args:
        model: a network with a head for the domain of each set.
        datasets: at least one; the network runs on the inputs, and its reference is, of the first.
        intervention: None: nothing is ablated.
        limit: score only the first so many samples of each set. Means are over the first ``MEAN_SAMPLES`` of the data
            set and donors come from all of it, whatever the limit.
        seed: of the donors of ``resample``.
        first_batch, batch_size: samples of the first batch, and of each other at most.
        batches: the samples of each batch, where these are not the next ones; ``limit`` and ``first_batch`` are then
            unused.
        ablation: of the same model, intervention, first data set and seed, whose means may be known already; None: a
            new one.

    Yields:
        Scores of each set, in the order of the data set, or of ``batches``, each with its share of the time; empty ones
        while means or donors are prepared.

    Raises:
        TypeError: something other than a network, or than data sets.
        InterventionError: units that the model lacks, or ``resample`` with a text that is longer than the context.
        DataError: a limit that is no whole number above 0.
        ValueError: no data set, no head for one, or a batch without samples.
    """
    check_limit(limit)
    check_network(model)
    if not datasets:
        raise ValueError("score at least one data set")
    for dataset in datasets:
        check_dataset(dataset)
    heads = [model.head_of(dataset.domain) for dataset in datasets]
    if first_batch < 1 or batch_size < 1:
        raise ValueError("a batch has at least 1 sample")
    first = datasets[0]
    count = len(first) if limit is None else min(limit, len(first))
    ablation = ablation or Ablation(model, intervention or Intervention(), first, seed)
    grid = list(pieces(count, first_batch, batch_size)) if batches is None else batches
    return _scored(ablation, datasets, heads, grid, batch_size)


def _scored(
    ablation: Ablation,
    datasets: Sequence[Samples],
    heads: Sequence[int],
    grid: Sequence[Sequence[int]],
    batch_size: int,
) -> Iterator[tuple[Scores, ...]]:
    measures = [ablation.view.all_heads[head].measure for head in heads]
    cutting = Cutting(ablation, inputs_of(ablation.view, datasets[0]))
    started = time.perf_counter()
    for batch in run(ablation, cutting.inputs, grid, batch_size=batch_size):
        scored = []
        for dataset, head, measure in zip(datasets, heads, measures, strict=True):
            if batch is None:
                scored.append(Scores.none(measure=measure))
                continue
            out, mask, windows = batch.out[:, head].float(), batch.mask, cutting.windows
            if windows is None:
                target = dataset.targets(rows_of(batch.rows), ablation.iterations).to(out.device)
                scored.append(_as_arrays(measure.rows(out, target, mask), measure))
                continue
            nats, mask = windows.nats(out, mask)
            made = _as_arrays(measure.rows(nats, windows.bytes.to(nats.device), mask), measure)
            tokens, lost = windows.left_out.tokens.numpy(), windows.left_out.bytes.numpy()
            scored.append(replace(made, tokens_left_out=tokens, bytes_left_out=lost))
        share = (time.perf_counter() - started) / len(scored)
        yield tuple(replace(scores, seconds=share) for scores in scored)
        started = time.perf_counter()


def _as_arrays(rows: Rowwise, measure: Measure) -> Scores:
    value, weight = (values.float().cpu().numpy() for values in (rows.value, rows.weight))
    confidence = None if rows.confidence is None else rows.confidence.float().cpu().numpy()
    return Scores(
        value=value > 0.5 if measure.share else value,
        loss=rows.loss.float().cpu().numpy(),
        predicted=rows.predicted.cpu().numpy().astype(np.int16),
        seconds=0.0,
        weight=None if measure.share else weight,
        measure=measure,
        confidence=confidence,
    )


def score(
    model: Network,
    dataset: Samples,
    intervention: Intervention | None = None,
    limit: int | None = None,
    *,
    seed: int = 0,
    first_batch: int = FIRST_BATCH,
    batch_size: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score a data set with the head of its domain.

    Args:
        progress: called with (samples done, samples in all); an exception it raises cancels.
    """
    batches = score_together(
        model, [dataset], intervention, limit, seed=seed, first_batch=first_batch, batch_size=batch_size
    )
    count, done, parts = len(dataset) if limit is None else min(limit, len(dataset)), 0, []
    for (part,) in batches:
        parts.append(part)
        done += part.count
        if progress is not None:
            progress(done, count)
    return Scores.join(parts)


def evaluate(
    model: Network,
    dataset: Samples,
    intervention: Intervention | None = None,
    limit: int | None = None,
    batch_size: int = 512,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score a data set as ``score``, and store the features that frozen encoders compute of all its samples.

    Args:
        limit: score only the first so many samples, without storing features.
        progress: called with (samples done, samples in all); an exception it raises cancels.
    """
    check_network(model)
    check_dataset(dataset)
    dataset = with_features(model, dataset) if limit is None else dataset
    return score(model, dataset, intervention, limit, first_batch=batch_size, batch_size=batch_size, progress=progress)


def _facts(scores: Scores) -> dict[str, object]:
    """Return the facts that a notebook shows of scores."""
    if not len(scores):
        return {"samples": 0, "measure": scores.measure.name}
    low, high = scores.interval
    return {
        "samples": len(scores),
        "measure": scores.measure.name,
        "figure": scores.figure,
        "low": low,
        "high": high,
        "mean_loss": scores.mean_loss,
        "seconds": scores.seconds,
    }
