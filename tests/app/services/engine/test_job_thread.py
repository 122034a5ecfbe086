"""The thread of a job: it asks the event loop, has its turns, and ends with a cancel, whatever it waits for."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from routescope_app.services.engine.clients import client
from routescope_app.services.engine.in_thread import Cancelled
from routescope_app.services.engine.job_thread import JobThread
from routescope_app.services.engine.threads import Priority


class Inference:
    """Runs pieces at once, and keeps for whom and how urgently."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Priority]] = []

    async def run(self, work: Callable[[], Any], priority: Priority) -> Any:
        self.ran.append((client.get(), priority))
        return work()


def made() -> tuple[JobThread, Inference, list[tuple[int, int, str]]]:
    inference, reports = Inference(), list[tuple[int, int, str]]()
    report = lambda *step: reports.append(step)  # noqa: E731
    return JobThread(inference, report), inference, reports  # type: ignore[arg-type]


async def test_pieces_have_the_turn_of_a_job_and_of_its_client() -> None:
    thread, inference, reports = made()
    client.set("somebody")

    def work() -> int:
        thread.progress(1, 2, "half")
        return thread.turn(lambda: 20) + thread.wait(asyncio.sleep(0, 1))

    assert await thread.run(work) == 21
    assert inference.ran == [("somebody", Priority.JOB)] and reports == [(1, 2, "half")]


async def test_an_error_of_the_work_and_of_what_it_waits_for_comes_through() -> None:
    """Also a cancel by somebody else, which interrupts the job and nothing beside it."""

    async def refuse(error: BaseException) -> None:
        raise error

    for error, work in (
        (ValueError, lambda thread: thread.wait(refuse(ValueError("not possible")))),
        (ValueError, lambda thread: thread.turn(lambda: int("not possible"))),
        (asyncio.CancelledError, lambda thread: thread.wait(refuse(asyncio.CancelledError()))),
    ):
        thread, *_ = made()
        with pytest.raises(error):
            await thread.run(lambda work=work, thread=thread: work(thread))  # type: ignore[misc]
    assert (await asyncio.gather(asyncio.create_task(asyncio.sleep(0, 1)))) == [1]


@pytest.mark.parametrize("where", ["question", "computation"])
async def test_a_cancel_ends_what_the_thread_waits_for_and_waits_for_the_thread(where: str) -> None:
    thread, _, _ = made()
    begun, gate, seen = asyncio.Event(), threading.Event(), list[str]()
    loop = asyncio.get_running_loop()

    async def question() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("cleared up")

    def work() -> None:
        try:
            if where == "question":
                thread.wait(question())
            loop.call_soon_threadsafe(begun.set)
            gate.wait()
            thread.progress(1, 2, "half")
        except Cancelled:
            seen.append("thread")
            raise

    job = asyncio.create_task(thread.run(work))
    await begun.wait()
    job.cancel()
    await asyncio.sleep(0)
    if where == "computation":
        assert not job.done(), "it ends with the thread"
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert seen == (["cleared up", "thread"] if where == "question" else ["thread"])
