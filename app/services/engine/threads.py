"""A few threads that share their time fairly: between kinds of work, and between the clients of a kind."""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, TypeVar

from app.services.engine.clients import client
from app.services.engine.shares import FairShares

T = TypeVar("T")


class Priority(IntEnum):
    """Kinds of work, the most urgent first: a person's click, a running evaluation, what works in the background."""

    TRACE = 0
    STREAM = 1
    JOB = 2


#: Of the time of the threads, where all kinds have work waiting: 4 of 7 for traces, 2 for evaluations, 1 for jobs.
SHARES = {Priority.TRACE: 4.0, Priority.STREAM: 2.0, Priority.JOB: 1.0}


class SharedThreads:
    """As a ThreadPoolExecutor, with a kind for each piece of work, and the client that asks for it.

    Kinds share the time by ``SHARES``, the clients of a kind evenly, and the pieces of a client run in the order of
    their coming. Whoever has used least of what is theirs goes next; of equals the more urgent kind. Nothing is
    interrupted: work that should give way comes in small pieces.
    """

    def __init__(self, count: int, name: str) -> None:
        self._waiting: dict[Priority, dict[str, deque[tuple[Future[Any], Callable[[], Any]]]]] = {
            kind: {} for kind in Priority
        }
        self._kinds = FairShares[Priority](SHARES.__getitem__)
        self._clients = {kind: FairShares[str]() for kind in Priority}
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{i}", daemon=True) for i in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], T], priority: Priority = Priority.TRACE) -> "Future[T]":
        """Queue ``work`` of the client that asks; raises RuntimeError after ``shutdown``."""
        future: Future[T] = Future()
        own = client.get()
        with self._changed:
            if self._closed:
                raise RuntimeError("these threads were shut down")
            if not self._waiting[priority]:
                self._kinds.enter(priority)
            if own not in self._waiting[priority]:
                self._clients[priority].enter(own)
                self._waiting[priority][own] = deque()
            self._waiting[priority][own].append((future, work))
            self._changed.notify()
        return future

    def shutdown(self) -> None:
        """Forget what waits and wait for what runs."""
        with self._changed:
            self._closed = True
            pieces = [piece for queues in self._waiting.values() for queue in queues.values() for piece in queue]
            self._waiting = {kind: {} for kind in Priority}
            self._changed.notify_all()
        for future, _ in pieces:
            future.cancel()
        for thread in self._threads:
            thread.join()

    def _next(self) -> tuple[Priority, str, Future[Any], Callable[[], Any]]:
        """Whose turn it is; something waits."""
        priority = self._kinds.choose(kind for kind in Priority if self._waiting[kind])
        queues = self._waiting[priority]
        own = self._clients[priority].choose(queues)
        future, work = queues[own].popleft()
        if not queues[own]:
            del queues[own]
        return priority, own, future, work

    def _took(self, priority: Priority, own: str, seconds: float) -> None:
        with self._changed:
            self._kinds.charge(priority, seconds)
            self._clients[priority].charge(own, seconds)
            self._clients[priority].forget(self._waiting[priority])

    def _work(self) -> None:
        while True:
            with self._changed:
                while not any(self._waiting.values()) and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                priority, own, future, work = self._next()
            if not future.set_running_or_notify_cancel():
                continue
            started = time.perf_counter()
            try:
                result = work()
            except BaseException as error:
                self._took(priority, own, time.perf_counter() - started)
                future.set_exception(error)
            else:
                self._took(priority, own, time.perf_counter() - started)
                future.set_result(result)
                del result
            del future, work  # or the last result lives until the next piece of work
