"""A real server, and one client that wants all of its queue and its streams, or another's job."""

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope_app.api.callers import COOKIE
from routescope_app.services.store import Store
from routescope_app.services.users import AccessTokens
from tests.app.api.follow import ended
from tests.app.serving import MODEL, is_problem, listening, settings
from tests.robustness.record import came_back, said

SERVICE = "a-long-enough-token-for-tests"
#: Takes minutes: it runs for as long as a test does.
LONG: dict[str, Any] = {"model": MODEL, "samples": 3_000}
SMALL: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 6, "method": "pca"}
#: Of the queue and of the streams.
ROOM = 8


def browser() -> dict[str, str]:
    """Headers of a browser that was here before."""
    return {"Cookie": f"{COOKIE}={secrets.token_hex(16)}"}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextlib.asynccontextmanager
async def client_at(port: int, headers: dict[str, str]) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=120, limits=limits
    ) as client:
        yield client


class Following:
    """One stream of events about a job, in a task of its own."""

    def __init__(self, client: httpx.AsyncClient, job_id: str) -> None:
        self.begun = asyncio.Event()
        self.states: list[str] = []
        self.problem: dict[str, Any] | None = None
        self.task = asyncio.create_task(self._read(client, job_id))

    async def _read(self, client: httpx.AsyncClient, job_id: str) -> None:
        async with client.stream("GET", f"/api/v1/jobs/{job_id}/events") as answer:
            event = ""
            async for line in answer.aiter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "problem":
                    self.problem = json.loads(value)
                elif name == "data":
                    self.states.append(json.loads(value)["state"])
                if name == "data":
                    self.begun.set()

    async def leave(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def test_one_browser_takes_neither_the_queue_nor_the_streams(tmp_path: Path) -> None:
    """Another's small job is accepted, followed and done while the first one's jobs fill what they may."""
    with listening(settings(tmp_path, max_queued_jobs=ROOM, max_event_streams=ROOM)) as port:
        async with client_at(port, browser()) as greedy, client_at(port, browser()) as modest, asyncio.timeout(300):
            jobs, refused = [], []
            for number in range(ROOM + 2):
                answer = await greedy.post("/api/v1/importances", json={**LONG, "samples": 3_000 - number})
                (jobs if answer.status_code == 202 else refused).append(answer)
            assert (len(jobs), len(refused)) == (ROOM // 2, ROOM // 2 + 2)
            assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
            assert is_problem(refused[0], 503)["retryable"] is True
            came_back(
                "one owner takes all", f"{ROOM + 2} long jobs of one browser, where {ROOM} are accepted", refused[-1]
            )
            ids = [answer.json()["id"] for answer in jobs]
            streams = []
            for number in range(ROOM * 3):
                streams.append(Following(greedy, ids[number % len(ids)]))
                await streams[-1].begun.wait()
            over, live = streams[: -ROOM // 2], streams[-ROOM // 2 :]
            await asyncio.gather(*(stream.task for stream in over))
            assert {stream.problem["status"] for stream in over if stream.problem} == {503}
            assert all(stream.problem for stream in over) and not any(stream.problem for stream in live)
            assert over[0].problem is not None
            came_back(
                "one owner takes all",
                f"{ROOM * 3} streams of one browser, where {ROOM} are accepted; the oldest of its own end",
                f"200, then an event: {over[0].problem['detail']}",
            )
            small = await modest.post("/api/v1/embeddings", json=SMALL)
            assert small.status_code == 202, small.text
            stream = Following(modest, small.json()["id"])
            await stream.task
            assert stream.problem is None and stream.states[-1] == "done"
            shown = (await modest.get("/api/v1/jobs")).json()["items"]
            assert [item["state"] for item in shown if item["owner"] == "another"].count("done") == 0
            sent = "a small job of a second browser, while long ones of the first have all that it may"
            came_back("one owner takes all", sent, f"{said(small)}; done before any of the first's")
            for member in live:
                await member.leave()
            for job_id in ids:
                await greedy.delete(f"/api/v1/jobs/{job_id}")


async def test_who_leaves_makes_room_for_others_at_once(tmp_path: Path) -> None:
    with listening(settings(tmp_path, max_event_streams=2)) as port, contextlib.ExitStack():
        async with contextlib.AsyncExitStack() as stack, asyncio.timeout(120):
            clients = [await stack.enter_async_context(client_at(port, browser())) for _ in range(3)]
            job = (await clients[0].post("/api/v1/importances", json=LONG)).json()["id"]
            first, second = (Following(client, job) for client in clients[:2])
            await asyncio.gather(first.begun.wait(), second.begun.wait())
            refused = Following(clients[2], job)
            await refused.task
            assert refused.problem is not None and refused.problem["status"] == 503
            sent = "a stream of a third browser, where two others hold the two that there are"
            came_back("one owner takes all", sent, f"200, then an event: {refused.problem['detail']}")
            await first.leave()
            while True:  # the server hears of it in a moment
                third = Following(clients[2], job)
                await third.begun.wait()
                if third.problem is None:
                    break
            assert third.states and second.problem is None
            for stream in (second, third):
                await stream.leave()
            await clients[0].delete(f"/api/v1/jobs/{job}")


async def check_anothers_job(
    owner: httpx.AsyncClient, others: dict[str, httpx.AsyncClient], operator: httpx.AsyncClient | None
) -> None:
    """One client's job, which ``others`` can neither cancel nor keep nor read in the list."""
    request = {**LONG, "data": ["mnist", "mnist-m"]}
    job = (await owner.post("/api/v1/importances", json=request)).json()
    location = f"/api/v1/jobs/{job['id']}"
    for name, client in others.items():
        for answer in (
            await client.delete(location),
            await client.delete(location, params={"release": "true"}),
            await client.patch(location, json={"keep": True}),
        ):
            assert is_problem(answer, 403)["type"].endswith("not-yours")
            came_back("another's job", f"{name} cancels it, gives it up or keeps it", answer)
        listed = await client.get("/api/v1/jobs")
        [item] = listed.json()["items"]
        assert (item["owner"], item["kind"]) == ("another", "importance") and item["state"] in {"queued", "running"}
        assert (item["request"], item["result"], item["problem"]) == ({}, None, None)
        assert all(word not in listed.text for word in (job["id"], MODEL, "mnist")), listed.text
        assert (await client.get(f"/api/v1/jobs/{item['id']}")).status_code == 404
        by_link = (await client.get(location)).json()
        assert by_link["request"]["model"] == MODEL and by_link["owner"] == "another"
    now = (await owner.patch(location, json={"keep": True})).json()
    assert (now["kept"], now["owner"]) == (True, "you") and now["state"] in {"queued", "running"}
    # One of the others asks for the same, so that it is theirs too; it goes on for them when its owner gives it up.
    name, client = next(iter(others.items()))
    assert (await client.post("/api/v1/importances", json=request)).json()["owner"] != "another"
    left = (await owner.delete(location)).json()
    assert left["state"] in {"queued", "running"} and left["kept"] is False and left["owner"] == "another"
    came_back(
        "another's job", f"its owner cancels it, after {name} asked for the same", "200: it goes on for the other"
    )
    is_problem(await owner.delete(location), 403)
    is_problem(await owner.patch(location, json={"keep": True}), 403)
    if operator is None:
        assert (await client.delete(location)).json()["state"] == "cancelled"
        return
    items = (await operator.get("/api/v1/jobs")).json()["items"]
    assert [(item["id"], item["request"]["model"]) for item in items] == [(job["id"], MODEL)]
    assert (await operator.patch(location, json={"keep": True})).json()["kept"] is True
    stopped = await operator.delete(location)
    assert stopped.json()["state"] == "cancelled"
    came_back("another's job", "the operator, with the token of the service, cancels it", f"{said(stopped)}: it ends")
    is_problem(await owner.delete(location), 403)


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
async def test_a_job_is_cancelled_and_kept_by_who_asked_for_it(
    tmp_path: Path, database: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a token: browsers, and a program that is known by its address; and what nobody owns."""
    url = request.getfixturevalue("postgresql") if database == "postgresql" else None
    monkeypatch.setattr("routescope_app.services.jobs.jobs.POLL_SECONDS", 0.1)
    with listening(settings(tmp_path, database_url=url)) as port:
        async with (
            client_at(port, browser()) as first,
            client_at(port, browser()) as two,
            client_at(port, {}) as program,
        ):
            await check_anothers_job(first, {"a second browser": two, "a program without a cookie": program}, None)
            job = (await program.post("/api/v1/importances", json=LONG)).json()
            assert job["owner"] == "everybody"
            [item] = [item for item in (await two.get("/api/v1/jobs")).json()["items"] if item["id"] == job["id"]]
            assert item["request"]["model"] == MODEL
            assert (await two.delete(f"/api/v1/jobs/{job['id']}")).json()["state"] == "cancelled"


async def test_a_users_job_is_theirs_and_the_operators(tmp_path: Path) -> None:
    chosen = settings(tmp_path, token=SERVICE)
    store = Store(chosen.database)
    store.migrate()
    tokens = {name: bearer(AccessTokens(store).add(name)) for name in ("anna", "ben")}
    store.close()
    with listening(chosen) as port:
        async with (
            client_at(port, tokens["anna"]) as anna,
            client_at(port, tokens["ben"]) as ben,
            client_at(port, bearer(SERVICE) | browser()) as page,
            client_at(port, bearer(SERVICE)) as operator,
        ):
            others = {"another user": ben, "a browser with the token of the service": page}
            await check_anothers_job(anna, others, operator)
            done = (await anna.post("/api/v1/embeddings", json=SMALL)).json()
            done = await ended(anna, done)
            [item] = (await ben.get("/api/v1/jobs", params={"state": "done"})).json()["items"]
            assert (item["result"], item["request"], item["done"]) == (None, {}, 100)
            assert (await ben.get(done["result"])).status_code == 200, "by a link"
            again = await ben.post("/api/v1/embeddings", json=SMALL)
            assert (again.status_code, again.json()["result"]) == (200, done["result"]), "it is computed once"
            [item] = (await ben.get("/api/v1/jobs", params={"state": "done"})).json()["items"]
            assert (item["owner"], item["id"]) == ("you", done["id"]), "as ben asked for it, too"
