"""Several streams of events on one connection: browsers open six connections to a host, for all tabs together."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.types import Message

from routescope_app.api import problems
from routescope_app.api.middleware.observing import Observing, standard_output
from routescope_app.services.errors import NotAccepted

router = APIRouter(prefix="/streams", tags=["streams"])
#: Largest number of streams on one connection.
MOST = 16
#: The paths in words, for refusals.
PATHS = "use /jobs/ID/events, /evaluations/stream?QUERY or /continuations/stream?QUERY"
#: Paths and queries of the streams that may share a connection, below the path of this version of the API.
STREAM = re.compile(r"(/jobs/[0-9A-Za-z-]+/events|/evaluations/stream|/continuations/stream)(?:\?([!-~]*))?")


async def _streams(
    of: Annotated[
        list[str],
        Query(
            default_factory=list,
            max_length=MOST,
            description="Path of a stream below `/api/v1`, with its query in percent-encoding: "
            "`/jobs/ID/events`, `/evaluations/stream?model=m`, `/continuations/stream?model=m`.",
        ),
    ],
) -> list[tuple[str, str]]:
    """Return path and query of each stream; raises NotAccepted for none, others than ``STREAM``, and repeated ones."""
    if not of:
        raise NotAccepted(f"Name 1 to {MOST} streams, each as of=PATH; {PATHS}.")
    for number, path in enumerate(of):
        if not STREAM.fullmatch(path):
            raise NotAccepted(f"of[{number}] is not the path of a stream; {PATHS}.")
        if path in of[:number]:
            raise NotAccepted(f"of[{number}] repeats of[{of.index(path)}]; name each stream once.")
    return [(match[1], match[2] or "") for path in of if (match := STREAM.fullmatch(path))]


#: Number of a stream, name of its event, and the event's JSON.
Events = asyncio.Queue[tuple[int, str, str]]
Streams = Annotated[list[tuple[str, str]], Depends(_streams)]


async def _events(request: Request, streams: Streams) -> AsyncIterator[Events]:
    """Give the events of all streams; close the streams when the answer has ended, or its client has left."""
    events = Events(maxsize=1)  # so that a slow client slows its streams
    tasks = [asyncio.create_task(_follow(request, number, *stream, events)) for number, stream in enumerate(streams)]
    try:
        yield events
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@router.get("", response_class=EventSourceResponse, summary="Follow several streams on one connection")
async def merge_streams(streams: Streams, events: Annotated[Events, Depends(_events)]) -> AsyncIterator[Any]:
    """Server-sent events named `stream`: `{"of": 0, "event": "job", "data": {}}` is an event `job` of the first stream.

    Each stream answers this caller as it does alone. A stream that is refused has an event `problem`; every stream has
    `end` as its last event, and the others go on. Closing the connection closes all streams. To follow other streams,
    open a connection for the new list: jobs and evaluations begin with their present state, and continuations repeat
    their tokens.
    """
    running = len(streams)
    while running:
        number, event, data = await events.get()
        running -= event == "end"
        yield ServerSentEvent(event="stream", raw_data=f'{{"of":{number},"event":"{event}","data":{data}}}')


async def _follow(request: Request, number: int, path: str, query: str, events: Events) -> None:
    """Request a stream of this app as the same caller, with its own checks, metrics and log line; queue its events."""
    base = request.scope["path"].removesuffix("/streams")
    target = {"path": base + path, "raw_path": (base + path).encode(), "query_string": query.encode()}
    body, refused = b"", False

    async def receive() -> Message:
        never: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return await never  # the task is cancelled once the client leaves

    async def send(message: Message) -> None:
        nonlocal body, refused
        if message["type"] == "http.response.start":
            refused = message["status"] >= 400
            return
        body += message.get("body", b"")
        if refused and not message.get("more_body", False):
            await events.put((number, "problem", body.decode()))
        elif not refused:
            *blocks, body = body.split(b"\n\n")
            for block in blocks:
                fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line)
                if "data" in fields:
                    await events.put((number, fields["event"], fields["data"]))

    lines = standard_output() if request.app.state.settings.access_log else None
    answered = Observing(request.app.router, request.app.state.metrics, lines)
    try:
        await answered({**request.scope, **target, "fastapi": {}}, receive, send)
    except Exception as error:
        await events.put((number, "problem", str(problems.as_event(error).raw_data)))
    await events.put((number, "end", "null"))
