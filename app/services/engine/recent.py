"""A cache in memory, bounded by bytes: the least recently used values go first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key; beyond ``limit`` bytes the least recently used are forgotten. Threads may share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """What is kept under the key, which was used now."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key][0]

    def remove(self, key: K) -> None:
        """Forget what is kept under the key, if anything is."""
        with self._lock:
            self._drop(key)

    def remove_where(self, is_gone: Callable[[K], bool]) -> None:
        """Forget what is kept under all such keys."""
        with self._lock:
            for key in [each for each in self._entries if is_gone(each)]:
                self._drop(key)

    def _drop(self, key: K) -> None:
        if key in self._entries:
            self._bytes -= self._entries.pop(key)[1]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value that takes so many bytes; one that takes more than there is room for is not kept."""
        with self._lock:
            self._drop(key)
            if nbytes > self._limit:
                return
            self._entries[key] = (value, nbytes)
            self._bytes += nbytes
            while self._bytes > self._limit:
                _, (_, gone) = self._entries.popitem(last=False)
                self._bytes -= gone
