"""Jobs: order, progress, cancel, failure, what a restart makes of them, and their bounds."""

import asyncio
import contextlib
import contextvars
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from routescope.routing.progress import Progress
from routescope_app.services.engine.clients import client
from routescope_app.services.errors import Busy, Interrupted, NotAccepted, NotFound, OutOfMemory
from routescope_app.services.jobs import jobs as jobs_module
from routescope_app.services.jobs import turns
from routescope_app.services.jobs.jobs import Job, Jobs
from routescope_app.services.jobs.opening import results_of
from routescope_app.services.jobs.unfinished import Unfinished
from routescope_app.services.storage.opening import storage_of
from routescope_app.services.storage.storage import StorageUnreachable
from routescope_app.services.store import JobRow, Store
from routescope_app.settings import DISK_SHARES, Settings
from tests.app.serving import settings


class Counting:
    """Counts to ``to``, one number a turn; waits at every number for which there is a gate."""

    def __init__(self) -> None:
        self.gates: dict[int, asyncio.Event] = {}
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
        if name.startswith("broken"):
            raise KeyError("secret")
        if name.startswith("impossible"):
            raise NotAccepted("It cannot be done.")
        (folder / "result").write_bytes(b"x" * request.get("bytes", 10))


class Room:
    """Jobs over a scratch folder."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic, **changes: Any) -> None:
        self.settings: Settings = settings(folder, **changes)
        self.store = Store(self.settings.database)
        self.store.migrate()
        self.work = Counting()
        storage = storage_of(self.settings)
        keeping = results_of(self.settings, storage), Unfinished(storage)
        self.jobs = Jobs(self.settings, self.store, {"embedding": self.work}, *keeping, clock)

    async def ask(self, name: str, to: int = 3, owner: str | None = None, **more: Any) -> Job:
        return await self.jobs.submit("embedding", {"name": name, "to": to, **more}, owner)

    async def until(self, job: Job, *states: str) -> Job:
        deadline = time.monotonic() + 60
        while job.state not in states:
            assert time.monotonic() < deadline, job
            await asyncio.sleep(0.01)
            job = await self.jobs.get(job.id)
        return job

    async def end(self, job: Job) -> Job:
        job = await self.until(job, "done", "failed", "cancelled")
        while job.id in self.jobs._live:  # until what is too much has gone
            await asyncio.sleep(0.01)
        return job


@contextlib.asynccontextmanager
async def room(folder: Path, **changes: Any) -> AsyncIterator[Room]:
    made = Room(folder, **changes)
    await made.jobs.start()
    try:
        yield made
    finally:
        await made.jobs.stop()
        made.store.close()


async def test_a_job_is_done_once(tmp_path: Path) -> None:
    async with room(tmp_path) as made:
        job = await made.ask("one")
        assert job.state == "queued" and job.request["name"] == "one"
        job = await made.end(job)
        assert (job.state, job.done, job.total, job.what, job.problem) == ("done", 3, 3, "done", None)
        assert (await made.jobs.result(job.id, "embedding") / "result").read_bytes() == b"x" * 10
        assert (await made.ask("one")).state == "done"
        assert made.work.begun == ["one"]
        with pytest.raises(NotFound):
            await made.jobs.result(job.id, "importance")
        with pytest.raises(NotFound):
            await made.jobs.get("f" * 40)
        with pytest.raises(NotAccepted):
            await made.ask("refused")


async def test_a_worker_that_is_stopped_as_it_is_woken_up_stops(tmp_path: Path) -> None:
    jobs, wake = Room(tmp_path).jobs, asyncio.Event()
    waiting = asyncio.create_task(jobs._within_poll(wake, pausing=True))
    for _ in range(3):  # until it waits
        await asyncio.sleep(0)
    wake.set()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_a_few_run_at_a_time_in_the_order_of_their_coming(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=2) as made:
        made.work.gates[1] = asyncio.Event()
        jobs = [await made.ask(name) for name in ("a", "b", "c", "d")]
        await made.until(jobs[1], "running")
        assert [(await made.jobs.get(job.id)).state for job in jobs] == ["running", "running", "queued", "queued"]
        assert [(await made.jobs.get(job.id)).ahead for job in jobs] == [None, None, 0, 1]
        queued = await made.jobs.newest(10, None, "queued")
        assert [(job.id, job.ahead) for job in queued] == [(jobs[3].id, 1), (jobs[2].id, 0)]
        made.work.gates[1].set()
        for job in jobs:
            assert (await made.end(job)).state == "done"
        assert sorted(made.work.begun[:2]) == ["a", "b"] and sorted(made.work.begun[2:]) == ["c", "d"]


async def test_cancelling(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        running, waiting = await made.ask("running"), await made.ask("waiting")
        await made.until(running, "running")
        assert (await made.jobs.cancel(waiting.id)).state == "cancelled"
        cancelled = await made.jobs.cancel(running.id)
        assert (cancelled.state, cancelled.done, cancelled.total) == ("cancelled", 1, 3)
        assert made.work.begun == ["running"] and made.work.reached["running"] == 1
        with pytest.raises(NotFound, match="cancelled"):
            await made.jobs.result(running.id, "embedding")
        made.work.gates[2].set()
        assert (await made.end(await made.ask("running"))).state == "done"  # the same request takes it up again
        assert (await made.jobs.cancel(running.id)).state == "done"  # what has ended stays
        with pytest.raises(NotFound):
            await made.jobs.cancel("f" * 40)
        assert [path.name for path in (tmp_path / "results").iterdir()] == [running.id]


async def test_asked_for_again_while_it_is_being_cancelled(tmp_path: Path) -> None:
    async with room(tmp_path) as made:
        made.work.gates[2], made.work.clearing_up = asyncio.Event(), 0.3
        job = await made.until(await made.ask("one"), "running")
        while made.work.begun != ["one"]:  # it is said to be running a moment before its work begins
            await asyncio.sleep(0)
        cancelling = asyncio.create_task(made.jobs.cancel(job.id))
        while not made.jobs._live[job.id].cancelled:
            await asyncio.sleep(0)
        assert job.id in made.jobs._live and not made.jobs._live[job.id].ended.is_set()
        again = await made.ask("one")
        assert again.state == "queued"  # not the one that is on its way out
        await cancelling
        made.work.gates[2].set()
        assert (await made.end(again)).state == "done" and made.work.begun == ["one", "one"]


async def test_one_of_two_gives_it_up(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        for name in ("running", "waiting"):
            job = await made.ask(name)
            assert (await made.ask(name)).id == job.id
            state = (await made.until(job, "running" if name == "running" else "queued")).state
            assert (await made.jobs.release(job.id)).state == state
            assert (await made.jobs.release(job.id)).state == "cancelled"
            first = await made.ask(name)
            assert (await made.jobs.release(first.id)).state == "cancelled"  # those before it no longer count
            await made.ask(name), await made.ask(name)
            assert (await made.jobs.cancel(job.id)).state == "cancelled"  # the button is for everybody
            await made.until(await made.ask("running"), "running")  # so that the other one waits
        with pytest.raises(NotFound):
            await made.jobs.release("f" * 40)


@pytest.mark.parametrize("times", [1, 3, 99])
async def test_an_end_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """It is written again; or, when that fails three times, the job is begun again, here after an hour or at once."""
    monkeypatch.setattr(jobs_module, "END_AGAIN_SECONDS", (0.01, 0.02))
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 3_600.0 if times == 99 else 0.02)
    async with room(tmp_path) as made:
        original, refused = made.jobs._table.end, []

        def end(*given: Any, **named: Any) -> None:
            if len(refused) < times:
                refused.append(given)
                raise OSError("database is locked")
            original(*given, **named)

        monkeypatch.setattr(made.jobs._table, "end", end)
        job = await made.ask("one")
        while len(refused) < min(times, 3):
            await asyncio.sleep(0.01)
        if times < 99:
            assert (await made.end(job)).state == "done"
            assert made.work.begun == (["one"] if times == 1 else ["one", "one"])
            return
        while made.jobs._live:
            await asyncio.sleep(0.01)
        assert (await made.jobs.get(job.id)).state == "running"  # so it says, but it is lost
        assert (await asyncio.wait_for(made.jobs.cancel(job.id), 60)).state == "cancelled"
        await made.ask("one")
        while len(refused) < 6:
            await asyncio.sleep(0.01)
        while made.jobs._live:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(made.jobs._table, "end", original)
        again = await made.ask("one")
        assert again.state == "queued"
        assert (await made.end(again)).state == "done"


async def test_failing(tmp_path: Path) -> None:
    async with room(tmp_path) as made:
        broken, impossible = await made.end(await made.ask("broken")), await made.end(await made.ask("impossible"))
        assert broken.state == impossible.state == "failed"
        assert broken.problem is not None and broken.problem["status"] == 500 and "secret" not in str(broken.problem)
        assert impossible.problem is not None and impossible.problem["detail"] == "It cannot be done."
        assert not list((tmp_path / "results").iterdir())
        again = await made.ask("broken")  # asked for again, it is tried again
        assert again.state == "queued" and again.id == broken.id
        assert (await made.end(again)).state == "failed" and made.work.begun.count("broken") == 2


async def test_a_stop_lets_jobs_wait_for_the_next_start(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        first, second = await made.ask("first"), await made.ask("second")
        await made.until(first, "running")
    async with room(tmp_path, running_jobs=1) as made:
        assert (await made.end(first)).state == "done"
        assert (await made.end(second)).state == "done"
        assert made.work.begun == ["first", "second"]


async def test_crashes_put_running_jobs_back_however_many_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PAUSES", (0.01,))
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        job = await made.until(await made.ask("one"), "running")
    for attempt in range(1, 6):
        monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ATTEMPTS", 3)
        crashed = Room(tmp_path)
        with crashed.store.writing() as session:
            row = session.get(JobRow, job.id)
            assert row is not None
            row.state, row.attempts = "running", attempt
        (tmp_path / "results" / ("work-" + job.id)).mkdir(exist_ok=True)
        (tmp_path / "results" / ("f" * 40)).mkdir(exist_ok=True)
        crashed.jobs._table.recover(everything=True)
        result = await crashed.jobs.get(job.id)
        assert (result.state, result.what) == ("queued", "waiting" if attempt < 3 else f"interrupted {attempt} times")
        crashed.store.close()
    monkeypatch.setattr("routescope_app.services.jobs.jobs.POLL_SECONDS", 0.05)
    async with room(tmp_path) as made:
        assert (await made.end(job)).state == "done"
        assert {path.name for path in (tmp_path / "results").iterdir()} == {job.id}, "nothing half is left"


OUTSIDE = {
    "a process that was killed": Interrupted("by signal 9"),
    "a database that does not answer": OperationalError("SELECT 1", {}, OSError("the server closed the connection")),
    "a bucket that does not answer": StorageUnreachable("The bucket does not answer."),
    "a cluster without actors": Busy("No actor answers.", "cluster"),
    "something that it waited for": asyncio.CancelledError(),
}


@pytest.mark.parametrize("ended", sorted(OUTSIDE))
async def test_a_job_that_is_ended_from_outside_is_begun_again(tmp_path: Path, ended: str) -> None:
    async with room(tmp_path, running_jobs=1) as made:
        errors = [OUTSIDE[ended]] * 2
        original = made.work.run

        async def run(*given: Any) -> None:
            await original(*given)
            if errors:
                raise errors.pop()

        made.work.run = run  # type: ignore[method-assign]
        job = await made.end(await made.ask("one"))
        assert (job.state, job.problem, made.work.begun) == ("done", None, ["one"] * 3)
        assert (await made.end(await made.ask("next"))).state == "done", "the worker goes on"


@pytest.mark.parametrize("error", [MemoryError(), OutOfMemory("There is too little memory.")])
async def test_a_job_that_used_its_memory_fails_at_once(tmp_path: Path, error: Exception) -> None:
    async with room(tmp_path) as made:

        async def run(*_: Any) -> None:
            raise error

        made.work.run = run  # type: ignore[method-assign]
        job = await made.end(await made.ask("one"))
        assert job.state == "failed" and job.problem is not None and job.problem["status"] == 503
        assert job.problem["type"].endswith(":out-of-memory") and "memory" in job.problem["detail"]


async def test_a_changed_model_makes_the_request_another(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[1] = asyncio.Event()
        job = await made.until(await made.ask("one"), "running")
    with (waiting := Room(tmp_path)).store.writing() as session:
        row = session.get(JobRow, job.id)
        assert row is not None
        row.request = json.dumps({"name": "another", "to": 3})
    waiting.store.close()
    async with room(tmp_path) as made:
        failed = await made.end(job)
        assert failed.state == "failed" and failed.problem is not None and "changed" in failed.problem["detail"]


async def test_the_queue_is_bounded(tmp_path: Path) -> None:
    async with room(tmp_path, running_jobs=1, max_queued_jobs=3) as made:
        made.work.gates[1] = asyncio.Event()
        first, second = await made.ask("a"), await made.ask("b")
        with pytest.raises(Busy) as caught:
            await made.ask("c")
        assert caught.value.retry_after
        assert (await made.ask("b")).id == second.id  # one that waits already takes no room
        await made.jobs.cancel(second.id)
        assert (await made.ask("c")).state == "queued"
        made.work.gates[1].set()
        await made.end(first)


async def test_results_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "results", 250)
    async with room(tmp_path) as made:
        jobs = []
        for name in ("a", "b", "c"):
            jobs.append(await made.end(await made.ask(name, bytes=100)))
        with pytest.raises(NotFound):
            await made.jobs.result(jobs[0].id, "embedding")
        assert {path.name for path in (tmp_path / "results").iterdir()} == {jobs[1].id, jobs[2].id}
        large = await made.end(await made.ask("large", bytes=1_000))  # the newest is kept, whatever its size
        assert {path.name for path in (tmp_path / "results").iterdir()} == {large.id}
        assert (await made.end(await made.ask("a", bytes=100))).state == "done"
        assert made.work.begun.count("a") == 2


async def test_rows_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ROWS", 2)
    async with room(tmp_path) as made:
        for name in ("broken-1", "broken-2", "broken-3", "d"):
            await made.end(await made.ask(name))
        names = [job.request["name"] for job in await made.jobs.newest(10, None, None)]
        assert names == ["d", "broken-3"]


async def test_following_a_job(tmp_path: Path) -> None:
    async with room(tmp_path) as made:
        made.work.gates[2] = asyncio.Event()
        job = await made.until(await made.ask("one", to=50), "running")
        seen: list[Job] = []
        async for state in made.jobs.events(job.id):
            seen.append(state)
            made.work.gates[2].set()
        assert [state.done for state in seen] == sorted(state.done for state in seen)
        assert seen[0].state == "running" and seen[-1].state == "done" and len(seen) < 20
        assert [state.state async for state in made.jobs.events(job.id)] == ["done"]
        with pytest.raises(NotFound):
            await anext(made.jobs.events("f" * 40))


async def test_streams_are_shared_out(tmp_path: Path) -> None:
    """A client's newest streams end its oldest, and nobody else's; an ended one makes room at once."""
    async with room(tmp_path, max_event_streams=8) as made, asyncio.timeout(60):
        made.work.gates[1] = asyncio.Event()
        job = await made.until(await made.ask("one"), "running")
        streams: dict[str, list[AsyncGenerator[Job, None]]] = {name: [] for name in "abcde"}

        async def follow(account: str) -> None:
            context = contextvars.copy_context()
            context.run(client.set, account)
            stream = made.jobs.events(job.id)
            await asyncio.create_task(anext(stream), context=context)
            streams[account].append(stream)

        for name, most in (("a", 4), ("b", 2), ("c", 1), ("d", 1)):
            for number in range(6):
                await follow(name)
                assert len(made.jobs._followers) <= 8
                if number >= most:
                    with pytest.raises(Busy, match="GET /api/v1/jobs") as caught:
                        await anext(streams[name][number - most])
                    assert caught.value.retry_after and "newer" in caught.value.detail
        assert len(made.jobs._followers) == 8
        with pytest.raises(Busy, match="Many jobs are being followed"):
            await follow("e")
        await streams["a"][-1].aclose()
        await follow("e")
        made.work.gates[1].set()
        for name in "bcde":
            assert [state.state async for state in streams[name][-1]][-1] == "done", name


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_what_nobody_reads_ends_unless_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 3_600)
    clock = Clock()
    async with room(tmp_path, clock=clock, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        running, waiting, kept = [await made.ask(name) for name in ("running", "waiting", "kept")]
        assert (await made.jobs.keep(kept.id, True)).kept
        await made.until(running, "running")

        async def look() -> list[str]:
            await made.jobs.end_unread()
            return [job.state for job in reversed(await made.jobs.newest(10, None, None))]

        clock.now = 59
        assert await look() == ["running", "queued", "queued"]
        await made.jobs.get(running.id)  # which is reading it; a list is not
        clock.now = 61
        assert await look() == ["running", "cancelled", "queued"]
        assert (await made.jobs.get(waiting.id)).what == "nobody read it"
        following = made.jobs.events(running.id)
        assert (await anext(following)).state == "running"
        clock.now = 1_000
        assert await look() == ["running", "cancelled", "queued"]
        await following.aclose()
        clock.now = 1_059
        assert (await look())[0] == "running"
        clock.now = 1_060
        assert (await look())[:2] == ["cancelled", "cancelled"]
        ended = await made.jobs.get(running.id)
        assert (ended.what, ended.done, ended.total) == ("nobody read it", 1, 3)
        made.work.gates[2].set()
        assert (await made.end(await made.ask("running"))).state == "done"  # the same request takes it up again
        assert (await made.end(kept)).state == "done"


async def test_a_job_that_was_left_is_unread_from_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 3_600)
    clock = Clock()
    async with room(tmp_path, clock=clock) as made:
        made.work.gates[1] = asyncio.Event()
        job = await made.until(await made.ask("one", owner="somebody"), "running")
        assert job.owners == {"somebody"}
    clock.now = 500
    async with room(tmp_path, clock=clock) as made:
        made.work.gates[1] = asyncio.Event()
        await made.until(job, "running")
        await made.jobs.end_unread()
        assert (await made.jobs.get(job.id)).owners == {"somebody"}
        clock.now = 560
        await made.jobs.end_unread()
        assert (await made.jobs.get(job.id)).state == "cancelled"


async def test_jobs_are_looked_after_and_may_go_on_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 0.01)
    for seconds in (0.05, 0):
        clock = Clock()
        (folder := tmp_path / str(seconds)).mkdir()
        async with room(folder, clock=clock, unread_job_seconds=seconds) as made:
            made.work.gates[1] = asyncio.Event()
            job = await made.until(await made.ask("one"), "running")
            clock.now = 1e6
            await asyncio.sleep(0.3)
            (listed,) = await made.jobs.newest(1, None, None)
            deadline = time.monotonic() + 60
            while seconds and listed.state == "running" and time.monotonic() < deadline:
                await asyncio.sleep(0.01)
                (listed,) = await made.jobs.newest(1, None, None)  # which is no reading
            assert listed.state == ("cancelled" if seconds else "running") and listed.id == job.id


@pytest.mark.parametrize(("seconds", "noted"), [(0, 0), (60, 5)])
async def test_who_reads_is_noted_only_where_somebody_asks(tmp_path: Path, seconds: float, noted: int) -> None:
    async with room(tmp_path, unread_job_seconds=seconds) as made:
        for number in range(5):
            job = await made.ask(f"job {number}")
            async for _ in made.jobs.events(job.id):
                pass
        assert len(made.jobs._readers._read) == noted
