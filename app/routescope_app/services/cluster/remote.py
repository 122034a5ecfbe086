"""``Computing`` on the actors of a Ray cluster."""

import asyncio
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

import numpy as np
import torch

from routescope.routing.caused.scores import Scores
from routescope.routing.maps.points import TypePoints
from routescope.routing.running import whole_passes
from routescope.training.cluster import ClusterError, check_reachable, is_named, ray_library
from routescope.zoo.catalogue import ModelInfo
from routescope_app.services.cluster.pool import AWAY_SECONDS, Method, Pool
from routescope_app.services.cluster.tasks import ActorFacts, CollectPointsTask, Plain, SampleSet, ScoreTask, joined
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority
from routescope_app.services.measuring.computing import (
    GUESS_SECONDS,
    Computing,
    LocalComputing,
    Pieces,
    PointsRequest,
    Rows,
    ScoreRequest,
)
from routescope_app.settings import Settings

__all__ = ["ClusterError", "Remote", "check_cluster", "computing"]

#: Samples of a task, at least: what a task costs beside its samples is little then.
TASK = 128
T = TypeVar("T")
K = TypeVar("K")


def computing(settings: Settings, inference: Inference) -> Computing:
    """Where the settings say that scores are computed: on a cluster, or here."""
    address = settings.ray_address
    return (
        Remote(settings, inference, address) if address is not None and is_named(address) else LocalComputing(inference)
    )


def check_cluster(settings: Settings) -> None:
    """See, within seconds, that a cluster that the settings name may be there.

    Raises:
        ClusterError: Ray is not installed, or nobody listens at the address.
    """
    if settings.ray_address is not None and is_named(settings.ray_address):
        ray_library(settings.ray_address)
        check_reachable(settings.ray_address)


class Remote:
    """See ``Computing``. Nothing is sent, and Ray is not imported, before ``open``."""

    def __init__(self, settings: Settings, inference: Inference, address: str) -> None:
        device = "cuda" if settings.ray_actor_gpus else "cpu"
        self._threads = settings.torch_threads or torch.get_num_threads()
        self._where = _where(str(inference.device), f"{device} {settings.precision}")
        facts = ActorFacts(
            device=device,
            precision=settings.precision,
            threads=self._threads,
            model_memory_bytes=settings.memory_of("models"),
            opened_model_bytes=settings.opened_model_bytes,
            opened_context=settings.opened_context,
            opened_stride=settings.opened_stride,
            prepared_weights_bytes=settings.memory_of("prepared-weights"),
        )
        self.pool = Pool(
            address,
            facts,
            settings.ray_actors,
            settings.ray_actor_gpus,
            AWAY_SECONDS,
        )

    @property
    def where(self) -> str:
        return self._where

    @property
    def figures(self) -> Mapping[str, int]:
        return {"actors": self.pool.living, "tasks": self.pool.answered}

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """A guess, which lets in many: the cluster has its own queue."""
        return samples * GUESS_SECONDS

    def open(self) -> None:
        self.pool.open()

    def close(self) -> None:
        self.pool.close()

    def scores(self, asked: ScoreRequest) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        """A task is of as many batches as have ``TASK`` samples; the first one of one batch, which is soon there."""
        measures = [asked.model.all_heads[asked.model.head_of(part.dataset.domain)].measure for part in asked.parts]

        def tasks() -> Iterator[tuple[Rows, str]]:
            size = asked.size
            for batches in _in_tasks(asked.batches(size)):
                task = ScoreTask(
                    model=asked.info.id,
                    revision=asked.info.revision,
                    intervention=asked.intervention.to_json(),
                    samples=tuple(SampleSet.of(part.dataset, part.content) for part in asked.parts),
                    batches=tuple(tuple(rows.tolist()) for rows in batches),
                    batch_size=size,
                    threads=self._threads,
                )
                yield np.concatenate(batches), task.to_json()

        def read(rows: Rows, found: Plain) -> tuple[Rows, tuple[Scores, ...]]:
            return rows, joined(found["batches"], measures)

        return _Sent(self.pool, lambda actor: actor.score, tasks(), read)

    def points(self, asked: PointsRequest) -> Pieces[TypePoints]:
        """Each batch is a task."""

        def tasks() -> Iterator[tuple[None, str]]:
            start = asked.start
            for part in asked.parts:
                done = min(start, part.limit)
                start -= done
                for rows in whole_passes(asked.model, part.limit, done):
                    task = CollectPointsTask(
                        model=asked.info.id,
                        revision=asked.info.revision,
                        initial=asked.initial,
                        intervention=asked.intervention.to_json(),
                        tokens=asked.tokens,
                        samples=SampleSet.of(part.dataset, part.content),
                        limit=part.limit,
                        start=rows.start,
                        stop=rows.stop,
                        threads=self._threads,
                    )
                    yield None, task.to_json()

        return _Sent(self.pool, lambda actor: actor.points, tasks(), lambda _, found: TypePoints(**found["points"]))


def _in_tasks(batches: Sequence[Rows]) -> Iterator[list[Rows]]:
    """Batches that follow each other, in tasks of ``TASK`` samples or a few more; the first one is alone."""
    gathered: list[Rows] = []
    for number, rows in enumerate(batches):
        gathered.append(rows)
        if not number or sum(map(len, gathered)) >= TASK:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def _where(own: str, actors: str) -> str:
    """What results depend on: the one device of the service and the actors, or both."""
    return own if own == actors else f"{own}; cluster: {actors}"


class _Sent(Generic[K, T]):
    """Tasks that actors have one after the other, some ahead of what was asked for, so that none of them waits.

    Args:
        tasks: gives each with what ``read`` is told beside the answer; the first one takes long, and blocks.
        read: what an answer means.
    """

    def __init__(
        self, pool: Pool, method: Method, tasks: Iterator[tuple[K, str]], read: Callable[[K, Plain], T]
    ) -> None:
        self._pool = pool
        self._method = method
        self._tasks = tasks
        self._read = read
        self._sent: deque[tuple[K, Future[Plain]]] = deque()
        self._begun = False
        weakref.finalize(self, _give_up, self._sent)

    async def following(self, priority: Priority) -> T | None:
        if not self._begun:
            self._begun = True
            self._send(await asyncio.to_thread(next, self._tasks, None), priority)
        while len(self._sent) < self._pool.window and (task := next(self._tasks, None)) is not None:
            self._send(task, priority)
        if not self._sent:
            return None
        known, future = self._sent[0]
        found = await asyncio.wrap_future(future)
        self._sent.popleft()
        return self._read(known, found)

    def _send(self, task: tuple[K, str] | None, priority: Priority) -> None:
        if task is not None:
            known, text = task
            self._sent.append((known, self._pool.submit(self._method, text, priority)))


def _give_up(sent: deque[tuple[K, "Future[Plain]"]]) -> None:
    """What nobody waits for any longer is not begun."""
    for _, future in sent:
        future.cancel()
