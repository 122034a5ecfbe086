"""Several streams on one connection: each as it is alone, whatever becomes of the others."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from fastapi.routing import APIRoute, iter_route_contexts
from fastapi.sse import EventSourceResponse

from routescope_app.api.routes.streams import MOST, STREAM
from routescope_app.services.jobs.jobs import Jobs
from routescope_app.services.measuring.evaluations import Evaluations
from routescope_app.services.traces.continuing import Continuations
from tests.app.api.follow import ended, events_of, start
from tests.app.api.test_leaving import Client
from tests.app.serving import MODEL, client_of, is_problem, running, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

V1 = "/api/v1"
EVALUATION = f"/evaluations/stream?model={MODEL}&samples=30&drop=f1&controls=0"
CONTINUATION = "/continuations/stream?model=moe-bytes&sample=sums.validation.2&tokens=3&among=3&seed=4"
NO_JOB = f"/jobs/{'0' * 40}/events"
REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 6}


async def merged(client: httpx.AsyncClient, *paths: str, **options: Any) -> list[list[tuple[str, Any]]]:
    """Return the events of each stream of one connection."""
    answer = await client.get(f"{V1}/streams", params={"of": paths}, **options)
    assert answer.status_code == 200, answer.text
    streams: list[list[tuple[str, Any]]] = [[] for _ in paths]
    for name, event in events_of(answer.text):
        assert name == "stream" and list(event) == ["of", "event", "data"]
        streams[event["of"]].append((event["event"], event["data"]))
    assert all(stream.pop() == ("end", None) for stream in streams)
    return streams


def comparable(events: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return events without what differs from one request to the next: ids of problems, and times."""
    return [
        (name, {key: value for key, value in data.items() if key not in {"instance", "seconds"}})
        for name, data in events
    ]


async def test_each_stream_is_as_it_is_alone_whatever_becomes_of_the_others(client: httpx.AsyncClient) -> None:
    """Also one that is refused at once, one refused in its first event, and one with an unreadable query."""
    job = await ended(client, await start(client, "importances", REQUEST))
    refused = [f"/evaluations/stream?model={MODEL}&drop=f9", "/evaluations/stream?samples=x", NO_JOB]
    paths = [refused[0], f"/jobs/{job['id']}/events", refused[1], EVALUATION, refused[2], CONTINUATION]
    await client.get(V1 + EVALUATION)  # it is known from now on: all its streams have the same event
    alone = {path: (await client.get(V1 + path)) for path in paths}
    together = await merged(client, *paths)
    for path, events in zip(paths, together, strict=True):
        single = events_of(alone[path].text) if alone[path].is_success else [("problem", alone[path].json())]
        assert comparable(events) == comparable(single), path
    assert [events[-1][0] for events in together] == ["problem", "job", "problem", "evaluation", "problem", "done"]
    assert [len(events) for events in together] == [1, 1, 1, 1, 1, 4]


async def test_every_stream_of_the_api_can_be_named(client: httpx.AsyncClient) -> None:
    contexts = iter_route_contexts(client._transport.app.routes)  # type: ignore[attr-defined]
    paths = [
        str(context.path).removeprefix(V1)
        for context in contexts
        if isinstance(context.original_route, APIRoute) and context.original_route.response_class is EventSourceResponse
    ]
    assert len(paths) == 4
    assert [path for path in paths if not STREAM.fullmatch(path.replace("{job_id}", "0"))] == ["/streams"]


@pytest.mark.parametrize(
    ("paths", "words"),
    [
        ([], f"Name 1 to {MOST} streams, each as of=PATH; use /jobs/ID/events, /evaluations/stream?QUERY or "),
        ([EVALUATION, "/streams?of=" + NO_JOB], "of[1] is not the path of a stream; use"),
        (["/models"], "of[0] is not the path"),
        (["/api/v1/evaluations/stream"], "of[0] is not the path"),
        (["/jobs/../jobs/0/events"], "of[0] is not the path"),
        (["/evaluations/stream?model=é"], "of[0] is not the path"),
        ([NO_JOB, EVALUATION, NO_JOB], "of[2] repeats of[0]; name each stream once."),
        ([f"/jobs/{number}/events" for number in range(MOST + 1)], f"at most {MOST} items"),
    ],
)
async def test_nonsense_is_refused(client: httpx.AsyncClient, paths: list[str], words: str) -> None:
    answer = await client.get(f"{V1}/streams", params={"of": paths})
    assert is_problem(answer, 422)["detail"].count(words) == 1


async def test_each_stream_asks_as_its_caller(tmp_path: Path) -> None:
    """A job under the id that lists show to others cannot be followed; by its link another sees it as another's."""
    async with running(settings(tmp_path)) as app, contextlib.AsyncExitStack() as stack:

        async def browser(digit: str) -> httpx.AsyncClient:
            cookie = {"Cookie": f"routescope_browser={digit * 32}"}
            return await stack.enter_async_context(client_of(app, headers=cookie))

        owner, other = await browser("a"), await browser("b")
        job = await ended(owner, await start(owner, "importances", REQUEST))
        (listed,) = (await other.get(f"{V1}/jobs")).json()["items"]
        paths = [f"/jobs/{job_id}/events" for job_id in (listed["id"], job["id"])]
        (hidden, by_link) = await merged(other, *paths)
        assert [(name, data["status"]) for name, data in hidden] == [("problem", 404)]
        assert [data["owner"] for _, data in by_link] == ["another"]
        assert [data["owner"] for _, data in (await merged(owner, paths[1]))[0]] == ["you"]


async def test_metrics_and_log_lines_name_each_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with serving(settings(tmp_path, access_log=True)) as client:
        await merged(client, "/evaluations/stream?samples=x", NO_JOB)
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [(line["route"], line["status"]) for line in lines] == [
            (f"{V1}/evaluations/stream", 422), (f"{V1}/jobs/{{job_id}}/events", 200), (f"{V1}/streams", 200),
        ]  # fmt: skip
        told = (await client.get("/metrics")).text
        assert f'route="{V1}/streams",status="200"}} 1.0' in told
        assert f'route="{V1}/evaluations/stream",status="422"}} 1.0' in told


async def test_a_client_that_leaves_closes_every_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one of them has ended already, and none of the others ever would."""
    open_streams: list[str] = []

    async def endless(self: Any, *_: Any) -> AsyncIterator[Any]:
        open_streams.append(type(self).__name__)
        try:
            await asyncio.get_running_loop().create_future()
            yield
        finally:
            open_streams.remove(type(self).__name__)

    for service, name in ((Jobs, "events"), (Evaluations, "stream"), (Continuations, "stream")):
        monkeypatch.setattr(service, name, endless)
    async with running(settings(tmp_path)) as app:
        query = urlencode({"of": ["/evaluations/stream", NO_JOB, EVALUATION, CONTINUATION]}, doseq=True)
        client = Client(app, f"{V1}/streams", method="GET", query=query)
        async with asyncio.timeout(60):
            while len(open_streams) < 3 or b'"event":"end"' not in client.content:
                await asyncio.sleep(0)
            assert sorted(open_streams) == ["Continuations", "Evaluations", "Jobs"]
            client.leaves.set()
            await client.task
        assert not open_streams
