"""The four roles: everything, the API alone, the page alone before an API elsewhere, a worker."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from pydantic import ValidationError

from tests.app.serving import MODEL, PAGE, is_problem, listening, png, running, serving, settings

TOKEN = "a-long-enough-token-for-tests"


async def test_all(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="all")) as client:
        page = await client.get("/")
        assert page.status_code == 200 and 'lang="en"' in page.text
        assert (await client.get("/api/v1/health")).status_code == 200
        is_problem(await client.get("/api/v1/nothing"), 404)
        is_problem(await client.get("/api"), 404)


def test_the_first_request_may_be_a_deep_page(tmp_path: Path) -> None:
    """Dash's index is complete from the first request on, because the start asked for it once."""
    with listening(settings(tmp_path, role="all")) as port:
        deep = httpx.get(f"http://127.0.0.1:{port}/paths", timeout=60).text
        index = httpx.get(f"http://127.0.0.1:{port}/", timeout=60).text
    assert deep.count("<script src=") == index.count("<script src=") > 3
    assert "/assets/" in deep


async def test_api_has_no_page(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        assert (await client.get("/")).headers["location"] == "/api/docs"
        is_problem(await client.get("/paths"), 404)
        is_problem(await client.get("/_dash-layout"), 404)


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the page alone, whose API runs as another server with the same token."""
    with listening(settings(tmp_path / "api", token=TOKEN)) as port:
        chosen = settings(tmp_path / "page", role="dashboard", api_url=f"http://127.0.0.1:{port}", token=TOKEN)
        async with serving(chosen, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            yield client


async def test_the_page_alone_hands_on(page: httpx.AsyncClient, tmp_path: Path) -> None:
    assert (await page.get("/")).status_code == 200
    assert MODEL in (await page.get("/api/v1/health")).json()["models"]
    created = await page.post("/api/v1/samples", files={"file": ("a.png", png(), "image/png")}, data={"label": "4"})
    assert created.status_code == 201 and created.json()["label"] == 4
    image = await page.get(created.json()["image"], params={"scale": 3})
    assert image.headers["content-type"] == "image/png" and image.content.startswith(b"\x89PNG")
    trace = await page.post("/api/v1/traces", json={"model": MODEL, "sample": created.json()["id"]})
    field = await page.get(f"/api/v1/traces/{trace.json()['id']}/fields/compatibility", params={"format": "binary"})
    assert field.headers["x-shape"] == "1,3,4,19" and len(field.content) == 4 * 3 * 4 * 19
    changed = await page.patch(f"/api/v1/samples/{created.json()['id']}", json={"name": "x"})
    assert changed.json()["name"] == "x"
    assert (await page.delete(f"/api/v1/samples/{created.json()['id']}")).status_code == 204
    is_problem(await page.get(f"/api/v1/samples/{created.json()['id']}"), 404)
    is_problem(await page.get("/api/v1/nothing"), 404)
    assert (await page.get("/api/docs")).status_code == 200
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


async def test_the_page_alone_keeps_its_limits(page: httpx.AsyncClient) -> None:
    is_problem(
        await page.post("/api/v1/traces", content=b"[" * 1000, headers={"Content-Type": "application/json"}), 400
    )
    is_problem(await page.delete(f"/api/v1/samples/{'0' * 32}", headers={"Origin": "https://evil.example"}), 403)
    is_problem(await page.get("/api/v1/models", headers={"Authorization": "Bearer wrong"}), 401)


async def test_the_login_of_the_page_opens_the_api(page: httpx.AsyncClient) -> None:
    del page.headers["Authorization"]
    is_problem(await page.get("/api/v1/models"), 401)
    await page.post("/login", data={"token": TOKEN}, headers=PAGE)
    assert (await page.get("/api/v1/models")).status_code == 200


async def test_an_api_that_is_away(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="dashboard", api_url="http://127.0.0.1:9")) as client:
        assert (await client.get("/")).status_code == 200
        assert is_problem(await client.get("/api/v1/models"), 502)["retryable"] is True


async def test_two_apps_in_one_process_do_not_mix(tmp_path: Path) -> None:
    async with running(settings(tmp_path / "a")) as one, running(settings(tmp_path / "b")) as two:
        await one.state.client.request("POST", "/samples", files={"file": ("a.png", png(), "image/png")})
        assert (await one.state.client.samples(origin="upload")).total == 1
        assert (await two.state.client.samples(origin="upload")).total == 0


async def test_a_worker_answers_for_its_health_alone(tmp_path: Path, postgresql: str) -> None:
    async with serving(settings(tmp_path, role="worker", database_url=postgresql)) as client:
        assert MODEL in (await client.get("/api/v1/health")).json()["models"]
        for place in ("/", "/login", "/api", "/api/docs", "/api/v1/jobs", "/api/v1/models"):
            is_problem(await client.get(place), 404)


async def test_a_worker_tells_its_figures_at_a_port_of_their_own(tmp_path: Path, postgresql: str) -> None:
    """To whoever reaches it, without the token; nothing else is there."""
    chosen = settings(tmp_path, role="worker", database_url=postgresql, token=TOKEN, metrics_port=0)
    async with running(chosen) as app:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{app.state.metrics_port}", timeout=60) as client:
            told = await client.get("/metrics")
            assert told.status_code == 200 and 'routescope_jobs{state="queued"} 0.0' in told.text
            for place in ("/", "/api/v1/health", "/api/v1/jobs", "/docs", "/openapi.json"):
                is_problem(await client.get(place), 404)
        port = app.state.metrics_port
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")


@pytest.mark.parametrize("changes", [{"role": "api"}, {"role": "worker", "metrics": "off"}])
def test_a_port_for_figures_is_a_workers(tmp_path: Path, changes: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match="is for a worker"):
        settings(tmp_path, database_url="postgresql://nobody@127.0.0.1/none", metrics_port=9100, **changes)
