"""Jobs through the API: listed, followed, cancelled, taken up again."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope_app.api.client import ApiClient
from routescope_app.api.schemas.jobs import Job
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, UNITS, is_problem, running, serving, settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist"], "samples": 6}


async def test_a_list_and_one_job(client: httpx.AsyncClient) -> None:
    assert (await client.get("/api/v1/jobs")).json() == {"items": []}
    first = await ended(client, await start(client, "importances", REQUEST))
    second = await ended(client, await start(client, "observations", REQUEST))
    listed = (await client.get("/api/v1/jobs")).json()["items"]
    assert [job["id"] for job in listed] == [second["id"], first["id"]] and listed[1] == first
    query = {"kind": "observation", "state": "done", "limit": 5}
    assert (await client.get("/api/v1/jobs", params=query)).json()["items"] == [second]
    assert first["request"]["kind"] == "drop" and first["seconds"] > 0 and first["problem"] is None
    is_problem(await client.delete(f"/api/v1/jobs/{'0' * 40}"), 404)


async def test_events_of_a_job(client: httpx.AsyncClient) -> None:
    job = await start(client, "importances", REQUEST | {"samples": 7})
    text = (await client.get(f"/api/v1/jobs/{job['id']}/events")).text
    states = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    assert {line for line in text.splitlines() if line.startswith("event")} == {"event: job"}
    assert states[-1]["state"] == "done" and states[-1]["result"] == f"/api/v1/importances/{job['id']}"


async def test_the_queue_is_full(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, max_queued_jobs=1, running_jobs=1)) as client:
        job = await start(client, "importances", {**REQUEST, "samples": 600})
        refused = await client.post("/api/v1/importances", json={**REQUEST, "samples": 601})
        assert is_problem(refused, 503)["retryable"] is True and int(refused.headers["Retry-After"]) > 0
        assert (await client.delete(f"/api/v1/jobs/{job['id']}")).json()["state"] == "cancelled"


async def release(api: ApiClient, job: Job) -> Job:
    return await api.ask(Job, "DELETE", f"/jobs/{job.id}", params={"release": "true"})


async def test_one_of_two_who_asked_gives_it_up(tmp_path: Path) -> None:
    async with running(settings(tmp_path)) as app:
        api, request = app.state.client, {"model": MODEL, "data": ["mnist"], "samples": 900}
        first, second = [await api.ask(Job, "POST", "/importances", json=request) for _ in range(2)]
        assert first.id == second.id
        assert (await release(api, first)).state in {"queued", "running"}
        assert (await release(api, first)).state == "cancelled"


async def test_an_importance_goes_on_where_it_was_cancelled(client: httpx.AsyncClient) -> None:
    """What was scored before the cancel is not scored again."""
    request = {**REQUEST, "samples": 400}
    job = await start(client, "importances", request)
    while job["done"] < 400 * 3:
        assert job["state"] in {"queued", "running"}, job
        await asyncio.sleep(0.01)
        job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
    assert job["total"] == 400 * 16 and job["what"].startswith("scoring subsets")
    cancelled = (await client.delete(f"/api/v1/jobs/{job['id']}")).json()
    assert cancelled["state"] == "cancelled" and 400 * 3 <= cancelled["done"] < cancelled["total"]
    body = {**request, "controls": 0, "intervention": {"drop": list(UNITS)}}
    stored = (await client.post("/api/v1/evaluations", json=body)).json()
    assert stored["cached"]  # all units and none come first
    again = await ended(client, await start(client, "importances", request))
    assert again["id"] == job["id"] and again["state"] == "done" and again["seconds"] > cancelled["seconds"]
