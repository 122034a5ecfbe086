"""Spans for OpenTelemetry: of requests, forward passes and jobs, joined with the log."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import ValidationError

from routescope_app import main
from routescope_app.services import tracing
from tests.app.serving import MODEL, serving, settings

ENDPOINT = "http://127.0.0.1:9"


@pytest.fixture
def exporter(tmp_path: Path) -> Iterator[InMemorySpanExporter]:
    """Where all spans go, of whichever app."""
    result = InMemorySpanExporter()
    tracing.start(settings(tmp_path, telemetry_endpoint=ENDPOINT), result)
    yield result
    tracing.stop()


def chain(span: ReadableSpan, spans: dict[int, ReadableSpan]) -> list[str]:
    """Names of a span and of those above it."""
    names = [span.name]
    while span.parent is not None and span.parent.span_id in spans:
        span = spans[span.parent.span_id]
        names.append(span.name)
    return names


@pytest.mark.slow
async def test_a_request_its_forward_pass_and_its_job(
    tmp_path: Path, exporter: InMemorySpanExporter, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"X-Request-Id": "as-the-proxy-said"}
    async with serving(settings(tmp_path, telemetry_endpoint=ENDPOINT, access_log=True)) as client:
        body = {"model": MODEL, "sample": "mnist.validation.1"}
        assert (await client.post("/api/v1/traces", json=body, headers=asked)).status_code == 201
        job = {"model": MODEL, "data": ["mnist"], "samples": 10}
        queued = (await client.post("/api/v1/importances", json=job)).json()["id"]
        while (await client.get(f"/api/v1/jobs/{queued}")).json()["state"] != "done":
            await asyncio.sleep(0.05)
        await client.get("/api/v1/health")
    finished = {span.context.span_id: span for span in exporter.get_finished_spans()}
    (recorded,) = [span for span in finished.values() if span.name == "record"]
    assert chain(recorded, finished) == ["record", "networks", "POST /api/v1/traces"]
    assert recorded.attributes == {"routescope.model": MODEL, "routescope.samples": 1}
    top = next(span for span in finished.values() if span.name == "POST /api/v1/traces")
    assert top.attributes and top.attributes["routescope.request"] == "as-the-proxy-said"
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith('{"time"')]
    (line,) = [item for item in lines if item["route"] == "/api/v1/traces"]
    assert line["request"] == "as-the-proxy-said" and line["trace"] == f"{top.context.trace_id:032x}"
    (work,) = [span for span in finished.values() if span.name == "job"]
    assert work.attributes == {"routescope.kind": "importance", "routescope.job": queued}
    below = [chain(span, finished)[-2:] for span in finished.values() if span.name == "networks"]
    assert ["networks", "job"] in below
    assert not [span for span in finished.values() if "health" in span.name]
    assert {span.resource.attributes["service.name"] for span in finished.values()} == {"routescope"}


def test_what_fails_says_so(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="odd"), tracing.span("job"):
        raise ValueError("odd")
    (failed,) = exporter.get_finished_spans()
    assert not failed.status.is_ok and failed.events[0].name == "exception"


def test_without_the_extra_the_start_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings(tmp_path, telemetry_endpoint=ENDPOINT)
    assert main.in_use(chosen) is None
    monkeypatch.setattr(tracing, "PACKAGE", "not_installed_here.sdk")
    assert "pip install 'routescope[telemetry]'" in str(main.in_use(chosen))
    assert main.in_use(settings(tmp_path)) is None
    with pytest.raises(ValidationError, match="http"):
        settings(tmp_path, telemetry_endpoint="collector:4318")
