"""Streams of events end with a last event when the server stops."""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from routescope_app.api import problems

#: What the state of a server that has begun holds: an event, set once it stops.
STOPPING = "stopping"


class Endings:
    """ASGI middleware: sends the problem of a stopping server as the last event of streams."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        stopping = scope.get("state", {}).get(STOPPING)
        if scope["type"] != "http" or not isinstance(stopping, asyncio.Event):
            await self._app(scope, receive, send)
            return
        whole, ended = asyncio.Lock(), False  # an event is sent whole before another begins
        last: asyncio.Task[None] | None = None

        async def end() -> None:
            nonlocal ended
            await stopping.wait()
            async with whole:
                if not ended:
                    ended = True
                    await send({"type": "http.response.body", "body": _last_event(scope), "more_body": False})

        async def watched(message: Message) -> None:
            nonlocal ended, last
            async with whole:
                if ended:
                    return
                if message["type"] == "http.response.body" and not message.get("more_body", False):
                    ended = True
                await send(message)
                if message["type"] == "http.response.start" and _streams_events(message):
                    last = asyncio.create_task(end())

        try:
            await self._app(scope, receive, watched)
        finally:
            if last is not None:
                last.cancel()


def _streams_events(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return headers.get("content-type", "").startswith("text/event-stream") and "content-encoding" not in headers


def _last_event(scope: Scope) -> bytes:
    detail = "The service is being stopped. Jobs go on when it is started again; ask again then."
    answer = problems.problem(503, "stopping", "The service stops", detail, retryable=True)
    answer.report(f"{scope['method']} {scope['path']}", str(scope["client"][0]) if scope.get("client") else "")
    return b"event: problem\ndata: " + bytes(answer.body) + b"\n\n"
