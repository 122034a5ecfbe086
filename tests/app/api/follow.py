"""Starts jobs and waits for their end."""

import asyncio
import time
from typing import Any

import httpx


async def start(client: httpx.AsyncClient, place: str, request: dict[str, Any]) -> dict[str, Any]:
    """Ask for a job; gives it."""
    answer = await client.post(f"/api/v1/{place}", json=request)
    assert answer.status_code in {200, 202}, answer.text
    assert answer.headers["location"] == f"/api/v1/jobs/{answer.json()['id']}"
    job: dict[str, Any] = answer.json()
    return job


async def ended(client: httpx.AsyncClient, job: dict[str, Any], seconds: float = 120) -> dict[str, Any]:
    """Wait until a job has ended; gives it. A long one is asked less often: asking takes of what it computes with."""
    began = time.monotonic()
    while job["state"] in {"queued", "running"}:
        waited = time.monotonic() - began
        assert waited < seconds, job
        await asyncio.sleep(min(max(0.02, waited / 8), 0.5))
        job = (await client.get(f"/api/v1/jobs/{job['id']}")).json()
    return job
