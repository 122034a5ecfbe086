"""Results that many may request at the same time: each is computed once, shared, and kept up to a limit of bytes."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Generic, TypeVar

from routescope_app.services.engine.recent import Recent

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Flight(Generic[K, V]):
    """A running computation, of one key or of several."""

    def __init__(self, keys: Sequence[K], task: "asyncio.Task[Mapping[K, V]]") -> None:
        self.keys = keys
        self.task = task
        self.waiting = 0
        self.abandoned = False


class SingleFlight(Generic[K, V]):
    """Results by key, none of which is None, for the tasks of one event loop.

    There is one computation of a key at a time. A cancelled task does not disturb the others that wait; after the
    last one, the computation is cancelled. It ends at its next await, so long work awaits piece by piece, and a piece
    that runs in a thread is finished. A later request starts a new computation after that end. An error goes to all
    who wait, and is not kept.

    Attributes:
        kept: results by key, up to ``limit``; the least recently used go first.

    Args:
        limit: bytes of the results that are kept.
        nbytes: bytes of one result; without it each counts as one.
        name: of the cache, if ``nbytes`` counts it.
    """

    def __init__(self, limit: int, nbytes: Callable[[V], int] = lambda _: 1, name: str | None = None) -> None:
        self.kept = Recent[K, V](limit, name)
        self._nbytes = nbytes
        self._flights: dict[K, _Flight[K, V]] = {}

    @property
    def running(self) -> frozenset[K]:
        """Keys that are being computed."""
        return frozenset(self._flights)

    def keep(self, key: K, value: V) -> None:
        """Keep a result from elsewhere. Threads may call it."""
        self.kept.put(key, value, self._nbytes(value))

    async def find(self, key: K, compute: Callable[[], Awaitable[V]]) -> V:
        """Return a kept result, that of a running computation, or of ``compute``, whose exceptions it raises."""

        async def alone(_: Sequence[K]) -> Mapping[K, V]:
            return {key: await compute()}

        return (await self.find_all([key], alone))[key]

    async def find_all(
        self, keys: Iterable[K], compute: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    ) -> dict[K, V]:
        """The results of several keys, in the order in which they are named first.

        Args:
            compute: returns the results of keys that are neither kept nor being computed, in one computation.

        Raises:
            Exception: from a computation of any of them.
        """
        wanted = list(dict.fromkeys(keys))
        await self._end_of_abandoned(wanted)
        # Nothing is awaited from here to the start of a computation: what is not there now is computed by nobody else.
        flights = {key: self._flights[key] for key in wanted if key in self._flights}
        results = {key: self.kept.get(key) for key in wanted if key not in flights}
        found = {key: result for key, result in results.items() if result is not None}
        new = [key for key in wanted if key not in flights and key not in found]
        if new:
            flights |= dict.fromkeys(new, self._start(new, compute))
        for flight in (joined := set(flights.values())):
            flight.waiting += 1
        try:
            found |= {key: (await asyncio.shield(flight.task))[key] for key, flight in flights.items()}
        finally:
            for flight in joined:
                self._leave(flight)
        return {key: found[key] for key in wanted}

    async def _end_of_abandoned(self, keys: Sequence[K]) -> None:
        while gone := {flight.task for key in keys if (flight := self._flights.get(key)) and flight.abandoned}:
            await asyncio.wait(gone)

    def _start(self, keys: Sequence[K], compute: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> _Flight[K, V]:
        flight = _Flight(keys, asyncio.create_task(self._computed(keys, compute)))
        self._flights |= dict.fromkeys(keys, flight)
        flight.task.add_done_callback(partial(self._ended, flight))
        return flight

    async def _computed(
        self, keys: Sequence[K], compute: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    ) -> Mapping[K, V]:
        found = await compute(keys)
        for key in keys:
            self.keep(key, found[key])
        return found

    def _ended(self, flight: _Flight[K, V], task: "asyncio.Task[Mapping[K, V]]") -> None:
        for key in flight.keys:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # whoever waited has it; where nobody does any more it is no surprise

    def _leave(self, flight: _Flight[K, V]) -> None:
        flight.waiting -= 1
        if not flight.waiting and not flight.task.done():
            flight.abandoned = True
            flight.task.cancel()
