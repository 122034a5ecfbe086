"""Clients that follow jobs through this process: open event streams, and reads that keep a job wanted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from routescope_app.services.engine.shares import most_of_one
from routescope_app.services.errors import RETRY_AFTER_SECONDS, Busy


class Readers:
    """When jobs were last read through this process.

    Args:
        clock: returns seconds that only grow.
        wanted: whether reads are recorded; without that, nothing would ever remove them.
    """

    def __init__(self, clock: Callable[[], float], wanted: bool = True) -> None:
        self._clock = clock
        self._wanted = wanted
        self._read: dict[str, float] = {}
        self._reported: dict[str, float] = {}
        self._following: Counter[str] = Counter()

    def read(self, job_id: str) -> None:
        """Record that a client has read the state of a job."""
        if self._wanted:
            self._read[job_id] = self._clock()

    @contextmanager
    def following(self, job_id: str) -> Iterator[None]:
        """Count a job as read while a client follows it."""
        self._following[job_id] += 1
        try:
            yield
        finally:
            self._following[job_id] -= 1
            if not self._following[job_id]:
                del self._following[job_id]
            self.read(job_id)

    def ago(self, job_id: str) -> float | None:
        """Seconds since the last read here, 0 while a client follows the job; None: no read, or long ago."""
        if job_id in self._following:
            return 0.0
        last = self._read.get(job_id)
        return None if last is None else self._clock() - last

    def unreported(self, grain: float) -> dict[str, float]:
        """Jobs that were read since their last ``report``, if that is at least ``grain`` seconds ago: how many seconds
        ago each was read."""
        now, seconds = self._clock(), dict[str, float]()
        for job_id, last in (self._read | dict.fromkeys(self._following, now)).items():
            reported = self._reported.get(job_id)
            if reported is None or (last > reported and now - reported >= grain):
                seconds[job_id] = now - last
        return seconds

    def report(self, job_id: str) -> None:
        """Record that the database has the last read."""
        self._reported[job_id] = self._clock()

    def forget(self, seconds: float) -> None:
        """Remove reads that are older than so many seconds."""
        before = self._clock() - seconds
        for job_id in [
            job_id for job_id, last in self._read.items() if last <= before and job_id not in self._following
        ]:
            del self._read[job_id]
            self._reported.pop(job_id, None)


@dataclass(eq=False)
class EventStream:
    """One open stream; ``over`` is set when a newer one of the same client replaces it."""

    account: str
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Followers:
    """Open event streams, the oldest first.

    Args:
        most: streams at the same time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: list[EventStream] = []

    def __len__(self) -> int:
        """Number of open streams."""
        return len(self._open)

    @contextmanager
    def following(self, account: str) -> Iterator[EventStream]:
        """Open a stream for a client; its oldest one ends if it has its share.

        Raises:
            Busy: other clients hold all streams.
        """
        mine = [stream for stream in self._open if stream.account == account]
        if len(mine) >= most_of_one(self._most, len(self._open) - len(mine)):
            if not mine:
                raise self.busy("Many jobs are being followed")
            mine[0].over.set()
            self._open.remove(mine[0])
        stream = EventStream(account)
        self._open.append(stream)
        try:
            yield stream
        finally:
            if stream in self._open:
                self._open.remove(stream)

    def busy(self, why: str) -> Busy:
        """Return the refusal that tells a client to poll the job instead."""
        detail = f"{why}; ask for the state of the job every {RETRY_AFTER_SECONDS} s instead: GET /api/v1/jobs/ID."
        return Busy(detail, "followers")
