"""Room for so much work at once; who comes when it is full waits for their turn, and is sent away after a while."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from app.services.engine.clients import client
from app.services.engine.shares import FairShares
from app.services.errors import Busy


@dataclass(frozen=True)
class Patience:
    """How long, and how many, may wait.

    Attributes:
        seconds: after which one who waits is sent away.
        most: who may wait at once; more are sent away as they come.
        retry_after: seconds after which one who is sent away is asked to come back.
    """

    seconds: float
    most: int
    retry_after: int


class Turnstile:
    """Admits work by its cost, for the tasks of one event loop.

    Those who wait go in turn between clients, by the cost that each was admitted with, and in the order of their coming
    within a client. Nobody overtakes the one whose turn it is, so that large work gets its room.

    Work that costs nothing is always admitted.

    Args:
        room: cost admitted at once; work that costs more is admitted alone.
        patience: of those who wait.
        words: what is full, as in "Many evaluations are running".
    """

    def __init__(self, room: float, patience: Patience, words: str) -> None:
        self._room = room
        self._patience = patience
        self._words = words
        self._inside = 0.0
        self._holding = 0
        self._queues: OrderedDict[str, deque[tuple[float, asyncio.Future[None]]]] = OrderedDict()
        self._shares = FairShares[str]()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._queues.values()))

    @asynccontextmanager
    async def admitted(self, cost: float) -> AsyncIterator[None]:
        """Hold room for work, from when there is some.

        Raises:
            Busy: it did not get its turn in time, or too many wait already.
        """
        await self.enter(cost)
        try:
            yield
        finally:
            self.leave(cost)

    async def enter(self, cost: float) -> None:
        """Wait for room, and take it; ``leave`` gives it back. Raises Busy, as ``admitted``."""
        if not cost:
            return
        own = client.get()
        self._shares.enter(own)
        if not self._queues and self._fits(cost):
            self._take(own, cost)
            return
        if self.waiting >= self._patience.most or not self._patience.seconds:
            raise self._busy()
        turn = asyncio.get_running_loop().create_future()
        entry = (cost, turn)
        self._queues.setdefault(own, deque()).append(entry)
        try:
            async with asyncio.timeout(self._patience.seconds):
                await turn
        except (asyncio.CancelledError, TimeoutError) as error:
            if turn.done() and not turn.cancelled():  # its turn came as it left
                self.leave(cost)
            else:
                self._remove(own, entry)
                self._let_in()  # the one behind it may fit
            if isinstance(error, TimeoutError):
                raise self._busy() from None
            raise

    def leave(self, cost: float) -> None:
        """Give room back; who waits comes in."""
        if cost:
            self._holding -= 1
            self._inside = self._inside - cost if self._holding else 0.0
            self._let_in()

    def _fits(self, cost: float) -> bool:
        return not self._holding or self._inside + cost <= self._room

    def _take(self, own: str, cost: float) -> None:
        self._holding += 1
        self._inside += cost
        self._shares.charge(own, cost)
        self._shares.forget(self._queues)

    def _let_in(self) -> None:
        while self._queues:
            own = self._shares.choose(self._queues)
            cost, turn = self._queues[own][0]
            if not self._fits(cost):
                return
            self._remove(own, (cost, turn))
            self._take(own, cost)
            turn.set_result(None)

    def _remove(self, own: str, entry: tuple[float, asyncio.Future[None]]) -> None:
        self._queues[own].remove(entry)
        if not self._queues[own]:
            del self._queues[own]

    def _busy(self) -> Busy:
        return Busy(f"{self._words}; please ask again in a moment.", self._patience.retry_after)
