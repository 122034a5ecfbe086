"""Who waits for jobs that are under way, and how long ago somebody last read each."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Readers:
    """Jobs that are under way, by their ids.

    Args:
        clock: gives seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._read: dict[str, float] = {}
        self._following: Counter[str] = Counter()
        self._owners: dict[str, set[str]] = {}

    def begin(self, job_id: str, owner: str | None) -> None:
        """A job waits, or was asked for again, for this owner too: as good as read."""
        self._read[job_id] = self._clock()
        if owner is not None:
            self._owners.setdefault(job_id, set()).add(owner)

    def end(self, job_id: str) -> None:
        """A job is no longer under way."""
        self._read.pop(job_id, None)
        self._owners.pop(job_id, None)

    def read(self, job_id: str) -> None:
        """Somebody has asked for its state."""
        if job_id in self._read:
            self._read[job_id] = self._clock()

    @contextmanager
    def following(self, job_id: str) -> Iterator[None]:
        """While somebody hears what becomes of it."""
        self._following[job_id] += 1
        try:
            yield
        finally:
            self._following[job_id] -= 1
            if not self._following[job_id]:
                del self._following[job_id]
            self.read(job_id)

    def owners(self, job_id: str) -> frozenset[str]:
        """Whoever asked for it since it was queued, those without a browser's cookie apart."""
        return frozenset(self._owners.get(job_id, ()))

    def is_unread(self, job_id: str, seconds: float) -> bool:
        """Whether it is under way, and nobody has read it for so long."""
        last = self._read.get(job_id)
        return last is not None and not self._following[job_id] and self._clock() - last >= seconds

    def unread(self, seconds: float) -> list[str]:
        """Jobs that nobody has read for so long."""
        return [job_id for job_id in self._read if self.is_unread(job_id, seconds)]
