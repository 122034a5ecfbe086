"""Jobs: order, progress, cancel, failure, what a restart makes of them, and their bounds."""

import asyncio
import contextlib
import contextvars
import json
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from routescope_app.services.engine.clients import client
from routescope_app.services.errors import Busy, Interrupted, NotAccepted, NotFound, NotYours, OutOfMemory
from routescope_app.services.jobs import jobs as jobs_module
from routescope_app.services.jobs import turns
from routescope_app.services.jobs.jobs import Job
from routescope_app.services.storage.storage import StorageUnreachable
from routescope_app.services.store import JobRow
from routescope_app.settings import DISK_SHARES
from tests.app.services.jobs.rooms import Clock, Room, room, soon

NOBODYS = "f" * 40
Pair = tuple[Room, Room]


@pytest.fixture(params=["one process", "two processes"])
def shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    if request.param == "one process":
        return {}
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(jobs_module, "POLL_SECONDS", 0.02)
    return {"database_url": request.getfixturevalue("postgresql")}


@pytest.fixture
async def pair(shared: dict[str, Any], tmp_path: Path) -> AsyncIterator[Pair]:
    """Who answers and who works: the same, or two processes that share a PostgreSQL database."""
    async with room(tmp_path, running_jobs=1, **shared) as worker:
        if not shared:
            yield worker, worker
            return
        async with room(tmp_path, running_jobs=0, **shared) as api:
            yield api, worker


# -- with one process and with two -----------------------------------------------------------------------------------


async def test_a_job_is_done_once_and_can_be_followed(pair: Pair) -> None:
    api, worker = pair
    worker.work.gates[2] = asyncio.Event()
    job = await api.ask("one", to=50)
    assert job.state == "queued" and job.request["name"] == "one"
    seen: list[Job] = []
    async for state in api.jobs.events(job.id):
        seen.append(state)
        if state.done == 1:
            worker.work.gates[2].set()
    assert [state.done for state in seen] == sorted(state.done for state in seen) and len(seen) < 20
    assert {state.state for state in seen} >= {"running", "done"} and seen[-1].seconds > 0
    last = seen[-1]
    assert (last.state, last.done, last.total, last.what, last.problem) == ("done", 50, 50, "done", None)
    assert (await api.jobs.result(job.id, "embedding") / "result").read_bytes() == b"x" * 10
    assert (await api.ask("one")).state == "done" and worker.work.begun == ["one"]
    assert [state.state async for state in api.jobs.events(job.id)] == ["done"]
    jobs = api.jobs
    for asked in (jobs.get(NOBODYS), jobs.cancel(NOBODYS), jobs.release(NOBODYS), anext(jobs.events(NOBODYS))):
        with pytest.raises(NotFound):
            await asked
    with pytest.raises(NotFound):
        await jobs.result(job.id, "importance")
    with pytest.raises(NotAccepted):
        await api.ask("refused")


async def test_a_job_is_cancelled_wherever_it_runs(pair: Pair) -> None:
    api, worker = pair
    worker.work.gates[2] = asyncio.Event()
    running, waiting = await api.ask("running"), await api.ask("waiting")
    await soon(lambda: worker.work.reached.get("running") == 1)
    assert (await api.jobs.cancel(waiting.id)).state == "cancelled"
    cancelled = await asyncio.wait_for(api.jobs.cancel(running.id), 60)
    assert (cancelled.state, cancelled.done, cancelled.what) == ("cancelled", 1, "cancelled")
    await soon(lambda: not worker.jobs._live)
    assert worker.work.begun == ["running"] and worker.work.reached == {"running": 1} and not api.kept()
    with pytest.raises(NotFound, match="cancelled"):
        await api.jobs.result(running.id, "embedding")
    worker.work.gates[2].set()
    assert (await api.until(await api.ask("running"), "done")).id == running.id, "it is taken up again"
    assert (await api.jobs.cancel(running.id)).state == "done", "what has ended stays"
    assert api.kept() == {running.id}


async def test_asked_for_again_while_it_is_being_cancelled(pair: Pair) -> None:
    api, worker = pair
    worker.work.gates[2], worker.work.clearing_up = asyncio.Event(), 0.3
    job = await api.ask("one")
    await soon(lambda: worker.work.reached.get("one") == 1)
    cancelling = asyncio.create_task(api.jobs.cancel(job.id))
    alone = api is worker
    await soon(lambda: api.jobs._live[job.id].cancelled if alone else api.jobs._table.is_ending(job.id, mine=False))
    again = await asyncio.wait_for(api.ask("one"), 60)
    assert again.state == "queued", "not the one that is on its way out"
    await asyncio.wait_for(cancelling, 60)
    worker.work.gates[2].set()
    assert (await api.until(again, "done")).state == "done" and worker.work.begun == ["one", "one"]


