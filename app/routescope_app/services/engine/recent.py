"""Caches in memory, bounded by bytes: the least recently used values go first, and large ones when unused."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from cachetools import Cache, LRUCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: Bytes below which a value stays although nobody asks for it: it would hardly be missed in memory.
SMALL = 4_096

_caches: "WeakSet[Recent[Any, Any]]" = WeakSet()


def forget_unused(seconds: float) -> int:
    """Let all caches of this process forget large values unused for so many seconds; return their number."""
    return sum(cache.forget_unused(seconds) for cache in list(_caches))


def sizes() -> dict[str, int]:
    """Bytes in the caches of this process, by name."""
    sizes: dict[str, int] = {}
    for cache in list(_caches):
        if cache.name is not None:
            sizes[cache.name] = sizes.get(cache.name, 0) + cache.nbytes
    return sizes


@dataclass
class _Entry(Generic[V]):
    """A value, its bytes, and when it was used last, by the monotonic clock."""

    value: V
    nbytes: int
    used: float


class Recent(Generic[K, V]):
    """Values by key; beyond ``limit`` bytes the least recently used are forgotten. Threads may share it.

    Attributes:
        name: under which ``sizes`` counts its bytes.
    """

    def __init__(self, limit: int, name: str | None = None) -> None:
        self.name = name
        self._lock = threading.Lock()
        self._entries: LRUCache[K, _Entry[V]] = LRUCache(limit, getsizeof=lambda entry: entry.nbytes)
        _caches.add(self)

    @property
    def nbytes(self) -> int:
        """Bytes of all values."""
        return int(self._entries.currsize)

    def get(self, key: K) -> V | None:
        """The value of a key, which counts as used now."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            entry.used = time.monotonic()
            return entry.value

    def remove(self, key: K) -> None:
        """Forget the value of a key, if there is one."""
        with self._lock:
            self._entries.pop(key, None)

    def remove_where(self, is_gone: Callable[[K], bool]) -> None:
        """Forget the values of all such keys."""
        with self._lock:
            for key in [key for key in self._entries if is_gone(key)]:
                del self._entries[key]

    def put(self, key: K, value: V, nbytes: int) -> None:
        """Keep a value of so many bytes, unless it exceeds the limit."""
        with self._lock:
            self._entries.pop(key, None)
            if nbytes <= self._entries.maxsize:
                self._entries[key] = _Entry(value, nbytes, time.monotonic())

    def forget_unused(self, seconds: float) -> int:
        """Forget values of at least ``SMALL`` bytes unused for so many seconds; return their number."""
        before = time.monotonic() - seconds
        with self._lock:
            entries = {key: Cache.__getitem__(self._entries, key) for key in self._entries}  # which is no use of them
            unused = [key for key, entry in entries.items() if entry.used <= before and entry.nbytes >= SMALL]
            for key in unused:
                del self._entries[key]
        return len(unused)
