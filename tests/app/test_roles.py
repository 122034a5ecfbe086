"""The four roles: everything, the API alone, the page alone before an API elsewhere, a worker."""

import asyncio
import json
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from tests.app.serving import MODEL, PAGE, client_of, is_problem, listening, png, running, serving, settings, upload

TOKEN = "a-long-enough-token-for-tests"


async def test_the_api_alone_has_no_page(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        assert (await client.get("/")).headers["location"] == "/api/docs"
        for place in ("/paths", "/_dash-layout", "/api/v1/nothing", "/api"):
            is_problem(await client.get(place), 404)


def test_the_first_request_may_be_a_deep_page(tmp_path: Path) -> None:
    """Dash's index is complete from the first request on, because the start asked for it once."""
    chosen = settings(tmp_path, role="all")
    with listening(chosen) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        deep, index = (client.get(place).text for place in ("/paths", "/"))
        is_problem(client.get("/api/v1/nothing"), 404)
        is_problem(client.get("/api"), 404)
    assert deep.count("<script src=") == index.count("<script src=") > 3
    assert "/assets/" in deep and 'lang="en"' in index


async def test_the_page_alone_hands_on_and_keeps_its_limits(tmp_path: Path) -> None:
    """Its API runs as another server with the same token."""
    with listening(settings(tmp_path / "api", token=TOKEN)) as port:
        chosen = settings(tmp_path / "page", role="dashboard", api_url=f"http://127.0.0.1:{port}", token=TOKEN)
        async with serving(chosen, headers={"Authorization": f"Bearer {TOKEN}"}) as page:
            assert (await page.get("/")).status_code == (await page.get("/api/docs")).status_code == 200
            assert MODEL in (await page.get("/api/v1/health")).json()["models"]
            created = (await upload(page, label="4")).json()
            image = await page.get(created["image"], params={"scale": 3})
            assert image.headers["content-type"] == "image/png" and image.content.startswith(b"\x89PNG")
            trace = await page.post("/api/v1/traces", json={"model": MODEL, "sample": created["id"]})
            place = f"/api/v1/traces/{trace.json()['id']}/fields/compatibility"
            field = await page.get(place, params={"format": "binary"})
            assert field.headers["x-shape"] == "1,3,4,19" and len(field.content) == 4 * 3 * 4 * 19
            sample = f"/api/v1/samples/{created['id']}"
            assert (await page.patch(sample, json={"name": "x"})).json()["name"] == "x"
            is_problem(await page.delete(sample, headers={"Origin": "https://evil.example"}), 403)
            assert (await page.delete(sample)).status_code == 204
            is_problem(await page.get(sample), 404)
            is_problem(await page.get("/api/v1/nothing"), 404)
            malformed = {"content": b"[" * 1000, "headers": {"Content-Type": "application/json"}}
            is_problem(await page.post("/api/v1/traces", **malformed), 400)
            is_problem(await page.get("/api/v1/models", headers={"Authorization": "Bearer wrong"}), 401)
            del page.headers["Authorization"]
            is_problem(await page.get("/api/v1/models"), 401)
            await page.post("/login", data={"token": TOKEN}, headers=PAGE)
            assert (await page.get("/api/v1/models")).status_code == 200, "the login of the page opens the API"
    assert not (tmp_path / "page" / "routescope.db").exists()  # it keeps nothing itself


@pytest.mark.slow
async def test_the_page_alone_hands_streams_on(tmp_path: Path) -> None:
    """Events arrive one by one, also through the page's process; closing there stops the computing here."""
    chosen = settings(tmp_path / "api", token=TOKEN)
    with listening(chosen) as api:
        page = settings(tmp_path / "page", role="dashboard", api_url=f"http://127.0.0.1:{api}", token=TOKEN)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with listening(page) as port:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60) as client:
                query = {"model": MODEL, "samples": 3_000, "drop": "f1", "controls": 0}
                arrivals: list[float] = []
                async with client.stream("GET", "/api/v1/evaluations/stream", params=query) as response:
                    assert response.headers["content-type"].startswith("text/event-stream")
                    async for line in response.aiter_lines():
                        if line.startswith("data: "):
                            arrivals.append(json.loads(line[6:])["done"])
                assert len(arrivals) > 2 and arrivals == sorted(arrivals) and arrivals[-1] == 6_000

                query = {**query, "mute": "f2,f3", "drop": "", "controls": 64}
                async with client.stream("GET", "/api/v1/evaluations/stream", params=query) as response:
                    async for line in response.aiter_lines():
                        if line.startswith("data: ") and json.loads(line[6:])["accuracy"]:
                            break
                await asyncio.sleep(1)
                body = {"model": MODEL, "samples": 3_000, "controls": 0, "intervention": {"mute": ["f2", "f3"]}}
                assert not (await client.post("/api/v1/evaluations", json=body)).json()["cached"]  # it was not finished

                job = (await client.post("/api/v1/importances", json={"model": MODEL, "samples": 9})).json()
                events = (await client.get(f"/api/v1/jobs/{job['id']}/events")).text
                assert events.count("event: job") >= 1 and '"state":"done"' in events
                assert (await client.get(f"/api/v1/importances/{job['id']}")).json()["exact"]
                assert (await client.delete(f"/api/v1/jobs/{job['id']}")).json()["state"] == "done"


async def test_an_api_that_is_away(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="dashboard", api_url="http://127.0.0.1:9")) as client:
        assert (await client.get("/")).status_code == 200
        assert is_problem(await client.get("/api/v1/models"), 502)["retryable"] is True


async def test_two_apps_in_one_process_do_not_mix(tmp_path: Path) -> None:
    async with running(settings(tmp_path / "a")) as one, running(settings(tmp_path / "b")) as two:
        await one.state.client.request("POST", "/samples", files={"file": ("a.png", png(), "image/png")})
        assert (await one.state.client.samples(origin="upload")).total == 1
        assert (await two.state.client.samples(origin="upload")).total == 0


async def test_a_worker_answers_for_its_health_and_tells_its_figures_at_a_port_of_their_own(
    tmp_path: Path, postgresql: str
) -> None:
    """To whoever reaches it, without the token; nothing else is there."""
    chosen = settings(tmp_path, role="worker", database_url=postgresql, token=TOKEN, metrics_port=0)
    async with running(chosen) as app:
        async with client_of(app, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            assert MODEL in (await client.get("/api/v1/health")).json()["models"]
            for place in ("/", "/login", "/api", "/api/docs", "/api/v1/jobs", "/api/v1/models"):
                is_problem(await client.get(place), 404)
        address = f"http://127.0.0.1:{app.state.metrics_port}"
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            told = await client.get("/metrics")
            assert told.status_code == 200 and 'routescope_jobs{state="queued"} 0.0' in told.text
            for place in ("/", "/api/v1/health", "/api/v1/jobs", "/docs", "/openapi.json"):
                is_problem(await client.get(place), 404)
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/metrics")
    for changes in ({"role": "api"}, {"role": "worker", "metrics": "off"}):
        with pytest.raises(ValidationError, match="is for a worker"):
            settings(tmp_path, database_url=postgresql, metrics_port=9100, **changes)