async def test_all_who_asked_give_it_up(pair: Pair) -> None:
    api, worker = pair
    worker.work.gates[1] = asyncio.Event()
    job = await worker.ask("one", owner="a")
    assert (await api.ask("one", owner="b")).owners == {"a", "b"} == (await worker.jobs.get(job.id)).owners
    with pytest.raises(NotYours):
        await api.jobs.cancel(job.id, "c")
    left = await worker.jobs.cancel(job.id, "a")
    assert left.state in {"queued", "running"} and left.owners == {"b"}
    assert (await api.jobs.release(job.id, "b")).state == "cancelled"
    for name in ("runs", "waits"):
        job = await api.ask(name)
        assert (await worker.ask(name)).id == job.id
        await api.until(job, "running" if name == "runs" else "queued")
        assert (await worker.jobs.release(job.id)).state != "cancelled"
        assert (await api.jobs.release(job.id)).state == "cancelled"
        await api.ask(name)
        assert (await worker.jobs.release(job.id)).state == "cancelled", "those before it no longer count"
        await api.ask(name), await worker.ask(name)
        assert (await api.jobs.cancel(job.id)).state == "cancelled", "the button is for everybody"
        await api.until(await api.ask("runs"), "running")  # so that the other one waits


# -- order, failure, restarts ----------------------------------------------------------------------------------------


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
        await soon(lambda: len(refused) >= min(times, 3))
        if times < 99:
            assert (await made.end(job)).state == "done"
            assert made.work.begun == (["one"] if times == 1 else ["one", "one"])
            return
        await soon(lambda: not made.jobs._live)
        assert (await made.jobs.get(job.id)).state == "running"  # so it says, but it is lost
        assert (await asyncio.wait_for(made.jobs.cancel(job.id), 60)).state == "cancelled"
        await made.ask("one")
        await soon(lambda: len(refused) >= 6 and not made.jobs._live)
        monkeypatch.setattr(made.jobs._table, "end", original)
        again = await made.ask("one")
        assert again.state == "queued"
        assert (await made.end(again)).state == "done"


async def test_a_job_that_fails_says_why_and_is_tried_again(tmp_path: Path) -> None:
    done = set[str]()
    async with room(tmp_path) as made:
        for name, error, status, detail in (
            ("broken", KeyError("secret"), 500, ""),
            ("impossible", NotAccepted("It cannot be done."), 422, "It cannot be done."),
            ("large", MemoryError(), 503, "memory"),
            ("too large", OutOfMemory("There is too little memory."), 503, "memory"),
        ):
            made.work.errors[name] = [error]
            job = await made.end(await made.ask(name))
            problem = job.problem or {}
            assert (job.state, problem["status"]) == ("failed", status) and detail in problem["detail"], name
            assert problem["type"].endswith(":out-of-memory") == (status == 503) and "secret" not in str(problem)
            assert made.kept() == done, "nothing half is left"
            again = await made.ask(name)
            assert again.state == "queued" and again.id == job.id
            assert (await made.end(again)).state == "done" and made.work.begun.count(name) == 2
            done.add(job.id)


async def test_a_job_that_is_ended_from_outside_is_begun_again(tmp_path: Path) -> None:
    outside = {
        "a process that was killed": Interrupted("by signal 9"),
        "a database that does not answer": OperationalError(
            "SELECT 1", {}, OSError("the server closed the connection")
        ),
        "a bucket that does not answer": StorageUnreachable("The bucket does not answer."),
        "a cluster without actors": Busy("No actor answers.", "cluster"),
        "something that it waited for": asyncio.CancelledError(),
    }
    async with room(tmp_path, running_jobs=1) as made:
        for name, error in outside.items():
            made.work.errors[name] = [error] * 2
            job = await made.end(await made.ask(name))
            assert (job.state, job.problem, made.work.begun.count(name)) == ("done", None, 3), name


async def test_a_stop_lets_jobs_wait_for_the_next_start(tmp_path: Path) -> None:
    """One whose model changed meanwhile fails then."""
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        first, second, changed = [await made.ask(name) for name in ("first", "second", "changed")]
        await made.until(first, "running")
    with (waiting := Room(tmp_path)).store.writing() as session:
        session.get_one(JobRow, changed.id).request = json.dumps({"name": "another", "to": 3})
    waiting.store.close()
    async with room(tmp_path, running_jobs=1) as made:
        assert (await made.end(first)).state == "done"
        assert (await made.end(second)).state == "done"
        assert made.work.begun == ["first", "second"]
        failed = await made.end(changed)
        assert failed.state == "failed" and failed.problem is not None and "changed" in failed.problem["detail"]


