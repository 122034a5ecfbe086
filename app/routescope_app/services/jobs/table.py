"""The rows of jobs; methods block, and each is one transaction."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.orm import Session

from routescope_app.services.engine.shares import most_of_one
from routescope_app.services.errors import Busy
from routescope_app.services.jobs.askers import Askers, Caller
from routescope_app.services.jobs.turns import Waiting, in_turn, is_alone, is_pausing, words_of
from routescope_app.services.store import JobRow, Store, now
from routescope_app.settings import Settings

#: Jobs remembered after their end; the least recently used go first.
MAX_ROWS = 2_000
#: Starts of a job at once, one after each end of the service while the job ran. A further start is alone in its
#: process.
MAX_ATTEMPTS = 3

OPEN = ("queued", "running")
ENDED = ("done", "failed", "cancelled")
#: A result's last use is written at most this often.
USE_GRAIN = timedelta(minutes=1)


class JobTable:
    """Jobs in the database.

    A running job belongs to its worker until its lease expires. With a shared database, any worker may queue an expired
    job again; later writes of the former worker are ignored.

    A job is never blamed for the end of its worker, as a kill from outside looks like a lack of memory. A job that was
    started ``MAX_ATTEMPTS`` times in vain pauses before each further start, and then runs alone in its process, so that
    a job that brings down processes leaves them to others most of the time.

    Args:
        worker: unique name of this process.
        clock: returns the present moment; None: the clock of the database.
    """

    def __init__(
        self, settings: Settings, store: Store, worker: str, clock: Callable[[], datetime] | None = None
    ) -> None:
        self._settings = settings
        self._store = store
        self._worker = worker
        self._clock = clock
        self._lease = timedelta(seconds=settings.job_lease_seconds)

    def _moment(self, session: Session) -> datetime:
        return self._store.moment(session) if self._clock is None else self._clock()

    def _is_alive(self, row: JobRow, moment: datetime, mine: bool) -> bool:
        """Whether a worker runs a job whose state is running.

        Args:
            mine: whether this process runs it; if its row names this process but it does not, the job is lost.
        """
        if row.worker == self._worker:
            return mine
        return row.lease is not None and row.lease > moment

    # -- asking ----------------------------------------------------------------------------------------------

    def submit(
        self, job_id: str, kind: str, request: dict[str, Any], *, keep: bool, mine: bool, account: str
    ) -> JobRow | None:
        """Queue a job unless it waits or runs; return its row, or None while it is being cancelled: submit it again.

        Args:
            keep: whether a finished job stays finished.
            mine: whether this process runs it; a running job without a worker is queued again.
            account: the client that asks.

        Raises:
            Busy: too many jobs wait, of this client or in all.
        """
        with self._store.exclusive("jobs") as session:
            queued = self._store.moment(session)
            moment = queued if self._clock is None else self._clock()
            row = session.get(JobRow, job_id, with_for_update=True)
            if row is not None and row.state in OPEN:
                if row.state == "queued" or self._is_alive(row, moment, mine):
                    if row.cancelling is not None:
                        return None
                    _ask(row, Askers.of(row), account)
                    row.read = moment
                    return row
            elif row is not None and row.state == "done" and keep:
                if (askers := Askers.of(row)).lacks(account):
                    _ask(row, askers, account)
                return row
            self._check_room(session, row, account)
            if row is None:
                row = JobRow(id=job_id, kind=kind, request=json.dumps(request), created=queued)
                row.seconds, row.bytes = 0.0, 0
                session.add(row)
            row.state, row.queued, row.used, row.read = "queued", queued, queued, moment
            row.done, row.total, row.what, row.attempts, row.problem = 0, 0, "waiting", 0, None
            row.worker, row.lease, row.begun, row.ended, row.cancelling = None, None, None, None, None
            _ask(row, Askers(), account)
        return row

    def _check_room(self, session: Session, row: JobRow | None, account: str) -> None:
        if row is not None and row.state == "running":
            return  # lost, and counted already
        held = self._under_way_by_account(session, OPEN)
        most = self._settings.max_queued_jobs
        mine, all_jobs = held[account], held.total()
        share = most_of_one(most, all_jobs - mine)
        if mine < share:
            return
        if not mine:
            raise Busy(f"{all_jobs} jobs of others wait or run, which is the limit; ask again later.", "jobs")
        raise Busy(
            f"You have {mine} {'job' if mine == 1 else 'jobs'} waiting or running; up to {share} of one client are "
            "accepted now, so that others have room. Cancel one, or ask again when one has ended.",
            "share",
        )

    @staticmethod
    def _under_way_by_account(session: Session, states: Collection[str]) -> Counter[str]:
        """Number of jobs in these states, by the client whose place they take."""
        counted = select(JobRow.account, func.count()).where(JobRow.state.in_(states)).group_by(JobRow.account)
        return Counter({account or "": count for account, count in session.execute(counted)})

    def give_up(self, job_id: str, caller: Caller, *, once: bool) -> int:
        """Withdraw a caller's request; return the number of remaining ones; raises NotYours for jobs of others.

        Args:
            once: withdraw one request of the caller; else all.
        """
        with self._store.writing() as session:
            row = session.get(JobRow, job_id, with_for_update=True)
            if row is None:
                return 0
            askers = Askers.of(row)
            askers.check(caller)
            if row.state not in OPEN:
                return 0
            askers.give_up(caller, once=once)
            askers.write(row)
            return row.askers

    def cancel(self, job_id: str, why: str, *, mine: bool, unread: float | None = None, unasked: bool = False) -> bool:
        """Stop a job; return whether a worker runs it, which reads this from the row and ends it soon.

        Args:
            why: the reason, for its row.
            mine: whether this process runs it.
            unread: only if nobody has read it for so many seconds, and nobody keeps it.
            unasked: only if no request for it remains.
        """
        with self._store.writing() as session:
            moment = self._moment(session)
            row = session.get(JobRow, job_id, with_for_update=True)
            if row is None or row.state not in OPEN:
                return False
            if unasked and row.askers > 0:
                return False
            if unread is not None and (row.kept or (row.read or row.queued) > moment - timedelta(seconds=unread)):
                return False
            if row.state == "running" and self._is_alive(row, moment, mine):
                row.cancelling = row.cancelling or why
                return True
            _cancelled(row, why, moment)
            return False

    def is_ending(self, job_id: str, *, mine: bool) -> bool:
        """Whether a job that is being cancelled still runs; one without a worker is cancelled now."""
        with self._store.writing() as session:
            moment = self._moment(session)
            row = session.get(JobRow, job_id, with_for_update=True)
            if row is None or row.state != "running" or row.cancelling is None:
                return False
            if self._is_alive(row, moment, mine):
                return True
            _cancelled(row, row.cancelling, moment)
            return False

    def was_read(self, job_id: str, ago: float) -> None:
        """Record that an open job was read so many seconds ago."""
        with self._store.writing() as session:
            moment = self._moment(session) - timedelta(seconds=ago)
            row = update(JobRow).where(JobRow.id == job_id, JobRow.state.in_(OPEN), _last_read() < moment)
            session.execute(row.values(read=moment))

    def unread(self, seconds: float) -> list[str]:
        """Open jobs that nobody has read for so many seconds, without those that are kept."""
        with self._store.reading() as session:
            before = self._moment(session) - timedelta(seconds=seconds)
            found = select(JobRow.id).where(JobRow.state.in_(OPEN), JobRow.kept.is_(False), _last_read() <= before)
            return list(session.scalars(found))

    # -- working ---------------------------------------------------------------------------------------------

    def claim(self, but: Collection[str] = (), *, spare: bool = False) -> JobRow | None:
        """Take the next job for this worker; None if none waits. No two workers get the same job.

        Args:
            but: jobs that this worker runs; while one of them has to run alone, there is no other.
            spare: only take a job of a client that has none running.
        """
        waiting = (JobRow.state == "queued", JobRow.id.not_in(but))
        often = MAX_ATTEMPTS
        with self._store.reading() as session:
            if session.scalar(select(JobRow.id).where(*waiting).limit(1)) is None:
                return None
            alone = select(JobRow.id).where(JobRow.id.in_(but), JobRow.attempts > often)
            if but and session.scalar(alone.limit(1)) is not None:
                return None
        with self._store.writing() as session:
            for before, job_id in self._turns(session):
                if job_id in but or (spare and before):
                    continue
                chosen = select(JobRow).where(JobRow.id == job_id, JobRow.state == "queued")
                row = session.scalar(chosen.with_for_update(skip_locked=True))
                if row is None:  # another worker takes it
                    continue
                moment = self._moment(session)
                if is_pausing(row, often, moment):
                    continue
                if is_alone(row, often) and but:
                    return None  # it is the next, once this worker has ended all others
                row.state, row.attempts, row.cancelling = "running", row.attempts + 1, None
                row.worker, row.begun, row.lease = self._worker, moment, moment + self._lease
                return row
        return None

    def waits(self) -> bool:
        """Whether a job waits, for its turn or for the end of its pause."""
        with self._store.reading() as session:
            return session.scalar(select(JobRow.id).where(JobRow.state == "queued").limit(1)) is not None

    def _turns(self, session: Session) -> list[tuple[int, str]]:
        """(Number of jobs of its client before it, id) of each waiting job, in the order of turns."""
        columns = JobRow.id, JobRow.queued, JobRow.owner, JobRow.owners, JobRow.askers, JobRow.kept
        waiting = []
        for job_id, queued, owner, owners, askers, kept in session.execute(
            select(*columns).where(JobRow.state == "queued")
        ):
            accounts = Askers.read(owner, owners, askers, kept).accounts
            waiting.append(Waiting(job_id, tuple(accounts) or ("",), queued))
        served = select(JobRow.account, func.max(func.coalesce(JobRow.ended, JobRow.begun)))
        served = served.where(JobRow.begun.is_not(None)).group_by(JobRow.account)
        left = {account or "": moment for account, moment in session.execute(served)}
        return in_turn(waiting, self._under_way_by_account(session, ("running",)), left)

    def waiting(self) -> list[str]:
        """Ids of waiting jobs, in the order of their turns."""
        with self._store.reading() as session:
            return [job_id for _, job_id in self._turns(session)]

    def under_way(self) -> set[str]:
        """Ids of waiting and running jobs."""
        with self._store.reading() as session:
            return set(session.scalars(select(JobRow.id).where(JobRow.state.in_(OPEN))))

    def renew(self, job_ids: Collection[str]) -> dict[str, str | None]:
        """Renew the leases of this worker's jobs; return these jobs, each with the reason to stop it, if any."""
        with self._store.writing() as session:
            until = self._moment(session) + self._lease
            mine = update(JobRow).where(JobRow.id.in_(job_ids), *self._mine()).values(lease=until)
            return {row.id: row.cancelling for row in session.execute(mine.returning(JobRow.id, JobRow.cancelling))}

    def _mine(self) -> tuple[ColumnElement[bool], ...]:
        return JobRow.worker == self._worker, JobRow.state == "running"

    def recover(self, *, everything: bool, but: Collection[str] = ()) -> list[tuple[str, str | None]]:
        """Queue jobs without a worker again, or cancel them if that was requested; return (id, worker) of each.

        Args:
            everything: all running jobs, as after the start of the only process; else those with an expired lease.
            but: jobs that this process runs, and whose leases it will renew.
        """
        expired: tuple[ColumnElement[bool], ...] = (JobRow.state == "running", JobRow.id.not_in(but))
        with self._store.reading() as session:
            if not everything:
                expired += (or_(JobRow.lease.is_(None), JobRow.lease <= self._moment(session)),)
            if session.scalar(select(JobRow.id).where(*expired).limit(1)) is None:
                return []
        with self._store.writing() as session:
            moment, found = self._moment(session), []
            for row in session.scalars(select(JobRow).where(*expired).with_for_update(skip_locked=True)):
                found.append((row.id, row.worker))
                row.worker, row.lease = None, None
                if row.cancelling is not None:
                    _cancelled(row, row.cancelling, moment)
                else:
                    row.state, row.what = "queued", words_of(row, MAX_ATTEMPTS)
        return found

    def leave(self) -> None:
        """Queue the jobs of this worker again, which stops."""
        with self._store.writing() as session:
            given_back = {"state": "queued", "what": "waiting", "worker": None, "lease": None}
            mine = update(JobRow).where(*self._mine(), JobRow.cancelling.is_(None))
            session.execute(mine.values(**given_back, attempts=JobRow.attempts - 1))

    def progress(self, job_id: str, done: int, total: int, what: str) -> None:
        """Write the progress of a job of this worker."""
        with self._store.writing() as session:
            mine = update(JobRow).where(JobRow.id == job_id, *self._mine())
            session.execute(mine.values(done=done, total=total, what=what))

    def end(
        self,
        job_id: str,
        state: str,
        *,
        progress: tuple[int, int, str],
        seconds: float,
        size: int = 0,
        problem: dict[str, Any] | None = None,
        place: Callable[[], None] | None = None,
    ) -> bool:
        """End a job of this worker, or queue it again; return whether it was still this worker's.

        Args:
            state: one of ``ENDED``; or ``queued``: as if it had not been started; or ``interrupted``: queued, with one
                more start in vain.
            seconds: to add to the job's own.
            place: publishes the result, while nobody else can end the job or clean up results without a job.
        """
        with self._store.exclusive("jobs") as session:
            row = session.scalar(select(JobRow).where(JobRow.id == job_id, *self._mine()).with_for_update())
            if row is None:
                return False
            if place is not None:
                place()
            row.done, row.total, row.what = progress
            row.bytes, row.used, row.lease = size, self._moment(session), None
            row.ended = row.used
            row.seconds += seconds
            row.problem = json.dumps(problem) if problem is not None else None
            if state in ("queued", "interrupted"):
                row.attempts, row.worker = row.attempts if state == "interrupted" else 0, None
                if state == "interrupted":
                    state, row.what = "queued", words_of(row, MAX_ATTEMPTS)
                if row.cancelling is not None:
                    state, row.what = "cancelled", row.cancelling
            if state == "done":
                row.done, row.what = row.total, "done"
            row.state, row.cancelling = state, None
        return True

    # -- looking ---------------------------------------------------------------------------------------------

    def keep(self, job_id: str, keep: bool, caller: Caller) -> None:
        """Choose whether an open job continues unread; raises NotYours."""
        with self._store.writing() as session:
            row = session.get(JobRow, job_id, with_for_update=True)
            if row is None:
                return
            askers = Askers.of(row)
            askers.check(caller)
            if row.state in OPEN:
                askers.keep(caller, keep)
                askers.write(row)

    def get(self, job_id: str, kind: str | None = None) -> JobRow | None:
        """The row of a job, if it has that kind."""
        with self._store.reading() as session:
            row = session.get(JobRow, job_id)
        return row if row is not None and kind in (None, row.kind) else None

    def newest(self, limit: int, kind: str | None, state: str | None) -> Sequence[JobRow]:
        query = select(JobRow).order_by(JobRow.queued.desc(), JobRow.id).limit(limit)
        if kind is not None:
            query = query.where(JobRow.kind == kind)
        if state is not None:
            query = query.where(JobRow.state == state)
        with self._store.reading() as session:
            return session.scalars(query).all()

    def touch(self, row: JobRow) -> None:
        """Record that the result is used now."""
        if now() - row.used > USE_GRAIN:
            with self._store.writing() as session:
                session.execute(update(JobRow).where(JobRow.id == row.id).values(used=now()))

    @contextmanager
    def results(self) -> Iterator[tuple[set[str], set[tuple[str, str | None]]]]:
        """Ids of finished jobs, and (id, worker) of running ones; no job ends meanwhile."""
        with self._store.exclusive("jobs") as session:
            done = set(session.scalars(select(JobRow.id).where(JobRow.state == "done")))
            running = session.execute(select(JobRow.id, JobRow.worker).where(JobRow.state == "running"))
            yield done, {(row.id, row.worker) for row in running}

    def evict(self, but: str, remove: Callable[[str], None]) -> None:
        """Delete ended jobs beyond the limits: the least recently used of the client that holds most, repeatedly.

        A client that holds less than an even share loses nothing to others. Open jobs and ``but`` stay.

        Args:
            remove: deletes the result of a job, before anybody can ask for the job again.
        """
        with self._store.exclusive("jobs") as session:
            size, count = session.execute(select(func.coalesce(func.sum(JobRow.bytes), 0), func.count())).one()
            excess, rows = int(size) - self._settings.disk_of("results"), count - MAX_ROWS
            if excess <= 0 and rows <= 0:
                return
            queue = _EvictionQueue(session, but)
            while excess > 0 or rows > 0:
                job = None
                if excess > 0:
                    job = queue.next(self._settings.disk_of("results"), by_bytes=True)
                if job is None and rows > 0:
                    job = queue.next(MAX_ROWS, by_bytes=False)
                if job is None:
                    return  # what is too much is the newest one, or under way
                excess, rows = excess - job.bytes, rows - 1
                remove(job.id)
                session.execute(delete(JobRow).where(JobRow.id == job.id))


