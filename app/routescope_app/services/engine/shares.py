"""The order of waiting clients by start-time fair queuing: each gets its share of the time.

Each key has a clock that runs while its work does, slower the larger its share; the key whose clock is furthest behind
is next. A clock that stood still while its key had no work is set to the clock of the last choice, so that nobody saves
up turns. Hence nobody starves, and an occasional client waits for one piece of each other key at most.

Source: Goyal, Vin, Cheng: Start-time Fair Queueing (IEEE/ACM Transactions on Networking 5(5), 1997).

A limited number of places has its own rule: a client takes no more than it leaves free.

Source: Choudhury, Hahne: Dynamic Queue Length Thresholds for Shared-Memory Packet Switches (IEEE/ACM Transactions on
Networking 6(2), 1998), with alpha = 1.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def most_of_one(room: int, others: int) -> int:
    """Return how many of ``room`` places one client may hold while other clients hold ``others`` places.

    That is half of what the others leave, rounded up: 16 of 32 for the only client, 8 for a second one beside it, 4 for
    a third. With 2 places or more, no client fills all.
    """
    return max(0, room - others + 1) // 2


class FairShares(Generic[K]):
    """Clocks by key.

    Args:
        share: of a key, relative to those of others; positive.
    """

    def __init__(self, share: Callable[[K], float] = lambda _: 1.0) -> None:
        self._share = share
        self._clocks: dict[K, float] = {}
        self._now = 0.0

    def enter(self, key: K) -> None:
        """Work of this key begins to wait, perhaps beside other work of it."""
        self._clocks[key] = max(self._clocks.get(key, 0.0), self._now)

    def choose(self, waiting: Iterable[K]) -> K:
        """Return the next of the entered keys that wait, the first of equals; raises ValueError if none waits."""
        chosen = min(waiting, key=self._clocks.__getitem__)
        self._now = self._clocks[chosen]
        return chosen

    def charge(self, key: K, amount: float) -> None:
        """Charge a key for its work, in seconds or any other unit that all keys share."""
        self._clocks[key] = max(self._clocks.get(key, 0.0), self._now) + amount / self._share(key)

    def forget(self, waiting: Iterable[K]) -> list[K]:
        """Remove clocks of keys without waiting work that are not ahead, and return these keys.

        Such a clock would be set to the present one anyway; if nothing waits at all, all clocks go.
        """
        kept = set(waiting)
        if not kept:
            self._now = max(self._clocks.values(), default=self._now)
        gone = [key for key, clock in self._clocks.items() if clock <= self._now and key not in kept]
        for key in gone:
            del self._clocks[key]
        return gone


class FairQueue(Generic[T]):
    """A queue with lines within lines, such as clients, and the requests of each client.

    A path names the line at each level. The lines of a level share evenly the time that is charged; items of the same
    path stay in order.
    """

    def __init__(self) -> None:
        self._shares = FairShares[Hashable]()
        self._lines: dict[Hashable, FairQueue[T]] = {}
        self._items = deque[T]()
        self._count = 0

    def __len__(self) -> int:
        """Number of waiting items."""
        return self._count

    def put(self, path: Sequence[Hashable], item: T) -> None:
        """Queue an item; all paths of a queue have the same length."""
        self._count += 1
        if not path:
            self._items.append(item)
            return
        self._shares.enter(path[0])
        self._lines.setdefault(path[0], FairQueue()).put(path[1:], item)

    def take(self) -> tuple[tuple[Hashable, ...], T]:
        """(path, item) of the next one; ``charge`` it afterwards.

        Raises:
            ValueError, IndexError: nothing waits.
        """
        if not self._lines:
            item = self._items.popleft()
            self._count -= 1
            return (), item
        key = self._shares.choose(key for key, line in self._lines.items() if line)
        path, item = self._lines[key].take()
        self._count -= 1
        return (key, *path), item

    def charge(self, path: Sequence[Hashable], amount: float) -> None:
        """Charge the work of a path."""
        if not path:
            return
        self._shares.charge(path[0], amount)
        if path[0] in self._lines:
            self._lines[path[0]].charge(path[1:], amount)
        for gone in self._shares.forget(key for key, line in self._lines.items() if line):
            self._lines.pop(gone, None)
