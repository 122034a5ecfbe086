"""Streams of events about jobs that are open in this process, shared out among clients."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from routescope_app.services.engine.shares import most_of_one
from routescope_app.services.errors import RETRY_AFTER_SECONDS, Busy


@dataclass(eq=False)
class Stream:
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
        self._open: list[Stream] = []

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    @contextmanager
    def following(self, account: str) -> Iterator[Stream]:
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
        stream = Stream(account)
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
