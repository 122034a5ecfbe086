"""Figures for Prometheus, ids of requests, lines of JSON, readiness."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from prometheus_client.parser import text_string_to_metric_families

from routescope_app.api import metrics as watch
from routescope_app.api.metrics import Metrics
from routescope_app.services import gauges as module
from routescope_app.services.store import JobRow, now
from tests.app.serving import MODEL, client_of, is_problem, running, serving, settings, upload

TOKEN = "a-long-enough-token-for-tests"


def values(text: str) -> dict[str, float]:
    """Figures by name and labels, as in ``jobs{state=queued}``."""
    result = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{key}={value}" for key, value in sorted(sample.labels.items()))
            result[f"{sample.name}{{{labels}}}"] = sample.value
    return result


async def test_requests_are_counted_by_their_route(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as client:
        for number in range(3):
            await client.get(f"/api/v1/samples/mnist.validation.{number}")
        await client.get("/api/v1/samples/" + "0" * 32)
        await client.get("/somewhere/" + "x" * 50)
        await client.request("BREW", "/api/v1/health")
        answer = await client.get("/metrics")
        assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
        result = values(answer.text)
    route = "method=GET,route=/api/v1/samples/{sample_id}"
    assert result[f"routescope_requests_total{{{route},status=200}}"] == 3
    assert result[f"routescope_requests_total{{{route},status=404}}"] == 1
    assert result[f"routescope_request_seconds_count{{{route}}}"] == 4
    assert result["routescope_requests_total{method=GET,route=none,status=404}"] == 1
    assert result["routescope_refusals_total{reason=not-found,status=404}"] == 2
    assert result["routescope_requests_in_progress{}"] == 1  # this one
    assert not any("xxxx" in name or "BREW" in name for name in result)


async def test_what_is_full_is_told_by_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routescope_app.services.samples.decoding_pool.MAX_WAITING", 1)
    busy = settings(tmp_path, concurrency=1, max_concurrent_requests=4)
    async with serving(busy) as client:
        answers = await asyncio.gather(*(upload(client) for _ in range(9)))
        result = values((await client.get("/metrics")).text)
        assert {answer.status_code for answer in answers} == {201, 503}
    refused = {name: count for name, count in result.items() if "status=503" in name and "refusals" in name}
    assert set(refused) == {
        "routescope_refusals_total{reason=busy: pictures,status=503}",
        "routescope_refusals_total{reason=busy: requests,status=503}",
    }
    assert sum(refused.values()) == sum(answer.status_code == 503 for answer in answers)


async def test_how_full_the_server_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        sample = (await upload(client)).json()
        await client.post("/api/v1/traces", json={"model": MODEL, "sample": sample["id"]})
        app.state.services.traces.flush()
        with app.state.services.store.writing() as session:
            moment = now()
            ages = (("a", "queued", 40), ("b", "queued", 90), ("c", "running", 500), ("d", "done", 900))
            for identity, state, age in ages:
                queued = moment.fromtimestamp(moment.timestamp() - age, moment.tzinfo)
                session.add(JobRow(id=identity, kind="importance", state=state, request="{}", created=queued,
                                   queued=queued, used=queued, bytes=100))  # fmt: skip
        result = values((await client.get("/metrics")).text)
    assert result["routescope_jobs{state=queued}"] == 2 and result["routescope_jobs{state=running}"] == 1
    assert 90 <= result["routescope_oldest_job_seconds{}"] < 150
    assert result["routescope_store_bytes{store=results}"] == 400
    assert result["routescope_store_bytes{store=samples}"] == sum(
        path.stat().st_size for path in (tmp_path / "samples").rglob("*.png")
    )
    assert result["routescope_store_bytes{store=traces}"] > 1_000 < result["routescope_cache_bytes{cache=traces}"]
    assert result["routescope_samples{}"] == 1
    assert result["routescope_database_bytes{}"] > 50_000 and result["routescope_free_bytes{}"] > 0
    assert not any("device_memory" in name for name in result) or torch.cuda.is_available()
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: 11)
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 12)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (5, 13))
    assert module._device(torch.device("cuda")) == {"allocated": 11, "reserved": 12, "total": 13}
    assert module._device(torch.device("cpu")) == {}


def looks(metrics: Metrics) -> tuple[float, float]:
    """How often the loop was up to a quarter of a second late, and how often later."""
    result = values(metrics.told(None).decode())
    early = result["routescope_event_loop_lag_seconds_bucket{le=0.25}"]
    return early, result["routescope_event_loop_lag_seconds_count{}"] - early


async def test_how_late_a_loop_is_is_what_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.01, 1.0, 1.4, 2.0, 2.02])  # due after a hundredth each: in time, then late, then a little
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(watch, "time", SimpleNamespace(monotonic=lambda: next(clock, None)))
    metrics = Metrics()
    with pytest.raises(TypeError):  # the clock stands still
        await metrics.watch_loop()
    assert looks(metrics) == (2, 1)


def test_what_a_process_counts_is_told_without_its_services(caplog: pytest.LogCaptureFixture) -> None:
    def gone() -> Any:
        raise OSError("no database")

    result = values(Metrics().told(gone).decode())
    assert result["routescope_services_up{}"] == 0 and "routescope_requests_in_progress{}" in result
    assert "could not be read" in caplog.text


@pytest.mark.parametrize(
    ("said", "without", "with_token"), [("token", 401, 200), ("open", 200, 200), ("off", 401, 404)]
)
async def test_who_may_read_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str, without: int, with_token: int
) -> None:
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    async with serving(settings(tmp_path / "token", token=TOKEN, metrics=said)) as client:
        answers = [await client.get("/metrics", headers=headers) for headers in ({}, bearer)]
        assert [answer.status_code for answer in answers] == [without, with_token]
    if said != "off":  # without a token they are for this machine
        async with serving(settings(tmp_path / "none", metrics=said)) as client:
            assert (await client.get("/metrics")).headers["x-request-id"]
            is_problem(await client.get("/metrics", headers={"Host": "lab.example"}), 403)
    assert capsys.readouterr().out == "", "no lines of JSON unless they are wanted"


async def test_lines_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One for each request, under the id that the answer has; never what a query or a header holds."""
    async with serving(settings(tmp_path, access_log=True, token=TOKEN)) as client:
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        capsys.readouterr()
        right = await client.get("/api/v1/samples?find=a-secret-word", headers=bearer | {"X-Request-Id": "given-id.1"})
        wrong = await client.get("/api/v1/samples/%0Aforged%22", headers=bearer)
        refused = await client.get("/api/v1/models", headers={"X-Request-Id": 'x"\\n forged'})
        text = capsys.readouterr().out
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert [line["request"] for line in lines] == [item.headers["x-request-id"] for item in (right, wrong, refused)]
    assert right.headers["x-request-id"] == "given-id.1" and len(refused.headers["x-request-id"]) == 32
    assert [line["status"] for line in lines] == [200, 422, 401]
    assert lines[0]["route"] == "/api/v1/samples" and lines[0]["bytes"] == len(right.content)
    assert lines[0]["problem"] is None and lines[2]["problem"] == refused.json()["instance"]
    assert lines[2]["reason"] == "no-token" and lines[1]["path"] == '/api/v1/samples/\\nforged"'
    assert "secret" not in text and TOKEN not in text


