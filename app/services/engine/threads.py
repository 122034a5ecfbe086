"""A few threads that take the most urgent piece of work first."""

import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from typing import Any, TypeVar

T = TypeVar("T")


class Priority(IntEnum):
    """What goes first: a person's click, then a running evaluation, then what works in the background."""

    TRACE = 0
    STREAM = 1
    JOB = 2


class PriorityThreads:
    """As a ThreadPoolExecutor, with a priority for each piece of work; equals run in the order of their coming.

    Nothing is interrupted: work that should give way comes in small pieces.
    """

    def __init__(self, count: int, name: str) -> None:
        self._waiting: list[tuple[int, int, Future[Any], Callable[[], Any]]] = []
        self._order = itertools.count()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, name=f"{name}-{i}", daemon=True) for i in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, work: Callable[[], T], priority: Priority = Priority.TRACE) -> "Future[T]":
        """Queue ``work``; raises RuntimeError after ``shutdown``."""
        future: Future[T] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("these threads were shut down")
            heapq.heappush(self._waiting, (priority, next(self._order), future, work))
            self._changed.notify()
        return future

    def shutdown(self) -> None:
        """Forget what waits and wait for what runs."""
        with self._changed:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            self._changed.notify_all()
        for _, _, future, _ in waiting:
            future.cancel()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                _, _, future, work = heapq.heappop(self._waiting)
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            del future, work  # or the last result lives until the next piece of work
