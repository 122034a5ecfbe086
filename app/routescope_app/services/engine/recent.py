"""Caches in memory, bounded by bytes: the least recently used values go first, and large ones when nobody asks."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: Bytes below which a value stays although nobody asks for it: it would hardly be missed in memory.
SMALL = 4_096

_caches: "WeakSet[Recent[Any, Any]]" = WeakSet()


def forget_unused(seconds: float) -> int:
    """Let all caches of this process forget the large values that nobody asked for in so many seconds; how many."""
    return sum(cache.forget_unused(seconds) for cache in list(_caches))


def sizes() -> dict[str, int]:
    """Bytes that are kept by all caches of a name, of this process."""
    found: dict[str, int] = {}
    for cache in list(_caches):
        if cache.name is not None:
            found[cache.name] = found.get(cache.name, 0) + cache.nbytes
    return found


class Recent(Generic[K, V]):
    """Values by key; beyond ``limit`` bytes the least recently used are forgotten. Threads may share it.

    Attributes:
        name: of what is kept, where it is counted in bytes; ``sizes`` tells them.
    """

    def __init__(self, limit: int, name: str | None = None) -> None:
        self.name = name
        self._limit = limit
        self._bytes = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._used: dict[K, float] = {}
        _caches.add(self)

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept."""
        return self._bytes

    def get(self, key: K) -> V | None:
        """What is kept under the key, which was used now."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            self._used[key] = time.monotonic()
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
            del self._used[key]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value that takes so many bytes; one that takes more than there is room for is not kept."""
        with self._lock:
            self._drop(key)
            if nbytes > self._limit:
                return
            self._entries[key] = (value, nbytes)
            self._used[key] = time.monotonic()
            self._bytes += nbytes
            while self._bytes > self._limit:
                self._drop(next(iter(self._entries)))

    def forget_unused(self, seconds: float) -> int:
        """Forget values of at least ``SMALL`` bytes that nobody asked for in so many seconds; how many they were."""
        before = time.monotonic() - seconds
        with self._lock:
            gone = [key for key, used in self._used.items() if used <= before and self._entries[key][1] >= SMALL]
            for key in gone:
                self._drop(key)
        return len(gone)
