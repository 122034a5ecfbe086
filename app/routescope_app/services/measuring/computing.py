"""Computing of scores and points over many samples: in this process, or by another ``Computing``."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

import numpy as np
from jaxtyping import Int64

from routescope.nn.network import Network
from routescope.routing import Intervention
from routescope.routing.caused.scores import Scores, score_together
from routescope.routing.maps.points import Tokens, TypePoints, at_initialisation, type_batches
from routescope.routing.running import BATCH
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.services.measuring.scope import SampleRange

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
#: Positions of samples in their data set.
Rows = Int64[np.ndarray, " sample"]
_NONE = np.empty(0, dtype=np.int64)
#: Assumed seconds per sample before the first one was scored.
GUESS_SECONDS = 0.001
#: Weight of a piece after each later one: the estimate covers about five pieces.
FADING = 0.8


class Pace:
    """Estimates of the seconds per sample through all iterations of a model; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[tuple[str, str], tuple[float, float]] = {}

    def note(self, info: ModelInfo, samples: float, seconds: float) -> None:
        """Record the time of some samples, each counted by its share of all iterations."""
        with self._lock:
            total, took = self._sums.get((info.id, info.revision), (0.0, 0.0))
            self._sums[info.id, info.revision] = FADING * total + samples, FADING * took + seconds

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """Return the expected seconds for some samples."""
        with self._lock:
            total, took = self._sums.get((info.id, info.revision), (0.0, 0.0))
        return samples * (took / total if total else GUESS_SECONDS)


def share_of_iterations(info: ModelInfo, intervention: Intervention) -> float:
    """Return the share of a model's iterations that run under the intervention."""
    configured = max(info.iterations, 1)
    return (configured if intervention.iterations is None else intervention.iterations) / configured


@dataclass(frozen=True)
class ScoreRequest:
    """Samples to score.

    Attributes:
        model: the full model, without the intervention.
        parts: data sets with the same inputs, which are scored together.
        batches: cuts the samples into batches of a largest size.
    """

    info: ModelInfo
    model: Network
    parts: tuple[SampleRange, ...]
    intervention: Intervention
    batches: Callable[[int], Sequence[Rows]]

    @property
    def size(self) -> int:
        """Largest batch, as many samples as the ablated model computes in one pass; blocking."""
        return min(BATCH, self.intervention.structural.apply(self.model).rows_at_once())


@dataclass(frozen=True)
class PointsRequest:
    """Points of a map to collect.

    Attributes:
        model: the full model, without the intervention.
        tokens: tokens whose types are points.
        initial: seed of routing at initialisation; None: trained routing.
        start: number of samples, over all parts, to skip because their points are stored.
    """

    info: ModelInfo
    model: Network
    parts: tuple[SampleRange, ...]
    intervention: Intervention
    tokens: Tokens
    initial: int | None
    start: int = 0


class Pieces(Protocol[T_co]):
    """Results in pieces, between which other work gets its turn. Dropping it abandons the rest."""

    async def following(self, priority: Priority) -> T_co | None:
        """Return the next piece; None after the last one."""
        ...


class Computing(Protocol):
    """A place that computes. Results on CPUs are bit-identical everywhere."""

    @property
    def where(self) -> str:
        """Device and precision, on which the last bits depend."""
        ...

    @property
    def figures(self) -> Mapping[str, int]:
        """Sizes and counters by name; none for this process itself."""
        ...

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """Return the expected seconds for scoring some samples, by the model's last speed or a guess."""
        ...

    def open(self) -> None:
        """Prepare; blocking. Raises ClusterError, which says why that is impossible."""
        ...

    def close(self) -> None:
        """Stop computing; blocking."""
        ...

    def scores(self, request: ScoreRequest) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        """Return the samples of each batch (none while preparing) and their scores in each part."""
        ...

    def points(self, request: PointsRequest) -> Pieces[TypePoints]:
        """Return the points of each batch."""
        ...


class _Queued(Generic[T]):
    """Pieces that the inference threads compute one by one on demand."""

    def __init__(self, inference: Inference, pieces: Iterator[T]) -> None:
        self._inference = inference
        self._pieces = pieces

    async def following(self, priority: Priority) -> T | None:
        return await self._inference.run(partial(next, self._pieces, None), priority=priority)


class LocalComputing:
    """Computes in the inference threads of this process; see ``Computing``."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._pace = Pace()

    @property
    def where(self) -> str:
        return str(self._inference.device)

    @property
    def figures(self) -> Mapping[str, int]:
        return {}

    def seconds(self, info: ModelInfo, samples: float) -> float:
        return self._pace.seconds(info, samples)

    def open(self) -> None:
        """Do nothing: the threads already run."""

    def close(self) -> None:
        """Do nothing: the owner of the threads ends them."""

    def scores(self, request: ScoreRequest) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        return _Queued(self._inference, self._timed(request))

    def points(self, request: PointsRequest) -> Pieces[TypePoints]:
        return _Queued(self._inference, _collected(request))

    def _timed(self, request: ScoreRequest) -> Iterator[tuple[Rows, tuple[Scores, ...]]]:
        share, pieces = share_of_iterations(request.info, request.intervention), _scored(request)
        while True:
            started = time.perf_counter()
            piece = next(pieces, None)
            if piece is None:
                return
            self._pace.note(request.info, share * len(piece[0]), time.perf_counter() - started)
            yield piece


def _scored(request: ScoreRequest) -> Iterator[tuple[Rows, tuple[Scores, ...]]]:
    size = request.size
    batches = request.batches(size)
    scored = score_together(
        request.model,
        [part.dataset for part in request.parts],
        request.intervention,
        batch_size=size,
        batches=[rows.tolist() for rows in batches],
    )
    rest = iter(batches)
    for pieces in scored:
        yield (next(rest) if pieces[0].count else _NONE), pieces


def _collected(request: PointsRequest) -> Iterator[TypePoints]:
    model = request.model if request.initial is None else at_initialisation(request.model, request.initial)
    datasets = [part.dataset.take(slice(part.limit)) for part in request.parts]
    yield from type_batches(
        model, datasets, tokens=request.tokens, intervention=request.intervention, start=request.start
    )
