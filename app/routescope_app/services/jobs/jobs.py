"""Jobs: work that continues without a client, survives a crash, and can be cancelled and resumed."""

import asyncio
import contextlib
import json
import logging
import os
import re
import secrets
import socket
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from routescope_app.services import tracing
from routescope_app.services.disk import check_disk, ran_out
from routescope_app.services.engine.clients import client, operator
from routescope_app.services.engine.in_thread import in_thread
from routescope_app.services.engine.openings import is_job
from routescope_app.services.errors import (
    RETRY_AFTER_SECONDS,
    Busy,
    Interrupted,
    NotAccepted,
    NotComputedBefore,
    NotFound,
    OutOfMemory,
    Refusal,
)
from routescope_app.services.jobs.askers import Askers, Caller
from routescope_app.services.jobs.followers import EventStream, Followers, Readers
from routescope_app.services.jobs.results import Results
from routescope_app.services.jobs.table import ENDED, OPEN, JobTable
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.jobs.work import Work
from routescope_app.services.storage.storage import StorageUnreachable
from routescope_app.services.store import JobRow, Store, now
from routescope_app.settings import Settings

#: Seconds between two reads of what other processes wrote about jobs in PostgreSQL.
POLL_SECONDS = 1.0


def is_from_outside(error: Exception) -> bool:
    """Whether the cause of an error lies outside the job, so that the same job may succeed later.

    Such causes are a child process that was killed, a database or bucket that does not answer, a cluster without
    actors, and a service that is too busy. An impossible request, an exception, and too little memory or time are the
    job's own fault.
    """
    if isinstance(error, OutOfMemory) or ran_out(error) is not None:
        return False
    causes = (error, error.__cause__)
    outside = Interrupted, Busy, StorageUnreachable
    return any(isinstance(cause, outside) or (cause is not None and is_cut(cause)) for cause in causes)


def is_cut(error: BaseException) -> bool:
    """Whether the database does not answer, or ended the connection."""
    if isinstance(error, OperationalError | InterfaceError):
        return True
    return isinstance(error, DBAPIError) and error.connection_invalidated


def problem(kind: str, title: str, status: int, detail: str, instance: str = "") -> dict[str, Any]:
    """Return why a job failed, in the form of the API's problems."""
    return {
        "type": f"urn:routescope:problem:{kind}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance or f"urn:uuid:{uuid.uuid4()}",
    }


def problem_of(error: Exception) -> dict[str, Any]:
    """Return why a job failed by its own fault; unexpected errors have only an id, which the log has too."""
    if (refusal := error if isinstance(error, Refusal) else ran_out(error)) is not None:
        return problem(refusal.kind, refusal.title, refusal.status, refusal.detail)
    if isinstance(error, MemoryError):
        detail = "This job needs more memory than there is; ask for something smaller."
        return problem(OutOfMemory.kind, OutOfMemory.title, OutOfMemory.status, detail)
    detail = "Something unexpected went wrong. It was written to the server's log under this problem's id."
    return problem("unexpected", "Unexpected error", 500, detail)


log = logging.getLogger(__name__)
#: Seconds between two writes of the progress of a job, and between two events about it.
WRITE_SECONDS = 1.0
EVENT_SECONDS = 0.1
#: Seconds before the end of a job is written once more, when the database did not take it; one that restarts takes it.
END_AGAIN_SECONDS = (0.1, 0.5, 2.0, 5.0, 10.0)
#: Seconds between two looks for jobs that nobody reads.
WATCH_SECONDS = 1.0
#: Seconds between two notes in a job's row that somebody reads it, and for how long other processes wait for one.
READ_GRAIN_SECONDS, READ_LAG_SECONDS = 5.0, 10.0
#: Why a job was cancelled, in its ``what``.
CANCELLED, UNREAD = "cancelled", "nobody read it"


