"""Equal requests for different samples that wait at the same moment, computed together."""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Generic, TypeVar

from routescope_app.services.engine.inference import Inference

K = TypeVar("K", bound=Hashable)
I = TypeVar("I")  # noqa: E741
R = TypeVar("R")


class _Member(Generic[K, I, R]):
    """One request: its key, its item, and its answer."""

    def __init__(self, key: K, item: I) -> None:
        self.key = key
        self.item = item
        self.answer: Future[R] = Future()


class RequestBatcher(Generic[K, I, R]):
    """Computes waiting requests of one key together when the first has its turn; none waits for a batch to fill.

    Each request is admitted and queued by itself, so that admission bounds batches like single requests. The time of a
    batch is charged to the client whose turn it was. A request whose client leaves is removed from a batch that has not
    begun; later, its answer is dropped. If a batch fails, its requests are computed one by one, so that only the bad
    ones fail.

    Args:
        inference: runs the batches, as pieces of work.
        most: requests of one batch; 1: each is computed alone.
        compute: returns the answers to several requests of one key, in their order, in a thread.
    """

    def __init__(self, inference: Inference, most: int, compute: Callable[[Sequence[I]], Sequence[R]]) -> None:
        self._inference = inference
        self._most = most
        self._compute = compute
        self._waiting: defaultdict[K, list[_Member[K, I, R]]] = defaultdict(list)
        self._lock = threading.Lock()

    async def run(self, key: K, item: I, cost: float) -> R:
        """The answer to one request.

        Args:
            key: requests of equal keys may be computed together.
            cost: see ``Inference.run``.

        Raises:
            Busy, OutOfMemory, NotAccepted: see ``Inference.run``.
            Exception: from computing this request alone.
        """
        member = _Member[K, I, R](key, item)
        turn = asyncio.ensure_future(
            self._inference.run(partial(self._take_turn, member), cost, admitted=partial(self._join, member))
        )
        answer = asyncio.wrap_future(member.answer)
        try:
            await asyncio.wait((turn, answer), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                # Raises what kept it from its turn; after its turn the answer comes from whoever computes it.
                await turn
            return await answer
        finally:
            self._leave(member)
            answer.cancel()
            turn.cancel()  # the answer came from another's turn: its own is given back
            with contextlib.suppress(asyncio.CancelledError, Exception):
                if turn.done():
                    turn.exception()

    def _join(self, member: _Member[K, I, R]) -> None:
        with self._lock:
            self._waiting[member.key].append(member)

    def _leave(self, member: _Member[K, I, R]) -> None:
        with self._lock:
            self._remove(member)

    def _remove(self, member: _Member[K, I, R]) -> bool:
        waiting = self._waiting.get(member.key, [])
        waits = member in waiting
        if waits:
            waiting.remove(member)
        if not waiting:
            self._waiting.pop(member.key, None)
        return waits

    def _take_turn(self, member: _Member[K, I, R]) -> None:
        """Compute a request together with others that wait; nothing if another turn has computed it."""
        with self._lock:
            if not self._remove(member):
                return
            others = self._waiting.get(member.key, [])[: self._most - 1]
            for other in others:
                self._remove(other)
        batch = [request for request in (member, *others) if request.answer.set_running_or_notify_cancel()]
        if len(batch) > 1:
            try:
                answers = self._inference.guarded(lambda: self._compute([request.item for request in batch]))
            except Exception:  # of any of them: found out one by one
                answers = None
            if answers is not None:
                for request, answer in zip(batch, answers, strict=True):
                    request.answer.set_result(answer)
                return
        for request in batch:
            self._alone(request)

    def _alone(self, member: _Member[K, I, R]) -> None:
        try:
            (answer,) = self._inference.guarded(lambda: self._compute([member.item]))
        except BaseException as error:
            member.answer.set_exception(error)
        else:
            member.answer.set_result(answer)
