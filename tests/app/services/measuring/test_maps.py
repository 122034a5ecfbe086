"""A map that is interrupted goes on where it was, its pieces in a bucket, and is the same map."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from routescope.nn.network import Network
from routescope.routing.maps.points import TypePoints, type_batches
from routescope_app.services.measuring import computing, maps
from routescope_app.services.storage.opening import storage_of
from tests.app.api.follow import ended, start
from tests.app.serving import MODEL, client_of, running, settings

REQUEST: dict[str, Any] = {"model": MODEL, "data": ["mnist", "street-digits"], "samples": 24, "method": "pca"}
#: Samples of a batch: as many batches as there are samples over this.
AT_ONCE = 4


class Watched:
    """The batches that are computed, which stop before one of them until they may go on."""

    def __init__(self, before: int | None = None) -> None:
        self.samples: list[str] = []
        self._before = before
        self.reached, self.go_on = threading.Event(), threading.Event()

    def __call__(self, *given: Any, **named: Any) -> Iterator[TypePoints]:
        for number, part in enumerate(type_batches(*given, **named)):
            self.samples += part.sample_ids
            yield part
            if self._before is not None and number + 1 >= self._before:
                self.reached.set()
                self.go_on.wait(60)


def files(result: Path) -> dict[str, bytes]:
    """Of a result, but for NetCDF, which says when it was written."""
    return {path.name: path.read_bytes() for path in result.iterdir() if path.suffix != ".nc"}


@pytest.mark.slow
async def test_a_map_goes_on_after_a_restart(
    bucket: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Network, "rows_at_once", lambda self: AT_ONCE)
    monkeypatch.setattr(maps, "PIECE_SECONDS", 0.0)
    storage = storage_of(settings(tmp_path / "stopped", **bucket))
    first, second, whole = Watched(before=3), Watched(), Watched()

    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running(settings(tmp_path / "stopped", **bucket)))
        client = await stack.enter_async_context(client_of(app))
        monkeypatch.setattr(computing, "type_batches", first)
        job = await start(client, "embeddings", REQUEST)
        assert await asyncio.to_thread(first.reached.wait, 60)
        stopping = asyncio.create_task(stack.aclose())
        await asyncio.sleep(0.1)
        first.go_on.set()
        await stopping
    kept = storage.entries(f"unfinished/{job['id']}")
    assert len(kept) == 3 and len(first.samples) >= 3 * AT_ONCE

    monkeypatch.setattr(computing, "type_batches", second)
    async with running(settings(tmp_path / "stopped", **bucket)) as app, client_of(app) as client:
        assert (await ended(client, job))["state"] == "done"
        while job["id"] in app.state.services.jobs._live:  # what is needed no longer goes after the job is done
            await asyncio.sleep(0.02)
        reply = (await client.get(f"/api/v1/embeddings/{job['id']}")).json()
        again = files(await app.state.services.jobs.result(job["id"], "embedding"))
    assert len(second.samples) == REQUEST["samples"] - 3 * AT_ONCE, "of what was kept nothing is computed again"
    assert not set(second.samples) & set(first.samples[: 3 * AT_ONCE])
    assert not storage.entries("unfinished"), "pieces go with the end of their job"

    monkeypatch.setattr(computing, "type_batches", whole)
    async with running(settings(tmp_path / "whole")) as app, client_of(app) as client:
        other = await ended(client, await start(client, "embeddings", REQUEST))
        assert other["id"] == job["id"] and (await client.get(other["result"])).json() == reply
    assert len(whole.samples) == REQUEST["samples"]
    assert files(tmp_path / "whole" / "results" / job["id"]) == again, "to the bit"


async def test_pieces_that_cannot_be_read_are_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Network, "rows_at_once", lambda self: AT_ONCE)
    watched = Watched()
    async with running(settings(tmp_path)) as app, client_of(app) as client:
        monkeypatch.setattr(computing, "type_batches", watched)
        job_id = app.state.services.jobs._works["embedding"].identify(
            {"tokens": "patches", "routing": "trained", "seed": 0, "perplexity": 30, "neighbours": 15}
            | {"intervention": {}}
            | REQUEST
        )
        app.state.services.storage.put(f"unfinished/{job_id}/0.nc", b"no such file")
        app.state.services.storage.put(f"unfinished/{'f' * 40}/0.nc", b"of no job")
        job = await ended(client, await start(client, "embeddings", REQUEST))
        assert (job["id"], job["state"], len(watched.samples)) == (job_id, "done", 24)
    async with running(settings(tmp_path)) as app:
        assert not app.state.services.storage.entries("unfinished")
