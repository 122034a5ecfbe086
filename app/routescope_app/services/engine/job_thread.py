"""The thread of a job: functions of the core run in it, and their batches and scores wait for their turns."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from routescope.routing.progress import Progress
from routescope_app.services.engine.in_thread import Cancelled, until_ended
from routescope_app.services.engine.inference import Inference
from routescope_app.services.engine.threads import Priority

T = TypeVar("T")


class JobThread:
    """A thread of one job, which runs functions of the core, and awaits shared services in the event loop.

    A cancel cancels the coroutine that the thread waits for, and raises ``Cancelled`` in the thread after that, or at
    its next wait or report of progress.

    Attributes:
        report: reports the progress of the job, in the event loop.

    Args:
        progress: called in the event loop with (done, total, what is done).
    """

    def __init__(self, inference: Inference, progress: Progress) -> None:
        self._inference = inference
        self._loop = asyncio.get_running_loop()
        self.report = progress
        self._cancelled = threading.Event()
        self._answering: asyncio.Task[Any] | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the thread; a cancel waits until the thread has ended."""
        executor = ThreadPoolExecutor(1, "job")  # its own: those of the loop are few, and a job takes one for long
        try:
            return await until_ended(self._loop.run_in_executor(executor, copy_context().run, work), self._cancel)
        except Cancelled:  # what the job waited for was cancelled by somebody else
            raise asyncio.CancelledError from None
        finally:
            executor.shutdown(wait=False)

    def _cancel(self) -> None:
        self._cancelled.set()
        if self._answering is not None:
            self._answering.cancel()

    # -- for the thread ------------------------------------------------------------------------------------------

    def wait(self, question: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine, run in the event loop; raises Cancelled if it or the job was cancelled."""
        try:
            return asyncio.run_coroutine_threadsafe(self._answer(question), self._loop).result()
        except CancelledError:
            raise Cancelled from None

    async def _answer(self, question: Coroutine[Any, Any, T]) -> T:
        if self._cancelled.is_set():
            question.close()
            raise asyncio.CancelledError
        self._answering = asyncio.current_task()
        return await question

    def turn(self, piece: Callable[[], T]) -> T:
        """Run a piece of a computation in an inference thread, with the priority of a job; raises Cancelled."""
        return self.wait(self._inference.run(piece, priority=Priority.JOB))

    def progress(self, done: int, total: int, what: str) -> None:
        """Report the progress of the job; raises Cancelled if the job was cancelled."""
        if self._cancelled.is_set():
            raise Cancelled
        self._loop.call_soon_threadsafe(self.report, done, total, what)
