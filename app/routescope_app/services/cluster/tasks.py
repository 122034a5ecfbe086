"""What is sent to an actor and what it gives back: JSON one way, arrays under names the other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from routescope.data.samples import Samples
from routescope.nn.adapters.transformers import CONTEXT
from routescope.nn.measures import Measure
from routescope.routing.caused.scores import Scores
from routescope.routing.maps.points import Tokens, TypePoints

#: What an actor answers with, as Ray carries it: arrays, numbers and words under names.
Plain = Mapping[str, Any]


@dataclass(frozen=True)
class SampleSet:
    """A data set by its name; ``content`` is the hash of its samples, which an actor checks its own set against."""

    name: str
    split: str
    content: str

    @classmethod
    def of(cls, dataset: Samples, content: str) -> Self:
        return cls(dataset.name, dataset.split, content)


@dataclass(frozen=True)
class ActorFacts:
    """How an actor is to compute: as the service would, within the same limits of what it keeps.

    Attributes:
        device: ``cpu`` or ``cuda``.
        threads: of the processor, for each operation.
        model_memory_bytes, opened_model_bytes, prepared_weights_bytes, opened_context, opened_stride: as the settings
            of these names.
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
    """Samples to be scored, in one batch or several.

    Attributes:
        model, revision: by which an actor finds the weights on its node.
        intervention: as ``Intervention.to_json`` writes it.
        samples: data sets with the same inputs, of which the rows are taken.
        batches: places of the samples in these sets.
        batch_size: samples of a batch at most, in which means are found too.
        threads: of the processor; sums of other numbers of threads may differ in their last bit.
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
        told = json.loads(text)
        told["samples"] = tuple(SampleSet(**each) for each in told["samples"])
        told["batches"] = tuple(tuple(rows) for rows in told["batches"])
        return cls(**told)


@dataclass(frozen=True)
class CollectPointsTask:
    """Samples whose points are to be collected, of one batch.

    Attributes:
        model, revision, intervention, threads: as of ``ScoreTask``.
        initial: the seed of routing as at initialisation; None: as trained.
        tokens: which tokens give points.
        samples, limit: a data set, and how many of its first samples count as all.
        start, stop: places of the batch.
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
        told = json.loads(text)
        return cls(**told | {"samples": SampleSet(**told["samples"])})


def points_as_plain(points: TypePoints) -> dict[str, Any]:
    """Points as arrays and names, by the names of their attributes."""
    return {each.name: getattr(points, each.name) for each in fields(points)}


def as_plain(scores: Scores) -> dict[str, Any]:
    """Scores as arrays under names, and the seconds that they took."""
    names = ("value", "loss", "predicted", "weight")
    return {name: getattr(scores, name) for name in names} | {"seconds": scores.seconds}


def scores_of(plain: Plain, measure: Measure) -> Scores:
    """What ``as_plain`` made plain, by its measure."""
    return Scores(**plain, measure=measure)


def joined(batches: Sequence[Sequence[Plain]], measures: Sequence[Measure]) -> tuple[Scores, ...]:
    """The scores of each data set, batch after batch."""
    return tuple(
        Scores.join([scores_of(batch[place], measure) for batch in batches]) for place, measure in enumerate(measures)
    )
