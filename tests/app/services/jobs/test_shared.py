"""Several who share the jobs of one PostgreSQL database: each is a process to the others, as all pass by the rows."""

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from routescope_app.services import store as store_module
from routescope_app.services.errors import Busy
from routescope_app.services.jobs import jobs as jobs_module
from routescope_app.services.jobs.jobs import is_from_outside
from routescope_app.services.store import JobRow, Store
from tests.app.services.jobs.rooms import room, soon
from tests.app.serving import settings

#: Seconds of a lease that a test lets run out.
SHORT = 1.0


@pytest.fixture(autouse=True)
def _watching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(jobs_module, "POLL_SECONDS", 0.02)


def test_who_stops_within_a_transaction_keeps_others_waiting_for_a_while_only(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by SIGSTOP, or with its machine: PostgreSQL gives its locks back, and takes nothing of it later."""
    monkeypatch.setattr(store_module, "IDLE_SECONDS", 1)
    stopped, other = (Store(settings(tmp_path, database_url=postgresql).database) for _ in range(2))
    with contextlib.closing(stopped), contextlib.closing(other):
        stopped.migrate()
        with pytest.raises(DBAPIError) as cut, stopped.exclusive("jobs") as session:
            session.execute(select(JobRow.id))
            with other.exclusive("jobs") as session_of_other:  # waits until then
                session_of_other.execute(select(JobRow.id))
        assert is_from_outside(cut.value)
        with stopped.exclusive("jobs") as session:
            assert session.scalars(select(JobRow.id)).all() == [], "its next transaction has a new connection"


async def test_who_reads_elsewhere_keeps_it_going(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "READ_GRAIN_SECONDS", 0.05)
    monkeypatch.setattr(jobs_module, "READ_LAG_SECONDS", 0.2)
    changes: dict[str, Any] = {"database_url": postgresql, "unread_job_seconds": 0.5}
    async with (
        room(tmp_path, running_jobs=0, **changes) as first,
        room(tmp_path, running_jobs=0, **changes) as second,
        room(tmp_path, role="worker", database_url=postgresql) as worker,
        asyncio.timeout(60),
    ):
        worker.work.gates[1] = asyncio.Event()
        followed = await first.ask("followed")
        following = second.jobs.events(followed.id)
        await anext(following)
        for name in ("left", "left later"):  # after as long again
            left = await first.ask(name)
            while left.state != "cancelled":
                await asyncio.sleep(0.02)
                (left,) = [job for job in await first.jobs.newest(10, None, None) if job.id == left.id]  # no reading
            assert left.what == "nobody read it"
        (running,) = await second.jobs.newest(10, None, "running")
        assert running.id == followed.id
        await following.aclose()
        while await first.jobs.newest(10, None, "running"):
            await asyncio.sleep(0.02)


async def test_one_client_leaves_a_turn_to_others_at_any_door(tmp_path: Path, postgresql: str) -> None:
    """All of one's long jobs run in all regular places of two workers; another's small job is done meanwhile."""
    limits: dict[str, Any] = {"database_url": postgresql, "max_queued_jobs": 12, "running_jobs": 2}
    async with room(tmp_path, **limits) as first, room(tmp_path, **limits) as second:
        for made in (first, second):
            made.work.gates[4] = asyncio.Event()  # those that count to three pass
        for number in range(6):
            await (first, second)[number % 2].ask(f"long {number}", to=4, owner="a")
        with pytest.raises(Busy, match="You have 6 jobs waiting or running; up to 6 of one client"):
            await second.ask("one more", owner="a")
        await soon(lambda: len(first.jobs._live) + len(second.jobs._live) == 4)
        small = await first.ask("small", owner="b")
        assert (await second.until(small, "done")).state == "done"
        await soon(lambda: small.id not in first.jobs._live | second.jobs._live)  # it goes from there after it is done
        assert len(first.jobs._live) + len(second.jobs._live) == 4


async def test_a_worker_that_hangs_loses_its_job_and_notices(
    tmp_path: Path, postgresql: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its lease runs out, another does the job; when it comes to itself it stops, and touches nothing."""
    caplog.set_level(logging.WARNING)
    async with room(tmp_path, database_url=postgresql, running_jobs=1, job_lease_seconds=SHORT) as hanging:
        hanging.work.gates[2] = asyncio.Event()
        job = await hanging.until(await hanging.ask("one", bytes=10), "running")
        await soon(lambda: hanging.work.reached.get("one") == 1)
        renew, held = hanging.jobs._table.renew, asyncio.Event()
        loop = asyncio.get_running_loop()

        def hang(job_ids: list[str]) -> dict[str, str | None]:
            asyncio.run_coroutine_threadsafe(held.wait(), loop).result(30)
            return renew(job_ids)

        hanging.jobs._table.renew = hang  # type: ignore[method-assign, assignment]
        async with room(tmp_path, database_url=postgresql, running_jobs=1) as other:
            done = await other.until(job, "done", "failed", "cancelled")
            assert done.state == "done" and other.work.begun == ["one"]
            result = await other.jobs.result(job.id, "embedding")
            written = (result / "result").stat().st_mtime_ns
            assert job.id in hanging.jobs._live
            held.set()
            await soon(lambda: not hanging.jobs._live)
            assert (await hanging.jobs.get(job.id)).state == "done"
            assert (result / "result").stat().st_mtime_ns == written
            assert [path.name for path in (tmp_path / "results").iterdir()] == [job.id]
        hanging.work.gates[2].set()
        assert (await hanging.until(await hanging.ask("next"), "done")).state == "done", "and works on"
    assert "is taken from worker" in caplog.text and "was taken from this worker" in caplog.text


async def test_one_that_ends_after_it_was_taken_puts_nothing_in_place(tmp_path: Path, postgresql: str) -> None:
    """It comes to its end before it notices: the row, not what it believes, says whose job it is."""
    async with room(tmp_path, database_url=postgresql, running_jobs=1, job_lease_seconds=SHORT) as late:
        late.work.gates[2] = asyncio.Event()
        job = await late.until(await late.ask("one"), "running")
        await soon(lambda: late.work.reached.get("one") == 1)
        for task in late.jobs._tasks[1:]:
            task.cancel()  # it neither renews leases nor looks
        async with room(tmp_path, database_url=postgresql, running_jobs=1) as other:
            other.work.gates[3] = asyncio.Event()
            await soon(lambda: other.work.reached.get("one") == 2)
            late.work.gates[2].set()
            await soon(lambda: not late.jobs._live)
            running = await other.jobs.get(job.id)
            assert running.state == "running" and not (tmp_path / "results" / job.id).exists()
            other.work.gates[3].set()
            assert (await other.until(job, "done", "failed")).state == "done"
            assert [path.name for path in (tmp_path / "results").iterdir()] == [job.id]


async def test_a_start_beside_others_takes_nothing_of_theirs(tmp_path: Path, postgresql: str) -> None:
    lease = 3.0  # renewed after a third of it: a busy machine may be seconds late
    async with room(tmp_path, database_url=postgresql, running_jobs=1, job_lease_seconds=lease) as first:
        first.work.gates[2] = asyncio.Event()
        done = await first.ask("done", to=1)
        await first.until(done, "done")
        running = await first.until(await first.ask("running"), "running")
        await soon(lambda: first.work.reached.get("running") == 1)
        (tmp_path / "results" / f"work-{'f' * 40}-gone").mkdir()
        (tmp_path / "results" / ("f" * 40)).mkdir()
        async with room(tmp_path, database_url=postgresql, running_jobs=1) as second:
            await asyncio.sleep(lease + 0.5)  # longer than a lease, which is renewed
            assert second.work.begun == [] and (await second.jobs.get(running.id)).state == "running"
            names = {path.name for path in (tmp_path / "results").iterdir()}
            assert len(names) == 2 and done.id in names, "what a crash left is gone"
            first.work.gates[2].set()
            assert (await second.until(running, "done", "failed")).state == "done"
        assert first.work.begun == ["done", "running"]
