"""The service on a bucket: machines with nothing in common but it and the database, and a bucket that goes away."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from routescope_app.api.middleware.sessions import COOKIE
from routescope_app.main import in_use
from routescope_app.services.storage.storage import StorageUnreachable
from routescope_app.settings import STORAGE, Settings
from tests.app.api.follow import ended
from tests.app.serving import MODEL, PAGE, client_of, is_problem, png, running, serving, settings, upload
from tests.buckets import bucket_server, files_of, new_bucket

TOKEN = "a-long-enough-token-for-tests"
SAMPLES, JOBS = "/api/v1/samples", "/api/v1/jobs"


async def bring_log(client: httpx.AsyncClient) -> httpx.Response:
    choice = {
        "index": 0,
        "routed_experts": [[[0, 1]], [[1, 2]], [[3, 0]]],
        "prompt_token_ids": [7],
        "token_ids": [8, 9, 10],
    }
    content = json.dumps({"id": "x", "choices": [choice]})
    headers = {"Content-Type": "application/octet-stream"}
    return await client.post("/api/v1/logs?name=a.json&experts=8", content=content, headers=headers)


@pytest.mark.slow
async def test_two_machines_without_a_folder_in_common(
    bucket: dict[str, Any], postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample, its trace, a drop, a job's result, a log and deletes, in turns of the one and the other."""
    monkeypatch.setattr("routescope_app.services.jobs.jobs.POLL_SECONDS", 0.1)
    chosen = bucket | {"database_url": postgresql}
    async with contextlib.AsyncExitStack() as stack:
        here = await stack.enter_async_context(serving(settings(tmp_path / "here", running_jobs=0, **chosen)))
        there = await stack.enter_async_context(serving(settings(tmp_path / "there", **chosen)))
        sample = (await upload(here)).json()
        kept = [name for name in files_of(bucket).find(bucket["storage"]) if name.endswith(".png")]
        assert len(kept) == 2 and not list(tmp_path.rglob("*.png")), "in the bucket alone"
        picture = await there.get(sample["image"])
        assert picture.content == (await here.get(sample["image"])).content and picture.content[:4] == b"\x89PNG"
        drop = {"drop": ["f2"]}
        trace = await there.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"], "intervention": drop})
        assert trace.status_code == 201, trace.text
        again = (await here.get(f"/api/v1/traces/{trace.json()['id']}")).json()
        assert (again["sample"], again["intervention"]) == (sample["id"], trace.json()["intervention"])
        evaluated = await here.post("/api/v1/evaluations", json={"model": MODEL, "samples": 3, "intervention": drop})
        assert evaluated.status_code == 200, evaluated.text
        job = (await here.post("/api/v1/importances", json={"model": MODEL, "samples": 3})).json()
        assert (await ended(here, job))["state"] == "done"
        answers = [await item.get(f"/api/v1/importances/{job['id']}") for item in (here, there)]
        assert [item.status_code for item in answers] == [200, 200] and answers[0].json() == answers[1].json()
        brought = await bring_log(here)
        url = brought.headers["location"]
        assert (await there.get(brought.headers["location"])).json() == brought.json()
        assert (await there.get("/api/v1/logs")).json()["total"] == 1
        assert (await there.get(url + "/file")).content == (await here.get(url + "/file")).content
        assert (await there.get(url + "/usage")).json()["counts"][0] == [2, 2, 1, 1, 0, 0, 0, 0]
        assert (await there.delete(url)).status_code == 204
        is_problem(await here.get(url + "/file"), 404)
        assert (await there.delete(f"{SAMPLES}/{sample['id']}")).status_code == 204
        is_problem(await here.get(sample["image"]), 404)
    left = {name.rpartition("/")[2] for name in files_of(bucket).find(bucket["storage"])}
    assert {"routescope-storage", "placed.json"} <= left and not [name for name in left if name.endswith(".png")]