@dataclass(frozen=True)
class Job:
    """The state of a job.

    Attributes:
        owners: users and browsers that asked for it, or did last; none: a program did.
        kept: whether it continues while nobody reads it.
        ahead: number of jobs before it in the queue; None: it does not wait.
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
    ahead: int | None


@dataclass
class _RunningJob:
    """A job that runs in this process."""

    task: "asyncio.Task[None]" = field(init=False)
    done: int = 0
    total: int = 0
    what: str = "starting"
    cancelled: bool = False
    lost: bool = False
    """Whether another worker has it by now."""
    why: str = CANCELLED
    started: float = field(default_factory=time.monotonic)
    written: float = 0.0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def cancel(self, why: str) -> None:
        self.cancelled, self.why = True, why
        self.task.cancel()


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def worker_name() -> str:
    """A unique name of this process, with its host."""
    host = re.sub(r"[^a-z0-9-]+", "-", socket.gethostname().lower())[:32]
    return f"{host}-{os.getpid()}-{secrets.token_hex(4)}"


def _caller(owner: str | None) -> Caller:
    return Caller(client.get() if owner is None else owner, operator.get())


class Jobs:
    """Accepts jobs, runs a few at a time in turn, and keeps their results.

    With PostgreSQL several processes share the jobs of a database: each starts waiting jobs, writes their progress to
    their rows, and holds them by a lease that it renews. Jobs of other processes are read, followed and cancelled
    through their rows, with a short delay. With SQLite one process runs all jobs, and queues those again that it finds
    running when it starts.

    A job fails only by its own fault: its request is impossible, it raises an exception, or it needs more memory or
    time than it may have. After any other end (``kill -9``, a lost machine, a database that restarts) it waits again.

    Args:
        results: keeps the results of jobs.
        unfinished: keeps partial results until the jobs end.
        clock: gives the seconds by which jobs become unread and leases run out; None: the database's own clock.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        works: dict[str, Work],
        results: Results,
        unfinished: Unfinished,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._settings = settings
        self._works = works
        self._worker = worker_name()
        self._shared = store.shared
        moment = None if clock is None else lambda: _EPOCH + timedelta(seconds=clock())
        self._table = JobTable(settings, store, self._worker, moment)
        self._results = results
        self._unfinished = unfinished
        self._live: dict[str, _RunningJob] = {}
        # Held while a job is taken up, asked for or cancelled, so that what is running and not in _live is lost.
        self._taking = asyncio.Lock()
        self._clock = clock or time.monotonic
        self._watching = self._shared or settings.unread_job_seconds > 0
        self._readers = Readers(self._clock, wanted=self._watching)
        self._started = self._clock()
        self._tasks: list[asyncio.Task[None]] = []
        # Leases are renewed by a thread of their own, so that no other work keeps them waiting.
        self._renewing = ThreadPoolExecutor(1, "leases")
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._poll_seconds = min(POLL_SECONDS, settings.job_lease_seconds / 3)  # leases are renewed in time
        self._followers = Followers(settings.max_event_streams)
        self._is_lost = False  # whether the row of some job says that it runs here, and it does not

    # -- life ------------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Queue the jobs that an earlier process left, and start the workers."""
        await asyncio.to_thread(self._recover)
        await asyncio.to_thread(self._clean)
        self._started = self._clock()
        running = self._settings.jobs_at_once
        self._tasks = [asyncio.create_task(self._work()) for _ in range(running)]
        if running > 1:
            self._tasks.append(asyncio.create_task(self._work(spare=True)))
        self._tasks.append(asyncio.create_task(self._watch(self._take_up_lost)))
        if self._watching:
            self._tasks.append(asyncio.create_task(self._watch(self.end_unread)))
        if self._shared:
            self._tasks.append(asyncio.create_task(self._beat()))

    async def stop(self) -> None:
        """Stop the workers; their jobs wait for the next start, or for another process."""
        for worker in self._tasks:
            worker.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._renewing.shutdown)
        try:
            await asyncio.to_thread(self._table.leave)
        except Exception:
            log.exception("what this process had taken up waits until its lease has run out")

    def _recover(self) -> None:
        for job_id, worker in self._table.recover(everything=not self._shared, but=tuple(self._live)):
            if self._shared:
                log.warning("job %s is taken from worker %s, which no longer answers", job_id, worker)
            if worker is not None:
                self._results.abandon(job_id, worker)
            self._forget_pieces(job_id)

    def _forget_pieces(self, job_id: str) -> None:
        """Remove what a job has computed, unless it waits or runs, here or elsewhere."""
        if job_id not in self._table.under_way():
            self._unfinished.remove(job_id)

    def _clean(self) -> None:
        names = self._results.names()
        with self._table.results() as (done, running):
            self._results.clean(names, done, running)
        for job_id in self._unfinished.jobs() - self._table.under_way():
            self._unfinished.remove(job_id)

    # -- asking ----------------------------------------------------------------------------------------------

    async def submit(self, kind: str, request: dict[str, Any], owner: str | None = None) -> Job:
        """The job of this request; an equal request has the same job, and resumes it if it was cancelled.

        Args:
            owner: who asks, if known.

        Raises:
            NotFound, NotAccepted: a missing or impossible model, data set or option.
            Busy: too many jobs wait, of this client or in all.
            DiskFull: there is no room for the result.
        """
        job_id = await asyncio.to_thread(self._works[kind].identify, request)
        if self._settings.read_only:
            return await self._done(job_id)
        # Shielded: a client that disconnects now leaves a complete row, with its owner.
        account = client.get() if owner is None else owner
        return await asyncio.shield(self._submitted(job_id, kind, request, account))

    async def _done(self, job_id: str) -> Job:
        """A job that has a result; raises NotComputedBefore."""
        row = await asyncio.to_thread(self._table.get, job_id)
        if row is None or row.state != "done" or not await asyncio.to_thread(self._results.has, job_id):
            raise NotComputedBefore
        return self._job(row, [])

    async def _submitted(self, job_id: str, kind: str, request: dict[str, Any], account: str) -> Job:
        while True:
            async with self._taking:
                live = self._live.get(job_id)
                row = None
                if live is None or not (live.cancelled or live.lost or live.task.done()):
                    row = await self._queue(job_id, kind, request, live is not None, account)
            if row is not None:
                break
            # The job is ending: submit it again after that.
            await (asyncio.sleep(self._poll_seconds) if live is None else live.ended.wait())
        self._wake_up()
        self._notify()
        return await self._with_queue(row)

    async def _queue(self, job_id: str, kind: str, request: dict[str, Any], mine: bool, account: str) -> JobRow | None:
        keep = await asyncio.to_thread(self._results.has, job_id)
        if not keep and not mine:
            await asyncio.to_thread(check_disk, self._settings)
        return await asyncio.to_thread(
            partial(self._table.submit, job_id, kind, request, keep=keep, mine=mine, account=account)
        )

    async def get(self, job_id: str) -> Job:
        """A job, which counts as reading it; raises NotFound."""
        row = await self._row(job_id)
        if row.state in OPEN:
            self._readers.read(job_id)
        return await self._with_queue(row)

    async def newest(self, limit: int, kind: str | None, state: str | None) -> list[Job]:
        """Jobs, the last queued first; a list does not count as reading them."""
        rows = await asyncio.to_thread(self._table.newest, limit, kind, state)
        waiting = await self._waiting(*rows)
        return [self._job(row, waiting) for row in rows]

    async def keep(self, job_id: str, keep: bool, owner: str | None = None) -> Job:
        """Choose whether a job continues while nobody reads it; one that has ended stays as it is.

        Raises:
            NotFound. NotYours: ``owner``, who calls, did not ask for it, and somebody else did.
        """
        await asyncio.to_thread(self._table.keep, job_id, keep, _caller(owner))
        self._notify()
        return await self.get(job_id)

    async def cancel(self, job_id: str, owner: str | None = None) -> Job:
        """Stop a job, unless others asked for it too; one that has ended stays as it is.

        Partial results that can be used again are kept. The operator stops a job for all who asked for it, and so does
        anybody if nobody owns it.

        Raises:
            NotFound. NotYours: ``owner``, who calls, did not ask for it, and somebody else did.
        """
        return await self._give_up(job_id, owner, once=False)

    async def release(self, job_id: str, owner: str | None = None) -> Job:
        """Withdraw one request for a job, which is cancelled after the last one. Raises as ``cancel``."""
        return await self._give_up(job_id, owner, once=True)

    async def _give_up(self, job_id: str, owner: str | None, *, once: bool) -> Job:
        if await asyncio.to_thread(partial(self._table.give_up, job_id, _caller(owner), once=once)) <= 0:
            await self._stop(job_id, CANCELLED, unasked=True)
        self._notify()
        return await self.get(job_id)

    async def end_unread(self) -> None:
        """Cancel jobs that nobody has read for some time, unless they are kept."""
        seconds = self._settings.unread_job_seconds
        for job_id, ago in self._readers.unreported(READ_GRAIN_SECONDS).items():
            await asyncio.to_thread(self._table.was_read, job_id, ago)
            self._readers.report(job_id)
        self._readers.forget(2 * seconds)
        if not seconds or self._clock() - self._started < seconds:
            return  # readers from before this start may come back
        seconds += READ_LAG_SECONDS if self._shared else 0.0
        for job_id in await asyncio.to_thread(self._table.unread, seconds):
            here = self._readers.ago(job_id)
            if here is None or here >= seconds:
                await self._stop(job_id, UNREAD, seconds)

    async def _stop(self, job_id: str, why: str, unread: float | None = None, unasked: bool = False) -> None:
        async with self._taking:
            live = self._live.get(job_id)
            cancel = partial(self._table.cancel, job_id, why, mine=live is not None, unread=unread, unasked=unasked)
            ending = await asyncio.to_thread(cancel)
            if ending and live is not None:
                live.cancel(why)
        if ending and live is not None:
            await live.ended.wait()
        while ending:  # elsewhere; or it is lost, as its end here could not be written
            async with self._taking:
                ending = await asyncio.to_thread(partial(self._table.is_ending, job_id, mine=job_id in self._live))
            if ending:
                await asyncio.sleep(self._poll_seconds)
        if live is None and why == CANCELLED and (await self._row(job_id)).state == "cancelled":
            await asyncio.to_thread(self._unfinished.remove, job_id)
        self._notify()

    async def events(self, job_id: str) -> AsyncGenerator[Job, None]:
        """The job whenever it changes, until it ends.

        Raises:
            NotFound. Busy: others hold all streams, or newer ones of the same client took the place of this one.
        """
        with self._followers.following(client.get()) as stream, self._readers.following(job_id):
            last: Job | None = None
            while True:
                changed = self._changed
                job = await self.get(job_id)
                if job != last:
                    yield job
                    last = job
                if job.state in ENDED:
                    return
                await self._until_changed(changed, stream)
                if stream.over.is_set():
                    raise self._followers.busy("You follow jobs by newer connections, which end this one")
                await asyncio.sleep(EVENT_SECONDS)

    async def result(self, job_id: str, kind: str) -> Path:
        """The folder with the result of a job of that kind; raises NotFound."""
        row = await asyncio.to_thread(self._table.get, job_id, kind)
        done = row is not None and row.state == "done"
        folder = await asyncio.to_thread(self._results.folder, job_id) if done else None
        if row is None or folder is None:
            if row is not None and done:
                text = "the result of job %s that worker %s kept is not where results are; do all have the same folder?"
                log.warning(text, job_id, row.worker)
            state = "" if row is None else f" The job is {row.state}." if row.state != "done" else ""
            raise NotFound(f"There is no such result; it may no longer be kept. Ask for it with POST.{state}")
        await asyncio.to_thread(self._table.touch, row)
        return folder

    async def file_so_far(self, job_id: str, kind: str, name: str) -> bytes | None:
        """A file that a running job has written; None before that, and when the job no longer runs.

        Raises:
            NotFound: no such job.
        """
        row = await asyncio.to_thread(self._table.get, job_id, kind)
        if row is None:
            raise NotFound("There is no such job; it may no longer be kept.")
        if row.state != "running" or row.worker is None:
            return None
        try:
            return await asyncio.to_thread((self._results.working(job_id, row.worker) / name).read_bytes)
        except FileNotFoundError:
            return None

    async def _row(self, job_id: str) -> JobRow:
        row = await asyncio.to_thread(self._table.get, job_id)
        if row is None:
            raise NotFound("There is no such job; it may no longer be kept.")
        return row

    async def _with_queue(self, row: JobRow) -> Job:
        return self._job(row, await self._waiting(row))

    async def _waiting(self, *rows: JobRow) -> list[str]:
        """Ids of waiting jobs, in the order of their turns, if some of these rows wait."""
        return await asyncio.to_thread(self._table.waiting) if any(row.state == "queued" for row in rows) else []

    def _job(self, row: JobRow, waiting: list[str]) -> Job:
        live = self._live.get(row.id) if row.state == "running" and row.worker == self._worker else None
        return Job(
            id=row.id,
            kind=row.kind,
            state=row.state,
            done=live.done if live else row.done,
            total=live.total if live else row.total,
            what=live.what if live else row.what,
            seconds=row.seconds + (live.seconds if live else self._seconds_elsewhere(row)),
            created=row.created,
            problem=json.loads(row.problem) if row.problem else None,
            request=json.loads(row.request),
            owners=Askers.of(row).owners,
            kept=row.kept,
            ahead=waiting.index(row.id) if row.id in waiting else None,
        )

    def _seconds_elsewhere(self, row: JobRow) -> float:
        """Seconds since another process started a job."""
        if row.state != "running" or row.begun is None or row.worker == self._worker:
            return 0.0
        return max(0.0, (now() - row.begun).total_seconds())

    # -- working ---------------------------------------------------------------------------------------------

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _wake_up(self) -> None:
        """Let all workers look for a job."""
        self._wake.set()
        self._wake = asyncio.Event()

    async def _within_poll(self, event: asyncio.Event, pausing: bool = False) -> None:
        """Wait for an event; with a shared database, for one poll at most.

        Args:
            pausing: whether some job waits for the end of its pause, which sets no event.
        """
        with contextlib.suppress(TimeoutError):
            polling = self._shared or pausing
            # Not wait_for, which loses a cancel that comes together with the event.
            async with asyncio.timeout(self._poll_seconds if polling else None):
                await event.wait()

    async def _until_changed(self, changed: asyncio.Event, stream: EventStream) -> None:
        """Wait until a job may have changed, or a stream is over."""
        waits = [asyncio.ensure_future(event.wait()) for event in (changed, stream.over)]
        try:
            seconds = self._poll_seconds if self._shared else None
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _watch(self, look: Callable[[], Awaitable[None]]) -> None:
        """Call ``look`` again and again; each check has its own task, so that none waits for another."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await look()
            except Exception:
                log.exception("jobs that nobody reads, or works on, could not be looked after")

    async def _take_up_lost(self) -> None:
        """Queue jobs again whose worker does not answer, or whose end this process could not write."""
        if self._shared:
            await asyncio.to_thread(self._recover)
        elif self._is_lost:
            async with self._taking:
                await asyncio.to_thread(self._recover)
                self._is_lost = False
            self._wake_up()
            self._notify()

    async def _beat(self) -> None:
        """Renew the leases of the jobs that run here, and stop those that were cancelled elsewhere."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._poll_seconds)
            if not (running := dict(self._live)):
                continue
            try:
                mine = await loop.run_in_executor(self._renewing, self._table.renew, list(running))
            except Exception:
                log.exception("the leases of %d jobs could not be renewed", len(running))
                continue
            for job_id, live in running.items():
                if live.task.done() or live.cancelled or live.lost:
                    continue
                if job_id not in mine:
                    log.warning("job %s was taken from this worker, whose lease had run out", job_id)
                    live.lost = True
                    live.task.cancel()
                elif (why := mine[job_id]) is not None:
                    live.cancel(why)

    async def _work(self, *, spare: bool = False) -> None:
        """Run jobs, one after the other.

        Args:
            spare: runs a job only while all other workers are busy, and only for a client that has none running.
        """
        while True:
            wake = self._wake  # taken before the look, so that no job that comes meanwhile is missed
            try:
                async with self._taking:
                    row = None
                    if not spare or len(self._live) >= self._settings.jobs_at_once:
                        row = await in_thread(partial(self._table.claim, tuple(self._live), spare=spare))
                    if row is not None:
                        live = self._live[row.id] = _RunningJob()
                        live.task = asyncio.create_task(self._do(row, live))
            except Exception:
                log.exception("the next job could not be found")
                await asyncio.sleep(RETRY_AFTER_SECONDS)
                continue
            if row is None:
                await self._within_poll(wake, pausing=await asyncio.to_thread(self._table.waits))
                continue
            self._wake_up()  # there may be more for the others
            try:
                await self._run(row, live)
            except Exception:
                log.exception("the end of job %s could not be written", row.id)
                self._is_lost = True

    async def _run(self, row: JobRow, live: _RunningJob) -> None:
        self._notify()
        state, size, trouble, stopping = "done", 0, None, False
        try:
            try:
                await live.task
                size = await asyncio.to_thread(self._results.finish, row.id, self._worker)
            except asyncio.CancelledError:
                task = asyncio.current_task()
                stopping = task is not None and task.cancelling() > 0  # else the job's own await was cancelled
                state = "queued" if stopping else "interrupted"
                state = "lost" if live.lost else "cancelled" if live.cancelled else state
                if not live.task.done():  # this worker was cancelled, so its work is, too
                    live.task.cancel()
                    await asyncio.gather(live.task, return_exceptions=True)
            except Exception as error:
                if is_from_outside(error):
                    log.warning("job %s was interrupted and waits: %s", row.id, error)
                    state = "interrupted"
                else:
                    state, trouble = "failed", problem_of(error)
                    if not isinstance(error, Refusal):
                        log.exception("job %s failed %s", row.id, trouble["instance"])
            await self._end(row.id, live, state, size, trouble)
        finally:
            del self._live[row.id]
            live.ended.set()
            self._notify()
        if stopping:
            raise asyncio.CancelledError

    async def _end(self, job_id: str, live: _RunningJob, state: str, size: int, trouble: dict[str, Any] | None) -> None:
        """Write the end of a job, with retries; nothing is written if another worker has the job by now."""
        progress = live.done, live.total, live.why if state == "cancelled" else live.what
        place = partial(self._results.place, job_id, self._worker) if state == "done" else None

        def write() -> None:
            if state != "done":
                self._results.abandon(job_id, self._worker)
            if state == "lost":
                return
            ended = partial(self._table.end, job_id, state, progress=progress, seconds=live.seconds)
            if not ended(size=size, problem=trouble, place=place):
                log.warning("job %s was no longer this worker's when it ended", job_id)
                self._results.abandon(job_id, self._worker)

        for pause in END_AGAIN_SECONDS:
            try:
                await asyncio.to_thread(write)
                break
            except Exception:
                log.exception("the end of job %s is written again in %s s", job_id, pause)
            await asyncio.sleep(pause)
        else:
            await asyncio.to_thread(write)
        if state not in ("queued", "interrupted"):
            await asyncio.to_thread(self._forget_pieces, job_id)
        await asyncio.to_thread(self._table.evict, job_id, self._results.remove)

    async def _do(self, row: JobRow, live: _RunningJob) -> None:
        work, request = self._works[row.kind], json.loads(row.request)
        is_job.set(True)
        if await asyncio.to_thread(work.identify, request) != row.id:
            raise NotAccepted("The model or its data have changed since this job was asked for; ask for it again.")
        folder = await asyncio.to_thread(self._results.begin, row.id, self._worker)
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
            with tracing.span("job", kind=row.kind, job=row.id):
                await work.run(row.id, request, folder, progress)
        finally:
            if writes:
                await asyncio.gather(*writes, return_exceptions=True)
