"""Where a model's answers for many samples are computed: in this process, or where ``Computing`` is carried out."""

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
#: Places of samples in their data set.
Rows = Int64[np.ndarray, " sample"]
_NONE = np.empty(0, dtype=np.int64)
#: Seconds that a sample is taken to need through a model before the first was scored.
GUESS_SECONDS = 0.001
#: How much a piece weighs once the next one came: about five of them make up what is told.
FADING = 0.8


class Pace:
    """Seconds that a sample takes through all iterations of a model, as the last pieces took them; of any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[tuple[str, str], tuple[float, float]] = {}

    def note(self, info: ModelInfo, samples: float, seconds: float) -> None:
        """So many samples, each counted by its share of all iterations, took so long."""
        with self._lock:
            total, took = self._sums.get((info.id, info.revision), (0.0, 0.0))
            self._sums[info.id, info.revision] = FADING * total + samples, FADING * took + seconds

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """What so many samples will take."""
        with self._lock:
            total, took = self._sums.get((info.id, info.revision), (0.0, 0.0))
        return samples * (took / total if total else GUESS_SECONDS)


def share_of_iterations(info: ModelInfo, intervention: Intervention) -> float:
    """How much of a sample through all iterations of a model one is under the intervention."""
    configured = max(info.iterations, 1)
    return (configured if intervention.iterations is None else intervention.iterations) / configured


@dataclass(frozen=True)
class Unscored:
    """What is to be scored.

    Attributes:
        model: as it is, without the intervention.
        parts: with the same inputs, so that one run answers for all.
        batches: cuts the samples into batches of at most so many.
    """

    info: ModelInfo
    model: Network
    parts: tuple[SampleRange, ...]
    intervention: Intervention
    batches: Callable[[int], Sequence[Rows]]

    @property
    def size(self) -> int:
        """Samples of a batch at most, as many as the view computes in one pass; blocking.

        Others wait for a piece, and a sliced view takes larger ones.
        """
        return min(BATCH, self.intervention.structural.apply(self.model).rows_at_once())


@dataclass(frozen=True)
class Uncollected:
    """Points of a map that are to be collected.

    Attributes:
        model: as it is, without the intervention.
        tokens: which tokens give points.
        initial: the seed of routing as at initialisation; None: as trained.
        start: how many samples, of all parts one after the other, are left out as their points are there already.
    """

    info: ModelInfo
    model: Network
    parts: tuple[SampleRange, ...]
    intervention: Intervention
    tokens: Tokens
    initial: int | None
    start: int = 0


class Pieces(Protocol[T_co]):
    """Work in pieces, between which others have their turn. Who forgets it gives up what was not computed."""

    async def following(self, priority: Priority) -> T_co | None:
        """What the next piece gives; None after the last one."""
        ...


class Computing(Protocol):
    """Where it is computed. The same is asked for and given, bit for bit on processors, wherever that is."""

    @property
    def where(self) -> str:
        """Device and precision, on which the last bits depend."""
        ...

    @property
    def figures(self) -> Mapping[str, int]:
        """How much of it there is, and what it did, by name; none where the process itself computes."""
        ...

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """What scoring so many samples will take, as fast as the model was last; a guess, where that is not known."""
        ...

    def open(self) -> None:
        """Be ready to compute; blocking.

        Raises:
            ClusterError: it cannot be; the message says why.
        """
        ...

    def close(self) -> None:
        """Compute no more; blocking."""
        ...

    def scores(self, asked: Unscored) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        """The samples of each batch in turn, none where it prepares, and their scores in each part."""
        ...

    def points(self, asked: Uncollected) -> Pieces[TypePoints]:
        """The points of each batch in turn."""
        ...


class _Queued(Generic[T]):
    """Pieces that the inference threads compute one by one, when they are asked for."""

    def __init__(self, inference: Inference, pieces: Iterator[T]) -> None:
        self._inference = inference
        self._pieces = pieces

    async def following(self, priority: Priority) -> T | None:
        return await self._inference.run(partial(next, self._pieces, None), priority=priority)


class Here:
    """In the inference threads of this process; see ``Computing``."""

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
        """The threads run already."""

    def close(self) -> None:
        """Whoever made the threads ends them."""

    def scores(self, asked: Unscored) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        return _Queued(self._inference, self._timed(asked))

    def points(self, asked: Uncollected) -> Pieces[TypePoints]:
        return _Queued(self._inference, _collected(asked))

    def _timed(self, asked: Unscored) -> Iterator[tuple[Rows, tuple[Scores, ...]]]:
        share, pieces = share_of_iterations(asked.info, asked.intervention), _scored(asked)
        while True:
            started = time.perf_counter()
            piece = next(pieces, None)
            if piece is None:
                return
            self._pace.note(asked.info, share * len(piece[0]), time.perf_counter() - started)
            yield piece


def _scored(asked: Unscored) -> Iterator[tuple[Rows, tuple[Scores, ...]]]:
    size = asked.size
    batches = asked.batches(size)
    scored = score_together(
        asked.model,
        [part.dataset for part in asked.parts],
        asked.intervention,
        batch_size=size,
        batches=[rows.tolist() for rows in batches],
    )
    rest = iter(batches)
    for pieces in scored:
        yield (next(rest) if pieces[0].count else _NONE), pieces


def _collected(asked: Uncollected) -> Iterator[TypePoints]:
    model = asked.model if asked.initial is None else at_initialisation(asked.model, asked.initial)
    datasets = [part.dataset.take(slice(part.limit)) for part in asked.parts]
    yield from type_batches(model, datasets, tokens=asked.tokens, intervention=asked.intervention, start=asked.start)
