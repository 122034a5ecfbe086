"""One client uses all that few may use at once, for as long as it likes: another is served meanwhile."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope_app.api.middleware import limits
from routescope_app.services.engine.clients import client as account
from routescope_app.services.engine.places import Slots
from routescope_app.services.errors import Busy
from tests.app.serving import MODEL, client_of, is_problem, running, settings
from tests.robustness.record import came_back

ONE, OTHER = ({"Cookie": f"routescope_browser={digit * 32}"} for digit in "ab")
TRACE = json.dumps({"model": MODEL, "sample": "mnist.validation.0"}).encode()


@pytest.mark.parametrize(
    ("room", "alone", "beside"), [(1, 1, 0), (2, 1, 1), (4, 2, 1), (16, 8, 4), (34, 17, 9), (200, 100, 50)]
)
def test_a_client_leaves_as_many_places_as_it_holds(room: int, alone: int, beside: int) -> None:
    places = Slots(room)

    def take_all(name: str) -> list[Callable[[], None]]:
        token = account.set(name)
        try:
            return list(iter(places.take, None))
        finally:
            account.reset(token)

    first, second = take_all("one"), take_all("other")
    assert (len(first), len(second)) == (alone, beside)
    rest = take_all("")
    assert len(rest) == room - alone - beside, "the service itself takes what is free"
    for leave in [*first, *second, *rest, *first]:
        leave()
    assert len(take_all("third")) == alone


@pytest.mark.parametrize("limit", ["MAX_BODIES", "max_concurrent_requests"])
async def test_one_browser_sends_bodies_that_never_end(
    tmp_path: Path, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, over = asyncio.Semaphore(0), asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield TRACE[:5]
        held.release()
        await over.wait()
        yield TRACE[5:]

    async with AsyncExitStack() as stack:
        if limit == "MAX_BODIES":
            monkeypatch.setattr(limits, limit, 8)
        changes = {} if limit == "MAX_BODIES" else {limit: 8}
        app = await stack.enter_async_context(running(settings(tmp_path, **changes)))
        first = await stack.enter_async_context(client_of(app, headers=ONE | {"Content-Type": "application/json"}))
        other = await stack.enter_async_context(client_of(app, headers=OTHER | {"Content-Type": "application/json"}))

        async def send(client: httpx.AsyncClient) -> httpx.Response:
            return await client.post("/api/v1/traces", content=slow())

        sent = [asyncio.create_task(send(first)) for _ in range(4)]
        for _ in sent:
            await held.acquire()
        refused = await send(first)
        assert is_problem(refused, 503)["type"].endswith(":busy") and "Retry-After" in refused.headers
        beside = asyncio.create_task(send(other))
        while held.locked():
            assert not beside.done(), beside.result().text
            await asyncio.sleep(0)
        over.set()
        assert {answer.status_code for answer in await asyncio.gather(*sent, beside)} <= {200, 201}
    came_back(
        "one owner takes all", f"bodies of one browser that never end, {limit}=8", f"201 to 4; {refused.status_code}"
    )


async def test_pictures_texts_and_archives_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.samples.decoding_pool.MAX_WAITING", 3)
    monkeypatch.setattr("routescope_app.services.traces.continuing.MAX_CONTINUATIONS", 4)
    over = threading.Event()
    async with running(settings(tmp_path, concurrency=1)) as app:
        services = app.state.services

        async def decode() -> Callable[[], Any]:
            task = asyncio.create_task(services.decoding.run(over.wait))
            await asyncio.sleep(0)
            if task.done():
                task.result()
            return lambda: task

        async def continue_text() -> Callable[[], Any]:
            asked = {"model": "moe-bytes", "sample": "sums.validation.1", "tokens": 8, "among": 1, "seed": 0}
            tokens = services.continuations.stream(asked | {"intervention": {"drop": [], "mute": [], "top_k": None}})
            await anext(tokens)
            return tokens.aclose

        for hold in (decode, continue_text):
            ends = []
            for name, most in (("one", 2), ("other", 1)):
                token = account.set(name)
                ends += [await hold() for _ in range(most)]
                with pytest.raises(Busy):
                    await hold()
                account.reset(token)
            over.set()
            for end in ends:
                await end()
