"""A few threads that share their time fairly: between kinds of work, the clients of a kind, and their requests."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from functools import partial
from typing import Any, TypeVar

from routescope_app.services.engine.clients import client, request
from routescope_app.services.engine.shares import FairQueue, FairShares

T = TypeVar("T")


class Priority(IntEnum):
    """Kinds of work, the most urgent first: a click, a running evaluation, background work."""

    TRACE = 0
    STREAM = 1
    JOB = 2


#: Seconds of a piece that its client is charged at most: after a long one it does not wait until others had as much.
MOST_CHARGED = 0.25
#: Of the time of the threads, where all kinds have work waiting: 3 of 8 for traces, 4 for evaluations, 1 for jobs.
SHARES = {Priority.TRACE: 3.0, Priority.STREAM: 4.0, Priority.JOB: 1.0}


class SharedThreads:
    """Like a ThreadPoolExecutor; each piece of work has a kind, a client and a request.

    Kinds share the time by ``SHARES``, the clients of a kind evenly, and so do the requests of a client, whose pieces
    run in order. The next one is who has used the least of its share; of equals the more urgent kind. Nothing is
    interrupted: work that should give way comes in small pieces.
    """

    def __init__(self, count: int, name: str) -> None:
        self._kinds = FairShares[Priority](SHARES.__getitem__)
        self._waiting = {kind: FairQueue[tuple[Future[Any], Callable[[], Any]]]() for kind in Priority}
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{i}", daemon=True) for i in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], T], priority: Priority = Priority.TRACE) -> "Future[T]":
        """Queue ``work`` for the current request; raises RuntimeError after ``shutdown``."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("these threads were shut down")
            self._kinds.enter(priority)
            self._waiting[priority].put((client.get(), request.get()), (future, work))
            self._changed.notify()
        return future

    def shutdown(self) -> None:
        """Drop waiting work and wait for running work."""
        with self._changed:
            self._closed = True
            pieces = [queue.take()[1] for queue in self._waiting.values() for _ in range(len(queue))]
            self._changed.notify_all()
        for future, _ in pieces:
            future.cancel()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not any(self._waiting.values()) and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                priority = self._kinds.choose(kind for kind in Priority if self._waiting[kind])
                path, (future, work) = self._waiting[priority].take()
            tell, seconds = self._ran(future, work)
            with self._changed:  # before anybody knows of its end, and asks for more
                self._kinds.charge(priority, seconds)
                self._waiting[priority].charge(path, min(seconds, MOST_CHARGED))
            tell()
            del future, work, tell  # or the last result lives until the next piece of work

    @staticmethod
    def _ran(future: "Future[T]", work: Callable[[], T]) -> tuple[Callable[[], None], float]:
        """Run the work; return the call that reports its end, and its seconds: 0 if it was cancelled before."""
        if not future.set_running_or_notify_cancel():
            return lambda: None, 0.0
        started = time.perf_counter()
        try:
            result = work()
        except BaseException as error:
            return partial(future.set_exception, error), time.perf_counter() - started
        return partial(future.set_result, result), time.perf_counter() - started
