"""Start jobs, wait for their end, and read streams of events and tables."""

import asyncio
import base64
import csv
import io
import json
import math
import time
from collections.abc import Mapping
from typing import Any

import httpx
import numpy as np
import pytest


async def start(client: httpx.AsyncClient, place: str, request: dict[str, Any]) -> dict[str, Any]:
    """Ask for a job; gives it."""
    answer = await client.post(f"/api/v1/{place}", json=request)
    assert answer.status_code in {200, 202}, answer.text
    assert answer.headers["location"] == f"/api/v1/jobs/{answer.json()['id']}"
    job: dict[str, Any] = answer.json()
    return job


async def ended(client: httpx.AsyncClient, job: dict[str, Any], seconds: float = 120) -> dict[str, Any]:
    """Wait until a job has ended; gives it. What runs for long is asked less often, as asking slows it down."""
    began = time.monotonic()
    while job["state"] in {"queued", "running"}:
        waited = time.monotonic() - began
        assert waited < seconds, job
        await asyncio.sleep(min(max(0.02, waited / 8), 0.5))
        job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
    return job


async def result_of(client: httpx.AsyncClient, place: str, request: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the address and the content of the result of a job."""
    job = await ended(client, await start(client, place, request))
    assert job["state"] == "done", job
    return job["result"], (await client.get(job["result"])).json()


def events_of(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the names and contents of the events of a stream."""
    events = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "data" in lines:
            events.append((lines["event"], json.loads(lines["data"])))
    return events


def rows_of(answer: httpx.Response) -> tuple[list[str], list[dict[str, str]]]:
    """Return the comment lines and the rows of a table."""
    assert answer.headers["content-type"].startswith("text/csv"), answer.text
    lines = answer.text.splitlines()
    body = [line for line in lines if not line.startswith("#")]
    return [line for line in lines if line.startswith("#")], list(csv.DictReader(io.StringIO("\n".join(body))))


def app_of(client: httpx.AsyncClient) -> Any:
    """Return the state of the app in this process that the client talks to."""
    return client._transport.app.state  # type: ignore[attr-defined]


def unpacked(packed: dict[str, Any]) -> np.ndarray:
    """Return the array of numbers that an answer holds as text."""
    return np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(packed["shape"])


def compare(found: Any, expected: Any, path: str = "") -> None:
    """Everything that is expected is found, numbers to what other batches change; NaN is null."""
    if isinstance(expected, Mapping):
        for name, value in expected.items():
            compare(found[name], value, f"{path}.{name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), path
        for number, pair in enumerate(zip(found, expected, strict=True)):
            compare(*pair, f"{path}[{number}]")
    elif isinstance(expected, float):
        assert found is None if math.isnan(expected) else found == pytest.approx(expected, rel=1e-5, abs=1e-5), path
    else:
        assert found == expected, path
