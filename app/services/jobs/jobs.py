"""Jobs: work that goes on when nobody waits for it, survives a crash, and can be cancelled and taken up again."""

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from app.services.disk import check_disk, ran_out
from app.services.errors import Busy, NotAccepted, NotFound, Refusal, ServiceReadOnly
from app.services.jobs.readers import Readers
from app.services.jobs.results import Results
from app.services.jobs.table import ENDED, OPEN, JobTable, problem
from app.services.store import JobRow, Store
from app.settings import Settings

log = logging.getLogger(__name__)
#: Seconds between two writes of the progress of a job, and between two events about it.
WRITE_SECONDS = 1.0
EVENT_SECONDS = 0.1
#: Seconds before the end of a job is written once more, when the database did not take it.
END_AGAIN_SECONDS = (0.1, 0.5, 2.0)
#: Seconds between two looks for jobs that nobody reads.
WATCH_SECONDS = 1.0
#: Why a job was cancelled, in its ``what``.
CANCELLED, UNREAD = "cancelled", "nobody read it"


class Progress(Protocol):
    """Says how far a job is."""

    def __call__(self, done: int, total: int, what: str) -> None: ...


class Work(Protocol):
    """A kind of job."""

    def identify(self, request: dict[str, Any]) -> str:
        """Hash of all that the result depends on; blocking. Raises refusals for what is not possible."""
        ...

    async def run(self, job_id: str, request: dict[str, Any], folder: Path, progress: Progress) -> None:
        """Do it, and leave the result in ``folder``."""
        ...


@dataclass(frozen=True)
class Job:
    """What is known of a job.

    Attributes:
        owners: browsers that asked for it; none: it was a program.
        kept: whether it goes on when nobody reads it.
    """

    id: str
    kind: str
    state: str
    done: int
    total: int
    what: str
    seconds: float
    created: datetime
    problem: dict[str, Any] | None
    request: dict[str, Any]
    owners: frozenset[str]
    kept: bool


@dataclass
class _Live:
    """A job that runs here."""

    task: "asyncio.Task[None]" = field(init=False)
    done: int = 0
    total: int = 0
    what: str = "starting"
    cancelled: bool = False
    why: str = CANCELLED
    started: float = field(default_factory=time.monotonic)
    written: float = 0.0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


