"""Places of something that few may use at once, such as room for requests in progress, shared out among clients."""

import threading
from collections import Counter
from collections.abc import Callable

from routescope_app.services.engine.clients import client
from routescope_app.services.engine.shares import most_of_one


class Slots:
    """So many places, of which one client holds no more than it leaves free; of any thread.

    The service itself, which is nobody's client, may hold all that are free.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many are held."""
        return self._held.total()

    def take(self) -> Callable[[], None] | None:
        """Hold a place for the client whose request is being answered.

        Returns:
            What gives the place back, once, however often it is called; None where there is no place.
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
