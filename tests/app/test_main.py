"""The app as a whole: what one request waits for keeps no other one waiting."""

import asyncio
import threading
from pathlib import Path

import pytest

from routescope_app.services.engine.inference import Inference
from tests.app.serving import client_of, running, settings

#: More than asyncio has threads by default, 32 at most.
WAITING = 40


async def test_requests_that_wait_for_what_is_slow_leave_threads_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them read the list of models, which takes its time; a set of units is kept, and read, meanwhile."""
    gate, begun, list_models = threading.Event(), threading.Semaphore(0), Inference.listed

    def slow(inference: Inference, **how: bool) -> object:
        begun.release()
        assert gate.wait(120)
        return list_models(inference, **how)

    monkeypatch.setattr("routescope_app.main.THREADS", WAITING + 1)
    async with running(settings(tmp_path, concurrency=1)) as app, client_of(app) as client:
        monkeypatch.setattr(Inference, "listed", slow)
        waiting = [asyncio.create_task(client.get("/api/v1/models")) for _ in range(WAITING)]
        try:
            async with asyncio.timeout(60):
                for _ in range(WAITING):
                    while not begun.acquire(blocking=False):
                        await asyncio.sleep(0.01)
                kept = await client.post("/api/v1/unit-sets", json={"units": ["f1", "f2"]})
                read = await client.get(f"/api/v1/unit-sets/{kept.json()['id']}")
            assert (kept.status_code, read.json()["units"]) == (201, ["f1", "f2"])
        finally:
            gate.set()
            answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {200}
