"""Bounds the work that runs at the same time; further work waits for its turn, and is refused after a while."""

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
    """One piece of work; ``turn`` is done once it is admitted."""

    client: str
    cost: float
    turn: "asyncio.Future[None]"


class Turnstile:
    """Admits work by its cost, for the tasks of one event loop.

    The first work of each client is admitted, so that no client keeps another out, as long as the largest work of each
    client, without the largest of all, takes no more than ``OVERDRAFT`` times the room: clients are easily invented.
    Further work of a client is admitted while as much room as it takes stays free: so large work leaves some room for
    smaller work, which passes it. Free room goes to the client that holds least, and then to the first in line.

    Work that costs nothing is always admitted.

    Args:
        room: cost admitted at once; the first work of clients may exceed it, up to ``OVERDRAFT`` times.
        patience: seconds after which waiting work is refused.
        words: what is full, as in "Many evaluations are running".
        few: pieces of work of one client that are admitted at any cost while no other client has any.
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
        """Number of admitted pieces of work."""
        return len(self._inside)

    @property
    def waiting(self) -> int:
        """Number of waiting pieces of work."""
        return len(self._waiting)

    @asynccontextmanager
    async def admitted(self, cost: float, patience: float = 1) -> AsyncIterator[None]:
        """Hold room for work; raises Busy if it took more than ``patience`` times the seconds of waiting."""
        ticket = await self.enter(cost, patience)
        try:
            yield
        finally:
            self.leave(ticket)

    async def enter(self, cost: float, patience: float = 1) -> QueueTicket:
        """Wait for room, and take it; ``leave`` frees it. Raises Busy, like ``admitted``."""
        ticket = QueueTicket(client.get(), cost, asyncio.get_running_loop().create_future())
        if not cost:
            return ticket
        self._waiting.append(ticket)
        self._let_in()
        try:
            if not ticket.turn.done():
                async with asyncio.timeout(patience * self._patience):
                    await ticket.turn
        except (asyncio.CancelledError, TimeoutError) as error:
            self.leave(ticket)  # wherever it is: its turn may have come as it left
            if isinstance(error, TimeoutError):
                raise Busy(f"{self._words}; please ask again in a moment.", "turns") from None
            raise
        return ticket

    def leave(self, ticket: QueueTicket) -> None:
        """Free the room of a ticket, and admit waiting work."""
        for tickets in (self._inside, self._waiting):
            if ticket in tickets:
                tickets.remove(ticket)
        self._let_in()

    def _let_in(self) -> None:
        while True:
            held = defaultdict[str, float](float)
            greatest = defaultdict[str, float](float)
            for ticket in self._inside:
                held[ticket.client] += ticket.cost
                greatest[ticket.client] = max(greatest[ticket.client], ticket.cost)
            taken, firsts = sum(held.values()), sum(greatest.values())
            largest = max(greatest.values(), default=0.0)
            alone = next(iter(held)) if len(held) == 1 and len(self._inside) < self._few else None
            fitting = [
                ticket
                for ticket in self._waiting
                if not ticket.turn.cancelled()  # else it leaves as soon as its task runs
                and (
                    taken + 2 * ticket.cost <= self._room
                    or ticket.client == alone
                    or (
                        ticket.client not in held
                        and firsts + ticket.cost - max(largest, ticket.cost) <= OVERDRAFT * self._room
                    )
                )
            ]
            if not fitting:
                return
            first = min(fitting, key=lambda ticket: held.get(ticket.client, 0.0))
            self._waiting.remove(first)
            self._inside.append(first)
            first.turn.set_result(None)