class Jobs:
    """Takes jobs, runs a few at a time in the order of their coming, and keeps what they give.

    One process works on the jobs of a database: what it finds running at its start it queues again.

    Args:
        clock: gives the seconds by which jobs become unread.
    """

    def __init__(
        self, settings: Settings, store: Store, works: dict[str, Work], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._works = works
        self._table = JobTable(settings, store)
        self._results = Results(settings.data_dir / "results")
        self._live: dict[str, _Live] = {}
        # Held while a job is taken up, asked for or cancelled, so that what is running and not in _live is lost.
        self._taking = asyncio.Lock()
        self._askers: dict[str, int] = {}
        self._readers = Readers(clock)
        self._workers: list[asyncio.Task[None]] = []
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._followers = 0

    # -- life ------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Take up what an earlier process left, and begin to work."""
        await asyncio.to_thread(self._table.recover)
        await asyncio.to_thread(lambda: self._results.clean(self._table.done_ids()))
        for job_id, owner in await asyncio.to_thread(self._table.open_jobs):
            self._readers.begin(job_id, owner)
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._settings.running_jobs)]
        if self._settings.unread_job_seconds:
            self._workers.append(asyncio.create_task(self._watch()))

    async def stop(self) -> None:
        """Jobs that run wait for the next start."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    # -- asking ----------------------------------------------------------------------------------------------

    async def submit(self, kind: str, request: dict[str, Any], owner: str | None = None) -> Job:
        """The job for this request; the same request is the same job, and is taken up again where it was cancelled.

        ``owner`` is who asks, where that is known.

        Raises:
            NotFound, NotAccepted: what was asked for is not there, or not possible.
            Busy: too many jobs are waiting. DiskFull: there is no room for what it would give.
        """
        job_id = await asyncio.to_thread(self._works[kind].identify, request)
        if self._settings.read_only:
            return await self._done(job_id)
        # Who leaves meanwhile leaves a whole job: its row, and what is known of who asked.
        return await asyncio.shield(self._submitted(job_id, kind, request, owner))

    async def _done(self, job_id: str) -> Job:
        """A job whose result is there; raises ServiceReadOnly."""
        row = await asyncio.to_thread(self._table.get, job_id)
        if row is None or row.state != "done" or not await asyncio.to_thread(self._results.has, job_id):
            raise ServiceReadOnly
        return self._job(row)

    async def _submitted(self, job_id: str, kind: str, request: dict[str, Any], owner: str | None) -> Job:
        while True:
            async with self._taking:
                live = self._live.get(job_id)
                if live is None or not (live.cancelled or live.task.done()):
                    row = await self._queue(job_id, kind, request, live is not None, owner)
                    break
            await live.ended.wait()  # it is just ending, and is asked for after that
        self._wake.set()
        self._notify()
        return self._job(row)

    async def _queue(self, job_id: str, kind: str, request: dict[str, Any], alive: bool, owner: str | None) -> JobRow:
        keep = await asyncio.to_thread(self._results.has, job_id)
        if not keep and not alive:
            await asyncio.to_thread(check_disk, self._settings)
        submit = partial(self._table.submit, keep=keep, alive=alive, owner=owner)
        row, new = await asyncio.to_thread(submit, job_id, kind, request)
        if row.state in OPEN:
            self._readers.begin(job_id, owner)
            # Of those who asked before the service was started nothing is known: they count as one.
            self._askers[job_id] = 1 if new else self._askers.get(job_id, 1) + 1
        return row

    async def get(self, job_id: str) -> Job:
        """A job, which counts as reading it; raises NotFound."""
        self._readers.read(job_id)
        return self._job(await self._row(job_id))

    async def newest(self, limit: int, kind: str | None, state: str | None) -> list[Job]:
        """Jobs, the last queued first; a list does not count as reading them."""
        return [self._job(row) for row in await asyncio.to_thread(self._table.newest, limit, kind, state)]

    async def keep(self, job_id: str, keep: bool) -> Job:
        """Let a job that is under way go on though nobody reads it, or not; one that has ended stays as it is."""
        await asyncio.to_thread(self._table.keep, job_id, keep)
        self._notify()
        return await self.get(job_id)

    async def cancel(self, job_id: str) -> Job:
        """Stop a job; one that has ended stays as it is. What it had computed is kept where it can be used again."""
        await self._stop(job_id, CANCELLED)
        return await self.get(job_id)

    async def end_unread(self) -> None:
        """Cancel what nobody has read for some time, unless it is kept."""
        for job_id in self._readers.unread(self._settings.unread_job_seconds):
            row = await asyncio.to_thread(self._table.get, job_id)
            if row is None or row.state not in OPEN:
                self._readers.end(job_id)
            elif row.kept:
                self._readers.read(job_id)  # asked again after as long
            else:
                await self._stop(job_id, UNREAD)

    async def _stop(self, job_id: str, why: str) -> None:
        async with self._taking:
            if why == UNREAD and not self._readers.is_unread(job_id, self._settings.unread_job_seconds):
                return  # somebody has read it meanwhile
            self._askers.pop(job_id, None)
            live = self._live.get(job_id)
            if live is None:
                await asyncio.to_thread(self._table.cancel, job_id, why)
                self._readers.end(job_id)
            else:
                live.cancelled, live.why = True, why
                live.task.cancel()
        if live is not None:
            await live.ended.wait()
            async with self._taking:
                if job_id not in self._live:  # one that is queued was asked for again meanwhile
                    await asyncio.to_thread(self._table.cancel, job_id, why, ["running"])
        self._notify()

    async def release(self, job_id: str) -> Job:
        """One of those who asked for a job no longer wants it; it is cancelled when nobody is left who does.

        Everybody counts as often as they asked since the job was queued.
        """
        left = self._askers.get(job_id, 1) - 1
        if left <= 0:
            return await self.cancel(job_id)
        self._askers[job_id] = left
        return await self.get(job_id)

    async def events(self, job_id: str) -> AsyncGenerator[Job, None]:
        """The job whenever it changes, until it ends; raises NotFound and Busy."""
        if self._followers >= self._settings.max_event_streams:
            wait = self._settings.retry_after_seconds
            raise Busy("Many jobs are being followed; please ask again in a moment.", wait, "followers")
        self._followers += 1
        try:
            with self._readers.following(job_id):
                last: Job | None = None
                while True:
                    changed = self._changed
                    job = await self.get(job_id)
                    if job != last:
                        yield job
                        last = job
                    if job.state in ENDED:
                        return
                    await changed.wait()
                    await asyncio.sleep(EVENT_SECONDS)
        finally:
            self._followers -= 1

    async def result(self, job_id: str, kind: str) -> Path:
        """The folder with the result of a job of that kind; raises NotFound."""
        row = await asyncio.to_thread(self._table.get, job_id, kind)
        if row is None or row.state != "done" or not await asyncio.to_thread(self._results.has, job_id):
            state = "" if row is None else f" The job is {row.state}." if row.state != "done" else ""
            raise NotFound(f"There is no such result; it may no longer be kept. Ask for it with POST.{state}")
        await asyncio.to_thread(self._table.touch, row)
        return self._results.path(job_id)

    async def _row(self, job_id: str) -> JobRow:
        row = await asyncio.to_thread(self._table.get, job_id)
        if row is None:
            raise NotFound("There is no such job; it may no longer be kept.")
        return row

    def _job(self, row: JobRow) -> Job:
        live = self._live.get(row.id) if row.state == "running" else None
        return Job(
            id=row.id,
            kind=row.kind,
            state=row.state,
            done=live.done if live else row.done,
            total=live.total if live else row.total,
            what=live.what if live else row.what,
            seconds=row.seconds + (live.seconds if live else 0.0),
            created=row.created,
            problem=json.loads(row.problem) if row.problem else None,
            request=json.loads(row.request),
            owners=self._readers.owners(row.id) | ({row.owner} if row.owner is not None else set()),
            kept=row.kept,
        )

    # -- working ---------------------------------------------------------------------------------------------

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self.end_unread()
            except Exception:
                log.exception("jobs that nobody reads could not be ended")

    async def _work(self) -> None:
        while True:
            self._wake.clear()
            try:
                async with self._taking:
                    row = await asyncio.to_thread(self._table.claim)
                    if row is not None:
                        live = self._live[row.id] = _Live()
                        live.task = asyncio.create_task(self._do(row, live))
            except Exception:
                log.exception("the next job could not be found")
                await asyncio.sleep(self._settings.retry_after_seconds)
                continue
            if row is None:
                await self._wake.wait()
                continue
            self._wake.set()  # there may be more for the other workers
            try:
                await self._run(row, live)
            except Exception:
                log.exception("the end of job %s could not be written", row.id)

    async def _run(self, row: JobRow, live: _Live) -> None:
        self._notify()
        state, size, trouble = "done", 0, None
        try:
            try:
                await live.task
                size = await asyncio.to_thread(self._results.publish, row.id)
            except asyncio.CancelledError:
                state = "cancelled" if live.cancelled else "queued"
                if not live.task.done():  # this worker was cancelled, so its work is, too
                    live.task.cancel()
                    await asyncio.gather(live.task, return_exceptions=True)
            except Refusal as refusal:
                state = "failed"
                trouble = problem(refusal.kind, refusal.title, refusal.status, refusal.detail)
            except Exception as error:
                state, instance = "failed", f"urn:uuid:{uuid.uuid4()}"
                log.exception("job %s failed %s", row.id, instance)
                detail = "Something unexpected went wrong. It was written to the server's log under this problem's id."
                trouble = problem("unexpected", "Unexpected error", 500, detail, instance)
                if (full := ran_out(error)) is not None:
                    trouble = problem(full.kind, full.title, full.status, full.detail, instance)
            await self._end(row.id, live, state, size, trouble)
        finally:
            del self._live[row.id]
            self._askers.pop(row.id, None)
            self._readers.end(row.id)
            live.ended.set()
            self._notify()
        if state == "queued":
            raise asyncio.CancelledError

    async def _end(self, job_id: str, live: _Live, state: str, size: int, trouble: dict[str, Any] | None) -> None:
        """Write the end of a job, again where that fails; what cannot be written is lost, and found by who asks."""

        def write() -> None:
            if state != "done":
                self._results.abandon(job_id)
            self._table.progress(job_id, live.done, live.total, live.why if state == "cancelled" else live.what)
            self._table.end(job_id, state, seconds=live.seconds, size=size, problem=trouble)

        for pause in END_AGAIN_SECONDS:
            try:
                await asyncio.to_thread(write)
                break
            except Exception:
                log.exception("the end of job %s is written again in %s s", job_id, pause)
            await asyncio.sleep(pause)
        else:
            await asyncio.to_thread(write)
        await asyncio.to_thread(self._evict, job_id)

    def _evict(self, but: str) -> None:
        for gone in self._table.evict(but=but):
            self._results.remove(gone)

    async def _do(self, row: JobRow, live: _Live) -> None:
        work, request = self._works[row.kind], json.loads(row.request)
        if await asyncio.to_thread(work.identify, request) != row.id:
            raise NotAccepted("The model or its data have changed since this job was asked for; ask for it again.")
        folder = await asyncio.to_thread(self._results.begin, row.id)
        writes: set[asyncio.Task[None]] = set()

        def progress(done: int, total: int, what: str) -> None:
            live.done, live.total, live.what = done, total, what
            self._notify()
            if time.monotonic() - live.written >= WRITE_SECONDS and not writes:
                live.written = time.monotonic()
                write = asyncio.create_task(asyncio.to_thread(self._table.progress, row.id, done, total, what))
                writes.add(write)
                write.add_done_callback(writes.discard)

        try:
            await work.run(row.id, request, folder, progress)
        finally:
            if writes:
                await asyncio.gather(*writes, return_exceptions=True)
