"""Requests that want the same of different samples, and wait at the same moment, computed in one piece of work."""

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
    """One request: what it is about, what it can be computed together with, and its answer."""

    def __init__(self, key: K, item: I) -> None:
        self.key = key
        self.item = item
        self.answer: Future[R] = Future()


class RequestBatcher(Generic[K, I, R]):
    """Runs requests of one key together, as many as wait when the first of them has its turn; nobody waits for others.

    Each request is admitted, and queued, by itself, so that admission bounds a batch as it bounds the same requests one
    by one, and takes the place of its own turn if that comes first. The time of a batch is counted to the client whose
    turn it was. Who leaves is left out of a batch that has not begun, and of one that has, its answer is dropped. Where
    a batch fails, each of it is computed alone, so that one that cannot be computed fails alone.

    Args:
        inference: runs the batches, as pieces of work.
        most: requests of one batch; 1: each is computed alone.
        compute: gives the answers to several requests of one key, in their order, in a thread.
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
            cost: as ``Inference.run`` has it.

        Raises:
            Busy, OutOfMemory, NotAccepted: as ``Inference.run``.
            Exception: what computing this request alone raises.
        """
        member = _Member[K, I, R](key, item)
        turn = asyncio.ensure_future(
            self._inference.run(partial(self._take_turn, member), cost, admitted=partial(self._join, member))
        )
        answer = asyncio.wrap_future(member.answer)
        try:
            await asyncio.wait((turn, answer), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await (
                    turn
                )  # raises what kept it from having its turn; after it, the answer comes from whoever computes it
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
        found = member in waiting
        if found:
            waiting.remove(member)
        if not waiting:
            self._waiting.pop(member.key, None)
        return found

    def _take_turn(self, member: _Member[K, I, R]) -> None:
        """Compute this request with others that wait; nothing where it was computed with another's."""
        with self._lock:
            if not self._remove(member):
                return
            others = self._waiting.get(member.key, [])[: self._most - 1]
            for other in others:
                self._remove(other)
        batch = [each for each in (member, *others) if each.answer.set_running_or_notify_cancel()]
        if len(batch) > 1:
            try:
                answers = self._inference.guarded(lambda: self._compute([each.item for each in batch]))
            except Exception:  # of any of them: found out one by one
                answers = None
            if answers is not None:
                for each, found in zip(batch, answers, strict=True):
                    each.answer.set_result(found)
                return
        for each in batch:
            self._alone(each)

    def _alone(self, member: _Member[K, I, R]) -> None:
        try:
            (found,) = self._inference.guarded(lambda: self._compute([member.item]))
        except BaseException as error:
            member.answer.set_exception(error)
        else:
            member.answer.set_result(found)