async def test_ready_and_alive_are_two_things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(settings(tmp_path, token=TOKEN)) as app, client_of(app) as client:
        services = app.state.services
        assert (await client.get("/api/v1/ready")).json() == {"status": "ready"}
        with monkeypatch.context() as patch:
            patch.setattr(type(services.inference), "listed", lambda *_, **__: ([], []))
            assert "no model" in is_problem(await client.get("/api/v1/ready"), 503)["detail"]
            assert (await client.get("/api/v1/health")).status_code == 200
        services.store.engine.dispose()
        (tmp_path / "routescope.db").rename(tmp_path / "aside.db")
        message = is_problem(await client.get("/api/v1/ready"), 503)
        assert message["detail"] == "The database does not answer." and message["type"].endswith("not-ready")
        assert (await client.get("/api/v1/health")).status_code == 200
        (tmp_path / "aside.db").replace(tmp_path / "routescope.db")
        services.store.engine.dispose()
        assert (await client.get("/api/v1/ready")).status_code == 200
        with monkeypatch.context() as patch:
            patch.setattr("routescope_app.services.disk.free_bytes", lambda _: 0)
            assert "disk" in is_problem(await client.get("/api/v1/ready"), 503)["detail"]


async def test_ready_and_figures_are_answered_however_many_ask(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, max_concurrent_requests=1, queue_seconds=30)) as client:
        slow = [asyncio.create_task(upload(client)) for _ in range(3)]
        await asyncio.sleep(0)
        answers = await asyncio.gather(*(client.get(path) for path in ("/api/v1/ready", "/metrics") for _ in range(4)))
        assert {answer.status_code for answer in answers} == {200}
        await asyncio.gather(*slow)


async def test_the_page_alone_tells_what_it_has(tmp_path: Path) -> None:
    async with serving(settings(tmp_path, role="dashboard", api_url="http://127.0.0.1:9")) as client:
        result = values((await client.get("/metrics")).text)
    assert any("request_seconds" in name for name in result) and not any("routescope_jobs" in name for name in result)