async def test_a_log_out_is_known_where_no_folder_is_in_common(
    bucket: dict[str, Any], postgresql: str, tmp_path: Path
) -> None:
    """At once where it was, within two seconds elsewhere, and after a new start."""
    chosen = bucket | {"database_url": postgresql, "token": TOKEN}
    async with contextlib.AsyncExitStack() as stack:
        here = await stack.enter_async_context(serving(settings(tmp_path / "here", **chosen)))
        there = await stack.enter_async_context(serving(settings(tmp_path / "there", **chosen)))
        ended, kept = [
            (await here.post("/login", data={"token": TOKEN}, headers=PAGE)).cookies[COOKIE] for _ in range(2)
        ]
        here.cookies.clear()
        logins = {name: {"Cookie": f"{COOKIE}={entry}"} for name, entry in (("ended", ended), ("kept", kept))}
        for client in (here, there):
            assert [(await client.get(JOBS, headers=entry)).status_code for entry in logins.values()] == [200, 200]
        await there.post("/logout", headers=PAGE | logins["ended"])
        is_problem(await there.get(JOBS, headers=logins["ended"]), 401)
        async with asyncio.timeout(10):
            while (await here.get(JOBS, headers=logins["ended"])).status_code != 401:
                await asyncio.sleep(0.05)
        assert (await here.get(JOBS, headers=logins["kept"])).status_code == 200
        new = await stack.enter_async_context(serving(settings(tmp_path / "new", **chosen)))
        assert [(await new.get(JOBS, headers=entry)).status_code for entry in logins.values()] == [401, 200]


@pytest.mark.slow
async def test_a_bucket_that_goes_away_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with contextlib.AsyncExitStack() as stack:
        with bucket_server() as address:
            chosen = settings(tmp_path, **new_bucket(address))
            app = await stack.enter_async_context(running(chosen))
            client = await stack.enter_async_context(client_of(app))
            sample, other = [(await upload(client, png(colour=(n, 0, 0)))).json() for n in (10, 200)]
            assert (await client.get("/api/v1/ready")).status_code == 200
        monkeypatch.setattr("routescope_app.services.storage.bucket.SECONDS", 0.3)
        monkeypatch.setattr(app.state.services.storage, "_seconds", 0.3)
        for refused in (
            await upload(client, png(colour=(0, 0, 90))),
            await client.get(sample["image"]),
            await bring_log(client),
            await client.post("/api/v1/importances", json={"model": MODEL, "samples": 3}),
        ):
            assert is_problem(refused, 503)["type"] == "urn:routescope:problem:storage-unreachable"
            assert refused.headers["retry-after"] == "2" and address not in refused.text
        listed = (await client.get(SAMPLES, params={"origin": "upload"})).json()
        assert [item["id"] for item in listed["items"]] == [other["id"], sample["id"]], "nothing half-acknowledged"
        assert not (await client.get(JOBS)).json()["items"]
        message = is_problem(await client.get("/api/v1/ready"), 503)
        assert message["detail"] == "The storage of samples and results does not answer."
        assert (await client.get("/api/v1/health")).status_code == 200, "a new start would not help"
        assert (await client.delete(f"{SAMPLES}/{sample['id']}")).status_code == 204
        assert f"{chosen.storage} cannot be used" in str(in_use(settings(tmp_path / "new", **on_bucket(chosen))))
        with pytest.raises(StorageUnreachable, match="cannot be used"):
            await stack.enter_async_context(running(settings(tmp_path / "new", **on_bucket(chosen))))
        monkeypatch.undo()
        with bucket_server(int(address.rpartition(":")[2])):
            assert (await upload(client, png(colour=(0, 0, 90)))).status_code == 201
            assert app.state.services.clearing.uploads.sweep(older=3600) == 0, "it may just be being brought"
            assert app.state.services.clearing.uploads.sweep(older=0) == 2, "what was deleted meanwhile"
            assert (await client.get(other["image"])).status_code == 200
            assert in_use(settings(tmp_path / "new", **on_bucket(chosen))) is None


def on_bucket(chosen: Settings) -> dict[str, Any]:
    """What is said of the bucket."""
    return {name: getattr(chosen, name) for name in STORAGE}
