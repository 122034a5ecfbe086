"""Clients that follow jobs through this process: open event streams, and reads that keep a job wanted."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from routescope_app.services.engine.shares import most_of_one
from routescope_app.services.errors import RETRY_AFTER_SECONDS, Busy


class Readers:
    """Jobs that were read here, by their ids.

    Args:
        clock: gives seconds that only grow.
        wanted: whether anybody asks for it; where nobody does nothing is noted, as nobody would have it forgotten.
    """

    def __init__(self, clock: Callable[[], float], wanted: bool = True) -> None:
        self._clock = clock
        self._wanted = wanted
        self._read: dict[str, float] = {}
        self._told: dict[str, float] = {}
        self._following: Counter[str] = Counter()

    def read(self, job_id: str) -> None:
        """Somebody has asked for its state."""
        if self._wanted:
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

    def ago(self, job_id: str) -> float | None:
        """Seconds since it was read here, 0 while it is followed; None: it was not, or long ago."""
        if job_id in self._following:
            return 0.0
        last = self._read.get(job_id)
        return None if last is None else self._clock() - last

    def untold(self, grain: float) -> dict[str, float]:
        """Jobs that were read since ``told`` was last said of them, which is ``grain`` ago at least, or never was: how
        many seconds ago each was."""
        now, found = self._clock(), dict[str, float]()
        for job_id, last in (self._read | dict.fromkeys(self._following, now)).items():
            told = self._told.get(job_id)
            if told is None or (last > told and now - told >= grain):
                found[job_id] = now - last
        return found

    def told(self, job_id: str) -> None:
        """The database knows that it was read."""
        self._told[job_id] = self._clock()

    def forget(self, seconds: float) -> None:
        """Forget what was last read so long ago."""
        before = self._clock() - seconds
        for job_id in [each for each, last in self._read.items() if last <= before and each not in self._following]:
            del self._read[job_id]
            self._told.pop(job_id, None)


@dataclass(eq=False)
class EventStream:
    """One open stream; ``over`` is set when a newer one of the same client takes its place."""

    account: str
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Followers:
    """Open streams, the oldest first.

    Args:
        most: streams at the same time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: list[EventStream] = []

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    @contextmanager
    def following(self, account: str) -> Iterator[EventStream]:
        """Hold a stream of a client; its oldest one ends where it has its share.

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
        """Return the refusal that sends a client to ask for the state of the job instead."""
        detail = f"{why}; ask for the state of the job every {RETRY_AFTER_SECONDS} s instead: GET /api/v1/jobs/ID."
        return Busy(detail, "followers")
