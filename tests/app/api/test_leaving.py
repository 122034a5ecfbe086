"""Work ends with the client that it is for; what is answered, refused or streamed is as on any route."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.responses import StreamingResponse

from routescope_app.api import problems
from routescope_app.api.leaving import EndsWithItsClient
from routescope_app.services.errors import NotFound


class Client:
    """One request of an app, by hand."""

    def __init__(self, app: FastAPI, path: str, body: bytes = b"", method: str = "POST", query: str = "") -> None:
        self._body: list[bytes] = [body]
        self.leaves = asyncio.Event()
        self.sent: list[Any] = []
        scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(),
            "headers": [(b"content-type", b"application/json"), (b"host", b"127.0.0.1")],
            "query_string": query.encode(), "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 123),
        }  # fmt: skip
        self.task = asyncio.create_task(app(scope, self._receive, self._send))  # type: ignore[arg-type]

    async def _receive(self) -> Any:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def content(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)


@pytest.fixture
def seen() -> list[str]:
    return []


@pytest.fixture
def service(seen: list[str]) -> FastAPI:
    router = APIRouter(route_class=EndsWithItsClient)

    @router.post("/long")
    async def long() -> str:
        seen.append("begun")
        try:
            await asyncio.sleep(3_600)
        except asyncio.CancelledError:
            seen.append("ended")
            raise
        return "done"

    @router.post("/fails")
    async def fails() -> None:
        seen.append("begun")
        try:
            await asyncio.sleep(3_600)
        except asyncio.CancelledError:
            raise KeyError("secret") from None

    @router.post("/double")
    async def double(body: dict[str, int]) -> int:
        await asyncio.sleep(0.01)
        return 2 * body["number"]

    @router.post("/refused")
    async def refused() -> None:
        raise NotFound("There is none.")

    @router.get("/streamed")
    async def streamed() -> StreamingResponse:
        async def pieces() -> AsyncIterator[bytes]:
            for piece in (b"one ", b"two ", b"three"):
                await asyncio.sleep(0.01)
                yield piece

        return StreamingResponse(pieces())

    app = FastAPI()
    problems.install(app)
    app.include_router(router)
    return app


async def until(seen: list[str], what: str) -> None:
    async with asyncio.timeout(20):
        while what not in seen:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("path", "steps"), [("/long", ["begun", "ended"]), ("/fails", ["begun"])])
async def test_work_ends_when_the_client_leaves(
    service: FastAPI, seen: list[str], caplog: pytest.LogCaptureFixture, path: str, steps: list[str]
) -> None:
    """An error of work that nobody waits for disturbs nobody."""
    client = Client(service, path)
    await until(seen, "begun")
    assert not client.task.done()
    client.leaves.set()
    await asyncio.wait_for(client.task, 20)
    assert seen == steps and client.sent[0]["status"] == 499 and not caplog.records


async def test_answers_and_refusals_are_as_ever(service: FastAPI) -> None:
    answered, refused, streamed = (
        Client(service, "/double", b"{\"number\": 21}"), Client(service, "/refused"),
        Client(service, "/streamed", method="GET"),
    )  # fmt: skip
    await asyncio.wait_for(asyncio.gather(answered.task, refused.task, streamed.task), 20)
    assert (answered.sent[0]["status"], answered.content) == (200, b"42")
    assert refused.sent[0]["status"] == 404 and b"There is none." in refused.content
    assert (streamed.sent[0]["status"], streamed.content) == (200, b"one two three")


async def test_a_request_that_is_cancelled_ends_its_work(service: FastAPI, seen: list[str]) -> None:
    """As the server does where it stops."""
    client = Client(service, "/long")
    await until(seen, "begun")
    client.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await client.task
    await until(seen, "ended")
