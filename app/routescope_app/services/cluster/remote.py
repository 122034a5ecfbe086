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
from routescope_app.services.cluster.pool import NO_ACTOR_SECONDS, Pool
from routescope_app.services.cluster.tasks import (
    ActorSettings,
    CollectPointsTask,
    PlainData,
    SampleSet,
    ScoreTask,
    joined,
)
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

#: The least samples of a task, so that the cost of sending it is small beside the cost of its samples.
TASK_SAMPLES = 128
T = TypeVar("T")
K = TypeVar("K")


def computing(settings: Settings, inference: Inference) -> Computing:
    """Return what computes scores by the settings: a cluster, or this process."""
    address = settings.ray_address
    return (
        Remote(settings, inference, address) if address is not None and is_named(address) else LocalComputing(inference)
    )


def check_cluster(settings: Settings) -> None:
    """Check within seconds that the cluster may exist; raises ClusterError without Ray, or without a listener."""
    if settings.ray_address is not None and is_named(settings.ray_address):
        ray_library(settings.ray_address)
        check_reachable(settings.ray_address)


class Remote:
    """Compute on a cluster; see ``Computing``. Ray is imported by ``open``."""

    def __init__(self, settings: Settings, inference: Inference, address: str) -> None:
        device = "cuda" if settings.ray_actor_gpus else "cpu"
        self._threads = settings.torch_threads or torch.get_num_threads()
        self._where = _where(str(inference.device), f"{device} {settings.precision}")
        actor_settings = ActorSettings(
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
            address, actor_settings, settings.ray_actors, settings.ray_actor_gpus, patience=NO_ACTOR_SECONDS
        )

    @property
    def where(self) -> str:
        return self._where

    @property
    def figures(self) -> Mapping[str, int]:
        return {"actors": self.pool.living, "tasks": self.pool.answered}

    def seconds(self, info: ModelInfo, samples: float) -> float:
        """Return a low estimate of the seconds that samples take, because the cluster has its own queue."""
        return samples * GUESS_SECONDS

    def open(self) -> None:
        self.pool.open()

    def close(self) -> None:
        self.pool.close()

    def scores(self, asked: ScoreRequest) -> Pieces[tuple[Rows, tuple[Scores, ...]]]:
        """Send tasks of ``TASK_SAMPLES`` samples; the first task is one batch, so that its scores come soon."""
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

        def read(rows: Rows, answer: PlainData) -> tuple[Rows, tuple[Scores, ...]]:
            return rows, joined(answer["batches"], measures)

        return _SentTasks(self.pool, "score", tasks(), read)

    def points(self, asked: PointsRequest) -> Pieces[TypePoints]:
        """Send each batch as a task."""

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

        return _SentTasks(self.pool, "points", tasks(), lambda _, answer: TypePoints(**answer["points"]))


def _in_tasks(batches: Sequence[Rows]) -> Iterator[list[Rows]]:
    """Group consecutive batches into tasks of at least ``TASK_SAMPLES`` samples; the first batch is a task."""
    gathered: list[Rows] = []
    for number, rows in enumerate(batches):
        gathered.append(rows)
        if not number or sum(map(len, gathered)) >= TASK_SAMPLES:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def _where(service: str, actors: str) -> str:
    """Return the devices that results depend on: of the service, and of the actors if theirs differs."""
    return service if service == actors else f"{service}; cluster: {actors}"


class _SentTasks(Generic[K, T]):
    """Tasks that are sent ahead of the results that are asked for, so that no actor waits.

    Args:
        tasks: pairs of a value for ``read`` and a task; making the first one takes long, and blocks.
        read: turns such a value and the task's answer into a result.
    """

    def __init__(
        self, pool: Pool, method: str, tasks: Iterator[tuple[K, str]], read: Callable[[K, PlainData], T]
    ) -> None:
        self._pool = pool
        self._method = method
        self._tasks = tasks
        self._read = read
        self._sent: deque[tuple[K, Future[PlainData]]] = deque()
        self._begun = False
        weakref.finalize(self, _cancel, self._sent)

    async def following(self, priority: Priority) -> T | None:
        if not self._begun:
            self._begun = True
            self._send(await asyncio.to_thread(next, self._tasks, None), priority)
        while len(self._sent) < self._pool.window and (task := next(self._tasks, None)) is not None:
            self._send(task, priority)
        if not self._sent:
            return None
        context, future = self._sent[0]
        answer = await asyncio.wrap_future(future)
        self._sent.popleft()
        return self._read(context, answer)

    def _send(self, task: tuple[K, str] | None, priority: Priority) -> None:
        if task is not None:
            context, text = task
            self._sent.append((context, self._pool.submit(self._method, text, priority)))


def _cancel(sent: deque[tuple[K, "Future[PlainData]"]]) -> None:
    """Cancel the tasks that have not begun and whose results nobody waits for."""
    for _, future in sent:
        future.cancel()
