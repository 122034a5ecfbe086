"""A limited number of slots, such as for requests in progress, shared among clients."""

import threading
from collections import Counter
from collections.abc import Callable

from routescope_app.services.engine.clients import client
from routescope_app.services.engine.shares import most_of_one


class Slots:
    """A number of slots, of which one client holds no more than it leaves free; any thread may use it.

    The service itself, which is no client, may hold all free slots.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Number of slots in use."""
        return self._held.total()

    def take(self) -> Callable[[], None] | None:
        """Take a slot for the current client.

        Returns:
            A function that frees the slot, and may be called several times; None if no slot is free.
        """
        account = client.get()
        with self._lock:
            total, mine = self._held.total(), self._held[account]
            if total >= self._room or (account and mine >= most_of_one(self._room, total - mine)):
                return None
            self._held[account] += 1
        left = threading.Event()

        def leave() -> None:
            with self._lock:
                if left.is_set():
                    return
                left.set()
                self._held[account] -= 1
                if not self._held[account]:
                    del self._held[account]

        return leave
