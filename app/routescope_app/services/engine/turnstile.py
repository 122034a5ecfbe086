"""Room for so much work at once; who comes when it is full waits for their turn, and is sent away after a while."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from routescope_app.services.engine.clients import client
from routescope_app.services.errors import Busy

#: Times the room that may be taken where each client has its first inside.
OVERDRAFT = 4


@dataclass(eq=False)
class QueueTicket:
    """Of one who waits, and is let in once ``turn`` is done."""

    client: str
    cost: float
    turn: "asyncio.Future[None]"


class Turnstile:
    """Admits work by its cost, for the tasks of one event loop.

    The first of each client is let in, so that no client keeps another out, while the largest of each client inside,
    without the largest of all, take no more than ``OVERDRAFT`` times the room: clients are easily invented. Further
    ones are while as much room as they take stays free: large work leaves some for smaller work, which goes past it.
    What becomes free goes to the client that has least inside, and to the one who came first.

    Work that costs nothing is always admitted.

    Args:
        room: cost admitted at once; the firsts of clients may go beyond it, to ``OVERDRAFT`` times as much.
        patience: seconds after which those who wait are sent away.
        words: what is full, as in "Many evaluations are running".
        few: works of one client that are let in whatever they take, while nobody else is inside.
    """

    def __init__(self, room: float, patience: float, words: str, few: int = 1) -> None:
        self._room = room
        self._patience = patience
        self._words = words
        self._few = few
        self._inside: list[QueueTicket] = []
        self._waiting: list[QueueTicket] = []

    @property
    def inside(self) -> int:
        """How many are inside."""
        return len(self._inside)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def admitted(self, cost: float, patience: float = 1) -> AsyncIterator[None]:
        """Hold room for work, from when there is some.

        Args:
            patience: how many times as long as others it waits.

        Raises:
            Busy: it did not get its turn in time.
        """
        place = await self.enter(cost, patience)
        try:
            yield
        finally:
            self.leave(place)

    async def enter(self, cost: float, patience: float = 1) -> QueueTicket:
        """Wait for room, and take it; ``leave`` gives it back. Raises Busy, as ``admitted``."""
        place = QueueTicket(client.get(), cost, asyncio.get_running_loop().create_future())
        if not cost:
            return place
        self._waiting.append(place)
        self._let_in()
        try:
            if not place.turn.done():
                async with asyncio.timeout(patience * self._patience):
                    await place.turn
        except (asyncio.CancelledError, TimeoutError) as error:
            self.leave(place)  # wherever it is: its turn may have come as it left
            if isinstance(error, TimeoutError):
                raise Busy(f"{self._words}; please ask again in a moment.", "turns") from None
            raise
        return place

    def leave(self, place: QueueTicket) -> None:
        """Give a place back; who waits comes in."""
        for places in (self._inside, self._waiting):
            if place in places:
                places.remove(place)
        self._let_in()

    def _let_in(self) -> None:
        while True:
            held = defaultdict[str, float](float)
            greatest = defaultdict[str, float](float)
            for place in self._inside:
                held[place.client] += place.cost
                greatest[place.client] = max(greatest[place.client], place.cost)
            taken, firsts = sum(held.values()), sum(greatest.values())
            largest = max(greatest.values(), default=0.0)
            alone = next(iter(held)) if len(held) == 1 and len(self._inside) < self._few else None
            fitting = [
                place
                for place in self._waiting
                if not place.turn.cancelled()  # else it leaves as soon as its task runs
                and (
                    taken + 2 * place.cost <= self._room
                    or place.client == alone
                    or (
                        place.client not in held
                        and firsts + place.cost - max(largest, place.cost) <= OVERDRAFT * self._room
                    )
                )
            ]
            if not fitting:
                return
            first = min(fitting, key=lambda place: held.get(place.client, 0.0))
            self._waiting.remove(first)
            self._inside.append(first)
            first.turn.set_result(None)