class _EvictionQueue:
    """Ended jobs by the client whose room they take, in the order in which they are deleted."""

    def __init__(self, session: Session, but: str) -> None:
        columns = JobRow.id, JobRow.account, JobRow.bytes, JobRow.state
        self._jobs = defaultdict[str, list[Any]](list)
        self._bytes, self._rows = Counter[str](), Counter[str]()
        for row in session.execute(select(*columns).order_by(JobRow.used, JobRow.id)):
            account = row.account or ""
            self._bytes[account] += row.bytes
            self._rows[account] += 1
            if row.state in ENDED and row.id != but:
                self._jobs[account].append(row)

    def next(self, limit: int, *, by_bytes: bool) -> Any:
        """Return the row (id, bytes) to delete next, for bytes or rows; None: no client is above an even share."""
        held = +self._bytes if by_bytes else +self._rows
        for account in sorted(held, key=lambda account: (-held[account], -self._bytes[account])):
            if held[account] * len(held) <= limit:
                return None
            for job in self._jobs[account]:
                if job.bytes or not by_bytes:
                    self._jobs[account].remove(job)
                    self._bytes[account] -= job.bytes
                    self._rows[account] -= 1
                    return job
        return None


def _last_read() -> ColumnElement[datetime]:
    return func.coalesce(JobRow.read, JobRow.queued)


def _ask(row: JobRow, askers: Askers, account: str) -> None:
    askers.ask(account)
    askers.write(row)


def _cancelled(row: JobRow, why: str, moment: datetime) -> None:
    row.state, row.what, row.used = "cancelled", why, moment
    row.worker, row.lease, row.cancelling = None, None, None
