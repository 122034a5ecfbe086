"""Tasks for the actors of a cluster, sent as JSON, and their answers, returned as named arrays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from routescope.data.samples import Samples
from routescope.nn.adapters.transformers import CONTEXT
from routescope.nn.measures import Measure
from routescope.routing.caused.scores import Scores
from routescope.routing.maps.points import Tokens, TypePoints

#: The answer of an actor: arrays, numbers and texts by name.
PlainData = Mapping[str, Any]


@dataclass(frozen=True)
class SampleSet:
    """A data set by its name, and ``content``, the hash of its samples, which an actor compares with its own set."""

    name: str
    split: str
    content: str

    @classmethod
    def of(cls, dataset: Samples, content: str) -> Self:
        return cls(dataset.name, dataset.split, content)


@dataclass(frozen=True)
class ActorSettings:
    """Settings of an actor: the service's precision, threads and limits of memory.

    Attributes:
        device: ``cpu`` or ``cuda``.
        threads: processor threads of an operation.
        model_memory_bytes, opened_model_bytes, prepared_weights_bytes, opened_context, opened_stride: the service's
            settings of these names.
    """

    device: str
    precision: str
    threads: int
    model_memory_bytes: int
    opened_model_bytes: int
    prepared_weights_bytes: int
    opened_context: int = CONTEXT
    opened_stride: int | None = None


@dataclass(frozen=True)
class ScoreTask:
    """Samples to score, in one batch or several.

    Attributes:
        model, revision: identify the weights on a node.
        intervention: from ``Intervention.to_json``.
        samples: data sets with the same inputs.
        batches: positions of the samples in these sets.
        batch_size: largest batch, which means are computed with too.
        threads: processor threads; the last bit of sums may depend on them.
    """

    model: str
    revision: str
    intervention: str
    samples: tuple[SampleSet, ...]
    batches: tuple[tuple[int, ...], ...]
    batch_size: int
    threads: int

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        fields = json.loads(text)
        fields["samples"] = tuple(SampleSet(**sample_set) for sample_set in fields["samples"])
        fields["batches"] = tuple(tuple(rows) for rows in fields["batches"])
        return cls(**fields)


@dataclass(frozen=True)
class CollectPointsTask:
    """One batch of samples whose points are collected.

    Attributes:
        model, revision, intervention, threads: see ``ScoreTask``.
        initial: seed for routing as at initialisation; None: routing as trained.
        tokens: which tokens give points.
        samples, limit: a data set, of which the first ``limit`` samples are used.
        start, stop: positions of the batch.
    """

    model: str
    revision: str
    initial: int | None
    intervention: str
    tokens: Tokens
    samples: SampleSet
    limit: int
    start: int
    stop: int
    threads: int

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        fields = json.loads(text)
        return cls(**fields | {"samples": SampleSet(**fields["samples"])})


def points_as_plain(points: TypePoints) -> dict[str, Any]:
    """Return the attributes of points by name."""
    return dict(vars(points))


def as_plain(scores: Scores) -> dict[str, Any]:
    """Return the arrays of scores by name, and the seconds that they took."""
    names = ("value", "loss", "predicted", "weight", "confidence")
    return {name: getattr(scores, name) for name in names} | {"seconds": scores.seconds}


def joined(batches: Sequence[Sequence[PlainData]], measures: Sequence[Measure]) -> tuple[Scores, ...]:
    """Return the scores of each data set, joined over batches."""
    return tuple(
        Scores.join([Scores(**batch[position], measure=measure) for batch in batches])
        for position, measure in enumerate(measures)
    )
