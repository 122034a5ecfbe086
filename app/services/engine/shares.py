"""Who goes next, among those who wait, so that each gets its share of the time: fair queuing by start times.

Each key has a clock that runs while its work does, slower the larger its share; whose clock is furthest behind goes
next. A clock that stood still while nobody waited is put to the one that was last chosen: nobody saves up turns. Hence
nobody starves, and who asks rarely waits for one piece of each other key at most.
"""

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


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
        """Something of this key begins to wait, or waits beside others of it."""
        self._clocks[key] = max(self._clocks.get(key, 0.0), self._now)

    def choose(self, waiting: Iterable[K]) -> K:
        """Of keys that wait, each of which entered, the next one; the first of equals.

        Raises:
            ValueError: nobody waits.
        """
        chosen = min(waiting, key=self._clocks.__getitem__)
        self._now = self._clocks[chosen]
        return chosen

    def charge(self, key: K, amount: float) -> None:
        """Work of this key took so much: seconds, or whatever all are charged in."""
        self._clocks[key] = max(self._clocks.get(key, 0.0), self._now) + amount / self._share(key)

    def forget(self, waiting: Iterable[K]) -> None:
        """Let go of the clocks that are not ahead, of keys of which nothing waits: they would be put to now anyway."""
        kept = set(waiting)
        for key in [key for key, clock in self._clocks.items() if clock <= self._now and key not in kept]:
            del self._clocks[key]
