"""A real server, and one client that wants all of its queue, or another's job."""

import asyncio
import contextlib
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
#: Of the queue.
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


async def test_one_browser_does_not_take_the_queue(tmp_path: Path) -> None:
    """Another's small job is accepted and done while the first one's jobs fill what they may."""
    with listening(settings(tmp_path, max_queued_jobs=ROOM)) as port:
        async with client_at(port, browser()) as greedy, client_at(port, browser()) as modest, asyncio.timeout(300):
            jobs, refused = [], []
            for number in range(ROOM + 2):
                answer = await greedy.post("/api/v1/importances", json={**LONG, "samples": 3_000 - number})
                (jobs if answer.status_code == 202 else refused).append(answer)
            assert (len(jobs), len(refused)) == (ROOM // 2, ROOM // 2 + 2)
            assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
            assert is_problem(refused[0], 503)["retryable"] is True
            sent = f"{ROOM + 2} long jobs of one browser, where {ROOM} are accepted"
            came_back("one owner takes all", sent, refused[-1])
            small = await modest.post("/api/v1/embeddings", json=SMALL)
            assert small.status_code == 202, small.text
            assert (await ended(modest, small.json()))["state"] == "done"
            shown = (await modest.get("/api/v1/jobs")).json()["items"]
            assert [item["state"] for item in shown if item["owner"] == "another"].count("done") == 0
            sent = "a small job of a second browser, while long ones of the first have all that it may"
            came_back("one owner takes all", sent, f"{said(small)}; done before any of the first's")
            for job in jobs:
                await greedy.delete(f"/api/v1/jobs/{job.json()['id']}")


async def test_a_users_job_is_theirs_and_the_operators(
    tmp_path: Path, postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others can neither cancel nor keep it, nor read in the list what it is."""
    monkeypatch.setattr("routescope_app.services.jobs.jobs.POLL_SECONDS", 0.1)
    chosen = settings(tmp_path, token=SERVICE, database_url=postgresql)
    store = Store(chosen.database)
    store.migrate()
    tokens = {name: bearer(AccessTokens(store).add(name)) for name in ("anna", "ben")}
    store.close()
    request = {**LONG, "data": ["mnist", "mnist-m"]}
    with listening(chosen) as port:
        async with (
            client_at(port, tokens["anna"]) as anna,
            client_at(port, tokens["ben"]) as ben,
            client_at(port, bearer(SERVICE) | browser()) as page,
            client_at(port, bearer(SERVICE)) as operator,
        ):
            job = (await anna.post("/api/v1/importances", json=request)).json()
            location = f"/api/v1/jobs/{job['id']}"
            for name, client in (("another user", ben), ("a browser with the token of the service", page)):
                for answer in (
                    await client.delete(location),
                    await client.delete(location, params={"release": "true"}),
                    await client.patch(location, json={"keep": True}),
                ):
                    assert is_problem(answer, 403)["type"].endswith("not-yours")
                    came_back("another's job", f"{name} cancels it, gives it up or keeps it", answer)
                listed = await client.get("/api/v1/jobs")
                [item] = listed.json()["items"]
                assert (item["owner"], item["kind"]) == ("another", "importance")
                assert item["state"] in {"queued", "running"}
                assert (item["request"], item["result"], item["problem"]) == ({}, None, None)
                assert all(word not in listed.text for word in (job["id"], MODEL, "mnist")), listed.text
                assert (await client.get(f"/api/v1/jobs/{item['id']}")).status_code == 404
                by_link = (await client.get(location)).json()
                assert by_link["request"]["model"] == MODEL and by_link["owner"] == "another"
            kept = (await anna.patch(location, json={"keep": True})).json()
            assert (kept["kept"], kept["owner"]) == (True, "you") and kept["state"] in {"queued", "running"}
            assert (await ben.post("/api/v1/importances", json=request)).json()["owner"] != "another"
            left = (await anna.delete(location)).json()
            assert left["state"] in {"queued", "running"} and left["kept"] is False and left["owner"] == "another"
            sent = "its owner cancels it, after another user asked for the same"
            came_back("another's job", sent, "200: it goes on for the other")
            is_problem(await anna.delete(location), 403)
            is_problem(await anna.patch(location, json={"keep": True}), 403)
            items = (await operator.get("/api/v1/jobs")).json()["items"]
            assert [(item["id"], item["request"]["model"]) for item in items] == [(job["id"], MODEL)]
            assert (await operator.patch(location, json={"keep": True})).json()["kept"] is True
            stopped = await operator.delete(location)
            assert stopped.json()["state"] == "cancelled"
            sent = "the operator, with the token of the service, cancels it"
            came_back("another's job", sent, f"{said(stopped)}: it ends")

            done = await ended(anna, (await anna.post("/api/v1/embeddings", json=SMALL)).json())
            [item] = (await ben.get("/api/v1/jobs", params={"state": "done"})).json()["items"]
            assert (item["result"], item["request"], item["done"]) == (None, {}, 100)
            assert (await ben.get(done["result"])).status_code == 200, "by a link"
            again = await ben.post("/api/v1/embeddings", json=SMALL)
            assert (again.status_code, again.json()["result"]) == (200, done["result"]), "it is computed once"
            [item] = (await ben.get("/api/v1/jobs", params={"state": "done"})).json()["items"]
            assert (item["owner"], item["id"]) == ("you", done["id"]), "as ben asked for it, too"