async def test_crashes_put_running_jobs_back_however_many_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "PAUSES", (0.01,))
    monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ATTEMPTS", 3)
    async with room(tmp_path, running_jobs=1) as made:
        made.work.gates[2] = asyncio.Event()
        job = await made.until(await made.ask("one"), "running")
    for attempt in range(1, 6):
        crashed = Room(tmp_path)
        with crashed.store.writing() as session:
            row = session.get_one(JobRow, job.id)
            row.state, row.attempts = "running", attempt
        for left in (f"work-{job.id}", NOBODYS):
            (tmp_path / "results" / left).mkdir(exist_ok=True)
        crashed.jobs._table.recover(everything=True)
        result = await crashed.jobs.get(job.id)
        assert (result.state, result.what) == ("queued", "waiting" if attempt < 3 else f"interrupted {attempt} times")
        crashed.store.close()
    monkeypatch.setattr(jobs_module, "POLL_SECONDS", 0.05)
    async with room(tmp_path) as made:
        assert (await made.end(job)).state == "done" and made.kept() == {job.id}, "nothing half is left"


# -- bounds ----------------------------------------------------------------------------------------------------------


async def test_results_and_rows_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISK_SHARES, "results", 250)
    monkeypatch.setattr("routescope_app.services.jobs.table.MAX_ROWS", 3)
    async with room(tmp_path) as made:
        jobs = [await made.end(await made.ask(name, bytes=100)) for name in ("a", "b", "c")]
        with pytest.raises(NotFound):
            await made.jobs.result(jobs[0].id, "embedding")
        assert made.kept() == {jobs[1].id, jobs[2].id}
        large = await made.end(await made.ask("large", bytes=1_000))  # the newest is kept, whatever its size
        assert made.kept() == {large.id}
        assert (await made.end(await made.ask("a", bytes=100))).state == "done"
        assert made.work.begun.count("a") == 2
        for name in ("x", "y", "z"):
            made.work.errors[name] = [KeyError()]
            await made.end(await made.ask(name))
        assert [job.request["name"] for job in await made.jobs.newest(10, None, None)] == ["z", "y", "x"]


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


# -- jobs that nobody reads ------------------------------------------------------------------------------------------


async def test_what_nobody_reads_ends_unless_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start counts as a read; owners stay."""
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 3_600)
    clock = Clock()
    async with contextlib.AsyncExitStack() as stack:
        made = await stack.enter_async_context(room(tmp_path, clock=clock, running_jobs=1, unread_job_seconds=60))
        made.work.gates[2] = asyncio.Event()
        running, waiting, kept = [await made.ask(name, owner="me") for name in ("running", "waiting", "kept")]
        assert (await made.jobs.keep(kept.id, True, "me")).kept
        await soon(lambda: made.work.reached.get("running") == 1)

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
        for moment, state in ((1_059, "running"), (1_060, "cancelled")):
            clock.now = moment
            assert (await look())[0] == state
        ended = await made.jobs.get(running.id)
        assert (ended.what, ended.done, ended.total) == ("nobody read it", 1, 3)
        await made.until(kept, "running")
        left = await made.ask("left", owner="somebody")
        await stack.aclose()
        clock.now = 2_000
        made = await stack.enter_async_context(room(tmp_path, clock=clock, running_jobs=1, unread_job_seconds=60))
        made.work.gates[2] = asyncio.Event()
        for moment, state in ((2_059, "queued"), (2_060, "cancelled")):
            clock.now = moment
            assert (await look())[-1] == state
        assert (await made.jobs.get(left.id)).owners == {"somebody"}
        made.work.gates[2].set()
        assert (await made.end(await made.ask("running"))).state == "done"  # the same request takes it up again
        assert (await made.end(kept)).state == "done"


@pytest.mark.parametrize(("seconds", "noted"), [(0, 0), (60, 1)])
async def test_jobs_are_looked_after_or_may_go_on_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, noted: int
) -> None:
    """Who reads is noted only where somebody asks."""
    monkeypatch.setattr(jobs_module, "WATCH_SECONDS", 0.01)
    clock = Clock()
    async with room(tmp_path, clock=clock, unread_job_seconds=seconds) as made:
        made.work.gates[1] = asyncio.Event()
        job = await made.until(await made.ask("one"), "running")
        await soon(lambda: made.work.begun == ["one"])  # it is said to be running a moment before its work begins
        assert len(made.jobs._readers._read) == noted
        clock.now = 1e6
        if seconds:
            await soon(lambda: not made.jobs._live)
        else:
            await made.jobs.end_unread()
        (listed,) = await made.jobs.newest(1, None, None)  # which is no reading
        assert listed.state == ("cancelled" if seconds else "running") and listed.id == job.id
