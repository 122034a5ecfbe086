"""Jobs over a scratch folder, whose work counts and waits where a test says so."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from routescope.routing.progress import Progress
from routescope_app.services.errors import NotAccepted
from routescope_app.services.jobs.bucket_results import results_of
from routescope_app.services.jobs.jobs import Job, Jobs
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.storage.opening import storage_of
from routescope_app.services.store import Store
from tests.app.serving import settings


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Counting:
    """Counts to ``to``, one number a turn; waits at every number for which there is a gate, and raises its errors."""

    def __init__(self) -> None:
        self.gates: dict[int, asyncio.Event] = {}
        self.errors: dict[str, list[BaseException]] = {}
        self.begun: list[str] = []
        self.reached: dict[str, int] = {}
        self.clearing_up = 0.0

    def identify(self, request: dict[str, Any]) -> str:
        if request["name"] == "refused":
            raise NotAccepted("Any other name is accepted.")
        return (request["name"].encode().hex() + "0" * 40)[:40]

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        name = request["name"]
        self.begun.append(name)
        for number in range(1, request["to"] + 1):
            if number in self.gates:
                try:
                    await self.gates[number].wait()
                finally:
                    await asyncio.sleep(self.clearing_up)
            self.reached[name] = number
            progress(number, request["to"], f"counted to {number}")
            await asyncio.sleep(0)
        if self.errors.get(name):
            raise self.errors[name].pop()
        (folder / "result").write_bytes(b"x" * request.get("bytes", 10))


class Room:
    """One process that answers and works; with ``running_jobs=0`` it answers alone."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic, **changes: Any) -> None:
        chosen = settings(folder, **changes)
        self.results = folder / "results"
        self.store = Store(chosen.database)
        self.store.migrate()
        self.work = Counting()
        storage = storage_of(chosen)
        keeping = results_of(chosen, storage), Unfinished(storage)
        self.jobs = Jobs(chosen, self.store, {"embedding": self.work}, *keeping, clock)

    async def ask(self, name: str, to: int = 3, owner: str | None = None, **more: Any) -> Job:
        return await self.jobs.submit("embedding", {"name": name, "to": to, **more}, owner)

    async def until(self, job: Job, *states: str) -> Job:
        async with asyncio.timeout(60):
            while job.state not in states:
                await asyncio.sleep(0.01)
                job = await self.jobs.get(job.id)
        return job

    async def end(self, job: Job) -> Job:
        job = await self.until(job, "done", "failed", "cancelled")
        await soon(lambda: job.id not in self.jobs._live)  # until what is too much has gone
        return job

    def kept(self) -> set[str]:
        """Names of the folders of results."""
        return {path.name for path in self.results.iterdir()}


@contextlib.asynccontextmanager
async def room(folder: Path, **changes: Any) -> AsyncIterator[Room]:
    made = Room(folder, **changes)
    await made.jobs.start()
    try:
        yield made
    finally:
        await made.jobs.stop()
        made.store.close()


async def soon(true: Callable[[], bool]) -> None:
    """Wait until it is true."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.01)
