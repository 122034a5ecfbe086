"""A pool of actors on a Ray cluster that share tasks fairly: a task whose actor is lost goes to another actor."""

import json
import logging
import threading
import time
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial

from routescope.training.cluster import ActorLost, Cluster, ClusterActor, ClusterError, OtherVersion, last_line
from routescope_app.services.cluster.actor import Actor
from routescope_app.services.cluster.tasks import ActorSettings, PlainData
from routescope_app.services.engine.threads import Priority, SharedThreads
from routescope_app.services.errors import Busy, NotAccepted, OutOfMemory

log = logging.getLogger(__name__)
#: Tasks of an actor at a time: one that it computes, and the next one.
TASKS_PER_ACTOR = 2
#: Attempts at a task whose actors are lost while they compute it.
MOST_ATTEMPTS = 4
#: Seconds that an actor has to start, and that the service waits for the first one.
START_SECONDS = 180.0
#: Seconds between attempts to replace a lost actor.
RETRY_SECONDS = 1.0
#: Seconds that a task waits while there is no actor.
NO_ACTOR_SECONDS = 30.0


@dataclass(eq=False)
class _Worker:
    """An actor, and the number of its tasks."""

    actor: ClusterActor
    tasks: int = 0


class Pool:
    """Equal actors, and threads that wait for their results.

    Attributes:
        answered: number of tasks that actors have completed.

    Args:
        address: of the cluster; see ``routescope.training.cluster.join``.
        actors: how many to start.
        gpus: GPUs of each actor, or a share of one; 0: actors compute on processors.
        patience: seconds that a task waits while there is no actor.
    """

    def __init__(self, address: str, settings: ActorSettings, actors: int, gpus: float, patience: float) -> None:
        self._address = address
        self._settings = settings
        self._count = actors
        self._gpus = gpus
        self._patience = patience
        self._cluster: Cluster | None = None
        self._threads: SharedThreads | None = None
        self._changed = threading.Condition()
        self._workers: list[_Worker] = []
        self._problem = "no actor has answered"
        self._unfit = False
        self._closed = False
        self.answered = 0

    @property
    def window(self) -> int:
        """Number of tasks that keeps all actors busy."""
        return TASKS_PER_ACTOR * self._count

    @property
    def living(self) -> int:
        """Number of living actors."""
        return len(self._workers)

    def open(self) -> None:
        """Join the cluster, wait for the first actor; blocking; raises ClusterError if either is impossible."""
        self._cluster = Cluster(self._address).open()
        self._threads = SharedThreads(self.window, "cluster")
        for _ in range(self._count):
            self._start_worker()
        with self._changed:
            self._changed.wait_for(lambda: self._workers or self._unfit, START_SECONDS)
        if not self._workers:
            problem = self._problem if self._unfit else f"{self._problem}; {self._room()}"
            self.close()
            raise ClusterError(f"the Ray cluster at {self._address!r} computes nothing: {problem}")

    def _room(self) -> str:
        """Return in words how many processors the cluster has, and how many an actor needs."""
        assert self._cluster is not None
        try:
            processors = self._cluster.processors()
        except ClusterError as error:
            return str(error)
        needed = self._settings.threads
        return f"processors of its nodes: {processors}, of each actor: {needed}"

    def submit(self, method: str, task: str, priority: Priority) -> "Future[PlainData]":
        """Queue a task for a method of ``Actor``; turns are those of ``SharedThreads``."""
        assert self._threads is not None, "open the pool first"
        return self._threads.submit(partial(self._run, method, task), priority)

    def about(self) -> list[PlainData]:
        """Return what each living actor reports about itself; blocking."""
        return [worker.actor.ask("about") for worker in list(self._workers)]

    def close(self) -> None:
        """Stop the actors and leave the cluster; blocking."""
        with self._changed:
            self._closed = True
            workers, self._workers = self._workers, []
            self._changed.notify_all()
        for worker in workers:
            worker.actor.stop()
        if self._threads is not None:
            self._threads.shutdown()
        if self._cluster is not None:
            self._cluster.close()

    # -- actors --------------------------------------------------------------------------------------------------

    def _start_worker(self) -> None:
        threading.Thread(target=self._start_actor, name="cluster-start", daemon=True).start()

    def _start_actor(self) -> None:
        """Add one actor as soon as the cluster has room for it."""
        assert self._cluster is not None
        while not self._closed:
            try:
                actor = self._cluster.start_actor(
                    Actor,
                    json.dumps(asdict(self._settings)),
                    self._settings.threads,
                    self._gpus,
                    seconds=START_SECONDS,
                )
            except OtherVersion as error:
                with self._changed:
                    self._problem, self._unfit = str(error), True
                    self._changed.notify_all()
                return
            except Exception as error:  # Ray raises errors of many kinds when an actor cannot be made
                if not self._closed:
                    self._problem = last_line(error)
                    log.warning("an actor of the Ray cluster did not start: %s", self._problem)
                    time.sleep(RETRY_SECONDS)
                continue
            self._add(_Worker(actor))
            return

    def _add(self, worker: _Worker) -> None:
        with self._changed:
            if not self._closed:
                self._workers.append(worker)
                self._changed.notify_all()
                return
        worker.actor.stop()

    def _choose(self) -> _Worker:
        """Return the actor with the fewest tasks; raises Busy if there was none for too long."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._workers or self._closed, self._patience) or self._closed:
                raise self._no_actor()
            worker = min(self._workers, key=lambda candidate: candidate.tasks)
            worker.tasks += 1
            return worker

    def _no_actor(self) -> Busy:
        return Busy("No actor of the Ray cluster answers; please ask again later.", "cluster")

    def _replace(self, worker: _Worker, error: Exception) -> None:
        with self._changed:
            if worker not in self._workers:
                return
            self._workers.remove(worker)
        log.warning("an actor of the Ray cluster is lost and will be replaced: %s", error)
        self._start_worker()

    # -- tasks ---------------------------------------------------------------------------------------------------

    def _run(self, method: str, task: str) -> PlainData:
        for _ in range(MOST_ATTEMPTS):
            worker = self._choose()
            try:
                answer = worker.actor.ask(method, task)
            except ActorLost as error:
                self._replace(worker, error)
                continue
            except ClusterError as error:
                log.warning("%s", error)
                raise self._no_actor() from error
            finally:
                with self._changed:
                    worker.tasks -= 1
            self.answered += 1
            return _checked(answer)
        log.error("%d actors of the Ray cluster were lost while they computed the same task", MOST_ATTEMPTS)
        raise self._no_actor()


def _checked(answer: PlainData) -> PlainData:
    """Return an answer that reports no problem; raise the error of one that does."""
    problem = answer.get("problem")
    if problem is None:
        return answer
    if problem == "missing":
        raise NotAccepted(
            f"The nodes of the Ray cluster lack {answer['detail']}. They need the data folder of the service."
        )
    if problem == "memory":
        raise OutOfMemory("The memory did not suffice just now; please ask again in a moment.")
    raise RuntimeError(f"an actor of the Ray cluster failed:\n{answer['detail']}")
