"""The rows of jobs: blocking, each method one transaction."""

import json
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import func, select, update

from app.services.errors import Busy
from app.services.store import JobRow, Store, now
from app.settings import Settings

OPEN = ("queued", "running")
ENDED = ("done", "failed", "cancelled")
#: A result's last use is written at most this often.
USE_GRAIN = timedelta(minutes=1)


class JobTable:
    """Jobs in the database; what is acknowledged is written."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self._settings = settings
        self._store = store

    def submit(
        self, job_id: str, kind: str, request: dict[str, Any], *, keep: bool, alive: bool, owner: str | None
    ) -> tuple[JobRow, bool]:
        """The row of a job, queued unless it is so already; and whether it was queued just now.

        Args:
            keep: whether a job that is done stays so.
            alive: whether somebody works on it; one that is called running and is not alive is queued again.
            owner: whose it is where it is queued now.

        Raises:
            Busy: too many jobs are waiting.
        """
        moment = now()
        with self._store.exclusive() as session:
            row = session.get(JobRow, job_id)
            if row is not None and (
                row.state == "queued" or (row.state == "running" and alive) or (row.state == "done" and keep)
            ):
                return row, False
            waiting = session.scalar(select(func.count()).select_from(JobRow).where(JobRow.state.in_(OPEN))) or 0
            if waiting >= self._settings.max_queued_jobs and (row is None or row.state != "running"):
                raise Busy(
                    f"{waiting} jobs are waiting already; cancel some or ask again later.",
                    self._settings.retry_after_seconds,
                    "jobs",
                )
            if row is None:
                row = JobRow(id=job_id, kind=kind, request=json.dumps(request), created=moment)
                row.seconds, row.bytes = 0.0, 0
                session.add(row)
            row.state, row.queued, row.used = "queued", moment, moment
            row.done, row.total, row.what, row.attempts, row.problem = 0, 0, "waiting", 0, None
            row.owner, row.kept = owner, False
        return row, True

    def claim(self) -> JobRow | None:
        """The job that waits longest, running from now on; None when none waits."""
        with self._store.reading() as session:
            if session.scalar(select(JobRow.id).where(JobRow.state == "queued").limit(1)) is None:
                return None
        with self._store.exclusive() as session:
            row = session.scalar(select(JobRow).where(JobRow.state == "queued").order_by(JobRow.queued).limit(1))
            if row is not None:
                row.state, row.attempts = "running", row.attempts + 1
            return row

    def recover(self) -> None:
        """After a start: jobs that were running when the service ended wait again, unless they ended it too often."""
        with self._store.exclusive() as session:
            for row in session.scalars(select(JobRow).where(JobRow.state == "running")):
                if row.attempts < self._settings.max_job_attempts:
                    row.state, row.what = "queued", "waiting"
                else:
                    row.state = "failed"
                    detail = f"The service ended {row.attempts} times while this job ran; ask for something smaller."
                    row.problem = json.dumps(problem("interrupted", "Interrupted", 500, detail))

    def progress(self, job_id: str, done: int, total: int, what: str) -> None:
        with self._store.writing() as session:
            session.execute(update(JobRow).where(JobRow.id == job_id).values(done=done, total=total, what=what))

    def end(
        self, job_id: str, state: str, *, seconds: float, size: int = 0, problem: dict[str, Any] | None = None
    ) -> None:
        """A running job ends, or waits again (state ``queued``); ``seconds`` are added to its own."""
        with self._store.writing() as session:
            row = session.get(JobRow, job_id)
            if row is None:
                return
            row.state, row.bytes, row.used = state, size, now()
            row.seconds += seconds
            row.problem = json.dumps(problem) if problem is not None else None
            if state == "queued":
                row.attempts = 0
            if state == "done":
                row.done, row.what = row.total, "done"

    def cancel(self, job_id: str, why: str, states: Sequence[str] = OPEN) -> None:
        """A job in one of these states, on which nobody works, is cancelled; its row says why."""
        with self._store.writing() as session:
            open_row = update(JobRow).where(JobRow.id == job_id, JobRow.state.in_(states))
            session.execute(open_row.values(state="cancelled", what=why, used=now()))

    def keep(self, job_id: str, keep: bool) -> None:
        """A job that is under way goes on unread, or does so no longer."""
        with self._store.writing() as session:
            session.execute(update(JobRow).where(JobRow.id == job_id, JobRow.state.in_(OPEN)).values(kept=keep))

    def get(self, job_id: str, kind: str | None = None) -> JobRow | None:
        """The row, of that kind when one is named."""
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
        """Its result is used now."""
        if now() - row.used > USE_GRAIN:
            with self._store.writing() as session:
                session.execute(update(JobRow).where(JobRow.id == row.id).values(used=now()))

    def open_jobs(self) -> list[tuple[str, str | None]]:
        """(id, owner) of every job that waits or runs."""
        with self._store.reading() as session:
            found = session.execute(select(JobRow.id, JobRow.owner).where(JobRow.state.in_(OPEN)))
            return [(row.id, row.owner) for row in found]

    def done_ids(self) -> list[str]:
        with self._store.reading() as session:
            return list(session.scalars(select(JobRow.id).where(JobRow.state == "done")))

    def evict(self, but: str) -> list[str]:
        """Forget the least recently used jobs beyond the limits, those under way and ``but`` excepted; their ids."""
        gone = []
        with self._store.exclusive() as session:
            size, count = session.execute(select(func.coalesce(func.sum(JobRow.bytes), 0), func.count())).one()
            excess, rows = int(size) - self._settings.result_store_bytes, count - self._settings.max_job_rows
            if excess <= 0 and rows <= 0:
                return []
            ended = select(JobRow).where(JobRow.state.in_(ENDED), JobRow.id != but).order_by(JobRow.used)
            for row in session.scalars(ended):
                if excess <= 0 and rows <= 0:
                    break
                if rows > 0 or row.bytes:
                    excess, rows = excess - row.bytes, rows - 1
                    gone.append(row.id)
                    session.delete(row)
        return gone


def problem(kind: str, title: str, status: int, detail: str, instance: str = "") -> dict[str, Any]:
    """Why a job failed, in the form in which the API says errors."""
    return {
        "type": f"urn:routescope:problem:{kind}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": instance or f"urn:uuid:{uuid.uuid4()}",
    }
