"""Actors of a Ray cluster and who has which turn on them: a task that loses its actor goes to another one."""

import json
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from routescope import __version__
from routescope.training.cluster import ClusterError, join, last_line, ray_library
from routescope_app.services.cluster.actor import Actor
from routescope_app.services.cluster.tasks import ActorFacts, Plain
from routescope_app.services.engine.threads import Priority, SharedThreads
from routescope_app.services.errors import Busy, NotAccepted, OutOfMemory

#: The method of an actor that a task is for, from its handle.
Method = Callable[[Any], Any]

log = logging.getLogger(__name__)
#: Tasks that an actor has at a time: one that it computes, and the one that it does next.
AHEAD = 2
#: Times that a task is begun whose actor ends under it.
MOST_ATTEMPTS = 4
#: Seconds in which the first actor must say that it is there.
START_SECONDS = 180.0
#: Seconds between two tries to have an actor in the place of one that is gone.
AGAIN_SECONDS = 1.0
#: Seconds that a task waits while there is no actor: a new one is there in less.
AWAY_SECONDS = 30.0


@dataclass(eq=False)
class _Worker:
    """An actor, and the tasks that it has."""

    handle: Any
    tasks: int = 0


class Pool:
    """A number of actors, all alike; threads that wait for what they compute, and share them fairly.

    Attributes:
        answered: tasks that an actor did.

    Args:
        address: of the cluster; see ``routescope.training.cluster.join``.
        actors: how many there are to be.
        gpus: of each actor, or a share of one; 0: it computes on processors.
        patience: seconds that a task waits while there is no actor, and a client that asks again later.
    """

    def __init__(self, address: str, facts: ActorFacts, actors: int, gpus: float, patience: float) -> None:
        self._address = address
        self._facts = facts
        self._count = actors
        self._gpus = gpus
        self._patience = patience
        self._ray: Any = None
        self._own = False
        self._scratch: Path | None = None
        self._threads: SharedThreads | None = None
        self._changed = threading.Condition()
        self._workers: list[_Worker] = []
        self._problem = "no actor has said that it is there"
        self._unfit = False
        self._closed = False
        self.answered = 0

    @property
    def window(self) -> int:
        """Tasks that keep all actors busy."""
        return AHEAD * self._count

    @property
    def living(self) -> int:
        """Actors that are there."""
        return len(self._workers)

    def open(self) -> None:
        """Join the cluster and wait for the first actor; blocking.

        Raises:
            ClusterError: no cluster, no room in it, or another version on its nodes.
        """
        self._ray = ray_library(self._address)
        self._own = not self._ray.is_initialized()
        if self._own:
            self._scratch = Path(tempfile.mkdtemp(prefix="rs-"))
            try:
                join(self._ray, self._address, self._scratch)
            except ClusterError:
                shutil.rmtree(self._scratch, ignore_errors=True)
                raise
        self._threads = SharedThreads(self.window, "cluster")
        for _ in range(self._count):
            self._bring_up()
        with self._changed:
            self._changed.wait_for(lambda: self._workers or self._unfit, START_SECONDS)
        if not self._workers:
            self.close()
            raise ClusterError(f"the Ray cluster at {self._address!r} computes nothing: {self._problem}")

    def submit(self, method: Method, task: str, priority: Priority) -> "Future[Plain]":
        """Have an actor do a task when its turn comes; of who asks and what kind of work, as ``SharedThreads``."""
        assert self._threads is not None, "open the pool first"
        return self._threads.submit(partial(self._done, method, task), priority)

    def about(self) -> list[Plain]:
        """What each living actor says of itself; blocking."""
        return [self._ray.get(worker.handle.about.remote()) for worker in list(self._workers)]

    def close(self) -> None:
        """Give the actors back and leave the cluster; blocking."""
        with self._changed:
            self._closed = True
            gone, self._workers = self._workers, []
            self._changed.notify_all()
        if self._ray is None:
            return
        for worker in gone:
            self._ray.kill(worker.handle)
        if self._threads is not None:
            self._threads.shutdown()
        if self._own:
            self._ray.shutdown()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    # -- actors --------------------------------------------------------------------------------------------------

    def _bring_up(self) -> None:
        threading.Thread(target=self._until_there, name="cluster-start", daemon=True).start()

    def _until_there(self) -> None:
        """Have one more actor, as soon as the cluster has room for it."""
        options = {"num_cpus": self._facts.threads, "num_gpus": self._gpus, "max_restarts": 0}
        kind = self._ray.remote(**options, scheduling_strategy="SPREAD")(Actor)
        while not self._closed:
            try:
                handle = kind.remote(json.dumps(asdict(self._facts)))
                differs = _difference(self._ray.get(handle.about.remote()))
            except Exception as error:  # whatever Ray says: that it cannot be made, or that its node is gone
                if not self._closed:
                    self._problem = last_line(error)
                    log.warning("an actor of the Ray cluster could not be had: %s", self._problem)
                    time.sleep(AGAIN_SECONDS)
                continue
            with self._changed:
                fits = differs is None and not self._closed
                if fits:
                    self._workers.append(_Worker(handle))
                elif differs is not None:
                    self._problem, self._unfit = differs, True
                self._changed.notify_all()
            if not fits:
                self._ray.kill(handle)
            return

    def _choose(self) -> _Worker:
        """The actor with the fewest tasks; waits while there is none.

        Raises:
            Busy: there was none for too long.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._workers or self._closed, self._patience) or self._closed:
                raise self._nobody()
            worker = min(self._workers, key=lambda each: each.tasks)
            worker.tasks += 1
            return worker

    def _nobody(self) -> Busy:
        return Busy("No actor of the Ray cluster answers; please ask again later.", "cluster")

    def _lost(self, worker: _Worker, error: Exception) -> None:
        with self._changed:
            if worker not in self._workers:
                return
            self._workers.remove(worker)
        log.warning("an actor of the Ray cluster is gone, another one takes its place: %s", last_line(error))
        self._bring_up()

    # -- tasks ---------------------------------------------------------------------------------------------------

    def _done(self, method: Method, task: str) -> Plain:
        for _ in range(MOST_ATTEMPTS):
            worker = self._choose()
            try:
                found = self._ray.get(method(worker.handle).remote(task))
            except self._ray.exceptions.RayActorError as error:
                self._lost(worker, error)
                continue
            except (ConnectionError, self._ray.exceptions.RayError) as error:  # of the cluster; an actor raises nothing
                log.warning("the Ray cluster does not answer: %s", last_line(error))
                raise self._nobody() from error
            finally:
                with self._changed:
                    worker.tasks -= 1
            self.answered += 1
            return self._accepted(found)
        log.error("%d actors of the Ray cluster ended under the same task", MOST_ATTEMPTS)
        raise self._nobody()

    def _accepted(self, found: Plain) -> Plain:
        problem = found.get("problem")
        if problem is None:
            return found
        if problem == "missing":
            raise NotAccepted(
                f"The nodes of the Ray cluster lack {found['detail']}. They need the data folder of the service."
            )
        if problem == "memory":
            raise OutOfMemory("The memory did not suffice just now; please ask again in a moment.")
        raise RuntimeError(f"an actor of the Ray cluster failed:\n{found['detail']}")


def _difference(about: Mapping[str, Any]) -> str | None:
    """In what an actor's libraries differ from the service's, which could change what it computes."""
    for name, own, there in (
        ("Routescope", __version__, about["version"]),
        ("PyTorch", torch.__version__, about["torch"]),
    ):
        if own != there:
            return f"its nodes have {name} {there}, and the service {own}; install the same"
    return None
